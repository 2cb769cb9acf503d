# Destinations of results, and the state after a failed write.
"$program" estimate --dataset MUTAG >expected

# Standard output under another name is written to, not replaced; so is a link's target, existing or not.
ln -s /proc/self/fd/1 standard
"$program" estimate --dataset MUTAG -o standard >redirected && cmp expected redirected && test -L standard && echo the same
"$program" estimate --dataset MUTAG -o standard | cmp expected - && echo the same
mkdir elsewhere
ln -s elsewhere/result link
for time in first second; do
    "$program" estimate --dataset MUTAG -o link && test -L link && cmp expected elsewhere/result && echo "the same the $time time"
done
mkfifo pipe
cat pipe >piped &
"$program" estimate --dataset MUTAG -o pipe && wait && cmp expected piped && echo the same

ln -s circle circle
try estimate --dataset MUTAG -o circle
try estimate --dataset MUTAG -o /dev/full
try estimate --dataset MUTAG -o elsewhere
try estimate --dataset MUTAG -o missing/result
try estimate --dataset MUTAG -o ''
try estimate --dataset MUTAG -o once -o twice
try infer --model '' --dataset MUTAG
# Checked before anything is read: the model does not exist.
try infer --model m.npz --dataset MUTAG --predictions missing/p.csv
try optimize --dataset MUTAG --minimize energy --method ilp --write-lp missing/x.lp
try optimize --dataset MUTAG --minimize energy --method exhaustive --study missing/s.db
try sweep --dataset MUTAG --study s.db -o ./s.db
try emit --model m.npz --dataset MUTAG -o expected/hls
ln -s once again
ln -s once again.lp
try infer --model m.npz --dataset MUTAG -o once --predictions ./once
try infer --model m.npz --dataset MUTAG -o elsewhere/../again --predictions once
try optimize --dataset MUTAG --minimize energy --write-lp again.lp -o once
rm again again.lp
# Two results in one pipe or file are rejected; the report goes to standard output.
for words in 'sweep --dataset MUTAG --study /dev/stdout' 'optimize --dataset MUTAG --minimize energy --save-experiment /dev/fd/1' \
    'infer --model m.npz --dataset MUTAG --predictions standard' 'train --dataset MUTAG -o /dev/stdout' 'emit --dataset MUTAG --only header --save-experiment standard' \
    'infer --model m.npz --dataset MUTAG --predictions pipe --hypervectors pipe' 'infer --model m.npz --dataset MUTAG --predictions /dev/stdout -o /dev/fd/1'; do
    try $words
done
"$program" plot engines --dataset MUTAG -o e.svg --data /dev/stdout | sed -n 1p
"$program" estimate --dataset MUTAG --save-experiment /dev/null >/dev/null && echo nowhere
rm e.svg
# Options without meaning for the command.
for words in 'family check nysx --overwrite' 'family check nysx --board zcu104' 'family parts --set nee.lanes=8' 'family new mine --host linux' \
    'boards list --preset p.xml' 'boards list --dataset MUTAG' 'datasets list --metric auc' 'datasets list --nodes 3' 'datasets show MUTAG --board zcu104' \
    'study show s.db --points 1' 'study export s.db --all' 'report --study s.db --board zcu104' 'train --dataset MUTAG --board zcu104' 'version --dataset MUTAG'; do
    try $words
done
"$program" datasets generate tiny --graphs 12 --classes 2 --seed 1 -q >/dev/null
try infer --model elsewhere --dataset tiny/
for words in --help --version 'sweep --help' 'estimate --dataset MUTAG'; do
    code=0
    "$program" $words >/dev/full || code=$?
    echo "exit $code"
done
ls -A
ls -A elsewhere

# Two values for one knob, and paths that are neither files nor folders.
try estimate --dataset MUTAG --set nee.lanes=4 --set hops=2 --set nee.lanes=8
try sweep --dataset MUTAG --fix nee.lanes=4 --fix nee.lanes
try whatif --dataset MUTAG --base nee.lanes=4 --set nee.lanes=8 --set nee.lanes=16
mkfifo idle
for file in /dev/null ./idle /dev/zero; do
    try infer --model $file --dataset tiny/
    try train --dataset $file
done

