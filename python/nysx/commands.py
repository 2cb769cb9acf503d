"""The program's commands as functions: keywords are its options (where=, fix=, quality_drop=), lists repeat one, dicts are KNOB=VALUE."""
from __future__ import annotations

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import ask
from .errors import AnswerIsNo, BadUsage

PathLike = Union[str, Path]
Values = Union[str, int, float, bool, Path, Sequence[Any], Mapping[str, Any], None]

__all__ = ["ask_json", "boards", "calibrate", "corners", "datasets", "emit", "estimate", "infer", "knobs", "load_model", "optimize", "plot", "predict", "report",
           "roofline", "simulate", "sweep", "train", "whatif"]


_JOINED = ("objectives", "landmarks")  # options that take a list with commas


def _plain(value: Any) -> Any:
    """NumPy's scalars and arrays as Python's."""
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def _setting(value: Any) -> Any:
    value = _plain(value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def _words(options: Mapping[str, Values]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        value = _plain(value)
        if isinstance(value, (bytes, bytearray)):
            raise TypeError(f"{name}: bytes; a str or a Path is asked for")
        if name in _JOINED and isinstance(value, Sequence) and not isinstance(value, str):
            value = ",".join(map(str, value))
        if name == "workload" and isinstance(value, Mapping):
            value = ",".join(f"{quantity}={_setting(number)}" for quantity, number in value.items())
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={knob}={_setting(setting)}" for knob, setting in value.items()]
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
    for word in ("help", "man", "version"):
        if options.get(word):
            raise BadUsage(f"{word}=: nysx.ask({command!r}, '--{word}') has the program's text")
    options.setdefault("quiet", True)
    try:
        return json.loads(ask(command, *_words({**options, "format": "json"}), "--", *map(str, operands)))
    except AnswerIsNo as no:
        raise AnswerIsNo(_reasons(no.output) or str(no), no.output) from None


def _reasons(output: str) -> str:
    """Why nothing is feasible, a line a board and data set."""
    lines = []
    for one in _several(json.loads(output)) if output else []:
        if "why" not in one:
            continue
        nearest, line = one.get("nearest"), f"nothing is feasible on {one['board']} with {one['dataset']}"
        if one["why"]:
            line += ": " + ", ".join(reason["constraint"] for reason in one["why"])
        if nearest:
            ratio = nearest.get("ratio")
            line += f"; nearest miss: {nearest['constraint']}" + (f", {ratio:.4g} times what is asked" if ratio else "")
        lines.append(line + (": " + one["refusal"] if one.get("refusal") else ""))
    return "\n".join(lines)


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
    if "combined" in entry:
        row.update(entry["combined"])
        for one in entry.get("results", []):
            total, quality = one["total"], one["total"].get("quality") or {}
            row[one["dataset"] + "_latency_s"] = total["latency_s"]
            row.update({f"{one['dataset']}_quality{end}": quality[key] for end, key in (("", "mean"), ("_std", "std"), ("_n", "n")) if key in quality})
    row.update(entry.get("config", {}))
    return row


def _about(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What all designs of an answer share; of one design for several data sets the names of all."""
    return {"dataset": answer.get("dataset") or ",".join(one["name"] for one in answer.get("datasets", [])), "board": answer.get("board")}


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
    """The front of each board and data set (with `combine` of each board), a line a design; `raw` gives the program's JSON with corners and
    provenance."""
    if options.get("describe"):
        raise BadUsage("describe=: nysx.knobs() has the knobs")
    answer = ask_json("sweep", board=board, dataset=dataset, **options)
    if raw:
        return answer
    return _frame([_flat({**_about(one), **entry})
                   for one in _several(answer) for entry in one.get("front", [])])


def corners(board: Values = None, dataset: Values = None, **options: Values) -> Any:
    """The named designs: balanced, fastest, …, the baseline."""
    rows = []
    for one in _several(ask_json("sweep", board=board, dataset=dataset, **options)):
        rows += [{"corner": name, **_flat({**_about(one), **entry})} for name, entry in one.get("corners", {}).items() if entry is not None]
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
    """A figure that a notebook shows; `svg` is its text. `draw` makes it again in a file."""

    def __init__(self, svg: str, draw: Callable[[PathLike], None]) -> None:
        self.svg = svg
        self._draw = draw

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        """As .svg, .pdf or .png, by its ending."""
        self._draw(path)


def _picture(command: str, options: Mapping[str, Values], *operands: str) -> Picture:
    def draw(path: PathLike) -> None:
        if Path(path).suffix.lower() not in (".svg", ".pdf", ".png"):
            raise BadUsage(f"{path}: must end in .svg, .pdf or .png")
        ask(command, *_words({"quiet": True, **options, "output": path}), "--", *operands)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        draw(path)
        return Picture(Path(path).read_text(encoding="utf-8"), draw)


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
