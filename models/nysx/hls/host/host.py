# SPDX-License-Identifier: MIT
"""Runs the accelerator of this folder on a board by PYNQ: puts the model into memory, loads UltraRAM, sends the test
graphs to all units in turn, compares the classes with the executor's, and reports the times. A unit with a queue gets half of its
ring per start, while the other half is packed.

usage: host.py [--overlay nysx.bit] [--unit NAME, for that one alone: nysx_top_1] [--model nysx_model.bin] [--cases nysx_cases.bin]
               [--library host/nysx_pack.so] [--repeat 1]

Exit code 0 if all classes are equal, 1 if one differs, 2 on any other error."""
import ctypes
import struct
import time

import bench
from pynq import Overlay, allocate

INFER, LOAD = 0, 1
DESCRIPTOR = 16  # bytes


class Part(ctypes.Structure):
    _fields_ = [('argument', ctypes.c_char_p), ('offset', ctypes.c_size_t), ('bytes', ctypes.c_size_t)]


class Query(ctypes.Structure):
    _fields_ = [('nodes', ctypes.c_uint32), ('nonzeros', ctypes.c_uint32), ('row_begin', ctypes.POINTER(ctypes.c_uint32)),
                ('column', ctypes.POINTER(ctypes.c_uint32)), ('feature', ctypes.POINTER(ctypes.c_uint32))]


class Case(ctypes.Structure):
    _fields_ = [('query', Query), ('expected', ctypes.c_int32)] + [
        (name, ctypes.POINTER(ctypes.c_uint32)) for name in ('kernel', 'hypervector', 'counts')]


def open_library(path):
    library = ctypes.CDLL(path)
    for name in ('nysx_part_count', 'nysx_query_bytes', 'nysx_pack_scratch', 'nysx_ring_slots'):
        getattr(library, name).restype = ctypes.c_size_t
    library.nysx_case_read.restype = ctypes.c_void_p
    library.nysx_case_read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(Case)]
    for name in ('nysx_image_parts', 'nysx_image_load'):
        getattr(library, name).argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Part)]
    library.nysx_pack.argtypes = [ctypes.POINTER(Query), ctypes.c_void_p, ctypes.c_void_p]
    return library


