"""usage: systolic.py PROGRAM FOLDER The C simulation of examples/accelerators/systolic, with the headers of several designs: every sum is right, and
every loop has the trip count of the description (`family explain`). A launch transfers each port that is not kept, and the ring of a queue."""
import json
import os
import re
import subprocess
import sys
import tempfile

program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
family = os.path.join(folder, "systolic.yaml")
DESIGNS = [({"rows": "2", "columns": "4", "type": "int16"}, {"m": 8, "k": 12, "n": 8}), ({"rows": "8", "columns": "2", "type": "int8"}, {"m": 17, "k": 5, "n": 9}),
           ({"rows": "4", "columns": "4", "type": "fp32"}, {"m": 4, "k": 31, "n": 13}), ({"rows": "8", "columns": "16", "type": "int16"}, {"m": 20, "k": 33, "n": 40})]
for knobs, work in DESIGNS:
    sets = [word for name, value in knobs.items() for word in ("--set", f"{name}={value}")]
    load = ["--workload", ",".join(f"{name}={value}" for name, value in work.items())]
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([program, "emit", "--family", family, *sets, *load, "-q", "-o", os.path.join(made, "made")], check=True)
        sources = [os.path.join(folder, "systolic", name) for name in ("systolic.c", "testbench.c")]
        for compiler in (["cc", "-std=c99"], ["c++", "-x", "c++"]):
            subprocess.run([*compiler, "-O1", "-Wall", "-Werror", "-Wno-unused-label", "-I", os.path.join(made, "made"), "-o", os.path.join(made, "csim"), *sources], check=True)
            run = subprocess.run([os.path.join(made, "csim")], capture_output=True, text=True, check=False)
            assert run.returncode == 0 and run.stdout.startswith("0 of "), (knobs, run.stdout)
    counted = {name: int(turns) for name, turns in re.findall(r"(\w+) (\d+)(?:,|$)", run.stdout.strip().split("; ")[1])}
    told = subprocess.run([program, "family", "explain", family, *sets, *load, "--format", "json"], capture_output=True, text=True, check=True)
    lines = json.loads(told.stdout)["lines"]
    for name, turns in counted.items():
        loop = next(line for line in lines if line["part"] == "loop" and line["what"] == name)
        said = float(loop["numbers"].split(" ")[0])
        assert said == turns, (knobs, name, said, turns)
    print(f"{knobs} {work}: {run.stdout.strip()}")
with open(family, encoding="utf-8") as file, tempfile.TemporaryDirectory() as made:
    text = file.read()
    paths = [os.path.join(made, name) for name in ("all.yaml", "kept.yaml", "both.yaml")]
    for path, old, new in zip(paths, ("", "words: k * n}", "access: write"), ("", "words: k * n, kept: yes}", "access: both")):
        assert old in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new) if old else text)
    for path, counts in (*zip(paths, ((3, 4), (2, 3), (4, 5))), (os.path.join(folder, "first.yaml"), (2, 3))):  # first.yaml names no ports
        told = [subprocess.run([program, "estimate", "--family", path, "--batch", batch, "-q", "--format", "json"], capture_output=True, text=True, check=True) for batch in ("1", "32")]
        moved = tuple(json.loads(one.stdout)["total"]["host"]["transfers"] for one in told)
        assert moved == counts, (path, moved, counts)
