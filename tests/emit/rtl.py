#!/usr/bin/env python3
"""The emitted SystemVerilog against the executor: designs drawn at random, each with a model of its own, linted,
compiled by Verilator and run over graphs without and with waits at the ports; every answer, C, hypervector and number of
probes must be the executor's. Designs with a queue also run graphs back to back: the interval between two answers is that of `simulate`,
and for a real set within 2 % of the estimate. The test bench must fail on broken designs: on wrong, missing, surplus and late outputs, and on
designs that never end. The cycles counted by a design must be those of `simulate --flow rtl`, graph by graph.

usage: rtl.py PROGRAM [--designs N] [--sets NAME,NAME] [--mutants] [--seed N]
Exit code 77 with a message if Verilator is not installed.
"""
import argparse
import csv
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from folders import simulate_rtl

SKIPPED = 77
GRAPHS = 12  # graphs of a made-up set

FORMS = [
    {"form": "factored", "generator": "sign", "phi-bits": "16", "features": "cores"},
    {"form": "resident", "precision": "int8"},
    {"form": "factored", "generator": "uniform8", "phi-bits": "8", "center": "yes"},
    {"form": "resident", "precision": "binary", "center": "yes"},
    {"form": "factored", "generator": "bits8", "phi-bits": "32"},
    {"form": "resident", "precision": "int4"},
    {"form": "resident", "precision": "int16"},
    {"form": "streamed", "precision": "int16"},
    {"form": "streamed", "precision": "binary", "center": "yes"},
    {"form": "streamed", "precision": "int4"},
    {"form": "streamed", "precision": "fp32", "center": "yes"},
    {"form": "streamed", "precision": "fp16"},
    {"form": "streamed", "precision": "bf16"},
    {"form": "resident", "precision": "fp16", "center": "yes"},
    {"form": "resident", "precision": "int8", "prototypes": "ridge"},
    {"form": "factored", "generator": "sign", "phi-bits": "16", "codes": "wl"},
    {"form": "direct", "codes": "scalar", "center": "yes"},
    {"form": "direct", "codes": "wl", "prototypes": "adaptive", "center": "yes", "center-bits": "4"},
    {"form": "direct", "codes": "wl", "prototypes": "ridge", "center": "yes", "table": "16384"},
]
TUPLES = [  # designs for sets with attributes too
    {"form": "direct", "codes": "tuple", "features": "both", "draws": "4", "prototypes": "ridge", "center": "yes"},
    {"form": "factored", "generator": "sign", "phi-bits": "16", "codes": "tuple", "features": "both", "draws": "2"},
    {"form": "direct", "codes": "tuple", "features": "attributes", "draws": "8", "prototypes": "ridge", "table": "1024"},
    {"form": "resident", "precision": "int8", "codes": "tuple", "features": "labels"},
]
STREAM = {"form": "streamed", "precision": "int8", "landmarks": "9", "dim": "999"}  # a word has several steps, the last word one
REALS = [{"form": "streamed", "precision": precision, "landmarks": "9", "dim": "999"} for precision in ("fp32", "fp16", "bf16")]  # both ends of the range
BEST = {"form": "direct", "codes": "wl", "prototypes": "ridge", "center": "yes", "table": "65536"}
KNOBS = {
    "lshu.pe": [1, 2, 4, 8],
    "lshu.balance": ["none", "ps"],
    "mphe.lookups": [1, 2, 4],
    "mphe.gamma": [1, 2, 4],
    "hue.pe": [1, 2, 4],
    "kse.pe": [1, 2, 4, 8],
    "kse.balance": ["none", "static"],
    "nee.lanes": [8, 16, 32, 64],
    "nee.codes": [1, 2, 4],
    "nee.port_bits": [32, 128, 512],
    "nee.fifo_depth": [16, 64, 128],
    "nee.outstanding": [1, 2, 16],
    "sce.pe": ["one", "all"],
    "sce.bits": [32, 64, 128],
    "place.h": ["bram", "lutram"],
    "place.codebook": ["bram", "lutram"],
}

