# One best design, rejections, and explanations if no design is feasible. Without figures, which the tests of the models check.
small="--fix lshu.pe --fix hue.pe --fix place.h --fix clock_mhz --fix landmarks --jobs 2"
try optimize --dataset MUTAG $small --minimize latency --where 'dsp<=25%' --method exact | grep Least | sed 's/[0-9][0-9,.e+-]*/N/g'
try optimize --dataset MUTAG $small --minimize energy --method ilp --format json | grep -E '"(schema|method|metric|optimal|fits)"'
try optimize --dataset MUTAG $small --minimize latency --where 'latency<=1ns && dsp<=25%' | grep -E '^(nysx|Why|constr|block|latency|the|Near|exit)' | sed 's/[0-9][0-9,.e+-]* */N /g'
try optimize --dataset MUTAG $small --minimize latency --where 'latency<=1ns' --format json -q | grep -E '"(schema|feasible|constraint|ratio)"|^exit' | sed 's/[0-9][0-9.e+-]*,*$/N/'
try optimize --dataset MUTAG $small --fix overlap=none --maximize throughput --method ilp --write-lp slice.lp --format csv | wc -l
grep -c 'one_slice:' slice.lp
try optimize --dataset MUTAG
"$program" optimize --dataset MUTAG $small --fix overlap=none --maximize throughput -q | sed -n '1s/,.*bound/ \/ bound/p'
"$program" optimize --dataset MUTAG $small --minimize energy --where 'throughput>=1G/s' -q 2>&1 | grep -e impossible -e instead
try optimize --dataset MUTAG --minimize latency --maximize throughput
try optimize --dataset MUTAG --minimize throughput
try optimize --dataset MUTAG --minimize latency,energy
for method in exact ilp; do "$program" optimize --dataset MUTAG $small --minimize latency --where 'power>=1.5' --method $method -q; done |
    sed -n 's/ by [a-z ]* among.*//p' | uniq -c | sed 's/[0-9.]* [nµm]*s,/N,/'
try optimize --dataset MUTAG --minimize power --cutoff
try optimize --dataset MUTAG --minimize latency --method annealing
try optimize --dataset MUTAG --minimize latency --method exact --write-lp slice.lp
try optimize --dataset MUTAG --minimize latency --write-lp slice.txt

# A budget applies to every method: the answer is the best design so far, marked as not proven.
for budget in 30 1e5 0 0s -1s nan '' 99999999999999999999; do
    try optimize --dataset MUTAG $small --minimize latency --budget "$budget"
done
try optimize --dataset MUTAG --minimize latency --budget 1us -q
try optimize --dataset MUTAG --minimize latency --budget 1us --method ilp -q
try optimize --dataset MUTAG --minimize latency --budget 3s --method exhaustive --format json | grep -e budget -e '"optimal"' -e '"bound": null' -e exit | sed -E 's/after [0-9.e-]+ %/after N %/'
try sweep --dataset MUTAG --budget 1s --method exhaustive --format json --study late.db | grep -e budget -e '"proven"' -e exit | sed -E 's/after [0-9.e-]+ %/after N %/'
try optimize --dataset MUTAG $small --minimize latency --budget 1h --format json | grep -e budget -e '"optimal"' -e exit

# A name given twice counts once.
"$program" optimize --dataset MUTAG --dataset 'MU*' --board zcu104 --board 'zcu104*' $small --minimize latency --format csv -q | wc -l

# Contradictory limits are reported at once, for any size of the space.
try optimize --dataset MUTAG --board zcu104 --minimize latency --where 'latency>=30us && latency<=20us && lut<=1k && lut>=1%' -q | grep -E 'both|exit'
try optimize --dataset MUTAG --board zcu104 --minimize latency --where 'latency>2ms && latency<=1ms' -q | grep -E 'both|exit' # a strict limit as it was written
try optimize --dataset MUTAG --board zcu104 --minimize latency --where 'latency>=30us && latency<=20us' --format json -q | grep -E '"(constraint|contradicts|nearest)"|exit'
try optimize --dataset MUTAG --board zcu104 --minimize energy --where 'energy<=300nJ && lut<=15%' -q | grep -E 'conflict|exit' # the knob units, which is narrowed, conflicts too

