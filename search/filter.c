#include "search/filter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "search/question.h"
#include "space/expression_tree.h"

#define OTHERS ((size_t)DSE_METRIC_ALIAS_COUNT)
#define SYMBOLS_MAX (DSE_METRIC_COUNT + OTHERS + DSE_KNOB_MAX)

/* Names in order of precedence: metrics, metric aliases, knobs; a name that is both is a metric, as in a comparison. */
static struct dse_scope make_scope(const struct dse_question *question, struct dse_space *space)
{
    struct dse_symbol *symbols = dse_arena_alloc(&space->arena, SYMBOLS_MAX, sizeof *symbols);
    struct dse_scope scope = {.symbols = symbols, .strict = true};
    int64_t limits[DSE_RESOURCE_COUNT] = {0};
    if (question->board != NULL)
        dse_board_limits(question->board, question->headroom, limits);
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        int resource = dse_metrics[m].resource;
        symbols[scope.count++] = (struct dse_symbol){.name = dse_metrics[m].name, .unit = dse_unit_of(dse_metrics[m].dimension),
                                                     .whole = resource >= 0 ? (double)limits[resource] : 0.0};
    }
    for (size_t i = 0; i < OTHERS; i++)
        symbols[scope.count++] = (struct dse_symbol){.name = dse_metric_aliases[i].name, .unit = dse_unit_of(dse_metrics[dse_metric_aliases[i].metric].dimension)};
    for (size_t k = 0; k < space->count; k++)
        symbols[scope.count++] = dse_symbol_of_knob(&space->knobs[k]);
    return scope;
}

static void fill_slots(const struct dse_filter *filter, const struct dse_config *config, const double *metrics, double *slots)
{
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        slots[m] = metrics != NULL ? metrics[m] : 0.0;
    for (size_t i = 0; i < OTHERS; i++) {
        double value = slots[dse_metric_aliases[i].metric];
        slots[DSE_METRIC_COUNT + i] = dse_metric_aliases[i].error ? dse_metric_error_from(&dse_metric_aliases[i], filter->quality) - value : value;
    }
    for (size_t k = 0; k < filter->space->count; k++)
        slots[DSE_METRIC_COUNT + OTHERS + k] = dse_slot_of_knob(&filter->space->knobs[k], config->value[k]);
}

/* A comparison in a condition: its sides as numbers or, if they are words, the whole comparison as a condition. */
struct dse_comparing {
    const struct dse_node *node;
    const struct dse_code *sides[2], *whole;
    const char *texts[2];
};

static bool is_comparison(const struct dse_node *node)
{
    return node->kind == DSE_NODE_OPERATOR && node->op >= DSE_DO_EQUAL && node->op <= DSE_DO_AT_LEAST;
}

static const struct dse_code *compile_part(struct dse_arena *arena, const struct dse_formula *whole, const struct dse_scope *scope, const struct dse_node *node)
{
    struct dse_formula *part = dse_arena_alloc(arena, 1, sizeof *part);
    const struct dse_code *code = NULL;
    *part = *whole;
    part->root = node;
    return dse_formula_compile(arena, part, scope, &code, NULL) == DSE_OK ? code : NULL;
}

/* A percentage compared with a name is a share of the name's total. */
static const struct dse_node *scaled(struct dse_arena *arena, const struct dse_scope *scope, const struct dse_node *node, const struct dse_node *other)
{
    for (size_t i = 0; i < scope->count && node->percent && other->kind == DSE_NODE_NAME; i++)
        if (strcmp(scope->symbols[i].name, other->name) == 0 && scope->symbols[i].whole > 0.0) {
            struct dse_node *number = dse_arena_alloc(arena, 1, sizeof *number);
            *number = *node;
            number->number *= scope->symbols[i].whole;
            number->percent = false;
            return number;
        }
    return node;
}

