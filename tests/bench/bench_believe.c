/* usage: bench_believe [REPEATS]: ways to choose the trainings, at equal trainings, on shipped profiles of three data sets.
 *
 * A profile's table says of each setting the mean and the deviation of its quality over splits; a training is one split, whose score is drawn
 * from these. Ways:
 *   random     settings in random order, one split each
 *   all seeds  settings in random order, ten splits each
 *   halving    successive halving (K. Jamieson, A. Talwalkar, 2016): as many settings as the trainings allow begin with one split, the
 *              better half goes on with twice as many, until ten
 *   densities  ten splits each, the next by a plain estimator of tree-structured densities (J. Bergstra and others, 2011)
 *   forest     ten splits each, the next by the expected gain under a random forest (L. Breiman, 2001; F. Hutter and others, 2011)
 *   believe    ten splits each, the next by the expected gain under the Gaussian process of explore/surrogate.h
 * The last three begin with 12 settings in random order. Regret: by how much the best mean of the table is better than that of the setting
 * with the best mean of what was trained. Mean over REPEATS (40) orders, with its standard error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "datasets/profile.h"
#include "explore/surrogate.h"

#define MOST 256
#define SPLITS 10
#define TREES 40
#define LEAF 3

enum way { RANDOM, ALL_SEEDS, HALVING, DENSITIES, FOREST, BELIEVE, WAYS };

static const char *const ways[] = {"random", "all seeds", "halving", "densities", "forest", "believe"};
static const size_t budgets[] = {120, 160, 200, 300, 400}; /* trainings */

#define BUDGETS (sizeof budgets / sizeof *budgets)

struct table {
    struct dse_space *space;
    struct dse_config config[MOST];
    double mean[MOST], deviation[MOST], best;
    size_t count;
};

/* One repetition: an order of the settings, and what was measured of them. */
struct race {
    const struct table *table;
    struct dse_rng rng;
    size_t order[MOST];
    double sum[MOST]; /* of the setting's scores */
    size_t runs[MOST];
    size_t trainings;
};

static bool read_table(const char *name, struct table *t)
{
    struct dse_error err = {0};
    struct dse_profile *profile = NULL;
    *t = (struct table){.best = -INFINITY};
    if (dse_profile_open(name, &profile, &err) != DSE_OK || dse_model_space(dse_model_find("nysx"), NULL, &t->space, &err) != DSE_OK) {
        fprintf(stderr, "bench_believe: %s\n", err.message);
        return false;
    }
    for (size_t i = 0; i < profile->quality_count && t->count < MOST; i++) {
        dse_space_default(t->space, &t->config[t->count]);
        if (dse_config_apply(t->space, &t->config[t->count], &profile->qualities[i].setting, &err) != DSE_OK)
            continue;
        dse_config_canonical(t->space, &t->config[t->count]);
        t->mean[t->count] = profile->qualities[i].mean;
        t->deviation[t->count] = profile->qualities[i].std;
        t->best = fmax(t->best, t->mean[t->count++]);
    }
    dse_profile_free(profile);
    return true;
}

static double uniform(struct dse_rng *rng)
{
    return ((double)dse_rng_below(rng, (uint64_t)1 << 52) + 0.5) / (double)((uint64_t)1 << 52);
}

static void train(struct race *r, size_t which, size_t splits)
{
    for (size_t i = 0; i < splits; i++) {
        double normal = sqrt(-2.0 * log(uniform(&r->rng))) * cos(2.0 * M_PI * uniform(&r->rng));
        r->sum[which] += r->table->mean[which] + r->table->deviation[which] * normal;
        r->runs[which]++;
        r->trainings++;
    }
}

static double seen(const struct race *r, size_t which)
{
    return r->runs[which] > 0 ? r->sum[which] / (double)r->runs[which] : -INFINITY;
}

/* Of the setting with the best mean so far; of those with the most splits, for one lucky split says little beside ten. */
static double regret(const struct race *r)
{
    size_t best = r->order[0];
    for (size_t i = 0; i < r->table->count; i++)
        if (r->runs[i] > r->runs[best] || (r->runs[i] == r->runs[best] && seen(r, i) > seen(r, best)))
            best = i;
    return r->table->best - r->table->mean[best];
}

static void start(struct race *r, const struct table *t, uint64_t seed)
{
    *r = (struct race){.table = t};
    dse_rng_seed(&r->rng, seed, 1);
    for (size_t i = 0; i < t->count; i++)
        r->order[i] = i;
    for (size_t i = t->count; i > 1; i--) {
        size_t other = dse_rng_below(&r->rng, i), kept = r->order[i - 1];
        r->order[i - 1] = r->order[other];
        r->order[other] = kept;
    }
}

