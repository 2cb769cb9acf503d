#!/usr/bin/env python3
"""Relations between requests and their answers: metamorphic.py LIBRARY [QUESTIONS [SEED]]. Sends random requests for every family and for
described accelerators, with a few free hardware knobs, to libnysxdse_ask. A limit that every design meets changes no answer. A conjunction equals
its parts applied one by one, including the designs to which the knob does not apply; limits on objectives filter the front. The order of limits does
not matter. `!=v` equals `<v` with `>v`, and `=v` equals `>=v` with `<=v`. Every method names contradictory limits, and explains infeasibility. All
methods agree. A design has bit-identical figures in every request."""
from __future__ import annotations

import ctypes
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

FILES = Path(__file__).resolve().parents[2] / "examples" / "accelerators"
FAMILIES = {"nysx": ("MUTAG", "DD"), "gat": ("cora", "citeseer_table"), "hydraf": ("airfoil", "wine"), "hdreason": ("WN18RR",), "smgpu": ("smgpu_mutag",),
            str(FILES / "systolic.yaml"): (None,), str(FILES / "gat.yaml"): ("cora",)}
UNMEASURED = {"WN18RR", "citeseer_table", None}  # data sets without a quality: the setting is the profile's own
FOLLOWING = {"arithmetic"}  # knobs that follow a hardware knob
UNITS = {"latency": "s", "energy": "J"}
PARTS = 2
KEYS = {"latency": "latency_s", "energy": "energy_j", "power": "power_w", "throughput": "throughput_hz", "latency_p99": "latency_p99_s",
        "dram_energy": "dram_energy_j"}
METRICS = {"latency": "s", "latency_p99": "s", "energy": "J", "dram_energy": "J", "power": "W", "throughput": "Hz", "bram18": "", "uram": "", "dsp": "",
           "lut": "", "ff": "", "lutram": "", "ddr_bytes": "B", "cycles": ""}


class Program:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.dse_ask.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p),
                                         ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p]
        self.library.dse_ask_free.argtypes = [ctypes.c_void_p]
        self.asked = 0

    def ask(self, *words):
        out, size, message = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.create_string_buffer(4096)
        encoded = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        code = self.library.dse_ask(encoded, len(words), ctypes.byref(out), ctypes.byref(size), message)
        text = ctypes.string_at(out, size.value).decode() if out.value else ""
        self.library.dse_ask_free(out)
        self.asked += 1
        return code, text, message.value.decode()


class Question:
    """A family's data set with some hardware knobs free, the others at random values or the defaults."""

    def __init__(self, program, rng, family, knobs, free=(1, 1, 2, 2)):
        self.program, self.family = program, family
        self.dataset = rng.choice(FAMILIES[family])
        hardware = [k for k in knobs if k["kind"] == "hardware" and len(k["domain"]) > 1]
        self.free = rng.sample(hardware, min(len(hardware), rng.choice(free)))
        self.free += [k for k in hardware if k["name"] == "units" and k not in self.free and rng.random() < 0.3]
        self.objectives = rng.choice((("latency", "energy"), ("latency", "energy"), ("energy",), ("latency", "lut"), ("power", "latency"), ("energy", "throughput")))
        self.words = ["--family", family, *(["--dataset", self.dataset] if self.dataset else []), "-q", "--format", "json", "--jobs", "1"]
        for knob in hardware:
            if knob not in self.free:
                value = rng.choice(knob["domain"]) if rng.random() < 0.1 else None
                self.words += ["--fix", knob["name"] + (f"={value}" if value else "")]

        for decides in sorted({k["when"] for k in knobs if "when" in k} - {k["name"] for k in hardware}):  # one word of the condition, so that the dependent knobs matter
            word = rng.choice(next(k for k in knobs if k["name"] == decides)["domain"])
            if rng.random() < 0.3:
                self.words += ["--fix", f"{decides}={word}"]
        self.words += ["--quality-drop", "none"]

    def sweep(self, *limits, method="exact"):
        """The front by objectives (including a measured quality), or None if nothing is feasible."""
        words = ["sweep", *self.words, "--compact", "--method", method, "--objectives", ",".join(self.objectives)]
        for limit in limits:
            words += ["--where", limit]
        code, text, message = self.program.ask(*words)
        if code not in (0, 1, 4 if method == "heuristic" else 1):
            raise AssertionError(f"exit {code}: {message}\n  nysx-dse {' '.join(words)}")
        self.last, self.message = words, message
        return [(point["config"], point["total"]) for point in json.loads(text)["front"]] if code == 0 else None

    def best(self, metric, method, *limits):
        words = ["optimize", *self.words, "--method", method, "--minimize", metric]
        for limit in limits:
            words += ["--where", limit]
        if method == "heuristic":
            words += ["--budget", "500"]
        code, text, self.message = self.program.ask(*words)
        self.last = words
        without_search = code == 1 and ("contradicts" in text or '"space_size": 0' in text)  # a heuristic proves nothing else
        if code not in (0, 4 if method == "heuristic" else 1) and not without_search:
            raise AssertionError(f"exit {code}: {self.message}\n  nysx-dse {' '.join(words)}")
        return (json.loads(text)["total"][KEYS.get(metric, metric)], text) if code == 0 else (None, text)

    def costs(self, point):
        return tuple(point[1][KEYS.get(metric, metric)] * (-1 if metric == "throughput" else 1) for metric in self.objectives)

    def undominated(self, points):
        costs = {self.costs(point) for point in points}
        return {c for c in costs if not any(o != c and all(x <= y for x, y in zip(o, c)) for o in costs)}

    def front(self, *limits):
        return self.undominated(self.sweep(*limits) or [])


