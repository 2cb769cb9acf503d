#include "explore/race.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"

/* Student's t at 5 %, one-sided, for 1 to 19 degrees of freedom. */
static const double t_limit[] = {6.3138, 2.9200, 2.3534, 2.1318, 2.0150, 1.9432, 1.8946, 1.8595, 1.8331, 1.8125,
                                 1.7959, 1.7823, 1.7709, 1.7613, 1.7531, 1.7459, 1.7396, 1.7341, 1.7291};
#define PRIOR_FREEDOM 10.0 /* maximum weight of the others' variance: their differences are similar, not equal */

static double signed_difference(const double *leader, const double *other, size_t i, bool higher_is_better)
{
    return higher_is_better ? leader[i] - other[i] : other[i] - leader[i];
}

bool dse_race_lost(const double *leader, const double *other, size_t n, double overlap, bool higher_is_better,
                   const struct dse_race_spread *others)
{
    double mean = 0.0, squares = 0.0, known = others != NULL ? fmin(others->freedom, PRIOR_FREEDOM) : 0.0;
    if (n < 2 || n > DSE_RACE_SPLITS)
        return false;
    for (size_t i = 0; i < n; i++)
        mean += signed_difference(leader, other, i, higher_is_better) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = signed_difference(leader, other, i, higher_is_better) - mean;
        squares += off * off;
    }
    double freedom = known + (double)(n - 1), variance = (squares + (known > 0.0 ? known * others->variance : 0.0)) / freedom;
    return mean > 0.0 && mean > t_limit[(size_t)freedom - 1] * sqrt((1.0 / (double)n + overlap) * variance);
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

/* Mean of the first `n` scores, with the sign so that larger is better. */
static double mean_of(const struct dse_runner *runner, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += runner->score[i];
    return sum / (double)n;
}

static double merit(const struct dse_race *race, const struct dse_runner *runner, size_t n)
{
    return race->higher_is_better ? mean_of(runner, n) : -mean_of(runner, n);
}

static bool takes_part(const struct dse_runner *runner, size_t n)
{
    return runner->fate == DSE_RACE_RUNNING && runner->count >= n;
}

/* Scatter of the differences between the running settings on the first `n` splits. It is the residual of the scores without setting and split effects
 * (two-way analysis of variance), doubled for a difference. */
static struct dse_race_spread spread_of(const struct dse_race *race, size_t n)
{
    double of_split[DSE_RACE_SPLITS] = {0}, whole = 0.0, squares = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < race->count; i++)
        count += takes_part(&race->runners[i], n);
    if (count < 3 || n < 2)
        return (struct dse_race_spread){0};
    for (size_t i = 0; i < race->count; i++)
        for (size_t s = 0; s < n && takes_part(&race->runners[i], n); s++)
            of_split[s] += race->runners[i].score[s] / (double)count;
    for (size_t s = 0; s < n; s++)
        whole += of_split[s] / (double)n;
    for (size_t i = 0; i < race->count; i++)
        for (size_t s = 0; s < n && takes_part(&race->runners[i], n); s++) {
            double off = race->runners[i].score[s] - mean_of(&race->runners[i], n) - of_split[s] + whole;
            squares += off * off;
        }
    return (struct dse_race_spread){2.0 * squares / (double)((count - 1) * (n - 1)), (double)((count - 2) * (n - 1))};
}

/* Stops settings that lost. A leader with fewer splits than the others is compared on the common splits. */
static void stop_losers(struct dse_race *race, size_t splits)
{
    size_t best = dse_race_leader(race);
    if (best == SIZE_MAX || splits < DSE_RACE_LEAST)
        return;
    const struct dse_runner *leader = &race->runners[best];
    const struct dse_race_spread spread = spread_of(race, splits);
    for (size_t i = 0; i < race->count; i++) {
        struct dse_runner *runner = &race->runners[i];
        size_t common = runner->count < leader->count ? runner->count : leader->count;
        if (i != best && runner->fate == DSE_RACE_RUNNING && common >= DSE_RACE_LEAST &&
            dse_race_lost(leader->score, runner->score, common, race->overlap, race->higher_is_better, &spread))
            runner->fate = DSE_RACE_LOST;
    }
}

/* ---- the budget ---- */

/* Rank of a runner within its kind on the first `n` splits: kinds alternate. */
static size_t turn_of(const struct dse_race *race, size_t which, size_t n)
{
    const struct dse_runner *own = &race->runners[which];
    size_t turn = 0;
    for (size_t i = 0; i < race->count; i++) {
        const struct dse_runner *other = &race->runners[i];
        bool before = takes_part(other, n) && other->kind == own->kind &&
                      (merit(race, other, n) > merit(race, own, n) || (merit(race, other, n) == merit(race, own, n) && i < which));
        turn += i != which && before;
    }
    return turn;
}

