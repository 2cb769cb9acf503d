"""usage: default.py PROGRAM: one default design. `estimate`, `whatif`, `roofline`, `plot` and `emit` use the design that `sweep` calls balanced if the
data set has a survey, otherwise the published design; each names it. --preset (literal for NysX, else paper) is the published one in all of them. --set changes that design in
all of them, and one note says which --set has no effect there. In a search, --set fixes a knob as --fix does. A model runs on the published design of
the board at the model's setting, in `simulate` as in `emit`."""
import json
import os
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
BALANCED, PUBLISHED = "balanced, `sweep`'s choice by quality, latency and energy", "as published"


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


def check_origin(named, origin, config, *more, sets=()):
    begun, baseline, change = config, origin, answer("whatif", *named, *more, *sets)
    if sets:
        config, origin = change["changed"]["config"], f"{origin}, with --set"
        check(config != begun, named, sets, "changes nothing")
    plain, more = more, (*more, *sets)
    estimate = answer("estimate", *named, *more)
    check(estimate["origin"].startswith(origin) and estimate["config"] == config, named, more, "estimate:", estimate["origin"], estimate["config"], config)
    picture = answer("plot", "latency", *named, *more, "--x", f"clock_mhz={config['clock_mhz']}")["results"]
    check(len(picture) == 1 and picture[0]["y"] == estimate["total"]["latency_s"], named, more, "plot:", picture, estimate["total"]["latency_s"])
    check(change["baseline"]["origin"].startswith(baseline) and change["baseline"]["config"] == begun, named, more, "whatif:", change["baseline"]["origin"])
    check(f"design: {origin}" in run("estimate", *named, *more).stdout and f"baseline: {baseline}" in run("whatif", *named, *more).stdout, named, more,
          "the table does not say the origin")
    drawn = answer("roofline", *named, *more)["results"]
    check(len(drawn) == (2 if sets else 1) and f", {origin}" in drawn[-1]["title"], named, more, "roofline:", [result["title"] for result in drawn])
    if sets:
        check(drawn[0]["title"].split(", ", 1)[1].startswith(baseline) and drawn[0]["points"][-1]["seconds"] == answer("estimate", *named, *plain)["total"]["latency_s"], named, more, "beside it:", drawn[0])
    check(drawn[-1]["points"][-1]["seconds"] == estimate["total"]["latency_s"], named, more, "roofline has another design")
    with tempfile.TemporaryDirectory() as folder:
        said = run("emit", *named, *more, "--only", "header", "-o", folder, "--overwrite", "--force").stderr
        check(f"note: {origin}" in said or f"note: design: {origin}" in said, named, more, "emit:", said)
        header = [open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder) if name.endswith("_config.h")]
        lacks = [f"{name}={value}" for name, value in config.items() if not isinstance(value, float) and f" {name}={value}\n" not in header[0]]
        check(len(header) == 1 and not lacks, named, more, "the emitted header lacks", lacks)


for family, dataset in [("nysx", "MUTAG"), ("gat", "cora"), ("hydraf", "airfoil"), ("smgpu", "smgpu_mutag"), ("hdreason", "FB15K-237")]:
    named = ["--family", family, "--dataset", dataset]
    corners = answer("sweep", *named)["corners"]
    surveyed = "quality" in corners["balanced"]["total"] and corners["balanced"]["total"]["quality"] is not None
    published = answer("estimate", *named, "--preset", "literal" if family == "nysx" else "paper")
    check(published["origin"] == PUBLISHED, named, published["origin"])
    check_origin(named, BALANCED if surveyed else PUBLISHED, corners["balanced"]["config"] if surveyed else published["config"])
    plain = answer("estimate", *named)
    words = [word for name, value in plain["config"].items() for word in ("--set", f"{name}={value}")]
    whole, most = answer("estimate", *named, *words), answer("estimate", *named, *words[2:])
    check(whole["origin"] == "every knob by --set" and (whole["config"], whole["total"]) == (plain["config"], plain["total"]), named, "every knob:", whole["origin"], whole["config"])
    check(most["origin"].startswith(f"{plain['origin'].split(';')[0]}, with --set") and most["total"] == plain["total"], named, "all knobs but one:", most["origin"])
