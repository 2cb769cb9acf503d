/* The language of formulas: values, dimensions, places of errors, and random formulas compared with an independent evaluation. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "space/expression.h"
#include "tests/test.h"

static const char *const types[] = {"int8", "off-chip", "1.5", "ap_fixed<16,10>"};
static const struct dse_symbol symbols[] = {
    {"p", DSE_SORT_NUMBER, {0}, NULL, 0, 0},           {"nee.lanes", DSE_SORT_NUMBER, {0}, NULL, 0, 0},
    {"depth", DSE_SORT_NUMBER, {.cycles = 1}, NULL, 0, 0}, {"size", DSE_SORT_NUMBER, {.bytes = 1}, NULL, 0, 0},
    {"type", DSE_SORT_WORD, {0}, types, 4, 0},         {"ready", DSE_SORT_CONDITION, {0}, NULL, 0, 0},
    {"big", DSE_SORT_NUMBER, {0}, NULL, 0, 0},         {"zero", DSE_SORT_NUMBER, {0}, NULL, 0, 0}};
static const struct dse_scope scope = {.symbols = symbols, .count = sizeof symbols / sizeof *symbols};
static const double slots[] = {4.0, 16.0, 14.0, 3.0, 1.0, 1.0, 9e15, 0.0};
static const struct dse_place words = {NULL, "--where", 1, 1};

static enum dse_status value_of(const char *text, double *value, struct dse_code *kept, struct dse_error *err)
{
    struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_formula formula;
    const struct dse_code *code;
    DSE_TRY(dse_formula_parse(&arena, text, &words, &formula, err));
    DSE_TRY(dse_formula_compile(&arena, &formula, &scope, &code, err));
    if (kept != NULL)
        *kept = *code;
    return dse_code_evaluate(code, slots, value, err);
}

TEST(test_values)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1 + 2 * 3", 7},           {"(1 + 2) * 3", 9},           {"2 ^ 3 ^ 2", 512},          {"-2 ^ 2", -4},
        {"2 ^ -1", 0.5},            {"7 - 2 - 1", 4},             {"8 / 4 / 2", 1},            {"7 % 4", 3},
        {"-7 % 4", -3},             {"5 % p", 1},                 {"50%", 0.5},                {"50 % * 4", 2},
        {"p * nee.lanes", 64},      {"min(3, p, 9)", 3},          {"max(3, p, 9)", 9},         {"abs(-p)", 4},
        {"ceil(1.2) + floor(1.8) + round(2.5)", 6},               {"ceildiv(128, 3)", 43},     {"ceildiv(129, 3)", 43},
        {"log2(1024)", 10},         {"bits(0)", 1},               {"bits(1)", 1},              {"bits(2)", 1},
        {"bits(3)", 2},             {"bits(4)", 2},               {"bits(5)", 3},              {"bits(9007199254740992)", 53},
        {"pow2(0)", 1},             {"pow2(53)", 9007199254740992.0},
        {"sum(i in 1..4, i)", 10},  {"sum(i in 4..1, i)", 0},     {"sum(i in 1..p, sum(k in 1..i, k))", 20},
        {"sum(i in 0 .. 0, 7)", 7}, {"sum(i in -2..2, i ^ 2)", 10},
        {"type = off-chip", 1},     {"type != off-chip", 0},      {"1.5 = type", 0},           {"type == \"ap_fixed<16,10>\"", 0},
        {"type=off-chip || p=3", 1},{"type = type", 1},
        {"select(type, int8: 1, off-chip: 2, 1.5: 3, \"ap_fixed<16,10>\": 4)", 2},
        {"select(type, int8: 1, else: 5)", 5},                    {"select(p, 2: 10, 4: 20)", 20},
        {"select(p, 2: 10, else: 1) + 1", 2},
        {"p <= 4 && nee.lanes > 4", 1},                           {"p < 4 || nee.lanes >= 17", 0},
        {"!(p < 4)", 1},            {"!ready", 0},                {"ready ? 1 : 2", 1},        {"p = 3 ? 1 : p = 4 ? 2 : 3", 2},
        {"zero = 0 || 1 / zero > 1", 1},                          {"zero != 0 && 1 / zero > 1", 0},
        {"zero = 0 ? 0 : 1 / zero", 0},                           {"0.5 ms * 1000", 0.5},
        {"250 MHz * 2 us", 500},    {"64 KiB", 65536}, {"2k", 2000},            {"3 bytes + 2", 5},          {"depth + 3 cycles", 17},
        {"2 W * 3 s = 6 J", 1},     {"2000/s * 2 s", 4000},      {"size / 3 bytes", 1},        {"1e3", 1000},               {"depth + 1 + 1", 16},
        {"12 cycles * 2 - depth", 10},                            {"size * p", 12},            {"p\n  + 1", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_error err = {0};
        double value = (double)NAN;
        if (value_of(cases[i].text, &value, NULL, &err) != DSE_OK || value != cases[i].value)
            fail_msg("%s: %.17g, must be %.17g: %s", cases[i].text, value, cases[i].value, err.message);
    }
}

/* Each error has a caret below its place; `column` is the caret's column, from 0. */
TEST(test_errors_have_a_place)
{
    static const struct {
        const char *text;
        int column;
        const char *words;
    } cases[] = {
        {"14 cycles + 3 bytes", 10, "cycles and bytes do not mix"},
        {"depth * size + depth", 13, "cycles*bytes and cycles do not mix"},
        {"min(depth, size)", 0, "cycles and bytes do not mix"},
        {"depth <= size", 6, "cycles and bytes do not mix"},
        {"p = 1 ? depth : size", 6, "cycles and bytes do not mix"},
        {"log2(depth)", 5, "must be a count, is cycles"},
        {"2 ^ depth", 4, "an exponent must be a count"},
        {"depth ^ p", 8, "whole number constant"},
        {"p / 0", 2, "division of 4 by zero"},
        {"1 / 0", 2, "division of 1 by zero"},
        {"p % zero", 2, "by zero"},
        {"1.5 % 2", 4, "must be whole numbers"},
        {"ceildiv(p, zero)", 0, "division of 4 by zero"},
        {"big * big", 4, "beyond 2^53"},
        {"pow2(0 - p)", 0, "from 0 to 53"},
        {"pow2(54)", 0, "from 0 to 53"},
        {"bits(0 - 1)", 0, "from 0 to 2^53"},
        {"log2(zero)", 0, "must be above 0"},
        {"(0 - 2) ^ 0.5", 8, "no real number"},
        {"0 ^ -1", 2, "beyond 2^53"},
        {"sum(i in 0..zero + 0.5, i)", 0, "must be whole numbers"},
        {"sum(i in 1..big, 1)", 0, "more than 1000000 iterations"},
        {"sum(i in 1..1000, sum(k in 1..7000, 1))", 18, "more than 1000000 iterations"},
        {"sum(i in 1..4, i * nn)", 19, "nn: no such name"},
        {"p + nee.lane", 4, "did you mean nee.lanes?"},
        {"i + sum(i in 1..2, i)", 0, "i: no such name"},
        {"ceildv(1, 2)", 0, "did you mean ceildiv?"},
        {"min(1)", 0, "at least two arguments, not 1"},
        {"ceil(1, 2)", 0, "one argument, not 2"},
        {"p p", 2, "expected an operator or the end, not \"p\""},
        {"3 cyclse", 2, "did you mean cycles?"},
        {"p +", 3, "name, a number, a function or \"(\", not the end"},
        {"(p + 1", 6, "must be \")\", not the end"},
        {"p + 1)", 5, "no parenthesis is open here"},
        {"p <= 4 <= 5", 7, "comparisons do not chain"},
        {"p =< 4", 2, "write <="},
        {"p => 4", 2, "write >="},
        {"p <= 4 and zero = 0", 7, "joined by &&"},
        {"p <= 4, zero = 0", 6, "joined by &&"},
        {"p <= 4 & zero = 0", 7, "joined by &&"},
        {"not p <= 4", 0, "write ! instead of not"},
        {"!p <= 4", 1, "must be a condition"},
        {"p && ready", 0, "must be a condition, is count (a number)"},
        {"ready + 1", 0, "must be a number, is a condition"},
        {"type + 1", 0, "must be a number, is a word"},
        {"type", 0, "must be a number, is a word"},
        {"type < int8", 5, "have no order"},
        {"type = int9", 7, "did you mean int8?"},
        {"\"int8\"", 0, "a word is allowed only beside"},
        {"select(type, int8: 1)", 0, "no value for type=off-chip"},
        {"select(type, int8: 1, int8: 2)", 22, "int8 occurs twice"},
        {"select(type, int9: 1, else: 2)", 13, "did you mean int8?"},
        {"select(p, 1: 2)", 0, "no label for 4, and no else"},
        {"select(p, one: 2)", 10, "must be a number"},
        {"select(type, else: 1, int8: 2)", 22, "no value after else"},
        {"\"int8", 0, "is not closed"},
        {"p ? 1 : 2", 0, "must be a condition"},
        {"ready ? 1", 9, "must be \":\""},
        {"", 0, "name, a number, a function or \"(\", not the end"},
        {"1e400", 0, "out of range"},
        {"9007199254740993000", 0, "out of range"},
        {"p + µ", 4, "a function or \"(\", not"},
        {"p ** 2", 2, "a power is a ^ b"},
        {"p // 2", 2, "write floor(a / b) for a whole quotient"},
        {"p if ready", 2, "a choice is written condition ? a : b"},
        {"select(type, int8: 1, int88: 2)", 22, "did you mean int8?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_error err = {0};
        double value;
        char caret[128] = "";
        assert_int_equal(value_of(cases[i].text, &value, NULL, &err), DSE_BAD_USAGE);
        if (*cases[i].text != '\0') /* otherwise there is no line to show */
            snprintf(caret, sizeof caret, "\n  %s\n  %*s^", cases[i].text, cases[i].column, "");
        if (strstr(err.message, cases[i].words) == NULL || strstr(err.message, caret) == NULL || strncmp(err.message, "--where: ", 9) != 0)
            fail_msg("%s: must be at %d: %s", cases[i].text, cases[i].column, err.message);
    }
}

/* In a file: line and column, DSE_BAD_INPUT, and only the line with the error. */
TEST(test_place_in_a_file)
{
    struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
    const struct dse_place place = {"gcn.yaml", "blocks.port.bytes", 12, 20};
    struct dse_formula formula;
    const struct dse_code *code;
    struct dse_error err = {0};
    assert_int_equal(dse_formula_parse(&arena, "p *\n  (size + depth)", &place, &formula, &err), DSE_OK);
    assert_int_equal(dse_formula_compile(&arena, &formula, &scope, &code, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "gcn.yaml:13:9: blocks.port.bytes: bytes and cycles do not mix\n    (size + depth)\n          ^");
    assert_int_equal(dse_formula_parse(&arena, "p * p", &place, &formula, &err), DSE_OK);
    assert_int_equal(dse_formula_compile_as(&arena, &formula, &scope, DSE_SORT_CONDITION, DSE_UNIT_COUNT, &code, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_formula_parse(&arena, "size", &place, &formula, &err), DSE_OK);
    assert_int_equal(dse_formula_compile_as(&arena, &formula, &scope, DSE_SORT_NUMBER, DSE_UNIT_CYCLES, &code, &err), DSE_BAD_INPUT);
    assert_non_null(strstr(err.message, "must be in cycles, is in bytes"));
    assert_int_equal(dse_formula_compile_as(&arena, &formula, &scope, DSE_SORT_NUMBER, DSE_UNIT_BYTES, &code, &err), DSE_OK);
}

TEST(test_what_it_reads)
{
    struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_formula formula;
    const struct dse_code *code;
    OK(dse_formula_parse(&arena, "sum(i in 1..p, i * depth) + (type = int8 ? nee.lanes : p) * 1 cycle", &words, &formula, &why));
    OK(dse_formula_compile(&arena, &formula, &scope, &code, &why));
    assert_int_equal(code->read_count, 4);
    static const size_t slots_read[] = {0, 1, 2, 4};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(code->reads[i], slots_read[i]);
    assert_true(dse_unit_equal(code->unit, DSE_UNIT_CYCLES) && !code->constant);
    OK(dse_formula_parse(&arena, "2 * 8 ^ 2", &words, &formula, &why));
    OK(dse_formula_compile(&arena, &formula, &scope, &code, &why));
    assert_true(code->constant && code->value == 128.0 && formula.name_count == 0);
}

TEST(test_written_back)
{
    static const struct {
        const char *text, *named, *valued;
    } cases[] = {
        {"p*(nee.lanes+1)-(2-(3-p))", "p * (nee.lanes + 1) - (2 - (3 - p))", "4 * (16 + 1) - (2 - (3 - 4))"},
        {"type=off-chip||!(p<=3&&ready)", "type = off-chip || !(p <= 3 && ready)", "off-chip = off-chip || !(4 <= 3 && (1 = 1))"},
        {"(p+1)^2^p*-depth", "(p + 1)^2^p * -depth", "(4 + 1)^2^4 * -14 cycles"},
        {"sum(i in 1..p,i%2)", "sum(i in 1..p, i % 2)", "sum(i in 1..4, i % 2)"},
        {"select(type,int8:1,\"ap_fixed<16,10>\":p,else:3)", "select(type, int8: 1, \"ap_fixed<16,10>\": p, else: 3)",
         "select(off-chip, int8: 1, \"ap_fixed<16,10>\": 4, else: 3)"},
        {"(p>1?2:3)+0.5 ms*250 MHz", "(p > 1 ? 2 : 3) + 0.5 ms * 250 MHz", "(4 > 1 ? 2 : 3) + 0.5 ms * 250 MHz"},
        {"50%*ceildiv(128,p)", "50% * ceildiv(128, p)", "50% * ceildiv(128, 4)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
        struct dse_strbuf named DSE_CLEANUP(dse_strbuf_free) = {0}, valued DSE_CLEANUP(dse_strbuf_free) = {0};
        struct dse_formula formula;
        OK(dse_formula_parse(&arena, cases[i].text, &words, &formula, &why));
        dse_formula_format(&formula, &scope, NULL, &named);
        dse_formula_format(&formula, &scope, slots, &valued);
        assert_string_equal(dse_strbuf_text(&named), cases[i].named);
        assert_string_equal(dse_strbuf_text(&valued), cases[i].valued);
    }
}

/* ---- random formulas: text and value are generated together, without the parser ---- */

static double make_random(struct dse_rng *rng, int depth, struct dse_strbuf *out)
{
    static const char *const signs[] = {" + ", " - ", "*", "/", " % "};
    int form = depth == 0 ? (int)(dse_rng_u64(rng) % 2) : (int)(dse_rng_u64(rng) % 9);
    double a, b, c;
    if (form == 0) {
        a = (double)(dse_rng_u64(rng) % 20);
        dse_strbuf_printf(out, "%g", a);
        return a;
    }
    if (form == 1) {
        size_t slot = dse_rng_u64(rng) % 2;
        dse_strbuf_add(out, symbols[slot].name);
        return slots[slot];
    }
    if (form == 2) {
        dse_strbuf_add(out, "max(");
        a = make_random(rng, depth - 1, out);
        dse_strbuf_add(out, ",");
        b = make_random(rng, depth - 1, out);
        dse_strbuf_add(out, ")");
        return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
    }
    if (form == 3) {
        dse_strbuf_add(out, "((");
        a = make_random(rng, depth - 1, out);
        dse_strbuf_add(out, ") < (");
        b = make_random(rng, depth - 1, out);
        dse_strbuf_add(out, ") ? (");
        c = make_random(rng, depth - 1, out);
        dse_strbuf_add(out, ") : 1)");
        return isnan(a) || isnan(b) ? (double)NAN : a < b ? c : 1.0;
    }
    size_t sign = (size_t)form - 4;
    dse_strbuf_add(out, "(");
    a = make_random(rng, depth - 1, out);
    dse_strbuf_add(out, ")");
    dse_strbuf_add(out, signs[sign]);
    dse_strbuf_add(out, "(");
    b = make_random(rng, depth - 1, out);
    dse_strbuf_add(out, ")");
    double result = sign == 0 ? a + b : sign == 1 ? a - b : sign == 2 ? a * b : sign == 3 ? a / b : fmod(a, b);
    bool whole = sign != 4 || (a == floor(a) && b == floor(b));
    return isfinite(result) && fabs(result) <= 0x1p53 && whole && (sign < 3 || b != 0.0) ? result : (double)NAN;
}

TEST(test_random_formulas)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 38, 1);
    int numbers = 0, errors = 0;
    for (int i = 0; i < 20000; i++) {
        struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0}, written DSE_CLEANUP(dse_strbuf_free) = {0};
        struct dse_error err = {0};
        double expected = make_random(&rng, 5, &text), value = 0.0, again = 0.0;
        enum dse_status status = value_of(dse_strbuf_text(&text), &value, NULL, &err);
        if (status == DSE_OK ? value != expected : !isnan(expected) && strstr(err.message, "zero") == NULL && strstr(err.message, "whole") == NULL)
            fail_msg("%s: %.17g, must be %.17g: %s", dse_strbuf_text(&text), value, expected, err.message);
        numbers += status == DSE_OK;
        errors += status != DSE_OK;
        if (status != DSE_OK)
            continue;
        struct dse_formula formula;
        OK(dse_formula_parse(&arena, dse_strbuf_text(&text), &words, &formula, &why));
        dse_formula_format(&formula, &scope, NULL, &written);
        if (value_of(dse_strbuf_text(&written), &again, NULL, &err) != DSE_OK || again != value)
            fail_msg("%s is written %s", dse_strbuf_text(&text), dse_strbuf_text(&written));
    }
    assert_true(numbers > 5000 && errors > 500);
}

/* Excessive depth and length give an error, not a stack overflow. */
TEST(test_limits)
{
    struct dse_error err = {0};
    double value;
    static const char *const pieces[] = {"(", "-", "!", "min(1,", "1+", "1^", "1?", "1+(", "select(p,1:", "sum(i in 1..2,"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
        for (int k = 0; k < 5000; k++)
            dse_strbuf_add(&text, pieces[i]);
        dse_strbuf_add(&text, "1");
        assert_int_equal(value_of(dse_strbuf_text(&text), &value, NULL, &err), DSE_BAD_USAGE);
    }
    struct dse_strbuf sum DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int k = 0; k < 900; k++)
        dse_strbuf_add(&sum, "p + ");
    dse_strbuf_add(&sum, "p");
    assert_int_equal(value_of(dse_strbuf_text(&sum), &value, NULL, &err), DSE_OK);
    assert_true(value == 4.0 * 901);
}

TESTS(NULL, NULL)
