"""usage: random_described.py PROGRAM

Sixty random described accelerators. For each, `optimize` by the exact merge, by integer programs and by visiting every design gives the
same least cost, equal to the least over the program's estimates of every design; a random condition on knobs is met. No method's answer, including
the heuristic's, has a clock above the limit of its longest path."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
random.seed(60)
NUMBER = 60


def described(n):
    knobs = {f"k{i}": sorted(random.sample([1, 2, 3, 4, 6, 8], random.randint(2, 3))) for i in range(random.randint(2, 3))}
    names = list(knobs)
    blocks = {}
    stages = [f"s{i}" for i in range(random.randint(1, 3))]
    for b in range(random.randint(2, 4)):
        a, c = random.choice(names), random.choice(names)
        parts = [{"operator": {"op": random.choice(["mac", "add", "mul"]), "type": random.choice(["int8", "int16", "fp32"]), "times": f"{a} * {random.randint(1, 5)}"}},
                 {"loop": {"stage": random.choice(stages), "trips": f"ceildiv({random.randint(100, 9000)}, {a}) + {random.randint(1, 50)} * {c}", "depth": random.randint(2, 20)}}]
        if random.random() < 0.5:
            parts.append({"memory": {"place": "bram", "words": f"{random.randint(100, 5000)} * {c}", "bits": 16, "banks": c}})
        if random.random() < 0.4:
            parts.append({"traffic": {"stage": random.choice(stages), "bytes": f"{random.randint(1000, 90000)} * {random.choice(names)}"}})
        if random.random() < 0.3:
            parts.append({"structure": {"for": {"i": f"1..{c}"}, "structure": "adder", "size": f"8 + i * {a}"}})
        if random.random() < 0.3:
            parts.append({"path": {"levels": f"{random.randint(1, 5)} * {c}", "carry": 32, "ram": random.randint(0, 1), "label": "sum"}})
        blocks[f"b{b}"] = {"engine": random.choice("xy"), "parts": parts}
    blocks["all"] = {"engine": "x", "parts": [{"structure": {"structure": "register", "size": " + ".join(names)}}]}
    used = {part[kind]["stage"] for block in blocks.values() for part in block["parts"] for kind in part if "stage" in part[kind]}
    stages = [stage for stage in stages if stage in used]
    file = {"accelerator": 1, "name": f"random{n}", "board": random.choice(["zcu104", "kv260", "u280"]), "knobs": {**{k: {"oneof": v} for k, v in knobs.items()}, "clock_mhz": {"oneof": [100, 200]}},
            "stages": stages, "blocks": blocks}
    if random.random() < 0.5:
        file["constraints"] = [{"require": f"{names[0]} * {names[1]} <= {random.randint(6, 40)}", "because": "the two share a bus"}]
    return file, {**knobs, "clock_mhz": [100, 200]}


def ask(*words):
    run = subprocess.run([program, *words, "-q", "--format", "json"], capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.stdout.strip() else None, run


compared = late = 0
with tempfile.TemporaryDirectory() as folder:
    for n in range(NUMBER):
        file, knobs = described(n)
        path = os.path.join(folder, f"random{n}.yaml")
        with open(path, "w", encoding="utf-8") as out:
            json.dump(file, out)
        metric = random.choice(["latency", "energy", "lut", "cycles", "power"])
        bound = random.randint(12, 150)
        where = f"dsp<={bound}"
        key = {"latency": "latency_s", "energy": "energy_j", "power": "power_w"}.get(metric, metric)
        every = []
        for values in itertools.product(*knobs.values()):
            sets = [w for k, v in zip(knobs, values) for w in ("--set", f"{k}={v}")]
            answer, run = ask("estimate", "--family", path, *sets)
            if answer is None:
                assert run.returncode == 1, run.stderr
                late += ": sum takes" in run.stderr
                continue
            assert answer.get("clock_mhz_most", {"value": 1e9})["value"] >= values[-1], (n, sets)
            if answer["fits"] and answer["total"]["dsp"] <= bound:
                every.append(answer["total"][key])
        for method in ("exact", "ilp", "exhaustive"):
            answer, run = ask("optimize", "--family", path, "--minimize", metric, "--where", where, *(["--method", method] if method != "exact" else []))
            if run.returncode == 2 and method == "exhaustive":  # optimize knows exact, ilp and heuristic
                answer, run = ask("sweep", "--family", path, "--objectives", metric, "--where", where, "--method", "exhaustive")
                answer = answer["front"][0] if answer and answer.get("front") else None
            if not every:
                assert run.returncode == 1, (n, method, run.stderr)
                continue
            assert answer is not None, (n, method, run.returncode, run.stderr)
            clock = answer.get("clock_mhz_most")
            assert clock is None or clock["value"] >= answer["config"]["clock_mhz"] and clock["engine"] in "xy", (n, method, clock, answer["config"])
            got, least = answer["total"][key] if "total" in answer else answer[key], min(every)
            assert abs(got - least) <= 1e-9 * max(abs(least), 1e-30), (n, method, metric, got, least, path)
            compared += 1
        answer, run = ask("optimize", "--family", path, "--minimize", metric, "--where", where, "--method", "heuristic", "--budget", "1s")
        clock = answer.get("clock_mhz_most") if answer else None
        assert clock is None or clock["value"] >= answer["config"]["clock_mhz"], (n, "heuristic", clock)
print(f"{NUMBER} random accelerators, {compared} optima equal to the least of every design, {late} designs slower than their clock")
assert compared >= 2 * NUMBER and late > 50
