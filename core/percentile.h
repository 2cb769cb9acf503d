/* Percentiles by nearest rank. */
#pragma once

#include <stddef.h>

/* The least of the values that `percent` in a hundred of them are no larger than; 100: the largest. `count` is at least 1; the values
 * change places. O(count) on average. */
double dse_percentile(double *values, size_t count, size_t percent);
