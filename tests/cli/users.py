"""usage: users.py PROGRAM Mistakes of new users, repeated: a first request, a misspelt word, a pipe, a copied program."""
import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

program = str(pathlib.Path(sys.argv[1]).resolve())
folder = tempfile.TemporaryDirectory(prefix="nysx-users-")
os.chdir(folder.name)
environment = {**os.environ, "XDG_DATA_HOME": folder.name + "/xdg", "XDG_CACHE_HOME": folder.name + "/cache"}
environment.pop("NYSX_DATA_DIR", None)
checks = 0


def run(*words, code=0, program=program, **more):
    done = subprocess.run([program, *words], capture_output=True, text=True, env=environment, **more)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def check(condition, *what):
    global checks
    checks += 1
    assert condition, what


def doctor():
    tools = json.loads(run("doctor", "--format", "json").stdout)["results"]
    check(all(tool["purpose"] and tool["remedy"] for tool in tools) and {"cc", "verilator", "v++"} <= {tool["tool"] for tool in tools}, tools)
    # Tools are looked for only in PATH.
    os.makedirs("bin")
    pathlib.Path("bin/vivado").write_text("#!/bin/sh\n")
    os.chmod("bin/vivado", 0o755)
    found = {tool["tool"]: tool["path"] for tool in json.loads(subprocess.run(
        [program, "doctor", "--format", "json"], capture_output=True, text=True, env={**environment, "PATH": folder.name + "/bin:/usr/bin:/bin"}).stdout)["results"]}
    check(found["vivado"] == folder.name + "/bin/vivado", found)
    check("vivado: " in run("doctor").stdout or shutil.which("vivado"), "the remedy of what is missing")


def checker_missing():
    """The message comes before training, and says how to build the missing tool."""
    os.makedirs("copy/share", exist_ok=True)
    shutil.copy(program, "copy/nysx-dse")
    alone = {**environment, "PATH": "/bin"}
    done = subprocess.run(["copy/nysx-dse", "emit", "--dataset", "MUTAG", "--check", "-o", "none"], capture_output=True, text=True, env=alone)
    if shutil.which("nysx-hls-check", path="/bin"):
        return
    check(done.returncode == 4 and "LLVM 14 to 19" in done.stderr and "made-up" not in done.stderr and not os.path.exists("none"), done)
    pathlib.Path("CMakeCache.txt").write_text("")  # as below a build folder
    done = subprocess.run(["copy/nysx-dse", "emit", "--check", "none"], capture_output=True, text=True, env=alone)
    check("cmake --build" in done.stderr and "nysx-hls-check" in done.stderr, done.stderr)


def bootstrap():
    """A missing optional package does not prevent the others, and the first available LLVM is chosen."""
    script = pathlib.Path(__file__).resolve().parents[2] / "script/bootstrap"
    os.makedirs("apt", exist_ok=True)
    optional = "clang-19 llvm-19-dev libopenmpi-dev openmpi-bin python3-scipy".split()
    for name, text in (("dpkg-query", "case ${@: -1} in clang-*|llvm-*|*openmpi*|python3-scipy) exit 1 ;; esac; echo -n install ok installed"),
                       ("apt-get", "echo \"$*\" >>apt.log; touch lists; case $* in *openmpi-bin*) exit 100 ;; esac"),
                       ("apt-cache", "[ -e lists ] && case $2 in *-19*|*-18*) ;; *) exit 100 ;; esac"), ("sudo", 'exec "$@"')):
        pathlib.Path("apt", name).write_text(f"#!/bin/bash\n{text}\n")
        os.chmod(f"apt/{name}", 0o755)
    done = subprocess.run([str(script)], capture_output=True, text=True, env={**environment, "PATH": f"{folder.name}/apt:/usr/bin:/bin"})
    asked = pathlib.Path("apt.log").read_text()
    check(done.returncode == 0 and sorted(re.findall(r"recommends (\S+)", asked)) == sorted(optional) and "openmpi-bin cannot" in done.stderr
          and "openmpi-dev cannot" not in done.stderr, done, asked)


