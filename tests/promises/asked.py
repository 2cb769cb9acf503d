"""The promise of memory, of the library: a call that runs out of memory returns 4 with an error, and the next call works. promises.py runs it. usage:
asked.py LIBRARY: the same in a process of its own, whose address space is limited."""
import ctypes
import os
import resource
import subprocess
import sys

QUESTION = "sweep --board zcu104 --dataset MUTAG --jobs 1 -q --format csv".split()
MESSAGE = 4096


def ask(library, words):
    out, size, message = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.create_string_buffer(MESSAGE)
    code = library.dse_ask((ctypes.c_char_p * len(words))(*[w.encode() for w in words]), ctypes.c_size_t(len(words)),
                           ctypes.byref(out), ctypes.byref(size), message)
    text = ctypes.string_at(out, size.value) if out.value else b""
    library.dse_ask_free(out)
    return code, message.value.decode(), text


def own_size():
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[0]) * resource.getpagesize()


def main(path):
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    library = ctypes.CDLL(path)
    library.dse_ask_free.argtypes = [ctypes.c_void_p]
    ended, good = 0, None
    for megabytes in (1, 2, 4, 8, 16, 24, 32, 48, 64):
        resource.setrlimit(resource.RLIMIT_AS, (own_size() + (megabytes << 20), resource.RLIM_INFINITY))
        code, said, text = ask(library, QUESTION)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if code == 4:
            ended += 1
            if said != "out of memory" or text:
                sys.exit(f"{megabytes} MB more: code 4, {said!r}, {len(text)} bytes of an answer")
        elif code != 0:
            sys.exit(f"{megabytes} MB more: code {code}: {said}")
        code, said, text = ask(library, QUESTION)
        if code != 0 or (good is not None and text != good):
            sys.exit(f"the call after {megabytes} MB more: code {code}: {said}, another answer: {text != good}")
        good = text
    if ended == 0:
        sys.exit("no call ran out of memory")
    print(f"{ended} calls ran out of memory, and each next one answered")


def promise_library(bench):
    library = os.path.join(os.path.dirname(bench.program), "..", "lib", "libnysxdse_ask.so")
    if bench.only in ("", "library"):
        done = subprocess.run([sys.executable, "-B", __file__, library], capture_output=True, text=True)
        if done.returncode != 0:
            bench.fail(f"memory: library: exit {done.returncode}: {done.stderr[-400:]}")
        print(f"memory: library: {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