/* Lists the comparisons below a node, in order. */
static void list_comparing(struct dse_arena *arena, const struct dse_formula *formula, const struct dse_scope *scope, const struct dse_node *node,
                           struct dse_comparing *out, size_t *count)
{
    for (size_t i = 0; i < node->part_count && !is_comparison(node); i++)
        list_comparing(arena, formula, scope, node->parts[i], out, count);
    if (!is_comparison(node) || *count == DSE_TERM_MAX)
        return;
    struct dse_comparing *made = &out[(*count)++];
    *made = (struct dse_comparing){.node = node};
    for (size_t i = 0; i < 2; i++) {
        const struct dse_node *side = node->parts[i];
        made->sides[i] = compile_part(arena, formula, scope, scaled(arena, scope, side, node->parts[1 - i]));
        made->texts[i] = dse_arena_strndup(arena, formula->text + side->start, side->end - side->start);
    }
    for (size_t i = 0; i < 2; i++)
        if (made->sides[i] == NULL || made->sides[i]->sort == DSE_SORT_WORD)
            made->whole = compile_part(arena, formula, scope, node);
}

enum dse_status dse_filter_add(struct dse_question *question, struct dse_space *space, const struct dse_term *term, struct dse_error *err)
{
    struct dse_formula *formula = dse_arena_alloc(&space->arena, 1, sizeof *formula);
    struct dse_filter *filters = dse_arena_alloc(&space->arena, question->filter_count + 1, sizeof *filters);
    const struct dse_scope scope = make_scope(question, space);
    struct dse_filter made = {.text = dse_arena_strndup(&space->arena, term->text, term->length), .space = space, .quality = question->quality,
                              .failed = dse_arena_alloc(&space->arena, 1, sizeof *made.failed)};
    DSE_TRY(dse_formula_parse(&space->arena, made.text, &(struct dse_place){.what = term->option}, formula, err));
    DSE_TRY(dse_formula_compile_as(&space->arena, formula, &scope, DSE_SORT_CONDITION, DSE_UNIT_COUNT, &made.code, err));
    for (size_t i = 0; i < made.code->read_count; i++) {
        size_t slot = made.code->reads[i];
        if (slot >= DSE_METRIC_COUNT && slot < DSE_METRIC_COUNT + OTHERS && dse_metric_aliases[slot - DSE_METRIC_COUNT].figure)
            question->figure = dse_metric_aliases[slot - DSE_METRIC_COUNT].name;
        if (slot < DSE_METRIC_COUNT + OTHERS)
            made.metrics |= 1u << (slot < DSE_METRIC_COUNT ? slot : (size_t)dse_metric_aliases[slot - DSE_METRIC_COUNT].metric);
        else
            dse_bits_add(&made.knobs, slot - DSE_METRIC_COUNT - OTHERS);
    }
    struct dse_comparing *comparing = dse_arena_alloc(&space->arena, DSE_TERM_MAX, sizeof *comparing);
    list_comparing(&space->arena, formula, &scope, formula->root, comparing, &made.comparing_count);
    made.comparing = comparing;
    if (question->filter_count > 0)
        memcpy(filters, question->filters, question->filter_count * sizeof *filters);
    filters[question->filter_count++] = made;
    question->filters = filters;
    return DSE_OK;
}

/* ---- evaluating conditions ---- */

static enum dse_status ask(const struct dse_filter *filter, const struct dse_config *config, const double *metrics, bool *holds, struct dse_error *err)
{
    double slots[SYMBOLS_MAX], value = 1.0;
    *holds = false;
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if ((filter->metrics >> m & 1) != 0 && isnan(metrics[m]))
            return DSE_OK;
    bool applies = true;
    for (size_t k = 0; k < filter->space->count; k++)
        applies &= !dse_bits_has(filter->knobs, k) || dse_knob_active(filter->space, config, k);
    if (applies) {
        fill_slots(filter, config, metrics, slots);
        DSE_TRY(dse_code_evaluate(filter->code, slots, &value, err));
    }
    *holds = value != 0.0;
    return DSE_OK;
}

/* Ratio of `more` to `less`. */
static double ratio_of(double more, double less)
{
    return more <= less ? 1.0 : less > 0.0 ? more / less : 1.0 + (more - less) / fmax(fmax(fabs(more), fabs(less)), 1e-30);
}

