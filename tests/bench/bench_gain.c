/* usage: bench_gain [REPEATS]: in which order settings are trained, at equal trainings, by how much of the front's hypervolume is missed; on
 * shipped profiles of three data sets, ZCU104, latency, energy and error.
 *
 * The settings of a profile are taken for unmeasured but for the first 12 of a random order; each training brings the mean of ten splits that
 * are drawn from the setting's measured mean and deviation. Orders:
 *   random     as they come
 *   fastest    the least latency first, but for those that cannot reach the front: without --believe
 *   quality    the largest expected gain of quality above the least that reaches the front, and not those that are believed not to reach it
 *   volume     the largest expected gain of hypervolume (search/gain.h), and not those
 * Missed: 1 - the hypervolume of the trained settings' designs, at their true means, over that of all settings' designs. Mean over REPEATS
 * (40) orders, with its standard error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "explore/surrogate.h"
#include "search/heuristic.h"
#include "search/lazy.h"
#include "search/question.h"

#define MOST 256
#define KNOWN DSE_SURROGATE_LEAST
#define SPLITS 10
#define WHERE "nee.lanes=16 && kse.pe<=8 && nee.outstanding=16"

enum order { RANDOM, FASTEST, QUALITY, VOLUME, ORDERS };

static const char *const orders[] = {"random", "fastest", "quality", "volume"};
static const size_t budgets[] = {12, 14, 16, 20, 26, 34, 44}; /* settings that are trained, the first 12 among them */

#define BUDGETS (sizeof budgets / sizeof *budgets)

struct table {
    struct dse_space *space;
    struct dse_question question;
    struct dse_profile *profile;
    struct dse_alternative *settings; /* count */
    struct dse_answer fronts[MOST];   /* of each by itself */
    double deviation[MOST], reference[3], whole;
    size_t count;
};

/* One repetition. */
struct race {
    const struct table *table;
    struct dse_rng rng;
    size_t order[MOST];
    double seen[MOST]; /* by the place in the order */
    size_t trained[MOST], trained_count; /* places, as they were trained */
};

static void need(enum dse_status status, const struct dse_error *err)
{
    if (status == DSE_OK)
        return;
    fprintf(stderr, "bench_gain: %s\n", err->message);
    exit(1);
}

/* ---- tables ---- */

static void add_costs(const struct table *t, size_t setting, double *costs, size_t *count)
{
    const struct dse_answer *front = &t->fronts[setting];
    for (size_t i = 0; i < front->front_count; i++, ++*count)
        for (size_t o = 0; o < 3; o++)
            costs[*count * 3 + o] = dse_objective_cost(t->question.objectives[o], front->front[i].metrics);
}

static double volume_of(const struct table *t, const size_t *settings, size_t count)
{
    size_t points = 0, all = 0;
    for (size_t i = 0; i < count; i++)
        points += t->fronts[settings[i]].front_count;
    double *costs = malloc((3 * points + 1) * sizeof *costs);
    for (size_t i = 0; i < count; i++)
        add_costs(t, settings[i], costs, &all);
    double volume = dse_hypervolume(costs, all, 3, t->reference);
    free(costs);
    return volume;
}

