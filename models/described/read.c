/* Errors with their place in the file, and values of the tree. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "core/utf8.h"
#include "models/described/reading.h"

/* A text of the file as a formula; its errors show a caret. */
static struct dse_formula shown(const struct dse_describing *d, const char *text, long line, long column)
{
    return (struct dse_formula){.text = text, .place = {.file = d->path, .what = NULL, .line = line, .column = column}};
}

static enum dse_status reject_at(const struct dse_describing *d, const char *text, long line, long column, const char *format, va_list arguments)
{
    char message[DSE_ERROR_CAPACITY];
    struct dse_formula formula = shown(d, text, line, column);
    vsnprintf(message, sizeof message, format, arguments);
    if (*text != '\0')
        return dse_formula_fail(&formula, 0, d->err, "%s", message);
    const char *at = d->out->family.content; /* a list or map, or nothing: its line */
    for (long l = 1; l < line && strchr(at, '\n') != NULL; l++)
        at = strchr(at, '\n') + 1;
    for (long c = 1; c < column && *at != '\0' && *at != '\n'; c++)
        for (at++; ((unsigned char)*at & 0xc0) == 0x80;)
            at++;
    dse_fail(d->err, DSE_BAD_INPUT, "%s:%ld:%ld: %s", d->path, line, column, message);
    dse_utf8_caret(d->out->family.content, (size_t)(at - d->out->family.content), d->err->message, sizeof d->err->message);
    return DSE_BAD_INPUT;
}

enum dse_status dse_describing_reject(const struct dse_describing *d, const struct dse_yaml *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    enum dse_status status = reject_at(d, node->text != NULL ? node->text : "", node->line, node->column, format, arguments);
    va_end(arguments);
    return status;
}

enum dse_status dse_describing_reject_key(const struct dse_describing *d, const struct dse_yaml *node, const char *format, ...)
{
    va_list arguments;
    bool key = node->key != NULL;
    va_start(arguments, format);
    enum dse_status status = reject_at(d, key ? node->key : node->text != NULL ? node->text : "", key ? node->key_line : node->line,
                                       key ? node->key_column : node->column, format, arguments);
    va_end(arguments);
    return status;
}

enum dse_status dse_describing_go_on(struct dse_describing *d, enum dse_status status)
{
    if (status != DSE_BAD_INPUT || d->problems == NULL)
        return status;
    if (d->err->message[0] != '\0') { /* otherwise recorded */
        d->first = d->problem_count == 0 ? *d->err : d->first;
        dse_strbuf_printf(d->problems, "%s\n", d->err->message);
        d->problem_count++;
    }
    d->err->message[0] = '\0';
    return DSE_OK;
}

enum dse_status dse_describing_settle(const struct dse_describing *d)
{
    return d->problem_count > 0 ? DSE_BAD_INPUT : DSE_OK;
}

enum dse_status dse_describing_reject_word(const struct dse_describing *d, const struct dse_yaml *node, bool key, const char *what,
                                           const char *const *allowed, size_t count)
{
    struct dse_strbuf list DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *word = key ? node->key : node->text, *near = dse_names_nearest(word, allowed, count);
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(&list, "%s%s", i > 0 ? ", " : "", allowed[i]);
    if (key && strpbrk(word, "() ") != NULL) /* YAML reads the comma of a text or of a function's arguments as a separator of keys */
        return dse_describing_reject_key(d, node, "%s is not a key here: put a formula or text with a comma in braces in quotes", word);
    for (size_t i = 0; key && i < count; i++)
        if (strncmp(word, allowed[i], strlen(allowed[i])) == 0 && word[strlen(allowed[i])] == ':')
            return dse_describing_reject_key(d, node, "a blank is missing after the colon of %s", allowed[i]);
    return (key ? dse_describing_reject_key : dse_describing_reject)(d, node, "%s: unknown %s%s%s%s; there %s %s", word, what, near != NULL ? "; did you mean " : "",
                                                                     near != NULL ? near : "", near != NULL ? "?" : "", count == 1 ? "is" : "are",
                                                                     count > 0 ? dse_strbuf_text(&list) : "none");
}

