# Every command for one labelled graph: in the forms of real files (text ids, blanks and tabs, CRLF), with papers without citations, self-citations
# and citations of missing papers; and rejections, with file and line.
python3 - <<'PY'
import os, random
random.seed(5)
nodes, features, classes = 240, 24, 3
name = [f"paper/{i}é" if i % 3 else str(1000 + i) for i in range(nodes)]
label = [i % classes for i in range(nodes)]
os.makedirs("odd")
with open("odd/odd.content", "w", newline="", encoding="utf-8") as f:
    for i in range(nodes):
        row = [int(random.random() < (0.4 if j % classes == label[i] else 0.08)) for j in range(features)]
        f.write(("\t" if i % 2 else " ").join([name[i], *map(str, [0] * features if i == 7 else row), f"Class_{label[i]}"]) + "\r\n")
with open("odd/odd.cites", "w", newline="", encoding="utf-8") as f:
    for _ in range(400):
        a = random.randrange(nodes - 40)
        b = random.choice([j for j in range(nodes - 40) if label[j] == label[a]])
        f.write(f"{name[a]}\t{name[b]}\r\n")
    f.write(f"{name[3]} {name[3]}\r\n{name[3]}\tnowhere\r\n")
open("odd/README", "w").write("passed over\n")
lines = open("odd/odd.content", encoding="utf-8", newline="").read().split("\r\n")
for case, change in (("short", lambda l: l.replace(" 0", "", 1)), ("twice", lambda l: lines[0]), ("word", lambda l: l.replace(" 0 ", " x ", 1))):
    os.makedirs(case)
    broken = lines[:4] + [change(lines[4])] + lines[5:]
    open(f"{case}/{case}.content", "w", encoding="utf-8", newline="").write("\r\n".join(broken))
    open(f"{case}/{case}.cites", "w").write("")
os.makedirs("empty")
open("empty/empty.content", "w"), open("empty/empty.cites", "w")
PY
gat() { command=$1; shift; try "$command" --family gat --dataset ./odd/ "$@"; }

try datasets show --family gat ./odd/
for case in short twice word empty; do try datasets show ./$case/; done
"$program" train --family gat --dataset ./odd/ --all --epochs 3 -o all.npz -q >/dev/null && "$program" infer --family gat --model all.npz --dataset ./odd/ 2>&1 >/dev/null | grep -o "the model was .*"
try train --family gat --dataset ./odd/ --folds 5

for arithmetic in float quantised layerbreak streamline; do
    "$program" train --family gat --dataset ./odd/ --arithmetic $arithmetic --epochs 60 -o $arithmetic.npz -q >/dev/null &&
        "$program" infer --model $arithmetic.npz --family gat --dataset ./odd/ --predictions $arithmetic.csv |
            sed 's/, [^,]* µs per node//; s/, [^,]* ns per node//' && head -2 $arithmetic.csv
done
for approach in layerbreak streamline; do
    "$program" simulate --family gat --model $approach.npz --dataset ./odd/ --set subgraphs=3 >simulated.txt
    head -1 simulated.txt && tail -1 simulated.txt
done

"$program" validate --family gat --against simulation --dataset ./odd/ --configurations 12 --max-error 0.1 >/dev/null &&
    echo "drawn designs, simulated: none of an error above 10 %"

"$program" estimate --family gat --dataset cora --preset paper --set approach=streamline | sed -n 7,14p
"$program" estimate --family gat --dataset cora --preset paper --set approach=layerbreak | grep ^latency # including transfers: slower, as in the thesis
try sweep --family gat --board vcu128 --dataset cora --fix approach=streamline --objectives latency
"$program" optimize --family gat --dataset cora --minimize latency -q \
    --where 'bram18<=100 && approach=streamline' | sed -n '3,4p;8p'
# Each design uses its approach's arithmetic: in a front, in an answer and with --set. The other arithmetics are only for evaluation.
pairs() { grep -E '"(arithmetic|approach)":' | sed 's/.*: //; s/[",]//g' | paste - - | sort -u; }
"$program" sweep --family gat --dataset cora --fix task=whole --objectives latency,energy,lut --format json -q | pairs
"$program" sweep --family gat --dataset citeseer_table --fix task=whole --format json -q | pairs
"$program" estimate --family gat --dataset cora --set approach=streamline --format json | pairs
for arithmetic in float quantised streamline; do try estimate --family gat --dataset cora --preset paper --set arithmetic=$arithmetic; done
"$program" validate --family gat --against published | grep -E '^(latency_s|transfer[_12]*s|bram18|uram|dsp|lut|ff|lutram|kernel_w) '
"$program" roofline --family gat --dataset cora --preset paper | tail -5
"$program" whatif --family gat --dataset cora --preset paper --set subgraphs=2 | sed -n 3,9p
"$program" emit --only header --family gat --dataset cora -o header -q && gcc -std=c11 -Wall -Wextra -Werror -x c -c header/gat_config.h -o c.o && echo compiles
"$program" estimate --family gat --dataset citeseer_table 2>&1 | head -1

# A design without a source, or one that does not fit, is rejected before training; a search only takes designs with a source.
for knob in subgraphs=17 clock_mhz=400 channels=256; do try emit --family gat --dataset cora --set $knob -o nothing; done
try emit --family gat --dataset cora --board pynq-z2 --preset paper -o nothing
try emit --family gat --dataset cora --board vcu128 --fix subgraphs=17 -q -o nothing
ls nothing 2>&1 || true
try estimate --family gat --dataset cora --set arithmetic=streamline --set approach=layerbreak
try estimate --family gat --dataset cora --set approach=layerbreak --set arithmetic=streamline
"$program" emit --family gat --dataset cora --board vcu128 --fix subgraphs=3 -q -o lane && grep 'GAT_SUBGRAPHS ' lane/gat_config.h && make -s -C lane csim 2>&1 | tail -1
# A folder that tests itself, with a generated graph that fits the memories of the data's design.
try emit --family gat --dataset cora -q -o itself
make --no-print-directory -s -C itself csim 2>&1 | tail -1
