/* The monotonic clock: for durations and deadlines, never for dates. */
#pragma once

/* Seconds since some moment in the past; never goes back. */
double dse_clock_s(void);
