/* The tree of a formula, shared by its reader, its compiler and its writer. */
#pragma once

#include "space/expression.h"

enum dse_node_kind {
    DSE_NODE_NUMBER,
    DSE_NODE_NAME,   /* a symbol, a sum's variable, or a word */
    DSE_NODE_QUOTED, /* a word between quotation marks */
    DSE_NODE_OPERATOR,
    DSE_NODE_CALL,
    DSE_NODE_SUM,    /* from, to, body; `name` is the variable */
    DSE_NODE_SELECT  /* the name, then a value for each label */
};

enum dse_operator_of {
    DSE_DO_CHOOSE, DSE_DO_OR, DSE_DO_AND, DSE_DO_EQUAL, DSE_DO_UNEQUAL, DSE_DO_BELOW, DSE_DO_AT_MOST, DSE_DO_ABOVE, DSE_DO_AT_LEAST,
    DSE_DO_ADD, DSE_DO_SUBTRACT, DSE_DO_MULTIPLY, DSE_DO_DIVIDE, DSE_DO_REMAINDER, DSE_DO_NEGATE, DSE_DO_NOT, DSE_DO_POWER,
    /* functions */
    DSE_DO_MIN, DSE_DO_MAX, DSE_DO_ABS, DSE_DO_CEIL, DSE_DO_FLOOR, DSE_DO_ROUND, DSE_DO_CEILDIV, DSE_DO_LOG2, DSE_DO_BITS, DSE_DO_POW2,
    DSE_DO_COUNT
};

/* Operators in the order of enum dse_operator_of: their signs, and their levels from the weakest to the strongest. */
struct dse_operator_info {
    const char *sign;
    int level;
};
extern const struct dse_operator_info dse_operators[DSE_DO_COUNT];
#define DSE_LEVEL_CHOOSE 1
#define DSE_LEVEL_COMPARE 4
#define DSE_LEVEL_UNARY 7
#define DSE_LEVEL_POWER 8
#define DSE_LEVEL_OPERAND 9

struct dse_node {
    enum dse_node_kind kind;
    enum dse_operator_of op;
    size_t start, end, at; /* bytes of the text: the whole part, and the operator's sign */
    int depth;             /* depth of the tree from here down */
    double number;         /* in its unit */
    struct dse_unit unit;
    bool percent;
    const char *name;
    struct dse_node **parts; /* part_count */
    const char **labels;     /* labels of a selection: part_count − 1; NULL means else */
    size_t *label_places;
    size_t part_count;
};

/* The functions' names, for errors. */
#define DSE_FUNCTION_FIRST DSE_DO_MIN
#define DSE_FUNCTION_COUNT (DSE_DO_COUNT - DSE_FUNCTION_FIRST + 2)
extern const char *const dse_function_names[DSE_FUNCTION_COUNT]; /* with sum and select at the end */

/* "; did you mean NAME?", or "" if no name is near. Returns `buffer`. */
char *dse_nearest_words(const char *wrong, const char *const *names, size_t count, char *buffer, size_t size);
