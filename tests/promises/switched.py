"""The promise of bytes: the same answers and files for all settings of the environment. promises.py runs it."""
import os
import random
import shutil
import subprocess
import sys
import zipfile

FAMILIES = [ # kind of data, family, what keeps the training short
    ("graphs", "nysx", "--set landmarks=8 --set dim=256"),
    ("nodes", "gat", "--set epochs=3"),
    ("triples", "hdreason", "--set epochs=2 --set dim=64"),
    ("graphs", "smgpu", ""),
    ("table", "hydraf", "--set dim=256"),
]
NEEDS = {"Haswell": "avx2", "SkylakeX": "avx512f", "Prescott": "pni"}  # instructions of the kernels of OpenBLAS
with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
    instructions = set(cpuinfo.read().split())
KERNELS = [kernel for kernel, needs in NEEDS.items() if needs in instructions]


def meta(path):
    """Header of a model file: a NumPy string, four bytes per letter."""
    with zipfile.ZipFile(path) as archive:
        raw = archive.read("meta.npy")
    return raw[raw.index(b"\n") + 1:].decode("utf-32-le").rstrip("\0")


def algebra(path):
    words = meta(path).split('"algebra": "')
    return words[1].split('"')[0] if len(words) > 1 else ""


def locales(bench):
    """Two locales with another decimal point and other letters; created here, since systems rarely have them."""
    folder, made = os.path.join(bench.folder, "locales"), []
    os.makedirs(folder, exist_ok=True)
    for name in ("de_DE", "tr_TR"):
        if shutil.which("localedef") and subprocess.run(["localedef", "-i", name, "-f", "UTF-8", os.path.join(folder, name + ".UTF-8")],
                                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            made.append((f"locale {name}", {"LOCPATH": folder, "LC_ALL": name + ".UTF-8", "LANG": name + ".UTF-8"}))
    if not made:
        print("bytes: SKIPPED: no localedef with sources of locales, so that only C.UTF-8 is tried", flush=True)
    return made + [("locale C.UTF-8", {"LC_ALL": "C.UTF-8"})]


def switches(bench, against):
    """Name, environment, threads, program."""
    found = [("3 threads", {}, 3, None), ("portable kernels", {"NYSX_DSE_VECTORS": "portable"}, 1, None),
             ("AVX2 kernels", {"NYSX_DSE_VECTORS": "avx2"}, 1, None), ("time zone", {"TZ": "Asia/Kathmandu"}, 1, None)]
    found += [(name, environment, 1, None) for name, environment in locales(bench)]
    return found + [(f"program {path}", {}, 1, os.path.abspath(path)) for path in against]


def run_with(bench, words, folder, environment, jobs, program):
    own, bench.program = bench.program, program or bench.program
    try:
        return bench.run(words.split() + ["--jobs", str(jobs)], folder, environment=environment)
    finally:
        bench.program = own


def write_table(path):
    """Rows of three numbers and a sum of them."""
    generator = random.Random(8)
    rows = [[generator.random() for _ in range(3)] for _ in range(60)]
    with open(path, "w") as stream:
        stream.write("a,b,c,y\n" + "".join("%f,%f,%f,%f\n" % (*row, 3 * row[0] - row[1] + row[2]) for row in rows))


def family_commands(bench):
    """Trains, runs and simulates a family; generates each kind of data once."""
    for kind in ("nodes", "triples"):
        bench.run(f"datasets generate {kind.upper()} --kind {kind} -q".split(), bench.inputs, check=True)
    write_table(os.path.join(bench.inputs, "TABLE.csv"))
    for kind, family, short in FAMILIES:
        data = {"graphs": "TOY", "table": "TABLE.csv"}.get(kind, kind.upper())
        of = f"--family {family} --dataset ./{data}"
        yield f"{family} train", f"train {of} {short} -o m.npz --format json", ["m.npz"]
        bench.run(f"train {of} {short} -o {family}.npz -q".split(), bench.inputs, check=True)
        yield f"{family} infer", f"infer --model {family}.npz {of} --predictions p.csv --format json", ["p.csv"]
        yield f"{family} simulate", f"simulate --model {family}.npz {of} --format json", []


def results(bench, name, words, outputs, switch, tools):
    """A command's complete answer, without times."""
    title, environment, jobs, program = switch
    folder = bench.place(f"bytes-{name.replace(' ', '-')}-{abs(hash(title))}")
    done = run_with(bench, words, folder, environment, jobs, program)
    found = {"exit": done.returncode, "out": tools.untimed(done.stdout)}
    for output in outputs:
        path = os.path.join(folder, output)
        if output.endswith(".db") and os.path.exists(path):
            found[output] = bench.run(f"study export {output} --format csv --all".split(), folder).stdout
        else:
            found[output] = tools.content(path) if os.path.exists(path) else None
    if done.returncode != 0:
        bench.fail(f"bytes: {name}: {title}: exit {done.returncode}: {done.stderr.decode(errors='replace')[-200:]}")
    shutil.rmtree(folder)
    return found


def promise_bytes(bench, tools, against):
    commands = [(name, words.replace("--jobs 1", ""), outputs) for name, words, outputs in tools.COMMANDS] + list(family_commands(bench))
    others, tried = switches(bench, against), 0
    for name, words, outputs in [c for c in commands if bench.only in ("", c[0])]:
        first = results(bench, name, words, outputs, ("first", {"LC_ALL": "C", "TZ": "UTC"}, 1, None), tools)

        def one(switch):
            found = results(bench, name, words, outputs, switch, tools)
            for key in [k for k in first if found[k] != first[k]]:
                bench.fail(f"bytes: {name}: {switch[0]}: {key} is another")

        bench.each(one, others)
        tried += len(others)
    print(f"bytes: {len(commands)} commands, {tried} runs, each switched to one of: {', '.join(s[0] for s in others)}", flush=True)
    promise_kernels(bench)


def promise_kernels(bench):
    """OpenBLAS' kernels: a model names those used in its training, equal kernels give equal bytes, and its answers do not depend on the
    kernels."""
    trained = {}
    for kernel in set(NEEDS).difference(KERNELS):
        print(f"bytes: SKIPPED: this processor has no {NEEDS[kernel]} for the kernels of {kernel}", flush=True)
    for kernel in KERNELS:
        for vectors in ("", "portable"):
            folder = bench.place(f"kernel-{kernel}-{vectors}")
            path, environment = os.path.join(folder, "new.npz"), {"OPENBLAS_CORETYPE": kernel, "NYSX_DSE_VECTORS": vectors}
            done = bench.run("train --dataset TOY --set landmarks=8 --set dim=256 -o new.npz -q".split(), folder, environment=environment)
            if done.returncode != 0:
                bench.fail(f"bytes: OPENBLAS_CORETYPE={kernel}: exit {done.returncode}")
                continue
            told = algebra(path)
            if told == "":
                bench.fail(f"bytes: OPENBLAS_CORETYPE={kernel}: the model does not say which kernels trained it")
            with open(path, "rb") as stream:
                model = stream.read()
            if trained.setdefault(told, model) != model:
                bench.fail(f"bytes: OPENBLAS_CORETYPE={kernel}: another model of the same kernels ({told})")
    if len(trained) < 2:
        print("bytes: SKIPPED: OpenBLAS has the same kernels whatever is asked for", flush=True)
    answers = {kernel: bench.run("infer --model model.npz --dataset TOY --format csv".split(), bench.inputs,
                                 environment={"OPENBLAS_CORETYPE": kernel}).stdout.split(b",")[:4] for kernel in KERNELS}
    if len(set(map(tuple, answers.values()))) != 1:
        bench.fail("bytes: one model answers differently under different kernels of OpenBLAS")
    same = len(set(trained.values()))
    print(f"bytes: kernels of OpenBLAS {', '.join(sorted(trained))}: {same} different models of {len(trained)}", flush=True)
