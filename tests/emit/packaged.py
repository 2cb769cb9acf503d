#!/usr/bin/env python3
"""The Verilog module at the top of an emitted RTL folder, driven by an independent master: cocotb in Icarus Verilog, with the AXI masters and
memories of cocotbext-axi. The emitted host.py runs in it unchanged: its registers are the AXI4-Lite master, its buffer the AXI memory.
Yosys turns the modules into the Verilog that Icarus reads. Then tests strobes, the interrupt and a reset during a query.

usage: packaged.py PROGRAM. Exit code 77 with a message if Yosys, Icarus Verilog or the aids (script/aids rtl, $NYSX_AIDS) are missing."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

DESIGNS = [["--form", "direct", "--codes", "wl"], ["--form", "direct", "--codes", "wl", "--features", "cores", "overlap=graphs"], ["--form", "factored", "--generator", "sign", "--phi-bits", "16", "--landmarks", "8"],
           ["--form", "streamed", "--precision", "int8", "--landmarks", "8", "nee.port_bits=64", "overlap=queue"]]
BROKEN = ("interrupt_o <= !rst_i && done_q && enable_q && !start_o", "interrupt_o <= !rst_i && done_q && !start_o")


# ---- within the simulation
def within():
    import cocotb
    from cocotb.task import bridge, resume
    from cocotb.clock import Clock
    from cocotb.triggers import ClockCycles, RisingEdge
    from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam, AxiRamRead, AxiReadBus

    folder = pathlib.Path(os.environ["PACKAGED"])
    spec = importlib.util.spec_from_file_location("host", folder / "host.py")
    host = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(host)
    base = 0x1234_0f00  # bursts meet the end of 4 KiB

    class Registers:
        """Replaces PYNQ's MMIO, hiding clocks from the host."""

        def __init__(self, master):
            self.master = master
            self.read, self.write = resume(self.reads), resume(self.writes)

        async def reads(self, address):
            return await self.master.read_dword(address)

        async def writes(self, address, value):
            await self.master.write_dword(address, value)

    class Buffer:
        def __init__(self, memory):
            self.memory = memory

        def __setitem__(self, key, value):
            self.memory.write(base + (key.start or 0), bytes(value))

        def __getitem__(self, key):
            return self.memory.read(base + key.start, key.stop - key.start)

    async def reset(dut):
        dut.aresetn.value = 0
        await ClockCycles(dut.aclk, 8)
        dut.aresetn.value = 1
        await RisingEdge(dut.aclk)

    @cocotb.test()
    async def packaged(dut):
        cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
        master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.aclk, dut.aresetn, reset_active_level=False)
        kind, bus = (AxiRam, AxiBus) if "REG_TAIL" in host.REGISTERS else (AxiRamRead, AxiReadBus)
        memory = kind(bus.from_prefix(dut, "m_axi"), dut.aclk, dut.aresetn, reset_active_level=False, size=1 << 29)
        if host.P_BYTES:  # its port reads the same memory
            AxiRamRead(AxiReadBus.from_prefix(dut, "m_axi_p"), dut.aclk, dut.aresetn, reset_active_level=False, size=1 << 29, mem=memory.mem)
        await reset(dut)
        host.PATIENCE_S = 600  # a simulated cycle takes milliseconds
        accelerator = await bridge(host.Accelerator)(Registers(master), Buffer(memory), base)
        cases = str(folder / "nysx_cases.bin")
        assert await bridge(host.run)(accelerator, cases, 1)
        host.RING = 4  # so that 12 graphs fill it several times
        assert kind is AxiRamRead or await bridge(host.stream)(accelerator, cases, 3)
        register = {name[4:]: address for name, address in host.REGISTERS.items()}
        # Done is a level, which raises the interrupt only if enabled
        assert await master.read_dword(register["CONTROL"]) == 2 and dut.interrupt.value == 0
        await master.write_dword(register["INTERRUPT"], 1)
        await ClockCycles(dut.aclk, 4)
        assert dut.interrupt.value == 1
        await ClockCycles(dut.aclk, 100)
        assert dut.interrupt.value == 1
        await master.write_dword(register["CONTROL"], 2)
        await ClockCycles(dut.aclk, 4)
        assert dut.interrupt.value == 0 and await master.read_dword(register["CONTROL"]) == 0
        # Bytes that a write has
        await master.write_dword(register["NODES"], 0x11223344)
        await master.write(register["NODES"] + 2, b"\xaa")
        assert await master.read_dword(register["NODES"]) == 0x11aa3344
        # A reset in the middle of a query, and the queries again
        nodes, pointers, neighbours, labels, _ = next(host.cases(cases))
        memory.write(base, host.query_of(nodes, pointers, neighbours, labels))
        for name, value in (("NODES", nodes), ("NONZEROS", len(neighbours)), ("ADDRESS", base), ("ADDRESS_HIGH", 0), ("CONTROL", 1)):
            await master.write_dword(register[name], value)
        await ClockCycles(dut.aclk, 150)
        assert await master.read_dword(register["CONTROL"]) == 1
        await reset(dut)
        assert await bridge(host.run)(accelerator, cases, 1)

    return packaged


