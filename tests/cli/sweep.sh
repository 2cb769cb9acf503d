# Sweeping and estimating: fronts, and each kind of bad request.
try sweep --describe | grep -e '^kse' -e 'designs'
try sweep --describe --format json | grep -e '"schema"' -e '"space_size"'

# Both methods give the same front, and choose the same among equal designs.
small="--fix lshu.pe=4 --fix hue.pe=4 --fix clock_mhz=300 --fix place.h=bram"
"$program" sweep --dataset MUTAG $small --objectives latency --method exhaustive \
    --where 'nee.lanes<=32 && nee.port_bits=128 && nee.outstanding=16 && mphe.lookups=1 && sce.bits=128 && units=1 && kse.pe<=8 && mphe.gamma=2' \
    --fix landmarks=32 --format json -o exhaustive.json
"$program" sweep --dataset MUTAG $small --objectives latency --method exact \
    --where 'nee.lanes<=32 && nee.port_bits=128 && nee.outstanding=16 && mphe.lookups=1 && sce.bits=128 && units=1 && kse.pe<=8 && mphe.gamma=2' \
    --fix landmarks=32 --format json -o exact.json
for f in exhaustive exact; do sed -n '/^  "front"/,/^  ]/p' $f.json >$f.front; done
grep -c bottleneck exact.front
cmp exhaustive.front exact.front && echo "exact is exhaustive"

# The quality rule.
try sweep --dataset MUTAG $small --fix landmarks=33
try sweep --dataset MUTAG $small --where 'accuracy>=0.99'
try sweep --dataset MUTAG $small --where 'latency<=60.00001ns'
try sweep --dataset MUTAG $small --where 'latency<=1ns'

# The baseline of speed-ups: the published figure of that design on its board and data if there is one, else the models'.
against() {
    "$program" sweep -q "$@" --format json | python3 -c 'import json, sys
answer = json.load(sys.stdin)
balanced, baseline = answer["corners"]["balanced"], answer["baseline"]
print(*sys.argv[1:], baseline["published"], baseline["modelled"]["on"])
for name, key in [("latency", "latency_s"), ("energy", "energy_j")]:
    from_ = baseline["published"][key] or baseline["modelled"][key]
    assert abs(balanced["ratio"][name] * balanced["total"][key] / from_ - 1) < 1e-9, name
    assert baseline["modelled"][key] == answer["corners"]["paper"]["total"][key], name' "$@"
}
against --dataset ENZYMES
against --dataset ENZYMES --board kv260
against --family hydraf --dataset airfoil
against --family hdreason --dataset FB15K-237
"$program" sweep --family hdreason --dataset FB15K-237 2>&1 >/dev/null | grep -o "balanced design has no HLS source.*"

# Errors with suggestions.
for where in 'latency<=20' 'energy<=3' 'accuracy>=85' 'error<=14' 'latency<=1ms and dsp<=50' 'latency<=1ms, dsp<=50' 'latency<=1ms || dsp<=5*ff' \
    '(dsp<=5' '2*dsp<=5' 'precision=int8'; do try sweep --dataset MUTAG --where "$where"; done
try sweep -board zcu104 --dataset MUTAG
try sweep --dataset MUTAG --headroom 120%
cmp <("$program" estimate --dataset MUTAG --headroom 20% --format csv) <("$program" estimate --dataset MUTAG --headroom 0.2 --format csv) && echo 20% is 0.2
try sweep --dataset MUTAG --quality-drop nothing

