/* Designs in vector lanes against dse_derive(): the same bits. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "search/lanes.h"
#include "tests/test.h"

#define GROUPS 4
#define METRICS (DSE_METRIC_QUALITY) /* all metrics before the quality */

struct made {
    struct dse_plan plan;
    struct dse_slice slice;
    struct dse_question question;
};

static int64_t draw(struct dse_rng *rng, int64_t below)
{
    return (int64_t)dse_rng_below(rng, (uint64_t)below);
}

/* Sums that use some stages and memories alone and others jointly, and are often equal. */
static void draw_sums(struct dse_rng *rng, size_t group, struct dse_accumulators *out)
{
    memset(out, 0, sizeof *out);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        for (size_t s = 0; s < 4; s++) {
            if (s != group && s != 3)
                continue;
            out->busy_cycles[c][s] = draw(rng, 50) * 100;
            out->fill_cycles[c][s] = draw(rng, 20);
            for (int m = 0; m < 2; m++)
                out->bytes[c][s][m] = m == 0 || group == 1 ? draw(rng, 4) * 3000 : 0;
        }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out->resources[r] = draw(rng, 60);
    out->energy_fj = draw(rng, 1000000);
    out->idle_nw = draw(rng, 1000000);
}

static void make(struct made *made, uint64_t seed, const size_t counts[GROUPS])
{
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 0);
    memset(made, 0, sizeof *made);
    made->plan.group_count = GROUPS;
    made->slice.platform = (struct dse_platform){.parts = 4.0, .femto = 4e-15, .fs_per_cycle = 3333333, .fs_per_byte = {60000, 90000},
                                                 .dram_fj_per_byte = {120, 80}, .share_nw = {400000000 / 3.0, 2900000000 / 3.0}, .host_fs = 7000000000,
                                                 .host_fs_per_byte = 500000, .host_stages = 9, .batch = 5.0, .units = 3, .at_once = 24,
                                                 .clock_allowed = true, .bytes_per_s = 3e10, .s_per_byte = 1.0 / 3e10, .streams = seed % 2 == 1};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        made->slice.platform.capped[r] = 500;
    for (size_t g = 0; g < GROUPS; g++) {
        struct dse_group *group = &made->slice.groups[g];
        group->count = counts[g];
        group->sums = calloc(counts[g], sizeof *group->sums);
        assert_non_null(group->sums);
        for (size_t row = 0; row < counts[g]; row++)
            draw_sums(&rng, g, &group->sums[row]);
    }
}

static void release(struct made *made)
{
    for (size_t g = 0; g < GROUPS; g++)
        free(made->slice.groups[g].sums);
}

/* The whole design of a table's row under an outer one. */
static struct dse_accumulators whole(const struct made *made, const struct dse_lanes_table *table, size_t row,
                                     const struct dse_accumulators *outer)
{
    struct dse_accumulators sums = *outer;
    for (size_t i = table->inner_count; i > 0; i--) {
        const struct dse_group *group = &made->slice.groups[table->inner[i - 1]];
        dse_accumulators_combine(&sums, &group->sums[row % group->count]);
        row /= group->count;
    }
    return sums;
}

/* A few outer designs of the table, against every row. */
static void compare(struct made *made, const struct dse_lanes_table *table, const struct dse_limit *limit)
{
    struct dse_lanes_rules rules = {.layout = &table->layout, .wants = (1u << METRICS) - 1, .units = 3.0, .at_once = 24.0, .parts = 4.0, .femto = 4e-15,
                                    .share_nw = {400000000 / 3.0, 2900000000 / 3.0}, .host_fs = 7e9, .batch = 5.0, .fs_per_cycle = 3333333.0,
                                    .bytes_per_s = 3e10, .s_per_byte = 1.0 / 3e10, .streams = made->slice.platform.streams, .objectives = {DSE_METRIC_LATENCY, DSE_METRIC_THROUGHPUT},
                                    .objective_count = 2, .limits = {*limit}, .limit_count = 1};
    rules.wants &= ~(1u << DSE_METRIC_LATENCY | 1u << DSE_METRIC_ENERGY);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        rules.caps[r] = 500 / 3;
    struct dse_lanes_block *block = aligned_alloc(64, (sizeof *block + 63) / 64 * 64);
    assert_non_null(block);
    size_t feasible = 0, designs = 0;
    for (size_t step = 0; step < 5; step++) {
        struct dse_accumulators outer = {0};
        for (size_t i = 0; i < table->outer_count; i++) {
            const struct dse_group *group = &made->slice.groups[table->outer[i]];
            dse_accumulators_combine(&outer, &group->sums[step % group->count]);
        }
        double columns[DSE_LANES_COLUMNS_MAX];
        dse_lanes_columns(&table->layout, &made->slice.platform, &outer, columns);
        for (size_t begin = 0; begin < table->rows; begin += DSE_LANES) {
            size_t left = table->rows - begin, alive = 0;
            *block = (struct dse_lanes_block){.columns = table->columns + begin, .stride = table->stride, .outer = columns,
                                              .count = left < DSE_LANES ? left : DSE_LANES};
            size_t found = dse_lanes_visit(&rules, block);
            for (size_t i = 0; i < block->count; i++) {
                struct dse_accumulators sums = whole(made, table, begin + i, &outer);
                double metrics[DSE_METRIC_COUNT];
                dse_derive(&made->slice.platform, &sums, metrics);
                bool fits = dse_fits(&made->slice.platform, &sums, NULL), holds = metrics[limit->metric] <= limit->bound;
                assert_int_equal(block->alive[i] != 0, fits && holds);
                alive += fits && holds;
                for (int m = 0; m < METRICS && found > 0; m++)
                    if (block->metrics[m][i] != metrics[m])
                        fail_msg("%s is %.17g in lane %zu, %.17g derived", dse_metrics[m].name, block->metrics[m][i], i, metrics[m]);
                if (found > 0)
                    assert_true(block->costs[1][i] == -metrics[DSE_METRIC_THROUGHPUT]);
            }
            assert_int_equal(found, alive);
            feasible += found;
            designs += block->count;
        }
    }
    assert_true(feasible > 0 && feasible < designs);
    free(block);
}

