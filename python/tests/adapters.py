"""usage: adapters.py LIBRARY: each adapter of python/examples has fewer than 60 lines, runs alone, and judges the number of designs that
it was given. Adapters whose libraries are missing are reported as SKIPPED; if all are, the exit code is 77."""
import os
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
aids = Path(os.environ.get("NYSX_AIDS", root / ".aids")) / "bin/python"
python = str(aids) if aids.exists() else sys.executable
environment = {**os.environ, "NYSX_DSE_LIBRARY": str(Path(sys.argv[1]).resolve()), "PYTHONPATH": str(root / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
ran = 0
for name, *words in (("random", "300"), ("nysx", "500"), ("optuna", "tpe", "30"), ("optuna", "nsga2", "60"), ("pymoo", "nsga2", "300"), ("pymoo", "nsga3", "300"), ("pymoo", "moead", "300"),
                     ("botorch", "40")):
    path = root / f"python/examples/explore_{name}.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60, path
    done = subprocess.run([python, str(path), *words], capture_output=True, text=True, env=environment)
    if "ModuleNotFoundError" in done.stderr or "ImportError" in done.stderr:
        print(f"{name} {' '.join(words)} SKIPPED: {done.stderr.strip().splitlines()[-1]}")
        continue
    assert done.returncode == 0 and done.stdout.strip(), (name, words, done)
    again = subprocess.run([python, str(path), *words], capture_output=True, text=True, env=environment)
    assert again.stdout == done.stdout, (name, words, "two runs of one seed differ")
    ran += 1
print(f"{ran} adapters ran")
sys.exit(0 if ran > 0 else 77)
