"""usage: compare.py PROGRAM: machines side by side. Designs have the figures of `estimate`, published machines those of the publication's file, this
machine is measured, and wrong options give an error."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

program = os.path.realpath(sys.argv[1])
root = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
data = os.environ.get("NYSX_DATA_DIR") or os.path.join(root, "../shared/datasets")
if not os.path.exists(os.path.join(data, "MUTAG.zip")):
    print("SKIPPED: no MUTAG.zip in $NYSX_DATA_DIR: machines were not compared")
    sys.exit(77)


def run(*words, code=0):
    names = {key: value for key, value in os.environ.items() if key != "NYSX_DSE_SHARE"}
    done = subprocess.run([program, *words, "-q", "--data-dir", data], env=names, capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return done.stdout if code == 0 else done.stderr


def check(holds, *what):
    if not holds:
        sys.exit(" ".join(str(w) for w in what))


def algorithmic(question, config):
    knobs = json.loads(run("sweep", *question, "--describe", "--format", "json"))["knobs"]
    return [f"--fix={knob['name']}={config[knob['name']]}" for knob in knobs if knob["kind"] != "hardware" and knob["name"] in config]


priced = {p.get("board"): p for p in tree.parse(os.path.join(root, "devices/machines/prices.xml")).getroot().findall("price")}
asked = ["--dataset", "MUTAG", "--board", "zcu104", "--board", "kv260", "--host", "baremetal", "--batch", "4"]
rows = json.loads(run("compare", *asked, "--price", "kv260=251", "--format", "json"))["results"]
kinds = [row["kind"] for row in rows]
check({"measured", "modelled", "published"} == set(kinds), kinds)
here = [row for row in rows if row["kind"] == "measured"]
check(0 < here[0]["latency_s"] < 1 and abs(here[0]["latency_s"] * here[0]["rate_hz"] - 1) < 1e-9, here)
check(here[0]["energy_j"] is None or here[0]["energy_j"] > 0, here)
for row in rows:  # a published board has its price, a published CPU or GPU none
    if row["kind"] == "published":
        check(row["price_usd"] == (float(priced["zcu104"].get("usd")) if row["machine"].startswith("zcu104") else None), row)
check(any(row["kind"] == "published" and row["items_per_s_per_usd"] for row in rows) and "load average" in here[0]["source"], rows)
alike = []  # further boards run the first one's model
for board in ("zcu104", "kv260"):
    row = next(row for row in rows if row["machine"] == f"{board} by baremetal, balanced")
    balanced = json.loads(run("sweep", "--dataset", "MUTAG", "--board", board, "--host", "baremetal", "--batch", "4", *alike, "--format", "json"))["corners"]["balanced"]
    total, alike = balanced["total"], alike or algorithmic(["--dataset", "MUTAG"], balanced["config"])
    check(row["latency_s"] == total["latency_system_s"] and row["energy_j"] == total["energy_per_item_j"], row, total)
    check(row["rate_hz"] == total["throughput_system_hz"] >= 4 / row["latency_s"] and abs(row["items_per_s_per_w"] * row["energy_j"] - 1) < 1e-9, row)
    check(row["quality"] == total["quality"]["mean"] == here[0]["quality"], "not at equal accuracy", row)
    usd, stated = (251, ("now", "--price")) if board == "kv260" else (float(priced[board].get("usd")), (priced[board].get("date"), priced[board].get("source")))
    check(row["items_per_s_per_usd"] == row["rate_hz"] / usd and (row["price_date"], row["price_source"]) == stated, row)
    check(row["p99_load_s"] is None, "a queue without --rate", row)
    check(row["latency_items"] == 4 and here[0]["latency_items"] == 1, "items per latency", row, here)
alike = [row for row in json.loads(run("compare", "--dataset", "ENZYMES", "--board", "zcu104", "--format", "json"))["results"] if row["kind"] != "published"]
check(len({row["quality"] for row in alike}) == 1 and any("the same trained model" in row["source"] for row in alike), "one table has designs of several accuracies", alike)
with tempfile.TemporaryDirectory() as folder:  # two boards with the same file name as a shipped board, but other content
    for name, luts in (("a", 220000), ("b", 180000)):
        os.mkdir(f"{folder}/{name}")
        with open(os.path.join(root, "devices/boards/zcu104.xml"), encoding="utf-8") as file, open(f"{folder}/{name}/zcu104.xml", "w", encoding="utf-8") as copy:
            copy.write(re.sub(r'(<chip [^>]*lut=)"\d+"', rf'\1"{luts}"', file.read(), count=1))
    both = [f"{folder}/a/zcu104.xml", f"{folder}/b/zcu104.xml"]
    check([one["board"] for one in json.loads(run("estimate", "--dataset", "MUTAG", "--board", both[0], "--board", both[1], "--format", "json"))["results"]] == both, "boards of one name")
spreads = {word: re.search(r"modelled +zcu104 by \w+, .*? (0\.\d+) +(0\.\d+) +(\d+) ", run("compare", *asked, "--spread", word)).groups() for word in ("se", "sd")}
check(spreads["se"][0::2] == spreads["sd"][0::2] and abs(float(spreads["sd"][1]) - float(spreads["se"][1]) * int(spreads["se"][2]) ** 0.5) < 0.002, spreads)
os.environ["COLUMNS"] = "80"  # two tables with all machines, then their sources
parts = run("compare", *asked).split("\n\n")
check(len(parts) == 3 and all("zcu104 by baremetal, balanced" in part for part in parts) and re.search("^kind +machine .*\n-+ -", parts[0], re.M)
      and re.search("^machine .*\n-+ -", parts[1], re.M), parts)
check(all(len(line) <= 80 for part in parts for line in part.splitlines()), "a comparison of 80 columns", parts)
check(all(any(row["source"] in text for text in [" ".join(parts[2].split())]) for row in rows if row["kind"] != "measured"), "sources", parts[2])
del os.environ["COLUMNS"]
flow = [f"--set={word}" for word in ("nee.form=direct codes=wl dim=1024 hops=4 width=1 prototypes=ridge balance=no lshu.pe=2 lshu.balance=none nee.center_bits=2 nee.lanes=256 "
                                   "nee.codes=4 sce.prototype_bits=1 place.prototypes=bram overlap=graphs").split()]
queued = json.loads(run("compare", *asked, *flow, "--rate", "150k/s", "--format", "json"))["results"]
row = next(row for row in queued if row["machine"] == "zcu104 by baremetal")
load = json.loads(run("estimate", "--dataset", "MUTAG", "--board", "zcu104", "--host", "baremetal", "--batch", "4", *flow, "--rate", "150k/s", "--format", "json"))["load"]
check(row["load_state"] == load["state"] and row["p99_load_s"] == load["p99_s"] > 0 and abs(row["rate_hz"] / load["capacity_hz"] - 1) < 1e-9, row, load)
check(next(row for row in queued if row["kind"] == "measured")["p99_load_s"] != 0, queued)
row = next(row for row in json.loads(run("compare", *asked, "--format", "json"))["results"] if row["machine"] == "kv260 by baremetal, balanced")
check(row["price_usd"] == float(priced["kv260"].get("usd")) and row["price_source"] == priced["kv260"].get("source"), row)
check(all(re.fullmatch(r"20\d\d-[01]\d(-[0-3]\d)?", p.get("date")) for p in priced.values()), priced)
check(set(priced) <= {board["name"] for board in json.loads(run("boards", "list", "--format", "json"))["boards"]}, priced)
machines = {m.get("name"): m.get("title") for m in tree.parse(os.path.join(root, "devices/machines/machines.xml")).getroot().findall("machine")}
stated = 0
for case in tree.parse(os.path.join(root, "models/nysx/published.xml")).getroot().findall("case"):
    for figure in case.findall("figure"):
        if case.get("dataset") != "MUTAG" or figure.get("what") != "latency_s" or figure.get("value") is None:
            continue
        name = machines[figure.get("machine")] if figure.get("machine") else "zcu104 (kernel)"
        name += ", " + case.get("name")
        check(any(row["kind"] == "published" and row["machine"] == name and row["latency_s"] == float(figure.get("value")) for row in rows),
              "the table lacks", name, figure.get("value"))
        stated += 1
check(stated >= 6 and kinds.count("published") == stated, stated, kinds)
# Published rows have the published accuracy, else that of the published training as measured here.
text = json.loads(run("estimate", "--dataset", "MUTAG", "--preset", "literal", "--format", "json"))["total"]["quality"]["mean"]
check(all(row["quality"] == (None if "dpp" in row["machine"] else text) for row in rows if row["kind"] == "published"), text, rows)
given = tree.parse(os.path.join(root, "models/nysx/accuracy.xml")).getroot().find("method[@name='NysX']/on[@dataset='BZR']").get("mean")
bzr = [row for row in json.loads(run("compare", "--dataset", "BZR", "--format", "json"))["results"] if row["kind"] == "published"]
check(bzr and all(row["quality"] == float(given) for row in bzr), given, bzr)
table = list(csv.DictReader(io.StringIO(run("compare", *asked, "--format", "csv"))))
check([row["machine"] for row in table] == [row["machine"] for row in rows], table)
for words, said in [(["--price", "u50=3"], "not a board of this comparison"), (["--price", "zcu104"], "BOARD=DOLLARS"),
                    (["--price", "zcu104=-3"], "above 0"), (["--host", "usb"], "baremetal, linux, pynq, xrt"), (["--dataset", "DD"], "one data set")]:
    check(said in run("compare", "--dataset", "MUTAG", *words, code=2), words, "does not say", said)
# Every family compares the same job and the same items: queries of a batch, whole graphs, samples.
for family, dataset, board, fix, items in [("hdreason", "FB15K-237-500", "u50", ["--fix", "task=infer"], 128), ("gat", "cora", "zcu106", [], 1), ("hydraf", "airfoil", "u200", [], 1)]:
    if family == "hdreason" and not os.path.exists(os.path.join(data, "FB15K-237.zip")):
        continue
    question = ["--family", family, "--dataset", dataset]
    rows = json.loads(run("compare", *question, "--format", "json"))["results"]
    if family == "hydraf":  # rates by the name of the family's item
        heading = next(line for line in run("compare", *question).split("\n") if line.startswith("kind")).split()
        check("samples/s" in heading and "samples/s/W" in heading and "items/s" not in heading, heading)
    corners = json.loads(run("sweep", *question, *fix, "--format", "json"))["corners"]
    alike = algorithmic(question, corners["balanced"]["config"])  # the other designs run the same model, and are best as delivered
    corners["fastest"] = json.loads(run("sweep", *question, *fix, *alike, "--objectives", "latency_system,energy_per_item", "--format", "json"))["corners"]["fastest"]
    for corner, title in (("balanced", ", balanced"), ("fastest", ", fastest")):
        row, total = next((row for row in rows if row["machine"] == f"{board} by {'linux' if board == 'zcu106' else 'xrt'}{title}"), None), corners[corner]["total"]
        if corner != "balanced" and corners[corner]["config"] == corners["balanced"]["config"]:
            check(row is None, "a design stands there twice", row)
            continue
        check(row is not None and row["latency_s"] == total["latency_system_s"] and row["energy_j"] == total["energy_per_item_j"], family, corner, row, total)
        check(abs(row["rate_hz"] * row["latency_s"] / items - 1) < 1e-9 and abs(total["power_system_w"] / (row["rate_hz"] * row["energy_j"]) - 1) < 1e-9, family, row)
    machine = next(row for row in rows if row["machine"].endswith("roofline"))
    check(abs(machine["rate_hz"] * machine["latency_s"] / items - 1) < 1e-9, family, machine)
    here = next(row for row in rows if row["kind"] == "measured")
    node = family == "gat" and json.loads(run("train", *question, "--format", "json"))["s_per_node"]
    check(family != "gat" or 100 < here["latency_s"] / node < 10000, "an item of this machine is a node, and the accelerator's a graph:", here, node)
    check(family != "hydraf" or any(row["kind"] == "published" and abs(row["latency_s"] / 824.8e-9 - 1) < 1e-3 for row in rows), rows)
rows = json.loads(run("compare", "--family", "smgpu", "--dataset", "MUTAG", "--board", "zcu104", "--format", "json"))["results"]
check([row["machine"] for row in rows if "does not fit the board" in row["source"]] == ["zcu104 by linux"], "a design that does not fit is not called so", rows)
triples = ["--family", "hdreason", "--dataset", "FB15K-237-500"]  # measured without training: an epoch over all entities takes minutes
table = run("compare", *triples, "--batch", "2").split("\n")
check(any("queries" in above and "per launch" in below for above, below in zip(table, table[1:])) and "256" in next(line for line in table if "u50 by xrt" in line).split(), table)
check(len({re.search(r"(0\.\d{3}) +0\.\d{3} +10 ", line)[1] for line in table if "1 core " in line or "u50 by xrt " in line}) == 1, "no equal quality", table)
check(any(" MRR " in line for line in table) and any(line.startswith("MRR of measured and modelled rows") for line in table), "the quality has no name", table)
for words in (("compare",), ("sweep", "--fix", "task=infer"), ("optimize", "--minimize", "latency", "--fix", "task=infer")):
    check("ring of 32 slots" in run(*words, "--family", "hdreason", "--dataset", "FB15K-237", "--batch", "500", code=2), "a ring without room", words)
check("task=infer" in run("compare", "--family", "hydraf", "--dataset", "airfoil", "--set", "task=train", code=2), "another job is compared")
with tempfile.TemporaryDirectory() as folder:  # one class: no design is better than a constant prediction, and the published one is compared
    os.environ["XDG_CACHE_HOME"] = folder
    one = os.path.join(folder, "ONE")
    os.mkdir(one)
    for part, text in (("A", "1, 2\n2, 1\n"), ("graph_indicator", "".join(f"{g}\n" * 3 for g in range(1, 11))), ("graph_labels", "3\n" * 10),
                       ("node_labels", "0\n1\n2\n" * 10)):
        with open(os.path.join(one, f"ONE_{part}.txt"), "w", encoding="ascii") as file:
            file.write(text)
    rows = json.loads(run("compare", "--dataset", one, "--format", "json"))["results"]
    check(any("as published; the default search finds no design" in row["source"] for row in rows), rows)
