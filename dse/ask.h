/* The program as a function, for bindings (python/nysx): a command line in, what it would print out. Built as libnysxdse_ask, which
 * stands on libnysxdse. */
#pragma once

#include <stddef.h>
#include <stdint.h>

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

/* A question that stays open and judges designs (explore/oracle.h). `words` are `sweep`'s options, each "--NAME=VALUE" or "--NAME". `variables`
 * and `objectives` receive their counts. Returns the exit code, `message` as above; `out` is to be closed in any case. Several may be open,
 * and a call to one does not touch others; one call at a time to each. */
struct dse_ask_evaluator;
int dse_ask_open(const char *const *words, size_t word_count, struct dse_ask_evaluator **out, size_t *variables, size_t *objectives, char *message);
void dse_ask_close(struct dse_ask_evaluator *evaluator);

/* Judges `count` designs. `choices` (count × variables, uint32_t) has the place of each variable's value, `values` (count × objectives, double)
 * receives the objectives in SI units, NaN where a design cannot be built, `violations` (count, double) 0 for feasible designs, infinity for those
 * that cannot be built, else by how much caps and limits are exceeded. All are C-contiguous and the caller's. */
int dse_ask_evaluate(struct dse_ask_evaluator *evaluator, const uint32_t *choices, size_t count, double *values, double *violations, char *message);

/* A line of the protocol of `nysx-dse serve`; `out` (dse_ask_free) receives its answer. */
int dse_ask_line(struct dse_ask_evaluator *evaluator, const char *line, char **out, char *message);

/* The version, "0.2.0". */
const char *dse_ask_version(void);

#ifdef __cplusplus
}
#endif
