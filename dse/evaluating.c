#include "dse/evaluating.h"

#include <stdlib.h>

#include "core/parallel.h"

#define POINTS 32 /* of a thread at a time */

struct run {
    const struct dse_evaluating *asked;
    struct dse_setup *setups;
    struct dse_estimate *estimates;
    /* Workloads as the family prepares them, each once. */
    struct prepared {
        const struct dse_workload *workload;
        void *work;
    } *prepared;
    size_t prepared_count;
};

static bool is_wanted(const struct run *run, size_t point)
{
    return run->asked->wanted == NULL || run->asked->wanted[point];
}

static enum dse_status prepare(struct run *run, struct dse_setup *setup, struct dse_error *err)
{
    for (size_t i = 0; i < run->prepared_count; i++)
        if (run->prepared[i].workload == setup->workload) {
            setup->work = run->prepared[i].work;
            return DSE_OK;
        }
    struct prepared *next = &run->prepared[run->prepared_count];
    enum dse_status status = setup->family->prepare(setup->workload, &next->work, err);
    if (status != DSE_OK)
        return status;
    next->workload = setup->workload;
    setup->work = next->work;
    run->prepared_count++;
    return DSE_OK;
}

static enum dse_status estimate_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct run *run = user;
    size_t last = (index + 1) * POINTS < run->asked->answer->front_count ? (index + 1) * POINTS
                                                                          : run->asked->answer->front_count;
    enum dse_status status = DSE_OK;
    for (size_t i = index * POINTS; i < last && status == DSE_OK; i++)
        if (is_wanted(run, i))
            status = dse_estimate_make(&run->setups[i], &run->asked->answer->front[i].config, &run->estimates[i], err);
    return status;
}

enum dse_status dse_evaluating_run(const struct dse_evaluating *evaluating, struct dse_setup *setups,
                                   struct dse_estimate *estimates, struct dse_error *err)
{
    size_t count = evaluating->answer->front_count;
    struct run run = {.asked = evaluating, .setups = setups, .estimates = estimates,
                      .prepared = calloc(count + 1, sizeof *run.prepared)};
    enum dse_status status = run.prepared != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        status = dse_workbench_setup(evaluating->bench, evaluating->board, evaluating->profile,
                                     &evaluating->answer->front[i].config, &setups[i], err);
        if (status == DSE_OK && is_wanted(&run, i))
            status = prepare(&run, &setups[i], err);
    }
    if (status == DSE_OK)
        status = dse_parallel_for((count + POINTS - 1) / POINTS, evaluating->jobs, estimate_some, &run, NULL, err);
    for (size_t i = 0; i < count; i++)
        setups[i].work = NULL;
    for (size_t i = 0; i < run.prepared_count; i++)
        evaluating->bench->family->release(run.prepared[i].work);
    free(run.prepared);
    return status;
}
