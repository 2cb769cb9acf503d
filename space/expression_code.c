/* Compiles formulas to a flat program over slots, checking their sorts and dimensions, and runs it. */
#include <math.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/number.h"
#include "space/expression_tree.h"

#define WHOLE_MAX 9007199254740992.0 /* 2^53 */
#define STACK_MAX 256
#define SUMS_MAX 16    /* within each other */
#define POWERS_MAX 100 /* largest power of a dimension */

/* The operators of enum dse_operator_of without choice, && and ||, and these. */
enum {
    STEP_PUSH = DSE_DO_COUNT, /* the number */
    STEP_SLOT,                /* slot `arg` */
    STEP_VARIABLE,            /* the variable of the sum `arg` */
    STEP_JUMP,                /* to `arg` */
    STEP_UNLESS,              /* takes a condition; jumps to `arg` if it does not hold */
    STEP_SHORT_AND,           /* to `arg` where the condition on top is false; else takes it */
    STEP_SHORT_OR,
    STEP_CASE,                /* takes the top if it is the number; else jumps to `arg` */
    STEP_DROP,
    STEP_NO_CASE,             /* fails: no label is the number on top */
    STEP_SUM_BEGIN,           /* takes first and last of the sum `arg`; pushes 0; jumps to `number` if there is nothing to add */
    STEP_SUM_NEXT             /* adds the top to the one below; jumps to `number` while the sum `arg` continues */
};

/* Place of the right operand of an operator with two, and place of the left one if the right one is not on the stack. */
enum { RIGHT_TOP, RIGHT_NUMBER, RIGHT_SLOT };
#define LEFT_TOP UINT32_MAX

struct dse_step {
    uint16_t op, right;
    uint32_t arg, left; /* left: a slot, or LEFT_TOP */
    uint32_t at;        /* place in the text */
    double number;
};

/* ---- running ---- */

struct counting {
    double value, last;
};

static enum dse_status fail_at_step(const struct dse_code *code, const struct dse_step *step, double a, double b, struct dse_error *err)
{
    const struct dse_formula *f = code->formula;
    switch (step->op) {
    case DSE_DO_DIVIDE:
    case DSE_DO_CEILDIV:
    case DSE_DO_REMAINDER:
        if (b == 0.0)
            return dse_formula_fail(f, step->at, err, "division of %.6g by zero", a);
        break;
    case DSE_DO_LOG2:
        if (!(a > 0.0))
            return dse_formula_fail(f, step->at, err, "log2 of %.6g: must be above 0", a);
        break;
    case DSE_DO_BITS:
        return dse_formula_fail(f, step->at, err, "bits of %.17g: must be a whole number from 0 to 2^53", a);
    case DSE_DO_POW2:
        return dse_formula_fail(f, step->at, err, "pow2 of %.17g: must be a whole number from 0 to 53", a);
    case STEP_NO_CASE:
        return dse_formula_fail(f, step->at, err, "select: no label for %.17g, and no else", a);
    case STEP_SUM_BEGIN:
        return dse_formula_fail(f, step->at, err, "sum from %.17g to %.17g: must be whole numbers", a, b);
    case STEP_SUM_NEXT:
        if (isfinite(a))
            return dse_formula_fail(f, step->at, err, "sum: more than %d iterations", DSE_FORMULA_ITERATIONS);
        break;
    default:
        break;
    }
    if (step->op == DSE_DO_REMAINDER && isfinite(a) && isfinite(b))
        return dse_formula_fail(f, step->at, err, "%% of %.17g by %.17g: must be whole numbers", a, b);
    if (isnan(a) || isnan(b))
        return dse_formula_fail(f, step->at, err, "a value is not a number");
    return dse_formula_fail(f, step->at, err, "the result is beyond 2^53, or no real number (from %.6g and %.6g)", a, b);
}

static bool is_whole(double x)
{
    return x == floor(x) && fabs(x) <= WHOLE_MAX;
}

/* A whole power by multiplication, the same on every machine. */
static double power(double base, double exponent)
{
    if (!is_whole(exponent) || fabs(exponent) > 1024.0)
        return pow(base, exponent);
    double result = 1.0;
    for (unsigned long left = (unsigned long)fabs(exponent); left > 0; left >>= 1) {
        result *= (left & 1) != 0 ? base : 1.0;
        base *= left > 1 ? base : 1.0;
    }
    return exponent < 0.0 ? 1.0 / result : result;
}

static double bits_for(double n)
{
    return n <= 2.0 ? 1.0 : (double)(64 - __builtin_clzll((unsigned long long)n - 1));
}

