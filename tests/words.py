"""usage: words.py ROOT [FILE…]

No string of the sources, help, page, golden output or document contains a phrase of tests/words.txt; a ± states its kind. Documents yet to
mend are in YET; given FILEs are checked in any case."""
import ast
import collections
import os
import re
import sys

root, named = os.path.realpath(sys.argv[1]), sys.argv[2:]
ROOMS = "script core devices resources datasets space models executor roofline search emit validation explore reports dse python examples docs".split()
YET = re.compile(r"(?!)")
SPREAD = re.compile(r"standard (error|deviation)|\bSE\b|prior 1 ±")


def rules():
    found = []
    for line in open(os.path.join(root, "tests/words.txt"), encoding="utf-8"):
        if line.startswith("    "):
            found[-1][2].append(line.strip())
        elif line.strip() and not line.startswith("#"):
            phrase, say = line.rstrip("\n").split(" => ")
            found.append((phrase, say, []))
    return [(re.compile(phrase, re.I), say, re.compile("|".join(own) or r"(?!)", re.I)) for phrase, say, own in found]


def of_c(text):
    """String literals that contain a blank, adjacent ones joined; without comments and includes."""
    text = re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda m: m.group(1) or "\n" * m.group(0).count("\n"), text, flags=re.S)
    for found in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', re.sub(r"#\s*include[^\n]*", "", text)):
        words = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found.group(0))).replace("\\n", " ")
        if " " in words.strip() and not re.match(r"(CREATE|SELECT|INSERT|UPDATE|DELETE) ", words):
            yield text.count("\n", 0, found.start()) + 1, words


def of_python(text):
    for node in ast.walk(ast.parse(re.sub(r"(?m)^\s*@.*|@\w+@", lambda m: "0" * (m.group(0)[0] == "@" and " " not in m.group(0)), text))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def paragraphs(text, separator=r"\n\s*\n"):
    line = 1
    for part in re.split(f"({separator})", text):
        if part.strip():
            yield line, part
        line += part.count("\n")


def of_page(text):
    """The text of a document, without addresses and code in backquotes."""
    yield from paragraphs(re.sub(r"`[^`\n]*`|\]\([^)\s]*\)|https?://\S+", "` `", text))


def of_script(text):
    """JavaScript's literals, and HTML text between tags."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    for found in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`|>([^<]*)<', text):
        words = found.group(1) or found.group(2) or found.group(3) or ""
        if " " in words:
            yield text.count("\n", 0, found.start()) + 1, words


def of_xml(text):
    """XML attributes that contain sentences."""
    text = re.sub(r"<!--.*?-->", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    for found in re.finditer(r'="([^"]* [^"]*)"', text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1)


def of_output(text):
    """An output without JSON member names."""
    for line, words in paragraphs(text, r"\n(?=\$ )"):
        yield line, re.sub(r'"\w+": |"at least"', "", words)


READERS = {".c": of_c, ".cpp": of_c, ".sv": of_c, ".h": of_c, ".def": of_c, ".py": of_python, ".md": of_page, ".js": of_script, ".html": of_script, ".xml": of_xml, ".out": of_output,
           "commands.txt": lambda text: paragraphs(text, r"\n(?=\S)"), ".yaml": lambda text: paragraphs(text, r"\n")}


def files():
    yield from (name for name in os.listdir(root) if name.endswith(".md") and name not in ("CHANGELOG.md", "THIRD-PARTY.md"))
    for room in ROOMS + ["tests/cli", "reports/page"]:
        for folder, _, names in os.walk(os.path.join(root, room)):
            if not re.search(r"/(tests/cli/|node_modules)(/|$)", folder):
                yield from (os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)
                            if room != "tests/cli" or name.endswith(".out"))


held, problems, yet, count = rules(), [], collections.Counter(), 0
for path in sorted(set(files())):
    read = READERS.get(os.path.basename(path)) or READERS.get(os.path.splitext(path)[1])
    if read is None:
        continue
    count += 1
    text = open(os.path.join(root, path), encoding="utf-8").read()
    found = []
    for line, words in read(text):
        plain = re.sub(r"\s+", " ", words)
        for phrase, say, own in held:
            for match in phrase.finditer(own.sub("", plain)):
                found.append(f"{path}:{line}: \"{match.group(0).strip()}\": say: {say}")
        if "±" in words and path.endswith((".out", ".md")) and not SPREAD.search(text if path.endswith(".md") else plain):
            found.append(f"{path}:{line}: ± of what: standard error, or standard deviation?")
    if YET.fullmatch(path) and path not in named:
        yet[path] = len(found)
    else:
        problems += found
if not held or count < 200:
    problems.append("words.py: found nothing to read")
print("\n".join(problems))
print(f"{count} files, {len(held)} phrases; yet to mend: " + (", ".join(f"{path} ({n})" for path, n in yet.most_common() if n) or "none"))
sys.exit(1 if problems else 0)
