#!/usr/bin/env python3
"""Compares the RTL's single-precision operators with the processor's: one sum, product and quotient per cycle of random bits, half of them
near the ends of the range (subnormals, infinities, NaN, equal exponents), and conversions of integers. Each must have its latency.

usage: fp32.py. Exit code 77 with a message if Verilator is not installed."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

RTL = pathlib.Path(__file__).resolve().parents[2] / "models/nysx/rtl"
TOP = """module top (input logic clk_i, input logic [31:0] a_i, input logic [31:0] b_i, output logic [31:0] sum_o, output logic [31:0] product_o,
            output logic [31:0] quotient_o, output logic [31:0] real_o);
  nysx_fp32_add add (.clk_i, .a_i, .b_i, .sum_o);
  nysx_fp32_mul mul (.clk_i, .a_i, .b_i, .product_o);
  nysx_fp32_div div (.clk_i, .a_i, .b_i, .quotient_o);
  nysx_to_fp32 #(.WIDTH(32)) to_fp32 (.clk_i, .value_i($signed(a_i)), .result_o(real_o));
endmodule
"""
BENCH = r"""#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include "Vtop.h"

static uint64_t state = 88172645463325252u;
static uint32_t draw() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return uint32_t(state >> 16); }
static float number(uint32_t bits) { float f; std::memcpy(&f, &bits, 4); return f; }
static uint32_t bits_of(float f) { uint32_t b; std::memcpy(&b, &f, 4); return std::isnan(f) ? 0x7fc00000u : b; }
static const uint32_t ends[] = {0, 1, 2, 23, 24, 25, 126, 127, 128, 150, 230, 253, 254, 255};

static uint32_t operand()
{
    uint32_t value = draw(), kind = draw();
    if (kind & 1)
        value = (value & 0x807fffffu) | ends[kind / 2 % (sizeof ends / sizeof *ends)] << 23;
    if ((kind >> 10 & 7) == 0) /* few bits: ties, powers of two, zeros */
        value &= 0xff800000u | 0x7fffffu << (draw() % 24);
    return value;
}

int main()
{
    static const char *const name[] = {"sum", "product", "quotient", "number"};
    static const int latency[] = {6, 6, 18, 4};
    const int turns = 2000000;
    static uint32_t a[32], b[32];
    Vtop top;
    for (int t = 0; t < turns; t++) {
        top.a_i = a[t % 32] = operand();
        top.b_i = b[t % 32] = draw() % 8 == 0 ? a[t % 32] ^ (draw() & 0x80000003u) : operand();
        top.clk_i = 0;
        top.eval();
        const uint32_t got[] = {top.sum_o, top.product_o, top.quotient_o, top.real_o};
        for (int k = 0; t >= 32 && k < 4; k++) {
            const uint32_t x = a[(t - latency[k]) % 32], y = b[(t - latency[k]) % 32];
            const float want = k == 0 ? number(x) + number(y) : k == 1 ? number(x) * number(y) : k == 2 ? number(x) / number(y) : float(int32_t(x));
            if (got[k] != bits_of(want)) {
                std::printf("%s of %08x and %08x: %08x, and %08x is right\n", name[k], x, y, got[k], bits_of(want));
                return 1;
            }
        }
        top.clk_i = 1;
        top.eval();
    }
    std::printf("%d of each: equal\n", turns - 32);
    return 0;
}
"""


def main():
    if shutil.which("verilator") is None:
        print("SKIPPED: verilator is not installed, and the operators were not run", file=sys.stderr)
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="nysx-fp32-") as folder:
        at = pathlib.Path(folder)
        (at / "top.sv").write_text(TOP)
        (at / "bench.cpp").write_text(BENCH)
        subprocess.run(["verilator", "--cc", "--exe", "--build", "-Wno-fatal", "-O3", "-CFLAGS", "-O1 -ffp-contract=off", "-y", RTL, "--top-module", "top", "top.sv", "bench.cpp", "-o", "bench"],
                       cwd=at, check=True, capture_output=True, text=True)
        done = subprocess.run([at / "obj_dir/bench"], capture_output=True, text=True)
        print("fp32:", done.stdout.strip())
        sys.exit(done.returncode)


main()