/* The result of an operator or a function of numbers that is rare in formulas; NaN if there is none. */
static double compute(uint32_t op, double a, double b)
{
    switch (op) {
    case DSE_DO_DIVIDE: return b != 0.0 ? a / b : (double)NAN;
    case DSE_DO_REMAINDER: return b != 0.0 && is_whole(a) && is_whole(b) ? (double)((int64_t)a % (int64_t)b) : (double)NAN;
    case DSE_DO_POWER: return power(a, b);
    case DSE_DO_NEGATE: return -a;
    case DSE_DO_ABS: return fabs(a);
    case DSE_DO_CEIL: return ceil(a);
    case DSE_DO_FLOOR: return floor(a);
    case DSE_DO_ROUND: return round(a);
    case DSE_DO_LOG2: return a > 0.0 ? log2(a) : (double)NAN;
    case DSE_DO_BITS: return a >= 0.0 && is_whole(a) ? bits_for(a) : (double)NAN;
    case DSE_DO_POW2: return a >= 0.0 && a <= 53.0 && is_whole(a) ? (double)((uint64_t)1 << (int)a) : (double)NAN;
    default: return (double)NAN;
    }
}

static bool compares(uint32_t op, double a, double b)
{
    switch (op) {
    case DSE_DO_EQUAL: return a == b;
    case DSE_DO_UNEQUAL: return a != b;
    case DSE_DO_BELOW: return a < b;
    case DSE_DO_AT_MOST: return a <= b;
    case DSE_DO_ABOVE: return a > b;
    default: return a >= b;
    }
}

static bool is_unary(uint32_t op)
{
    return op == DSE_DO_NEGATE || (op >= DSE_DO_ABS && op <= DSE_DO_ROUND) || (op >= DSE_DO_LOG2 && op <= DSE_DO_POW2);
}

/* Leaves the left operand on the stack, and returns the right one. */
static inline double take_operands(const struct dse_step *step, const double *slots, double **top)
{
    if (step->right == RIGHT_TOP)
        return *(*top)--;
    if (step->left != LEFT_TOP)
        *++*top = slots[step->left];
    return step->right == RIGHT_SLOT ? slots[step->arg] : step->number;
}

/* Whether a result is in the range of numbers. */
static inline bool put(double *top, double result)
{
    *top = result;
    return fabs(result) <= WHOLE_MAX;
}

enum dse_status dse_code_evaluate(const struct dse_code *code, const double *slots, double *value, struct dse_error *err)
{
    double stack[STACK_MAX + 1], *top = stack, a = 0.0, b = 0.0; /* entry 0 stays empty */
    bool number = true; /* an operator's result */
    struct counting sums[SUMS_MAX];
    long turns = 0;
    const struct dse_step *const steps = code->steps, *const end = steps + code->step_count, *step = steps;
    if (code->constant) {
        *value = code->value;
        return DSE_OK;
    }
    while (step < end) {
        switch (step->op) {
        case STEP_PUSH: *++top = step->number; break;
        case STEP_SLOT: *++top = slots[step->arg]; break;
        case STEP_VARIABLE: *++top = sums[step->arg].value; break;
        case STEP_JUMP: step = steps + step->arg; continue;
        case STEP_UNLESS:
            if (*top-- != 0.0)
                break;
            step = steps + step->arg;
            continue;
        case STEP_SHORT_AND: case STEP_SHORT_OR:
            if ((*top != 0.0) == (step->op == STEP_SHORT_OR)) {
                step = steps + step->arg;
                continue;
            }
            top--;
            break;
        case STEP_CASE:
            if (*top != step->number) {
                step = steps + step->arg;
                continue;
            }
            top--;
            break;
        case STEP_DROP: top--; break;
        case STEP_NO_CASE: return fail_at_step(code, step, *top, 0.0, err);
        case STEP_SUM_BEGIN:
            b = *top--;
            a = *top;
            if (!is_whole(a) || !is_whole(b))
                return fail_at_step(code, step, a, b, err);
            *top = 0.0;
            sums[step->arg] = (struct counting){a, b};
            if (a > b) {
                step = steps + (size_t)step->number;
                continue;
            }
            break;
        case STEP_SUM_NEXT:
            a = *top--;
            if (!put(top, *top + a))
                return fail_at_step(code, step, (double)INFINITY, a, err);
            if (++sums[step->arg].value > sums[step->arg].last)
                break;
            if (++turns >= DSE_FORMULA_ITERATIONS)
                return fail_at_step(code, step, 0.0, 0.0, err);
            step = steps + (size_t)step->number;
            continue;
        /* A separate case for each operator that most formulas consist of. */
        case DSE_DO_MULTIPLY: b = take_operands(step, slots, &top), a = *top, number = put(top, a * b); break;
        case DSE_DO_ADD: b = take_operands(step, slots, &top), a = *top, number = put(top, a + b); break;
        case DSE_DO_SUBTRACT: b = take_operands(step, slots, &top), a = *top, number = put(top, a - b); break;
        case DSE_DO_CEILDIV: b = take_operands(step, slots, &top), a = *top, number = put(top, ceil(a / b)); break;
        case DSE_DO_MIN: b = take_operands(step, slots, &top), a = *top, number = !isunordered(a, b) && put(top, a < b ? a : b); break;
        case DSE_DO_MAX: b = take_operands(step, slots, &top), a = *top, number = !isunordered(a, b) && put(top, a > b ? a : b); break;
        case DSE_DO_NOT: *top = *top == 0.0; break;
        case DSE_DO_EQUAL: case DSE_DO_UNEQUAL: case DSE_DO_BELOW: case DSE_DO_AT_MOST: case DSE_DO_ABOVE: case DSE_DO_AT_LEAST:
            b = take_operands(step, slots, &top), a = *top;
            if (isunordered(a, b))
                return fail_at_step(code, step, a, b, err);
            *top = compares(step->op, a, b);
            break;
        default:
            b = is_unary(step->op) ? 0.0 : take_operands(step, slots, &top);
            a = *top;
            if (isunordered(a, b))
                return fail_at_step(code, step, a, b, err);
            number = put(top, compute(step->op, a, b));
        }
        if (!number)
            return fail_at_step(code, step, a, b, err);
        step++;
    }
    *value = *top;
    return fabs(*top) <= WHOLE_MAX ? DSE_OK : fail_at_step(code, &steps[0], *top, 0.0, err);
}

