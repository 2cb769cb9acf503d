"""The program's own heuristic. usage: explore_nysx.py [BUDGET [SEED]]"""
import sys

import nysx


def explore(asked, budget, seed):
    """Returns the front found; `asked` has the keywords of nysx.sweep."""
    try:
        found = nysx.sweep(**asked, method="heuristic", budget=budget, seed=seed, jobs=1, compact=True, raw=True)
    except nysx.Limit:  # no design found; this does not prove infeasibility
        return []
    return found["results"][0]["front"]


if __name__ == "__main__":
    budget, seed = ([int(word) for word in sys.argv[1:]] + [1000, 1][len(sys.argv) - 1:])[:2]
    for design in explore({"dataset": "MUTAG", "objectives": "latency,energy"}, budget, seed):
        print(design["total"]["latency_s"], design["total"]["energy_j"])
