"""Times the steps of one inference, vectorised in NumPy. usage: numpy_infer.py MODEL.npz FOLDER

Batch 1, over the held-out graphs; prints the median time per graph. Streamed or resident models in fp32.
"""
import json
import os
import sys
import time

import numpy as np

m = dict(np.load(sys.argv[1]))
meta = json.loads(str(m["meta"]))
name = os.path.join(sys.argv[2], os.path.basename(sys.argv[2].rstrip("/")))
graph = np.loadtxt(name + "_graph_indicator.txt", dtype=np.int64) - 1
arcs = np.loadtxt(name + "_A.txt", delimiter=",", dtype=np.int64) - 1
labels = np.searchsorted(m["node_label_values"], np.loadtxt(name + "_node_labels.txt", dtype=np.int64))
first = np.searchsorted(graph, np.arange(graph[-1] + 2))
arcs = arcs[np.lexsort((arcs[:, 1], arcs[:, 0]))]
arc_first = np.searchsorted(arcs[:, 0], first)
hops, s = len(m["lsh_u"]), len(m["landmarks"])
H = []
for t in range(hops):
    dense = np.zeros((s, len(m[f"codebook_{t}"])), np.float32)
    dense[np.repeat(np.arange(s), np.diff(m[f"landmark_hist_{t}_indptr"])), m[f"landmark_hist_{t}_indices"]] = m[
        f"landmark_hist_{t}_data"]
    H.append(dense)
G = m["prototypes"].astype(np.float32)
length = np.linalg.norm(G, axis=1)
normalised = meta["propagation"] == "row-normalised"


def query(g):
    a = arcs[arc_first[g]:arc_first[g + 1]] - first[g]
    return labels[first[g]:first[g + 1]], a[:, 0], a[:, 1]


def infer(label, row, column):
    n = len(label)
    scale = 1 / np.maximum(np.bincount(row, minlength=n), 1) if normalised else 1.0
    C = np.zeros(s, np.float32)
    for t in range(hops):
        x = m["lsh_u"][t][label]
        for _ in range(t):
            x = np.bincount(row, x[column], minlength=n) * scale
        code = np.floor((x + m["lsh_b"][t]) / m["lsh_w"]).astype(np.int64)
        book = m[f"codebook_{t}"]
        place = np.minimum(np.searchsorted(book, code), len(book) - 1)
        h = np.bincount(place[book[place] == code], minlength=len(book)).astype(np.float32)
        C += H[t] @ h
    hypervector = np.where(m["p_nys"] @ C >= 0, np.float32(1), np.float32(-1))
    return m["class_labels"][np.argmax(G @ hypervector / length)]


queries = [query(g) for g in m["test_index"]]
times = []
for _ in range(5):
    for q in queries:
        begin = time.perf_counter()
        infer(*q)
        times.append(time.perf_counter() - begin)
print(f"{meta['dataset']:8s} NumPy {np.__version__}: median {1e6 * np.median(times):.1f} µs a graph, "
      f"least {1e6 * np.min(times):.1f} µs")
