#!/usr/bin/env python3
"""Holds tests/open-synthesis.csv to `validate --against open-synthesis`: engines of drawn designs as Yosys counts them, beside the estimate.

    synthesis.py PROGRAM CSV COUNTS quick SET:BOARD:COUNT:SEED …   modules whose counts are kept are not synthesised, but for one of them
    synthesis.py PROGRAM CSV COUNTS full SET:BOARD:COUNT:SEED …    every module is synthesised anew
    synthesis.py PROGRAM CSV COUNTS update SET:BOARD:COUNT:SEED …  replaces the rows of these, for review; what is missing is synthesised

COUNTS is the table of NYSX_SYNTHESIS (docs/explanation/rtl.md). The estimate's figures must be those of the file, Yosys' too where it is the same
version, and the rows within the limits that docs/explanation/rtl.md states. Without Yosys `quick` holds the kept counts alone, and says so; `full` is
skipped, exit 77, as both are where no data set is there."""
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile

MEAN = {"lut": 0.10, "ff": 0.15}  # over all rows
WORST = 0.25
SMALL = 64  # LUTs and FFs: fewer are not held to a share
BLOCKS = {"dsp": 1, "bram18": 1}  # off by at most
TOLERANCE = 2e-3


def run(program, word, counts):
    name, board, count, seed = word.split(":")
    path = os.path.join(os.environ.get("NYSX_DATA_DIR", "../shared/datasets"), f"{name}.zip")
    if not os.path.exists(path):
        print(f"synthesis: SKIPPED: {path} is not there; set NYSX_DATA_DIR")
        return []
    done = subprocess.run([program, "validate", "--against", "open-synthesis", "--dataset", path, "--board", board, "--configurations", count,
                           "--seed", seed, "--format", "csv"], capture_output=True, text=True, env=dict(os.environ, NYSX_SYNTHESIS=counts))
    if done.returncode == 4:
        print(f"synthesis: SKIPPED: {word}: a module has no kept counts (update them where Yosys is), and {done.stderr.strip()}")
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{word}: {done.stderr.strip()}")
    return [dict(row, run=word) for row in csv.DictReader(io.StringIO(done.stdout))]


def key(row):
    return row["run"], row["case"], row["what"]


def judge(rows):
    """The number of limits that are not kept, each said."""
    failures = 0
    for what, limit in MEAN.items():
        held = [r for r in rows if r["what"] == what and float(r["reference"]) >= SMALL]
        # A table in LUTs whose columns are alike, as mostly zeros are, takes less than any rule says: the estimate is held as a bound there.
        errors = [max(-float(r["error"]), 0.0) if r["bottleneck"] == "sce" and "place.prototypes=lutram" in r["note"] else abs(float(r["error"]))
                  for r in held]
        mean = sum(errors) / len(errors) if errors else 0.0
        print(f"synthesis: {what}: {len(errors)} engines, mean {mean:.1%} (at most {limit:.0%}), worst {max(errors, default=0.0):.1%} (at most {WORST:.0%})")
        failures += sum(e > WORST for e in errors) + (mean > limit)
    for what, limit in BLOCKS.items():
        off = [abs(float(r["predicted"]) - float(r["reference"])) for r in rows if r["what"] == what]
        print(f"synthesis: {what}: {len(off)} engines, {sum(o == 0 for o in off)} exact, off by at most {max(off, default=0.0):.0f} (at most {limit})")
        failures += sum(o > limit for o in off)
    return failures


def differences(fresh, stored):
    count = 0
    for row in fresh:
        old = stored.get(key(row))
        if old is None:
            print(f"synthesis: {key(row)}: not stored")
            count += 1
            continue
        for column in ("predicted", "reference"):
            if column == "reference" and old["source"] != row["source"]:
                continue  # another version counts otherwise
            if abs(float(row[column]) - float(old[column])) > TOLERANCE * max(1.0, abs(float(old[column]))):
                print(f"synthesis: {key(row)}: {column} {row[column]}, stored {old[column]}")
                count += 1
    return count


def kept_but_one(counts, to):
    """The kept counts without the smallest module's, so that it is synthesised; all of them where there is no Yosys."""
    with open(counts, newline="") as file:
        rows = list(csv.DictReader(file))
    dropped = min(rows, key=lambda row: float(row["lut"])) if shutil.which("yosys") else None
    print(f"synthesis: {dropped['module']} of {dropped['lut']} LUTs is synthesised, {len(rows) - 1} modules have kept counts" if dropped else
          "synthesis: NOTHING IS SYNTHESISED: yosys is not installed; kept counts alone")
    with open(to, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in rows if row is not dropped)


def update(path, stored, fresh, words):
    kept = [row for row in stored if row["run"] not in words] + fresh
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, ["run"] + [c for c in fresh[0] if c != "run"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)


def main(program, path, counts, how, *words):
    stored = list(csv.DictReader(open(path, newline=""))) if os.path.exists(path) else []
    if how == "full" and shutil.which("yosys") is None:
        print("synthesis: SKIPPED: yosys is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.abspath(counts) if how == "update" else os.path.join(folder, "counts.csv")
        if how == "quick":
            kept_but_one(counts, table)
        fresh = [row for word in words for row in run(program, word, table)]
    if not fresh:
        sys.exit(77)
    if how == "update":
        update(path, stored, fresh, words)
        sys.exit(judge(fresh) > 0)
    sys.exit(judge(stored if how == "quick" else fresh) + differences(fresh, {key(r): r for r in stored}) > 0)


main(*sys.argv[1:])
