"""usage: docs.py PROGRAM ROOT [--long] [PAGE ...]: the commands of README and docs, as they stand there.

A block that begins with ```sh runs under bash -e, all blocks of a page one after the other in one folder. Words behind `sh` say what a block needs:
`data` (NYSX_DATA_DIR, else ../shared/datasets), `llvm` (the checker of emitted designs), `long` (only with --long). The README's commands in cells of tables run too, those of "How far to
trust it" with --long. Any other command that begins with nysx-dse, between backquotes or on a line of its own, must name a command and options that there are.
Vendor's tools: where a page asks for v++, a stand-in writes a report as one would be in which LUTs come to three quarters."""
import os
import re
import shlex
import shutil
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
REAL = re.compile(r"\b(MUTAG|graphs)\.zip|--data-dir \.|m\.npz")  # the README's commands that need data: what they train, and what takes that
KEPT = ["docs-howto-calibrate/nysx-dse/boards/zcu104.hls.calibration.xml"]
failures, skipped, ran = [], set(), 0


def options() -> dict[str, set[str]]:
    """The options of each command, by the table that drives the program."""
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
PARAMETERS = {option for family in ("nysx", "hydraf", "gat", "hdreason", "smgpu") for option in
              re.findall(r"^ *(--[\w-]+)", subprocess.run([program, "train", "--family", family, "--help"], capture_output=True, text=True, check=True).stdout, re.M)}


def look_at(page: Path, span: str) -> None:
    """A command that is not run: its name and its options."""
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


def script_of(page: Path, text: str) -> list[str]:
    lines = []
    for words, block in re.findall(r"^```sh\b *(.*?)\n(.*?)^```$", text, re.M | re.S):
        if not missing(set(words.split()), page):
            lines.append(block)
    if page.name == "README.md" and page.parent == root:
        for section in text.split("\n## "):
            trust = section.startswith("How far to trust it")
            for span in re.findall(r"^\|.*\| `(nysx-dse [^`]*)` \|$", section, re.M):
                if (trust and not LONG) or (REAL.search(span) and missing({"data"}, page)):
                    continue
                lines.append(span.replace("\\|", "|") + "\n")
    return lines


def run(page: Path, folder: Path) -> None:
    global ran
    text = page.read_text(encoding="utf-8")
    for span in re.findall(r"`(nysx-dse [^`\n]*)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        look_at(page, span)
    blocks = "".join("".join(found) for found in re.findall(r"^```(?!sh\b)\w*\n(.*?)^```$|^(    [^\n]*\n)", text, re.M | re.S))
    for line in re.findall(r"^(?:\$ |    |mpirun .* |srun .* )?(nysx-dse [^\n]*)", blocks, re.M):
        if page.name != "commands.md":  # whose lines are the program's own
            look_at(page, line.split(" #")[0])
    lines = script_of(page, text)
    if not lines:
        return
    name = str(page.relative_to(root))[:-3].replace("/", "-")
    place = folder / name
    place.mkdir()
    if page.parent == root and data:
        for entry in Path(data).iterdir():
            (place / entry.name).symlink_to(entry)
        (place / "graphs.zip").symlink_to(Path(data) / "MUTAG.zip")
    if LONG:  # tools of the tree, by the names that pages have
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
print("\n".join(failures) or f"{ran} commands of {len(pages)} pages")
sys.exit(1 if failures else 0)
