"""usage: ranks.py PROGRAM [--full]

A sweep over several processes that MPI starts: the answer is that of one process, byte for byte, for any number of ranks; killed ranks, a
killed root, a full disk and two roots on one study lose no stored result. Skipped without mpirun (exit status 77)."""
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
if shutil.which("mpirun") is None or not os.path.exists(os.path.join(os.path.dirname(program), "../lib/nysx-dse/mpi.so")):
    print("SKIPPED: mpirun, or the program's module for MPI, is not there: nothing of sweeps over several processes is tested")
    sys.exit(77)
FULL = "--full" in sys.argv
failures = 0
rng = random.Random(22)
os.chdir(tempfile.mkdtemp())
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # MPI's own
MPI = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
SEEDS = 24
QUESTION = ["sweep", "--dataset", "toy.xml", "--data-dir", ".", "--fix", "kse.balance", "--fix", "lshu.balance", "--fix", "place.h",
            "--free", "dim", "--free", "hops", "--objectives", "latency,lut,error", "--jobs", "1", "-q", "--where",
            "accuracy>=0.3 && nee.lanes=16 && kse.pe<=8 && nee.outstanding=16 && landmarks<=32 && hops<=4 && dim<=4096",
            "--format", "csv"]


def check(good, words):
    global failures
    failures += not good
    print(("ok: " if good else "FAILED: ") + words, flush=True)


def sweep(study, *more, ranks=0, limit=(), seeds=SEEDS):
    front = [*MPI, *(["--mca", "btl", "self,tcp"] if limit else []), "-n", str(ranks)] if ranks else []  # no shared memory in files
    return subprocess.run([*front, *limit, program, *QUESTION, "--seeds", str(seeds), "--study", study, *more], capture_output=True,
                          text=True, check=False, timeout=100)


def started(study, ranks, *more, how=(), seeds=SEEDS):
    """The answer goes to a file, because an unread pipe would block the program."""
    with open("answer.csv", "w") as answer:
        return subprocess.Popen([*MPI, *how, "-n", str(ranks), program, *QUESTION, "--seeds", str(seeds), "--study", study, *more],
                                stdout=answer, stderr=subprocess.DEVNULL)


