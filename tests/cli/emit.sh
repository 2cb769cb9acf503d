# The header of a design from the command line: it compiles, and failures leave nothing behind.
try emit --only header --dataset MUTAG -o build/hls | sed -E 's/[0-9.]+ ((n|µ)[sJ])/… \1/g; s/[0-9.]+× faster/…× faster/; s/[0-9.]+ ms/… ms/g; s/(latency and energy:).*/\1 …/'
# It is the sweep's best design; the folder of another design is overwritten only with --force.
cp "$made/study.db" best.db
"$program" emit --only header --from best.db:best -q -o answer && diff -r -I COMMAND_LINE -x emitted.txt build/hls answer && echo "the answer of the sweep"
try emit --only header --dataset MUTAG --preset literal -o answer
try emit --only header --dataset MUTAG --preset literal --overwrite -o answer
try emit --only header --dataset MUTAG --preset magic -o answer
ls build/hls
gcc -std=c11 -Wall -Wextra -Werror -x c -c build/hls/nysx_config.h -o c.o && echo compiles
g++ -Wall -Wextra -Werror -x c++ -c build/hls/nysx_config.h -o cxx.o && echo compiles
try emit --only header --dataset MUTAG -q -o again
diff -r build/hls again && echo the same bytes
grep -c 'nee.precision=int8' <("$program" emit --only header --dataset MUTAG --preset literal --set nee.precision=int8 -q -o int8 && cat int8/nysx_config.h)

# A design that does not fit is rejected without --force.
try emit --only header --dataset MUTAG --preset literal --set nee.lanes=1024 -o misfit | sed 's/needs .* ff, and a kernel may use [0-9]*/needs … ff, and a kernel may use …/'
ls misfit 2>&1 || true
try emit --only header --dataset MUTAG --preset literal --board pynq-z2 -o misfit
try emit --only header --dataset MUTAG --preset literal --set nee.lanes=1024 --force -q -o misfit
ls misfit

# Wrong words, and folders that cannot be written.
try emit --only header --dataset MUTAG
try emit --only header --dataset MUTAG -o design.json
try emit -o out
try emit --only header --dataset MUTAG --dataset NCI1 -o out
try emit --only header --dataset MUTAG --set kse.pe=3 -o out
try emit --dataset MUTAG --model missing.npz -o out
touch file
try emit --only header --dataset MUTAG -o file/out
ls out 2>&1 || true

# SystemVerilog needs a model, and names what it does not support.
try emit --flow verilog --dataset MUTAG -o out
try emit --flow rtl --dataset MUTAG --train -o out

# With a model, the folder has everything for a build, for every form of the projection; a model of another configuration is rejected with
# both values.
"$program" datasets generate set --graphs 40 --seed 1 -q >/dev/null
for form in streamed resident factored; do
    "$program" train --dataset ./set --preset literal --landmarks 8 --dim 256 --hops 2 --form $form --seed 1 -q -o $form.npz >/dev/null
    try emit --dataset ./set --set landmarks=8 --set dim=256 --set hops=2 --set nee.form=$form --model $form.npz --cases 8 -q -o $form
    ls $form
    (cd $form && g++ -fsyntax-only -x c++ -Wall -Werror -I. *.c && echo as C++ too)
    (cd $form && gcc -std=c99 -pedantic -Wall -Wextra -Werror -ffp-contract=off -I. *.c -lm -o csim && ./csim 2>&1)
done
# emit trains the design's setting: the same model as by hand.
try emit --dataset ./set --preset literal --set landmarks=8 --set dim=256 --set hops=2 --train --cases 8 -o trained
(cd trained && gcc -std=c99 -ffp-contract=off -I. *.c -lm -o csim && ./csim 2>&1)
diff -r -I "COMMAND_LINE\|_ACCURACY" -x emitted.txt -x csim streamed trained && echo the same design
try emit --dataset ./set --train --model streamed.npz -o other
grep '^tb' streamed/hls_config.cfg
"$program" train --dataset ./set --preset literal --landmarks 8 --dim 256 --hops 2 --form factored --generator sign --phi-bits 16 --seed 1 -q -o rtl.npz >/dev/null
try emit --flow rtl --dataset ./set --model streamed.npz --set nee.ports=2 -o rtl
try emit --flow rtl --dataset ./set --model rtl.npz --set nee.lanes=4 -o rtl
try emit --flow rtl --dataset ./set --model rtl.npz --cases 4 -q -o rtl
LC_ALL=C ls rtl | grep -v '^nysx_.*sv$'
grep '^MODULES' rtl/synth.conf # each of the design's modules once
# Knobs that the model fixes need not be repeated.
"$program" emit --dataset ./set --model streamed.npz --cases 8 -q -o unsaid && diff -r -I "COMMAND_LINE\|_ACCURACY" -x emitted.txt -x csim streamed unsaid && echo the same design
# A search with --model takes only the model's setting, even if another one is faster.
"$program" datasets profile ./set --preset literal --grid landmarks=4,8 --grid dim=256 --grid hops=2 --grid nee.form=streamed --seeds 1 -o set.xml -q
"$program" optimize --dataset ./set.xml --minimize latency --quality-drop 100% -q | grep -o 'landmarks=[0-9]*'
try emit --dataset ./set.xml --model streamed.npz --minimize latency --quality-drop 100% -q -o least
grep '^#define NYSX_LANDMARKS ' least/nysx_config.h
"$program" train --dataset ./set --preset literal --landmarks 8 --dim 200 --hops 2 --form factored --generator sign \
    --phi-bits 8 --seed 1 -q -o signs.npz >/dev/null
