"""usage: systolic.py PROGRAM FOLDER The C simulation of examples/accelerators/systolic, with the headers of several designs: every sum is right, and
every loop has the trip count of the description (`family explain`)."""
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
