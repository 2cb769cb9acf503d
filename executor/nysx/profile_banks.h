/* How the look-ups of queries fall onto banks of memory: a workload's statistic, for `profile`. */
#ifndef DSE_EXECUTOR_NYSX_PROFILE_BANKS_H
#define DSE_EXECUTOR_NYSX_PROFILE_BANKS_H

#include "executor/nysx/encoder.h"

#define NYSX_BANKINGS 4 /* 2, 4, 8 and 16 banks */

/* Mean over the queries of the reads of a graph's fullest bank, of level words or of codebook entries, whichever has
 * more: `out` is [hops × gamma_count × NYSX_BANKINGS]. DSE_LIMIT when memory runs out. O(hops × nodes × gammas). */
enum dse_status nysx_profile_banks(const struct nysx_encoder *encoder, const struct nysx_features *features,
                                   const int32_t *query, size_t query_count, const double *gammas, size_t gamma_count,
                                   struct nysx_scratch *scratch, double *out, struct dse_error *err);

#endif
