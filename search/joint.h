/* One design for several data sets.
 *
 * The data sets share the hardware, each with its own model. A block is sized for the most demanding
 * data set, resource by resource, and takes the time and the energy of the data set that runs. Each metric is the
 * mean, the weighted mean or the worst of the data sets.
 *
 * The exact merge answers the mean, and weights that are whole multiples of a thousandth or more, as the sum of running
 * each data set so often (times, energies and bytes add up). For the worst and other weights it compares the time and energy of each data set
 * separately. Integer programs answer means of quantities that add up. Power (a ratio) and more than DSE_SETS_MAX data sets go to the
 * heuristic, or to a visit of every design if the question is small. */
#pragma once

#include "search/heuristic.h"
#include "search/ilp.h"
#include "search/search.h"
#include "search/why.h"

enum dse_joining { DSE_JOIN_MEAN, DSE_JOIN_WORST, DSE_JOIN_WEIGHTED };
extern const char *const dse_joining_names[]; /* "mean", "worst", "weighted", and a NULL */

/* The data sets of one question. Alternative `a` of the question is the setting sets[i].alternatives[a] of data set i. */
struct dse_joint_set {
    const struct dse_alternative *alternatives;
    double weight; /* above 0; counts for DSE_JOIN_WEIGHTED alone */
};

struct dse_joint;

/* Prepares the data sets' workloads. `question` and `sets` (count, with the question's alternative_count each) stay where
 * they are. */
enum dse_status dse_joint_create(const struct dse_question *question, enum dse_joining how,
                                       const struct dse_joint_set *sets, size_t count,
                                       struct dse_joint **out, struct dse_error *err);
void dse_joint_free(struct dse_joint *combination);
static inline void dse_joint_free_at(struct dse_joint **combination) /* for DSE_CLEANUP */
{
    dse_joint_free(*combination);
}

/* Weights of one ratio become the same numbers, so that what is combined by them is to the last bit: whole ones without a common divisor where
 * there are such up to 1000 in all, else shares of the largest; all 1 where they do not count. Returns the sum of whole ones, else 0. */
int64_t dse_joint_reduce(enum dse_joining how, double *weights, size_t count);

/* The sum of numbers, whatever their order: the least is added first. Sorts them. O(count²). */
double dse_joint_sum(double *terms, size_t count);

/* Combines values of a metric, at least two and as many as a question may have data sets; their order does not matter. */
double dse_joint_values(enum dse_joining how, enum dse_metric metric, const double *values, const double *weights,
                          size_t count);

/* The configuration that data set `set` runs at a point: the point's, with its own setting. */
void dse_joint_config(const struct dse_joint *combination, const struct dse_point *point, size_t set,
                            struct dse_config *out);

/* Judges a configuration at an alternative: `user` is the combination. Fills the platform, the sums that resources are held
 * against, and the combined metrics, or says that it cannot be built. */
enum dse_status dse_joint_evaluate(void *user, const struct dse_config *config, size_t alternative,
                                         struct dse_platform *platform, struct dse_accumulators *sums,
                                         double metrics[DSE_METRIC_COUNT], struct dse_refusal *refusal,
                                         struct dse_error *err);

/* Whether the exact merge takes it. */
bool dse_joint_merges(const struct dse_joint *combination);

/* The front by the exact merge. DSE_LIMIT where a design has too many numbers to compare. */
enum dse_status dse_joint_exact(const struct dse_joint *combination, struct dse_answer *answer, struct dse_error *err);

/* As dse_why_make(), for one design for all data sets. If the exact merge does not cover the question, every design is visited, and
 * narrowed knobs are not given as reasons. */
enum dse_status dse_joint_why(const struct dse_joint *combination, const struct dse_space *whole, double seconds, struct dse_why *out,
                              struct dse_error *err);

/* Whether integer programs can answer it: the mean of one metric that is no ratio (power, throughput), not the worst case; cycles
 * only if the weights are in a ratio of whole numbers. */
bool dse_joint_programs(const struct dse_joint *combination);

/* The best design by integer programs, as dse_search_ilp() finds that of one data set. */
enum dse_status dse_joint_ilp(const struct dse_joint *combination, struct dse_optimum *out, struct dse_error *err);

/* The front by the heuristic, never proven; or by a visit of every design, proven, with DSE_LIMIT where there are more than
 * `most`. */
enum dse_status dse_joint_search(const struct dse_joint *combination, const struct dse_effort *effort,
                                    struct dse_answer *answer, struct dse_error *err);
enum dse_status dse_joint_visit(const struct dse_joint *combination, uint64_t most, struct dse_answer *answer,
                                   struct dse_error *err);
