"""usage: draws.py PROGRAM [--draws N] [--seed N]: no engine of a random design exceeds its attainable performance, for any family (shipped
or described in examples/accelerators), profile and board; a design that does not fit has no performance."""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("program", type=os.path.realpath)
parser.add_argument("--draws", type=int, default=500)
parser.add_argument("--seed", type=int, default=8)
options = parser.parse_args()
TASKS = {"hydraf": ["infer", "train", "fit"], "gat": ["execute", "whole", "transfer"], "hdreason": ["train", "infer", "fit"]}


def run(*words):
    done = subprocess.run([options.program, *words, "--format", "json", "-q"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


boards = [board["name"] for board in run("boards", "list")["boards"]]
data = [(one["family"], one["name"]) for one in run("datasets", "list")["datasets"]]
for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/accelerators/*.yaml"))):
    with open(path, encoding="utf-8") as text: # a file without profiles has a default workload
        profiles = re.search(r"^profiles: (\w+)", text.read(), re.M)
    data += [(path, name) for of, name in data if profiles and of == profiles[1]] or [(path, None)]
families = sorted({family for family, _ in data})


def named(family, name):
    return ["--family", family] + (["--dataset", name] if name else [])


spaces = {family: [k for k in run("sweep", *named(family, name), "--describe")["knobs"]
                   if len(k["domain"]) > 1 and k["kind"] != "algorithmic"] for family, name in data}


def draw(number):
    """A design as words, drawn until it can be built on the board, and its engines that exceed the attainable performance."""
    rng = random.Random(f"{options.seed} {number}")
    while True:
        family = families[number % len(families)]
        words = named(family, rng.choice([name for of, name in data if of == family])) + ["--preset", "paper"]
        words += ["--board", rng.choice(boards)] if rng.random() < 0.5 else []
        words += [f"--set={knob['name']}={rng.choice(knob['domain'])}"
                  for knob in rng.sample(spaces[family], rng.randint(0, min(8, len(spaces[family]))))]
        words += [f"--set=task={rng.choice(TASKS[family])}"] if family in TASKS and rng.random() < 0.5 else []
        answer = run("roofline", *words)
        if answer is not None:
            points = answer["results"][-1]["points"]
            reached = [point for point in points if point["operations_per_s"] is not None]
            return bool(reached), [(words, point) for point in reached if point["attainable_operations_per_s"] is not None
                                   and point["operations_per_s"] > 1.000001 * point["attainable_operations_per_s"]]


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    drawn = list(pool.map(draw, range(options.draws)))
wrong = [one for _, exceeding in drawn for one in exceeding]
fitting = sum(fits for fits, _ in drawn)
print(f"{options.draws} designs, {fitting} fit; {len(wrong)} points above their roofs")
for words, point in wrong[:10]:
    print(" ".join(words), point["name"], point["operations_per_s"] / point["attainable_operations_per_s"])
sys.exit(bool(wrong) or 3 * fitting < options.draws)
