"""usage: interval.py PROGRAM: the modelled throughput of designs whose graphs overlap is that of the simulation, whose intervals the RTL has in Verilator to
the cycle (emit_rtl), within 2 %: for balanced steps, and for one step that is by far the slowest, on real sets; within 2.5 % (DD: 4 %) for drawn designs, and for PEs
that make codes faster than the list takes them; and for a processor that is slower than the accelerator. In DD's file neighbours are of alike sizes, so its
graphs are also taken in random orders, by steps computed here. Exit 77 with a message without the sets."""
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
data = os.environ.get("NYSX_DATA_DIR") or os.path.join(os.path.dirname(__file__), "../../../shared/datasets")
SETS = {"MUTAG": (64, 128), "NCI1": (128,), "BZR": (128,)}
CASES = [(name, 4, 1024, (overlap, lanes, 4, 2, "none", "labels"), 0.02) for name, each in SETS.items() for lanes in each for overlap in ("engines", "graphs")]
CASES.append(("NCI1", 4, 1024, ("graphs", 1024, 1, 2, "none", "labels"), 0.02)) # the list takes one of the two codes of a cycle
CASES += [("NCI1", 4, 1024, ("queue", 1024, 4, 2, "ps", "labels"), 0.02), ("NCI1", 4, 1024, ("graphs", 1024, 4, 2, "ps", "labels"), 0.02)] # the processor works ahead
CASES.append(("MUTAG", 4, 1024, ("graphs", 1024, 8, 8, "none", "cores"), 0.02))
draw = random.Random(39)
for name in ("MUTAG", "NCI1", "BZR", "ENZYMES", "DD"):
    for _ in range(3):
        design = draw.choice(["engines", "graphs"]), draw.choice([32, 64, 128, 256, 512, 1024]), draw.choice([1, 2, 4, 8]), draw.choice([2, 4, 8]), "none", "labels"
        CASES.append((name, draw.choice([1, 2, 4]), draw.choice([1024, 2048]), design, 0.04 if name == "DD" else 0.025))
STEPS = {"engines": (("query", "propagate", "lookup", "histogram", "similarity"), ("encode", "classify")),
         "graphs": (("query",), ("propagate", "lookup", "histogram", "similarity"), ("encode", "classify"))}
failures = 0


def interval(graphs, overlap):
    """Mean cycles between answers. A step takes its next graph a turn after its last cycle, and a cycle after it has handed that graph over."""
    steps = STEPS[overlap]
    turns = [4 if step == ("query",) else 1 for step in steps]
    free, ends = [0] * len(steps), []
    for graph in graphs:
        at = 0
        for k, step in enumerate(steps):
            at = max(at, free[k])
            if k > 0:
                free[k - 1] = max(free[k - 1], at + 1)
            at += sum(int(graph[f"stage.{stage}"]) for stage in step)
            free[k] = at + turns[k]
        ends.append(at)
    return (ends[-1] - ends[0]) / (len(ends) - 1)


def shuffled(path, overlap, simulated):
    """The mean over random orders; in the file's order the interval must be the simulated one."""
    with open(path, newline="", encoding="utf-8") as file:
        graphs = list(csv.DictReader(file))
    if abs(interval(graphs, overlap) - simulated) > 1e-5:
        sys.exit(f"{interval(graphs, overlap)} cycles by the steps, {simulated} simulated")
    return sum(interval(random.Random(seed).sample(graphs, len(graphs)), overlap) for seed in range(30)) / 30


def run(*words):
    done = subprocess.run([program, *map(str, words), "-q", "--data-dir", data], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    model, out = os.path.join(folder, "model.npz"), os.path.join(folder, "out")
    for name, hops, dim, (overlap, lanes, codes, pe, balance, features), most in CASES:
        if not os.path.exists(os.path.join(data, f"{name}.zip")):
            print(f"SKIPPED: no {name}.zip in $NYSX_DATA_DIR: throughput was not compared")
            sys.exit(77)
        run("train", "--dataset", name, "--form", "direct", "--codes", "wl", "--prototypes", "ridge", "--center", "yes", "--features", features, "--hops", hops, "--dim", dim, "-o", model)
        knobs = [f"--set={k}" for k in (f"overlap={overlap}", f"lshu.balance={balance}", f"nee.lanes={lanes}", f"nee.codes={codes}", f"lshu.pe={pe}", f"clock_mhz={150 if name == 'DD' else 300}")] # the memories of a large graph are far apart
        asked = ["--flow", "rtl", "--board", "u280", "--dataset", name, "--model", model, *knobs]
        run("emit", *asked, "--cases", 100000, "--overwrite", "--force", "-o", out)
        with open(os.path.join(out, "nysx_design.h"), encoding="utf-8") as header:
            modelled = float(re.search(r"PREDICTED_INTERVAL ([\d.]+)", header.read())[1])
        simulated = json.loads(run("simulate", *asked, "--cycles", f"{out}.csv", "--format", "json"))["total"]["interval_cycles"]
        if name == "DD":
            simulated = shuffled(f"{out}.csv", overlap, simulated)
        good = abs(modelled / simulated - 1) <= most
        failures += not good
        print(f"{'ok' if good else 'FAILED'}: {name}, {hops} hops, {dim} bits, {overlap}, {lanes} lanes, {codes} codes, {pe} PEs, {balance}, {features}: {modelled} cycles apart by the model, {simulated:.2f} simulated")
sys.exit(failures > 0)
