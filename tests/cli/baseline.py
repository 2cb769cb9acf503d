"""usage: baseline.py PROGRAM: an answer's baseline has the knobs of --fix, or is not shown; a study's page shows the same baseline."""
import json
import os
import random
import re
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
            built = run("estimate", *named, "--preset", "literal" if family == "nysx" else "paper", *(f"--set={fix}" for fix in fixes), "--format", "json")
            check((paper and paper["config"]) == (built and built["config"]), family, fixes, "the baseline is another design", paper)
            if paper is None:
                continue
            page = run("report", "--study", study, "--format", "json")["views"][0]["paper"]
            check(page is None or page["config"] == paper["config"], family, fixes, "the page has another baseline", page)
            shown += 1
# On another board of the publication, the baseline is that board's design, as in `validate`.
words = ["--family", "hdreason", "--dataset", "FB15K-237", "--format", "json"]
u50, u280 = (run("estimate", *words, "--board", board, "--preset", "paper") for board in ("u50", "u280"))
check(run("sweep", *words, "--board", "u280")["corners"]["paper"]["config"] == u280["config"] != u50["config"], "u280: the baseline is another design")
check([u280["config"][knob] for knob in ("train.chunk", "memorise.ips", "cache.uram", "hbm.channels", "axi.bits")] == [64, 32, 256, 16, 512], "u280: not section 5.5", u280["config"])
rows = run("validate", "--family", "hdreason", "--against", "published", "--format", "json")["rows"]
ratio = next(row["predicted"] for row in rows if (row["case"], row["what"]) == ("U280 FB15K-237", "u50_over_u280"))
check(abs(u50["total"]["latency_s"] / u280["total"]["latency_s"] / ratio - 1) < 1e-9, "u280: validate has another design", ratio)
# Published cycles of designs whose work is independent of the data are the baseline for any data set; the sum of published times is the baseline of the whole.
for family, dataset, fix, latency_s in [("hydraf", "airfoil", "infer", 113 * 7.3e-9), ("hydraf", "ccpp", "infer", 113 * 7.3e-9), ("hydraf", "wine", "infer", 113 * 7.3e-9),
                                        ("hydraf", "wine", "train", 3422 * 7.3e-9), ("gat", "cora", "whole", 12.66e-3), ("gat", "cora", "execute", 2.24e-3)]:
    answer = run("sweep", "--family", family, "--dataset", dataset, "--fix", f"task={fix}", "--format", "json")
    published, corners = answer["baseline"]["published"]["latency_s"], answer["corners"]
    check(published is not None and abs(published / latency_s - 1) < 2e-3, family, dataset, fix, "the published latency is", published)
    check(abs(corners["balanced"]["ratio"]["latency"] * corners["balanced"]["total"]["latency_s"] / published - 1) < 1e-9, family, dataset, fix, "another speed-up")
# The answer states if the baseline does not fit its board: the speed-up is then over a design that cannot be built there.
for words in (["--family", "hydraf", "--dataset", "airfoil", "--fix", "precision=fp32"], ["--dataset", "MUTAG", "--board", "arty-a7-100"], ["--dataset", "DD"],
              ["--family", "smgpu", "--dataset", "smgpu_bzr"], ["--dataset", "MUTAG"]):
    fits = run("sweep", *words, "--format", "json")["corners"]["paper"]["fits"]
    said = subprocess.run([program, "sweep", *words, "-q"], capture_output=True, text=True, check=True).stdout
    check((re.search("; (does not fit|too large)", " ".join(said.split())) is None) == fits, words, "fits:", fits, said)
check(shown > 15, "a baseline was shown", shown, "times only")
print(f"{shown} baselines with what was fixed")