# Wrong words.
try sweep
try sweep --dataset NOSUCH
try sweep --dataset MUTAG --board zcu999
try sweep --dataset MUTAG --method magic
try sweep --dataset MUTAG --objectives latency,speed
try sweep --dataset MUTAG --objectives latncy,energy
try sweep --dataset MUTAG --where 'latency<=5kg'
try sweep --dataset MUTAG --where 'latency<='
try sweep --dataset MUTAG --where 'latencey<=1ms'
try sweep --dataset MUTAG --where 'nee.precision<=int8'
try sweep --dataset MUTAG --where '3!=nee.form'
try sweep --dataset MUTAG --where 'lshu.pe>64'
try sweep --dataset MUTAG --fix nee.lane=3
try sweep --dataset MUTAG --quality-drop -1
try estimate --dataset MUTAG --set kse.pe=3
try estimate --dataset MUTAG --set kse.pe
try estimate --dataset MUTAG --set kse.ep=4
try estimate --dataset MUTAG --preset literal --set nee.ports=8
for preset in paper best; do try estimate --dataset MUTAG --preset $preset | grep -E "^(design|accuracy)"; done
try estimate --family smgpu --dataset MUTAG --preset literal
try estimate --from s.db:1 --preset paper
try estimate --dataset MUTAG --preset literal --set landmarks=33
try estimate --dataset MUTAG --headroom 2
try estimate --dataset missing/MUTAG.zip
try estimate --dataset MUTAG --family nosuch
printf '<space family="nysx"><knob name="kse.pe" kind="hardware" title="x" min="1" max="4" default="9"/></space>' >space.xml
try estimate --dataset MUTAG --space space.xml 2>&1 | sed 's/ (and .*//'
try estimate --dataset MUTAG -o no/such/folder/x.json
ls no 2>&1
# "Does not fit" is an answer, not an error.
try estimate --dataset MUTAG --preset literal --set nee.lanes=1024 --format json | grep -e '"fits"' -e '"over"'

# Numbers of limits: decimal, in range.
for value in 1e400 1e400ms 0x10 nan; do try sweep --dataset MUTAG --where "latency<=$value"; done
try estimate --from s.db:99999999999999999999 --dataset MUTAG

# A user's space may change domains, but not knobs, nor use numbers outside the models' range.
space() { sed "$1" "$here/../space/before/nysx.xml" >own.xml; try sweep --dataset MUTAG $small --space own.xml -q --format csv | sed -n '2p' | cut -c1-110; }
space '/name="units"/s/min="1"/min="0"/'
space '/name="kse.pe"/s/max="64"/max="9000000000000000000"/'
space '/name="landmarks"/s/kind="algorithmic"/kind="hardware"/'
space 's/values="1 2 4 8 16 32 64"/values="1 2 1"/'
space '/name="kse.pe"/s/max="64"/max="1024"/'

# A stored quality that does not name a knob (nee.table) applies only to the knob's default.
sed '/^    <setting>/s/ nee.table=none//' "$here/../../models/nysx/profiles/MUTAG.xml" >older.xml
direct='--set nee.form=direct --set codes=wl --set width=1 --set hops=4 --set dim=16384 --set prototypes=ridge --set nee.center=yes --set sce.prototype_bits=8'
for table in none 4096; do try estimate --dataset older.xml --preset literal $direct --set nee.table=$table | grep -E '^(accuracy|quality)'; done

# A lower-is-better quality is not treated as higher-is-better. Impossible neighbour counts: half a vertex, an order that does not ascend.
for wrong in '1 6703.5 2 10277' '2 10277 1 6703'; do
    sed "s/columns=\"2\">1 6703 2 10277/columns=\"2\">$wrong/" "$here/../../models/hdreason/profiles/WN18RR.xml" >wrong.xml
    try estimate --family hdreason --dataset wrong.xml
done
sed 's/<quality name="accuracy" better="higher"/<quality name="error" better="lower"/' "$here/../../models/nysx/profiles/MUTAG.xml" >lower.xml
try sweep --dataset lower.xml $small --quality-drop none -q | head -3
try sweep --dataset MUTAG --objectives latency,energy, -q

# A folder of that name is read as data, and its missing files are reported.
mkdir empty
try sweep --dataset empty

# The most accurate design is not shown under one that is more than a standard error below it, whatever they share.
"$program" sweep --dataset MUTAG --board kv260 --objectives latency_system,energy_per_item,error -q | grep -o '^most accurate\|most accurate is within.*'
