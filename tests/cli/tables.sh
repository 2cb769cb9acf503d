# Printed tables at several widths: columns that do not fit go below, prose wraps at spaces.
export COLUMNS=60
try boards list 'zcu*'
COLUMNS=100 try boards list 'zcu*'
unset COLUMNS
try boards list zcu104
COLUMNS=80 "$program" sweep --describe | grep -e "^knob" -e "^clock_mhz" -e "^landmarks"
COLUMNS=80 "$program" sweep --describe | grep -A 2 "^nee.table  *direct" # lines after the first stay in the column
COLUMNS=72 "$program" estimate --dataset MUTAG | LC_ALL=C tr -d '\200-\277' | awk 'length > 72 { print "too wide: " $0 } END { print NR > 30 ? "many lines" : "few lines" }'

# Generated tables: equal for equal seeds, and learnable.
try datasets generate made/up --kind table --rows 60 --inputs 3 --noise 0 --seed 2 -q | head -12
head -2 made/up/up.csv
"$program" datasets generate again/up --kind table --rows 60 --inputs 3 --noise 0 --seed 2 -q >/dev/null && cmp made/up/up.csv again/up/up.csv && echo the same
try train --family hydraf --dataset made/up --dim 64 --seed 1 | grep quality
try datasets generate other --kind table --graphs 3
try datasets generate other --kind table --rows 1

# Real-world tables: words, missing values, columns that are not inputs, packed or in a folder; equal content has one hash.
{ echo id,town,rooms,age,price; for i in $(seq 1 60); do
    echo "$i,$([ $((i % 3)) = 0 ] && echo Boston || echo Salem),$((i % 7 + 2)),$([ $i = 9 ] || echo $((i * 5 % 40))),$((i % 7 * 10 + i % 3 * 4))"; done; } >houses.csv
gzip -k houses.csv && mkdir folder && cp houses.csv folder && tar czf h.tar.gz houses.csv && tar cf h.tar houses.csv && zip -q H.ZIP houses.csv
for data in houses.csv houses.csv.gz folder h.tar.gz h.tar H.ZIP; do "$program" datasets show ./$data --drop id --missing drop | head -1; done
try datasets show ./houses.csv
try datasets show ./houses.csv --missing drop | grep -e inputs -e rows
try datasets show ./houses.csv --columns rooms,price | grep -e inputs -e rows
try datasets show ./houses.csv --columns rooms,prise
printf 'a;b;y\n1,5;red;3,5\n2,5;red;4,5\n' >commas.csv && try datasets show commas.csv
printf 'a;b;y\n1.5;red;3.5\n2.5;red;4.5\n' >commas.csv && try datasets show commas.csv | grep one
mkdir -p outer/inner && try datasets show outer
for list in rooms,price, ,price rooms,,price ''; do
    try datasets show ./houses.csv --columns "$list"
done
try datasets show './houses.csv?columns=rooms,price,'
try validate --against accuracy --predict 'a,'
try datasets show ./houses.csv --missing maybe
try train --family hydraf --dataset houses.csv --drop id --missing drop --dim 64 | grep -v trained | cut -c1-150
try train --family hydraf --dataset houses.csv.gz --drop id --missing drop --dim 64 --data-dir . -q | grep quality
try sweep --family hydraf --dataset houses.csv --drop id --missing drop --study houses.db -q | tail -2
try emit --from houses.db:best -q -o houses
make --no-print-directory -s -C houses csim | tail -1
"$program" datasets generate cites --kind nodes -q >/dev/null && try train --family gat --dataset cites/ --drop id
try estimate --drop id
head -c 200 houses.csv.gz >cut.csv.gz
try datasets show ./cut.csv.gz
for start in '\211PNG\r' 'PAR1' '\211HDF' 'BZh9'; do printf "$start\0\0" >x.csv && try datasets show ./x.csv; done

# The parts of a split table repeat the key columns, and a heading's rule does not wrap under a long last column.
export COLUMNS=80
"$program" validate --against simulation --configurations 1 --seed 1 --dataset "$made/TOY" -q | grep -e tau -A 2
"$program" whatif --dataset MUTAG --preset literal --set nee.ports=2 | grep -e '  bound' -A 4
for command in 'sweep --describe' 'validate --against constants' doctor; do
    $program $command | LC_ALL=C tr -d '\200-\277' | awk 'length > 80 || /^ *-+$/ { print "a rule of its own line: " $0 }'
done
"$program" simulate --model "$here/../stored/nysx.npz" --dataset "$made/TOY" -q | sed -n '2,5p;/counts/,/lshu/p'
unset COLUMNS
