"""usage: front_of_three.py PROGRAM SPACE.xml

The front of latency, energy and BRAM of MUTAG on ZCU104 over some 7·10^12 configurations, whose space is a file, so that the search stays
the same while the family's space grows; compute units are fixed at the fewest. The merge's answer must be proven, its least energy must equal the
integer programs' optimum, and it must take only seconds of processor time."""
import json
import resource
import subprocess
import sys

SECONDS_MOST = 20.0  # also under sanitizers; docs/explanation/search.md has the measured time
program, space = sys.argv[1:3]


def run(*words):
    done = subprocess.run([program, *words, "--dataset", "MUTAG", "--board", "zcu104", "--space", space, "--format", "json"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


before = resource.getrusage(resource.RUSAGE_CHILDREN)
sweep = run("sweep", "--objectives", "latency,energy,bram18")
after = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
size, front = sweep["space_size"], sweep["front"]
print(f"{size:.4g} configurations, {len(front)} designs, {seconds:.2f} processor s")
failures = []
if not 1e12 < size < 1e14:
    failures.append("this is no space of some 7e12")
if not sweep["proven"]:
    failures.append("not proven")
if seconds > SECONDS_MOST:
    failures.append(f"more than {SECONDS_MOST} s")
optimum = run("optimize", "--minimize", "energy", "--method", "ilp")["objective"]
least = min(point["total"]["energy_j"] for point in front)
if abs(least - optimum) > 1e-9 * optimum:
    failures.append(f"the least energy of the front is {least}, the integer programs prove {optimum}")
sys.exit("; ".join(failures) or 0)
