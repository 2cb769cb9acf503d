# Every command for a family that no other code knows.
awk 'BEGIN { print "a,b,c,d,y"; for (i = 0; i < 60; i++) { a = i % 7; b = i % 5; c = i % 3; d = (i * i) % 11; print a "," b "," c "," d "," 3*a - b + c + d/2 } }' >table.csv
toy() { local command=$1; shift; try "$command" --family toy "$@"; }
seconds='s/[0-9.]* [mnµ]*s\b/TIME/g; s/tool-version="[^"]*"/tool-version="V"/'

toy train --dataset ./table.csv --terms 3 -o m.npz | sed "$seconds"
toy infer --dataset ./table.csv --model m.npz --predictions p.csv | sed "$seconds"
head -3 p.csv
toy simulate --dataset ./table.csv --model m.npz --set lanes=1
head -c 700 m.npz >cut.npz
toy infer --dataset ./table.csv --model cut.npz
toy datasets profile ./table.csv --seeds 2 --grid terms=1,2,4 | sed "$seconds"
toy datasets profile ./table.csv --seeds 2 --grid terms=1,2,4 -o t.xml >profile.log
toy estimate --dataset t.xml --set lanes=4
toy sweep --dataset t.xml --objectives latency,dsp,quality --quality-drop 1 --study s.db --format csv | cut -d, -f1-12
toy optimize --dataset t.xml --minimize latency --quality-drop 1 --where 'dsp<=10' | head -6 | sed "$seconds"
toy whatif --dataset t.xml --preset paper --set lanes=4 | head -12
toy roofline --dataset t.xml --preset paper | tail -5
toy validate --against published
toy validate --against simulation --dataset ./table.csv --configurations 20 | tail -6
toy emit --dataset t.xml -o design | sed 's/[0-9a-f]\{16\}/HASH/'
grep -c TOY_BEATS design/*.h
try study show s.db | head -12
try report --study s.db -o page.html
