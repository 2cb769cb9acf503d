"""Design-space exploration of hyperdimensional and graph accelerators on FPGAs: the program nysx-dse from Python.

    import nysx
    front = nysx.sweep(board="zcu104", dataset="MUTAG")   # a DataFrame, or a list of dicts without pandas
    nysx.plot("quality", dataset="MUTAG", preset="literal", x="landmarks")  # an SVG that notebooks show

Keywords are the program's options; an error of the program is an exception with its message.
"""
from ._library import ask, cancel, version
from ._version import VERSION as __version__
from .accelerator import Accelerator
from .commands import (ask_json, boards, calibrate, corners, datasets, emit, estimate, infer, knobs, load_model, optimize, plot, predict, report,
                       roofline, simulate, sweep, train, whatif)
from .data import Graphs
from .errors import AnswerIsNo, BadInput, BadUsage, LibraryMissing, Limit, NysxError
from .evaluator import Evaluator, Judged, Variable
from .study import Study

__all__ = ["Accelerator", "AnswerIsNo", "BadInput", "BadUsage", "Evaluator", "Graphs", "Judged", "LibraryMissing", "Limit", "NysxError", "Study", "Variable", "__version__", "ask",
           "ask_json", "boards", "calibrate", "cancel", "corners", "datasets", "emit", "estimate", "infer", "knobs", "load_model", "optimize", "plot",
           "predict", "report", "roofline", "simulate", "sweep", "train", "version", "whatif"]
