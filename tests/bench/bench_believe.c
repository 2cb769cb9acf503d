/* usage: bench_believe: how good the best setting is that was trained after so many, on shipped profiles as tables: in random order, by
 * a plain estimator of tree-structured densities (J. Bergstra and others, "Algorithms for hyper-parameter optimization", 2011), and by
 * the largest expected gain under explore/surrogate.h. Mean regret over 40 seeds; all begin with the same 12 settings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/rng.h"
#include "datasets/profile.h"
#include "explore/surrogate.h"

#define MOST 256
#define SEEDS 40

enum way { RANDOM, DENSITIES, SURROGATE, WAYS };

struct table {
    struct dse_space *space;
    struct dse_config config[MOST];
    double quality[MOST], best;
    size_t count;
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
        t->quality[t->count] = profile->qualities[i].mean;
        t->best = fmax(t->best, t->quality[t->count++]);
    }
    dse_profile_free(profile);
    return true;
}

/* Whether at least so many of the first `known` are better: it is not among the best quarter. */
static bool is_good(const struct table *t, const size_t *order, size_t known, size_t which)
{
    size_t better = 0;
    for (size_t i = 0; i < known; i++)
        better += t->quality[order[i]] > t->quality[which];
    return better < (known + 3) / 4;
}

/* The logarithm of how much oftener good settings have this one's values than others. */
static double density_of(const struct table *t, const size_t *order, size_t known, size_t which)
{
    double sum = 0.0;
    for (size_t k = 0; k < t->space->count; k++) {
        double good = 1.0, bad = 1.0, goods = 2.0, bads = 2.0; /* one more of each, seen and not */
        for (size_t i = 0; i < known; i++) {
            bool same = t->config[order[i]].value[k] == t->config[which].value[k];
            if (is_good(t, order, known, order[i])) {
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

/* The place, among those from `known` on, of the one to train next. */
static size_t next_by(enum way way, const struct table *t, const size_t *order, size_t known, double best)
{
    struct dse_config configs[MOST];
    double quality[MOST], most = -INFINITY;
    struct dse_surrogate *s = NULL;
    struct dse_error err;
    size_t place = known;
    if (way == RANDOM)
        return known;
    for (size_t i = 0; i < t->count; i++) {
        configs[i] = t->config[order[i]];
        quality[i] = t->quality[order[i]];
    }
    if (way == SURROGATE && dse_surrogate_fit(t->space, configs, quality, known, configs + known, t->count - known, &s, &err) != DSE_OK)
        return known;
    for (size_t i = known; i < t->count; i++) {
        double promise = 0.0, mean = 0.0, deviation = 1.0;
        if (way == SURROGATE) {
            dse_surrogate_at(s, &configs[i], &mean, &deviation);
            double u = (mean - best) / deviation;
            promise = deviation * (exp(-0.5 * u * u) / sqrt(2.0 * M_PI) + u * 0.5 * erfc(-u * M_SQRT1_2));
        } else {
            promise = density_of(t, order, known, order[i]);
        }
        if (promise > most) {
            most = promise;
            place = i;
        }
    }
    dse_surrogate_free(s);
    return place;
}

/* Adds what is lacking to the best after each number of trained settings. */
static void run(enum way way, const struct table *t, uint64_t seed, double *regret)
{
    size_t order[MOST];
    struct dse_rng rng;
    double best = -INFINITY;
    dse_rng_seed(&rng, seed, 1);
    for (size_t i = 0; i < t->count; i++)
        order[i] = i;
    for (size_t i = t->count; i > 1; i--) {
        size_t other = dse_rng_below(&rng, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    for (size_t n = 0; n < t->count; n++) {
        size_t place = n < DSE_SURROGATE_LEAST ? n : next_by(way, t, order, n, best), kept = order[n];
        order[n] = order[place];
        order[place] = kept;
        best = fmax(best, t->quality[order[n]]);
        regret[n] += (t->best - best) / SEEDS;
    }
}

int main(void)
{
    static const char *const names[] = {"MUTAG", "NCI1", "DD"}, *const ways[] = {"random", "densities", "surrogate"};
    static const size_t after[] = {12, 16, 20, 30, 40};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct table table;
        if (!read_table(names[n], &table))
            return 1;
        printf("%s, %zu settings; trained   12      16      20      30      40\n", names[n], table.count);
        for (int way = 0; way < WAYS; way++) {
            double regret[MOST] = {0};
            for (uint64_t seed = 1; seed <= SEEDS; seed++)
                run((enum way)way, &table, seed, regret);
            printf("%-28s", ways[way]);
            for (size_t a = 0; a < sizeof after / sizeof *after; a++)
                printf(" %.4f ", regret[after[a] - 1]);
            printf("\n");
        }
        dse_space_free(table.space);
    }
    return 0;
}
