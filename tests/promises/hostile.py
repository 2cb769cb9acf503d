"""The promise of hostile files: on any input a reader ends within bounded time and address space, with an exit code and one line.
promises.py runs it; prints per reader the largest time and memory over its files."""
import os
import random
import resource
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import time
import zipfile
import zlib

import switched

SPACE_MB, SECONDS, PEAK_MB = 1024, 60, 256


def write(path, data):
    with open(path, "wb") as stream:
        stream.write(data)


def xml_files(folder, root, ending=".xml"):
    """Texts that are known to break XML readers."""
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "' + b"x" * 1000 + b'">' + b"".join(
        b'<!ENTITY c%d "%s">' % (i, (b"&c%d;" % (i - 1) if i else b"&b;") * 20) for i in range(12)) + b"]><%s>&c11;</%s>" % (root, root)
    cases = {
        "entities": bomb, "outside": b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///dev/zero">]><%s>&e;</%s>' % (root, root),
        "deep": b"<a>" * 200000, "wide": b"<%s>" % root + b"<a/>" * 3000000 + b"</%s>" % root,
        "attributes": b"<%s " % root + b" ".join(b'a%d="1"' % i for i in range(300000)) + b"/>",
        "long": b"<%s name=\"" % root + b"x" * (64 << 20) + b'"/>', "text": b"<%s>" % root + b"9" * (64 << 20) + b"</%s>" % root,
        "binary": random.Random(1).randbytes(1 << 20), "empty": b"", "nul": b"\0" * (8 << 20),
    }
    return files_of(folder, cases, ending)


def files_of(folder, cases, ending):
    paths = ["/dev/zero"] if ending not in (".db", ".npz", ".zip") else []
    for name, data in cases.items():
        paths.append(os.path.join(folder, name + ending))
        write(paths[-1], data)
    return paths


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as out:
        for name, data in members:
            out.writestr(name, data)
    return path


def forged_size(path, size):
    """An archive whose only member claims to unpack to `size` bytes."""
    archive(path, [("D/D_A.txt", b"1, 2\n")], zipfile.ZIP_STORED)
    with open(path, "rb") as stream:
        data = bytearray(stream.read())
    central = data.index(b"PK\1\2")
    data[22:26] = data[central + 24:central + 28] = struct.pack("<I", size)
    write(path, data)
    return path


def many_entries(path, count):
    """Entries of a directory that all point to one member."""
    content, crc = zlib.compress(b"\0" * (1 << 20), 9)[2:-4], zlib.crc32(b"\0" * (1 << 20))
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0, crc, len(content), 1 << 20, 9, 0) + b"D/D_A.txt"
    entries = b"".join(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0, crc, len(content), 1 << 20, 12, 0, 0,
                                   0, 0, 0, 0) + b"D/%06d.txt" % (i % 1000000) for i in range(count))
    head = local + content
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(entries), len(head), 0)
    write(path, head + entries + end)
    return path


def zips(folder):
    zeros = b"\0" * (1 << 20)
    lines = b"1, 2\n" * (1 << 20)
    return [archive(os.path.join(folder, "ratio.zip"), [("ratio/ratio_A.txt", lines * 30)]),
            archive(os.path.join(folder, "total.zip"), [(f"total/{i}.txt", zeros) for i in range(200)]),
            archive(os.path.join(folder, "large.zip"), [("large/large_A.txt", zeros * 300)]),
            forged_size(os.path.join(folder, "forged.zip"), 0xFFFFFFF0), many_entries(os.path.join(folder, "many.zip"), 65000),
            archive(os.path.join(folder, "nested.zip"), [("a/" * 3000 + "D_A.txt", b"1, 2\n")])] + files_of(
                folder, {"binary": random.Random(2).randbytes(1 << 20), "cut": b"PK\3\4" + zeros, "end": zeros + b"PK\5\6" + b"\xff" * 18}, ".zip")


def npy(shape, kind="<f4", data=b""):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + data


def models(folder, kept):
    """A model's archive with one array replaced at a time (with correct checksums), and zip bombs."""
    with zipfile.ZipFile(kept) as archive_:
        members = [(name, archive_.read(name)) for name in archive_.namelist()]
    paths, bad = [], [npy("(4611686018427387904,)"), npy("(1099511627776, 1099511627776)"), npy("(268435456,)", "<f8", b"\0" * (4 << 20)), b"",
                      npy("(1,)", "<U1000000000"), npy("(-1,)"), npy("(" + "1," * 20000 + ")")]
    for i, (name, _) in enumerate(members):
        at = os.path.join(folder, f"m{i}.npz")
        paths.append(archive(at, [(n, bad[i % len(bad)] if n == name else d) for n, d in members], zipfile.ZIP_STORED))
    paths.append(archive(os.path.join(folder, "bomb.npz"), [(n, d + b"\0" * (150 << 20) if i == 0 else d) for i, (n, d) in enumerate(members)]))
    return paths + files_of(folder, {"binary": random.Random(3).randbytes(1 << 20), "cut": b"PK\3\4"}, ".npz")


