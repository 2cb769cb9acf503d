# A family described by a file, in every command that takes a family.
cp "$here"/../../examples/accelerators/*.yaml .
try family check first.yaml
try family check hydraf.yaml
try family explain first.yaml --set lanes=8
try family explain first.yaml --set lanes=64,type=fp32
try family explain hydraf --dataset airfoil | head -30
try family explain first.yaml --format json | head -20
try family new mine -o mine.yaml
try family check mine.yaml --format csv
echo '# edited' >>mine.yaml
try family new mine -o mine.yaml
tail -1 mine.yaml
try family new mine -o mine.yaml --overwrite
tail -1 mine.yaml
sed -e 's/op: mac/op: mack/' -e 's/place: auto/place: disk/' -e 's/memory0.read_latency/memory0.latency/' -e 's/bits_of <= 512/bits_of + 512/' first.yaml >wrong.yaml
try family check wrong.yaml
sed -e 's/powers_of: 2/powers_of: 1/' -e 's/unit: MHz/unitt: MHz/' -e 's/steps: ceil/steps: cei/' first.yaml >wrong.yaml
try family check wrong.yaml
try sweep --family wrong.yaml
sed -e 's/max: 100000, default: 512/max: 1, default: 512/' -e 's/level: hls-report/level: hls/' first.yaml >wrong.yaml
try family check wrong.yaml
sed -e 's/bits_of: "sel/bits_of: "seol/' -e 's/steps: ceil/steps: cei/' first.yaml >wrong.yaml
try family check wrong.yaml
# Typical mistakes: an open brace, a second colon, a tab, operators of other languages, an unknown word, an unlisted default or value, a wrong board.
for wrong in 's/default: 512}}/default: 512}/' 's/title: Matrix/title: Matrix: a/' 's/^  type:/\ttype:/' 's/^stages:/stages/' 's/lanes \* bits_of . 8/lanes ** bits_of/' \
    's/int16: 16, fp32/int16: 16, fp23/' 's/default: 200/default: 100/' 's/board: zcu104/board: zcu140/' 's/unroll: {lanes: lanes/unroll: {lanes: lanes \/ 3/' \
    's/^  lanes: {range/  clock: {range/' 's/^emit:/published: [{case: a, set: {lane: 2}, lut: 3, source: report}]\n&/' 's/^emit:/published: [{case: a, workload: {row: 2}, lut: 3, source: report}]\n&/'; do
    sed "$wrong" first.yaml >wrong.yaml
    try family check wrong.yaml
done
# More mistakes: a missing blank after a colon, ends of ranges, a divisor that can be 0, a repeated block, no block, names in a constant, a figure's
# dimension, a missing key.
for wrong in 's/{stage: load, trips: steps/{stage:load, trips: steps/' 's/{min: 1, max: 100000, default: 1024}/{min: 9, max: 1, default: 1024}/' 's/range: 1..64/range: 1../' 's/range: 1..64/range: 1-64/' \
    's/range: 1..64, powers_of: 2/range: 0..64/' 's/^  port:/  lanes:/' '/^blocks:/,/^constraints/d' 's/value: 14 cycles/value: 2 * lanes/' \
    's/^emit:/published: [{case: a, set: {lanes: 2}, latency_s: 3 bytes, source: report}]\n&/' 's/, because: a port has at most 512 bits//'; do
    sed "$wrong" first.yaml >wrong.yaml
    try family check wrong.yaml
done
: >wrong.yaml
try family check wrong.yaml
# Errors of the YAML parser, in the program's format.
for text in 'a: \tb: 1' 'a: - b' 'a: ? b' 'a: *' 'a: "\\q"' 'a: "\\xZZ"' 'a: "\\ud800"' 'a: "x\n---\n"' 'a: |0\n  x' 'a: | x' '%%YAML 9.9\n---\na: 1' 'a: !<x' 'a: !e!x y' 'a: ]' 'a: |\n\tx'; do
    # shellcheck disable=SC2059
    printf "$text\n" >wrong.yaml
    try family check wrong.yaml
done
# Places of errors in values that are not texts, in quotes and in indentation.
LC_ALL=C sed 's/multiplied at/m\xfcltiplied at/' first.yaml >wrong.yaml
try family check wrong.yaml
for wrong in 's/^title: /&"/' 's/"select(type, int8: 8, int16: 16, fp32: 32)"/"select(type, int8: 8, int16: 16, fp32: 32)/' 's/^  lanes: {range/    lanes: {range/' 's/^board/  board/' 's/^    memory_port/      memory_port/' 's/^      - latency/       - latency/' 's/^      - operator/       - operator/' '$s/complete/"complete/'; do
    sed "$wrong" first.yaml >wrong.yaml
    try family check wrong.yaml
done
try estimate --family first.yaml --set clock_mhz=100
# Names that a formula cannot read: cycles, names defined later, names of another block.
for wrong in 's/^blocks:/  a: a + 1\n&/' 's/^blocks:/  a: b + 1\n  b: c * steps\n  c: lanes + a\n&/' 's/^blocks:/  a: b + 1\n  b: lanes\n&/' \
    's/^      - datapath:/      - let: {u: 2 * v}\n      - let: {v: u + steps}\n&/' 's/^      - datapath:/      - let: {u: 2 * steps}\n&/; s/bits: 32}/bits: u}/' \
    's/^      - latency/      - loop: {stage: load, trips: sum.latency}\n&/'; do
    sed "$wrong" first.yaml >wrong.yaml
    try family check wrong.yaml
done
# Names that collide in the header: a knob with the header's own name, a size with a knob, two labels, a macro with a type.
for wrong in 's/^stages:/  seed: {oneof: [1, 2]}\n&/; s/banks: lanes/banks: seed/' 's/top: multiply/&\n  sizes: {LANES: 3}/' 's/pipeline: .*/pipeline: {a: 1, A: 2}/' \
    's/macro: LANES/macro: int8_t/; s/top: multiply/&\n  types: {word: int8_t}/'; do
    sed "$wrong" first.yaml >wrong.yaml
    try family check wrong.yaml