static double excess_of(const struct dse_comparing *comparing, bool negated, const double *slots)
{
    double a = 0.0, b = 0.0, holds = 0.0;
    if (comparing->whole != NULL)
        return dse_code_evaluate(comparing->whole, slots, &holds, NULL) == DSE_OK && (holds != 0.0) != negated ? 1.0 : INFINITY;
    if (comparing->sides[0] == NULL || comparing->sides[1] == NULL || dse_code_evaluate(comparing->sides[0], slots, &a, NULL) != DSE_OK ||
        dse_code_evaluate(comparing->sides[1], slots, &b, NULL) != DSE_OK)
        return INFINITY;
    static const enum dse_operator_of opposite[] = {[DSE_DO_EQUAL] = DSE_DO_UNEQUAL, [DSE_DO_UNEQUAL] = DSE_DO_EQUAL, [DSE_DO_BELOW] = DSE_DO_AT_LEAST,
                                                    [DSE_DO_AT_LEAST] = DSE_DO_BELOW, [DSE_DO_ABOVE] = DSE_DO_AT_MOST, [DSE_DO_AT_MOST] = DSE_DO_ABOVE};
    const double least = 1.0 + 1e-9; /* for values that are equal but must differ */
    switch (negated ? opposite[comparing->node->op] : comparing->node->op) {
    case DSE_DO_EQUAL: return fmax(ratio_of(a, b), ratio_of(b, a));
    case DSE_DO_UNEQUAL: return a != b ? 1.0 : least;
    case DSE_DO_BELOW: return a < b ? 1.0 : fmax(ratio_of(a, b), least);
    case DSE_DO_AT_MOST: return ratio_of(a, b);
    case DSE_DO_ABOVE: return a > b ? 1.0 : fmax(ratio_of(b, a), least);
    default: return ratio_of(b, a);
    }
}

static double excess_below(const struct dse_filter *filter, const struct dse_node *node, bool negated, const double *slots)
{
    if (node->kind == DSE_NODE_OPERATOR && node->op == DSE_DO_NOT)
        return excess_below(filter, node->parts[0], !negated, slots);
    if (node->kind == DSE_NODE_OPERATOR && (node->op == DSE_DO_AND || node->op == DSE_DO_OR)) {
        double a = excess_below(filter, node->parts[0], negated, slots), b = excess_below(filter, node->parts[1], negated, slots);
        return (node->op == DSE_DO_AND) != negated ? fmax(a, b) : fmin(a, b);
    }
    for (size_t i = 0; i < filter->comparing_count; i++)
        if (filter->comparing[i].node == node)
            return excess_of(&filter->comparing[i], negated, slots);
    return INFINITY; /* a choice between conditions */
}

double dse_filter_excess(const struct dse_filter *filter, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT])
{
    double slots[SYMBOLS_MAX];
    bool holds;
    if (ask(filter, config, metrics, &holds, NULL) == DSE_OK && holds)
        return 1.0;
    fill_slots(filter, config, metrics, slots);
    double excess = excess_below(filter, filter->code->formula->root, false, slots);
    return excess > 1.0 ? excess : INFINITY; /* a condition that cannot be computed is not met */
}

size_t dse_filter_compared(const struct dse_filter *filter, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT], struct dse_compared *out)
{
    double slots[SYMBOLS_MAX];
    size_t count = 0;
    fill_slots(filter, config, metrics, slots);
    for (size_t i = 0; i < 2 * filter->comparing_count; i++) {
        const struct dse_comparing *comparing = &filter->comparing[i / 2];
        const struct dse_code *side = comparing->sides[i % 2];
        struct dse_compared *next = &out[count];
        if (side == NULL || side->constant || side->sort != DSE_SORT_NUMBER || dse_code_evaluate(side, slots, &next->value, NULL) != DSE_OK)
            continue;
        next->text = comparing->texts[i % 2];
        next->unit = side->unit;
        bool again = false;
        for (size_t k = 0; k < count; k++)
            again |= strcmp(out[k].text, next->text) == 0;
        count += !again;
    }
    return count;
}

