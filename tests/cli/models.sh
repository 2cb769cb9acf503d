# Training, running and simulating a model, and each kind of bad input. Accuracies may differ in a last vote between
# machines (LAPACK), so that they are compared with one another and not printed.
try datasets generate TOY --graphs 60 --classes 2 --nodes 12 --seed 7
accuracy() { sed -n 's/.*"accuracy": \([0-9.]*\).*/\1/p' "$1" | head -1; }
small="--dim 640 --landmarks 20 --hops 2 --width 0.1"
"$program" train --dataset TOY $small --seed 3 -o toy.npz --format json >train.json
"$program" infer --model toy.npz --dataset TOY --predictions toy.csv --format json >infer.json
"$program" simulate --model toy.npz --dataset TOY --set lshu.pe=8 --format json >simulate.json
[ "$(accuracy train.json)" = "$(accuracy infer.json)" ] && echo "infer: the same accuracy"
[ "$(accuracy train.json)" = "$(accuracy simulate.json)" ] && echo "simulate: the same accuracy"
grep -e '"schema"' -e '"n_train"' -e '"n_test"' train.json infer.json simulate.json
grep -e '"graphs"' -e '"hypervectors_equal"' -e '"name"' simulate.json
head -1 toy.csv
wc -l <toy.csv
for batch in 1 5 4096; do
    "$program" infer --model toy.npz --dataset TOY --batch $batch --jobs 2 --predictions batch.csv >/dev/null
    cmp toy.csv batch.csv && echo "the same predictions in batches of $batch"
done
grep -o -e '"codes"' -e '"codes_off_exact"' -e '"levels"' -e '"bits_per_key"' -e '"probes"' simulate.json
"$program" train --dataset TOY $small --seed 3 --jobs 3 -o again.npz >/dev/null && cmp toy.npz again.npz && echo "the same bytes for any --jobs"
"$program" train --dataset TOY $small --folds 3 --seeds 2 --format csv | cut -d, -f1-3

try train --dataset TOY --landmarks 49
try train --dataset TOY --hops 0
try train --dataset TOY --precision int3
try train --dataset TOY --preset papers
try train --dataset TOY --features attributes
try train --dataset TOY --form factored --precision int8
try train --dataset TOY --seeds 2 -o many.npz
try train
try train --dataset nowhere
head -c 3000 toy.npz >cut.npz
try infer --model cut.npz --dataset TOY
try infer --model missing.npz --dataset TOY
try infer --dataset TOY
try infer --model toy.npz --dataset TOY --batch 0
try infer --model toy.npz --dataset TOY --hypervectors both --predictions ./both
try infer --model toy.npz --dataset TOY --hypervectors nowhere/h.npz
try simulate --model toy.npz --dataset TOY --set lshu.pe=0
try simulate --model toy.npz --dataset TOY --set nose.pe=1
try simulate --model toy.npz --dataset TOY --set lshu.pe
try simulate --model toy.npz --dataset TOY --set kse.pe=4 --set kse.pe=2
try simulate --model toy.npz --dataset TOY --board zcu999 2>&1 | cut -c1-40
ls *.npz

# A model is not evaluated on classes that it never saw.
"$program" datasets generate other --graphs 12 --classes 5 --labels 3 --seed 4 -q >/dev/null
"$program" datasets generate first --graphs 40 --classes 2 --labels 3 --seed 3 -q >/dev/null
"$program" train --dataset first/ --landmarks 10 --dim 128 -q -o first.npz >/dev/null
try infer --model first.npz --dataset other/

