/* A rehearsal: a process that reads and checks what it is asked, and ends with success before it computes or writes anything; what it would print is lost. */
#pragma once

#include <stdbool.h>

/* From here on this process rehearses. To be called before it has threads. */
void dse_rehearsal_begin(void);

bool dse_rehearsing(void);

/* Ends the process, at once and with exit code 0, where it rehearses. Called before a file or folder is made, and where work asks its
 * monitor. */
void dse_rehearsal_ends(void);
