/* Percentiles by nearest rank. */
#pragma once

#include <stddef.h>

/* The value that a sort would put at `rank` (from 0, below `count`); the values change places. O(count) on average. */
double dse_select(double *values, size_t count, size_t rank);

/* The least of the values that `percent` in a hundred of them are no larger than; 100: the largest. `count` is at least 1; the values
 * change places. O(count) on average. */
double dse_percentile(double *values, size_t count, size_t percent);

/* σ of the logarithm of a log-normal variable by its mean and its 99th percentile: p99 / mean = exp(z σ − σ²/2), z being the normal distribution's
 * 99th percentile. Beyond exp(z²/2) no variable has that ratio; there it is the σ of the largest one, z. 0 where p99 is no more than the mean. */
double dse_log_normal_sigma(double mean, double p99);
