#include "explore/race.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Student's t at 5 %, one-sided, for 1 to 9 degrees of freedom. */
static const double t_limit[DSE_RACE_SPLITS - 1] = {6.3138, 2.9200, 2.3534, 2.1318, 2.0150, 1.9432, 1.8946, 1.8595, 1.8331};

bool dse_race_lost(const double *leader, const double *other, size_t n, double overlap, bool higher_is_better)
{
    double mean = 0.0, squares = 0.0, sign = higher_is_better ? 1.0 : -1.0;
    if (n < 2 || n > DSE_RACE_SPLITS)
        return false;
    for (size_t i = 0; i < n; i++)
        mean += sign * (leader[i] - other[i]) / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (sign * (leader[i] - other[i]) - mean) * (sign * (leader[i] - other[i]) - mean);
    double error = sqrt((1.0 / (double)n + overlap) * squares / (double)(n - 1));
    return mean > 0.0 && mean > t_limit[n - 2] * error;
}

double dse_runner_mean(const struct dse_runner *runner)
{
    double sum = 0.0;
    for (size_t i = 0; i < runner->count; i++)
        sum += runner->score[i];
    return runner->count > 0 ? sum / (double)runner->count : 0.0;
}

static bool is_better(const struct dse_race *race, const struct dse_runner *a, const struct dse_runner *b)
{
    double x = dse_runner_mean(a), y = dse_runner_mean(b);
    return race->higher_is_better ? x > y : x < y;
}

size_t dse_race_leader(const struct dse_race *race)
{
    size_t leader = SIZE_MAX;
    for (size_t i = 0; i < race->count; i++) {
        const struct dse_runner *own = &race->runners[i], *other = leader != SIZE_MAX ? &race->runners[leader] : NULL;
        if (own->fate == DSE_RACE_RUNNING && own->count > 0 &&
            (other == NULL || own->count > other->count || (own->count == other->count && is_better(race, own, other))))
            leader = i;
    }
    return leader;
}

/* Those who run and lack a split, as far as the budget reaches. */
static size_t choose_round(struct dse_race *race, size_t split, size_t *which)
{
    size_t count = 0;
    for (size_t i = 0; i < race->count && !race->ended; i++) {
        struct dse_runner *runner = &race->runners[i];
        if (runner->fate != DSE_RACE_RUNNING || runner->count != split)
            continue;
        if (race->spent + runner->units > race->budget) {
            race->ended = true;
            break;
        }
        race->spent += runner->units;
        which[count++] = i;
    }
    return count;
}

/* A leader that is not as far as the others tells nothing about them: it is compared on what both have. */
static void stop_losers(struct dse_race *race)
{
    size_t best = dse_race_leader(race);
    if (best == SIZE_MAX)
        return;
    const struct dse_runner *leader = &race->runners[best];
    for (size_t i = 0; i < race->count; i++) {
        struct dse_runner *runner = &race->runners[i];
        size_t common = runner->count < leader->count ? runner->count : leader->count;
        if (i != best && runner->fate == DSE_RACE_RUNNING && common >= DSE_RACE_LEAST &&
            dse_race_lost(leader->score, runner->score, common, race->overlap, race->higher_is_better))
            runner->fate = DSE_RACE_LOST;
    }
}

enum dse_status dse_race_run(struct dse_race *race, size_t splits, struct dse_error *err)
{
    size_t *which = calloc(race->count + 1, sizeof *which);
    double *scores = calloc(race->count + 1, sizeof *scores);
    enum dse_status status = which != NULL && scores != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t split = 0; split < splits && split < DSE_RACE_SPLITS && status == DSE_OK && !race->ended; split++) {
        size_t count = choose_round(race, split, which);
        status = count > 0 ? race->measure(race->user, which, count, split, scores, err) : DSE_OK;
        for (size_t i = 0; i < count && status == DSE_OK; i++) {
            struct dse_runner *runner = &race->runners[which[i]];
            runner->score[runner->count++] = scores[i];
            race->measurements++;
        }
        if (status == DSE_OK)
            stop_losers(race);
    }
    free(which);
    free(scores);
    return status;
}

/* The last of the running of one kind, and how many run. */
static size_t last_of(const struct dse_race *race, size_t kind, size_t *running)
{
    size_t last = SIZE_MAX;
    *running = 0;
    for (size_t i = 0; i < race->count; i++) {
        const struct dse_runner *runner = &race->runners[i];
        if (runner->fate != DSE_RACE_RUNNING || runner->kind != kind)
            continue;
        ++*running;
        if (last == SIZE_MAX || runner->count == 0 || (race->runners[last].count > 0 && !is_better(race, runner, &race->runners[last])))
            last = i;
    }
    return last;
}

void dse_race_keep(struct dse_race *race, size_t keep)
{
    for (size_t i = 0; i < race->count; i++) {
        size_t running = 0, last = last_of(race, race->runners[i].kind, &running);
        for (; running > keep; last = last_of(race, race->runners[i].kind, &running))
            race->runners[last].fate = DSE_RACE_PASSED;
    }
}