def measured(root, family, knobs):
    """Measured values of each knob, including values that no sweep visits."""
    values = {}
    for path in (root / family / "profiles").glob("*.xml"):
        settings = re.findall(r"[ >]([\w.]+)=([^ <]+)", "".join(re.findall(r"<setting>.*?</setting>", path.read_text())))
        for knob in knobs:
            values[family, path.stem, knob["name"]] = {value for name, value in settings if name == knob["name"]}
    return values


def fail(question, relation, *seen):
    raise AssertionError(f"{relation}: " + " / ".join(str(s)[:600] for s in seen) + f"\n  last asked: nysx-dse {' '.join(question.last)}")


THIRD = {"nysx": "NCI1"}  # sums of two numbers have no order


class Suite:
    def __init__(self, program, seed):
        self.program, self.rng = program, random.Random(seed)
        self.knobs, self.profiles = {}, {}
        for family in FAMILIES:
            code, text, message = program.ask("sweep", "--family", family, "--describe", "--format", "json")
            assert code == 0, message
            self.knobs[family] = json.loads(text)["knobs"]
            self.profiles |= measured(Path(__file__).resolve().parents[2] / "models", family, self.knobs[family])

    # ---- terms ----

    def values(self, question, knob):
        """The knob's values in the request, in order."""
        if knob["name"] == "units" and "throughput" not in question.objectives:  # the fewest
            return knob["domain"][:1]
        if knob["name"] in FOLLOWING and question.dataset in UNMEASURED:
            return list(knob["domain"])
        if knob["kind"] != "hardware" and question.dataset in UNMEASURED:
            return [self.base(question)[knob["name"]]] if knob["name"] in self.base(question) else []
        known = set(knob["domain"])
        if knob["kind"] != "hardware":
            known |= self.profiles.get((question.family, question.dataset, knob["name"]), set())
        return sorted(known, key=float) if knob["type"] != "choice" else list(knob["words"])

    def base(self, question):
        """The configuration of the published design, as words."""
        words = ["estimate", "--preset", "literal" if question.family == "nysx" else "paper", *question.words[:question.words.index("-q")], "-q", "--format", "json"]
        config = json.loads(self.program.ask(*words)[1])["config"]
        return {name: value if isinstance(value, str) else repr(value) for name, value in config.items()}

    def some_knob(self, question, numbers=False):
        """A free hardware knob or one of the measured settings."""
        rng, knobs = self.rng, list(question.free)
        for k in self.knobs[question.family]:
            if k["kind"] == "algorithmic" and (values := self.values(question, k)):  # more often where sweeps visit other values
                knobs += [k] * (6 if set(values) ^ set(k["domain"]) and len(k["domain"]) > 1 else 1)
        knobs = [k for k in knobs if not numbers or k["type"] != "choice"]
        return rng.choice(knobs) if knobs else None

    def some_terms(self, question, knob, count):
        """Limits on a knob, each with the function of its value."""
        rng, values = self.rng, self.values(question, knob)
        terms = []
        for _ in range(count):
            sign = rng.choice(("=", "!=") if knob["type"] == "choice" else ("<=", ">=", "<", ">", "!=", "!=", "="))
            bound = rng.choice(values)
            listed = sign == "=" and question.family.endswith(".yaml")  # a file's knob has the values that it lists and no others
            if knob["type"] == "integer" and rng.random() < 0.3 and not listed:  # a value that no sweep visits
                bound = str(min(int(knob["maximum"]), 2 * int(bound)) if sign == "=" and knob["power_of_two"] else int(bound) + 1)
            terms.append((f"{knob['name']}{sign}{bound}", sign, bound))
        return terms

    def apart(self, question, knob, terms, limits):
        """The designs that meet the terms, value by value, plus those to which the knob does not apply."""
        points = []
        if not any(self.holds(knob, terms, value) for value in self.legal(question, knob)):
            return []
        for value in self.values(question, knob):
            if self.holds(knob, terms, value):
                points += question.sweep(f"{knob['name']}={value}", *limits) or []
        decides = next((k for k in self.knobs[question.family] if k["name"] == knob.get("when")), None)
        for word in decides["words"] if decides else []:
            points += [point for point in question.sweep(f"{decides['name']}={word}", *limits) or [] if knob["name"] not in point[0]]
        return points

    @staticmethod
    def legal(question, knob):
        """The knob's domain, visited or not."""
        if knob["type"] == "choice":
            return knob["words"]
        if question.family.endswith(".yaml"):
            return knob["domain"]
        low, high = int(float(knob["minimum"])), int(float(knob["maximum"]))
        if knob["type"] == "integer" and knob["power_of_two"]:
            return [1 << i for i in range(64) if low <= 1 << i <= high]
        return range(low, high + 1) if knob["type"] == "integer" else [low + (high - low) * i / 100000 for i in range(100001)]

    @staticmethod
    def holds(knob, terms, value):
        def one(sign, bound):
            a, b = (value, bound) if knob["type"] == "choice" else (float(value), float(bound))
            return {"=": a == b, "!=": a != b}[sign] if sign in ("=", "!=") else {"<=": a <= b, ">=": a >= b, "<": a < b, ">": a > b}[sign]
        return all(one(sign, bound) for _, sign, bound in terms)

    def a_limit(self, question, points):
        """A limit on a metric that some or none of the front's designs meet."""
        if not points or self.rng.random() < 0.5:
            return []
        metric = self.rng.choice(("latency", "energy"))
        return [f"{metric}<={repr(self.rng.choice(points)[1][KEYS[metric]] * self.rng.choice((1.001, 1.5, 3)))}{UNITS[metric]}"]

    # ---- relations ----

    def true_of_knob(self, question):
        """A limit, by any relation, that every value of a knob meets."""
        knob = self.some_knob(question)
        values = self.values(question, knob) if knob is not None else []
        if not values:
            return "ff>=0"
        name, legal = knob["name"], []
        if knob["type"] == "choice":
            present = values if question.dataset in UNMEASURED or knob["kind"] == "hardware" else []
            present = [w for w in present if w in knob["domain"] or question.dataset in UNMEASURED]
            legal = [f"{name}!={w}" for w in knob["words"] if present and w not in present]
            return self.rng.choice(legal) if legal else "ff>=0"
        low, high = float(knob["minimum"]), float(knob["maximum"])
        legal += [f"{name}>={values[0]}", f"{name}<={values[-1]}", f"{name}>={knob['minimum']}", f"{name}<={knob['maximum']}"]
        if knob["type"] == "integer":
            step = (lambda v: 2 * v) if knob["power_of_two"] else (lambda v: v + 1)
            past = step(int(values[-1]))
            if past <= high:
                legal += [f"{name}<{past}", f"{name}!={past}", f"{name}<={past}"]
            before = int(values[0]) // 2 if knob["power_of_two"] else int(values[0]) - 1
            if before >= max(low, 1):
                legal += [f"{name}>{before}", f"{name}!={before}", f"{name}>={before}"]
            legal += [f"{name}!={step(int(v))}" for v in values if step(int(v)) <= high and str(step(int(v))) not in values]
        if len(values) == 1:
            legal.append(f"{name}={values[0]}")
        return self.rng.choice(legal)

    def true_of_metric(self, question, points):
        """A limit on a metric that every design meets: at zero, at the maximum, or at the proven least value."""
        metric = self.rng.choice(list(METRICS) + ["quality"])
        if metric == "quality":
            return self.rng.choice(("quality<=1", "accuracy<=100%", "error>=0", "quality>=0", "error<=100%", "accuracy>=0 || latency<=1us")) if question.dataset not in UNMEASURED else "lut>=0"
        unit, up = METRICS[metric], metric == "throughput"
        if up and self.rng.random() < 0.7:  # does not add compute units if all designs meet it
            return self.rng.choice(("throughput>0Hz", "throughput>=1m/s", "throughput>=0.001/s", "throughput>=1mHz || lut<=5", "!(throughput<1mHz)"))
        opened = not up and "throughput" in question.objectives  # units: `optimize` takes the fewest
        if self.rng.random() < 0.3 or opened:
            return self.rng.choice((f"{metric}>=0{unit}", f"{metric}<=1e15{unit}"))
        words = ["optimize", *question.words, "--maximize" if up else "--minimize", metric]
        code, text, _ = question.program.ask(*words)
        return f"{metric}{'<=' if up else '>='}{json.loads(text)['total'][KEYS.get(metric, metric)]!r}{unit}" if code == 0 else f"{metric}>=0{unit}"

    def tautology(self, question):
        if self.rng.random() < 0.5:  # as asked by default
            del question.words[-2:]
        before, true = question.sweep(), []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            true.append(self.true_of_knob(question) if self.rng.random() < 0.5 else self.true_of_metric(question, before))
        if before and self.rng.random() < 0.3:  # a limit on an objective: beyond the front there are no designs, or only dominated ones
            metric = self.rng.choice([m for m in question.objectives if m in METRICS])
            ends = [point[1][KEYS.get(metric, metric)] for point in before]
            true.append(self.rng.choice((f"{metric}>={min(ends)!r}", f"{metric}<={max(ends)!r}")) + METRICS[metric])
        after = question.sweep(" && ".join(true))
        if after != before:
            fail(question, f"a tautology changes the answer: {true}", before, after)

    def conjunction(self, question):
        rng, knob = self.rng, self.some_knob(question)
        if knob is None:
            return
        limits = self.a_limit(question, question.sweep())
        terms, values = self.some_terms(question, knob, rng.choice((1, 2, 2, 3))), self.values(question, knob)
        unvisited = [i for i, v in enumerate(values) if v not in knob["domain"] and 0 < i < len(values) - 1 and knob["type"] != "choice"]
        if unvisited and rng.random() < 0.5:  # a measured value alone
            i = rng.choice(unvisited)
            limits += [f"{knob['when']}={next(k for k in self.knobs[question.family] if k['name'] == knob['when'])['domain'][0]}"] if "when" in knob else []
            terms = [(f"{knob['name']}>{values[i - 1]}", ">", values[i - 1]), (f"{knob['name']}<{values[i + 1]}", "<", values[i + 1])]
        together = question.front(" && ".join([t[0] for t in terms] + limits))
        apart = self.apart(question, knob, terms, limits)
        if together != question.undominated(apart):
            fail(question, f"{' && '.join(t[0] for t in terms)} {limits}", sorted(together), sorted(question.undominated(apart)))

    def filtered(self, question):
        points, metrics = question.sweep(), [m for m in question.objectives if m in UNITS]
        if not points or not metrics:
            return
        bounds = {m: self.rng.choice(points)[1][KEYS[m]] for m in metrics}
        limits = [f"{m}<={bounds[m]!r}{UNITS[m]}" for m in metrics]
        held = {question.costs(p) for p in points if all(p[1][KEYS[m]] <= bounds[m] for m in metrics)}
        if question.front(*limits) != held:
            fail(question, f"{limits} is no filter of the front", sorted(question.front(*limits)), sorted(held))

    def order(self, question):
        limits = self.a_limit(question, question.sweep())
        for _ in range(2):
            knob = self.some_knob(question)
            if knob is not None:
                limits += [t[0] for t in self.some_terms(question, knob, self.rng.choice((1, 2)))]
        first = question.sweep(" && ".join(limits))
        self.rng.shuffle(limits)
        half = self.rng.randrange(len(limits) + 1)
        if question.sweep(" && ".join(limits[:half]), " && ".join(limits[half:])) != first:
            fail(question, f"the order of {limits} matters", first)

    def unequal(self, question):
        knob = self.some_knob(question)
        if knob is None:
            return
        name, values = knob["name"], self.values(question, knob)
        value = self.rng.choice(values)
        parts = [f"{name}<{value}", f"{name}>{value}"] if knob["type"] != "choice" else [f"{name}={w}" for w in values if w != value]
        limits = self.a_limit(question, question.sweep())
        apart = [point for part in parts for point in question.sweep(part, *limits) or []]
        if question.front(f"{name}!={value}", *limits) != question.undominated(apart):
            fail(question, f"{name}!={value} {limits}", sorted(question.front(f"{name}!={value}", *limits)), sorted(question.undominated(apart)))

    def equal(self, question):
        """`=v` is no more and no less than `>=v` with `<=v`, whether v is visited or not. --fix alone adds a value, except of the units, which a
        condition opens."""
        knob = self.some_knob(question, numbers=True)
        if knob is None:
            return
        name, value = knob["name"], self.some_terms(question, knob, 1)[0][2]
        if not any(self.holds(knob, [(None, "=", value)], v) for v in self.legal(question, knob)):
            return
        limits = self.a_limit(question, question.sweep())
        asked, between = question.sweep(f"{name}={value}", *limits), question.sweep(f"{name}>={value} && {name}<={value}", *limits)
        if asked != between:
            fail(question, f"{name}={value} {limits} is not what lies between {value} and {value}", asked, between)
        if name != "units" and any(name in config and float(config[name]) not in map(float, self.values(question, knob)) for config, _ in asked or []):
            fail(question, f"{name}={value} adds a value", asked)

    def contradiction(self, question):
        rng, knob = self.rng, self.some_knob(question, numbers=True)
        method = rng.choice(("exact", "ilp", "exhaustive", "heuristic"))
        values = self.values(question, knob) if knob is not None else []
        if rng.random() < 0.3 or len(values) < 2:
            limits, names = ["latency<=1us", "latency>=2us"], ["latency >= 2", "latency <= 1"]
        else:
            low, high = (values[i] for i in sorted(rng.sample(range(len(values)), 2)))
            name = knob["name"]
            limits = names = rng.choice(([f"{name}<={low}", f"{name}={high}"], [f"{name}<={low}", f"{name}>={high}"], [f"{name}={low}", f"{name}={high}"],
                                         [f"{name}<{high}", f"{name}>={high}"], [f"{name}={low}", f"{name}!={low}"]))
        limits = rng.sample(limits, 2)
        found, text = question.best("latency", method, " && ".join(limits))
        answer = json.loads(text) if text else {}
        if found is not None:
            fail(question, f"{limits} contradict each other", found, text)
        if found is None and (not all(any(name in why["constraint"] and why["contradicts"] for why in answer["why"]) for name in names)):
            fail(question, f"{limits} are not named", text)
        front = question.sweep(*limits, method="exhaustive" if method == "ilp" else method)
        if front:
            fail(question, f"{limits} contradict each other, to a sweep")

    def explained(self, question):
        """Every method explains limits that no design meets: with the least value for each side of `||`, and for a product."""
        rng, (a, b) = self.rng, self.rng.sample(("latency", "energy", "lut", "ddr_bytes"), 2)
        least, text = {}, ""
        for metric in (a, b):
            least[metric], text = question.best(metric, "exact")
            if not least[metric]:
                return
        sides = [f"{m}<={least[m] * rng.choice((0.3, 0.9))!r}{METRICS[m]}" for m in (a, b)]
        method = rng.choice(("exact", "ilp", "exhaustive"))
        found, text = question.best("latency", method, " || ".join(sides))
        answer = json.loads(text) if text else {}
        nearest = [side["nearest"]["metrics"][KEYS.get(m, m)] for m, side in zip((a, b), answer.get("sides", []))]
        if found is not None or nearest != [least[a], least[b]] or not answer.get("why") or not answer["message"]:
            fail(question, f"{sides} are not explained", nearest, least, text)
        size = answer["space_size"]
        before, question.objectives = question.objectives, (a, b)
        product = min(x * y for x, y in question.front())
        question.objectives = before
        found, text = question.best("latency", rng.choice(("exact", "exhaustive")), f"{a}*{b}<={product * 0.5!r}{(METRICS[a] + '*1' + METRICS[b]) if METRICS[a] and METRICS[b] else METRICS[a] + METRICS[b]}") \
            if size <= 20000 else (None, None)
        if text is not None:
            why = next((why for why in json.loads(text)["why"] if "compared" in why), None) if text else None
            if found is not None or why is None or abs(why["compared"][f"{a}*{b}"] - product) > 1e-9 * product:
                fail(question, f"{a}*{b} is not explained", product, text)

    def methods(self, question):
        limits, knob = self.a_limit(question, question.sweep()), self.some_knob(question)
        if knob is not None and self.rng.random() < 0.5:
            limits += [t[0] for t in self.some_terms(question, knob, 1)]
        metric = self.rng.choice(("latency", "energy", "lut", "ddr_bytes"))
        exact, exhaustive = question.sweep(*limits), question.sweep(*limits, method="exhaustive")
        if exact != exhaustive:
            fail(question, "exact and exhaustive", exact, exhaustive)
        best = {method: question.best(metric, method, *limits)[0] for method in ("exact", "ilp", "exhaustive")}
        if len(set(best.values())) > 1:
            fail(question, f"the least {metric}", best)
        tried = question.best(metric, "heuristic", *limits)[0]
        if tried is not None and (best["exact"] is None or tried < best["exact"]):
            fail(question, f"the heuristic is better than the proven least {metric}", tried, best)

    def figures(self, question):
        """A front's design has the same figures in `estimate`, and for several data sets in every request."""
        if len(FAMILIES[question.family]) > 1 and not UNMEASURED & set(FAMILIES[question.family]) and self.rng.random() < 0.5:
            return self.joint_figures(question)
        points = question.sweep()
        if not points:
            return
        config, total = self.rng.choice(points)
        words = ["estimate", "--preset", "literal" if question.family == "nysx" else "paper", *question.words[:question.words.index("-q")], "--format", "json", "-q"]
        for name, value in config.items():
            words += ["--set", f"{name}={value}"]
        code, text, message = self.program.ask(*words)
        question.last = words
        if code != 0 or any(json.loads(text)["total"][key] != value for key, value in total.items() if key != "quality"):
            fail(question, "estimate differs", message, total, text)


    def joint_figures(self, question):
        """The mean equals equal weights, for any order of the data sets."""
        known, sets = {}, [*FAMILIES[question.family], *([THIRD[question.family]] if question.family in THIRD else [])]
        for objectives in ("latency,energy", "latency,energy,throughput", "throughput", "latency,quality"):
            weight = self.rng.choice((None, "1", "3", "0.7"))
            self.rng.shuffle(sets)
            how = ["--combine", "weighted" if weight else "mean"] + [word for s in sets if weight for word in ("--weight", f"{s}={weight}")]
            method = self.rng.choice(("exact", "exhaustive", "heuristic"))
            rest = [word for word in question.words if word not in ("--dataset", question.dataset)]
            words = ["sweep", *rest, *(word for s in sets for word in ("--dataset", s)), *how, "--method", method, "--objectives", objectives]
            code, text, message = self.program.ask(*words, *(["--budget", "500"] if method == "heuristic" else []), "--compact")
            question.last = words
            if code in (1, 4):
                return
            for point in json.loads(text)["front"]:
                first = known.setdefault(json.dumps(point["config"]), point["combined"])
                if first != point["combined"]:
                    fail(question, "one design, two figures", first, point["combined"])


