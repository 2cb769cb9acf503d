#define DSE_LANES_KERNEL dse_lanes_avx512
#define DSE_LANES_NAME "avx512"
#define DSE_LANES_BYTES 64
#define DSE_LANES_RUNS                                                                       \
    dse_cpu_supports("avx512f") && dse_cpu_supports("avx512dq") && dse_cpu_supports("avx512vl")
#include "core/cpu.h"
#include "search/lanes_kernel.inc" /* compiled with AVX-512: search/CMakeLists.txt */