def one_denominator():
    """Every share of the board refers to what a kernel may use: in `sweep`, `estimate`, and --where."""
    design = json.loads(run("estimate", "--dataset", "MUTAG", "--format", "json").stdout)
    shares = {name: design["total"][name] / limit for name, limit in design["limits"].items() if limit}
    name, most = max(shares.items(), key=lambda item: item[1])
    line = next(line for line in run("sweep", "--dataset", "MUTAG", "-q").stdout.splitlines() if line.startswith("balanced"))
    check(re.search(rf"{100 * most:.0f} ?% {name.upper()}", line), line, shares)
    table = run("estimate", "--dataset", "MUTAG").stdout
    check(re.search(rf"^{name.upper()} .* {100 * most:.1f} ?%", table, re.M), table, shares)
    words = ["estimate", "--from", "s.db:best", "--format", "json"]
    above, below = (f"{name}<={100 * most + delta:.2f}%" for delta in (0.01, -0.01))
    fixed = [word for knob, value in design["config"].items() for word in ("--fix", f"{knob}={value}")]
    run("optimize", "--dataset", "MUTAG", "--minimize", "latency", "--quality-drop", "none", *fixed, "--where", above)
    run("optimize", "--dataset", "MUTAG", "--minimize", "latency", "--quality-drop", "none", *fixed, "--where", below, code=1)


def widths():
    for words in (["--wide"], ["--top", "5"], ["--front", "9"]):
        wide = run("sweep", "--dataset", "MUTAG", "-q", *words).stdout
        check(max(map(len, wide.splitlines())) <= 120, max(wide.splitlines(), key=len))


def wrong_words():
    done = run("estimate", "--dataset", "MUTAG", "--set", "clock_mhz=900", code=2)
    check(done.stdout == "" and "400 MHz" in done.stderr, done)
    run("estimate", "--dataset", "MUTAG", "--set", "clock_mhz=400")
    for words in ("sweep --fix clock_mhz=900", "optimize --minimize energy --fix clock_mhz=900", "plot latency --x clock_mhz=100,900"):
        done = run(*words.split(), "--dataset", "MUTAG", code=2)
        check(done.stdout == "" and "clock_mhz=900: zcu104 closes timing up to 400 MHz" in done.stderr, done)
    run("plot", "latency", "--dataset", "MUTAG", "--x", "clock_mhz=100,400")
    run("sweep", "--dataset", "MUTAG", "--board", "pynq-z2", "--board", "zcu104", "--fix", "clock_mhz=400", "-q")
    done = run("sweep", "--dataset", "MUTAG", "--where", "clock_mhz=900", code=1)
    check("400 MHz" in done.stderr and "--fix" not in done.stderr, done.stderr)
    check("looked for ./z.csv/, ./z.csv.zip and ./z.csv (" in run("datasets", "show", "z.csv", code=2).stderr, "a file that is missing")
    check("cora on zcu106" in run("sweep", "--dataset", "cora").stderr, "a profile's name brings its family")
    check(run("schema", "optimize").stdout == run("schema", "optimum").stdout, "a command in place of its document")
    both = run("estimate", "--dataset", "MUTAG", "--board", "pynq-z2", "--board", "zcu104", "--set", "clock_mhz=300")
    check("reaches at most" in both.stdout, "one of two boards reaches it")
    run("datasets", "generate", "cites", "--kind", "nodes", "-q")
    run("datasets", "generate", "rows", "--kind", "table", "-q")
    for words, family in ((["train", "--dataset", "cites/"], "gat"), (["sweep", "--dataset", "rows/"], "hydraf")):
        done = run(*words, code=2)
        check(f"--family {family}" in done.stderr, done.stderr)
    for words, hint in (("sweep MUTAG", "did you mean --dataset MUTAG?"), ("sweep --dataset MUTAG --objectives latency energy", "--objectives A,B"),
                        ("optimize --dataset MUTAG --minimize speed", "--minimize speed"), ("sweep --dataset COX2", "a path such as ./graphs.zip"),
                        ("sweep --dataset MUTAG --board zcu104,kv260", "its own --board"), ("boards show zcu", "nearest: zcu102, zcu104, zcu106"),
                        ("emit --dataset MUTAG --data-dir nowhere -o none", "the data of MUTAG are missing")):
        check(hint in run(*words.split(), code=2).stderr, words)
    check("its own --dataset" in run("sweep", "--dataset", "MUTAG,NCI1", code=2).stderr, "a list with commas")
    check("did you mean front?" in run("plot", "frnt", "--dataset", "MUTAG", code=2).stderr, "a picture's name")
    # A choice of columns without the file's last one changes the predicted column: the program says so.
    pathlib.Path("h.csv").write_text("rooms,town,age,price\n" + "".join(f"{i % 7},{'NS'[i % 2]},{i % 11},{i % 7 * 9}\n" for i in range(60)))
    train = ["train", "--family", "hydraf", "--dataset", "h.csv", "--dim", "64", "--columns"]
    check('predicts "age"' in run(*train, "rooms,age").stderr and "predicts" not in run(*train, "rooms,price").stderr, "the target of chosen columns")
    check('predicts "rooms"' in run(*train, "price,rooms").stderr and 'predicts "age"' in run(*train, "rooms,age,price", "--drop", "price").stderr, "the last that was chosen")
    check("--columns names the target last" in run(*train, "rooms,town", code=3).stderr, "a target of words")


