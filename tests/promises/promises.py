#!/usr/bin/env python3
"""What docs/reliability.md promises, tried on the program: promises.py PROGRAM SHIM PROMISE... [--full] [--jobs N] [--only NAME]

Promises: memory, kill, disk, bytes, hostile. Without --full a promise that goes over every n takes a sample of them, spread
over all (by a fixed generator, the same at each run). Ends with 1 where one does not hold, saying the command and the n.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

import hostile
import reading
import served
import switched
import threads
import written

SMALL = ("--fix lshu.pe=4 --fix hue.pe=4 --fix clock_mhz=300 --fix place.h=bram --fix nee.lanes=16 --fix kse.pe=4 "
         "--fix nee.port_bits=512 --fix nee.outstanding=16 --fix mphe.lookups=1 --fix units=1 --fix sce.bits --fix landmarks=32 "
         "--fix dim --fix lshu.balance --fix kse.balance --fix sce.pe --fix place.codebook --fix place.prototypes "
         "--fix mphe.gamma --method exact")

# What third-party code does without memory is its own: GLPK ends the process, the drawing libraries leave out what they had
# no room for, OpenBLAS is asked for memory once.
EXEMPT = "libcairo:libpixman:libfontconfig:libfreetype:libexpat:libpng:libglpk:libopenblas:libgfortran:libicu"

# Name, words, what it writes.
COMMANDS = [
    ("boards", "boards list --format json", []),
    ("datasets", "datasets show TOY --format json", []),
    ("estimate", "estimate --from kept.db:1 --format json", []),
    ("train", "train --dataset TOY --set landmarks=8 --set dim=256 -o new.npz -q", ["new.npz"]),
    ("infer", "infer --model model.npz --dataset TOY --predictions p.csv --format json", ["p.csv"]),
    ("simulate", "simulate --model model.npz --dataset TOY --format json", []),
    ("sweep", f"sweep --board zcu104 --dataset MUTAG {SMALL} --study new.db --jobs 1 --format json", ["new.db"]),
    ("export", "study export kept.db --format json --all -o kept.json", ["kept.json"]),
    ("emit", "emit --from kept.db:1 -o design -q", ["design"]),
]
VERSION = ("version", "version -o v.txt", ["v.txt"])  # little but the writing of a file: every n is tried
SURVEYED = ("surveyed", "estimate --family hdreason --dataset KNOWN --data-dir . --set dim=64 --format json", []) # by a name, and the user's cache
REPORT = ("report", "report --study kept.db -o page.html", ["page.html"])
# What asks for things that may not be there, and goes on without them.
COMBINED = ("combined", f"sweep --board zcu104 --dataset MUTAG --dataset BZR --combine mean {SMALL} --jobs 1 --format json", [])
PLOT = ("plot", "plot front --study kept.db -o front.svg", ["front.svg"])
RESUME = ("resume", f"sweep --board zcu104 --dataset MUTAG {SMALL} --study new.db --resume --jobs 1 --format json", ["new.db"])
TIMES = ("seconds", "solve_s", "s_per_", "trained in", "inference_s", "training_s", '"time', "_seconds", '"elapsed')


class Bench:
    def __init__(self, arguments):
        self.program = os.path.abspath(arguments.program)
        self.shim = os.path.abspath(arguments.shim)
        self.full, self.jobs = arguments.full, arguments.jobs
        self.folder = tempfile.mkdtemp(prefix="nysx-promises-")
        self.failures, self.small = 0, SMALL
        self.inputs = os.path.join(self.folder, "inputs")
        os.mkdir(self.inputs)
        for words in ("datasets generate TOY --graphs 24 --classes 2 --nodes 7 --seed 3 -q",
                      "train --dataset TOY --set landmarks=8 --set dim=256 -o model.npz -q",
                      f"sweep --board zcu104 --dataset MUTAG {SMALL} --study kept.db -q"):
            self.run(words.split(), self.inputs, check=True)

    def run(self, words, folder, check=False, shim=None, before=None, timeout=120, **more):
        cache = {"XDG_CACHE_HOME": os.path.join(self.folder, "cache")}  # of nobody else's surveys
        environment = dict(os.environ, **cache, **(more.pop("environment", None) or {}))
        if shim:
            environment.update(shim, LD_PRELOAD=self.shim)
        done = subprocess.run([self.program] + words, cwd=folder, env=environment, preexec_fn=before, timeout=timeout,
                              stdout=more.get("stdout", subprocess.PIPE), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            sys.exit(f"promises: {' '.join(words)}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def place(self, name):
        """A folder with the inputs, of its own."""
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.inputs, folder)
        return folder

    def fail(self, what):
        self.failures += 1
        if self.failures <= 40:
            print("FAILED:", what, flush=True)

    def sample(self, count, some):
        if self.full or count <= some:
            return list(range(1, count + 1))
        ends = list(range(1, some // 4)) + list(range(count - some // 8, count + 1))
        return sorted(set(ends + random.Random(21).sample(range(1, count + 1), some // 2)))

    def each(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(function, items))


def untimed(text):
    """Without the lines that tell how long something took."""
    return b"\n".join(line for line in text.split(b"\n") if not any(word.encode() in line for word in TIMES))


def content(path):
    """What a file or folder holds, without times: bytes, or a dictionary."""
    if os.path.isdir(path):
        return {name: content(os.path.join(path, name)) for name in sorted(os.listdir(path))}
    with open(path, "rb") as stream:
        return stream.read()


def listing(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def tell(name, done, good, folder, before, outputs):
    """Why a run that was let down is wrong, or None: exit 4 with a line and nothing left (but a whole output, where what failed came
    behind it), or all of the answer."""
    said = done.stderr.decode(errors="replace").strip()
    left = [f for f in listing(folder) if f not in before]
    if done.returncode == 4:
        if not said:
            return "exit 4 without a word"
        if done.stdout:
            return "exit 4 with something on standard output"
        whole = [o for o in outputs if os.path.exists(os.path.join(folder, o)) and o in good and content(os.path.join(folder, o)) == good[o]]
        strange = [f for f in left if not f.startswith("new.db") and not any(f == o or f.startswith(o + "/") for o in whole)]
        return f"exit 4, and left behind: {strange}" if strange else None
    if done.returncode != good["exit"]:
        return f"exit {done.returncode}: {said[-300:]}"
    if untimed(done.stdout) != untimed(good["out"]):
        return f"exit {done.returncode} with another answer"
    for output in outputs:
        if output.endswith(".db"):
            continue
        if not os.path.exists(os.path.join(folder, output)) or content(os.path.join(folder, output)) != good[output]:
            return f"exit {done.returncode}, and {output} is not what it should be"
    strange = [f for f in left if not any(f == o or f.startswith(o + "/") for o in outputs)]
    return f"exit {done.returncode}, and left behind: {strange}" if strange else None


def good_run(bench, name, words, outputs, shim):
    folder, log = bench.place(f"good-{name}"), os.path.join(bench.folder, f"log-{name}")
    done = bench.run(words.split(), folder, shim=dict(shim, NYSX_SHIM_LOG=log))
    if done.returncode not in (0, 1, 3): # 1 and 3 are answers too: nothing fits, a file is wrong
        sys.exit(f"promises: {words}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    counts = dict(line.split() for line in open(log))
    good = {"out": done.stdout, "exit": done.returncode}
    for output in outputs:
        good[output] = content(os.path.join(folder, output))
    return good, int(counts["allocations"]), int(counts["steps"])


def allocating_places(bench, name, words, count, shim):
    """The first n of each place of the program that allocates: all calls that a failure can take a new way back through."""
    log = os.path.join(bench.folder, f"places-{name}")
    bench.run(words.split(), bench.place(f"places-{name}-run"), shim=dict(shim, NYSX_SHIM_PLACES=log))
    with open(log) as stream:
        return [n for n in sorted({int(line) for line in stream}) if n <= 1.01 * count or bench.fail(f"memory: {name}: place {n} of {count}: counted otherwise")]  # texts of times


def keep_survey(bench):
    """Data that the user's cache knows."""
    say = lambda words: bench.run(words.split(), bench.inputs, check=True).stdout.decode()
    say("datasets generate KNOWN --kind triples -q")
    of = json.loads(say("datasets show ./KNOWN --format json"))["hash"]
    kept = os.path.join(bench.folder, "cache/nysx-dse/profiles")
    os.makedirs(kept, exist_ok=True)
    version = say("version").split()[1]
    say(f"datasets profile KNOWN --family hdreason --grid dim=64 --seeds 1 -o {kept}/hdreason-{of}-seed1-{version}.xml -q")
    if b"measured now" in bench.run(SURVEYED[1].split(), bench.inputs, check=True).stderr:
        sys.exit("promises: the survey in the cache is not taken")


