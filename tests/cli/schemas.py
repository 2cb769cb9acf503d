"""usage: schemas.py PROGRAM [FOLDER of installed schemas]

Validates every kind of JSON answer against its JSON Schema (2020-12), whose name is the answer's `$schema`. For this test, members that
the schema does not name are errors. Takes jsonschema of $NYSX_AIDS, else .aids/; without it the test is skipped (exit code 77).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
aids = pathlib.Path(os.environ.get("NYSX_AIDS", root / ".aids"))
sys.path += [str(path) for path in aids.glob("lib/python3*/site-packages")]
try:
    import jsonschema
except ImportError:
    print(f"SKIPPED: no jsonschema in {aids} (script/aids python)")
    sys.exit(77)

program = str(pathlib.Path(sys.argv[1]).resolve())
installed = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
accelerators = root / "examples/accelerators"
folder = tempfile.TemporaryDirectory(prefix="nysx-schemas-")
os.chdir(folder.name)
environment = {**os.environ, "XDG_DATA_HOME": folder.name + "/xdg", "XDG_CACHE_HOME": folder.name + "/cache"}
environment.pop("NYSX_DATA_DIR", None)

PREPARED = """datasets generate set --graphs 40|datasets generate cites --kind nodes|datasets generate rows --kind table|datasets generate kg --kind triples
train --dataset ./set --landmarks 8 --dim 64 --hops 2 -o m.npz|train --family hydraf --dataset rows/ --dim 64 -o h.npz|train --family gat --dataset cites/ -o g.npz
train --family hdreason --dataset kg/ -o k.npz --dim 64|sweep --dataset MUTAG --fix nee.form=direct --study m.db|sweep --dataset MUTAG --study p.db|sweep --family gat --dataset cora --study q.db|boards show zcu104 -o good.xml
sweep --dataset MUTAG --dataset BZR --combine mean --study c.db --fix nee.form=factored --fix landmarks=64 --quality-drop none"""
ASKED = """version|doctor|schema|run plain.yaml --dry-run|study show m.db|study show c.db|study export m.db|completions bash|family new mine|boards list|boards show zcu104|boards show pynq-z2 u280
boards check good.xml|datasets list|datasets show MUTAG|datasets show MUTAG NCI1|datasets show cites/|datasets show rows/|datasets show kg/|datasets generate x1
train --dataset ./set --landmarks 8 --dim 64 --hops 2|train --dataset ./set --landmarks 8 --dim 64 --hops 2 --seeds 2|train --family hydraf --dataset rows/ --dim 64
train --family gat --dataset cites/|train --family hdreason --dataset kg/ --dim 64|infer --model m.npz --dataset ./set|infer --family hydraf --model h.npz --dataset rows/
infer --family gat --model g.npz --dataset cites/|infer --family hdreason --model k.npz --dataset kg/|simulate --model m.npz --dataset ./set
simulate --family hydraf --model h.npz --dataset rows/|simulate --family gat --model g.npz --dataset cites/|simulate --family hdreason --model k.npz --dataset kg/
validate --family smgpu --against published|validate --family gat --against published|validate --family hdreason --against published|validate --paper smgpu
sweep --dataset MUTAG --fix nee.form=direct|sweep --dataset MUTAG --compact --fix nee.form=direct|sweep --dataset MUTAG --robust --top 2
sweep --dataset MUTAG --dataset BZR --fix nee.form=direct|sweep --dataset MUTAG --where latency<=1ns|sweep --family gat --dataset cora --where !(latency>1us&&lut>10)|sweep --dataset airfoil --family hydraf|sweep --dataset cora --family gat
sweep --dataset FB15K-237-500 --family hdreason|sweep --dataset smgpu_mutag --family smgpu|sweep --family @first.yaml
sweep --dataset MUTAG --dataset BZR --combine worst --fix nee.form=factored --fix landmarks=64 --quality-drop none|sweep --dataset MUTAG --describe|optimize --dataset MUTAG --minimize latency
sweep --dataset MUTAG --method heuristic --budget 2000|optimize --dataset MUTAG --dataset BZR --minimize energy|optimize --dataset MUTAG --minimize latency --where latency<=1ns
compare --dataset ./set|estimate --dataset MUTAG --rate 20k/s|simulate --model m.npz --dataset ./set --rate 100/s
estimate --dataset MUTAG|estimate --dataset MUTAG --preset literal|estimate --dataset MUTAG --flow rtl|estimate --dataset MUTAG --set nee.lanes=1024
estimate --dataset MUTAG --dataset BZR|estimate --from m.db:best|estimate --family hydraf --dataset airfoil|estimate --family gat --dataset citeseer_table
estimate --family hdreason --dataset yago3-10_table|estimate --family smgpu --dataset smgpu_mutag|estimate --family @gnnbuilder.yaml|whatif --dataset MUTAG
whatif --dataset MUTAG --preset literal --set nee.precision=int8|whatif --dataset MUTAG --preset literal --target latency=0.5ms
whatif --dataset MUTAG --dataset BZR --set nee.lanes=64|roofline --dataset MUTAG|roofline --family hydraf --dataset airfoil|roofline --family hdreason --dataset yago3-10_table|whatif --family hdreason --dataset yago3-10_table|plot front --study m.db|plot engines --dataset MUTAG
datasets profile ./set --landmarks 8 --seeds 2|calibrate @../../tests/fuzz/corpus/report/own_csynth_summary_2022.rpt|study export c.db|report --study c.db|plot waterfall --dataset MUTAG --set nee.lanes=128
plot importance --dataset MUTAG|plot quality --dataset MUTAG --x landmarks|report --study m.db|report --study p.db|report --study q.db|emit --dataset MUTAG --only header -o eh|emit --dataset ./set --model m.npz -o em|emit --check em|family parts
family check @first.yaml|family explain @first.yaml"""


def run(line, *more):
    words = [str(accelerators / word[1:]) if word.startswith("@") else word for word in line.split(" ")]
    return subprocess.run([program, *words, *more, "-q"], capture_output=True, text=True, env=environment)


def closed(schema):
    """Closes the document's own objects where they are referred to."""
    def close(node, referred=False):
        if isinstance(node, list):
            return [close(one) for one in node]
        if not isinstance(node, dict):
            return node
        made = {key: ({name: close(one) for name, one in value.items()} if key == "properties" else [dict(one) if "$ref" in one else close(one) for one in value]
                      if key == "allOf" else close(value)) for key, value in node.items() if key != "$defs"}
        if ("properties" in made or "$ref" in made) and "additionalProperties" not in made:
            made["unevaluatedProperties"] = False
        return made
    whole = close(schema)
    # Copies parts unchanged and closes their references: an object is closed only by what refers to it.
    whole["$defs"] = {name: {key: ({one: close(sub) for one, sub in value.items()} if key == "properties" else value) for key, value in part.items()}
                      for name, part in schema["$defs"].items()}
    whole.pop("unevaluatedProperties", None)
    whole["unevaluatedProperties"] = False
    return whole


