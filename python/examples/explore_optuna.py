"""Optuna's samplers on a nysx.Evaluator. usage: explore_optuna.py [tpe|nsga2 [BUDGET [SEED]]]"""
import sys

import numpy as np
import optuna

import nysx

optuna.logging.set_verbosity(optuna.logging.ERROR)
NEVER = 1e3  # the violation of a design that cannot be built


def constraints(trial):
    return (trial.user_attrs["violation"],)


def sampler(name, seed):
    if name == "tpe":
        return optuna.samplers.TPESampler(seed=seed, multivariate=False, constraints_func=constraints)
    return optuna.samplers.NSGAIISampler(seed=seed, constraints_func=constraints)


def explore(space, budget, seed, name="tpe"):
    """Judges `budget` designs one by one; returns the study."""
    signs = [-1.0 if goal == "max" else 1.0 for goal in space.goals]

    def objective(trial):
        row = [trial.suggest_categorical(v.name, range(len(v.values))) if v.kind != "number" else trial.suggest_int(v.name, 0, len(v.values) - 1)
               for v in space.variables]
        judged = space.evaluate(row)
        trial.set_user_attr("violation", float(min(judged.violations[0], NEVER)))
        values = [sign * value for sign, value in zip(signs, judged.values[0])]
        return [value if np.isfinite(value) else 1e30 for value in values]

    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = optuna.create_study(directions=["minimize"] * len(signs), sampler=sampler(name, seed))
        study.optimize(objective, n_trials=budget)
    return study


if __name__ == "__main__":
    words = sys.argv[1:] + ["tpe", "200", "1"][len(sys.argv) - 1:]
    opened = nysx.Evaluator(dataset="MUTAG", objectives="latency,energy")
    for best in explore(opened, int(words[1]), int(words[2]), words[0]).best_trials:
        if best.user_attrs["violation"] == 0:
            print(*best.values)
