/* The two sides of a family agree: what the executor can be told is a knob of the space, with the same words (in any order). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "executor/executor.h"
#include "models/model.h"

static void check_words(const struct dse_knob *knob, const struct dse_parameter *parameter)
{
    size_t words = 0;
    while (parameter->choices[words] != NULL)
        words++;
    if (words != knob->choice_count)
        fail_msg("%s has %zu words as a parameter and %zu as a knob", knob->name, words, knob->choice_count);
    for (size_t i = 0; i < words; i++) {
        int64_t value = 0;
        struct dse_error err;
        if (dse_knob_parse(knob, parameter->choices[i], &value, &err) != DSE_OK)
            fail_msg("%s", err.message);
    }
}

static void test_parameters_are_knobs(void **state)
{
    (void)state;
    size_t count = 0;
    const struct dse_executor *const *executors = dse_executors(&count);
    assert_true(count > 0);
    for (size_t e = 0; e < count; e++) {
        const struct dse_model_family *family = dse_model_find(executors[e]->family);
        assert_non_null(family);
        struct dse_space *space = NULL;
        struct dse_error err;
        assert_int_equal(dse_model_space(family, NULL, &space, &err), DSE_OK);
        for (size_t p = 0; p < executors[e]->parameter_count; p++) {
            const struct dse_parameter *parameter = &executors[e]->parameters[p];
            int knob = dse_space_find(space, parameter->name);
            if (knob < 0)
                fail_msg("%s is no knob of the space of %s", parameter->name, family->name);
            if (parameter->choices != NULL)
                check_words(&space->knobs[knob], parameter);
            assert_true((space->knobs[knob].kind & DSE_KNOB_ALGORITHMIC) != 0);
        }
        dse_space_free(space);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parameters_are_knobs)};
    return cmocka_run_group_tests_name("parameters", tests, NULL, NULL);
}
