"""usage: docs.py PROGRAM ROOT [--long] [PAGE ...]: runs the commands of README and docs.

A block that begins with ```sh runs under bash -e; all blocks of a page run in order in one folder. Words after `sh` state what a block needs:
`data` (NYSX_DATA_DIR, else ../shared/datasets), `llvm` (the checker of emitted designs), `long` (only with --long). The README's commands
in table cells run too; those of "How far to trust it" only with --long. Without --long a long command is started and interrupted after SECONDS: it
must not fail; tools of the tree must exist and know their options. Any other command that begins with nysx-dse, in backquotes or on its own line,
must name an existing command and existing options. Vendor tools: a stand-in for v++ writes a report with three quarters of the LUTs."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

arguments = [argument for argument in sys.argv[1:] if argument != "--long"]
LONG = "--long" in sys.argv[1:]
program, root = os.path.abspath(arguments[0]), Path(arguments[1]).resolve()
data = next((path for path in (os.environ.get("NYSX_DATA_DIR"), root / "../shared/datasets", root / "../../shared/datasets") if path and Path(path, "MUTAG.zip").exists()), None)
data = os.path.realpath(data) if data else None
has = {"data": data is not None, "llvm": Path(program).with_name("nysx-hls-check").exists(), "long": LONG}
REAL = re.compile(r"\b(MUTAG|graphs)\.zip|--data-dir \.|m\.npz")  # the README's commands that need data: those that train, and those that use the model
KEPT = ["docs-howto-calibrate/nysx-dse/boards/zcu104.hls.calibration.xml"]
SECONDS = 1
failures, skipped, ran, begun = [], set(), 0, 0
TESTS = re.findall(r"^ +Test +#\d+: (\S+)", subprocess.run(["ctest", "--test-dir", str(Path(program).parents[1]), "-N"], capture_output=True, text=True).stdout, re.M)


def options() -> dict[str, set[str]]:
    """The options of each command, from the program's own table."""
    groups: dict[str, set[str]] = {}
    uses: dict[str, list[str]] = {}
    gone: dict[str, set[str]] = {}
    now = ""
    for line in (root / "dse/commands.txt").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"(group|command) ([\w-]+)$|(program)$", line):
            now = f"{found.group(1) or ''} {found.group(2) or 'program'}".strip()
            groups[now], uses[now] = set(), []
        elif found := re.match(r"without (.*)", line):
            gone[now] = {"--" + name for name in found.group(1).split()}
        elif found := re.match(r"use ([\w-]+)$", line):
            uses[now].append(f"group {found.group(1)}")
        elif found := re.match(r"[*!]*(--[\w-]+)(,\w)?", line):
            groups[now] |= {found.group(1), *(["-" + found.group(2)[1:]] if found.group(2) else [])}

    def of(name: str) -> set[str]:
        return groups[name].union(*(of(used) for used in uses[name]))
    return {name.split()[1]: of(name) | groups["program"] - gone.get(name, set()) | {"--help", "--version", "--man", "-h", "-V"} for name in groups if name.startswith("command ")}


KNOWN = options()
PARAMETERS = {option for words in (*(["train", "--family", family] for family in ("nysx", "hydraf", "gat", "hdreason", "smgpu")), ["datasets"]) for option in
              re.findall(r"^ *(--[\w-]+)", subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout, re.M)}


def look_at(page: Path, span: str) -> None:
    """Checks the name and the options of a command that is not run."""
    words = span.replace("\\|", "|").split()
    if len(words) < 2 or words[1].startswith(("-", "COMMAND")):
        return
    if words[1] not in KNOWN:
        failures.append(f"{page.relative_to(root)}: `{span}`: no command {words[1]}")
        return
    for option in re.findall(r"(?<!\S)(--?[a-z][\w-]*)", " ".join(words[2:])):
        if option not in KNOWN[words[1]] and not (words[1] in ("train", "datasets") and option in PARAMETERS):
            failures.append(f"{page.relative_to(root)}: `{span}`: {words[1]} has no option {option}")


def missing(needs: set[str], page: Path) -> bool:
    gone = {need for need in needs if not has[need]}
    for need in gone - {"long"}:
        skipped.add(f"{page.relative_to(root)} without {need}")
    return bool(gone)


def begin(page: Path, line: str, place: Path, environment: dict[str, str]) -> None:
    """For each long command of a line: starts it, or checks the tool that it names."""
    global begun
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&;|")
    lexer.whitespace_split = True
    commands: list[list[str]] = [[]]
    for word in lexer:
        if re.fullmatch("[&;|]+", word):
            commands.append([])
        else:
            commands[-1].append(re.sub(r"\$(\w+)", lambda name: environment.get(name.group(1), ""), word))
    for words in filter(None, commands):
        where, tool = f"{page.relative_to(root)}: `{line.strip()}`", root / words[0]
        begun += 1
        if words[0] == "nysx-dse":
            process = subprocess.Popen([program, *words[1:]], cwd=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
            try:
                said = process.communicate(timeout=SECONDS)[1]
                if process.returncode not in (0, 1):
                    failures.append(f"{where}: exit code {process.returncode}: {said[-500:]}")
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT)
                try:
                    process.communicate(timeout=20)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
        elif words[0].startswith("build/bin/"):
            if not next(root.glob(f"tests/*/{tool.name}.c"), None):
                failures.append(f"{where}: no program {words[0]}")
        elif "/" in words[0]:
            look_at_tool(where, words)
        elif not shutil.which(words[0]):
            failures.append(f"{where}: no program {words[0]}")


