"""One exception for each way in which the program ends without an answer, with its words.

Each is also what Python itself would raise: bad words a ValueError, a bad file a ValueError too, a limit of the system an OSError."""
from __future__ import annotations

import re
from typing import Callable

__all__ = ["NysxError", "AnswerIsNo", "BadUsage", "BadInput", "Limit", "LibraryMissing"]


class NysxError(Exception):
    """An error of the program; `code` is its exit code, `output` what it printed before."""

    code = 0

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class AnswerIsNo(NysxError):
    """The answer is no: nothing feasible, a threshold missed, a design that does not fit."""

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


places: dict[str, Callable[[int], str]] = {}  # of a temporary file, by its path: what its lines are called (0: the file)
BY_CODE = {error.code: error for error in (AnswerIsNo, BadUsage, BadInput, Limit)}


def error_of(code: int, message: str, output: str = "") -> NysxError:
    """The exception of an exit code; lines of temporary files are called what the caller knows."""
    for path, place in list(places.items()):
        message = re.sub(re.escape(path) + r"(?::(\d+)(?::\d+)?)?", lambda at, place=place: place(int(at[1] or 0)), message)
    return BY_CODE.get(code, NysxError)(message, output)
