#!/usr/bin/env python3
"""Measures the response to Ctrl-C: runs many searches, interrupts each at random times, and prints the slowest responses.

    tests/bench/interrupts.py build-release/bin/nysx-dse [--tries 3] [--seed 1] [--only WORD]

Each try must end in one of two ways: the search had already finished (exit status 0 or 1), or it reports "interrupted" with exit status 4
and prints only complete lines. A study is resumed by the next try. Prints wall-clock seconds from the signal to the end of the process,
and its processor seconds in that time, which other load does not affect.
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

SWEEP = ["sweep", "--board", "zcu104", "--dataset", "MUTAG"]
OPTIMIZE = ["optimize", "--board", "zcu104", "--dataset", "MUTAG"]
FEW = [word for knob in ("landmarks retrain lshu.balance mphe.gamma kse.balance nee.ports nee.port_bits nee.outstanding "
                         "nee.fifo_depth sce.pe place.codebook place.prototypes capacity units clock_mhz").split()
       for word in ("--fix", knob)]
QUESTIONS = {
    "six objectives": SWEEP + ["--objectives", "latency,energy,bram18,dsp,lut,ff"],
    "six objectives, csv": SWEEP + ["--objectives", "latency,energy,bram18,dsp,lut,ff", "--format", "csv"],
    "other six objectives": SWEEP + ["--objectives", "power,throughput,latency_p99,uram,lutram,ddr_bytes"],
    "no faster than": SWEEP + ["--where", "latency>=20us"],
    "no less energy than": SWEEP + ["--where", "energy>=40uJ"],
    "no less power than": SWEEP + ["--where", "power>=2"],
    "no less logic than": SWEEP + ["--where", "lut>=100000"],
    "no more throughput than": SWEEP + ["--where", "throughput<=20000"],
    "large data set": ["sweep", "--board", "u280", "--dataset", "DD", "--objectives", "latency,energy,bram18,dsp,lut,ff"],
    "three boards": ["sweep", "--board", "zcu104", "--board", "u280", "--board", "kv260", "--dataset", "ENZYMES"],
    "nothing fits": SWEEP + ["--where", "latency<=1us && lut<=20000"],
    "nothing fits, from the wrong side": SWEEP + ["--where", "latency>=10 && dsp<=10"],
    "exhaustive": SWEEP + ["--method", "exhaustive"],
    "heuristic": SWEEP + ["--method", "heuristic", "--budget", "60s"],
    "heuristic, six objectives": SWEEP + ["--method", "heuristic", "--budget", "60s", "--objectives",
                                          "latency,energy,bram18,dsp,lut,ff"],
    "mean of three data sets": ["sweep", "--board", "zcu104", "--dataset", "MUTAG", "--dataset", "ENZYMES", "--dataset", "NCI1",
                                "--combine", "mean"],
    "worst of two data sets, every design": ["sweep", "--board", "zcu104", "--dataset", "MUTAG", "--dataset", "ENZYMES",
                                             "--combine", "worst", "--method", "exhaustive"] + FEW,
    "least energy by integer programs": OPTIMIZE + ["--method", "ilp", "--minimize", "energy"],
    "least power by integer programs": OPTIMIZE + ["--method", "ilp", "--minimize", "power"],
    "model file": OPTIMIZE + ["--method", "ilp", "--minimize", "energy", "--write-lp", "MODEL.lp"],
    "study": SWEEP + ["--objectives", "latency,energy,bram18,dsp,lut", "--study", "STUDY.db"],
}


TICKS = os.sysconf("SC_CLK_TCK")


def processor_s(pid):
    """Processor time of the process so far, all threads."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def ask(program, words, folder, moment):
    words = [os.path.join(folder, w) if w.isupper() and "." in w or w in ("MODEL.lp", "STUDY.db") else w for w in words]
    out, err = (open(os.path.join(folder, name), "w+") for name in ("out", "err"))
    process = subprocess.Popen([program, *words], stdout=out, stderr=err)
    sent = []

    def interrupt():
        if process.poll() is None:
            sent.extend((processor_s(process.pid), time.monotonic()))
            process.send_signal(signal.SIGINT)

    timer = threading.Timer(moment, interrupt)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    ended = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    timer.cancel()
    timer.join()
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
        stream.close()
    took = (ended - sent[1], usage.ru_utime + usage.ru_stime - sent[0]) if sent else None
    return process.returncode, *texts, took


def judge(name, code, out, err):
    if code in (0, 1):
        return None
    if code != 4 or "interrupted" not in err:
        return f"{name}: ended with {code}: {err.strip()[-300:]}"
    if out and not out.endswith("\n"):
        return f"{name}: its output ends in the middle of a line"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=6.0, help="the latest moment, s")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    chance, worst, failures = random.Random(asked.seed), [], []
    print(f"seed {asked.seed}, load {os.getloadavg()[0]:.1f}")
    for name, words in QUESTIONS.items():
        if asked.only not in name:
            continue
        answered, done = [], 0
        with tempfile.TemporaryDirectory() as folder:
            for attempt in range(asked.tries):
                moment = 0.15 + chance.random() ** 2 * asked.longest
                again = ["--resume"] if "STUDY.db" in words and os.path.exists(os.path.join(folder, "STUDY.db")) else []
                code, out, err, took = ask(asked.program, words + again, folder, moment)
                failure = judge(name, code, out, err)
                if failure:
                    failures.append(f"{failure} (interrupted after {moment:.2f} s)")
                if took is None:
                    done += 1
                else:
                    answered.append((*took, moment))
        slowest = max(answered, default=(0.0, 0.0, 0.0))
        processor = max((a[1] for a in answered), default=0.0)
        worst.append((slowest[0], processor, name))
        print(f"{name:40s} {len(answered):3d} interrupted, {done:3d} done before; slowest answer {slowest[0]:.2f} s "
              f"(asked at {slowest[2]:.2f} s), most processor time {processor:.2f} s", flush=True)
    print(f"slowest of all: {max(worst)[0]:.2f} s ({max(worst)[2]}), most processor time {max(w[1] for w in worst):.2f} s, "
          f"load {os.getloadavg()[0]:.1f}")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