def look_at_tool(where: str, words: list[str]) -> None:
    """Checks a program of the tree, its options, and the tree's files among its arguments."""
    tool = root / words[0]
    if not tool.is_file() or not os.access(tool, os.X_OK):
        failures.append(f"{where}: no program {words[0]}")
        return
    known = tool.read_text(encoding="utf-8")
    failures.extend(f"{where}: {words[0]} has no option {word}" for word in words[1:] if word.startswith("--") and word not in known)
    failures.extend(f"{where}: no file {word}" for word in words[1:] if re.match(r"(tests|docs|script|examples|resources|models)/", word) and not (root / word).exists())


def script_of(page: Path, text: str) -> tuple[list[str], list[str]]:
    """Returns blocks that run, and lines that are only started."""
    lines, long = [], []
    for words, block in re.findall(r"^```sh\b *(.*?)\n(.*?)^```$", text, re.M | re.S):
        if not missing(set(words.split()), page):
            lines.append(block)
        elif not missing(set(words.split()) - {"long"}, page):
            long.extend(block.replace("\\\n", " ").splitlines())
    if page.name == "README.md" and page.parent == root:
        for section in text.split("\n## "):
            trust = section.startswith("How far to trust it")
            for span in re.findall(r"^\|.*\| `(nysx-dse [^`]*)` \|$", section, re.M):
                if REAL.search(span) and missing({"data"} | ({"llvm"} if "--against schedule" in span else set()), page):
                    continue
                (long if trust and not LONG else lines).append(span.replace("\\|", "|") + "\n")
    return lines, long


def run(page: Path, folder: Path) -> None:
    global ran
    text = page.read_text(encoding="utf-8")
    for span in re.findall(r"`(nysx-dse [^`\n]*)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        look_at(page, span)
    for span in re.findall(r"`((?:script|tests)/[\w./-]+ [^`\n]*)`", text):
        look_at_tool(f"{page.relative_to(root)}: `{span}`", shlex.split(span))
    for named in re.findall(r"`ctest [^`\n]*-R '?([^\s`']+)|`(?:build/bin/tests_\w+) (\w+)`", text):
        if TESTS and not any(re.search(named[0], test) if named[0] else test == named[1] for test in TESTS) and "NAME" not in "".join(named):
            failures.append(f"{page.relative_to(root)}: no test {named[0] or named[1]}")
    blocks = "".join("".join(found) for found in re.findall(r"^```(?!sh\b)\w*\n(.*?)^```$|^(    [^\n]*\n)", text, re.M | re.S))
    for line in re.findall(r"^(?:\$ |    |mpirun .* |srun .* )?(nysx-dse [^\n]*)", blocks, re.M):
        if page.name != "commands.md":  # whose lines are the program's own
            look_at(page, line.split(" #")[0])
    lines, long = script_of(page, text)
    if not lines and not long:
        return
    name = str(page.relative_to(root))[:-3].replace("/", "-")
    place = folder / name
    place.mkdir()
    if page.parent == root and data:
        for entry in Path(data).iterdir():
            (place / entry.name).symlink_to(entry)
        (place / "graphs.zip").symlink_to(Path(data) / "MUTAG.zip")
    if LONG:  # tools of the tree, by their names on the pages
        for entry in ("build", "script", "tests"):
            if not (place / entry).exists():
                (place / entry).symlink_to(root / entry)
    environment = {**os.environ, "PATH": f"{folder}/path:{os.environ['PATH']}", "XDG_DATA_HOME": str(folder / "kept" / name), "XDG_CACHE_HOME": str(folder / "cache"), "NYSX_DSE": program}
    environment.pop("NYSX_DATA_DIR", None)
    if data:
        environment["NYSX_DATA_DIR"] = data
    done = subprocess.run(["bash", "-e", "-o", "pipefail"], input="".join(lines), cwd=place, env=environment, capture_output=True, text=True)
    ran += sum(len(re.findall(r"^\s*(?:nysx-dse|make|script/|tests/|build/)", block, re.M)) for block in lines)
    if done.returncode != 0:
        failures.append(f"{page.relative_to(root)}: exit code {done.returncode}\n{done.stderr[-1500:]}{done.stdout[-500:]}")
    for line in long:  # which may read files of the page's other blocks
        begin(page, line, place, environment)


pages = [root / name for name in arguments[2:]] or [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "models").glob("*/*.md"))]
with tempfile.TemporaryDirectory() as made:
    folder = Path(made)
    (folder / "path").mkdir()
    (folder / "path/nysx-dse").symlink_to(program)
    shutil.copy(root / "tests/cli/synthesis-stand-in", folder / "path/v++")
    for page in pages:
        if page.exists():
            run(page, folder)
    kept = sorted(str(path.relative_to(folder / "kept")) for path in folder.glob("kept/**/*") if path.is_file())
    if not arguments[2:] and kept != KEPT:
        failures.append(f"kept beside the boards are {kept}, not {KEPT}")
if not arguments[2:] and ran < 90:
    failures.append(f"only {ran} commands ran")
for what in sorted(skipped):
    print(f"skipped: {what}")
if not arguments[2:] and not LONG and has["data"] and begun < 20:
    failures.append(f"only {begun} long commands were begun")
print("\n".join(failures) or f"{ran} commands of {len(pages)} pages, {begun} begun")
sys.exit(1 if failures else 0)
