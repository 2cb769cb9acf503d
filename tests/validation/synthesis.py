#!/usr/bin/env python3
"""Compares tests/open-synthesis.csv with `validate --against open-synthesis`: random designs, whole and by engine, as counted by Yosys, and the estimate.

    synthesis.py PROGRAM CSV COUNTS quick SET:BOARD:COUNT:SEED …   modules whose counts are kept are not synthesised, but for one of them
    synthesis.py PROGRAM CSV COUNTS full SET:BOARD:COUNT:SEED …    every module is synthesised anew
    synthesis.py PROGRAM CSV COUNTS update SET:BOARD:COUNT:SEED …  replaces the rows of these, for review; what is missing is synthesised

COUNTS is the table of NYSX_SYNTHESIS (docs/explanation/rtl.md). The estimate's figures must be those of the file, Yosys' too where it is the same
version, and the rows within the limits that docs/explanation/rtl.md states. Without Yosys `quick` holds the kept counts alone, and says so; `full` is
skipped, exit 77, as both are where no data set is there."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MEAN = {"lut": 0.10, "ff": 0.15}  # over all engines
WORST = 0.25
WHOLE = {"lut": (0.05, 0.15), "ff": (0.10, 0.25)}  # errors of designs: mean and worst
SMALL = 64  # LUTs and FFs: fewer are not held to a share
BLOCKS = {"dsp": 1, "bram18": 1}  # largest deviation
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
    return row["run"], row["case"], row["bottleneck"], row["what"]


def judge(rows):
    """Prints each missed limit; returns their number."""
    failures = 0
    whole, rows = [r for r in rows if r["bottleneck"] == "whole"], [r for r in rows if r["bottleneck"] != "whole"]
    for what, limit in MEAN.items():
        held = [r for r in rows if r["what"] == what and float(r["reference"]) >= SMALL]
        # A table in LUTs whose columns are alike, as mostly zeros are, takes less than any rule says: the estimate is held as a bound there.
        errors = [max(-float(r["error"]), 0.0) if r["bottleneck"] == "sce" and "place.prototypes=lutram" in r["note"] else abs(float(r["error"]))
                  for r in held]
        mean = sum(errors) / len(errors) if errors else 0.0
        print(f"synthesis: {what}: {len(errors)} engines, mean {mean:.1%} (at most {limit:.0%}), worst {max(errors, default=0.0):.1%} (at most {WORST:.0%})")
        failures += sum(e > WORST for e in errors) + (mean > limit)
    for what, (limit, most) in WHOLE.items():
        errors = [abs(float(r["error"])) for r in whole if r["what"] == what]
        mean = sum(errors) / max(len(errors), 1)
        print(f"synthesis: {what}: {len(errors)} whole designs, mean {mean:.1%} (at most {limit:.0%}), worst {max(errors, default=0.0):.1%} (at most {most:.0%})")
        failures += (mean > limit) + (max(errors, default=0.0) > most)
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
                continue  # another version gives other counts
            if abs(float(row[column]) - float(old[column])) > TOLERANCE * max(1.0, abs(float(old[column]))):
                print(f"synthesis: {key(row)}: {column} {row[column]}, stored {old[column]}")
                count += 1
    return count


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def kept_but_one(counts, to):
    """The stored counts without the smallest module's, so that it is synthesised; all of them without Yosys."""
    rows = rows_of(counts)
    dropped = min(rows, key=lambda row: float(row["lut"])) if shutil.which("yosys") else None
    print(f"synthesis: {dropped['module']} of {dropped['lut']} LUTs is synthesised, {len(rows) - 1} modules have kept counts" if dropped else
          "synthesis: NOTHING IS SYNTHESISED: yosys is not installed; kept counts alone")
    with open(to, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in rows if row is not dropped)


def stale(counts, table):
    """Whether other modules than the one left out were synthesised: their sources changed after the stored counts, and every run would repeat that."""
    known, new = {row["key"] for row in rows_of(counts)}, [row for row in rows_of(table) if row["source"] == rows_of(counts)[0]["source"]]
    changed, unused = [row["module"] for row in new if row["key"] not in known], len(known) - len(new)
    if shutil.which("yosys") is None or not changed and unused <= 0:
        return False
    print(f"synthesis: {counts}: {', '.join(changed) or 'no module'} changed, {max(unused, 0)} rows are unused: delete all rows but the heading and run `update`")
    return True


def queue(program, folder):
    """Whether the resources that a queue adds to the estimate of the shell differ by more than 10 % from Yosys' counts: those of nysx_queue and of
    the registers with and without it."""
    data = os.environ.get("NYSX_DATA_DIR", "../shared/datasets")
    if shutil.which("yosys") is None or not os.path.exists(os.path.join(data, "MUTAG.zip")):
        return False
    knobs = "nee.form=direct codes=wl dim=1024 hops=4 width=1 prototypes=ridge retrain=0 balance=no lshu.balance=none nee.lanes=64 overlap="

    def says(verb, overlap, *more):
        words = [program, verb, "--flow", "rtl", "--dataset", "MUTAG", "--data-dir", data, "--board", "zcu104", "--preset", "literal", *(f"--set={k}" for k in (knobs + overlap).split())]
        return subprocess.run([*words, *more], capture_output=True, text=True, check=True).stdout

    def counted(top, *parameters):
        sources = " ".join(f"{name}.sv" for name in (top, "nysx_fifo", "nysx_ram", "nysx_handshake"))
        subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv -defer -D SYNTHESIS=1 {sources}; hierarchy -top {top} {' '.join(parameters)}; synth_xilinx "
                        "-family xcup -nowidelut -noiopad -noclkbuf -flatten; tee -q -o counts stat -tech xilinx"], cwd=folder, check=True, capture_output=True)
        with open(os.path.join(folder, "counts"), encoding="utf-8") as file:
            cells = {name: int(number) for name, number in re.findall(r"^ +(\w+) +(\d+)$", file.read(), re.M)}
        luts = sum(number for name, number in cells.items() if name.startswith("LUT")) + 8 * cells.get("RAM32M16", 0)
        return {"lut": luts, "ff": sum(number for name, number in cells.items() if name.startswith("FD"))}

    says("emit", "queue", "--cases", "1", "--force", "-q", "-o", folder)
    shell, more = (next(e for e in json.loads(says("estimate", overlap, "--format", "json"))["engines"] if e["name"] == "shell") for overlap in ("none", "queue"))
    ring, without, beside = counted("nysx_queue"), counted("nysx_axi_lite", "-chparam QUEUED 0"), counted("nysx_axi_lite", "-chparam QUEUED 1")
    off = False
    for what in "lut", "ff":
        counts, estimated = ring[what] + beside[what] - without[what], more[what] - shell[what]
        print(f"synthesis: {what}: a queue adds {counts}, and {estimated} by the estimate")
        off |= abs(estimated / counts - 1) > 0.10
    return off


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
        off = fresh and how == "quick" and stale(counts, table)
        off |= queue(program, os.path.join(folder, "queue"))
    if not fresh:
        sys.exit(77)
    if how == "update":
        update(path, stored, fresh, words)
        sys.exit(judge(fresh) > 0)
    sys.exit(judge(stored if how == "quick" else fresh) + differences(fresh, {key(r): r for r in stored}) + off > 0)


main(*sys.argv[1:])
