# The page of a study: reproducible bytes, contents, and rejections. fontconfig keeps a table of patterns until the program ends; this is
# not a leak.
printf "leak:libfontconfig\n" >lsan.supp
export LSAN_OPTIONS=suppressions=$PWD/lsan.supp:print_suppressions=0
"$program" sweep --dataset MUTAG --board zcu104 --board pynq-z2 --fix nee.form --fix landmarks=32 --quality-drop none --objectives latency,lut --study s.db >/dev/null
"$program" report --study s.db -o a.html
"$program" report --study s.db >b.html
cmp a.html b.html && echo "the same page"
"$program" report --study s.db --format json -o r.json
/usr/bin/python3 - <<'END'
import json, os
r = json.load(open("r.json"))
print(r["schema"], [(v["board"]["name"], v["dataset"], v["paper"] is not None, v["chosen_because"]) for v in r["views"]])
v = r["views"][0]
n = len(v["points"]["ids"])
print("columns are whole:", all(len(c) == n for c in v["points"]["metrics"]), all(len(k["at"]) == n for k in r["views"][0]["points"]["knobs"]))
print([c["command"] for c in r["commands"] + r["commands_of_design"]])
chosen = json.loads(os.popen(f"'{os.environ['program']}' estimate --from s.db:{v['points']['ids'][v['chosen']]} --board {v['board']['name']} --dataset MUTAG --format json").read())
print("one denominator:", all(v["points"]["limits"][r][v["chosen"]] == chosen["limits"][r] for r in chosen["limits"]))
print(sorted({(i["kind"], i["name"]) for i in r["inputs"]}))
open("id", "w").write(str(v["points"]["ids"][0]))
END
"$program" report --study s.db --choose "$(cat id)" --format json | grep -o '"chosen_because": "chosen by --choose"'

"$program" sweep --dataset MUTAG --dataset NCI1 --combine mean --method heuristic --budget 2000 --fix nee.form --study c.db >/dev/null
"$program" report --study c.db --format json | grep -e '"remark"' -e '"paper": null' -e '"proven"'

try report
try report --study s.db --format csv
try report --study s.db --choose 99999999
try report --study s.db --choose x
try report --study s.db -o ./s.db
try report --study missing.db
try report --study lsan.supp
"$program" sweep --dataset MUTAG --where 'latency<=1ns' --study none.db >/dev/null 2>&1
try report --study none.db -o none.html
ls

for form in svg pdf png; do
    "$program" report --study s.db -o "f.$form" && head -c 8 "f.$form" | tr -dc 'a-zA-Z%?-' && echo
    "$program" report --study s.db -o "again.$form" && cmp "f.$form" "again.$form" && echo "the same figure"
done
try report --study s.db -o no/such/folder/f.svg
try report --study s.db -o f.jpg
