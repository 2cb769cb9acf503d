"""Compares the models with the schedules of emitted designs (`validate --against schedule`): mean error at most 3 %, worst 10 %, of the
whole, every engine and every loop, over random designs for data sets on boards; and every claim of every design must hold. An engine or loop of
less than 60 cycles per graph may be off by 6 cycles, because depths are most of its cycles. With fewer than four designs only the worst error
has a limit. Designs with rows in tests/fidelity.csv (level "schedule") must equal these rows, too; the page docs/evidence/validation.md is made of them. NYSX_UPDATE=1
replaces the rows of each set, board and family that has rows there. usage: schedule.py PROGRAM CSV [--data-dir DIR] SET:BOARD:COUNT[:SEED[:FAMILY]]
…: exit 77 where the checker, clang, a compiler or all data sets are missing. SET made: generated graphs, or for hdreason triples."""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../emit"))
import fidelity
import hls_families

MEAN, WORST = 0.03, 0.10
SMALL = 60  # cycles per graph below which an engine's loop depths dominate: the limit is then absolute
FEW = 6     # cycles
ENOUGH = 4  # designs for a mean


def run(program, data, name, board, count, seed, family):
    command = [program, "validate", "--family", family, "--against", "schedule", "--dataset", name, "--board", board, "--configurations", count,
               "--seed", seed, "--format", "csv", *(["--data-dir", data] if data else [])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 4:
        print("schedule: SKIPPED:", done.stderr.strip())
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def error_of(row):
    """A reference of zero has no relative error: the prediction must be zero."""
    if row["error"]:
        return abs(float(row["error"]))
    return 0.0 if float(row["predicted"] or 0) == float(row["reference"] or 0) else float("inf")


def summary(rows):
    """Per figure of the whole and of the engines, over what takes more than SMALL cycles: mean and worst error in per cent."""
    whats = [what for what in dict.fromkeys(row["what"] for row in rows) if what.endswith("cycles")]
    found = {what: [error_of(row) for row in rows if row["what"] == what and float(row["reference"]) > SMALL] for what in whats}
    return [f"{what} {100 * sum(of) / len(of):.1f} ({100 * max(of):.1f})" for what, of in found.items() if of]


def differences(path, fresh):
    """How the engines' cycles of one set on one board differ from the rows of the file, if it has any of these designs."""
    fresh = [row for row in fresh if row["what"].endswith("cycles")]
    with open(path, newline="") as file:
        kept = list(csv.DictReader(file))
    place = {(row["profile"], row["board"]) for row in fresh}
    mine = [row for row in kept if row["level"] == "schedule" and (row["profile"], row["board"]) in place]
    if mine and os.environ.get("NYSX_UPDATE") == "1":
        fidelity.write(path, list(kept[0]), [row for row in kept if row not in mine] + fresh)
        return []
    cases = {row["case"] for row in fresh}
    held = {fidelity.key(row): row for row in mine if row["case"] in cases}
    return fidelity.compare({fidelity.key(row): row for row in fresh}, held, True) if mine else []


def main(arguments):
    program, path, data = *arguments[:2], os.environ.get("NYSX_DATA_DIR", "")
    words = arguments[2:]
    if words[:1] == ["--data-dir"]:
        data, words = words[1], words[2:]
    rows, left_out, failures = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for word in words:
            name, board, count, seed, family = (word.split(":") + ["1", "nysx"][word.count(":") - 2:])[:5]
            if name == "made" and family == "hdreason":
                name = hls_families.triples(random.Random(int(seed)), f"{folder}/made{seed}")
            elif name == "made":
                name = f"{folder}/made"
                subprocess.run([program, "datasets", "generate", name, "--graphs", "80", "--seed", seed], check=True, capture_output=True)
            elif not data or not os.path.exists(os.path.join(data, f"{name}.zip")) and not os.path.exists(os.path.join(data, name)):
                print(f"schedule: {name} is not there: left out")
                left_out += 1
                continue
            found = run(program, data, name, board, count, seed, family)
            print(f"{word}: mean (worst) error in per cent, over {SMALL} cycles: " + ", ".join(summary(found)), flush=True)
            problems = differences(path, found)
            failures += len(problems)
            print(*problems, sep="\n", end="\n" if problems else "")
            rows += [{**row, "what": row["what"] if row["what"] == "claims" or family == "nysx" else f"{family} {row['what']}"} for row in found]
    if left_out == len(words):
        sys.exit(77)
    for row in rows:
        if row["what"] == "claims" and row["reference"] != "1":
            print(f"{row['case']} on {row['board']}: a claim does not hold: {row['note']}")
            failures += 1
    for what in dict.fromkeys(row["what"] for row in rows if row["what"] != "claims"):
        of = [(error_of(row), abs(float(row["predicted"]) - float(row["reference"])), row) for row in rows if row["what"] == what]
        large = [entry[0] for entry in of if float(entry[2]["reference"]) > SMALL]
        mean, worst = sum(large) / max(len(large), 1), max(of, key=lambda entry: entry[0])
        far = [row for error, off, row in of if error > WORST and (float(row["reference"]) > SMALL or off > FEW)]
        print(f"{what:12} {len(of):3} designs: mean {mean:.2%}, worst {worst[0]:.1%} ({worst[2]['case']} on {worst[2]['board']})")
        if (len(large) >= ENOUGH and mean > MEAN) or far:
            failures += 1
            print("   above the aim")
    sys.exit(failures > 0)


main(sys.argv[1:])
