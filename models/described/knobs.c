/* The knobs of a described family. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/list.h"
#include "models/described/reading.h"

#define DOMAIN_MAX 4096 /* values of a knob: larger ranges need `oneof` or `powers_of` */

static bool is_whole(const char *text)
{
    return text[strspn(text, "+-0123456789")] == '\0';
}

static enum dse_status read_value(const struct dse_describing *d, const struct dse_yaml *node, const struct dse_knob *knob, int64_t *out)
{
    struct dse_error why;
    if (node->kind != DSE_YAML_SCALAR)
        return dse_describing_reject_key(d, node, "must be one value");
    if (dse_knob_parse(knob, node->text, out, &why) != DSE_OK)
        return dse_describing_reject(d, node, "%s", why.message);
    return DSE_OK;
}

/* Reads `range: 1..16` as bounds; integers unless a bound has a point or an exponent. */
static enum dse_status read_range(const struct dse_describing *d, const struct dse_yaml *node, struct dse_knob *knob)
{
    const char *dots = node->kind == DSE_YAML_SCALAR ? strstr(node->text, "..") : NULL;
    if (dots == NULL || dots == node->text || strchr(".", dots[2]) != NULL) /* also the end of the text */
        return dse_describing_reject(d, node, "must be FIRST..LAST, such as 1..16");
    struct dse_yaml ends[2] = {*node, *node};
    ends[0].text = dse_arena_strndup(d->arena, node->text, (size_t)(dots - node->text));
    ends[1].text = dots + 2;
    ends[1].column += dots + 2 - node->text;
    if (!is_whole(ends[0].text) || !is_whole(ends[1].text))
        knob->type = DSE_KNOB_DECIMAL;
    knob->minimum = INT64_MIN;
    knob->maximum = INT64_MAX;
    int64_t low, high;
    DSE_TRY(read_value(d, &ends[0], knob, &low));
    DSE_TRY(read_value(d, &ends[1], knob, &high));
    knob->minimum = low;
    knob->maximum = high;
    return low <= high ? DSE_OK : dse_describing_reject(d, node, "the range begins after its end");
}

/* Reads the values of `oneof`; if there are no bounds yet, their minimum and maximum become the bounds. */
static enum dse_status read_oneof(struct dse_describing *d, const struct dse_yaml *node, bool bounded, struct dse_knob *knob)
{
    if (node->kind != DSE_YAML_LIST || node->count == 0)
        return dse_describing_reject_key(d, node, "must be a list of values, such as [1, 2, 4]");
    for (size_t i = 0; i < node->count && !bounded; i++)
        if (node->children[i].kind == DSE_YAML_SCALAR && !is_whole(node->children[i].text))
            knob->type = DSE_KNOB_DECIMAL;
    if (!bounded) {
        knob->minimum = INT64_MIN;
        knob->maximum = INT64_MAX;
    }
    int64_t *domain = dse_arena_alloc(d->arena, node->count, sizeof *domain), least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < node->count; i++) {
        DSE_TRY(read_value(d, &node->children[i], knob, &domain[i]));
        for (size_t k = 0; k < i; k++)
            if (domain[k] == domain[i])
                return dse_describing_reject(d, &node->children[i], "this value occurs twice");
        least = domain[i] < least ? domain[i] : least;
        most = domain[i] > most ? domain[i] : most;
    }
    if (!bounded) {
        knob->minimum = least;
        knob->maximum = most;
        knob->listed = domain;
        knob->listed_count = node->count;
    }
    knob->domain = domain;
    knob->domain_count = node->count;
    return DSE_OK;
}

