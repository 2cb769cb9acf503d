"""The program's commands as functions. Keywords are options (where=, fix=, quality_drop=); a list repeats an option, a dict gives KNOB=VALUE."""
from __future__ import annotations

import csv
import inspect
import json
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import ask
from ._options import (CalibrateOptions, EmitOptions, EstimateOptions, InferOptions, OptimizeOptions, PlotOptions, ReportOptions, RooflineOptions,
                       SimulateOptions, SweepOptions, TrainOptions, WhatifOptions)
from .errors import AnswerIsNo, BadUsage

if TYPE_CHECKING:
    from typing_extensions import Unpack

PathLike = Union[str, Path]
Values = Union[str, int, float, bool, Path, Sequence[Any], Mapping[str, Any], None]

__all__ = ["ask_json", "boards", "calibrate", "corners", "datasets", "emit", "estimate", "infer", "knobs", "load_model", "optimize", "plot", "predict", "report",
           "roofline", "simulate", "sweep", "train", "whatif"]


def _typed(options: Any) -> Callable[[Callable], Callable]:
    """Shows the keywords of a TypedDict in the function's signature, for help() and for completion in notebooks. The program
    rejects an unknown keyword and names the nearest one."""
    def show(function: Callable) -> Callable:
        own = [one for one in inspect.signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD]
        taken = {one.name for one in own}
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=getattr(annotation, "__forward_arg__", annotation))
                    for name, annotation in options.__annotations__.items() if name not in taken]
        function.__signature__ = inspect.Signature(own + keywords, return_annotation=function.__annotations__.get("return"))  # type: ignore[attr-defined]
        return function
    return show


_JOINED = ("objectives", "landmarks")  # options that take a comma-separated list