done
# A formula's comma between braces; an unread loop variable and name; a file without `emit`; a default that uses a memory missing on the board.
sed 's/trips: rows \* steps/trips: ceildiv(rows, lanes)/' first.yaml >wrong.yaml
try family check wrong.yaml
sed 's/times: lanes}/times: lanes, for: {i: 1..4}}/' first.yaml >wrong.yaml
try family check wrong.yaml
sed 's/^      - datapath:/      - let: {unread: 2 * lanes}\n&/' first.yaml >wrong.yaml
try family check wrong.yaml
sed '/^emit/,$d' first.yaml >bare.yaml
try emit --family bare.yaml -q -o no
sed 's/place: auto/when: lanes <= 4, place: uram/; s/board: zcu104/board: zcu102/' bare.yaml >absent.yaml
try sweep --family absent.yaml -q
rm bare.yaml absent.yaml
try family new nysx
try family parts | head -40
try family
try sweep --family first.yaml -q --top 1
try sweep --family first.yaml --describe
try optimize --family first.yaml --minimize latency --where 'dsp<=16' -q | grep -v proven
try optimize --family first.yaml --minimize latency --where 'dsp<=16' --method ilp -q | sed 's/ in [0-9.]* s//'
try estimate --family first.yaml --set lanes=16 --workload rows=64,columns=64
try estimate --family first.yaml --workload rows=0
try estimate --family first.yaml --workload width=3
try estimate --family first.yaml --workload rows=64,rows=65
try estimate --family first.yaml --workload rows=64,
try estimate --family nysx --dataset MUTAG --workload rows=3
for where in 'lanes<=10' '10>=lanes' 'lanes=10' 'lanes<ten' 'dsp<=lanes && lut<=3000'; do
    try optimize --family first.yaml --minimize latency --where "$where" -q | head -2 | sed 's/ in [0-9.]* s.*//'
done
sed 's/max: 100000,/max: 1e12,/g' first.yaml >huge.yaml
for command in estimate optimize\ --minimize\ latency; do
    try $command --family huge.yaml --workload rows=1e12,columns=1e3 -q
done
rm huge.yaml
sed 's/min: 1, max/min: 0, max/g' first.yaml >empty.yaml # no work: no latency, and no ratio of it
for command in sweep 'sweep --objectives throughput,lut' 'optimize --maximize throughput' 'optimize --minimize lut --method ilp' whatif roofline estimate 'sweep --study empty.db'; do
    try $command --family empty.yaml --workload rows=0,columns=0 -q
