#include "tests/models/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/ok.h"

#define HOPS 3
#define PES 7
#define GAMMAS 4
#define GRAPHS 10
#define LANDMARKS 60

static void add(struct dse_workload *work, const char *name, size_t rows, size_t columns, const double *values)
{
    struct dse_error err;
    assert_int_equal(dse_workload_add_series(work, name, rows, columns, values, &err), DSE_OK);
}

static void add_scalar(struct dse_workload *work, const char *name, double value)
{
    add(work, name, 1, 1, &value);
}

/* The length of a schedule of `rows` rows with `nnz` non-zeros on P PEs: perfect balance times `slack`. */
static double schedule(double rows, double nnz, int pe, double slack)
{
    double iterations = (double)((int64_t)(rows + pe - 1) / pe);
    double longest = nnz / rows * (pe > 1 ? slack : 1.0);
    return iterations * (longest > 1.0 ? longest : 1.0);
}

static void add_sizes(struct dse_workload *work)
{
    add_scalar(work, "classes", 3);
    add_scalar(work, "features", 7);
    add_scalar(work, "features.onehot", 1);
    add_scalar(work, "landmarks", LANDMARKS);
    add_scalar(work, "rank", 55);
    add_scalar(work, "nodes.max", 900);
    add_scalar(work, "nodes.p99", 33);
    add_scalar(work, "nodes.mean", 20);
    add_scalar(work, "nnz_a.max", 2600);
    add_scalar(work, "nnz_a.p99", 75);
    add_scalar(work, "nnz_a.mean", 44);
}

static void add_hops(struct dse_workload *work)
{
    const double codebook[HOPS] = {7, 610, 2400}, nnz[HOPS] = {300, 520, 760}, count[HOPS] = {20, 12, 6};
    const double hits[HOPS] = {20, 18.5, 14};
    double bits[HOPS * GAMMAS], levels[HOPS * GAMMAS], hit[HOPS * GAMMAS], miss[HOPS * GAMMAS];
    double none[HOPS * PES], balanced[HOPS * PES];
    for (int t = 0; t < HOPS; t++) {
        for (int g = 0; g < GAMMAS; g++) {
            const double gamma[] = {1, 1.5, 2, 4};
            bits[t * GAMMAS + g] = codebook[t] * (gamma[g] + 1.3);
            levels[t * GAMMAS + g] = 8 - 2 * g;
            hit[t * GAMMAS + g] = 1.9 - 0.25 * g;
            miss[t * GAMMAS + g] = 2.4 - 0.2 * g;
        }
        for (int p = 0; p < PES; p++) {
            none[t * PES + p] = schedule(LANDMARKS, nnz[t], 1 << p, 1.3);
            balanced[t * PES + p] = schedule(LANDMARKS, nnz[t], 1 << p, 1.03);
        }
    }
    add(work, "codebook", HOPS, 1, codebook);
    add(work, "nnz_h", HOPS, 1, nnz);
    add(work, "max_count", HOPS, 1, count);
    add(work, "hits.mean", HOPS, 1, hits);
    add(work, "bins.mean", HOPS, 1, hits);
    add(work, "mph.bits", HOPS, GAMMAS, bits);
    add(work, "mph.levels", HOPS, GAMMAS, levels);
    add(work, "mph.probes_hit", HOPS, GAMMAS, hit);
    add(work, "mph.probes_miss", HOPS, GAMMAS, miss);
    add(work, "kse.schedule.none", HOPS, PES, none);
    add(work, "kse.schedule.static", HOPS, PES, balanced);
}

static void add_sample(struct dse_workload *work)
{
    double nodes[GRAPHS], nnz[GRAPHS], none[GRAPHS * PES], balanced[GRAPHS * PES], hits[GRAPHS * HOPS];
    double mean_none[PES], mean_balanced[PES];
    for (int g = 0; g < GRAPHS; g++) {
        nodes[g] = 12 + 2 * g;
        nnz[g] = 26 + 5 * g;
        for (int p = 0; p < PES; p++) {
            none[g * PES + p] = schedule(nodes[g], nnz[g], 1 << p, 1.4);
            balanced[g * PES + p] = schedule(nodes[g], nnz[g], 1 << p, 1.1);
        }
        for (int t = 0; t < HOPS; t++)
            hits[g * HOPS + t] = nodes[g] * (1.0 - 0.1 * t);
    }
    for (int p = 0; p < PES; p++) {
        mean_none[p] = schedule(20, 44, 1 << p, 1.4);
        mean_balanced[p] = schedule(20, 44, 1 << p, 1.1);
    }
    add(work, "merged", 2, 5, (double[]){33, 31.5, 31, 30.5, 30, 52, 50, 49, 48, 47});
    add(work, "sample.nodes", GRAPHS, 1, nodes);
    add(work, "sample.nnz_a", GRAPHS, 1, nnz);
    add(work, "sample.a.none", GRAPHS, PES, none);
    add(work, "sample.a.static", GRAPHS, PES, balanced);
    add(work, "sample.hits", GRAPHS, HOPS, hits);
    add(work, "sample.bins", GRAPHS, HOPS, hits);
    add(work, "mean.a.none", 1, PES, mean_none);
    add(work, "mean.a.static", 1, PES, mean_balanced);
}

void model_fixture_open(struct model_fixture *fixture, const char *board, struct dse_profile *profile)
{
    *fixture = (struct model_fixture){.profile = profile, .workload = &profile->workloads[0]};
    const struct dse_model_family *family = dse_model_find(profile->family);
    assert_non_null(family);
    OK(dse_model_space(family, NULL, &fixture->space, &why));
    OK(dse_board_open(board, &fixture->board, &why));
    OK(dse_costs_for_board(fixture->board, NULL, &fixture->costs, &why));
    fixture->setup = (struct dse_setup){.family = family, .space = fixture->space, .board = fixture->board,
                                        .costs = fixture->costs, .workload = fixture->workload, .headroom = -1.0};
}

void model_fixture_close(struct model_fixture *fixture)
{
    dse_space_free(fixture->space);
    dse_board_free(fixture->board);
    dse_costs_free(fixture->costs);
    dse_profile_free(fixture->profile);
}

static struct dse_profile *make_profile(void)
{
    struct dse_error err = {0};
    struct dse_setting setting = {0};
    struct dse_workload *work = NULL;
    struct dse_profile *profile = dse_profile_create("nysx", "made-up", 1, "0", "none");
    assert_non_null(profile);
    dse_setting_put(&setting, "hops", "3");
    assert_int_equal(dse_profile_add_workload(profile, &setting, &work, &err), DSE_OK);
    dse_setting_free(&setting);
    add_sizes(work);
    add_hops(work);
    add_sample(work);
    return profile;
}

void nysx_fixture_open(struct model_fixture *fixture, const char *board)
{
    model_fixture_open(fixture, board, make_profile());
}
