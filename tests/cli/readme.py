"""usage: readme.py PROGRAM README.md: the README shows the main command's real output, its first screen of 80 x 50 contains that answer, and
docs/reference/packages.md names all packages that script/bootstrap installs. NYSX_UPDATE=1 writes the output into the README; review the change as a
diff."""
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
table = open(os.path.join(os.path.dirname(readme), "docs/reference/packages.md"), encoding="utf-8").read()
unsaid = [package for package in packages if f"`{package}`" not in table]
if len(packages) < 20 or unsaid:
    sys.exit(f"of {len(packages)} packages docs/reference/packages.md does not name {unsaid}")
screen = text[:end].splitlines()
wide = [line for line in screen if len(line) > 80]
if len(screen) > 50 or wide:
    sys.exit(f"the answer ends on line {len(screen)} of the README, and must be within a screen of 80 x 50; too wide: {wide}")

if text[begin:end] == fresh:
    sys.exit(0)
if os.environ.get("NYSX_UPDATE") == "1":
    with open(readme, "w", encoding="utf-8") as file:
        file.write(text[:begin] + fresh + text[end:])
    sys.exit(0)
print("".join(difflib.unified_diff(text[begin:end].splitlines(True), fresh.splitlines(True), readme, "printed")))
print("NYSX_UPDATE=1 in front of this test writes it anew; script/pictures draws the figures")
sys.exit(1)
