"""usage: shards.py PROGRAM

A study whose trainings are made by four machines, here four processes with files of their own, which are killed again and again;
then a merge that is killed. The answer is that of one machine, byte for byte."""
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
failures = 0
rng = random.Random(22)
os.chdir(tempfile.mkdtemp())


def check(good, words):
    global failures
    failures += not good
    print(("ok: " if good else "FAILED: ") + words)


def run(*words, **more):
    return subprocess.run([program, *words], capture_output=True, text=True, check=False, **more)


def sweep(study, *more):
    return run("sweep", "--dataset", "toy.xml", "--data-dir", ".", "--fix", "kse.balance", "--fix", "lshu.balance", "--fix", "place.h",
               "--seeds", "3", "--free", "dim", "--free", "hops", "--objectives", "latency,lut,error", "--jobs", "1", "-q", "--where",
               "accuracy>=0.3 && nee.lanes=16 && kse.pe<=8 && nee.outstanding=16 && landmarks<=32 && hops<=4 && dim<=4096",
               "--study", study, "--format", "csv", *more)


run("datasets", "generate", "TOY", "--graphs", "200", "--classes", "2", "--seed", "3", "-q")
run("datasets", "profile", "./TOY", "--landmarks", "32", "--grid", "sce.prototype_bits=1", "--seeds", "2", "-o", "toy.xml", "-q")
whole = sweep("whole.db")
check(whole.returncode == 0 and whole.stdout.count("\n") > 1, "one machine answers")
check(sweep("s.db", "--budget", "1us").returncode == 4, "the study is begun without a training")

SHARDS = 4
kills, rounds = 0, 0
left = list(range(1, SHARDS + 1))
while left and rounds < 60:
    rounds += 1
    started = {i: subprocess.Popen([program, "study", "tasks", "s.db", "--shard", f"{i}/{SHARDS}", "-o", f"part{i}.db", "--jobs", "1"],
                                   stdout=subprocess.DEVNULL) for i in left}
    if rounds <= 6: # kills come at any moment of a share
        time.sleep(rng.uniform(0.02, 0.6) if rounds > 1 else 0.0) # the first at once: a fast machine may have done all by the second
        for i in rng.sample(left, (len(left) + 1) // 2):
            if started[i].poll() is None:
                started[i].send_signal(signal.SIGKILL)
                kills += 1
    left = [i for i, process in started.items() if process.wait() != 0]
check(not left and kills > 0, "every share is done in the end, though some were killed")

again = run("study", "tasks", "s.db", "--shard", f"1/{SHARDS}", "-o", "part1.db")
check(again.returncode == 0 and ": 0 made" in again.stdout, "a share that is done is not trained again")

parts = [f"part{i}.db" for i in range(1, SHARDS + 1)]
for _ in range(5):
    merging = subprocess.Popen([program, "study", "merge", "s.db", *parts], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.0, 0.05))
    merging.kill()
    merging.wait()
limited = run("study", "merge", "s.db", *parts, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
check(limited.returncode in (0, 4), "a full disk is said with exit status 4")
merged = run("study", "merge", "s.db", *parts)
check(merged.returncode == 0, "and merges in the end " + merged.stderr)
once_more = run("study", "merge", "s.db", *parts)
check("0 trainings are new" in once_more.stdout, "merging again changes nothing")

answer = sweep("s.db", "--resume")
check(answer.returncode == 0 and answer.stdout == whole.stdout, "the same answer, byte for byte " + answer.stderr)
check(" 0 made" in run("study", "tasks", "s.db", "--shard", "1/1", "-o", "rest.db").stdout, "nothing is left to train")

other = sweep("other.db", "--budget", "1us", "--where", "lut<=123456")
refused = run("study", "merge", "s.db", "other.db")
check(refused.returncode == 3 and "lut<=123456" in refused.stderr, "a part of another question is refused")

import sqlite3 # of Python itself: what two roots would do to one study

with sqlite3.connect("s.db") as lock:
    lock.execute("BEGIN EXCLUSIVE")
    second = run("study", "merge", "s.db", "part1.db")
    check(second.returncode == 4, "a study that another program writes to is refused")
sys.exit(failures > 0)
