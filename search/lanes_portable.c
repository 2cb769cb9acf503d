#define DSE_LANES_KERNEL dse_lanes_portable
#define DSE_LANES_NAME "portable"
#define DSE_LANES_BYTES 16
#define DSE_LANES_RUNS true
#include "search/lanes_kernel.inc" /* compiled for any machine: search/CMakeLists.txt */