static size_t count_of(const char *const *words)
{
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

enum dse_status dse_describing_map(const struct dse_describing *d, const struct dse_yaml *node, const char *what, const char *const *keys)
{
    if (node->kind != DSE_YAML_MAP)
        return dse_describing_reject(d, node, "%s must be a map of keys and values", what);
    for (size_t i = 0; i < node->count; i++) {
        bool known = false;
        for (size_t k = 0; keys[k] != NULL && !known; k++)
            known = strcmp(keys[k], node->children[i].key) == 0;
        if (!known)
            return dse_describing_reject_word(d, &node->children[i], true, "key here", keys, count_of(keys));
    }
    return DSE_OK;
}

enum dse_status dse_describing_members(const struct dse_describing *d, const struct dse_yaml *map, const char *key, const char *of,
                                       const struct dse_yaml **out)
{
    static const struct dse_yaml none = {.kind = DSE_YAML_MAP};
    const struct dse_yaml *member = dse_yaml_member(map, key);
    *out = member != NULL ? member : &none;
    return (*out)->kind == DSE_YAML_MAP ? DSE_OK : dse_describing_reject_key(d, member, "must be a map of %s", of);
}

enum dse_status dse_describing_text(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool needed, const char **out)
{
    const struct dse_yaml *member = dse_yaml_member(map, key);
    *out = NULL;
    if (member == NULL)
        return needed ? dse_describing_reject_key(d, map, "needs `%s`", key) : DSE_OK;
    if (member->kind != DSE_YAML_SCALAR || *member->text == '\0')
        return dse_describing_reject_key(d, member, "must be one text");
    *out = member->text;
    return DSE_OK;
}

enum dse_status dse_describing_index(const struct dse_describing *d, const struct dse_yaml *node, const char *what, const char *const *words,
                                     size_t count, int *out)
{
    if (node->kind != DSE_YAML_SCALAR)
        return dse_describing_reject_key(d, node, "must be one word, a %s", what);
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], node->text) == 0) {
            *out = (int)i;
            return DSE_OK;
        }
    return dse_describing_reject_word(d, node, false, what, words, count);
}

enum dse_status dse_describing_word(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool needed,
                                    const char *const *words, int *out)
{
    const struct dse_yaml *member = dse_yaml_member(map, key);
    *out = -1;
    if (member == NULL)
        return needed ? dse_describing_reject_key(d, map, "needs `%s`", key) : DSE_OK;
    return dse_describing_index(d, member, key, words, count_of(words), out);
}

enum dse_status dse_describing_yes(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool *out)
{
    static const char *const words[] = {"no", "yes", "false", "true", NULL};
    int index;
    DSE_TRY(dse_describing_word(d, map, key, false, words, &index));
    *out = index < 0 ? *out : index % 2 == 1;
    return DSE_OK;
}

static enum dse_status parse(const struct dse_describing *d, const struct dse_yaml *node, struct dse_formula *formula)
{
    struct dse_place place = {.file = d->path, .what = node->key, .line = node->line, .column = node->column + node->quoted};
    if (node->kind != DSE_YAML_SCALAR)
        return dse_describing_reject_key(d, node, "must be one formula");
    return dse_formula_parse(d->arena, node->text, &place, formula, d->err);
}

static const char *names_nothing(void *user, const char *name)
{
    (void)user;
    (void)name;
    return "a number is expected here: a formula with names goes into `let`, a block or a constraint";
}