bool dse_filters_allow(const struct dse_question *question, dse_knob_set within, const struct dse_config *config)
{
    bool allow = true;
    for (size_t i = 0; i < question->filter_count && allow; i++)
        if (question->filters[i].metrics == 0 && dse_bits_within(question->filters[i].knobs, within))
            (void)ask(&question->filters[i], config, NULL, &allow, NULL);
    return allow;
}

bool dse_filters_hold(const struct dse_question *question, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT], bool else_held)
{
    bool hold = true;
    for (size_t i = 0; i < question->filter_count && hold; i++)
        if (question->filters[i].metrics != 0 && ask(&question->filters[i], config, metrics, &hold, NULL) != DSE_OK && else_held)
            atomic_store(question->filters[i].failed, true);
    return hold;
}

enum dse_status dse_filters_computed(const struct dse_question *question, struct dse_error *err)
{
    for (size_t i = 0; i < question->filter_count; i++)
        if (atomic_load(question->filters[i].failed))
            return dse_fail(err, DSE_BAD_USAGE, "--where %s: cannot be computed for some designs: division by zero, or a number out of range; "
                            "exclude them by a condition before it (&&)", question->filters[i].text);
    return DSE_OK;
}

bool dse_filters_on_metrics(const struct dse_question *question)
{
    bool any = false;
    for (size_t i = 0; i < question->filter_count; i++)
        any |= question->filters[i].metrics != 0;
    return any;
}

enum dse_status dse_filters_reject(const struct dse_question *question, uint32_t metrics, const char *method, const char *others, struct dse_error *err)
{
    for (size_t i = 0; i < question->filter_count; i++)
        if ((question->filters[i].metrics & metrics) != 0)
            return dse_fail(err, DSE_BAD_USAGE, "--where %s: %s compares metrics only with values, joined by && and ||; "
                            "use --method %s for other conditions", question->filters[i].text, method, others);
    return DSE_OK;
}

/* ---- conditions as blocks ---- */

static enum dse_status cost(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                               struct dse_error *err)
{
    const struct dse_model_family *family = context->family;
    const struct dse_filter *filter = family->conditions[(size_t)(context->block - family->blocks) + family->condition_count - family->block_count];
    bool holds = true;
    (void)out;
    DSE_TRY(ask(filter, config, NULL, &holds, err));
    if (!holds) {
        context->rejection->rejected = true;
        if (context->rejection->reason[0] == '\0')
            snprintf(context->rejection->reason, sizeof context->rejection->reason, "--where %.200s does not hold", filter->text);
    }
    return DSE_OK;
}

/* A knob, and the knobs that decide whether it matters. */
static dse_knob_set with_conditions(const struct dse_space *space, dse_knob_set knobs)
{
    for (size_t k = space->count; k-- > 0;) /* conditions refer to earlier knobs */
        if (dse_bits_has(knobs, k) && space->knobs[k].condition >= 0)
            dse_bits_add(&knobs, (size_t)space->knobs[k].condition);
    return knobs;
}

/* Copies the family with room for `count` more blocks. */
static struct dse_model_family *extend(const struct dse_model_family *family, struct dse_space *space, size_t count)
{
    struct dse_model_family *made = dse_arena_alloc(&space->arena, 1, sizeof *made);
    struct dse_block *blocks = dse_arena_alloc(&space->arena, family->block_count + count, sizeof *blocks);
    *made = *family;
    memcpy(blocks, family->blocks, family->block_count * sizeof *blocks);
    made->blocks = blocks;
    const void **conditions = dse_arena_alloc(&space->arena, family->condition_count + count, sizeof *conditions);
    if (family->condition_count > 0)
        memcpy(conditions, family->conditions, family->condition_count * sizeof *conditions);
    made->conditions = conditions;
    if (family->in_rtl == family)
        made->in_rtl = made;
    return made;
}

static bool reads_alone(const struct dse_filter *filter, size_t knob)
{
    return filter->metrics == 0 && dse_bits_equal(filter->knobs, dse_bits_one(knob));
}