/* ---- compiling ---- */

/* Result of an expression. */
struct kind {
    enum dse_sort sort;
    struct dse_unit unit;
    bool constant;                  /* one step that pushes a number */
    bool zero;                      /* the number 0, which has any dimension */
};

struct compiler {
    struct dse_arena *arena;
    const struct dse_formula *formula;
    const struct dse_scope *scope;
    struct dse_error *err;
    struct dse_step *steps; /* step_count */
    size_t step_count;
    const char *variables[SUMS_MAX];
    size_t variable_count;
    int depth; /* depth of the stack at the step reached */
    bool *read; /* by slot */
};

static enum dse_status emit(struct compiler *c, uint32_t op, uint32_t arg, double number, size_t at, int change)
{
    struct dse_step *step = dse_list_more(&c->steps, &c->step_count, sizeof *step);
    *step = (struct dse_step){.op = (uint16_t)op, .arg = arg, .left = LEFT_TOP, .at = (uint32_t)at, .number = number};
    c->depth += change;
    return c->depth <= STACK_MAX ? DSE_OK : dse_formula_fail(c->formula, at, c->err, "the formula is too deep");
}

/* An operator with two operands, whose steps begin at `left` and `right`. An operand that is only a number or a slot needs no step of its own. */
static enum dse_status emit_binary(struct compiler *c, uint32_t op, size_t left, size_t right, size_t at)
{
    const struct dse_step last = c->steps[c->step_count - 1];
    const bool alone = right + 1 == c->step_count && (last.op == STEP_PUSH || last.op == STEP_SLOT);
    uint32_t slot = LEFT_TOP;
    c->step_count -= alone;
    if (alone && left + 1 == right && c->steps[left].op == STEP_SLOT)
        slot = c->steps[--c->step_count].arg;
    DSE_TRY(emit(c, op, last.arg, last.number, at, -1));
    struct dse_step *step = &c->steps[c->step_count - 1];
    step->left = slot;
    step->right = !alone ? RIGHT_TOP : last.op == STEP_SLOT ? RIGHT_SLOT : RIGHT_NUMBER;
    return DSE_OK;
}

static enum dse_status compile(struct compiler *c, const struct dse_node *node, struct kind *kind);

static const struct dse_symbol *find_symbol(const struct compiler *c, const char *name, size_t *slot)
{
    for (*slot = 0; *slot < c->scope->count; ++*slot)
        if (strcmp(c->scope->symbols[*slot].name, name) == 0)
            return &c->scope->symbols[*slot];
    return NULL;
}

static enum dse_status fail_name(const struct compiler *c, const struct dse_node *node)
{
    size_t count = 0;
    const char *why = c->scope->absent != NULL ? c->scope->absent(c->scope->user, node->name) : NULL;
    if (why != NULL)
        return dse_formula_fail(c->formula, node->start, c->err, "%s: %s", node->name, why);
    const char **names DSE_CLEANUP(dse_free_at) = dse_malloc((c->scope->count + SUMS_MAX + DSE_FUNCTION_COUNT) * sizeof *names);
    char near[96];
    for (size_t i = 0; i < c->scope->count; i++)
        names[count++] = c->scope->symbols[i].name;
    for (size_t i = 0; i < c->variable_count; i++)
        names[count++] = c->variables[i];
    for (size_t i = 0; i < DSE_FUNCTION_COUNT; i++)
        names[count++] = dse_function_names[i];
    return dse_formula_fail(c->formula, node->start, c->err, "%s: no such name%s", node->name,
                            dse_nearest_words(node->name, names, count, near, sizeof near));
}

