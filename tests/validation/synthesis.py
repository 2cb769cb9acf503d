#!/usr/bin/env python3
"""Holds tests/open-synthesis.csv to fresh runs of `validate --against open-synthesis`: engines of drawn designs by Yosys beside the estimate.

    synthesis.py PROGRAM CSV SET:BOARD:COUNT:SEED …            compares: the estimate's rows; what Yosys counted where it is the same version
    synthesis.py PROGRAM CSV --update SET:BOARD:COUNT:SEED …   replaces the rows of these, for review
    synthesis.py PROGRAM CSV --stored                          no tool: the stored rows alone, held to the limits

Rows are held to the limits that docs/rtl.md states. Exit 77, loudly, where Yosys, make or awk or all data sets are missing."""
import csv
import io
import os
import subprocess
import sys

MEAN = {"lut": 0.10, "ff": 0.15}  # over all rows
WORST = 0.25
BLOCKS = {"dsp": 1, "bram18": 1}  # off by at most
TOLERANCE = 2e-3


def run(program, word):
    name, board, count, seed = word.split(":")
    path = os.path.join(os.environ.get("NYSX_DATA_DIR", "../shared/datasets"), f"{name}.zip")
    if not os.path.exists(path):
        print(f"synthesis: SKIPPED: {path} is not there; set NYSX_DATA_DIR")
        return []
    done = subprocess.run([program, "validate", "--against", "open-synthesis", "--dataset", path, "--board", board, "--configurations", count,
                           "--seed", seed, "--format", "csv"], capture_output=True, text=True)
    if done.returncode == 4:
        print("synthesis: SKIPPED: nothing was synthesised:", done.stderr.strip())
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{word}: {done.stderr.strip()}")
    return [dict(row, run=word) for row in csv.DictReader(io.StringIO(done.stdout))]


def key(row):
    return row["run"], row["case"], row["what"]


def judge(rows):
    """The number of rows beyond the limits, said one by one, and the means."""
    failures = 0
    for what, limit in MEAN.items():
        errors = [abs(float(r["error"])) for r in rows if r["what"].endswith(what) and not r["what"].endswith("lutram") and r["error"]]
        far = [e for e in errors if e > WORST]
        mean = sum(errors) / len(errors) if errors else 0.0
        print(f"synthesis: {what}: {len(errors)} engines, mean {mean:.1%} (at most {limit:.0%}), worst {max(errors, default=0.0):.1%} (at most {WORST:.0%})")
        failures += len(far) + (mean > limit)
    for what, limit in BLOCKS.items():
        off = [abs(float(r["predicted"]) - float(r["reference"])) for r in rows if r["what"].endswith(what)]
        print(f"synthesis: {what}: {len(off)} engines, off by at most {max(off, default=0.0):.0f} (at most {limit})")
        failures += sum(o > limit for o in off)
    return failures


def differences(fresh, stored):
    count = 0
    for row in fresh:
        old = stored.get(key(row))
        same_tool = old is not None and old["source"] == row["source"]
        for column in ("predicted", "reference"):
            if old is None or (column == "reference" and not same_tool):
                continue
            if abs(float(row[column]) - float(old[column])) > TOLERANCE * max(1.0, abs(float(old[column]))):
                print(f"synthesis: {key(row)}: {column} {row[column]}, stored {old[column]}")
                count += 1
        if old is None:
            print(f"synthesis: {key(row)}: not stored")
            count += 1
    return count


def main(arguments):
    program, path, words = arguments[0], arguments[1], [w for w in arguments[2:] if not w.startswith("--")]
    stored = list(csv.DictReader(open(path, newline=""))) if os.path.exists(path) else []
    if "--stored" in arguments:
        sys.exit(judge(stored) > 0 or not stored)
    fresh = [row for word in words for row in run(program, word)]
    if not fresh:
        sys.exit(77)
    if "--update" in arguments:
        kept = [row for row in stored if row["run"] not in words] + fresh
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, ["run"] + [c for c in fresh[0] if c != "run"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(kept)
    sys.exit(judge(fresh) + (0 if "--update" in arguments else differences(fresh, {key(r): r for r in stored})) > 0)


main(sys.argv[1:])
