# The header of a design, from the command line; that it compiles, and that nothing is left of what fails.
try emit --dataset MUTAG -o build/hls
ls build/hls
gcc -std=c11 -Wall -Wextra -Werror -x c -c build/hls/nysx_config.h -o c.o && echo compiles
g++ -Wall -Wextra -Werror -x c++ -c build/hls/nysx_config.h -o cxx.o && echo compiles
cat build/hls/hls_config.cfg
try emit --dataset MUTAG -q -o again
diff -r build/hls again && echo the same bytes
grep -c 'nee.precision=int8' <("$program" emit --dataset MUTAG --set nee.precision=int8 -q -o int8 && cat int8/nysx_config.h)

# A design that does not fit is refused, unless it is wanted all the same.
try emit --dataset MUTAG --set nee.lanes=1024 -o misfit | sed 's/needs .* ff, and a kernel may use [0-9]*/needs … ff, and a kernel may use …/'
ls misfit 2>&1 || true
try emit --dataset MUTAG --board pynq-z2 -o misfit
try emit --dataset MUTAG --set nee.lanes=1024 --force -q -o misfit
ls misfit

# Words that are wrong, and folders that cannot be written.
try emit --dataset MUTAG
try emit -o out
try emit --dataset MUTAG --dataset NCI1 -o out
try emit --dataset MUTAG --set kse.pe=3 -o out
try emit --dataset MUTAG --model missing.npz -o out
touch file
try emit --dataset MUTAG -o file/out
ls out 2>&1 || true