/* Running settings with `n` scores: the best of each kind, then the second of each, …; within a round the better first. */
static size_t rank(const struct dse_race *race, size_t n, size_t *order, size_t *turns)
{
    size_t count = 0;
    for (size_t i = 0; i < race->count; i++) {
        if (!takes_part(&race->runners[i], n))
            continue;
        size_t place = count++;
        turns[i] = turn_of(race, i, n);
        for (; place > 0; place--) {
            size_t before = order[place - 1];
            if (turns[before] < turns[i] ||
                (turns[before] == turns[i] && merit(race, &race->runners[before], n) >= merit(race, &race->runners[i], n)))
                break;
            order[place] = before;
        }
        order[place] = i;
    }
    return count;
}

static double lacking(const struct dse_runner *runner, size_t splits)
{
    return runner->count < splits ? runner->units * (double)(splits - runner->count) : 0.0;
}

/* Initially takes on as many settings, in order, as can have DSE_RACE_LEAST splits each. The others are never measured. */
static void take_on(struct dse_race *race, size_t splits, double limit)
{
    double sum = race->spent;
    bool any = false;
    for (size_t i = 0; i < race->count; i++) {
        struct dse_runner *runner = &race->runners[i];
        double need = fmin(lacking(runner, splits), DSE_RACE_LEAST * runner->units);
        if (runner->fate != DSE_RACE_RUNNING)
            continue;
        if (any && runner->count == 0 && sum + need > limit) {
            runner->fate = DSE_RACE_PASSED;
            race->ended = true;
            continue;
        }
        sum += need;
        any |= need > 0.0;
    }
}

#define SHRINK 0.7846 /* 2^-0.35: share of the running settings that continue at a split if the budget does not suffice for all */

/* Successive halving after `n` splits. If the remaining budget does not finish all running settings, only the best continue. Their number is the one
 * that the budget can pay for over the remaining splits, with fewer settings at each. */
static void halve(struct dse_race *race, size_t n, size_t splits, double limit, size_t *order, size_t *turns)
{
    double whole = 0.0, factor = 0.0, sum = 0.0, left = limit - race->spent;
    size_t count = rank(race, n, order, turns);
    for (size_t i = 0; i < count; i++)
        whole += lacking(&race->runners[order[i]], splits);
    if (whole <= left)
        return;
    for (size_t s = n; s < splits; s++)
        factor = 1.0 + SHRINK * factor;
    for (size_t i = 0; i < count; i++) {
        struct dse_runner *runner = &race->runners[order[i]];
        sum += runner->count < splits ? runner->units * factor : 0.0;
        if (i > 0 && sum > left) {
            runner->fate = DSE_RACE_PASSED;
            race->ended = true;
        }
    }
}

/* Running settings that lack a split, within the budget. */
static size_t choose_round(struct dse_race *race, size_t split, double limit, size_t *which)
{
    size_t count = 0;
    for (size_t i = 0; i < race->count; i++) {
        struct dse_runner *runner = &race->runners[i];
        if (runner->fate != DSE_RACE_RUNNING || runner->count != split)
            continue;
        if (race->spent + runner->units > limit) {
            race->ended = true;
            break;
        }
        race->spent += runner->units;
        which[count++] = i;
    }
    return count;
}

enum dse_status dse_race_run(struct dse_race *race, size_t splits, double share, struct dse_error *err)
{
    size_t *which DSE_CLEANUP(dse_free_at) = dse_calloc(race->count + 1, sizeof *which);
    size_t *turns DSE_CLEANUP(dse_free_at) = dse_calloc(race->count + 1, sizeof *turns);
    double *scores DSE_CLEANUP(dse_free_at) = dse_calloc(race->count + 1, sizeof *scores);
    double limit = race->spent + share * (race->budget - race->spent);
    splits = splits < DSE_RACE_SPLITS ? splits : DSE_RACE_SPLITS;
    take_on(race, splits, limit);
    for (size_t split = 0; split < splits; split++) {
        size_t count = choose_round(race, split, limit, which);
        if (count == 0)
            continue;
        DSE_TRY(race->measure(race->user, which, count, split, scores, err));
        for (size_t i = 0; i < count; i++) {
            struct dse_runner *runner = &race->runners[which[i]];
            runner->score[runner->count++] = scores[i];
            race->measurements++;
        }
        stop_losers(race, split + 1);
        halve(race, split + 1, splits, limit, which, turns);
    }
    return DSE_OK;
}

/* The last running setting of one kind, and the number of running settings. */
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