def run(library, questions, seed, part):
    """Runs a part of the requests; each is drawn by its own number."""
    suite, names, failed = Suite(Program(library), seed), list(FAMILIES), 0
    relations = [suite.tautology, suite.conjunction, suite.filtered, suite.order, suite.unequal, suite.equal, suite.explained, suite.contradiction, suite.methods, suite.figures]
    for i in range(questions):
        if i // len(relations) % PARTS != part:
            continue
        suite.rng.seed(f"{seed} {i}")
        relation, family = relations[i % len(relations)], names[i // len(relations) % len(names)]
        question = Question(suite.program, suite.rng, family, suite.knobs[family], *([(2, 3, 4)] if relation == suite.methods else []))
        try:
            relation(question)
        except AssertionError as why:
            failed += 1
            print(f"question {i} ({family}, {question.dataset}, {relation.__name__}): {why}", flush=True)
    print(f"part {part}: {suite.program.asked} asked, {failed} failed", flush=True)
    return failed > 0


def main(library, questions="1000", seed="1", part=None):
    if part is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the program's own words
        return run(library, int(questions), int(seed), int(part))
    parts = [subprocess.Popen([sys.executable, "-B", __file__, library, questions, seed, str(i)]) for i in range(PARTS)]
    return int(any([part.wait() != 0 for part in parts]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
