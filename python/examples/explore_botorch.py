"""Bayesian optimisation by BoTorch (expected hypervolume improvement) on a nysx.Evaluator. usage: explore_botorch.py [BUDGET [SEED]]"""
import sys

import numpy as np
import torch
from botorch.acquisition.multi_objective.logei import qLogExpectedHypervolumeImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import ModelListGP, SingleTaskGP
from botorch.utils.multi_objective.box_decompositions.non_dominated import FastNondominatedPartitioning
from gpytorch.mlls import SumMarginalLogLikelihood

import nysx

FIRST, POOL, TOLD = 32, 512, 300  # random designs at the start; candidates per step; designs that the model is fitted to


def explore(space, budget, seed):
    """Judges `budget` designs: random ones first, then repeatedly the one of a random pool with the largest expected improvement."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    signs = np.array([-1.0 if goal == "max" else 1.0 for goal in space.goals])

    def judge(rows):
        judged = space.evaluate(rows)
        worth = -np.log(np.abs(judged.values) + 1e-30) * np.sign(signs)
        return np.where(np.isfinite(worth), worth, -50.0) - 10.0 * np.minimum(judged.violations, 10.0)[:, None]

    rows = rng.integers(0, space.counts, (min(FIRST, budget), len(space.counts)))
    worth = judge(rows)
    while len(rows) < budget:
        X = torch.tensor(rows[-TOLD:] / np.maximum(space.counts - 1.0, 1.0))
        Y = torch.tensor(worth[-TOLD:])
        Y = (Y - Y.mean(0)) / (Y.std(0) + 1e-9)
        model = ModelListGP(*(SingleTaskGP(X, Y[:, [o]]) for o in range(len(signs))))
        fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model))
        least = Y.min(0).values - 0.1
        gain = qLogExpectedHypervolumeImprovement(model, least.tolist(), FastNondominatedPartitioning(least, Y))
        pool = rng.integers(0, space.counts, (POOL, len(space.counts)))
        with torch.no_grad():
            best = gain(torch.tensor(pool / np.maximum(space.counts - 1.0, 1.0))[:, None]).argmax()
        rows, worth = np.vstack([rows, pool[[best]]]), np.vstack([worth, judge(pool[[best]])])
    return rows, worth


if __name__ == "__main__":
    words = sys.argv[1:] + ["64", "1"][len(sys.argv) - 1:]
    print(explore(nysx.Evaluator(dataset="MUTAG", objectives="latency,energy"), int(words[0]), int(words[1]))[1].max(axis=0))
