# Roofline: stable facts, the three figures, and rejections. fontconfig keeps a table of patterns until the program ends; this is not a leak.
printf "leak:libfontconfig\n" >lsan.supp
export LSAN_OPTIONS=suppressions=$PWD/lsan.supp:print_suppressions=0
try roofline --dataset MUTAG --preset literal | grep -e '^ps-ddr' -e '^ports of'
"$program" roofline --dataset MUTAG --preset literal --set nee.ports=4 --format json -o r.json
"$program" estimate --dataset MUTAG --preset literal --set nee.ports=4 --format json -o e.json
/usr/bin/python3 - <<'END'
import json
r, e = json.load(open("r.json")), json.load(open("e.json"))
print(r["schema"], [x["title"] for x in r["results"]])
whole = r["results"][1]["points"][-1]
print("bytes and seconds are the estimate's:", whole["bytes"] == e["total"]["ddr_bytes"], whole["seconds"] == e["total"]["latency_s"])
print([(x["name"], x["operations_per_s"], x["bytes_per_s"]) for x in r["references"]])
END
for form in svg pdf png; do
    "$program" roofline --dataset MUTAG --dataset NCI1 --preset literal --set nee.ports=4 -o f.$form && head -c 8 f.$form | tr -dc 'a-zA-Z%?-' && echo
    "$program" roofline --dataset MUTAG --board 'zcu10*' -o b.$form
done
grep -o 'viewBox="[0-9 ]*"' f.svg b.svg
xmllint --noout f.svg && echo "f.svg is XML"

try roofline
"$program" roofline --dataset MUTAG --preset literal --set nee.ports=4 --format csv -o r.csv
grep -c "^,,machine" r.csv
grep -c 'engine' r.csv
"$program" roofline --dataset MUTAG --preset literal -o small.svg --size 170x110mm --data small.csv && grep -o 'width="[0-9a-z]*" height="[0-9a-z]*"' small.svg | head -1 | sed "s/pt\"/\"/g" && grep -c memory small.csv
try roofline --dataset MUTAG -o small.svg --size 85x60mm --text 12
try roofline --dataset MUTAG --set kse.pe=3
try roofline --dataset MUTAG -o no/such/folder/f.svg
try roofline --dataset MUTAG -o f.jpg
