"""usage: own_sources.py PROGRAM ROOT

User sources match their descriptions: `emit --check` finds no violation in examples/accelerators/systolic and in the tutorial's kernel,
for designs of every type, with few and many lanes, at the lowest and highest clock and at odd sizes; and it finds deliberate faults. Exit code 77 if
the checker is not built."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

program, root = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
if not Path(program).with_name("nysx-hls-check").exists():
    print("the checker is not built")
    sys.exit(77)
SYSTOLIC = [("rows=2 columns=4 type=int16 clock_mhz=200", "m=8,k=12,n=8"), ("rows=8 columns=2 type=int8 clock_mhz=300", "m=17,k=5,n=9"),
            ("rows=4 columns=4 type=fp32 clock_mhz=300", "m=64,k=64,n=64"), ("rows=16 columns=8 type=fp32 clock_mhz=150", "m=1,k=33,n=40")]
MINE = [("lanes=1 type=int8 clock_mhz=150", "rows=7,columns=9"), ("lanes=16 type=int16 clock_mhz=300", "rows=1024,columns=512"),
        ("lanes=4 type=fp32 clock_mhz=300", "rows=33,columns=17"), ("lanes=8 type=fp32 clock_mhz=200", "rows=2,columns=64")]
BROKEN = [("columns", "MINE_PIPELINE_COLUMNS\n", "\n"), ("vector", "    MINE_ARRAY_PARTITION_VECTOR\n", ""), ("matrix", "    MINE_INTERFACE_MATRIX\n", ""),
          ("columns", "w < MINE_ROWS * MINE_STEPS", "w < MINE_ROWS * MINE_STEPS + 1"), ("input", "input[c]", "input[c + 1]"), ("sdiv", "sum = (c == 0 ? 0 : sum) + products", "sum = sum / 3 + products")]


def run(*words, answer=0, cwd=None):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == answer, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout


def check(family, sources, design, work, place, answer=0):
    run("emit", "--family", family, *(word for knob in design.split() for word in ("--set", knob)), "--workload", work, "-q", "--overwrite", "-o", place)
    for name, text in sources.items():
        Path(place, name).write_text(text, encoding="utf-8")
    return run("emit", "--check", place, answer=answer)


with tempfile.TemporaryDirectory() as made:
    systolic = root / "examples/accelerators/systolic"
    assert "put the source beside" in subprocess.run([program, "emit", "--family", systolic.with_suffix(".yaml"), "-q", "-o", f"{made}/none", "--check"], capture_output=True,
                                                     text=True, check=False).stderr
    assert "names no `source`" in subprocess.run([program, "emit", "--family", root / "examples/accelerators/first.yaml", "-q", "-o", f"{made}/none", "--check"], capture_output=True,
                                                 text=True, check=False).stderr
    for design, work in SYSTOLIC:
        check(systolic.with_suffix(".yaml"), {"systolic.c": (systolic / "systolic.c").read_text(encoding="utf-8")}, design, work, f"{made}/systolic")
    shutil.copytree(root / "examples/accelerators", f"{made}/examples")
    for design, interval in (("--set rows=8", 1), ("--set rows=8 --set type=fp32 --set clock_mhz=200", 4)):  # the header of the requested DESIGN
        told = subprocess.run(["make", "-s", "-C", f"{made}/examples/systolic", "run", "check", f"NYSX={program}", f"DESIGN={design}"], capture_output=True, text=True, check=True).stdout
        assert told.startswith("0 of 4096 sums are wrong") and re.search(rf"^steps +{interval} +{interval} ", told, re.M), told
    page = (root / "docs/tutorials/own-kernel.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)
    describe = "".join(block for block in blocks if "mine.yaml" in block and "wrong" not in block and "--set" not in block and "sweep" not in block)
    subprocess.run(["bash", "-e"], input=describe, cwd=made, check=True, text=True, capture_output=True, env={**os.environ, "PATH": f"{os.path.dirname(program)}:{os.environ['PATH']}"})
    kernel = re.search(r"^cat > made/multiply.c <<'END'\n(.*?)^END$", page, re.M | re.S)[1]
    for design, work in MINE:
        check(f"{made}/mine.yaml", {"multiply.c": kernel}, design, work, f"{made}/mine")
    for what, good, wrong in BROKEN:
        assert good in kernel, good
        said = check(f"{made}/mine.yaml", {"multiply.c": kernel.replace(good, wrong)}, *MINE[1], f"{made}/mine", answer=1)
        assert what in said, (what, said)
print(f"{len(SYSTOLIC) + len(MINE)} designs hold, {len(BROKEN)} broken sources are found")
