"""Emitted folders build and their hosts run: `make csim`, `make host`, and both host programs on a mocked board that runs the
emitted C, so that answers are really compared; wrong answers, models of other designs and missing files are noticed.
Where tclsh is, the block design's Tcl is run against procedures that only note what they are asked for.

usage: hosts.py PROGRAM"""
import importlib.util
import io
import json
import mmap
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

import hls_families

PROGRAM = os.path.realpath(sys.argv[1])
MOCK = os.path.join(os.path.dirname(os.path.realpath(__file__)), 'mock')
CALLED = [  # families whose cases are calls: board, options of train, knobs and the host's batch, tags of the link
    ('gat', 'zcu106', ['--arithmetic', 'layerbreak', '--epochs', '3'], ['approach=layerbreak', 'capacity=data'], ['words:HP0', 'features_out:HP1']),
    ('gat', 'u280', ['--arithmetic', 'streamline', '--channels', '5', '--epochs', '3'], ['approach=streamline', 'capacity=data', 'units=2'], ['words:HBM[0]']),
    ('hydraf', 'zcu104', ['--dim', '76', '--batch', '4', '--clusters', '4', '--epochs', '2'], ['chunk=8', 'axi.bits=64', 'task=train'], ['samples:HP0']),
    ('hydraf', 'zcu104', ['--dim', '76', '--batch', '2', '--clusters', '4', '--epochs', '2'], ['chunk=8', 'axi.bits=64', 'task=train', 'batch:4'], ['samples:HP0', 'ring:HP3']),
    ('gat', 'u280', ['--arithmetic', 'streamline', '--epochs', '3'], ['approach=streamline', 'capacity=data', 'batch:2'], ['ring:HBM[0]']),
    ('hdreason', 'u50', ['--dim', '40', '--embedding', '8', '--batch', '1', '--epochs', '2'], ['task=infer', 'hbm.channels=4', 'axi.bits=128', 'score.lanes=4', 'batch:50'],
     ['ring:HBM[0]']),
    ('hdreason', 'u50', ['--dim', '40', '--embedding', '8', '--batch', '6', '--epochs', '2'], ['task=infer', 'hbm.channels=4', 'axi.bits=128', 'score.lanes=4'],
     ['memory0:HBM[0]', 'memory1:HBM[1]', 'queries:HBM[0]']),
    ('hdreason', 'zcu104', ['--dim', '40', '--embedding', '8', '--batch', '6', '--precision', 'fix8', '--epochs', '2'],
     ['task=infer', 'cache.uram=0', 'memorise.lanes=8', 'memorise.ips=4', 'encoder.products=64', 'train.products=96', 'units=1'], ['memory0:HP0']),
    ('hdreason', 'zcu104', ['--dim', '40', '--embedding', '8', '--batch', '6', '--precision', 'fix8', '--epochs', '2'],
     ['task=train', 'backward=after', 'cache.uram=0', 'memorise.lanes=8', 'memorise.ips=4', 'encoder.products=64', 'train.products=96', 'units=1'], ['memory0:HP0']),
]
DESIGNS = [  # board, options of train, knobs, tags of the link
    ('zcu104', ['--form', 'streamed', '--precision', 'int8'], ['nee.ports=4', 'nee.port_bits=128', 'place.h=ddr', 'units=1'],
     ['query:HPC0', 'p0:HP0', 'p3:HP3', 'h:HPC1']),
    ('u280', ['--form', 'streamed', '--features', 'attributes'], ['nee.ports=2', 'place.codebook=uram', 'place.prototypes=uram', 'units=2'],
     ['query:HBM[0]', 'p1:HBM[1]']),
    ('kv260', ['--form', 'resident', '--precision', 'int4'], ['place.p=uram', 'place.h=uram', 'lshu.balance=pl'], ['query:HP0']),
    ('pynq-z2', ['--form', 'factored', '--generator', 'sign', '--phi-bits', '8'], ['lshu.balance=none', 'nee.lanes=8'], ['query:HP0']),
    ('u280', ['--form', 'streamed', '--precision', 'int8'], ['nee.ports=2', 'place.h=ddr', 'place.prototypes=uram', 'overlap=queue', 'units=2'], ['ring:HBM[0]', 'answer:HBM[0]']),
    ('zcu104', ['--form', 'direct', '--codes', 'wl', '--features', 'cores'], ['overlap=graphs', 'nee.lanes=32', 'lshu.pe=2'], ['ring:HP1', 'answer:HP2']),
]
TCL = """proc unknown {name args} {
    global calls
    lappend calls [concat $name $args]
    if {[regexp {^get_} $name]} { return [lindex $args end] }
    return $name
}
proc file {what args} { return [lindex $args end] }
proc glob {args} { return [lindex $args end] }
set calls {}
source [lindex $argv 0]
foreach call $calls { puts $call }
"""
failures = []