TEST(test_metrics)
{
    const size_t shapes[][GROUPS] = {{7, 60, 9, 11}, {1, 3, 2, 1}, {5000, 2, 3, 1}, {40, 1, 1, 6000}, {8, 8, 8, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct made made;
        make(&made, i, shapes[i]);
        struct dse_lanes_table table;
        dse_lanes_table_make(&made.plan, &made.slice, &table);
        assert_non_null(table.columns);
        /* A limit that a design meets exactly. */
        struct dse_accumulators none = {0}, some = whole(&made, &table, table.rows / 2, &none);
        for (size_t o = 0; o < table.outer_count; o++)
            dse_accumulators_combine(&some, &made.slice.groups[table.outer[o]].sums[0]);
        double metrics[DSE_METRIC_COUNT];
        dse_derive(&made.slice.platform, &some, metrics);
        for (int side = 0; side < 2 && i != 1; side++) { /* designs on the side of 1 are so few that they need not lie on both sides */
            struct dse_limit limit = dse_limit_of(DSE_METRIC_ENERGY, false, metrics[DSE_METRIC_ENERGY] * (side == 0 ? 1.0 : 1.2));
            compare(&made, &table, &limit);
        }
        free(table.columns);
        release(&made);
    }
}

/* Guards exclude exactly what a design dominates, or equals with less energy. */
TEST(test_guards)
{
    struct dse_lanes_block *block = aligned_alloc(64, (sizeof *block + 63) / 64 * 64);
    assert_non_null(block);
    for (size_t objectives = 0; objectives <= 5; objectives++) {
        struct dse_lanes_rules rules = {.objective_count = objectives};
        struct dse_lanes_guard guard = {.costs = {2, 2, 2, 2, 2}, .energy = 1.0, .strict = 0}, least;
        struct dse_rng rng;
        dse_rng_seed(&rng, 9, objectives);
        memset(block, 0, sizeof *block);
        block->count = 100;
        size_t left = 0, ruled_out = 0;
        double smallest = INFINITY;
        for (size_t i = 0; i < block->count; i++) {
            block->alive[i] = i % 5 == 0 ? 0 : -1;
            block->metrics[DSE_METRIC_ENERGY][i] = (double)draw(&rng, 3);
            for (size_t o = 0; o < objectives; o++)
                block->costs[o][i] = (double)draw(&rng, 4);
            if (block->alive[i] != 0)
                smallest = fmin(smallest, objectives > 0 ? block->costs[0][i] : block->metrics[DSE_METRIC_ENERGY][i]);
        }
        dse_lanes_least(&rules, block, &least);
        assert_true(smallest == (objectives > 0 ? least.costs[0] : least.energy));
        bool any = dse_lanes_guard(&rules, block, &guard);
        for (size_t i = 0; i < block->count; i++) {
            bool better = false, worse = guard.energy < block->metrics[DSE_METRIC_ENERGY][i];
            for (size_t o = 0; o < objectives; o++) {
                better |= block->costs[o][i] < 2.0;
                worse |= block->costs[o][i] > 2.0;
            }
            bool out = i % 5 == 0 || (!better && worse);
            assert_int_equal(block->alive[i], out ? 0 : -1);
            left += !out;
            ruled_out += out && i % 5 != 0;
        }
        assert_int_equal(any, left > 0);
        assert_true(ruled_out > 0 || objectives > 3);
    }
    free(block);
}

/* Sums that a double cannot represent are computed in integers. */
TEST(test_too_large)
{
    const size_t counts[GROUPS] = {2, 2, 2, 2};
    struct made made;
    make(&made, 3, counts);
    made.slice.groups[2].sums[1].busy_cycles[DSE_CASE_TAIL][3] = INT64_C(3000000000); /* ten seconds */
    struct dse_lanes_table table;
    dse_lanes_table_make(&made.plan, &made.slice, &table);
    assert_null(table.columns);
    assert_int_equal(table.outer_count, GROUPS);
    assert_int_equal(table.rows, 1);
    release(&made);
}

TESTS(NULL, NULL)
