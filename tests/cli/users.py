"""usage: users.py PROGRAM

What new users stumbled over, tried as they did: a first question, a wrong word, a pipe, a copied program.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

program = str(pathlib.Path(sys.argv[1]).resolve())
folder = tempfile.TemporaryDirectory(prefix="nysx-users-")
os.chdir(folder.name)
environment = {**os.environ, "XDG_DATA_HOME": folder.name + "/xdg", "XDG_CACHE_HOME": folder.name + "/cache"}
environment.pop("NYSX_DATA_DIR", None)
checks = 0


def run(*words, code=0, program=program, **more):
    done = subprocess.run([program, *words], capture_output=True, text=True, env=environment, **more)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def check(condition, *what):
    global checks
    checks += 1
    assert condition, what


def doctor():
    tools = json.loads(run("doctor", "--format", "json").stdout)["results"]
    check(all(tool["purpose"] and tool["remedy"] for tool in tools) and {"cc", "verilator", "v++"} <= {tool["tool"] for tool in tools}, tools)
    # A tool is found by PATH and by nothing else.
    os.makedirs("bin")
    pathlib.Path("bin/vivado").write_text("#!/bin/sh\n")
    os.chmod("bin/vivado", 0o755)
    found = {tool["tool"]: tool["path"] for tool in json.loads(subprocess.run(
        [program, "doctor", "--format", "json"], capture_output=True, text=True, env={**environment, "PATH": folder.name + "/bin:/usr/bin:/bin"}).stdout)["results"]}
    check(found["vivado"] == folder.name + "/bin/vivado", found)
    check("vivado: " in run("doctor").stdout or shutil.which("vivado"), "the remedy of what is missing")


def checker_missing():
    """Said before a model is trained, with what builds it."""
    os.makedirs("copy/share", exist_ok=True)
    shutil.copy(program, "copy/nysx-dse")
    alone = {**environment, "PATH": "/bin"}
    done = subprocess.run(["copy/nysx-dse", "emit", "--dataset", "MUTAG", "--check", "-o", "none"], capture_output=True, text=True, env=alone)
    if shutil.which("nysx-hls-check", path="/bin"):
        return
    check(done.returncode == 4 and "LLVM 14 to 19" in done.stderr and "made-up" not in done.stderr and not os.path.exists("none"), done)
    pathlib.Path("CMakeCache.txt").write_text("")  # as below a build folder
    done = subprocess.run(["copy/nysx-dse", "emit", "--check", "none"], capture_output=True, text=True, env=alone)
    check("cmake --build" in done.stderr and "nysx-hls-check" in done.stderr, done.stderr)


def one_denominator():
    """Every share of the board is one of what a kernel may use: in `sweep`, `estimate`, and --where."""
    design = json.loads(run("estimate", "--dataset", "MUTAG", "--format", "json").stdout)
    shares = {name: design["total"][name] / limit for name, limit in design["limits"].items() if limit}
    name, most = max(shares.items(), key=lambda item: item[1])
    line = next(line for line in run("sweep", "--dataset", "MUTAG", "-q").stdout.splitlines() if line.startswith("balanced"))
    check(re.search(rf"{100 * most:.0f} % {name.upper()}", line), line, shares)
    table = run("estimate", "--dataset", "MUTAG").stdout
    check(re.search(rf"^{name.upper()} .* {100 * most:.1f} %", table, re.M), table, shares)
    words = ["estimate", "--from", "s.db:best", "--format", "json"]
    above, below = (f"{name}<={100 * most + delta:.2f}%" for delta in (0.01, -0.01))
    fixed = [word for knob, value in design["config"].items() for word in ("--fix", f"{knob}={value}")]
    run("optimize", "--dataset", "MUTAG", "--minimize", "latency", "--quality-drop", "none", *fixed, "--where", above)
    run("optimize", "--dataset", "MUTAG", "--minimize", "latency", "--quality-drop", "none", *fixed, "--where", below, code=1)


def widths():
    for words in (["--wide"], ["--top", "5"], ["--front", "9"]):
        wide = run("sweep", "--dataset", "MUTAG", "-q", *words).stdout
        check(max(map(len, wide.splitlines())) <= 120, max(wide.splitlines(), key=len))


def wrong_words():
    done = run("estimate", "--dataset", "MUTAG", "--set", "clock_mhz=900", code=2)
    check(done.stdout == "" and "400 MHz" in done.stderr, done)
    run("estimate", "--dataset", "MUTAG", "--set", "clock_mhz=400")
    both = run("estimate", "--dataset", "MUTAG", "--board", "pynq-z2", "--board", "zcu104", "--set", "clock_mhz=300")
    check("does not reach" in both.stdout, "one of two boards reaches it")
    run("datasets", "generate", "cites", "--kind", "nodes", "-q")
    run("datasets", "generate", "rows", "--kind", "table", "-q")
    for words, family in ((["train", "--dataset", "cites/"], "gat"), (["sweep", "--dataset", "rows/"], "hydraf")):
        done = run(*words, code=2)
        check(f"--family {family}" in done.stderr, done.stderr)


for step in (doctor, checker_missing, one_denominator, widths, wrong_words):
    step()
print(f"{checks} checks hold")
