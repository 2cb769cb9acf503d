# An experiment as one file: its commands, its effect, rejections with their line, and a file written from a command line.
cat >experiment.yaml <<'EOF'
# A small search, then its page and its smallest design.
family: nysx
boards: zcu104
datasets: [MUTAG]
objectives: [latency, energy]
limits:
  - latency<=0.5ms
  - lut<=50%
fix: {nee.form: factored, landmarks: 32}
seed: 7
quiet: true
study: mutag.db
steps:
  - sweep: {top: 1, format: csv, output: sweep.csv}
  - report: {output: mutag.html}
  - emit: {from: mutag.db:smallest, output: build}
EOF
try run experiment.yaml --dry-run
ls
try run experiment.yaml
ls
sed 's/,.*//' sweep.csv | head -1
"$program" sweep --board zcu104 --dataset MUTAG --objectives latency,energy --where 'latency<=0.5ms' --where 'lut<=50%' \
    --fix nee.form=factored --fix landmarks=32 --seed 7 -q --top 1 --format csv --study other.db >again.csv
cmp <(cut -d, -f1-20 sweep.csv) <(cut -d, -f1-20 again.csv) && echo "the same by words"
try estimate --dataset MUTAG --set nee.lanes=32 --set 'kse.pe=8' --format csv -o a.csv --save-experiment again.yaml
cat again.yaml
mv a.csv b.csv && try run again.yaml && cmp a.csv b.csv && echo "the same again"
# The command line overrides the file.
try run again.yaml -q -o c.csv && cmp a.csv c.csv && echo "to another file"
try run again.yaml --dry-run --board kv260 -q
try run again.yaml --dry-run --board kv260 -q -o plan.txt && cat plan.txt
try run experiment.yaml -o c.csv
try run again.yaml --board nowhere
try boards show zcu104 --save-experiment boards.yaml -q >shown.txt
try run boards.yaml >shown2.txt && cmp <(tail -n +2 shown.txt) <(tail -n +2 shown2.txt) && echo "and words without dashes"
# Values that need quoting in a file read back equal.
try roofline --dataset MUTAG --title "$(printf 'z\tc\nu*')" -o odd.svg --save-experiment odd.yaml -q
tail -n +3 odd.yaml
try run odd.yaml --dry-run

bad() {
    printf -- "$1" >bad.yaml
    try run bad.yaml --dry-run
}
bad 'datasets: MUTAG\nqualtiy-drop: 0.1\n'
bad 'datasets: MUTAG\ndatasets: NCI1\n'
bad 'dataset: MUTAG\nformat: yaml\n'
bad 'dataset: MUTAG\nseed: one\n'
bad 'dataset: MUTAG\nresume: yes\n'
bad 'dataset: &a MUTAG\nboard: *a\n'
bad 'dataset: !!str MUTAG\n'
bad 'dataset: [MUTAG\n'
bad 'dataset: MUTAG\n\tboard: zcu104\n'
bad 'dataset:\n'
bad 'dataset: MUTAG\nseed: {a: 1}\n'
bad '- sweep\n'
bad ''
bad 'command: swep\ndataset: MUTAG\n'
bad 'steps:\n  - plot front: {dataset: MUTAG}\n'
bad 'command: run\n'
bad 'dataset: MUTAG\nlandmarks: 3\nsteps:\n  - sweep\n  - estimate\n'
bad 'dataset: MUTAG\nsteps:\n  - sweep:\n      budgett: 3s\n'
bad 'dataset: MUTAG\n---\ndataset: NCI1\n'
bad 'dataset: "MUT\\0AG"\n'
bad 'dataset: MUTAG\nsteps:\n  - estimate: {}\n  - sweep:\n      board: zcu14\n'
bad 'dataset: MUTAG\nlimits: [lut=<50%%]\n'
bad 'dataset: MUTAG\nbudget: soon\n'
"$program" boards show kv260 -q -o mine.xml
bad 'dataset: MUTAG\nboard: [mine.xml, zcu*]\n'
# Checks that need no computation precede the first step: words of every command, files, and outputs written twice.
for step in 'sweep: {top: 0}' 'sweep: {free: nosuch}' 'estimate: {set: {nosuch: 1}}' 'roofline: {legend: foo}' 'train: {folds: 1}' 'infer: {model: no.npz}' \
    'report: {study: no.db}' 'emit: {prefix: 9x, output: made}' 'boards: {operands: [show, nowhere]}' 'calibrate: {operands: [no.rpt]}'; do
    bad "dataset: MUTAG\nsteps:\n  - estimate: {format: csv, output: first.csv}\n  - $step\n" 2>&1 | sed -n 2p
    try run bad.yaml 2>&1 | sed -n 2p
