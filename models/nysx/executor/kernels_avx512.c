#define KERNELS nysx_kernels_avx512
#include "models/nysx/executor/kernels.inc"
