"""usage: reading.py ROOT: checks that the answers of tests/reading.txt are on their pages, and that each page that is not generated has ten questions."""
import re
import sys
from pathlib import Path

# Folders and names of pages.
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "emit/templates/*/*.md", "examples/*/*.md", "models/*/*.md", "python/*.md")
root = Path(sys.argv[1])
failures, asked, page, text = [], {}, "", ""
for line in (root / "tests/reading.txt").read_text(encoding="utf-8").splitlines():
    question, _, answer = line.partition(" => ")
    if line.startswith("#"):
        continue
    if answer:
        asked[page] += 1
        if answer not in text:
            failures.append(f"{page}: {question} Not answered: {answer}")
    elif line:
        page, asked[line] = line, 0
        text = re.sub(r"\s+", " ", (root / page).read_text(encoding="utf-8"))
failures += [f"{name}: {count} questions, not ten" for name, count in asked.items() if count != 10]
for path in sorted(path for pattern in PAGES for path in root.glob(pattern)):
    name = path.relative_to(root).as_posix()
    if name not in asked and not path.read_text(encoding="utf-8").startswith("<!-- generated"):
        failures.append(f"{name}: no questions")
print("\n".join(failures) or f"{sum(asked.values())} questions on {len(asked)} pages")
sys.exit(1 if failures else 0)
