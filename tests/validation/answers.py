"""usage: answers.py PROGRAM FAMILY:DATASET[:COUNT]…: the designs named by the default search, compared with their simulations by `validate
--against answers`, one command for the data sets of a family. Cycles must be within 3 % on average over a data set and 10 % each; quality within 3.5
standard errors each, with a bias of at most one on average over a family. With COUNT, also the cycles of that many random designs. Data sets are
looked for in $NYSX_DATA_DIR, else ../shared/datasets."""
import concurrent.futures
import json
import os
import subprocess
import sys

CYCLES_MEAN, CYCLES_WORST, QUALITY_WORST, QUALITY_BIAS = 0.03, 0.10, 3.5, 1.0
SKIPPED = 77


def rows_of(program, family, datasets, data, *against):
    named = [word for dataset in datasets for word in ("--dataset", dataset)]
    words = [program, "validate", "--family", family, *named, "--data-dir", data, "--against", *against, "--format", "json", "-q"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{family} {' '.join(datasets)}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["rows"]


def by_dataset(rows):
    found = {}
    for row in rows: # the case is the data set and the corner
        found.setdefault(row["case"].rsplit(" ", 1)[0], []).append(row)
    return found


def check(holds, *what):
    if not holds:
        sys.exit(" ".join(str(w) for w in what))


def mean(numbers):
    return sum(numbers) / len(numbers)


def check_cycles(rows, word):
    errors = {row["case"]: row["error"] for row in rows if row["what"] == "cycles" and row["error"] is not None}
    check(errors and mean(list(map(abs, errors.values()))) <= CYCLES_MEAN, word, "cycles are off on average:", errors)
    for case, error in errors.items():
        check(abs(error) <= CYCLES_WORST, case, "cycles are off by", error)


def check_family(family, found):
    held, deviations = 0, []
    for dataset, rows in found.items():
        absent = [row for row in rows if row.get("note", "").startswith("not simulated")]
        if absent:
            print(f"SKIPPED: {family} {dataset}: {absent[0]['note']} (NYSX_DATA_DIR)", file=sys.stderr)
            continue
        check_cycles(rows, f"{family} {dataset}")
        for row in rows:
            if row["what"] == "quality":
                check(abs(row["standard_errors"]) <= QUALITY_WORST and row["low"] <= row["reference"] <= row["high"], row)
                deviations.append(row["standard_errors"])
        held += 1
    check(not deviations or abs(mean(deviations)) <= QUALITY_BIAS, family, "qualities are biased:", deviations)
    return held, held == len(found)


def main(arguments):
    program, data = arguments[0], os.environ.get("NYSX_DATA_DIR", "../shared/datasets")
    asked = [word.split(":") for word in arguments[1:]]
    families = {family: [word[1] for word in asked if word[0] == family] for family, *_ in asked}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = {family: pool.submit(rows_of, program, family, datasets, data, "answers") for family, datasets in families.items()}
        drawn = {":".join(word): pool.submit(rows_of, program, word[0], [word[1]], data, "simulation", "--configurations", word[2], "--seed", "11")
                 for word in asked if len(word) == 3}
    held = {family: check_family(family, by_dataset(rows.result())) for family, rows in found.items()}
    for word, rows in drawn.items():
        if held[word.split(":")[0]][1]: # no data are missing
            check_cycles(rows.result(), word)
    sys.exit(0 if any(count for count, _ in held.values()) else SKIPPED)


main(sys.argv[1:])
