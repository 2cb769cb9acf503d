# Models and studies of earlier versions (tests/stored) load, and give the same answers as then.
cp -r "$made/TOY" .
awk 'BEGIN { x = 7; for (i = 0; i < 24; i++) { x = (x * 75 + 74) % 65537; a = x; x = (x * 75 + 74) % 65537; print a ",", x ",", 2 * a - x } }' | tr -d ' ' >t.csv
stored=$here/../stored
try infer --model "$stored/nysx.npz" --dataset TOY --format json | grep -e accuracy -e n_train -e '"graphs"'
"$program" infer --family hydraf --model "$stored/hydraf.npz" --dataset t.csv --predictions p.csv -q | grep -o 'quality.*MAE'
cat p.csv
"$program" simulate --model "$stored/nysx.npz" --dataset TOY --set kse.pe=8 --format json | grep _equal
"$program" simulate --family hydraf --model "$stored/hydraf.npz" --dataset t.csv --set task=train --set chunk=16 --format json | grep _equal
gzip -dc "$stored/study.db.gz" >study.db
"$program" study show study.db | sed -n '4,7p; $p'
"$program" study export study.db --format csv | cut -d, -f1-12
point=$("$program" study export study.db --format csv | awk -F, 'NR == 2 { print $1 }')
"$program" estimate --from "study.db:$point" --format json | grep -e '"landmarks"' -e '"nee.precision"' -e '"fits"'
"$program" report --study study.db -o page.html && grep -c '<html' page.html