/* ---- densities ---- */

/* Whether it is among the best quarter of the known ones. */
static bool is_good(const struct race *r, size_t known, size_t which)
{
    size_t better = 0;
    for (size_t i = 0; i < known; i++)
        better += seen(r, r->order[i]) > seen(r, which);
    return better < (known + 3) / 4;
}

/* The logarithm of how much oftener good settings have this one's values than others. */
static double density_of(const struct race *r, size_t known, size_t which)
{
    const struct table *t = r->table;
    double sum = 0.0;
    for (size_t k = 0; k < t->space->count; k++) {
        double good = 1.0, bad = 1.0, goods = 2.0, bads = 2.0; /* one more of each, seen and not */
        for (size_t i = 0; i < known; i++) {
            bool same = t->config[r->order[i]].value[k] == t->config[which].value[k];
            if (is_good(r, known, r->order[i])) {
                goods += 1.0;
                good += same;
            } else {
                bads += 1.0;
                bad += same;
            }
        }
        sum += log(good / goods) - log(bad / bads);
    }
    return sum;
}

/* ---- a forest ---- */

/* What a tree that is grown from a sample of the known says of a setting: it is grown along the setting's own way alone, by the split of
 * some knobs that leaves the least variance. */
static double tree_says(const struct race *r, const size_t *sample, size_t count, size_t which, uint64_t seed)
{
    const struct table *t = r->table;
    size_t in[MOST];
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 2);
    memcpy(in, sample, count * sizeof *in);
    for (;;) {
        double best = INFINITY;
        int64_t best_value = 0;
        size_t best_knob = t->space->count;
        for (size_t tries = 0; tries < t->space->count; tries++) {
            size_t knob = dse_rng_below(&rng, t->space->count);
            int64_t value = t->config[in[dse_rng_below(&rng, count)]].value[knob];
            double sums[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0}, number[2] = {0.0, 0.0};
            for (size_t i = 0; i < count; i++) {
                int side = t->config[in[i]].value[knob] <= value;
                sums[side] += seen(r, in[i]);
                squares[side] += seen(r, in[i]) * seen(r, in[i]);
                number[side] += 1.0;
            }
            if (number[0] < LEAF || number[1] < LEAF)
                continue;
            double left = squares[0] - sums[0] * sums[0] / number[0] + squares[1] - sums[1] * sums[1] / number[1];
            if (left < best) {
                best = left;
                best_knob = knob;
                best_value = value;
            }
        }
        if (best_knob == t->space->count)
            break;
        bool side = t->config[which].value[best_knob] <= best_value;
        size_t stays = 0;
        for (size_t i = 0; i < count; i++)
            if ((t->config[in[i]].value[best_knob] <= best_value) == side)
                in[stays++] = in[i];
        count = stays;
    }
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += seen(r, in[i]);
    return sum / (double)count;
}

static void forest_at(struct race *r, size_t known, size_t which, double *mean, double *deviation)
{
    double sum = 0.0, squares = 0.0;
    for (size_t tree = 0; tree < TREES; tree++) {
        size_t sample[MOST];
        struct dse_rng rng;
        dse_rng_seed(&rng, 1000 * known + tree, 3); /* the same tree for every setting */
        for (size_t i = 0; i < known; i++)
            sample[i] = r->order[dse_rng_below(&rng, known)];
        double says = tree_says(r, sample, known, which, 1000 * known + tree);
        sum += says;
        squares += says * says;
    }
    *mean = sum / TREES;
    *deviation = sqrt(fmax(squares / TREES - *mean * *mean, 1e-8));
}

/* ---- the next setting ---- */

static double expected_gain(double mean, double deviation, double best)
{
    double u = (mean - best) / deviation;
    return deviation * (exp(-0.5 * u * u) / sqrt(2.0 * M_PI) + u * 0.5 * erfc(-u * M_SQRT1_2));
}

