/* Lines, patterns and numbers of report text. */
#include "resources/synthesis/reading.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <ctype.h>
#include <math.h>
#include <pcre2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define MATCH_STEPS_MAX 1000000 /* limit of PCRE2: no text makes a pattern run for long */
#define SHOWN 60                /* characters of a wrong text that a message quotes */

enum dse_status reading_fail(const struct reading *r, size_t line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->name, (long)line, "%s", text);
}

char *reading_keep(const struct reading *r, const char *text, size_t length)
{
    return dse_arena_strndup(r->arena, text, length);
}

/* A pattern ready to be matched. */
struct pattern {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *context;
};

static struct pattern compile(const char *text)
{
    int error = 0;
    size_t offset = 0;
    struct pattern p = {.code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_NEVER_UTF, &error, &offset, NULL)};
    p.match = p.code != NULL ? pcre2_match_data_create_from_pattern(p.code, NULL) : NULL;
    p.context = p.match != NULL ? pcre2_match_context_create(NULL) : NULL;
    if (p.context == NULL)
        dse_memory_exhausted();
    pcre2_set_match_limit(p.context, MATCH_STEPS_MAX);
    return p;
}

static void release(struct pattern *p)
{
    pcre2_match_context_free(p->context);
    pcre2_match_data_free(p->match);
    pcre2_code_free(p->code);
}

/* The number of groups, including the whole match; 0 if it does not match. */
static int match(const struct pattern *p, const char *text)
{
    int found = pcre2_match(p->code, (PCRE2_SPTR)text, strlen(text), 0, 0, p->match, p->context);
    if (found == PCRE2_ERROR_NOMEMORY)
        dse_memory_exhausted();
    return found > 0 ? found : 0;
}

bool reading_match(const struct reading *r, const char *pattern, const char *text, char **groups, size_t count)
{
    struct pattern p DSE_CLEANUP(release) = compile(pattern);
    int found = match(&p, text);
    const size_t *ends = pcre2_get_ovector_pointer(p.match);
    for (size_t i = 0; found > 0 && i < count; i++) {
        bool there = (int)i + 1 < found && ends[2 * i + 2] != PCRE2_UNSET;
        groups[i] = there ? reading_keep(r, text + ends[2 * i + 2], ends[2 * i + 3] - ends[2 * i + 2]) : NULL;
    }
    return found > 0;
}

size_t reading_find(const struct reading *r, size_t from, const char *pattern)
{
    struct pattern p DSE_CLEANUP(release) = compile(pattern);
    while (from < r->line_count && match(&p, r->lines[from]) == 0)
        from++;
    return from;
}

char *reading_header(const struct reading *r, const char *key)
{
    char pattern[128], *value = NULL;
    snprintf(pattern, sizeof pattern, "^[|* ]*%s\\s*:\\s*(\\S.*?)\\s*$", key);
    size_t line = reading_find(r, 0, pattern);
    if (line < r->line_count)
        reading_match(r, pattern, r->lines[line], &value, 1);
    return value;
}

static bool is_unknown(const char *text, size_t length)
{
    static const char *const words[] = {"", "undef", "?", "-", "--", "---", "N/A", "n/a", "NA", "inf", "-inf",
                                        "+inf", "none", "nan", "NaN"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Text after a number: its unit, or its share in brackets. */
static bool is_harmless_tail(const char *tail)
{
    tail = skip_space(tail);
    if (*tail == '(' || *tail == '[') {
        const char close = *tail == '(' ? ')' : ']';
        const char *end = strchr(tail, close);
        return end != NULL && *skip_space(end + 1) == '\0';
    }
    static const char *const units[] = {"", "ns", "MHz", "MHZ", "W", "%", "cycles", "*"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i]);
        if (strncmp(tail, units[i], length) == 0 && *skip_space(tail + length) == '\0')
            return true;
    }
    return false;
}

enum dse_status reading_number(const struct reading *r, size_t line, const char *text, double *value)
{
    const char *start = skip_space(text);
    size_t length = strlen(start);
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    *value = NAN;
    if (is_unknown(start, length))
        return DSE_OK;
    if (*start == '<' || *start == '~')
        start++;
    /* strtod would also read hexadecimal, "infinity" and the like. */
    if (isdigit((unsigned char)*start) || ((*start == '-' || *start == '.') && isdigit((unsigned char)start[1]))) {
        char *end = NULL;
        double number = strtod(start, &end);
        if (memchr(start, 'x', (size_t)(end - start)) == NULL && is_harmless_tail(end) && isfinite(number)) {
            *value = number;
            return DSE_OK;
        }
    }
    return reading_fail(r, line, "\"%.*s\" is neither a number nor a word for an unknown number", SHOWN,
                        skip_space(text));
}

enum dse_status reading_count(const struct reading *r, size_t line, const char *text, double *value)
{
    DSE_TRY(reading_number(r, line, text, value));
    if (*value < 0)
        return reading_fail(r, line, "\"%.*s\" is negative, but must be a count", SHOWN, text);
    return DSE_OK;
}

enum dse_status reading_range(const struct reading *r, size_t line, const char *text,
                              struct dse_report_range *range)
{
    char *ends[2];
    if (reading_match(r, "^\\s*([0-9.eE+]+)\\s*~\\s*([0-9.eE+]+)\\s*$", text, ends, 2)) {
        DSE_TRY(reading_count(r, line, ends[0], &range->min));
        return reading_count(r, line, ends[1], &range->max);
    }
    enum dse_status status = reading_count(r, line, text, &range->min);
    range->max = range->min;
    return status;
}

void report_all_unknown(double values[DSE_RESOURCE_COUNT])
{
    for (int i = 0; i < DSE_RESOURCE_COUNT; i++)
        values[i] = NAN;
}

struct dse_report_instance *instance_add(const struct reading *r, struct instance_list *list, const char *name)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity > 0 ? list->capacity * 2 : 16;
        struct dse_report_instance *grown = dse_arena_alloc(r->arena, capacity, sizeof *grown);
        if (list->count > 0)
            memcpy(grown, list->items, list->count * sizeof *grown);
        list->items = grown;
        list->capacity = capacity;
    }
    struct dse_report_instance *item = &list->items[list->count];
    *item = (struct dse_report_instance){.latency_cycles = {NAN, NAN}, .interval_cycles = {NAN, NAN}};
    item->name = dse_arena_strdup(r->arena, name);
    report_all_unknown(item->used);
    list->count++;
    r->report->instances = list->items;
    r->report->instance_count = list->count;
    return item;
}
