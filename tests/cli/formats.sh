# The same graphs in every supported format, and each rejection with its file, line or array.
package=$(cd "$here/../../python" && pwd)
python() { PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$package /usr/bin/python3 "$@"; }
"$program" datasets generate TOY --graphs 30 --attributes 2 --seed 3 -q >made.txt
python -c '
from nysx.data import Graphs
g = Graphs.read_tudataset("TOY")
g.write_npz("toy.npz"); g.write_csv("tables"); g.write_graphml("toy.graphml"); g.write_tudataset("again")
import numpy as np
np.savez("pyg.npz", edge_index=np.asfortranarray(g.arcs.astype("i4")), batch=g.batch, y=g.y.reshape(-1, 1), z=g.node_labels.astype("f4"), x=np.asfortranarray(g.x))'
mkdir many && python - <<'EOF'
import re
text = open("toy.graphml").read()
head = text[:text.index("<graph id")]
for i, graph in enumerate(re.findall(r"<graph id.*?</graph>\n", text, re.S)):
    open(f"many/{i:03}.graphml", "w").write(head + graph + "</graphml>\n")
EOF
mkdir pandas && for part in graphs nodes edges; do awk '{ print (NR > 1 ? NR - 2 : "") "," $0 }' tables/$part.csv >pandas/$part.csv; done
for data in ./TOY ./toy.npz ./pyg.npz ./tables ./pandas ./toy.graphml ./again ./many; do
    "$program" datasets show $data --format json | grep '"hash"'
done
zip -q tables.zip tables/*
try train --dataset tables.zip --landmarks 8 --seed 1 -o m.npz -q >trained.txt
try train --dataset toy.graphml --landmarks 8 --seed 1 -o m2.npz -q >trained2.txt
cmp <(sed 's/seconds.*//' trained.txt | grep -c accuracy) <(sed 's/seconds.*//' trained2.txt | grep -c accuracy) && echo "both train"

bad() { # FILE of tables, its text
    cp -r tables bad && printf "$2" >bad/$1 && try datasets show ./bad
    rm -r bad
}
bad edges.csv 'source,target\n0,1\n1,99999\n'
bad edges.csv 'source,target\n0,1\n0,599\n'
bad edges.csv 'source\n0\n'
bad edges.csv ''
bad edges.csv 'source,target,graph\n0,1,0\n1,0,29\n'
bad nodes.csv 'id,graph,label,x0,x1\n0,0,1,2,3\n0,0,1,2,3\n'
bad nodes.csv 'id,graph,label,x0,x1\n0,0,1,2\n'
bad nodes.csv 'id,graph,label,x0,x1\n0,0,1,two,3\n'
bad nodes.csv 'id,graph,label,x0,x1\n0,0,,2,3\n'
bad nodes.csv 'id,graph,label,x0,x1\n0,77,1,2,3\n'
bad nodes.csv 'id,label\n0,1\n'
bad nodes.csv 'id,graph,label\n0,0,"1\n'
bad graphs.csv 'id,label\n0,1\n0,1\n'
bad graphs.csv 'id,label\n'
cp -r tables bad && rm bad/graphs.csv && try datasets show ./bad
rm -r bad

graphml() {
    printf '<graphml>\n<key id="c" for="graph" attr.name="label"/>\n<key id="l" for="node" attr.name="label"/>\n<key id="x" for="node" attr.name="x" attr.type="double"/>\n%b</graphml>\n' "$1" >bad.graphml
    try datasets show ./bad.graphml
}
graphml '<graph edgedefault="undirected"><data key="c">yes</data>\n<node id="a"><data key="l">C</data><data key="x">1.5</data></node>\n<node id="b"><data key="l">N</data><data key="x">2</data></node><edge source="a" target="b"/></graph>\n<graph edgedefault="directed"><data key="c">no</data><node id="a"><data key="l">C</data><data key="x">0</data></node></graph>\n' | grep -v "^hash\|^data set"
graphml '<graph edgedefault="undirected"><data key="c">1</data>\n<node id="a"><data key="l">C</data><data key="x">one</data></node></graph>'
graphml '<graph edgedefault="undirected"><data key="c">1</data>\n<node id="a"><data key="x">1</data></node></graph>'
graphml '<graph edgedefault="undirected">\n<node id="a"><data key="l">C</data><data key="x">1</data></node></graph>'
graphml '<graph edgedefault="undirected"><data key="c">1</data><node id="a"><data key="l">C</data><data key="x">1</data></node>\n<edge source="a" target="z"/></graph>'
graphml '<graph edgedefault="both"><data key="c">1</data><node id="a"><data key="l">C</data><data key="x">1</data></node>\n<edge source="a" target="a"/></graph>'
graphml '<graph edgedefault="undirected"><data key="c">1</data>\n</graph>'
graphml ''
printf '<graphml>\n<graph></graphml>' >bad.graphml && try datasets show ./bad.graphml
printf '<html></html>' >bad.graphml && try datasets show ./bad.graphml