done
[ ! -e first.csv ] && echo "nothing ran"
printf 'dataset: MUTAG\nsteps:\n  - estimate: {format: csv, output: twice.csv}\n  - sweep:\n      format: csv\n      output: ./twice.csv\n' >bad.yaml
try run bad.yaml --dry-run
# An existing study is resumed only with `resume`; a rejected request changes no byte of it.
"$program" sweep --dataset MUTAG --study there.db -q >/dev/null
touch -d '1 hour ago' there.db
cp there.db kept.db
for words in '' ', resume: true, where: dsp<=300' ', where: dsp<=300'; do
    printf "dataset: MUTAG\nsteps:\n  - sweep: {study: there.db%s}\n" "$words" >bad.yaml
    try run bad.yaml --dry-run -q
    try run bad.yaml -q
    cmp there.db kept.db && echo "as it was"
done
try sweep --dataset MUTAG --study there.db --resume --where 'dsp<=300' -q
cmp there.db kept.db && echo "as it was"
printf 'dataset: MUTAG\nquiet: true\nsteps:\n  - sweep: {study: there.db, resume: true}\n' >bad.yaml
"$program" run bad.yaml | head -1
seq -f '%.0f:' 2000 >bad.yaml
try run bad.yaml --dry-run
printf 'dataset: MUTAG\nfix:\n  nee.form: factored\n  nee.lanse: 3\n' >bad.yaml
try run bad.yaml
printf 'dataset: MUTAG\nlimits:\n  - lut<=50%%\n  - latencyy<=1ms\n' >bad.yaml
try run bad.yaml
try run bad.yaml --dry-run
printf 'dataset: MUTAG\nobjectives: [latency, powr]\nfix:\n  nee.lanes: many\n' >bad.yaml
try run bad.yaml --dry-run
printf 'dataset: MUTAG\nlimits:\n  - bram18<=1\n' >bad.yaml
try run bad.yaml -q | tail -2
try run nowhere.yaml
try run

# No step overwrites what an earlier one reads; known cases are rejected before the first step. Later steps may read and replace a step's results.
awk 'BEGIN { print "a,b,y"; for (i = 1; i <= 60; i++) print i % 7 ",", i % 5 ",", i % 7 + i % 5 }' | tr -d ' ' >rows.csv
cp rows.csv kept.csv
ln -s rows.csv link.csv
train='family: hydraf\ndataset: "rows.csv?columns=a,b,y"\ndim: 64\nquiet: true\nsteps:\n  - train: {output: made.npz}\n'
for step in 'estimate: {format: csv, output: rows.csv}' 'estimate: {format: csv, output: link.csv}' 'train: {output: made.npz}' 'infer: {model: made.npz}'; do
    # shellcheck disable=SC2059
    printf "$train  - infer: {model: made.npz}\n  - $step\n" >steps.yaml
    rm -f made.npz
    echo "$step: $("$program" run steps.yaml 2>&1 >/dev/null), exit $?"
    cmp rows.csv kept.csv && [ ! -e made.npz ] && echo "nothing ran"
done
printf 'family: hydraf\ndataset: "rows.csv?columns=a,b,y"\ndim: 64\nsteps:\n  - infer: {model: made.npz}\n  - train: {output: made.npz}\n' >steps.yaml
try run steps.yaml -q
printf 'dataset: MUTAG\nfix: {nee.form: direct}\nobjectives: [latency, lut]\nquiet: true\nsteps:\n  - sweep: {study: twice.db, top: 1}\n  - estimate: {from: "twice.db:best", format: csv, output: best.csv}\n  - sweep: {study: twice.db, resume: true, top: 1}\n  - estimate: {from: "twice.db:best", format: csv, output: twice.db}\n' >steps.yaml
"$program" run steps.yaml 2>&1 >/dev/null; echo "exit $?"
sed -i '$d' steps.yaml
"$program" run steps.yaml >/dev/null 2>&1; echo "exit $?"