def studies(folder, kept):
    paths = []
    changes = {
        "view": "DROP TABLE {last}; CREATE VIEW {last} AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "table": "CREATE TABLE extra(x)", "trigger": "CREATE TRIGGER t AFTER INSERT ON {last} BEGIN DELETE FROM {last}; END",
    }
    for name, change in changes.items():
        path = os.path.join(folder, name + ".db")
        shutil.copy(kept, path)
        base = sqlite3.connect(path)
        last = base.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rootpage DESC").fetchone()[0]
        base.executescript(change.format(last=last))
        base.close()
        paths.append(path)
    base = sqlite3.connect(kept)
    columns = [(t, c[1]) for (t,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
               for c in base.execute(f"PRAGMA table_info({t})").fetchall()]
    base.close()
    for i, (table, column) in enumerate(columns):
        for value in ("zeroblob(400000000)", "9223372036854775807", "-1", "'x'", "NULL"):
            path = os.path.join(folder, f"v{i}-{len(paths)}.db")
            shutil.copy(kept, path)
            base = sqlite3.connect(path)
            try:
                base.execute(f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT min(rowid) FROM {table})")
                base.commit()
                paths.append(path)
            except sqlite3.Error:
                pass
            base.close()
    return paths + files_of(folder, {"binary": random.Random(4).randbytes(1 << 20), "head": b"SQLite format 3\0" + b"\xff" * 100000}, ".db")


def texts(folder, line, ending):
    generator = random.Random(5)
    return files_of(folder, {
        "long": line * (1 << 20), "one": b"9" * (48 << 20), "deep": b"(" * (4 << 20), "binary": generator.randbytes(1 << 20), "nul": b"\0" * (8 << 20),
        "large": line + b" 99999999999999999999 -1 1e999 nan 4294967296\n" * 1000, "empty": b"", "lines": b"\n" * (24 << 20)}, ending)


def experiments(folder):
    """YAML: multiplying aliases, deep nesting, and one long word."""
    laughs = b"a: &a [x]\n" + b"".join(b"b%d: &b%d [%s]\n" % (i, i, b", ".join([b"*b%d" % (i - 1) if i else b"*a"] * 20)) for i in range(12))
    cases = {"aliases": laughs, "flow": b"fix: " + b"[" * 500000, "maps": b"fix: " + b"{a: " * 200000, "dashes": b"- " * 500000, "keys": b"a: b\n" * 150000,
             "steps": b"steps:\n" + b"  - sweep: {}\n" * 60000, "word": b"dataset: " + b"x" * 1000000, "text": b"dataset: |\n" + b"  x\n" * 200000,
             "unique": b"".join(b"%x:\n" % i for i in range(150000)), "fixes": b"fix:\n" + b"".join(b" %x: 1\n" % i for i in range(100000)),
             "bare": b"steps:\n" + b"- sweep\n" * 100000,
             "shared": b"steps:\n" + b"- sweep\n" * 1024 + b"".join(b"%s: [%s]\n" % (key, b",".join(b"a.%x=1" % i for i in range(1023)))
                                                                  for key in (b"board", b"dataset", b"where", b"set", b"fix")),
             "nul": b"\0" * 1000000, "binary": random.Random(6).randbytes(1 << 20), "large": b"#" * (8 << 20), "tag": b"dataset: !!binary x", "empty": b""}
    return files_of(folder, cases, ".yaml")


def arrays(folder):
    """Data sets and program memories as arrays, each with an inconsistent shape or inconsistent values."""
    i4 = lambda *values: struct.pack(f"<{len(values)}i", *values)
    good = {"indptr": npy("(5,)", "<i4", i4(0, 1, 2, 3, 4)), "indices": npy("(4,)", "<i4", i4(1, 0, 3, 2)), "ptr": npy("(3,)", "<i4", i4(0, 2, 4)),
            "y": npy("(2,)", "<i4", i4(0, 1)), "x": npy("(4, 1)", "<f4", struct.pack("<4f", 1, 2, 3, 4))}
    bad = {"none": npy("(0,)", "<i8"), "large": npy("(4611686018427387904,)", "<i4", i4(1)), "wide": npy("(1099511627776, 1099511627776)"),
           "zeros": npy("(20000000,)", "<i8", b"\0" * 160000000), "rank": npy("(" + "1," * 20000 + ")"), "negative": npy("(-1,)", "<i8"),
           "ends": npy("(5,)", "<i8", struct.pack("<5q", 0, 1 << 62, -1, -(1 << 63), (1 << 63) - 1)), "nan": npy("(5,)", "<f8", struct.pack("<5d", *[float("nan")] * 5)),
           "text": npy("(5,)", "<U1", b"9\0\0\0" * 5), "objects": npy("(5,)", "|O", b"\0" * 40), "big": npy("(5,)", ">i8", b"\0" * 40), "empty": b"", "cut": npy("(5,)", "<i8")}
    paths = [archive(os.path.join(folder, "good.npz"), good.items(), zipfile.ZIP_STORED)]
    for name in good:
        for how, data in bad.items():
            paths.append(archive(os.path.join(folder, f"{name}-{how}.npz"), [(n, data if n == name else d) for n, d in good.items()]))
    counted = {"edge_index": npy("(2, 0)", "<i4"), "y": npy("(1,)", "<i4", i4(0))}
    for name, more in {"counted": {"ptr": npy("(2,)", "<i4", i4(0, 2000000000))}, "before": {"batch": npy("(2,)", "<i4", i4(-1, 0))},
                       "all-before": {"batch": npy("(2,)", "<i4", i4(-1, -1))}, "skips": {"batch": npy("(2,)", "<i4", i4(0, 2))}}.items():
        paths.append(archive(os.path.join(folder, name + ".npz"), [*counted.items(), *more.items()], zipfile.ZIP_STORED))
    return [rename_members(path) for path in paths] + files_of(folder, {"binary": random.Random(7).randbytes(1 << 20)}, ".npz")


def loadable(path):
    """An array named a, for a program."""
    return archive(path, [("a.npy", npy("(3,)", "<i4", struct.pack("<3i", 1, 2, 3)))], zipfile.ZIP_STORED)


def rename_members(path):
    """Renames the members of an archive as NumPy does."""
    with zipfile.ZipFile(path) as old:
        members = [(name + ".npy", old.read(name), old.getinfo(name).compress_type) for name in old.namelist()]
    with zipfile.ZipFile(path, "w") as new:
        for name, data, how in members:
            new.writestr(name, data, how)
    return path


def trained(bench, family):
    """A small model of a family, and the data for it."""
    kinds = {"gat": ("nodes", "--set epochs=3"), "hdreason": ("triples", "--set epochs=2 --set dim=64"), "smgpu": ("graphs", ""), "hydraf": ("table", "--set dim=256")}
    kind, short = kinds[family]
    data = {"graphs": "TOY", "table": "TABLE.csv"}.get(kind, kind.upper())
    if kind == "table":
        switched.write_table(os.path.join(bench.inputs, data))
    elif kind != "graphs":
        bench.run(f"datasets generate {data} --kind {kind} -q".split(), bench.inputs, check=True)
    bench.run(f"train --family {family} --dataset ./{data} {short} -o {family}.npz -q".split(), bench.inputs, check=True)
    return os.path.join(bench.inputs, f"{family}.npz"), f"--family {family} --dataset ./{data}"


def readers(bench, folder):
    """Per reader: the words of a command with {} for the file, and the files."""
    def sub(name):
        path = os.path.join(folder, name)
        os.makedirs(path)
        return path
    kept = os.path.join(bench.inputs, "kept.db")
    model = os.path.join(bench.inputs, "model.npz")
    yield "board", "boards show {}", xml_files(sub("board"), b"board")
    yield "Vivado board", "boards import {} -o imported.xml", xml_files(sub("import"), b"board")
    yield "profile", "datasets show {}", xml_files(sub("profile"), b"dataset")
    yield "cost library", "estimate --dataset MUTAG --calibration {}", xml_files(sub("costs"), b"costs")
    yield "knobs", "sweep --dataset MUTAG --space {}", xml_files(sub("knobs"), b"space")
    yield "csynth.xml", "calibrate {}", xml_files(sub("csynth"), b"profile")
    yield "report text", "calibrate {}", texts(sub("report"), b"| LUT as Logic | 12 | 0 | 100 | 1.0 |\n", ".rpt")
    yield "zip of a data set", "datasets show {}", zips(sub("zip"))
    yield "table", "datasets show {}", texts(sub("table"), b"1,2,3\n", ".csv")
    yield "model", "infer --model {} --dataset TOY", models(sub("model"), model)
    yield "study", "study show {}", studies(sub("study"), kept)
    yield "study export", "study export {} --format json", studies(sub("export"), kept)
    yield "program", "simulate --family smgpu --program {}", texts(sub("program"), b"hd.bind a b -> c\n", ".txt")
    yield "words", "simulate --family smgpu --disassemble --program {}", texts(sub("words"), b"0123456789abcdef\n", ".hex")
    yield "experiment", "run {} --dry-run", experiments(sub("experiment"))
    yield "GraphML", "datasets show {}", [p for p in xml_files(sub("graphml"), b"graphml", ".graphml") if p != "/dev/zero"]
    yield "data set's arrays", "datasets show {}", arrays(sub("arrays"))
    write(os.path.join(bench.inputs, "gather.txt"), b"DMA.LOAD indptr -> c\nDMA.GATHER indptr indices -> d\n")
    yield "program's arrays", "simulate --family smgpu --program gather.txt --memory {}", arrays(sub("memory"))
    for family in ("hydraf", "gat", "hdreason", "smgpu"):
        path, of = trained(bench, family)
        yield f"model of {family}", f"infer --model {{}} {of}", models(sub(f"model-{family}"), path)
    for command in ("estimate --from {}:1", "report --study {} -o page.html",
                    "plot front --study {} -o plot.csv", f"sweep --board zcu104 --dataset MUTAG {bench.small} --study {{}} --resume"):
        yield " ".join(command.split()[:2]), command, studies(sub("studies"), kept)
        shutil.rmtree(os.path.join(folder, "studies"), ignore_errors=True)
    for kind, name, first in (("edges", "edges.csv", b"source,target\n1,2\n"), ("nodes of graphs", "nodes.csv", b"id,graph\n1,1\n"),
                              ("graphs' classes", "graphs.csv", b"id,class\n1,1\n"), ("triples", "train.txt", b"a\tb\tc\n"), ("nodes", "{}.content", b"p1 0 1 A\n"), ("graphs", "{}_A.txt", b"1, 2\n")):
        yield f"folder of {kind}", "datasets show {}/", folders(sub(kind), name, texts(sub(kind + "-texts"), first, ".txt"))


def folders(folder, name, files):
    made = []
    for i, path in enumerate(f for f in files if f != "/dev/zero"):
        at = os.path.join(folder, f"D{i}")
        os.makedirs(at)
        os.rename(path, os.path.join(at, name.format(f"D{i}")))
        for other, good in (("graphs.csv", b"id,class\n1,1\n"), ("nodes.csv", b"id,graph\n1,1\n2,1\n"), ("edges.csv", b"source,target\n1,2\n")):
            if name.endswith(".csv") and other != name:
                write(os.path.join(at, other), good)
        for other in () if name.endswith(".csv") else ("valid.txt", "test.txt", f"D{i}.cites", f"D{i}_graph_indicator.txt", f"D{i}_graph_labels.txt"):
            if other != name:
                write(os.path.join(at, other), b"1\n")
        made.append(at)
    return made


def run(bench, words, folder):
    """Exit code (None: it did not end), seconds, and the most memory in MB of one run."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (SPACE_MB << 20, SPACE_MB << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    begin = time.monotonic()
    with open(os.path.join(folder, "err"), "w+b") as err:
        child = subprocess.Popen([bench.program] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return child.returncode, time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, err.read()


def promise_hostile(bench, some):
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as root:
        try_readers(bench, some, os.path.join(root, "hostile"))


def try_readers(bench, some, folder):
    os.makedirs(folder)
    print(f"{'reader':<20} {'files':>5} {'processor s':>12} {'peak MB':>8}  exit codes", flush=True)
    for name, words, files in readers(bench, folder):
        if bench.only not in ("", name):
            continue
        place, most_s, most_mb, codes = bench.place("hostile-run"), 0.0, 0.0, {}
        tried = [files[i - 1] for i in bench.sample(len(files), 3 * some)]
        for path in tried:
            code, _, seconds, megabytes, said = run(bench, [w.replace("{}", path) for w in words.split()], place)
            most_s, most_mb, codes[code] = max(most_s, seconds), max(most_mb, megabytes), codes.get(code, 0) + 1
            if code not in (0, 2, 3, 4):
                bench.fail(f"hostile: {name}: {os.path.basename(path)}: exit {code}: {said[-300:].decode(errors='replace')}")
            elif code != 0 and (not said.startswith(b"nysx-dse: ") or any(b < 32 and b != 10 for b in said)):
                bench.fail(f"hostile: {name}: {os.path.basename(path)}: exit {code} with {said[-200:]!r}")
            if seconds > SECONDS / 2 or megabytes > PEAK_MB:
                bench.fail(f"hostile: {name}: {os.path.basename(path)}: {seconds:.0f} s, {megabytes:.0f} MB")
        shutil.rmtree(place)
        print(f"{name:<20} {len(tried):>5} {most_s:>12.2f} {most_mb:>8.0f}  {' '.join(f'{c}: {n}' for c, n in sorted(codes.items()))}", flush=True)
        shutil.rmtree(folder)
        os.makedirs(folder)
