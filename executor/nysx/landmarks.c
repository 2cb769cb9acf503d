#include "executor/nysx/landmarks.h"

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

enum dse_status nysx_draw_uniform(const int32_t *items, size_t n, size_t count, uint64_t seed,
                                  uint64_t stream, int32_t *out, struct dse_error *err)
{
    int32_t *shuffled = malloc((n + 1) * sizeof *shuffled);
    if (shuffled == NULL)
        return dse_fail_memory(err);
    memcpy(shuffled, items, n * sizeof *shuffled);
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, stream);
    dse_rng_shuffle(&rng, shuffled, n);
    memcpy(out, shuffled, count * sizeof *out);
    qsort(out, count, sizeof *out, ascending);
    free(shuffled);
    return DSE_OK;
}
