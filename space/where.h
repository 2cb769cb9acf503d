/* The condition of --where: a conjunction of conditions (space/expression.h), `latency<=0.5ms && bram18<=50% && (pe*lanes<=64 || form=wl)`.
 *
 * Parsing knows no names: the caller decides what a name means (metric or knob). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

enum dse_comparison {
    DSE_AT_MOST,  /* <= */
    DSE_AT_LEAST, /* >= */
    DSE_BELOW,    /* < */
    DSE_ABOVE,    /* > */
    DSE_EQUAL,    /* = or == */
    DSE_UNEQUAL   /* != */
};

#define DSE_TERM_MAX 32

/* One condition: a name beside a value, or any other. */
struct dse_term {
    const char *option; /* that errors name: "--where" */
    char name[64]; /* "": the condition is then only `text` */
    enum dse_comparison comparison;
    char value[64];   /* as written, spaces at both ends taken off: "0.5ms", "50%", "int8", "off-chip" */
    const char *text; /* length: the whole condition, in the text that was parsed */
    size_t length;
};

struct dse_expression {
    struct dse_term terms[DSE_TERM_MAX];
    size_t count;
};

/* Parses the text; an empty one is the empty conjunction. `text` must live as long as the terms. `NAME sign VALUE` becomes a term of that name, also
 * with its sides exchanged, in parentheses or behind a !. DSE_BAD_USAGE names --where and shows the place that cannot be read. */
enum dse_status dse_expression_parse(const char *text, struct dse_expression *out, struct dse_error *err);

/* As dse_expression_parse, for the text of another option (a literal), which errors name. */
enum dse_status dse_expression_parse_option(const char *option, const char *text, struct dse_expression *out, struct dse_error *err);

/* Adds the terms of `more`; DSE_BAD_USAGE when there are too many. */
enum dse_status dse_expression_append(struct dse_expression *expression, const struct dse_expression *more,
                                      struct dse_error *err);

/* The sign of a comparison: "<=". */
const char *dse_comparison_sign(enum dse_comparison comparison);
