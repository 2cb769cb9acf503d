"""usage: baseline.py PROGRAM: the paper's design beside an answer has the knobs that the question fixes, whatever they are, or is not
shown; a study's page shows the same one."""
import json
import os
import random
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
TASKS = {"hydraf": ["infer", "train"], "gat": ["execute", "whole"], "hdreason": ["train", "infer"]}
draw = random.Random(35)
shown = 0


def run(*words):
    done = subprocess.run([program, *words, "-q"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def check(holds, *what):
    if not holds:
        sys.exit(" ".join(str(w) for w in what))


for family, dataset in [("nysx", "MUTAG"), ("hydraf", "airfoil"), ("gat", "cora"), ("hdreason", "FB15K-237"), ("smgpu", "MUTAG")]:
    named = ["--family", family, "--dataset", dataset]
    knobs = [k for k in run("sweep", *named, "--describe", "--format", "json")["knobs"] if len(k["domain"]) > 1 and k["kind"] != "algorithmic"]
    questions = [[f"task={task}"] for task in TASKS.get(family, [])]
    questions += [[f"{k['name']}={draw.choice(k['domain'])}" for k in draw.sample(knobs, 2)] for _ in range(4)]
    for fixes in questions:
        with tempfile.TemporaryDirectory() as folder:
            study = f"{folder}/s.db"
            words = [*named, "--study", study, "--format", "json", "--where" if draw.random() < 0.3 else "--fix", fixes[0]]
            answer = run("sweep", *words, *(f"--fix={fix}" for fix in fixes[1:]))
            if answer is None:
                continue
            paper = answer["corners"].get("paper")
            built = run("estimate", *named, *(f"--set={fix}" for fix in fixes), "--format", "json")
            check((paper and paper["config"]) == (built and built["config"]), family, fixes, "the baseline is another design", paper)
            if paper is None:
                continue
            page = run("report", "--study", study, "--format", "json")["views"][0]["paper"]
            check(page is None or page["config"] == paper["config"], family, fixes, "the page has another baseline", page)
            shown += 1
check(shown > 15, "a baseline was shown", shown, "times only")
print(f"{shown} baselines with what was fixed")
