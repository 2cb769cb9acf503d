#!/usr/bin/env python3
"""Holds the models of the RTL to the RTL itself in Verilator (`validate --against rtl`): every bit of drawn designs is the executor's
(the command ends with 1 where one is not, or a stage of a graph takes other cycles than the simulation says), and the whole's cycles are those
of the estimate for the same graphs within 2 % (aimed at: 1 %, which their mean must be), 5 % where the lookups are the bottleneck.

usage: rtl.py PROGRAM rtl|rtl-simulation SET:BOARD:COUNT:SEED …: exit code 77 with a message if Verilator, make or all data sets are missing. Set
made: generated graphs."""
import csv
import io
import os
import subprocess
import sys
import tempfile

WHOLE = {"mphe": 0.05}  # by the bottleneck; others:
OTHERS = 0.02
MEAN = 0.01


def run(program, level, name, board, count, seed):
    command = [program, "validate", "--against", level, "--dataset", name, "--board", board, "--configurations", count, "--seed", seed,
               "--format", "csv"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 4:
        print("rtl: SKIPPED: nothing was simulated:", done.stderr.strip())
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def main(arguments):
    program, level, data = arguments[0], arguments[1], os.environ.get("NYSX_DATA_DIR", "../shared/datasets")
    failures = designs = 0
    errors = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for word in arguments[2:]:
            name, board, count, seed = word.split(":")
            path = os.path.join(data, f"{name}.zip")
            if name == "made":
                path = f"{folder}/made"
                subprocess.run([program, "datasets", "generate", path, "--graphs", "60", "--seed", seed], check=True, capture_output=True)
            elif not os.path.exists(path):
                print(f"rtl: SKIPPED: {path} is not there; set NYSX_DATA_DIR")
                continue
            for row in run(program, level, path, board, count, seed):
                if row["what"] != "cycles":
                    continue
                designs += 1
                errors += abs(float(row["error"]))
                far = abs(float(row["error"])) > WHOLE.get(row["bottleneck"], OTHERS)
                failures += far
                print(f"{row['case']} on {board}, {row['bottleneck']}: {row['predicted']} of {row['reference']} cycles, "
                      f"{float(row['error']):+.2%}; {row['note']}{': TOO FAR' if far else ''}")
    if designs == 0:
        sys.exit(77)
    print(f"rtl: {designs} designs, mean {errors / designs:.2%} (at most {MEAN:.0%})")
    sys.exit(failures > 0 or errors / designs > MEAN)


main(sys.argv[1:])