/* The place, among those from `known` on, of the one to train next. */
static size_t next_by(enum way way, struct race *r, size_t known)
{
    const struct table *t = r->table;
    struct dse_config configs[MOST];
    double quality[MOST], most = -INFINITY, best = -INFINITY;
    struct dse_surrogate *s = NULL;
    struct dse_error err;
    size_t place = known;
    for (size_t i = 0; i < t->count; i++) {
        configs[i] = t->config[r->order[i]];
        quality[i] = seen(r, r->order[i]);
        best = i < known ? fmax(best, quality[i]) : best;
    }
    if (way == BELIEVE && dse_surrogate_fit(t->space, configs, quality, known, configs + known, t->count - known, &s, &err) != DSE_OK)
        return known;
    for (size_t i = known; i < t->count; i++) {
        double promise = 0.0, mean = 0.0, deviation = 1.0;
        if (way == BELIEVE)
            dse_surrogate_at(s, &configs[i], &mean, &deviation);
        else if (way == FOREST)
            forest_at(r, known, r->order[i], &mean, &deviation);
        promise = way == DENSITIES ? density_of(r, known, r->order[i]) : expected_gain(mean, deviation, best);
        if (promise > most) {
            most = promise;
            place = i;
        }
    }
    dse_surrogate_free(s);
    return place;
}

/* ---- the ways ---- */

static void one_by_one(enum way way, const struct table *t, uint64_t seed, double *regrets)
{
    struct race r;
    size_t budget = 0, splits = way == RANDOM ? 1 : SPLITS;
    start(&r, t, seed);
    for (size_t n = 0; budget < BUDGETS; n++) {
        for (; budget < BUDGETS && (n >= t->count || r.trainings + splits > budgets[budget]); budget++)
            regrets[budget] = regret(&r);
        if (n >= t->count)
            break;
        size_t place = way < DENSITIES || n < DSE_SURROGATE_LEAST ? n : next_by(way, &r, n), kept = r.order[n];
        r.order[n] = r.order[place];
        r.order[place] = kept;
        train(&r, r.order[n], splits);
    }
}

/* Rounds of 1, 2, 4, 8 and 10 splits, halved in between. */
static size_t halving_costs(size_t settings)
{
    static const size_t splits[] = {1, 1, 2, 4, 2};
    size_t cost = 0;
    for (size_t i = 0; i < 5; i++, settings = (settings + 1) / 2)
        cost += splits[i] * settings;
    return cost;
}

static void halve(const struct table *t, uint64_t seed, size_t budget, double *out)
{
    static const size_t splits[] = {1, 1, 2, 4, 2};
    struct race r;
    size_t left = t->count;
    start(&r, t, seed);
    while (left > 1 && halving_costs(left) > budget)
        left--;
    for (size_t round = 0; round < 5; round++) {
        for (size_t i = 0; i < left; i++)
            train(&r, r.order[i], splits[round]);
        for (size_t i = 1; i < left; i++) /* the best first */
            for (size_t k = i; k > 0 && seen(&r, r.order[k]) > seen(&r, r.order[k - 1]); k--) {
                size_t kept = r.order[k];
                r.order[k] = r.order[k - 1];
                r.order[k - 1] = kept;
            }
        left = (left + 1) / 2;
    }
    *out = regret(&r);
}

static void run(enum way way, const struct table *t, uint64_t seed, double *regrets)
{
    for (size_t b = 0; b < BUDGETS && way == HALVING; b++)
        halve(t, seed, budgets[b], &regrets[b]);
    if (way != HALVING)
        one_by_one(way, t, seed, regrets);
}

static void compare(const struct table *t, size_t repeats)
{
    for (int way = 0; way < WAYS; way++) {
        double sum[BUDGETS] = {0}, squares[BUDGETS] = {0}, regrets[BUDGETS];
        for (uint64_t seed = 1; seed <= repeats; seed++) {
            run((enum way)way, t, seed, regrets);
            for (size_t b = 0; b < BUDGETS; b++) {
                sum[b] += regrets[b];
                squares[b] += regrets[b] * regrets[b];
            }
        }
        printf("| %s |", ways[way]);
        for (size_t b = 0; b < BUDGETS; b++) {
            double mean = sum[b] / (double)repeats, variance = squares[b] / (double)repeats - mean * mean;
            printf(" %.4f ± %.4f |", mean, sqrt(fmax(variance, 0.0) / (double)repeats));
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"MUTAG", "NCI1", "DD"};
    size_t repeats = argc > 1 ? (size_t)atoi(argv[1]) : 40;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct table table;
        if (!read_table(names[n], &table))
            return 1;
        printf("| %s, %zu settings; trainings |", names[n], table.count);
        for (size_t b = 0; b < BUDGETS; b++)
            printf(" %zu |", budgets[b]);
        printf("\n");
        compare(&table, repeats);
        dse_space_free(table.space);
    }
    return 0;
}
