"""usage: figures.py ROOT PROGRAM: the figures of the validation page, between "<!-- figures: LEVEL -->" and "<!-- end -->", and those of the README's table
are those of tests/fidelity.csv, to which ctest -R 'fidelity|schedule' holds the program; the errors on the answer's page are the program's.
NYSX_UPDATE=1 writes the pages anew."""
import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

root, failures = Path(sys.argv[1]), []
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


def held() -> list[str]:
    """For each family, the shipped profiles checked by the test "answers", and those that it cannot check: profiles made only from a publication's counts."""
    text = (root / "tests/validation/CMakeLists.txt").read_text(encoding="utf-8")
    every = re.findall(r"(\w+):([\w-]+)", "".join(re.findall(r"add_test\(NAME answers\w* COMMAND.*?WORKING", text, flags=re.S)))
    lines = ["| family | checked | no data |", "|---|---|---|"]
    for family in ("nysx", "hydraf", "gat", "hdreason", "smgpu"):
        shipped = {path.stem: "<quality" in path.read_text(encoding="utf-8") for path in sorted((root / "models" / family / "profiles").glob("*.xml"))}
        gate = [name for of, name in every if of == family]
        absent = [name for name in shipped if name not in gate]
        failures.extend(f"{family} {name}: in no test of answers" for name in absent if not name.endswith("_table"))
        failures.extend(f"{family} {name}: in the test of answers, but not shipped" for name in gate if name not in shipped)
        named = [f"{name}{'' if shipped[name] else ' (cycles)'}" for name in gate], absent
        lines.append(f"| {family} | " + " | ".join(", ".join(names) or "–" for names in named) + " |")
    return lines


def schedules(profile: str, board: str, engines: list[str]) -> list[str]:
    """Errors over designs in which an engine, or all engines together, works more than 60 cycles per item: below that, loop depths dominate."""
    found = [row for row in rows if row["level"] == "schedule" and row["profile"] == profile and row["board"] == board and float(row["reference"]) > 60]
    return [said([abs(float(row["error"])) for row in found if row["what"] == what]).replace(" %", "")
            for what in ("cycles", *(f"{engine}.cycles" for engine in engines))]


def schedule() -> list[str]:
    nysx = ("lshu", "mphe", "hue", "kse", "nee", "sce")
    lines = ["| set, board, seed | total | " + " | ".join(engine.upper() for engine in nysx) + " |", "|" + "---|" * (len(nysx) + 2)]
    for profile, board, seed in (("MUTAG", "zcu104", 1), ("ENZYMES", "zcu111", 3), ("BZR", "u280", 2), ("NCI1", "zcu102", 4), ("DD", "kv260", 5)):
        lines.append(f"| {profile}, {board}, {seed} | " + " | ".join(schedules(profile, board, nysx)) + " |")
    for family, case, profile, engines in (("GAT", "Cora, zcu106, 1", "cora", ("scheduler", "spmm", "dmvm", "softmax", "aggregator", "dispatcher")),
                                           ("HyDRAF", "airfoil, zcu104, 1", "airfoil_self_noise", ("axi", "encoder", "clustering", "softmax"))):
        lines += ["", f"| {family} | total | " + " | ".join(engines) + " |", "|" + "---|" * (len(engines) + 2)]
        lines.append(f"| {case} | " + " | ".join(schedules(profile, case.split(", ")[1], engines)) + " |")
    return lines


def largest() -> None:
    """The declared errors of NysX's engines exceed the largest error of the schedules by 0 to 0.001."""
    declared = {engine: float(share) for engine, share in re.findall(r'\{"(\w+)", DSE_METRIC_COUNT, "schedule", ([\d.]+)\}', (root / "models/nysx/nysx.c").read_text(encoding="utf-8"))}
    for engine, share in declared.items():
        found = max(abs(float(row["error"])) for row in rows if row["level"] == "schedule" and row["what"] == f"{engine}.cycles" and float(row["reference"]) > 60)
        if not found - 0.0005 <= share <= found + 0.001:
            failures.append(f"models/nysx/nysx.c: the error of {engine} is {share}, but that of the schedules {found:.4f}")


def bands() -> list[str]:
    """The errors behind each family's bands."""
    lines = ["| family | engine cycles | latency on a board | power | energy |", "|---|---|---|---|---|"]
    for name, *words in (("nysx", "MUTAG"), ("nysx", "MUTAG", "--flow", "rtl"), ("hydraf", "airfoil"), ("gat", "cora"), ("hdreason", "FB15K-237"), ("smgpu", "smgpu_mutag")):
        asked = ["--family", name, "--dataset", *words, "--minimize", "latency", "--quality-drop", "none", "--format", "json", "-q"]
        asked += ["--fix", "nee.form=streamed"] if [name, *words] == ["nysx", "MUTAG"] else []  # the form of the published builds
        answer = subprocess.run([sys.argv[2], "optimize", *asked], capture_output=True, text=True, check=True).stdout
        found = json.loads(answer)["provenance"]["errors"]
        share = {error.get("engine", error.get("metric")): f"{100 * error['share']:.3g} %" for error in found}
        engines = ", ".join(f"{engine.upper()} {share[engine]}".removeprefix("EACH ") for engine in (error["engine"] for error in found if "engine" in error))
        level = next(error["level"] for error in found if "engine" in error)
        cycles = f"unknown (simulation: {engines})" if level == "simulation" else f"{level}: {engines}"
        called = f"{name} `{' '.join(words[1:])}`" if words[1:] else name
        lines.append(f"| {called} | {cycles} | " + " | ".join(share.get(metric, "unknown") for metric in ("latency_s", "power_w", "energy_j")) + " |")
    return lines


for path, source, made in (("docs/evidence/validation.md", "tests/fidelity.csv", {"simulation": simulation(), "constants": constants(), "schedule": schedule(), "published": published(), "held": held()}),
                           ("docs/explanation/answer.md", "the program", {"bands": bands()})):
    page = root / path
    text = page.read_text(encoding="utf-8")
    new, count = re.subn(r"(<!-- figures: (\w+) -->\n).*?(<!-- end -->)", lambda at: at.group(1) + "\n".join(made[at.group(2)]) + "\n" + at.group(3), text, flags=re.S)
    if count != len(made):
        failures.append(f"{page.name} has {count} tables of figures, not {len(made)}")
    if new != text:
        if os.environ.get("NYSX_UPDATE") == "1":
            page.write_text(new, encoding="utf-8")
        else:
            failures.append(f"{page.name} differs from {source}; NYSX_UPDATE=1 in front of this test writes it anew")

largest()
lut, ff = (errors("constants", what) for what in ("lut", "ff"))
tables = errors("published", "latency_s", "power_w", "energy_j")
wanted = (f"| {said(errors('simulation', 'cycles', profile='MUTAG'))} | {len(errors('simulation', 'cycles', profile='MUTAG'))} designs |",
          f"| LUT {said(lut, 0)}, FF {said(ff, 0)} | {len(lut)} figures (LUT), {len(ff)} (FF) |", f"| {said(tables)} | {len(tables)} figures |")
run = errors("schedule", "cycles", profile="MUTAG")
wanted += (f"| {said(run)} | {len(run)} designs | `nysx-dse validate --against schedule",)
readme = (root / "README.md").read_text(encoding="utf-8")
failures += [f'README.md: "How far to trust it" has no "{row}"' for row in wanted if row not in readme]
sys.exit("\n".join(failures) if failures else 0)
