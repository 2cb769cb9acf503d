"""Peak memory of a command: usage: peak_memory.py MODEL.npz PROGRAM ARGUMENT …

Prints the most memory that the program held and its ratio to the model file.
"""
import os
import resource
import subprocess
import sys

subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
peak = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
model = os.path.getsize(sys.argv[1])
print(f"peak memory of infer {peak / 1e6:.1f} MB, model file {model / 1e6:.1f} MB: {peak / model:.2f}")
