"""Random designs. usage: explore_random.py [BUDGET [SEED]]"""
import sys

import numpy as np

import nysx


def explore(space, budget, seed):
    """Judges `budget` random designs; `space` is a nysx.Evaluator."""
    rng = np.random.default_rng(seed)
    while budget > 0:
        space.evaluate(rng.integers(0, space.counts, (min(budget, 1000), len(space.counts))))
        budget -= 1000


if __name__ == "__main__":
    budget, seed = ([int(word) for word in sys.argv[1:]] + [1000, 1][len(sys.argv) - 1:])[:2]
    space = nysx.Evaluator(dataset="MUTAG", objectives="latency,energy")
    judged = space.evaluate(space.draw(budget, seed))
    print(f"{judged.feasible.sum()} of {budget} feasible; least", dict(zip(space.objectives, np.nanmin(judged.values[judged.feasible], axis=0))))