ANSWERS = re.compile("(sweep|optimize|train|infer|simulate|whatif|validate|roofline|datasets (show|generate)|boards (show|check)|calibrate(?!.* -o)) ")
QUICK = ("generate", "why", "zip", "GraphML", "graphs' arrays", "boards checked")  # memory that was lost was taken for a wrong word or file
WHOLE = 300  # places that are all tried


def of_other_promises(bench):
    """What they try, but for what ends by the clock, and a share, whose study keeps what was done."""
    others = [*written.WRITING, *threads.FURTHER, *reading.READING]
    reading.prepare(bench)
    if bench.places:
        written.prepare(bench, hostile.loadable)
        others += switched.family_commands(bench)
    for name, words, outputs in others:
        if (bench.places or name in QUICK) and not re.search(r"--budget \d+s", words):
            told = " --format json" if ANSWERS.match(words) and "--format" not in words else ""  # whose times `untimed` knows
            yield name, words + told, outputs


def promise_memory(bench, some):
    keep_survey(bench)
    shim = {"NYSX_EXEMPT": EXEMPT, "OPENBLAS_NUM_THREADS": "1"}
    commands = [VERSION] + COMMANDS + [REPORT, SURVEYED, COMBINED, PLOT, *of_other_promises(bench)]
    for name, words, outputs in [c for c in commands if bench.only in ("", c[0])]:
        words += "" if "--jobs" in words else " --jobs 1"  # a copy has one thread: others might hold a lock for ever
        good, count, _ = good_run(bench, name, words, outputs, shim)
        places = allocating_places(bench, name, words, count, shim)
        cases = list(range(1, count + 1)) if bench.full or count <= 64 else [places[i - 1] for i in bench.sample(len(places), len(places) if bench.places else max(some, WHOLE * (len(places) <= WHOLE)))]
        cases = cases[bench.part - 1::bench.parts]

        def judge(n, done, folder, before):
            wrong = tell(name, done, good, folder, before, outputs)
            if wrong:
                bench.fail(f"memory: {name}: allocation {n} of {count}: {wrong}")

        def one(n):
            folder = bench.place(f"{name}-{n % 1000}-{n}")
            try:
                judge(n, bench.run(words.split(), folder, shim=dict(shim, NYSX_FAIL_ALLOCATION=str(n))), folder, listing(bench.inputs))
            except subprocess.TimeoutExpired:
                bench.fail(f"memory: {name}: allocation {n} of {count}: does not end")
            shutil.rmtree(folder)

        came = served.each_failed(bench, name, words, count, set(cases), shim, listing, judge)
        bench.each(one, [n for n in cases if n not in came])
        print(f"memory: {name}: {len(cases)} of {count} allocations failed, one a run, of {len(places)} places; {len(came)} in a copy", flush=True)