done
try family explain empty.yaml --workload rows=0,columns=0
ls empty.db 2>&1
rm empty.yaml
try whatif --family first.yaml -q
try roofline --family first.yaml -q
try sweep --family first.yaml -q --study s.db
sed -i 's/default: 1024/default: 2048/' first.yaml
try sweep --family first.yaml -q --study s.db --resume | sed -E 's/[0-9a-f]{16}/HASH/g'
rm first.yaml
try validate --family systolic.yaml --against published
try validate --family hdcu.yaml --against published --format csv
try validate --family systolic.yaml --against published --max-error 0.05 --format csv
try validate --family gat.yaml
sed -e 's/^stages/quality: {table: q.csv, by: [type]}\n&/' -e 's/help: type of an element/kind: both, &/' mine.yaml >quality.yaml
printf 'type,quality,std,n\nint8,0.8,0.01,4\nint16,0.9,0.01,4\nfp32,0.91,0.01,4\n' >q.csv
try sweep --family quality.yaml -q --objectives latency,accuracy
for table in 'type,quality\nint9,0.8\n' 'type, quality\n\nint8, 0.8\nint8, 0.9\n' 'type,quality,std\nint8,0.8,-1\n' 'type,quality,std\nint8,0.8,0.1\n' 'type,quality,type\nint8,0.8,fp32\n' 'type\nint8\n'; do
    printf "$table" >q.csv
    try family check quality.yaml
done
sed 's/by: .type./&, column: accuracy/' quality.yaml >accuracy.yaml
printf 'type,accuracy\nint8,0.8\nint16,1.9\nfp32,0.91\n' >q.csv
try family check accuracy.yaml
rm accuracy.yaml
try sweep --family quality.yaml -q
rm q.csv
try family check quality.yaml
for where in 'quality>=0.5 || dsp<=3' 'accuracy>=0.5'; do
    try sweep --family systolic.yaml -q --where "$where"
done
try emit --family systolic.yaml --set rows=8 --set columns=2 -q -o made
ls made
grep -E 'ROWS|COLUMNS|element|PIPELINE|define SYSTOLIC_(M|STEPS) ' made/systolic_config.h
grep set_directive made/directives.tcl
try emit --family gat.yaml --dataset cora -q -o no
try sweep --family systolic.yaml -q --board zcu104 --board u280 --where 'dsp<=32 && latency<=1ms' --format csv | cut -d, -f1-16
printf 'family: systolic.yaml\nsteps:\n  - optimize: {minimize: latency, where: "dsp<=16"}\n' >run.yaml
try run run.yaml -q --format csv
try estimate --from s.db:best -q
try estimate --from s.db:best --workload rows=64 -q
sed "s/value: 14/value: 15/" "$here"/../../examples/accelerators/first.yaml >changed.yaml
for command in 'estimate --from s.db:best' 'emit --from s.db:best -o no' 'plot front --study s.db -o x.svg' 'report --study s.db -o x.html' 'report --study s.db -o x.svg' 'study show s.db'; do
    try $command --family changed.yaml -q
done
try report --study s.db -o x.html --family nysx
cp "$here"/../../examples/accelerators/first.yaml same.yaml
for wrong in 's/element: {knob: type/element: {knob: typ/' 's/a: {type: element/a: {type: elemnt/' 's/operator: {op: mac, type: type/operator: {op: mac, type: {knob: typ}/' 's/because: \([^}]*\)/because: first, \1/'; do
    sed "$wrong" systolic.yaml >wrong.yaml
    try family check wrong.yaml
