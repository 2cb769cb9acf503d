#!/usr/bin/env python3
"""Recomputes every hypervector, score and class of the held-out part from a model file with NumPy alone, and compares.

usage: recompute.py MODEL.npz FOLDER SAID.npz
FOLDER holds the data set in TUDataset's text form, SAID.npz is the output of `nysx-dse infer --hypervectors`. Exit code 0 if graphs,
hypervectors, classes and scores are bit-identical (cosines: within 1e-12).
"""
import json
import os
import sys

import numpy as np

f32 = np.float32
m = np.load(sys.argv[1])
meta = json.loads(str(m["meta"]))
f, hops, draws = m["lsh_u"].shape[1], int(meta["setting"]["hops"]), 1
if meta["codes"] == "tuple":
    draws = int(meta["setting"]["draws"])
    hops *= draws  # codes per node


def table(part, kind):
    path = os.path.join(sys.argv[2], os.path.basename(sys.argv[2]) + part)
    return np.loadtxt(path, delimiter=",", dtype=kind, ndmin=2)


graph = table("_graph_indicator.txt", np.int64)[:, 0] - 1
labels = table("_graph_labels.txt", np.int64)[:, 0]
arcs = table("_A.txt", np.int64) - 1
arcs = np.unique(arcs, axis=0)  # by row, then column: the order of summation
columns = []
if meta["features"] == "cores":  # the degree among the nodes that are left when none of degree 1 is
    degree, left = np.bincount(arcs[:, 0], minlength=len(graph)), np.zeros(0, np.int64)
    while (degree > 1).sum() != left.sum():
        left = degree > 1
        degree = np.bincount(arcs[left[arcs].all(axis=1), 0], minlength=len(graph))
    columns.append((table("_node_labels.txt", np.int64)[:, :1] * 16 + np.where(degree > 1, degree, 0)[:, None] == m["node_label_values"]).astype(f32))
elif meta["features"] != "attributes":
    columns.append((table("_node_labels.txt", np.int64)[:, :1] == m["node_label_values"]).astype(f32))
if meta["features"] in ("attributes", "both"):
    columns.append(table("_node_attributes.txt", f32))
F = np.hstack(columns)
degree = np.bincount(arcs[:, 0], minlength=len(graph)).astype(f32)
scale = np.where(degree > 0, f32(1) / np.maximum(degree, f32(1)), f32(0)).astype(f32)


def propagate(x):
    out = np.zeros_like(x)
    np.add.at(out, arcs[:, 0], x[arcs[:, 1]])
    return out * scale if meta["propagation"] == "row-normalised" else out


def fold(state, code):
    with np.errstate(over="ignore"):
        return ((state << np.uint64(5) | state >> np.uint64(59)) ^ code.astype(np.uint64)) * np.uint64(
            0x517CC1B727220A95)


