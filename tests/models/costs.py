#!/usr/bin/env python3
"""Compares the blocks' costs with tests/costs.csv, which has each block's costs computed by hand from the micro-architecture.

    costs.py PROGRAM CSV COSTS            compares, and prints each cost that differs
    costs.py PROGRAM CSV COSTS --fill     writes the results of the arithmetic into the column `value`

Rows, by their first column:
    workload  family, name, series, shape, numbers: the series that the blocks read; `as`: another workload except for these;
              a series without a shape is left out
    design    family, name, workload, board, knobs
    cost      family, design, block, quantity, value, arithmetic, source

The arithmetic is evaluated here, with the numbers of a cost library's XML read below and independently written packing rules; the
program's own answer is not used. Every block of a family with a design needs three designs, and every non-zero quantity of a listed block needs its row."""
import csv
import math
import subprocess
import sys
import xml.etree.ElementTree as xml
from fractions import Fraction

RESOURCES = ("bram18", "uram", "dsp", "lut", "ff", "lutram")
DESIGNS_A_BLOCK = 3


class Parts:
    """Amounts of resources, which add up; an operator also has a latency."""

    def __init__(self, latency=0, **amounts):
        self.latency = latency
        self.amount = {name: float(amounts.get(name, 0)) for name in RESOURCES}

    def __add__(self, other):
        return Parts(**{name: self.amount[name] + other.amount[name] for name in RESOURCES})

    def __mul__(self, times):
        return Parts(**{name: self.amount[name] * times for name in RESOURCES})

    __rmul__ = __mul__


class Library:
    """A cost library at a clock; entries by their names in the arithmetic."""

    def __init__(self, path, clock_mhz):
        self.root = xml.parse(path).getroot()
        self.clock_mhz = clock_mhz

    @staticmethod
    def entry(at):
        return Parts(int(at.get("latency", 0)), **{name: at.get(name, 0) for name in RESOURCES})

    def op(self, words):
        """The operator (by default in the form listed first) at the slowest clock that is fast enough; above all clocks, the fastest one
        with stretched latency."""
        name, precision, *form = words.split()
        group = next(o for o in self.root.iter("operator")
                     if (o.get("name"), o.get("precision")) == (name, precision) and form in ([], [o.get("form")]))
        points = sorted(group.iter("at"), key=lambda at: float(at.get("clock_mhz")))
        fast = [at for at in points if float(at.get("clock_mhz")) >= self.clock_mhz]
        found = self.entry(fast[0] if fast else points[-1])
        if not fast:
            found.latency = math.ceil(found.latency * self.clock_mhz / float(points[-1].get("clock_mhz")))
        return found

    def structure(self, name, size):
        if size <= 0:
            return Parts()
        group = next(s for s in self.root.iter("structure") if s.get("name") == name)
        step = float(group.get("step", 0))
        if step:
            size = math.ceil(size / step) * step
        points = [(float(at.get("size")), self.entry(at)) for at in group.iter("at")]
        if len(points) == 1:
            return points[0][1] * (size / points[0][0])
        (a, low), (b, high) = next(((p, q) for p, q in zip(points, points[1:]) if size <= q[0]), points[-2:])
        share = (size - a) / (b - a)
        line = low * (1 - share) + high * share
        return Parts(**{name: max(amount, 0.0) for name, amount in line.amount.items()})  # below the smallest size, extrapolation may give negative values

    def power(self):
        return {term.get("name"): float(term.get("nw_per_mhz")) * self.clock_mhz for term in self.root.iter("term")}


def aspect(words, shared):
    """Width of one BRAM18 at the power of two from `words` up, and its depth (UG573)."""
    rounded = 1 << max(words - 1, 0).bit_length()
    for depth, width in ((512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1)):
        if rounded <= depth or depth == 16384:
            return min(width, 18) if shared else width, depth, rounded
    raise AssertionError


