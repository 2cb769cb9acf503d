# A study: written, interrupted, resumed, read by other commands, and rejected if it belongs to another request. In the background,
# `via=exec` makes the program itself the job that receives the signal.
ask() {
    ${via:-} "$program" sweep --dataset MUTAG --fix lshu.pe=4 --fix hue.pe=4 --fix place.h=bram --fix landmarks=32 \
        --where 'nee.lanes<=64 && nee.port_bits=128 && nee.outstanding=16 && mphe.lookups=1 && sce.bits=128 && kse.pe<=8' \
        --format csv "$@"
}
ask -o plain.csv
ask --study whole.db -o whole.csv
cut -d, -f2- whole.csv | cmp - plain.csv && echo "the same with a study"

# Killed repeatedly as soon as the study has content, with varying numbers of jobs; the final study is the same.
for round in 1 2 3; do
    via=exec ask --study cut.db --resume --jobs $((1 + round % 2)) -o cut.csv &
    while [ ! -s cut.db-wal ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    "$program" study show cut.db >shown 2>&1 || cat shown
done
ask --study cut.db --resume --jobs 1 -o cut.csv && cmp whole.csv cut.csv && echo "the same after kill -9"
for study in whole cut; do
    "$program" study export $study.db -o $study.json
    "$program" study export $study.db --all -o $study-points.csv
done
cmp whole.json cut.json && cmp whole-points.csv cut-points.csv && echo "the same, byte for byte"
ls whole.db* cut.db*

# On a full disk, stored results remain; the rest follows once there is space.
(ulimit -f 100; ask --study full.db -o full.csv 2>&1; echo "exit $?") | sed 's/written: .*; what/written: …; what/'
ask --study full.db --resume -o full.csv && cmp whole.csv full.csv && echo "the same after a full disk"

# A point as a configuration with its board and data set; its figures are those of the sweep.
line=$(sed -n 2p whole.csv)
id=${line%%,*}
"$program" estimate --from whole.db:$id --format csv -o estimate.csv
[[ ${line#*,} == "$(sed -n 2p estimate.csv),"* ]] && echo "the same by estimate"
for command in 'roofline --format json' 'whatif --set kse.pe=16 --format json' 'estimate --set clock_mhz=250 --format json'; do
    "$program" $command --from whole.db:$id >out 2>&1 && grep -c '"schema"' out
done
"$program" emit --only header --from whole.db:$id -o none 2>&1 # the fastest is direct
"$program" sweep --dataset MUTAG --fix nee.form=factored --study factored.db -q >/dev/null
"$program" emit --only header --from factored.db:1 -o hls -q && ls hls
"$program" optimize --from whole.db:$id --minimize lut --fix nee.form --study optimum.db --format json --where 'kse.pe<=4' |
    grep -e '"id"' -e '"optimal"'
try estimate --from whole.db:999999
try estimate --from whole.db
try estimate --from missing.db:1

# Only the same request with the same inputs can be resumed.
try sweep --dataset MUTAG --study whole.db
try sweep --dataset MUTAG --study whole.db --resume
try sweep --dataset MUTAG --resume
cp "$(dirname "$program")/../share/nysx-dse/boards/zcu104.xml" mine.xml
"$program" sweep --dataset MUTAG --board ./mine.xml --fix landmarks=32 --where 'nee.lanes=16 && kse.pe=4' --study mine.db -q >/dev/null
echo '<!-- changed -->' >>mine.xml
"$program" sweep --dataset MUTAG --board ./mine.xml --fix landmarks=32 --where 'nee.lanes=16 && kse.pe=4' --study mine.db --resume 2>&1 |
    sed 's/[0-9a-f]\{16\}/HASH/g'
echo 'no study' >text.db
try study show text.db
try sweep --dataset MUTAG --study text.db --resume
cat text.db
try study show missing.db
try study
try study export

# Some of the points, by their IDs.
"$program" study export whole.db --format csv --points $id -o one.csv && wc -l <one.csv && grep -c "^$id," one.csv
"$program" study export whole.db --format csv --points 1-999999 | cmp - <("$program" study export whole.db --format csv) && echo "all of them"
for list in 0 3- 9-3 1,,2 x 999999; do try study export whole.db --format csv --points $list; done
try study export whole.db --points 1

# "Nothing feasible" is an answer too, and is stored.
"$program" sweep --dataset MUTAG --fix landmarks=32 --where 'latency<=1ns && nee.lanes=16' --study none.db >/dev/null 2>&1; echo "exit $?"
"$program" study export none.db | grep -e '"state"' -e '"front"'

# A rejected request leaves no study, which would later reject the corrected request.
"$program" sweep --dataset MUTAG --free dim --fix dim=777 --data-dir ./none --study wrong.db -q >/dev/null 2>&1; echo "exit $?"
[ -e wrong.db ] || echo "no study of it"

# Quality on demand: unmeasured settings are measured if they may reach the front; each training run is stored.
"$program" datasets generate TOY --graphs 60 --classes 2 --seed 3 -q >/dev/null
"$program" datasets profile ./TOY --landmarks 32 --grid sce.prototype_bits=1 --seeds 2 -o toy.xml -q
demand() {
    ${via:-} "$program" sweep --dataset toy.xml --data-dir . --fix kse.balance --fix lshu.balance --fix place.h --seeds 2 --free dim --objectives latency,lut \
        --where 'accuracy>=0.4 && nee.lanes=16 && kse.pe<=8 && nee.outstanding=16 && landmarks<=32 && hops<=2' "$@"
}
demand --study toy.db --jobs 2 --format csv -o toy.csv
demand --study again.db --jobs 1 --format csv -o again.csv -q && cmp toy.csv again.csv && echo "the same for other jobs"
rm again.db
via=exec demand --study again.db --resume --format csv -o again.csv -q &
while [ ! -s again.db-wal ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
{ kill -9 $! && wait $!; } 2>/dev/null # otherwise bash sometimes reports it
demand --study again.db --resume --format csv -o again.csv -q && cmp toy.csv again.csv && echo "the same after kill -9"
for study in toy again; do "$program" study export $study.db -o $study.json; done
cmp toy.json again.json && echo "the same, byte for byte"
grep -c '"protocol": "stratified 80/20 split"' toy.json
# Except for "floor", which the request's own limit replaced.
"$program" estimate --from toy.db:1 --format csv -o estimate.csv && sed -n '2s/,0\.948[0-9]*,/,,/p' estimate.csv | cmp - <(sed -n 's/^1,//; 2s/,[0-9.]*,[0-9]*,[a-z_ ]*,"{.*}"$//p' toy.csv) &&
    echo "the same by estimate"
try sweep --dataset MUTAG --free dim --fix landmarks=32
try sweep --dataset MUTAG --free dimm
demand --study later.db --budget 1us -q 2>&1 >/dev/null; echo "exit $?"
demand --study later.db --resume --format csv -o later.csv -q && cmp toy.csv later.csv && echo "the same with more time"
# A budget that ends the search leaves an unproven answer; with more time, it becomes the same as before.
demand --study part.db --budget 1us -q >/dev/null 2>&1
"$program" study export part.db | grep -e '"state"' -e '"space_size"'
demand --study part.db --resume --format csv -o part.csv -q && "$program" study export part.db -o part.json
grep '"space_size"' part.json | cmp - <(grep '"space_size"' toy.json) && echo "the same space"
