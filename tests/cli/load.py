"""usage: load.py PROGRAM: searches under a load. A design found under `p99_load` meets it in the simulated queue; every method finds the same design;
visiting a small space design by design finds none better; wrong and impossible requests give an error; launches count in the queue as in the system's
latency."""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])


def run(*words, code=0):
    done = subprocess.run([program, *map(str, words), "-q"], capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout) if "json" in words else done.stderr


def check(holds, *what):
    if not holds:
        sys.exit(" ".join(str(w) for w in what))


# A space of a few designs, each estimated and simulated individually.
KNOBS = {"nee.lanes": ("16", "64", "256"), "units": ("1", "2", "4"), "clock_mhz": ("100", "300")}
FIXED = ["nee.form=direct", "codes=wl", "dim=1024", "hops=4", "width=1", "features=labels", "prototypes=ridge", "balance=no", "lshu.pe=2", "lshu.balance=none", "nee.center=yes",
         "nee.center_bits=2", "nee.codes=4", "nee.merge=none", "sce.prototype_bits=1", "sce.pe=all", "sce.bits=128", "place.prototypes=bram", "overlap=none"]
ASKED = ["--dataset", "MUTAG", "--board", "zcu104", "--host", "baremetal", "--rate", "180k/s"]
chosen = [f"--set={word}" for word in FIXED]
designs = []
for values in itertools.product(*KNOBS.values()):
    done = subprocess.run([program, "estimate", "--preset", "literal", *ASKED, *chosen, *(f"--set={k}={v}" for k, v in zip(KNOBS, values)), "--format", "json", "-q"], capture_output=True, text=True, check=False)
    if done.returncode == 0: # otherwise the queue is overloaded
        designs.append(json.loads(done.stdout))
spread = sorted(d["load"]["p99_s"] for d in designs)
check(len(designs) > 5 and spread[-1] > 1.5 * spread[0], "the queues of the small space are alike", spread)
for share in (0.3, 0.7):
    limit = spread[int(share * len(spread))] * 1.000001
    holding = [d for d in designs if d["load"]["p99_s"] <= limit and d["fits"]]
    best = min(d["total"]["energy_j"] for d in holding)
    words = ["--minimize", "energy", *ASKED, *chosen, *(f"--where={' || '.join(f'{k}={v}' for v in values)}" for k, values in KNOBS.items()), "--where", f"p99_load<={limit:.12g}s"]
    for method in ("exact", "exhaustive", "heuristic", "ilp"):
        found = run("optimize", *words, "--method", method, "--format", "json")
        check(found["total"]["energy_j"] == best and found["load"]["p99_s"] <= limit, method, share, found["total"], best, found["load"], limit)
    front = run("sweep", *[w for w in words if w not in ("--minimize", "energy")], "--objectives", "energy,lut", "--format", "json")
    least = [d for d in holding if not any(o["total"]["energy_j"] <= d["total"]["energy_j"] and o["total"]["lut"] <= d["total"]["lut"] and
                                           (o["total"]["energy_j"], o["total"]["lut"]) != (d["total"]["energy_j"], d["total"]["lut"]) for o in holding)]
    check(sorted((p["total"]["energy_j"], p["total"]["lut"]) for p in front["front"]) == sorted((d["total"]["energy_j"], d["total"]["lut"]) for d in least), "the front", share)
    check(all(c["load"]["p99_s"] <= limit for name, c in front["corners"].items() if name != "paper"), "a corner beyond the limit")