static enum dse_status compile_name(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    size_t slot;
    for (size_t i = 0; i < c->variable_count; i++)
        if (strcmp(c->variables[i], node->name) == 0) {
            *kind = (struct kind){.sort = DSE_SORT_NUMBER};
            return emit(c, STEP_VARIABLE, (uint32_t)i, 0.0, node->start, 1);
        }
    const struct dse_symbol *symbol = find_symbol(c, node->name, &slot);
    if (symbol == NULL)
        return fail_name(c, node);
    *kind = (struct kind){.sort = symbol->sort, .unit = symbol->unit};
    c->read[slot] = true;
    return emit(c, STEP_SLOT, (uint32_t)slot, 0.0, node->start, 1);
}

static const char *sort_words(const struct kind *kind, char buffer[static 64])
{
    return kind->sort == DSE_SORT_CONDITION ? "a condition"
           : kind->sort == DSE_SORT_WORD    ? "a word"
                                            : dse_unit_format(kind->unit, buffer, 64);
}

static enum dse_status need_sort(const struct compiler *c, const struct dse_node *node, const struct kind *kind, enum dse_sort sort)
{
    char buffer[64];
    if (kind->sort == sort)
        return DSE_OK;
    return dse_formula_fail(c->formula, node->start, c->err, "must be %s, is %s%s",
                            sort == DSE_SORT_CONDITION ? "a condition" : "a number", sort_words(kind, buffer),
                            kind->sort == DSE_SORT_NUMBER ? " (a number)" : "");
}

static enum dse_status compile_number(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    DSE_TRY(compile(c, node, kind));
    return need_sort(c, node, kind, DSE_SORT_NUMBER);
}

static enum dse_status need_count(const struct compiler *c, const struct dse_node *node, const struct kind *kind, const char *of)
{
    char buffer[64];
    if (dse_unit_equal(kind->unit, DSE_UNIT_COUNT))
        return DSE_OK;
    return dse_formula_fail(c->formula, node->start, c->err, "%s must be a count, is %s", of, dse_unit_format(kind->unit, buffer, sizeof buffer));
}

/* The dimension of numbers that are added, compared or selected from: a count takes the other's. */
static enum dse_status join(const struct compiler *c, const struct dse_node *node, struct kind *kind, const struct kind *other)
{
    char a[64], b[64];
    bool mixes = c->scope->strict ? kind->zero || other->zero
                                  : dse_unit_equal(kind->unit, DSE_UNIT_COUNT) || dse_unit_equal(other->unit, DSE_UNIT_COUNT);
    bool same = dse_unit_equal(kind->unit, other->unit);
    kind->zero &= other->zero;
    if (mixes && dse_unit_equal(kind->unit, DSE_UNIT_COUNT))
        kind->unit = other->unit;
    if (same || mixes)
        return DSE_OK;
    return dse_formula_fail(c->formula, node->at, c->err, "%s and %s do not mix", dse_unit_format(kind->unit, a, sizeof a),
                            dse_unit_format(other->unit, b, sizeof b));
}

/* kind × other^sign. */
static enum dse_status multiply_units(const struct compiler *c, const struct dse_node *node, struct dse_unit *unit, struct dse_unit other, int sign)
{
    const int powers[] = {unit->cycles + sign * other.cycles, unit->bytes + sign * other.bytes, unit->bits + sign * other.bits,
                          unit->seconds + sign * other.seconds, unit->joules + sign * other.joules};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        if (powers[i] < -POWERS_MAX || powers[i] > POWERS_MAX)
            return dse_formula_fail(c->formula, node->at, c->err, "the exponent of a unit is beyond %d", POWERS_MAX);
    *unit = (struct dse_unit){(int8_t)powers[0], (int8_t)powers[1], (int8_t)powers[2], (int8_t)powers[3], (int8_t)powers[4]};
    return DSE_OK;
}

/* Replaces the steps from `first` on, which read nothing, by their value. */
static enum dse_status fold(struct compiler *c, size_t first)
{
    struct dse_code code = {.steps = c->steps + first, .step_count = c->step_count - first, .formula = c->formula};
    size_t at = c->steps[first].at;
    double value;
    DSE_TRY(dse_code_evaluate(&code, NULL, &value, c->err));
    c->step_count = first;
    c->depth--;
    return emit(c, STEP_PUSH, 0, value, at, 1);
}

/* Whether a division is a rate, "2000/s", and not one by a name of the scope. */
static bool is_rate(const struct compiler *c, const struct dse_node *node)
{
    size_t slot;
    return node->op == DSE_DO_DIVIDE && node->parts[0]->kind == DSE_NODE_NUMBER && node->parts[1]->kind == DSE_NODE_NAME &&
           strcmp(node->parts[1]->name, "s") == 0 && find_symbol(c, "s", &slot) == NULL;
}

