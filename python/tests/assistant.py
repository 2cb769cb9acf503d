"""usage: assistant.py LIBRARY: nysx.mcp through the protocol. A client of the SDK starts the server, lists its tools, calls each, and provokes errors.
Skipped without the SDK (exit code 77)."""
import asyncio
import json
import os
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
aids = Path(os.environ.get("NYSX_AIDS", root / ".aids")) / "bin/python"
try:
    from mcp import Client, StdioServerParameters
except ImportError:
    if aids.exists() and Path(sys.executable) != aids:
        os.execv(aids, [str(aids), *sys.argv])
    print("SKIPPED: no MCP SDK (script/aids explorers)")
    sys.exit(77)
os.environ.update(NYSX_DSE_LIBRARY=str(Path(sys.argv[1]).resolve()), PYTHONPATH=str(root / "python"), PYTHONDONTWRITEBYTECODE="1")
sys.path.insert(0, str(root / "python"))
import nysx

systolic = str(root / "examples/accelerators/systolic.yaml")


def content(result):
    assert not result.is_error, result
    return result.structured_content if result.structured_content is not None else json.loads(result.content[0].text)


async def main():
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "nysx.mcp"], env=dict(os.environ))
    async with Client(parameters) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"describe", "sweep", "optimize", "estimate", "whatif", "explain"}, set(tools)
        assert all(tool.description for tool in tools.values()) and tools["whatif"].input_schema["required"] == ["set"]

        async def call(name, **arguments):
            return content(await client.call_tool(name, arguments))

        assert "MUTAG" in (await call("describe"))["datasets"]
        space = await call("describe", dataset="MUTAG", where="latency<=0.1ms")
        assert space["size"] > 1e9 and any(knob["name"] == "nee.lanes" for knob in space["knobs"])
        best = await call("optimize", dataset="MUTAG", minimize="latency", where="dsp<=20%")
        assert best["total"]["latency_s"] == nysx.optimize(dataset="MUTAG", minimize="latency", where="dsp<=20%")["total"]["latency_s"]
        front = await call("sweep", dataset="MUTAG", objectives="latency,energy", where="dsp<=20%", designs=3)
        assert front["front"][0]["total"]["latency_s"] == best["total"]["latency_s"] and len(front["front"]) == min(3, front["front_size"])
        one = await call("estimate", dataset="MUTAG", set={"nee.lanes": 32})
        assert one["config"]["nee.lanes"] == 32 and one["fits"]
        change = await call("whatif", dataset="MUTAG", set={"nee.lanes": 64})
        assert change["changed"]["config"]["nee.lanes"] == 64
        assert "steps" in json.dumps(await call("explain", family=systolic))
        for name, arguments, words in (("estimate", {"dataset": "MUTAG", "set": {"nee.lane": 3}}, "did you mean nee.lanes"), ("sweep", {"dataset": "MUTAG", "where": "latency<=1ns"}, "nothing is feasible"),
                                       ("describe", {"dataset": "MUTAGG"}, "MUTAG")):
            result = await client.call_tool(name, arguments)
            assert result.is_error and words in result.content[0].text, (name, result)
        assert (await call("estimate", dataset="MUTAG", set={"nee.lanes": 32}))["total"] == one["total"]


asyncio.run(main())
print("6 tools answer through the protocol")
