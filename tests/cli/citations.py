"""script/citations converts an index of packages to a graph that the program reads; nodes, citations, words and classes are checked by hand.
usage: citations.py PROGRAM TREE"""
import pathlib
import subprocess
import sys
import tempfile

program, tree = sys.argv[1], pathlib.Path(sys.argv[2])


def package(name, section, depends, description):
    return f"Package: {name}\nVersion: 1\nDepends: {depends}\nDescription: {description}\nSection: {section}\n"


# Ten games that depend on the first one, on a library and on a sound package; an isolated package, one without topic, one that cites itself.
games = [package(f"game{i}", "games", "game0 (>= 1) | game1, libc6 (>= 2.3), player:any", f"the Puzzle {i} of chess") for i in range(10)]
index = "\n".join(games + [package("player", "sound", "player, libc6", "puzzle sound"), package("alone", "math", "libc6", "puzzle"), package("libc6", "libs", "game0", "puzzle")])

with tempfile.TemporaryDirectory() as folder:
    made = pathlib.Path(folder) / "made"
    for where in (made, "."):  # a missing folder; and the current folder, which also names the set
        subprocess.run([tree.resolve() / "script/citations", "-", where], input=index, text=True, check=True, cwd=folder if where == made else made)
    assert sorted(path.name for path in made.iterdir()) == ["made.cites", "made.content"], list(made.iterdir())
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in (made / "made.content").read_text().splitlines()}
    names = [f"game{i}" for i in range(10)]
    assert rows == {**{name: ["1", "1", "1", "games"] for name in names}, "player": ["0", "1", "1", "sound"]}, rows  # chess, libc6, puzzle
    cites = {tuple(line.split("\t")) for line in (made / "made.cites").read_text().splitlines()}
    assert cites == {(cited, name) for name in names for cited in ("game0", "game1", "player") if cited != name}, cites
    shown = subprocess.run([program, "datasets", "show", "--family", "gat", made], capture_output=True, text=True, check=True).stdout
    facts = dict(line.split() for line in shown.splitlines() if len(line.split()) == 2)
    assert (facts["nodes"], facts["features"], facts["classes"], facts["citations"]) == ("11", "3", "2", "27"), facts
    empty = pathlib.Path(folder) / "empty"
    empty.write_text("nothing\n")
    for wrong in (made / "none", empty):
        done = subprocess.run([tree / "script/citations", wrong, made], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and done.stderr.startswith(f"citations: {wrong}: ") and done.stderr.count("\n") == 1, done
