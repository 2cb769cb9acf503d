/* One design for several data sets.
 *
 * The data sets share the hardware, each with its own model. A block is sized for the most demanding data set, resource by resource. Its
 * time and energy are those of the data set that runs. Each metric is the mean, the weighted mean or the worst of the data sets.
 *
 * The exact merge answers the mean, and weights that are whole multiples of a thousandth or more. It sums that many runs of each data set (times,
 * energies and bytes add up). For the worst and other weights it compares the time and energy of each data set separately. Integer programs answer
 * means of quantities that add up. Power (a ratio) and more than DSE_SETS_MAX data sets go to the heuristic, or to a visit of every design if the
 * question is small. */
#pragma once

#include "search/heuristic.h"
#include "search/ilp.h"
#include "search/search.h"
#include "search/why.h"

enum dse_joining { DSE_JOIN_MEAN, DSE_JOIN_WORST, DSE_JOIN_WEIGHTED };
extern const char *const dse_joining_names[]; /* "mean", "worst", "weighted", and a NULL */

/* Data sets of one question. Alternative `a` of the question is setting sets[i].alternatives[a] of data set i. */
struct dse_joint_set {
    const struct dse_alternative *alternatives;
    double weight; /* above 0; used only for DSE_JOIN_WEIGHTED */
};

struct dse_joint;

/* Prepares the data sets' workloads. `question` and `sets` (count, each with the question's alternative_count) must stay in
 * place. */
enum dse_status dse_joint_create(const struct dse_question *question, enum dse_joining how,
                                       const struct dse_joint_set *sets, size_t count,
                                       struct dse_joint **out, struct dse_error *err);
void dse_joint_free(struct dse_joint *combination);
static inline void dse_joint_free_at(struct dse_joint **combination) /* for DSE_CLEANUP */
{
    dse_joint_free(*combination);
}

/* Normalises weights so that equal ratios give bitwise equal results. The weights become coprime integers if their sum is then at most 1000,
 * otherwise shares of the largest; all become 1 if `how` uses none. Returns the sum of integer weights, otherwise 0. */
int64_t dse_joint_reduce(enum dse_joining how, double *weights, size_t count);

/* Sum independent of the order: adds the smallest first. Sorts `terms`. O(count²). */
double dse_joint_sum(double *terms, size_t count);

/* Combines the values of a metric, from 2 to the maximum number of data sets, independently of their order. */
double dse_joint_values(enum dse_joining how, enum dse_metric metric, const double *values, const double *weights,
                          size_t count);

/* The configuration that data set `set` runs at a point: the point's, with the data set's own setting. */
void dse_joint_config(const struct dse_joint *combination, const struct dse_point *point, size_t set,
                            struct dse_config *out);

/* Judges a configuration at an alternative; `user` is the combination. Fills the platform, the sums compared with
 * resource limits, and the combined metrics, or reports that it cannot be built. */
enum dse_status dse_joint_evaluate(void *user, const struct dse_config *config, size_t alternative,
                                         struct dse_platform *platform, struct dse_accumulators *sums,
                                         double metrics[DSE_METRIC_COUNT], struct dse_rejection *rejection,
                                         struct dse_error *err);

/* Whether the exact merge supports the combination. */
bool dse_joint_merges(const struct dse_joint *combination);

/* Front by the exact merge. DSE_LIMIT if a design has too many numbers to compare. */
enum dse_status dse_joint_exact(const struct dse_joint *combination, struct dse_answer *answer, struct dse_error *err);

/* As dse_why_make(), for one design for all data sets. If the exact merge does not cover the question, every design is visited, and
 * narrowed knobs are not given as reasons. */
enum dse_status dse_joint_why(const struct dse_joint *combination, const struct dse_space *whole, double seconds, struct dse_why *out,
                              struct dse_error *err);

/* Whether integer programs can answer it: the mean of one metric that is no ratio (power, throughput), but not the worst case. Cycles only if the
 * weights are in a ratio of whole numbers. */
bool dse_joint_programs(const struct dse_joint *combination);

/* The best design by integer programs, as dse_search_ilp() for one data set. */
enum dse_status dse_joint_ilp(const struct dse_joint *combination, struct dse_optimum *out, struct dse_error *err);

/* Front by the heuristic, never proven; or by visiting every design, proven, with DSE_LIMIT for more than
 * `most` designs. */
enum dse_status dse_joint_search(const struct dse_joint *combination, const struct dse_effort *effort,
                                    struct dse_answer *answer, struct dse_error *err);
enum dse_status dse_joint_visit(const struct dse_joint *combination, uint64_t most, struct dse_answer *answer,
                                   struct dse_error *err);