# Every method names limits that leave a knob no value, also in JSON. Designs to which the knob does not apply remain.
for method in exact ilp exhaustive heuristic; do
    try optimize --dataset MUTAG --minimize latency --fix units=1 --fix units=4 --format json -q --method $method | grep -E '^nysx|"(message|constraint|contradicts|nearest)"|exit'
done
for limits in 'landmarks<=64 && landmarks>=65' 'landmarks=16 && landmarks=32' 'landmarks=16 && landmarks*2=64' 'nee.outstanding=3 && nee.form=streamed' \
    'clock_mhz=10' 'landmarks=251 && nee.form=streamed'; do
    try optimize --dataset MUTAG --minimize latency --where "$limits" -q --method heuristic
done
try optimize --dataset MUTAG --minimize latency --fix landmarks=16 --where landmarks=32 -q
for limits in 'nee.outstanding=3' 'landmarks=251'; do
    try optimize --dataset MUTAG --minimize latency --where "$limits" --compact --format json | grep -E '^nysx.*: (nee|land)|"nee.form"|exit'
done
# Conditions that no design meets are explained too: each side of `||`, and the least value of a product; so is a load.
gat() { "$program" optimize --family gat --dataset cora --minimize latency -q "$@"; echo "exit $?"; }
gat --where 'latency<=1us || lut<=10' 2>&1
gat --where 'latency*power<=1nJ && dsp<=40' 2>&1
for method in exact ilp exhaustive; do
    gat --where '!(latency>1us && lut>10)' --where 'dsp>=1' --method $method --format json 2>/dev/null >why.$method
    cmp why.exact why.$method
done
sed '/"results"/q' why.exact | grep -E '"(schema|where|constraint|reachable|needed|ratio)"'
gat --where 'latency*power<=1nJ' --format json 2>/dev/null | sed '/"results"/q' | grep -E '"(constraint|latency.power)"|exit'
gat --where 'latency<=1us || lut<=10' --budget 0.000001s --format json 2>/dev/null
try optimize --dataset MUTAG --minimize lut --rate 1000000 --where 'p99_load<=1ns' --fix nee.form=direct -q --format json | grep -E '"(schema|message|feasible)"|exit'
# If the heuristic finds nothing, nothing is proven, on one board or on several.
for boards in '' '--board zcu104 --board zcu102'; do
    try optimize --dataset MUTAG $boards --minimize latency --where 'latency<=1ns' --method heuristic --budget 300 --format json -q
done

# The size of the space is printed before the search, and equals the answer's.
"$program" sweep --dataset MUTAG $small --front 1 --top 1 2>said | grep -o '[0-9,]* designs, [0-9]* set' >answered
grep -o '[0-9,]* designs, [0-9]* set' said | cmp - answered && echo the same

