#!/usr/bin/env python3
"""usage: highs.py PROGRAM.mps [SECONDS]: the optimum of an integer program in free MPS as written by GLPK, by SciPy's HiGHS. Prints the
optimum, or "SKIPPED" without SciPy 1.9 or later."""
import sys

try:
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix
except ImportError:
    print("SKIPPED")
    sys.exit(0)


def read(path):
    """Objective, rows with their bounds, bounds of the columns, and which columns are integer."""
    rows, columns, sense, entries, right = {}, {}, [], [], {}
    low, high, whole, cost = {}, {}, set(), {}
    section, marked, objective = "", False, None
    for line in open(path):
        words = line.split()
        if not words or line[0] == "*":
            continue
        if not line[0].isspace():
            section = words[0]
        elif section == "ROWS" and words[0] == "N":
            objective = words[1]
        elif section == "ROWS":
            rows[words[1]] = len(rows)
            sense.append(words[0])
        elif section == "COLUMNS" and "'MARKER'" in words:
            marked = "'INTORG'" in words
        elif section == "COLUMNS":
            column = columns.setdefault(words[0], len(columns))
            if marked:
                whole.add(column)
            for row, value in zip(words[1::2], words[2::2]):
                if row == objective:
                    cost[column] = float(value)
                else:
                    entries.append((rows[row], column, float(value)))
        elif section == "RHS":
            for row, value in zip(words[-2::-2], words[::-2]):
                if row != objective:
                    right[rows[row]] = float(value)
        elif section == "BOUNDS":
            column = columns[words[2]]
            if words[0] in ("LO", "FX", "BV"):
                low[column] = 0.0 if words[0] == "BV" else float(words[3])
            if words[0] in ("UP", "FX", "BV"):
                high[column] = 1.0 if words[0] == "BV" else float(words[3])
            if words[0] in ("FR", "MI"):
                low[column] = -np.inf
            if words[0] == "BV":
                whole.add(column)
    count = len(columns)
    at, of, values = zip(*entries)
    matrix = csr_matrix((values, (at, of)), shape=(len(rows), count))
    bound = np.array([right.get(row, 0.0) for row in range(len(rows))])
    least = np.where([kind in "GE" for kind in sense], bound, -np.inf)
    most = np.where([kind in "LE" for kind in sense], bound, np.inf)
    return (np.array([cost.get(c, 0.0) for c in range(count)]), LinearConstraint(matrix, least, most),
            Bounds([low.get(c, 0.0) for c in range(count)], [high.get(c, 1.0 if c in whole else np.inf) for c in range(count)]),
            np.array([c in whole for c in range(count)], dtype=int))


costs, limits, bounds, integrality = read(sys.argv[1])
# Without presolve: the file is already reduced, and HiGHS would search a minute for further reductions.
found = milp(costs, constraints=limits, bounds=bounds, integrality=integrality,
             options={"mip_rel_gap": 1e-9, "presolve": False, "time_limit": float(sys.argv[2]) if len(sys.argv) > 2 else 300.0})
print(f"{found.fun:.12g}" if found.status == 0 else found.message)
