/* The parsed words of a request, read once for all boards and data sets. */
#pragma once

#include "explore/request.h"
#include "search/heuristic.h"
#include "search/question.h"

enum dse_method { DSE_METHOD_EXACT, DSE_METHOD_ILP, DSE_METHOD_EXHAUSTIVE, DSE_METHOD_HEURISTIC };
extern const char *const dse_method_names[];

/* Points into the request. */
struct dse_terms {
    struct dse_expression where;
    const char *fixes[DSE_KNOB_MAX];
    struct dse_choice choice;
    const char *frees[DSE_KNOB_MAX];
    size_t free_count;
    const char *objectives; /* "latency,energy,error" */
    bool by_default;        /* nobody named them */
    bool one;               /* one objective, and the one best design */
    enum dse_method method;
    struct dse_effort effort;
    const char *rate;  /* of a load that designs are under; NULL: none */
    bool shows_load;   /* designs that are shown are simulated under it */
    double p99_load_s; /* the limit of "where" on the 99th percentile under it; 0: none */
    bool robust;       /* the design of least regret over the models' errors is shown */
    double resolution; /* of the front that is shown; 0: all of it */
    bool counted;    /* "budget" is a number of evaluations */
    double search_s; /* how long a method that proves may take, for a board and a data set; infinity: until it is done */
    int64_t seeds;   /* training runs a setting; 0: as many as the profile's */
    size_t best, shown; /* designs that are looked at: the most balanced, and rows of the front (0: all of it) */
    bool estimates_all; /* every other design of a front can be asked for all the same */
};

/* Errors of a request that show before it runs: shipped boards that are none, conditions that do not read, a budget.
 * Files are not looked for: an earlier step may make them. */
enum dse_status dse_terms_check(const struct dse_request *request, struct dse_error *err);

/* Reads method, objectives, "where", "fix", "free", "seeds", "budget" and "quality-drop". With `one` the objective is that of
 * "minimize" or "maximize"; `objectives` stands where none is named (NULL: one must be). */
enum dse_status dse_terms_read(const struct dse_request *request, bool one, const char *objectives, struct dse_terms *terms,
                               struct dse_error *err);

/* The time of "budget", infinity without the word. DSE_BAD_USAGE where it is no time. */
enum dse_status dse_terms_time(const struct dse_request *request, double *seconds, struct dse_error *err);

/* The same; infinity where the word counts evaluations. */
double dse_terms_seconds(const struct dse_request *request);
