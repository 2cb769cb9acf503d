/* The program as a function, for bindings (python/nysx): a command line as input, the printed text as output. Built as libnysxdse_ask, on top of
 * libnysxdse. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DSE_ASK_MESSAGE 4096

/* Runs `words` (word_count, without the program's name, no NULL after the last). Standard output is returned in `out` (malloc'd, NUL-terminated;
 * dse_ask_free). This also holds after a failure, for example for an interrupted answer. Returns the exit code; `message` (DSE_ASK_MESSAGE bytes) is
 * the error's line, or "". Notes and progress stay on standard error. One call at a time. */
int dse_ask(const char *const *words, size_t word_count, char **out, size_t *size, char *message);
void dse_ask_free(char *out);

/* From any thread: ends the running call like Ctrl-C, with the results so far. */
void dse_ask_cancel(void);

/* An open search that judges designs (explore/oracle.h). `words` are `sweep`'s options, each "--NAME=VALUE" or "--NAME". `variables` and
 * `objectives` receive their counts. Returns the exit code, `message` as above; `out` must be closed in any case. Several may be open, and are
 * independent; each takes one call at a time. */
struct dse_ask_evaluator;
int dse_ask_open(const char *const *words, size_t word_count, struct dse_ask_evaluator **out, size_t *variables, size_t *objectives, char *message);
void dse_ask_close(struct dse_ask_evaluator *evaluator);

/* Judges `count` designs. `choices` (count × variables, uint32_t) has the index of each variable's value. `values` (count × objectives, double)
 * receives the objectives in SI units, NaN for designs that cannot be built. `violations` (count, double) receives 0 for feasible designs and
 * infinity for those that cannot be built. For others it receives the excess over caps and limits. All are C-contiguous and the caller's. */
int dse_ask_evaluate(struct dse_ask_evaluator *evaluator, const uint32_t *choices, size_t count, double *values, double *violations, char *message);

/* Answers a line of the protocol of `nysx-dse serve`; `out` (dse_ask_free) receives the answer. */
int dse_ask_line(struct dse_ask_evaluator *evaluator, const char *line, char **out, char *message);

/* The version, "0.2.0". */
const char *dse_ask_version(void);

#ifdef __cplusplus
}
#endif
