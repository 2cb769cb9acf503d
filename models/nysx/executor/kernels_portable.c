#define KERNELS nysx_kernels_portable
#include "models/nysx/executor/kernels.inc"
