/* One board and one data set of a request: the question, its answer, and the designs found. */
#pragma once

#include "explore/front.h"
#include "explore/settings.h"
#include "explore/terms.h"
#include "explore/trainings.h"
#include "search/ilp.h"
#include "search/why.h"

/* If no design meets a limit `p99_load`: the value of the nearest simulated design (infinity: it does not keep up), or a bound that no design is below. 0: neither is known. */
struct dse_loaded_least {
    double s;
    bool bound;
    struct dse_point nearest; /* the simulated design, if `s` is finite and no bound */
};

struct dse_exploration {
    const struct dse_request *request;
    const struct dse_terms *terms;
    const struct dse_workbench *bench;
    size_t index;            /* index among the workbench's boards (outermost) and profiles */
    struct dse_study *study; /* NULL: nothing is stored */
    /* The question. */
    struct dse_space *space; /* narrowed; the question's */
    struct dse_question question;
    struct dse_alternative *alternatives;
    const struct dse_profile *profile; /* for looking up settings: the workbench's, or its own copy */
    const char *widened; /* knobs that a limit or a batch adds to the search, for the note of its size; or "" */
    double spent_s; /* budget spent on finding whether limits need more than the fewest units */
    /* Only with settings that may be measured. */
    struct dse_profile *own;
    struct dse_settings settings;
    struct dse_trainings trainings;
    struct dse_choice_count choices; /* counts of the profile's settings by outcome */
    struct dse_standard standard; /* reference for qualities */
    /* The answer. */
    struct dse_answer answer;
    struct dse_optimum optimum; /* if one design is requested */
    char remark[512];        /* number of settings measured, budget exhausted; or "" */
    struct dse_loaded_least least_load;
    struct dse_error ended;  /* reason for no complete answer, in one line; or "" */
    struct dse_why *why;     /* if the outcome is "nothing"; partial if budget or monitor ended it */
    struct dse_front front;
    struct dse_load_result *loads; /* for the designs shown (explore/loaded.h) */
};

/* Makes the question. It may have no alternatives yet if settings may be measured. If limits contradict each other or no
 * setting can take part, the outcome is "nothing", and `ended` and `why` have the reason. Must be freed in any case. */
enum dse_status dse_exploration_open(const struct dse_request *request, const struct dse_terms *terms,
                                     const struct dse_workbench *bench, size_t index, struct dse_study *study,
                                     struct dse_exploration *out, struct dse_error *err);

/* Notes the size of the space, if the request asks for it. */
void dse_exploration_tell_size(const struct dse_exploration *exploration);

/* Answers the question by the terms' method: first from measured settings, then by lazy quality (search/lazy.h) from settings that may be measured.
 * The latter are those of a data set without a profile, or of "free". Stores everything in the study, and resumes from it. Sets the answer's outcome;
 * for "nothing", `ended` and `why` have the reason. */
enum dse_status dse_exploration_answer(struct dse_exploration *exploration, struct dse_error *err);

/* Evaluates the answer's designs, and stores their engines' figures in the study. */
enum dse_status dse_exploration_evaluate(struct dse_exploration *exploration, struct dse_error *err);

void dse_exploration_free(struct dse_exploration *exploration);

/* Fixes knobs named by "set" at the configuration's value. */
void dse_restrict_to_set(const struct dse_request *request, const struct dse_config *config,
                         struct dse_space *space);

/* The method whose designs the answer holds: the heuristic's, if the method asked had none by half of its time. */
static inline enum dse_method dse_exploration_found_by(const struct dse_exploration *exploration)
{
    return exploration->answer.history_count > 0 ? DSE_METHOD_HEURISTIC : exploration->terms->method;
}

/* Looks the alternatives up again after settings were measured. */
enum dse_status dse_exploration_refresh(struct dse_exploration *exploration, struct dse_error *err);
