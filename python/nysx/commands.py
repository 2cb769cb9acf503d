"""The program's questions as functions: keywords are its options (where=, fix=, quality_drop=), lists repeat one, dicts are KNOB=VALUE."""
from __future__ import annotations

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import ask
from .errors import BadUsage

PathLike = Union[str, Path]
Values = Union[str, int, float, bool, Path, Sequence[Any], Mapping[str, Any], None]

__all__ = ["ask_json", "boards", "calibrate", "corners", "datasets", "emit", "estimate", "infer", "knobs", "load_model", "optimize", "plot", "predict", "report",
           "roofline", "simulate", "sweep", "train", "whatif"]


_JOINED = ("objectives", "landmarks")  # options that take a list with commas


def _words(options: Mapping[str, Values]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        if isinstance(value, (bytes, bytearray)):
            raise TypeError(f"{name}: bytes; a str or a Path is asked for")
        if name in _JOINED and isinstance(value, Sequence) and not isinstance(value, str):
            value = ",".join(map(str, value))
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={knob}={setting}" for knob, setting in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            words += [f"{option}={one}" for one in value]
        else:
            words.append(f"{option}={value}")
    return words


def ask_json(command: str, *operands: str, **options: Values) -> Any:
    """Any command's JSON, as Python's objects: ask_json("boards", "show", "zcu104")."""
    for word in ("format", "output"):
        if options.get(word) is not None and not (word == "output" and command == "train"):
            raise BadUsage(f"{word}=: {command} answers with Python's objects here; nysx.ask(...) has the program's text and files")
    options.setdefault("quiet", True)
    return json.loads(ask(command, *_words({**options, "format": "json"}), "--", *map(str, operands)))


def _flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """One line of a table of an estimate's object."""
    row: dict[str, Any] = {key: entry[key] for key in ("id", "rank", "dataset", "board", "fits", "bottleneck") if key in entry}
    if "corners" in entry:
        row["corners"] = " ".join(entry["corners"]) if isinstance(entry["corners"], list) else entry["corners"]
    for key, value in entry.get("total", {}).items():
        if key == "quality":
            if value is not None:
                row.update({value["name"]: value["mean"], value["name"] + "_std": value["std"], value["name"] + "_n": value["n"]})
        elif not isinstance(value, (dict, list)):
            row[key] = value
    row.update(entry.get("config", {}))
    return row


def _frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A pandas.DataFrame, or where there is no pandas a list of dicts."""
    try:
        import pandas
    except ImportError:
        return list(rows)
    return pandas.DataFrame(rows)


def _several(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return answer["results"] if "results" in answer else [answer]


def sweep(board: Values = None, dataset: Values = None, *, raw: bool = False, **options: Values) -> Any:
    """The front of each board and data set, a line a design; `raw` gives the program's JSON with corners and provenance."""
    answer = ask_json("sweep", board=board, dataset=dataset, **options)
    if raw:
        return answer
    return _frame([_flat({"dataset": one.get("dataset"), "board": one.get("board"), **entry})
                   for one in _several(answer) for entry in one.get("front", [])])


def corners(board: Values = None, dataset: Values = None, **options: Values) -> Any:
    """The named designs: balanced, fastest, …, the paper's."""
    rows = []
    for one in _several(ask_json("sweep", board=board, dataset=dataset, **options)):
        rows += [{"corner": name, **_flat(entry)} for name, entry in one.get("corners", {}).items() if entry is not None]
    return _frame(rows)


def optimize(board: Values = None, dataset: Values = None, **options: Values) -> Any:
    """The one best design: an estimate with method, objective, optimal and bound."""
    return ask_json("optimize", board=board, dataset=dataset, **options)


def estimate(board: Values = None, dataset: Values = None, *, raw: bool = False, **options: Values) -> Any:
    """The models' answer for a design, a line a board and data set; `raw` has engines and stages too."""
    answer = ask_json("estimate", board=board, dataset=dataset, **options)
    return answer if raw else _frame([_flat(one) for one in _several(answer)])


def whatif(board: Values = None, dataset: Values = None, **options: Values) -> Any:
    return ask_json("whatif", board=board, dataset=dataset, **options)


def boards(*names: str) -> Any:
    """A line a board, with what a kernel may use of it."""
    answer = ask_json("boards", "list", *names)
    rows = []
    for board in answer["boards"]:
        row = {key: value for key, value in board.items() if not isinstance(value, (dict, list))}
        row.update(board.get("usable", board.get("limits", {})) or {})
        rows.append(row)
    return _frame(rows)


def datasets(*names: str) -> Any:
    """The shipped profiles, as the program's JSON."""
    return ask_json("datasets", "list", *names)["datasets"]


def knobs(**options: Values) -> Any:
    """What may be chosen at all."""
    return ask_json("sweep", describe=True, **options)


def train(dataset: Values, output: Optional[PathLike] = None, **options: Values) -> Any:
    """Trains; `output` keeps the model. Accuracy, counts and seconds as the program says them."""
    return ask_json("train", dataset=dataset, output=output, **options)


def infer(model: PathLike, dataset: Values, **options: Values) -> Any:
    return ask_json("infer", model=model, dataset=dataset, **options)


def _table(path: PathLike) -> dict[str, np.ndarray]:
    """The columns of a CSV with a line of names."""
    with open(path, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    columns = {}
    for at, name in enumerate(names):
        words = np.array([row[at] for row in rows])
        for kind in (np.int64, np.float64):
            try:
                words = words.astype(kind)
                break
            except ValueError:
                pass
        columns[name] = words
    return columns


def predict(model: PathLike, dataset: Values, **options: Values) -> dict[str, np.ndarray]:
    """Arrays `graph` (or `node`, `row`), `label` and `predicted`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "predictions.csv")
        infer(model, dataset, predictions=path, **options)
        return _table(path)


def simulate(model: PathLike, dataset: Values, **options: Values) -> Any:
    """Cycles of engines and stages: the program's JSON, with `cycles`, arrays of what each graph (node, row) took: "stage.encode", "engine.nee",
    "total"."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cycles.csv")
        answer = ask_json("simulate", model=model, dataset=dataset, cycles=path, **options)
        answer["cycles"] = _table(path)
    return answer


def load_model(path: PathLike) -> dict[str, Any]:
    """The arrays of a model file, and its `meta` as an object."""
    with np.load(path, allow_pickle=False) as file:
        model: dict[str, Any] = {name: file[name] for name in file.files}
    model["meta"] = json.loads(str(model["meta"]))
    return model


def emit(output: PathLike, board: Values = None, dataset: Values = None, **options: Values) -> list[Path]:
    """Writes a design's folder; its files."""
    options.setdefault("quiet", True)
    ask("emit", *_words({"board": board, "dataset": dataset, "output": output, **options}))
    return sorted(path for path in Path(output).rglob("*") if path.is_file())


class Picture:
    """A figure that a notebook shows; `svg` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        Path(path).write_text(self.svg, encoding="utf-8")


def _picture(command: str, options: Mapping[str, Values], *operands: str) -> Picture:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        ask(command, *_words({"quiet": True, **options, "output": path}), "--", *operands)
        return Picture(Path(path).read_text(encoding="utf-8"))


def roofline(board: Values = None, dataset: Values = None, **options: Values) -> Picture:
    """Roofs of boards and a design's engines below them; shown by notebooks."""
    return _picture("roofline", {"board": board, "dataset": dataset, **options})


def report(study: PathLike, output: PathLike, **options: Values) -> Path:
    """The page of a study, or by another ending its fronts as a figure."""
    ask("report", *_words({"quiet": True, **options, "study": study, "output": output}))
    return Path(output)


def calibrate(folder: PathLike, **options: Values) -> Any:
    """What the synthesis reports below an emitted folder teach; `apply=True` keeps it beside the board."""
    return ask_json("calibrate", from_=folder, **options)


def plot(what: str, **options: Values) -> Picture:
    """`nysx-dse plot`: plot("front", study="s.db", by="landmarks"); shown by notebooks."""
    return _picture("plot", options, what)
