"""usage: links.py ROOT: every relative link in a Markdown file leads to a file of the tree, every anchor to a heading; docs/README.md
lists every page of docs/."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1]).resolve()
pages = [path for path in sorted(root.rglob("*.md")) if not any(part.startswith((".", "build", "site")) for part in path.relative_to(root).parts)]
failures = []


def anchors(path):
    """Anchors as GitHub derives them from headings."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.M)}


links = 0
for page in pages:
    text = re.sub(r"^(```.*?^```|    .*$)", "", page.read_text(encoding="utf-8"), flags=re.M | re.S if False else re.M)
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = re.sub(r"`[^`]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        links += 1
        where, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", where):
            continue
        goal = (page.parent / where).resolve() if where else page
        if not goal.exists() or not goal.is_relative_to(root):
            failures.append(f"{page.relative_to(root)}: {target}: no such file")
        elif anchor and goal.suffix == ".md" and anchor not in anchors(goal):
            failures.append(f"{page.relative_to(root)}: {target}: no such heading")
index = (root / "docs/README.md").read_text(encoding="utf-8")
for page in sorted((root / "docs").rglob("*.md")):
    name = str(page.relative_to(root / "docs"))
    if name != "README.md" and f"({name})" not in index:
        failures.append(f"docs/README.md: does not name {name}")
if links < 100:
    failures.append(f"only {links} links were found")
print("\n".join(failures) or f"{links} links in {len(pages)} pages")
sys.exit(1 if failures else 0)
