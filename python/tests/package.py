"""Tests the package: answers equal the program's, every exit code raises its exception, notebooks run."""
import inspect
import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

import nysx
import nysx.data
from nysx import errors

here = Path(__file__).resolve().parent
root = here.parents[1]


def raises(error, words, call):
    try:
        call()
    except error as why:
        assert re.search(words, str(why)), (words, str(why))
        return why
    raise AssertionError(f"no {error.__name__}: {words}")


# Package, library and CMakeLists.txt have the same version.
assert nysx.version() == nysx.__version__, (nysx.version(), nysx.__version__)
assert f"VERSION {nysx.__version__} " in (root / "CMakeLists.txt").read_text()

# The split of scikit-learn 1.x, train_test_split(range(10), test_size=0.2, random_state=42).
assert nysx.data.sklearn_split(10).tolist() == nysx.data.sklearn_split(10, test_size=2).tolist() == [1, 8]
assert len(nysx.data.sklearn_split(188, test_size=38)) == len(nysx.data.sklearn_split(188, test_size=0.2)) == 38
for size in (0, 1.0, 1.5, 188, 0.999, True, "38"):
    try:
        raise AssertionError((size, nysx.data.sklearn_split(188, test_size=size)))
    except ValueError as error:
        assert str(error).startswith(f"test_size={size!r}: "), error

# Functions give the answers of the equivalent command lines.
estimate = nysx.estimate(board="zcu104", dataset="MUTAG", set={"nee.lanes": 32}, raw=True)
assert estimate["config"]["nee.lanes"] == 32 and estimate["total"]["latency_s"] > 0
assert json.loads(nysx.ask("estimate", "--board=zcu104", "--dataset=MUTAG", "--set=nee.lanes=32", "--format=json")) == estimate
both = nysx.estimate(board=["zcu104", "kv260"], dataset=["MUTAG", "NCI1"])
assert len(both) == 4
assert nysx.estimate(dataset="MUTAG", set={"nee.form": "direct", "codes": "wl", "hops": 4, "width": 1, "nee.center": np.True_}, raw=True)["config"]["nee.center"] == "yes"
assert nysx.estimate(dataset=np.array(["MUTAG"]), set={"nee.lanes": np.int64(32)}, board="zcu104", raw=True) == estimate

# One design for several data sets: one row per design, with metrics and each data set's quality.
joint = nysx.sweep(dataset=["MUTAG", "NCI1"], combine="worst", fix={"nee.form": "direct", "clock_mhz": 200})
joint = joint.to_dict("records") if hasattr(joint, "to_dict") else joint
assert joint and all(row["dataset"] == "MUTAG,NCI1" and row["latency_s"] == max(row["MUTAG_latency_s"], row["NCI1_latency_s"]) for row in joint)
assert all(row["quality"] == min(row["MUTAG_quality"], row["NCI1_quality"]) and row["NCI1_quality_n"] == 10 for row in joint)
assert sorted(row["rank"] for row in joint) == list(range(1, len(joint) + 1))
front = nysx.sweep(dataset="MUTAG", fix={"nee.form": "factored", "landmarks": 32}, where=["lut<=50%", "latency<=0.5ms"], study="s.db")
rows = front.to_dict("records") if hasattr(front, "to_dict") else front
assert rows and all(row["latency_s"] <= 5e-4 for row in rows)
study = nysx.Study("s.db")
assert repr(study) == f"Study('s.db': MUTAG on zcu104, front of {len(rows)} designs)", repr(study)
assert list(study["accuracy"]) == list(study["quality"])
assert len(study) == len(rows) and sorted(study["latency_s"]) == sorted(row["latency_s"] for row in rows)
# A described accelerator as a file, a text and a dictionary gives the same answers; errors name their place.
first = root / "examples/accelerators/first.yaml"
of_file, of_text = nysx.Accelerator(first), nysx.Accelerator(first.read_text())
asked = {"set": {"lanes": 16}, "workload": {"rows": 64, "columns": 100}, "raw": True}
assert of_file.estimate(**asked)["total"] == of_text.estimate(**asked)["total"]
described = {"accelerator": 1, "name": "adder", "board": "zcu104", "workload": {"n": {"default": 1000}},
             "knobs": {"lanes": {"oneof": [1, 2, 4]}, "clock_mhz": {"oneof": [100, 200]}}, "stages": ["add"],
             "blocks": {"lanes": {"parts": [{"operator": {"op": "add", "type": "int32", "times": "lanes"}}, {"loop": {"trips": "ceildiv(n, lanes)"}}, {"datapath": None}]}}}
