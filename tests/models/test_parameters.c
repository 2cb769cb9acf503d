/* The families of the registries: their declarations hold, models and executor have the same knobs, and older space files keep their meaning. */

#include <stdio.h>
#include <string.h>

#include "executor/executor.h"
#include "models/model.h"
#include "tests/ok.h"
#include "tests/test.h"

static struct dse_error rejection;

TEST(test_families_hold)
{
    size_t count = 0, executors = 0;
    const struct dse_model_family *const *families = dse_model_families(&count);
    dse_executors(&executors);
    assert_true(count > 0 && count == executors);
    for (size_t f = 0; f < count; f++) {
        OK(dse_model_check(families[f], &why));
        assert_ptr_equal(dse_executor_find(families[f]->name)->knobs, families[f]->knobs);
        assert_string_equal(families[f]->knobs->family, families[f]->name);
    }
}

/* One family with more stages, engines or blocks than there is room for, or a block that reads a part of the workload. */
TEST(test_too_much_is_rejected)
{
    const struct dse_model_family *nysx = dse_model_find("nysx");
    struct dse_model_family wrong = *nysx;
    struct dse_space *space = NULL;
    wrong.stage_count = DSE_STAGE_APART + 1;
    assert_int_equal(dse_model_space(&wrong, NULL, &space, &rejection), DSE_LIMIT);
    assert_string_equal(rejection.message, "the family nysx declares 9 stages: at most 8");
    wrong = *nysx;
    wrong.engine_count = DSE_ENGINE_MAX + 1;
    assert_int_equal(dse_model_check(&wrong, &rejection), DSE_LIMIT);
    wrong = *nysx;
    wrong.block_count = DSE_BLOCK_MAX + 1;
    assert_int_equal(dse_model_check(&wrong, &rejection), DSE_LIMIT);
    struct dse_block block = nysx->blocks[0];
    wrong = *nysx;
    wrong.blocks = &block;
    wrong.block_count = 1;
    OK(dse_model_check(&wrong, &why));
    dse_knob_set shaping = dse_knobs_shaping(nysx->knobs);
    dse_bits_drop(&block.reads, dse_bits_next(shaping, 0)); /* all but one */
    assert_int_equal(dse_model_check(&wrong, &rejection), DSE_LIMIT);
    assert_non_null(strstr(rejection.message, "block query"));
}

static bool visits(const struct dse_knob *knob, int64_t value)
{
    for (size_t i = 0; i < knob->domain_count; i++)
        if (knob->domain[i] == value)
            return true;
    return false;
}

/* Knobs keep their declarations; they may gain words, and a condition on one of them. */
static void check_alike(const struct dse_knob *before, const struct dse_knob *now)
{
    assert_string_equal(before->name, now->name);
    bool conditional = before->condition_choices != 0;
    if (before->kind != now->kind || before->type != now->type || before->fallback != now->fallback ||
        before->minimum != now->minimum || before->maximum > now->maximum || before->power_of_two != now->power_of_two ||
        (conditional && (before->condition != now->condition || before->condition_choices != now->condition_choices)))
        fail_msg("%s is otherwise than it was", now->name);
    for (size_t i = 0; i < before->domain_count; i++)
        assert_true(visits(now, before->domain[i]));
    assert_string_equal(before->unit, now->unit);
}

/* Formerly shipped space files (tests/space/before): used as a user's space, they give the declared space. */
TEST(test_files_of_before)
{
    static const char *const names[] = {"nysx", "hydraf"};
    for (size_t f = 0; f < 2; f++) {
        char path[512];
        struct dse_space *before = NULL, *now = NULL;
        snprintf(path, sizeof path, "%s/tests/space/before/%s.xml", NYSX_TEST_SOURCE_DIR, names[f]);
        OK(dse_model_space(dse_model_find(names[f]), path, &before, &why));
        OK(dse_model_space(dse_model_find(names[f]), NULL, &now, &why));
        assert_string_equal(before->file, path);
        assert_null(now->file);
        for (size_t k = 0; k < now->count; k++)
            check_alike(&before->knobs[k], &now->knobs[k]);
        dse_space_free(before);
        dse_space_free(now);
    }
}

TESTS(NULL, NULL)
