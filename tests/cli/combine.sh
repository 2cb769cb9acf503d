# One design for several data sets, and several boards side by side.
narrow() {
    "$program" "$@" --where 'nee.lanes=16 && nee.port_bits=128 && nee.outstanding=16 && mphe.lookups=1 && sce.bits=128 && kse.pe<=8 &&
        clock_mhz=200 && nee.form=streamed && nee.precision=fp32 && units=1 && lshu.pe=4 && hue.pe=4 && place.h=bram && mphe.gamma=2 &&
        nee.fifo_depth=64 && capacity=max && kse.balance=static && lshu.balance=none && place.codebook=bram'
}
narrow optimize --dataset MUTAG --dataset NCI1 --combine worst --minimize latency --format json -o worst.json --study worst.db
grep -e '"combine"' -e '"optimal"' -e '"method"' -e '"dataset"' worst.json
# Its latency is that of the slower data set, by itself the same by estimate.
for set in MUTAG NCI1; do
    "$program" estimate --from worst.db:1 --dataset $set --format csv | sed -n 2p | cut -d, -f3
done | sort -g | tail -1 >slower
narrow optimize --dataset MUTAG --dataset NCI1 --combine worst --minimize latency --format csv --study worst.db --resume |
    sed -n '2s/.*",//p' | cut -d, -f1 | cmp - slower && echo "the worst of both"
narrow sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight NCI1=3 --format csv | sed '1d; s/,[0-9].*//' | sort | uniq -c | sed 's/^ *//'
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --method heuristic --budget 500 --format json | grep -e '"proven"' -e '"schema": "nysx-dse.c'
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --study sweep.db --format csv -o first.csv
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --study sweep.db --resume --format csv -o second.csv
cmp first.csv second.csv && echo "the same when it is taken up"
# A visit that its budget ends says so.
narrow sweep --dataset MUTAG --dataset NCI1 --combine mean --method exhaustive --budget 1us; echo "exit $?"
try sweep --dataset MUTAG --combine mean
try sweep --dataset MUTAG --dataset NCI1 --combine median
try sweep --dataset MUTAG --dataset NCI1 --combine mean --method ilp
try sweep --dataset MUTAG --dataset NCI1 --combine mean --weight NCI1=2
try sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight NCI=2
try sweep --dataset MUTAG --dataset NCI1 --combine weighted --weight NCI1=-1
try sweep --dataset MUTAG --dataset NCI1 --combine mean --free dim

# A board on which nothing fits leaves the others their answer.
narrow sweep --dataset MUTAG --board zcu104 --board pynq-z2 --fix landmarks=32 --format json 2>errors | grep '"schema": "nysx-dse.[sio]'
grep -c 'Why nothing fits' errors
narrow optimize --dataset MUTAG --minimize latency --board pynq-z2 --board pynq-z1 --fix landmarks=32 --format json 2>errors >out; echo "exit $?"
grep '"schema"' out