adder = nysx.Accelerator(described)
assert nysx.estimate(family=adder, raw=True) == nysx.estimate(family=described, raw=True)
assert len(nysx.sweep(family=described)) == len(adder.sweep())
assert nysx.optimize(family=described, minimize="latency")["config"] == adder.optimize(minimize="latency")["config"]
assert adder.check()["space_size"] == 6
best = adder.optimize(minimize="latency", study="adder.db")
assert best["config"]["lanes"] == 4 and abs(best["total"]["latency_s"] - 250 / 200e6) < 1e-12
del adder
assert nysx.estimate(from_="adder.db:best", raw=True)["config"]["lanes"] == 4
described["blocks"]["lanes"]["parts"][0]["operator"]["op"] = "adds"
raises(errors.BadInput, r"^adder\['blocks'\]\['lanes'\]\['parts'\]\[0\]\['operator'\]\['op'\]: adds: unknown op; did you mean add", lambda: nysx.Accelerator(described).check())
assert any("steps" in str(one) for one in (lambda rows: rows.to_dict("records") if hasattr(rows, "to_dict") else rows)(of_file.explain()))

# An open search space: designs as arrays of choices and by names, one by one and in a batch; errors leave it open.
with nysx.Evaluator(dataset="MUTAG", objectives="latency,energy", where="latency<=0.1ms") as space:
    assert repr(space) == f"Evaluator({space.size} designs, {len(space.variables)} knobs, objectives latency_s, energy_j)", repr(space)
    designs = space.draw(5000, seed=1)
    judged = space.evaluate(designs)
    assert judged.values.shape == (5000, 2) and 0 < judged.feasible.mean() < 1
    assert (judged.values[judged.feasible, 0] <= 1e-4).all() and np.isinf(judged.costs[~judged.feasible]).all()
    for row, values, violation in zip(designs[:50], judged.values, judged.violations):
        assert np.array_equal(space.evaluate(row).values[0], values, equal_nan=True)
        named = space.judge([space.config(row)])[0]
        assert named["feasible"] == (violation == 0) and list(named.get("metrics", {}).values()) == values[np.isfinite(values)].tolist(), (named, values)
    row = designs[judged.feasible][0]
    found = nysx.estimate(dataset="MUTAG", set=space.config(row), raw=True)
    assert found["total"]["latency_s"] == space.evaluate(row).values[0, 0], found["total"]
    best = nysx.optimize(dataset="MUTAG", minimize="latency", where="latency<=0.1ms")["total"]["latency_s"]
    assert space.bounds()["latency_s"] <= best <= judged.values[judged.feasible, 0].min()
    raises(errors.BadUsage, "n x", lambda: space.evaluate([[1, 2]]))
    raises(errors.BadUsage, "whole numbers", lambda: space.evaluate(designs[:1] * 0.5))
    raises(errors.BadUsage, "whole numbers", lambda: space.evaluate(designs[:1] + 1000))
    raises(errors.BadUsage, "did you mean nee.lanes", lambda: space.judge([{"nee.lane": 4}]))
    assert np.array_equal(space.evaluate(designs[:10]).values, judged.values[:10], equal_nan=True)
    many = space.draw(100000, seed=2)
    times = [time.process_time()]
    for asked in ([many], many[:2000]):
        for rows in asked:
            space.evaluate(rows)
        times.append(time.process_time())
    assert 3 * (times[1] - times[0]) / 100000 < (times[2] - times[1]) / 2000, ("a batch takes less than a third of single calls per design", times)
