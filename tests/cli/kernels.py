"""Training runs give the same model with every kernel set of OpenBLAS. usage: kernels.py PROGRAM"""
import os
import subprocess
import sys

program = sys.argv[1]
archive = os.path.join(os.environ.get("NYSX_DATA_DIR", "../shared/datasets"), "ENZYMES.zip") # landmark kernels with repeated eigenvalues
if not os.path.exists(archive):
    print(f"SKIPPED: {archive} is not there; NYSX_DATA_DIR says where data sets are")
    sys.exit(77)
told = {}
instructions = open("/proc/cpuinfo").read().split()
for kernel, needs in {"Prescott": "pni", "Sandybridge": "avx", "Haswell": "avx2", "SkylakeX": "avx512f", "Zen": "avx2"}.items():
    if needs not in instructions:
        print(f"without {kernel}: this processor has no {needs}")
        continue
    words = [program, "train", "--dataset", archive, "--preset", "paper", "--seeds", "4", "--format", "csv", "-q"]
    lines = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "OPENBLAS_CORETYPE": kernel}).stdout.splitlines()
    told[kernel] = [line.split(",")[3:5] for line in lines[1:]]
assert all(len(rows) == 4 for rows in told.values()), told
assert len(set(map(str, told.values()))) == 1, told
print(f"{', '.join(told)}: {told['Prescott']}")
