# One best design, refusals, and what there is to say where none exists. Numbers are left out: they are
# those of the models, which have tests of their own.
small="--fix lshu.pe --fix hue.pe --fix place.h --fix clock_mhz --fix landmarks --jobs 2"
try optimize --dataset MUTAG $small --minimize latency --where 'dsp<=25%' --method exact | grep Least | sed 's/[0-9][0-9,.e+-]*/N/g'
try optimize --dataset MUTAG $small --minimize energy --method ilp --format json | grep -E '"(schema|method|metric|optimal|fits)"'
try optimize --dataset MUTAG $small --minimize latency --where 'latency<=1ns && dsp<=25%' | grep -E '^(nysx|Why|constr|block|latency|the|Near|exit)' | sed 's/[0-9][0-9,.e+-]* */N /g'
try optimize --dataset MUTAG $small --minimize latency --where 'latency<=1ns' --format json -q | grep -E '"(schema|feasible|constraint|kills_at_least|ratio)"|^exit' | sed 's/[0-9][0-9.e+-]*,*$/N/'
try optimize --dataset MUTAG $small --maximize throughput --method ilp --write-lp slice.lp --format csv | wc -l
grep -c 'one_slice:' slice.lp
try optimize --dataset MUTAG
try optimize --dataset MUTAG --minimize latency --maximize throughput
try optimize --dataset MUTAG --minimize throughput
try optimize --dataset MUTAG --minimize latency,energy
try optimize --dataset MUTAG --minimize power --method ilp
try optimize --dataset MUTAG --minimize latency --method annealing
try optimize --dataset MUTAG --minimize latency --method exact --write-lp slice.lp
try optimize --dataset MUTAG --minimize latency --write-lp slice.txt
