/* A rehearsal: a process that reads and checks its request, and ends with success before it computes or writes anything. Its output is dropped. */
#pragma once

#include <stdbool.h>

/* Makes this process rehearse from here on. Call it before there are threads. */
void dse_rehearsal_begin(void);

bool dse_rehearsing(void);

/* Ends a rehearsing process at once, with exit code 0. Called before a file or folder is made, and when work checks its monitor. */
void dse_rehearsal_ends(void);