def _plain(value: Any) -> Any:
    """Converts NumPy's scalars and arrays to Python's."""
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def _setting(value: Any) -> Any:
    value = _plain(value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


_described: dict[str, Any] = {}  # accelerators given as a dictionary or a text: their files exist as long as the process


def _family(value: Any) -> Any:
    """The file of an accelerator given as a dictionary or a YAML text; other words unchanged."""
    from .accelerator import Accelerator
    if not isinstance(value, Mapping) and not (isinstance(value, str) and "\n" in value):
        return value
    key = json.dumps(value, ensure_ascii=False, default=_plain)
    return _described.setdefault(key, _described.get(key) or Accelerator(value))


def _words(options: Mapping[str, Values]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        value = _family(value) if name == "family" else _plain(value)
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
    """Returns the JSON of any command as Python objects: ask_json("boards", "show", "zcu104")."""
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
    """The reasons for infeasibility, one line per board and data set."""
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
    """Converts an estimate's object to one table row."""
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
    """The data set and board common to all designs of an answer; with `combine`, the names of all data sets."""
    return {"dataset": answer.get("dataset") or ",".join(one["name"] for one in answer.get("datasets", [])), "board": answer.get("board")}


_UNITS = (("_bytes_per_s", "byte/s"), ("_j_per_bit", "J/bit"), ("_transfers_hz", "1/s"), ("_s", "s"), ("_j", "J"), ("_w", "W"), ("_hz", "1/s"), ("_bytes", "byte"),
          ("_bits", "bit"), ("_mhz", "MHz"), ("_nm", "nm"))


def unit_of(column: str) -> str:
    """The unit in a metric's JSON name: "s" for latency_s and latency_s_low; "" for counts and words."""
    name = re.sub(r"_(low|high|mean|std|p99)$", "", column)
    return next((unit for end, unit in _UNITS if name.endswith(end)), "")


def _frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A pandas.DataFrame with its columns' units in `attrs["units"]`; without pandas, a list of dicts."""
    try:
        import pandas
    except ImportError:
        return list(rows)
    frame = pandas.DataFrame(rows)
    frame.attrs["units"] = {name: unit_of(name) for name in frame.columns if unit_of(name)}
    return frame


def _several(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return answer["results"]


@_typed(SweepOptions)
def sweep(board: Values = None, dataset: Values = None, *, raw: bool = False, **options: Unpack[SweepOptions]) -> Any:
    """The front of each board and data set (with `combine`: of each board), one row per design; `raw` gives the program's JSON with corners and
    provenance."""
    if options.get("describe"):
        raise BadUsage("describe=: nysx.knobs() has the knobs")
    answer = ask_json("sweep", board=board, dataset=dataset, **options)
    if raw:
        return answer
    return _frame([_flat({**_about(one), **entry})
                   for one in _several(answer) for entry in one.get("front", [])])


@_typed(SweepOptions)
def corners(board: Values = None, dataset: Values = None, **options: Unpack[SweepOptions]) -> Any:
    """The named designs: balanced, fastest, … and the baseline."""
    rows = []
    for one in _several(ask_json("sweep", board=board, dataset=dataset, **options)):
        rows += [{"corner": name, **_flat({**_about(one), **entry})} for name, entry in one.get("corners", {}).items() if entry is not None]
    return _frame(rows)


@_typed(OptimizeOptions)
def optimize(board: Values = None, dataset: Values = None, **options: Unpack[OptimizeOptions]) -> Any:
    """The best design for one objective: an estimate with method, objective, optimal and bound."""
    return ask_json("optimize", board=board, dataset=dataset, **options)


@_typed(EstimateOptions)
def estimate(board: Values = None, dataset: Values = None, *, raw: bool = False, **options: Unpack[EstimateOptions]) -> Any:
    """The model estimate of a design, one row per board and data set; `raw` adds engines and stages."""
    answer = ask_json("estimate", board=board, dataset=dataset, **options)
    return answer if raw else _frame([_flat(one) for one in _several(answer)])


@_typed(WhatifOptions)
def whatif(board: Values = None, dataset: Values = None, **options: Unpack[WhatifOptions]) -> Any:
    return ask_json("whatif", board=board, dataset=dataset, **options)


def boards(*names: str) -> Any:
    """One row per board, with the resources that a kernel may use."""
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


@_typed(SweepOptions)
def knobs(**options: Unpack[SweepOptions]) -> Any:
    """The knobs of the search space, with their values."""
    return ask_json("sweep", describe=True, **options)


@_typed(TrainOptions)
def train(dataset: Values, output: Optional[PathLike] = None, **options: Unpack[TrainOptions]) -> Any:
    """Trains a model; `output` saves it. Returns accuracy, counts and seconds as the program reports them."""
    return ask_json("train", dataset=dataset, output=output, **options)


@_typed(InferOptions)
def infer(model: PathLike, dataset: Values, **options: Unpack[InferOptions]) -> Any:
    return ask_json("infer", model=model, dataset=dataset, **options)


def _table(path: PathLike) -> dict[str, np.ndarray]:
    """The columns of a CSV text with a header line."""
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


@_typed(InferOptions)
def predict(model: PathLike, dataset: Values, **options: Unpack[InferOptions]) -> dict[str, np.ndarray]:
    """Runs a model; returns arrays `graph` (or `node`, `row`), `label` and `predicted`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "predictions.csv")
        infer(model, dataset, predictions=path, **options)
        return _table(path)


@_typed(SimulateOptions)
def simulate(model: PathLike, dataset: Values, **options: Unpack[SimulateOptions]) -> Any:
    """Cycles of engines and stages: the program's JSON plus `cycles`, arrays with the cycles of each graph (node, row): "stage.encode",
    "engine.nee", "total"."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cycles.csv")
        answer = ask_json("simulate", model=model, dataset=dataset, cycles=path, **options)
        answer["cycles"] = _table(path)
    return answer


def load_model(path: PathLike) -> dict[str, Any]:
    """Reads the arrays of a model file, and its `meta` as an object."""
    with np.load(path, allow_pickle=False) as file:
        model: dict[str, Any] = {name: file[name] for name in file.files}
    model["meta"] = json.loads(str(model["meta"]))
    return model


@_typed(EmitOptions)
def emit(output: PathLike, board: Values = None, dataset: Values = None, **options: Unpack[EmitOptions]) -> list[Path]:
    """Writes a design's folder; returns its files."""
    options.setdefault("quiet", True)
    ask("emit", *_words({"board": board, "dataset": dataset, "output": output, **options}))
    return sorted(path for path in Path(output).rglob("*") if path.is_file())


class Picture:
    """A figure that notebooks display; `svg` is its text. `draw` writes it to a file."""

    def __init__(self, svg: str, draw: Callable[[PathLike], None]) -> None:
        self.svg = svg
        self._draw = draw

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        """Saves the figure as .svg, .pdf or .png, by the file's extension."""
        self._draw(path)


def _figure(picture: Picture, charts: Sequence[tuple[str, Callable[[Any], None]]], options: Mapping[str, Any]) -> Any:
    """A matplotlib figure with one subplot per chart, which also has a Picture's members; without matplotlib, the Picture itself. `options` give size, style,
    font and title."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return picture

    class PictureFigure(Figure):
        """The data drawn by matplotlib. `svg` and `save` give the program's own drawing, which notebooks display."""

        svg = picture.svg

        def _repr_svg_(self) -> str:
            return picture.svg

        def save(self, path: PathLike) -> None:
            picture.save(path)

    width, height = _inches(options)
    text = options.get("text") or {"paper": 7, "bw": 7, "slide": 20}.get(str(options.get("style")))
    with rc_context({name: value for name, value in (("font.family", options.get("font")), ("font.size", text)) if value}):
        figure = PictureFigure(figsize=(width, height * len(charts)), layout="constrained", dpi=options.get("dpi"))
        for place, (title, draw) in enumerate(charts):
            axes = figure.add_subplot(len(charts), 1, place + 1)
            axes.set_title(title if options.get("title") is None else options["title"] if place == 0 else "", fontsize="small")
            draw(axes)
    return figure


_PREFIXES = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "\u00b5": 1e-6, "u": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


class _Axis:
    """One axis of a chart: the size of its unit (from its values, or from a label that ends in a unit), its title, and whether it is logarithmic."""

    def __init__(self, key: str, values: Sequence[Any], label: Optional[str] = None, log: bool = False, metric: bool = False) -> None:
        numbers = [abs(value) for value in values if isinstance(value, (int, float)) and value]
        unit, share, most, least = unit_of(key), key in ("explained", "share"), max(numbers, default=1.0), min(numbers, default=1.0)
        self.words = any(isinstance(value, str) for value in values)
        spread = len(numbers) == len(values) and all(value > 0 for value in values if not isinstance(value, str)) and most > 3 * least
        self.share = share or (metric and not unit and most <= 1)  # a quality under its metric's name, or an error
        self.log = not self.words and (log or (spread and not self.share and key != "cycle"))
        self.unit, prefix, shows = unit, "", (least * most) ** 0.5 if self.log else most
        if unit in ("s", "J", "W"):
            prefix = max((one for one in _PREFIXES if one != "u" and _PREFIXES[one] <= min(1, 1.0001 * shows)), key=_PREFIXES.__getitem__, default="f")
        self.size, name = 0.01 if share else _PREFIXES[prefix], key[: -len(unit) - 1] if unit and key.endswith("_" + unit.lower()) else key
        shown = "%" if share else prefix + unit
        self.title = label or name.replace("_", " ") + (f" ({shown})" if shown else "")
        said = re.search(r"[(\[]([^()\[\]]+)[)\]]$", label or "")
        if said and (size := self.size_of(said[1])):
            self.size = size
        elif said and said[1] == "%":
            raise BadUsage(f"label {label}: {key} is not a share of a whole in these data")

    def size_of(self, text: str) -> Optional[float]:
        """The size of a unit on this axis, 1e-6 for "us" on an axis of seconds; None for a unit of another dimension."""
        if text == "%":
            return 0.01 if self.share else None
        return _PREFIXES.get(text[: -len(self.unit)]) if self.unit and text.endswith(self.unit) else 1.0 if not text else None

    def limits(self, text: str) -> list[Optional[float]]:
        """Converts the ends of "20us:100us" to this axis' unit."""
        ends: list[Optional[float]] = []
        for one in text.split(":"):
            read = re.fullmatch(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(.*?)\s*", one)
            size = self.size_of(read[2]) or 1.0 if read else 1.0
            ends.append(float(read[1]) * size / self.size if read else None)
        return ends

    def of(self, value: Any) -> Any:
        return value if isinstance(value, str) else value / self.size


_SIZES = {"paper": (85 / 25.4, 64 / 25.4), "bw": (85 / 25.4, 64 / 25.4), "slide": (960 / 72, 540 / 72)}
_INCHES = {"": 1 / 72, "pt": 1 / 72, "px": 1 / 72, "mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0}


def _inches(options: Mapping[str, Any]) -> tuple[float, float]:
    """The size of one chart: `size` (already checked by the program), else that of `style`, else a journal column."""
    read = re.fullmatch(r"([0-9.]+)x([0-9.]+)(\w*)", str(options.get("size") or ""))
    return (float(read[1]) * _INCHES[read[3]], float(read[2]) * _INCHES[read[3]]) if read else _SIZES.get(str(options.get("style")), (3.35, 2.4))


def _draw_series(rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any] = {}, first: bool = True) -> Callable[[Any], None]:
    """Draws the points of one chart by kind: stacked bars, spans, or marks with error bars, with one colour and shape per series."""
    def draw(axes: Any) -> None:
        rows_drawn = [row for row in rows if "y" in row and "x" in row]
        series = list(dict.fromkeys(row.get("series", "") for row in rows_drawn))
        bars = any(row["kind"] == "bars" for row in rows_drawn)
        x = _Axis(rows[0]["x_is"], [row["x"] for row in rows_drawn], options.get("xlabel"), bool(options.get("logx")))
        y = _Axis(rows[0]["y_is"], [row["y"] for row in rows_drawn], options.get("ylabel"), bool(options.get("logy")), metric=True)
        y.log = y.log and (not bars or bool(options.get("logy")))
        for place, name in enumerate(series):
            mine, look = [row for row in rows_drawn if row.get("series", "") == name], {"label": name or None}
            if options.get("style") == "bw":
                look["color"] = str(0.75 * place / len(series))
            xs, ys = [x.of(row["x"]) for row in mine], [y.of(row["y"]) for row in mine]
            if mine[0]["kind"] == "bars":
                feet = [y.of(row.get("low", 0.0)) for row in mine]
                axes.bar(xs, [top - foot for top, foot in zip(ys, feet)], bottom=feet, **look)
            elif mine[0]["kind"] == "spans":
                left = [x.of(row["low"]) for row in mine]
                axes.barh(ys, [x.of(row["high"]) - begin for row, begin in zip(mine, left)], left=left, **look)
            else:
                errors = {f"{axis}err": [[abs(of(row[of_key]) - of(row.get(end, row[of_key]))) for row in mine] for end in ends]
                          for axis, of, of_key, ends in (("x", x.of, "x", ("x_low", "x_high")), ("y", y.of, "y", ("low", "high")))
                          if any(ends[0] in row for row in mine)}
                axes.errorbar(xs, ys, fmt="osD^v<>"[place % 7] + ("-" if mine[0]["kind"] == "line" else ""), markersize=3, **errors, **look)
        axes.set_xlabel(x.title)
        axes.set_ylabel(y.title)
        axes.set_xscale("log") if x.log else x.words and axes.tick_params(axis="x", rotation=45)
        if y.log:
            axes.set_yscale("log")
        if y.words:
            axes.invert_yaxis()
        if first and options.get("xlim"):
            axes.set_xlim(x.limits(options["xlim"]))
        if first and options.get("ylim"):
            axes.set_ylim(y.limits(options["ylim"]))
        if len(series) > 1:
            _legend(axes, options)
    return draw


def _legend(axes: Any, options: Mapping[str, Any]) -> None:
    place = {"outside": {"loc": "upper left", "bbox_to_anchor": (1, 1)}, "above": {"loc": "lower left", "bbox_to_anchor": (0, 1.1)}, "none": None}
    where = place.get(str(options.get("legend")), {})
    if where is not None:
        axes.legend(fontsize="x-small", **where)


def _draw_roofs(one: Mapping[str, Any], options: Mapping[str, Any]) -> Callable[[Any], None]:
    def draw(axes: Any) -> None:
        points = [point for point in one["points"] if point["intensity"] and point["operations_per_s"]]
        peaks = [roof["operations_per_s"] for roof in one["roofs"] if "operations_per_s" in roof]
        widths = [roof["bytes_per_s"] for roof in one["roofs"] if "bytes_per_s" in roof]
        low, high = min([point["intensity"] for point in points] + [0.1]) / 2, 4 * max([point["intensity"] for point in points] + [max(peaks) / min(widths)])
        x = np.geomspace(low, high, 200)
        for width in widths:
            axes.loglog(x, np.minimum(width * x, max(peaks)), color="0.5", linewidth=0.8)
        for place, point in enumerate(points):
            axes.loglog(point["intensity"], point["operations_per_s"], "osD^v<>"[place % 7], markersize=4, label=point["name"])
        axes.set_xlabel(options.get("xlabel") or "operational intensity (op/byte)")
        axes.set_ylabel(options.get("ylabel") or "performance (op/s)")
        _legend(axes, options)
    return draw


def _picture(command: str, options: Mapping[str, Values], *operands: str) -> Picture:
    def draw(path: PathLike) -> None:
        if Path(path).suffix.lower() not in (".svg", ".pdf", ".png"):
            raise BadUsage(f"{path}: must end in .svg, .pdf or .png")
        ask(command, *_words({"quiet": True, **options, "output": path}), "--", *operands)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        draw(path)
        return Picture(Path(path).read_text(encoding="utf-8"), draw)


_DRAWING = ("size", "dpi", "font", "text", "data", "legend", "xlabel", "ylabel", "title", "logx", "logy", "xlim", "ylim", "style")


def _data(command: str, options: Mapping[str, Any], *operands: str) -> Any:
    """The data of a picture."""
    return ask_json(command, *operands, **{name: value for name, value in options.items() if name not in _DRAWING})


@_typed(RooflineOptions)
def roofline(board: Values = None, dataset: Values = None, **options: Unpack[RooflineOptions]) -> Any:
    """Rooflines of boards with a design's engines: a matplotlib figure, or a Picture without matplotlib. Notebooks display it."""
    named = {"board": board, "dataset": dataset, **options}
    picture = _picture("roofline", named)
    limits = [name for name in ("xlim", "ylim") if named.get(name)]
    if limits:
        raise BadUsage(f"{limits[0]}=: a roofline does not take it; use set_{limits[0]} of its axes")
    return _figure(picture, [(one["title"], _draw_roofs(one, named)) for one in _data("roofline", named)["results"]], named)


@_typed(ReportOptions)
def report(study: PathLike, output: PathLike, **options: Unpack[ReportOptions]) -> Path:
    """Writes the page of a study; with a figure's file extension, its fronts."""
    ask("report", *_words({"quiet": True, **options, "study": study, "output": output}))
    return Path(output)


@_typed(CalibrateOptions)
def calibrate(folder: PathLike, **options: Unpack[CalibrateOptions]) -> Any:
    """Fits cost factors to the synthesis reports below an emitted folder; `apply=True` saves them beside the board."""
    return ask_json("calibrate", from_=folder, **options)


@_typed(PlotOptions)
def plot(what: str, **options: Unpack[PlotOptions]) -> Any:
    """`nysx-dse plot`: plot("front", study="s.db", by="landmarks"): a matplotlib figure, or a Picture without matplotlib."""
    picture, rows = _picture("plot", options, what), _data("plot", options, what)["results"]
    charts = dict.fromkeys(row["chart"] for row in rows)
    return _figure(picture, [(chart, _draw_series([row for row in rows if row["chart"] == chart], options, place == 0)) for place, chart in enumerate(charts)],
                   options)
