#include "search/lanes.h"

static const struct dse_lanes_kernel *const kernels[] = {
#if defined(__x86_64__)
    &dse_lanes_avx512, &dse_lanes_avx2,
#endif
    &dse_lanes_portable};

const struct dse_lanes_kernel *const *dse_lanes_kernels(size_t *count)
{
    *count = sizeof kernels / sizeof *kernels;
    return kernels;
}

const struct dse_lanes_kernel *dse_lanes_best(void)
{
    size_t best = 0;
    while (!kernels[best]->runs())
        best++;
    return kernels[best];
}
