"""Emitted designs of all forms, precisions and boards, drawn at random: each folder compiles as C99, C11 and C++17 by GCC
and Clang without a warning, as C++17 also with the vendor's types (tests/emit/mock/vendor stands in for their headers); its C
simulation under sanitizers gives the executor's answers in all three ways, and the checker finds no claim that does not hold.
HyDRAF's headers compile alike.

usage: hls_designs.py PROGRAM [--designs N] [--first I] [--no-check] [--seed N]"""
import argparse
import itertools
import json
import os
import random
import shutil
import sys
import tempfile

from folders import CPP, VENDOR, claims, compile_all, run, simulate

LANGUAGES = [('gcc', '-std=c99'), ('gcc', '-std=c11'), ('g++', *CPP), ('clang', '-std=c99'), ('clang', '-std=c11'), ('clang++', *CPP, '-Wno-deprecated')]
LANGUAGES += [(*words, VENDOR) for words in LANGUAGES if '-std=c++17' in words]
SIMULATED = [['gcc', '-std=c99'], ['g++', *CPP], ['g++', *CPP, VENDOR]]

FORMS = [['--form', form, '--precision', precision] for form in ('streamed', 'resident')
         for precision in ('fp32', 'fp16', 'bf16', 'int16', 'int8', 'int4', 'binary')]
FORMS += [['--form', 'factored', '--generator', generator, '--phi-bits', bits] for generator in ('uniform8', 'bits8', 'sign')
          for bits in ('8', '16', '32', 'fp32')]
FORMS += [['--form', 'direct', '--codes', codes, '--prototypes', prototypes] for codes in ('scalar', 'tuple', 'wl')
          for prototypes in ('bundled', 'ridge')]
TRAINED = {'--codes': ['scalar', 'tuple', 'wl'], '--features': ['labels', 'attributes', 'both'], '--prototype-bits': ['1', '2', '4', '8', '32'],
           '--landmarks': ['6', '17', '40'], '--hops': ['1', '3', '4'], '--dim': ['300', '777', '1024'], '--width': ['0.1', '1'],
           '--center': ['yes', 'no'], '--propagation': ['A', 'row-normalised']}
DIRECT = {'--center-bits': ['exact', '2', '4', '8'], '--table': ['none', '1024', '4096']}
KNOBS = {'lshu.pe': [1, 2, 4, 8, 16], 'lshu.balance': ['none', 'ps', 'pl'], 'mphe.lookups': [1, 2, 4, 8], 'mphe.gamma': [1, 2, 4],
         'hue.pe': [1, 2, 4, 8], 'kse.pe': [1, 2, 4, 16, 64], 'kse.balance': ['none', 'static'], 'nee.lanes': [1, 4, 10, 16, 24, 48, 64],
         'nee.ports': [1, 2, 4], 'nee.port_bits': [64, 128, 256, 512], 'sce.pe': ['one', 'all'], 'sce.bits': [32, 48, 64, 128],
         'nee.codes': [1, 2, 4, 8], 'nee.merge': ['none', 32, 128], 'place.p': ['bram', 'uram'], 'place.h': ['bram', 'uram', 'lutram', 'ddr'], 'place.codebook': ['bram', 'uram', 'lutram'],
         'place.prototypes': ['bram', 'uram', 'lutram'], 'nee.memory': [1, 2], 'units': [1, 2], 'overlap': ['none', 'queue', 'engines', 'graphs'], 'clock_mhz': [100, 150, 200, 250, 300]}


