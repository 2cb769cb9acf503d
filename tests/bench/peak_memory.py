"""Peak memory of a command: usage: peak_memory.py MODEL.npz PROGRAM ARGUMENT …

Prints the program's peak memory including libraries and data set, the memory of the program without work, and the ratio to the model file.
"""
import os
import subprocess
import sys


def peak(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: failed")
    return 1024 * used.ru_maxrss


bare, whole, model = peak([sys.argv[2], "version"]), peak(sys.argv[2:]), os.path.getsize(sys.argv[1])
print(f"peak memory of infer {whole / 1e6:.1f} MB ({bare / 1e6:.1f} MB of them the bare program), model file "
      f"{model / 1e6:.1f} MB: {whole / model:.2f} of it, {(whole - bare) / model:.2f} without the bare program")
