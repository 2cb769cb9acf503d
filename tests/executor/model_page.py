"""usage: model_page.py PROGRAM model-file.md: runs the page's commands on generated graphs under the data set's name."""
import os
import re
import subprocess
import sys
import tempfile

program, page = os.path.realpath(sys.argv[1]), open(sys.argv[2], encoding="utf-8").read()
commands = re.findall(r"^nysx-dse (.*)$", page, re.M)
script = re.search(r"```python\n(.*?)```", page, re.S).group(1)
with tempfile.TemporaryDirectory() as folder:
    run = lambda words: subprocess.run([program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    run(["datasets", "generate", "MUTAG", "--graphs", "160", "--classes", "2", "--seed", "3", "-q"])
    for command in commands[-2:]:
        run(command.split())
    said = subprocess.run([sys.executable, "-c", script], cwd=folder, check=True, capture_output=True, text=True).stdout
sys.stdout.write(said)
sys.exit(0 if said == "32 of 32 hypervectors are the same\n" else 1)