check_origin(["--dataset", "MUTAG"], PUBLISHED, answer("estimate", "--dataset", "MUTAG", "--preset", "literal")["config"], "--preset", "literal")
# Both trainings of the published design are priced in every command, and a quality says which training it is of.
energies = {}
for preset, bits, epochs, origin in [("literal", 1, 0, PUBLISHED), ("paper", 8, 20, f"{PUBLISHED}, trained by preset paper")]:
    for dataset in ("MUTAG", "ENZYMES", "NCI1", "BZR", "DD"):
        one = answer("estimate", "--dataset", dataset, "--preset", preset)
        check((one["config"]["sce.prototype_bits"], one["config"]["retrain"], one["total"]["quality"]["training"], one["origin"]) == (bits, epochs, preset, origin), dataset, preset, one["config"], one["origin"])
        energies[preset, dataset] = one["total"]["energy_j"]
        check(preset == "literal" or energies["paper", dataset] > energies["literal", dataset], dataset, "8 bits take no more energy than one")
    check_origin(["--dataset", "MUTAG"], origin, answer("estimate", "--dataset", "MUTAG", "--preset", preset)["config"], "--preset", preset)
for family, dataset, origin, more, knob in [("nysx", "MUTAG", BALANCED, (), "nee.lanes=64"), ("nysx", "MUTAG", PUBLISHED, ("--preset", "literal"), "kse.pe=8"),
                                            ("hdreason", "FB15K-237", PUBLISHED, (), "task=infer")]:
    named = ["--family", family, "--dataset", dataset]
    check_origin(named, origin, answer("estimate", *named, *more)["config"], *more, sets=("--set", knob))
for sets, said in [((), f"{PUBLISHED}; the profile has no measured quality"), (("--set", "task=infer"), f"{PUBLISHED}, with --set; the profile has no measured quality")]:
    check(answer("estimate", "--family", "hdreason", "--dataset", "FB15K-237", *sets)["origin"] == said, sets, "without a survey")
WORDS = {"emit": ["--only", "header", "--overwrite", "-o"], "plot": ["latency", "--x", "nee.lanes"]}
for command in ("estimate", "whatif", "roofline", "plot", "emit"):
    with tempfile.TemporaryDirectory() as folder:
        more = [*WORDS.get(command, []), *([folder] if command == "emit" else [])]
        said = run(command, "--dataset", "MUTAG", "--set", "kse.pe=8", "--set", "clock_mhz=200", "--set", "nee.precision=int8", *more).stderr
        told = [line for line in said.splitlines() if "without effect" in line]
        check(told == ["nysx-dse: note: MUTAG on zcu104: without effect in this design: --set kse.pe=8 (nee.form=direct), --set nee.precision=int8 (nee.form=direct)"], command, said)
idle = subprocess.run([program, "plot", "latency", "--dataset", "MUTAG", "--x", "nee.ports"], capture_output=True, text=True, check=False)
check(idle.returncode == 2 and "--x nee.ports: without effect in the design (nee.form=direct)" in idle.stderr, "plot:", idle)
for knob in ("nee.lanes=64", "clock_mhz=200"):
    both = [answer("sweep", "--dataset", "MUTAG", option, knob)["corners"] for option in ("--set", "--fix")]
    check(both[0] == both[1], "sweep: --set and --fix of", knob, "differ")
with tempfile.TemporaryDirectory() as folder:
    graph, model = os.path.join(folder, "kg") + "/", os.path.join(folder, "kg.npz")
    run("datasets", "generate", graph, "--kind", "triples", "-q")
    trained = answer("train", "--family", "hdreason", "--dataset", graph, "--dim", "64", "-o", model)["setting"]
    for board in ("u50", "u280"):
        hardware = answer("estimate", "--family", "hdreason", "--dataset", "FB15K-237", "--board", board, "--preset", "paper")["config"]
        named = ["--family", "hdreason", "--model", model, "--dataset", graph, "--board", board]
        published = [word for name, value in hardware.items() if name not in trained for word in ("--set", f"{name}={value}")]
        plain, explicit = answer("simulate", *named), answer("simulate", *named, *published)
        check(plain["origin"] == "as published, at the model's setting" and explicit["origin"] == f"{plain['origin']}, with --set", "simulate:", plain["origin"], explicit["origin"])
        check(plain["total"] == explicit["total"] and plain["engines"] == explicit["engines"], "simulate:", board, "is not the published design")
print("one default in all commands")
