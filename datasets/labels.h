/* Label values of any size and with gaps, turned into dense indices. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

struct dse_labels {
    int32_t *index;  /* [count] 0 … value_count−1 */
    int64_t *values; /* [value_count] ascending */
    size_t value_count;
};

/* Both arrays are malloc'd and the caller's. O(count + distinct log distinct) if few values alternate, O(count log count) at worst; count ≥ 1. */
void dse_labels_make(const int64_t *values, size_t count, struct dse_labels *labels);
