#include "space/where.h"

#include <stdio.h>
#include <string.h>

#include "space/expression_tree.h"

static const struct {
    const char *sign;
    enum dse_operator_of op;
    enum dse_comparison turned, inverse; /* with its sides exchanged; if it does not hold */
} comparisons[] = {
    [DSE_AT_MOST] = {"<=", DSE_DO_AT_MOST, DSE_AT_LEAST, DSE_ABOVE}, [DSE_AT_LEAST] = {">=", DSE_DO_AT_LEAST, DSE_AT_MOST, DSE_BELOW},
    [DSE_BELOW] = {"<", DSE_DO_BELOW, DSE_ABOVE, DSE_AT_LEAST},      [DSE_ABOVE] = {">", DSE_DO_ABOVE, DSE_BELOW, DSE_AT_MOST},
    [DSE_EQUAL] = {"=", DSE_DO_EQUAL, DSE_EQUAL, DSE_UNEQUAL},       [DSE_UNEQUAL] = {"!=", DSE_DO_UNEQUAL, DSE_UNEQUAL, DSE_EQUAL}};
#define COMPARISONS (sizeof comparisons / sizeof *comparisons)

const char *dse_comparison_sign(enum dse_comparison comparison)
{
    return comparisons[comparison].sign;
}

static bool is_operator(const struct dse_node *node, enum dse_operator_of op)
{
    return node->kind == DSE_NODE_OPERATOR && node->op == op;
}

/* A number with its sign, a word, or a word with hyphens ("off-chip"): no blanks, no parentheses. */
static bool is_value(const char *text, const struct dse_node *node)
{
    if (node->kind == DSE_NODE_NUMBER || node->kind == DSE_NODE_NAME || node->kind == DSE_NODE_QUOTED)
        return text[node->start] != '(';
    if (is_operator(node, DSE_DO_NEGATE) && node->parts[0]->kind == DSE_NODE_NUMBER)
        return text[node->start] == '-' && text[node->parts[0]->start] != '(';
    if (is_operator(node, DSE_DO_DIVIDE)) /* a rate: "5/s" */
        return node->parts[0]->kind == DSE_NODE_NUMBER && node->parts[1]->kind == DSE_NODE_NAME && strcmp(node->parts[1]->name, "s") == 0;
    return is_operator(node, DSE_DO_SUBTRACT) && strcspn(text + node->start, " \t\n()*/%^+") >= node->end - node->start;
}

static bool copy(const char *text, size_t start, size_t end, char *out, size_t size)
{
    if (end - start >= size)
        return false;
    memcpy(out, text + start, end - start);
    out[end - start] = '\0';
    return true;
}

/* Reads a comparison of a name with a value; false for any other condition. */
static bool read_comparison(const char *text, const struct dse_node *node, struct dse_term *term)
{
    if (is_operator(node, DSE_DO_NOT)) {
        bool read = read_comparison(text, node->parts[0], term);
        term->comparison = comparisons[term->comparison].inverse;
        return read;
    }
    size_t c = 0;
    while (c < COMPARISONS && !is_operator(node, comparisons[c].op))
        c++;
    if (c == COMPARISONS)
        return false;
    const struct dse_node *name = node->parts[0], *value = node->parts[1];
    bool turned = name->kind != DSE_NODE_NAME && value->kind == DSE_NODE_NAME;
    if (turned) {
        name = node->parts[1];
        value = node->parts[0];
    }
    term->comparison = turned ? comparisons[c].turned : (enum dse_comparison)c;
    size_t quoted = value->kind == DSE_NODE_QUOTED;
    return name->kind == DSE_NODE_NAME && is_value(text, value) && strlen(name->name) < sizeof term->name &&
           copy(text, value->start + quoted, value->end - quoted, term->value, sizeof term->value) &&
           snprintf(term->name, sizeof term->name, "%s", name->name) > 0;
}

static enum dse_status read_terms(const char *option, const char *text, const struct dse_formula *formula, const struct dse_node *node,
                                  struct dse_expression *out, struct dse_error *err)
{
    if (is_operator(node, DSE_DO_AND)) {
        DSE_TRY(read_terms(option, text, formula, node->parts[0], out, err));
        return read_terms(option, text, formula, node->parts[1], out, err);
    }
    bool condition = node->kind == DSE_NODE_OPERATOR && dse_operators[node->op].level <= DSE_LEVEL_COMPARE;
    if (!condition && !is_operator(node, DSE_DO_NOT) && node->kind != DSE_NODE_SELECT)
        return dse_formula_fail(formula, node->start, err, "must be a condition, such as latency<=0.5ms or pe*lanes<=64");
    if (out->count == DSE_TERM_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "%s: more than %d comparisons", option, DSE_TERM_MAX);
    struct dse_term *term = &out->terms[out->count++];
    *term = (struct dse_term){.option = option, .text = text + node->start, .length = node->end - node->start};
    if (!read_comparison(text, node, term))
        term->name[0] = '\0';
    return DSE_OK;
}

enum dse_status dse_expression_parse(const char *text, struct dse_expression *out, struct dse_error *err)
{
    return dse_expression_parse_option("--where", text, out, err);
}

enum dse_status dse_expression_parse_option(const char *option, const char *text, struct dse_expression *out, struct dse_error *err)
{
    struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_formula formula;
    *out = (struct dse_expression){.count = 0};
    if (text[strspn(text, " \t\r\n")] == '\0')
        return DSE_OK;
    DSE_TRY(dse_formula_parse(&arena, text, &(struct dse_place){.what = option}, &formula, err));
    return read_terms(option, text, &formula, formula.root, out, err);
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
