# SPDX-License-Identifier: MIT
"""Runs the accelerator of this folder on a board by PYNQ: puts the model into memory, loads UltraRAM, sends the test
graphs in order, compares the classes with the executor's, and reports the time per graph. A kernel with a queue gets half of its
ring per start, while the other half is packed.

usage: host.py [--overlay nysx.bit] [--unit nysx_top_1] [--model nysx_model.bin] [--cases nysx_cases.bin]
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
    """An accelerator with one buffer per argument, which PYNQ aligns to pages."""

    def __init__(self, options):
        self.library = open_library(options.library)
        self.ip = getattr(Overlay(options.overlay), options.unit)
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
        self.on_board = 0.0
        if loads:
            self.start(LOAD, 0, 0)
        answer = self.wait() if loads else 0
        if answer != 0:
            raise ValueError(f'loading the tables is answered with {answer}')

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
        """The answer of a start; with a queue, the answer of slot 0, with all others in memory."""
        registers = self.ip.register_map
        end = time.monotonic() + 10
        while not int(registers.CTRL.AP_DONE):
            if time.monotonic() > end:
                raise TimeoutError('the accelerator does not answer')
        if not self.slots:
            return ctypes.c_int32(int(registers.answer)).value
        registers.CTRL.AP_CONTINUE = 1  # a chained kernel holds its done bit until it is read
        self.buffers['answer'].invalidate()
        return struct.unpack_from('<i', self.buffers['answer'])[0]

    def infer(self, query):
        """The class of a graph, or a negative error code of the kernel."""
        size = self.library.nysx_pack(query, self.scratch, self.packed)
        if size < 0:
            return size
        begin = time.perf_counter()
        memoryview(self.buffers['query'])[:size] = self.packed[:size]
        self.buffers['query'].flush()
        self.start(INFER, query.nodes, query.nonzeros)
        answer = self.wait()
        self.on_board = time.perf_counter() - begin
        return answer

    def pack(self, first, queries):
        """Puts queries into the ring from a slot on; returns the error code of each query, or 0."""
        codes = []
        for slot, query in enumerate(queries, first):
            size = self.library.nysx_pack(query, self.scratch, self.packed)
            codes.append(min(size, 0))
            sizes = (query.nodes, query.nonzeros) if size >= 0 else (0, 0)
            memoryview(self.buffers['query'])[slot * self.query_bytes:slot * self.query_bytes + max(size, 0)] = self.packed[:max(size, 0)]
            struct.pack_into('<4I', self.buffers['ring'], slot * DESCRIPTOR, *sizes, 0, 0)
        self.buffers['query'].flush()
        self.buffers['ring'].flush()
        return codes

    def answers(self, first, codes):
        """The classes of a completed start."""
        return [code or answer for code, answer in zip(codes, struct.unpack_from(f'<{len(codes)}i', self.buffers['answer'], 4 * first))]


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


def run_alone(accelerator, cases):
    """Sends one graph per start."""
    whole, on_board = [], []
    for case in cases:
        begin = time.perf_counter()
        yield accelerator.infer(case.query)
        whole.append(time.perf_counter() - begin)
        on_board.append(accelerator.on_board)
    bench.print_times('packed, sent, run, answered', whole)
    bench.print_times('sent, run, answered', on_board)


def run_queue(accelerator, cases):
    """Sends half of the ring per start. The next half is packed while one runs, and starts when it has ended."""
    half, at_work, times = accelerator.slots // 2, None, []
    before = time.perf_counter()
    for begin in range(0, len(cases) + half, half):
        first, queries = begin // half % 2 * half, [case.query for case in cases[begin:begin + half]]
        codes = accelerator.pack(first, queries)
        if at_work:
            accelerator.wait()
        if queries:
            accelerator.start(INFER, first, len(queries))
        if at_work:
            yield from accelerator.answers(*at_work)
            times.append((time.perf_counter() - before) / len(at_work[1]))
            before = time.perf_counter()
        at_work = (first, codes)
    bench.print_times('between answers, per graph', times)


def main():
    given = bench.options(__doc__, library='host/nysx_pack.so')
    accelerator = Accelerator(given)
    (cases, _words), different = cases_of(accelerator.library, given.cases), 0
    if not cases:
        raise ValueError(f'{given.cases}: holds no graphs')
    all_cases = cases * given.repeat
    for index, answer in enumerate((run_queue if accelerator.slots else run_alone)(accelerator, all_cases)):
        if answer != all_cases[index].expected:
            print(f'graph {index % len(cases)}: {answer}, and must be {all_cases[index].expected}')
            different += 1
    print(f'{len(cases)} graphs: {"DIFFERENT" if different else "equal"}')
    return 1 if different else 0


if __name__ == '__main__':
    bench.run(main)