# With a batch, a start of a queue shares its time among items in the metrics, but at a low rate each start has one item: each `overlap` is searched alone.
batch = ["--dataset", "MUTAG", "--board", "zcu104", "--host", "linux", "--batch", "4", "--rate", "100/s"]
chosen_batch = [word for word in chosen if "overlap" not in word] + ["--set=nee.lanes=64", "--set=units=1", "--set=clock_mhz=300"]
alone = {overlap: run("estimate", "--preset", "literal", *batch, *chosen_batch, f"--set=overlap={overlap}", "--format", "json") for overlap in ("none", "queue", "engines", "graphs")}
limit = 1.0001 * alone["none"]["load"]["p99_s"]
check(all(d["load"]["p99_s"] > limit and d["total"]["latency_system_s"] < alone["none"]["total"]["latency_system_s"] for o, d in alone.items() if o != "none"), alone)
words = [*batch, *chosen_batch, "--where", "nee.lanes=64", "--where", "units=1", "--where", "clock_mhz=300", "--where", f"p99_load<={limit:.12g}s", "--format", "json"]
for method in ("exact", "exhaustive"):
    found = run("optimize", "--minimize", "latency", *words, "--method", method)
    check(found["config"]["overlap"] == "none" and found["load"]["p99_s"] <= limit, method, found["config"], found["load"], limit)
front = run("sweep", "--objectives", "latency,energy", *words)
check(front["front_count"] > 0 and all(c["load"]["p99_s"] <= limit for name, c in front["corners"].items() if c and name != "paper"), "a corner beyond the limit of a batch")
loose = run("optimize", "--minimize", "energy", *ASKED, *chosen, "--where", "units=4", "--where", f"p99_load<={spread[-1]:.12g}s", "--method", "ilp", "--format", "json")
check(loose["load"]["p99_s"] <= spread[-1] and loose["method"] == "ilp", loose)
tight = ["optimize", "--minimize", "lut", *ASKED, *chosen, "--where", "units<=4", f"--where=p99_load<={spread[0] * 1.000001:.12g}s", "--format", "json"]  # the best design without the limit breaks it
found = {method: run(*tight, "--method", method) for method in ("ilp", "exact")}
check(found["ilp"]["objective"] == found["exact"]["objective"] and found["ilp"]["load"]["p99_s"] <= spread[0] * 1.000001 and found["ilp"]["optimal"] and found["ilp"]["bound"] == found["ilp"]["objective"], found["ilp"])
check(run(*[w for w in tight if "p99_load" not in w], "--method", "ilp")["objective"] < found["ilp"]["objective"], "the limit asks nothing of the integer programs")
whole = ["optimize", "--dataset", "MUTAG", "--minimize", "energy", "--host", "baremetal", "--rate", "150k/s", "--format", "json"]  # the whole space
found = {method: run(*whole, "--where=p99_load<=8.4us", "--method", method) for method in ("ilp", "exact")}
check(abs(found["ilp"]["objective"] / found["exact"]["objective"] - 1) < 1e-9 and found["ilp"]["optimal"] and found["ilp"]["models"] > 0, found)
# Two units that wait for one host deliver less than the host could. Four units have a shorter queue, although all metrics are equal.
words = ["--dataset", "DD", "--board", "u280", "--host", "xrt"]
config = run("sweep", *words[:4], "--fix", "nee.table=none", "--format", "json")["corners"]["balanced"]["config"]
config.update(pair.split("=") for pair in "lshu.pe=8 hue.pe=8 nee.precision=int16 nee.phi_bits=16 sce.bits=256 nee.lanes=32 clock_mhz=250 overlap=none".split())
words += ["--rate", "10080/s", *(f"--set={name}={value}" for name, value in config.items() if name != "units")]
loads = [json.loads(subprocess.run([program, "estimate", *words, f"--set=units={units}", "--format", "json", "-q"], capture_output=True, text=True, check=False).stdout)["load"] for units in (2, 4)]
check(loads[0]["capacity_hz"] == loads[1]["capacity_hz"] and loads[0]["saturation_hz"] < 0.95 * loads[1]["saturation_hz"] and [load["state"] for load in loads] == ["overloaded", "steady"], loads)
for method in ("exact", "exhaustive", "heuristic", "ilp"):
    found = run("optimize", "--minimize", "lut", *words, "--where", "units=2 || units=4", "--where", f"p99_load<={1.000001 * loads[1]['p99_s']:.12g}s", "--method", method, "--format", "json")
    check(found["config"]["units"] == 4 and found["load"]["p99_s"] == loads[1]["p99_s"], method, found["config"], found["load"])
