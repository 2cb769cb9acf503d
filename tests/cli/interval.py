"""usage: interval.py PROGRAM: the modelled throughput of designs whose graphs overlap is that of the simulation, whose intervals the RTL has in Verilator to
the cycle (emit_rtl), within 2 %: for balanced steps, and for one step that is by far the slowest, on real sets. Exit 77 with a message without them."""
import json
import os
import re
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
data = os.environ.get("NYSX_DATA_DIR") or os.path.join(os.path.dirname(__file__), "../../../shared/datasets")
SETS = {"MUTAG": (64, 128), "NCI1": (128,), "BZR": (128,)}
failures = 0


def run(*words):
    done = subprocess.run([program, *map(str, words), "-q", "--data-dir", data], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    for name, lanes in SETS.items():
        if not os.path.exists(os.path.join(data, f"{name}.zip")):
            print(f"SKIPPED: no {name}.zip in $NYSX_DATA_DIR: throughput was not compared")
            sys.exit(77)
        model = os.path.join(folder, f"{name}.npz")
        run("train", "--dataset", name, "--form", "direct", "--codes", "wl", "--prototypes", "ridge", "--center", "yes", "--features", "labels", "--hops", 4, "--dim", 1024, "-o", model)
        for number in lanes:
            for overlap in ("engines", "graphs"):
                knobs = [f"--set={k}" for k in (f"overlap={overlap}", "lshu.balance=none", f"nee.lanes={number}", "nee.codes=4", "lshu.pe=2")]
                asked = ["--flow", "rtl", "--board", "u280", "--dataset", name, "--model", model, *knobs]
                out = os.path.join(folder, "out")
                run("emit", *asked, "--cases", 100000, "--overwrite", "-o", out)
                with open(os.path.join(out, "nysx_design.h"), encoding="utf-8") as header:
                    modelled = float(re.search(r"PREDICTED_INTERVAL ([\d.]+)", header.read())[1])
                simulated = json.loads(run("simulate", *asked, "--format", "json"))["total"]["interval_cycles"]
                good = abs(modelled / simulated - 1) <= 0.02
                failures += not good
                print(f"{'ok' if good else 'FAILED'}: {name}, {number} lanes, {overlap}: {modelled} cycles apart by the model, {simulated:.2f} simulated")
sys.exit(failures > 0)
