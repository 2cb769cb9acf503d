# HyDRAF from a table to a model, its answers and its cycles, and each kind of bad input.
numbers() {
    awk 'BEGIN { srand(1); x = 7; printf "speed;angle;\"chord, m\";level\n"
        for (i = 0; i < 150; i++) {
            for (k = 0; k < 3; k++) { x = (x * 16807) % 2147483647; v[k] = x / 2147483647 }
            printf "%.5f;%.5f;%.5f;%.5f\n", 100 * v[0], v[1], v[2], 3 * v[0] - 2 * v[1] + (v[2] > 0.5 ? v[2] : 0) + 10 } }'
}
figure() { sed -n "s/.*\"$2\": \([-0-9.e]*\).*/\1/p" "$1" | head -1; }
numbers >noise.csv
tail -n +2 noise.csv | tr ';' '\t' | sed 's/$/\r/' >bare.dat
try datasets show noise.csv --format csv
try datasets show ./bare.dat | grep -v hash
try datasets show noise.csv --target angle | grep target

small="--family hydraf --dim 256 --epochs 8 --clusters 4"
"$program" train $small --dataset noise.csv --seed 3 -o noise.npz --format json >train.json
"$program" train $small --dataset noise.csv --seed 3 | grep -v -e '^setting' -e '^trained'
"$program" infer --family hydraf --model noise.npz --dataset noise.csv --predictions noise.out --format json >infer.json
"$program" simulate --family hydraf --model noise.npz --dataset noise.csv --format json >simulate.json
for name in quality mse; do
    [ "$(figure train.json $name)" = "$(figure infer.json $name)" ] && echo "infer: the same $name"
done
[ "$(figure train.json quality)" = "$(figure simulate.json quality)" ] && echo "simulate: the same quality"
grep -e '"schema"' -e '"family"' -e '"n_train"' -e '"n_test"' train.json infer.json simulate.json
"$program" infer --family hydraf --model noise.npz --dataset noise.csv --batch 3 --predictions threes.out >/dev/null
cmp noise.out threes.out && echo "the same predictions in batches of 3"
head -3 noise.out
wc -l <noise.out
"$program" train $small --dataset noise.csv --seed 3 --jobs 3 -o again.npz >/dev/null && cmp noise.npz again.npz && echo "the same bytes for any --jobs"
"$program" infer --family hydraf --model noise.npz --dataset bare.dat --format csv | cut -d, -f1-3,6-
"$program" train $small --dataset noise.csv --folds 3 --seeds 2 --format csv | cut -d, -f1-3
"$program" train $small --dataset bare.dat --preset literal --precision fp32 --batch 1 --target 4 | grep -v -e '^setting' -e '^trained'
try simulate --family hydraf --model noise.npz --dataset noise.csv --set chunk=32 --set task=train
try simulate --family hydraf --model noise.npz --dataset noise.csv --set encoding=on-chip --format csv

# Published columns need no data set and ignore a given one.
"$program" validate --family hydraf --against published --dataset noise.csv | grep -c -e '^[a-z_]*  *D=4k '
"$program" validate --family hydraf --dataset noise.csv --configurations 2 --format json >validate.json
for level in simulation constants published; do
    grep -q "\"level\": \"$level\"" validate.json && echo "rows of the level $level"
done
grep -c '"case": "D=4k"' validate.json
grep -c '"refitted"' validate.json
try validate --family nope --against simulation

try train --family hydraf --dataset noise.csv --landmarks 10 | cut -c1-110
try train --dataset noise.csv
try train --family nysx --dataset noise.csv --clusters 4 | sed "s,has --.*,has …,"
try train --family hydraf --dataset noise.csv --precision int4
try train --family hydraf --dataset noise.csv --clusters 0
try train --family hydraf --dataset noise.csv --preset best
try train --family hydraf --dataset noise.csv --target leve
try train --family nothing --dataset noise.csv
try infer --model noise.npz --dataset noise.csv
try simulate --family hydraf --model noise.npz --dataset noise.csv --set kse.pe=4
try simulate --family hydraf --model noise.npz --dataset noise.csv --set dim=512
head -c 3000 noise.npz >cut.npz
try infer --family hydraf --model cut.npz --dataset noise.csv
printf 'a,b\n1,2\n' >other.csv
try infer --family hydraf --model noise.npz --dataset other.csv
try infer --family hydraf --model noise.npz --dataset noise.csv --hypervectors h.npz

printf 'x,month,day,y\n1,mar,fri,2\n' >text.csv
printf 'x,y\n1,2\n3,\n' >missing.csv
printf 'x,y\n1,2\n3,4,5\n' >long.csv
printf 'x,y\n1,"2\n' >quote.csv
for file in text missing long quote; do try train --family hydraf --dataset $file.csv; done
mkdir two && cp noise.csv other.csv two
try train --family hydraf --dataset two
NYSX_DATA_DIR=. "$program" datasets show other | head -1
"$program" datasets generate TOY --graphs 12 -q >/dev/null
try train --family hydraf --dataset TOY
ls *.npz

# Among several tables of one name, the one with the shipped profile's hash is taken, even if another one cannot be read.
mkdir -p share/profiles
"$program" datasets profile two/noise.csv --family hydraf --seeds 0 -q -o share/profiles/two.xml
printf 'a,b,c\n1,2\n' >two/broken.csv
NYSX_DSE_SHARE=share try train --family hydraf --dataset two --dim 512 --epochs 1 | head -2 | sed 's/^setting .*//'
# No table of the folder is overwritten, including tables that are not read, and by any name.
ln -s two/other.csv link.npz && ln two/broken.csv hard.npz
for name in link hard; do
    NYSX_DSE_SHARE=share try train --family hydraf --dataset two --dim 512 --epochs 1 -o $name.npz | grep -v '^setting'
done
cmp other.csv two/other.csv && rm link.npz hard.npz
mv two gone
NYSX_DSE_SHARE=share try train --family hydraf --dataset two
printf 'a,b,a\n1,2,3\n2,3,4\n3,4,4\n' >same.csv
try train --family hydraf --dataset same.csv