# Numbers must be decimal; equal numbers are one setting, however written.
for value in 1e400 0x10 ' 5' '5 ' '' nan 1e2 5.5 -1 99999999999999999999; do try train --dataset TOY --landmarks "$value"; done
for value in 1e400 0x1p-3 ' 5' '' nan 0; do try train --dataset TOY --width "$value"; done
"$program" train --dataset TOY --dim 064 --landmarks +020 --hops 2 --width 1e-2 --format json | grep -e '"dim"' -e '"landmarks"' -e '"width"'
"$program" train --dataset TOY --dim 64 --landmarks 20 --hops 2 --width .0100 --seed 3 -o plain.npz >/dev/null
"$program" train --dataset TOY --dim 064 --landmarks 020 --hops 02 --width 0.01 --seed 03 -o padded.npz >/dev/null
cmp plain.npz padded.npz && echo "the same model"

# A preset has at most as many landmarks as each fold has training graphs.
for folds in 2 4 7; do
    "$program" train --dataset TOY --preset paper --dim 64 --folds $folds --format json | grep -e '"landmarks"'
done
try train --dataset TOY --dim 64 --folds 2 --landmarks 40

# Nodes without labels and attributes get their degrees as labels.
"$program" datasets generate bare --graphs 60 --classes 2 --labels 0 --seed 5 -q >/dev/null
"$program" datasets show ./bare --format json | grep -e degrees
"$program" train --dataset bare --dim 640 --seed 3 -o bare.npz --format json >train.json
"$program" infer --model bare.npz --dataset bare --format json >infer.json
[ "$(accuracy train.json)" = "$(accuracy infer.json)" ] && echo "infer: the same accuracy"
"$program" sweep --dataset ./bare --top 1 --front 1 --budget 5s -q >/dev/null && echo "swept"
"$program" datasets generate one --graphs 1 --classes 1 -q >/dev/null
try train --dataset one
try sweep --dataset ./one

# Splits: the same split from every form of the option; shares of classes; a final model on all items.
seq 0 11 >held.txt
for i in $(seq 60); do [ "$i" -le 12 ] && echo test || echo train; done >parts.txt
(echo id,split; cat -n parts.txt | tr -d ' ' | tr '\t' ',') >parts.csv
for split in held.txt parts.txt parts.csv; do "$program" train --dataset TOY $small --split $split --seed 3 -q -o $split.npz >/dev/null; done
cmp held.txt.npz parts.txt.npz && cmp held.txt.npz parts.csv.npz && echo "one split in three files"
"$program" train --dataset TOY $small --split held.txt --seeds 3 --format json | grep -e '"split"' -e '"n_test"'
"$program" train --dataset TOY $small --split stratified --folds 3 --format json | grep -e '"split"' -e '"n_test"'
"$program" train --dataset TOY $small --all -q -o all.npz | sed -n 3p
"$program" train --dataset TOY $small --all --format json -q | grep -e '"accuracy"' -e '"split"' | uniq
"$program" infer --model all.npz --dataset TOY 2>&1 >/dev/null | grep -o "the model was .*"
"$program" infer --model all.npz --dataset TOY --format json | grep -e '"n_train"' -e '"n_test"'
"$program" infer --model held.txt.npz --dataset TOY | grep -c predicted
echo train >>parts.txt
drawn=$("$program" train --dataset TOY $small --seed 3 --write-split own.txt -q | grep ^seed)
[ "$drawn" = "$("$program" train --dataset TOY $small --seed 3 --split own.txt -q | grep ^seed)" ] && sort own.txt | uniq -c
try train --dataset TOY --seeds 2 --write-split own.txt
try train --dataset TOY --split parts.txt
try train --dataset TOY --split held.txt --folds 3
try train --dataset TOY --split stratified --all
try train --dataset TOY --split nowhere.txt

# GraphHD's encoding: a model trained on ranked graphs only runs on ranked graphs.
"$program" train --dataset TOY --ranked --preset graphhd --dim 512 -q -o ranked.npz | head -1
[ "$("$program" infer --model ranked.npz --dataset TOY --ranked --format json | grep -c '^ "n_test": 12')" = 1 ] && echo "infer: the part held out"
printf "1,2\n3,4\n5,6\n" >pairs.csv
try train --family hydraf --dataset pairs.csv --ranked
