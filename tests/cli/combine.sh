# One design for several data sets, and several boards side by side.
narrow() {
    "$program" "$@" --where 'nee.lanes=16 && nee.port_bits=128 && nee.outstanding=16 && mphe.lookups=1 && sce.bits=128 && kse.pe<=8 &&
        clock_mhz=200 && nee.form=streamed && nee.precision=fp32 && units=1 && lshu.pe=4 && hue.pe=4 && place.h=bram && mphe.gamma=2 &&
        nee.fifo_depth=64 && capacity=max && kse.balance=static && lshu.balance=none && place.codebook=bram'
}
narrow optimize --dataset MUTAG --dataset NCI1 --combine worst --minimize latency --format json -o worst.json --study worst.db
grep -e '"combine"' -e '"optimal"' -e '"method"' -e '"dataset"' worst.json
# Its latency is that of the slower data set, equal to the estimate for that data set.
for set in MUTAG NCI1; do
    "$program" estimate --from worst.db:1 --dataset $set --format csv | sed -n 2p | cut -d, -f3
done | sort -g | tail -1 >slower
narrow optimize --dataset MUTAG --dataset NCI1 --combine worst --minimize latency --format csv --study worst.db --resume |
    sed -n '2s/^[^"]*"[^"]*",//p' | cut -d, -f1 | cmp - slower && echo "the worst of both"
narrow sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight NCI1=3 --format csv | sed '1d; s/,[0-9].*//' | sort | uniq -c | sed 's/^ *//'
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --method heuristic --budget 500 --format json | grep -e '"proven"' -e '"schema": "nysx-dse.c'
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --study sweep.db --format csv -o first.csv
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --study sweep.db --resume --format csv -o second.csv
cmp first.csv second.csv && echo "the same when it is taken up"
# An exhaustive visit reports if its budget ended it.
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --method exhaustive --budget 1us; echo "exit $?"
try sweep --dataset MUTAG --combine mean
try sweep --dataset MUTAG --dataset NCI1 --combine median
try sweep --dataset MUTAG --dataset NCI1 --combine mean --method ilp # several objectives
try sweep --dataset MUTAG --dataset NCI1 --combine mean --weight NCI1=2
try sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight NCI=2
try sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight NCI1=-1
try sweep --dataset MUTAG --dataset NCI1 --combine mean --free dim
try sweep --dataset MUTAG --dataset NCI1 --combine mean --free overlap

narrow sweep --dataset MUTAG --dataset NCI1 --combine mean -q | grep assumed
narrow optimize --dataset MUTAG --dataset NCI1 --combine mean --minimize latency -q | grep assumed

# If nothing fits on one board, the others still have answers.
narrow sweep --dataset MUTAG --board zcu104 --board pynq-z2 --fix landmarks=32 --quality-drop none --format json 2>errors | grep '"schema": "nysx-dse.[sio]'
grep -c 'Why nothing is feasible' errors
narrow optimize --dataset MUTAG --minimize latency --board pynq-z2 --board pynq-z1 --fix landmarks=32 --format json 2>errors >out; echo "exit $?"
grep '"schema"' out

# Integer programs find the merge's optimum for the mean and the weighted mean.
for how in mean 'weighted --weight NCI1=3'; do
    for metric in latency energy; do
        for method in ilp exact; do
            narrow optimize --dataset MUTAG --dataset NCI1 --combine $how --minimize $metric --method $method --format json |
                sed -n '/"combined": {/,/}/s/.*"'$metric'_[sj]": *//p' | head -1 >$method
        done
        test -s ilp && cmp ilp exact && echo "$metric by the $how: ilp and exact agree"
    done
done
try optimize --dataset MUTAG --dataset NCI1 --combine worst --minimize latency --method ilp
try optimize --dataset MUTAG --dataset NCI1 --combine mean --minimize power --method ilp

# Unmeasured settings: the front equals that of data sets with all settings measured before.
for seed in 3 4; do
    "$program" datasets generate TOY$seed --graphs 60 --classes 2 --feature-signal 0.1 --structure-signal 0.1 --seed $seed -q >/dev/null
    "$program" datasets profile ./TOY$seed --landmarks 16 --grid sce.prototype_bits=1 --seeds 2 -o some$seed.xml -q
    "$program" datasets profile ./TOY$seed --landmarks 16 --grid sce.prototype_bits=1 --grid dim=1024,2048,4096,8192,10000 --seeds 2 -o all$seed.xml -q
