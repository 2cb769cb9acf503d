"""Every allocation of a command, failed one a process: the library before the program (shim.c, NYSX_SERVE) forks it where an allocation
comes, so that what the program did until then is done once, and asks here for a folder to go on in."""
import os
import shutil
import socket
import subprocess
import types


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


class Place:
    """A folder with the inputs, as new: made anew where a copy of the program has left something in it."""

    def __init__(self, bench, name, listing):
        self.bench, self.name, self.listing, self.folder = bench, os.path.join(name, "at"), listing, None
        os.makedirs(os.path.join(bench.folder, name), exist_ok=True)
        self.said = [os.path.join(bench.folder, name, file) for file in ("out", "err")]
        for path in self.said:
            open(path, "w").close()

    def take(self):
        if self.folder is None or self.listing(self.folder) != self.before:
            self.folder = self.bench.place(self.name)
            self.before = self.listing(self.folder)
        return self.folder

    def drop(self):
        """A command that writes into what was there leaves no new name."""
        self.folder = None


def each_failed(bench, name, words, last, wanted, shim, listing, judge):
    """judge(n, done, folder, names before) of each n that is wanted and comes in the program's first thread: those n."""
    place, came = Place(bench, f"served-{name}", listing), set()
    folder = bench.place(f"served-{name}-base")
    ours, theirs = socket.socketpair()
    first = [os.path.join(bench.folder, f"served-{name}", file) for file in ("first-out", "first-err")]
    if "new.db" in words:
        shim = dict(shim, NYSX_SERVE_NAMED="1")
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(bench.folder, "cache"), LD_PRELOAD=bench.shim, NYSX_SERVE=str(last), **shim)
    with open(first[0], "wb") as out, open(first[1], "wb") as said:
        program = subprocess.Popen([bench.program] + words.split(), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=said, pass_fds=[3], preexec_fn=lambda: os.dup2(theirs.fileno(), 3))
    theirs.close()
    lines = ours.makefile("rw", buffering=1)
    for line in lines:
        n = int(line)
        lines.write((place.take() if n in wanted else "") + "\n")
        lines.flush()
        if n not in wanted:
            continue
        before = [read(path) for path in first]
        status = int(lines.readline())
        done = types.SimpleNamespace(returncode=os.waitstatus_to_exitcode(status), stdout=before[0] + read(place.said[0]), stderr=before[1] + read(place.said[1]))
        judge(n, done, place.folder, place.before)
        came.add(n)
        if done.returncode != 4:
            place.drop()
    ours.close()
    if program.wait() not in (0, 1, 3): # 1, 3: answers too
        bench.fail(f"memory: {name}: the program that is copied ends with {program.returncode}")
    shutil.rmtree(os.path.join(bench.folder, f"served-{name}"))
    return came
