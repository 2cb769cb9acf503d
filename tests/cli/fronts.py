"""Shipped profiles have a trade-off: fronts of at least two designs that trade accuracy, and for NysX, landmarks by DPP and uniform ones
at three numbers. A front of one design states that nothing trades. All settings of a profile are measured on equally many splits; otherwise the
answer says so. usage: fronts.py PROGRAM"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

program = sys.argv[1]
models = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../models")

for family, dataset in (("hydraf", "airfoil"), ("hydraf", "wine"), ("hydraf", "ccpp"), ("gat", "cora"), ("gat", "debian"), ("smgpu", "MUTAG"), ("smgpu", "ENZYMES"), ("smgpu", "BZR"), ("hdreason", "FB15K-237-500"), ("hdreason", "WN18RR-1500")):
    done = subprocess.run([program, "sweep", "--family", family, "--dataset", dataset, "--objectives", "latency,energy,error" if dataset == "debian" else "latency,error", "--format", "json",
                           "--compact", "-q"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{family}, {dataset}: {done.stderr}")
    qualities = {design["total"]["quality"]["mean"] for design in json.loads(done.stdout)["front"]}
    if len(qualities) < 2:
        sys.exit(f"{family}, {dataset}: nothing trades on the front")

profiles = json.loads(subprocess.run([program, "datasets", "list", "--format", "json"], capture_output=True, text=True, check=True).stdout)
shipped = [(profile["family"], profile["name"]) for profile in profiles["datasets"]]
explained = set()
for family, name in shipped:
    told = subprocess.run([program, "sweep", "--family", family, "--dataset", name, "-q"], capture_output=True, text=True, check=True).stdout
    corners = re.findall(r"^(fastest|least energy|smallest|most accurate) +[\d.]+ .?s ", told, re.MULTILINE)
    sentence = re.search(r"^(Nothing|Little) to trade: ", told, re.MULTILINE)
    if (sentence is None) == (not corners):
        sys.exit(f"{family}, {name}: corners {corners}, " + (f"and yet: {sentence[0]}" if sentence else "and no sentence why nothing trades"))
    explained |= {name} if sentence else set()
if not {"citeseer_table", "FB15K-237-500"} <= explained or len(explained) > len(shipped) / 2:
    sys.exit(f"no trade on {sorted(explained)}")

for family, name, task in (("gat", "citeseer_table", None), ("gat", "cora", None), ("hdreason", "FB15K-237", "infer"), ("hdreason", "FB15K-237", "train")):
    words = [program, "sweep", "--family", family, "--dataset", name, "-q", *(["--fix", f"task={task}"] if task else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    one = re.search(r"front of\s+1,", done.stdout) is not None
    if one != (task == "infer" or name == "citeseer_table") or one != ("Nothing to trade: of all feasible designs, one is the best in latency and energy" in done.stdout):
        sys.exit(f"{family}, {name}, {task}: " + ("a front of one is not explained" if one else "a front of several is said to be of one"))
    told = json.loads(subprocess.run([*words, "--format", "json"], capture_output=True, text=True, check=True).stdout)
    if one != told.get("nothing_to_trade", "").startswith("Nothing to trade: "):
        sys.exit(f"{family}, {name}, {task}: JSON does not say what the text says")

for name in ("MUTAG", "BZR", "ENZYMES", "NCI1", "DD"):
    landmarks = collections.defaultdict(set)
    with open(os.path.join(models, "nysx/profiles", name + ".xml"), encoding="utf-8") as file:
        for quality in re.finditer(r"<quality [^>]*>\s*<setting>([^<]*)</setting>", file.read()):
            setting = dict(pair.split("=") for pair in quality[1].split())
            if setting["nee.form"] == "streamed":
                landmarks[setting["sampling"]].add(setting["landmarks"])
    if len(landmarks["dpp"] & landmarks["uniform"]) < 3:
        sys.exit(f"{name}: {dict(landmarks)}")

for path in glob.glob(os.path.join(models, "*/profiles/*.xml")):
    with open(path, encoding="utf-8") as file:
        splits = set(re.findall(r"<quality [^>]* n=\"(\d+)\"", file.read()))
    if len(splits) > 1:
        sys.exit(f"{path}: settings on {splits} splits are compared")

with open(os.path.join(models, "hydraf/profiles/wine.xml"), encoding="utf-8") as file, tempfile.TemporaryDirectory() as folder:
    mixed = re.sub(r' n="\d+"([^>]*>\s*<setting>[^<]* dim=64 )', r' n="3"\1', file.read())
    with open(os.path.join(folder, "mixed.xml"), "w", encoding="utf-8") as copy:
        copy.write(mixed)
    words = [program, "%s", "--family", "hydraf", "--dataset", copy.name, "-q"]
    swept, changed = (subprocess.run([word.replace("%s", command) for word in words] + more, capture_output=True, text=True, check=True).stdout
                      for command, more in (("sweep", []), ("whatif", ["--set", "dim=512", "--set", "clusters=8"])))
    if not re.search(r"± SE \(n\)", swept) or not re.search(r"baseline .*±0\.\d+ \(10\)", swept) or not re.search(r"fastest .*±0\.\d+ \(3\)", swept) \
            or "measured on 3 to 10 splits" not in " ".join(swept.split()):
        sys.exit(f"settings on 3 and 10 splits are compared without a word: {swept}")
    if not re.search(r"\(n = 3\) before, .*\(n = 10\) after", changed):
        sys.exit(f"whatif compares settings on 3 and 10 splits without a word: {changed}")
