/* How long-running work reports its progress to its caller, and learns that it should stop. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A total in units without a meaning for the user: progress is shown as a share only. */
#define DSE_MONITOR_WHOLE 1000000000

/* All members may be NULL, and so may a pointer to a monitor. Both functions may be called from any
 * thread of the work. */
struct dse_monitor {
    bool (*cancelled)(void *user); /* true once the work should end with DSE_CANCELLED, keeping what it has */
    void (*progress)(void *user, const char *what, uint64_t done, uint64_t total);
    void *user;
};

static inline bool dse_monitor_cancelled(const struct dse_monitor *monitor)
{
    return monitor != NULL && monitor->cancelled != NULL && monitor->cancelled(monitor->user);
}

static inline void dse_monitor_progress(const struct dse_monitor *monitor, const char *what,
                                        uint64_t done, uint64_t total)
{
    if (monitor != NULL && monitor->progress != NULL)
        monitor->progress(monitor->user, what, done, total);
}