/* Operators and functions of numbers only. */
static enum dse_status compile_arithmetic(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    size_t first = c->step_count;
    bool constant = true;
    *kind = (struct kind){.sort = DSE_SORT_NUMBER};
    for (size_t i = 0; i < node->part_count; i++) {
        struct kind part;
        const size_t own = c->step_count;
        if (i == 1 && is_rate(c, node)) {
            part = (struct kind){.sort = DSE_SORT_NUMBER, .unit = DSE_UNIT_SECONDS, .constant = true};
            DSE_TRY(emit(c, STEP_PUSH, 0, 1.0, node->parts[i]->start, 1));
        } else
            DSE_TRY(compile_number(c, node->parts[i], &part));
        constant &= part.constant;
        switch (node->op) {
        case DSE_DO_LOG2:
        case DSE_DO_BITS:
        case DSE_DO_POW2: DSE_TRY(need_count(c, node->parts[i], &part, "what it takes")); break;
        case DSE_DO_MULTIPLY: DSE_TRY(multiply_units(c, node, &kind->unit, part.unit, 1)); break;
        case DSE_DO_DIVIDE:
        case DSE_DO_CEILDIV: DSE_TRY(multiply_units(c, node, &kind->unit, part.unit, i == 0 ? 1 : -1)); break;
        case DSE_DO_POWER:
            if (i == 0)
                kind->unit = part.unit;
            else {
                DSE_TRY(need_count(c, node->parts[i], &part, "an exponent"));
                struct dse_unit base = kind->unit;
                double times = c->steps[c->step_count - 1].number;
                if (dse_unit_equal(base, DSE_UNIT_COUNT))
                    break;
                if (!part.constant || !is_whole(times) || fabs(times) > POWERS_MAX)
                    return dse_formula_fail(c->formula, node->parts[i]->start, c->err, "the exponent of a value with a unit must be a whole number constant");
                kind->unit = DSE_UNIT_COUNT;
                for (int k = 0; k < (int)fabs(times); k++)
                    DSE_TRY(multiply_units(c, node, &kind->unit, base, times < 0.0 ? -1 : 1));
            }
            break;
        default:
            if (i == 0) {
                kind->unit = part.unit;
                kind->zero = part.zero && node->part_count > 1;
            } else
                DSE_TRY(join(c, node, kind, &part));
        }
        if (i > 0) /* min and max take as many as there are */
            DSE_TRY(emit_binary(c, node->op, first, own, node->at));
    }
    if (node->part_count == 1)
        DSE_TRY(emit(c, node->op, 0, 0.0, node->at, 0));
    kind->constant = constant;
    return constant ? fold(c, first) : DSE_OK;
}

/* ---- words ---- */

/* Whether a node is the name of a symbol whose values are words. */
static const struct dse_symbol *symbol_of_words(const struct compiler *c, const struct dse_node *node)
{
    size_t slot;
    const struct dse_symbol *symbol = node->kind == DSE_NODE_NAME ? find_symbol(c, node->name, &slot) : NULL;
    return symbol != NULL && symbol->sort == DSE_SORT_WORD ? symbol : NULL;
}

static bool same_words(const struct dse_symbol *a, const struct dse_symbol *b)
{
    bool same = a->word_count == b->word_count;
    for (size_t i = 0; i < a->word_count && same; i++)
        same = strcmp(a->words[i], b->words[i]) == 0;
    return same;
}

static enum dse_status fail_word(const struct compiler *c, size_t at, const struct dse_symbol *symbol, const char *word)
{
    struct dse_strbuf words DSE_CLEANUP(dse_strbuf_free) = {0};
    char near[96];
    for (size_t i = 0; i < symbol->word_count; i++)
        dse_strbuf_printf(&words, "%s%s", i == 0 ? "" : i + 1 < symbol->word_count ? ", " : " or ", symbol->words[i]);
    return dse_formula_fail(c->formula, at, c->err, "%s=%s: must be %s%s", symbol->name, word, dse_strbuf_text(&words),
                            dse_nearest_words(word, symbol->words, symbol->word_count, near, sizeof near));
}

static size_t find_word(const struct dse_symbol *symbol, const char *word)
{
    size_t i = 0;
    while (i < symbol->word_count && strcmp(symbol->words[i], word) != 0)
        i++;
    return i;
}

/* The word that a node means for a symbol: as written in the text, whatever signs it has ("off-chip"). */
static enum dse_status compile_word(struct compiler *c, const struct dse_node *node, const struct dse_symbol *symbol)
{
    const char *word = node->kind == DSE_NODE_QUOTED ? node->name
                                                     : dse_arena_strndup(c->arena, c->formula->text + node->start, node->end - node->start);
    size_t index = find_word(symbol, word);
    struct kind kind;
    const struct dse_symbol *other = symbol_of_words(c, node);
    if (index < symbol->word_count)
        return emit(c, STEP_PUSH, 0, (double)index, node->start, 1);
    if (other == NULL)
        return fail_word(c, node->start, symbol, word);
    if (!same_words(symbol, other))
        return dse_formula_fail(c->formula, node->start, c->err, "%s and %s have different words", symbol->name, other->name);
    return compile_name(c, node, &kind);
}

