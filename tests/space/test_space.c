/* Knobs, space files and the --where language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "space/expression.h"
#include "space/space.h"

static const char *const forms[] = {"plain", "fancy", "rare", NULL};
static const struct dse_knob_declaration declared[] = {{"form", DSE_KNOB_CHOICE, forms},
                                                       {"pe", DSE_KNOB_INTEGER, NULL},
                                                       {"width", DSE_KNOB_DECIMAL, NULL},
                                                       {"extra", DSE_KNOB_INTEGER, NULL}};
#define DECLARED (sizeof declared / sizeof *declared)

static const char good[] =
    "<space family='toy'>\n"
    "<knob name='form' kind='both' title='f' default='plain'><sweep values='plain fancy rare'/></knob>\n"
    "<knob name='pe' kind='hardware' title='p' min='1' max='64' only='powers-of-two' default='4'><sweep values='1 4 8'/></knob>\n"
    "<knob name='width' kind='algorithmic' title='w' min='0.01' max='4' default='0.5'><sweep values='0.01 0.5'/></knob>\n"
    "<knob name='extra' kind='hardware' title='e' min='0' max='9' default='2'>"
    "<when knob='form' is='fancy rare'/><sweep values='1 2 3 5 7'/></knob>\n"
    "</space>\n";

static enum dse_status read_text(const char *text, struct dse_space **space, struct dse_error *err)
{
    char path[] = "/tmp/nysx-space-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), (int)strlen(text));
    close(descriptor);
    enum dse_status status = dse_space_read(path, "toy", declared, DECLARED, space, err);
    unlink(path);
    return status;
}

static struct dse_space *read_good(void)
{
    struct dse_space *space = NULL;
    struct dse_error err = {0};
    if (read_text(good, &space, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return space;
}

/* A knob matters where its condition holds and that one's own does: `depth` beside shape=deep, which matters beside form=rare. */
static void test_conditions_of_conditions(void **state)
{
    (void)state;
    static const char *const shapes[] = {"flat", "deep", NULL};
    static const struct dse_knob_declaration nested[] = {
        {"form", DSE_KNOB_CHOICE, forms}, {"shape", DSE_KNOB_CHOICE, shapes}, {"depth", DSE_KNOB_INTEGER, NULL}};
    static const char text[] =
        "<space family='toy'>\n"
        "<knob name='form' kind='both' title='f' default='plain'><sweep values='plain fancy rare'/></knob>\n"
        "<knob name='shape' kind='both' title='s' default='flat'><when knob='form' is='rare'/><sweep values='flat deep'/></knob>\n"
        "<knob name='depth' kind='both' title='d' min='1' max='9' default='2'><when knob='shape' is='deep'/>"
        "<sweep values='1 2 3 4'/></knob>\n"
        "</space>\n";
    char path[] = "/tmp/nysx-space-XXXXXX";
    int descriptor = mkstemp(path);
    struct dse_space *space = NULL;
    struct dse_error err = {0};
    assert_true(descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
    close(descriptor);
    if (dse_space_read(path, "toy", nested, 3, &space, &err) != DSE_OK)
        fail_msg("%s", err.message);
    unlink(path);
    static const struct {
        int64_t form, shape;
        bool depth;
    } cases[] = {{0, 0, false}, {0, 1, false}, {1, 1, false}, {2, 0, false}, {2, 1, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_config config = {.value = {cases[i].form, cases[i].shape, 7}};
        assert_true(dse_knob_active(space, &config, 2) == cases[i].depth);
        dse_config_canonical(space, &config);
        assert_int_equal(config.value[2], cases[i].depth ? 7 : 2);
        assert_int_equal(config.value[1], cases[i].form == 2 ? cases[i].shape : 0);
    }
    assert_int_equal(dse_space_size(space, 7), 2 + 1 + 4);
    dse_space_free(space);
}

static void test_size_counts_what_matters(void **state)
{
    (void)state;
    struct dse_space *space = read_good();
    /* plain: pe 3 × width 2; fancy and rare: × extra 5 */
    assert_int_equal(dse_space_size(space, 0xf), 3 * 2 * (1 + 5 + 5));
    assert_int_equal(dse_space_size(space, DSE_KNOB_BIT(1)), 3);
    assert_int_equal(dse_space_size(space, 0), 1);
    dse_space_free(space);
}

static void test_draws_are_canonical(void **state)
{
    (void)state;
    struct dse_space *space = read_good();
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 1);
    bool seen_extra = false;
    for (int i = 0; i < 200; i++) {
        struct dse_config config;
        dse_space_default(space, &config);
        dse_space_draw(space, 0xf, &rng, &config);
        assert_true(config.value[0] != 0 || config.value[3] == 2);
        seen_extra |= config.value[3] == 7;
    }
    assert_true(seen_extra);
    dse_space_free(space);
}

static void check_value(const struct dse_space *space, const char *assignment, enum dse_status expected, const char *message)
{
    struct dse_config config;
    struct dse_error err = {0};
    dse_space_default(space, &config);
    assert_int_equal(dse_config_assign(space, &config, assignment, &err), expected);
    assert_string_equal(err.message, message);
}

static void test_values(void **state)
{
    (void)state;
    struct dse_space *space = read_good();
    check_value(space, "pe=16", DSE_OK, "");
    check_value(space, "pe=3", DSE_BAD_USAGE, "pe=3: must be a power of two from 1 to 64");
    check_value(space, "pe=128", DSE_BAD_USAGE, "pe=128: must be a power of two from 1 to 64");
    check_value(space, "pe= 4", DSE_BAD_USAGE, "pe= 4: must be a power of two from 1 to 64");
    check_value(space, "pe=", DSE_BAD_USAGE, "pe=: must be a power of two from 1 to 64");
    check_value(space, "width=0.02", DSE_OK, "");
    check_value(space, "width=1e-1", DSE_BAD_USAGE, "width=1e-1: must be a number from 0.01 to 4");
    check_value(space, "form=odd", DSE_BAD_USAGE, "form=odd: must be plain, fancy or rare");
    check_value(space, "forn=plain", DSE_BAD_USAGE, "forn: no such knob of the family toy; did you mean form?");
    check_value(space, "form", DSE_BAD_USAGE, "form: must be KNOB=VALUE");
    dse_space_free(space);
}

static void test_decimals_are_exact(void **state)
{
    (void)state;
    struct dse_space *space = read_good();
    const char *const texts[] = {"0.01", "0.1", "1", "3.999999", "0.123456"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct dse_config config;
        struct dse_error err;
        char back[64];
        assert_int_equal(dse_config_set(space, &config, "width", texts[i], &err), DSE_OK);
        assert_string_equal(dse_knob_format(&space->knobs[2], config.value[2], back, sizeof back), texts[i]);
    }
    dse_space_free(space);
}

/* `from` in the good file replaced by `to` gives an error that ends in `expected`. */
static void check_broken(const char *from, const char *to, const char *expected)
{
    const char *place = strstr(good, from);
    assert_non_null(place);
    char text[2048];
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - good), good, to, place + strlen(from));
    struct dse_space *space = NULL;
    struct dse_error err = {0};
    assert_int_equal(read_text(text, &space, &err), DSE_BAD_INPUT);
    assert_null(space);
    if (strstr(err.message, expected) == NULL)
        fail_msg("%s: expected %s", err.message, expected);
}

