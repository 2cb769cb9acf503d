"""usage: designs.py PROGRAM ROOT: GNNBuilder's tenfold cross-validation table by one command.

`calibrate --designs` fits the constants of examples/accelerators/gnnbuilder.yaml to the public designs of NYSX_DATA_DIR/../reference/gnnbuilder (or of
../shared), ten times without a tenth of them, for five ways to draw the tenths. Mean errors of the held-out designs are at most the limits
written here; exit code 77 without the data."""
import csv
import os
import subprocess
import sys

program, root = sys.argv[1:3]
data = os.environ.get("NYSX_DATA_DIR") or os.path.join(root, "../shared/datasets")
designs = os.path.join(data, "../reference/gnnbuilder/designs.csv")
MOST = {"latency": 0.045, "dsp": 0.005, "bram18": 0.05, "lut": 0.008, "ff": 0.02}
if not os.path.exists(designs):
    print(f"skipped: no {designs}")
    sys.exit(77)
for seed in range(1, 6):
    run = subprocess.run([program, "calibrate", "--family", os.path.join(root, "examples/accelerators/gnnbuilder.yaml"), "--designs", designs, "--folds", "10", "--seed", str(seed),
                          "--format", "csv", "-q"], capture_output=True, text=True, check=True)
    rows = {row["figure"]: row for row in csv.DictReader(run.stdout.splitlines()) if row["figure"] in MOST}
    print(run.stdout)
    assert set(rows) == set(MOST)
    for metric, most in MOST.items():
        assert int(rows[metric]["designs"]) == 305 and float(rows[metric]["mean_error"]) <= most, (seed, metric, rows[metric])