/* One side of a comparison: a percentage beside a name refers to the name's whole. */
static enum dse_status compile_side(struct compiler *c, const struct dse_node *node, const struct dse_node *other, struct kind *kind)
{
    size_t slot;
    const struct dse_symbol *symbol = node->percent && other->kind == DSE_NODE_NAME ? find_symbol(c, other->name, &slot) : NULL;
    if (symbol == NULL || symbol->whole == 0.0)
        return compile_number(c, node, kind);
    *kind = (struct kind){.sort = DSE_SORT_NUMBER, .unit = symbol->unit, .constant = true};
    return emit(c, STEP_PUSH, 0, node->number * symbol->whole, node->start, 1);
}

/* The first percentage on a side of a comparison, and the first name there that is a share of something; NULL for none. */
static const struct dse_node *find_on_side(struct compiler *c, const struct dse_node *node, bool percent)
{
    size_t slot;
    const struct dse_symbol *symbol = !percent && node->kind == DSE_NODE_NAME ? find_symbol(c, node->name, &slot) : NULL;
    if (percent ? node->percent : symbol != NULL && symbol->whole > 0.0)
        return node;
    const struct dse_node *found = NULL;
    bool compares = node->kind == DSE_NODE_OPERATOR && node->op >= DSE_DO_EQUAL && node->op <= DSE_DO_AT_LEAST;
    for (size_t i = 0; i < node->part_count && found == NULL && !compares; i++)
        found = find_on_side(c, node->parts[i], percent);
    return found;
}

/* A percentage is a share only beside the name that it is a share of: in arithmetic it would be ambiguous. */
static enum dse_status check_share(struct compiler *c, const struct dse_node *left, const struct dse_node *right)
{
    const struct dse_node *percent = find_on_side(c, left, true), *name = find_on_side(c, left, false);
    percent = percent != NULL ? percent : find_on_side(c, right, true);
    name = name != NULL ? name : find_on_side(c, right, false);
    bool plain = (left == percent && right == name) || (left == name && right == percent);
    return percent == NULL || name == NULL || plain
               ? DSE_OK
               : dse_formula_fail(c->formula, percent->start, c->err, "a percentage is a share of the board only beside a resource alone, as in %s<=10%%; here write a number", name->name);
}

static enum dse_status compile_comparison(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    const struct dse_node *left = node->parts[0], *right = node->parts[1];
    const struct dse_symbol *symbol = symbol_of_words(c, left);
    size_t first = c->step_count;
    if (symbol == NULL && (symbol = symbol_of_words(c, right)) != NULL) {
        left = node->parts[1];
        right = node->parts[0];
    }
    struct kind a, b;
    size_t own;
    if (symbol != NULL && node->op != DSE_DO_EQUAL && node->op != DSE_DO_UNEQUAL)
        return dse_formula_fail(c->formula, node->at, c->err, "the words of %s have no order; compare with = or !=", symbol->name);
    if (symbol != NULL) {
        DSE_TRY(compile_name(c, left, &a));
        own = c->step_count;
        DSE_TRY(compile_word(c, right, symbol));
    } else {
        DSE_TRY(check_share(c, left, right));
        DSE_TRY(compile_side(c, left, right, &a));
        own = c->step_count;
        DSE_TRY(compile_side(c, right, left, &b));
        DSE_TRY(join(c, node, &a, &b));
    }
    *kind = (struct kind){.sort = DSE_SORT_CONDITION, .constant = symbol == NULL && a.constant && b.constant};
    DSE_TRY(emit_binary(c, node->op, first, own, node->at));
    return kind->constant ? fold(c, first) : DSE_OK;
}

/* ---- operators that do not compute all their parts ---- */

static enum dse_status compile_condition(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    DSE_TRY(compile(c, node, kind));
    return need_sort(c, node, kind, DSE_SORT_CONDITION);
}

static enum dse_status compile_logic(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    struct kind other;
    *kind = (struct kind){.sort = DSE_SORT_CONDITION};
    DSE_TRY(compile_condition(c, node->parts[0], &other));
    if (node->op == DSE_DO_NOT)
        return emit(c, DSE_DO_NOT, 0, 0.0, node->at, 0);
    size_t jump = c->step_count;
    DSE_TRY(emit(c, node->op == DSE_DO_AND ? STEP_SHORT_AND : STEP_SHORT_OR, 0, 0.0, node->at, -1));
    DSE_TRY(compile_condition(c, node->parts[1], &other));
    c->steps[jump].arg = (uint32_t)c->step_count;
    return DSE_OK;
}

/* One of several results, all of one sort: joins `part` to the common kind. */
static enum dse_status join_result(const struct compiler *c, const struct dse_node *node, const struct dse_node *part_node, struct kind *kind,
                                   const struct kind *part, bool first)
{
    if (first) {
        *kind = *part;
        kind->constant = false;
    }
    if (part->sort == DSE_SORT_WORD || part->sort != kind->sort)
        return need_sort(c, part_node, part, part->sort == DSE_SORT_WORD ? DSE_SORT_NUMBER : kind->sort);
    return kind->sort == DSE_SORT_NUMBER ? join(c, node, kind, part) : DSE_OK;
}