def run(words, folder, expected=0, **more):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **more})
    if done.returncode != expected:
        failures.append(f'{" ".join(map(str, words))}: exit {done.returncode}, not {expected}\n{(done.stdout + done.stderr)[-1500:]}')
    return done.stdout + done.stderr


def expect(what, holds):
    if not holds:
        failures.append(what)


def compile_mock(out, name, *macros):
    """A board's object; the standard headers of all boards are compiled once."""
    flags, headers = ['g++', '-std=c++17', '-Wall', '-Wextra', '-Werror', '-pedantic'], f'{os.path.dirname(out)}/headers.hpp'
    if not os.path.exists(headers):
        with open(headers, 'w', encoding='utf-8') as file:
            file.write(''.join(f'#include <{header}>\n' for header in ('algorithm', 'chrono', 'cstdio', 'cstdlib', 'cstring', 'map', 'memory', 'stdexcept', 'string', 'vector')))
        run([*flags, '-x', 'c++-header', headers, '-o', f'{headers}.gch'], out)
    run([*flags, '-include', headers, '-I.', f'-I{MOCK}', *macros, '-c', f'{MOCK}/{name}.cpp', '-o', f'build/{name}.o'], out)


def build_mock(out, sources, *macros):
    """The accelerator's objects with the board's, and its shared library."""
    os.makedirs(f'{out}/build', exist_ok=True)
    for source in sources:
        run(['gcc', '-std=c99', '-O1', '-fPIC', '-ffp-contract=off', '-I.', '-c', source, '-o', f'build/{source[:-2]}.o'], out)
    objects = [f'build/{source[:-2]}.o' for source in sources]
    run(['gcc', '-shared', *objects, '-lm', '-o', 'build/accelerator.so'], out)
    compile_mock(out, 'xrt_mock', *macros)
    return objects + ['build/xrt_mock.o']


def calls_of(out, family):
    """The calls of the cases: items, whether they go on, ports of the writes, ports of the expectations."""
    config = open(f'{out}/{family}_config.h', encoding='utf-8').read()
    registers = int(re.search(r'_CALL_REGISTERS (\d+)', config)[1])
    ports = re.findall(r'PORT\(\d+, (\w+),', re.search(rf'^#define {family.upper()}_EACH_PORT.*$', config, re.M)[0])
    with open(f'{out}/{family}_cases.bin', 'rb') as file:
        words = memoryview(file.read()).cast('I')
    at = 2
    for _ in range(words[1]):
        items, ranges = words[at], ([], [])
        at += 1 + registers
        for expected, found in enumerate(ranges):
            count, at = words[at], at + 1
            for _ in range(count):
                found.append(ports[words[at]])
                at += 3 + words[at + 2] if expected else 4 + (0 if words[at + 3] else words[at + 2])
        yield items & 0x7fffffff, items >> 31, *ranges


