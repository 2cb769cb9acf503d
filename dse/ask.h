/* The program as a function, for bindings (python/nysx): a command line in, what it would print out. Built as libnysxdse_ask, which
 * stands on libnysxdse. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DSE_ASK_MESSAGE 4096

/* Runs `words` (word_count, without the program's name, the last not followed by NULL). What goes to standard output becomes `out`
 * (malloc'd, ended by NUL; dse_ask_free), also where it fails, as an answer that was interrupted. Returns the exit code; `message`
 * (DSE_ASK_MESSAGE bytes) is the error's line, "" without one. Notes and progress stay on standard error. One call at a time. */
int dse_ask(const char *const *words, size_t word_count, char **out, size_t *size, char *message);
void dse_ask_free(char *out);

/* From any thread: the running call ends as by Ctrl-C, keeping what it has. */
void dse_ask_cancel(void);

/* The version, "0.2.0". */
const char *dse_ask_version(void);

#ifdef __cplusplus
}
#endif
