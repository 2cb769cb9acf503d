"""usage: answers.py PROGRAM FAMILY:DATASET[:COUNT]…: the designs that the default question names, held to their own programs by
`validate --against answers`: cycles within 3 % on average over a data set and 10 % each, quality within 3.5 standard errors each and
without a bias of more than one on average over a family; with COUNT, the cycles of so many drawn designs too. Data sets are looked for in $NYSX_DATA_DIR, else ../shared/datasets."""
import concurrent.futures
import json
import os
import subprocess
import sys

CYCLES_MEAN, CYCLES_WORST, QUALITY_WORST, QUALITY_BIAS = 0.03, 0.10, 3.5, 1.0
SKIPPED = 77


def rows_of(program, family, dataset, data, *against):
    words = [program, "validate", "--family", family, "--dataset", dataset, "--data-dir", data, "--against", *against, "--format", "json", "-q"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{family} {dataset}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["rows"]


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


def main(arguments):
    program, data = arguments[0], os.environ.get("NYSX_DATA_DIR", "../shared/datasets")
    held, deviations = 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = {word: pool.submit(rows_of, program, *word.split(":")[:2], data, "answers") for word in arguments[1:]}
        drawn = {word: pool.submit(rows_of, program, *word.split(":")[:2], data, "simulation", "--configurations", word.split(":")[2], "--seed", "11")
                 for word in arguments[1:] if word.count(":") == 2}
    for word in arguments[1:]:
        family = word.split(":")[0]
        rows = found[word].result()
        absent = [row for row in rows if row.get("note", "").startswith("not simulated")]
        if absent:
            print(f"SKIPPED: {word}: {absent[0]['note']} (NYSX_DATA_DIR)", file=sys.stderr)
            continue
        check_cycles(rows, word)
        if word in drawn:
            check_cycles(drawn[word].result(), word)
        for row in rows:
            if row["what"] == "quality":
                check(abs(row["standard_errors"]) <= QUALITY_WORST and row["low"] <= row["reference"] <= row["high"], row)
                deviations.setdefault(family, []).append(row["standard_errors"])
        held += 1
    for family, numbers in deviations.items():
        check(abs(mean(numbers)) <= QUALITY_BIAS, family, "qualities are biased:", numbers)
    sys.exit(0 if held else SKIPPED)


main(sys.argv[1:])