raises(errors.BadUsage, "closed", lambda: space.evaluate(designs))
raises(errors.BadUsage, "did you mean objectives", lambda: nysx.Evaluator(dataset="MUTAG", objectivs="latency"))
raises(errors.AnswerIsNo, "feasible", lambda: nysx.Evaluator(dataset="MUTAG", where="latency<=1ns && latency>=2ns"))

# Keywords have types for help() and notebooks; graphs have a short form; DataFrames have units.
shown = inspect.signature(nysx.sweep).parameters
assert shown["where"].annotation == "Union[Word, Sequence[Word]]" and shown["fix"].annotation == "Settings" and shown["seeds"].annotation == "int", shown
assert "landmarks" in inspect.signature(nysx.train).parameters and "options" not in shown
graphs = nysx.data.Graphs("two", [0, 2, 3], [[0, 1], [1, 0]], [0, 1], node_labels=np.array([4, 5, 4]))
assert repr(graphs) == "Graphs('two': 2 graphs, 2 classes, 3 nodes, 2 arcs, 2 node labels)", repr(graphs)
molecules = [({"edge_index": np.array([[0, 1], [1, 0]]), "node_feat": np.array([[6, 0], [7, 1]]), "num_nodes": 2}, np.array([1])),
             ({"edge_index": np.zeros((2, 0), int), "node_feat": np.array([[8, 0]]), "num_nodes": 1}, np.array([0]))]
of_ogb = nysx.data.Graphs.from_ogb(molecules)
assert of_ogb.node_labels.tolist() == [6, 7, 8] and of_ogb.ptr.tolist() == [0, 2, 3] and of_ogb.y.tolist() == [1, 0]
if hasattr(front, "attrs"):
    assert front.attrs["units"]["latency_s"] == "s" and front.attrs["units"]["energy_j_low"] == "J" and "lut" not in front.attrs["units"], front.attrs
    assert nysx.commands.unit_of("throughput_hz") == "1/s" and nysx.commands.unit_of("bram18") == ""
try:
    import matplotlib.figure
except ImportError:
    print("no matplotlib here: pictures are the program's", file=sys.stderr)
else:
    figure = nysx.plot("engines", dataset="MUTAG")
    assert isinstance(figure, matplotlib.figure.Figure) and figure.axes[0].get_xlabel() and figure._repr_svg_() == figure.svg
    assert all(axes.patches for axes in figure.axes), "bars"
    for name, more in (("waterfall", {"from_": "s.db:best"}), ("importance", {"study": "s.db"})):
        assert nysx.plot(name, **more, style="bw", title="T").axes[0].get_title() == "T"
    drawn = nysx.plot("front", study="s.db", style="slide", legend="outside", text=9)
    assert tuple(drawn.get_size_inches()) == (960 / 72, 540 / 72), drawn.get_size_inches()
    drawn = nysx.plot("front", study="s.db")
    assert sum(len(line.get_xdata()) for line in drawn.axes[0].lines) >= len(rows) and "s)" in drawn.axes[0].get_xlabel(), drawn.axes[0].get_xlabel()
    drawn.savefig("front.pdf")
    roofs = nysx.roofline(dataset="MUTAG")
    assert "op/byte" in roofs.axes[0].get_xlabel() and len(roofs.axes[0].lines) > 2