def next_command():
    """The next command named by `sweep` writes a folder with a source, also for a SystemVerilog-only family, as a note says; a bare header is announced."""
    for family, dataset in (("smgpu", "smgpu_mutag"), ("nysx", "MUTAG")):
        told = run("sweep", "--family", family, "--dataset", dataset, "--study", f"{family}.db", "-q").stdout
        command = re.search(r"^next: nysx-dse (emit .*) -o", told, re.M)[1]
        said = run(*command.split(), "-o", f"of-{family}").stderr
        check((f"--flow rtl: the family {family}" in said) == (family == "smgpu") == os.path.exists(f"of-{family}/{family}_top.sv"), said)
        check({"README.md", "Makefile"} <= set(os.listdir(f"of-{family}")), command)
    # Without a vendor's tools, a step of the folder names what it needs.
    for step, need in (("csynth", "v++ of Vitis"), ("csim-hls", "vitis-run"), ("ip", "v++"), ("host", "the headers of XRT")):
        done = subprocess.run(["make", step, "XRT=/nowhere"], cwd="of-nysx", capture_output=True, text=True, env={**environment, "PATH": "/usr/bin:/bin"})
        check(done.returncode == 2 and f"needs {need}" in done.stderr, step, done)
    done = run("emit", "--from", "smgpu.db:best", "--flow", "hls", "-o", "bare")
    check("only the header is written" in done.stderr and "--flow rtl" in done.stderr, done.stderr)
    check("only the header" not in run("emit", "--from", "smgpu.db:best", "--only", "header", "-o", "asked").stderr, "what was asked for")


def another_set():
    """`emit --cases` says how many cases there are at most; `infer` says that a model is of other data."""
    for name, seed in (("own", "1"), ("other", "2")):
        run("datasets", "generate", name, "--graphs", "40", "--seed", seed, "-q")
    run("train", "--dataset", "own/", "--landmarks", "8", "-o", "own.npz", "-q")
    check("only 8 are held out" in run("emit", "--dataset", "own/", "--model", "own.npz", "--cases", "9", "-o", "nine").stderr, "9 of 8 cases")
    if (pathlib.Path(program).parent / "nysx-hls-check").exists():
        run("emit", "--dataset", "MUTAG", "--only", "header", "-o", "header", "-q")
        check("not only a header" in run("emit", "--check", "header", code=3).stderr, "a folder without an HLS source")
    check("held out" not in run("emit", "--dataset", "own/", "--model", "own.npz", "--cases", "8", "-o", "eight").stderr, "8 of 8 cases")
    check("trained on own, not other" in run("infer", "--model", "own.npz", "--dataset", "other/").stderr and
          "trained on" not in run("infer", "--model", "own.npz", "--dataset", "own/").stderr, "a model of other data")