static void read_table(const char *name, struct table *t)
{
    struct dse_error err = {0};
    struct dse_expression expression = {0};
    struct dse_choice choice = {.quality_drop = INFINITY};
    struct dse_choice_count why;
    struct dse_board *board = NULL; /* kept to the end, as what follows */
    struct dse_costs *costs = NULL;
    struct dse_question *q = &t->question;
    size_t all[MOST];
    *t = (struct table){0};
    need(dse_model_space(dse_model_find("nysx"), NULL, &t->space, &err), &err);
    need(dse_board_open("zcu104", &board, &err), &err);
    need(dse_costs_for_board(board, NULL, &costs, &err), &err);
    need(dse_profile_open(name, &t->profile, &err), &err);
    *q = (struct dse_question){.family = dse_model_find("nysx"), .space = t->space, .board = board, .costs = costs, .headroom = -1.0, .jobs = 2};
    dse_space_default(t->space, &q->base);
    need(dse_config_apply(t->space, &q->base, &t->profile->preset, &err), &err);
    need(dse_question_objectives(q, "latency,energy,error", &err), &err);
    need(dse_expression_parse(WHERE, &expression, &err), &err);
    need(dse_question_constrain(q, t->space, &expression, &choice, &err), &err);
    q->free = dse_space_of_kind(t->space, DSE_KNOB_HARDWARE) & ~dse_space_of_kind(t->space, DSE_KNOB_ALGORITHMIC);
    need(dse_question_alternatives(q, t->profile, &choice, &t->settings, &t->count, &why, &err), &err);
    for (size_t o = 0; o < 3; o++)
        t->reference[o] = -INFINITY;
    for (size_t i = 0; i < t->count && i < MOST; i++) {
        struct dse_question one = *q;
        one.alternatives = &t->settings[i];
        one.alternative_count = 1;
        need(dse_search_exact(&one, &t->fronts[i], &err), &err);
        t->deviation[i] = dse_profile_quality_of(t->space, t->profile, &t->settings[i].config)->std;
        all[i] = i;
        for (size_t p = 0; p < t->fronts[i].front_count; p++)
            for (size_t o = 0; o < 3; o++)
                t->reference[o] = fmax(t->reference[o], dse_objective_cost(q->objectives[o], t->fronts[i].front[p].metrics));
    }
    t->whole = volume_of(t, all, t->count);
}

/* ---- trainings ---- */

static double uniform(struct dse_rng *rng)
{
    return ((double)dse_rng_below(rng, (uint64_t)1 << 52) + 0.5) / (double)((uint64_t)1 << 52);
}

static void train(struct race *r, size_t place)
{
    size_t setting = r->order[place];
    double normal = sqrt(-2.0 * log(uniform(&r->rng))) * cos(2.0 * M_PI * uniform(&r->rng));
    r->seen[place] = r->table->settings[setting].quality + r->table->deviation[setting] / sqrt(SPLITS) * normal;
    r->trained[r->trained_count++] = place;
}

static enum dse_status measure(void *user, const size_t *which, size_t count, double *quality, bool *ended, struct dse_error *err)
{
    struct race *r = user;
    (void)ended;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        train(r, KNOWN + which[i]);
        quality[i] = r->seen[KNOWN + which[i]];
    }
    return DSE_OK;
}

static enum dse_status search(void *user, size_t which, const struct dse_question *question, struct dse_answer *answer, struct dse_error *err)
{
    const struct race *r = user;
    const struct dse_answer *kept = &r->table->fronts[r->order[KNOWN + which]];
    (void)question;
    *answer = *kept;
    answer->front = malloc((kept->front_count + 1) * sizeof *answer->front);
    if (answer->front == NULL)
        return dse_fail_memory(err);
    memcpy(answer->front, kept->front, kept->front_count * sizeof *answer->front);
    return DSE_OK;
}

static enum dse_status believe(void *user, struct dse_belief *beliefs, struct dse_error *err)
{
    const struct race *r = user;
    const struct table *t = r->table;
    struct dse_config known[MOST], others[MOST];
    double quality[MOST];
    bool done[MOST] = {false};
    size_t count = 0;
    struct dse_surrogate *surrogate = NULL;
    for (; count < r->trained_count; count++) {
        known[count] = t->settings[r->order[r->trained[count]]].config;
        quality[count] = r->seen[r->trained[count]];
        done[r->trained[count]] = true;
    }
    for (size_t i = 0; i < t->count - KNOWN; i++)
        others[i] = t->settings[r->order[KNOWN + i]].config;
    DSE_TRY(dse_surrogate_fit(t->space, known, quality, count, others, t->count - KNOWN, &surrogate, err));
    double reach = dse_surrogate_reach(surrogate, 0.99);
    for (size_t i = 0; i < t->count - KNOWN; i++)
        if (!done[KNOWN + i]) {
            dse_surrogate_at(surrogate, &others[i], &beliefs[i].mean, &beliefs[i].deviation);
            beliefs[i].most = fmin(beliefs[i].most, beliefs[i].mean + reach * beliefs[i].deviation);
        }
    dse_surrogate_free(surrogate);
    return DSE_OK;
}

