# SPDX-License-Identifier: MIT
"""Runs the accelerator of this folder on a board by PYNQ: puts the model into memory, has UltraRAM loaded, sends the test
graphs one after another, compares the classes with the executor's, and says how long a graph takes.

usage: host.py [--overlay nysx.bit] [--unit nysx_top_1] [--model nysx_model.bin] [--cases nysx_cases.bin]
               [--library host/nysx_pack.so] [--repeat 1]

Exit code 0 where all classes are equal, 1 where one differs, 2 where something else is wrong."""
import ctypes
import time

import bench
from pynq import Overlay, allocate

INFER, LOAD = 0, 1


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
    for name in ('nysx_part_count', 'nysx_query_bytes', 'nysx_pack_scratch'):
        getattr(library, name).restype = ctypes.c_size_t
    library.nysx_case_read.restype = ctypes.c_void_p
    library.nysx_case_read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(Case)]
    for name in ('nysx_image_parts', 'nysx_image_load'):
        getattr(library, name).argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Part)]
    library.nysx_pack.argtypes = [ctypes.POINTER(Query), ctypes.c_void_p, ctypes.c_void_p]
    return library


class Accelerator:
    """An accelerator with its memories: each argument's in a buffer of its own, which PYNQ aligns to pages."""

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
        self.place('query', tables, max(self.library.nysx_query_bytes(), len(tables)))
        self.scratch = (ctypes.c_uint32 * self.library.nysx_pack_scratch())()
        self.packed = ctypes.create_string_buffer(self.library.nysx_query_bytes())
        self.on_board = 0.0
        answer = self.start(LOAD, 0, 0) if loads else 0
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

    def start(self, command, nodes, nonzeros):
        registers = self.ip.register_map
        registers.command, registers.nodes, registers.nonzeros = command, nodes, nonzeros
        registers.CTRL.AP_START = 1
        end = time.monotonic() + 10
        while not int(registers.CTRL.AP_DONE):
            if time.monotonic() > end:
                raise TimeoutError('the accelerator does not answer')
        return ctypes.c_int32(int(registers.answer)).value

    def infer(self, query):
        """The class of a graph, or one of the kernel's codes below 0."""
        size = self.library.nysx_pack(query, self.scratch, self.packed)
        if size < 0:
            return size
        begin = time.perf_counter()
        memoryview(self.buffers['query'])[:size] = self.packed[:size]
        self.buffers['query'].flush()
        answer = self.start(INFER, query.nodes, query.nonzeros)
        self.on_board = time.perf_counter() - begin
        return answer


def cases_of(library, path):
    """The test graphs, each for as long as the next is not asked for."""
    with open(path, 'rb') as file:
        content = file.read()
    words = (ctypes.c_uint32 * (len(content) // 4)).from_buffer_copy(content)
    begin = ctypes.addressof(words)
    at, end = begin + 4, begin + ctypes.sizeof(words)
    for index in range(words[0]):
        case = Case()
        at = library.nysx_case_read(at, end, case)
        if at is None:
            raise ValueError(f'{path}: ends within graph {index}')
        yield case


def main():
    given = bench.options(__doc__, library='host/nysx_pack.so')
    accelerator = Accelerator(given)
    whole, on_board, different, count = [], [], 0, 0
    for _ in range(given.repeat):
        for count, case in enumerate(cases_of(accelerator.library, given.cases), 1):
            begin = time.perf_counter()
            answer = accelerator.infer(case.query)
            whole.append(time.perf_counter() - begin)
            on_board.append(accelerator.on_board)
            if answer != case.expected:
                print(f'graph {count - 1}: {answer}, and must be {case.expected}')
                different += 1
    if whole:
        bench.print_times('packed, sent, run, answered', whole)
        bench.print_times('sent, run, answered', on_board)
    print(f'{count} graphs: {"DIFFERENT" if different else "equal"}')
    return 1 if different else 0


if __name__ == '__main__':
    bench.run(main)
