"""libnysxdse_ask by ctypes: a command line in, its answer out. The GIL is free while it runs, and Ctrl-C ends it in order."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
from pathlib import Path
from typing import Optional, Sequence

from .errors import BY_CODE, LibraryMissing, NysxError

_NAME = "libnysxdse_ask.so"
_lock = threading.Lock()  # one call at a time: the program parses its words by getopt
_library: Optional[ctypes.CDLL] = None
_MESSAGE = 4096


def _places() -> list[str]:
    own = os.environ.get("NYSX_DSE_LIBRARY")
    if own:
        return [own]
    here = Path(__file__).resolve()
    beside = [here.parent / _NAME] + [tree / "lib" / _NAME for tree in (here.parents[2] / "build", here.parents[2] / "build-release")]
    found = ctypes.util.find_library("nysxdse_ask")
    return [str(path) for path in beside if path.exists()] + ([found] if found else []) + [_NAME]


def load() -> ctypes.CDLL:
    """The library: $NYSX_DSE_LIBRARY, else beside the package, in the source tree's build, or where the system has it."""
    global _library
    if _library is not None:
        return _library
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    reasons = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
            break
        except OSError as why:
            reasons.append(str(why))
    else:
        raise LibraryMissing(f"{_NAME} was not found; install nysx-dse, or set NYSX_DSE_LIBRARY to its path ({'; '.join(reasons)})")
    library.dse_ask.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p),
                                ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p]
    library.dse_ask.restype = ctypes.c_int
    library.dse_ask_free.argtypes = [ctypes.c_void_p]
    library.dse_ask_free.restype = None
    library.dse_ask_cancel.argtypes = []
    library.dse_ask_cancel.restype = None
    library.dse_ask_version.restype = ctypes.c_char_p
    _library = library
    return library


def _call(library: ctypes.CDLL, words: Sequence[str], answer: list) -> None:
    encoded = (ctypes.c_char_p * max(1, len(words)))(*[word.encode("utf-8", "surrogateescape") for word in words])
    out, size, message = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.create_string_buffer(_MESSAGE)
    code = library.dse_ask(encoded, len(words), ctypes.byref(out), ctypes.byref(size), message)
    text = ctypes.string_at(out, size.value).decode("utf-8", "replace") if out.value else ""
    library.dse_ask_free(out)
    answer.append((code, text, message.value.decode("utf-8", "replace")))


def ask(*words: str) -> str:
    """What `nysx-dse WORDS` prints on standard output; raises the error of its exit code."""
    library = load()
    answer: list = []
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"ask: a word is a str, not {type(word).__name__}: {word!r}")
        if "\0" in word:
            raise BY_CODE[2](f"{word!r}: a word has no NUL")
    with _lock:
        worker = threading.Thread(target=_call, args=(library, words, answer), daemon=True)
        worker.start()
        interrupted = False
        while worker.is_alive():
            try:
                worker.join(0.1)
            except KeyboardInterrupt:
                interrupted = True
                library.dse_ask_cancel()
    code, text, message = answer[0]
    if interrupted:
        raise KeyboardInterrupt(message)
    if code != 0:
        raise BY_CODE.get(code, NysxError)(message or ("the answer is no" if code == 1 else f"exit code {code}"), text)
    return text


def cancel() -> None:
    """From any thread: the running call ends as by Ctrl-C, keeping what it has; it raises Limit."""
    load().dse_ask_cancel()


def version() -> str:
    return load().dse_ask_version().decode()


__all__ = ["ask", "cancel", "load", "version"]