done
toys() { # some|all
    kind=$1; shift
    "$program" sweep --dataset ${kind}3.xml --dataset ${kind}4.xml --data-dir . --fix kse.balance --fix lshu.balance --fix place.h \
        --objectives latency,lut,error --format csv --quality-drop none --where 'nee.lanes=16 && kse.pe<=8 && nee.outstanding=16 && landmarks=16 &&
        dim<=10000 && dim>=1000 && sce.prototype_bits=1' "$@" | cut -d, -f2- | sed 's/,\("{.*\)\?$//' # everything except the request
}
for how in mean worst 'weighted --weight TOY4=3'; do
    toys all --combine $how >whole.csv
    toys some --combine $how --free dim --seeds 2 | cmp - whole.csv && echo "$(sed 1d whole.csv | wc -l) designs by the $how, measured on demand or before"
done
toys some --combine mean --free dim --seeds 2 --study toys.db --budget 10ms -q >/dev/null
toys some --combine mean --free dim --seeds 2 --study toys.db --resume -q | sort >resumed.csv
toys all --combine mean | sort | cmp - resumed.csv && echo "the same after a budget"
try sweep --dataset some3.xml --dataset some4.xml --data-dir . --combine mean --robust

# A visit counts the designs that it evaluates: knobs that matter in none of them (32 million values) do not multiply the count.
direct() {
    "$program" sweep --dataset BZR --dataset MUTAG --dataset NCI1 --combine mean --fix nee.form=direct --fix lshu.pe=4 --fix nee.lanes=64 \
        --fix capacity=max --fix nee.codes=4 --fix units=1 --fix sce.bits=128 --fix clock_mhz=300 --format csv -q "$@"
}
direct --method exhaustive >visited.csv; echo "exit $?"
direct --method exact | sed "s,--method [a-z]*,," | cmp - <(sed "s,--method [a-z]*,," visited.csv) && wc -l <visited.csv
direct --method exact --resolution 20% | wc -l # a front that covers the full one
# Each row has its rank, its corners, and each data set's quality with deviation and n; the first row has the provenance.
python3 - <<'EOF'
import csv, json
rows = list(csv.DictReader(open('visited.csv')))
print(sorted(int(r['rank']) for r in rows) == list(range(1, len(rows) + 1)), sorted(c for r in rows for c in r['corners'].split()))
print([k for k in rows[0] if k.startswith('NCI1_') or k == 'quality_error'], {r['NCI1_quality_n'] for r in rows})
print(json.loads(rows[0]['provenance'])['command'], {r['provenance'] for r in rows[1:]})
EOF
narrow optimize --dataset MUTAG --dataset NCI1 --combine mean --minimize latency --format json --compact | grep -c -e '"engines"' -e '"config"'
# Names in a study are the sweep's corners, which the quality of a single data set would not give.
for how in mean worst 'weighted --weight NCI1=3'; do
    rm -f corners.db
    "$program" sweep --dataset MUTAG --dataset NCI1 --combine $how --fix units=1 --fix nee.form=direct --study corners.db --format json -q >corners.json
    "$program" report --study corners.db --format json >page.json
    python3 - "$program" "$how" <<'EOF'
import json, subprocess, sys
answer, view = json.load(open('corners.json')), json.load(open('page.json'))['views'][0]
named = {corner: json.loads(subprocess.run([sys.argv[1], 'estimate', '--from', f'corners.db:{corner}', '--format', 'json'], check=True,
                                           capture_output=True).stdout)['results'] for corner in answer['corners']}
wrong = [corner for corner, design in answer['corners'].items()
         for one in named[corner] for knob, value in design['config'].items() if one['config'].get(knob) != value]
ids = {corner['title'].replace(' ', '_'): corner['point'] + 1 for corner in view['corners']} # the front of a study made without interruption
wrong += [corner for corner, design in answer['corners'].items() if ids[corner] != design['id']]
print('bands of one data set around the latency of two:', [low for low in view['points']['low']['latency_s'] if low is not None])
print(sys.argv[2], len(named), 'corners,', len(set(json.dumps([each['config'] for each in one]) for one in named.values())), 'designs, wrong:', wrong)
EOF
done

try sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight MUTAG=1 --weight MUTAG=3
try sweep --dataset MUTAG --dataset NCI1 --weight MUTAG=1

# Explains why no common design meets the limits, and the value that each limit needs; with that value there is a design.
for how in mean worst; do
    narrow sweep --dataset MUTAG --dataset NCI1 --combine $how --where 'latency<=1us && lut<=20%' --format json -q >why.json 2>errors; echo "exit $?"
    grep -E 'Why nothing|together' errors | sed 's/([0-9,]* /(N /'
    needed=$(python3 -c "import json; why = json.load(open('why.json'))['why']; print(why[0]['needed'] if len(why) == 1 else why)")
    narrow sweep --dataset MUTAG --dataset NCI1 --combine $how --where "latency<=${needed}s && lut<=20%" --format csv -q | wc -l
done
# More data sets than the exact merge supports; power as objective.
nine=''
for i in 1 2 3 4 5 6 7 8 9; do
    sed "s/dataset=\"TOY3\"/dataset=\"N$i\"/" some3.xml >N$i.xml
    nine="$nine --dataset N$i.xml"
done
"$program" optimize $nine --combine mean --minimize latency --where 'latency<=100ns && lut<=5%' --fix retrain=0 --fix kse.pe --fix nee.outstanding --fix units \
    --fix nee.lanes=16 --fix mphe.gamma --fix nee.port_bits --fix clock_mhz --fix place.h --fix nee.fifo_depth --fix mphe.lookups --budget 20000 -q; echo "exit $?"
narrow optimize --dataset MUTAG --dataset NCI1 --combine mean --minimize power --where 'power<=1uW && latency<=1us' -q; echo "exit $?"
try optimize --dataset MUTAG --dataset NCI1 --combine mean --minimize latency --where 'lshu.pe<2 && lshu.pe>2' --format json -q | grep -E '^nysx|"(message|dataset|constraint|contradicts)"|exit'
try optimize --dataset MUTAG --dataset NCI1 --combine mean --minimize power --where 'power<=1uW' --fix units=1 --method heuristic --budget 300 -q
# Only the ratio of weights counts, to the last bit.
for weights in '1 1' '3 3' '0.7 0.7'; do
    narrow sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight MUTAG=${weights% *} --weight NCI1=${weights#* } --format csv -q | sed 's/,\("{.*\)\?$//' | md5sum
done | uniq -c | sed 's/ [0-9a-f]* *-$//'
