"""Holds tests/fidelity.csv to a fresh run of `validate`, level by level.

    fidelity.py PROGRAM CSV [--data-dir DIR] LEVEL …        compares
    fidelity.py PROGRAM CSV [--data-dir DIR] --update LEVEL …  replaces the levels' rows, for review

LEVEL: constants; published (all sets, all draws: a minute); sample:SET (the published rows of one set, from the stored constants,
to be equal to the full run's, whose constants are fitted afresh). Rows of other levels stay as they are. Exit 77 where the data sets are not there: skipped."""
import csv
import io
import os
import subprocess
import sys

TOLERANCE = 2e-3  # stored constants have four digits


def run(program, data, level):
    options = ["--against", level.replace("sample", "published").split(":")[0], "--seed", "1"]
    if ":" in level:
        options += ["--predict", level.split(":")[1]]
    command = [program, "validate", *options, "--format", "csv", "--jobs", "2", "--data-dir", data]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def key(row):
    return row["level"], row["what"], row["case"], row["source"]


def close(a, b):
    if a == "" or b == "":
        return a == b
    a, b = float(a), float(b)
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b), 1e-300)


def compare(fresh, kept, whole):
    """The problems: rows that are missing or whose numbers differ."""
    problems = []
    for k, row in fresh.items():
        old = kept.get(k)
        if old is None:
            problems.append(f"{k}: not in the file")
            continue
        for column in ("predicted", "reference", "as_designed"):
            if not close(row[column], old[column]):
                problems.append(f"{k}: {column} is {row[column]}, and {old[column]} in the file")
    if whole:
        problems += [f"{k}: in the file only" for k in kept if k not in fresh]
    return problems


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, header, lineterminator="\n", restval="")
        out.writeheader()
        out.writerows(rows)


def main(arguments):
    program, path = arguments[:2]
    data = os.environ.get("NYSX_DATA_DIR", os.path.join(os.path.dirname(path), "../../shared/datasets"))
    update, levels, rest = False, [], list(arguments[2:])
    while rest:
        word = rest.pop(0)
        if word == "--data-dir":
            data = rest.pop(0)
        elif word == "--update":
            update = True
        else:
            levels.append(word)
    if any(level != "constants" for level in levels) and not os.path.exists(os.path.join(data, "MUTAG.zip")):
        print(f"SKIPPED: no data sets in {data} (NYSX_DATA_DIR)", file=sys.stderr)
        return 77
    with open(path, newline="") as file:
        kept = list(csv.DictReader(file))
    for row in kept:  # files from before there were levels
        row["level"] = row.get("level") or ("simulation" if row["source"] == "simulation" else "published")
    problems = []
    for level in levels:
        fresh = run(program, data, level)
        name = "published" if ":" in level else level
        if update:
            kept = [row for row in kept if row["level"] != name] + fresh
            write(path, list(fresh[0]), kept)
        else:
            mine = {key(row): row for row in kept if row["level"] == name}
            problems += compare({key(row): row for row in fresh}, mine, ":" not in level)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
