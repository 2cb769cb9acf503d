/* Choice of the landmark graphs (section 4.1, Algorithm 2). */
#ifndef DSE_EXECUTOR_NYSX_LANDMARKS_H
#define DSE_EXECUTOR_NYSX_LANDMARKS_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* `count` of the `n` items, each subset equally likely, ascending, by the given stream of the seed.
 * `out` has room for count ≤ n. */
enum dse_status nysx_draw_uniform(const int32_t *items, size_t n, size_t count, uint64_t seed,
                                  uint64_t stream, int32_t *out, struct dse_error *err);

#endif
