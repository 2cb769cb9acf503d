"""usage: wrong_files.py PROGRAM FILE.yaml …

Two hundred wrong files, each made by mutating one line of an example. `family check` rejects each with exit code 3, names the file and the
changed line (or, for a removed name, a line that reads it), and never crashes."""
import os
import random
import re
import subprocess
import sys
import tempfile

program, examples = sys.argv[1], sys.argv[2:]
WANTED = 200
random.seed(38)


def keys(line):
    return [m for m in re.finditer(r"(?:(?<=[{ ])|^)([a-z_.0-9]+):(?= |$)", line)]


def mutations(lines):
    """(line, new text of the line, lines that may be named) of every mutation of a file."""
    text = "\n".join(lines)
    for n, line in enumerate(lines):
        body = line.split(" #")[0]
        if not body.strip() or body.lstrip().startswith("#"):
            continue
        # a bracket that is never closed, or one too many
        if "(" in body:
            at = body.index("(")
            yield n, body[:at] + body[at + 1:], {n}
            yield n, body[:at] + "(" + body[at:], {n}
        # an unknown word: part, key, operator, stage
        part = re.match(r"(\s+- )([a-z_]+)(: .*)", body)
        if part and part[2] not in ("require",):
            yield n, part[1] + part[2] + "x" + part[3], {n}
        for found in keys(body):
            word = found[1]
            if word in ("stage", "trips", "bytes", "times", "oneof", "range", "words", "default", "parts", "structure", "size", "bits", "place", "because", "condition", "value",
                        "low", "high", "level", "type", "op", "busy", "min", "max", "depth", "count"):
                if "let: {" not in body and not body.startswith("  " + word + ":"):
                    yield n, body[:found.start(1)] + word + "q" + body[found.end(1):], {n}
        # an invalid value
        for pattern, wrong in ((r"op: \w+", "op: multiply"), (r"structure: \w+,", "structure: nothing,"), (r"place: \w+", "place: disk"), (r"stage: \w+", "stage: nowhere"),
                               (r"level: [\w-]+", "level: guessed"), (r"source: \w+", "source: hearsay"), (r"kind: \w+", "kind: soft"), (r"default: \w+", "default: 1.5.2"),
                               (r"range: [\w.-]+", "range: 5"), (r"powers_of: 2", "powers_of: 1"), (r"min: 1", "min: 9e30"), (r"low: [\d.]+", "low: 1e9"), (r"type: \w+", "type: int7")):
            if re.search(pattern, body):
                yield n, re.sub(pattern, wrong, body, count=1), {n}
        # formulas: an unknown name, an unknown operator, division by zero, a wrong dimension
        for found in re.finditer(r"(?:trips|bytes|busy|size|words|count|condition|when|fill): (\"?)([^{}\",]+)", body):
            formula = found[2].rstrip()
            if re.fullmatch(r"[a-z0-9_.]+: .*|\w+", formula) and not formula.isidentifier():
                continue
            at, end = found.start(2), found.start(2) + len(formula)
            for wrong in (formula + " + nobody", formula + " $ 2", "(" + formula + ") / 0", formula + " +", "3 joules + 2 seconds"):
                quote = "" if found[1] else '"'
                yield n, body[:at] + quote + wrong + quote + body[end:], {n}
        # the same key twice; a line too deep
        if re.match(r"  [a-z_.]+: ", body):
            yield n, body + "\n" + body, {n, n + 1}
        if re.match(r"[a-z]+:", body):
            yield n, body.replace(":", "", 1), {n, n - 1, n + 1}
        # a removed declaration: the error names its reader
        name = re.match(r"  ([a-z_.0-9]+): ", body)
        section = max((k for k in range(n + 1) if re.match(r"[a-z]+:", lines[k])), default=0)
        if name and lines[section].split(":")[0] in ("let", "knobs", "workload", "constants"):
            readers = {k for k, other in enumerate(lines) if k != n and re.search(r"(?<![\w.])" + re.escape(name[1]) + r"(?![\w.])", other)}
            if readers:
                yield n, "", readers | {section}


def check(example):
    lines = open(example, encoding="utf-8").read().split("\n")
    for n, changed, named in mutations(lines):
        yield n, lines[:n] + [changed] + lines[n + 1:], named


cases = [(example, *case) for example in examples for case in check(example)]
random.shuffle(cases)
wrong, accepted, tried = [], 0, 0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "wrong.yaml")
    for example, n, lines, named in cases:
        if tried == WANTED:
            break
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        run = subprocess.run([program, "family", "check", path], capture_output=True, text=True, check=False, timeout=60)
        if run.returncode == 0:  # still valid: `default: x` of a word with that name, a valid sum
            accepted += 1
            continue
        tried += 1
        first = run.stderr.split("\n")[0]
        said = re.match(r"nysx-dse: " + re.escape(path) + r":(\d+):(\d+):", first)
        written = "\n".join(lines).split("\n")
        within = said is not None and int(said[1]) <= len(written) and 1 <= int(said[2]) <= len(written[int(said[1]) - 1]) + 1
        if run.returncode != 3 or "ERROR" in run.stderr or not within or int(said[1]) - 1 not in named:
            wrong.append(f"{os.path.basename(example)}:{n + 1}: {lines[n].strip()!r} gives exit {run.returncode}, {first}")
print(f"{tried} wrong files tried, {len(wrong)} of them answered wrongly; {accepted} mutations left the file right")
for line in wrong:
    print(line)
sys.exit(tried < WANTED or len(wrong) > 0)