def ranks_of(mpirun):
    """The process IDs below an mpirun, by rank."""
    found = {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/exe") == program:
                words = open(f"/proc/{name}/environ").read().split("\0")
                parent = int(open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()[1])
                if parent == mpirun.pid:
                    found[[int(w.split("=")[1]) for w in words if w.startswith("OMPI_COMM_WORLD_RANK=")][0]] = int(name)
        except (OSError, IndexError):
            pass
    return found


def end_of(run):
    """Returns the output. Ends mpirun if all ranks are gone and it hangs (as OpenMPI 4 may after a kill), or after two minutes."""
    until = time.time() + 120
    while True:
        try:
            run.wait(timeout=5)
            with open("answer.csv") as answer:
                return answer.read()
        except subprocess.TimeoutExpired:
            left = ranks_of(run)
            if not left or time.time() > until:
                for process in left.values():
                    os.kill(process, signal.SIGKILL)
                run.kill()


def written(study):
    """Bytes in a running program's write-ahead log: 300 KB for the request, then 12 KB per training run."""
    try:
        return os.path.getsize(study + "-wal")
    except FileNotFoundError:  # the log does not exist yet, or was removed when the study was closed
        return 0


def caught(study, ranks, least, how=(), seeds=SEEDS):
    """Returns a run whose processes all work and have written that much; restarts it if a fast machine finished too early."""
    for attempt in range(40):
        for name in (study, study + "-wal", study + "-shm"):
            if os.path.exists(name):
                os.remove(name)
        run, seen, until = started(study, ranks, how=how, seeds=seeds), False, time.time() + 30
        while time.time() < until and run.poll() is None:
            there = len(ranks_of(run))
            if there == ranks and written(study) >= least:
                return run
            if seen and there == 0:
                break
            seen |= there == ranks
            time.sleep(0.002)
        end_of(run)
    check(False, f"{study}: {ranks} processes at work were never caught")
    sys.exit(1)


def kept(study):
    """The training runs in a study that no program has open; none without a study."""
    if not os.path.exists(study):
        return 0
    look = sqlite3.connect(study)
    try:
        return look.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        look.close()


subprocess.run([program, "datasets", "generate", "TOY", "--graphs", "400", "--classes", "2", "--seed", "3", "-q"], capture_output=True)
subprocess.run([program, "datasets", "profile", "./TOY", "--landmarks", "32", "--grid", "sce.prototype_bits=1", "--seeds", "2",
                "-o", "toy.xml", "-q"], check=True)
whole = sweep("whole.db")
ALL = kept("whole.db")
check(whole.returncode == 0 and whole.stdout.count("\n") > 1 and ALL > 50, f"one process answers, by {ALL} trainings")
for ranks in (2, 3, 4):
    of_some = sweep(f"of{ranks}.db", ranks=ranks)
    check(of_some.returncode == 0 and of_some.stdout == whole.stdout and kept(f"of{ranks}.db") == ALL,
          f"{ranks} ranks answer the same, byte for byte {of_some.stderr}")


def killed(study, victim):
    """Repeatedly starts four ranks and kills the one chosen by `victim`; the number of stored results never decreases."""
    kills, before, well, answer = 0, 0, True, None
    for attempt in range(60):
        run = started(study, 4, *(["--resume"] if os.path.exists(study) else []))
        if kills < 4:
            until = time.time() + 20
            while time.time() < until and run.poll() is None and len(ranks_of(run)) < 4:
                time.sleep(0.02)
            wanted = rng.randrange(200000, 900000)
            while time.time() < until and run.poll() is None and written(study) < wanted:
                time.sleep(0.01)
            alive = ranks_of(run)
            if run.poll() is None and len(alive) == 4:
                os.kill(alive[victim()], signal.SIGKILL)
                kills += 1
        answer = end_of(run)
        after = kept(study)
        well &= after >= before
        before = after
        if run.returncode == 0:
            break
    check(well and kills >= 2 and run.returncode == 0 and answer == whole.stdout,
          f"after {kills} kills what was kept is there, and --resume comes to the same answer")


killed("ranks.db", lambda: rng.choice([1, 2, 3]))
killed("root.db", lambda: 0)

if FULL:  # OpenMPI 4 may wait for ever for killed ranks
    run = caught("outlived.db", 4, 200000, how=["--enable-recovery"])
    alive = ranks_of(run)
    lost = [rank for rank in (1, 3) if rank in alive]
    for rank in lost:
        os.kill(alive[rank], signal.SIGKILL)
    answer = end_of(run)
    check(len(lost) == 2 and answer == whole.stdout and kept("outlived.db") == ALL,
          "where MPI outlives lost ranks their trainings are made by the others")

full = sweep("full.db", ranks=2, limit=["bash", "-c", 'ulimit -f 400; exec "$0" "$@"'])
there = kept("full.db")
check(full.returncode == 4 and 0 < there < ALL, f"a full disk is said with exit status 4, after {there} trainings {full.stderr[:300]}")
more = sweep("full.db", "--resume", ranks=2)
check(more.returncode == 0 and more.stdout == whole.stdout, "and with room the same answer")

run = caught("two.db", 2, 50000)
root = ranks_of(run)[0]
os.kill(root, signal.SIGSTOP)  # a fast machine finishes before the second one starts
second = sweep("two.db", "--resume", ranks=2)
os.kill(root, signal.SIGCONT)
answer = end_of(run)
check(run.returncode == 0 and answer == whole.stdout and second.returncode == 4 and "two.db" in second.stderr,
      "two roots on one study: the second is rejected, the first is not disturbed")

# OpenMPI 4 forwards its signal to the ranks after a second, and kills them a second later: a fast machine does much in this time.
MANY = 8
run = caught("stopped.db", 4, 400000, seeds=MANY * SEEDS)
os.kill(run.pid, signal.SIGINT)
at = time.time()
end_of(run)
taken, there = time.time() - at, kept("stopped.db")
check(taken < 30 and 0 < there < MANY * ALL,
      f"an interruption ends all of them: in {taken:.1f} s, with {there} of {MANY * ALL} trainings kept")
more, whole = sweep("stopped.db", "--resume", ranks=3, seeds=MANY * SEEDS), sweep("more.db", seeds=MANY * SEEDS)
check(more.returncode == 0 and more.stdout == whole.stdout, f"and --resume goes on {more.stderr[:300]}")

wrong = sweep("wrong.db", "--where", "nonsense<=3", ranks=3)
check(wrong.returncode == 2 and wrong.stderr.count("nonsense") == 1, "what is wrong is said once, with its exit status")
sys.exit(failures > 0)
