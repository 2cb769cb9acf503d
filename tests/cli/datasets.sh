# Generating, showing and measuring data sets, and each kind of bad input.
try datasets generate TOY --graphs 40 --classes 2 --nodes 12 --seed 7
try datasets generate TOY
try datasets generate HARD --graphs 40 --classes 2 --nodes 12 --seed 7 --awkward crlf,no-space,indent,blank-tail,shuffled,repeated
try datasets generate BAD --graphs 0
try datasets generate BAD --classes 200
try datasets generate BAD --awkward crlf,upside-down
[ ! -e BAD ] || echo "BAD is there"
try datasets list --graphs 3
try datasets list --spread both
"$program" datasets list 'BZR' 'smgpu_bzr' 'DD' | awk '/ [a-z]+ +[0-9]/ { print $1, $2 }'
try datasets show MUTAG --spread sd | grep -o 'sd[^,;)]*' | head -n 1
try datasets show
try datasets show MUTAGG | sed 's/; shipped: .*//'
try datasets show ./TOY --format csv
# A newline in a name is shown escaped, and breaks no heading.
cp -r TOY $'two\nlines'
for file in $'two\nlines'/*; do mv "$file" "${file//TOY/LINES}"; done
try datasets show $'./two\nlines' | head -1
rm -r $'two\nlines'
try datasets frobnicate

try datasets profile TOY --landmarks 8,16 --seeds 3 -o toy.xml
try datasets profile TOY --landmarks 8,16 --seeds 3 --jobs 1 -o again.xml
cmp toy.xml again.xml && echo "the same for any number of jobs"
try datasets profile HARD --landmarks 8,16 --seeds 3 -o hard.xml
grep -v -e '<command>' -e '<profile' -e duplicate_arcs toy.xml >toy.rest
grep -v -e '<command>' -e '<profile' -e duplicate_arcs hard.xml | cmp - toy.rest && echo "the same from an awkward writing"
try datasets profile TOY --grid retrain=5 --seeds 3 --extend ./toy.xml -o more.xml
try datasets show ./more.xml | grep -c ^accuracy
try datasets list ./toy.xml --format csv | cut -d, -f1-10
"$program" datasets profile TOY --preset best --grid dim=256 --seeds 1 -q >best.xml
grep -c '<quality' best.xml # also best, the published setting and its reference
try sweep --dataset ./best.xml -q | sed -n 's/^\([A-Z]* on zcu104 (nysx)\).*/\1/p'
rm best.xml
try datasets profile TOY --landmarks 8,8
try datasets profile TOY --landmarks 1000 -o none.xml
try datasets profile TOY --grid colour=red
try datasets profile TOY --grid landmarks
"$program" datasets profile TOY --landmarks 4 --seeds 2 --format json -q | grep -c '"mean"'
try datasets profile TOY -o toy.json --format csv
try datasets profile NOWHERE
try datasets profile ./NOWHERE
[ ! -e none.xml ] || echo "none.xml is there"

printf '1\n1\nx\n' >TOY/TOY_graph_indicator.txt
try datasets profile TOY -o none.xml
try datasets show ./TOY
sed -i 's/mean="[^"]*"/mean="much"/; s/rows="1"/rows="-1"/' toy.xml
try datasets show toy.xml
printf 'PK\3\4cut off' >cut.zip
try datasets show cut.zip
ls
echo "A mean error that is larger than asked for is the answer no:"
try validate --against simulation --dataset ./HARD --configurations 1 --seed 1 --max-error 0 -q -o /dev/null
try validate --against simulation --dataset ./HARD --configurations 1 --seed 1 --max-error 1 -q -o /dev/null

# A profile of another family is reported; the printed command finds a folder of another name again; options missing in a list.
try datasets show MUTAG --family gat
try datasets show cora MUTAG --family gat
"$program" datasets generate TWO --graphs 2 --seed 1 -q >/dev/null
mv TWO other
"$program" datasets profile other --landmarks 1 --seeds 1 -q | grep "<command>"
try sweep --dataset ./other -q
try datasets profile other --landmarks 8, --seeds 1
# A folder surveyed under another name answers under its own name.
"$program" datasets generate FIRST --graphs 60 --seed 1 -q >/dev/null
"$program" sweep --dataset ./FIRST -q >/dev/null
mv FIRST SECOND
(cd SECOND && for file in FIRST_*; do mv "$file" "SECOND${file#FIRST}"; done)
"$program" sweep --dataset ./SECOND 2>&1 | sed -n 's/\(surveyed before:\).*/\1/p; s/^\([A-Z]* on zcu104 (nysx)\).*/\1/p'

# A profile of the same data by a second family.
"$program" datasets show MUTAG --family smgpu | grep '^measured for'
