"""`validate --paper NAME`: tables in the order of the family's file, JSON, CSV and text of the same rows, statements without numbers, and
wrong words. usage: paper.py PROGRAM"""
import csv
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree

program = sys.argv[1]
here = os.path.dirname(os.path.realpath(__file__))


def run(*words):
    return subprocess.run([program, "validate", *words], capture_output=True, text=True, check=False)


def need(condition, what):
    if not condition:
        sys.exit(what)


def tables_of(family):
    """The figures of the family's file by case, and the program's rows for them; checks the sums."""
    root = xml.etree.ElementTree.parse(os.path.join(here, "../../models", family, "published.xml")).getroot()
    done = run("--paper", family, "--format", "json")
    need(done.returncode == 0, f"{family}: {done.stderr}")
    answer = json.loads(done.stdout)
    rows = [row for table in answer["tables"] for row in table["rows"]]
    need([table["number"] for table in answer["tables"]] == [table.get("number") for table in root.iter("table")], f"{family}: the order of tables")
    with_value = [row for row in rows if row["published"] is not None]
    own_rows = [row for row in with_value if not row["other"]]
    need(answer["published"] == len(own_rows) and answer["of_others"] == len(with_value) - len(own_rows), f"{family}: published")
    need(answer["not_predicted"] == sum(row["not_predicted"] for row in own_rows) <= len(own_rows) / 5, f"{family}: not predicted")
    for row in rows:
        need((row["predicted"] is None) == row["not_predicted"], f"{family}: {row}")
        need(not row["not_predicted"] or row["note"], f"{family}: nothing says why {row['what']} is not predicted")
        need(row["not_predicted"] or row["by"] in ("models", "fitted constants", "machines", "training"), f"{family}: {row}")
        need(row["not_predicted"] or row["by"] == "training" or not row["what"].startswith(("quality", "accuracy")), f"{family}: {row}")
    for line in answer["summary"]:
        own = [row for row in rows if row["by"] == line["by"] and row["error"] is not None]
        need(line["by"] != "fitted constants" or all(row.get("error_left_out") is not None for row in own), f"{family}: a fitted row has no error without its case")
        errors = [abs(row["error_left_out"] if row.get("error_left_out") is not None else row["error"]) for row in own]
        need(line["n"] == len(errors), f"{family}: n of {line['by']}")
        need(not errors or abs(line["mean_abs_error"] - sum(errors) / len(errors)) < 1e-9, f"{family}: mean of {line['by']}")
        need(not errors or abs(line["max_abs_error"] - max(errors)) < 1e-9, f"{family}: worst of {line['by']}")
    words = {line["by"]: f"{100 * line['mean_abs_error']:.1f} %, {100 * line['max_abs_error']:.1f} %, {line['n']}" if line["n"] else "none" for line in answer["summary"]}
    said = f"| {words['models']} | {words['fitted constants']} | {words['machines']} | {words['training']} | {answer['not_predicted']} of {answer['published']} |"
    with open(os.path.join(here, "../../docs/evidence/validation.md"), encoding="utf-8") as page:
        need(any(line.lower().startswith(f"| {family} ") and line.rstrip().endswith(said) for line in page), f"validation.md has another line than {family}: {said}")
    return root, answer, rows


for family in ("hydraf", "gat", "hdreason", "smgpu"):
    root, answer, rows = tables_of(family)
    figures = [figure for case in root.iter("case") for figure in case.iter("figure")]
    need(len(rows) == len(figures), f"{family}: {len(rows)} rows of {len(figures)} figures")
    lines = list(csv.DictReader(io.StringIO(run("--paper", family, "--format", "csv").stdout)))
    need([line["what"] for line in lines] == [row["what"] for row in rows], f"{family}: CSV")
    text = run("--paper", family).stdout
    places = [text.index(f"{table.get('number')}: {table.get('title')}") for table in root.iter("table")]
    need(places == sorted(places), f"{family}: the order of tables in text")
    for table in answer["tables"]:
        shared = [row["note"] for row in table["rows"] if row["note"] and row["not_predicted"] and row["published"] is not None]
        need(not shared or text.count(f"not predicted: {shared[0]}") == 1, f"{family}: {table['number']} repeats a note")

# Every figure of Tables 6.4 and 6.6, and every cell of Table I, is a row.
for family, number, rows in (("gat", "Table 6.4", 8), ("gat", "Table 6.6", 24 + 7), ("hydraf", "Table I", 71)):
    table = next(table for table in json.loads(run("--paper", family, "--format", "json").stdout)["tables"] if table["number"] == number)
    found = [row for row in table["rows"] if row["published"] is not None]
    need(len(found) == rows, f"{family}: {number} has {len(found)} rows")
    need(sum(row["other"] for row in found) == (24 if number == "Table 6.6" else 0), f"{family}: {number}: figures of other accelerators")

# Table 6.1 and Figure 6.16 follow from the structures of the thesis's RTL, without fits; without `rtl=thesis` at most half of them.
of_thesis = {row["what"]: row for table in json.loads(run("--paper", "gat", "--format", "json").stdout)["tables"] for row in table["rows"]
             if row["case"] == "Cora streamline"}
for what, most in (("bram18", 0.05), ("uram", 0), ("dsp", 0.1), ("lut", 0.1), ("ff", 0.1), ("core_w", 0.15), ("kernel_w", 0.15), ("energy_j", 0.15)):
    need(abs(of_thesis[what]["error"]) <= most, f"gat: {of_thesis[what]}")

for words, message in ((("--paper", "nowhere"), "nowhere"), (("--paper", "gat", "--family", "hydraf"), "--paper names family gat"),
                       (("--paper", "gat", "--against", "simulation"), "only published figures")):
    done = run(*words)
    need(done.returncode == 2 and message in done.stderr, f"{words}: {done.returncode}, {done.stderr}")

# NysX's tables are measured on data: each published figure of an available data set is a row with its value.
data = os.environ.get("NYSX_DATA_DIR") or os.path.join(here, "../../../shared/datasets")
AT_HAND = ("MUTAG", "ENZYMES", "NCI1", "BZR", "DD")
if not all(os.path.exists(os.path.join(data, name + ".zip")) for name in AT_HAND):
    print(f"not all of {', '.join(AT_HAND)} are in {data}: the tables of nysx were not compared")
    sys.exit()
os.environ["NYSX_DATA_DIR"] = data
root, _, rows = tables_of("nysx")
said = {(row["case"], row["what"]): row["published"] for row in rows}
count = 0
for case in root.iter("case"):
    for figure in case.iter("figure"):
        what = ".".join(filter(None, (figure.get("machine"), figure.get("what"))))
        if case.get("dataset") in AT_HAND and figure.get("value") is not None:
            count += 1
            need(said.get((case.get("name"), what)) == float(figure.get("value")), f"nysx: {what} of {case.get('name')}: {said.get((case.get('name'), what))}")
need(count > 60, f"nysx: {count} figures")
