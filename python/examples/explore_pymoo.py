"""pymoo's algorithms on a nysx.Evaluator. usage: explore_pymoo.py [nsga2|nsga3|moead [BUDGET [SEED]]]"""
import sys
import numpy as np
from pymoo.algorithms.moo.moead import MOEAD
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.core.problem import Problem
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.operators.sampling.rnd import IntegerRandomSampling
from pymoo.optimize import minimize
from pymoo.util.ref_dirs import get_reference_directions

import nysx

NEVER, POPULATION, PARTITIONS = 1e3, 100, {2: 99, 3: 12, 4: 7}  # Das and Dennis' partitions by objectives: 100, 91 and 120 directions, in every run


class Choices(Problem):
    """Logarithms of costs relative to the first population's minimum, divided by their standard deviation there, so that units have equal weight. MOEA/D takes
    no constraints: `penalised` adds them to the costs."""

    def __init__(self, space, penalised):
        self.space, self.penalised, self.least = space, penalised, None
        self.signs = np.array([-1.0 if goal == "max" else 1.0 for goal in space.goals])
        super().__init__(n_var=len(space.counts), n_obj=len(self.signs), n_ieq_constr=0 if penalised else 1, xl=0, xu=space.counts.astype(int) - 1, vtype=int)

    def _evaluate(self, x, out, *args, **kwargs):
        judged = self.space.evaluate(np.asarray(x, dtype=int))
        over, built = np.minimum(judged.violations, NEVER), np.isfinite(judged.values).all(axis=1)
        if self.least is None and built.any():
            self.least = np.where(judged.values[built] > 0, judged.values[built], np.inf).min(axis=0)
            self.spread = np.log1p(judged.values[built] / self.least).std(axis=0) + 1e-9
        costs = np.full(judged.values.shape, NEVER)
        if built.any():
            costs[built] = self.signs * np.log1p(judged.values[built] / self.least) / self.spread
        out["F"] = costs + 10.0 * over[:, None] if self.penalised else costs
        if not self.penalised:
            out["G"] = over[:, None]


def explore(space, budget, seed, name="nsga2"):  # judges `budget` designs in generations; returns pymoo's result
    operators = {"sampling": IntegerRandomSampling(), "crossover": SBX(repair=RoundingRepair()), "mutation": PM(repair=RoundingRepair())}
    directions = get_reference_directions("das-dennis", len(space.goals), n_partitions=PARTITIONS[len(space.goals)]) if name != "nsga2" else None
    draw = np.random.default_rng(seed)  # pymoo 0.6.2 seeds NSGA-III's tournament from the clock
    def lesser(pop, pairs, **_):
        over = pop.get("CV")[pairs][:, :, 0]
        return pairs[np.arange(len(pairs)), np.where(over[:, 0] == over[:, 1], draw.integers(2, size=len(pairs)), over.argmin(axis=1))][:, None]
    algorithm = {"nsga2": lambda: NSGA2(pop_size=POPULATION, **operators), "nsga3": lambda: NSGA3(directions, pop_size=max(POPULATION, len(directions)), selection=TournamentSelection(lesser), **operators),
                 "moead": lambda: MOEAD(directions, **operators)}[name]()
    return minimize(Choices(space, name == "moead"), algorithm, ("n_eval", budget), seed=seed)


if __name__ == "__main__":
    name, budget, seed = sys.argv[1:] + ["nsga2", "1000", "1"][len(sys.argv) - 1:]
    found = explore(nysx.Evaluator(dataset="MUTAG", objectives="latency,energy"), int(budget), int(seed), name)
    print("no feasible design" if found.X is None else f"{len(np.atleast_2d(found.X))} designs on the front")