static enum dse_status compile_choice(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    struct kind part;
    DSE_TRY(compile_condition(c, node->parts[0], &part));
    size_t unless = c->step_count;
    DSE_TRY(emit(c, STEP_UNLESS, 0, 0.0, node->at, -1));
    DSE_TRY(compile(c, node->parts[1], &part));
    DSE_TRY(join_result(c, node, node->parts[1], kind, &part, true));
    size_t jump = c->step_count;
    DSE_TRY(emit(c, STEP_JUMP, 0, 0.0, node->at, -1));
    c->steps[unless].arg = (uint32_t)c->step_count;
    DSE_TRY(compile(c, node->parts[2], &part));
    c->steps[jump].arg = (uint32_t)c->step_count;
    return join_result(c, node, node->parts[2], kind, &part, false);
}

/* The number of a label: the index of a word, or its own value. */
static enum dse_status label_number(const struct compiler *c, const struct dse_node *node, size_t label, const struct dse_symbol *symbol,
                                    double *number)
{
    const char *word = node->labels[label];
    if (symbol != NULL) {
        size_t index = find_word(symbol, word);
        *number = (double)index;
        return index < symbol->word_count ? DSE_OK : fail_word(c, node->label_places[label], symbol, word);
    }
    return dse_number_real(word, number) == DSE_NUMBER_READ
               ? DSE_OK
               : dse_formula_fail(c->formula, node->label_places[label], c->err, "select: %s: must be a number", word);
}

/* Every word needs a value: none is omitted silently. */
static enum dse_status check_covered(const struct compiler *c, const struct dse_node *node, const struct dse_symbol *symbol)
{
    for (size_t w = 0; w < symbol->word_count; w++) {
        bool there = false;
        for (size_t i = 0; i + 1 < node->part_count; i++)
            there |= node->labels[i] == NULL || strcmp(node->labels[i], symbol->words[w]) == 0;
        if (!there)
            return dse_formula_fail(c->formula, node->start, c->err, "select: no value for %s=%s, and no else", symbol->name, symbol->words[w]);
    }
    return DSE_OK;
}

static enum dse_status compile_select(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    const struct dse_symbol *symbol = symbol_of_words(c, node->parts[0]);
    size_t cases = node->part_count - 1;
    size_t *jumps = dse_arena_alloc(c->arena, cases, sizeof *jumps);
    struct kind part;
    DSE_TRY(symbol != NULL ? compile_name(c, node->parts[0], &part) : compile_number(c, node->parts[0], &part));
    double number;
    for (size_t i = 0; i < cases && symbol != NULL; i++)
        if (node->labels[i] != NULL)
            DSE_TRY(label_number(c, node, i, symbol, &number));
    if (symbol != NULL)
        DSE_TRY(check_covered(c, node, symbol));
    for (size_t i = 0; i < cases; i++) {
        size_t test = c->step_count;
        number = 0.0;
        if (node->labels[i] != NULL)
            DSE_TRY(label_number(c, node, i, symbol, &number));
        DSE_TRY(emit(c, node->labels[i] != NULL ? STEP_CASE : STEP_DROP, 0, number, node->start, -1));
        DSE_TRY(compile(c, node->parts[i + 1], &part));
        DSE_TRY(join_result(c, node, node->parts[i + 1], kind, &part, i == 0));
        jumps[i] = c->step_count;
        DSE_TRY(emit(c, STEP_JUMP, 0, 0.0, node->start, 0)); /* the next case finds the number instead of the result */
        if (node->labels[i] != NULL)
            c->steps[test].arg = (uint32_t)c->step_count;
    }
    DSE_TRY(emit(c, STEP_NO_CASE, 0, 0.0, node->start, 0));
    for (size_t i = 0; i < cases; i++)
        c->steps[jumps[i]].arg = (uint32_t)c->step_count;
    return DSE_OK;
}

static enum dse_status compile_sum(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    struct kind bound;
    if (c->variable_count == SUMS_MAX)
        return dse_formula_fail(c->formula, node->start, c->err, "more than %d nested sums", SUMS_MAX);
    for (size_t i = 0; i < 2; i++) {
        DSE_TRY(compile_number(c, node->parts[i], &bound));
        DSE_TRY(need_count(c, node->parts[i], &bound, "a sum's bound"));
    }
    size_t begin = c->step_count;
    uint32_t sum = (uint32_t)c->variable_count;
    DSE_TRY(emit(c, STEP_SUM_BEGIN, sum, 0.0, node->start, -1));
    c->variables[c->variable_count++] = node->name;
    DSE_TRY(compile_number(c, node->parts[2], kind));
    c->variable_count--;
    kind->constant = false;
    DSE_TRY(emit(c, STEP_SUM_NEXT, sum, (double)(begin + 1), node->start, -1));
    c->steps[begin].number = (double)c->step_count;
    return DSE_OK;
}

