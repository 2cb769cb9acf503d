"""usage: figures.py ROOT: the figures of the validation page, between "<!-- figures: LEVEL -->" and "<!-- end -->", and those of the README's table are
those of tests/fidelity.csv, which ctest -R fidelity holds the program to. NYSX_UPDATE=1 writes the page anew."""
import csv
import os
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
with open(root / "tests/fidelity.csv", encoding="utf-8") as file:
    rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#")) if row["error"]]


def errors(level: str, *what: str, profile: str | None = None, column: str = "error") -> list[float]:
    found = [row for row in rows if row["level"] == level and row["what"] in what and profile in (None, row["profile"])]
    if column == "as_designed":
        return [abs(float(row["as_designed"]) / float(row["reference"]) - 1) for row in found]
    return [abs(float(row["error"])) for row in found]


def said(found: list[float], digits: int = 1) -> str:
    return f"{100 * sum(found) / len(found):.{digits}f} % ({100 * max(found):.{digits}f})"


def simulation() -> list[str]:
    sets = ["MUTAG", "ENZYMES", "BZR", "NCI1", "DD"]
    lines = ["| | " + " | ".join(sets) + " |", "|" + "---|" * (len(sets) + 1)]
    for name, what in [("total", "cycles"), *((engine.upper(), f"{engine}.cycles") for engine in ("lshu", "mphe", "hue", "kse", "nee", "sce"))]:
        lines.append(f"| {name} | " + " | ".join(said(errors("simulation", what, profile=of)) for of in sets) + " |")
    return lines


def constants() -> list[str]:
    return ["| resource | mean (worst) | n |", "|---|---|---|"] + [
        f"| {what.upper()} | {said(found, 0)} | {len(found)} |" for what in ("dsp", "bram18", "lut", "ff") for found in [errors("constants", what)]]


def published() -> list[str]:
    lines = ["| table | figure | n | predicted, mean (worst) | as designed, mean |", "|---|---|---|---|---|"]
    for table, name, what in (("6", "latency", ["latency_s"]), ("7", "power", ["power_w"]), ("7", "energy", ["energy_j"]),
                              ("6 and 7", "together", ["latency_s", "power_w", "energy_j"]), ("8", "memory", ["memory_bytes"]), ("3", "DSP", ["dsp"]),
                              ("3", "LUT", ["lut"]), ("3", "FF", ["ff"]), ("3", "BRAM18", ["bram18"])):
        found = errors("published", *what)
        plain = said(errors("published", *what, column="as_designed")).split(" (")[0] if what[0].endswith(("_s", "_w", "_j")) else "the same"
        lines.append(f"| {table} | {name} | {len(found)} | {said(found)} | {plain} |")
    return lines


failures = []
page = root / "docs/evidence/validation.md"
text = page.read_text(encoding="utf-8")
made = {"simulation": simulation(), "constants": constants(), "published": published()}
new, count = re.subn(r"(<!-- figures: (\w+) -->\n).*?(<!-- end -->)", lambda at: at.group(1) + "\n".join(made[at.group(2)]) + "\n" + at.group(3), text, flags=re.S)
if count != len(made):
    failures.append(f"{page.name} has {count} tables of figures, not {len(made)}")
if new != text:
    if os.environ.get("NYSX_UPDATE") == "1":
        page.write_text(new, encoding="utf-8")
    else:
        failures.append(f"{page.name} differs from tests/fidelity.csv; NYSX_UPDATE=1 in front of this test writes it anew")

lut, ff = (errors("constants", what) for what in ("lut", "ff"))
tables = errors("published", "latency_s", "power_w", "energy_j")
wanted = (f"| {said(errors('simulation', 'cycles', profile='MUTAG'))} | {len(errors('simulation', 'cycles', profile='MUTAG'))} designs |",
          f"| LUT {said(lut, 0)}, FF {said(ff, 0)} | {len(lut)} figures (LUT), {len(ff)} (FF) |", f"| {said(tables)} | {len(tables)} figures |")
readme = (root / "README.md").read_text(encoding="utf-8")
failures += [f'README.md: "How far to trust it" has no "{row}"' for row in wanted if row not in readme]
sys.exit("\n".join(failures) if failures else 0)