# file, text, replacement, required message of the bench
MUTANTS = [
    ("nysx_nee.sv", "signs_o[l] <= !sum_q[SUM_BITS-1];", "signs_o[l] <= sum_q[SUM_BITS-1];", "hypervector"),
    ("nysx_kse.sv", "(fresh_q ? '0 : sum_q)", "sum_q", "element of C"),
    ("nysx_kse.sv", ".d_i(reading2_q), .q_o(valid_o)", ".d_i(reading2_q && read2_q != '0), .q_o(valid_o)", "number of elements of C"),
    ("nysx_kse.sv", ".d_i(reading2_q), .q_o(valid_o)", ".d_i(reading2_q || (reading1_q && read1_q == '0)), .q_o(valid_o)",
     "number of elements of C"),
    ("nysx_core.sv", "            done_o <= 1'b1;\n            class_q <= IDLE;", "            class_q <= IDLE;", "never ends"),
    ("nysx_core.sv", "answer_q <= 32'(class_found);", "answer_q <= 32'(class_found) ^ 32'd1;", "the class"),
    ("nysx_mphe_lane.sv", "probed_o = valid_q", "probed_o = valid_q && set_q", "number of probes"),
    ("nysx_axi_read.sv", "at_end ? page_end_q : 5'(BURST)", "5'(BURST)", "address that it may not have"),
    ("nysx_axi_read.sv", "page_end_q <= 5'(BURST) - {1'b0, address_i[BYTE_BITS+:4]}", "page_end_q <= 5'(BURST)", "address that it may not have"),
    ("nysx_hue.sv", ".STAGES(SUMMED), .RESET(1'b1)) merged_late", ".STAGES(SUMMED + 1), .RESET(1'b1)) merged_late", "number of cycles of histogram"),
    ("nysx_query.sv", "falls_q[e] <= index < previous;", "falls_q[e] <= 1'b0;", "pointers that fall"),
    ("nysx_lshu_pe.sv", "!loaded || issue && first", "!loaded", ""),
    ("nysx_fp32_round.sv", "(significand_q[2] || significand_q[0] || sticky_q)", "1'b1", ""),
]
STREAM_MUTANTS = [  # mutants of a design whose bursts are limited by `nee.outstanding`
    ("nysx_streamed.sv", "word[32'(step_q)*STEP_BITS+:STEP_BITS]", "word[STEP_BITS-1:0]", "hypervector"),
    ("nysx_streamed.sv", "word_ready = start_i ||", "word_ready = 1'b0 ||", "hypervector"),
    ("nysx_fifo_block.sv", "stored_q != '0 && (!valid_o || ready_i)", "stored_q > 1 && (!valid_o || ready_i)", "never ends"),
    ("nysx_axi_read.sv", "allowed_q <= bursts_q != BURST_BITS'(OUTSTANDING);", "allowed_q <= 1'b1;", "number of cycles of encode"),
    ("nysx_axi_lite.sv", "4'd9: if (STREAMED)", "4'd10: if (STREAMED)", "address that it may not have"),
    ("nysx_core.sv", "p_error ? BUS_ERROR : ", "", "broken port of P"),
]
REAL_MUTANTS = [  # by precision
    [("nysx_nee_lane.sv", "first_i ? 32'b0 : held", "held", "hypervector"),
     ("nysx_nee_lane.sv", "&& sum[30:22] != '1", "", "hypervector"),
     ("nysx_nee.sv", "column_over && needed_q,", "column_over,", "signs came while"),
     ("nysx_nee.sv", ".STAGES(SUM + 1)) write_aside", ".STAGES(SUM)) write_aside", "hypervector"),
     ("nysx_nee.sv", "(valid_i || !needed_q)", "valid_i", "number of cycles of encode"),
     ("nysx_fp32_unpack.sv", "subnormal ? zeros : 5'd0", "5'd0", "hypervector")],
    [("nysx_nee_lane.sv", "<< (23 - FRACTION_BITS)", "<< (22 - FRACTION_BITS)", "hypervector"),
     ("nysx_fp32_product.sv", "<< (24 - A_BITS)", "<< (23 - A_BITS)", "hypervector")],
    [("nysx_fp32_add.sv", "limit3_q[i] <= exponent2_q == 8'(31 - i)", "limit3_q[i] <= 1'b0", "hypervector")],
]
TUPLE_MUTANTS = [  # mutants of a design whose tuple codes take several rounds
    ("nysx_tuple.sv", "first ? '0 : {state[58:0], state[63:59]}", "first ? '0 : state", "hypervector"),
    ("nysx_tuple.sv", "valid_i && room && same == '0", "valid_i && room", "hypervector"),
    ("nysx_tuple.sv", "(32'(start_i) * ROUNDS + 32'(round)) * PARTS + d", "32'(start_i) * ROUNDS * PARTS + d", "hypervector"),
    ("nysx_features.sv", "base_q + ADDRESS'(groups_i);", "base_q + 1'b1;", "hypervector"),
]
DIRECT_MUTANTS = [  # mutants of a design of the direct form, whose lanes have several bits of a place
    ("nysx_direct.sv", ">> (32 - LOWER_BITS - b));", ">> (32 - b));", "hypervector"),
    ("nysx_direct.sv", "{y_q[c*32+:32], y_q[c*32+:32]} >> (32 - b));", "{y_q[c*32+:32], y_q[c*32+:32]} >> (31 - b));", "hypervector"),
    ("nysx_direct.sv", "localparam int unsigned LATE = READ + MIX + 3 + COUNT + 1;", "localparam int unsigned LATE = READ + MIX + 4 + COUNT + 1;", ""),
    ("nysx_direct.sv", ".STAGES(2)) there_later (", ".STAGES(1)) there_later (", "hypervector"),
    ("nysx_direct_lane.sv", "(first_i ? start_i : sum_q)", "sum_q", "hypervector"),
    ("nysx_sce.sv", "(better_q ? above_before_q : above_best_q)", "above_best_q", "the class"),
    ("nysx_weights.sv", "(first ? '0 : sum_q)", "sum_q", "the class"),
    ("nysx_weights.sv", "$signed(read[", "$unsigned(read[", "the class"),
    ("nysx_rom_pieces.sv", "among[which]", "among[which ^ 1'b1]", "the class"),
    ("nysx_rom_pieces.sv", "(b/WIDTH<<BITS)", "b/WIDTH", "the class"),
    ("nysx_sce.sv", "(added_q - constant)", "(-constant)", "the class"),
    ("nysx_sce.sv", "first_q <= valued_class_q == '0;", "first_q <= 1'b0;", "the class"),
]
PIECE_MUTANTS = [  # mutants of a design whose memories have pieces
    ("nysx_ram.sv", ".STAGES(2)) aside", ".STAGES(1)) aside", "hypervector"),
    ("nysx_ram.sv", "write_i && write_address_i[ADDRESS-1:INNER] == (ADDRESS - INNER)'(p)", "write_i", "hypervector"),
]