# The metric `error` is 1 − quality: lower is better.
for pair in '--minimize error:--maximize accuracy' '--minimize dsp --where error<=14%:--minimize dsp --where accuracy>=86%' \
    '--minimize dsp --where error<0.14:--minimize dsp --where quality>0.86'; do
    # shellcheck disable=SC2086
    cmp <("$program" optimize --dataset MUTAG ${pair%:*} --format csv -q) \
        <("$program" optimize --dataset MUTAG ${pair#*:} --format csv -q) && echo the same design
done
try optimize --dataset MUTAG --maximize error

# Infeasible on every board: the reason, by every method.
for method in exact ilp exhaustive; do
    try optimize --dataset ENZYMES --minimize latency --flow rtl --fix clock_mhz=200 --fix nee.form=streamed --fix nee.ports=2 --fix units=1 --fix lshu.pe=4 -q --method $method
done

# A clock above the longest path is infeasible by every method; an answer names its clock, the band and the engine.
for method in exact ilp; do
    try optimize --board kc705 --dataset NCI1 --minimize latency --flow rtl --fix clock_mhz=250 --where 'nee.form=factored' -q --method $method
done
"$program" optimize --board kc705 --dataset NCI1 --minimize latency --flow rtl --fix clock_mhz=250 --where 'nee.form=factored' -q --method heuristic --budget 2s 2>/dev/null
echo "heuristic: exit $?"
"$program" sweep --dataset NCI1 --flow rtl -q | tr '\n' ' ' | grep -o 'Clock of the balanced design[^.]*'
"$program" estimate --dataset NCI1 --flow rtl --board vck190 -q | grep '^clock  '

# A quality in per cent gives the same limit.
for limit in 'accuracy>=88.5%' 'accuracy>=0.885' 'error<=11.5%' 'error<=0.115'; do
    "$program" optimize --dataset MUTAG --minimize latency --where "$limit" -q | grep -o "^latency *[0-9.]* ns"
done

# A limit that every design meets changes nothing, neither the fewest units nor the quality rule; one that some designs fail does.
for limit in 'throughput>0' 'throughput>=0.001/s' 'throughput>=1mHz || latency<=1us' 'units>=1' 'accuracy>=0' 'accuracy<=1' 'lut>=0' 'accuracy>=0.1 || latency<=1us' 'throughput>=10k/s' 'accuracy>=0.6'; do
    "$program" optimize --dataset DD --minimize energy --where "$limit" --format json -q |
        python3 -c 'import json, sys; a = json.load(sys.stdin); print("units=%d" % a["config"]["units"], "--quality-drop" if "floor" in a["total"]["quality"] else "any quality", sys.argv[1])' "$limit"
done
try optimize --dataset MUTAG --minimize latency --where 'units<2 && units>2' -q
for limit in 'units>2' 'units=8' '2*units=16'; do # numbers of units named by a condition are visited
    "$program" optimize --dataset MUTAG --minimize latency --host linux --where "$limit" -q | grep -o 'units=[0-9]* overlap=[a-z]*' | head -1
done
for free in units overlap; do # as do those that --free names
    "$program" optimize --dataset MUTAG --minimize energy --free $free -q | grep -o 'units=[0-9]* overlap=[a-z]*' | head -1
done
for limit in 'energy_per_item<=20uJ' 'latency_system<=250us || dsp<=1'; do # a launch of many items needs a queue, whatever metric of the system is limited
    "$program" optimize --dataset MUTAG --minimize lut --batch 64 --fix dim=1024 --fix nee.lanes=256 --fix lshu.pe=4 --where "$limit" -q | grep -o 'overlap=[a-z]*' | head -1
done

# A condition on several knobs can be a binding constraint, in text and JSON, without making another one "impossible alone".
for where in 'lshu.pe*nee.lanes>=300000 && dsp<=100' '(lshu.pe*nee.lanes>=300000 || clock_mhz>=1000) && latency<=1s' 'lshu.pe*nee.lanes>=30000 && lshu.pe*clock_mhz<=800' \
    'lshu.pe*nee.lanes>=300000 || latency<=1ns' 'dim*hops>=1e9'; do
    try optimize --dataset MUTAG --minimize latency --fix nee.form=direct --where "$where" -q
    "$program" optimize --dataset MUTAG --minimize latency --fix nee.form=direct --where "$where" -q --format json 2>/dev/null |
        sed '/"results"/q' | grep -E '"(constraint|impossible|suffices|lshu.pe\*.*|where)":' | sed 's/^ *//'
done

# Jobs of hours: integer programs find what the exact merge finds.
for question in "hdreason WN18RR energy" "hdreason WN18RR power" "hydraf ccpp energy"; do
    set -- $question
    for method in ilp exact; do
        "$program" optimize --family "$1" --dataset "$2" --fix task=fit --minimize "$3" --method "$method" -q | sed -n '1s/ in .*//p'
    done
done

# Conditions on several knobs that contradict each other are named, all of them.
try optimize --dataset MUTAG --board zcu104 $small --minimize latency --where 'nee.lanes*lshu.pe<=4 && nee.lanes*lshu.pe>=8' -q

# The knobs of a group have more than 2^32 combinations, most of them of other forms.
for method in exact heuristic; do
    "$program" optimize --dataset ENZYMES --minimize latency --flow rtl --fix clock_mhz=200 --fix units=1 --fix lshu.pe=4 --fix features=both --method $method -q | grep '^latency'
done
