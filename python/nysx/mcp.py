"""An MCP server of the design-space explorer for assistants: `python -m nysx.mcp` speaks the Model Context Protocol on standard input and output.
It needs the official SDK (`pip install nysx-dse[mcp]`)."""
from __future__ import annotations

from typing import Any, Optional

from .commands import ask_json
from .errors import NysxError
from .evaluator import Evaluator

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as why:
    raise SystemExit(f"nysx.mcp: needs the MCP SDK, version 2 or later (pip install 'mcp>=2'): {why}")

Knobs = Optional[dict[str, Any]]
server = MCPServer("nysx-dse", instructions="Explores the designs of FPGA accelerators with analytical models. Begin with describe; sweep gives the proven Pareto front, optimize "
                   "one proven optimum, estimate one design, whatif a change, explain the derivation of a figure. Times are seconds, energies joules.")


def _asked(command: str, *operands: str, **options: Any) -> dict[str, Any]:
    try:
        return ask_json(command, *operands, **options)
    except NysxError as why:
        raise ToolError(str(why)) from None


@server.tool()
def describe(dataset: Optional[str] = None, family: Optional[str] = None, board: Optional[str] = None, where: Optional[str] = None) -> dict[str, Any]:
    """The search space of a data set or described accelerator: knobs with their values, objectives, limits, number of designs. Without either: the
    shipped data sets and boards."""
    if dataset is None and family is None:
        return {"datasets": [one["name"] for one in _asked("datasets", "list")["results"]], "boards": [one["name"] for one in _asked("boards", "list")["results"]]}
    try:
        with Evaluator(board=board, dataset=dataset, family=family, where=where) as space:
            return space.describe()
    except NysxError as why:
        raise ToolError(str(why)) from None


@server.tool()
def sweep(dataset: Optional[str] = None, family: Optional[str] = None, board: Optional[str] = None, objectives: str = "latency,energy,error", where: Optional[str] = None,
          fix: Knobs = None, designs: int = 10) -> dict[str, Any]:
    """The proven Pareto front: objectives as "latency,energy,lut", limits as "latency<=0.5ms && dsp<=20%".

    Returns its first `designs` designs by the first objective, and its corners."""
    answer = _asked("sweep", dataset=dataset, family=family, board=board, objectives=objectives, where=where, fix=fix, compact=True)["results"][0]
    return {"space_size": answer["space_size"], "evaluated": answer["evaluated"], "front_size": len(answer["front"]), "front": answer["front"][:max(0, designs)],
            "corners": answer.get("corners", {})}


@server.tool()
def optimize(minimize: str = "latency", dataset: Optional[str] = None, family: Optional[str] = None, board: Optional[str] = None, where: Optional[str] = None,
             fix: Knobs = None) -> dict[str, Any]:
    """The design with the proven least value of a metric (latency, energy, bram18 …) within limits, or the reason why there is none."""
    return _asked("optimize", dataset=dataset, family=family, board=board, minimize=minimize, where=where, fix=fix, compact=True)["results"][0]


@server.tool()
def estimate(dataset: Optional[str] = None, family: Optional[str] = None, board: Optional[str] = None, set: Knobs = None) -> dict[str, Any]:
    """Latency, energy, resources and bottleneck of one design; `set` gives knobs by name; all others keep their defaults."""
    return _asked("estimate", dataset=dataset, family=family, board=board, set=set)["results"][0]


@server.tool()
def whatif(set: dict[str, Any], dataset: Optional[str] = None, family: Optional[str] = None, board: Optional[str] = None) -> dict[str, Any]:
    """Effect of a change of knobs on the default design: baseline, changed design, ratios, sensitivities."""
    return _asked("whatif", dataset=dataset, family=family, board=board, set=set)["results"][0]


@server.tool()
def explain(family: str, dataset: Optional[str] = None, board: Optional[str] = None, set: Knobs = None) -> dict[str, Any]:
    """Derivation of a design's figures: formulas with their numbers, loops, cost entries and sums. `family` is a name or a description file."""
    return _asked("family", "explain", family, dataset=dataset, board=board, set=set)


if __name__ == "__main__":
    server.run("stdio")
