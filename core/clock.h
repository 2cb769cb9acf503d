/* The monotonic clock: for durations and deadlines, never for dates. */
#ifndef DSE_CORE_CLOCK_H
#define DSE_CORE_CLOCK_H

/* Seconds since some moment in the past; never goes back. */
double dse_clock_s(void);

#endif