class Axes:
    """Records drawing calls, as a stand-in for matplotlib."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *values, **more: self.calls.append((name, values, more))

    def all(self, name):
        return [(values, more) for called, values, more in self.calls if called == name]


def draw(what, **options):
    rows = nysx.commands._data("plot", options, what)["results"]
    axes, chart = Axes(), [row for row in rows if row["chart"] == rows[0]["chart"]]
    nysx.commands._draw_series(chart, options)(axes)
    return axes, chart


axes, bars = draw("engines", dataset="MUTAG")
for (names, heights), more in axes.all("bar"):
    for name, height, foot in zip(names, heights, more["bottom"]):
        row = next(row for row in bars if (row["x"], row.get("series")) == (name, more["label"]))
        assert (height, foot) == (row["y"] - row["low"], row["low"]), (height, foot, row)
assert len(axes.all("bar")) > 1 and any(foot > 0 for _, more in axes.all("bar") for foot in more["bottom"]), "bars upon others"
for what in (lambda: draw("waterfall", from_="s.db:best"), lambda: draw("importance", study="s.db")):
    axes, spans = what()
    widths = [width for (_, many), _ in axes.all("barh") for width in many]
    assert len(widths) == len(spans) > 2 and min(widths) > -1e9, axes.calls
axes, spans = draw("importance", study="s.db")
assert np.isclose(axes.all("barh")[0][0][1][0], 100 * spans[0]["high"]) and "(%)" in axes.all("set_xlabel")[0][0][0], axes.calls
axes, points = draw("front", study="s.db")
assert ("log",) in [values for values, _ in axes.all("set_xscale")] and "latency (\u00b5s)" == axes.all("set_xlabel")[0][0][0], axes.calls
assert abs(axes.all("errorbar")[0][0][0][0] - 1e6 * points[0]["x"]) < 1e-9, axes.all("errorbar")[0][0]
axes, points = draw("front", study="s.db", xlabel="Time (ns)", xlim="100ns:1us", legend="none")
assert axes.all("set_xlabel")[0][0] == ("Time (ns)",) and np.allclose(axes.all("set_xlim")[0][0][0], [100, 1000]) and abs(axes.all("errorbar")[0][0][0][0] - 1e9 * points[0]["x"]) < 1e-6
axes, points = draw("quality", dataset="MUTAG", x="landmarks", ylabel="Accuracy (%)", logx=True)
assert ("log",) in [values for values, _ in axes.all("set_xscale")] and np.isclose(axes.all("errorbar")[0][0][1][0], 100 * points[0]["y"]), axes.calls

picture = nysx.plot("quality", x="landmarks", by="precision", dataset="MUTAG")
picture.save("picture.png")
picture.save("picture.svg")
assert Path("picture.png").read_bytes()[1:4] == b"PNG" and Path("picture.svg").read_text() == picture.svg
raises(nysx.BadUsage, "picture.gif", lambda: picture.save("picture.gif"))
raises(KeyError, "latencyy", lambda: study["latencyy"])
assert len(nysx.boards()) > 20 and any("MUTAG" in entry.values() for entry in nysx.datasets())

# Every exit code raises an exception with the program's message, which also derives from a Python exception.
assert sorted(errors.BY_CODE) == [1, 2, 3, 4]
raises(nysx.BadUsage, "no such knob", lambda: nysx.estimate(dataset="MUTAG", set={"nee.lanse": 3}))
raises(ValueError, "no such option", lambda: nysx.estimate(dataset="MUTAG", sett=3))
Path("bad.npz").write_text("no")
raises(nysx.BadInput, "bad.npz", lambda: nysx.train("./bad.npz"))
raises(nysx.AnswerIsNo, "nothing is feasible on zcu104 with MUTAG: bram18 <= 1; nearest miss: .* times", lambda: nysx.sweep(dataset="MUTAG", where="bram18<=1"))
raises(nysx.AnswerIsNo, "nothing is feasible on zcu104 with ENZYMES: nee.ports narrowed", lambda: nysx.optimize(dataset="ENZYMES", minimize="latency", flow="rtl", fix={"nee.form": "streamed", "nee.ports": 2, "clock_mhz": 200, "units": 1, "lshu.pe": 4}))
raises(nysx.BadUsage, "nysx.ask", lambda: nysx.sweep(help=True))
raises(nysx.BadUsage, "nysx.knobs", lambda: nysx.sweep(describe=True))
raises(OSError, "", lambda: nysx.ask("estimate", "--dataset", "MUTAG", "-o", "/proc/none"))

raises(nysx.BadInput, "no such study|none.db", lambda: nysx.Study("none.db"))
raises(nysx.BadUsage, "NUL", lambda: nysx.estimate(dataset="MUTAG\0x"))
raises(TypeError, "bytes", lambda: nysx.estimate(dataset=b"MUTAG"))
raises(TypeError, "str", lambda: nysx.ask(3))
raises(nysx.BadUsage, "format=", lambda: nysx.estimate(dataset="MUTAG", format="csv"))
raises(nysx.BadUsage, "output=", lambda: nysx.estimate(dataset="MUTAG", output="x.json"))
pair = nysx.sweep(dataset="MUTAG", fix={"nee.form": "factored", "landmarks": 32}, objectives=["latency", "lut"], raw=True)
assert pair["objectives"] == ["latency", "lut"], pair["objectives"]

# Another thread interrupts a call, which ends orderly.
timer = threading.Timer(1.0, nysx.cancel)
timer.start()
began = time.monotonic()
raises(nysx.Limit, "interrupted", lambda: nysx.sweep(dataset="MUTAG", method="exhaustive", fix={"clock_mhz": 250, "nee.form": "factored"}))
assert time.monotonic() - began < 60
assert nysx.estimate(dataset="MUTAG", raw=True)["fits"]  # the next call is not interrupted

# Models and simulations.
subprocess.run([sys.executable, "-c", "import nysx; nysx.ask('datasets', 'generate', 'TOY', '--graphs', '40', '-q')"], check=True)
trained = nysx.train("TOY/", output="m.npz", landmarks=8)
found = nysx.predict("m.npz", "TOY/")
assert abs(np.mean(found["label"] == found["predicted"]) - trained["accuracy"]) < 1e-12
axes, spans = draw("timeline", model="m.npz", dataset="TOY/")
assert sum(len(many) for (_, many), _ in axes.all("barh")) == len(spans) > 5 and axes.all("invert_yaxis"), axes.calls
simulated = nysx.simulate("m.npz", "TOY/", set={"lshu.pe": 8})
assert {engine["name"] for engine in simulated["engines"]} >= {"lshu", "nee", "sce"}
assert {stage for stage in simulated["cycles"] if stage.startswith("stage.")} == {"stage." + stage["name"] for stage in simulated["stages"]}
for engine in simulated["engines"]:
    each = simulated["cycles"]["engine." + engine["name"]]
    assert each.dtype == np.int64 and abs(each.mean() - engine["cycles_mean"]) < 1e-9 and each.max() == engine["cycles_max"]
assert len(simulated["cycles"]["total"]) == simulated["graphs"] == len(found["label"])
assert nysx.load_model("m.npz")["prototypes"].ndim == 2
assert nysx.plot("engines", dataset="MUTAG")._repr_svg_().startswith("<?xml")

assert nysx.roofline(dataset="MUTAG").svg.startswith("<?xml") and nysx.report("s.db", "s.html").stat().st_size > 100000
nysx.emit("build", dataset="MUTAG", preset="paper")
raises(nysx.BadInput, "no synthesis report", lambda: nysx.calibrate("build"))

# Runs every code cell of the notebooks in order; by Jupyter if it is installed.
for notebook in sorted((root / "python/notebooks").glob("*.ipynb")):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells), f"{notebook.name} holds outputs"
    space = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name}[{number}]", "exec"), space)
    print(f"{notebook.name}: {sum(cell['cell_type'] == 'code' for cell in cells)} cells")
try:
    import ipykernel
    import nbclient
    import nbformat
except ImportError:
    print("the notebooks were run as scripts: no nbclient and ipykernel here", file=sys.stderr)
else:
    os.mkdir("jupyter")
    os.chdir("jupyter")
    for notebook in sorted((root / "python/notebooks").glob("*.ipynb")):
        nbclient.NotebookClient(nbformat.read(notebook, as_version=4), timeout=300, resources={"metadata": {"path": os.getcwd()}}).execute()
        print(f"{notebook.name}: by Jupyter")
