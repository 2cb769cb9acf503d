# Pictures in every form, and the data behind them.
"$program" sweep --dataset MUTAG --fix nee.form=factored --fix landmarks=64 --study s.db -q >swept.txt
try plot front --study s.db -o front.svg --data front.csv
head -1 front.csv
grep -c baseline front.csv
grep -c "balanced" front.csv
grep -c "<svg" front.svg
try plot front --study s.db --x bram18 --y accuracy --by nee.lanes --range x=:300 --size 85x60mm --dpi 300 -o front.png
file=$(od -A n -t x1 -N 4 front.png) && echo "$file"
try plot front --study s.db -o front.pdf --font "DejaVu Serif" --text 8
head -c 5 front.pdf && echo
try plot quality --dataset MUTAG --x landmarks | cut -d, -f4-6
try plot latency --dataset MUTAG --x nee.lanes --by nee.ports | tail -4 | cut -d, -f2-6
try plot energy --dataset MUTAG --x latency | sed -n 3p | cut -d, -f4,6
try plot engines --dataset MUTAG | tail -3
try plot latency --study s.db --x lshu.pe --by nee.lanes -o points.svg
"$program" datasets generate TOY --graphs 20 -q >made.txt
"$program" train --dataset TOY/ --landmarks 4 -o m.npz -q >trained.txt
try plot timeline --model m.npz --dataset TOY/ --item 3 -o t.svg --data t.csv
grep -c stages t.csv
"$program" simulate --model m.npz --dataset TOY/ --format json | grep -c '"name"'
try plot timeline --model m.npz --dataset TOY/ --item 20
try plot timeline --dataset TOY/
try plot cycles --model m.npz --dataset MUTAG --x lshu.pe
try plot cycles --model m.npz --dataset TOY/ --x nee.lanes=16,4 --by clock_mhz=100,300 --board zcu104 -q
"$program" simulate --model m.npz --dataset TOY/ --board zcu104 --set nee.lanes=4 --set clock_mhz=100 --format csv | sed -n 's/^total,,\([0-9.]*\),.*/\1/p'
try plot latency --model m.npz --dataset TOY/ --x landmarks -q
try plot energy --model m.npz --dataset TOY/ --x nee.lanes -q
try plot latency --dataset MUTAG --x nee.lanes=4,a
try plot latency --dataset MUTAG --x latency=2
try plot front
try plot latency --dataset MUTAG
try plot latenc --dataset MUTAG --x nee.lanes
try plot latency --dataset MUTAG --x nee.lane
try plot latency --dataset MUTAG --x nee.lanes -o x.jpg
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --size 1x1
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range x=5us
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range y=5us:1us
try plot latency --dataset MUTAG --x nee.lanes -o x.svg --range y=:50% # a share of a time is none
try plot latency --dataset MUTAG --x pe # of three engines
try plot front --study s.db --board kv260 -o x.svg
try plot
# A knob by what stands behind its dot.
"$program" plot quality --dataset MUTAG --x landmarks --by precision | tail -1
# A cap that is assumed at the clocks that are drawn is written above the picture: so many more letters than where it is known.
"$program" boards show zcu104 -o assumed.xml -q
sed 's/<source id="assumed" evidence="assumed"/<source id="assumed" evidence="tool-report"/' assumed.xml >known.xml
for board in assumed known; do "$program" plot latency --dataset MUTAG --x nee.lanes --board ./$board.xml -o $board.svg -q; done
echo "$(($(grep -o '<use' assumed.svg | wc -l) - $(grep -o '<use' known.svg | wc -l))) letters more"
