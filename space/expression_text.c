/* Writing formulas back, with names or with their values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "space/expression_tree.h"

struct writer {
    const struct dse_formula *formula;
    const struct dse_scope *scope;
    const double *slots;
    struct dse_strbuf *out;
};

static void write(const struct writer *w, const struct dse_node *node, int weakest);

static void write_number(const struct writer *w, double number, struct dse_unit unit)
{
    char text[64];
    dse_strbuf_add(w->out, dse_number_shortest(text, sizeof text, number));
    if (!dse_unit_equal(unit, DSE_UNIT_COUNT))
        dse_strbuf_printf(w->out, " %s", dse_unit_format(unit, text, sizeof text));
}

/* Without the last place of a conversion: 213 ns are 2.13e-07 s, not 2.1300000000000001e-07 s. */
static double of_15_digits(double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL);
}

/* A word that does not read as one name is written as in the source, or between quotation marks. */
static void write_word(const struct writer *w, const char *word)
{
    bool plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == strlen(word) && *word != '\0';
    dse_strbuf_printf(w->out, plain ? "%s" : strchr(word, '"') != NULL ? "'%s'" : "\"%s\"", word);
}

static void write_name(const struct writer *w, const struct dse_node *node, int weakest)
{
    for (size_t i = 0; w->slots != NULL && i < w->scope->count; i++) {
        const struct dse_symbol *symbol = &w->scope->symbols[i];
        double value = w->slots[i];
        if (strcmp(symbol->name, node->name) != 0)
            continue;
        if (symbol->sort == DSE_SORT_WORD) {
            write_word(w, value >= 0.0 && value < (double)symbol->word_count ? symbol->words[(size_t)value] : "?");
        } else if (symbol->sort == DSE_SORT_CONDITION) {
            dse_strbuf_add(w->out, value != 0.0 ? "(1 = 1)" : "(1 = 0)");
        } else {
            bool between = value < 0.0 && weakest > DSE_LEVEL_UNARY;
            dse_strbuf_add(w->out, between ? "(" : "");
            write_number(w, of_15_digits(value), symbol->unit);
            dse_strbuf_add(w->out, between ? ")" : "");
        }
        return;
    }
    dse_strbuf_add(w->out, node->name);
}

/* Whether a node is the name of a symbol with words: the text compared with it is a word, however it reads ("off-chip"). */
static bool has_words(const struct writer *w, const struct dse_node *node)
{
    for (size_t i = 0; w->scope != NULL && node->kind == DSE_NODE_NAME && i < w->scope->count; i++)
        if (strcmp(w->scope->symbols[i].name, node->name) == 0)
            return w->scope->symbols[i].sort == DSE_SORT_WORD;
    return false;
}

static void write_side(const struct writer *w, const struct dse_node *node, const struct dse_node *other, int weakest)
{
    if (has_words(w, other) && !has_words(w, node))
        dse_strbuf_add_n(w->out, w->formula->text + node->start, node->end - node->start);
    else
        write(w, node, weakest);
}

static void write_operator(const struct writer *w, const struct dse_node *node)
{
    int level = dse_operators[node->op].level;
    if (node->op == DSE_DO_CHOOSE) {
        write(w, node->parts[0], level + 1);
        dse_strbuf_add(w->out, " ? ");
        write(w, node->parts[1], level);
        dse_strbuf_add(w->out, " : ");
        write(w, node->parts[2], level);
    } else if (node->part_count == 1) {
        dse_strbuf_add(w->out, dse_operators[node->op].sign);
        write(w, node->parts[0], level);
    } else {
        bool right = node->op == DSE_DO_POWER;
        write_side(w, node->parts[0], node->parts[1], level + (right || level == DSE_LEVEL_COMPARE));
        dse_strbuf_printf(w->out, right ? "%s" : " %s ", dse_operators[node->op].sign);
        write_side(w, node->parts[1], node->parts[0], right ? DSE_LEVEL_UNARY : level + 1);
    }
}

static void write_parts(const struct writer *w, const struct dse_node *node)
{
    if (node->kind == DSE_NODE_SUM) {
        dse_strbuf_printf(w->out, "sum(%s in ", node->name);
        write(w, node->parts[0], DSE_LEVEL_CHOOSE);
        dse_strbuf_add(w->out, "..");
        write(w, node->parts[1], DSE_LEVEL_CHOOSE);
        dse_strbuf_add(w->out, ", ");
        write(w, node->parts[2], DSE_LEVEL_CHOOSE);
    } else {
        dse_strbuf_printf(w->out, "%s(", node->kind == DSE_NODE_SELECT ? "select" : dse_operators[node->op].sign);
        for (size_t i = 0; i < node->part_count; i++) {
            dse_strbuf_add(w->out, i > 0 ? ", " : "");
            if (node->kind == DSE_NODE_SELECT && i > 0) {
                if (node->labels[i - 1] != NULL)
                    write_word(w, node->labels[i - 1]);
                else
                    dse_strbuf_add(w->out, "else");
                dse_strbuf_add(w->out, ": ");
            }
            write(w, node->parts[i], DSE_LEVEL_CHOOSE);
        }
    }
    dse_strbuf_add(w->out, ")");
}

/* A node, at a place where operators weaker than `weakest` need parentheses. */
static void write(const struct writer *w, const struct dse_node *node, int weakest)
{
    switch (node->kind) {
    case DSE_NODE_NUMBER:
        dse_strbuf_add_n(w->out, w->formula->text + node->start, node->end - node->start);
        return;
    case DSE_NODE_NAME: write_name(w, node, weakest); return;
    case DSE_NODE_QUOTED: write_word(w, node->name); return;
    case DSE_NODE_OPERATOR: break;
    default: write_parts(w, node); return;
    }
    bool between = dse_operators[node->op].level < weakest;
    dse_strbuf_add(w->out, between ? "(" : "");
    write_operator(w, node);
    dse_strbuf_add(w->out, between ? ")" : "");
}

void dse_formula_format(const struct dse_formula *formula, const struct dse_scope *scope, const double *slots, struct dse_strbuf *out)
{
    struct writer w = {formula, scope, slots, out};
    write(&w, formula->root, DSE_LEVEL_CHOOSE);
}
