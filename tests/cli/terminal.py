"""usage: terminal.py PROGRAM: output on a terminal. Tables fit its width, headings are coloured unless NO_COLOR is set, long work shows a progress line
and removes it. None of this reaches a file or a pipe."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading

program = os.path.realpath(sys.argv[1])
failures = []

try:
    for end in pty.openpty():
        os.close(end)
except OSError as why:
    print(f"SKIPPED: no terminal to be had here: {why}", file=sys.stderr)
    sys.exit(77)


def check(what, holds, seen=""):
    if not holds:
        failures.append(what)
        print(f"FAILED {what}: {seen!r}")


def on_terminal(words, columns=80, environment=None, until=None, piped=()):
    """The program's output on a terminal of that many columns; sends Ctrl-C after output matching `until`."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    names = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "NYSX_DATA_DIR")}
    process = subprocess.Popen([program, *words], stdin=slave, stdout=subprocess.PIPE if "out" in piped else slave,
                               stderr=subprocess.PIPE if "err" in piped else slave,
                               env={**names, "TERM": "xterm", **(environment or {})})
    os.close(slave)
    guard = threading.Timer(600, process.kill)
    guard.start()
    pipes = []
    readers = [threading.Thread(target=lambda stream=stream: pipes.append(stream.read()))
               for stream in (process.stdout, process.stderr) if stream]
    for reader in readers:
        reader.start()
    seen = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
        if until and re.search(until, seen):
            process.send_signal(signal.SIGINT)
            until = None
    for reader in readers:
        reader.join()
    code = process.wait()
    guard.cancel()
    os.close(master)
    return code, seen.decode(), b"".join(pipes).decode()


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text).replace("\r\n", "\n")


# --help is as wide as the terminal, from 60 to 120 columns; examples stay valid for a shell.
for command in ("", "train", "infer", "simulate", "validate", "sweep", "optimize", "estimate", "whatif", "roofline", "report", "emit",
                "study", "calibrate", "boards", "datasets", "completions"):
    widest = {}
    for columns in (40, 60, 80, 110, 200):
        code, text, _ = on_terminal([command, "--help"] if command else ["--help"], columns)
        widest[columns] = max(map(len, text.replace("\r\n", "\n").split("\n")))
        check(f"help of {command} at {columns} columns", code == 0 and widest[columns] <= min(max(columns, 60), 120), widest)
    check(f"help of {command} uses the width", command == "" or widest[60] < widest[110], widest)

COMMANDS = (["boards", "list"], ["datasets", "list"], ["estimate", "--dataset", "MUTAG"], ["roofline", "--dataset", "MUTAG"],
            ["whatif", "--dataset", "NCI1", "--preset", "literal", "--set", "nee.precision=int8"], ["whatif", "--dataset", "MUTAG", "--preset", "literal", "--sensitivity"], ["whatif", "--dataset", "MUTAG", "--preset", "literal"],
            ["sweep", "--dataset", "MUTAG", "--fix", "nee.form", "--fix", "landmarks=32", "--quality-drop", "none", "--front", "5", "--no-progress", "-q"],
            ["sweep", "--describe"], ["sweep", "--dataset", "MUTAG", "--rate", "50k/s", "--no-progress", "-q"],
            ["sweep", "--dataset", "MUTAG", "--dataset", "NCI1", "--combine", "mean", "--fix", "nee.form", "--fix", "landmarks=32", "--quality-drop", "none", "--no-progress", "-q"],
            ["optimize", "--dataset", "MUTAG", "--minimize", "energy", "--fix", "nee.form", "--fix", "landmarks=32", "--quality-drop", "none", "--no-progress", "-q"])
for command in COMMANDS:
    for columns in (60, 80, 132):
        code, text, _ = on_terminal(command, columns)
        wide = [line for line in plain(text).split("\n") if len(line) > columns]
        check(f"{command[0]} fits {columns} columns", code == 0 and not wide, wide[:3])

for extra in (["--rate", "50k/s"], ["--host", "linux"]):
    code, _, text = on_terminal(["sweep", "--dataset", "MUTAG", *extra], piped=("out", "err"))
    check(f"sweep {extra[0]} in a pipe has 80 columns", code == 0 and max(map(len, text.split("\n"))) <= 80, text)

