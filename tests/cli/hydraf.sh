# The analytical commands for a family that does not process graphs.
cat >table.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<profile schema="nysx-dse.profile/1" family="hydraf" dataset="table" hash="0123456789abcdef" tool-version="0">
  <command>by hand</command>
  <facts><fact name="rows" value="1503"/></facts>
  <preset>dim=2048 clusters=8 batch=8 precision=int8</preset>
  <workload>
    <setting></setting>
    <series name="features" rows="1" columns="1">5</series>
    <series name="iterations" rows="1" columns="1">20</series>
    <series name="samples" rows="1" columns="1">1203</series>
  </workload>
</profile>
END
hydraf() { command=$1; shift; "$program" "$command" --family hydraf --dataset ./table.xml "$@"; }
value() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | head -1; }

hydraf estimate
hydraf estimate --set task=train --format json | grep -e '"cycles"' -e '"throughput_hz"' | tail -2

echo; echo "Table II, with what is withheld:"
"$program" validate --family hydraf
"$program" validate --family hydraf --format json | grep -c '"error_left_out"'
try validate --family hydraf --max-error 0.01 -o /dev/null

echo "Which board fits which D:"
for dim in 512 1024 2048 3072 4096; do
    for board in u200 vcu118 u250; do
        hydraf estimate --board $board --set dim=$dim --format json >fit.json
        echo "D=$dim $board: $(value fits fit.json)"
    done
done

echo; echo "Where encoding on chip becomes the faster way to infer (figure 10b):"
design="chunk=64 && axi.bits=256 && update=coo && systolic.pipelined=yes && encoder.features=16"
for dim in 512 576 640 768 1024 2048 3072; do
    hydraf sweep --board u250 --objectives latency --where "$design" --fix dim=$dim --fix clock_mhz=137 --format json >sweep.json
    echo "D=$dim: $(value encoding sweep.json)"
done

echo; echo "Four methods, one answer:"
for method in exact exhaustive heuristic; do
    hydraf sweep --fix dim=1024 --fix clock_mhz=137 --fix units=1 --objectives latency,lut --method $method --seed 3 --format json >$method.json
    sed -n '/^  "front"/,/^  ]/p' $method.json | grep -v '"seconds"' >$method.front
    echo "$method: $(grep -c '"bottleneck"' $method.front) designs"
done
cmp exact.front exhaustive.front && echo "exact is exhaustive"
# Without a measured quality the setting is the profile's or that of --fix; limits do not select settings.
for where in 'dim<=1024' 'dim=512' 'clock_mhz=111'; do
    try optimize --family hydraf --dataset ./table.xml --minimize latency --where "$where" -q
done
for words in '--where dim<=1024 --fix dim=512' '--fix dim=512' '--where dim>=64' '--where dim=2048'; do
    # shellcheck disable=SC2086
    echo "$words: $(hydraf optimize $words --minimize latency --format json >named.json; value dim named.json)"
done
for method in ilp exact exhaustive; do
    hydraf optimize --fix dim=1024 --fix clock_mhz=137 --where "lut<=400000 && dsp<=200" --minimize latency --method $method --format json >$method.json
    echo "$method: $(value latency_s $method.json)"
done
try optimize --family hydraf --dataset ./table.xml --minimize latency --where 'latency<=1ns && chunk=64' --fix dim=512

hydraf whatif --set update=dense --set task=train | head -20
hydraf roofline | tail -11

hydraf emit --only header -o hls -q && ls hls
gcc -std=c11 -Wall -Wextra -Werror -x c -c hls/hydraf_config.h -o c.o && echo compiles
g++ -Wall -Wextra -Werror -x c++ -c hls/hydraf_config.h -o cxx.o && echo compiles
grep -e CHUNKS -e SUM_BITS -e 'sum_t;' hls/hydraf_config.h
try emit --only header --family hydraf --dataset ./table.xml --set dim=4096 -o misfit

# Wrong words.
try estimate --family hydraf --dataset MUTAG
try estimate --family hydraf --dataset 'M*'
try estimate --family hydraf --dataset ./table.xml --set nee.lanes=4
try estimate --family hydraf --dataset ./table.xml --set chunk=48
try sweep --family hydraf --dataset ./table.xml --where 'quality>=0.9'
try validate --family hydraf --against simulation
# The shipped profile says the family.
try sweep --dataset airfoil -q | sed -n 2p
try sweep --dataset airfoil --metric auc
try estimate --family nysx --dataset airfoil
# A command that continues a study uses the study's family.
"$program" sweep --family hydraf --board u55c --dataset airfoil --study h.db -q | grep '^next:' >next.txt
sed 's/next: nysx-dse //; s/ -o DIR.*//' next.txt
try emit --only header --from h.db:best -o design -q
try plot front --study h.db -o front.svg
try whatif --from h.db:best | head -2
try estimate --family nysx --from h.db:best
try emit --family hydraf --dataset airfoil --preset paper --set chunk=1024 --set systolic.pipelined=yes --force -o nothing # before training
# Each batch of a training run is one start by the host: 100 iterations over 151 batches. Every method counts them.
try estimate --family hydraf --dataset airfoil --set task=fit -q | grep '^host'
for method in exact ilp exhaustive; do
    try optimize --family hydraf --dataset airfoil --fix task=fit --minimize latency_system --method $method -q | grep -o '^Least.*proven'
done
