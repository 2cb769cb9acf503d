#include "dse/evaluating.h"

#include <stdlib.h>

#include "core/parallel.h"

#define POINTS 32 /* of a thread at a time */

/* What all points with one algorithmic setting have in common, found and prepared once. */
struct common {
    const struct dse_config *config;
    struct dse_setup setup; /* with the prepared workload where a point that is wanted has this setting */
    const struct dse_quality *quality;
};

struct run {
    const struct dse_evaluating *asked;
    struct dse_setup *setups;
    struct dse_estimate *estimates;
    struct common *commons;
    size_t common_count;
    dse_knob_set algorithmic;
};

static bool is_wanted(const struct run *run, size_t point)
{
    return run->asked->wanted == NULL || run->asked->wanted[point];
}

static bool is_alike(const struct run *run, const struct dse_config *a, const struct dse_config *b)
{
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        if ((run->algorithmic >> k & 1) != 0 && a->value[k] != b->value[k])
            return false;
    return true;
}

static enum dse_status find_common(struct run *run, const struct dse_config *config, struct common **out,
                                   struct dse_error *err)
{
    const struct dse_evaluating *asked = run->asked;
    for (size_t i = run->common_count; i > 0; i--)
        if (is_alike(run, run->commons[i - 1].config, config)) {
            *out = &run->commons[i - 1];
            return DSE_OK;
        }
    *out = &run->commons[run->common_count];
    DSE_TRY(dse_workbench_setup(asked->bench, asked->board, asked->profile, config, &(*out)->setup, err));
    (*out)->config = config;
    (*out)->quality = dse_profile_quality_of(asked->bench->space, asked->profile, config);
    run->common_count++;
    return DSE_OK;
}

static enum dse_status set_up(struct run *run, size_t point, struct dse_reported *reported, struct dse_error *err)
{
    struct common *common = NULL;
    DSE_TRY(find_common(run, &run->asked->answer->front[point].config, &common, err));
    if (is_wanted(run, point) && common->setup.work == NULL)
        DSE_TRY(common->setup.family->prepare(common->setup.workload, &common->setup.work, err));
    run->setups[point] = common->setup;
    *reported = (struct dse_reported){&run->setups[point], run->asked->profile->dataset, &run->estimates[point],
                                      common->quality, 0};
    return DSE_OK;
}

static enum dse_status estimate_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct run *run = user;
    size_t last = (index + 1) * POINTS < run->asked->answer->front_count ? (index + 1) * POINTS
                                                                          : run->asked->answer->front_count;
    for (size_t i = index * POINTS; i < last; i++)
        if (is_wanted(run, i))
            DSE_TRY(dse_estimate_make(&run->setups[i], &run->asked->answer->front[i].config, &run->estimates[i], err));
    return DSE_OK;
}

enum dse_status dse_evaluating_run(const struct dse_evaluating *evaluating, struct dse_setup *setups,
                                   struct dse_estimate *estimates, struct dse_reported *reported, struct dse_error *err)
{
    size_t count = evaluating->answer->front_count;
    struct run run = {.asked = evaluating, .setups = setups, .estimates = estimates,
                      .commons = calloc(count + 1, sizeof *run.commons),
                      .algorithmic = dse_space_of_kind(evaluating->bench->space, DSE_KNOB_ALGORITHMIC)};
    enum dse_status status = run.commons != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = set_up(&run, i, &reported[i], err);
    if (status == DSE_OK)
        status = dse_parallel_for((count + POINTS - 1) / POINTS, evaluating->jobs, estimate_some, &run, NULL, err);
    for (size_t i = 0; i < count; i++)
        setups[i].work = NULL;
    for (size_t i = 0; run.commons != NULL && i < run.common_count; i++)
        if (run.commons[i].setup.work != NULL)
            evaluating->bench->family->release(run.commons[i].setup.work);
    free(run.commons);
    return status;
}
