# SPDX-License-Identifier: MIT
"""Runs the accelerator of this folder on a board by PYNQ: makes the calls of the test cases, compares what they leave in memory with the
executor's answers, and says how long the calls take that answer an item. Written by nysx-dse @VERSION@.

usage: host.py [--overlay @FAMILY@.bit] [--unit @TOP@_1] [--model @FAMILY@_model.bin] [--cases @FAMILY@_cases.bin] [--repeat 1]

Exit code 0 where all answers are equal, 1 where one differs, 2 where something else is wrong."""
import struct
import time

import bench
from pynq import Overlay, allocate

GOES_ON = 1 << 31  # of a call's items: it is counted together with the next one that is
PORTS = (@PYTHON_PORTS@)  # argument, bytes, whether the kernel writes it
REGISTERS = (@PYTHON_REGISTERS@)


class Words:
    """A file of 32-bit words, read one after another."""

    def __init__(self, path):
        self.path, self.at = path, 0
        with open(path, 'rb') as file:
            self.content = file.read()

    def take(self, count=1):
        """The bytes of so many words."""
        part = self.content[self.at:self.at + 4 * count]
        if len(part) < 4 * count:
            raise ValueError(f'{self.path}: ends too early')
        self.at += 4 * count
        return part

    def numbers(self, count):
        return struct.unpack(f'<{count}I', self.take(count))


class Accelerator:
    """An accelerator with its memories: each argument's in a buffer of its own, which PYNQ aligns to pages."""

    def __init__(self, options):
        self.ip = getattr(Overlay(options.overlay), options.unit)
        with open(options.model, 'rb') as file:
            self.image = file.read()
        if self.image[:8] != b'dse-pack':
            raise ValueError(f'{options.model}: is no packed model')
        self.buffers = [allocate(shape=(size,), dtype='u1') for _, size, _ in PORTS]
        for (argument, _, _), buffer in zip(PORTS, self.buffers):
            setattr(self.ip.register_map, f'{argument}_1', buffer.device_address & 0xffffffff)
            setattr(self.ip.register_map, f'{argument}_2', buffer.device_address >> 32)

    def send(self, cases):
        """Puts a range of the cases into its memory."""
        port, first, count, array = cases.numbers(4)
        if array:
            offset, size = struct.unpack_from('<QQ', self.image, 64 * array + 48)
            if size < 4 * count:
                raise ValueError('the model is another design\'s')
            part = self.image[offset:offset + 4 * count]
        else:
            part = cases.take(count)
        memoryview(self.buffers[port])[4 * first:4 * (first + count)] = part
        self.buffers[port].flush()

    def start(self, values):
        registers = self.ip.register_map
        for name, value in zip(REGISTERS, values):
            setattr(registers, name, value)
        registers.CTRL.AP_START = 1
        end = time.monotonic() + 10
        while not int(registers.CTRL.AP_DONE):
            if time.monotonic() > end:
                raise TimeoutError('the accelerator does not answer')

    def make(self, cases):
        """Makes the next call: its items, whether all it leaves in memory is as it must be, and the seconds that it took."""
        items, = cases.numbers(1)
        values = cases.numbers(len(REGISTERS))
        begin = time.perf_counter()
        for _ in range(cases.numbers(1)[0]):
            self.send(cases)
        self.start(values)
        equal = True
        for _ in range(cases.numbers(1)[0]):
            port, first, count = cases.numbers(3)
            self.buffers[port].invalidate()
            equal &= bytes(memoryview(self.buffers[port])[4 * first:4 * (first + count)]) == cases.take(count)
        return items, equal, time.perf_counter() - begin


def main():
    given = bench.options(__doc__)
    accelerator = Accelerator(given)
    times, took, different, count = [], 0.0, 0, 0
    for _ in range(given.repeat):
        cases = Words(given.cases)
        count, calls = cases.numbers(2)
        for index in range(calls):
            items, equal, seconds = accelerator.make(cases)
            took += seconds * (items > 0)
            if items and not items & GOES_ON:
                times.append(took)
                took = 0.0
            if not equal:
                print(f'call {index}: what it leaves in memory is other than it must be')
                different += 1
    if times:
        bench.print_times('sent, run, answered', times)
    print(f'{count} items: {"DIFFERENT" if different else "equal"}')
    return 1 if different else 0


if __name__ == '__main__':
    bench.run(main)