def run(command, folder=None, check=True):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if check and done.returncode != 0:
        sys.exit(f"rtl: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-3000:]}")
    return done


def to_the_ends(model, precision, draw):
    """Replaces P_nys by numbers at the ends of the format's range, row by row: subnormal and small; large, whose sums overflow; all kinds."""
    bits, exponent_bits = {"fp32": (32, 8), "fp16": (16, 5), "bf16": (16, 8)}[precision]
    most, fraction = 2 ** exponent_bits - 2, bits - 1 - exponent_bits
    kinds = [[0, 1, 2], [most - 1, most], list(range(most + 1))]
    with zipfile.ZipFile(model) as old:
        arrays = [(info, old.read(info)) for info in old.infolist()]
    with zipfile.ZipFile(model, "w") as new:
        for info, data in arrays:
            if info.filename == "p_nys.npy":
                head = data.index(b"\n") + 1
                rows, columns = map(int, re.search(rb"\((\d+), (\d+)\)", data[:head]).groups())
                data = data[:head] + b"".join(
                    (draw.getrandbits(1) << bits - 1 | draw.choice(kinds[row % 3]) << fraction | draw.getrandbits(fraction) & -draw.getrandbits(1)).to_bytes(bits // 8, "little")
                    for row in range(rows) for _ in range(columns))
            new.writestr(info, data)


class Bench:
    def __init__(self, program, folder, draw):
        self.program, self.folder, self.draw = program, pathlib.Path(folder), draw
        self.count = 0

    def made_up(self, nodes=(8, 20), *more):
        name = self.folder / f"set{self.count}"
        run([self.program, "datasets", "generate", name, "--graphs", "40", "--seed", str(self.draw.randrange(1, 999)),
             "--labels", str(self.draw.choice([1, 3, 8])), "--nodes", str(self.draw.choice(nodes)), *more])
        return [str(name)]

    def without_edges(self):
        name = self.folder / "none"
        name.mkdir()
        for what, lines in (("A", []), ("graph_indicator", [i // 6 + 1 for i in range(240)]), ("graph_labels", [i % 2 for i in range(40)]),
                            ("node_labels", [i * i % 3 for i in range(240)])):
            (name / f"none_{what}.txt").write_text("".join(f"{line}\n" for line in lines))
        return [str(name)]

    def emit(self, data, cases, form=None, ends=False, **fixed):
        """The folder of a design with drawn knobs, except the `fixed` ones (their dots written as underscores). `ends`: P_nys is at the ends of its range."""
        form = form or FORMS[self.count % len(FORMS)]
        self.count += 1
        model, out = self.folder / f"m{self.count}.npz", self.folder / f"d{self.count}"
        train = [self.program, "train", "--dataset", *data, "--seed", str(self.draw.randrange(1, 9)), "-o", model]
        real = len(data) > 1
        setting = {} if real else {"landmarks": self.draw.choice(["9", "16", "24"]), "hops": self.draw.choice(["1", "2", "4"]),
                                   "width": self.draw.choice(["0.5", "1", "0.01"])}
        setting.update({"dim": self.draw.choice(["999", "1024", "2000"]), "prototype-bits": self.draw.choice(["1", "2", "4", "8"]),
                        "propagation": self.draw.choice(["A", "row-normalised"]), **form})
        train += [word for name, value in setting.items() for word in (f"--{name}", value)]
        run(train)
        if ends:
            to_the_ends(model, form["precision"], self.draw)
        emit = [self.program, "emit", "--flow", "rtl", "--board", "u280", "--dataset", *data, "--model", model, "--cases",
                str(cases), "--set", "place.p=bram", "--force", "-o", out]
        knobs = {name: self.draw.choice(values) for name, values in KNOBS.items()}
        knobs["overlap"] = self.draw.choice(["none", "queue", "engines", "graphs"] if form["form"] == "direct" else ["none", "queue"])
        knobs.update((name.replace("_", ".", 1), value) for name, value in fixed.items())
        emit += [word for name, value in knobs.items() for word in ("--set", f"{name}={value}")]
        run(emit)
        (self.folder / f"d{self.count}.simulate").write_text("\0".join(map(str, [
            self.program, "simulate", "--flow", "rtl", "--board", "u280", "--dataset", *data, "--model", model, "--set", "place.p=bram",
            *(word for name, value in knobs.items() for word in ("--set", f"{name}={value}")), "-q", "--format", "json", "--cycles"])))
        print(f"rtl: design {self.count}: {data[0]}", *form.values(), *(f"{n}={v}" for n, v in knobs.items()), flush=True)
        return out

    def simulate(self, out, real=False):
        code, text = simulate_rtl(out)  # its compilation has the warnings of `make lint`
        equal = [line for line in text.splitlines() if line.endswith("graphs: equal")]
        if code != 0 or len(equal) != 3 or equal[0].startswith("0 "):
            sys.exit(f"rtl: {out}: exit code {code}\n{text[-2000:]}")
        said = json.loads(self.compare_cycles(out))["total"]
        interval = re.search(r"^interval +([\d.]+) +([\d.]+) +.*, first \d+ ([\d.]+)$", text, re.M)
        if (interval is None) != ("interval_cycles" not in said):
            sys.exit(f"rtl: {out}: an interval is simulated or measured, not both\n{text[-2000:]}")
        if interval is None:
            return equal[0]
        measured, predicted, once = map(float, interval.groups())
        if abs(once - said["interval_cycles"]) > 1e-5:
            sys.exit(f"rtl: {out}: an interval of {once} cycles, and simulate says {said['interval_cycles']}")
        # The estimate is of the cases' graphs: the interval, and its share of a graph's cycles
        graph = re.search(r"^graph +([\d.]+) +(\d+) ", text, re.M)
        share, estimated = measured / float(graph[1]), predicted / float(graph[2])
        if real and max(abs(estimated / share - 1), abs(predicted / measured - 1)) > 0.02:
            sys.exit(f"rtl: {out}: an interval of {measured} cycles, {share:.4f} of a graph's, and the estimate says {predicted}, {estimated:.4f}")
        return f"{equal[0]}, {measured} cycles apart, {predicted} by the estimate"

    def compare_cycles(self, out):
        """Checks that each graph's stages take the cycles of `simulate --flow rtl`; returns the output."""
        printed = run((out.parent / f"{out.name}.simulate").read_text().split("\0") + [out / "simulated.csv"])
        with open(out / "simulated.csv", newline="") as file:
            rows = [{k[6:]: int(v) for k, v in row.items() if k.startswith("stage.")} for row in csv.DictReader(file)]
        for graph, (line, row) in enumerate(zip((out / "cycles.txt").read_text().splitlines(), rows)):
            counted = dict(zip(row, map(int, line.split())))
            if counted != row:
                sys.exit(f"rtl: {out}: graph {graph} takes {counted}, and simulate says {row}")
        return printed.stdout

    def break_it(self, out, mutants):
        for name, old, new, says in mutants:
            path, copy = out / name, out / (name + ".right")
            text = path.read_text()
            if old not in text:
                sys.exit(f"rtl: {name} has no more {old!r}: the list of breakages is old")
            shutil.copy(path, copy)
            path.write_text(text.replace(old, new, 1))
            code, said = simulate_rtl(out, "WARNINGS=-Wno-lint -Wno-style")
            shutil.move(copy, path)
            if code == 0 or says not in said:
                sys.exit(f"rtl: {name} broken by {new!r}, and the bench says: {said[-2000:]}")
            print(f"rtl: {name} broken: seen", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--designs", type=int, default=1)
    parser.add_argument("--sets", default="")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if shutil.which("verilator") is None:
        print("SKIPPED: verilator is not installed, and nothing of the emitted SystemVerilog was run", file=sys.stderr)
        sys.exit(SKIPPED)
    data_dir = os.environ.get("NYSX_DATA_DIR", "../shared/datasets")
    with tempfile.TemporaryDirectory(prefix="nysx-rtl-") as folder:
        bench = Bench(pathlib.Path(options.program).resolve(), folder, random.Random(options.seed))
        for n in range(options.designs):  # the first has a queue whose graphs' nodes the processor numbers
            out = bench.emit(bench.made_up(), GRAPHS, **({} if n else {"overlap": "queue", "lshu_balance": "ps"}))
            print("rtl:", bench.simulate(out), flush=True)
        if options.mutants:
            bench.break_it(out, MUTANTS)
            out = bench.emit(bench.made_up(), GRAPHS, form=FORMS[-1], nee_lanes=256)
            print("rtl:", bench.simulate(out), flush=True)
            bench.break_it(out, DIRECT_MUTANTS)
        out = bench.emit(bench.made_up(), GRAPHS, form=STREAM, nee_lanes=8, nee_port_bits=256, nee_fifo_depth=128, nee_outstanding=1)
        print("rtl:", bench.simulate(out), flush=True)
        bench.break_it(out, STREAM_MUTANTS if options.mutants else STREAM_MUTANTS[1:2])
        for n in range(3 if options.mutants else 1):
            out = bench.emit(bench.made_up(), GRAPHS, form=REALS[n], ends=True, nee_lanes=8, nee_fifo_depth=128)
            print("rtl:", bench.simulate(out), flush=True)
            bench.break_it(out, REAL_MUTANTS[n] if options.mutants else REAL_MUTANTS[n][1:2])
        # More lookups per cycle than a graph has nodes: lint only, for counters narrower than their counts.
        run(["make", "-s", "lint"], bench.emit(bench.made_up([4]), GRAPHS, mphe_lookups=16, nee_codes=16))
        # Marks of all lanes that are wider than the 8,192 bits of a replication.
        run(["make", "-s", "lint"], bench.emit(bench.made_up([200]), GRAPHS, form=FORMS[-1], nee_lanes=1024))
        # Counts of non-zeros of one bit.
        nothing = bench.without_edges()
        for form in (FORMS[1], FORMS[-1]):
            run(["make", "-s", "lint"], bench.emit(nothing, GRAPHS, form=form))
        for name in filter(None, options.sets.split(",")):
            if not pathlib.Path(data_dir, name + ".zip").exists():
                print(f"SKIPPED: {data_dir} has no {name}; set NYSX_DATA_DIR", file=sys.stderr)
                continue
            out = bench.emit([name, "--data-dir", data_dir], 100000, BEST, overlap="graphs", lshu_balance="none")
            print("rtl:", name, bench.simulate(out, real=True), flush=True)
        for n in range(1 + options.designs // 4):  # the first takes two rounds for a node's codes
            fixed = {} if n else {"lshu_pe": 2, "nee_codes": 4}
            out = bench.emit(bench.made_up((3, 20), "--attributes", "3"), GRAPHS, form=TUPLES[n % len(TUPLES)], **fixed)
            print("rtl:", bench.simulate(out), flush=True)
            if options.mutants and n == 0:
                bench.break_it(out, TUPLE_MUTANTS)
        out = bench.emit(bench.made_up([1500]), 3, form=FORMS[-1], lshu_pe=1, nee_codes=1, nee_lanes=64, overlap="none")
        print("rtl:", bench.simulate(out), flush=True)
        bench.break_it(out, PIECE_MUTANTS if options.mutants else PIECE_MUTANTS[:1])


if __name__ == "__main__":
    main()