/* The front of the settings that were trained before the search. */
static void first_front(const struct race *r, struct dse_answer *out)
{
    size_t room = 0;
    *out = (struct dse_answer){.proven = true};
    for (size_t i = 0; i < KNOWN; i++)
        room += r->table->fronts[r->order[i]].front_count;
    out->front = malloc((room + 1) * sizeof *out->front);
    for (size_t i = 0; i < KNOWN; i++)
        for (size_t p = 0; p < r->table->fronts[r->order[i]].front_count; p++) {
            out->front[out->front_count] = r->table->fronts[r->order[i]].front[p];
            out->front[out->front_count].alternative = i;
            out->front[out->front_count++].metrics[DSE_METRIC_QUALITY] = r->seen[i];
        }
}

static void run(enum order order, const struct table *t, uint64_t seed, double *missed, size_t *trained)
{
    struct race r = {.table = t};
    struct dse_error err = {0};
    dse_rng_seed(&r.rng, seed, 1);
    for (size_t i = 0; i < t->count; i++)
        r.order[i] = i;
    for (size_t i = t->count; i > 1; i--) {
        size_t other = dse_rng_below(&r.rng, i), kept = r.order[i - 1];
        r.order[i - 1] = r.order[other];
        r.order[other] = kept;
    }
    for (size_t i = 0; i < KNOWN; i++)
        train(&r, i);
    for (size_t i = KNOWN; i < t->count && order == RANDOM; i++)
        train(&r, i);
    if (order != RANDOM) {
        struct dse_candidate candidates[MOST];
        struct dse_question question = t->question;
        struct dse_answer answer;
        question.alternative_count = KNOWN;
        for (size_t i = KNOWN; i < t->count; i++) {
            candidates[i - KNOWN] = (struct dse_candidate){t->settings[r.order[i]], DSE_FATE_OPEN};
            candidates[i - KNOWN].alternative.quality = NAN;
        }
        struct dse_lazy lazy = {.question = &question, .candidates = candidates, .candidate_count = t->count - KNOWN, .least_quality = -INFINITY,
                                .best_quality = 1.0, .batch = 1, .search = search, .measure = measure,
                                .believe = order == FASTEST ? NULL : believe, .turn = order == VOLUME ? DSE_TURN_VOLUME : DSE_TURN_QUALITY,
                                .user = &r};
        first_front(&r, &answer);
        need(dse_lazy_search(&lazy, &answer, &err), &err);
        dse_answer_free(&answer);
    }
    *trained = r.trained_count;
    for (size_t b = 0; b < BUDGETS; b++) {
        size_t settings[MOST], count = budgets[b] < r.trained_count ? budgets[b] : r.trained_count;
        for (size_t i = 0; i < count; i++)
            settings[i] = r.order[r.trained[i]];
        missed[b] = 1.0 - volume_of(t, settings, count) / t->whole;
    }
}

static void compare(const struct table *t, size_t repeats)
{
    for (int order = 0; order < ORDERS; order++) {
        double sum[BUDGETS] = {0}, squares[BUDGETS] = {0}, missed[BUDGETS], trained = 0.0;
        for (uint64_t seed = 1; seed <= repeats; seed++) {
            size_t count = 0;
            run((enum order)order, t, seed, missed, &count);
            trained += (double)count / (double)repeats;
            for (size_t b = 0; b < BUDGETS; b++) {
                sum[b] += missed[b];
                squares[b] += missed[b] * missed[b];
            }
        }
        printf("| %s |", orders[order]);
        for (size_t b = 0; b < BUDGETS; b++) {
            double mean = sum[b] / (double)repeats, variance = squares[b] / (double)repeats - mean * mean;
            printf(" %.4f ± %.4f |", mean, sqrt(fmax(variance, 0.0) / (double)repeats));
        }
        printf(" %.1f |\n", trained);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"MUTAG", "NCI1", "DD"};
    size_t repeats = argc > 1 ? (size_t)atoi(argv[1]) : 40;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct table table;
        read_table(names[n], &table);
        printf("| %s, %zu settings; trained |", names[n], table.count);
        for (size_t b = 0; b < BUDGETS; b++)
            printf(" %zu |", budgets[b]);
        printf(" in all |\n");
        compare(&table, repeats);
        for (size_t i = 0; i < table.count; i++)
            dse_answer_free(&table.fronts[i]);
        free(table.settings);
        dse_profile_free(table.profile);
        dse_space_free(table.space);
    }
    return 0;
}