done
try estimate --family same.yaml --from s.db:best -q | head -3
try sweep --family same.yaml -q --study s.db --resume | head -3
try report --study s.db -o page.html
try plot front --study s.db -q -o x.svg
try study show s.db | sed -E 's/[0-9a-f]{16}/HASH/g'
try sweep --family first.yaml
try sweep --family hdcu.yaml -q | grep -A2 Speed-up
printf 'simd,clock_mhz,lut,ff\n32,200,1030,450\n128,200,3243,868\n512,150,13811,3731\n' >widths.csv
try calibrate --family hdcu.yaml --designs widths.csv --folds 3 -o fitted.yaml
try family check fitted.yaml | head -3
grep lut_level fitted.yaml
cut -d, -f1,3,4 widths.csv >unclocked.csv # the clock of a design is the default, or one that it can have
try calibrate --family hdcu.yaml --designs unclocked.csv --folds 3 --format csv
cp hdcu.yaml own.yaml
try calibrate --family own.yaml --designs widths.csv --folds 3 --apply | tail -3
cmp own.yaml fitted.yaml
try calibrate --family hdcu.yaml --designs widths.csv --folds 3 --format csv
# The same figures as reports, one per design.
csynth() { # WIDTH LUT FF
    cat >"csynth_$1.xml" <<END
<?xml version="1.0"?>
<profile><ReportVersion><Version>2022.2</Version></ReportVersion><UserAssignments><unit>ns</unit><Part>xczu7ev-ffvc1156-2-e</Part>
<TopModelName>hdcu</TopModelName><TargetClockPeriod>5</TargetClockPeriod></UserAssignments>
<PerformanceEstimates><SummaryOfTimingAnalysis><EstimatedClockPeriod>4</EstimatedClockPeriod></SummaryOfTimingAnalysis></PerformanceEstimates>
<AreaEstimates><Resources><LUT>$2</LUT><FF>$3</FF></Resources><AvailableResources><LUT>230400</LUT></AvailableResources></AreaEstimates></profile>
END
}
csynth 32 1030 450; csynth 128 3243 868; csynth 512 13811 3731
printf 'simd,clock_mhz,report\n32,200,csynth_32.xml\n128,200,csynth_128.xml\n512,150,csynth_512.xml\n' >reports.csv
try calibrate --family hdcu.yaml --designs reports.csv --folds 3 --format csv
cp "$here"/../resources/reports/own_yosys_stat.json .
sed -i 's/csynth_128.xml/own_yosys_stat.json/' reports.csv
try calibrate --family hdcu.yaml --designs reports.csv
sed -i 's/own_yosys_stat.json/none.xml/' reports.csv
try calibrate --family hdcu.yaml --designs reports.csv
try calibrate --family nysx --designs widths.csv
try calibrate --family hdcu.yaml --designs widths.csv report.xml
# A constant without dependent designs is unchanged. One in an interval is fitted although 0 and its maximum give infeasible designs: the truth is 4.
cat >typed.yaml <<'END'
accelerator: 1
name: typed
board: zcu104
sources: {guess: "before any report"}
constants:
  lut8: {value: 10, low: 1, high: 900, level: derived, source: guess, fit: yes}
  lut32: {value: 400, low: 300, high: 500, level: derived, source: guess, fit: yes}
  ii8: {value: 1 cycles, low: 1, high: 900, level: derived, source: guess, fit: yes}
knobs:
  lanes: {range: 1..64, powers_of: 2, default: 4}
  type: {words: [int8, fp32]}
  clock_mhz: {oneof: [200]}
stages: [run]
blocks:
  lanes:
    parts:
      - raw: {lut: "lanes * select(type, int8: lut8, else: lut32)", source: guess}
      - loop: {stage: run, trips: "ceildiv(4096, lanes)", ii: ii8, depth: 12}
END
printf 'lanes,type,lut,cycles\n1,int8,35,16392\n2,int8,70,8200\n8,int8,280,2056\n16,int8,560,1032\n' >typed.csv
try calibrate --family typed.yaml --designs typed.csv --folds 2 -o typed_fitted.yaml
grep 'fit: yes' typed_fitted.yaml
# Constants without a source get the table as source; nothing is held out for a constant determined by a single design.
sed -e 's/level: derived, source: guess, fit/level: assumed, fit/' -e 's/lut8: {/lut8: {help: "Größe µ", /' typed.yaml >assumed.yaml
printf 'lanes,type,lut,cycles\n1,int8,35,16392\n2,int8,70,8200\n8,int8,280,2056\n16,fp32,6800,1032\n' >alone.csv
try calibrate --family assumed.yaml --designs alone.csv --folds 4 -o assumed_fitted.yaml
grep -E 'fit: yes|^sources' assumed_fitted.yaml
try calibrate --family assumed_fitted.yaml --designs alone.csv --folds 4 -o again.yaml | tail -2
try optimize --family typed.yaml --minimize latency --where 'dsp*2<=10%'
try optimize --family typed.yaml --minimize latency --where 'dsp/1728<=10% || lut<=3%'
# A value that cannot be computed for a design is an error; the design is not left out silently.
for method in exact exhaustive heuristic; do
    try optimize --family typed.yaml --minimize latency --where 'lut/(lut-40)>=0' --method $method -q
