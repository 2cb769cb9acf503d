#define DSE_LANES_KERNEL dse_lanes_avx2
#define DSE_LANES_NAME "avx2"
#define DSE_LANES_BYTES 32
#define DSE_LANES_RUNS dse_cpu_supports("avx2")
#include "core/cpu.h"
#include "search/lanes_kernel.inc" /* compiled with AVX2: search/CMakeLists.txt */
