# Tables at several widths, as they are printed: columns that do not fit go below, prose is broken at spaces.
export COLUMNS=60
try boards list 'zcu*'
COLUMNS=100 try boards list 'zcu*'
unset COLUMNS
try boards list zcu104
COLUMNS=80 "$program" sweep --describe | grep -e "^knob" -e "^clock_mhz" -e "^landmarks"
COLUMNS=72 "$program" estimate --dataset MUTAG | awk 'length > 72 { print "too wide: " $0 } END { print NR > 30 ? "many lines" : "few lines" }'

# Made-up tables: the same for the same seed, and learnable.
try datasets generate made/up --kind table --rows 60 --inputs 3 --noise 0 --seed 2 -q | head -12
head -2 made/up/up.csv
"$program" datasets generate again/up --kind table --rows 60 --inputs 3 --noise 0 --seed 2 -q >/dev/null && cmp made/up/up.csv again/up/up.csv && echo the same
try train --family hydraf --dataset made/up --dim 64 --seed 1 | grep quality
try datasets generate other --kind table --graphs 3
try datasets generate other --kind table --rows 1
