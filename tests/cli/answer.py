"""usage: answer.py PROGRAM: the plain answer of every shipped NysX profile. It fits 25 lines of 80 characters; its balanced design is
within one standard error of the best measured, above the majority, and at least 30 times faster than the paper's by the same
models; no corner is one that a constant answer equals; what is printed, given back as a limit, admits its own design; a design that
is called by name is the one that was shown."""
import json
import os
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])


def run(*words):
    names = {key: value for key, value in os.environ.items() if key != "NYSX_DSE_SHARE"}
    done = subprocess.run([program, *words, "-q"], env={**names, "COLUMNS": "80"}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def check(holds, *what):
    if not holds:
        sys.exit(" ".join(str(w) for w in what))


for dataset in ["MUTAG", "ENZYMES", "NCI1", "BZR", "DD"]:
    lines = run("sweep", "--dataset", dataset).splitlines()
    check(len(lines) <= 25 and max(map(len, lines)) <= 80, dataset, "does not fit:", len(lines), max(map(len, lines)))
    answer = json.loads(run("sweep", "--dataset", dataset, "--format", "json"))
    corners, front = answer["corners"], answer["front"]
    profile = json.loads(run("datasets", "show", dataset, "--format", "json"))
    qualities = [design["total"]["quality"] for design in front]
    best = max(qualities, key=lambda quality: quality["mean"])
    chosen = corners["balanced"]["total"]["quality"]
    check(chosen["mean"] >= best["mean"] - best["std"] / best["n"] ** 0.5, dataset, "balanced is not as accurate as the best", chosen, best)
    times = corners["paper"]["total"]["latency_s"] / corners["balanced"]["total"]["latency_s"]
    check(times >= 30, dataset, "balanced is only", times, "times faster")
    for name, design in corners.items():
        quality = design["total"]["quality"]
        check(name == "paper" or quality["mean"] > quality["majority"], dataset, name, "is no better than a constant answer")
        check({"mean", "std", "n", "majority", "preset", "floor"} <= quality.keys(), dataset, name, sorted(quality))
    check(answer["best"][0]["config"] == corners["balanced"]["config"], dataset, "the best is not balanced")
    check(answer["provenance"]["data_hash"] == profile["hash"], dataset, "another hash")
    # What is printed comes back.
    total = corners["balanced"]["total"]
    limits = " && ".join(f"{name}<={total[key]!r}{unit}" for name, key, unit in
                         [("latency", "latency_s", "s"), ("energy", "energy_j", "J"), ("lut", "lut", "")])
    limits += f" && accuracy>={chosen['mean']!r}"
    again = json.loads(run("sweep", "--dataset", dataset, "--where", limits, "--format", "json"))
    check(any(design["config"] == corners["balanced"]["config"] for design in again["front"]), dataset, "is not in its own limits:", limits)

with tempfile.TemporaryDirectory() as folder:
    study = os.path.join(folder, "s.db")
    corners = json.loads(run("sweep", "--dataset", "MUTAG", "--study", study, "--format", "json"))["corners"]
    for word, name in [("best", "balanced"), ("#1", "balanced"), ("fastest", "fastest"), ("least-energy", "least_energy"),
                       ("smallest", "smallest"), ("most_accurate", "most_accurate")]:
        design = json.loads(run("estimate", "--from", f"{study}:{word}", "--format", "json"))
        check(design["config"] == corners[name]["config"] and design["total"]["latency_s"] == corners[name]["total"]["latency_s"],
              word, "is another design than", name)
# The same data by path are answered as by name, whatever else stands in which order.
data = os.environ.get("NYSX_DATA_DIR") or os.path.join(os.path.dirname(__file__), "../../../shared/datasets")
archive = os.path.join(data, "MUTAG.zip")
if not os.path.exists(archive):
    print("SKIPPED: no MUTAG.zip in $NYSX_DATA_DIR: the answer by path was not compared")
else:
    named = json.loads(run("sweep", "--dataset", "MUTAG", "--board", "zcu104", "--jobs", "1", "--format", "json"))
    pathed = json.loads(run("sweep", "--format", "json", "--board", "zcu104", "--jobs", "2", "--dataset", archive))
    for answer in (named, pathed):
        del answer["seconds"], answer["provenance"]["command"]
    check(named == pathed, "by path it is another answer")
print("five answers hold")
