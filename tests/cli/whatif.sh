# What-if: the parts of an answer, stable facts, and each kind of bad request.
try whatif --dataset NCI1 --preset literal --set nee.precision=int8 --set kse.pe=8 | sed -n '1,7p'
try whatif --dataset MUTAG --format json | grep -e '"schema"' -e '"least"' | head -3
"$program" whatif --dataset MUTAG --preset literal --set nee.ports=2 --format json -o whatif.json
"$program" estimate --dataset MUTAG --preset literal --format json -o from.json
grep static_power_w from.json
"$program" estimate --dataset MUTAG --preset literal --set nee.ports=2 --format json -o to.json
/usr/bin/python3 - <<'END'
import json
w, a, b = (json.load(open(f + ".json")) for f in ("whatif", "from", "to"))
for one in (a, b):
    del one["$schema"], one["results"]
print("origin:", b.pop("origin"))
latency = w["delta"]["latency_s"]
print("the estimates are the same:", w["baseline"] == a, w["changed"] == b)
print("the delta is theirs:", latency["from"] == a["total"]["latency_s"], latency["to"] == b["total"]["latency_s"],
      abs(latency["ratio"] - latency["to"] / latency["from"]) < 1e-12)
print("bytes do not change with ports:", w["delta"]["ddr_bytes"]["ratio"] == 1)
END
"$program" whatif --dataset MUTAG --sensitivity --format json --jobs 2 -o one.json
/usr/bin/python3 - <<'END'
import json, math
moves = json.load(open("one.json"))["sensitivity"]
effect = {}
for m in moves:
    effect[m["knob"]] = max(effect.get(m["knob"], 0), abs(math.log(m["ratio"])))
print("ranked by effect:", list(effect.values()) == sorted(effect.values(), reverse=True))
END
try whatif --dataset MUTAG --preset literal --base nee.ports=2 --set nee.ports=2 | sed -n '1,2p'
try whatif --dataset MUTAG --preset literal --set nee.lanes=1024 | grep exceeded
try whatif --across 'M*,DD' --preset literal --set nee.ports=2 | cut -c1-13
# Knobs named by --set stay fixed, which keeps the search small.
held='--set clock_mhz=300 --set units=1 --set lshu.pe=4 --set hue.pe=4 --set kse.pe=4 --set mphe.lookups=1 --set sce.bits=128 --set nee.outstanding=16'
try whatif --dataset MUTAG --preset literal $held --target 'latency=1s' | sed -n 4,5p | sed 's/of [0-9,]* with/of N with/'
for jobs in 1 2; do "$program" whatif --dataset MUTAG --preset literal $held --target latency=1ms --jobs $jobs --format json -o jobs$jobs.json; done
cmp jobs1.json jobs2.json && echo "the same by any number of threads"
try whatif --dataset MUTAG --preset literal $held --target latency=1ns | sed 's/of the [0-9,]* designs.*//'

# A budget ends the search for a target; the answer states what is known by then.
try whatif --dataset MUTAG --preset literal --target latency=1us --budget 1ms
try whatif --dataset MUTAG --preset literal --target latency=400us --budget 1h | sed -n 4,5p | sed 's/([0-9,]* designs)/(N designs)/'
try whatif --dataset MUTAG --preset literal --set units=2 --budget 1s
try whatif --dataset MUTAG --preset literal --target latency=1us --budget 7

# Settings missing from the profile are trained and measured: workload and quality, equal for any number of threads.
"$program" datasets generate data/TOY --graphs 60 --nodes 10 --seed 3 -q >/dev/null
"$program" datasets profile data/TOY --preset paper --grid landmarks=20 --seeds 2 -q -o toy.xml
try whatif --dataset toy.xml --preset paper --set nee.precision=int8 --set landmarks=12
try whatif --dataset toy.xml --preset paper --set nee.precision=int8 | grep quality
try whatif --dataset toy.xml --preset paper --set nee.precision=int8 --set landmarks=12 --measure --runs 2 --data-dir data | grep accuracy
for jobs in 1 2; do
    "$program" whatif --dataset toy.xml --preset paper --set nee.precision=int8 --set landmarks=12 --measure --runs 2 --data-dir data --jobs $jobs --format json -o m$jobs.json
done
cmp m1.json m2.json && grep -A 6 '"quality"' m1.json | grep '"n"'
"$program" train --dataset data/TOY --preset paper --landmarks 12 --precision int8 --seeds 2 --format json | grep accuracy_mean
grep -A 6 '"quality"' m1.json | grep '"mean"'
try whatif --dataset toy.xml --runs 2
try whatif --dataset toy.xml --preset paper --set landmarks=12 --measure --data-dir elsewhere
try whatif --dataset toy.xml --preset paper --set landmarks=12 --measure --runs 0 --data-dir data

# The search for the baseline counts towards the budget.
for words in '' '--preset literal'; do
    try whatif --dataset MUTAG --target latency=0.2ms --budget 0.0000001s $words -q
done

# Wrong words.
try whatif
try whatif --dataset MUTAG --preset literal --set kse.pe=3
try whatif --dataset MUTAG --preset literal --base kse.ep=3
try whatif --dataset MUTAG --metric speed
try whatif --dataset MUTAG --preset literal --target latency
try whatif --dataset MUTAG --preset literal --target latency=5kg
try whatif --dataset MUTAG --preset literal --target kse.pe=4
try whatif --across 'Q*'
