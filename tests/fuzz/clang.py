"""usage: clang.py ROOT BUILD: every source of the library and each fuzz target is read by clang as script/fuzz builds it; headers that a build makes
are those of BUILD. Exit code 77 without clang."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

root, made = (os.path.abspath(word) for word in sys.argv[1:3])
clang = shutil.which("clang") or shutil.which("clang-14")
if clang is None:
    print("skipped: no clang")
    sys.exit(77)
with tempfile.TemporaryDirectory() as build:
    subprocess.run(["cmake", "-S", root, "-B", build, "-G", "Ninja", f"-DCMAKE_C_COMPILER={clang}", "-DNYSX_FUZZ=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        every = json.load(file)
    # Files that the build makes are no source; fuzz_packed.c reads a design that the program emits.
    commands = [c for c in every if not c["file"].startswith(build) and ("nysxdse_objects" in c["command"] or "tests/fuzz/" in c["file"]) and not c["file"].endswith("fuzz_packed.c")]

    def read(command):
        words = shlex.split(command["command"].replace(build, made))
        words = words[words.index(clang):] if clang in words else words
        run = subprocess.run([*words, "-fsyntax-only", "-w"], cwd=made, capture_output=True, text=True, check=False)
        return None if run.returncode == 0 else f"{command['file']}\n{run.stderr}"

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [text for text in pool.map(read, commands) if text is not None]
print(f"{len(commands)} sources, {len(failed)} of which clang rejects")
print("\n".join(failed))
sys.exit(len(failed) > 0 or len(commands) < 100)