enum dse_status dse_describing_number(const struct dse_describing *d, const struct dse_yaml *node, double *out, struct dse_unit *unit)
{
    struct dse_formula *formula = dse_arena_alloc(d->arena, 1, sizeof *formula);
    const struct dse_code *code;
    const struct dse_scope none = {.absent = names_nothing};
    if (node == NULL)
        return DSE_OK;
    DSE_TRY(parse(d, node, formula));
    DSE_TRY(unit != NULL ? dse_formula_compile(d->arena, formula, &none, &code, d->err)
                         : dse_formula_compile_as(d->arena, formula, &none, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &code, d->err));
    if (code->sort != DSE_SORT_NUMBER)
        return dse_describing_reject(d, node, "must be a number");
    DSE_TRY(dse_code_evaluate(code, NULL, out, d->err));
    if (unit != NULL)
        *unit = code->unit;
    return DSE_OK;
}

static enum dse_status compile(struct dse_describing *d, const struct dse_yaml *node, const enum dse_sort *sort, struct dse_unit unit,
                               const struct dse_code **out)
{
    struct dse_formula *formula = dse_arena_alloc(d->arena, 1, sizeof *formula);
    const struct dse_scope scope = {.symbols = d->symbols, .count = d->symbol_count, .absent = dse_describing_absent, .user = d};
    d->formula = node;
    d->reported = false;
    DSE_TRY(parse(d, node, formula));
    DSE_TRY(sort != NULL ? dse_formula_compile_as(d->arena, formula, &scope, *sort, unit, out, d->err)
                         : dse_formula_compile(d->arena, formula, &scope, out, d->err));
    for (size_t i = 0; i < (*out)->read_count; i++)
        d->used[(*out)->reads[i]] = true;
    return DSE_OK;
}

enum dse_status dse_describing_formula(struct dse_describing *d, const struct dse_yaml *node, enum dse_sort sort, struct dse_unit unit,
                                       const struct dse_code **out)
{
    return compile(d, node, &sort, unit, out);
}

enum dse_status dse_describing_any(struct dse_describing *d, const struct dse_yaml *node, const struct dse_code **out)
{
    DSE_TRY(compile(d, node, NULL, DSE_UNIT_COUNT, out));
    return (*out)->sort == DSE_SORT_WORD ? dse_describing_reject(d, node, "must be a number or a condition, but is a word") : DSE_OK;
}

static bool is_name(const char *name)
{
    static const char *const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", *const more = "0123456789.";
    size_t length = strlen(name);
    if (length == 0 || length > 60 || strchr(letters, name[0]) == NULL || name[length - 1] == '.')
        return false;
    for (size_t i = 0; i < length; i++)
        if (strchr(letters, name[i]) == NULL && strchr(more, name[i]) == NULL)
            return false;
    return true;
}

enum dse_status dse_describing_declare(struct dse_describing *d, const struct dse_yaml *node, const char *name, struct dse_symbol **out)
{
    if (!is_name(name))
        return dse_describing_reject_key(d, node, "%s is not a name: letters, digits, _ and dots, at most 60, beginning with a letter", name);
    bool reserved = node != &d->out->root && (strcmp(name, "clock") == 0 || strncmp(name, "board.", 6) == 0); /* declared after the knobs */
    for (size_t i = 0; i <= d->symbol_count; i++)
        if (i == d->symbol_count ? reserved : strcmp(d->symbols[i].name, name) == 0)
            return dse_describing_reject_key(d, node, "the name %s is already used", name);
    if (d->symbol_count == d->symbol_room) {
        d->symbol_room = 2 * d->symbol_room + 64;
        d->symbols = dse_realloc_array(d->symbols, d->symbol_room, sizeof *d->symbols);
        d->used = dse_realloc_array(d->used, d->symbol_room, sizeof *d->used);
    }
    *out = &d->symbols[d->symbol_count];
    **out = (struct dse_symbol){.name = dse_arena_strdup(d->arena, name)};
    d->used[d->symbol_count++] = false;
    return DSE_OK;
}

void *dse_describing_copy(struct dse_describing *d, const void *items, size_t count, size_t size)
{
    void *copy = dse_arena_alloc(d->arena, count + 1, size);
    if (count > 0)
        memcpy(copy, items, count * size);
    return copy;
}
