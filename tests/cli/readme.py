"""usage: readme.py PROGRAM README.md: what the README shows of the main job is what it prints, and its table
of packages has all that script/bootstrap installs.
NYSX_UPDATE=1 writes it there anew; the change is then reviewed as a diff."""
import difflib
import os
import re
import subprocess
import sys

program, readme = os.path.realpath(sys.argv[1]), sys.argv[2]
names = {key: value for key, value in os.environ.items() if key not in ("NYSX_DATA_DIR", "NYSX_DSE_SHARE")}
fresh = subprocess.run([program, "sweep", "--board", "zcu104", "--dataset", "MUTAG", "-q"],
                       env={**names, "COLUMNS": "80"}, capture_output=True, text=True, check=True).stdout

text = open(readme, encoding="utf-8").read()
begin = text.index("```\nMUTAG on ") + len("```\n")
end = text.index("```", begin)

bootstrap = open(os.path.join(os.path.dirname(readme), "script/bootstrap"), encoding="utf-8").read()
packages = [package for name in ("packages", "tests")
            for package in re.search(rf"^{name}=\(\n(.*?)^\)", bootstrap, re.M | re.S).group(1).split()]
unsaid = [package for package in packages if f"`{package}`" not in text]
if len(packages) < 20 or unsaid:
    sys.exit(f"of {len(packages)} packages the README does not name {unsaid}")


if text[begin:end] == fresh:
    sys.exit(0)
if os.environ.get("NYSX_UPDATE") == "1":
    with open(readme, "w", encoding="utf-8") as file:
        file.write(text[:begin] + fresh + text[end:])
    sys.exit(0)
print("".join(difflib.unified_diff(text[begin:end].splitlines(True), fresh.splitlines(True), readme, "printed")))
print("NYSX_UPDATE=1 in front of this test writes it anew; script/pictures draws the figures")
sys.exit(1)