def old_design(bench, folder):
    """Another design where the new one goes, and a file of the user's."""
    bench.run("emit --from kept.db:2 -o design -q".split(), folder, check=True)
    with open(os.path.join(folder, "design", "mine.txt"), "w") as stream:
        stream.write("mine")


KILLED = [("train", COMMANDS[3][1], "new.npz"), ("infer", COMMANDS[4][1], "p.csv"), ("export", COMMANDS[7][1], "kept.json"),
          ("report", REPORT[1], "page.html"), ("emit", COMMANDS[8][1] + " --overwrite", "design")]


def promise_kill(bench, some):
    written.prepare(bench, hostile.loadable)
    further = [(name, words, outputs[0]) for name, words, outputs in written.WRITING]
    for name, words, output in [c for c in KILLED + further if bench.only in ("", c[0])]:
        base = bench.place(f"base-{name}")
        if name == "emit":
            old_design(bench, base)
        elif name != "report" and name not in written.NEW:
            with open(os.path.join(base, output), "w") as stream:
                stream.write("old")
        before = content(os.path.join(base, output)) if os.path.exists(os.path.join(base, output)) else None
        done, log = os.path.join(bench.folder, f"done-{name}"), os.path.join(bench.folder, f"klog-{name}")
        shutil.copytree(base, done)
        bench.run(words.split(), done, check=True, shim={"NYSX_SHIM_LOG": log})
        after = content(os.path.join(done, output))
        steps = int(dict(line.split() for line in open(log))["steps"])
        if steps == 0 or after == before:
            bench.fail(f"kill: {name}: nothing is written")

        def one(n):
            folder = os.path.join(bench.folder, f"kill-{name}-{n}")
            shutil.copytree(base, folder)
            run = bench.run(words.split(), folder, shim={"NYSX_KILL_AT": str(n)})
            there = os.path.join(folder, output)
            found = content(there) if os.path.exists(there) else None
            if run.returncode != -9:
                bench.fail(f"kill: {name}: step {n} of {steps} did not come")
            elif found != before and found != after:
                bench.fail(f"kill: {name}: step {n} of {steps}: {output} is neither the old nor the new")
            shutil.rmtree(folder)

        cases = bench.sample(steps, some)
        bench.each(one, cases)
        print(f"kill: {name}: killed at {len(cases)} of {steps} steps", flush=True)
    if bench.only in ("", "sweep"):
        kill_study(bench, some, "sweep", RESUME[1], "new.db")


