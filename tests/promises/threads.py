"""The promise of threads: every command that works in parallel, by a program built with ThreadSanitizer (preset `tsan`). promises.py
runs it."""
import shutil

import hostile
import switched
import written

FURTHER = [
    ("heuristic", "sweep --board zcu104 --dataset MUTAG --method heuristic --budget 300", []),
    ("several", "sweep --board zcu104 --board u50 --dataset MUTAG --dataset NCI1 --method heuristic --budget 100", []),
    ("whatif", "whatif --board zcu104 --dataset MUTAG --set hue.pe=8", []),
    ("robust", "sweep --combine worst --board zcu104 --dataset MUTAG --dataset NCI1 --method heuristic --budget 100", []),
    ("seeds", "train --dataset TOY --set landmarks=8 --set dim=256 --seeds 4 --folds 3", []),
    ("profile", "datasets profile ./TOY --landmarks 4,8 --seeds 2 -o toy.xml", ["toy.xml"]),
    ("validate", "validate --against simulation --dataset ./TOY --configurations 4", []),
    ("report", "report --study kept.db -o page.html", ["page.html"]),
    ("roofline", "roofline --board zcu104 --dataset MUTAG", []),
    ("exact, parts joined", "optimize --board zcu104 --dataset MUTAG --fix landmarks --fix dim --minimize energy --method exact", []),
    ("program", "optimize --board zcu104 --dataset MUTAG --fix nee.form=factored --fix landmarks --fix dim --minimize energy --method ilp", []),
    ("why", "optimize --board zcu104 --dataset MUTAG --fix landmarks=32 --fix dim --fix nee.form=resident --minimize latency --where latency<=1us", []),
    ("race", "sweep --board zcu104 --dataset ./TOY --method heuristic --budget 40s", []),
    ("trainings", "sweep --dataset ./TOY --free dim --seeds 2 --budget 30s --where dim<=1024 --method heuristic", []),
    ("run", "run plan.yaml", ["listed.csv"]),
    ("generate", "datasets generate MADE --graphs 40 --nodes 8 --seed 3 -q", ["MADE"]),
    ("compiled", "simulate --family smgpu --program load.txt --memory arrays.npz -o out.npz", ["out.npz"]),
]
# A search of every family on its shipped, measured data.
FURTHER += [(f"sweep of {family}", f"sweep --family {family} --board u280 --dataset {data} --method heuristic --budget 60", [])
            for family, data in (("gat", "cora"), ("hdreason", "WN18RR"), ("smgpu", "smgpu_mutag"), ("hydraf", "airfoil"))]


def promise_threads(bench, tools):
    commands = [(name, words.replace("--jobs 1", ""), outputs) for name, words, outputs in tools.COMMANDS]
    commands += list(switched.family_commands(bench)) + FURTHER
    commands.append(("optimize", f"optimize --board zcu104 --dataset MUTAG {tools.SMALL} --minimize latency", []))
    written.prepare(bench, hostile.loadable)
    options = {"TSAN_OPTIONS": "exitcode=66 halt_on_error=0 report_signal_unsafe=1"}
    for name, words, _ in [c for c in commands if bench.only in ("", c[0])]:
        folder = bench.place("threads-" + name.replace(" ", "-"))
        done = bench.run(words.split() + ["--jobs", "4"], folder, environment=options, timeout=900)
        said = done.stderr.decode(errors="replace")
        if "ThreadSanitizer" in said:
            bench.fail(f"threads: {name}: " + said[said.index("ThreadSanitizer"):][:1500])
        elif done.returncode != (1 if b"Why nothing is feasible" in done.stderr else 0):
            bench.fail(f"threads: {name}: exit {done.returncode}: {said[-300:]}")
        else:
            print(f"threads: {name}: no race", flush=True)
        shutil.rmtree(folder)
