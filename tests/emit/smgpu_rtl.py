#!/usr/bin/env python3
"""The engines of the SMGPU in SystemVerilog against the executor: drawn designs, linted, compiled by Verilator and run over the instructions of
real and made-up graphs, without disturbance, with waits and with resets. All bits must equal the executor's, all cycles those of
`simulate`. --mutants breaks the sources, one change at a time, and each must be found.

usage: smgpu_rtl.py PROGRAM [--designs N] [--sets NAME,NAME] [--mutants] [--seed N]
Exit code 77 with a message if Verilator is not installed.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from folders import simulate_rtl

SKIPPED = 77
KNOBS = {
    "array.rows": ["1", "2", "4", "8"],
    "hd.banks": ["1", "3", "4", "8"],
    "dim": ["500", "1024", "2000"],
    "cache.bits": ["64", "100", "256"],
    "cache.entries": ["64", "150"],
    "precision": ["q8.24", "q16.16"],
    "order": ["1", "3", "8"],
    "time": ["0.5", "1", "3"],
}

# file, text, replacement
MUTANTS = [
    ("smgpu_scan.sv", "low1_q < SUM'(own_low_q) ? own_low_q : low1_q >", "low1_q >"),
    ("smgpu_scan.sv", "first_i[i] ? term : LEAST", "first_i[i] ? LEAST : LEAST"),
    ("smgpu_scan.sv", "if (valid) carry_q <= value;", "if (valid) carry_q <= sum_o[32*i+:32];"),
    ("smgpu_hold.sv", "fits ? value_i[31:0] :", "1'b1 ? value_i[31:0] :"),
    ("smgpu_product.sv", "coarse_i ? whole[63:16]", "coarse_i ? {whole[62:16], 1'b0}"),
    ("smgpu_mul.sv", "a_high = a_i[31:16]", "a_high = {1'b0, a_i[30:16]}"),
    ("smgpu_newton.sv", "STEPS = 8", "STEPS = 7"),
    ("smgpu_newton.sv", "{1'b0, root, 2'b01}", "{1'b0, root, 2'b00}"),
    ("smgpu_newton.sv", "7'd31 ? 32'sh7fffffff", "7'd30 ? 32'sh7fffffff"),
    ("smgpu_quotient.sv", "less[DIVISOR+1] ? {rest[DIVISOR-1:0], 1'b0}", "less[DIVISOR] ? {rest[DIVISOR-1:0], 1'b0}"),
    ("smgpu_spectral.sv", "later_q <= !later_q && !inserts && too_late;", "later_q <= 1'b0;"),
    ("smgpu_spectral.sv", "!seen_q && !empty && column > at_row_q;", "!seen_q && !empty && column > at_row_q + 1'b1;"),
    ("smgpu_spectral.sv", "(chebyshev && diagonal2 ? one : 34'sd0)", "(diagonal2 ? one : 34'sd0)"),
    ("smgpu_spectral.sv", "pass_q == PRODUCT && step_q != 32'd1;", "pass_q == PRODUCT;"),
    ("smgpu_spectral.sv", "- 32'(!exact) : digits_q", ": digits_q"),
    ("smgpu_spectral.sv", "if (begin_q) rows_before_q <= '0;", "if (start_i) rows_before_q <= '0;"),
    ("smgpu_spectral.sv", "sign ? 32'd0 - magnitude", "1'b0 ? 32'd0 - magnitude"),
    ("smgpu_spectral.sv", "8'(SETTLE) : 8'd1", "8'(SETTLE - 3) : 8'd1"),
    ("smgpu_spectral.sv", "8'(NEWTON + 8)", "8'(NEWTON + 3)"),
    ("smgpu_hd.sv", "{votes_q, 1'b0} > vectors", "{votes_q, 1'b0} >= vectors"),
    ("smgpu_hd.sv", "&& tie_q[i]", "&& !tie_q[i]"),
    ("smgpu_hd.sv", "inner_last && step_b == 32'd0 ?", "inner_last && step_b != 32'd0 ?"),
    ("smgpu_hd.sv", "(other_q ^ read_row) & (ending ? mask_q : '1)", "other_q ^ read_row"),
    ("smgpu_hd.sv", "inner_last ? last_word : words", "words"),
    ("smgpu_hd.sv", "coarse_i ? 5'd16 : 5'd24", "5'd24"),
    ("smgpu_permute.sv", "PLACE_BITS'(i) >= skip_q && ", ""),
    ("smgpu_permute.sv", "wait_q <= spills ? behind :", "wait_q <= spills ? '0 :"),
    ("smgpu_permute.sv", "|| left_q;", ";"),
    ("smgpu_rotate.sv", "places[FIRST+l] ?", "places[FIRST] ?"),
    ("smgpu_lfsr.sv", "stepped[26*32+:32] = stepped", "stepped[25*32+:32] = stepped"),
    ("smgpu_popcount.sv", "+ 3'(six[5])", ""),
    ("smgpu_cache.sv", "{1'b0, bits} >= {sum_q, 1'b0}", "{1'b0, bits} < {sum_q, 1'b0}"),
    ("smgpu_cache.sv", "key_ones_q < best_q", "key_ones_q <= best_q"),
    ("smgpu_cache.sv", "& (last2 ? mask_q : '1)", ""),
    ("smgpu_cache.sv", ">= $signed(threshold)", "> $signed(threshold)"),
    ("smgpu_cache.sv", "alike_q * 32'd10000", "alike_q * 32'd9999"),
    ("smgpu_cache.sv", "6'(KEY_TREE + 8)", "6'(KEY_TREE + 3)"),
]


def run(command, folder=None, check=True):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if check and done.returncode != 0:
        sys.exit(f"smgpu_rtl: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-3000:]}")
    return done


class Bench:
    def __init__(self, program, folder, draw):
        self.program, self.folder, self.draw, self.count = program, pathlib.Path(folder), draw, 0

    def made_up(self):
        name = self.folder / f"set{self.count}"
        run([self.program, "datasets", "generate", name, "--graphs", "30", "--seed", str(self.draw.randrange(1, 999)), "--labels", "3", "--nodes",
             str(self.draw.choice([6, 14, 30]))])
        return str(name)

    def emit(self, data, cases, **fixed):
        self.count += 1
        out = self.folder / f"d{self.count}"
        knobs = {name: self.draw.choice(values) for name, values in KNOBS.items()}
        knobs.update({name.replace("_", "."): value for name, value in fixed.items()}, spectral="yes", nodes="256")
        run([self.program, "emit", "--family", "smgpu", "--flow", "rtl", "--dataset", data, "--train", "--preset", "paper", "--cases", str(cases), "--force",
             "-q", *(word for name, value in knobs.items() for word in ("--set", f"{name}={value}")), "-o", out])
        print(f"smgpu_rtl: design {self.count}: {pathlib.Path(data).name}", *(f"{n}={v}" for n, v in knobs.items()), flush=True)
        return out

    def simulate(self, out):
        run(["make", "-s", "lint"], out)
        code, said = simulate_rtl(out)
        equal = [line for line in said.splitlines() if line.endswith("graphs: equal")]
        if code != 0 or len(equal) != 3 or equal[0].startswith("0 "):
            sys.exit(f"smgpu_rtl: {out}: exit code {code}\n{said[-2000:]}")
        wrong = [line for line in (out / "cycles.txt").read_text().splitlines() if line.split()[2] != line.split()[3]]
        if wrong:
            sys.exit(f"smgpu_rtl: {out}: engine, operation, cycles and those of simulate: {wrong[:5]}")
        return equal[0]

    def break_it(self, out):
        for name, old, new in MUTANTS:
            path, copy = out / name, out / (name + ".right")
            text = path.read_text()
            if old not in text:
                sys.exit(f"smgpu_rtl: {name} has no more {old!r}: the list of breakages is old")
            shutil.copy(path, copy)
            path.write_text(text.replace(old, new, 1))
            code, said = simulate_rtl(out, "WARNINGS=-Wno-lint -Wno-style")
            shutil.move(copy, path)
            if code == 0:
                sys.exit(f"smgpu_rtl: {name} broken by {new!r} in the place of {old!r}, and the bench sees nothing")
            if "instruction" not in said and "latency" not in said.lower():
                sys.exit(f"smgpu_rtl: {name} broken by {new!r}: {said[-1500:]}")
            print(f"smgpu_rtl: {name}: {old!r} broken: seen", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--designs", type=int, default=1)
    parser.add_argument("--sets", default="")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if shutil.which("verilator") is None:
        print("SKIPPED: verilator is not installed (apt-get install verilator)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="nysx-smgpu-rtl-") as folder:
        bench = Bench(arguments.program, folder, random.Random(arguments.seed))
        for name in [n for n in arguments.sets.split(",") if n]:
            print("smgpu_rtl:", bench.simulate(bench.emit(name, 2)), flush=True)
        for _ in range(arguments.designs):
            print("smgpu_rtl:", bench.simulate(bench.emit(bench.made_up(), 3)), flush=True)
        done = run([arguments.program, "validate", "--family", "smgpu", "--dataset", bench.made_up(), "--against", "rtl", "--configurations", "1"], check=False)
        if done.returncode != 1 or "has only single engines" not in done.stdout:
            sys.exit(f"smgpu_rtl: validate --against rtl: {done.returncode}, {done.stdout}")
        if arguments.mutants:
            bench.break_it(bench.emit(bench.made_up(), 2, array_rows="2", hd_banks="3", dim="500", cache_bits="100", precision="q8.24", order="3"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