pathlib.Path("plain.yaml").write_text("command: version\n", encoding="utf-8")
for line in PREPARED.replace("\n", "|").split("|"):
    done = run(line)
    assert done.returncode == 0, (line, done.stderr)
documents = json.loads(run("schema", "--format", "json").stdout)["results"]
validators, met = {}, set()
for name in (one["name"] for one in documents):
    text = run(f"schema {name}").stdout
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    if installed:
        assert (installed / f"{name}.schema.json").read_text(encoding="utf-8") == text, f"{name}: the installed file"
    validators[schema["$id"]] = jsonschema.Draft202012Validator(closed(schema)), jsonschema.Draft202012Validator(schema)
failed = 0
for line in ASKED.replace("\n", "|").split("|"):
    done = run(line, "--format", "json")
    assert done.stdout, (line, done.stderr)
    answer = json.loads(done.stdout)
    met.add(answer["$schema"])
    tight, loose = validators[answer["$schema"]]
    for error in sorted([*loose.iter_errors(answer), *tight.iter_errors(answer)], key=lambda one: len(one.path))[:2]:
        failed += 1
        leaf = min(error.context, key=lambda one: -len(one.path), default=error)
        print(f"{line}: {'/'.join(map(str, error.path))}: {error.message[:200]} | {'/'.join(map(str, leaf.path))}: {leaf.message[:200]}")
# Lines of `serve`; each is a document.
lines = ['{"op": "describe", "id": 1}', '{"op": "evaluate", "configs": [{}, {"nee.lanes": 1024, "units": 1}]}', '{"op": "bounds"}', "no JSON", '{"op": "close"}']
served = subprocess.run([program, "serve", "--dataset", "MUTAG", "--where", "latency<=20us", "-q"], input="\n".join(lines), capture_output=True, text=True, env=environment)
for line in served.stdout.splitlines():
    answer = json.loads(line)
    met.add(answer["$schema"])
    for error in [*validators[answer["$schema"]][0].iter_errors(answer), *validators[answer["$schema"]][1].iter_errors(answer)]:
        failed += 1
        print(f"serve: {'/'.join(map(str, error.path))}: {error.message[:200]}")
assert len(served.stdout.splitlines()) == len(lines), served
# A schema that accepts anything would pass the checks above.
answer = json.loads(run("estimate --dataset MUTAG", "--format", "json").stdout)
loose = validators[answer["$schema"]][1]
for key, value in (("total", None), ("board", 3), ("fits", "yes"), ("engines", [{"name": "kse"}])):
    assert list(loose.iter_errors({**answer, key: value})), f"{key}={value} passes"
assert list(loose.iter_errors({key: value for key, value in answer.items() if key != "results"})), "an answer without results passes"
unmet = sorted(set(validators) - met)
assert len(unmet) <= 8, unmet
print(f"{len(validators)} schemas; {len(met)} were met: not {', '.join(name.split(':')[3] for name in unmet)}")
sys.exit(1 if failed else 0)
