"""An open search space that judges designs for external optimisers."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from ._library import MESSAGE, load
from .commands import _words
from .errors import BadUsage, NysxError, error_of


@dataclass(frozen=True)
class Variable:
    """A variable: a knob with its values, or the choice of a measured algorithmic setting (`name` "setting", values are dicts)."""
    name: str
    kind: str
    values: tuple


@dataclass(frozen=True)
class Judged:
    """Results for n designs. `values` (n × objectives): SI units, NaN if a design cannot be built. `violations` (n): 0 if feasible, infinity if it
    cannot be built, else the excess over caps and limits. `costs`: values with the sign such that lower is better, infinity if infeasible."""
    values: np.ndarray
    violations: np.ndarray
    costs: np.ndarray

    @property
    def feasible(self) -> np.ndarray:
        return self.violations == 0


class Evaluator:
    """The search space of one board and one data set, with the search keywords of `nysx.sweep` (objectives, where, fix, set …):

        space = nysx.Evaluator(dataset="MUTAG", objectives="latency,energy")
        judged = space.evaluate(space.draw(1000, seed=1))
    """

    def __init__(self, board: Any = None, dataset: Any = None, **options: Any) -> None:
        words = _words({"board": board, "dataset": dataset, **options})
        self._library = load()
        self._handle: Optional[ctypes.c_void_p] = None
        handle, variables, objectives = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
        message = ctypes.create_string_buffer(MESSAGE)
        encoded = (ctypes.c_char_p * max(1, len(words)))(*[word.encode("utf-8", "surrogateescape") for word in words])
        code = self._library.dse_ask_open(encoded, len(words), ctypes.byref(handle), ctypes.byref(variables), ctypes.byref(objectives), message)
        self._handle = handle
        try:
            self._check(code, message)
        except NysxError:
            self.close()
            raise
        about = self.describe()
        self.variables = tuple(Variable(one["name"], one["kind"], tuple(one["values"])) for one in about["knobs"])
        self.objectives = tuple(one["metric"] for one in about["objectives"])
        self.goals = tuple(one["goal"] for one in about["objectives"])
        self.size = int(about["size"])
        self.counts = np.array([len(one.values) for one in self.variables], dtype=np.uint32)
        self._signs = np.array([-1.0 if goal == "max" else 1.0 for goal in self.goals])

    def _check(self, code: int, message: Any) -> None:
        if code != 0:
            raise error_of(code, message.value.decode("utf-8", "replace"))

    def close(self) -> None:
        if self._handle:
            self._library.dse_ask_close(self._handle)
        self._handle = None

    def __repr__(self) -> str:
        return f"Evaluator({self.size} designs, {len(self.variables)} knobs, objectives {', '.join(self.objectives)})"

    def __enter__(self) -> "Evaluator":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    __del__ = close

    def _open(self) -> ctypes.c_void_p:
        if not self._handle:
            raise BadUsage("the evaluator is closed")
        return self._handle

    def _line(self, **members: Any) -> dict:
        out, message = ctypes.c_void_p(), ctypes.create_string_buffer(MESSAGE)
        code = self._library.dse_ask_line(self._open(), json.dumps(members).encode(), ctypes.byref(out), message)
        text = ctypes.string_at(out).decode() if out.value else ""
        self._library.dse_ask_free(out)
        self._check(code, message)
        answer = json.loads(text)
        if not answer["ok"]:
            raise BadUsage(answer["error"])
        return answer

    def describe(self) -> dict:
        """Variables, objectives, limits and size, as described by `nysx-dse serve`."""
        return self._line(op="describe")

    def bounds(self, config: Optional[Mapping[str, Any]] = None) -> Optional[dict]:
        """Lower bound per objective over feasible designs with these knobs; None if none is feasible."""
        answer = self._line(op="bounds", **({"config": dict(config)} if config else {}))
        return answer["bounds"] if answer["feasible"] else None

    def judge(self, configs: Sequence[Mapping[str, Any]]) -> list[dict]:
        """Judges designs given as {KNOB: VALUE}; returns a dict with feasible, metrics and why for each."""
        return self._line(op="evaluate", configs=[dict(one) for one in configs])["results"]

    def evaluate(self, choices: Any) -> Judged:
        """Judges designs given as choices (n × variables, or one design): the index of each variable's value."""
        rows = np.atleast_2d(np.asarray(choices))
        if rows.ndim != 2 or rows.shape[1] != len(self.variables):
            raise BadUsage(f"choices: must be n x {len(self.variables)}, not {rows.shape}")
        if rows.size and not (np.issubdtype(rows.dtype, np.integer) and (rows >= 0).all() and (rows < self.counts).all()):
            raise BadUsage("choices: must be whole numbers from 0 to each variable's count - 1 (`counts`)")
        rows = np.ascontiguousarray(rows, dtype=np.uint32)
        values, violations = np.empty((len(rows), len(self.objectives))), np.empty(len(rows))
        message = ctypes.create_string_buffer(MESSAGE)
        self._check(self._library.dse_ask_evaluate(self._open(), rows.ctypes.data, len(rows), values.ctypes.data, violations.ctypes.data, message), message)
        return Judged(values, violations, np.where(violations[:, None] == 0, values * self._signs, np.inf))

    def config(self, row: Sequence[int]) -> dict:
        """Converts one design's choices to knobs by name."""
        found: dict = {}
        for variable, place in zip(self.variables, row):
            value = variable.values[int(place)]
            found.update(value if variable.kind == "setting" else {variable.name: value})
        return found

    def draw(self, count: int, seed: Any = None) -> np.ndarray:
        """Draws random choices, uniform in each variable."""
        return np.random.default_rng(seed).integers(0, self.counts, (count, len(self.counts)), dtype=np.uint32)


__all__ = ["Evaluator", "Judged", "Variable"]
