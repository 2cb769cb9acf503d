#!/usr/bin/env python3
"""An independent implementation of the accelerator's arithmetic, written only from models/smgpu/microarchitecture.md, in Python integers:
every engine on drawn operands, bit for bit. usage: smgpu.py PROGRAM [ROUNDS]"""
import math
import subprocess
import sys
import tempfile
from itertools import permutations

import numpy as np

simulate = [sys.argv[1], "simulate", "--family", "smgpu", "--program"]
folder = tempfile.mkdtemp()
LOW, HIGH = -(1 << 31), (1 << 31) - 1


def hold(x):
    return LOW if x < LOW else HIGH if x > HIGH else x


class Q:
    def __init__(self, frac):
        self.frac = frac

    def mul(self, a, b):
        return hold((a * b) >> self.frac)

    def reciprocal(self, d):
        y = hold(1 << max(0, 2 * self.frac - d.bit_length()))
        two = hold(2 << self.frac)
        for _ in range(8):
            y = self.mul(y, hold(two - self.mul(d, y)))
        return y

    def laplacian(self, a):
        n = len(a)
        s = []
        for i in range(n):
            d = 0
            for j in range(n):
                if j in a[i]:
                    d = hold(d + a[i][j])
            s.append(math.isqrt(self.reciprocal(d) << self.frac) if d > 0 else 0)
        one = hold(1 << self.frac)
        return [{j: hold((one if i == j else 0) - self.mul(self.mul(s[i], a[i].get(j, 0)), s[j])) for j in sorted(set(a[i]) | {i})}
                for i in range(n)]

    def times(self, m, x):
        y = []
        for row in m:
            total = 0
            for j in sorted(row):
                total = hold(total + self.mul(row[j], x[j]))
            y.append(total)
        return y

    def chebyshev(self, l, x, theta):
        one = hold(1 << self.frac)
        centred = [{j: hold(v - (one if i == j else 0)) for j, v in row.items()} for i, row in enumerate(l)]
        t = [list(x)]
        for k in range(1, len(theta)):
            y = self.times(centred, t[-1])
            t.append(y if k == 1 else [hold(hold(2 * a) - b) for a, b in zip(y, t[-2])])
        out = [0] * len(x)
        for c, v in zip(theta, t):
            out = [hold(o + self.mul(c, e)) for o, e in zip(out, v)]
        return out

    def power(self, l, v, k):
        for _ in range(k):
            v = self.times(l, v)
            norm = math.isqrt(sum(e * e for e in v))
            v = [hold(int(math.copysign(1, e)) * (abs(e) * 2**self.frac // norm)) if norm else 0 for e in v]
        u = self.times(l, v)
        square = sum(e * e for e in v)
        return v, hold((sum(a * b for a, b in zip(v, u)) << self.frac) // square) if square else 0


def lfsr(state, dim, count):
    vectors = []
    for _ in range(count):
        bits = []
        for _ in range((dim + 31) // 32):
            for _ in range(32):
                state = state >> 1 ^ (0x84004000 if state & 1 else 0)
            bits += [state >> i & 1 for i in range(32)]
        vectors.append(bits[:dim])
    return vectors, state


def pack(bits):
    words = [0] * ((len(bits) + 31) // 32)
    for i, b in enumerate(bits):
        words[i // 32] |= b << i % 32
    return words


def csr(prefix, rows):
    begin = np.cumsum([0] + [len(r) for r in rows]).astype(np.int32)
    columns = np.array([j for r in rows for j in sorted(r)], dtype=np.int32)
    data = np.array([r[j] for r in rows for j in sorted(r)], dtype=np.int32)
    return {prefix + "_indptr": begin, prefix + "_indices": columns, prefix + "_data": data}


def run(text, expect=0, **arrays):
    open(folder + "/p.txt", "w").write(text)
    np.savez(folder + "/in.npz", **(arrays or {"unused": np.zeros(1, np.int32)}))
    done = subprocess.run([*simulate, folder + "/p.txt", "--memory", folder + "/in.npz", "-o", folder + "/out.npz"], capture_output=True, text=True)
    assert done.returncode == expect, (text, done)
    return dict(np.load(folder + "/out.npz")) if expect == 0 else done.stderr


def same(a, b, what):
    assert np.array_equal(np.asarray(a), np.asarray(b)), (what, a, b)


def spectral(rng, flag):
    q = Q(16 if flag else 24)
    n = int(rng.integers(1, 24))
    rows = [{} for _ in range(n)]
    scale = int(rng.choice([1 << q.frac, 1 << (q.frac - 3), 1 << (q.frac + 5), 12345]))
    for _ in range(2 * n):
        i, j = rng.integers(0, n, 2)
        if rng.random() < 0.9 and i == j:
            continue
        rows[i][int(j)] = rows[j][int(i)] = int(rng.integers(0, scale + 1))
    x = rng.integers(-(1 << q.frac), 1 << q.frac, n).astype(np.int32)
    theta = rng.integers(-(1 << q.frac), 1 << q.frac, int(rng.integers(1, 9))).astype(np.int32)
    out = run(f"SPECTRAL.COMPUTE_LAP A -> L {flag}\nSPECTRAL.SPECTRAL_CONV L x theta -> y {flag}\n"
              f"SPECTRAL.EIGEN_DECOMP L x iterations=7 -> w {flag}\nSPECTRAL.GFT_FORWARD L x -> f {flag}\n"
              f"SPECTRAL.GFT_INVERSE L f -> b {flag}\nSPECTRAL.WAVELET_XFORM L x time=0.7 order=12 -> h {flag}\n", **csr("A", rows), x=x, theta=theta)
    l = q.laplacian(rows)
    for key, value in csr("L", l).items():
        same(out[key], value, key)
    same(out["y"], q.chebyshev(l, [int(e) for e in x], [int(e) for e in theta]), "chebyshev")
    v, value = q.power(l, [int(e) for e in x], 7)
    same(out["w"], v, "power")
    same(out["w_value"], [value], "value")
    if scale == 1 << q.frac or scale == 12345:  # no overflow: against double precision
        real = np.zeros((n, n))
        for i, row in enumerate(l):
            for j, e in row.items():
                real[i, j] = e / 2.0**q.frac
        w, u = np.linalg.eigh((real + real.T) / 2)
        heat = u @ (np.exp(-0.7 * w) * (u.T @ x))
        assert np.abs(out["h"] - heat).max() < 4000 if flag == "" else True, np.abs(out["h"] - heat).max()
        assert np.abs(out["b"] - x.astype(float)).max() < 40 * n, "the transform back"


def vectors(rng):
    dim = int(rng.choice([1, 5, 31, 32, 33, 64, 100, 313, 1000]))
    count, seed, by = int(rng.integers(1, 10)), int(rng.integers(1, 2**32)), int(rng.integers(0, 3 * dim))
    out = run(f"HD.GENERATE dim={dim} seed={seed:#x} count={count} -> V chained\nHD.BUNDLE V dim={dim} -> m\nHD.PERMUTE m dim={dim} by={by} -> p\n"
              f"HD.BIND m p dim={dim} -> c\nHD.UNBIND c p dim={dim} -> u\nHD.SIMILARITY m p dim={dim} -> s\n"
              f"CACHE.STORE V reduced=70 seed=9 dim={dim} -> C\nCACHE.QUERY C p threshold=5300 dim={dim} -> a\n")
    drawn, state = lfsr(seed, dim, count)
    same(out["V"], [pack(v) for v in drawn], "generate")
    same(out["V_state"], [state], "state")
    votes = [sum(v[i] for v in drawn) for i in range(dim)]
    m = [drawn[0][i] if 2 * votes[i] == count else int(2 * votes[i] > count) for i in range(dim)]
    same(out["m"], pack(m), "bundle")
    p = [m[(i - by) % dim] for i in range(dim)]
    same(out["p"], pack(p), "permute")
    same(out["c"], pack([a ^ b for a, b in zip(m, p)]), "bind")
    same(out["u"], pack(m), "unbind")
    same(out["s"], [hold((sum(a == b for a, b in zip(m, p)) << 24) // dim)], "similarity")
    rows, _ = lfsr(9, dim, 70)
    keys = [[int(sum(1 if a == b else -1 for a, b in zip(v, r)) >= 0) for r in rows] for v in drawn]
    same(out["C"], [pack(k) for k in keys], "keys")
    key = [int(sum(1 if a == b else -1 for a, b in zip(p, r)) >= 0) for r in rows]
    alike = [sum(a == b for a, b in zip(k, key)) for k in keys]
    best = max(range(count), key=lambda e: (alike[e], -e))
    same(out["a"], [best if alike[best] * 10000 // 70 >= 5300 else -1], "recall")
    same(out["a_score"], [alike[best] * 10000 // 70], "score")


def filtration(rng):
    n, m = int(rng.integers(1, 12)), int(rng.integers(0, 25))
    edges = np.array([[*rng.integers(0, n, 2), rng.integers(0, 9)] for _ in range(m)], dtype=np.int32).reshape(m, 3)
    out = run(f"TOPOLOGY.BUILD_FILTRATION E nodes={n} -> P\n", E=edges)
    component, pairs = list(range(n)), []
    for u, v, w in sorted(map(tuple, edges.tolist()), key=lambda e: (e[2], e[0], e[1])):
        if component[u] != component[v]:
            pairs.append([0, w])
            old = component[v]
            component = [component[u] if c == old else c for c in component]
    same(out["P"], np.array(pairs, dtype=np.int32).reshape(len(pairs), 2), "pairs")
    same(out["P_essential"], [len(set(component))], "essential")
    same(out["P_total"], [sum(d for _, d in pairs)], "total")


def graph(prefix, nodes, edges):
    return {prefix: np.array(edges, dtype=np.int32).reshape(len(edges), 2), prefix + "_nodes": np.array(nodes, dtype=np.int32)}


def rewriting(rng):
    n = int(rng.integers(2, 7))
    ids = sorted(rng.choice(50, n, replace=False).tolist())
    edges = [(a, b) if rng.random() < 0.5 else (b, a) for i, a in enumerate(ids) for b in ids[:i] if rng.random() < 0.5]
    edges += [(b, a) for a, b in edges[:int(rng.integers(0, 3))]]  # the same edges the other way round
    k = int(rng.integers(1, 4))
    pattern = [(i, j) for i in range(k) for j in range(i) if rng.random() < 0.6]
    kept = sorted(rng.choice(k, int(rng.integers(0, k + 1)), replace=False).tolist())
    added = int(rng.integers(0, 3))
    right_nodes = list(range(len(kept) + added))
    right = [(i, j) for i in right_nodes for j in range(i) if rng.random() < 0.6]
    arrays = {**graph("host", ids, edges), **graph("pattern", range(k), pattern), **graph("right", right_nodes, right),
              "keep": np.array(kept, dtype=np.int32)}
    have = {frozenset(e) for e in edges}
    wanted = [c for c in permutations(ids, k) if all(frozenset((c[u], c[v])) in have for u, v in pattern)]
    if len(wanted) > 256:
        return
    out = run("REWRITE.DPO_MATCH host pattern -> m\n", **arrays)
    same(out["m"], np.array(sorted(wanted), dtype=np.int32).reshape(len(wanted), k), "matches")
    if not wanted:
        run("REWRITE.DPO_APPLY host pattern right keep m index=0 -> h\n", expect=3, m=out["m"], **arrays)
        return
    index = int(rng.integers(0, len(wanted)))
    match = sorted(wanted)[index]
    out = run(f"REWRITE.DPO_APPLY host pattern right keep m index={index} -> h\n", m=out["m"], **arrays)
    gone = {match[i] for i in range(k) if i not in kept}
    left = {frozenset((match[u], match[v])) for u, v in pattern}
    dangling = any(e & gone and e not in left for e in have)
    place = [match[i] for i in kept] + [max(ids) + 1 + i for i in range(added)]
    new = have if dangling else (have - left) | {frozenset((place[u], place[v])) for u, v in right}
    nodes = set(ids) if dangling else (set(ids) - gone) | set(place)
    same(out["h_refused"], [int(dangling)], "rejected")
    same(sorted(out["h_nodes"].tolist()), sorted(nodes), "nodes")
    twice = len(edges) - len(have)
    assert {frozenset(e) for e in out["h"].tolist()} == new and len(new) <= len(out["h"]) <= len(new) + twice, (out["h"], new)


def rest(rng):
    r, c = rng.integers(1, 20, 2)
    g, x = rng.integers(-128, 128, (r, c)).astype(np.int8), rng.integers(-(2**20), 2**20, c).astype(np.int32)
    index = rng.permutation(int(c)).astype(np.int32)
    out = run("XBAR.MVM g x -> y chained\nDMA.SCATTER x i -> s\nDMA.GATHER s i -> b\nDMA.LOAD x -> l\n", g=g, x=x, i=index)
    same(out["y"], g.astype(np.int64) @ x, "crossbar")
    same(out["b"], x, "gather of scatter")
    same(out["s"][index], x, "scatter")
    same(out["l"], x, "load")


def mistakes():
    a = np.arange(4, dtype=np.uint32)
    for text, part in [("HD.BINT a b -> c\n", ":1: word 1, \"HD.BINT\": no such instruction; HD.BIND?"), ("HD.BIND a -> c\n", "needs bits bits"),
                       ("\nHD.PERMUTE a by=x -> c\n", ":2: word 3, \"x\": by must be a whole number"), ("HD.BIND a z -> c\n", "z: no such array"),
                       ("HD.BIND a a dimm=4 -> c\n", "no such key; dim?"), ("HD.BIND a a -> c chain\n", "no such flag; chained?"),
                       ("HD.BIND a a dim=64 -> c\n", "4 words: dim=64 are 2"), ("# nothing\n", "holds no instruction"),
                       ("SPECTRAL.COMPUTE_LAP a -> L\n", "a_indptr: no such array"), ("XBAR.MVM a a -> c\n", "is of type uint32"),
                       ("HD.BIND a a -> 4c\n", "must be an array's name"), ("HD.BUNDLE a by=3 -> c\n", "this instruction has no such key")]:
        said = run(text, expect=3, a=a)
        assert part in said, (text, said)


def words():
    text = ("SPECTRAL.WAVELET_XFORM L x order=9 time=0.7 -> h chained\nHD.GENERATE count=3 dim=100 seed=4000000000 -> V\n"
            "HD.PERMUTE V by=-5 dim=100 -> p chained precision_q\nREWRITE.DPO_APPLY a b c d e index=2 -> f\n")
    open(folder + "/t.txt", "w").write(text)
    hexadecimal = subprocess.run([*simulate, folder + "/t.txt", "--assemble"], capture_output=True, text=True, check=True).stdout
    open(folder + "/t.hex", "w").write(hexadecimal)
    back = subprocess.run([*simulate, folder + "/t.hex", "--disassemble"], capture_output=True, text=True, check=True).stdout
    assert back == text, back


seeds = range(int(sys.argv[2]) if len(sys.argv) > 2 else 12)
for seed in seeds:
    rng = np.random.default_rng(seed)
    for check in (lambda r: spectral(r, ""), lambda r: spectral(r, "precision_q"), vectors, filtration, rewriting, rest):
        check(rng)
mistakes()
words()
print(f"{len(seeds)} rounds of all engines are equal")