/* Reports the condition that leaves a knob no value, after the other limits and conditions on it. */
static enum dse_status leave_none(struct dse_question *question, size_t last, size_t knob, struct dse_error *err)
{
    struct dse_strbuf words DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_filter *filters = (struct dse_filter *)(uintptr_t)question->filters; /* owned by dse_filter_add */
    size_t named = 1;
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        if (question->knob_limits[i].knob != knob || question->knob_limits[i].barred != 0)
            continue;
        dse_knob_limit_write(question, &question->knob_limits[i], &words);
        dse_strbuf_add(&words, " and ");
        question->knob_limits[i].contradicts = true;
        named++;
    }
    for (size_t i = 0; i <= last; i++) {
        filters[i].contradicts = reads_alone(&filters[i], knob);
        if (filters[i].contradicts && i < last)
            dse_strbuf_printf(&words, "--where %s and ", filters[i].text);
        named += filters[i].contradicts && i < last;
    }
    return dse_fail(err, DSE_ANSWER_NO, named == 1 ? "%s--where %s: leaves no value of %s to try" : "%s--where %s: no value of %s meets %s",
                    dse_strbuf_text(&words), filters[last].text, question->space->knobs[knob].name, named == 2 ? "both" : "all");
}

static bool holds_value(const struct dse_filter *filter, size_t knob, int64_t at)
{
    struct dse_config config = {0};
    double slots[SYMBOLS_MAX], value = 0.0;
    config.value[knob] = at;
    fill_slots(filter, &config, NULL, slots);
    return dse_code_evaluate(filter->code, slots, &value, NULL) != DSE_OK || value != 0.0; /* a condition that cannot be computed is reported when domains are narrowed */
}

#define LEGAL_MOST 65536 /* maximum number of values of a knob tried one by one */

/* Whether some possible value of the knob meets its limits and the conditions on it alone; true if there are too many to try. */
static bool any_holds(const struct dse_question *question, const struct dse_space *space, size_t knob)
{
    const struct dse_knob *k = &space->knobs[knob];
    if (k->type == DSE_KNOB_DECIMAL || k->maximum - k->minimum > LEGAL_MOST)
        return true;
    bool any = false;
    for (int64_t at = k->minimum; at <= k->maximum && !any; at++) {
        any = dse_knob_within(k, at) && dse_question_allows_value(question, knob, at);
        for (size_t i = 0; i < question->filter_count && any; i++)
            any = !reads_alone(&question->filters[i], knob) || holds_value(&question->filters[i], knob, at);
    }
    return any;
}

enum dse_status dse_filters_agree(struct dse_question *question, const struct dse_space *space, struct dse_error *err)
{
    for (size_t i = question->filter_count; i-- > 0;) { /* the last one names the earlier ones */
        const struct dse_filter *filter = &question->filters[i];
        size_t knob = dse_bits_next(filter->knobs, 0);
        if (knob < DSE_BITS_MAX && reads_alone(filter, knob) && !any_holds(question, space, knob))
            return leave_none(question, i, knob, err);
    }
    return DSE_OK;
}

static enum dse_status narrow(struct dse_question *question, struct dse_space *space, size_t which, size_t knob, struct dse_error *err)
{
    const struct dse_filter *filter = &question->filters[which];
    struct dse_knob *k = &space->knobs[knob];
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc((k->domain_count + 1) * sizeof *values);
    bool restricted = k->restricted, measured = ((unsigned)k->kind & DSE_KNOB_ALGORITHMIC) != 0;
    size_t kept = 0;
    double slots[SYMBOLS_MAX], value;
    for (size_t i = 0; i < k->domain_count; i++) {
        struct dse_config config = {0};
        config.value[knob] = k->domain[i];
        fill_slots(filter, &config, NULL, slots);
        DSE_TRY(dse_code_evaluate(filter->code, slots, &value, err));
        if (value != 0.0)
            values[kept++] = config.value[knob];
    }
    if (kept > 0)
        dse_space_restrict(space, knob, values, kept);
    else if (!measured) /* measured settings may have values that a sweep does not visit */
        return leave_none(question, which, knob, err);
    k->restricted = restricted || !measured;
    return DSE_OK;
}