try emit --dataset ./set --model signs.npz --cases 8 -q -o signs
grep -E '^#define NYSX_(DIM|LANDMARKS|NEE_FORM|NEE_GENERATOR|NEE_PHI_BITS) ' signs/nysx_config.h
(cd signs && gcc -std=c99 -pedantic -Wall -Wextra -Werror -ffp-contract=off -I. *.c -lm -o csim && ./csim 2>&1)
# Two designs of one family with different prefixes in one program: each gives its own answers.
for name in alpha beta; do
    form=resident
    test $name = beta && form=factored
    try emit --dataset ./set --model $form.npz --cases 8 --prefix $name -q -o two/$name
    (cd two/$name && ls | grep -c "^$name" && ! grep -rl 'nysx_\|NYSX_' . && gcc -std=c99 -pedantic -Wall -Wextra -Werror -ffp-contract=off \
        -I. -Dmain=${name}_bench -c *.c) | sort -u
done
printf '%s\n' '#include <stdio.h>' '#include <unistd.h>' '#include "two/alpha/alpha.h"' '#include "two/beta/beta.h"' \
    'int alpha_bench(void);' 'int beta_bench(void);' \
    'int main(void) { return chdir("two/alpha") || alpha_bench() || chdir("../beta") || beta_bench() ||' \
    '    ALPHA_NEE_FORM == BETA_NEE_FORM || ALPHA_MODEL_HASH == BETA_MODEL_HASH; }' >two.c