def kill_study(bench, some, name, line, study):
    """Killed at each step and taken up again: the export is that of a run that nothing ended."""
    words = line.split()
    whole, log = bench.place("whole"), os.path.join(bench.folder, f"klog-{name}")
    bench.run(words, whole, check=True, shim={"NYSX_SHIM_LOG": log})
    export = f"study export {study} --format {'csv --all' if name == 'sweep' else 'json'}".split()
    expected = bench.run(export, whole, check=True).stdout
    base = sqlite3.connect(os.path.join(whole, study))
    rounds = base.execute("SELECT sum(rounds_done) FROM explorations").fetchone()[0]
    base.close()
    steps = int(dict(line.split() for line in open(log))["steps"])

    if name == "sweep" and steps < rounds:
        bench.fail(f"kill: {name}: {steps} steps for {rounds} rounds: what a round has found is not synced before the next")

    def one(n):
        folder = bench.place(f"study-{n}")
        bench.run(words, folder, shim={"NYSX_KILL_AT": str(n)})
        again = bench.run(words, folder)
        found = bench.run(export, folder).stdout
        if again.returncode != 0 or found != expected:
            bench.fail(f"kill: {name}: step {n} of {steps}: once more: exit {again.returncode}, another export: {found != expected}")
        shutil.rmtree(folder)

    cases = bench.sample(steps, some)
    bench.each(one, cases)
    print(f"kill: {name}: killed at {len(cases)} of {steps} steps and taken up", flush=True)


def read_only_study(bench):
    """A study that a kill left its log beside is shown where nothing can be written, and shown the same."""
    folder, logs = bench.place("read-only"), 0
    for n in (8, 12, 16, 20, 24, 28):
        for name in [f for f in os.listdir(folder) if f.startswith("new.db")]:
            os.remove(os.path.join(folder, name))
        bench.run(RESUME[1].split(), folder, shim={"NYSX_KILL_AT": str(n)})
        if not os.path.exists(os.path.join(folder, "new.db-wal")) or os.path.exists(os.path.join(folder, "new.db-journal")):
            continue
        logs += 1
        shown = bench.run(f"study show {folder}/new.db --format json".split(), folder, shim={"NYSX_READ_ONLY": folder})
        free = bench.run(f"study show {folder}/new.db --format json".split(), folder)
        if shown.returncode != 0 or shown.stdout != free.stdout:
            bench.fail(f"disk: a study on a read-only disk, killed at step {n}: exit {shown.returncode}: {shown.stderr.decode(errors='replace')[-200:]}")
    if logs < 3:
        bench.fail(f"disk: only {logs} kills left a log")
    shutil.rmtree(folder)