done
try optimize --family typed.yaml --minimize latency --where 'lanes/0<=1' -q
try calibrate --folds 3 report.xml
for method in exact ilp; do
    try optimize --family finn.yaml --minimize latency --where 'lut<=8000 && (pe1=simd2 || ram1=block)' --method $method -q | sed -E 's/ in [0-9.]* s.*//' | head -5
done
try optimize --family finn.yaml --minimize latency --where 'lut/pe9<=100' -q
try optimize --family finn.yaml --minimize latency --where 'lut<=8000 || latency<=9us*pe1' --method ilp -q
try optimize --family finn.yaml --minimize latency --where 'lut<=5000 || bram18<=2%' --method ilp -q | sed -E 's/ in [0-9.]* s.*//' | head -2
try optimize --family finn.yaml --minimize latency --where 'lut<=5000 || bram18<=2%' -q | sed -E 's/ in [0-9.]* s.*//' | head -2
try whatif --family finn.yaml --target 'latency=9us || lut<=3000' -q
try optimize --family finn.yaml --minimize latency --where 'power<=20 || lut<=3000' -q
try optimize --family finn.yaml --minimize latency --where 'latency=1ms || lut<=3000' -q
# The host writes the bytes of an item's input stages beforehand.
sed 's/^stages: .*/stages: {compose: serial, names: [load, multiply, write], item_in: [load]}/' systolic.yaml >fed.yaml
try estimate --family fed.yaml -q | grep '^host'
sed 's/item_in: .load/item_in: [lod/' fed.yaml >wrong.yaml
try family check wrong.yaml
# A chain of 100 layers whose proof exceeds the budget: the heuristic answers, and its design meets the limits.
{
    printf 'accelerator: 1\nname: chain\nboard: u280\nsources: {t: a test}\nknobs:\n  clock_mhz: {oneof: [200], default: 200}\n'
    for l in $(seq 0 99); do
        printf '  pe%d: {oneof: [1, 2, 4, 8, 16]}\n  simd%d: {oneof: [1, 2, 4, 8, 16, 32]}\n  of%d: {words: [lut, dsp]}\n' $l $l $l
    done
    printf 'stages: {compose: pipeline, names: [%s]}\nblocks:\n' "$(seq -s, -f 'l%g' 0 99)"
    for l in $(seq 0 99); do
        printf '  mvau%d: {parts: [{cycles: {stage: l%d, busy: "%d / pe%d * %d / simd%d"}}, ' $l $l $((16 << l % 4)) $l $((512 + 512 * (7 * l % 5))) $l
        printf '{raw: {lut: "300 + pe%d * simd%d * (of%d == lut ? 12 : 1)", dsp: "of%d == dsp ? ceil(pe%d * simd%d / 2) : 0", source: t}}]}\n' $l $l $l $l $l $l
    done
} >chain.yaml
try estimate --family chain.yaml --format csv -q 2>&1 | python3 -c 'import csv, sys; print(*[len(row) for row in csv.reader(sys.stdin) if len(row) > 96])' # one heading per knob
for method in exact ilp; do
    try optimize --family chain.yaml --minimize latency --where 'lut<=100000 && dsp<=1000' --method $method --budget 4s 2>&1 | grep -o -E '^Least|found by .*, not proven|[a-z]* had no design.*'
done
try sweep --family chain.yaml --objectives latency,lut,dsp --budget 4s 2>&1 | grep -o -E 'found by .*, not proven|[a-z]* had no design.*'
# The budget also limits the choice among equally good designs after a proof.
try optimize --family chain.yaml --minimize lut --where 'throughput>=20000' --method ilp --budget 1s --format json -q | awk '/"solve_s"/ { s = $2 + 0 } END { print (s < 1.4 ? "within the budget" : s) }'