gcc -std=c99 -pedantic -Wall -Wextra -Werror two.c two/alpha/*.o two/beta/*.o -lm -o two.x && ./two.x 2>&1 && echo both
# C++ calls the kernels that were compiled as C.
printf '%s\n' '#include "two/alpha/alpha.h"' '#include "two/beta/beta.h"' \
    'extern "C" int alpha_bench(void);' 'extern "C" int beta_bench(void);' \
    'int main() { return (void (*)())alpha_top == (void (*)())beta_top || alpha_bench == beta_bench; }' >two.cpp
g++ -std=c++17 -pedantic -Wall -Wextra -Werror two.cpp two/alpha/*.o two/beta/*.o -lm -o two.x && ./two.x && echo both in C++
try emit --dataset ./set --model resident.npz --prefix 2nd -q -o two/none
try emit --dataset ./set --model resident.npz --prefix gamma --overwrite -q -o two/alpha
ls two/alpha | grep -c '^alpha'
# Half of UltraRAM's tables, and histograms from memory.
try emit --dataset ./set --board u280 --set landmarks=8 --set dim=256 --set hops=2 --set place.h=ddr --set place.codebook=uram --set place.prototypes=uram --model streamed.npz --cases 8 -q -o uram
(cd uram && gcc -std=c99 -ffp-contract=off -I. *.c -lm -o csim && ./csim 2>&1)
try emit --dataset ./set --set landmarks=8 --set dim=256 --set hops=2 --model streamed.npz --cases 0 -q -o other
try emit --dataset MUTAG --train --cases 4 -o other
try emit --dataset ./set --set landmarks=8 --set dim=256 --set hops=2 --model streamed.npz -q -o file/other
for other in dim=512 landmarks=9 hops=3 nee.precision=int8 nee.form=resident codes=tuple; do
    try emit --dataset ./set --set $other --model streamed.npz -q -o other
done
ls other 2>&1 || true

# emit reports a design sized for another data set than the model's.
"$program" datasets generate smaller --graphs 40 --seed 2 -q >/dev/null
try emit --dataset ./smaller --set landmarks=8 --set dim=256 --set hops=2 --model streamed.npz -o sized | grep trained

# The best design under constraints, a study's point, and conflicting options.
try emit --only header --dataset MUTAG --fix nee.form=factored --where 'bram18<=50%' --minimize energy -q -o best
grep -c 'fits, bottleneck' best/nysx_config.h
id=$("$program" optimize --dataset MUTAG --fix nee.form=factored --where 'bram18<=50%' --minimize energy --study s.db --format json -q | tr -d ' \n' |
     grep -o '"id":[0-9]*' | head -1 | cut -d: -f2)
"$program" emit --only header --from "s.db:$id" -q -o point
diff <(grep '^#define' best/nysx_config.h) <(grep '^#define' point/nysx_config.h) && echo the optimum, by its number
try emit --only header --dataset MUTAG --where 'latency<=1ns' -o none | head -3
try emit --only header --from s.db:1 --where 'bram18<=50%' -o none
try emit --only header --from s.db:99 -o none
try emit --only header --from missing.db:1 -o none
ls none 2>&1 || true

# For available data, a setting missing from the survey is measured; with a shipped profile, the message says how to measure.
"$program" datasets generate TOY --graphs 30 --classes 2 --nodes 8 --seed 7 -q >/dev/null
try emit --only header --dataset TOY/ --set landmarks=7 --set dim=777 -q -o asked
grep -E '^#define NYSX_(LANDMARKS|DIM) ' asked/nysx_config.h

# By default the folder builds and tests itself: with data given by path, with a study's data (also from the parent folder), and with
# generated data if the data are missing, which is reported beforehand.
tests_itself() {
    grep -o 'Model and test cases are .*' "$1/README.md"
    make --no-print-directory -s -C "$1" csim 2>&1 | tail -1
}
mkdir away && "$program" datasets generate away/OWN --graphs 40 --nodes 8 --seed 7 -q >/dev/null
(cd away && "$program" sweep --dataset OWN/ --fix nee.form=direct --study own.db -q >/dev/null)
(cd away && try emit --from own.db:best -q -o made && tests_itself made)
try emit --from away/own.db:best -q --cases 3 -o of_study
tests_itself of_study
rm -r away/OWN
try emit --from away/own.db:best -o imitated 2>&1 | head -3
tests_itself imitated
try emit --from away/own.db:best --train -o out
"$program" train --dataset TOY/ --preset literal --landmarks 4 --dim 64 --hops 2 -q -o toy.npz >/dev/null
try emit --dataset away/OWN --model toy.npz -o out
try emit --dataset TOY --model toy.npz -q -o of_model
tests_itself of_model
# Options that conflict with a header alone, and families without a source.
try emit --dataset MUTAG --only source -o out
try emit --dataset MUTAG --only header --train -o out
try emit --dataset MUTAG --only header --cases 2 -o out
try emit --dataset MUTAG --only header --flow rtl -o out
try emit --family smgpu --dataset smgpu_mutag --flow hls --cases 2 -o out
try emit --family smgpu --dataset smgpu_mutag --check -o out
ls out 2>&1 || true

# A profile of the most connected entities takes them from the available set.
"$program" datasets generate kg --kind triples --entities 60 --relations 4 --triples 400 -q >/dev/null
"$program" datasets profile kg --family hdreason --entities 30 --seeds 0 -q -o kg-30.xml >/dev/null
try emit --family hdreason --dataset kg-30.xml --set task=infer --set epochs=1 --train -q -o few
# A published design without a source gives only its header, without generated data.
try emit --family hdreason --dataset FB15K-237 --preset paper -o alone
grep -E '"(top|loops|ports|made_up)"' alone/expected.json || echo "nothing is claimed of a source"
# A ring has as many slots as its ports' memory holds. A start that answers fewer items than --batch is reported, and so is a design without a ring.
for board in u50 zcu104; do
    "$program" emit --only header --family hdreason --dataset WN18RR --board $board --batch 200 --set task=infer --set memorise.lanes=8 --set memorise.ips=4 --set encoder.products=64 --set train.products=96 \
        --set cache.uram=0 --force -q -o ring-$board && grep -o -E 'define HDREASON_RING_SLOTS [0-9]*|(queries|rows|requests|vertices|distances) \+ \(slot\) \* [0-9]*' ring-$board/hdreason_config.h
done
try emit --only header --family hdreason --dataset FB15K-237 --set task=infer --batch 512 -o ring
try emit --only header --family gat --dataset cora --set approach=layerbreak --batch 8 -o starts
try emit --only header --family smgpu --dataset smgpu_mutag --preset paper --batch 8 --force -o starts-smgpu