def promise_disk(bench, some):
    """A full disk, closed outputs, no descriptors, a small address space: exit 4 (or the answer), and no part of a file."""
    def limit(what, value):
        return lambda: resource.setrlimit(what, (value, value))

    def case(name, what, words, outputs, study="new.db", **how):
        folder = bench.place("disk")
        before = listing(folder)
        try:
            done = bench.run(words.split(), folder, timeout=60, **how)
        except subprocess.TimeoutExpired:
            bench.fail(f"disk: {name}: {what}: does not end")
            return
        left = [f for f in listing(folder) if f not in before and not f.startswith(study)]
        whole = [f for f in left if any(f == o or f.startswith(o + "/") for o in outputs)]
        if done.returncode not in (0, 4) or (done.returncode == 4 and left != whole) or done.returncode < 0:
            bench.fail(f"disk: {name}: {what}: exit {done.returncode}, left {left}: {done.stderr.decode(errors='replace')[-200:]}")
        if study != "new.db" and bench.run(words.split(), folder).returncode != 0:
            bench.fail(f"disk: {name}: {what}: once there is room it does not go on")

    def full(size):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    written.prepare(bench, hostile.loadable)
    for name, words, outputs in [c for c in COMMANDS + [REPORT] + written.WRITING if bench.only in ("", c[0])]:
        for size in (0, 100, 4096) if outputs else ():
            case(name, f"a disk that is full after {size} bytes of a file", words, outputs, before=lambda: full(size))
        if not outputs:
            with open("/dev/full", "wb") as device:
                case(name, "/dev/full", words, outputs, stdout=device)
            case(name, "closed output", words, outputs, before=lambda: os.close(1), stdout=None)
        case(name, "no descriptor that is free", words, outputs, shim={"NYSX_DESCRIPTORS": "3"})
        for files in (4, 5, 6, 8, 12): # with three the loader finds no library
            case(name, f"{files} descriptors", words, outputs, before=limit(resource.RLIMIT_NOFILE, files))
        for megabytes in (60, 90, 110, 120, 150, 180, 200, 300, 500):
            case(name, f"{megabytes} MB of address space", words, outputs, before=limit(resource.RLIMIT_AS, megabytes << 20))
    if bench.only in ("", "read-only"):
        read_only_study(bench)
    print("disk: outputs, descriptors and address spaces tried", flush=True)


PROMISES = {"memory": promise_memory, "kill": promise_kill, "disk": promise_disk,
            "bytes": lambda bench, some: switched.promise_bytes(bench, sys.modules[__name__], bench.against),
            "threads": lambda bench, some: threads.promise_threads(bench, sys.modules[__name__]),
            "hostile": lambda bench, some: hostile.promise_hostile(bench)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("promise", nargs="+", choices=sorted(PROMISES))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--places", action="store_true", help="memory: an allocation of every place of the program, not a sample of places, and of what the other promises try")
    parser.add_argument("--some", type=int, default=60)
    parser.add_argument("--part", default="1/1", help="memory: the K-th of N parts, as in 2/8: a long run in slices")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--against", action="append", default=[], help="bytes: a program of another compiler or optimisation level")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    bench.places = arguments.places
    bench.part, bench.parts = (int(word) for word in arguments.part.split("/"))
    bench.only, bench.against = arguments.only, arguments.against
    for promise in arguments.promise:
        PROMISES[promise](bench, arguments.some)
    shutil.rmtree(bench.folder)
    if bench.failures:
        print(f"{bench.failures} failures")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
