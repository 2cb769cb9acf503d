"""usage: default.py PROGRAM: one default design. What `sweep` calls balanced is what `estimate`, `whatif`, `roofline` and `emit` take without
another word where the data set has a survey, and the published design where it has none; each of them says which. --preset paper is the
published one in all of them."""
import json
import os
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
BALANCED, PUBLISHED = "balanced, the answer of `sweep`", "as published"


def run(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return done


def answer(*words):
    return json.loads(run(*words, "--format", "json", "-q").stdout)


def check(holds, *what):
    if not holds:
        sys.exit(" ".join(str(w) for w in what))


def check_origin(named, origin, config, *more):
    estimate, change = answer("estimate", *named, *more), answer("whatif", *named, *more)
    check(estimate["origin"].startswith(origin) and estimate["config"] == config, named, more, "estimate:", estimate["origin"], estimate["config"], config)
    check(change["baseline"]["origin"].startswith(origin) and change["baseline"]["config"] == config, named, more, "whatif:", change["baseline"]["origin"])
    check(f"design: {origin}" in run("estimate", *named, *more).stdout and f"baseline: {origin}" in run("whatif", *named, *more).stdout, named, more,
          "the table does not say the origin")
    drawn = answer("roofline", *named, *more)["results"]
    check(len(drawn) == 1 and f", {origin}" in drawn[0]["title"], named, more, "roofline:", [result["title"] for result in drawn])
    check(drawn[0]["points"][-1]["seconds"] == estimate["total"]["latency_s"], named, more, "roofline has another design")
    with tempfile.TemporaryDirectory() as folder:
        said = run("emit", *named, *more, "-o", folder, "--overwrite", "--force").stderr
        check(f"note: {origin}" in said or f"note: design: {origin}" in said, named, more, "emit:", said)
        header = [open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder) if name.endswith("_config.h")]
        lacks = [f"{name}={value}" for name, value in config.items() if not isinstance(value, float) and f" {name}={value}\n" not in header[0]]
        check(len(header) == 1 and not lacks, named, more, "the emitted header lacks", lacks)


for family, dataset in [("nysx", "MUTAG"), ("gat", "cora"), ("hydraf", "airfoil"), ("smgpu", "smgpu_mutag"), ("hdreason", "FB15K-237")]:
    named = ["--family", family, "--dataset", dataset]
    corners = answer("sweep", *named)["corners"]
    surveyed = "quality" in corners["balanced"]["total"] and corners["balanced"]["total"]["quality"] is not None
    published = answer("estimate", *named, "--preset", "paper")
    check(published["origin"] == PUBLISHED, named, published["origin"])
    check_origin(named, BALANCED if surveyed else PUBLISHED, corners["balanced"]["config"] if surveyed else published["config"])
check_origin(["--dataset", "MUTAG"], PUBLISHED, answer("estimate", "--dataset", "MUTAG", "--preset", "paper")["config"], "--preset", "paper")
changed = answer("whatif", "--dataset", "MUTAG", "--preset", "paper", "--set", "kse.pe=8")["changed"]
check(changed["config"] == answer("estimate", "--dataset", "MUTAG", "--set", "kse.pe=8")["config"], "--set is not over the published design")
print("one default in all commands")
