"""User-defined accelerators: a description file as an object."""
from __future__ import annotations

import json
import os
import tempfile
import weakref
from pathlib import Path
from typing import Any, Mapping, Union

from . import commands, errors

__all__ = ["Accelerator"]


def _keys(value: Any, at: str = "") -> list[str]:
    """For each line of a dictionary's JSON (indent=1), its place in the dictionary: "['blocks']['add']['parts'][0]"."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    lines = [line for key, one in inner for line in _keys(one, f"{at}[{key!r}]")]
    return [at, *lines, at] if lines else [at]


def _filled(value: Any) -> Any:
    """Converts an empty YAML value, such as that of `datapath:`, to an empty dictionary."""
    if isinstance(value, Mapping):
        return {key: _filled(one) for key, one in value.items()}
    return [_filled(one) for one in value] if isinstance(value, (list, tuple)) else {} if value is None else value


class Accelerator:
    """An accelerator described by a file, a YAML text or a dictionary with the same keys (docs/reference/described.md). `family=` of every function takes it.
    A text or dictionary gets a temporary file, which exists as long as the object; a study stores the text."""

    def __init__(self, source: Union[str, "os.PathLike[str]", Mapping[str, Any]]) -> None:
        is_text = isinstance(source, str) and "\n" in source
        if isinstance(source, Mapping):
            name = str(source.get("name", "accelerator"))
            text = json.dumps(_filled(source), indent=1, ensure_ascii=False, default=commands._plain)  # JSON is YAML
        elif is_text:
            name, text = "accelerator", str(source)
        else:
            self.path = Path(os.fspath(source))
            return
        self._folder = tempfile.TemporaryDirectory(prefix="nysx-")
        self.path = Path(self._folder.name) / ("".join(c if c.isalnum() else "_" for c in name) + ".yaml")
        self.path.write_text(text, encoding="utf-8")
        keys = ["", *_keys(json.loads(text))] if isinstance(source, Mapping) else None
        errors.places[str(self.path)] = lambda line: name + (keys[line] if keys else f":{line}" if line else "")
        weakref.finalize(self, errors.places.pop, str(self.path), None)

    def __fspath__(self) -> str:
        return str(self.path)

    __str__ = __fspath__

    def __repr__(self) -> str:
        return f"Accelerator({str(self.path)!r})"

    def check(self) -> dict[str, Any]:
        """Returns its space, tables and warnings; BadInput names line and column of an error."""
        return commands.ask_json("family", "check", str(self))

    def explain(self, **options: Any) -> Any:
        """Derivation of a design's figures, one row per line: formulas with their numbers, loops, cost entries, sums, metrics."""
        return commands._frame(commands.ask_json("family", "explain", str(self), **options)["lines"])

    def sweep(self, **options: Any) -> Any:
        return commands.sweep(family=self, **options)

    def optimize(self, **options: Any) -> Any:
        return commands.optimize(family=self, **options)

    def estimate(self, **options: Any) -> Any:
        return commands.estimate(family=self, **options)

    def whatif(self, **options: Any) -> Any:
        return commands.whatif(family=self, **options)

    def emit(self, output: Union[str, Path], **options: Any) -> list[Path]:
        return commands.emit(output, family=self, **options)
