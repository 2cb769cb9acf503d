# Pictures in every form, and the data behind them.
"$program" sweep --dataset MUTAG --fix nee.form=factored --fix landmarks=64 --study s.db -q >swept.txt
try plot front --study s.db -o front.svg --data front.csv
head -1 front.csv
grep -c baseline front.csv
"$program" sweep --dataset MUTAG --study published.db -q >swept.txt
"$program" plot front --study published.db -o front.svg --data published.csv -q
grep -o 'baseline.*latency_s,[^,]*' published.csv # the publication's latency, as in the table of sweep
grep -c "balanced" front.csv
grep -c "<svg" front.svg
try plot front --study s.db --x bram18 --y accuracy --by nee.lanes --range x=:300 --size 85x60mm --dpi 300 -o front.png
file=$(od -A n -t x1 -N 4 front.png) && echo "$file"
try plot front --study s.db -o front.pdf --font "DejaVu Serif" --text 8
head -c 5 front.pdf && echo
try plot quality --dataset MUTAG --preset literal --x landmarks | cut -d, -f4-6
try plot latency --dataset MUTAG --preset literal --x nee.lanes --by nee.ports | tail -4 | cut -d, -f2-6
try plot energy --dataset MUTAG --x latency | sed -n 3p | cut -d, -f4,6
try plot engines --dataset MUTAG --preset literal | tail -3
try plot latency --dataset MUTAG --x nee.ports # without effect in the default design
"$program" plot latency --dataset MUTAG --x nee.lanes=512 -q | tail -1 | cut -d, -f6,7
"$program" plot latency --dataset MUTAG --preset literal --x nee.lanes=512 -q | tail -1 | cut -d, -f6,7
# The parts of the energy add up to the estimate.
"$program" plot engines --dataset MUTAG --preset literal --format json -q >engines.json
"$program" estimate --preset literal --dataset MUTAG --format json -q >estimate.json
python3 - <<'PY'
import json
parts = [p for p in json.load(open("engines.json"))["results"] if p["y_is"] == "energy_j"]
whole = json.load(open("estimate.json"))["total"]["energy_j"]
print("energy", abs(sum(p["y"] - p["low"] for p in parts) / whole - 1) < 1e-6)
PY
# The factors of a waterfall multiply to the ratio of both latencies.
"$program" plot waterfall --dataset MUTAG --preset literal --set nee.lanes=128 --set nee.ports=4 --set clock_mhz=200 --format json -q >waterfall.json
"$program" plot latency --dataset MUTAG --preset literal --x nee.lanes=16,128 --set nee.ports=4 --format json -q >ends.json
python3 - <<'PY'
import json, math
rows = {p["y"]: p for p in json.load(open("waterfall.json"))["results"]}
whole = rows.pop("all together")
parts = [max(p["low"], p["high"]) / min(p["low"], p["high"]) for p in rows.values()]
print(sorted(rows), abs(math.prod(f if p["x"] == p["high"] else 1 / f for f, p in zip(parts, rows.values())) / whole["x"] - 1) < 1e-9)
PY
try plot waterfall --dataset MUTAG --preset literal --set nee.lanes=128 --y energy -o w.svg --style bw
try plot waterfall --dataset MUTAG --preset literal
try plot waterfall --dataset MUTAG --set nee.lanes=128 --y accuracy
# A knob whose name begins like the name of the combined row is a normal step.
sed 's/\blanes\b/all_lanes/g; s/name: first/name: lanes/' "$here/../../examples/accelerators/first.yaml" >all.yaml
"$program" plot waterfall --family ./all.yaml --set all_lanes=16 --set type=fp32 -o all.svg --data all.csv -q
grep -c 'better,.*all_lanes' all.csv
# Knobs explain at most all of the variance of the drawn designs' cycles.
"$program" plot importance --dataset MUTAG --y cycles --format json -q | python3 -c 'import json,sys; p=json.load(sys.stdin)["results"]; print(p[0]["y"], all(0 < q["x"] <= 1 for q in p))'
try plot importance --study s.db --y energy -o i.pdf --style slide --legend none
try plot front --study s.db --bands --data bands.csv -o bands.svg --style paper --legend outside --logy --xlabel "Latency (ms)" --ylabel Energy --title "" --xlim :2ms
python3 -c 'import csv; p = [{k: float(v) for k, v in r.items() if k in ("x", "y", "low", "high", "x_low", "x_high") and v} for r in csv.DictReader(open("bands.csv")) if r["high"]]
print(len(p) > 3, all(q["low"] < q["y"] < q["high"] and q["x_low"] < q["x"] < q["x_high"] for q in p))'
try plot engines --dataset MUTAG --bands
try plot engines --dataset MUTAG -o x.svg --logx
try plot engines --dataset MUTAG -o x.svg --style poster
try plot engines --dataset MUTAG -o x.svg --legend left
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --ylim 5us:1us
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range y=1us: --ylim 5us:
# Grid lines at powers of two are equally far apart, also beside a publication's 10,000.
"$program" plot latency --dataset NCI1 --x dim -o dim.svg -q
python3 - <<'PY'
import re
lines = [tuple(map(float, found)) for found in re.findall(r'stroke[:="]+rgb\(88[^>]* d="M ([\d.]+) [\d.]+ L ([\d.]+)', open("dim.svg").read())]
upright = sorted(x for x, to in lines if x == to)
steps = [b - a for a, b in zip(upright, upright[1:])]
print(len(upright) >= 3, max(steps) - min(steps) < 0.1)
PY
try plot latency --study s.db --x lshu.pe --by nee.lanes -o points.svg
"$program" datasets generate TOY --graphs 20 -q >made.txt
"$program" train --dataset TOY/ --landmarks 4 -o m.npz -q >trained.txt
try plot timeline --model m.npz --dataset TOY/ --item 3 -o t.svg --data t.csv
grep -c stages t.csv
"$program" simulate --model m.npz --dataset TOY/ --format json | grep -c '"name"'
try plot timeline --model m.npz --dataset TOY/ --item 20
try plot timeline --dataset TOY/
try plot cycles --model m.npz --dataset MUTAG --x lshu.pe
try plot cycles --model m.npz --dataset TOY/ --x nee.lanes=16,4 --by clock_mhz=100,300 --board zcu104 -q
"$program" simulate --model m.npz --dataset TOY/ --board zcu104 --set nee.lanes=4 --set clock_mhz=100 --format csv | sed -n 's/^total,,\([0-9.]*\),.*/\1/p'
try plot latency --model m.npz --dataset TOY/ --x landmarks -q
try plot energy --model m.npz --dataset TOY/ --x nee.lanes -q
try plot latency --dataset MUTAG --x nee.lanes=4,a
try plot latency --dataset MUTAG --x latency=2
try plot front
try plot latency --dataset MUTAG
try plot latenc --dataset MUTAG --x nee.lanes
try plot latency --dataset MUTAG --x nee.lane
try plot latency --dataset MUTAG --x nee.lanes -o x.jpg
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --size 1x1
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range x=5us
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range y=5us:1us
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range y=:50% # a time has no share
try plot latency --dataset MUTAG --x pe # three engines have a pe
try plot front --study s.db --board kv260 -o x.svg
try plot lut --dataset MUTAG --x nee.lanes -o x.svg --ylabel "LUT (%)" --ylim 5%:90%
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --ylabel "Latency (%)"
try plot quality --dataset MUTAG --preset literal --x landmarks=16,64
try plot
# A knob named by the part after its dot.
"$program" plot quality --dataset MUTAG --preset literal --x landmarks --by precision | tail -1
# The picture notes an assumed cap at one of its clocks: it then has that many more letters.
"$program" boards show zcu104 -o known.xml -q
sed 's/<source id="finn" evidence="[a-z-]*"/<source id="finn" evidence="assumed"/' known.xml >assumed.xml
for board in assumed known; do "$program" plot latency --dataset MUTAG --preset literal --x nee.lanes --board ./$board.xml -o $board.svg -q; done
echo "$(($(grep -o '<use' assumed.svg | wc -l) - $(grep -o '<use' known.svg | wc -l))) letters more"
# An axis names the items that an amount covers; a picture with that label is the same.
"$program" plot energy --family hdreason --dataset FB15K-237-500 --x encoder.products -o own.svg -q
"$program" plot energy --family hdreason --dataset FB15K-237-500 --x encoder.products --ylabel "energy per 128 queries" -o named.svg -q
cmp own.svg named.svg && echo "energy per 128 queries"