# No line ends between a number and its unit, in tables, notes, reasons and errors.
UNIT = (r"(?:[pnum\u00b5kMGT]?(?:s|J|W|B|Hz|B/s|/s|op/s)|[KMG]iB|%|x|\u00d7|MHz|op/byte|cycles|bytes|bits|times|(?:inferences|samples|queries|fits)/s"
        r"|[kMG] (?:inferences|samples|queries|fits)/s)")
emitted = tempfile.TemporaryDirectory()
TOLD = [*COMMANDS, ["optimize", "--dataset", "MUTAG", "--minimize", "latency", "--where", "latency<=1ns"], ["sweep", "--dataset", "MUTAG", "--host", "linux"],
        ["emit", "--family", "smgpu", "--dataset", "smgpu_mutag", "--only", "header", "-o", f"{emitted.name}/smgpu", "--overwrite"],
        ["estimate", "--family", "hydraf", "--dataset", "wine", "--host", "xrt", "--batch", "8"], ["estimate", "--family", "gat", "--dataset", "cora"],
        ["estimate", "--family", "hdreason", "--dataset", "FB15K-237"],
        ["estimate", "--dataset", "MUTAG", "--rate", "5000k/s"], ["roofline", "--family", "gat", "--dataset", "cora"], ["roofline", "--dataset", "MUTAG"],
        ["boards", "show", "zcu104"], ["boards", "show", "u280"], ["validate", "--paper", "smgpu"], ["validate", "--paper", "hdreason"], ["datasets", "show", "airfoil"],
        ["whatif", "--across", "NCI*,DD", "--preset", "literal", "--set", "nee.ports=4"], ["whatif", "--dataset", "DD", "--preset", "literal", "--target", "latency=0.5ms"]]
for command in TOLD:
    for columns in (80, 100):
        code, text, _ = on_terminal(command + ["--no-progress"], columns)
        lines = plain(text).split("\n")
        parted = [pair for pair in zip(lines, lines[1:]) if re.search(r"\d$", pair[0]) and not re.search(r"  \S+$", pair[0]) and re.match(rf" *{UNIT}(?=[\s,.;:)]|$)", pair[1])]
        check(f"{' '.join(command)} at {columns} columns: a number and its unit", code in (0, 1) and not parted, parted[:2])
        long = [line for line in lines if len(line) > columns and line.startswith("nysx-dse: ") and " " in line[11:columns]]
        check(f"{' '.join(command)} at {columns} columns: notes and errors fit", not long, long[:1])

# Lines of an error with a caret are not wrapped, so the caret stays below its place; other lines are.
for where in ("nee.lanes*(lshu.pe<=4", "nee.lanes * lshu.pe * units * kse.pe * hue.pe <= nee.lanse"):
    code, text, _ = on_terminal(["sweep", "--dataset", "MUTAG", "--where", where], 40)
    lines = plain(text).rstrip("\n").split("\n")
    check(f"an error in {where} at 40 columns", code == 2 and "  " + where in lines and re.fullmatch(r" +\^", lines[-1]) and lines[-2] == "  " + where, lines)
code, text, _ = on_terminal(["optimize", "--dataset", "MUTAG", "--minimize", "latency", "--where", "latency<=1ns", "--no-progress"], 60)
check("lines of a reason at 60 columns", code == 1 and max(map(len, plain(text).split("\n"))) <= 60, text)

_, text, _ = on_terminal(["boards", "list", "zcu104"])
check("headings stand out", "\x1b[1mboard" in text and "\x1b[2m---" in text, text[:200])
_, broken, _ = on_terminal(["whatif", "--dataset", "MUTAG", "--preset", "literal", "--set", "nee.lanes=1024"])
check("an exceeded limit is red and says so", "\x1b[31mexceeded: " in broken, broken[-300:])
for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
    _, text, _ = on_terminal(["boards", "list", "zcu104"], environment={name: value})
    check(f"no colour with {name}={value}", "\x1b" not in text, text[:200])
_, text, _ = on_terminal(["boards", "list", "zcu104"], environment={"NO_COLOR": ""})
check("an empty NO_COLOR is none", "\x1b[1m" in text, text[:200])
_, _, text = on_terminal(["boards", "list", "zcu104"], piped=("out",))
check("no colour in a pipe", "\x1b" not in text and "board" in text, text[:200])
_, _, text = on_terminal(["boards", "list", "zcu104", "--format", "json"])
check("no colour in JSON", "\x1b" not in text, text[:200])

