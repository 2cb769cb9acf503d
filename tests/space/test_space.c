/* Knobs, space files and the --where language. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "space/where.h"
#include "space/space.h"
#include "tests/test.h"

static const char *const presets[] = {"paper", "other", NULL};
static const struct dse_knob declared[] = {
    DSE_KNOB_ROW(0, "form", BOTH, "a form", DSE_WORDS(0, "plain", "fancy", "rare")),
    DSE_KNOB_ROW(1, "pe", HARDWARE, "engines", DSE_WHOLE(1, 64, 2), DSE_POWERS_OF_TWO, DSE_SWEEP(1, 2, 16), .unit = "PE"),
    DSE_KNOB_ROW(2, "width", ALGORITHMIC, "a width", DSE_REAL(0.01, 4, 1), .later = true, .presets = (const struct dse_knob_preset[]){{"other", DSE_DECIMAL(0.25)}, {0}}),
    DSE_KNOB_ROW(3, "extra", HARDWARE, "more", DSE_WHOLE(0, 9, 2), DSE_WHEN(0, 6)),
};
static const struct dse_knobs toy = {"toy", declared, sizeof declared / sizeof *declared, presets, NULL, 0, NULL};

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
    enum dse_status status = dse_space_make(&toy, path, space, err);
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

static const struct dse_knob nested[] = {
    DSE_KNOB_ROW(0, "form", BOTH, "f", DSE_WORDS(0, "plain", "fancy", "rare")),
    DSE_KNOB_ROW(1, "shape", BOTH, "s", DSE_WORDS(0, "flat", "deep"), DSE_WHEN(0, 4)),
    DSE_KNOB_ROW(2, "depth", BOTH, "d", DSE_WHOLE(1, 9, 2), DSE_SWEEP(1, 2, 3, 4), DSE_WHEN(1, 2))};
static const struct dse_knobs nested_knobs = {"toy", nested, 3, presets, NULL, 0, NULL};

/* A knob matters if its condition holds, and so does the condition's own: `depth` with shape=deep, which matters with form=rare. */
TEST(test_conditions_of_conditions)
{
    struct dse_space *space = NULL;
    struct dse_error err = {0};
    if (dse_space_make(&nested_knobs, NULL, &space, &err) != DSE_OK)
        fail_msg("%s", err.message);
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
    assert_int_equal(dse_space_size(space, (dse_knob_set)DSE_BITS(7)), 2 + 1 + 4);
    dse_space_free(space);
}

