#!/usr/bin/env python3
"""usage: memorise.py PROGRAM: the modelled cycles of HDReason's memorisation, whose stage a training step has twice, are within 3 % of the simulation on a graph of few
neighbours, whose vertices leave the IPs more slowly than their requests arrive. With few lanes the IPs keep the sums of two vertices only."""
import json
import os
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
CASES = [(8, 8), (8, 16), (8, 64), (32, 8), (32, 16), (128, 16)] # lanes, IPs


def run(*words):
    return subprocess.run([program, *words, "-q"], capture_output=True, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    subprocess.run([program, "datasets", "generate", "kg", "--kind", "triples", "--entities", "3000", "--relations", "8", "--triples", "9000", "--skew", "0.8"], capture_output=True, check=True)
    run("train", "--family", "hdreason", "--dataset", "./kg", "--epochs", "0", "--dim", "256", "-o", "kg.npz")
    failures = 0
    for lanes, ips in CASES:
        design = [f"--set={word}" for word in ("backward=after", "schedule=density", f"memorise.lanes={lanes}", f"memorise.ips={ips}")]
        modelled = json.loads(run("estimate", "--family", "hdreason", "--board", "u50", "--dataset", "./kg", "--set=dim=256", *design, "--format", "json"))["stages"]
        simulated = json.loads(run("simulate", "--family", "hdreason", "--model", "kg.npz", "--dataset", "./kg", *design, "--format", "json"))["engines"]
        for stage in ("memorise", "bind"):
            expected = max(engine["cycles_mean"] + engine["waiting_cycles"] for engine in simulated if engine["stage"] == stage)
            error = next(row["cycles"] for row in modelled if row["name"] == stage) / expected - 1.0
            good = abs(error) <= 0.03
            failures += not good
            print(f"{lanes} lanes, {ips} IPs, {stage}: {expected:.0f} cycles, modelled {error:+.1%}{'' if good else ', more than 3 %'}")
sys.exit(failures > 0)