COMMANDS = """version|study show s.db|completions bash|plot front --study s.db|plot engines --dataset MUTAG|emit --dataset MUTAG -o e
run plain.yaml --dry-run|family new mine|family parts|sweep --dataset MUTAG|estimate --dataset MUTAG|whatif --dataset MUTAG|roofline --dataset MUTAG
boards list|boards show zcu104|datasets list|datasets show MUTAG|optimize --dataset MUTAG --minimize latency|study export s.db|report --study s.db|doctor
train --dataset ./set --landmarks 8 --dim 64 --hops 2|sweep --dataset MUTAG --describe|validate --family smgpu --against published"""


def every_command():
    """--format json gives one document with `$schema`, `schema` and `results`; for one board its other members equal the element of `results`."""
    run("sweep", "--dataset", "MUTAG", "--fix", "nee.form=direct", "--study", "s.db", "-q")
    run("datasets", "generate", "set", "--graphs", "40", "-q")
    pathlib.Path("plain.yaml").write_text("command: version\n")
    for line in COMMANDS.replace("\n", "|").split("|"):
        answer = json.loads(run(*line.split(), "--format", "json", "-q").stdout)
        name = answer["schema"].split(".", 1)[1].replace("/", ":")
        check(answer["$schema"] == f"urn:nysx-dse:schema:{name}" and isinstance(answer["results"], list) and answer["results"], line)
        if line.startswith(("sweep --dataset MUTAG", "estimate", "whatif")) and "describe" not in line:
            check(answer["results"] == [{key: value for key, value in answer.items() if key not in ("$schema", "results")}], line)
    run("completions", "bash", "--format", "csv", code=2)
    rows = run("study", "show", "s.db", "--format", "csv").stdout.splitlines()
    check(len(rows) == 2 and rows[0].split(",").count("front_count") == 1, rows)


def quality_by_name():
    rows = run("train", "--dataset", "./set", "--landmarks", "8", "--dim", "64", "--hops", "2", "--format", "csv", "-q").stdout.splitlines()
    row = dict(zip(rows[0].split(","), rows[1].split(",")))
    check(row["accuracy"] == row["quality"] and float(row["accuracy"]) > 0, rows)
    check(".json" in run("report", "--study", "s.db", "-o", "r.html", "--format", "json", code=2).stderr, "JSON into a page's name")
    for family, dataset, name in (("nysx", "MUTAG", "accuracy"), ("hydraf", "airfoil", "quality"), ("hdreason", "FB15K-237-500", "mrr")):
        lines = run("estimate", "--family", family, "--dataset", dataset, "--preset", "paper", "--format", "csv", "-q").stdout.splitlines()
        row = dict(zip(lines[0].split(","), lines[1].split(",")))
        check(row[name] == row["quality"] and float(row[name]) > 0, (dataset, row))
    words = ["sweep", "--dataset", "MUTAG", "--dataset", "NCI1", "--combine", "worst", "--method", "heuristic", "--budget", "100", "-q"]
    row = next(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    check(row["accuracy"] == row["quality"] and "quality" not in run(*words).stdout, row)
    # A metric of one's own has its name, also in a study.
    asked = ["sweep", "--dataset", "./set", "--metric", "macro_f1", "--format", "csv", "-q"]
    for words in (asked, [*asked, "--compact"], [*asked, "--study", "f1.db"], ["study", "export", "--format", "csv", "f1.db"], ["study", "export", "--format", "csv", "s.db"]):
        row = next(csv.DictReader(io.StringIO(run(*words).stdout)))
        own, other = ("accuracy", "macro_f1") if words[-1] == "s.db" else ("macro_f1", "accuracy")
        check(row[own] == row["quality"] and float(row[own]) > 0 and other not in row, words, row)
    metrics = json.loads(run("study", "export", "f1.db", "--format", "json").stdout)["explorations"][0]["front"][0]["metrics"]
    check(metrics["macro_f1"] == metrics["quality"], metrics)
    lines = list(csv.DictReader(io.StringIO(run("whatif", "--dataset", "MUTAG", "--format", "csv", "-q").stdout)))
    check([row for row in lines if row["what"] == "accuracy"] and not [row for row in lines if row["what"] == "quality"], lines)
    run("plot", "quality", "--dataset", "MUTAG", "--x", "landmarks", "--data", "quality.csv", "-o", "quality.svg", "-q")
    check({row["y_is"] for row in csv.DictReader(open("quality.csv"))} == {"accuracy"}, open("quality.csv").read())
    lines = list(csv.DictReader(io.StringIO(run("compare", "--dataset", "./set", "--format", "csv", "-q").stdout)))
    check(any(row["accuracy"] for row in lines) and all(row["accuracy"] == row["quality"] for row in lines), lines)


def quiet_and_pipes():
    """Without an error, -q prints nothing on standard error; a closed pipe is not a failure."""
    for words in (["sweep", "--dataset", "MUTAG"], ["estimate", "--dataset", "MUTAG"], ["emit", "--dataset", "MUTAG", "-o", "e"], ["whatif", "--dataset", "MUTAG"],
                  ["sweep", "--dataset", "set/", "--budget", "1s"]):
        check(run(*words, "-q").stderr == "", words)
    for words in ("sweep --dataset MUTAG", "sweep --dataset MUTAG --format json", "sweep --dataset MUTAG --format csv", "study export s.db", "--help",
                  "boards list", "completions zsh", "validate", "datasets show NCI1"):
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {program} {words} 2>/dev/null | head -n 1 >/dev/null; echo ${{PIPESTATUS[0]}}"],
                              capture_output=True, text=True, env=environment)
        check(done.stdout in ("0\n", "2\n" if words == "validate" else "0\n"), words, done)


