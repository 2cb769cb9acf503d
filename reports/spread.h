/* Selects the spread of a measured quality that tables show after ±. */
#pragma once

#include <stdbool.h>

#include "datasets/profile.h"

/* For this thread, from now on: the sample standard deviation of the runs, or (default) the standard error of their mean. */
void dse_spread_show(bool deviation);

/* Spread of a mean of n runs with sample deviation `std`; 0 for one run. */
double dse_spread(double std, int64_t n);
double dse_spread_of(const struct dse_quality *quality);

const char *dse_spread_name(void);  /* "standard error", "standard deviation" */
const char *dse_spread_short(void); /* "SE", "SD" */