# Words that no result could contain; Ctrl-C ends at once with one line and no remains.
"$program" datasets show "$(printf 'M\377')" 2>&1 || echo "exit $?"
# Sends the signal when the program itself (not the shell before exec) catches it (bit 1 of its caught signals) and has used 0.2 processor
# seconds (or $ticks hundredths). Sends it twice, as `timeout -s INT` does.
interrupt() {
    local code=0 caught=0 used=0 stat
    "$program" "$@" 2>&1 &
    while kill -0 $! && { [ $((0x$caught & 2)) -eq 0 ] || [ $used -lt ${ticks:-20} ]; }; do
        sleep 0.02
        [ "$(readlink "/proc/$!/exe")" = "$program" ] || continue
        caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$!/status")
        stat=$(sed 's/.*) //' "/proc/$!/stat") && used=$(echo "$stat" | awk '{ print $12 + $13 }')
    done
    kill -INT $!
    kill -INT $!
    wait $! || code=$?
    echo "exit $code"
}
interrupt datasets generate BIG --graphs 1000000
interrupt sweep --dataset NCI1 --method exhaustive -o report
# During the explanation of a proven infeasibility, and during the search for the least change: within a slice.
ticks=200 interrupt optimize --dataset MUTAG --minimize latency --where 'energy>=1J && latency<=1ms' -q
interrupt whatif --dataset MUTAG --target latency=1us -q
ls -d BIG report 2>&1 || true

# A model that only equals the most common class is reported as no better: all graphs equal, three of four in one class.
mkdir SAME && for i in $(seq 40); do
    printf '%d, %d\n%d, %d\n' $((2 * i - 1)) $((2 * i)) $((2 * i)) $((2 * i - 1)) >>SAME/SAME_A.txt
    printf '%d\n%d\n' $i $i >>SAME/SAME_graph_indicator.txt
    echo $((i % 4 == 0)) >>SAME/SAME_graph_labels.txt
done
"$program" train --dataset ./SAME --landmarks 4 --dim 64 -q | grep -o 'constant prediction .*'

# No command overwrites a file that it reads, by name, symbolic or hard link. Only --extend replaces its input.
mkdir own && cd own
"$program" sweep --dataset MUTAG --fix nee.lanes --study study -q >/dev/null
"$program" estimate --dataset MUTAG --save-experiment e.yaml -q >/dev/null
"$program" datasets generate TOY --graphs 20 --seed 1 -q >/dev/null
(cd TOY && zip -qr ../archive .)
mv archive.zip archive
"$program" train --dataset TOY --landmarks 4 --set dim=64 -o model.npz -q >/dev/null
cp "$(dirname "$program")/../share/nysx-dse/boards/zcu104.xml" board.xml
ln -s study link.svg
ln study hard.svg
ln -s e.yaml link.yaml
ln e.yaml hard.yaml
echo 0 >TOY/TOY_edge_attributes.txt # the data set has it, and it is not read
ln -s TOY/TOY_edge_attributes.txt link.json
printf '0.001\n0.002\n' >times
"$program" emit --model model.npz --dataset TOY -o design -q
md5sum study e.yaml archive design/nysx_config.h TOY/* model.npz board.xml times >sums
try study export study -o study
try plot front --study study -o link.svg
try plot front --study study -o hard.svg
try report --study study -o hard.svg
try sweep --dataset MUTAG --study study --resume -o study
try run e.yaml --save-experiment e.yaml
try run e.yaml --save-experiment link.yaml
try run e.yaml --save-experiment hard.yaml
try estimate --dataset MUTAG --board board.xml --save-experiment board.xml
try train --dataset ./archive -o archive
try datasets show ./TOY -o TOY/TOY_A.txt
try datasets show ./TOY -o link.json
try infer --model model.npz --dataset TOY --predictions TOY/TOY_graph_labels.txt
try infer --model model.npz --dataset TOY --hypervectors model.npz
try datasets show ./TOY --save-experiment TOY/TOY_A.txt
try emit --check design --save-experiment design/nysx_config.h >/dev/null
try estimate --dataset no.xml --dataset ./archive --save-experiment archive # fails before it reads the archive
try sweep --dataset MUTAG --study fresh --save-experiment fresh
try simulate --model model.npz --dataset TOY --rate times --cycles times
try calibrate times -o times
try estimate --dataset MUTAG -o new --save-experiment ./new
cp model.npz design/expected.json
try emit --model design/expected.json --dataset TOY -o design --overwrite -q
cmp model.npz design/expected.json && md5sum --quiet -c sums && echo "nothing was touched"
"$program" datasets profile TOY --landmarks 4 --seeds 1 -o p.xml -q
"$program" datasets profile TOY --landmarks 5 --seeds 1 --extend p.xml -o p.xml -q && grep -c "<quality" p.xml
cd ..

# A file that is replaced keeps its mode, also in a design's folder.
for mode in 640 600; do
    echo old >kept.txt && chmod $mode kept.txt
    "$program" estimate --dataset MUTAG -o kept.txt -q && stat -c %a kept.txt
done
chmod 640 own/design/Makefile
"$program" emit --model own/model.npz --dataset own/TOY -o own/design --overwrite -q && stat -c %a own/design/Makefile

# A word with DEL reads back from an experiment.
mv own/TOY "$(printf 'own/D\177L')"
"$program" datasets show "$(printf 'own/D\177L')" --save-experiment del.yaml -q >shown && "$program" run del.yaml -q | cmp shown - && grep -c 'x7F' del.yaml
