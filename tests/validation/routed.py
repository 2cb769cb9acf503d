#!/usr/bin/env python3
"""Compares the model's clocks with those of random designs placed and routed by nextpnr (routed.csv): rank correlation and mean error.

    routed.py PROGRAM CSV                          predicts the designs of the file, as their rows have them, and holds them to the limits
    routed.py PROGRAM CSV rows                     the same; pages must state the figures as they are
    routed.py PROGRAM CSV page                     predicts the designs, without limits; docs/evidence/headline.md must have the last row of each set as it is
    routed.py PROGRAM CSV answers SET …            routes the balanced design of `sweep` for each set, with one seed; large ones engine by engine, and
                                                   an engine that exceeds the device with fewer codes or PEs, which the row's design has
    routed.py PROGRAM CSV update SET:SEED-SEED …   routes designs of these draws that the file lacks, smaller ones first; a row is written as
                                                   soon as its design is routed (`validate --against pnr`, three seeds)
    routed.py PROGRAM CSV again SET:SEED …         routes the designs of these rows again, with the RTL of today

Skipped, exit 77, where no data set is there."""
import csv
import io
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

STORED = ["set", "seed", "mhz", "low", "high", "lut", "ff", "engine", "tools", "design"]
CORRELATION, MEAN = 0.7, 0.15
NOTE = re.compile(r"routed: (\w+), ([\d.]+) to ([\d.]+) MHz, (\d+) LUT, (\d+) FF; predicted: (.*), (\d+) LUT: (.*)")


