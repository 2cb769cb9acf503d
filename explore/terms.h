/* Parsed words of a request, read once for all boards and data sets. */
#pragma once

#include "explore/request.h"
#include "search/heuristic.h"
#include "search/question.h"

enum dse_method { DSE_METHOD_EXACT, DSE_METHOD_ILP, DSE_METHOD_EXHAUSTIVE, DSE_METHOD_HEURISTIC };
extern const char *const dse_method_names[];

/* "proven by exact search"; or for an answer without a proof, who found it: "found by the heuristic, not proven". `found_by` may differ from the method
 * asked. */
const char *dse_proof_words(enum dse_method found_by, bool proven, char text[64]);

/* Points into the request. */
struct dse_terms {
    struct dse_expression where;
    const char *fixes[DSE_KNOB_MAX];
    struct dse_choice choice;
    const char *frees[DSE_KNOB_MAX];
    size_t free_count;
    const char *objectives; /* "latency,energy,error" */
    bool by_default;        /* the objectives are the default */
    bool one;               /* one objective, one best design */
    enum dse_method method;
    struct dse_effort effort;
    const char *rate;  /* rate of the load; NULL: none */
    bool shows_load;   /* simulates the load for the designs shown */
    double p99_load_s; /* limit of "where" on the 99th percentile under load; 0: none */
    bool robust;       /* shows the design of least regret over the models' errors */
    double resolution; /* resolution of the front shown; 0: all of it */
    bool counted;    /* "budget" is a number of evaluations */
    double search_s; /* time limit of an exact method per board and data set; infinity: none */
    int64_t seeds;   /* training runs per setting; 0: as many as the profile's */
    size_t best, shown; /* designs evaluated in advance: the most balanced, and rows of the front (0: all) */
    bool estimates_all; /* every other design of a front can be requested later */
};

/* Errors of a request found before it runs: unknown shipped boards, unreadable conditions, a bad budget.
 * Does not look for files: an earlier step may create them. */
enum dse_status dse_terms_check(const struct dse_request *request, struct dse_error *err);

/* As dse_terms_check, for the request's conditions, knobs and objectives in a family's space (a file, NULL: its own). Needs no data set. */
enum dse_status dse_terms_asked(const struct dse_request *request, const struct dse_model_family *family, const char *space, const struct dse_board *board,
                                struct dse_error *err);

/* Whether --fix names the knob. */
bool dse_terms_fix(const struct dse_terms *terms, const char *knob);

/* Whether `--free` names this knob. */
bool dse_terms_free(const struct dse_terms *terms, const char *knob);

/* Reads method, objectives, "where", "fix", "free", "seeds", "budget" and "quality-drop". With `one` the objective is that of
 * "minimize" or "maximize"; `objectives` is the default (NULL: one must be named). */
enum dse_status dse_terms_read(const struct dse_request *request, bool one, const char *objectives, struct dse_terms *terms,
                               struct dse_error *err);

/* Time of "budget"; infinity without the word. DSE_BAD_USAGE if it is not a time. */
enum dse_status dse_terms_time(const struct dse_request *request, double *seconds, struct dse_error *err);

/* As dse_terms_time; infinity if the word counts evaluations. */
double dse_terms_seconds(const struct dse_request *request);
