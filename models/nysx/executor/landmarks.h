/* Choice of the landmark graphs (section 4.1, Algorithm 2). */
#ifndef DSE_EXECUTOR_NYSX_LANDMARKS_H
#define DSE_EXECUTOR_NYSX_LANDMARKS_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/parameters.h"
#include "executor/executor.h"

/* `count` of the `n` items, each subset equally likely, ascending, by the given stream of the seed. `out`
 * has room for count ≤ n. */
void nysx_draw_uniform(const int32_t *items, size_t n, size_t count, uint64_t seed, uint64_t stream, int32_t *out);

/* setting->landmarks of the `n` training graphs, ascending. Uniform; or by Algorithm 2: a uniform pool of
 * min(setting->pool, n), its propagation kernel (with the directions that the training itself uses) divided by
 * the square roots of its diagonal, so that large graphs do not count more, and an exact k-DPP over it.
 * DSE_BAD_USAGE where there are fewer graphs, or a smaller pool, than landmarks. */
enum dse_status nysx_choose_landmarks(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                      const struct nysx_features *features, const int32_t *train, size_t n,
                                      const struct dse_run *run, int32_t *out, struct dse_error *err);

#endif
