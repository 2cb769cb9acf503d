"""usage: manuals.py PROGRAM FOLDER: manual pages agree with --help, and mandoc reports no error."""
import pathlib
import re
import shutil
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
wrong = []


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def options_of_help(text):
    """(flags, explanation) of each option, in order; continued lines joined."""
    found = []
    for line in text.splitlines():
        begins = re.match(r"  (?:-\w, |    )(--\S.*)$|  (-\w, --\S.*)$", line)
        if begins:
            whole = line.strip()
            parts = re.split(r"  +", whole, maxsplit=1)
            found.append([parts[0], parts[1] if len(parts) > 1 else ""])
        elif found and re.match(r" {32}\S", line):
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
        elif line and not line.startswith(" ") and found:
            found.append(None)  # a heading ends an explanation
    return [tuple(option) for option in found if option]


def plain(text):
    for escape, letter in (("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\&", "")):
        text = text.replace(escape, letter)
    return re.sub(r"\\f[BIR]", "", text).replace("\\e", "\\")


def options_of_page(text):
    lines = text.splitlines()
    return [(plain(lines[i + 1]), plain(lines[i + 2])) for i, line in enumerate(lines)
            if line == ".TP" and "\\-\\-" in lines[i + 1]]


overview = run(program, "--help").stdout
commands = re.findall(r"^  (\w+) +\S", overview.split("\nShared options")[0].split("\nCommands\n")[1], re.M)
pages = {path.name for path in folder.glob("*.1")}
expected = {"nysx-dse.1"} | {f"nysx-dse-{command}.1" for command in commands}
if pages != expected:
    wrong.append(f"pages {sorted(pages ^ expected)} are missing or too many")

for name in sorted(pages & expected):
    command = re.fullmatch(r"nysx-dse(?:-(.*))?\.1", name)[1]
    text = (folder / name).read_text()
    help_options = options_of_help(run(program, *([command] if command else []), "--help").stdout)
    page_options = options_of_page(text)
    if help_options != page_options or len(help_options) < 10:
        wrong.append(f"{name}: options differ from --help: {sorted(set(help_options) ^ set(page_options))[:4]}")
    if not shutil.which("mandoc"):
        print("SKIPPED: mandoc is not installed, the pages' form is not checked", file=sys.stderr)
        continue
    said = run("mandoc", "-Tlint", "-Wwarning", str(folder / name)).stdout.splitlines()
    said = [line for line in said if "missing date" not in line and "lower case character" not in line]
    wrong += [f"mandoc: {line}" for line in said]

print("\n".join(wrong) if wrong else f"{len(pages)} pages")
sys.exit(1 if wrong else 0)
