"""usage: stream.py PROGRAM A front of ten thousands of designs as JSON and CSV: complete, equal for every output option, in at most 250
MB. After Ctrl-C during writing it ends with a complete entry within 0.2 s of processor time."""
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
QUESTION = [program, "sweep", "--dataset", "MUTAG", "--board", "zcu104", "-q", "--fix", "nee.form=factored", "--jobs", "2",
            "--objectives", "latency,energy,bram18,dsp,lut,error", "--quality-drop", "none"]
MEGABYTES, ANSWER_S = 250, 0.2
failures = 0


def check(good, words):
    global failures
    failures += not good
    print(("ok: " if good else "FAILED: ") + words)


def run(path, *more, interrupt=False):
    """Exit status, peak memory in MB, processor time after the interrupt."""
    with open(path, "w") as out, open(path + ".err", "w") as err:
        process = subprocess.Popen([*QUESTION, *more], stdout=out, stderr=err)
    before = 0.0
    if interrupt:
        while os.path.getsize(path) == 0 and process.poll() is None:
            time.sleep(0.005)
        with open(f"/proc/{process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        before = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        process.send_signal(signal.SIGINT)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime - before


os.chdir(tempfile.mkdtemp())
status, most, _ = run("whole.csv", "--format", "csv")
packed, most_packed, _ = run("compact.json", "--format", "json", "--compact") # a large parent would count as its child's memory
with open("whole.csv", newline="") as file:
    rows = list(csv.DictReader(file))
check(status == 0 and len(rows) > 20000, f"{len(rows)} designs as CSV")
check(most <= MEGABYTES, f"at most {MEGABYTES} MB for CSV" if most <= MEGABYTES else f"{most:.0f} MB for CSV")
asked = json.loads(rows[0]["provenance"])
check({"program", "version", "command", "seed", "limits", "floor", "headroom", "board_hash", "data_hash"} <= set(asked)
      and not any(row["provenance"] for row in rows[1:]), "its provenance stands in it once")
check(sorted(int(row["rank"]) for row in rows) == list(range(1, len(rows) + 1)), "each rank once")
marked = {name: row for row in rows for name in row["corners"].split()}
check(sorted(marked) == ["balanced", "fastest", "least_energy", "most_accurate", "smallest"] and marked["balanced"]["rank"] == "1",
      "corners are marked, and the first is the balanced one")

with open("compact.json") as file:
    answer = json.load(file)
check(packed == 0 and most_packed <= MEGABYTES, "compact JSON" if most_packed <= MEGABYTES else f"{most_packed:.0f} MB for JSON")
same = answer["front_count"] == len(rows) == len(answer["front"]) and all(
    float(row["latency_s"]) == entry["total"]["latency_s"] and int(row["rank"]) == entry["rank"]
    and row["corners"].split() == entry["corners"] and float(row["quality_std"]) == entry["total"]["quality"]["std"]
    and (row["kse.pe"] == "") == ("kse.pe" not in entry["config"]) for row, entry in zip(rows, answer["front"]))
check(same, "the same designs in both")
check(answer["provenance"] == asked, "the same provenance in both")

for form in ("json", "csv"):
    status, _, used = run("cut", "--format", form, interrupt=True)
    with open("cut") as file:
        text = file.read()
    if form == "json":
        cut = json.loads(text)
        count, total = len(cut["front"]), cut["front_count"]
        again = cut["results"][0]["front"]
        check(again and again == cut["front"][:len(again)], "results have the first of the same entries")
    else:
        count, total = len(list(csv.DictReader(text.splitlines()))), len(rows)
    check(status == 130 and 0 < count < total and text.endswith("\n"), f"{form} that is interrupted has whole entries, and exit status 130")
    check(f"interrupted: {count} of {total} designs were written" in open("cut.err").read(), f"{form}: says how many")
    check(used <= ANSWER_S, f"{form}: within {ANSWER_S} s" if used <= ANSWER_S else f"{form}: {used:.2f} s")

process = subprocess.Popen([*QUESTION, "--format", "json", "-o", "never.json"], stderr=subprocess.DEVNULL)
while not [name for name in os.listdir(".") if name.startswith("never")] and process.poll() is None:
    time.sleep(0.005)
process.send_signal(signal.SIGINT)
process.wait()
check(process.returncode == 130 and not [name for name in os.listdir(".") if name.startswith("never")],
      "a file of -o is whole or not there")
sys.exit(failures > 0)
