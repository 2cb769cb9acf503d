/* Which spread of a measured quality tables show behind ±. */
#pragma once

#include <stdbool.h>

#include "datasets/profile.h"

/* From here on, on this thread: the sample standard deviation of the runs, or (the default) the standard error of their mean. */
void dse_spread_show(bool deviation);

/* The spread of a mean of n runs with the sample deviation `std`; 0 of one run. */
double dse_spread(double std, int64_t n);
double dse_spread_of(const struct dse_quality *quality);

const char *dse_spread_name(void);  /* "standard error", "standard deviation" */
const char *dse_spread_short(void); /* "SE", "SD" */
