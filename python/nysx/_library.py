"""libnysxdse_ask by ctypes: a command line in, its answer out. The GIL is released while it runs; Ctrl-C ends it orderly."""
from __future__ import annotations

import ctypes
import ctypes.util
import importlib.metadata
import json
import os
import shutil
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Optional, Sequence

from .errors import BY_CODE, LibraryMissing, error_of

_NAME = "libnysxdse_ask.so"
_lock = threading.Lock()  # one call at a time: the program parses its words by getopt
_library: Optional[ctypes.CDLL] = None
MESSAGE = 4096


def _tree() -> Optional[Path]:
    """The source tree that contains the package, or from which pip installed it; None if unknown."""
    try:
        text = importlib.metadata.distribution("nysx-dse").read_text("direct_url.json")
        url = json.loads(text)["url"] if text else ""
    except (importlib.metadata.PackageNotFoundError, KeyError, ValueError):
        url = ""
    here = Path(__file__).resolve()
    tree = Path(urllib.request.url2pathname(urllib.parse.urlparse(url).path)).parent if url.startswith("file:") else here.parents[2]
    return tree if (tree / "python" / "nysx").is_dir() else None


def _places() -> list[str]:
    """Places to look for the library, in order: only $NYSX_DSE_LIBRARY if it is set; the wheel; the source tree's builds; beside the program
    in PATH; below ~/.local and the usual installation prefixes; the system's loader."""
    own = os.environ.get("NYSX_DSE_LIBRARY")
    if own:
        return [own]
    here, tree, program = Path(__file__).resolve().parent, _tree(), shutil.which("nysx-dse")
    folders = [here / "lib", here]
    folders += [tree / build / "lib" for build in ("build", "build-release")] if tree else []
    for prefix in ([Path(program).resolve().parents[1]] if program else []) + [Path.home() / ".local", Path(sys.prefix), Path("/usr/local"), Path("/usr")]:
        folders += [prefix / "lib", *sorted(prefix.glob("lib/*-linux-gnu")), prefix / "lib64"]
    found = ctypes.util.find_library("nysxdse_ask")
    return [str(folder / _NAME) for folder in dict.fromkeys(folders)] + ([found] if found else []) + [_NAME]


def load() -> ctypes.CDLL:
    """Loads the library from the first of _places() that exists."""
    global _library
    if _library is not None:
        return _library
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    reasons, looked = [], []
    for place in _places():
        looked.append(place)
        if "/" in place and not os.path.exists(place):
            continue
        try:
            library = ctypes.CDLL(place)
            break
        except OSError as why:
            reasons.append(str(why))
    else:
        raise LibraryMissing(f"{_NAME} was not found. It is built by script/demo, by `cmake --build … --target nysxdse_ask`, and comes with an "
                             "installation; NYSX_DSE_LIBRARY may say where it is. Looked for:\n  " + "\n  ".join(looked) +
                             ("\nNot loaded: " + "; ".join(reasons) if reasons else ""))
    library.dse_ask.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p),
                                ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p]
    library.dse_ask.restype = ctypes.c_int
    library.dse_ask_free.argtypes = [ctypes.c_void_p]
    library.dse_ask_free.restype = None
    library.dse_ask_cancel.argtypes = []
    library.dse_ask_cancel.restype = None
    library.dse_ask_open.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p),
                                     ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p]
    library.dse_ask_close.argtypes = [ctypes.c_void_p]
    library.dse_ask_close.restype = None
    library.dse_ask_evaluate.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p]
    library.dse_ask_line.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p]
    library.dse_ask_version.restype = ctypes.c_char_p
    _library = library
    return library


def _call(library: ctypes.CDLL, words: Sequence[str], answer: list) -> None:
    encoded = (ctypes.c_char_p * max(1, len(words)))(*[word.encode("utf-8", "surrogateescape") for word in words])
    out, size, message = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.create_string_buffer(MESSAGE)
    code = library.dse_ask(encoded, len(words), ctypes.byref(out), ctypes.byref(size), message)
    text = ctypes.string_at(out, size.value).decode("utf-8", "replace") if out.value else ""
    library.dse_ask_free(out)
    answer.append((code, text, message.value.decode("utf-8", "replace")))


def ask(*words: str) -> str:
    """Returns the standard output of `nysx-dse WORDS`; raises the error for its exit code."""
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
        raise error_of(code, message or ("the answer is no" if code == 1 else f"exit code {code}"), text)
    return text


def cancel() -> None:
    """Ends the running call like Ctrl-C, from any thread: the call keeps its results and raises Limit."""
    load().dse_ask_cancel()


def version() -> str:
    return load().dse_ask_version().decode()


__all__ = ["ask", "cancel", "load", "version"]
