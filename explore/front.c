#include "explore/front.h"

#include <math.h>
#include <stdlib.h>

#include "core/parallel.h"

/* ---- order ---- */

struct balanced {
    double score;
    size_t index;
};

static int compare_balanced(const void *a, const void *b)
{
    const struct balanced *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* How many times worse than the best: at least 1 for positive metrics. A metric of 0 (no URAM at all) is counted
 * from 1 up, so that zero is best and stays finite. */
static double times_worse(enum dse_metric metric, double value, double best)
{
    if (dse_metrics[metric].resource >= 0)
        return (value + 1.0) / (best + 1.0);
    return dse_metrics[metric].higher_is_better ? best / value : value / best;
}

void dse_front_balance(const struct dse_question *question, const struct dse_answer *answer, size_t *order)
{
    struct balanced *scores = calloc(answer->front_count + 1, sizeof *scores);
    for (size_t i = 0; i < answer->front_count; i++) {
        order[i] = i;
        if (scores != NULL)
            scores[i].index = i;
    }
    if (scores == NULL)
        return; /* the front's own order is an order too */
    for (size_t o = 0; o < question->objective_count; o++) {
        enum dse_metric metric = question->objectives[o];
        double best = NAN;
        for (size_t i = 0; i < answer->front_count; i++) {
            double value = answer->front[i].metrics[metric];
            if (isnan(best) || (dse_metrics[metric].higher_is_better ? value > best : value < best))
                best = value;
        }
        for (size_t i = 0; i < answer->front_count; i++)
            scores[i].score += log(times_worse(metric, answer->front[i].metrics[metric], best));
    }
    qsort(scores, answer->front_count, sizeof *scores, compare_balanced);
    for (size_t i = 0; i < answer->front_count; i++)
        order[i] = scores[i].index;
    free(scores);
}

size_t dse_front_picked(size_t count, size_t shown, size_t row)
{
    return shown > 1 ? row * (count - 1) / (shown - 1) : 0;
}

/* ---- estimates ---- */

#define POINTS 32 /* of a thread at a time */

/* What all points with one algorithmic setting have in common, found and prepared once. */
struct common {
    const struct dse_config *config;
    struct dse_setup setup; /* with the prepared workload where a point that is wanted has this setting */
    const struct dse_quality *quality;
};

struct estimating {
    const struct dse_workbench *bench;
    size_t board;
    const struct dse_profile *profile;
    const struct dse_answer *answer;
    struct dse_front *front;
    bool *wanted;
    struct common *commons;
    size_t common_count;
    dse_knob_set algorithmic;
};

static bool is_alike(const struct estimating *e, const struct dse_config *a, const struct dse_config *b)
{
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        if ((e->algorithmic >> k & 1) != 0 && a->value[k] != b->value[k])
            return false;
    return true;
}

static enum dse_status find_common(struct estimating *e, const struct dse_config *config, struct common **out,
                                   struct dse_error *err)
{
    for (size_t i = e->common_count; i > 0; i--)
        if (is_alike(e, e->commons[i - 1].config, config)) {
            *out = &e->commons[i - 1];
            return DSE_OK;
        }
    *out = &e->commons[e->common_count];
    DSE_TRY(dse_workbench_setup(e->bench, e->board, e->profile, config, &(*out)->setup, err));
    (*out)->config = config;
    (*out)->quality = dse_profile_quality_of(e->bench->space, e->profile, config);
    e->common_count++;
    return DSE_OK;
}

static enum dse_status set_up(struct estimating *e, size_t point, struct dse_error *err)
{
    struct common *common = NULL;
    DSE_TRY(find_common(e, &e->answer->front[point].config, &common, err));
    if (e->wanted[point] && common->setup.work == NULL)
        DSE_TRY(common->setup.family->prepare(common->setup.workload, &common->setup.work, err));
    e->front->setups[point] = common->setup;
    e->front->designs[point] = (struct dse_design){&e->front->setups[point], e->profile->dataset,
                                                   &e->front->estimates[point], common->quality, 0};
    return DSE_OK;
}

static enum dse_status estimate_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct estimating *e = user;
    for (size_t i = index * POINTS; i < e->front->count && i < (index + 1) * POINTS; i++)
        if (e->wanted[i])
            DSE_TRY(dse_estimate_make(&e->front->setups[i], &e->answer->front[i].config, &e->front->estimates[i], err));
    return DSE_OK;
}

static enum dse_status estimate(struct estimating *e, size_t jobs, struct dse_error *err)
{
    for (size_t i = 0; i < e->front->count; i++)
        DSE_TRY(set_up(e, i, err));
    return dse_parallel_for((e->front->count + POINTS - 1) / POINTS, jobs, estimate_some, e, NULL, err);
}

enum dse_status dse_front_make(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                               const struct dse_question *question, const struct dse_answer *answer, size_t best,
                               size_t shown, struct dse_front *front, struct dse_error *err)
{
    size_t count = answer->front_count;
    *front = (struct dse_front){calloc(count + 1, sizeof *front->setups), calloc(count + 1, sizeof *front->estimates),
                                calloc(count + 1, sizeof *front->designs), calloc(count + 1, sizeof *front->order), count};
    struct estimating e = {.bench = bench, .board = board, .profile = profile, .answer = answer, .front = front,
                           .wanted = calloc(count + 1, sizeof *e.wanted), .commons = calloc(count + 1, sizeof *e.commons),
                           .algorithmic = dse_space_of_kind(bench->space, DSE_KNOB_ALGORITHMIC)};
    enum dse_status status = DSE_OK;
    if (front->setups == NULL || front->estimates == NULL || front->designs == NULL || front->order == NULL ||
        e.wanted == NULL || e.commons == NULL) {
        status = dse_fail_memory(err);
    } else {
        dse_front_balance(question, answer, front->order);
        size_t rows = shown == 0 || shown > count ? count : shown;
        for (size_t i = 0; i < rows; i++)
            e.wanted[dse_front_picked(count, rows, i)] = true;
        for (size_t i = 0; i < count && i < best; i++)
            e.wanted[front->order[i]] = true;
        status = estimate(&e, question->jobs, err);
    }
    for (size_t i = 0; i < e.common_count; i++)
        if (e.commons[i].setup.work != NULL)
            bench->family->release(e.commons[i].setup.work);
    for (size_t i = 0; front->setups != NULL && i < count; i++)
        front->setups[i].work = NULL;
    free(e.commons);
    free(e.wanted);
    return status;
}

void dse_front_free(struct dse_front *front)
{
    free(front->setups);
    free(front->estimates);
    free(front->designs);
    free(front->order);
    *front = (struct dse_front){0};
}
