/* Histograms of codes: the Histogram Update Engine for a query (section 5.2.3), and the landmarks' own at
 * training. */
#ifndef DSE_EXECUTOR_NYSX_HISTOGRAM_H
#define DSE_EXECUTOR_NYSX_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/kernel.h"

/* Distinct codes of `codes` (count of them), ascending, in malloc'd memory. O(count log count). */
int64_t *nysx_codebook_make(const int64_t *codes, size_t count, size_t *distinct);

/* Row i counts how often each code of the codebook stands among codes[begin[i] … begin[i+1]−1], all of
 * which are in the codebook. Sorts `codes` within each row. */
enum dse_status nysx_histograms_make(int64_t *codes, const size_t *begin, size_t rows,
                                     const int64_t *codebook, size_t distinct, struct nysx_csr *out,
                                     struct dse_error *err);

#endif
