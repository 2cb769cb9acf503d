/* Every backend of every family consumes, rejects or is unaffected by each hardware knob, as the family declares. A false declaration is found, with
 * the names of backend and knob. */

#include <string.h>

#include "tests/contract/backends.h"
#include "tests/test.h"

#define ROWS_MOST 64

/* The declaration without a knob at one backend. */
static size_t without(const struct dse_knobs *knobs, size_t backend, size_t k, struct dse_knob_uses rows[])
{
    memcpy(rows, knobs->uses, knobs->use_count * sizeof *rows);
    for (size_t i = 0; i < knobs->use_count; i++)
        if (rows[i].backend == backend)
            dse_bits_drop(&rows[i].knobs, k);
    return knobs->use_count;
}

static void expect_complaint(const struct dse_model_family *family, const struct dse_knobs *knobs, const struct backends_seen *seen,
                             size_t backend, size_t k)
{
    char complaint[512] = "";
    if (backends_hold(family, knobs, seen, complaint, sizeof complaint))
        fail_msg("%s: a wrong declaration of %s at %s passes", family->name, knobs->knobs[k].name, backends_names[backend]);
    if (strstr(complaint, backends_names[backend]) == NULL || strstr(complaint, knobs->knobs[k].name) == NULL)
        fail_msg("\"%s\" does not name %s and %s", complaint, backends_names[backend], knobs->knobs[k].name);
}

/* A missing or false declaration of a knob is an error, at each backend. */
static void check_wrong(const struct dse_model_family *family, const struct backends_seen *seen)
{
    static const enum dse_knob_use all[] = {DSE_KNOB_CONSUMED, DSE_KNOB_REJECTED, DSE_KNOB_UNAFFECTED};
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (size_t k = 0; k < family->knobs->count; k++) {
            struct dse_knob_uses rows[ROWS_MOST];
            struct dse_knobs wrong = *family->knobs;
            wrong.uses = rows;
            wrong.use_count = without(family->knobs, b, k, rows);
            char complaint[512];
            if (seen->use[b][k] == DSE_KNOB_UNDECLARED || backends_hold(family, &wrong, seen, complaint, sizeof complaint))
                continue; /* not examined, or only by the blocks of the cost model */
            expect_complaint(family, &wrong, seen, b, k);
            wrong.use_count++;
            for (size_t u = 0; u < sizeof all / sizeof *all; u++) {
                rows[wrong.use_count - 1] = (struct dse_knob_uses){(enum dse_backend)b, all[u], dse_bits_one(k),
                                                                   all[u] == DSE_KNOB_UNAFFECTED ? "no reason" : NULL};
                if (all[u] != seen->use[b][k])
                    expect_complaint(family, &wrong, seen, b, k);
            }
        }
}

/* No flow counts the throughput of units that it does not emit. */
static void check_units(const struct dse_model_family *family, const struct backends_seen *seen)
{
    size_t k = family->units_knob;
    if (seen->there[DSE_BACKEND_RTL] && seen->use[DSE_BACKEND_RTL][k] == DSE_KNOB_UNAFFECTED && seen->use[DSE_BACKEND_RTL_MODEL][k] != DSE_KNOB_REJECTED)
        fail_msg("%s: the RTL has one unit, whatever %s says, and its cost model takes several", family->name, family->knobs->knobs[k].name);
}

TEST(test_backends)
{
    size_t count = 0;
    const struct dse_model_family *const *families = dse_model_families(&count);
    for (size_t i = 0; i < count; i++) {
        char complaint[512];
        const struct dse_executor *executor = dse_executor_find(families[i]->name);
        struct backends_seen seen;
#ifdef ONLY_FAMILY
        if (strcmp(families[i]->name, ONLY_FAMILY) != 0)
            continue;
#endif
        assert_non_null(executor);
        assert_true(families[i]->knobs->use_count < ROWS_MOST);
        backends_observe(families[i], executor, &seen);
        if (!backends_hold(families[i], families[i]->knobs, &seen, complaint, sizeof complaint))
            fail_msg("%s", complaint);
        check_units(families[i], &seen);
        check_wrong(families[i], &seen);
    }
}

TESTS(NULL, NULL)