def codes(t):
    u, b, w = m["lsh_u"][t], m["lsh_b"][t], m["lsh_w"][()]
    if meta["codes"] == "scalar":
        x = np.zeros(len(F), f32)
        for j in range(f):
            x += F[:, j] * u[j]
        for _ in range(t):
            x = propagate(x)
        return np.floor((x + b) / w).astype(np.int64)
    state = np.zeros(len(F), np.uint64)
    for j in range(f):
        x = F[:, j]
        for _ in range(t // draws):
            x = propagate(x)
        state = fold(state, np.floor((x * u[j] + b[j]) / w).astype(np.int64))
    return state.astype(np.int64)


u32 = np.uint32


def mix(x):
    x = (x ^ x >> u32(16)) * u32(0x7FEB352D)
    x = (x ^ x >> u32(15)) * u32(0x846CA68B)
    return x ^ x >> u32(16)


def rotate(x, k):
    return x << u32(k) | x >> u32(32 - k) if k % 32 else x


def folded(code, t):
    code = code.astype(np.uint64)
    return mix(code.astype(u32) + mix((code >> np.uint64(32)).astype(u32) + u32(0x9E3779B9 * (t + 1) % 2**32)))


def colours():
    """Weisfeiler-Lehman codes of every hop."""
    if meta["features"] in ("labels", "cores"):
        known = F.any(axis=1)
        x = mix(u32(0x9E3779B9) + np.where(known, F.argmax(axis=1), -1).astype(u32))
    else:
        state = np.zeros(len(F), np.uint64)
        for j in range(f):
            state = fold(state, np.floor((F[:, j] * m["lsh_u"][0, j] + m["lsh_b"][0, j]) / m["lsh_w"][()]).astype(np.int64))
        x = folded(state, 0)
    for _ in range(hops):
        yield x
        y = rotate(x, 16)
        np.add.at(y, arcs[:, 0], x[arcs[:, 1]])
        x = mix(y)


def direct_sums(codes_of_hops, graphs, dim):
    """The sums of the direct form, one sign per code of a graph at a time."""
    all_codes = list(codes_of_hops)
    out = np.zeros((len(graphs), dim), np.int64)
    for i, g in enumerate(graphs):
        x, count = np.unique(np.concatenate([c[graph == g] for c in all_codes]), return_counts=True)
        y = mix(x ^ u32(0x5BD1E995))
        for w in range((dim + 31) // 32):
            word = x.copy()
            for b in range(w.bit_length()):
                if w >> b & 1:
                    word ^= rotate(y, b % 32)
            bits = word[:, None] >> np.arange(32, dtype=u32) & u32(1)
            sums = count @ (2 * bits.astype(np.int64) - 1)
            out[i, 32 * w:32 * w + 32] = sums[:dim - 32 * w]
    return out


wl = meta["codes"] == "wl"
hop_codes = (lambda every: lambda t: every[t].astype(np.int64))(list(colours())) if wl else codes
test = m["test_index"]


def kernel_vectors():
    s = len(m["landmarks"])
    C = np.zeros((len(test), s), np.int64)
    for t in range(hops):
        book, code = m[f"codebook_{t}"], hop_codes(t)
        begin = m[f"landmark_hist_{t}_indptr"]
        H = np.zeros((s, len(book)), np.int64)
        H[np.repeat(np.arange(s), np.diff(begin)), m[f"landmark_hist_{t}_indices"]] = m[f"landmark_hist_{t}_data"]
        place = np.minimum(np.searchsorted(book, code), len(book) - 1)
        known = book[place] == code
        for i, g in enumerate(test):
            C[i] += H @ np.bincount(place[known & (graph == g)], minlength=len(book))
    return C - m["center"] if "center" in m else C


def times(P, x):  # columns in ascending order, fp32; exact for whole numbers
    if P.dtype.kind == "i" and x.dtype.kind == "i":
        return x.astype(np.int64) @ P.T.astype(np.int64)
    if P.dtype == np.uint16:  # bf16
        P = (P.astype(np.uint32) << 16).view(f32)
    y = np.zeros((len(x), len(P)), f32)
    for j in range(P.shape[1]):
        y += x[:, j, None].astype(f32) * P[:, j].astype(f32)
    return y


def generate(rank, dim):
    """P_rp: for 64 rows, eight 64-bit xorshift generators in parallel; each step gives one byte per row: an entry, or eight signs."""
    u64, golden = np.uint64, 0x9E3779B97F4A7C15
    blocks = (dim + 63) // 64
    z = u64(meta["generator_seed"]) + (np.arange(8 * blocks, dtype=u64) + u64(1)) * u64(golden)
    z = (z ^ z >> u64(30)) * u64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> u64(27)) * u64(0x94D049BB133111EB)
    z = z ^ z >> u64(31)
    out = np.zeros((64 * blocks, rank), np.int8)
    for j in range(rank):
        if j % meta["generator_columns"] == 0:
            z = z ^ z << u64(13)
            z = z ^ z >> u64(7)
            z = z ^ z << u64(17)
        raw = z.view(np.uint8)
        if meta["generator"] == "uniform8":
            out[:, j] = raw.view(np.int8)
        elif meta["generator"] == "bits8":
            out[:, j] = np.unpackbits(raw[:, None], axis=1).sum(axis=1).astype(np.int8) - 4
        else:
            out[:, j] = (raw >> (j % 8) & 1).astype(np.int8) * 2 - 1
    return out[:dim]


if meta["form"] == "direct":
    y = direct_sums(colours() if wl else (folded(codes(t), t) for t in range(hops)), test, m["prototypes"].shape[1])
    y = y - m["threshold"] if "threshold" in m else y
elif "p_nys" in m:
    y = times(m["p_nys"], kernel_vectors())
else:
    phi = times(m["phi_map"], kernel_vectors())
    if meta["phi_bits"] != "fp32":
        most = 2.0 ** (int(meta["phi_bits"]) - 1) - 1
        phi = np.clip(np.rint((phi / m["phi_scale"]).astype(np.float64)), -most, most).astype(np.int64)
    y = times(generate(phi.shape[1], m["prototypes"].shape[1]), phi)
h = np.where(y >= 0, 1, -1)
G = m["prototypes"]
if G.dtype == f32:  # 64 parallel sums in single precision, then added in order in double precision
    sums = np.zeros((len(h), len(G), 64), f32)
    for i in range(0, G.shape[1], 64):
        part = h[:, None, i:i + 64].astype(f32) * G[:, i:i + 64]
        sums[:, :, :part.shape[2]] += part
    score = np.zeros(sums.shape[:2])
    for i in range(64):
        score += sums[:, :, i]
else:
    score = (h @ G.T.astype(np.int64)).astype(np.float64)
if "code_weights" in m:  # table places of codes: their highest bits
    every = np.concatenate(list(colours()) if wl else [folded(codes(t), t) for t in range(hops)])
    of = np.tile(graph, hops)
    place = every >> u32(32 - int(np.log2(m["code_weights"].shape[1])))
    weight = m["code_weights"].astype(np.int64)[:, place] << int(m["code_weights_shift"])
    score += np.stack([weight[:, of == g].sum(axis=1) for g in test])
if "prototype_offset" in m:
    score += m["prototype_offset"]
else:
    score /= np.linalg.norm(G.astype(np.float64), axis=1)
predicted = m["class_labels"][np.argmax(score, axis=1)]
said = np.load(sys.argv[3])
exact = "prototype_offset" in m
wrong = {
    "graphs": int(np.sum(said["graph"] != test)),
    "hypervectors": int(np.any(said["hypervectors"] != h, axis=1).sum()),
    "scores": int((said["scores"] != score).sum() if exact else (~np.isclose(said["scores"], score, 1e-12, 1e-12)).sum()),
    "classes": int(np.sum(said["predicted"] != predicted)),
}
print(f"NumPy: of {len(h)} graphs differ " + ", ".join(f"{n} {what}" for what, n in wrong.items()) +
      f"; accuracy {np.mean(predicted == labels[test]):.4f}")
sys.exit(1 if any(wrong.values()) else 0)