/* Gives the question a family with the conditions on knobs from `first` on as blocks. */
static enum dse_status add_blocks(struct dse_question *question, struct dse_space *space, size_t first, bool narrows, struct dse_error *err)
{
    struct dse_model_family *made = NULL;
    for (size_t i = first; i < question->filter_count; i++) {
        const struct dse_filter *filter = &question->filters[i];
        if (filter->metrics != 0 || !dse_bits_any(filter->knobs))
            continue;
        size_t knob = dse_bits_next(filter->knobs, 0);
        if (narrows && dse_bits_equal(filter->knobs, dse_bits_one(knob)) && space->knobs[knob].condition < 0) {
            DSE_TRY(narrow(question, space, i, knob, err));
            continue;
        }
        if (made == NULL)
            question->family = made = extend(question->family, space, question->filter_count);
        if (made->block_count == DSE_BLOCK_MAX)
            return dse_fail(err, DSE_BAD_USAGE, "--where %s: one condition too many beside the family's %zu blocks", filter->text, made->block_count);
        ((const void **)made->conditions)[made->condition_count++] = filter;
        ((struct dse_block *)made->blocks)[made->block_count++] =
            (struct dse_block){.name = "where", .engine = 0, .reads = with_conditions(space, filter->knobs), .cost = cost};
    }
    return DSE_OK;
}

void dse_filters_drop(const struct dse_model_family *family, const bool *kept, struct dse_bare_family *out)
{
    struct dse_model_family *made = &out->family;
    size_t own = family->block_count - family->condition_count;
    *made = *family;
    memcpy(out->blocks, family->blocks, own * sizeof *out->blocks);
    made->block_count = own;
    made->condition_count = 0;
    for (size_t i = 0; i < family->condition_count && kept != NULL; i++)
        if (kept[i]) {
            out->blocks[made->block_count++] = family->blocks[own + i];
            out->conditions[made->condition_count++] = family->conditions[i];
        }
    made->blocks = out->blocks;
    made->conditions = out->conditions;
    if (family->in_rtl == family)
        made->in_rtl = made;
}

/* ---- branches ---- */

/* A condition of a branch: a piece of text, or its negation. */
struct literal {
    const struct dse_filter *filter;
    const struct dse_node *node;
    bool negated;
};

struct branch_text {
    struct literal literals[DSE_TERM_MAX];
    size_t count;
};

struct branching {
    struct branch_text branches[DSE_BRANCHES_MAX];
    size_t count;
};

static bool is_operator(const struct dse_node *node, enum dse_operator_of op)
{
    return node->kind == DSE_NODE_OPERATOR && node->op == op;
}

/* Combines each branch so far with each branch of the node; false if there are too many. */
static bool branch(struct branching *b, const struct dse_filter *filter, const struct dse_node *node, bool negated)
{
    bool both = is_operator(node, negated ? DSE_DO_OR : DSE_DO_AND), either = is_operator(node, negated ? DSE_DO_AND : DSE_DO_OR);
    if (is_operator(node, DSE_DO_NOT))
        return branch(b, filter, node->parts[0], !negated);
    if (both)
        return branch(b, filter, node->parts[0], negated) && branch(b, filter, node->parts[1], negated);
    if (!either) {
        for (size_t i = 0; i < b->count; i++) {
            if (b->branches[i].count == DSE_TERM_MAX)
                return false;
            b->branches[i].literals[b->branches[i].count++] = (struct literal){filter, node, negated};
        }
        return true;
    }
    struct branching *other DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *other);
    *other = *b;
    if (!branch(b, filter, node->parts[0], negated) || !branch(other, filter, node->parts[1], negated) || b->count + other->count > DSE_BRANCHES_MAX)
        return false;
    memcpy(b->branches + b->count, other->branches, other->count * sizeof *other->branches);
    b->count += other->count;
    return true;
}

