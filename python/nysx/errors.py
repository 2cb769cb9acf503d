"""One exception per exit code of the program, with its message. Each also derives from a Python exception: ValueError for wrong words and
bad files, OSError for system limits."""
from __future__ import annotations

import re
from typing import Callable

__all__ = ["NysxError", "AnswerIsNo", "BadUsage", "BadInput", "Limit", "LibraryMissing"]


class NysxError(Exception):
    """An error of the program; `code` is its exit code, `output` its standard output so far."""

    code = 0

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class AnswerIsNo(NysxError):
    """The answer is no: nothing is feasible, a threshold is missed, or a design does not fit."""

    code = 1


class BadUsage(NysxError, ValueError):
    """Unknown or out-of-domain words."""

    code = 2


class BadInput(NysxError, ValueError):
    """A file that is missing, malformed or damaged; the message names file and line."""

    code = 3


class Limit(NysxError, OSError):
    """Memory, disk, or an interruption."""

    code = 4


class LibraryMissing(NysxError, ImportError):
    """libnysxdse_ask was not found."""


places: dict[str, Callable[[int], str]] = {}  # by path of a temporary file: names of its lines (0: the file)
BY_CODE = {error.code: error for error in (AnswerIsNo, BadUsage, BadInput, Limit)}


def error_of(code: int, message: str, output: str = "") -> NysxError:
    """The exception for an exit code; lines of temporary files get the caller's names."""
    for path, place in list(places.items()):
        message = re.sub(re.escape(path) + r"(?::(\d+)(?::\d+)?)?", lambda at, place=place: place(int(at[1] or 0)), message)
    return BY_CODE.get(code, NysxError)(message, output)
