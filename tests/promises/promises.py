#!/usr/bin/env python3
"""Tests the promises of docs/evidence/reliability.md on the program: promises.py PROGRAM SHIM PROMISE... [--full] [--jobs N] [--only NAME]

Promises: memory, kill, disk, bytes, hostile. Without --full, a promise over every n takes a sample of them (from a fixed generator, equal
in each run). Exit code 1 if a promise does not hold; prints the command and the n.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

import asked
import hostile
import switched
import threads
import written

SMALL = ("--fix lshu.pe=4 --fix hue.pe=4 --fix clock_mhz=300 --fix place.h=bram --fix nee.lanes=16 --fix kse.pe=4 "
         "--fix nee.port_bits=512 --fix nee.outstanding=16 --fix mphe.lookups=1 --fix units=1 --fix sce.bits --fix landmarks=32 "
         "--fix dim --fix lshu.balance --fix kse.balance --fix sce.pe --fix place.codebook --fix place.prototypes "
         "--fix mphe.gamma --method exact")

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Name, words, outputs.
COMMANDS = [
    ("boards", "boards list --format json", []),
    ("datasets", "datasets show TOY --format json", []),
    ("estimate", "estimate --from kept.db:1 --format json", []),
    ("train", "train --dataset TOY --set landmarks=8 --set dim=256 -o new.npz -q", ["new.npz"]),
    ("infer", "infer --model model.npz --dataset TOY --predictions p.csv --format json", ["p.csv"]),
    ("simulate", "simulate --model model.npz --dataset TOY --format json", []),
    ("sweep", f"sweep --board zcu104 --dataset MUTAG {SMALL} --study new.db --jobs 1 --format json", ["new.db"]),
    ("export", "study export kept.db --format json -o kept.json", ["kept.json"]),
    ("emit", "emit --from kept.db:1 --only header -o design -q", ["design"]),
]
VERSION = ("version", "version -o v.txt", ["v.txt"]) 
REPORT = ("report", "report --study kept.db -o page.html", ["page.html"])
# Commands that use optional resources, and continue without them.
COMBINED = ("combined", f"sweep --board zcu104 --dataset MUTAG --dataset BZR --combine mean --quality-drop none {SMALL} --jobs 1 --format json", [])
PLOT = ("plot", "plot front --study kept.db -o front.svg", ["front.svg"])
RESUME = ("resume", f"sweep --board zcu104 --dataset MUTAG {SMALL} --study new.db --resume --jobs 1 --format json", ["new.db"])
TIMES = ("seconds", "solve_s", "s_per_", "trained in", "inference_s", "training_s", '"time', "_seconds", '"elapsed')


class Bench:
    def __init__(self, arguments):
        self.program = os.path.abspath(arguments.program)
        self.shim = os.path.abspath(arguments.shim)
        self.full, self.jobs = arguments.full, arguments.jobs
        self.folder = tempfile.mkdtemp(prefix="nysx-promises-")
        self.failures, self.small = 0, SMALL
        self.inputs = os.path.join(self.folder, "inputs")
        made = os.environ.get("NYSX_MADE") or os.path.join(self.folder, "made")
        if "NYSX_MADE" not in os.environ:
            subprocess.run([os.path.join(TESTS, "cli/made"), self.program, made], check=True)
        os.mkdir(self.inputs)
        shutil.copytree(os.path.join(made, "TOY"), os.path.join(self.inputs, "TOY"))
        shutil.copy(os.path.join(made, "model.npz"), self.inputs)
        self.run(f"sweep --board zcu104 --dataset MUTAG {SMALL} --study kept.db -q".split(), self.inputs, check=True)

    def run(self, words, folder, check=False, shim=None, before=None, timeout=120, **more):
        cache = {"XDG_CACHE_HOME": os.path.join(self.folder, "cache")}  # without other surveys
        environment = dict(os.environ, **cache, **(more.pop("environment", None) or {}))
        if shim:
            environment.update(shim, LD_PRELOAD=self.shim)
        done = subprocess.run([self.program] + words, cwd=folder, env=environment, preexec_fn=before, timeout=timeout,
                              stdout=more.get("stdout", subprocess.PIPE), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            sys.exit(f"promises: {' '.join(words)}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def place(self, name):
        """A new folder with the inputs."""
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.inputs, folder)
        return folder

    def fail(self, what):
        self.failures += 1
        if self.failures <= 40:
            print("FAILED:", what, flush=True)

    def sample(self, count, some):
        if self.full or count <= some:
            return list(range(1, count + 1))
        ends = list(range(1, some // 4)) + list(range(count - some // 8, count + 1))
        return sorted(set(ends + random.Random(21).sample(range(1, count + 1), some // 2)))

    def each(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(function, items))


def untimed(text):
    """The text without lines that state durations."""
    return b"\n".join(line for line in text.split(b"\n") if not any(word.encode() in line for word in TIMES))


def content(path):
    """Content of a file (bytes) or folder (dictionary), without times."""
    if os.path.isdir(path):
        return {name: content(os.path.join(path, name)) for name in sorted(os.listdir(path))}
    with open(path, "rb") as stream:
        return stream.read()


def listing(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def wrong(done, folder, before, outputs):
    """Error in a run without resources, or None: exit 4 leaves only whole outputs; anything else is success."""
    said = done.stderr.decode(errors="replace")
    left = [f for f in listing(folder) if f not in before]
    strange = [f for f in left if not any(f == o or f.startswith(o + "/") or (o.endswith(".db") and f.startswith(o)) for o in outputs)]
    if done.returncode not in (0, 4):
        return f"exit {done.returncode}: {said[-300:]}"
    if strange:
        return f"exit {done.returncode}, and left behind: {strange}"
    if done.returncode == 4 and [f for f in left if not f.startswith("new.db")]:
        return f"exit 4, and half written: {left}"
    return None


# Name, words, outputs: a command of each name, in few threads, whose stacks take address space.
LIMITED = COMMANDS + [
    VERSION, REPORT, COMBINED, PLOT,
    ("boards check", "boards show zcu104", []),
    ("calibrate", f"calibrate {TESTS}/resources/reports/own_csynth_2022.xml {TESTS}/resources/reports/own_utilization_2019.rpt", []),
    ("completions", "completions bash", []),
    ("ilp", "optimize --board zcu104 --dataset MUTAG --minimize energy --method ilp --fix nee.form=factored --fix landmarks --fix dim --fix hops --fix clock_mhz --fix units", []),
    ("heuristic", "sweep --board zcu104 --dataset MUTAG --method heuristic --budget 300", []),
    ("generate", "datasets generate MADE --graphs 12 --nodes 6 --seed 3", ["MADE"]),
    ("profile", "datasets profile ./TOY --landmarks 4 --seeds 0 -o toy.xml", ["toy.xml"]),
    ("roofline", "roofline --board zcu104 --dataset MUTAG -o roofline.svg", ["roofline.svg"]),
    ("run", "run plan.yaml", ["listed.csv"]),
    ("study", "study show kept.db --format json", []),
    ("validate", "validate --against simulation --dataset ./TOY --configurations 2", []),
    ("whatif", "whatif --board zcu104 --dataset MUTAG --set hue.pe=8", []),
]
STEP = 128 << 10
LEAST, MOST = (56 << 20) // STEP, (4096 << 20) // STEP  # below the minimum, the loader finds no room for the libraries
# An allocation that fails in a library is reported; OpenBLAS waits for ever where it finds none, and is not loaded then (executor/algebra.h).
OUT_OF_MEMORY = re.compile(r"nysx-dse: (cannot draw: )?out of memory\n|nysx-dse: OpenBLAS cannot be loaded: the address space is limited to \d+ bytes\n")


def promise_memory(bench, some):
    """With decreasing address space each command succeeds, or ends with exit code 4 and one line; nothing is half written."""
    written.prepare(bench, hostile.loadable)
    for name, words, outputs in [c for c in LIMITED if bench.only in ("", c[0])]:
        words = words.split() + [w for w in ("-q",) if w not in words.split()] + ([] if "--jobs" in words else ["--jobs", "1"])
        tried = {}

        def succeeds(steps):
            folder, space = bench.place(f"memory-{name}-{steps}"), steps * STEP
            try:
                done = bench.run(words, folder, before=lambda: resource.setrlimit(resource.RLIMIT_AS, (space, space)))
            except subprocess.TimeoutExpired:
                return bench.fail(f"memory: {name}: {space} bytes: does not end")
            if done.returncode == 127:  # the loader
                return False
            said = done.stderr.decode(errors="replace")
            problem = wrong(done, folder, listing(bench.inputs), outputs)
            if done.returncode == 4 and not OUT_OF_MEMORY.fullmatch(said):
                problem = problem or f"exit 4 with other words: {said[-300:]}"
            if problem:
                bench.fail(f"memory: {name}: {space} bytes: {problem}")
            tried[steps] = done.returncode
            shutil.rmtree(folder)
            return done.returncode == 0

        few, enough = LEAST, MOST
        if not succeeds(enough):
            bench.fail(f"memory: {name}: {MOST * STEP} bytes are not enough")
        while enough - few > 1:
            middle = few + max((enough - few) // 8, 1)
            few, enough = (few, middle) if succeeds(middle) else (middle, enough)
        bench.each(succeeds, sorted(set(range(LEAST, enough, max((enough - LEAST) // some, 1))) - set(tried)))
        failed = sum(code == 4 for code in tried.values())
        print(f"memory: {name}: {len(tried)} limits, {failed} of them too small; {enough * STEP >> 10} KiB are enough", flush=True)
    asked.promise_library(bench)


def old_design(bench, folder):
    """Another design at the new one's place, and a user's file."""
    bench.run("emit --from kept.db:2 -o design -q".split(), folder, check=True)
    with open(os.path.join(folder, "design", "mine.txt"), "w") as stream:
        stream.write("mine")


KILLED = [("train", COMMANDS[3][1], "new.npz"), ("infer", COMMANDS[4][1], "p.csv"), ("export", COMMANDS[7][1], "kept.json"),
          ("report", REPORT[1], "page.html"), ("emit", COMMANDS[8][1] + " --overwrite", "design")]


def promise_kill(bench, some):
    written.prepare(bench, hostile.loadable)
    further = [(name, words, outputs[0]) for name, words, outputs in written.WRITING]
    for name, words, output in [c for c in KILLED + further if bench.only in ("", c[0])]:
        base = bench.place(f"base-{name}")
        if name == "emit":
            old_design(bench, base)
        elif name != "report" and name not in written.NEW:
            with open(os.path.join(base, output), "w") as stream:
                stream.write("old")
            os.utime(os.path.join(base, output), (0, 0))  # older than its inputs: what `run` makes is not up to date
        before = content(os.path.join(base, output)) if os.path.exists(os.path.join(base, output)) else None
        done, log = os.path.join(bench.folder, f"done-{name}"), os.path.join(bench.folder, f"klog-{name}")
        shutil.copytree(base, done)
        bench.run(words.split(), done, check=True, shim={"NYSX_SHIM_LOG": log})
        after = content(os.path.join(done, output))
        steps = int(dict(line.split() for line in open(log))["steps"])
        if steps == 0 or after == before:
            bench.fail(f"kill: {name}: nothing is written")

        def one(n):
            folder = os.path.join(bench.folder, f"kill-{name}-{n}")
            shutil.copytree(base, folder)
            run = bench.run(words.split(), folder, shim={"NYSX_KILL_AT": str(n)})
            there = os.path.join(folder, output)
            found = content(there) if os.path.exists(there) else None
            if run.returncode != -9:
                bench.fail(f"kill: {name}: step {n} of {steps} did not come")
            elif found != before and found != after:
                bench.fail(f"kill: {name}: step {n} of {steps}: {output} is neither the old nor the new")
            shutil.rmtree(folder)

        cases = bench.sample(steps, some)
        bench.each(one, cases)
        print(f"kill: {name}: killed at {len(cases)} of {steps} steps", flush=True)
    if bench.only in ("", "sweep"):
        kill_study(bench, some, "sweep", RESUME[1], "new.db")


def kill_study(bench, some, name, line, study):
    """Kills a run at each step and resumes it: the export equals that of an uninterrupted run."""
    words = line.split()
    whole, log = bench.place("whole"), os.path.join(bench.folder, f"klog-{name}")
    bench.run(words, whole, check=True, shim={"NYSX_SHIM_LOG": log})
    export = f"study export {study} --format {'csv --all' if name == 'sweep' else 'json'}".split()
    expected = bench.run(export, whole, check=True).stdout
    base = sqlite3.connect(os.path.join(whole, study))
    rounds = base.execute("SELECT sum(rounds_done) FROM explorations").fetchone()[0]
    base.close()
    steps = int(dict(line.split() for line in open(log))["steps"])

    if name == "sweep" and steps < rounds:
        bench.fail(f"kill: {name}: {steps} steps for {rounds} rounds: what a round has found is not synced before the next")

    def one(n):
        folder = bench.place(f"study-{n}")
        bench.run(words, folder, shim={"NYSX_KILL_AT": str(n)})
        again = bench.run(words, folder)
        found = bench.run(export, folder).stdout
        if again.returncode != 0 or found != expected:
            bench.fail(f"kill: {name}: step {n} of {steps}: once more: exit {again.returncode}, another export: {found != expected}")
        shutil.rmtree(folder)

    cases = bench.sample(steps, some)
    bench.each(one, cases)
    print(f"kill: {name}: killed at {len(cases)} of {steps} steps and taken up", flush=True)


def read_only_study(bench):
    """A study with a log left by a kill can be shown on a read-only file system, with the same output."""
    folder, logs = bench.place("read-only"), 0
    for n in (8, 12, 16, 20, 24, 28):
        for name in [f for f in os.listdir(folder) if f.startswith("new.db")]:
            os.remove(os.path.join(folder, name))
        bench.run(RESUME[1].split(), folder, shim={"NYSX_KILL_AT": str(n)})
        if not os.path.exists(os.path.join(folder, "new.db-wal")) or os.path.exists(os.path.join(folder, "new.db-journal")):
            continue
        logs += 1
        shown = bench.run(f"study show {folder}/new.db --format json".split(), folder, shim={"NYSX_READ_ONLY": folder})
        free = bench.run(f"study show {folder}/new.db --format json".split(), folder)
        if shown.returncode != 0 or shown.stdout != free.stdout:
            bench.fail(f"disk: a study on a read-only disk, killed at step {n}: exit {shown.returncode}: {shown.stderr.decode(errors='replace')[-200:]}")
    if logs < 3:
        bench.fail(f"disk: only {logs} kills left a log")
    shutil.rmtree(folder)


def promise_disk(bench, some):
    """A full disk, closed outputs, no descriptors, few of them: exit 4 (or the answer), and no part of a file."""
    def limit(what, value):
        return lambda: resource.setrlimit(what, (value, value))

    def case(name, what, words, outputs, study="new.db", **how):
        folder = bench.place("disk")
        before = listing(folder)
        try:
            done = bench.run(words.split(), folder, timeout=60, **how)
        except subprocess.TimeoutExpired:
            bench.fail(f"disk: {name}: {what}: does not end")
            return
        left = [f for f in listing(folder) if f not in before and not f.startswith(study)]
        whole = [f for f in left if any(f == o or f.startswith(o + "/") for o in outputs)]
        if done.returncode not in (0, 4) or (done.returncode == 4 and left != whole) or done.returncode < 0:
            bench.fail(f"disk: {name}: {what}: exit {done.returncode}, left {left}: {done.stderr.decode(errors='replace')[-200:]}")
        if study != "new.db" and bench.run(words.split(), folder).returncode != 0:
            bench.fail(f"disk: {name}: {what}: once there is room it does not go on")

    def full(size):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    written.prepare(bench, hostile.loadable)
    for name, words, outputs in [c for c in COMMANDS + [REPORT] + written.WRITING if bench.only in ("", c[0])]:
        for size in (0, 100, 4096) if outputs else ():
            case(name, f"a disk that is full after {size} bytes of a file", words, outputs, before=lambda: full(size))
        if not outputs:
            with open("/dev/full", "wb") as device:
                case(name, "/dev/full", words, outputs, stdout=device)
            case(name, "closed output", words, outputs, before=lambda: os.close(1), stdout=None)
        case(name, "no descriptor that is free", words, outputs, shim={"NYSX_DESCRIPTORS": "3"})
        for files in (4, 5, 6, 8, 12): # with three the loader finds no library
            case(name, f"{files} descriptors", words, outputs, before=limit(resource.RLIMIT_NOFILE, files))
    if bench.only in ("", "read-only"):
        read_only_study(bench)
    print("disk: outputs and descriptors tried", flush=True)


PROMISES = {"memory": promise_memory, "kill": promise_kill, "disk": promise_disk,
            "bytes": lambda bench, some: switched.promise_bytes(bench, sys.modules[__name__], bench.against),
            "threads": lambda bench, some: threads.promise_threads(bench, sys.modules[__name__]),
            "hostile": hostile.promise_hostile}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("promise", nargs="+", choices=sorted(PROMISES))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--some", type=int, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--against", action="append", default=[], help="bytes: a program of another compiler or optimisation level")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    bench.only, bench.against = arguments.only, arguments.against
    for promise in arguments.promise:
        PROMISES[promise](bench, arguments.some)
    shutil.rmtree(bench.folder)
    if bench.failures:
        print(f"{bench.failures} failures")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
