/* A request: what is asked, in words. The words are the options of the commands, without dashes ("board", "dataset", "where",
 * "objectives"); a command line fills in those that were typed, any other program those that it means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/status.h"

struct dse_peers;

struct dse_word {
    const char *name, *value; /* borrowed */
};

struct dse_request {
    struct dse_word *words; /* word_count, in the order given */
    size_t word_count;
    uint64_t seed; /* of every random choice */
    size_t jobs;   /* threads; no result depends on it */
    const char *family; /* where no word says it: that of the study that a question begins with; NULL: the default */
    struct dse_peers *peers; /* other processes, which measure settings too (explore/job.h); NULL: none */
    const struct dse_monitor *monitor; /* NULL: nobody listens */
    void (*note)(void *user, const char *text); /* remarks on the way; NULL: nobody listens */
    void (*go_on)(void *user); /* a survey has ended as the monitor asked: the monitor no longer asks the rest to; NULL: all ends */
    void *user;
    bool tells_sizes; /* a note says how large a space is before it is searched */
};

/* A request without words: seed 1, as many threads as there are processors. */
void dse_request_init(struct dse_request *request);
void dse_request_free(struct dse_request *request);

/* Adds a word. DSE_BAD_USAGE for a name that no request knows ("objectivs"). Name and value stay where they are. */
enum dse_status dse_request_add(struct dse_request *request, const char *name, const char *value, struct dse_error *err);

/* The same without the check, for words of a command's own. */
void dse_request_take(struct dse_request *request, const char *name, const char *value);

/* The last value of a name, or NULL; all its values in order; whether there is any. O(words). */
const char *dse_request_word(const struct dse_request *request, const char *name);

/* --flow: whether the accelerator in SystemVerilog is meant, in place of the one that high-level synthesis makes. */
enum dse_status dse_request_in_rtl(const struct dse_request *request, bool *in_rtl, struct dse_error *err);
size_t dse_request_count(const struct dse_request *request, const char *name);
const char *dse_request_word_at(const struct dse_request *request, const char *name, size_t index);
bool dse_request_flag(const struct dse_request *request, const char *name);

/* "family", else the request's own, else the default. */
const char *dse_request_family(const struct dse_request *request);

/* A number (a real one also as a share, "20%") in [minimum, maximum], or `fallback` where the word is absent. DSE_BAD_USAGE names word, value and range. */
enum dse_status dse_request_integer(const struct dse_request *request, const char *name, int64_t minimum, int64_t maximum,
                                    int64_t fallback, int64_t *out, struct dse_error *err);
enum dse_status dse_request_real(const struct dse_request *request, const char *name, double minimum, double maximum,
                                 double fallback, double *out, struct dse_error *err);

/* A number, or a share in per cent: "0.2", "20%". False where it is neither; `out` is kept then. */
bool dse_request_share(const char *text, double *out);

/* "quality-drop": a number up to 1, 0.01 where the word is absent; infinity for "none". */
enum dse_status dse_request_quality_drop(const struct dse_request *request, double *out, struct dse_error *err);

/* DSE_BAD_USAGE where two values NAME[=VALUE] of a word have one NAME: only one of them could hold. */
enum dse_status dse_request_assigned_once(const struct dse_request *request, const char *name, struct dse_error *err);

void dse_request_note(const struct dse_request *request, const char *format, ...) DSE_PRINTF(2, 3);

/* The words that ask, apart from those that say how to work or what to show: all that an answer depends on. The inputs
 * (family, boards, data sets) come first, then the question's. NULL-terminated. */
extern const char *const dse_request_inputs[], *const dse_request_questions[];
