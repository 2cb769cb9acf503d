/* A request: the question, in words. The words are the commands' options without dashes ("board", "dataset", "where",
 * "objectives"); a command line fills in the typed ones, any other program its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/status.h"

struct dse_config;
struct dse_peers;
struct dse_space;

struct dse_word {
    const char *name, *value; /* borrowed */
};

struct dse_request {
    struct dse_word *words; /* word_count, in the order given */
    size_t word_count;
    uint64_t seed; /* seed of every random choice */
    size_t jobs;   /* threads; results do not depend on it */
    const char *family; /* if no word names one: that of the study that the question starts from; NULL: the default */
    struct dse_peers *peers; /* other processes that also measure settings (explore/job.h); NULL: none */
    const struct dse_monitor *monitor; /* NULL: no monitor */
    void (*note)(void *user, const char *text); /* receives remarks; NULL: none */
    void (*go_on)(void *user); /* called after the monitor ended a survey: the monitor lets the rest continue; NULL: everything ends */
    void *user;
    bool tells_sizes; /* a note states the size of a space before its search */
};

/* A request without words: seed 1, one thread per processor. */
void dse_request_init(struct dse_request *request);
void dse_request_free(struct dse_request *request);

/* Adds a word. DSE_BAD_USAGE for an unknown name ("objectivs"). Name and value are borrowed. */
enum dse_status dse_request_add(struct dse_request *request, const char *name, const char *value, struct dse_error *err);

/* As dse_request_add, without the check, for words specific to a command. */
void dse_request_take(struct dse_request *request, const char *name, const char *value);

/* The last value of a name, or NULL; all its values in order; whether there is one. O(words). */
const char *dse_request_word(const struct dse_request *request, const char *name);

/* --flow: whether the request is for the SystemVerilog accelerator instead of the HLS one. */
enum dse_status dse_request_in_rtl(const struct dse_request *request, bool *in_rtl, struct dse_error *err);
size_t dse_request_count(const struct dse_request *request, const char *name);
const char *dse_request_word_at(const struct dse_request *request, const char *name, size_t index);
bool dse_request_assigns(const struct dse_request *request, const char *name, const char *knob); /* whether one of them is of KNOB or KNOB=VALUE */
bool dse_request_flag(const struct dse_request *request, const char *name);

/* The word "family", otherwise the request's own, otherwise that of the shipped profile that "dataset" names, otherwise the default. */
const char *dse_request_family(const struct dse_request *request);

/* The family of a profile (a shipped name or an .xml file), or NULL; `dataset` may be NULL or data. Reads the profile. */
const char *dse_request_family_of(const char *dataset);

/* A number (a real number also as a share, "20%") in [minimum, maximum], or `fallback` if the word is absent. DSE_BAD_USAGE names word, value and range. */
enum dse_status dse_request_integer(const struct dse_request *request, const char *name, int64_t minimum, int64_t maximum,
                                    int64_t fallback, int64_t *out, struct dse_error *err);
enum dse_status dse_request_real(const struct dse_request *request, const char *name, double minimum, double maximum,
                                 double fallback, double *out, struct dse_error *err);

/* Parses a number or a percentage: "0.2", "20%". False if invalid; `out` is unchanged then. */
bool dse_request_share(const char *text, double *out);

/* "quality-drop": a number up to 1, 0.01 if the word is absent; infinity for "none". */
enum dse_status dse_request_quality_drop(const struct dse_request *request, double *out, struct dse_error *err);

/* DSE_BAD_USAGE unless every value of the option is KNOB=VALUE; the error names the option. */
enum dse_status dse_request_pairs(const struct dse_request *request, const char *name, struct dse_error *err);

/* Applies the index-th KNOB=VALUE of an option to a configuration; the error names the option. */
enum dse_status dse_request_assign(const struct dse_request *request, const char *name, size_t index, const struct dse_space *space, struct dse_config *config,
                                   struct dse_error *err);

/* DSE_BAD_USAGE if two values NAME[=VALUE] of a word have the same NAME. */
enum dse_status dse_request_assigned_once(const struct dse_request *request, const char *name, struct dse_error *err);

void dse_request_note(const struct dse_request *request, const char *format, ...) DSE_PRINTF(2, 3);

/* Words that determine an answer, as opposed to words for execution or display. The inputs
 * (family, boards, data sets) come first, then the question's words. NULL-terminated. */
extern const char *const dse_request_inputs[], *const dse_request_questions[];
