/* The settings that a survey compares on data without measurements, and the cost of a training run. */
#include "models/smgpu/executor/model.h"

#include "models/smgpu/executor/task.h"

static const char *const dims[] = {"", "dim=2000", "dim=4000", NULL};
static const char *const recalls[] = {"", "recall=prototypes", NULL};
static const char *const entries[] = {"", "cache.entries=64", NULL};
static const char *const keys[] = {"", "cache.bits=512", NULL};
static const char *const levels[] = {"", "levels=4", "levels=16", NULL};
static const char *const engines[] = {"", "topology=no", "rewriting=no", "spectral=no", NULL};

static const struct dse_race_axis of_sizes[] = {{dims, NULL}, {recalls, NULL}};
static const struct dse_race_axis of_features[] = {{levels, NULL}, {engines, NULL}};
static const struct dse_race_axis of_cache[] = {{entries, "recall=prototypes"}, {keys, NULL}};
static const struct dse_race_stage stages[] = {{"dimensions, recall", 0, of_sizes, 2},
                                               {"levels, engines that are left out", 2, of_features, 2},
                                               {"the cache", 2, of_cache, 2}};

/* Measured on MUTAG and NCI1. */
#define NS_GRAPH 60e3  /* per graph through the engines, plus NS_BIT per bit */
#define NS_BIT 20.0
#define NS_CORRECTED 3.0 /* per graph, bit and pass that corrects prototypes */

static double units(const struct dse_dataset *data, const struct dse_setting *words, size_t trained)
{
    struct smgpu_setting s;
    struct dse_error ignored;
    (void)data;
    if (smgpu_setting_parse(words, &s, &ignored) != DSE_OK)
        return 0.0;
    double n = (double)trained, ns = 1.25 * n * (NS_GRAPH + NS_BIT * (double)s.dim);
    if (s.recall == SMGPU_BY_PROTOTYPES)
        ns += n * (double)s.epochs * (double)s.dim * NS_CORRECTED;
    return ns * 1e-9 + 1e-3;
}

const struct dse_race_plan smgpu_race = {"paper", "recall", stages, sizeof stages / sizeof *stages,
                                        "more than 10,000 bits, other orders and times of the heat kernel, q16.16", units};
