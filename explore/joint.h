/* One design for several data sets: the questions of "combine" and "weight". */
#pragma once

#include "explore/exploration.h"
#include "search/joint.h"

/* The data sets of a workbench on one board. Settings of two data sets match under two conditions. They agree in every
 * knob in which the presets agree. In each other knob, each setting has the value of the data set's own preset. */
struct dse_joint_exploration {
    const struct dse_request *request;
    const struct dse_terms *terms;
    const struct dse_workbench *bench;
    struct dse_study *study;
    size_t board, sets;
    enum dse_joining how;
    enum dse_method method;           /* exact; if the merge rejects the question, exhaustive for small ones, otherwise heuristic */
    struct dse_exploration *parts;    /* [sets] */
    struct dse_config *presets;       /* [sets], canonical */
    const char **names;               /* [sets] */
    double *given, *weights;          /* as given, and normalised (dse_joint_reduce) */
    dse_knob_set differing;           /* algorithmic knobs in which the presets differ */
    size_t *places;                   /* [setting_count × sets]: matching settings, as indices into the parts' alternatives, followed
                                       * by their settings that may be measured */
    dse_knob_set *own;                /* [setting_count] */
    size_t setting_count, measured;   /* the first `measured` are measured for every data set */
    struct dse_joint_set *joined;     /* [sets], with alternatives in the order of the settings */
    struct dse_question question;
    struct dse_joint *joint;
    struct dse_answer answer;
    char remark[512];                 /* number of settings measured, or "" */
    struct dse_error ended;           /* reason for no design, in one line; or "" */
    struct dse_why *why;              /* as in an exploration */
    struct dse_setup *setups;         /* [front × sets] */
    struct dse_estimate *estimates;
    struct dse_design *designs;
    int64_t *ids;                     /* [front] */
    struct dse_quality *qualities;    /* [front], of the combined metrics: combined mean and its standard error */
    struct dse_corners corners;
    size_t *order;                    /* [front], "balanced" first, then by balance */
};

struct dse_joint_explored {
    struct dse_workbench bench;
    struct dse_study *study;
    struct dse_joint_exploration *each; /* count: one per board */
    size_t count, answered;
};

typedef void dse_joint_visitor(void *user, const struct dse_joint_exploration *exploration);

/* Opens the workbench and answers for each board, calling `visit` for each. DSE_BAD_USAGE for a single data set, or a
 * method without support. DSE_CANCELLED if the monitor ends it. Must be freed in any case. */
enum dse_status dse_explore_joint(const struct dse_request *request, const struct dse_terms *terms, const char *command,
                                  dse_joint_visitor *visit, void *user, struct dse_joint_explored *out,
                                  struct dse_error *err);
/* ---- corners ---- */

struct dse_joint_ranking {
    enum dse_joining how;
    const double *weights; /* sets, normalised */
    size_t sets;
    const struct dse_quality *const *each; /* quality of point i on data set d: each[i × sets + d]; NULL: not measured */
};

/* Fills one quality per point: the combined mean and a deviation that gives its standard error. For the mean of data sets, errors are independent.
 * For the worst, the deviation is that of the worst data set. The name is missing if a data set has no quality. From these it finds the corners,
 * whose `best` is one of the qualities, and the order: by balance, with `balanced_first` the balanced point first. O(points × sets). */
void dse_joint_rank(const struct dse_question *question, const struct dse_joint_ranking *ranking, const struct dse_answer *answer,
                    bool balanced_first, struct dse_quality *qualities, struct dse_corners *corners, size_t *order);

/* ---- shared by its files ---- */

/* Finds settings that match over all data sets. DSE_LIMIT for too many; `ended` has the reason if there are none. */
enum dse_status dse_joint_settings(struct dse_joint_exploration *exploration, struct dse_error *err);

/* Answers `question`, which equals the exploration's except for its settings, from `count` settings per data set, by the
 * exploration's method. */
enum dse_status dse_joint_answer(const struct dse_joint_exploration *exploration, const struct dse_question *question,
                                 const struct dse_joint_set *sets, struct dse_answer *answer, struct dse_error *err);

/* Adds settings without a measured quality to the answer (search/lazy.h): for each setting whose quality matters, trains on the data sets that
 * lack it. */
enum dse_status dse_joint_lazily(struct dse_joint_exploration *exploration, struct dse_fates *fates, struct dse_error *err);

void dse_joint_explored_free(struct dse_joint_explored *explored);
