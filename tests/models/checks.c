#include "tests/models/checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "tests/ok.h"

size_t check_value_count(const struct dse_knob *knob)
{
    return knob->type == DSE_KNOB_CHOICE ? knob->choice_count : knob->domain_count;
}

int64_t check_value_at(const struct dse_knob *knob, size_t index)
{
    return knob->type == DSE_KNOB_CHOICE ? (int64_t)index : knob->domain[index];
}

static enum dse_status cost(const struct check_designs *designs, size_t block, const void *work,
                               const struct dse_config *config, struct dse_accumulators *out)
{
    const struct dse_setup *setup = designs->setup;
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work, .rejection = &rejection};
    struct dse_error err;
    enum dse_status status = dse_block_cost(setup->family, block, &context, config, out, &err);
    if (status == DSE_OK)
        status = dse_rejection_verdict(&rejection, &err);
    if (status != DSE_OK && designs->all_built)
        fail_msg("%s", err.message);
    return status;
}

static bool depends_here(const struct check_designs *designs, size_t block, const void *work,
                         const struct dse_config *config, size_t k)
{
    const struct dse_knob *knob = &designs->setup->space->knobs[k];
    struct dse_accumulators before, after;
    bool depends = false;
    enum dse_status first = cost(designs, block, work, config, &before);
    for (size_t v = 0; v < check_value_count(knob); v++) {
        struct dse_config changed = *config;
        changed.value[k] = check_value_at(knob, v);
        enum dse_status second = cost(designs, block, work, &changed, &after);
        depends |= first != second || (first == DSE_OK && memcmp(&before, &after, sizeof before) != 0);
    }
    return depends;
}

dse_knob_set check_dependence(const struct check_designs *designs, size_t block)
{
    const struct dse_setup *setup = designs->setup;
    dse_knob_set seen = {{0}};
    void *work = NULL;
    OK(setup->family->prepare(setup->family, setup->workload, &work, &why));
    for (uint64_t i = 0; i < designs->count; i++) {
        struct dse_config config;
        designs->draw(i, &config);
        for (size_t k = 0; k < setup->space->count; k++)
            if (depends_here(designs, block, work, &config, k))
                dse_bits_add(&seen, k);
    }
    setup->family->release(work);
    return seen;
}

static void check_direction(const struct check_designs *designs, const struct check_direction *row,
                            const struct dse_config *config)
{
    const struct dse_knob *knob = &designs->setup->space->knobs[row->knob];
    double last = NAN;
    for (size_t v = 0; v < check_value_count(knob); v++) {
        struct dse_config changed = *config;
        struct dse_estimate estimate;
        struct dse_error err;
        changed.value[row->knob] = check_value_at(knob, v);
        enum dse_status status = dse_estimate_built(designs->setup, &changed, &estimate, &err);
        if (status != DSE_OK && designs->all_built)
            fail_msg("%s", err.message);
        if (status != DSE_OK)
            continue;
        double value = estimate.metrics[row->metric], slack = 1e-9 * fabs(value);
        if (!isnan(last) && (row->grows ? value < last - slack : value > last + slack))
            fail_msg("%s: from %g to %g as %s becomes %lld", dse_metrics[row->metric].name, last, value, knob->name,
                     (long long)check_value_at(knob, v));
        last = value;
    }
}

void check_directions(const struct check_designs *designs, const struct check_direction *rows, size_t count)
{
    for (uint64_t i = 0; i < designs->count; i++) {
        struct dse_config config;
        designs->draw(i, &config);
        for (size_t row = 0; row < count; row++)
            check_direction(designs, &rows[row], &config);
    }
}
