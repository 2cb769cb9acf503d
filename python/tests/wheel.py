"""usage: wheel.py BUILD: the wheel of script/wheel works without the tree, in a virtual environment with only NumPy. A package without its
library reports where it looked. A package that pip installed from the tree finds the tree's build.

NumPy and pip's build backend are those of $NYSX_AIDS; without them the test is skipped (exit code 77)."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv[1]).resolve()
aids = pathlib.Path(os.environ.get("NYSX_AIDS", root / ".aids"))
packages = next(iter(aids.glob("lib/python3*/site-packages")), None)
if packages is None or not (packages / "numpy").is_dir():
    print(f"SKIPPED: no NumPy in {aids} (script/aids python)")
    sys.exit(77)
folder = tempfile.TemporaryDirectory(prefix="nysx-wheel-")
os.chdir(folder.name)
environment = {name: value for name, value in os.environ.items() if not name.startswith(("NYSX_", "PYTHON"))}
environment.update(HOME=folder.name, XDG_CACHE_HOME=folder.name + "/cache", XDG_DATA_HOME=folder.name + "/xdg", PATH="/usr/bin:/bin")


def venv(name):
    subprocess.run([str(aids / "bin/python3"), "-m", "venv", name], check=True)
    site = next(pathlib.Path(name).glob("lib/python3*/site-packages"))
    for part in packages.glob("numpy*"):
        shutil.copytree(part, site / part.name, symlinks=True)
    return pathlib.Path(folder.name) / name / "bin/python3", site


def python(program, code, **more):
    return subprocess.run([str(program), "-c", code], capture_output=True, text=True, env={**environment, **more})


wheel = subprocess.run([sys.executable, str(root / "script/wheel"), str(build), "wheels"], capture_output=True, text=True, check=True).stdout.strip()
os.makedirs("part")
done = subprocess.run([sys.executable, str(root / "script/wheel"), "part", "wheels"], capture_output=True, text=True, check=False)
assert done.returncode == 1 and "`cmake --build part` builds it" in done.stderr and "Traceback" not in done.stderr, done
program, site = venv("empty")
subprocess.run([str(program), "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel], check=True, env=environment)
QUESTION = "import nysx; one = nysx.estimate(dataset='MUTAG', raw=True); print(nysx.__file__, nysx.version(), one['total']['latency_s'])"
done = python(program, QUESTION)
assert done.returncode == 0 and done.stdout.startswith(str(pathlib.Path(folder.name) / "empty")), done
answer = done.stdout.split()[2]
loaded = python(program, "import nysx; nysx.version(); print([line.split()[-1] for line in open('/proc/self/maps') if 'nysxdse' in line][0])").stdout
assert loaded.startswith(str(pathlib.Path(folder.name) / "empty")), loaded
emitted = python(program, "import nysx; print(len(nysx.emit('design', dataset='MUTAG', only='header')))")
assert emitted.stdout.strip() == "4", emitted

# Without its library, the package reports where it looked, one place per line.
shutil.rmtree(site / "nysx/lib")
done = python(program, QUESTION)
assert "LibraryMissing" in done.stderr and "Looked for:" in done.stderr and f"{site.resolve()}/nysx/lib/libnysxdse_ask.so" in done.stderr and \
    f"{folder.name}/.local/lib/libnysxdse_ask.so" in done.stderr, done.stderr
# The package finds an installation below ~/.local, and prefers $NYSX_DSE_LIBRARY to everything else.
subprocess.run(["cmake", "--install", str(build), "--prefix", folder.name + "/.local"], check=True, stdout=subprocess.DEVNULL)
done = python(program, QUESTION)
assert done.returncode == 0 and done.stdout.split()[2] == answer, done
done = python(program, QUESTION, NYSX_DSE_LIBRARY="/none/libnysxdse_ask.so")
assert "LibraryMissing" in done.stderr and ".local" not in done.stderr, done.stderr
shutil.rmtree(".local")

# After `pip install ./python` in a built tree, the package finds that tree.
tree = pathlib.Path("tree")
shutil.copytree(root / "python", tree / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
(tree / "build").symlink_to(build)
second, site = venv("of_tree")
for part in [*packages.glob("setuptools*"), *packages.glob("wheel*"), *packages.glob("packaging*"), *packages.glob("pkg_resources"), *packages.glob("_distutils_hack")]:
    if part.is_dir():
        shutil.copytree(part, site / part.name, dirs_exist_ok=True)
subprocess.run([str(second), "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--disable-pip-version-check", str(tree / "python")], check=True, env=environment)
done = python(second, QUESTION)
assert done.returncode == 0 and "of_tree" in done.stdout and done.stdout.split()[2] == answer, done
print("the wheel, the tree, an installation and $NYSX_DSE_LIBRARY: all found; nothing is said with its places")