units = ["optimize", "--family", "gat", "--dataset", "cora", "--rate", "60/s", "--minimize", "lut", "--format", "json"]  # two slow units beside one fast one, whose host waits
found = {run(*units, "--where=p99_load<=60ms", "--method", method)["objective"] for method in ("ilp", "exact", "exhaustive")}
check(len(found) == 1, "units", found)
# Of two designs with four units, one is better in times and throughput, but its host transfers more bytes, for which all units wait.
pair = ["optimize", "--minimize", "bram18", "--family", "gat", "--dataset", "cora", "--board", "u280", "--rate", "159.65/s", "--quality-drop", "none", "--format", "json",
        *(f"--where={w}" for w in ("units=4", "approach=layerbreak", "heads=1", "spmm.pe=32", "subgraphs=2", "p99_load<=21.5ms", "(channels=16 && precision=int8 && h_data.memory=uram && "
                                   "capacity=thesis && clock_mhz=300) || (channels=8 && precision=int4 && h_data.memory=bram && capacity=data && clock_mhz=200)"))]
check({run(*pair, "--method", method)["config"]["channels"] for method in ("exact", "ilp")} == {8}, "bytes of the host")
for method in ("ilp", "exact"):
    reason, = run(*tight[:-3], f"--where=p99_load<={spread[0] * 0.6:.12g}s", "--format", "json", "--method", method, code=1)["why"]
    check(reason["metric"] == "p99_load_s" and reason["reachable"] >= reason["asked"], method, reason)
