/* The errors of a design's figures, and their effect on an answer.
 *
 * Errors are drawn at random. An engine's cycles use the errors of the level at which its loops were validated. A term of power uses the band of its
 * cost entries, and a setting's quality its standard error. The whole latency uses the errors against published builds. A shared error is drawn once.
 * Designs with an engine in the same form share its error. Designs of a board share the errors of power and of the whole latency. Designs of a
 * setting share the error of the quality. docs/explanation/answer.md has the table with its sources. */
#pragma once

#include "models/estimate.h"
#include "search/question.h"

#define DSE_BANDS_DRAWS 200
#define DSE_BANDS_POINTS 1000 /* larger fronts get no probabilities */

/* Subject of a band. KERNEL: the kernel alone, as far as schedules, RTL or builds have tested its cycles. SYSTEM: the kernel on a board, by the
 * largest error of this estimation path against published builds, so that none of them lies outside its band. */
enum dse_bands_scope { DSE_BANDS_KERNEL, DSE_BANDS_SYSTEM };

/* Ends of a metric's band, from independent causes: cost entries, engines' cycles (for times and energy) and, on a board, published builds. A
 * described family uses its constants instead. False, and NaN, if no error is known. This is the case for cycles
 * that only a simulation confirms, because it implements the same page as the models. It is also the case for a board on which nobody built the family, and for times and
 * energy of a partly assumed workload. */
bool dse_bands_ends(const struct dse_model_family *family, enum dse_bands_scope scope, enum dse_metric metric,
                    const struct dse_estimate *estimate, double *low, double *high);

/* The band on a board if known, otherwise the kernel's; false, and NaN, if neither is known. */
bool dse_bands_known(const struct dse_model_family *family, enum dse_metric metric, const struct dse_estimate *estimate, double *low,
                     double *high);

/* Whether a validated error of the family applies to designs of this configuration: of published builds, only if they have its form. */
bool dse_error_applies(const struct dse_model_family *family, const struct dse_config *config, const struct dse_model_error *error);

struct dse_bands_of {
    const struct dse_estimate *estimate;
    const struct dse_quality *quality; /* NULL: not measured */
    double chance; /* out: share of draws in which no other design is better in every objective; never 0 */
    double regret; /* out: maximum over the draws of the regretted value, as a ratio to the least value among the designs that take part */
    bool takes_part; /* in the regret */
};

/* Objective of a choice by regret: a product of metrics (inverted if higher is better). */
struct dse_bands_regret {
    enum dse_metric metrics[2];
    size_t count;
};

/* Fills in chance and regret. Independent of the order of the designs, except for equal ones, and of `jobs`. At most DSE_BANDS_POINTS
 * designs; O(draws × designs²). */
enum dse_status dse_bands_draw(const struct dse_question *question, const struct dse_bands_regret *regret, uint64_t seed,
                               struct dse_bands_of *designs, size_t count, struct dse_error *err);
