/* Processor time, nearly independent of other load: of this thread, and of the whole process. */
#pragma once

#include <time.h>

static inline double worked_by_s(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline double worked_s(void)
{
    return worked_by_s(CLOCK_THREAD_CPUTIME_ID);
}

static inline double worked_together_s(void)
{
    return worked_by_s(CLOCK_PROCESS_CPUTIME_ID);
}
