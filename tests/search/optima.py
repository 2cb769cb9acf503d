#!/usr/bin/env python3
"""usage: optima.py PROGRAM OPTIMA.csv [--update]

Each row is a space (a shipped profile, a board, --fix and --where) with its known optimum of one metric. Every method must reach it; the
exhaustive visit only in small spaces. The heuristic's front of latency, energy and BRAM must
have 99 % of the exact front's hypervolume. --update writes new optima, by the exhaustive visit if possible."""
import csv
import json
import subprocess
import sys

SMALL = 2_000_000_000  # most configurations for the exhaustive visit in a test
program, path = sys.argv[1:3]


def run(command, row, *more):
    words = [program, command, "--dataset", row["dataset"], "--board", row["board"], "--format", "json", "--jobs", "2"]
    for fix in row["fix"].split():
        words += ["--fix", fix]
    if row["where"]:
        words += ["--where", row["where"]]
    done = subprocess.run(words + list(more), capture_output=True, text=True, check=False)
    if done.returncode == 1:
        return None
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def optimize(row, method):
    answer = run("optimize", row, "--minimize" if row["metric"] != "throughput" else "--maximize", row["metric"],
                 "--method", method)
    return (None, 0) if answer is None else (answer["objective"], answer["space_size"])


def area(points, reference):
    """Area that two-dimensional points dominate below the reference."""
    total, least = 0.0, reference[0]
    points = sorted(points, key=lambda p: p[1])
    for i, p in enumerate(points):
        least = min(least, p[0])
        top = points[i + 1][1] if i + 1 < len(points) else reference[1]
        total += (reference[0] - least) * (min(top, reference[1]) - p[1])
    return total


def hypervolume(points, reference):
    points = sorted((p for p in points if all(a < b for a, b in zip(p, reference))), key=lambda p: p[2])
    total = 0.0
    for i, p in enumerate(points):
        top = points[i + 1][2] if i + 1 < len(points) else reference[2]
        if top > p[2]:
            total += (top - p[2]) * area([q[:2] for q in points[: i + 1]], reference[:2])
    return total


def front(answer):
    return [(e["total"]["latency_s"], e["total"]["energy_j"], e["total"]["bram18"]) for e in answer["front"]]


def check_front(row):
    exact = run("sweep", row)
    if exact is None:
        return True
    best, found = front(exact), front(run("sweep", row, "--method", "heuristic", "--budget", "60000"))
    reference = [max(p[d] for p in best) * 1.1 + 1e-12 for d in range(3)]
    share = hypervolume(found, reference) / hypervolume(best, reference)
    print(f"  heuristic: {100 * share:.2f} % of the exact front's hypervolume")
    return 0.99 <= share <= 1.0 + 1e-9


def main():
    with open(path, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        names = list(rows[0])
    failed = 0
    for row in rows:
        exact, size = optimize(row, "exact")
        if "--update" in sys.argv:
            checked, _ = optimize(row, "exhaustive") if size <= SMALL else (exact, 0)
            row["optimum"] = "none" if checked is None else f"{checked:.12g}"
            continue
        wanted = None if row["optimum"] == "none" else float(row["optimum"])
        print(f"{row['name']}: {row['metric']} {row['optimum']} among {size}")
        methods = ["ilp"] + (["exhaustive"] if size <= SMALL else [])
        for method, value in [("exact", exact)] + [(m, optimize(row, m)[0]) for m in methods]:
            good = value is None if wanted is None else value is not None and abs(value - wanted) <= 1e-9 * abs(wanted)
            failed += not good
            if not good:
                print(f"  {method} finds {value}")
        good = check_front(row) if wanted is not None else True
        failed += not good
    if "--update" in sys.argv:
        with open(path) as file:
            head = [line for line in file if line.startswith("#")]
        with open(path, "w", newline="") as file:
            file.writelines(head)
            writer = csv.DictWriter(file, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    sys.exit(failed > 0)


main()
