"""Shared by tests of emitted folders: compilers, C simulation under sanitizers, the checker's claims."""
import json
import os
import re
import shutil
import subprocess

WARNINGS = ['-Wall', '-Wextra', '-Werror', '-pedantic', '-ffp-contract=off', '-I.']
VENDOR = '-I' + os.path.join(os.path.dirname(os.path.realpath(__file__)), 'mock/vendor')
CPP = ('-std=c++17', '-x', 'c++')
SANITIZERS = ['-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']


def run(words, folder=None):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)


def sources_of(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith('.c'))


def compile_all(folder, languages, sources=None):
    """Compiler errors by source; all sources at once, on all processors."""
    jobs = [(words, subprocess.Popen([*words, *WARNINGS, '-fsyntax-only', *(sources or sources_of(folder))], cwd=folder, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True)) for words in languages if shutil.which(words[0]) is not None]
    for words, job in jobs:
        text, _ = job.communicate()
        if job.returncode != 0:
            yield f'{" ".join(words)}: {text[:2000]}'


def simulate(folder, languages):
    """Differences between the C simulation, compiled in each way, and the executor's answers."""
    for number, words in enumerate(languages):
        built = run([*words, *SANITIZERS, *WARNINGS, *sources_of(folder), '-lm', '-o', f'bench{number}'], folder)
        if built.returncode != 0:
            yield f'{" ".join(words)}: {built.stderr[:2000]}'
            continue
        done = run([f'./bench{number}'], folder)
        if done.returncode != 0 or not done.stdout.strip().endswith(': equal'):
            yield f'{" ".join(words)}: {done.stdout[:1000]}{done.stderr[-2000:]}'


QUICK = '-O1 -fno-ipa-modref -fno-ipa-pure-const -fno-tree-dse'  # these passes take long, and the model does not simulate faster


def simulate_rtl(folder, *words):
    """`make sim`, its exit code and output. The C++ of a model is one piece, whose headers are read once; Verilator's own objects are compiled for the
    first folder and copied to those beside it."""
    kept, build = folder.parent / 'verilated', folder / 'build'
    build.mkdir(exist_ok=True)
    for one in kept.glob('*.o') if not list(build.glob('*.o')) else ():
        shutil.copy2(one, build)
    done = subprocess.run(['make', '-s', 'sim', f'OPTIMISE="{QUICK}" VM_PARALLEL_BUILDS=0', *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not kept.exists():
        kept.mkdir()
        for one in build.glob('verilated*.o'):
            shutil.copy2(one, kept)
    return done.returncode, done.stdout


def has(folder, name, pattern):
    path = f'{folder}/{name}'
    return os.path.exists(path) and re.search(pattern, open(path, encoding='utf-8').read()) is not None


def changed(good, bad, name, pattern, instead, without=('directives.tcl',)):
    """Copies a folder, replacing a pattern in one file and omitting some files; returns how often the pattern occurred."""
    shutil.rmtree(bad, ignore_errors=True)
    shutil.copytree(good, bad)
    for gone in without:
        os.remove(f'{bad}/{gone}')
    text, count = re.subn(pattern, instead, open(f'{bad}/{name}', encoding='utf-8').read())
    with open(f'{bad}/{name}', 'w', encoding='utf-8') as out:
        out.write(text)
    return count


def checked(program, folder):
    """Exit code and report of the checker; None and the reason if it cannot run here."""
    done = run([program, 'emit', '--check', folder, '--format', 'json'])
    if done.returncode == 4:
        return None, done.stderr.strip()
    if done.returncode not in (0, 1):
        return done.returncode, {'errors': [done.stderr], 'loops': [], 'unanalysed': []}
    return done.returncode, json.loads(done.stdout)


def claims(program, folder, least):
    """Two lists: claims of a folder that do not hold, and parts that the checker could not analyse. None if it cannot run here. `least`: minimum
    number of loops."""
    code, report = checked(program, folder)
    if code is None:
        return None
    wrong = [*report['errors'], *(f'{loop["loop"]}: claims {loop["claimed_ii"]}, bound {loop["bound_ii"]} by {loop["by"]}' for loop in report['loops']
                                  if loop['claimed_ii'] is not None and loop['claimed_ii'] < loop['bound_ii'])]
    if len(report['loops']) < least:
        wrong.append(f'{len(report["loops"])} loops alone')
    return wrong, [f'unanalysed: {line}' for line in report['unanalysed']]
