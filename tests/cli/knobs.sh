# docs/reference/knobs.md lists the knobs that the program declares.
page=$here/../../docs/reference/knobs.md
families=$("$program" sweep --family nosuch --dataset MUTAG 2>&1 | sed 's/.*the families are //; s/,//g')
describe() { COLUMNS=1000 "$program" sweep --family "$1" --describe; }
if [ "${NYSX_UPDATE:-}" = 1 ]; then
    { sed '/^## /,$d' "$page"; for family in $families; do printf '## %s\n\n```\n' "$family"; describe "$family"; printf '```\n\n'; done; } >new.md
    sed -i '${/^$/d}' new.md
    cp new.md "$page"
fi
for family in $families; do
    awk -v family="## $family" '/^## /{inside = $0 == family} inside' "$page" | sed '1,/^```$/d; /^```$/,$d' >said
    describe "$family" | cmp - said && echo "docs/reference/knobs.md has the knobs of $family"
    # They include exactly the options of training.
    "$program" train --family "$family" --help | sed '1,/^Parameters of/d; /^\(Shared o\|O\)ptions/,$d' | grep -o '^ *--[a-z][a-z-]*' | tr -d ' ' | sort >options
    grep -o -- ' --[a-z][a-z-]*' said | tr -d ' ' | sort | cmp - options && echo "train --family $family --help has its options"
done

# A family's help has only its own options and words.
"$program" train --family hydraf --help | grep -c -e landmarks -e hops -e prototype
"$program" train --family=hydraf --help | grep -e '--clusters' -e '--rounding'
"$program" train --help --fam hydraf | grep -e '^Parameters'
"$program" train --help | grep -e clusters -e '^Parameters'
"$program" train --family hydraf --man | grep -A1 'cluster'
try train --family hydraf --landmarks 5
try train --clusters 5
try train --family nysx --clusterz 5
try train --family nosuch --dataset t.csv

# train --set NAME=VALUE equals the knob's own option.
cp -r "$made/TOY" .
small="--landmarks 4 --dim 64 --hops 2"
"$program" train --dataset TOY $small --precision int8 --retrain-loop quantised -o a.npz | head -2
"$program" train --dataset TOY --set landmarks=04 --set dim=64 --set hops=2 --set nee.precision=int8 --set retrain.loop=quantised -o b.npz | head -2
cmp a.npz b.npz && echo "the same model"
try train --dataset TOY --set dim=64 --dim 64
try train --dataset TOY --set dim=64 --set dim=64
try train --dataset TOY --set dim
try train --dataset TOY --set dim=63
try train --dataset TOY --set kse.pe=4
try train --dataset TOY --set hopps=4
try train --dataset TOY --preset plain

# train --from takes the setting of a study's point, not a preset's; --set overrides it.
"$program" datasets profile TOY --landmarks 5 --grid dim=128 --grid hops=4 --seeds 0 -o toy.xml 2>/dev/null
"$program" sweep --dataset toy.xml --objectives latency,energy --fix dim=128 --fix hops=4 --fix landmarks=5 --fix kse.pe=4 --fix lshu.pe=4 --fix hue.pe=4 --fix nee.lanes=16 \
    --fix clock_mhz=300 --fix place.h=bram --fix place.codebook=bram --fix nee.form=streamed --fix nee.port_bits=512 --study s.db -q >/dev/null
setting() { grep '^setting' | tr ' ' '\n' | grep -e '^landmarks' -e '^dim' -e '^hops' -e '^nee.prec' -e '^width' | tr '\n' ' '; echo; }
point=$("$program" study export s.db --format csv | awk -F, 'NR == 2 { print $1 }')
"$program" train --dataset TOY --from "s.db:$point" | setting
"$program" estimate --from "s.db:$point" --format json >point.json
for knob in landmarks dim hops width; do grep "\"$knob\"" point.json; done
"$program" train --dataset TOY --from "s.db:$point" --set nee.precision=int4 --hops 2 | setting
"$program" train --data-dir . --from "s.db:$point" | head -1
try train --dataset TOY --from "s.db:$point" --preset paper
try train --dataset TOY --from s.db:99999
try train --dataset TOY --from s.db
try train --family hydraf --dataset TOY --from "s.db:$point"