# Only items that overlap share a launch, so that a batch without them would amortise nothing.
alone, shared = (run("sweep", "--dataset", "MUTAG", "--batch", batch, "--format", "json")["corners"]["balanced"] for batch in (1, 64))
check(alone["config"]["overlap"] == "none" != shared["config"]["overlap"] and shared["total"]["throughput_system_hz"] > 5 * alone["total"]["throughput_system_hz"], alone["total"], shared["total"])
# RTL shares more knobs between blocks: too many slices over all settings, so that the exact merge joins groups. One slice's knobs give the same design.
asked = ["optimize", "--dataset", "MUTAG", "--flow", "rtl", "--maximize", "throughput", "--batch", "64", "--format", "json"]
joined = run(*asked)
sliced = run(*asked, *(f"--where={knob}={joined['config'][knob]}" for knob in ("units", "clock_mhz")))
check(joined["optimal"] and joined["objective"] == sliced["objective"] and joined["config"]["overlap"] == "graphs", joined["objective"], sliced["objective"])
process = subprocess.Popen([program, "sweep", "--dataset", "MUTAG", "--rate", "50k/s", "--host", "baremetal", "--where", "p99_load<=20us", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
try:
    process.wait(2)
except subprocess.TimeoutExpired:
    process.terminate()
said = process.communicate()[0]
check(process.returncode == 4 and "proven by" not in said, "an interrupted search proves its answer", process.returncode, said)
with tempfile.NamedTemporaryFile("w", suffix=".txt") as trace: # times of a file: bursts of two
    trace.write("".join(f"{i * 1e-3:.6f}\n{i * 1e-3:.6f}\n" for i in range(1000)))
    trace.flush()
    words = ["--minimize", "energy", "--dataset", "MUTAG", "--host", "baremetal", "--rate", trace.name, "--format", "json"]
    found = run("optimize", *words, "--where", "p99_load<=8us")
    check(found["load"]["p99_s"] <= 8e-6 and found["load"]["items"] == 2000, found["load"])
begin = os.times().children_user  # a budget includes the simulations of queues
done = subprocess.run([program, *"optimize --dataset MUTAG --host baremetal --rate 100k/s --where p99_load<=8us --minimize energy_per_item --budget 3s --method heuristic -q".split()],
                      capture_output=True, check=False)
check(done.returncode in (0, 4) and os.times().children_user - begin < 6, "--budget 3s", done.stderr, os.times().children_user - begin, "s of processor time")
# Hundreds of designs lie on the front of the objective and of what decides a queue, and all of them break the limit.
crowded = "optimize --dataset MUTAG --minimize energy_per_item --rate 20k/s --format json --where"
found = run(*crowded.split(), "p99_load<=100us", code=1)
reason, = found["why"]
check(reason["asked"] < reason["reachable"] < 1.1e-4, reason)
def nearest_p99(found, rate, *words, **others):
    """The p99 under load of the nearest design of an infeasible answer, with other words and knobs."""
    knobs = [f"--set={knob}={value}" for knob, value in (found["nearest"]["config"] | others).items()]
    return run("estimate", "--dataset", "MUTAG", "--rate", rate, *knobs, *words, "--format", "json")["load"]["p99_s"]
again = nearest_p99(found, "20k/s")
check(again == reason["reachable"] and abs(found["nearest"]["ratio"] - again / 1e-4) < 1e-9, found["nearest"], again)
# Every limit that a bound excludes for all designs: the front's least, one launch, the rate.
for rate, limit, why in (("20k/s", 50e-6, ["p99_load_s"]), ("3k/s", 1e-6, ["p99_load_s"]), ("60k/s", 20e-6, ["throughput_system_hz", "p99_load_s"])):
    found = run("optimize", "--dataset", "MUTAG", "--minimize", "energy", "--rate", rate, "--where", f"p99_load<={limit}s", "--format", "json", code=1)
    check([reason["metric"] for reason in found["why"]] == why and found["nearest"], rate, limit, found)
    reason, own = found["why"][-1], nearest_p99(found, rate) if why == ["p99_load_s"] else 1  # no design keeps up with the other rate
    check(reason["constraint"].startswith("p99_load <= ") and reason["asked"] < reason["reachable"] <= own, rate, limit, reason, own)
    check(own in (1, reason["reachable"]), rate, limit, own, reason)
    for said, unit, words in re.findall(r"([\d.]+) ([µm])s with (--\w+ [^-;]*?)(?= or |$)", found["message"]):  # what helps, and how much
        words = words.replace(",", "").split()
        helped = nearest_p99(found, rate, *(word for word in words if "=" not in word), **dict(word.split("=") for word in words if "=" in word))
        check(abs(helped / (float(said) * {"µ": 1e-6, "m": 1e-3}[unit]) - 1) < 1e-3 and helped < own, rate, limit, words, helped, own)
    check("--host baremetal" in found["message"] and ("--batch" in found["message"]) == (rate != "3k/s"), found["message"])
for words, code, said in [(["--where", "p99_load<=5us"], 2, "needs a load"), (["--rate", "3k/s", "--where", "p99_load>=5us"], 2, "p99_load<=TIME"),
                          (["--rate", "3k/s", "--where", "p99_load<=5%"], 2, "p99_load<=TIME"), (["--rate", "fast", "--where", "p99_load<=5us"], 2, "must be a rate"),
                          (["--rate", "3k/s", "--where", "p99_load<=50us", "--robust"], 2, "--robust"),
                          (["--rate", "20k/s", "--where", "p99_load<=50us"], 1, "no design found meets it"), (["--rate", "3k/s", "--where", "p99_load<=1us"], 1, "one launch by linux already takes"),
                          (["--rate", "1M/s", "--where", "p99_load<=1ms"], 1, "p99_load needs a throughput_system of at least --rate 1M/s")]:
    check(said in run("optimize", "--dataset", "MUTAG", "--minimize", "energy", *words, code=code), words, "does not say", said)
for words, starts in ((["gat", "--dataset", "cora", "--set", "approach=streamline"], 6), (["gat", "--dataset", "cora", "--set", "approach=layerbreak"], 10),
                      (["hdreason", "--dataset", "FB15K-237", "--set", "task=train"], 7), (["hydraf", "--dataset", "airfoil"], 1)):  # the queue has every start of an item
    total = run("estimate", "--family", *words, "--host", "xrt", "--format", "json")["total"]
    items = total["throughput_hz"] * total["latency_s"]
    check(total["host"]["starts"] == starts and abs(total["host"]["capacity_hz"] * total["latency_system_s"] / items - 1) < 1e-9, words, total["host"], total["latency_system_s"])
    rate = 0.5 * total["throughput_system_hz"]  # arrivals count the same items as throughput, even if a run answers a batch
    load = run("estimate", "--family", *words, "--host", "xrt", "--rate", f"{rate}/s", "--format", "json")["load"]
    check(abs(load["capacity_hz"] / total["throughput_system_hz"] - 1) < 1e-9 and load["state"] == "steady" and abs(load["utilisation"] - 0.5) < 0.01, words, load, total["throughput_system_hz"])
    check(load["p99_s"] < 2.5 * total["latency_system_s"] or items == 1, words, "more waits than a run under way and one's own:", load)
    check((load["mg1_mean_s"] is None) == (items > 1.5), words, load)
with tempfile.TemporaryDirectory() as folder:  # a simulation's queue has the same starts of every step of a training run; its mean follows Pollaczek and Khinchine
    run("datasets", "generate", f"{folder}/kg", "--kind", "triples", "--format", "json")
    run("train", "--family", "hdreason", "--dataset", f"{folder}/kg", "-o", f"{folder}/m.npz")
    for task, rate, items in (("infer", 768000, 128), ("train", 115200, 128), ("fit", 9, 1)):
        asked = ["--family", "hdreason", "--dataset", f"{folder}/kg", "--set", f"task={task}", "--host", "xrt", "--format", "json"]
        host = run("estimate", "--preset", "paper", *asked)["total"]["host"]
        found = run("simulate", "--model", f"{folder}/m.npz", *asked, "--rate", f"{rate}/s")
        load, service_s = found["load"], found["total"]["latency_s"] + host["starts"] * host["launch_s"]
        check(abs(load["capacity_hz"] * service_s / items - 1) < 1e-8 and (host["starts"] > 500 or task != "fit"), task, load, service_s)
        check(abs(load["utilisation"] / (rate * service_s / items) - 1) < 0.01 and (items > 1 or abs(load["mean_s"] / load["mg1_mean_s"] - 1) < 0.01), task, load, service_s)
        check(service_s * (1 - 1e-8) <= load["p50_s"] < load["p99_s"] < load["p999_s"], task, load)
    # `simulate` and `estimate` share one function for the load: host time per byte, units and memories count in both.
    run("datasets", "generate", f"{folder}/g", "--kind", "graphs", "--format", "json")
    run("train", "--dataset", f"{folder}/g", "-o", f"{folder}/g.npz")
    for units, limit in (1, "units"), (16, "memory"):
        asked = ["--dataset", f"{folder}/g", "--set", f"units={units}", "--host", "linux", "--rate", "5/s", "--format", "json"]
        one, other = run("simulate", "--model", f"{folder}/g.npz", *asked)["load"], run("estimate", "--preset", "paper", *asked)["load"]
        check(abs(one["capacity_hz"] / other["capacity_hz"] - 1) < 0.02 and one["limited_by"] == other["limited_by"] == limit, "simulate", one, "estimate", other)
# An overload is an answer, also as JSON and for one board of several. At full load `utilisation` is the share of the limiting part.
over = json.loads(subprocess.run([program, "estimate", "--dataset", "MUTAG", "--rate", "900k/s", "--format", "json", "-q"], capture_output=True, text=True, check=False).stdout)["load"]
check(over["state"] == "overloaded" and over["p99_s"] is None, over)
both = [d["load"] for d in run("estimate", "--dataset", "MUTAG", "--board", "zcu104", "--board", "u50", "--rate", "20k/s", "--format", "json")["results"]]
check([load["state"] for load in both] == ["steady", "overloaded"], both)
queue = ["--dataset", "MUTAG", "--host", "linux", "--batch", "100", *chosen[:-1], "--set=overlap=graphs", "--set=nee.lanes=256", "--set=units=4", "--format", "json"]
most = run("estimate", *queue)["total"]["host"]["capacity_hz"]
load = run("estimate", *queue, "--rate", f"{0.996 * most}/s")["load"]
check(load["limited_by"] == "host" and abs(load["utilisation"] - 0.996) < 0.01 and load["state"] == "near saturation", load)
print(f"{len(designs)} designs one by one")
