#!/usr/bin/env python3
"""Compares models, simulation and RTL of drawn designs in Verilator (`validate --against rtl`). The command's exit code is 1 if a bit differs from
the executor's, or the cycles of a graph's stage from the simulation's. The estimate's cycles for the same graphs must be within 2 %, with a mean
error of at most 1 %; within 5 % if the look-ups are the bottleneck.

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