/* Adds a limit or a condition on knobs to the branch; DSE_ANSWER_NO for anything else. */
static enum dse_status add_literal(struct dse_question *question, struct dse_space *space, const struct literal *literal, struct dse_error *err)
{
    char *text = dse_arena_alloc(&space->arena, literal->node->end - literal->node->start + 8, 1);
    struct dse_expression parsed;
    int length = (int)(literal->node->end - literal->node->start);
    sprintf(text, literal->negated ? "!(%.*s)" : "%.*s", length, literal->filter->code->formula->text + literal->node->start);
    DSE_TRY(dse_expression_parse(text, &parsed, err));
    const struct dse_term *term = &parsed.terms[0];
    if (parsed.count == 1 && dse_metric_find(term->name) >= 0 && !dse_question_is_condition(space, term))
        return dse_question_limit(question, term, err);
    const struct dse_term whole = {.option = term->option, .text = text, .length = strlen(text)};
    DSE_TRY(dse_filter_add(question, space, &whole, err));
    return question->filters[question->filter_count - 1].metrics == 0 ? DSE_OK : DSE_ANSWER_NO;
}

static enum dse_status make_branch(const struct dse_question *question, struct dse_space *space, const struct branch_text *text, struct dse_branch *out,
                                   struct dse_error *err)
{
    struct dse_question *own DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *own);
    *own = *question;
    own->filters = NULL;
    own->filter_count = 0;
    struct dse_strbuf words DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < text->count; i++) {
        const struct literal *literal = &text->literals[i];
        DSE_TRY(add_literal(own, space, literal, err));
        dse_strbuf_printf(&words, "%s%s%.*s%s", i > 0 ? " && " : "", literal->negated ? "!(" : "", (int)(literal->node->end - literal->node->start),
                          literal->filter->code->formula->text + literal->node->start, literal->negated ? ")" : "");
    }
    DSE_TRY(add_blocks(own, space, 0, false, err));
    *out = (struct dse_branch){.text = dse_arena_strdup(&space->arena, dse_strbuf_text(&words)), .family = own->family, .limit_count = own->limit_count - question->limit_count};
    if (out->limit_count > DSE_BRANCH_LIMITS || own->limit_count + 4 > DSE_LIMIT_MAX) /* searches add their own limits */
        return DSE_ANSWER_NO;
    memcpy(out->limits, own->limits + question->limit_count, out->limit_count * sizeof *out->limits);
    return DSE_OK;
}

/* Finds the branches; none if the conditions on metrics are not such a disjunction. */
static enum dse_status find_branches(struct dse_question *question, struct dse_space *space, struct dse_error *err)
{
    struct branching *b DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *b);
    b->count = 1;
    for (size_t i = 0; i < question->filter_count; i++)
        if (question->filters[i].metrics != 0 && !branch(b, &question->filters[i], question->filters[i].code->formula->root, false))
            return DSE_OK;
    struct dse_branch *branches = dse_arena_alloc(&space->arena, b->count, sizeof *branches);
    for (size_t i = 0; i < b->count; i++) {
        enum dse_status status = make_branch(question, space, &b->branches[i], &branches[i], err);
        if (status != DSE_OK) /* a contradictory limit is an error in a condition too */
            return status == DSE_ANSWER_NO ? DSE_OK : status;
    }
    question->branches = branches;
    question->branch_count = b->count;
    return DSE_OK;
}

struct dse_question dse_question_of_branch(const struct dse_question *question, size_t branch)
{
    struct dse_question own = *question;
    const struct dse_branch *more = &question->branches[branch];
    own.family = more->family;
    for (size_t i = 0; i < more->limit_count && own.limit_count < DSE_LIMIT_MAX; i++)
        own.limits[own.limit_count++] = more->limits[i];
    own.filters = NULL;
    own.filter_count = own.branch_count = 0;
    own.checkpoint = NULL;
    own.tables = NULL;
    return own;
}

enum dse_status dse_filters_apply(struct dse_question *question, struct dse_space *space, struct dse_error *err)
{
    DSE_TRY(add_blocks(question, space, 0, true, err));
    return dse_filters_on_metrics(question) ? find_branches(question, space, err) : DSE_OK;
}
