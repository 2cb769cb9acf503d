"""usage: serve.py PROGRAM [SPEED]: `serve` against `sweep` and `estimate`: designs of a proven front evaluate to the same numbers, bounds hold, a
bad line changes nothing, and a batch is evaluated at SPEED designs per second of processor time (default 100,000) as choices, and at two thirds of
that by names."""
import json
import os
import random
import resource
import subprocess
import sys

program = sys.argv[1]
os.environ.pop("NYSX_DATA_DIR", None)
SPEED = int(sys.argv[2]) if len(sys.argv) > 2 else 100000


class Served:
    def __init__(self, *words):
        self.process = subprocess.Popen([program, "serve", *words, "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def line(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, op, **members):
        answer = self.line(json.dumps({"op": op, **members}))
        assert answer["ok"], answer
        return answer

    def close(self):
        assert self.ask("close") and self.process.wait(10) == 0


def front(*words):
    done = subprocess.run([program, "sweep", *words, "--compact", "--format", "json", "-q"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cost(objectives, values):
    return [-values[one["metric"]] if one["goal"] == "max" else values[one["metric"]] for one in objectives]


QUESTIONS = (("--dataset", "MUTAG", "--where", "latency<=0.1ms && bram18<=20%"), ("--dataset", "NCI1", "--objectives", "latency,energy,dsp,error"),
             ("--family", "gat", "--dataset", "cora"), ("--family", "hydraf", "--dataset", "airfoil", "--objectives", "latency,lut,error"),
             ("--family", "smgpu", "--dataset", "ENZYMES"), ("--family", "examples/accelerators/finn.yaml", "--objectives", "latency,lut"))
root = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
for words in QUESTIONS:
    words = [os.path.join(root, word) if word.startswith("examples/") else word for word in words]
    proven, served = front(*words), Served(*words)
    about, bounds = served.ask("describe"), served.ask("bounds")
    assert about["size"] == proven["space_size"], (words, about["size"])
    names = {one["name"] for one in about["knobs"]}
    algorithmic = {knob for one in about["knobs"] if one["kind"] == "setting" for setting in one["values"] for knob in setting}
    configs = [{knob: value for knob, value in design["config"].items() if knob in names or knob in algorithmic} for design in proven["front"]]
    for design, result in zip(proven["front"], served.ask("evaluate", configs=configs)["results"]):
        assert result["feasible"], (words, design, result)
        total = {**design["total"], "quality": (design["total"].get("quality") or {}).get("mean")}
        for metric, value in result["metrics"].items():
            assert abs(value - total[metric]) <= 1e-12 * abs(value), (words, metric, value, total[metric])
        ideal = cost(about["objectives"], bounds["bounds"])
        assert all(low <= own * (1 + 1e-9) + 1e-9 * (own < 0) for low, own in zip(ideal, cost(about["objectives"], result["metrics"]))), (words, ideal, result)
    # No random design is better than the proven front; choices and names give equal figures.
    rng = random.Random(1)
    rows = [[rng.randrange(len(one["values"])) for one in about["knobs"]] for _ in range(300)]
    by_names = [dict(pair for one, place in zip(about["knobs"], row) for pair in
                     (one["values"][place].items() if one["kind"] == "setting" else [(one["name"], one["values"][place])])) for row in rows]
    judged = served.ask("evaluate", choices=rows)["results"]
    assert judged == served.ask("evaluate", configs=by_names)["results"], words
    ends = [cost(about["objectives"], {**design["total"], "quality": (design["total"].get("quality") or {}).get("mean")}) for design in proven["front"]]
    for result in judged:
        if result["feasible"]:
            own = cost(about["objectives"], result["metrics"])
            assert any(all(a <= b + 1e-9 * abs(b) for a, b in zip(end, own)) for end in ends), (words, result)
    # Fixed knobs can only raise the bounds, which are valid for designs with these knobs.
    fixed = {one["name"]: one["values"][-1] for one in about["knobs"] if one["kind"] != "setting" and "when" not in one}
    fixed = dict(list(fixed.items())[:2])
    narrowed = served.ask("bounds", config=fixed)
    if narrowed["feasible"]:
        assert all(a >= b * (1 - 1e-12) - 1e-12 * abs(b) for a, b in zip(cost(about["objectives"], narrowed["bounds"]), ideal)), (words, narrowed, bounds)
    served.close()

# A bad line gives an error, and the next line is answered as before.
served = Served("--dataset", "MUTAG", "--where", "latency<=0.1ms")
before = served.ask("evaluate", configs=[{"nee.lanes": 64}])
for bad, words in (("nonsense", "column 8"), ("[1]", "op"), ('{"op": "fly"}', "must be describe"), ('{"op": "evaluate"}', "configs"),
                   ('{"op": "evaluate", "configs": [{"nee.lanes": 64}, {"nee.lane": 64}]}', "configs[1]: nee.lane: no such knob"),
                   ('{"op": "evaluate", "configs": [{"nee.lanes": 33}]}', "must be one of 4, 8"), ('{"op": "evaluate", "configs": [{"landmarks": "many"}]}', "landmarks"),
                   ('{"op": "evaluate", "choices": [[1, 2]]}', "one of each variable"), ('{"op": "evaluate", "configs": [3]}', "object of knobs"),
                   ('{"op": "evaluate", "op": "close"}', "duplicate"), ('{"op": "evaluate", "config": {}, "what": 1}', "what: no such member"), ('{"op": "evaluate", "configs": [{"nee.lanes": null}]}', "number or a word"),
                   ('{"op": "bounds", "config": {"nee.lanes": 5}}', "must be one of"), ("{" * 5000, "column")):
    answer = served.line(bad)
    assert not answer["ok"] and words in answer["error"], (bad[:80], answer)
    assert served.ask("evaluate", configs=[{"nee.lanes": 64}]) == before, bad[:80]
assert served.ask("evaluate", configs=[], id="x")["id"] == "x"
infeasible = served.ask("evaluate", configs=[{"nee.lanes": 4, "clock_mhz": 100}])["results"][0]
assert not infeasible["feasible"] and infeasible["violation"] > 0 and "latency_s" in infeasible["why"] and infeasible["metrics"]["latency_s"] > 1e-4, infeasible
# Machine-written configurations have a fast reader; a tab selects the general one. Both reject malformed JSON.
rng = random.Random(2)
knobs = served.ask("describe")["knobs"]
choices = [[rng.randrange(len(one["values"])) for one in knobs] for _ in range(20000)]
configs = [dict(pair for one, place in zip(knobs, row) for pair in (one["values"][place].items() if one["kind"] == "setting" else [(one["name"], one["values"][place])])) for row in choices]
by_names, by_places = json.dumps({"op": "evaluate", "configs": configs}), json.dumps({"op": "evaluate", "choices": choices})
for line in (by_names, by_places):
    assert served.line(line) == served.line(line.replace(" ", "\t", 1)) == served.line(line + " "), line[:80]
row = choices[0]
for wrong in (row[1:], row + [0], [float(place) for place in row[:-1]] + [0.5], [-1] + row[1:], row[:-1] + [4000000000], str(row)[:-1] + ",]", "[0" + str(row)[1:], str(row) + "]}", str(row)[:-1] + "}"):
    assert not served.line('{"op": "evaluate", "choices": [' + str(row) + ", " + str(wrong) + "]}")["ok"], wrong
for wrong in ('{"nee.lanes": 064}', '{"nee.lanes": 64.}', '{"nee.lanes": .5}', '{"nee.lanes": 64,}', '{"nee.lanes": 64]', '{"nee.lanes" 64}', '{"nee.lanes": 64, "nee.lanes": 64}', '{"nee.lanes": 64}}',
              '{"place.p": "bram}', '{"nee.lanes": 1e}', '{"nee.lanes": 64} {}', '{"nee.lanes": +64}', '{nee.lanes: 64}', '{"nee.lanes": 64}]}\0[{}'):
    assert not served.line('{"op": "evaluate", "configs": [' + wrong + "]}")["ok"], wrong
    assert not served.line('{"op": "evaluate", "configs": [' + '{"nee.lanes": 64}, ' + wrong + "]}")["ok"], wrong
assert served.ask("evaluate", configs=[{"nee.lanes": 64}, {}])["results"][0] == before["results"][0]
served.close()


def speed_of(line):
    """Designs per second of processor time, without the start."""
    used = []
    for rounds in (1, 6):
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "serve", "--dataset", "MUTAG", "--where", "latency<=0.1ms", "-q"], input=(line + "\n") * rounds, capture_output=True, text=True, check=True)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime)
    return 5 * len(choices) / (used[1] - used[0])


speed = named = 0.0
for _ in range(6): # the best of several, because other processes use the machine
    speed, named = max(speed, speed_of(by_places)), max(named, speed_of(by_names))
    if speed >= SPEED and named >= 0.67 * SPEED:
        break
print(f"{speed:,.0f} designs per second of processor time, {named:,.0f} by names")
assert speed >= SPEED, speed
assert named >= 0.67 * SPEED, named
for words, code, said in ((("--dataset", "MUTAG", "--dataset", "NCI1"), 2, "one board and one data set"), (("--dataset", "MUTAG", "--where", "latency<=1ns && latency>=2ns"), 1, "is feasible"),
                          (("--dataset", "MUTAG", "--free", "landmarks"), 2, "--free")):
    done = subprocess.run([program, "serve", *words, "-q"], input="", capture_output=True, text=True)
    assert done.returncode == code and said in done.stderr, done