# ---- around it
def aids():
    for folder in (os.environ.get("NYSX_AIDS", ""), pathlib.Path(__file__).resolve().parents[2] / ".aids"):
        python = pathlib.Path(folder) / "bin/python3"
        if str(folder) and python.exists() and subprocess.run([python, "-c", "import cocotb, cocotbext.axi"], capture_output=True).returncode == 0:
            return python
    return None


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"packaged: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def simulate(python, folder, name):
    """Whether the tests pass in this folder's design."""
    top = pathlib.Path(next(folder.glob("nysx*_ip.v"))).stem
    verilog = folder / f"{name}.flat.v"
    run(["yosys", "-q", "-p", f"read_verilog -sv -defer *.sv; read_verilog {top}.v; hierarchy -top {top}; proc; opt_clean; "
         f"memory_collect; write_verilog -noattr {verilog}"], cwd=folder)
    script = ("from cocotb_tools.runner import get_runner; r = get_runner('icarus'); "
              f"r.build(sources=['{verilog}'], hdl_toplevel='{top}', build_dir='{folder}/{name}', timescale=('1ns', '1ps'), always=True); "
              f"r.test(hdl_toplevel='{top}', test_module='packaged', build_dir='{folder}/{name}', test_dir='{folder}', results_xml='{folder}/{name}.xml')")
    done = subprocess.run([python, "-B", "-c", script], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, PACKAGED=str(folder), PYTHONPATH=str(pathlib.Path(__file__).parent), PYTHONDONTWRITEBYTECODE="1"))
    return "FAIL=0" in done.stdout and "PASS=1" in done.stdout, done.stdout


def main(program):
    program, python = os.path.abspath(program), aids()
    if python is None or shutil.which("iverilog") is None or shutil.which("yosys") is None:
        print("packaged: SKIPPED: needs Yosys, Icarus Verilog, and cocotb with cocotbext-axi (script/aids rtl)", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/set"
        run([program, "datasets", "generate", data, "--graphs", "24", "--seed", "3", "-q"])
        for number, form in enumerate(DESIGNS):
            design, model = pathlib.Path(folder) / f"d{number}", f"{folder}/m{number}.npz"
            knobs = [word for word in form if "=" in word]
            form = [word for word in form if "=" not in word]
            run([program, "train", "--dataset", data, "--dim", "128", "--hops", "2", "--seed", "1", "-q", "-o", model, *form])
            run([program, "emit", "--flow", "rtl", "--dataset", data, "--model", model, "--set", "nee.lanes=32", "--set", "sce.bits=32",
                 "--set", "lshu.pe=2", "--set", "clock_mhz=100", *[word for knob in knobs for word in ("--set", knob)], "--cases", "4", "-q", "-o", design])
            passed, said = simulate(python, design, "whole")
            if not passed:
                sys.exit(f"packaged: {' '.join(form)}:\n{said[-4000:]}")
        source = design / "nysx_axi_lite.sv"
        text = source.read_text()
        assert text.count(BROKEN[0]) == 1
        source.write_text(text.replace(*BROKEN))
        assert not simulate(python, design, "broken")[0], "an interrupt that is not enabled went unseen"
    print(f"packaged: {len(DESIGNS)} designs equal under cocotb, a broken one seen")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
elif "PACKAGED" in os.environ:
    packaged = within()
