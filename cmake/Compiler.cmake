# How our own code is compiled: C17, many warnings, and no contraction of a*b+c, so that the executor, the
# simulation and the C simulation of the accelerator give the same bits on every machine.
add_library(nysx_compiler INTERFACE)
target_compile_features(nysx_compiler INTERFACE c_std_17)
target_compile_definitions(nysx_compiler INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_compile_options(nysx_compiler INTERFACE
    -ffp-contract=off -fno-math-errno
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
    -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wcast-align
    -Wno-psabi) # a note about old compilers, for vectors that stay inside one file
# When GCC 14 threads jumps it treats !(y > x) && !(z < x) as y <= x <= z, which is wrong for a NaN (tests/devices one_problem_hides_no_other).
# Without threaded jumps it warns of unset values, wrongly.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(nysx_compiler INTERFACE -fno-thread-jumps -Wno-maybe-uninitialized)
endif()
if(NYSX_WERROR)
    target_compile_options(nysx_compiler INTERFACE -Werror)
endif()
if(NYSX_SANITIZE)
    # Optimised tests take half the time. Reports need line numbers alone of the debug information: a quarter less to compile.
    # The sanitizers' checks cause a false warning about ranges.
    target_compile_options(nysx_compiler INTERFACE
        -O1 -g1 -Wno-format-truncation -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(nysx_compiler INTERFACE -fsanitize=address,undefined)
endif()
if(NYSX_SANITIZE_THREADS)
    target_compile_options(nysx_compiler INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(nysx_compiler INTERFACE -fsanitize=thread)
endif()
if(NYSX_FUZZ)
    target_compile_options(nysx_compiler INTERFACE
        -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(nysx_compiler INTERFACE -fsanitize=address,undefined)
endif()
