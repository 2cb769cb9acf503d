#!/usr/bin/env python3
"""Times the training of `--preset best` in NumPy. usage: numpy_train.py FOLDER [DIM]

FOLDER holds a data set with node labels in TUDataset's text form. The same algorithm as `nysx-dse train --preset best` (Weisfeiler-Lehman
codes in 32 bits, 4 hops, sums of signs, the mean taken off, ridge with λ by leave-one-out on a sample, 8 bits), each step in the
arrays that suit NumPy: every hop over all nodes at once, 32 elements of all codes at once, K by one BLAS product, one solve.
Reading is not timed. Prints seconds by step, peak memory, and the accuracy on a random held-out fifth.
"""
import os
import resource
import sys
import time

import numpy as np

u32 = np.uint32
name = os.path.join(sys.argv[1], os.path.basename(sys.argv[1].rstrip("/")))
dim, hops = int(sys.argv[2]) if len(sys.argv) > 2 else 16384, 4
graph = np.loadtxt(name + "_graph_indicator.txt", dtype=np.int64) - 1
arcs = np.unique(np.loadtxt(name + "_A.txt", delimiter=",", dtype=np.int64) - 1, axis=0)
labels = np.unique(np.loadtxt(name + "_node_labels.txt", dtype=np.int64), return_inverse=True)[1]
classes, target = np.unique(np.loadtxt(name + "_graph_labels.txt", dtype=np.int64), return_inverse=True)
order = np.random.RandomState(1).permutation(len(target))
held = np.zeros(len(target), bool)
held[order[: (len(target) + 4) // 5]] = True


def mix(x):
    x = (x ^ x >> u32(16)) * u32(0x7FEB352D)
    x = (x ^ x >> u32(15)) * u32(0x846CA68B)
    return x ^ x >> u32(16)


def rotate(x, k):
    return x << u32(k) | x >> u32(32 - k) if k % 32 else x


def colours():
    x, out = mix(u32(0x9E3779B9) + labels.astype(u32)), []
    degree = np.searchsorted(arcs[:, 0], np.arange(len(graph) + 1))
    for _ in range(hops):
        out.append(x)
        along = np.concatenate([[u32(0)], np.cumsum(x[arcs[:, 1]], dtype=u32)])
        x = mix(rotate(x, 16) + along[degree[1:]] - along[degree[:-1]])
    return np.concatenate(out)


def sums(codes, part):
    """[graphs of the part × dim]: each code's signs times its count."""
    place = np.full(len(target), -1)
    place[part] = np.arange(len(part))
    own = np.tile(place[graph], hops)
    unique, code = np.unique(codes[own >= 0], return_inverse=True)
    pair, count = np.unique(own[own >= 0] * len(unique) + code, return_counts=True)
    first = np.searchsorted(pair // len(unique), np.arange(len(part)))
    code, count = pair % len(unique), count.astype(np.int16)[:, None]
    y = mix(unique ^ u32(0x5BD1E995))
    out = np.empty((len(part), dim), np.int16)
    for w in range(dim // 32):
        word = unique.copy()
        for b in range(w.bit_length()):
            if w >> b & 1:
                word ^= rotate(y, b % 32)
        signs = np.unpackbits(word.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").view(np.int8) * 2 - 1
        out[:, 32 * w : 32 * w + 32] = np.add.reduceat(signs[code] * count, first, axis=0)
    return out


def choose_lambda(kernel, t):
    errors, lambdas = [], [0.03, 0.1, 0.3, 1, 3, 10]
    n = len(kernel)
    for value in lambdas:
        inverse = np.linalg.inv(kernel + value * np.eye(n, dtype=np.float32))
        ones = inverse.sum(axis=1, keepdims=True)
        p = inverse - ones @ ones.T / ones.sum()
        errors.append((((p @ t) / np.diag(p)[:, None]) ** 2).sum())
    return max(value for value, error in zip(lambdas, errors) if error <= 1.03 * min(errors))


begin = time.process_time(), time.perf_counter()
steps, last = [], begin[0]


def step(what):
    global last
    now = time.process_time()
    steps.append(f"{what} {now - last:.2f}")
    last = now


codes = colours()
step("codes")
train = np.flatnonzero(~held)
H = sums(codes, train)
step("sums")
mean = H.mean(axis=0)
H = np.where(H >= mean, np.float32(1), np.float32(-1))
step("signs")
kernel = H @ H.T / np.float32(dim)
step("kernel")
t = np.where(target[train][:, None] == np.arange(len(classes)), np.float32(1), np.float32(-1))
some = np.random.RandomState(2).permutation(len(train))[:1000]
chosen = choose_lambda(kernel[np.ix_(some, some)], t[some])
step("lambda")
kernel[np.diag_indices(len(train))] += np.float32(chosen)
solved = np.linalg.solve(kernel, np.hstack([t, np.ones((len(train), 1), np.float32)]))
offset = solved[:, :-1].sum(axis=0) / solved[:, -1].sum()
alpha = solved[:, :-1] - solved[:, -1:] * offset
step("solve")
G = H.T @ alpha / dim
G = np.rint((G - G.mean(axis=1, keepdims=True)) * (127 / np.abs(G - G.mean(axis=1, keepdims=True)).max()))
step("prototypes")
print(f"NumPy: {last - begin[0]:.2f} s of processor time, {time.perf_counter() - begin[1]:.2f} s; seconds of {', '.join(steps)}; λ {chosen}; peak "
      f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
test = np.flatnonzero(held)
h = np.where(sums(codes, test) >= mean, 1, -1)
raw = h @ (H.T @ alpha) / dim + offset
print(f"accuracy {np.mean(raw.argmax(axis=1) == target[test]):.4f} over {len(test)} graphs held out")
