"""usage: house.py ROOT

Checks the rules of docs/architecture.md. Includes go to lower levels of its table, and never from one family to another. No family is
named outside its folder, in an include, string or identifier. Headers do not include each other in a cycle. Functions have at most 90 lines and no
goto. dse/ stays within its limit of lines."""
import collections
import os
import re
import sys

root = os.path.realpath(sys.argv[1])
SIDEWAYS = {("resources", "devices")}
# Names of the program, its checker and its environment variables, and the examples of its help.
OWN = re.compile(r"(?i:nysx(?:[-_]?|\\\\-)dse)\w*|nysx-(?:hls-)?check|NYSX_(?:DATA_DIR|SYNTHESIS|ROUTED|CHECKER_H)|--family \w+")
LINES, LINES_A_COMMAND, OLD_COMMANDS = 4500, 150, 16  # of dse/
LONGEST = 90
problems = []


def floors():
    """Room → level, from the table of rooms."""
    table = open(os.path.join(root, "docs/architecture.md"), encoding="utf-8").read()
    rows = re.findall(r"^\| (\d) \| `(\w+(?:/NAME)?)/` \|", table, re.M)
    return {room: int(floor) for floor, room in rows}


def sources(rooms):
    for room in rooms:
        for folder, _, files in os.walk(os.path.join(root, room)):
            for file in sorted(files):
                if file.endswith((".c", ".h", ".cpp")):
                    path = os.path.join(folder, file)
                    yield os.path.relpath(path, root), open(path, encoding="utf-8").read()


def family_of(path):
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "models" else None


def room_of(path):
    """A family's folder is a room above the shared frames that it uses."""
    return "models/NAME" if family_of(path) else path.split("/")[0]


def check_includes(path, text, floor, families):
    here = []
    for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        name = name if name.split("/")[0] in floor else beside
        room, other = room_of(path), room_of(name)
        if other not in floor:
            continue
        here.append(name)
        if room != other and path != "models/registry.c" and (floor[other] > floor[room] or (floor[other] == floor[room] and (room, other) not in SIDEWAYS)):
            problems.append(f"{path}: includes {name}, which is not below")
        theirs = family_of(name)
        if theirs in families and family_of(path) != theirs:
            problems.append(f"{path}: includes {name}, another family's or one by name")
    return here


def without_comments(text):
    return re.sub(r'("(?:[^"\\\\\n]|\\\\.)*")|/\*.*?\*/|//[^\n]*', lambda m: m.group(1) or "\n" * m.group(0).count("\n"), text, flags=re.S)


def check_names(path, text, named):
    if path == "models/registry.c":
        return
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        for name in named.findall(OWN.sub("", line)):
            if name.lower() != family_of(path) and not line.lstrip().startswith("#include"):
                problems.append(f"{path}:{number}: names the family {name.lower()}")


def check_functions(path, text):
    begin = None
    for number, line in enumerate(text.split("\n"), 1):
        if line == "{":
            begin = number
        elif line == "}" and begin is not None:
            if number - begin > LONGEST:
                problems.append(f"{path}:{begin}: a function of {number - begin} lines")
            begin = None
        elif re.match(r"\s*goto\s+\w+;", line):
            problems.append(f"{path}:{number}: jumps")


def circles(includes):
    """Cycles of headers that include each other."""
    state = {}

    def visit(header, way):
        if state.get(header) == "open":
            problems.append("a circle: " + " ".join(way[way.index(header):]))
        elif header not in state:
            state[header] = "open"
            for other in includes.get(header, ()):
                visit(other, way + [other])
            state[header] = "done"

    for header in sorted(includes):
        visit(header, [header])


floor = floors()
if set(floor) >= {"core", "models", "search", "reports", "dse"} and max(floor.values()) == floor["dse"]:
    families = {d for d in os.listdir(os.path.join(root, "models")) if os.path.isdir(os.path.join(root, "models", d))} - {"described"}
    named = re.compile(r"(?<![A-Za-z])(" + "|".join(sorted(families | {f.upper() for f in families})) + r")(?![A-Za-z])")
    includes, lines = {}, collections.Counter()
    for path, text in sources(room for room in floor if room != "models/NAME"):
        found = check_includes(path, text, floor, families)
        if path.endswith(".h"):
            includes[path] = found
        check_names(path, text, named)
        check_functions(path, text)
        problems += [f"{path}:{text.count(chr(10), 0, at.start()) + 1}: a comment opens with \"{at[1] or at[2]}\"" for at in re.finditer(r"(?:/\*|//|^ \*) *(What) |/\* *([Oo]f) ", text, re.M)]
        lines[path.split("/")[0]] += text.count("\n")
    circles(includes)
    commands = len([f for f in os.listdir(os.path.join(root, "dse")) if re.fullmatch(r"cmd_\w+\.c", f)])
    measure = LINES + LINES_A_COMMAND * max(commands - OLD_COMMANDS, 0)
    if lines["dse"] > measure:
        problems.append(f"dse/ has {lines['dse']} lines; {measure} are its measure")
    print(f"{sum(lines.values())} lines in {len(floor)} rooms, {len(includes)} headers; dse/ {lines['dse']} of {measure}")
else:
    problems.append("docs/architecture.md has no table of rooms that ends with dse/")
print("\n".join(problems))
sys.exit(1 if problems else 0)
