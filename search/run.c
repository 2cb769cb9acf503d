#include "search/run.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/parallel.h"

struct dse_run_state {
    const struct dse_question *question;
    struct dse_plan plan;
    void **work; /* an alternative's prepared workload each */
    dse_slice_method *method;
    size_t slices;
    struct dse_slice_place {
        size_t unlike, index;
    } *order; /* slices: those most like the base configuration first, whose designs rule out much of the rest */
    pthread_mutex_t lock; /* guards the members below */
    struct dse_archive archive;
    struct dse_answer *answer;
    size_t done, refusal_slice;
};

enum dse_status dse_slice_offer(const struct dse_question *question, const struct dse_plan *plan,
                                const struct dse_slice *slice, const uint32_t *rows,
                                const struct dse_accumulators *sums, struct dse_slice_result *result,
                                struct dse_error *err)
{
    struct dse_point point;
    result->evaluated++;
    if (!dse_fits(&slice->platform, sums, NULL))
        return DSE_OK;
    dse_slice_metrics(question, slice, sums, point.metrics);
    if (!dse_limits_hold(question, point.metrics))
        return DSE_OK;
    result->feasible++;
    double costs[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < question->objective_count; o++)
        costs[o] = dse_objective_cost(question->objectives[o], point.metrics);
    if (dse_archive_dominates(&result->archive, costs))
        return DSE_OK;
    dse_slice_config(plan, slice, rows, &point.config);
    dse_config_canonical(question->space, &point.config);
    point.alternative = slice->alternative;
    return dse_archive_insert(&result->archive, &point, err);
}

enum dse_status dse_run_known(const struct dse_slice_result *result, double **costs, size_t *count,
                              struct dse_error *err)
{
    pthread_mutex_lock(&result->run->lock);
    const struct dse_archive *archive = &result->run->archive;
    size_t bytes = archive->count * archive->objective_count * sizeof **costs;
    *count = archive->count;
    *costs = malloc(bytes + sizeof **costs);
    if (*costs != NULL && bytes > 0)
        memcpy(*costs, archive->costs, bytes);
    pthread_mutex_unlock(&result->run->lock);
    return *costs != NULL ? DSE_OK : dse_fail_memory(err);
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Takes a slice's result into the whole answer. */
static enum dse_status absorb(struct dse_run_state *run, size_t index, const struct dse_slice *slice,
                              const struct dse_slice_result *result, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    pthread_mutex_lock(&run->lock);
    run->answer->space_size = add_saturating(run->answer->space_size, slice->size);
    run->answer->evaluated = add_saturating(run->answer->evaluated, result->evaluated);
    run->answer->feasible = add_saturating(run->answer->feasible, result->feasible);
    run->answer->unbuildable += slice->unbuildable;
    if (slice->unbuildable > 0 && index < run->refusal_slice) {
        run->refusal_slice = index; /* the first slice's words, whichever thread comes first */
        memcpy(run->answer->refusal, slice->refusal, sizeof slice->refusal);
    }
    for (size_t i = 0; i < result->archive.count && status == DSE_OK; i++)
        status = dse_archive_insert(&run->archive, &result->archive.points[i], err);
    dse_monitor_progress(run->question->monitor, "slices", ++run->done, run->slices);
    pthread_mutex_unlock(&run->lock);
    return status;
}

static enum dse_status run_slice(void *user, size_t place, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct dse_run_state *run = user;
    size_t index = run->order[place].index;
    const struct dse_question *question = run->question;
    struct dse_slice *slice = malloc(sizeof *slice);
    if (slice == NULL)
        return dse_fail_memory(err);
    const void *work = run->work[index / run->plan.slices_per_alternative];
    enum dse_status status = dse_slice_make(question, &run->plan, index, work, slice, err);
    if (status == DSE_OK) {
        struct dse_slice_result result = {.run = run};
        dse_archive_init(&result.archive, question->objectives, question->objective_count);
        if (slice->size > 0)
            status = run->method(question, &run->plan, slice, &result, err);
        if (status == DSE_OK)
            status = absorb(run, index, slice, &result, err);
        dse_archive_free(&result.archive);
        dse_slice_free(&run->plan, slice);
    }
    free(slice);
    return status;
}

static void release_work(struct dse_run_state *run)
{
    for (size_t a = 0; run->work != NULL && a < run->question->alternative_count; a++)
        if (run->work[a] != NULL)
            run->question->family->release(run->work[a]);
    free(run->work);
}

static enum dse_status prepare_work(struct dse_run_state *run, struct dse_error *err)
{
    const struct dse_question *question = run->question;
    run->work = calloc(question->alternative_count + 1, sizeof *run->work);
    if (run->work == NULL)
        return dse_fail_memory(err);
    enum dse_status status = DSE_OK;
    for (size_t a = 0; a < question->alternative_count && status == DSE_OK; a++)
        status = question->family->prepare(question->alternatives[a].workload, &run->work[a], err);
    return status;
}

static int compare_places(const void *a, const void *b)
{
    const struct dse_slice_place *x = a, *y = b;
    if (x->unlike != y->unlike)
        return x->unlike < y->unlike ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static enum dse_status order_slices(struct dse_run_state *run, struct dse_error *err)
{
    const struct dse_question *question = run->question;
    run->slices = (size_t)run->plan.slices_per_alternative * question->alternative_count;
    run->order = calloc(run->slices + 1, sizeof *run->order);
    if (run->order == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < run->slices; i++) {
        struct dse_config config;
        dse_slice_fixed(question, &run->plan, i, &config);
        run->order[i].index = i;
        for (size_t f = 0; f < run->plan.fixed_count; f++)
            run->order[i].unlike += config.value[run->plan.fixed[f]] != question->base.value[run->plan.fixed[f]];
    }
    qsort(run->order, run->slices, sizeof *run->order, compare_places);
    return DSE_OK;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum dse_status dse_search_run(const struct dse_question *question, dse_slice_method *method,
                               struct dse_answer *answer, struct dse_error *err)
{
    double start = seconds_now();
    *answer = (struct dse_answer){0};
    struct dse_run_state run = {.question = question, .method = method, .answer = answer, .refusal_slice = SIZE_MAX};
    dse_archive_init(&run.archive, question->objectives, question->objective_count);
    pthread_mutex_init(&run.lock, NULL);
    enum dse_status status = dse_plan_make(question, &run.plan, err);
    if (status == DSE_OK)
        status = prepare_work(&run, err);
    if (status == DSE_OK)
        status = order_slices(&run, err);
    if (status == DSE_OK)
        status = dse_parallel_for(run.slices, question->jobs, run_slice, &run, question->monitor, err);
    release_work(&run);
    free(run.order);
    pthread_mutex_destroy(&run.lock);
    dse_archive_sort(&run.archive);
    answer->front = run.archive.points;
    answer->front_count = run.archive.count;
    answer->proven = status == DSE_OK;
    answer->seconds = seconds_now() - start;
    run.archive.points = NULL;
    dse_archive_free(&run.archive);
    if (status == DSE_OK && answer->front_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "no configuration of the %llu that the question admits is feasible",
                        (unsigned long long)answer->space_size);
    return status;
}

void dse_answer_free(struct dse_answer *answer)
{
    free(answer->front);
    *answer = (struct dse_answer){0};
}