def up(a, b):
    return -(-a // b)


def bram(words, width, banks=1, copies=1, shared=False):
    one, depth, rounded = aspect(up(words, banks), shared)
    return Parts(bram18=up(width, one) * up(rounded, depth) * banks * copies)


def uram(words, width, banks=1):
    return Parts(uram=up(width, 72) * up(up(words, banks), 4096) * banks)


def lutram(words, width, banks=1, copies=1, readers=1):
    luts = up(up(words, banks) * width, 64) * readers * banks * copies
    return Parts(lut=luts, lutram=luts, ff=width * readers * banks * copies)


def registers(words, width, banks=1, copies=1, readers=1):
    inside = up(words, banks)
    return Parts(ff=inside * width * banks * copies, lut=width * up(inside, 4) * readers * banks * copies if inside > 1 else 0)


def array(words, width, banks=1, buffers=1, readers=1, writers=1):
    """Memories as chosen by high-level synthesis: registers below 4 words per bank, LUTRAM below 1024 bits, else BRAM. A BRAM copy serves
    two ports: a reader and the writer, or two readers if there are no concurrent writes."""
    words = max(words, banks)
    inside = up(words, banks)
    if inside < 4:
        return registers(words, width, banks, buffers, readers)
    if inside * width < 1024:
        return lutram(words, width, banks, buffers, readers)
    copies = 1 if readers + writers <= 2 else up(readers, 2) if writers == 0 else readers
    shared = readers > 1 or writers > 1 if copies == 1 else writers == 0
    return bram(words, width, banks, buffers * copies, shared)


def names(library):
    """The names allowed in the arithmetic."""
    structure = library.structure

    def fifo(depth, width):
        if depth <= 2 or depth * width <= 1024:
            luts = width * up(depth, 32)
            return Parts(lut=luts, lutram=luts) + structure("fifo-shift", 1)
        return Parts(bram18=up(width, 18) * up(depth, 1024)) + structure("fifo-memory", width)

    def m_axi(bits, bursts=16, beats=16):
        return structure("m_axi", bits) + 2 * bram(bursts * beats, bits + 2)

    def port_bram(words, width, readers):
        """A read-only table in block RAM, two readers per copy."""
        return bram(words, width, copies=up(readers, 2), shared=readers > 1)

    def energy_fj(parts, working_cycles):
        units, watt = power_units(parts), library.power()
        dynamic = sum(units[term] * watt[term] for term in units if term != "clock")
        return dynamic * 1e-9 * working_cycles / (library.clock_mhz * 1e6) * 1e15

    def power_units(parts):
        a = parts.amount
        return {"lut-logic": max(a["lut"] - a["lutram"], 0), "lutram": a["lutram"], "ff": a["ff"], "signals": a["lut"],
                "clock": a["ff"], "bram18": a["bram18"], "uram": a["uram"], "dsp": a["dsp"]}

    return {
        "op": library.op, "latency": lambda words: library.op(words).latency,
        "fabric": lambda parts: structure("datapath-lut", parts.amount["lut"]) + structure("datapath-ff", parts.amount["ff"]),
        "array": array, "bram": bram, "uram": uram, "lutram": lutram, "registers": registers, "fifo": fifo, "m_axi": m_axi,
        "loops": lambda n: structure("loop", n), "processes": lambda n: structure("process", n),
        "adapter": lambda bits: structure("m_axi", bits), "bits": lambda n: structure("register", n), "adder": lambda n: structure("adder", n),
        "fifo_memory": lambda n: structure("fifo-memory", n),
        "unclocked": lambda parts: Parts(lut=parts.amount["lut"]),
        "chain": lambda n: Parts(lut=structure("adder", n).amount["lut"]),
        "comparator": lambda n: structure("comparator", n), "mux": lambda n: structure("multiplexer", n),
        "popcount": lambda n: structure("popcount", n), "xnor_dot": lambda n: structure("xnor-dot", n),
        "random_bits": lambda n: structure("random", n), "s_axilite": lambda n: structure("s_axilite", n),
        "energy_fj": energy_fj, "idle_nw": lambda parts: parts.amount["ff"] * library.power()["clock"],
        "port_bram": port_bram, "levels": lambda n: max(n - 1, 0).bit_length(),
        "logic": lambda steps: up(steps, max(1, math.floor(0.73 * 1000 / library.clock_mhz / 0.9))), "ceil": math.ceil, "floor": math.floor, "nearest": lambda x: math.floor(x + 0.5), "max": max, "min": min,
        "exact": Fraction, "log": math.log,
    }


def read(path):
    """Workloads, designs, and costs by design and block; and the rows."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    workloads, designs, costs = {}, {}, {}
    for number, row in enumerate(rows):
        kind, family = row[0], row[1]
        if kind == "workload" and row[3] == "as":
            workloads[family, row[2]] = dict(workloads[family, row[4]])
        elif kind == "workload" and not row[4]:
            del workloads[family, row[2]][row[3]]
        elif kind == "workload":
            workloads.setdefault((family, row[2]), {})[row[3]] = (row[4], row[5])
        elif kind == "design":
            designs[row[2]] = {"family": family, "workload": row[3], "board": row[4], "knobs": row[5]}
        elif kind == "cost":
            costs.setdefault((row[2], row[3]), {})[row[4]] = number
    return rows, workloads, designs, costs


def ask(program, workloads, designs):
    """The program's costs: {(design, block): {quantity: numbers}}, and the blocks of every family."""
    lines = []
    for name, design in designs.items():
        lines.append(f"workload {design['family']}")
        for series, (shape, numbers) in workloads[design["family"], design["workload"]].items():
            rows, columns = shape.split("x")
            if len(numbers.split()) != int(rows) * int(columns):
                sys.exit(f"costs: the workload {design['workload']} has {len(numbers.split())} numbers in {series}, not {shape}")
            lines.append(f"series {series} {rows} {columns} {numbers}")
        lines.append(f"design {name} {design['board']} {design['knobs']}")
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"costs: {done.stderr.strip() or done.returncode}")
    answers, blocks = {}, {}
    for line in done.stdout.splitlines():
        design, block, quantity, numbers = line.split("\t")
        if quantity == "family":
            blocks.setdefault(numbers, []).append(block)
        elif quantity == "there":
            answers[design, block] = {}
        else:
            answers[design, block][quantity] = numbers
    return answers, blocks


