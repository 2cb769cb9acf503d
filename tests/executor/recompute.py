"""Recomputes hypervectors and predictions from a model file with NumPy alone, and compares.

usage: recompute.py MODEL.npz FOLDER ACCURACY TOLERANCE
FOLDER holds the data set in TUDataset's text form. Exit code 0 where the accuracy over the held-out part is
the stated one.
"""
import json
import os
import sys

import numpy as np

f32 = np.float32
m = np.load(sys.argv[1])
meta = json.loads(str(m["meta"]))
hops, f = m["lsh_u"].shape


def table(part, kind):
    path = os.path.join(sys.argv[2], os.path.basename(sys.argv[2]) + part)
    return np.loadtxt(path, delimiter=",", dtype=kind, ndmin=2)


graph = table("_graph_indicator.txt", np.int64)[:, 0] - 1
labels = table("_graph_labels.txt", np.int64)[:, 0]
arcs = table("_A.txt", np.int64) - 1
arcs = np.unique(arcs, axis=0)  # by row, then column: the order in which sums are made
columns = []
if meta["features"] != "attributes":
    columns.append((table("_node_labels.txt", np.int64)[:, :1] == m["node_label_values"]).astype(f32))
if meta["features"] != "labels":
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
        x = F[:, j] * u[j]
        for _ in range(t):
            x = propagate(x)
        state = fold(state, np.floor((x + b[j]) / w).astype(np.int64))
    return state.astype(np.int64)


test = m["test_index"]
s = len(m["landmarks"])
C = np.zeros((len(test), s), np.int64)
for t in range(hops):
    book, code = m[f"codebook_{t}"], codes(t)
    begin = m[f"landmark_hist_{t}_indptr"]
    H = np.zeros((s, len(book)), np.int64)
    H[np.repeat(np.arange(s), np.diff(begin)), m[f"landmark_hist_{t}_indices"]] = m[f"landmark_hist_{t}_data"]
    place = np.minimum(np.searchsorted(book, code), len(book) - 1)
    known = book[place] == code
    for i, g in enumerate(test):
        C[i] += H @ np.bincount(place[known & (graph == g)], minlength=len(book))

y = np.zeros((len(test), len(m["p_nys"])), f32)
for j in range(s):  # landmarks in ascending order, fp32
    y += C[:, j, None].astype(f32) * m["p_nys"][:, j]
h = np.where(y >= 0, 1, -1)
G = m["prototypes"].astype(np.float64)
similarity = (h @ G.T) / np.linalg.norm(G, axis=1)
predicted = m["class_labels"][np.argmax(similarity, axis=1)]
accuracy = np.mean(predicted == labels[test])
print(f"NumPy: accuracy {accuracy:.4f}, stated {float(sys.argv[3]):.4f}")
sys.exit(0 if abs(accuracy - float(sys.argv[3])) <= float(sys.argv[4]) + 1e-12 else 1)