def run(program, name, seed, kept=None):
    path = os.path.join(os.environ.get("NYSX_DATA_DIR", "../shared/datasets"), f"{name}.zip")
    if not os.path.exists(path):
        print(f"routed: SKIPPED: {path} is not there; set NYSX_DATA_DIR")
        sys.exit(77)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        env = dict(os.environ)
        if kept:
            json.dump(kept, file)
            file.flush()
            env["NYSX_ROUTED"] = file.name
        done = subprocess.run([program, "validate", "--against", "pnr", "--dataset", path, "--board", "zcu104", "--configurations", "1", "--seed", str(seed),
                               "--format", "csv"], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        print(f"routed: {name}:{seed}: {done.stderr.strip()}")
        return None
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    engine, low, high, lut, ff, where, predicted_lut, design = NOTE.match(row["note"]).groups()
    return dict(zip(STORED, (name, seed, row["reference"], low, high, lut, ff, engine, row["source"], design)), predicted=row["predicted"], where=where,
                predicted_lut=predicted_lut)


def routed_of(row):
    """The pnr.json of a stored row."""
    return {"tools": ["", ""], "device": "", "grade": 6, "engine": row["engine"], "median_mhz": float(row["mhz"]), "low_mhz": float(row["low"]),
            "high_mhz": float(row["high"]), "by_part": "engine by engine" in row["tools"], "parts": [{"lut": int(row["lut"]), "ff": int(row["ff"])}], "design": row["design"]}


def ranks(values):
    return [sum(w < v for w in values) + sum(w == v for w in values) / 2 for v in values]


def judge(rows):
    errors = [abs(float(r["predicted"]) / float(r["mhz"]) - 1.0) for r in rows]
    rho = statistics.correlation(ranks([float(r["predicted"]) for r in rows]), ranks([float(r["mhz"]) for r in rows]))
    for r in sorted(rows, key=lambda r: float(r["mhz"])):
        print(f"{r['set']:>8}:{r['seed']:<4} {float(r['mhz']):7.1f} ({float(r['low']):.1f} to {float(r['high']):.1f}) {r['engine']:<6} "
              f"{float(r['predicted']):7.1f} {r['where']}, {r['lut']} LUT")
    print(f"routed: {len(rows)} designs, rank correlation {rho:.2f} (at least {CORRELATION}), mean error {statistics.mean(errors):.1%} (at most {MEAN:.0%}), "
          f"worst {max(errors):.1%}")
    return rho, errors


def stale(rows, rho, errors):
    """Whether a page's figures differ from these."""
    ratios, found = [float(r["mhz"]) / float(r["predicted"]) for r in rows], False
    for page, words in (("rtl", f"| mean error of the clock | {statistics.mean(errors) * 100:.1f} % | {MEAN * 100:.0f} % |\n| worst error of the clock | {max(errors) * 100:.1f} % | – |\n"
                                f"| rank correlation | {rho:.2f} | {CORRELATION} |"),
                        ("headline", f"| all | {len(ratios)} | {statistics.mean(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |")):
        with open(os.path.join(os.path.dirname(__file__), f"../../docs/evidence/{page}.md"), encoding="utf-8") as file:
            if words not in file.read():
                print(f"routed: docs/evidence/{page}.md does not say \"{words.strip()}\"")
                found = True
    return found


def differs(rows):
    """Whether docs/evidence/headline.md has other clocks or ratios."""
    with open(os.path.join(os.path.dirname(__file__), "../../docs/evidence/headline.md"), encoding="utf-8") as file:
        page, found = file.read(), False
    for r in {r["set"]: r for r in rows}.values():
        mhz, predicted = float(r["mhz"]), round(float(r["predicted"]), 1)  # as printed by `judge`, which script/headline reads
        words = f"| {predicted:.0f} MHz | {mhz / predicted:.2f} | {2 * mhz:.0f} to {2.5 * mhz:.0f} MHz | {r['engine']} | {int(r['lut']):,}, {int(r['ff']):,} |"
        if not re.search(rf"^\| {r['set']} .*{re.escape(words)}$", page, re.M):
            print(f"routed: docs/evidence/headline.md does not say \"{r['set']} … {words}\"")
            found = True
        if not re.search(rf"^\| {r['set']} \| design found .*\| {mhz / predicted:.2f}( \([^|]*\))? \|$", page, re.M):
            print(f"routed: docs/evidence/headline.md: the first table does not say {mhz / predicted:.2f} for {r['set']}")
            found = True
    return found


NONE = {"tools": ["", ""], "device": "", "grade": 6, "engine": "lshu", "median_mhz": 1, "low_mhz": 1, "high_mhz": 1, "parts": [{"lut": 0, "ff": 0}]}


def update(program, path, rows, words):
    have = {(r["set"], int(r["seed"])) for r in rows}
    drawn = []
    for word in words:
        name, first, last = re.fullmatch(r"(\w+):(\d+)-(\d+)", word).groups()
        drawn += [run(program, name, seed, NONE) for seed in range(int(first), int(last) + 1) if (name, seed) not in have]
    for row in sorted(filter(None, drawn), key=lambda r: int(r["predicted_lut"])):
        print(f"routed: {row['set']}:{row['seed']}: {row['predicted_lut']} LUT predicted", flush=True)
        row = run(program, row["set"], row["seed"])
        if row:
            append(path, row)


def again(program, path, rows, words):
    for word in words:
        at = next(i for i, r in enumerate(rows) if f"{r['set']}:{r['seed']}" == word)
        row = run(program, rows[at]["set"], rows[at]["seed"], {"design": rows[at]["design"]})
        if row:
            print(f"routed: {word}: {row['mhz']} MHz, {row['engine']} (was {rows[at]['mhz']}, {rows[at]['engine']}); predicted {row['predicted']}, {row['where']}", flush=True)
            rows[at] = row
            os.remove(path)
            for kept in rows:
                append(path, kept)


ECP5_85K = {"LUTs": (1, 83640), "block memories": (4, 208), "multipliers": (5, 156)}  # column of synth.conf, and what LFE5U-85 has (Lattice FPGA-DS-02012, family table)
HALVED = {"lshu": "lshu.pe", "nee": "nee.codes"}


def emit_routable(program, name, config, folder):
    """Emits the design, with the knobs of HALVED halved until no engine exceeds the device by its predicted amounts; returns its knobs."""
    data = os.environ.get("NYSX_DATA_DIR", "../shared/datasets")
    while True:
        words = [f"{knob}={value:g}" if isinstance(value, float) else f"{knob}={value}" for knob, value in config.items()]
        subprocess.run([program, "emit", "--flow", "rtl", "--dataset", name, "--data-dir", data, "--cases", "2", "-q", "-o", folder, *(f"--set={word}" for word in words)], check=True)
        with open(f"{folder}/synth.conf", encoding="utf-8") as file:
            rows = [row.split() for row in re.search(r"^PREDICTED='\n(.*?)'", file.read(), re.M | re.S)[1].splitlines()]
        over = [row[0] for row in rows if any(int(row[column]) > most for column, most in ECP5_85K.values())]
        if not over:
            return words
        config = {**config, HALVED[over[0]]: config[HALVED[over[0]]] // 2}
        shutil.rmtree(folder)


def answers(program, path, names):
    """Rows with the seed 0, and of the knobs those that the RTL has; the last row of a set counts."""
    for name in names:
        asked = [program, "sweep", "--dataset", name, "--format", "json", "-q"]
        config = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)["corners"]["balanced"]["config"]
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, "rtl")
            words = emit_routable(program, name, config, folder)
            subprocess.run(["make", "-s", "-C", folder, "pnr", "SEEDS=1", "MOST=25000"], check=True)
            with open(f"{folder}/pnr/pnr.json", encoding="utf-8") as file:
                found = json.load(file)
        if found["too_large"]:
            sys.exit(f"routed: {name}: {', '.join(found['too_large'])} does not fit")
        tools = f"{'; '.join(found['tools'])}; ECP5-{found['device']} grade {found['grade']}{', engine by engine' if found['by_part'] else ''}"
        row = dict(zip(STORED, (name, 0, found["median_mhz"], found["low_mhz"], found["high_mhz"], sum(p["lut"] for p in found["parts"]), sum(p["ff"] for p in found["parts"]),
                                found["engine"], tools, run(program, name, 0, dict(NONE, design=" ".join(words)))["design"])))
        append(path, row)


def append(path, row):
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, STORED, extrasaction="ignore", lineterminator="\n")
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow(row)


def main():
    program, path = sys.argv[1:3]
    rows = list(csv.DictReader(open(path))) if os.path.exists(path) else []
    if sys.argv[3:4] == ["update"]:
        update(program, path, rows, sys.argv[4:])
        return 0
    if sys.argv[3:4] == ["again"]:
        again(program, path, rows, sys.argv[4:])
        return 0
    if sys.argv[3:4] == ["answers"]:
        answers(program, path, sys.argv[4:])
        return 0
    fresh = []
    for row in rows:
        now = run(program, row["set"], row["seed"], routed_of(row))
        other = set(row["design"].split()) - set(now["design"].split()) if now else set()  # a knob added later has its default
        if now is None or other:
            print(f"routed: {row['set']}:{row['seed']}: predicted without {' '.join(other)}")
            return 1
        fresh.append(now)
    rho, errors = judge(fresh)
    if sys.argv[3:4] == ["page"]:
        return int(differs(fresh))
    return int(statistics.mean(errors) > MEAN or rho < CORRELATION or (sys.argv[3:4] == ["rows"] and stale(fresh, rho, errors)))


if __name__ == "__main__":
    sys.exit(main())