/* Values of a range: all, or the powers of a base. */
static enum dse_status fill_range(struct dse_describing *d, const struct dse_yaml *range, const struct dse_yaml *powers, struct dse_knob *knob)
{
    double base = 0.0;
    DSE_TRY(dse_describing_number(d, powers, &base, NULL));
    if (powers != NULL && (base < 2.0 || base > 1000.0 || base != (double)(int64_t)base || knob->type != DSE_KNOB_INTEGER))
        return dse_describing_reject(d, powers, "powers_of must be a whole number from 2 to 1000, for a range of whole numbers");
    if (knob->type != DSE_KNOB_INTEGER)
        return dse_describing_reject_key(d, range, "a range of real numbers needs `oneof`, the values that a sweep visits");
    int64_t *domain = NULL;
    size_t count = 0;
    for (int64_t value = powers != NULL ? 1 : knob->minimum; value <= knob->maximum && count <= DOMAIN_MAX;) {
        if (value >= knob->minimum)
            *(int64_t *)dse_list_more(&domain, &count, sizeof *domain) = value;
        if (value > INT64_MAX / 1001)
            break;
        value = powers != NULL ? value * (int64_t)base : value + 1;
    }
    knob->domain = dse_describing_copy(d, domain, count, sizeof *domain);
    knob->domain_count = count;
    knob->power_of_two = base == 2.0;
    free(domain);
    if (count > DOMAIN_MAX)
        return dse_describing_reject(d, range, "the range has more than %d values: list those that a sweep visits in `oneof`", DOMAIN_MAX);
    return count > 0 ? DSE_OK : dse_describing_reject(d, range, "the range holds no such power");
}

static enum dse_status read_words(struct dse_describing *d, const struct dse_yaml *node, struct dse_knob *knob)
{
    if (node->kind != DSE_YAML_LIST || node->count == 0 || node->count > 64)
        return dse_describing_reject_key(d, node, "must be a list of at most 64 words");
    const char **words = dse_arena_alloc(d->arena, node->count + 1, sizeof *words);
    for (size_t i = 0; i < node->count; i++) {
        const struct dse_yaml *word = &node->children[i];
        if (word->kind != DSE_YAML_SCALAR || *word->text == '\0' || strpbrk(word->text, " \t\n=|&,") != NULL)
            return dse_describing_reject(d, word, "a word has no blank and none of = | & ,");
        for (size_t k = 0; k < i; k++)
            if (strcmp(words[k], word->text) == 0)
                return dse_describing_reject(d, word, "this word occurs twice");
        words[i] = word->text;
    }
    knob->type = DSE_KNOB_CHOICE;
    knob->choices = words;
    knob->choice_count = node->count;
    knob->maximum = (int64_t)node->count - 1;
    return DSE_OK;
}

enum dse_status dse_describing_reject_knob(const struct dse_describing *d, const struct dse_yaml *node, bool key, const struct dse_knob *knobs, size_t count)
{
    const char *names[DSE_KNOB_MAX];
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
        if (knobs[k].type == DSE_KNOB_CHOICE)
            names[found++] = knobs[k].name;
    return dse_describing_reject_word(d, node, key, "knob of words", names, found);
}

/* Reads `when: {encoding: [on-chip]}`: the knob matters only there. */
static enum dse_status read_when(struct dse_describing *d, const struct dse_yaml *node, const struct dse_knob *before, size_t count, struct dse_knob *knob)
{
    if (node->kind != DSE_YAML_MAP || node->count != 1)
        return dse_describing_reject_key(d, node, "must be {KNOB: WORD} or {KNOB: [WORD, …]}");
    const struct dse_yaml *only = &node->children[0];
    size_t k = 0;
    while (k < count && strcmp(before[k].name, only->key) != 0)
        k++;
    if (k == count || before[k].type != DSE_KNOB_CHOICE)
        return dse_describing_reject_knob(d, only, true, before, count);
    knob->condition = (int)k;
    for (size_t i = 0; i < (only->kind == DSE_YAML_LIST ? only->count : 1); i++) {
        int64_t word;
        DSE_TRY(read_value(d, only->kind == DSE_YAML_LIST ? &only->children[i] : only, &before[k], &word));
        knob->condition_choices |= (uint64_t)1 << word;
    }
    return DSE_OK;
}

static enum dse_status read_values(struct dse_describing *d, const struct dse_yaml *node, struct dse_knob *knob)
{
    const struct dse_yaml *words = dse_yaml_member(node, "words"), *range = dse_yaml_member(node, "range"), *oneof = dse_yaml_member(node, "oneof"),
                          *powers = dse_yaml_member(node, "powers_of"), *standard = dse_yaml_member(node, "default");
    if (words == NULL && range == NULL && oneof == NULL)
        return dse_describing_reject_key(d, node, "needs its values: `oneof`, `range` or `words`");
    if (words != NULL && range != NULL)
        return dse_describing_reject_key(d, range, "is for numbers, and the knob has words");
    if (powers != NULL && range == NULL)
        return dse_describing_reject_key(d, powers, "needs `range`");
    DSE_TRY(words != NULL ? read_words(d, words, knob) : range != NULL ? read_range(d, range, knob) : DSE_OK);
    if (oneof != NULL)
        DSE_TRY(read_oneof(d, oneof, words != NULL || range != NULL, knob));
    if (oneof != NULL && powers != NULL)
        knob->power_of_two = strcmp(powers->text != NULL ? powers->text : "", "2") == 0;
    else if (range != NULL && oneof == NULL)
        DSE_TRY(fill_range(d, range, powers, knob));
    knob->fallback = knob->domain != NULL ? knob->domain[0] : 0;
    return standard != NULL ? read_value(d, standard, knob, &knob->fallback) : DSE_OK;
}

