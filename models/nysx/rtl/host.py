# SPDX-License-Identifier: MIT
"""Runs the accelerator of this folder on a board by PYNQ: sends the test graphs, compares the classes, and says how long the queries take.

usage: host.py [--overlay nysx.bit] [--unit nysx_ip_1] [--cases nysx_cases.bin] [--repeat 1]

Exit code 0 where all classes are equal, 1 where one differs, 2 where something else is wrong."""
import argparse
import itertools
import os
import re
import statistics
import struct
import sys
import time

DESCRIPTOR = 32  # bytes
HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE_S = 10.0


def numbers_of(header):
    """The macros of a header that are whole numbers."""
    with open(os.path.join(HERE, header), encoding='utf-8') as file:
        return {name: int(value, 0) for name, value in re.findall(r'^#define NYSX_(\w+) (0x[0-9a-f]+|\d+)u?\b', file.read(), re.M)}


def table_of(header):
    """The columns of F by label and degree in the 2-core, after the least label and the number of labels; none unless the design has NYSX_CORES."""
    with open(os.path.join(HERE, header), encoding='utf-8') as file:
        found = re.search(r'^#define NYSX_LABEL_COLUMNS {(.*)}', file.read(), re.M)
    return [int(value) for value in found[1].split(',')] if found else []


TABLE = table_of('nysx_design.h')
DESIGN, REGISTERS = numbers_of('nysx_design.h'), numbers_of('nysx_registers.h')


