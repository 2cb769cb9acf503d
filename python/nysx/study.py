"""Studies (the SQLite files of `sweep --study`) as tables and arrays."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._library import ask
from .commands import _frame

__all__ = ["Study"]


class Study:
    """study = Study("mutag.db"); study.front is a DataFrame, study["latency_s"] an array."""

    def __init__(self, path: Union[str, Path]) -> None:
        self.path = Path(path)
        ask("study", "--quiet", "--", "show", str(self.path))  # fails if the file is not a study

    def _export(self, *words: str) -> Any:
        return json.loads(ask("study", "--format", "json", "--quiet", *words, "--", "export", str(self.path)))

    @property
    def rows(self) -> list[dict[str, Any]]:
        rows = []
        for exploration in self._export()["explorations"]:
            for point in exploration["front"]:
                row = {"id": point["id"], "board": exploration["board"], "dataset": exploration["dataset"]}
                for part in ("metrics", "config"):
                    row.update({key: value for key, value in point[part].items() if not isinstance(value, (dict, list))})
                rows.append(row)
        return rows

    @property
    def front(self) -> Any:
        """One row per design of the fronts, with id, metrics and knobs."""
        return _frame(self.rows)

    def __repr__(self) -> str:
        found = [f"{one['dataset']} on {one['board']}, front of {len(one['front'])} designs" for one in self._export()["explorations"]]
        return f"Study({str(self.path)!r}: {'; '.join(found[:3])}{f'; {len(found) - 3} more' if len(found) > 3 else ''})"

    def __getitem__(self, name: str) -> np.ndarray:
        rows = self.rows
        if rows and name not in set().union(*rows):
            raise KeyError(name)
        return np.array([row.get(name, np.nan) for row in rows])

    def __len__(self) -> int:
        return len(self.rows)