/* Checks a macro: a C name used neither by an earlier knob nor by the header, whose names begin with FAMILY_ (emit/hls/header.c). */
static enum dse_status read_macro(const struct dse_describing *d, const struct dse_yaml *node, const struct dse_knob *before, size_t count, const char **macros)
{
    static const char keywords[] = " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const const_cast constexpr continue decltype default "
                                   "delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept "
                                   "not not_eq nullptr operator or or_eq private protected public register reinterpret_cast restrict return short signed sizeof static "
                                   "static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void "
                                   "volatile wchar_t while xor xor_eq defined ";
    const struct dse_yaml *member = dse_yaml_member(node, "macro");
    char word[64];
    DSE_TRY(dse_describing_text(d, node, "macro", false, &macros[count]));
    const char *macro = macros[count];
    if (macro == NULL)
        return DSE_OK;
    snprintf(word, sizeof word, " %.60s ", macro);
    if (macro[strspn(macro, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")] != '\0' || strchr("0123456789", *macro) != NULL ||
        strstr(keywords, word) != NULL)
        return dse_describing_reject(d, member, "must be a name of C, not a keyword");
    size_t length = strlen(d->out->family.name);
    if (strncasecmp(macro, d->out->family.name, length) == 0 && macro[length] == '_')
        return dse_describing_reject(d, member, "names that begin with %.*s are reserved for the header", (int)length + 1, macro);
    for (size_t k = 0; k < count; k++)
        if (macros[k] != NULL && strcmp(macros[k], macro) == 0)
            return dse_describing_reject(d, member, "is the macro of the knob %s already", before[k].name);
    return DSE_OK;
}

/* `macros` has one entry per knob. */
static enum dse_status read_knob(struct dse_describing *d, const struct dse_yaml *node, const struct dse_knob *before, size_t count, struct dse_knob *knob,
                                 const char **macros)
{
    static const char *const keys[] = {"oneof", "range", "powers_of", "words", "default", "macro", "help", "unit", "kind", "when", "follows", "shapes_workload", NULL};
    static const char *const kinds[] = {"algorithmic", "hardware", "both", NULL};
    const struct dse_yaml *when = dse_yaml_member(node, "when");
    int kind;
    *knob = (struct dse_knob){.name = node->key, .kind = DSE_KNOB_HARDWARE, .condition = 0};
    if (dse_metric_find(node->key) >= 0)
        return dse_describing_reject_key(d, node, "%s is the name of a metric, which conditions would use", node->key);
    DSE_TRY(dse_describing_map(d, node, "a knob", keys));
    DSE_TRY(read_values(d, node, knob));
    DSE_TRY(dse_describing_text(d, node, "help", false, &knob->title));
    DSE_TRY(dse_describing_text(d, node, "unit", false, &knob->unit));
    DSE_TRY(read_macro(d, node, before, count, macros));
    DSE_TRY(dse_describing_word(d, node, "kind", false, kinds, &kind));
    DSE_TRY(dse_describing_yes(d, node, "shapes_workload", &knob->shapes_work));
    if (kind >= 0)
        knob->kind = (enum dse_knob_kind)(kind + 1);
    if (knob->title == NULL)
        knob->title = knob->name;
    if (when != NULL)
        DSE_TRY(read_when(d, when, before, count, knob));
    if (knob->shapes_work && !dse_knob_trains(knob))
        return dse_describing_reject_key(d, dse_yaml_member(node, "shapes_workload"), "needs `kind: algorithmic` or `both`");
    return DSE_OK;
}

/* Reads `follows: KNOB`: not the first knob, and one with the same words. */
static enum dse_status read_follows(const struct dse_describing *d, const struct dse_yaml *section, struct dse_knob *knobs, size_t k)
{
    const char *follows;
    DSE_TRY(dse_describing_text(d, &section->children[k], "follows", false, &follows));
    for (size_t i = 1; i < section->count && follows != NULL; i++)
        if (strcmp(knobs[i].name, follows) == 0 && knobs[i].type == DSE_KNOB_CHOICE && knobs[k].type == DSE_KNOB_CHOICE && i != k)
            knobs[k].follows = (int)i;
    return follows == NULL || knobs[k].follows > 0
               ? DSE_OK
               : dse_describing_reject(d, dse_yaml_member(&section->children[k], "follows"), "%s is not a knob of words, after the first and different from it", follows);
}

static const char *const presets[] = {"paper", NULL};

/* Finds the knobs that every family needs: the clock comes from the file; compute units default to one. */
static enum dse_status find_needed(struct dse_describing *d, const struct dse_yaml *section, struct dse_knob *knobs, size_t *count)
{
    int clock = -1, units = -1;
    for (size_t i = 0; i < *count; i++) {
        clock = strcmp(knobs[i].name, "clock_mhz") == 0 ? (int)i : clock;
        units = strcmp(knobs[i].name, "units") == 0 ? (int)i : units;
    }
    if (clock < 0)
        return dse_describing_reject_key(d, section, "needs the knob clock_mhz, such as `clock_mhz: {oneof: [200, 250, 300], default: 250}`");
    if (knobs[clock].type != DSE_KNOB_INTEGER || knobs[clock].minimum < 1 || knobs[clock].maximum > 10000)
        return dse_describing_reject_key(d, dse_yaml_member(section, "clock_mhz"), "must be whole numbers from 1 to 10000");
    if (units >= 0 && (knobs[units].type != DSE_KNOB_INTEGER || knobs[units].minimum < 1 || knobs[units].maximum > 1024))
        return dse_describing_reject_key(d, dse_yaml_member(section, "units"), "must be whole numbers from 1 to 1024");
    if (units < 0) {
        static const int64_t one[] = {1};
        units = (int)(*count)++;
        knobs[units] = (struct dse_knob){.name = "units", .kind = DSE_KNOB_HARDWARE, .title = "compute units", .type = DSE_KNOB_INTEGER, .minimum = 1,
                                         .maximum = 1, .fallback = 1, .domain = one, .domain_count = 1};
    }
    d->out->family.clock_knob = (size_t)clock;
    d->out->family.units_knob = (size_t)units;
    return DSE_OK;
}

enum dse_status dse_describing_knobs(struct dse_describing *d)
{
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "knobs");
    if (section == NULL || section->kind != DSE_YAML_MAP || section->count == 0)
        return dse_describing_reject_key(d, section != NULL ? section : &d->out->root, "needs `knobs`, a map of them");
    if (section->count > DSE_KNOB_MAX - 1)
        return dse_describing_reject_key(d, section, "has %zu knobs: at most %d", section->count, DSE_KNOB_MAX - 1);
    struct dse_knob *knobs = dse_arena_alloc(d->arena, section->count + 1, sizeof *knobs);
    const char **macros = dse_arena_alloc(d->arena, section->count + 1, sizeof *macros);
    size_t count = section->count;
    for (size_t i = 0; i < section->count; i++)
        DSE_TRY(dse_describing_go_on(d, read_knob(d, &section->children[i], knobs, i, &knobs[i], macros)));
    DSE_TRY(dse_describing_settle(d));
    for (size_t i = 0; i < section->count; i++)
        DSE_TRY(read_follows(d, section, knobs, i));
    DSE_TRY(find_needed(d, section, knobs, &count));
    d->out->knobs = (struct dse_knobs){.family = d->out->family.name, .knobs = knobs, .count = count, .presets = presets};
    d->out->family.knobs = &d->out->knobs;
    d->out->macros = macros;
    for (size_t i = 0; i < count; i++) {
        struct dse_symbol *symbol;
        DSE_TRY(dse_describing_declare(d, i < section->count ? &section->children[i] : section, knobs[i].name, &symbol));
        const char *name = symbol->name;
        *symbol = dse_symbol_of_knob(&knobs[i]);
        symbol->name = name;
    }
    struct dse_error why;
    if (dse_knobs_check(&d->out->knobs, &why) != DSE_OK)
        return dse_describing_reject_key(d, section, "%s", why.message);
    return DSE_OK;
}
