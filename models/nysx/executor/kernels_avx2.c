#define KERNELS nysx_kernels_avx2
#include "models/nysx/executor/kernels.inc"