code, text, _ = on_terminal(["report", "--study", "none.db"])
check("a page is not written to a terminal", code == 2 and "-o FILE.html" in text, (code, text))

# Long work, ended by Ctrl-C as soon as its progress line appears.
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
subprocess.run([program, "datasets", "generate", "TOY", "--graphs", "200", "-q"], check=True, capture_output=True)
code, text, _ = on_terminal(["datasets", "profile", "TOY/", "--landmarks", "8,16,32", "--seeds", "1000"], until=b" left")
check("progress has count, share, rate and time left", re.search(
    r"[\w ]+: [\d,]+ of [\d,]+ \(\d+ %\), [\d.,e-]+/s, [\d.]+ (s|min|h) left", text), text[-300:])
check("the line is taken away before the error", re.search(r"\r\x1b\[K[^\r]*nysx-dse: [^\r]*interrupted", text) and code == 130,
      (code, text[-300:]))
lines = [part for part in text.split("\r\x1b[K") if " left" in part]
check("the line fits", all(len(line.split("\r")[0]) < 80 for line in lines), lines[:3])
# A survey shows its progress, relative to its expected total; an estimate of its time before the first training run ends.
code, text, _ = on_terminal(["sweep", "--dataset", "TOY/"], environment={"XDG_CACHE_HOME": folder.name})
shares = [float(share) for share in re.findall(r"\r\x1b\[Ksurvey by racing: ([\d.]+) %, [\d.]+ (?:s|min|h) left", text)]
check("a survey says how far it is", code == 0 and len(shares) > 5 and shares == sorted(shares) and shares[0] < 20 and shares[-1] > 50, (code, shares))
subprocess.run([program, "datasets", "generate", "LARGER", "--graphs", "3000", "-q"], check=True, capture_output=True)
code, text, _ = on_terminal(["sweep", "--dataset", "LARGER/", "--jobs", "1"], environment={"XDG_CACHE_HOME": folder.name}, until=b" left")
shown = [line.split("\r")[0] for line in text.split("\r\x1b[K") if line.startswith("survey by racing")]
check("from its begin, with an estimate of its time", re.fullmatch(r"survey by racing: 0.00 %", shown[0]) and shown[-1].endswith(" left"), shown)
code, text, _ = on_terminal(["datasets", "generate", "MORE", "--graphs", "20000"])
for what in ("graphs", "lines of edges"):
    check(f"generation counts {what}", re.search(rf"\r\x1b\[K{what}: [\d,]+ of [\d,]+ \(\d+ %\)", text) and code == 0, text[:300])
# The time left counts down before the first training run ends; a survey without any result says so.
code, text, _ = on_terminal(["sweep", "--dataset", "MORE/", "--jobs", "1"], environment={"XDG_CACHE_HOME": folder.name}, until=b" left")
said = " ".join(plain(text).split())
check("time left before the first training run ends", code == 130 and "training runs are saved" not in said and "no quality was measured before an interrupt" in said, (code, said[-2000:]))
code, text, _ = on_terminal(["sweep", "--dataset", "MUTAG", "--method", "exhaustive", "--fix", "landmarks=32", "--fix", "nee.form", "--quality-drop", "none",
                             "--fix", "clock_mhz=250", "--jobs", "1"], until=rb"space searched: [^\r]* left")
check("a long slice of an exhaustive visit says how far it is", re.search(
    r"\r\x1b\[Kspace searched: \d+\.\d\d %, [\d.]+ (s|min|h) left", text)
    and code == 130, (code, text[-300:]))
code, text, _ = on_terminal(["sweep", "--dataset", "MUTAG", "--fix", "nee.form", "--fix", "landmarks=32", "--quality-drop", "none", "-q"])
check("quiet has no progress", code == 0 and "\r\x1b[K" not in text, text[:200])
code, _, text = on_terminal(["sweep", "--dataset", "MUTAG", "--fix", "nee.form", "--fix", "landmarks=32", "--quality-drop", "none"], piped=("out", "err"))
check("no progress in a pipe", code == 0 and "\r" not in text and "\x1b" not in text, text[:200])

print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
