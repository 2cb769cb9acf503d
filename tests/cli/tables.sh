# Tables at several widths, as they are printed: columns that do not fit go below, prose is broken at spaces.
export COLUMNS=60
try boards list 'zcu*'
COLUMNS=100 try boards list 'zcu*'
unset COLUMNS
try boards list zcu104
COLUMNS=80 "$program" sweep --describe | grep -e "^knob" -e "^clock_mhz" -e "^landmarks"
COLUMNS=72 "$program" estimate --dataset MUTAG | awk 'length > 72 { print "too wide: " $0 } END { print NR > 30 ? "many lines" : "few lines" }'
