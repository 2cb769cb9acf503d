#include "core/timed.h"

#include "core/clock.h"

static bool is_over(void *user)
{
    const struct dse_timed *timed = user;
    return dse_monitor_cancelled(timed->inner) || dse_clock_s() >= timed->deadline_s;
}

static void pass_on(void *user, const char *what, uint64_t done, uint64_t total)
{
    const struct dse_timed *timed = user;
    dse_monitor_progress(timed->inner, what, done, total);
}

void dse_timed_begin(struct dse_timed *timed, const struct dse_monitor *inner, double seconds)
{
    *timed = (struct dse_timed){.inner = inner, .monitor = {is_over, pass_on, timed}, .deadline_s = dse_clock_s() + seconds};
}