def interrupted():
    """Ctrl-C: exit code 130, the best design so far, and the command that continues."""
    for words, kept in ((["--study", "i.db"], True), ([], False)):
        process = subprocess.Popen([program, "sweep", "--dataset", "NCI1", "--method", "exhaustive", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
        check(process.returncode == 130 and "balanced" in out and "not" in out, process.returncode, out, said)
        resumed = re.search(r"to continue: nysx-dse (.*)", said)
        check(bool(resumed) == kept, said)
        if kept:
            again = subprocess.run([program, *shlex.split(resumed[1]), "--budget", "1s", "-q"], capture_output=True, text=True, env=environment)
            check(again.returncode == 0 and "balanced" in again.stdout, again)


def interrupted_survey():
    """Ctrl-C during a survey: the best of the measured settings, if any; the next survey continues."""
    run("datasets", "generate", "GEN", "--graphs", "600", "--seed", "5", "-q")
    for budget in (1, 2, 4, 8, 16):  # a busy machine may measure nothing in a second
        said = run("sweep", "--dataset", "GEN", "--budget", f"{budget}s").stderr
        check(re.search(rf"for {budget} s; a whole survey takes about \d+ s on two idle cores", said), said)
        found = re.search(r"\((\d+) of about (\d+) units of work\)[^$]*rest takes about (\d+) s", said)
        if found and int(found[1]) > 0:
            break
    done, whole, rest = map(int, found.groups())
    check(0 < done < whole and rest > 1, said)
    for wait in (1, 2, 4, 8, 16):
        process = subprocess.Popen([program, "sweep", "--dataset", "GEN"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**environment, "XDG_CACHE_HOME": f"{os.getcwd()}/cache{wait}"})
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
        check(process.returncode in (0, 130) and "surveyed now, for about" in said, process.returncode, said)
        if "an interrupt ended the survey" in said:
            continued = re.search(r"to continue: nysx-dse (.*)", said)
            check(process.returncode == 130 and "balanced" in out and "this is the best design so far" in said and continued, process.returncode, out, said)
            check(shlex.split(continued[1]) == ["sweep", "--dataset", "GEN"], continued[1])
            return
    print("no survey was ended before its end")


def resumed_survey():
    """Ctrl-C before and during measurements: a best design so far; the printed command continues to a study with the same points and IDs."""
    cache = {**environment, "XDG_CACHE_HOME": f"{os.getcwd()}/resumed"}
    run("datasets", "generate", "FEW", "--graphs", "120", "--seed", "5", "-q")
    words = ["sweep", "--dataset", "FEW", "--study", "r.db", "--metric", "macro_f1", "--resolution", "1%", "--robust"]
    for wait in (0.1, 0.6):
        process = subprocess.Popen([program, *words, "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=cache)
        check("surveyed now" in process.stderr.readline(), "the survey's note")
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
        check(process.returncode == 130 and "balanced" in out, wait, process.returncode, out, said)
        rejected = subprocess.run([program, "sweep", "--dataset", "FEW", "--metric", "macro_f1", "--study", "r.db"], capture_output=True, text=True, env=cache)
        check(rejected.returncode == 2 and "--resume continues it" in rejected.stderr and "survey" not in rejected.stderr, rejected)
        other = subprocess.run([program, *words, "--resume", "--objectives", "latency,lut"], capture_output=True, text=True, env=cache)
        check(other.returncode == 3 and "objectives" in other.stderr and "survey" not in other.stderr, other)
        words = shlex.split(re.search(r"to continue: nysx-dse (.*)", said)[1])
        check(words[-3:] == ["--study", "r.db", "--resume"] and "--metric macro_f1 --resolution 1% --robust" in " ".join(words), words)
    done = subprocess.run([program, *words], capture_output=True, text=True, env=cache)
    check(done.returncode == 0 and "searched again" in done.stderr, done)
    whole = subprocess.run([program, *words[:words.index("--study")]], capture_output=True, text=True, env=cache)
    check(whole.stdout.split("next:")[0] == done.stdout.split("next:")[0], whole.stdout, done.stdout)
    again = subprocess.run([program, *words], capture_output=True, text=True, env=cache)
    check(again.returncode == 0 and again.stdout == done.stdout and "searched again" not in again.stderr, again)


def interrupted_training():
    """Ctrl-C between folds: the figures of the finished ones, and the seeds that are left."""
    run("datasets", "generate", "FOLDS", "--graphs", "60", "--seed", "5", "-q")
    words = ["train", "--dataset", "FOLDS", "--folds", "2", "--seeds", "1000"]
    for wait in (1, 4, 16):
        process = subprocess.Popen([program, *words, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
        check(process.returncode == 130, process.returncode, said)
        if "--seed" in said:
            finished, of, seed, seeds = map(int, re.search(r"results of (\d+) of (\d+) .* --seed (\d+) --seeds (\d+)", said).groups())
            answer = json.loads(out)["results"][0]
            check(len(answer["runs"]) == finished and of == 2000 and finished // 2 == seed - 1 == 1000 - seeds and "accuracy_std" in answer, said, answer)
            return
    check(False, "no two folds ended in 16 s", said)


def interrupted_measurements():
    """Ctrl-C: the finished settings of a profile, which --extend continues; the finished rows of `validate`."""
    run("datasets", "generate", "PART", "--graphs", "200", "--seed", "5", "-q")
    for words, form, said_of in ((["datasets", "profile", "PART", "--landmarks", "8,16,32", "--seeds", "40", "--jobs", "1", "-o", "part.xml"], "", r"these are (\d+) of (\d+) settings"),
                                 (["validate", "--dataset", "PART", "--against", "all", "--configurations", "20000", "--jobs", "1", "--format", "csv"], "csv", r"these are the (\d+) rows")):
        for wait in (1, 2, 4, 8):
            process = subprocess.Popen([program, *words, "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            out, said = process.communicate()
            check(process.returncode in (0, 130), words, process.returncode, said)
            if found := re.search("interrupted: " + said_of, said):
                break
        check(found and process.returncode == 130, words, said)
        if form:
            check(len(out.splitlines()) == int(found[1]) + 1, out[-300:], found)
    check("<quality" in pathlib.Path("part.xml").read_text(), "a profile")
    run("datasets", "profile", "PART", "--landmarks", "8", "--seeds", "40", "--extend", "part.xml", "-o", "part.xml", "-q")


def long_training():
    """A training of minutes is announced in its first seconds, with shorter ones; Ctrl-C then ends it."""
    process = subprocess.Popen([program, "emit", "--family", "hdreason", "--dataset", "FB15K-237", "--set", "task=infer", "-o", "long"], stderr=subprocess.PIPE, text=True, env=environment)
    said = ""
    for line in process.stderr:
        said += line
        if "training takes" in line:
            process.send_signal(signal.SIGINT)
    check(process.wait() == 130 and re.search(r"training takes about \d+ min here; shorter: --set epochs=1", said) and not os.path.exists("long"), said)


def journal_column():
    """At 85 mm all text is inside the picture: a wide legend takes more lines."""
    for words in ("roofline --dataset MUTAG", "plot front --study s.db", "plot engines --dataset MUTAG", "plot waterfall --from s.db:best", "plot importance --study s.db"):
        run(*words.split(), "-o", "column.svg", "--size", "85x60mm", "-q")
        picture = xml.etree.ElementTree.parse("column.svg").getroot()
        places = [float(glyph.get("x")) for glyph in picture.iter("{http://www.w3.org/2000/svg}use") if glyph.get("x")]
        check(len(places) > 50 and max(places) < float(picture.get("viewBox").split()[2]), words, max(places))


def baseline_of_quality():
    """The bar of the baseline's measured quality contains it, although a quality is published too (a mean over six data sets)."""
    run("sweep", "--family", "hydraf", "--dataset", "airfoil", "--study", "airfoil.db", "-q")
    rows = list(csv.DictReader(io.StringIO(run("plot", "front", "--study", "airfoil.db", "--y", "quality").stdout)))
    run("sweep", "--dataset", "MUTAG", "--study", "dash.db", "--objectives", "latency,accuracy", "-q")
    run("plot", "front", "--study", "dash.db", "-o", "dash.svg", "-q")
    check("stroke-dasharray" in pathlib.Path("dash.svg").read_text(), "a constant prediction is dashed, the staircase is not")
    check(all(float(row["low"]) < float(row["y"]) < float(row["high"]) for row in rows if row["low"]) and any("baseline" in row["name"] for row in rows if row["low"]), rows[-1])


def imitated_triples():
    """Generated data have the shape of the profile's: so many entities are in no training triple, and the folder's sizes hold. The search for the default
    design, whose task is training, takes the value of `backward` that has a source; the user's own value stays."""
    for words, items in ((["--set", "task=infer", "--cases", "8"], 8), ([], 192)):
        said = run("emit", "--family", "hdreason", "--dataset", "WN18RR-1500", *words, "-o", "triples", "--overwrite").stderr
        check("the search has --fix backward=after" in said and "only the header" not in said, said)
        done = subprocess.run(["make", "-s", "-C", "triples", "csim"], capture_output=True, text=True)
        check(done.stdout.endswith(f"{items} items: equal\n"), done)
    said = run("emit", "--family", "hdreason", "--dataset", "WN18RR-1500", "--fix", "backward=forward", "-o", "header").stderr
    check("only the header is written" in said and "--fix backward=after" in said and "the search has" not in said, said)
    said = run("emit", "--family", "hdreason", "--dataset", "WN18RR-1500", "--set", "backward=forward", "-o", "forward", code=1).stderr
    check("this design has no HLS source" in said, "what was asked for is kept", said)


def experiments():
    """A finished experiment is up to date; a change of its inputs makes it run again."""
    pathlib.Path("x.yaml").write_text("datasets: MUTAG\nfix: {nee.form: direct}\nstudy: x.db\nresume: true\nsteps:\n  - sweep: {}\n  - report: {output: x.html}\n")
    first = run("run", "x.yaml")
    check("up to date" not in first.stderr, first.stderr)
    page = os.stat("x.html").st_mtime_ns
    for _ in range(2):
        again = run("run", "x.yaml")
        check(again.stdout == first.stdout and again.stderr.count("up to date") == 3 and "x.yaml: up to date" in again.stderr, again.stderr)
    check(os.stat("x.html").st_mtime_ns == page, "the page was not written again")
    os.utime("x.yaml")
    changed = run("run", "x.yaml")
    check("up to date" not in changed.stderr and os.stat("x.html").st_mtime_ns > page, changed.stderr)
    pathlib.Path("one.csv").write_text("a,b,y\n" + "".join(f"{i},{i % 3},{2 * i}\n" for i in range(30)))
    pathlib.Path("e.yaml").write_text("family: hydraf\ndataset: ./one.csv\nsteps:\n  - estimate: {output: e.json}\n")
    for words, whether in (((), False), ((), True), (("-q",), True), (("--board", "u250"), False)):
        before = os.stat("e.json").st_mtime_ns if os.path.exists("e.json") else 0
        run("run", "e.yaml", *words)
        check((os.stat("e.json").st_mtime_ns == before) == whether, words, "up to date:", whether)
    os.utime("one.csv", ns=(os.stat("e.json").st_mtime_ns + 10**9,) * 2)  # both times may fall into one tick of the file system
    check("up to date" not in run("run", "e.yaml").stderr, "its data are newer")
    pathlib.Path("o.yaml").write_text("dataset: MUTAG\nsteps:\n  - emit: {output: o}\n  - emit: {output: o/, board: zcu102}\n")
    for _ in range(2): # before the folder is there, and after
        check("o.yaml:4" in run("run", "o.yaml", "--dry-run", code=3).stderr, "two steps write one folder")
        os.makedirs("o", exist_ok=True)
    run("sweep", "--dataset", "MUTAG", "--fix", "nee.form=direct", "--study", "saved.db", "--save-experiment", "saved.yaml")
    check("saved.db: up to date" in run("run", "saved.yaml").stderr, "the command that wrote the experiment was its first run")
    os.unlink("x.html")
    check("x.yaml: up to date" not in run("run", "x.yaml").stderr and os.path.exists("x.html"), "a file that is gone is made again")
    pathlib.Path("x.yaml").write_text(pathlib.Path("x.yaml").read_text().replace("direct", "factored"))
    check("nee.form" in run("run", "x.yaml", code=3).stderr, "another request is rejected")


def csv_everywhere():
    for words, header in (("schema", "name"), ("sweep --describe", "name,title"), ("boards check zcu104 none.xml", "file,valid,problems")):
        rows = list(csv.reader(io.StringIO(subprocess.run([program, *words.split(), "--format", "csv", "-q"], capture_output=True, text=True, env=environment).stdout)))
        check(",".join(rows[0]).startswith(header) and len(rows) > 2 and {len(row) for row in rows} == {len(rows[0])}, words, rows[:3])
    said = run("emit", "--family", "hydraf", "--dataset", "airfoil", "--only", "header", "-o", "hydraf").stderr
    check("1.12× slower than the baseline" in said, said)


def junit():
    pathlib.Path("bad.yaml").write_text("datasets: MUTAG\nsteps:\n  - estimate: {}\n  - optimize: {minimize: latency, limits: [latency<=1ns]}\n  - estimate: {}\n")
    run("run", "bad.yaml", "--format", "junit", "-o", "b.xml", "-q", code=1)
    suite = xml.etree.ElementTree.parse("b.xml").getroot()[0]
    check([[child.tag for child in case] for case in suite] == [["system-out"], ["failure"], ["skipped"]] and suite.get("failures") == "1", suite.attrib)
    check("latency" in suite[0][0].text, "what a step printed is kept")
    for limit, code in (("10", 0), ("0.0001", 1)):
        done = run("validate", "--family", "smgpu", "--against", "published", "--format", "junit", "--max-error", limit, "-q", code=code)
        suite = xml.etree.ElementTree.fromstring(done.stdout)[0]
        check("nan" not in done.stdout, "a bound that there is not")
        check(len(suite) > 1 and int(suite.get("failures")) == code, done.stdout[-300:])
    check("junit" in run("sweep", "--dataset", "MUTAG", "--format", "junit", code=2).stderr, "no form of others")


for step in (doctor, checker_missing, bootstrap, one_denominator, widths, wrong_words, next_command, another_set, every_command, quality_by_name, quiet_and_pipes, interrupted, interrupted_survey, resumed_survey, interrupted_training, interrupted_measurements, long_training, journal_column, baseline_of_quality, imitated_triples, experiments, csv_everywhere, junit):
    step()
print(f"{checks} checks hold")
