"""Compares estimates of direct designs with the simulation of the held-out graphs. usage: direct_cycles.py PROGRAM DATA_DIR

For each set: some models (training mean in 2 bits up to all, prototypes of 1 and 8 bits; for ENZYMES also tuples), each with four drawn
designs. Prints the number of designs, the mean and the worst error of a graph's cycles."""
import json
import random
import subprocess
import sys
import tempfile

program, data = sys.argv[1:]
draw = random.Random(7)


def run(*words):
    done = subprocess.run([program, *words, "-q"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout.startswith("{") else None


def put(knobs):
    return [word for knob in knobs for word in ("--set", knob)]


def model_of(name, number, file):
    codes = ["codes=wl", "features=labels", "width=1", "hops=2" if name == "DD" else "hops=4"]
    if name == "ENZYMES" and number % 2:
        codes = ["codes=tuple", "features=both", "width=4", "hops=1"]
    trained = codes + ["nee.form=direct", "nee.center=yes", "prototypes=ridge", "dim=1024",
                       "nee.center_bits=" + draw.choice(["2", "4", "8", "exact"]), "sce.prototype_bits=" + draw.choice(["1", "8"])]
    run("train", "--dataset", name, "--data-dir", data, *put(trained), "-o", file)
    return trained


def hardware():
    choices = {"lshu.pe": [1, 2, 4, 8, 16], "lshu.balance": ["none", "pl"], "nee.lanes": [16, 64, 256, 1024], "nee.codes": [1, 2, 4, 8],
               "nee.merge": ["none", 32, 128], "sce.pe": ["one", "all"], "sce.bits": [32, 128, 512], "clock_mhz": [150, 300, 400]}
    return [f"{knob}={draw.choice(values)}" for knob, values in choices.items()]


with tempfile.NamedTemporaryFile(suffix=".npz") as file:
    for name, count in (("MUTAG", 16), ("BZR", 16), ("NCI1", 12), ("DD", 8), ("ENZYMES", 16)):
        errors = []
        for i in range(count):
            if i % 4 == 0:
                trained = model_of(name, i // 4, file.name)
            knobs = hardware()
            simulated = run("simulate", "--dataset", name, "--data-dir", data, "--model", file.name, *put(knobs), "--format", "json")
            estimated = run("estimate", "--dataset", name, *put(trained + knobs), "--format", "json")
            if simulated is not None and estimated is not None:
                errors.append(abs(estimated["total"]["cycles"] / simulated["total"]["cycles_mean"] - 1))
        print(f"{name}: {len(errors)} designs, mean {100 * sum(errors) / len(errors):.1f} %, worst {100 * max(errors):.1f} %")