static enum dse_status compile(struct compiler *c, const struct dse_node *node, struct kind *kind)
{
    switch (node->kind) {
    case DSE_NODE_NUMBER:
        *kind = (struct kind){.sort = DSE_SORT_NUMBER, .unit = node->unit, .constant = true, .zero = node->number == 0.0};
        return emit(c, STEP_PUSH, 0, node->number, node->start, 1);
    case DSE_NODE_NAME: return compile_name(c, node, kind);
    case DSE_NODE_QUOTED: return dse_formula_fail(c->formula, node->start, c->err, "a word is allowed only beside = or !=, or in select");
    case DSE_NODE_SUM: return compile_sum(c, node, kind);
    case DSE_NODE_SELECT: return compile_select(c, node, kind);
    default: break;
    }
    if (node->op == DSE_DO_CHOOSE)
        return compile_choice(c, node, kind);
    if (node->op == DSE_DO_AND || node->op == DSE_DO_OR || node->op == DSE_DO_NOT)
        return compile_logic(c, node, kind);
    return dse_operators[node->op].level == DSE_LEVEL_COMPARE ? compile_comparison(c, node, kind) : compile_arithmetic(c, node, kind);
}

static const struct dse_code *finish(struct compiler *c, const struct kind *kind)
{
    struct dse_code *code = dse_arena_alloc(c->arena, 1, sizeof *code);
    struct dse_step *steps = dse_arena_alloc(c->arena, c->step_count, sizeof *steps);
    size_t read_count = 0, next = 0;
    for (size_t slot = 0; slot < c->scope->count; slot++)
        read_count += c->read[slot];
    size_t *reads = dse_arena_alloc(c->arena, read_count, sizeof *reads);
    memcpy(steps, c->steps, c->step_count * sizeof *steps);
    *code = (struct dse_code){.sort = kind->sort, .unit = kind->unit, .reads = reads, .read_count = read_count, .steps = steps, .step_count = c->step_count,
                              .formula = c->formula, .slot = c->step_count == 1 && steps[0].op == STEP_SLOT ? (long)steps[0].arg : -1};
    for (size_t slot = 0; slot < c->scope->count; slot++)
        if (c->read[slot])
            reads[next++] = slot;
    return code;
}

enum dse_status dse_formula_compile(struct dse_arena *arena, const struct dse_formula *formula, const struct dse_scope *scope,
                                    const struct dse_code **out, struct dse_error *err)
{
    bool *read DSE_CLEANUP(dse_free_at) = dse_calloc(scope->count + 1, sizeof *read);
    struct compiler c = {.arena = arena, .formula = formula, .scope = scope, .err = err, .read = read};
    struct kind kind = {0};
    enum dse_status status = compile(&c, formula->root, &kind);
    if (status == DSE_OK && kind.sort == DSE_SORT_WORD)
        status = need_sort(&c, formula->root, &kind, DSE_SORT_NUMBER);
    struct dse_code *code = status == DSE_OK ? (struct dse_code *)finish(&c, &kind) : NULL;
    dse_free_at(&c.steps);
    if (code != NULL && code->read_count == 0) {
        DSE_TRY(dse_code_evaluate(code, NULL, &code->value, err));
        code->constant = true;
    }
    *out = code;
    return status;
}

enum dse_status dse_formula_compile_as(struct dse_arena *arena, const struct dse_formula *formula, const struct dse_scope *scope,
                                       enum dse_sort sort, struct dse_unit unit, const struct dse_code **out, struct dse_error *err)
{
    char wanted[64], found[64];
    DSE_TRY(dse_formula_compile(arena, formula, scope, out, err));
    const struct dse_code *code = *out;
    struct compiler c = {.formula = formula, .err = err};
    struct kind kind = {.sort = code->sort, .unit = code->unit};
    DSE_TRY(need_sort(&c, formula->root, &kind, sort));
    if (sort != DSE_SORT_NUMBER || dse_unit_equal(code->unit, unit) || dse_unit_equal(code->unit, DSE_UNIT_COUNT))
        return DSE_OK;
    return dse_formula_fail(formula, formula->root->start, err, "must be in %s, is in %s", dse_unit_format(unit, wanted, sizeof wanted),
                            dse_unit_format(code->unit, found, sizeof found));
}

/* ---- knobs as symbols ---- */

struct dse_symbol dse_symbol_of_knob(const struct dse_knob *knob)
{
    bool words = knob->type == DSE_KNOB_CHOICE;
    return (struct dse_symbol){knob->name, words ? DSE_SORT_WORD : DSE_SORT_NUMBER, DSE_UNIT_COUNT, words ? knob->choices : NULL,
                               words ? knob->choice_count : 0, 0.0};
}

double dse_slot_of_knob(const struct dse_knob *knob, int64_t value)
{
    return knob->type == DSE_KNOB_DECIMAL ? (double)value / (double)DSE_DECIMAL_ONE : (double)value;
}
