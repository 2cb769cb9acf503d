/* One board and one data set of a request: the question, its answer, and the designs found. */
#pragma once

#include "explore/front.h"
#include "explore/settings.h"
#include "explore/terms.h"
#include "explore/trainings.h"
#include "search/ilp.h"
#include "search/why.h"

struct dse_exploration {
    const struct dse_request *request;
    const struct dse_terms *terms;
    const struct dse_workbench *bench;
    size_t index;            /* among the workbench's boards (outermost) and profiles */
    struct dse_study *study; /* NULL: nothing is kept */
    /* The question. */
    struct dse_space *space; /* narrowed; the question's */
    struct dse_question question;
    struct dse_alternative *alternatives;
    const struct dse_profile *profile; /* where settings are looked up: the workbench's, or its own copy */
    double spent_s; /* of the budget, on whether limits need more units than the fewest */
    /* Of settings that may be measured; nothing without such. */
    struct dse_profile *own;
    struct dse_settings settings;
    struct dse_trainings trainings;
    struct dse_choice_count choices; /* how the profile's settings fared */
    struct dse_standard standard; /* what qualities are held against */
    /* The answer. */
    struct dse_answer answer;
    struct dse_optimum optimum; /* where one design is asked for */
    char remark[512];        /* how many settings were measured, that the budget ended; "" for nothing of the kind */
    double least_load_s;   /* of `p99_load`: the least that was simulated */
    struct dse_error ended;  /* what stands in the way of an answer, in one line; "" where it is whole */
    struct dse_why *why;     /* where the outcome is "nothing"; in part where budget or monitor ended it */
    struct dse_front front;
    struct dse_load_result *loads; /* of designs that are shown (explore/loaded.h) */
};

/* Makes the question. Where settings may have to be measured it may have no alternatives yet. Where limits contradict each other, or no
 * setting can take part, it is answered by that: the outcome is "nothing", and `ended` and `why` say why. Free it in any case. */
enum dse_status dse_exploration_open(const struct dse_request *request, const struct dse_terms *terms,
                                     const struct dse_workbench *bench, size_t index, struct dse_study *study,
                                     struct dse_exploration *out, struct dse_error *err);

/* A note of how large the space is, where the request wants to hear of it. */
void dse_exploration_tell_size(const struct dse_exploration *exploration);

/* Answers it by the method of the terms: from the settings that were measured, then by lazy quality (search/lazy.h) from
 * those that may have to be (of a data set without a profile, and of "free"). Keeps everything in the study, and takes up what is
 * there. What it comes to is the answer's outcome; where that is "nothing", `ended` says so and `why` why. */
enum dse_status dse_exploration_answer(struct dse_exploration *exploration, struct dse_error *err);

/* Evaluates the answer's designs, and puts what their engines take into the study. */
enum dse_status dse_exploration_evaluate(struct dse_exploration *exploration, struct dse_error *err);

void dse_exploration_free(struct dse_exploration *exploration);

/* Knobs that "set" names keep the configuration's value. */
void dse_restrict_to_set(const struct dse_request *request, const struct dse_config *config,
                         struct dse_space *space);

/* Looks the alternatives up again, after settings were measured. */
enum dse_status dse_exploration_refresh(struct dse_exploration *exploration, struct dse_error *err);
