/* A monitor that also cancels at a deadline. */
#pragma once

#include "core/monitor.h"

struct dse_timed {
    const struct dse_monitor *inner; /* may be NULL */
    struct dse_monitor monitor;      /* to be given to the work; points back here */
    double deadline_s;               /* on the monotonic clock */
};

/* Starts the time: `seconds` from now (infinity: no deadline). `timed` must not move. */
void dse_timed_begin(struct dse_timed *timed, const struct dse_monitor *inner, double seconds);
