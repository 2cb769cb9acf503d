"""One full-batch step of HDReason with plain SGD equals the analytical step, computed in NumPy from the definitions. usage: reasoning_step.py PROGRAM

Generates a graph; start and result are the models of `train --epochs 0` and `--epochs 1`. The change must be the rate times the gradient,
within 1 % of its largest component, and the file's memory must follow from its embeddings. A fixed-point file whose memory is not marked as a sum of
integers is rejected."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

RATE, SCALE, SMOOTHING, MARGIN = 0.5, 0.05, 0.1, 3.0


def run(*words):
    subprocess.run([sys.argv[1], *words], check=True, stdout=subprocess.DEVNULL)


def edges_of(folder, entities, relations, both_ways):
    ids = [{name.rstrip("\0"): i for i, name in enumerate(names)} for names in (entities, relations)]
    with open(os.path.join(folder, "train.txt"), encoding="utf-8") as file:
        triples = {(ids[0][h], ids[1][r], ids[0][t]) for h, r, t in (line.rstrip("\n").split("\t") for line in file)}
    if both_ways:
        triples |= {(t, r + len(relations), h) for h, r, t in triples}
    return np.array(sorted(triples))


def memorise(edges, h, hr, mean):
    memory, count = np.zeros_like(h), np.zeros(len(h))
    np.add.at(memory, edges[:, 0], h[edges[:, 2]] * hr[edges[:, 1]])
    np.add.at(count, edges[:, 0], 1.0)
    divisor = np.maximum(count, 1.0)[:, None] if mean else 1.0
    return memory / divisor, divisor


def gradients(start, edges, loss, mean):
    base, e, er = (start[name].astype(float) for name in ("base", "entity", "relation"))
    h, hr = np.tanh(e @ base), np.tanh(er @ base)
    memory, divisor = memorise(edges, h, hr, mean)
    queries = np.unique(edges[:, :2], axis=0)
    answers = np.zeros((len(queries), len(e)))
    answers[np.unique(edges[:, :2], axis=0, return_inverse=True)[1].ravel(), edges[:, 2]] = 1.0
    if loss == "softmax":
        answers /= answers.sum(axis=1, keepdims=True)
    target = (1.0 - SMOOTHING) * answers + SMOOTHING / len(e)
    gm, ghr = np.zeros_like(memory), np.zeros_like(hr)
    for (s, r), t in zip(queries, target):
        sign = np.where(memory[s] + hr[r] - memory < 0.0, -1.0, 1.0)
        logit = MARGIN - SCALE * np.abs(memory[s] + hr[r] - memory).sum(axis=1)
        p = np.exp(logit - logit.max())
        p = p / p.sum() if loss == "softmax" else 1.0 / (1.0 + np.exp(-logit))
        g = (-SCALE * (p - t) / len(queries))[:, None] * sign
        gm -= g
        gm[s] += g.sum(axis=0)
        ghr[r] += g.sum(axis=0)
    gm /= divisor
    gh = np.zeros_like(h)
    np.add.at(gh, edges[:, 2], gm[edges[:, 0]] * hr[edges[:, 1]])
    np.add.at(ghr, edges[:, 1], gm[edges[:, 0]] * h[edges[:, 2]])
    return (gh * (1.0 - h * h)) @ base.T, (ghr * (1.0 - hr * hr)) @ base.T


def check(work, direction, loss, memory):
    paths = [os.path.join(work, f"after{epochs}.npz") for epochs in (0, 1)]
    for epochs, path in enumerate(paths):
        run("train", "--family", "hdreason", "--dataset", os.path.join(work, "kg"), "--epochs", str(epochs), "--batch", "100000", "--optimizer", "sgd",
            "--rate", str(RATE), "--scale", str(SCALE), "--smoothing", str(SMOOTHING), "--margin", str(MARGIN), "--precision", "fp32", "--dim", "64",
            "--embedding", "20", "--direction", direction, "--loss", loss, "--memory", memory, "--seed", "3", "-q", "-o", path)
    start, after = (np.load(path) for path in paths)
    edges = edges_of(os.path.join(work, "kg"), start["entities"], start["relations"], direction == "double")
    for name, gradient in zip(("entity", "relation"), gradients(start, edges, loss, memory == "mean")):
        taken = (start[name].astype(float) - after[name]) / RATE
        wrong = np.abs(taken - gradient).max() / np.abs(gradient).max()
        assert wrong < 0.01, f"{direction} {loss} {memory}: {name} moved {100 * wrong:.2f} % of the largest component beside the gradient"
    h, hr = (np.tanh(after[name].astype(float) @ after["base"]) for name in ("entity", "relation"))
    assert np.abs(memorise(edges, h, hr, memory == "mean")[0] - after["memory"]).max() < 1e-4 * np.abs(after["memory"]).max(), "memory"


def check_rejection(work):
    path, data = os.path.join(work, "old.npz"), ("--family", "hdreason", "--dataset", os.path.join(work, "kg"))
    run("train", *data, "--epochs", "0", "--precision", "fix8", "--dim", "64", "-q", "-o", path)
    run("infer", *data, "--model", path, "-q")
    arrays = dict(np.load(path))
    meta = json.loads(str(arrays["meta"]))
    assert meta.pop("sums") == "whole"
    np.savez(path, **arrays | {"meta": np.array(json.dumps(meta))})
    rejected = subprocess.run([sys.argv[1], "infer", *data, "--model", path], capture_output=True, text=True)
    assert rejected.returncode == 3 and "train the model again" in rejected.stderr, rejected


with tempfile.TemporaryDirectory() as folder:
    run("datasets", "generate", os.path.join(folder, "kg"), "--kind", "triples", "--entities", "80", "--relations", "5", "--triples", "600", "--skew", "0.7",
        "-q")
    for case in (("double", "softmax", "mean"), ("double", "bce", "sum"), ("single", "softmax", "sum"), ("single", "bce", "mean")):
        check(folder, *case)
    check_rejection(folder)
print("four steps are the analytical ones")