static void test_broken_files(void **state)
{
    (void)state;
    check_broken("default='4'", "default='5'", ":3: <knob default=\"5\">: must be a power of two from 1 to 64");
    check_broken("values='1 4 8'", "values='1 4 6'", ":3: <sweep>: pe=6: must be a power of two from 1 to 64");
    check_broken("values='1 4 8'", "values='1 4 4'", ":3: <sweep values=\"1 4 4\">: 4 stands twice");
    check_broken("values='1 4 8'", "values=' '", ":3: <sweep values=\" \">: needs at least one value");
    check_broken("is='fancy rare'", "is='fanci'", "form=fanci: must be plain, fancy or rare");
    check_broken("<when knob='form'", "<when knob='pe'", "must be a knob of words that the family declares before this one");
    check_broken("name='width'", "name='breadth'", "the family has no such knob");
    check_broken("family='toy'", "family='other'", "<space family=\"other\">: must be toy");
    check_broken("kind='both'", "kind='soft'", "must be algorithmic, hardware or both");
    check_broken("min='1' max='64'", "min='64' max='1'", "must not be below min");
    check_broken("title='p'", "titel='p'", "unknown attribute \"titel\"");
    check_broken("<space", "<spaces", "not well-formed XML");
}

static void test_expressions(void **state)
{
    (void)state;
    struct dse_expression expression;
    struct dse_error err;
    assert_int_equal(dse_expression_parse("latency<=0.5ms && bram18 < 50% &&nee.precision=int8", &expression, &err), DSE_OK);
    assert_int_equal(expression.count, 3);
    assert_string_equal(expression.terms[0].name, "latency");
    assert_int_equal(expression.terms[0].comparison, DSE_AT_MOST);
    assert_string_equal(expression.terms[0].value, "0.5ms");
    assert_string_equal(expression.terms[1].value, "50%");
    assert_int_equal(expression.terms[1].comparison, DSE_BELOW);
    assert_string_equal(expression.terms[2].name, "nee.precision");
    assert_string_equal(expression.terms[2].value, "int8");
    assert_int_equal(dse_expression_parse("a == 1 && b != 0.5 ms", &expression, &err), DSE_OK);
    assert_int_equal(expression.terms[0].comparison, DSE_EQUAL);
    assert_string_equal(expression.terms[1].value, "0.5 ms");
    assert_int_equal(dse_expression_parse("  ", &expression, &err), DSE_OK);
    assert_int_equal(expression.count, 0);
}

static void test_broken_expressions(void **state)
{
    (void)state;
    static const char *const broken[] = {"latency", "latency<=", "<=3", "a=1 &&", "a=1 & b=2", "a=1 || b=2",
                                         "a=1 b=2=3", "a=1 && && b=2", "3<a", "a<=1;"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct dse_expression expression;
        struct dse_error err = {0};
        enum dse_status status = dse_expression_parse(broken[i], &expression, &err);
        if (strcmp(broken[i], "a<=1;") == 0) /* a value like any other, refused where its meaning is known */
            assert_int_equal(status, DSE_OK);
        else if (status != DSE_BAD_USAGE || strstr(err.message, "cannot read") == NULL)
            fail_msg("\"%s\" was accepted", broken[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_of_conditions),
        cmocka_unit_test(test_size_counts_what_matters), cmocka_unit_test(test_draws_are_canonical),
        cmocka_unit_test(test_values),                   cmocka_unit_test(test_decimals_are_exact),
        cmocka_unit_test(test_broken_files),             cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_broken_expressions),
    };
    return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