def clock_of(design):
    words = dict(word.split("=") for word in design["knobs"].split())
    return float(words["clock_mhz"])


def spread(quantity, value):
    """Quantities and numbers as the program prints them: of `resources` one each, of time two."""
    if isinstance(value, Parts):
        return {name: str(math.ceil(amount - 1e-9)) for name, amount in value.amount.items() if math.ceil(amount - 1e-9)}
    if quantity.split()[0] in ("busy", "fill", "bytes") and not isinstance(value, tuple):
        value = (value, value)
    numbers = [float(part) for part in (value if isinstance(value, tuple) else (value,))]
    return {quantity: " ".join(f"{number:.17g}" for number in numbers)}


def close(quantity, a, b):
    """Energies and powers are rounded to whole femtojoules and nanowatts; everything else is exact."""
    slack = 1e-9 if quantity in ("energy_fj", "idle_nw") else 0.0
    pairs = list(zip((float(x) for x in a.split()), (float(x) for x in b.split())))
    return len(a.split()) == len(b.split()) and all(abs(x - y) <= max(slack * abs(y), 0.5 if slack else 0.0) for x, y in pairs)


def shown(quantity, numbers):
    return " ".join(f"{round(float(n))}" for n in numbers.split()) if quantity in ("energy_fj", "idle_nw") else \
        " ".join(f"{float(n):.15g}" for n in numbers.split())


def block_values(rows, mine, library):
    """{quantity: (numbers, row)} of one block, and its rows' entries in the column `value`."""
    scope, found, texts = names(library), {}, {}
    order = sorted(mine, key=lambda quantity: quantity != "resources")
    for quantity in order:
        row = rows[mine[quantity]]
        try:
            value = eval(row[6], {"__builtins__": {}}, scope)
        except Exception as problem:
            sys.exit(f"costs: {row[2]} {row[3]} {quantity}: {row[6]}: {problem}")
        if quantity == "resources":
            scope["resources"] = value
        parts = spread(quantity, value)
        found.update(parts)
        texts[quantity] = " ".join(f"{name}={number}" for name, number in parts.items()) if quantity == "resources" else \
            shown(quantity, parts[quantity])
    return found, texts


def main(arguments):
    program, path, library = arguments[:3]
    fill = "--fill" in arguments[3:]
    rows, workloads, designs, costs = read(path)
    answers, blocks = ask(program, workloads, designs)
    problems = []
    for (name, block), mine in costs.items():
        if (name, block) not in answers:
            problems.append(f"{name}: no block {block}")
            continue
        found, texts = block_values(rows, mine, Library(library, clock_of(designs[name])))
        for quantity, text in texts.items():
            if fill:
                rows[mine[quantity]][5] = text
            elif rows[mine[quantity]][5] != text:
                problems.append(f"{name} {block} {quantity}: the arithmetic gives {text}, and beside it stands {rows[mine[quantity]][5]}")
        answer = answers[name, block]
        for quantity in sorted(set(found) | set(answer)):
            a, b = found.get(quantity, "0"), answer.get(quantity, "0")
            if all(float(x) == 0 for x in a.split() + b.split()):
                continue
            if not close(quantity, a, b):
                problems.append(f"{name} {block} {quantity}: {shown(quantity, a)} by hand, {b} by the program")
    for family, names_of in blocks.items():
        if not any(design["family"] == family for design in designs.values()):
            print(f"{path} has no design of the family {family} yet", file=sys.stderr)
            continue
        for block in names_of:
            count = sum(1 for design, b in costs if b == block and designs[design]["family"] == family)
            if count < DESIGNS_A_BLOCK:
                problems.append(f"{family}: the block {block} is counted at {count} designs, and must be at {DESIGNS_A_BLOCK}")
    if fill:
        with open(path, newline="") as file:
            comments = [line for line in file if line.startswith("#")]
        with open(path, "w", newline="") as file:
            file.writelines(comments)
            csv.writer(file, lineterminator="\n").writerows(rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(costs)} costs of blocks, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
