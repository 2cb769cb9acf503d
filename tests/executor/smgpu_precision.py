#!/usr/bin/env python3
"""Error of each fixed-point spectral operation relative to double precision, by graph size and degree: the largest difference over all
nodes. usage: smgpu_precision.py PROGRAM [NODES,NODES… DEGREE,DEGREE…]

Rings of chords (every node has the degree) and drawn values from -1 to 1; the Fourier transform's basis takes n^3 and stops at 256 nodes.
A dash: the degree is impossible for the size, or (GFT) it was not computed. "held" counts saturated words. Without sizes: small ones,
and exit 1 where an error is above 64 units of the last place (GFT: 8 units a node) with a degree below 128, or where Q8.24 held no word
with a degree above it."""
import math
import subprocess
import sys
import tempfile

import numpy as np

TIME, ORDER, ITERATIONS, THETA = 1.0, 16, 50, [0.5, -0.3, 0.2, -0.1, 0.05]
GFT_MOST = 256
LINES = f"""SPECTRAL.COMPUTE_LAP A -> L{{0}}
SPECTRAL.SPECTRAL_CONV L x theta -> conv{{0}}
SPECTRAL.WAVELET_XFORM L x time={TIME} order={ORDER} -> heat{{0}}
SPECTRAL.EIGEN_DECOMP L x iterations={ITERATIONS} -> w{{0}}
"""
GFT = """SPECTRAL.GFT_FORWARD L x -> there{0}
SPECTRAL.GFT_INVERSE L there -> back{0}
"""


def adjacency(n, degree, rng):
    """Chords of random lengths; an odd degree adds the diameters."""
    lengths = rng.choice(np.arange(1, (n + 1) // 2), degree // 2, replace=False)
    a = np.zeros((n, n), dtype=bool)
    i = np.arange(n)
    for step in [*lengths, *([n // 2] if degree % 2 else [])]:
        a[i, (i + step) % n] = a[(i + step) % n, i] = True
    return a


def run(program, a, x, fraction, folder):
    n = len(a)
    one = 1 << fraction
    columns = [np.flatnonzero(row) for row in a]
    np.savez(f"{folder}/in.npz", A_indptr=np.cumsum([0, *map(len, columns)]).astype(np.int32),
             A_indices=np.concatenate(columns).astype(np.int32), A_data=np.full(int(a.sum()), one, dtype=np.int32),
             x=np.rint(x * one).astype(np.int32), theta=np.rint(np.array(THETA) * one).astype(np.int32))
    text = LINES + (GFT if n <= GFT_MOST else "")
    with open(f"{folder}/p.txt", "w", encoding="utf-8") as out:
        out.write(text.format(" precision_q" if fraction == 16 else ""))
    done = subprocess.run([program, "simulate", "--family", "smgpu", "--set", "nodes=65536", "--program", f"{folder}/p.txt", "--memory",
                           f"{folder}/in.npz", "-o", f"{folder}/out.npz", "--format", "json"], capture_output=True, text=True, check=True)
    held = sum(float(line.split(":")[1].strip(" ,")) for line in done.stdout.split("\n") if '"overflows"' in line)
    with np.load(f"{folder}/out.npz") as out:
        return {name: out[name].astype(np.float64) / one for name in out.files if not name.startswith("L_ind")}, held


def exact(a, x):
    """The operations of the program in double precision."""
    degree = a.sum(1)
    scale = np.where(degree > 0, 1.0 / np.sqrt(np.maximum(degree, 1)), 0.0)
    laplacian = np.eye(len(a)) - scale[:, None] * a * scale[None, :]
    centred = laplacian - np.eye(len(a))

    def chebyshev(theta):
        before, last = x, centred @ x
        y = theta[0] * before + theta[1] * last
        for k in range(2, len(theta)):
            before, last = last, 2.0 * centred @ last - before
            y = y + theta[k] * last
        return y

    bessel = [sum((TIME / 2) ** (2 * i + k) / (math.factorial(i) * math.factorial(i + k)) for i in range(40)) for k in range(ORDER + 1)]
    heat = [math.exp(-TIME) * b * (1 if k == 0 else 2) * (-1) ** k for k, b in enumerate(bessel)]
    w = x
    for _ in range(ITERATIONS):
        w = laplacian @ w
        w = w / np.linalg.norm(w)
    return {"L_data": laplacian[a | np.eye(len(a), dtype=bool)], "conv": chebyshev(THETA), "heat": chebyshev(heat), "w": w, "back": x}


def main():
    program, checks = sys.argv[1], len(sys.argv) < 4
    sizes, degrees = ([16, 64, 256], [2, 8, 15]) if checks else [[int(v) for v in word.split(",")] for word in sys.argv[2:4]]
    degrees = degrees + [130] if checks else degrees
    names = ["L_data", "conv", "heat", "w", "back"]
    print("| nodes | degree | | Laplacian | Chebyshev, order 4 | heat, order 16 | 50 power iterations | GFT and back | held |\n" +
          "| ---: " * 2 + "| --- " + "| ---: " * 6 + "|")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            for degree in degrees:
                if degree >= n - 1:
                    continue
                rng = np.random.default_rng(n * 1000 + degree)
                a, x = adjacency(n, degree, rng), rng.uniform(-1.0, 1.0, n)
                for fraction, name in ((24, "Q8.24"), (16, "Q16.16")):
                    rounded = np.rint(x * (1 << fraction)) / (1 << fraction)
                    got, held = run(program, a, rounded, fraction, folder)
                    want = exact(a, rounded)
                    errors = [float(np.max(np.abs(got[key] - want[key]))) if key in got else math.nan for key in names]
                    print(f"| {n} | {degree} | {name} | " + " | ".join("–" if math.isnan(e) else f"{e:.1e}" for e in errors) + f" | {held:.0f} |", flush=True)
                    if degree < 128:
                        bad += any(e > (8 * n if key == "back" else 64) * 2.0 ** -fraction for key, e in zip(names, errors))
                    else:
                        bad += fraction == 24 and held == 0
    if checks and bad:
        sys.exit(f"{bad} rows are beyond their bounds")


if __name__ == "__main__":
    main()