class Accelerator:
    """A unit of the accelerator with one buffer per argument, which PYNQ aligns to pages."""

    def __init__(self, options, library, ip):
        self.library, self.ip = library, ip
        with open(options.model, 'rb') as file:
            image = file.read()
        parts, load = (Part * (self.library.nysx_part_count() + 1))(), Part()
        if self.library.nysx_image_parts(image, len(image) // 4, parts) != self.library.nysx_part_count():
            raise ValueError(f'{options.model}: is the model of another design')
        loads = self.library.nysx_image_load(image, len(image) // 4, load)
        if loads < 0:
            raise ValueError(f'{options.model}: has no tables to load')
        self.buffers = {}
        for part in parts[:self.library.nysx_part_count()]:
            self.place(part.argument.decode(), image[part.offset:part.offset + part.bytes], part.bytes)
        tables = image[load.offset:load.offset + load.bytes] if loads else b''
        self.slots, self.query_bytes = self.library.nysx_ring_slots(), self.library.nysx_query_bytes()
        self.place('query', tables, max(max(self.slots, 1) * self.query_bytes, len(tables)))
        if self.slots:
            self.place('ring', b'', self.slots * DESCRIPTOR)
            self.place('answer', b'', self.slots * 4)
        self.scratch = (ctypes.c_uint32 * self.library.nysx_pack_scratch())()
        self.packed = ctypes.create_string_buffer(self.library.nysx_query_bytes())
        self.first, self.at_work, self.begin, self.on_board = 0, None, 0.0, []
        if loads:
            self.start(LOAD, 0, 0)
        answer = self.wait()[0] if loads else 0
        if answer != 0:
            raise ValueError(f'loading the tables returned {answer}')

    def place(self, argument, content, size):
        """A buffer for a memory argument, and its address in the argument's two registers."""
        buffer = allocate(shape=(size,), dtype='u1')
        memoryview(buffer)[:len(content)] = content
        buffer.flush()
        self.buffers[argument] = buffer
        setattr(self.ip.register_map, f'{argument}_1', buffer.device_address & 0xffffffff)
        setattr(self.ip.register_map, f'{argument}_2', buffer.device_address >> 32)

    def start(self, command, first, second):
        """Writes a command with its nodes and non-zeros, or with its first slot and count."""
        registers = self.ip.register_map
        registers.command = command
        for name, value in zip(('first', 'count') if self.slots else ('nodes', 'nonzeros'), (first, second)):
            setattr(registers, name, value)
        registers.CTRL.AP_START = 1

    def wait(self):
        """Waits for a start. The answers of all slots."""
        registers = self.ip.register_map
        end = time.monotonic() + 10
        while not int(registers.CTRL.AP_DONE):
            if time.monotonic() > end:
                raise TimeoutError('the accelerator does not answer')
        if not self.slots:
            return [ctypes.c_int32(int(registers.answer)).value]
        registers.CTRL.AP_CONTINUE = 1  # a chained kernel holds its done bit until it is read
        self.buffers['answer'].invalidate()
        return struct.unpack_from(f'<{self.slots}i', self.buffers['answer'])

    def pack(self, queries):
        """Puts queries into the slots that are free. Their error codes, or 0, and the sizes of the last one."""
        codes, sizes = [], (0, 0)
        for slot, query in enumerate(queries, self.first):
            size = self.library.nysx_pack(query, self.scratch, self.packed)
            codes.append(min(size, 0))
            sizes = (query.nodes, query.nonzeros) if size >= 0 else (0, 0)
            memoryview(self.buffers['query'])[slot * self.query_bytes:slot * self.query_bytes + max(size, 0)] = self.packed[:max(size, 0)]
            if self.slots:
                struct.pack_into('<4I', self.buffers['ring'], slot * DESCRIPTOR, *sizes, 0, 0)
        return codes, sizes

    def put(self, queries):
        """Starts queries when the running ones have ended, whose classes it returns; only a queue has room to pack them before."""
        answers = [] if self.slots else self.take()
        codes, sizes = self.pack(queries)
        answers += self.take()
        if queries:
            self.begin = time.perf_counter()
            for name in ('query', 'ring') if self.slots else ('query',):
                self.buffers[name].flush()
            self.start(INFER, *((self.first, len(queries)) if self.slots else sizes))
            self.at_work = (self.first, codes)
            self.first = self.slots // 2 - self.first
        return answers

    def take(self):
        """The classes of the running queries, after their end."""
        if not self.at_work:
            return []
        (first, codes), self.at_work = self.at_work, None
        answers = self.wait()
        self.on_board.append(time.perf_counter() - self.begin)
        return [code or answer for code, answer in zip(codes, answers[first:])]


def cases_of(library, path):
    """The test graphs, and the words that they lie in."""
    with open(path, 'rb') as file:
        content = file.read()
    words = (ctypes.c_uint32 * (len(content) // 4)).from_buffer_copy(content)
    begin = ctypes.addressof(words)
    at, end = begin + 4, begin + ctypes.sizeof(words)
    cases = [Case() for _ in range(words[0])]
    for index, case in enumerate(cases):
        at = library.nysx_case_read(at, end, case)
        if at is None:
            raise ValueError(f'{path}: ends within graph {index}')
    return cases, words


def run(units, cases):
    """The classes of all graphs, which go to the units in turn, half a ring or one graph per start."""
    each, between, before = max(units[0].slots // 2, 1), [], time.perf_counter()
    for number, begin in enumerate(range(0, len(cases) + len(units) * each, each)):
        answers = units[number % len(units)].put([case.query for case in cases[begin:begin + each]])
        if answers:
            yield from answers
            between.append((time.perf_counter() - before) / len(answers))
            before = time.perf_counter()
    bench.print_times('sent, run, answered, per start', [took for unit in units for took in unit.on_board])
    bench.print_times('between answers, per graph', between)


def main():
    given = bench.options(__doc__, library='host/nysx_pack.so')
    library, overlay = open_library(given.library), Overlay(given.overlay)
    units = [Accelerator(given, library, getattr(overlay, unit)) for unit in ([given.unit] if given.unit else bench.UNITS)]
    (cases, _words), different = cases_of(library, given.cases), 0
    if not cases:
        raise ValueError(f'{given.cases}: holds no graphs')
    all_cases = cases * given.repeat
    for index, answer in enumerate(run(units, all_cases)):
        if answer != all_cases[index].expected:
            print(f'graph {index % len(cases)}: class {answer}, expected {all_cases[index].expected}')
            different += 1
    print(f'{len(cases)} graphs: {"DIFFERENT" if different else "equal"}')
    return 1 if different else 0


if __name__ == '__main__':
    bench.run(main)
