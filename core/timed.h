/* A monitor that also hears of the end of a time. */
#pragma once

#include "core/monitor.h"

struct dse_timed {
    const struct dse_monitor *inner; /* may be NULL */
    struct dse_monitor monitor;      /* to be given to the work; points back here */
    double deadline_s;               /* on the monotonic clock */
};

/* From now on, for `seconds` (infinity: for ever). `timed` must stay in place. */
void dse_timed_begin(struct dse_timed *timed, const struct dse_monitor *inner, double seconds);
