# SPDX-License-Identifier: MIT
"""Runs the accelerator of this folder on a board by PYNQ: makes the calls of the test cases, compares the memories afterwards with the
executor's answers, and reports the time of the calls that answer an item. A kernel with a queue gets half of its ring per start, while the other half is
filled. Several units get all calls, one unit after another. Written by nysx-dse @VERSION@.

usage: host.py [--overlay @FAMILY@.bit] [--unit @TOP@_1] [--model @FAMILY@_model.bin] [--cases @FAMILY@_cases.bin] [--repeat 1]

Exit code 0 if all answers are equal, 1 if one differs, 2 on any other error."""
import struct
import time

import bench
from pynq import Overlay, allocate

GOES_ON = 1 << 31  # bit of a call's items: its time is added to that of the next counted call
PORTS = (@PYTHON_PORTS@)  # argument, bytes per call, elements between slots of the ring (0: all calls share the memory)
REGISTERS = (@PYTHON_REGISTERS@)  # registers of a call
@IF QUEUE@
SLOTS = @SLOTS@
@ELSE@
SLOTS = 0  # no queue: one call per start
@END@


class Words:
    """A file of 32-bit words, read one after another."""

    def __init__(self, path):
        self.path, self.at = path, 0
        with open(path, 'rb') as file:
            self.content = file.read()

    def take(self, count=1):
        """The bytes of that many words."""
        part = self.content[self.at:self.at + 4 * count]
        if len(part) < 4 * count:
            raise ValueError(f'{self.path}: ends too early')
        self.at += 4 * count
        return part

    def numbers(self, count):
        return struct.unpack(f'<{count}I', self.take(count))


class Accelerator:
    """An accelerator with one buffer per argument, which PYNQ aligns to pages."""

    def __init__(self, options, ip):
        self.ip = ip
        with open(options.model, 'rb') as file:
            self.image = file.read()
        if self.image[:8] != b'dse-pack':
            raise ValueError(f'{options.model}: is no packed model')
        self.buffers = [allocate(shape=(size * (SLOTS if step else 1),), dtype='u1') for _, size, step in PORTS]
        for (argument, _, _), buffer in zip(PORTS, self.buffers):
            setattr(self.ip.register_map, f'{argument}_1', buffer.device_address & 0xffffffff)
            setattr(self.ip.register_map, f'{argument}_2', buffer.device_address >> 32)
        self.half = max(SLOTS // 2, 1)
        self.written = set()  # ports, by the added calls
        self.filling, self.at_work = [], []  # calls: items, and the expected bytes with their memory and offset
        self.first, self.compared, self.different = 0, 0, 0
        self.times, self.took, self.before = [], 0.0, time.perf_counter()

    def place(self, port, first, slot):
        """The byte of a slot's word behind a port."""
        return 4 * first + (slot * PORTS[port][1] if PORTS[port][2] else 0)

    def send(self, port, first, part, slot):
        """Puts bytes into a slot's memory."""
        begin = self.place(port, first, slot)
        memoryview(self.buffers[port])[begin:begin + len(part)] = part
        self.written.add(port)

    def read(self, cases):
        """Reads one write of the cases: port, first word, bytes."""
        port, first, count, array = cases.numbers(4)
        if not array:
            return port, first, cases.take(count)
        offset, size = struct.unpack_from('<QQ', self.image, 64 * array + 48)
        if size < 4 * count:
            raise ValueError('the model is another design\'s')
        return port, first, self.image[offset:offset + 4 * count]

    def start(self, values):
        """Starts the added calls after the running ones have ended."""
        for port in self.written:
            self.buffers[port].flush()
        self.written.clear()
        self.take()
        registers = self.ip.register_map
        for name, value in zip(('first', 'count') if SLOTS else REGISTERS, (self.first, len(self.filling)) if SLOTS else values):
            setattr(registers, name, value)
        registers.CTRL.AP_START = 1
        self.at_work, self.filling = self.filling, []
        self.first = self.half - self.first if SLOTS else 0

    def take(self):
        """Waits for the running calls, and compares their memories."""
        if not self.at_work:
            return
        end = time.monotonic() + 10
        while not int(self.ip.register_map.CTRL.AP_DONE):
            if time.monotonic() > end:
                raise TimeoutError('the accelerator does not answer')
        if SLOTS:
            self.ip.register_map.CTRL.AP_CONTINUE = 1  # a chained kernel holds its done bit until it is read
        for port in {port for _, expected in self.at_work for port, _, _ in expected}:
            self.buffers[port].invalidate()
        for _, expected in self.at_work:
            if any(bytes(memoryview(self.buffers[port])[begin:begin + len(part)]) != part for port, begin, part in expected):
                print(f'call {self.compared}: its results in memory differ from the expected ones')
                self.different += 1
            self.compared += 1
        each = (time.perf_counter() - self.before) / len(self.at_work)
        for items, _ in self.at_work:
            self.took += each * (items > 0)
            if items and not items & GOES_ON:
                self.times.append(self.took)
                self.took = 0.0
        self.at_work, self.before = [], time.perf_counter()

    def finish(self, values=()):
        """Waits until all calls have answered."""
        if self.filling:
            self.start(values)
        self.take()
        self.first = 0

    def make(self, cases):
        """Adds the next call, or starts it at once."""
        items, = cases.numbers(1)
        values = cases.numbers(len(REGISTERS))
        written = [self.read(cases) for _ in range(cases.numbers(1)[0])]
        compared = []
        for _ in range(cases.numbers(1)[0]):
            port, first, count = cases.numbers(3)
            compared.append((port, first, cases.take(count)))
        alone = not SLOTS or any(not PORTS[port][2] for port, _, _ in written + compared)
        if alone:
            self.finish()
        if not self.at_work and not self.filling:
            self.before = time.perf_counter()
        slot = self.first + len(self.filling)
        if SLOTS:
            self.send(len(PORTS) - 1, slot * len(values), struct.pack(f'<{len(values)}I', *values), 0)
        for port, first, part in written:
            self.send(port, first, part, slot)
        self.filling.append((items, [(port, self.place(port, first, slot), part) for port, first, part in compared]))
        if alone:
            self.finish(values)
        elif len(self.filling) == self.half:
            self.start(values)


def main():
    given = bench.options(__doc__)
    overlay, times, count, different = Overlay(given.overlay), [], 0, 0
    for unit in [given.unit] if given.unit else bench.UNITS:
        accelerator = Accelerator(given, getattr(overlay, unit))
        for _ in range(given.repeat):
            cases = Words(given.cases)
            count, calls = cases.numbers(2)
            for _ in range(calls):
                accelerator.make(cases)
            accelerator.finish()
        times += accelerator.times
        different += accelerator.different
    if times:
        bench.print_times('sent, run, answered', times)
    print(f'{count} items: {"DIFFERENT" if different else "equal"}')
    return 1 if different else 0


if __name__ == '__main__':
    bench.run(main)