def check_traffic(out, family, board, data, knobs):
    """The model counts the starts and transfers of the calls that answer an item; memory that is compared alone is not counted."""
    text = run([PROGRAM, 'estimate', '--family', family, '--board', board, '--dataset', data, '--preset', 'paper', '--format', 'json', '-q', *knobs], out)
    host = json.loads(text)['total']['host']
    starts, transfers, touched = 0, 0, set()
    for items, goes_on, written, expected in calls_of(out, family):
        moved = [port for port in written + expected if not port.startswith('memory')]
        if items == 0 and not goes_on:
            continue
        starts, transfers, touched = starts + 1, transfers + len(moved), touched | set(moved)
        if not goes_on:
            last, starts, transfers, touched = (starts, transfers, len(touched) + 1), 0, 0, set()
    queued = '_RING_SLOTS' in open(f'{out}/{family}_config.h', encoding='utf-8').read()
    expect(f'{family} on {board}: {last} starts, transfers, and transfers of a queue, but the model has {host}', (host['starts'], host['transfers']) == ((1, last[2]) if queued else last[:2]))


LINUX = ['open', 'mmap', 'read', 'write', 'pwrite', 'poll', 'opendir']  # calls of the kernel that mock/uio_mock.cpp answers


def write_addresses(out, top, names, answers, registers, chained):
    """The header that Vitis HLS writes with the IP, at addresses of our own; and the same for the mocked board."""
    at, macros, addresses = 0x20, [], []
    for name, bits in [*((name, 64) for name in names), *((name, 32) for name in answers + registers)]:
        macros += [f'#define X{top.upper()}_CONTROL_ADDR_{name.upper()}_DATA {at:#x}', f'#define X{top.upper()}_CONTROL_BITS_{name.upper()}_DATA {bits}']
        addresses.append(at)
        at += 12 if bits == 64 else 8
    control = {'AP_CTRL': 0x00, 'GIE': 0x04, 'IER': 0x08, 'ISR': 0x0c}
    macros += [f'#define X{top.upper()}_CONTROL_ADDR_{name} {address:#x}' for name, address in control.items()]
    with open(f'{out}/ip/x{top}_hw.h', 'w', encoding='utf-8') as file:
        file.write('// control\n' + '\n'.join(macros) + '\n')
    with open(f'{out}/build/addresses.h', 'w', encoding='utf-8') as file:
        file.write(f'#define MOCK_TOP "{top}"\nconstexpr bool CHAINED = {str(chained).lower()};\nconstexpr uint32_t address_of_control = 0, address_of_enable_all = 4, address_of_enable = 8, '
                   f'address_of_status = 12, addresses[] = {{{", ".join(map(str, addresses))}}};\n')


def check_steps(host, each, queued):
    """The steps of the paths `linux` and `baremetal` (HLS) are those that the host takes by interrupt and by polling; changed registers alone are written."""
    text = run([PROGRAM, 'boards', 'show', 'zcu104', '--format', 'json'], '.')
    paths = {path['name']: path['steps'] for path in json.loads(text)['hosts']}
    for wait, path in ('interrupt', 'linux'), ('poll', 'baremetal'):
        steps = [step for step in paths[path] if step['flow'] != 'rtl']
        times = {name: sum(step['times_queued' if queued and step['each'] == 'launch' else 'times'] for step in steps if step['name'] == name and (step['each'], queued) != ('answer', True))
                 for name in ('register write', 'register read', 'answer')}
        reads = times['register read'] + times['answer'] + (0.5 if wait == 'poll' else 0)  # the mocked kernel ends behind the first look
        found = each[wait]
        expect(f'{host} --wait {wait}: {found}, but `{path}` has {times}',
               found['register reads'] == reads and times['register write'] - 1 < found['register writes'] <= times['register write'] and found['transfers'] == (3 if queued else 1))


