#include "models/nysx/executor/landmarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/dpp.h"
#include "models/nysx/executor/encoder.h"
#include "models/nysx/executor/streams.h"

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void nysx_draw_uniform(const int32_t *items, size_t n, size_t count, uint64_t seed, uint64_t stream, int32_t *out)
{
    int32_t *shuffled = dse_malloc((n + 1) * sizeof *shuffled);
    memcpy(shuffled, items, n * sizeof *shuffled);
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, stream);
    dse_rng_shuffle(&rng, shuffled, n);
    memcpy(out, shuffled, count * sizeof *out);
    qsort(out, count, sizeof *out, ascending);
    free(shuffled);
}

/* The pool's propagation kernel, n × n. */
static enum dse_status pool_kernel(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                   const struct nysx_features *features, const int32_t *pool, size_t n,
                                   const struct dse_run *run, double *out, struct dse_error *err)
{
    struct nysx_lsh lsh = nysx_lsh_draw(setting, columns->labels + columns->attributes, run->seed);
    DSE_CLEANUP(nysx_encoder_free) struct nysx_encoder encoder = {0};
    DSE_CLEANUP(dse_free_at) int32_t *kernel = dse_malloc(n * n * sizeof *kernel);
    DSE_TRY(nysx_encoder_build(&lsh, features, pool, n, &encoder, err));
    DSE_TRY(nysx_encoder_kernels(&encoder, features, pool, n, run, kernel, err));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double length = sqrt((double)kernel[i * n + i]) * sqrt((double)kernel[j * n + j]);
            out[i * n + j] = length > 0.0 ? kernel[i * n + j] / length : 0.0;
        }
    }
    return DSE_OK;
}

static enum dse_status choose_dpp(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                  const struct nysx_features *features, const int32_t *train, size_t n,
                                  const struct dse_run *run, int32_t *out, struct dse_error *err)
{
    size_t count = setting->pool < n ? setting->pool : n, s = setting->landmarks;
    if (count < s)
        return dse_fail(err, DSE_BAD_USAGE, "pool=%zu: must not be smaller than landmarks=%zu", setting->pool, s);
    DSE_CLEANUP(dse_free_at) int32_t *pool = dse_malloc(count * sizeof *pool);
    DSE_CLEANUP(dse_free_at) double *kernel = dse_malloc(count * count * sizeof *kernel);
    nysx_draw_uniform(train, n, count, run->seed, NYSX_STREAM_POOL, pool);
    DSE_TRY(pool_kernel(setting, columns, features, pool, count, run, kernel, err));
    struct dse_rng rng;
    dse_rng_seed(&rng, run->seed, NYSX_STREAM_LANDMARKS);
    DSE_TRY(nysx_dpp_sample(kernel, count, s, &rng, out, err));
    for (size_t i = 0; i < s; i++)
        out[i] = pool[out[i]]; /* both ascend */
    return DSE_OK;
}

enum dse_status nysx_choose_landmarks(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                      const struct nysx_features *features, const int32_t *train, size_t n,
                                      const struct dse_run *run, int32_t *out, struct dse_error *err)
{
    if (setting->landmarks > n)
        return dse_fail(err, DSE_BAD_USAGE, "landmarks=%zu: %s has %zu training graphs", setting->landmarks,
                        features->set->name, n);
    if (setting->sampling == NYSX_DPP)
        return choose_dpp(setting, columns, features, train, n, run, out, err);
    nysx_draw_uniform(train, n, setting->landmarks, run->seed, NYSX_STREAM_LANDMARKS, out);
    return DSE_OK;
}
