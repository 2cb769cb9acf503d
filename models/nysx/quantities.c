/* Quantities that are not metrics of a design: figures stated in the NysX paper, or inputs of the build-time model. */
#include <math.h>
#include <string.h>

#include "models/nysx/nysx.h"

/* Bytes of the trained model as counted in the paper's Table 2 and stated in Table 8: P_nys in single precision,
 * dense histograms of 4-byte counts, 8-byte codebook entries (a code and its index), one byte per element of G. The
 * engines store CSR histograms and packed bits; their blocks' on-chip memory counts those. */
static double model_bytes(const struct dse_config *config, const struct nysx_work *work)
{
    double d = (double)config->value[NYSX_DIM], s = (double)work->landmarks, codes = 0.0;
    for (int64_t t = 0; t < work->hops; t++)
        codes += (double)work->codebook[t];
    return 4.0 * d * s + (4.0 * s + 8.0) * codes + (double)work->classes * d;
}

/* Non-zeros of A visited by the restructured LSHU in a mean query, H(H−1)/2 · nnz(A) (paper, section 5.2.1). */
static double propagated_nonzeros(const struct nysx_work *work)
{
    double hops = (double)work->hops;
    return hops * (hops - 1.0) / 2.0 * work->nnz_a[DSE_CASE_MEAN];
}

double nysx_quantity(const char *name, const struct dse_config *config, const void *prepared)
{
    const struct nysx_work *work = prepared;
    if (strcmp(name, "model_bytes") == 0)
        return model_bytes(config, work);
    if (strcmp(name, "hops") == 0)
        return (double)(work->hops / work->draws);
    if (strcmp(name, "propagated_nonzeros") == 0)
        return propagated_nonzeros(work);
    if (strcmp(name, "capacity_nodes") == 0)
        return (double)work->nodes_capacity[config->value[NYSX_CAPACITY]];
    if (strcmp(name, "capacity_nonzeros") == 0)
        return (double)work->nnz_capacity[config->value[NYSX_CAPACITY]];
    return NAN;
}
