"""Every emitted file of every family and shipped profile parses in its format, and none contains an unfilled template field, "(null)" or
an empty value. A file without a parser here is a failure, and so is a build file in a folder without a source.
SystemVerilog is linted by rtl.py and the hosts are compiled by hosts.py.

usage: parsed.py PROGRAM"""
import ast
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(sys.argv[1])
BOARDS = ['pynq-z2', 'u280', 'vcu128']  # boards used in turn besides the family's own: Zynq-7000, HBM, no processing system
BUILDS = {'Makefile', 'hls_config.cfg', 'link_config.cfg', 'ip_config.cfg', 'directives.tcl', 'block_design.tcl', 'vivado.tcl', 'synth.sh',
          'synth.conf'}
LEFT = re.compile(r'\(null\)|@[A-Z_]{2,}@')
WHOLE = 'exit [expr {![info complete [read [open [lindex $argv 0]]]]}]'
failures = []


def run(words, folder=None, text=None):
    return subprocess.run([str(word) for word in words], cwd=folder, input=text, capture_output=True, text=True)


def lines_like(pattern):
    """A parser of texts whose lines, but for comments and empty ones, are each of a form."""
    def parse(path, text):
        return [line for line in text.splitlines() if line and line[0] not in '#' and not re.fullmatch(pattern, line)][:3]
    return parse


def by(*words):
    """An external program as parser: returns its output for the file."""
    def parse(path, text):
        done = run([*words, path], os.path.dirname(path))
        return done.returncode and (done.stderr[:300] or 'is not whole')
    return parse


def parse_header(path, text):
    return run(['gcc', '-std=c99', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-I.', '-x', 'c', '-'], os.path.dirname(path),
               f'#include "{os.path.basename(path)}"\n').stderr[:300]


def parse_json(path, text):
    empty = []

    def look(value, name):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, (dict, list)):
                look(inner, f'{name}.{key}')
            elif inner in ('', None) and key != 'ii':  # a loop that claims no interval
                empty.append(f'{name}.{key}')
    look(json.loads(text, parse_constant=empty.append), '')
    return empty


def parse_tcl(path, text):
    empty = [line for line in text.splitlines() if '""' in line]
    with tempfile.NamedTemporaryFile('w', suffix='.tcl') as script:
        script.write(WHOLE)
        script.flush()
        return empty or (shutil.which('tclsh') and by('tclsh', script.name)(path, text))


def parse_python(path, text):
    try:
        ast.parse(text)
    except SyntaxError as why:
        return str(why)


def parse_binary(path, data):
    if not path.endswith('_model.bin'):
        return not data and 'is empty'
    version, count = struct.unpack_from('<QQ', data, 8)
    return (data[:8] != b'dse-pack' or version != 1 or len(data) < 64 + 64 * count) and 'is no packed model'


def parse_makefile(path, text):
    return run(['make', '-n', '-f', path, 'clean'], os.path.dirname(path)).stderr or re.findall(r'^SOURCES =\s*$', text, re.M)


def parse_verilog(path, text):
    """With the modules beside it; the bus's PROT signals end in it, and its pin is called interrupt."""
    return shutil.which('verilator') and by('verilator', '--lint-only', '-Wall', '-Wno-UNUSEDSIGNAL', '-Wno-SYMRSVDWORD', '-y', '.')(path, text)


PARSERS = {'.h': parse_header, '.json': parse_json, '.tcl': parse_tcl, '.xdc': parse_tcl, '.v': parse_verilog, '.bin': parse_binary, '': parse_makefile,
           '.c': by('gcc', '-std=c99', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-I.'),
           '.cfg': lines_like(r'\[\w+\]|[\w.]+=[^=:.\s][^:\s]*(:[^:\s]+)?|[\w.]+=-\S+'), '.sh': by('sh', '-n'),
           '.txt': lines_like(r'[0-9a-f]{16} \S+'), '.hex': lines_like(r'[0-9a-f]+'), '.conf': lines_like(r"[A-Z0-9_]+=('[^']*'?|\S+)|\w+( \d+)+'?|'"),
           '.md': lines_like(r'(?!.*\|\s*\|).*'), '.py': parse_python,
           '.sv': lambda path, text: '', '.svh': lambda path, text: '', '.cpp': lambda path, text: '', '.hpp': lambda path, text: ''}


def check(design, out):
    names = sorted(os.path.relpath(os.path.join(at, name), out) for at, _, files in os.walk(out) for name in files)
    if not any(name.endswith(('.c', '.sv')) for name in names) and BUILDS & set(names):
        failures.append(f'{design}: {sorted(BUILDS & set(names))} without a source')
    for name in names:
        path, ending = os.path.join(out, name), os.path.splitext(name)[1]
        with open(path, 'rb') as stream:
            text = stream.read()
        if ending != '.bin':
            text = text.decode()
        problem = (ending != '.bin' and LEFT.findall(text)) or (
            PARSERS[ending](path, text) if ending in PARSERS and (ending or name == 'Makefile') else 'nothing here parses it')
        if problem:
            failures.append(f'{design}: {name}: {problem}')


def emit(design, out, *words, may_reject=False):
    done = run([PROGRAM, 'emit', '-q', '--force', '-o', out, *words])
    if done.returncode == 0:
        check(design, out)
    elif not may_reject:
        failures.append(f'{design}: {done.stderr}')
    return done.returncode == 0


def main():
    count, seen = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for data in json.loads(run([PROGRAM, 'datasets', 'list', '--format', 'json']).stdout)['datasets']:
            family = data['family']
            seen[family] = seen.get(family, 0) + 1
            for board in (None, BOARDS[seen[family] % len(BOARDS)]):
                words = ['--family', family, '--dataset', data['name'], '--preset', 'paper', *(['--board', board] if board else [])]
                count[family] = count.get(family, 0) + emit(' '.join(words), f'{folder}/{data["name"]}-{family}-{board}', *words,
                                                            may_reject=board is not None)
        data = f'{folder}/data'
        run([PROGRAM, 'datasets', 'generate', data, '--graphs', 40, '--seed', 1, '-q'])
        shared = os.environ.get('NYSX_MADE') # whose design is streamed
        if shared:
            check('the shared design', f'{shared}/design')
        for flow, *form in (*([] if shared else [('hls', 'streamed')]), ('hls', 'resident'), ('rtl', 'factored', '--generator', 'sign', '--phi-bits', 16)):
            model = f'{folder}/{flow}-{form[0]}'
            run([PROGRAM, 'train', '--dataset', data, '--preset', 'paper', '--landmarks', 8, '--dim', 256, '--hops', 2, '--seed', 1, '-q',
                 '-o', f'{model}.npz', '--form', *form])
            emit(f'nysx {flow} {form[0]}', model, '--dataset', data, '--model', f'{model}.npz', '--cases', 4, '--flow', flow)
    print(f'{count} folders without a model')
    print(*failures[:40], sep='\n')
    sys.exit(len(failures) > 0)


main()