class Bench:
    def __init__(self, program, folder, seed):
        self.program, self.folder, self.seed = program, folder, seed
        self.boards = [line.split()[0] for line in run([program, 'boards', 'list', '--format', 'csv']).stdout.split('\n')[1:] if line]
        self.boards = [name.split(',')[0] for name in self.boards]
        self.data = f'{folder}/data'
        made = run([program, 'datasets', 'generate', '--graphs', 50, '--attributes', 2, '--seed', seed, self.data])
        assert made.returncode == 0, made.stderr

    def emit(self, number, form, board):
        """Folder and words of a design, drawn until it can be built on the board."""
        draw = random.Random(f'{self.seed} {number}')
        for _ in range(60):
            model, out = f'{self.folder}/m.npz', f'{self.folder}/design{number}'
            train = list(form)
            for option, values in {**TRAINED, **(DIRECT if 'direct' in form else {})}.items():
                if option not in form and not ('direct' in form and option == '--landmarks'):
                    train += [option, draw.choice(values)]
            if 'tuple' in train:
                train += ['--draws', draw.choice(['1', '2', '4'])]
            trained = run([self.program, 'train', '--dataset', self.data, '--seed', draw.randrange(99), '-o', model, '-q', *train])
            if trained.returncode != 0:
                assert trained.returncode == 2, trained.stderr
                continue
            knobs = [f'{knob}={draw.choice(values)}' for knob, values in KNOBS.items()]
            words = ['--board', board, '--dataset', self.data, '--model', model]
            for knob in knobs:
                words += ['--set', knob]
            shutil.rmtree(out, ignore_errors=True)
            emitted = run([self.program, 'emit', *words, '--cases', 8, '--force', '-q', '-o', out])
            if emitted.returncode == 0:
                return out, ' '.join([board, *train, *knobs])
            assert emitted.returncode in (1, 2), f'{emitted.returncode}: {emitted.stderr}'
        return None, f'{board} has none of {form}'


def headers(bench, boards):
    """HyDRAF's default design fits its default board, and its header compiles alone."""
    for data in ('airfoil', 'ccpp', 'wine'):  # the default design fits its default board
        shutil.rmtree(f'{bench.folder}/hydraf', ignore_errors=True)
        told = json.loads(run([bench.program, 'estimate', '--family', 'hydraf', '--dataset', data, '--format', 'json']).stdout)
        emitted = run([bench.program, 'emit', '--family', 'hydraf', '--dataset', data, '--preset', 'paper', '--only', 'header', '-o', f'{bench.folder}/hydraf'])
        if not told['fits'] or emitted.returncode != 0:
            yield f'hydraf for {data} does not fit {told["board"]}: {emitted.stderr}'
    for board in boards:
        out = f'{bench.folder}/hydraf'
        shutil.rmtree(out, ignore_errors=True)
        emitted = run([bench.program, 'emit', '--family', 'hydraf', '--dataset', 'airfoil', '--preset', 'paper', '--only', 'header', '--board', board, '--force', '-q', '-o', out])
        if emitted.returncode == 1:
            print(f'hydraf on {board}: {emitted.stderr.strip()}')
            continue
        assert emitted.returncode == 0, emitted.stderr
        with open(f'{out}/one.c', 'w', encoding='utf-8') as one:
            one.write('#include "hydraf_config.h"\nint main(void)\n{\n    return 0;\n}\n')
        for wrong in compile_all(out, LANGUAGES, ['one.c']):
            yield f'hydraf on {board}: {wrong}'


def main():
    options = argparse.ArgumentParser()
    options.add_argument('program')
    options.add_argument('--designs', type=int, default=4)
    options.add_argument('--first', type=int, default=0)
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('--no-check', action='store_true')
    options.add_argument('--no-compile', action='store_true')
    given = options.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.realpath(given.program), folder, given.seed)
        checked = not given.no_check
        for number in range(given.first, given.first + given.designs):
            form, board = FORMS[number * 5 % len(FORMS)], bench.boards[number * 7 % len(bench.boards)]
            out, words = bench.emit(number, form, board)
            if out is None:
                print(f'{number}: {words}')
                continue
            wrong = []
            if not given.no_compile:
                wrong += itertools.chain(compile_all(out, LANGUAGES), simulate(out, SIMULATED))
            found = claims(bench.program, out, 6) if checked else [[]]
            if found is None:
                print('hls_designs: the checker is not installed: SKIPPED', file=sys.stderr)
                checked, found = False, [[]]
            wrong += found[0]
            print(f'{number}: {"wrong" if wrong else "well"}: {words}', *wrong, sep='\n    ', flush=True)
            failures += bool(wrong)
            shutil.rmtree(out)
        boards = bench.boards if given.designs >= len(bench.boards) else ['zcu104', 'u280']
        for wrong in headers(bench, boards):
            print(wrong)
            failures += 1
    sys.exit(failures > 0)


main()
