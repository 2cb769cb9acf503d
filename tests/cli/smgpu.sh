# The SMGPU, a machine with an instruction set, and its task, on generated graphs.
smgpu() { command=$1; shift; "$program" "$command" --family smgpu "$@"; }
"$program" datasets generate ./rings --graphs 60 --nodes 14 --spread 3 --labels 3 --seed 3 >/dev/null

cat >program.txt <<'END'
# a graph's hypervector from three random ones
HD.GENERATE dim=1000 seed=0x7 count=3 -> V chained
HD.PERMUTE V by=1 dim=1000 -> P chained
HD.BIND V P dim=1000 -> T
HD.BUNDLE T dim=1000 -> m
HD.SIMILARITY m m dim=1000 -> s
END
smgpu simulate --program program.txt -o out.npz | sed -n '1,6p;$p' | cut -c1-110
smgpu simulate --program program.txt --assemble -o words.hex && smgpu simulate --program words.hex --disassemble
echo "HD.BINT a b -> c" >wrong.txt && try simulate --family smgpu --program wrong.txt
echo "HD.BIND a b -> c" >wrong.txt && try simulate --family smgpu --program wrong.txt
try simulate --family smgpu --program wrong.txt --assemble --disassemble
try simulate --family gat --program program.txt
echo "f1010007" >wrong.hex && try simulate --family smgpu --program wrong.hex --disassemble

for recall in exemplars prototypes; do
    smgpu train --dataset ./rings --dim 1000 --recall $recall -o $recall.npz -q >/dev/null
    smgpu infer --model $recall.npz --dataset ./rings --predictions $recall.csv | sed 's/, [^,]* per graph$//' && head -2 $recall.csv
    smgpu simulate --model $recall.npz --dataset ./rings --set hd.banks=8 | sed -n '1p;$p'
done
try train --family smgpu --dataset ./rings --set nodes=16
smgpu estimate --dataset MUTAG --preset paper | sed -n '7,13p'
smgpu sweep --dataset MUTAG --objectives latency,error -q --fix dim=10000 | sed -n '1,8p'
smgpu optimize --dataset MUTAG --minimize latency -q --where 'uram<=400 && recall=exemplars' | grep '^latency'
smgpu validate --against published | grep -E "^(area_mm2|power_w|clock_mhz|published)"
smgpu roofline --dataset MUTAG --preset paper | tail -5
smgpu whatif --dataset MUTAG --preset paper --set hd.banks=64 | sed -n '3,9p'
smgpu emit --only header --dataset MUTAG --preset paper --force -o header -q && gcc -std=c11 -Wall -Wextra -Werror -x c -c header/smgpu_config.h -o c.o && echo compiles

# The engines in SystemVerilog, with the instructions of three graphs as cases; unsupported requests are rejected.
smgpu emit --flow rtl --dataset ./rings --train --preset paper --set spectral=yes --set dim=1000 --set nodes=64 --cases 3 --force -q -o engines && ls engines | tr '\n' ' ' && cat engines/smgpu_design.svh
try emit --family smgpu --flow rtl --dataset ./rings --train --preset paper --set latencies=stated --force -q -o stated
try emit --family smgpu --flow hls --dataset ./rings --preset paper --cases 3 -q -o stated
# No queue: launches of several items, and loads, are reported as such.
try estimate --family smgpu --dataset MUTAG --batch 4 | grep -E 'queue:|^host'
try sweep --family smgpu --dataset MUTAG --rate 1k/s | grep 'queue:'
# Names every resource above its cap at the clock: the published design also has too many UltraRAMs.
try estimate --family smgpu --dataset MUTAG --preset paper | grep '^fits'
