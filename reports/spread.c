#include "reports/spread.h"

#include <math.h>

static _Thread_local bool shows_deviation;

void dse_spread_show(bool deviation)
{
    shows_deviation = deviation;
}

double dse_spread(double std, int64_t n)
{
    return n < 2 ? 0.0 : shows_deviation ? std : std / sqrt((double)n);
}

double dse_spread_of(const struct dse_quality *quality)
{
    return dse_spread(quality->std, quality->n);
}

const char *dse_spread_name(void)
{
    return shows_deviation ? "standard deviation" : "standard error";
}

const char *dse_spread_short(void)
{
    return shows_deviation ? "SD" : "SE";
}