/* A workload's key names exactly the knobs that shape it and matter. */
TEST(test_work_key)
{
    struct dse_knob shaping[3];
    memcpy(shaping, nested, sizeof shaping);
    shaping[1].shapes_work = shaping[2].shapes_work = true;
    struct dse_knobs knobs = {"toy", shaping, 3, presets, NULL, 0, NULL};
    static const struct {
        const char *form, *keys;
    } cases[] = {{"plain", ""}, {"rare", "shape=deep depth=7 "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_setting setting = {0}, key = {0};
        dse_setting_put(&setting, "form", cases[i].form);
        dse_setting_put(&setting, "shape", "deep");
        dse_setting_put(&setting, "depth", "7");
        dse_knobs_work_key(&knobs, &setting, &key);
        char text[64] = "";
        for (size_t k = 0; k < 3; k++) {
            const char *value = dse_setting_get(&key, shaping[k].name);
            if (value != NULL)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s=%s ", shaping[k].name, value);
        }
        assert_string_equal(text, cases[i].keys);
        dse_setting_free(&setting);
        dse_setting_free(&key);
    }
}

TEST(test_size_counts_what_matters)
{
    struct dse_space *space = read_good();
    /* plain: pe 3 × width 2; fancy and rare: × extra 5 */
    assert_int_equal(dse_space_size(space, (dse_knob_set)DSE_BITS(0xf)), 3 * 2 * (1 + 5 + 5));
    assert_int_equal(dse_space_size(space, dse_bits_one(1)), 3);
    assert_int_equal(dse_space_size(space, (dse_knob_set)DSE_BITS(0)), 1);
    dse_space_free(space);
}

TEST(test_draws_are_canonical)
{
    struct dse_space *space = read_good();
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 1);
    bool seen_extra = false;
    for (int i = 0; i < 200; i++) {
        struct dse_config config;
        dse_space_default(space, &config);
        dse_space_draw(space, (dse_knob_set)DSE_BITS(0xf), &rng, &config);
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

TEST(test_values)
{
    struct dse_space *space = read_good();
    check_value(space, "pe=16", DSE_OK, "");
    check_value(space, "pe=3", DSE_BAD_USAGE, "pe=3: must be a power of two from 1 to 64");
    check_value(space, "pe=128", DSE_BAD_USAGE, "pe=128: must be a power of two from 1 to 64");
    check_value(space, "pe= 4", DSE_BAD_USAGE, "pe= 4: must be a power of two from 1 to 64");
    check_value(space, "pe=", DSE_BAD_USAGE, "pe=: must be a power of two from 1 to 64");
    check_value(space, "width=0.02", DSE_OK, "");
    check_value(space, "width=1e-1", DSE_OK, "");
    check_value(space, "width=5e-3", DSE_BAD_USAGE, "width=5e-3: must be a number from 0.01 to 4");
    check_value(space, "width=0.0100000000001", DSE_BAD_USAGE, "width=0.0100000000001: must be a number from 0.01 to 4");
    check_value(space, "width=-1", DSE_BAD_USAGE, "width=-1: must be a number from 0.01 to 4");
    check_value(space, "form=odd", DSE_BAD_USAGE, "form=odd: must be plain, fancy or rare");
    check_value(space, "forn=plain", DSE_BAD_USAGE, "forn: no such knob of the family toy; did you mean form?");
    check_value(space, "form", DSE_BAD_USAGE, "form: must be KNOB=VALUE");
    dse_space_free(space);
}

TEST(test_decimals_are_exact)
{
    struct dse_space *space = read_good();
    const char *const texts[] = {"0.01", "0.1", "1", "3.999999", "0.123456", "0.010000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct dse_config config;
        struct dse_error err;
        char back[64];
        assert_int_equal(dse_config_set(space, &config, "width", texts[i], &err), DSE_OK);
        assert_string_equal(dse_knob_format(&space->knobs[2], config.value[2], back, sizeof back), texts[i]);
    }
    dse_space_free(space);
}

TEST(test_decimals_below_zero)
{
    static const struct dse_knob margin = {.name = "margin", DSE_REAL(-10000, 10000, 0)};
    const char *const texts[] = {"-10000", "-9999", "-0.5", "-0.000000000001", "0", "2.25"};
    int64_t value = 0;
    char back[64];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(dse_knob_parse(&margin, texts[i], &value, NULL), DSE_OK);
        assert_string_equal(dse_knob_format(&margin, value, back, sizeof back), texts[i]);
    }
    assert_int_equal(dse_knob_parse(&margin, "-10000.5", &value, NULL), DSE_BAD_USAGE);
}

/* Replacing `from` by `to` in the good file gives an error that ends in `expected`. */
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

TEST(test_broken_files)
{
    check_broken("default='4'", "default='5'", ":3: <knob default=\"5\">: must be a power of two from 1 to 64");
    check_broken("values='1 4 8'", "values='1 4 6'", ":3: <sweep>: pe=6: must be a power of two from 1 to 64");
    check_broken("values='1 4 8'", "values='1 4 4'", ":3: <sweep values=\"1 4 4\">: 4 occurs twice");
    check_broken("values='1 4 8'", "values=' '", ":3: <sweep values=\" \">: needs at least one value");
    check_broken("is='fancy rare'", "is='fanci'", "form=fanci: must be plain, fancy or rare");
    check_broken("<when knob='form'", "<when knob='pe'", "must be a knob of words that the family declares before this one");
    check_broken("name='width'", "name='breadth'", "the family has no such knob");
    check_broken("family='toy'", "family='other'", "<space family=\"other\">: must be toy");
    check_broken("kind='both'", "kind='soft'", "must be algorithmic, hardware or both");
    check_broken("min='1' max='64'", "min='64' max='1'", "must not be below min");
    check_broken("min='1' max='64'", "min='0' max='64'", "<knob min=\"0\">: pe: the models hold from 1 to 1024");
    check_broken("min='1' max='64'", "min='1' max='1025'", "<knob max=\"1025\">: pe: the models hold from 1 to 1024");
    check_broken("max='64' only='powers-of-two' default='4'", "max='1'", "its default is outside its bounds");
    check_broken("kind='both'", "kind='hardware'", "<knob kind=\"hardware\">: form: must be both");
    check_broken("title='p'", "titel='p'", "unknown attribute \"titel\"");
    check_broken("<space", "<spaces", "not well-formed XML");
}

/* A file states differences from the declaration; a written space is such a file. */
TEST(test_files_over_declarations)
{
    struct dse_space *space = NULL, *again = NULL;
    struct dse_error err = {0};
    struct dse_strbuf text = {0}, back = {0};
    assert_int_equal(dse_space_make(&toy, NULL, &space, &err), DSE_OK);
    assert_int_equal(dse_space_size(space, (dse_knob_set)DSE_BITS(0xf)), 3 * 3); /* form, pe; one width; extra stands at the default */
    assert_string_equal(space->knobs[0].unit, "");
    assert_int_equal(space->knobs[0].condition, -1);
    dse_space_free(space);
    assert_int_equal(read_text("<space family='toy'><knob name='pe' max='8'/><knob name='extra' title='x &amp; y'>"
                               "<sweep values='7 1'/></knob></space>", &space, &err), DSE_OK);
    assert_int_equal(space->knobs[1].domain_count, 2);
    assert_int_equal(space->knobs[1].fallback, 2);
    assert_string_equal(space->knobs[1].title, "engines");
    assert_true(space->knobs[1].power_of_two);
    assert_int_equal(space->knobs[3].condition, 0);
    assert_int_equal(dse_space_size(space, (dse_knob_set)DSE_BITS(0xf)), 2 * (1 + 2 + 2));
    dse_space_format(space, &text);
    assert_int_equal(read_text(dse_strbuf_text(&text), &again, &err), DSE_OK);
    dse_space_format(again, &back);
    assert_string_equal(dse_strbuf_text(&text), dse_strbuf_text(&back));
    assert_non_null(strstr(dse_strbuf_text(&text), "title=\"x &amp; y\""));
    struct dse_space *rejected;
    assert_int_equal(read_text("<space family='toy'><knob name='pe' min='4' default='4' max='8'/></space>", &rejected, &err), DSE_BAD_INPUT);
    assert_null(rejected);
    assert_non_null(strstr(err.message, "needs a <sweep> of values within its bounds"));
    dse_strbuf_free(&text);
    dse_strbuf_free(&back);
    dse_space_free(space);
    dse_space_free(again);
}

static void check_settings(const struct dse_setting *setting, const char *width, const char *form)
{
    assert_int_equal(setting->count, 2);
    assert_string_equal(dse_setting_get(setting, "width"), width);
    assert_string_equal(dse_setting_get(setting, "form"), form);
}

TEST(test_settings)
{
    struct dse_setting setting, given = {0};
    struct dse_config config;
    struct dse_error err = {0};
    double v[DSE_KNOB_MAX];
    assert_int_equal(dse_knobs_preset(&toy, "none", &setting, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "--preset none: must be paper or other");
    assert_int_equal(dse_knobs_preset(&toy, "other", &setting, &err), DSE_OK);
    check_settings(&setting, "0.25", "plain");
    dse_setting_free(&setting);
    assert_int_equal(dse_knobs_preset(&toy, "paper", &setting, &err), DSE_OK);
    check_settings(&setting, "1", "plain");
    assert_int_equal(dse_knobs_put(&toy, "width", "0.33333333333333331", &setting, &err), DSE_OK); /* a double's last digit */
    assert_int_equal(dse_knobs_put(&toy, "form", "rare", &setting, &err), DSE_OK);
    assert_int_equal(dse_knobs_trained_values(&toy, &setting, v, &err), DSE_OK);
    assert_true(v[0] == 2 && v[2] == 1.0 / 3.0);
    assert_int_equal(dse_knobs_put(&toy, "width", "5", &setting, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "width=5: must be a number from 0.01 to 4");
    assert_int_equal(dse_knobs_put(&toy, "pe", "2", &setting, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "pe: not a parameter of toy: training does not read this hardware knob");
    assert_int_equal(dse_knobs_put(&toy, "widht", "2", &setting, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "widht: not a parameter of toy; did you mean width?");
    /* A simulation takes hardware knobs; all others come from the model. */
    dse_setting_put(&given, "pe", "16");
    dse_setting_put(&given, "form", "rare");
    dse_knobs_default(&toy, &config);
    assert_int_equal(dse_knobs_hardware(&toy, &given, &setting, &config, &err), DSE_OK);
    dse_knobs_of_model(&toy, &setting, &config);
    assert_true(config.value[1] == 16 && config.value[3] == 2);
    dse_setting_put(&given, "form", "fancy");
    assert_int_equal(dse_knobs_hardware(&toy, &given, &setting, &config, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "form=fancy: the model was trained with rare");
    dse_setting_free(&given);
    dse_setting_free(&setting);
    /* Models stored before a knob existed have its default. */
    setting = (struct dse_setting){0};
    dse_knobs_complete(&toy, &setting);
    assert_int_equal(dse_knobs_trained_values(&toy, &setting, v, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "form: has no value"); /* the knob existed from the beginning */
    dse_setting_put(&setting, "form", "rare");
    check_settings(&setting, "1", "rare");
    dse_setting_free(&setting);
}

TEST(test_a_stored_quality_is_of_defaults_where_it_names_none)
{
    struct dse_setting stored = {0};
    dse_setting_put(&stored, "other", "3");
    dse_knobs_quality_key(&toy, &stored);
    assert_string_equal(dse_setting_get(&stored, "form"), "plain");
    assert_string_equal(dse_setting_get(&stored, "other"), "3");
    assert_null(dse_setting_get(&stored, "pe")); /* training does not read it */
    dse_setting_free(&stored);
}

/* A table with one wrong knob is rejected, and the message says why. */
static void check_rejected(size_t index, struct dse_knob knob, const char *why)
{
    struct dse_knob table[sizeof declared / sizeof *declared];
    struct dse_knobs knobs = {"toy", table, sizeof table / sizeof *table, presets, NULL, 0, NULL};
    struct dse_space *space = NULL;
    struct dse_error err = {0};
    memcpy(table, declared, sizeof table);
    table[index] = knob;
    assert_int_equal(dse_space_make(&knobs, NULL, &space, &err), DSE_LIMIT);
    assert_null(space);
    if (strstr(err.message, why) == NULL)
        fail_msg("%s: expected %s", err.message, why);
}

TEST(test_tables_are_checked)
{
    static struct dse_knob many[DSE_KNOB_MAX + 1];
    struct dse_error err = {0};
    struct dse_knob knob = declared[3];
    assert_int_equal(dse_knobs_check(&toy, &err), DSE_OK);
    knob.name = "pe";
    check_rejected(3, knob, "knob pe: its name or its option occurs twice");
    knob = declared[2];
    knob.option = "form";
    check_rejected(2, knob, "knob width: its name or its option occurs twice");
    knob = declared[1];
    knob.fallback = 3;
    check_rejected(1, knob, "its default is outside its bounds");
    knob.fallback = 128;
    check_rejected(1, knob, "its default is outside its bounds");
    knob = declared[1];
    knob.maximum = 8;
    check_rejected(1, knob, "a sweep's value is outside its bounds");
    knob = declared[2];
    knob.presets = (const struct dse_knob_preset[]){{"others", DSE_DECIMAL(1)}, {0}};
    check_rejected(2, knob, "a preset is unknown to the family");
    knob = declared[0];
    knob.condition_choices = 1;
    check_rejected(0, knob, "it depends on a knob that is not a choice declared before it");
    knob = declared[1];
    knob.shapes_work = true;
    check_rejected(1, knob, "it changes the workload but is not algorithmic");
    knob = declared[0];
    knob.choices = (const char *const[]){"plain", "fancy", "plain", NULL};
    check_rejected(0, knob, "a word occurs twice");
    struct dse_knobs too_many = {"toy", many, DSE_KNOB_MAX + 1, presets, NULL, 0, NULL};
    assert_int_equal(dse_knobs_check(&too_many, &err), DSE_LIMIT);
    assert_string_equal(err.message, "the family toy declares 513 knobs: at most 512");
}

TEST(test_expressions)
{
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

/* A comparison of a name with a value, in any notation; anything else is a condition, given by its text. */
TEST(test_forms_of_comparisons)
{
    static const struct {
        const char *text, *name, *sign, *value;
    } cases[] = {
        {"20us >= a", "a", "<=", "20us"},       {"!(a<=1)", "a", ">", "1"},          {"!!(a = x)", "a", "=", "x"},
        {"((a)<(1))", "", "<", ""},             {"(a<1)", "a", "<", "1"},            {"a=off-chip", "a", "=", "off-chip"},
        {"a = transfer-1", "a", "=", "transfer-1"}, {"a=q8.24", "a", "=", "q8.24"},  {"a>=-0.5", "a", ">=", "-0.5"},
        {"a=\"x<1>\"", "a", "=", "x<1>"},       {"a<=b", "a", "<=", "b"},            {"a<=b - 1", "", "<=", ""},
        {"a*b<=4", "", "<=", ""},             {"a<=9us*b", "", "<=", ""},          {"a<=2^b-1", "", "<=", ""},               {"a<=1 || b<=2", "", "<=", ""},      {"a <= 0.5 ms", "a", "<=", "0.5 ms"},
        {"50% > a", "a", "<", "50%"},           {"a != x ? b = 1 : b = 2", "", "<=", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_expression expression;
        OK(dse_expression_parse(cases[i].text, &expression, &why));
        const struct dse_term *term = &expression.terms[0];
        assert_int_equal(expression.count, 1);
        assert_string_equal(term->name, cases[i].name);
        assert_int_equal(term->length, strlen(cases[i].text));
        if (term->name[0] == '\0')
            continue;
        assert_string_equal(dse_comparison_sign(term->comparison), cases[i].sign);
        assert_string_equal(term->value, cases[i].value);
    }
}

/* Wrong conditions as people write them: the message names the word, with a caret below. */
TEST(test_broken_expressions)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"latency", "must be a condition"}, {"latency<=", "not the end"},   {"<=3", "not \"<=\""},           {"a=1 &&", "not the end"},
        {"a=1 & b=2", "joined by &&"},      {"a=1 b=2=3", "not a unit"},       {"a=1 && && b=2", "not \"&&\""}, {"a<=1;", "joined by &&"},
        {"a<=1 or b<=2", "joined by ||"},   {"a=x and b<=2", "joined by &&"}, {"a<=1, b<=2", "joined by &&"}, {"not a<=1", "write !"},
        {"a=<1", "write <="},             {"a=>1", "write >="},         {"a<=1 ||", "not the end"},      {"a<=b<=c", "do not chain"},
        {"a + 1", "must be a condition"},   {"(a<=1", "must be \")\""},     {"a<=1)", "no parenthesis"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_expression expression;
        struct dse_error err = {0};
        assert_int_equal(dse_expression_parse(cases[i].text, &expression, &err), DSE_BAD_USAGE);
        if (strstr(err.message, cases[i].words) == NULL || strncmp(err.message, "--where: ", 9) != 0 || strstr(err.message, "^") == NULL)
            fail_msg("\"%s\": %s", cases[i].text, err.message);
    }
}

/* At most as many comparisons as there is room for, written in one text or combined. */
TEST(test_comparisons_are_counted)
{
    struct dse_error err = {0};
    struct dse_expression all = {.count = 0}, one;
    char text[DSE_TERM_MAX * 16] = "";
    assert_int_equal(dse_expression_parse("pe<=4", &one, &err), DSE_OK);
    for (size_t i = 0; i < DSE_TERM_MAX; i++) {
        assert_int_equal(dse_expression_append(&all, &one, &err), DSE_OK);
        strcat(text, i > 0 ? " && pe<=4" : "pe<=4");
    }
    assert_int_equal(all.count, DSE_TERM_MAX);
    assert_int_equal(dse_expression_append(&all, &one, &err), DSE_BAD_USAGE);
    assert_int_equal(all.count, DSE_TERM_MAX);
    assert_int_equal(dse_expression_parse(text, &all, &err), DSE_OK);
    assert_int_equal(all.count, DSE_TERM_MAX);
    strcat(text, " && pe<=4");
    assert_int_equal(dse_expression_parse(text, &all, &err), DSE_BAD_USAGE);
}

TESTS(NULL, NULL)