def run_linux(out, other, family, items, units, names, registers, macros, objects, strict):
    """The host for Linux without XRT: registers, interrupts and memory of a mocked board."""
    os.makedirs(f'{out}/ip/drivers', exist_ok=True)
    chained = 'ring' in names
    host, top = f'host/{family}_host_linux', f'{family}_top'
    text = run(['make', 'host-linux'], out, expected=2)
    expect(f'{host}: {text}', f'needs host/x{top}_hw.h, which make ip writes' in text)
    write_addresses(out, top, names, [] if chained or family != 'nysx' else ['answer'], registers, chained)
    with open(f'{out}/v++', 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\n')
    os.chmod(f'{out}/v++', 0o755)
    run(['make', 'ip'], out, PATH=f'{out}:{os.environ["PATH"]}')
    compile_mock(out, 'uio_mock', *macros, '-DMOCK_ADDRESSES="build/addresses.h"')
    mocked = f'-include {MOCK}/uio_mock.h -DUIO_WORD=Word {" ".join(objects)} build/uio_mock.o -lm -Wl,{",".join("--wrap=" + call for call in LINUX)}'
    run(['make', 'host-linux', f'CXXFLAGS={strict.split(" -g1")[0]} -fsyntax-only'], out)  # without the mock
    run(['make', 'host-linux', f'CXXFLAGS={strict} {mocked}'], out)
    each = {}
    for wait in 'interrupt', 'poll':
        counted = []
        for repeat in 12 * units, 24 * units:
            text = run([host, '--wait', wait, '--repeat', repeat], out)
            expect(f'{host}: {text}', f'{items}: equal' in text and 'median' in text)
            counted.append({what: int(count) for count, what in re.findall(r'^(\d+) (transfers|register reads|register writes|interrupts)$', text, re.M)} |
                           {'starts': sum(int(count) for count in re.findall(r'^unit \d: (\d+) starts$', text, re.M))})
        starts = counted[1]['starts'] - counted[0]['starts']
        each[wait] = {what: (counted[1][what] - counted[0][what]) / starts for what in counted[0]}
        expect(f'{host}: interrupts of {starts} starts: {each}', each[wait]['interrupts'] == (wait == 'interrupt'))
    if family == 'nysx':
        check_steps(host, each, chained)
    run([host], out, expected=1 if 'URAM' not in out else 2, MOCK_WRONG='1')
    if other is not None:
        run([host, '--model', f'{other}/Makefile'], out, expected=2)
    for options, more, reason in ((['--wait', 'long'], {}, 'interrupt or poll'), ([], {'MOCK_NO_INTERRUPT': '1'}, '--wait poll does without'), ([], {'MOCK_SMALL': '1'}, 'the arguments need'),
                                  (['--device', '1'], {}, 'cannot be opened'), (['--unit', 'none'], {}, 'has this name')):
        text = run([host, *options], out, expected=2, **more)
        expect(f'{host} {options}: {text}', reason in text)


def run_hosts(out, other, family='nysx', items='8 graphs'):
    sources = re.search(r'^SOURCES = (.*)$', open(f'{out}/Makefile', encoding='utf-8').read(), re.M)[1].split()
    text = run(['make', 'csim'], out)
    expect(f'{out}: C simulation: {text[-300:]}', text.rstrip().endswith(f'{items}: equal'))
    config = open(f'{out}/{family}_config.h', encoding='utf-8').read()
    prefix = family.upper()
    units = int(re.search(rf'^#define {prefix}_UNITS (\d+)', config, re.M)[1])
    python = {'PYTHONPATH': MOCK, 'PYTHONDONTWRITEBYTECODE': '1', 'MOCK_UNITS': str(units)}
    called = re.search(rf'^#define {prefix}_REGISTER_NAMES (.*)$', config, re.M)
    if called:
        python.update(MOCK_TOP=f'{family}_top', MOCK_REGISTERS=' '.join(re.findall(r'"(\w+)"', called[1])))
        macros = [f'-DMOCK_CALL={prefix}_CALL', f'-DMOCK_PORTS={prefix}_PORTS', f'-DMOCK_REGISTERS={prefix}_REGISTERS',
                  f'-DMOCK_HEADER="{family}_calls.h"', f'-DMOCK_KERNEL="{family}_top:{{{family}_top_"', f'-DMOCK_UNITS={units}']
        names = re.findall(r'PORT\(\d+, (\w+),', re.search(rf'^#define {prefix}_EACH_PORT.*$', config, re.M)[0])
        queue, slots = 'ring' in names, re.search(rf'^#define {prefix}_RING_SLOTS (\d+)', config, re.M)
        words = re.findall(r'PORT\(\d+, \w+, [\w ]+, (\d+),', re.search(rf'^#define {prefix}_EACH_PORT.*$', config, re.M)[0])
        ring = {'MOCK_SLOTS': slots[1] if queue else '1', 'MOCK_STRIDE': str(4 * int(words[-2])) if queue else '0'}
        macros += [f'-D{name}={value}' for name, value in ring.items()]
        python.update(MOCK_CHAINED='1', **ring) if queue else None
    else:
        macros = []
        names = ['query'] + [name for port in ('P', 'H') for line in re.findall(rf'^#define NYSX_NAMES_{port} (.*)$', config, re.M)
                             for name in re.findall(r'"(\w+)"', line)]
        if 'NYSX_RING_SLOTS' in config:
            names += ['ring', 'answer']
            python.update(MOCK_REGISTERS='command first count', MOCK_CHAINED='1')
    python['MOCK_ARGUMENTS'] = ' '.join(names)
    objects = build_mock(out, sources, *macros)
    registers = ['first', 'count'] if called and 'ring' in names else re.findall(r'"(\w+)"', called[1]) if called else \
        ['command', *(['first', 'count'] if 'ring' in names else ['nodes', 'nonzeros'])]
    strict = '-Wall -Wextra -Werror -pedantic -g1 -fsanitize=address,undefined -fno-sanitize-recover=all'
    run(['make', 'host', f'XRT_INCLUDE={MOCK}', f'XRT_LIBRARY={" ".join(objects)} -lm', f'CXXFLAGS={strict}'], out)
    for name in (f'{family}.xclbin', f'{family}.bit'):
        open(f'{out}/{name}', 'w', encoding='utf-8').close()
    for host, more, second in (([f'host/{family}_host'], {}, f'{family}_top:{{{family}_top_2}}'), ([sys.executable, 'host/host.py'], python, f'{family}_top_2')):
        text = run([*host, '--repeat', 12 * units if 'MOCK_CHAINED' in python else 2], out, **more)  # more than fit into the ring
        expect(f'{host}: {text}', f'{items}: equal' in text and 'median' in text)
        starts = [int(count) for count in re.findall(r'^unit \d: (\d+) starts$', text, re.M)]
        expect(f'{host}: starts of the units: {starts}', len(starts) == units and min(starts) > 1 and max(starts) - min(starts) <= 1)
        moved = re.search(r'^(\d+) transfers$', text, re.M)
        compared = 'ring' not in names and 'memory0' in names  # by one transfer per row
        expect(f'{host}: {text}', moved is None or compared or int(moved[1]) <= sum(starts) * len(names) + 10)  # the items of a start share them; a model may need more
        text = run([*host, '--unit', second], out, **more) if units > 1 else ''
        expect(f'{host}: unit 2 alone: {text}', units == 1 or 'unit 1: 0 starts' in text and 'equal' in text)
        text = run(host, out, expected=1, MOCK_WRONG='1', **more) if 'URAM' not in out else run(host, out, expected=2, MOCK_WRONG='1', **more)
        expect(f'{host}: {text}', 'expected' in text or 'returned' in text)
        if other is not None:
            run([*host, '--model', f'{other}/Makefile'], out, expected=2, **more)
        run([*host, '--cases', 'none.bin'], out, expected=2, **more)
    if os.path.exists(f'{out}/host/uio.hpp'):
        run_linux(out, other, family, items, units, names, registers, macros, objects[:-1], strict)


def check_block_design(out, board, family='nysx'):
    if shutil.which('tclsh') is None:
        print('hosts: no tclsh here: SKIPPED block_design.tcl', file=sys.stderr)
        return
    with open(f'{out}/calls.tcl', 'w', encoding='utf-8') as script:
        script.write(TCL)
    text = run(['tclsh', 'calls.tcl', 'block_design.tcl'], out)
    units = len(re.findall(rf'^create_bd_cell -type ip -vlnv xilinx.com:hls:{family}_top', text, re.M))
    ports = len(re.findall(r'^sp=', open(f'{out}/link_config.cfg', encoding='utf-8').read(), re.M))
    connected = len(re.findall(r'^(?:connect_bd_intf_net|make_bd_intf_pins_external) .*m_axi_gmem_', text, re.M))
    expect(f'{board}: block design has {units} units and {connected} of {ports} ports\n{text}', units >= 1 and connected == ports)


class Rtl:
    """Mappings of the C host of an RTL folder, as files: registers, and memory that an accelerator by host.py's packing reads and answers in."""

    def __init__(self, out, wrong, by_interrupt):
        spec = importlib.util.spec_from_file_location('rtl_host', f'{out}/host.py')
        host = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(host)
        self.register = {name[4:]: address for name, address in host.REGISTERS.items() if name.startswith('REG_')}
        with open(f'{out}/nysx_p.bin', 'rb') if host.P_BYTES else io.BytesIO() as file:
            self.projection = file.read()
        self.answers = {(nodes, len(neighbours), host.query_of(nodes, pointers, neighbours, labels)): expected ^ wrong
                        for nodes, pointers, neighbours, labels, expected in host.cases(f'{out}/nysx_cases.bin')}
        self.maps = []
        for name, size in ('registers', 4096), ('buffer', host.BUFFER):
            with open(f'{out}/{name}', 'w+b') as file:
                file.truncate(size)
                self.maps.append(mmap.mmap(file.fileno(), size))
        self.register.update(ARMED=2048, EVENTS=2052)  # mock/uio.c
        self.done, self.tails, self.by_interrupt, self.going = 0, set(), by_interrupt, True
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def read(self, name):
        return struct.unpack_from('<I', self.maps[0], self.register[name])[0] if name in self.register else 0

    def write(self, name, value):
        struct.pack_into('<I', self.maps[0], self.register[name], value & 0xffffffff)

    def answer(self, address, nodes, nonzeros):
        at = self.read('P_ADDRESS') - 0x4000 if self.projection else 0
        if self.projection != self.maps[1][at:at + len(self.projection)]:
            return -5
        for (asked, edges, query), answer in self.answers.items():
            at = address - 0x4000
            if (asked, edges) == (nodes, nonzeros) and self.maps[1][at:at + len(query)] == query:
                return answer
        return -9

    def run(self):
        while self.going:
            if self.by_interrupt and not self.read('ARMED'):
                continue  # an answer that comes early is not waited for
            if self.read('CONTROL') == 1:
                self.write('ANSWER', self.answer(self.read('ADDRESS'), self.read('NODES'), self.read('NONZEROS')))
                self.write('CONTROL', 2)
                self.interrupt()
            tail = self.read('TAIL')
            self.tails.add(tail)
            while self.done < tail:
                at = self.read('ADDRESS') - 0x4000 + self.done % self.read('NODES') * 32
                answer = self.answer(*struct.unpack_from('<QII', self.maps[1], at))
                self.done += 1
                struct.pack_into('<iI', self.maps[1], at + 16, answer, self.done)
                if self.done == tail:
                    self.interrupt()

    def interrupt(self):
        if self.by_interrupt and self.read('INTERRUPT') == 1:
            self.write('ARMED', 0)
            self.write('EVENTS', self.read('EVENTS') + 1)

    def end(self):
        self.going = False
        self.thread.join()


def check_rtl_queue(folder, data, model='rtl.npz', elements=2, overlap='graphs'):
    """The C host of an RTL folder with a queue moves the tail by half a ring, and waits by interrupt or polls; wrong answers are noticed."""
    out = f'{folder}/rtl-{overlap}{elements}'
    run([PROGRAM, 'emit', '--flow', 'rtl', '--dataset', data, '--model', model, '--set', 'nee.lanes=32', '--set', 'sce.bits=32', '--set', f'lshu.pe={elements}',
         '--set', 'clock_mhz=100', '--set', f'overlap={overlap}', '--set', 'nee.port_bits=128', '--cases', 6, '-q', '-o', out], folder)
    run(['gcc', '-std=gnu99', '-Wall', '-Wextra', '-Werror', '-c', f'{MOCK}/uio.c', '-o', 'uio.o'], out)
    run(['gcc', '-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic', '-fsanitize=address,undefined', 'host.c', 'uio.o', '-o', 'host',
         '-Wl,--wrap=open,--wrap=read,--wrap=write,--wrap=pwrite,--wrap=mmap,--wrap=poll'], out)
    asked = [PROGRAM, 'estimate', '--flow', 'rtl', '--dataset', f'{folder}/labels', '--preset', 'paper', '--format', 'json', '-q']
    paid = [json.loads(run([*asked, *more], folder))['total']['host']['transfers'] for more in ([], ['--set', 'overlap=queue', '--batch', 32])]
    for wrong, options, interrupts in (0, ['registers', 'buffer'], None), (1, ['registers', 'buffer'], None), (0, ['--poll', '/dev/uio0', '/dev/udmabuf0'], 0), (0, ['/dev/uio0', '/dev/udmabuf0'], 6 + 7):
        device = Rtl(out, wrong, bool(interrupts))
        text = run(['./host', *options, '0x4000'], out, expected=wrong)
        expect(f'rtl queue: {device.done} answers\n{text}', device.done == (0 if wrong else 204) and ('204 graphs back to back: equal' in text) == (not wrong))
        halves = {0} if wrong else {*range(0, 204, 32), 204}
        expect(f'rtl queue: the tail is {device.tails} in turn', device.tails <= halves and (not interrupts or device.tails >= halves - {0}))
        expect(f'rtl queue: not {interrupts} interrupts\n{text}', interrupts is None or f'{interrupts} interrupts' in text)
        moved = 6 * paid[0] + 7 * paid[1] + (model == 'streamed.npz')  # P_nys once
        expect(f'rtl queue: not {moved} transfers, as the model counts\n{text}', not interrupts or f' {moved} transfers' in text)
        device.end()


def check_rtl(folder, data):
    """The RTL's folder: its Tcl, where tclsh is, and its C host. packaged.py runs the Python host."""
    run([PROGRAM, 'train', '--dataset', data, '--hops', 2, '--dim', 128, '--form', 'direct', '--codes', 'wl', '--features', 'cores', '-o', 'rtl.npz', '-q'], folder)
    run([PROGRAM, 'train', '--dataset', data, '--hops', 2, '--dim', 128, '--form', 'streamed', '--precision', 'int8', '--landmarks', 8, '-o', 'streamed.npz', '-q'], folder)
    for board, model, pins in ('zcu104', 'streamed', ('pl_ps_irq0', 'HP0', 'HP1')), ('pynq-z2', 'rtl', ('IRQ_F2P', 'HP0')):
        out = f'{folder}/rtl-{board}'
        run([PROGRAM, 'emit', '--flow', 'rtl', '--board', board, '--dataset', data, '--model', f'{model}.npz', '--set', 'nee.lanes=32', '--set', 'sce.bits=32',
             '--set', 'nee.port_bits=128', '--set', 'lshu.pe=2', '--set', 'clock_mhz=100', '--cases', 2, '-q', '-o', out], folder)
        run(['gcc', '-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic', 'host.c', '-o', 'host'], out)
        run(['./host', '/dev/zero'], out, expected=2)
        if shutil.which('tclsh') is None:
            continue
        with open(f'{out}/calls.tcl', 'w', encoding='utf-8') as script:
            script.write(TCL)
        text = run(['tclsh', 'calls.tcl', 'block_design.tcl'], out)
        for wanted in ('create_bd_cell -type ip -vlnv nysx-dse:user:nysx_ip:1.0 nysx_ip_1', 'connect_bd_intf_net controls/M00_AXI nysx_ip_1/s_axi',
                       f'connect_bd_intf_net nysx_ip_1/m_axi to_{pins[1]}/S00_AXI', *(f'connect_bd_intf_net nysx_ip_1/m_axi_p to_{pin}/S00_AXI' for pin in pins[2:]), f'connect_bd_net nysx_ip_1/interrupt ps/{pins[0]}'):
            expect(f'{board}: no "{wanted}" in\n{text}', f'\n{wanted}\n' in text)
        for script, wanted in ('package.tcl', 'set_property top nysx_ip'), ('vivado.tcl', 'read_xdc clock.xdc'):
            text = run(['tclsh', 'calls.tcl', script], out)
            expect(f'{board}: no "{wanted}" in\n{text}', wanted in text)
        expect(f'{board}: the clock comes behind synthesis', text.find('read_xdc') < text.find('synth_design'))


def main():
    with tempfile.TemporaryDirectory() as folder:
        data, other = f'{folder}/data', None
        run([PROGRAM, 'datasets', 'generate', f'{folder}/labels', '--graphs', 50, '--seed', 4], folder)
        check_rtl(folder, f'{folder}/labels')
        check_rtl_queue(folder, f'{folder}/labels')
        check_rtl_queue(folder, f'{folder}/labels', 'streamed.npz', 4, 'queue')
        run([PROGRAM, 'datasets', 'generate', data, '--graphs', 50, '--attributes', 2, '--seed', 4], folder)
        run([PROGRAM, 'train', '--dataset', data, '--hops', 2, '--dim', 128, '--form', 'direct', '--codes', 'tuple', '--features', 'both', '-o', 'numbers.npz', '-q'],
            folder)
        check_rtl_queue(folder, data, 'numbers.npz', 8)
        for number, (board, train, knobs, tags) in enumerate(DESIGNS):
            model = f'{folder}/m{number}.npz'
            loads = any('=uram' in knob for knob in knobs)
            out = f'{folder}/design{number}' + ('URAM' if loads else '')
            run([PROGRAM, 'train', '--dataset', data, '--landmarks', 12, '--hops', 3, '--dim', 300, '--seed', number, '-o', model, '-q',
                 *train], folder)
            run([PROGRAM, 'emit', '--board', board, '--dataset', data, '--model', model, '--cases', 8, '--force', '-q', '-o', out,
                 *[word for knob in knobs for word in ('--set', knob)]], folder)
            link = open(f'{out}/link_config.cfg', encoding='utf-8').read()
            for tag in tags:
                expect(f'{board}: no {tag} in\n{link}', f'nysx_top_1.{tag}\n' in link)
            expect(f'{board}: no clock in\n{link}', re.search(r'^freqHz=\d+:nysx_top_1$', link, re.M))
            run_hosts(out, other)
            check_block_design(out, board)
            other = out
            print(f'{board}: {" ".join(train)}', flush=True)
        for number, (family, board, train, knobs, tags) in enumerate(CALLED):
            data, out, model = f'{folder}/{family}', f'{folder}/called{number}', f'{folder}/called{number}.npz'
            if not os.path.exists(data) and not os.path.exists(f'{data}.csv'):
                hls_families.FAMILIES[family]['data'](random.Random(3), data)
            data = data if os.path.exists(data) else f'{data}.csv'
            run([PROGRAM, 'train', '--family', family, '--dataset', data, '--seed', number, '-o', model, '-q', *train], folder)
            run([PROGRAM, 'emit', '--family', family, '--board', board, '--dataset', data, '--model', model, '--cases', 8, '--force', '-q', '-o', out,
                 *[word for knob in knobs for word in (('--batch', knob[6:]) if knob.startswith('batch:') else ('--set', knob))]], folder)
            link = open(f'{out}/link_config.cfg', encoding='utf-8').read()
            for tag in tags:
                expect(f'{family} on {board}: no {tag} in\n{link}', f'{family}_top_1.{tag}\n' in link)
            run_hosts(out, out, family, '9 items' if 'backward=after' in knobs else '8 items')
            check_traffic(out, family, board, data, [word for knob in knobs for word in (('--batch', knob[6:]) if knob.startswith('batch:') else ('--set', knob))])
            check_block_design(out, board, family)
            print(f'{family} on {board}: {" ".join(train)}', flush=True)
    print(*failures, sep='\n')
    sys.exit(len(failures) > 0)


main()
