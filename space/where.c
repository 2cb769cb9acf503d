#include "space/where.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

/* name, comparison, value up to && or the end; anchored at the place reached. */
static const char pattern[] = "\\G\\s*([A-Za-z_][A-Za-z0-9_.]*)\\s*(<=|>=|==|!=|<|>|=)\\s*([^&|<>=!\\s][^&|<>=!]*?)\\s*(&&|$)";

static const struct {
    const char *sign;
    enum dse_comparison comparison;
} signs[] = {{"<=", DSE_AT_MOST}, {">=", DSE_AT_LEAST}, {"<", DSE_BELOW}, {">", DSE_ABOVE},
             {"=", DSE_EQUAL},    {"!=", DSE_UNEQUAL},  {"==", DSE_EQUAL}};

const char *dse_comparison_sign(enum dse_comparison comparison)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].comparison == comparison)
            return signs[i].sign;
    return "?";
}

/* A captured group into a field; false when it is too long. */
static bool take(const char *text, const size_t *bounds, int group, char *field, size_t size)
{
    size_t length = bounds[2 * group + 1] - bounds[2 * group];
    if (length >= size)
        return false;
    memcpy(field, text + bounds[2 * group], length);
    field[length] = '\0';
    return true;
}

static bool read_term(const char *text, const size_t *bounds, struct dse_term *term)
{
    char sign[4];
    if (!take(text, bounds, 1, term->name, sizeof term->name) || !take(text, bounds, 2, sign, sizeof sign) ||
        !take(text, bounds, 3, term->value, sizeof term->value))
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(signs[i].sign, sign) == 0)
            term->comparison = signs[i].comparison;
    return true;
}

/* What people write that is no conjunction, and what is to be said of it; the first that stands there speaks. */
static const struct {
    const char *mark, *words;
} others[] = {
    {"||", "every comparison must hold, so there is no ||: ask once for each side"},
    {" or ", "every comparison must hold, so there is no or: ask once for each side"},
    {" and ", "comparisons are joined by &&"},
    {",", "comparisons are joined by &&"},
    {";", "comparisons are joined by &&"},
    {"not ", "there is no not: turn the comparison round"},
    {"=<", "the sign is <="},
    {"=>", "the sign is >="},
    {"(", "parentheses are not taken: comparisons are joined by && alone"},
    {"*", "arithmetic is not taken: a name is compared with a number"},
    {"/", "arithmetic is not taken: a name is compared with a number"},
    {"+", "arithmetic is not taken: a name is compared with a number"},
};

/* The same of what stands where a comparison must begin: "20us >= latency", "!dsp<=3", "dsp-1<=4", "a<=1 & b<=2". */
static const char *told_by_form(const char *rest)
{
    rest += strspn(rest, " \t\n");
    size_t name = strspn(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789.");
    const char *after = rest + name + strspn(rest + name, " \t\n"), *amp = strchr(rest, '&');
    if (*rest == '!')
        return "there is no not: turn the comparison round";
    if (*rest >= '0' && *rest <= '9' && strcspn(rest, "<>=") < strlen(rest))
        return "the name stands first, as in latency<=20us";
    if (name > 0 && *after == '-')
        return "arithmetic is not taken: a name is compared with a number";
    return amp != NULL && amp[1] != '&' ? "comparisons are joined by &&" : NULL;
}

static enum dse_status cannot_read(const char *text, size_t place, struct dse_error *err)
{
    const char *words = NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others && words == NULL; i++)
        words = strstr(text + place, others[i].mark) != NULL ? others[i].words : NULL;
    if (words == NULL)
        words = told_by_form(text + place);
    if (words != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--where %s: %s", text, words);
    return dse_fail(err, DSE_BAD_USAGE,
                    "--where %s: cannot read \"%.40s\" (character %zu); must be NAME<=VALUE && …, with <=, >=, <, >, = or !=",
                    text, text + place, place + 1);
}

static enum dse_status read_terms(pcre2_code *code, pcre2_match_data *match, const char *text,
                                  struct dse_expression *out, struct dse_error *err)
{
    size_t place = 0, length = strlen(text);
    bool more = strspn(text, " \t\n") < length;
    while (more) {
        int found = pcre2_match(code, (PCRE2_SPTR)text, length, place, 0, match, NULL);
        if (found == PCRE2_ERROR_NOMEMORY)
            dse_memory_exhausted();
        if (found < 0 || out->count == DSE_TERM_MAX)
            return cannot_read(text, place, err);
        const size_t *bounds = pcre2_get_ovector_pointer(match);
        if (!read_term(text, bounds, &out->terms[out->count++]))
            return cannot_read(text, place, err);
        more = bounds[9] > bounds[8]; /* another term must follow an && */
        place = bounds[1];
    }
    return DSE_OK;
}

enum dse_status dse_expression_parse(const char *text, struct dse_expression *out, struct dse_error *err)
{
    *out = (struct dse_expression){.count = 0};
    int error = 0;
    size_t offset = 0;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
    pcre2_match_data *match = code != NULL ? pcre2_match_data_create_from_pattern(code, NULL) : NULL;
    if (match == NULL)
        dse_memory_exhausted();
    enum dse_status status = read_terms(code, match, text, out, err);
    pcre2_match_data_free(match);
    pcre2_code_free(code);
    return status;
}

enum dse_status dse_expression_append(struct dse_expression *expression, const struct dse_expression *more,
                                      struct dse_error *err)
{
    if (expression->count + more->count > DSE_TERM_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--where: more than %d comparisons", DSE_TERM_MAX);
    memcpy(expression->terms + expression->count, more->terms, more->count * sizeof *more->terms);
    expression->count += more->count;
    return DSE_OK;
}
