/* Percentiles by nearest rank. */
#pragma once

#include <stddef.h>

/* The value that sorting would put at `rank` (from 0, below `count`). Reorders the values. O(count) on average. */
double dse_select(double *values, size_t count, size_t rank);

/* The least value that is not exceeded by `percent` in a hundred of the values; 100: the largest. `count` is at least 1. Reorders the values.
 * O(count) on average. */
double dse_percentile(double *values, size_t count, size_t percent);

/* σ of the logarithm of a log-normal variable, from its mean and its 99th percentile. It solves p99 / mean = exp(z σ − σ²/2), with z the normal
 * distribution's 99th percentile. No variable has a ratio beyond exp(z²/2); there it is the σ of the largest ratio, z. 0 if p99 is at most the mean. */
double dse_log_normal_sigma(double mean, double p99);