RING = DESIGN.get('RING', 1)  # descriptors; room for one query without a queue
COLUMNS = DESIGN['FEATURE_COLUMNS'] if DESIGN['ATTRIBUTES'] else 1  # numbers of a node, or its label
GROUP = max(4, DESIGN['LSHU_PE'])  # nodes that a column of numbers is padded to
FEATURES = 4 * COLUMNS * (DESIGN['MAX_NODES'] + GROUP) if DESIGN['ATTRIBUTES'] else DESIGN['LABEL_BITS'] // 8 * DESIGN['MAX_NODES']
P_BYTES = DESIGN['P_WORDS'] * DESIGN['P_PORT_BITS'] // 8 if 'P_PORT_BITS' in DESIGN else 0  # size of a streamed P_nys
SLOT = (DESIGN['INDEX_BITS'] // 8 * (DESIGN['MAX_NODES'] + 1 + DESIGN['MAX_NNZ']) + FEATURES + 63) // 16 * 16

QUERIES = RING * (DESCRIPTOR + SLOT)
BUFFER = QUERIES + (4096 + P_BYTES if P_BYTES else 0)


def cases(path):
    """The graphs of a file: nodes, row pointers, neighbours, features (a label's column of F, with TABLE its own label, or COLUMNS numbers per
    node), the class."""
    with open(path, 'rb') as file:
        content = file.read()
    words = struct.unpack(f'<{len(content) // 4}I', content[:len(content) // 4 * 4])
    at = 1
    for _ in range(words[0]):
        nodes, nonzeros = words[at:at + 2]
        ends = [at + 2, at + 3 + nodes, at + 3 + nodes + nonzeros, at + 3 + (1 + COLUMNS) * nodes + nonzeros]
        yield nodes, words[ends[0]:ends[1]], words[ends[1]:ends[2]], words[ends[2]:ends[3]], words[ends[3]]
        at = ends[3] + 1 + DESIGN['LANDMARKS'] + (DESIGN['DIM'] + 63) // 64 * 2 + 2


def core_columns(nodes, pointers, neighbours, labels):
    """Each node's column for its label and degree in the 2-core, which is what remains when nodes of degree 1 or less are removed
    until none is left (nysx_cores.h)."""
    rows = [[u for u in neighbours[pointers[v]:pointers[v + 1]] if u != v] for v in range(nodes)]
    degree = [len(row) for row in rows]
    removed = [v for v in range(nodes) if degree[v] <= 1]
    for v in removed:
        for u in rows[v]:
            degree[u] -= 1
            if degree[u] == 1:
                removed.append(u)
    for v in removed:
        degree[v] = 0
    places = [label - (label >> 31 << 32) - TABLE[0] for label in labels]
    return [TABLE[2 + place * 16 + min(degree[v], 15)] if 0 <= place < TABLE[1] else DESIGN['FEATURE_COLUMNS'] for v, place in enumerate(places)]


def query_of(nodes, pointers, neighbours, features):
    """A query as the accelerator reads it. Rows by ascending length, where the design asks for it: nodes take the numbers of their places, and
    a row keeps the order of its neighbours."""
    features = core_columns(nodes, pointers, neighbours, features) if TABLE else features
    order = list(range(nodes))
    if DESIGN['SORTED']:
        order.sort(key=lambda v: pointers[v + 1] - pointers[v])
    place = {v: i for i, v in enumerate(order)}
    rows = [[place[u] for u in neighbours[pointers[v]:pointers[v + 1]]] for v in order]
    begins = [0, *itertools.accumulate(len(row) for row in rows)]
    query, parts = b'', [([features[v] for v in order], DESIGN['LABEL_BITS'])]
    if DESIGN['ATTRIBUTES']:  # single-precision numbers, column by column
        parts = [([features[v * COLUMNS + j] for v in order] + [0] * (-nodes % GROUP), 32) for j in range(COLUMNS)]
    for elements, bits in ((begins, DESIGN['INDEX_BITS']), ([u for row in rows for u in row], DESIGN['INDEX_BITS']), *parts):
        part = b''.join(element.to_bytes(bits // 8, 'little') for element in elements)
        query += part + bytes(-len(part) % 16)
    return query


class Accelerator:
    """Registers, as `read(address)` and `write(address, value)`, and a buffer of BUFFER bytes in memory at a multiple of 16 bytes. A streamed
    P_nys lies behind the queries, at the next multiple of 4096."""

    def __init__(self, registers, buffer, address):
        self.registers, self.buffer, self.address = registers, buffer, address
        self.write('ADDRESS', address & 0xffffffff)
        self.write('ADDRESS_HIGH', address >> 32)
        if P_BYTES:
            self.put_projection(os.path.join(HERE, 'nysx_p.bin'))

    def put_projection(self, path):
        at = QUERIES + -(self.address + QUERIES) % 4096
        with open(path, 'rb') as file:
            image = file.read()
        if len(image) != P_BYTES:
            raise ValueError(f'{path} has {len(image)} bytes, the design {P_BYTES}')
        self.buffer[at:at + P_BYTES] = image
        self.write('P_ADDRESS', self.address + at & 0xffffffff)
        self.write('P_ADDRESS_HIGH', self.address + at >> 32)

    def write(self, name, value):
        self.registers.write(REGISTERS['REG_' + name], value)

    def read(self, name):
        return self.registers.read(REGISTERS['REG_' + name])

    def ask(self, nodes, nonzeros, query):
        """The answer to a query."""
        self.buffer[:len(query)] = query
        if hasattr(self.buffer, 'flush'):
            self.buffer.flush()
        self.write('CONTROL', 2)
        self.write('NODES', nodes)
        self.write('NONZEROS', nonzeros)
        self.write('CONTROL', 1)
        end = time.monotonic() + PATIENCE_S
        while not self.read('CONTROL') & 2:
            if time.monotonic() > end:
                raise TimeoutError(f'a query of {nodes} nodes does not end')
        answer = self.read('ANSWER')
        return answer - (1 << 32) if answer >> 31 else answer


    def stream(self, queries):
        """The answers to (nodes, non-zeros, query), through the ring of a design with a queue: half of it is filled when its answers have come."""
        answers, told, end = [], 0, time.monotonic() + PATIENCE_S
        self.write('CONTROL', 2)
        self.write('NODES', RING)
        while len(answers) < len(queries):
            if told < len(queries) and told - len(answers) <= RING // 2:
                for nodes, nonzeros, query in queries[told:told + RING // 2]:
                    descriptor, at = told % RING * DESCRIPTOR, RING * DESCRIPTOR + told % RING * SLOT
                    self.buffer[at:at + len(query)] = query
                    self.buffer[descriptor:descriptor + DESCRIPTOR] = struct.pack('<QII16x', self.address + at, nodes, nonzeros)
                    told += 1
                if hasattr(self.buffer, 'flush'):
                    self.buffer.flush()
                self.write('TAIL', told)
            answered = self.read('TAIL')
            if hasattr(self.buffer, 'invalidate'):
                self.buffer.invalidate()
            for number in range(len(answers), answered):
                at = number % RING * DESCRIPTOR + DESCRIPTOR // 2
                answer, found = struct.unpack('<iI', bytes(self.buffer[at:at + 8]))
                if found != number + 1:
                    raise ValueError(f'answer {number + 1} of the ring has the number {found}')
                answers.append(answer)
                end = time.monotonic() + PATIENCE_S
            if time.monotonic() > end:
                raise TimeoutError(f'answer {len(answers) + 1} of the ring does not come')
        return answers


def stream(accelerator, path, repeat):
    """Whether all classes are equal where the graphs come through the ring, back to back."""
    graphs = [(nodes, len(neighbours), query_of(nodes, pointers, neighbours, features), expected)
              for nodes, pointers, neighbours, features, expected in cases(path)] * repeat
    begin = time.monotonic()
    answers = accelerator.stream([graph[:3] for graph in graphs])
    took = time.monotonic() - begin
    wrong = [i for i, (answer, graph) in enumerate(zip(answers, graphs)) if answer != graph[3]]
    for i in wrong:
        print(f'graph {i} of the ring: the class is {answers[i]}, expected {graphs[i][3]}')
    print(f'{len(graphs)} graphs back to back: {"DIFFERENT" if wrong else "equal"}\n{took / len(graphs) * 1e6:.1f} µs per graph through the ring')
    return not wrong


def run(accelerator, path, repeat):
    """Whether all classes are equal."""
    times, count, wrong = [], 0, 0
    for nodes, pointers, neighbours, features, expected in cases(path):
        query = query_of(nodes, pointers, neighbours, features)
        for _ in range(repeat):
            begin = time.monotonic()
            answer = accelerator.ask(nodes, len(neighbours), query)
            times.append(time.monotonic() - begin)
        if answer != expected:
            print(f'case {count}: the class is {answer}, expected {expected}')
            wrong += 1
        count += 1
    print(f'{count} graphs: {"equal" if wrong == 0 and count > 0 else "DIFFERENT"}')
    if times:
        print(f'median {statistics.median(times) * 1e6:.1f} µs per query, with its transfer and the registers')
    if wrong == 0 and count > 0 and 'REG_TAIL' in REGISTERS:
        return stream(accelerator, path, repeat)
    return wrong == 0 and count > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--overlay', default='nysx.bit')
    parser.add_argument('--unit', default='nysx_stream_ip_1' if 'REG_TAIL' in REGISTERS else 'nysx_ip_1')
    parser.add_argument('--cases', default='nysx_cases.bin')
    parser.add_argument('--repeat', type=int, default=1)
    options = parser.parse_args()
    try:
        from pynq import MMIO, Overlay, allocate
        unit = Overlay(options.overlay).ip_dict[options.unit]
        buffer = allocate(shape=(BUFFER,), dtype='u1')

        class Bytes:
            """The buffer by slices of bytes."""

            def __setitem__(self, key, value):
                buffer[key] = list(value)

            def __getitem__(self, key):
                return buffer[key]

            def flush(self):
                buffer.flush()

            def invalidate(self):
                buffer.invalidate()

        accelerator = Accelerator(MMIO(unit['phys_addr'], unit['addr_range']), Bytes(), buffer.device_address)
        return 0 if run(accelerator, options.cases, max(options.repeat, 1)) else 1
    except (OSError, KeyError, IndexError, ValueError, struct.error, ImportError, TimeoutError) as problem:
        print(f'host: {type(problem).__name__}: {problem}', file=sys.stderr)
        return 2


if __name__ == '__main__':
    sys.exit(main())