npz() {
    python -c "import numpy as np; d = dict(ptr=[0, 2, 4], indptr=[0, 1, 2, 3, 4], indices=[1, 0, 3, 2], y=[0, 1]); $1; np.savez('bad.npz', **d)"
    try datasets show ./bad.npz
}
npz 'pass' | grep -c "graphs  *2"
npz 'd["indices"][0] = 9'
npz 'd["indices"][0] = 2'
npz 'd["indptr"][2] = 0'
npz 'd["indptr"] = [0, 4]'
npz 'd["ptr"] = [0, 2, 2, 4]'
npz 'd["y"] = [0, 1, 1]'
npz 'd["y"] = ["a", "b"]'
npz 'd["y"] = [0.5, 1]'
npz 'd.pop("y")'
npz 'd["x"] = [[1, 2]]'
npz 'd["x"] = [[1], [2], [float("nan")], [3]]'
npz 'd.pop("ptr")'
npz 'd.pop("indptr"); d["edge_index"] = [[0, 1, 2]]'
npz 'd.pop("ptr"); d["batch"] = [0, 0, 2, 2]'
head -c 100 toy.npz >bad.npz && try datasets show ./bad.npz
echo no >bad.npz && try datasets show ./bad.npz

# Limits that real data stay within: one-hot features unpack to 300 times the file's size; a file may have millions of marks, a graph not.
python -c '
import numpy as np
d = dict(ptr=[0, 1500], edge_index=np.zeros((2, 0), "i8"), y=[0])
x = np.zeros((1500, 2000))
x[np.arange(1500), np.arange(1500) * 7 % 2000] = 1
np.savez_compressed("onehot.npz", x=x, **d)
np.savez_compressed("bomb.npz", x=np.zeros((1500, 100000), "i1"), **d)
for name, graphs in ("large", 4), ("long", 1):
    with open(name + ".graphml", "w") as out:
        out.write("<graphml><key id=\"c\" for=\"graph\" attr.name=\"label\"/>\n")
        for g in range(graphs):
            nodes = "".join(f"<node id=\"{v}\"/>" for v in range(1010000 // graphs))
            out.write(f"<graph edgedefault=\"undirected\"><data key=\"c\">{g}</data>{nodes}</graph>\n")
        out.write("</graphml>\n")'
"$program" datasets show ./onehot.npz | grep node_attributes
"$program" datasets show ./bomb.npz 2>&1 | sed -E 's/to [0-9]+:/to N:/; s/[0-9]+ (bytes beside|of )/N \1/g'
# Narrow elements count with their size in memory, so small files cannot take gigabytes.
python - "$program" <<'EOF' | sed -E 's/to [0-9]+:/to N:/; s/[0-9]+ (bytes beside|of )/N \1/g'
import os, subprocess, sys
import numpy as np
few = dict(ptr=[0, 2, 4], y=np.zeros(2, "i1"), edge_index=np.zeros((2, 0), "i1"))
for name, array, most in (("x", np.zeros((4, 32500000), "u1"), 400), ("edge_index", np.zeros((2, 65000000), "i1"), 400),
                          ("batch", np.zeros(130000000, "i1"), 400), ("batch", np.zeros(33000000, "i1"), 500),
                          ("edge_index", np.zeros((2, 16500000), "i1"), 900)):
    held = {key: value for key, value in few.items() if name != "batch" or key != "ptr"} | {name: array}
    np.savez_compressed("narrow.npz", **held)
    child = subprocess.Popen([sys.argv[1], "datasets", "show", "./narrow.npz", "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    words = child.stderr.read()
    megabytes = os.wait4(child.pid, 0)[2].ru_maxrss / 1024
    print(name, array.size, words.strip() or "read", "" if megabytes < most else f"{megabytes} MB")
EOF
"$program" datasets show ./large.graphml -q | grep "  graphs"
try datasets show ./long.graphml
graphml '<graph edgedefault="undirected"><data key="c">1</data><node id="a"><data key="l">C</data><data key="x">1</data></node></graph>\n<key id="z" for="node"/>'

# Data without edges, or with the fewest items that can be split, work in every command of their families.
mkdir bare && for part in graph_indicator graph_labels node_labels; do cp TOY/TOY_$part.txt bare/bare_$part.txt; done
: >bare/bare_A.txt
cp -r tables bare-tables && echo "source,target" >bare-tables/edges.csv
python -c '
from nysx.data import Graphs
g = Graphs.read_tudataset("bare"); g.write_npz("bare.npz"); g.write_graphml("bare.graphml")'
mkdir alone && awk 'BEGIN { for (i = 0; i < 90; i++) print "n" i, i % 3 == 0, i % 3 == 1, i % 2, "class" i % 3 }' >alone/alone.content && : >alone/alone.cites
mkdir two && printf 'a\tr\tb\nb\tr\tc\n' >two/train.txt && printf 'a\tr\tc\n' >two/test.txt
printf 'x,t\n1,2\n2,4\n3,7\n' >rows.csv
for data in bare-tables bare.npz bare.graphml; do
    "$program" datasets show ./$data --format json | grep '"edges"'
done
for family in nysx:bare smgpu:bare gat:alone hdreason:two hydraf:rows.csv; do
    data=./${family#*:} family=${family%:*}
    "$program" train --family $family --dataset $data -o bare-m.npz -q >/dev/null && echo "$family trains"
    for command in estimate "sweep --quality-drop none" "infer --model bare-m.npz" "simulate --model bare-m.npz"; do
        "$program" $command --family $family --dataset $data -q >/dev/null && echo "$family: ${command%% *}"
    done
    if [ $family = nysx ]; then
        "$program" emit --model bare-m.npz --dataset $data -o bare-emitted -q >/dev/null && echo "$family: emit"
    fi
done

# Rows in flight do not stall if subgraphs are single nodes: the models count the simulation's cycles.
mkdir isolated && : >isolated/isolated.cites && seq 400 | awk '{ print $1, $1 % 2, $1 % 3, 1, $1 % 2 }' >isolated/isolated.content
for heads in 1 4; do
    "$program" train --family gat --dataset ./isolated --set epochs=1 --set heads=$heads -o isolated.npz -q >/dev/null
    "$program" estimate --family gat --dataset ./isolated --preset paper --set heads=$heads --format json -q >estimated.json
    "$program" simulate --family gat --model isolated.npz --dataset ./isolated --format json -q >simulated.json
    python3 -c '
import json
models, counted = ({stage["name"]: stage.get("cycles", stage.get("cycles_mean")) for stage in json.load(open(name))["stages"]} for name in ("estimated.json", "simulated.json"))
print("layers as simulated:", all(abs(models[name] / counted[name] - 1) < 0.01 for name in ("layer1", "layer2")) or (models, counted))'
done

# Numbers that lose digits or overflow in single precision; a cell with DEL.
npz 'd["y"] = [2**53 + 1, 2**53]'
npz 'd["node_labels"] = [9223372036854775807, 1, 2, 3]'
npz 'd["x"] = [[1], [-1e39], [2], [3]]'
cp -r again real && mv real/again_A.txt real/real_A.txt
for part in graph_indicator node_labels; do mv real/again_$part.txt real/real_$part.txt; done
rm real/again_node_attributes.txt
sed 's/$/.0/; s/^0/9007199254740993/; s/^1/9007199254740992/' real/again_graph_labels.txt >real/real_graph_labels.txt
"$program" datasets show ./real 2>&1 | sed 's/txt:[0-9]*: "[0-9]*/txt:N: "N/'
printf 'a,b,y\n1,2,3\n1\177,2,3\n' >del.csv && try datasets show del.csv
printf 'a,b,y\n1,2,3\n1e400,2,3\n' >far.csv && try datasets show far.csv
mkdir far && seq 1 12 | awk '{ print $1, $1 == 3 ? "1e39" : 1, $1 % 2 }' >far/far.content && echo 1 2 >far/far.cites
try train --dataset ./far --family gat --set epochs=1
printf 'a,b,y\n1,2,3\n1,-1e39,4\n2,3,4\n' >far.csv && try datasets show far.csv
