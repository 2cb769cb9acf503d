/* The settings that a survey compares on data without measurements, and the cost of a training run. */
#include "models/hydraf/executor/model.h"

#include "models/hydraf/executor/parameters.h"

static const char *const dims[] = {"", "dim=512", "dim=1024", NULL};
static const char *const clusters[] = {"", "clusters=2", "clusters=4", NULL};
static const char *const precisions[] = {"", "precision=int16", "precision=fp32", NULL};
static const char *const sharpness[] = {"", "sharpness=0.5", "sharpness=2", NULL};
static const char *const batches[] = {"", "batch=1", "batch=32", NULL};

static const struct dse_race_axis of_sizes[] = {{dims, NULL}, {clusters, NULL}};
static const struct dse_race_axis of_learning[] = {{sharpness, NULL}, {batches, NULL}};
static const struct dse_race_axis of_precisions[] = {{precisions, NULL}};
static const struct dse_race_stage stages[] = {{"dimensions, clusters", 0, of_sizes, 2},
                                               {"sharpness, batches", 2, of_learning, 2},
                                               {"precisions", 2, of_precisions, 1}};

#define NS_ELEMENT 1.0 /* per row, element, cluster and pass, measured on the airfoil table */

static double units(const struct dse_dataset *data, const struct dse_setting *words, size_t trained)
{
    struct hydraf_setting s;
    struct dse_error ignored;
    (void)data;
    if (hydraf_setting_parse(words, &s, &ignored) != DSE_OK)
        return 0.0;
    return NS_ELEMENT * 1e-9 * (double)trained * (double)s.dim * (double)s.clusters * (double)s.epochs + 1e-3;
}

const struct dse_race_plan hydraf_race = {"paper", NULL, stages, sizeof stages / sizeof *stages,
                                        "more than 2048 dimensions and 8 clusters, learning rates, equal sharing, rounding to nearest", units};
