/* Reading formulas: precedence climbing over the text, into an arena. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "core/number.h"
#include "core/units.h"
#include "core/utf8.h"
#include "space/expression_tree.h"

#define TEXT_MAX 65536 /* bytes of a formula */
#define TREE_MAX 1000  /* levels of its tree: compiling recurses over them */
#define PARTS_MAX 256  /* arguments of a function, labels of a selection */

const struct dse_operator_info dse_operators[DSE_DO_COUNT] = {
    [DSE_DO_CHOOSE] = {"?", DSE_LEVEL_CHOOSE}, [DSE_DO_OR] = {"||", 2}, [DSE_DO_AND] = {"&&", 3},
    [DSE_DO_EQUAL] = {"=", 4}, [DSE_DO_UNEQUAL] = {"!=", 4}, [DSE_DO_BELOW] = {"<", 4}, [DSE_DO_AT_MOST] = {"<=", 4},
    [DSE_DO_ABOVE] = {">", 4}, [DSE_DO_AT_LEAST] = {">=", 4}, [DSE_DO_ADD] = {"+", 5}, [DSE_DO_SUBTRACT] = {"-", 5},
    [DSE_DO_MULTIPLY] = {"*", 6}, [DSE_DO_DIVIDE] = {"/", 6}, [DSE_DO_REMAINDER] = {"%", 6}, [DSE_DO_NEGATE] = {"-", DSE_LEVEL_UNARY},
    [DSE_DO_NOT] = {"!", DSE_LEVEL_UNARY}, [DSE_DO_POWER] = {"^", DSE_LEVEL_POWER}, [DSE_DO_MIN] = {"min", 0},
    [DSE_DO_MAX] = {"max", 0}, [DSE_DO_ABS] = {"abs", 0}, [DSE_DO_CEIL] = {"ceil", 0}, [DSE_DO_FLOOR] = {"floor", 0},
    [DSE_DO_ROUND] = {"round", 0}, [DSE_DO_CEILDIV] = {"ceildiv", 0}, [DSE_DO_LOG2] = {"log2", 0}, [DSE_DO_BITS] = {"bits", 0},
    [DSE_DO_POW2] = {"pow2", 0}};

const char *const dse_function_names[DSE_FUNCTION_COUNT] = {"min",     "max",  "abs",  "ceil", "floor", "round",
                                                            "ceildiv", "log2", "bits", "pow2", "sum",   "select"};

/* ---- units ---- */

bool dse_unit_equal(struct dse_unit a, struct dse_unit b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

char *dse_unit_format(struct dse_unit unit, char *buffer, size_t size)
{
    const struct {
        const char *name;
        int power;
    } parts[] = {{"cycles", unit.cycles}, {"bytes", unit.bytes}, {"bits", unit.bits}, {"J", unit.joules}, {"s", unit.seconds}};
    size_t used = 0;
    buffer[0] = '\0';
    if (unit.joules == 1 && unit.seconds == -1 && dse_unit_equal(unit, DSE_UNIT_WATTS)) {
        snprintf(buffer, size, "W");
        return buffer;
    }
    for (int below = 0; below < 2; below++) /* first the factors, then the divisors */
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            int power = below ? -parts[i].power : parts[i].power;
            if (power <= 0 || used + 16 > size)
                continue;
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", below ? (used == 0 ? "1/" : "/") : used > 0 ? "*" : "",
                                     parts[i].name);
            if (power > 1)
                used += (size_t)snprintf(buffer + used, size - used, "^%d", power);
        }
    if (used == 0)
        snprintf(buffer, size, "count");
    return buffer;
}

static const struct dse_unit unit_by_dimension[] = {
    [DSE_DIMENSION_NONE] = {0}, /* 1k */
    [DSE_DIMENSION_TIME] = {.seconds = 1},
    [DSE_DIMENSION_ENERGY] = {.joules = 1},
    [DSE_DIMENSION_POWER] = {.joules = 1, .seconds = -1},
    [DSE_DIMENSION_FREQUENCY] = {.seconds = -1},
    [DSE_DIMENSION_RATE] = {.seconds = -1},
    [DSE_DIMENSION_BYTES] = {.bytes = 1},
    [DSE_DIMENSION_BANDWIDTH] = {.bytes = 1, .seconds = -1}};

struct dse_unit dse_unit_of(enum dse_dimension dimension)
{
    return unit_by_dimension[dimension];
}

bool dse_unit_find(const char *name, size_t length, struct dse_unit *unit, double *factor)
{
    static const struct {
        const char *name;
        struct dse_unit unit;
    } words[] = {{"cycle", {.cycles = 1}}, {"cycles", {.cycles = 1}}, {"byte", {.bytes = 1}}, {"bytes", {.bytes = 1}},
                 {"bit", {.bits = 1}},     {"bits", {.bits = 1}},     {"count", {0}}};
    static const enum dse_dimension dimensions[] = {DSE_DIMENSION_TIME,  DSE_DIMENSION_ENERGY,    DSE_DIMENSION_POWER, DSE_DIMENSION_FREQUENCY,
                                                    DSE_DIMENSION_BYTES, DSE_DIMENSION_BANDWIDTH, DSE_DIMENSION_RATE,  DSE_DIMENSION_NONE};
    char text[32];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0) {
            *unit = words[i].unit;
            *factor = 1.0;
            return true;
        }
    if (length == 0 || length + 2 > sizeof text)
        return false;
    snprintf(text, sizeof text, "1%.*s", (int)length, name);
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        bool percent = false;
        const char *end = text;
        if (dse_quantity_parse(text, dimensions[i], factor, &percent, &end) && *end == '\0' && !percent) {
            *unit = unit_by_dimension[dimensions[i]];
            return true;
        }
    }
    return false;
}

/* ---- errors ---- */

static void say_place(const struct dse_place *place, const char *text, size_t offset, char *out, size_t size)
{
    long line = place->line, column = place->column;
    for (size_t i = 0; i < offset; i++) {
        bool newline = text[i] == '\n';
        line += newline;
        column = newline ? 1 : column + (((unsigned char)text[i] & 0xc0) != 0x80);
    }
    int used = 0;
    if (place->file != NULL && place->line > 0)
        used = snprintf(out, size, "%s:%ld:%ld: ", place->file, line, column);
    else if (place->file != NULL)
        used = snprintf(out, size, "%s: ", place->file);
    if (place->what != NULL && used >= 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "%s: ", place->what);
}

static enum dse_status fail_in(const struct dse_place *place, const char *text, size_t offset, struct dse_error *err,
                               const char *format, va_list values)
{
    enum dse_status status = place->file != NULL ? DSE_BAD_INPUT : DSE_BAD_USAGE;
    char where[400] = "", words[400];
    if (err == NULL)
        return status;
    vsnprintf(words, sizeof words, format, values);
    say_place(place, text, offset, where, sizeof where);
    dse_fail(err, status, "%s%s", where, words);
    dse_utf8_caret(text, offset, err->message, sizeof err->message);
    return status;
}

enum dse_status dse_formula_fail(const struct dse_formula *formula, size_t offset, struct dse_error *err, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    enum dse_status status = fail_in(&formula->place, formula->text, offset, err, format, values);
    va_end(values);
    return status;
}

char *dse_nearest_words(const char *wrong, const char *const *names, size_t count, char *buffer, size_t size)
{
    const char *near = dse_names_nearest(wrong, names, count);
    snprintf(buffer, size, near != NULL ? "; did you mean %s?" : "", near);
    return buffer;
}

/* ---- letters and words ---- */

struct reader {
    struct dse_arena *arena;
    const struct dse_formula *formula;
    const char *text;
    size_t at;
    int depth;
    struct dse_error *err;
    enum dse_status status;
    const char *variables[DSE_FORMULA_DEPTH];
    size_t variable_count;
    const char **names; /* name_count, room for name_room */
    size_t name_count, name_room;
};

DSE_PRINTF(3, 4) static struct dse_node *fail(struct reader *reader, size_t offset, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (reader->status == DSE_OK)
        reader->status = fail_in(&reader->formula->place, reader->text, offset, reader->err, format, values);
    va_end(values);
    return NULL;
}

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->text + reader->at, " \t\r\n");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_letter_or_digit(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

/* Letters, digits and single dots between them: "nee.lanes", of "a..b" the a. */
static size_t name_length(const char *text)
{
    size_t length = 0;
    if (!is_letter(*text))
        return 0;
    while (is_letter_or_digit(text[length]) || (text[length] == '.' && is_letter_or_digit(text[length + 1])))
        length++;
    return length;
}

/* Consumes a sign if it is next. */
static bool take(struct reader *reader, const char *sign)
{
    skip_blanks(reader);
    if (strncmp(reader->text + reader->at, sign, strlen(sign)) != 0)
        return false;
    reader->at += strlen(sign);
    return true;
}

/* The next token, for errors: a word, a number or a sign. */
static const char *next_shown(struct reader *reader, char *buffer, size_t size)
{
    skip_blanks(reader);
    const char *rest = reader->text + reader->at;
    size_t length = name_length(rest) > 0 ? name_length(rest) : dse_number_length(rest);
    if (*rest == '\0')
        return "the end";
    if (length == 0)
        length = strspn(rest, "<>=&|!");
    if (length == 0)
        for (length = 1; ((unsigned char)rest[length] & 0xc0) == 0x80;)
            length++;
    snprintf(buffer, size, "\"%.*s\"", (int)(length < size - 3 ? length : size - 3), rest);
    return buffer;
}

static struct dse_node *need(struct reader *reader, const char *sign, const char *where)
{
    char shown[48];
    static struct dse_node well;
    if (take(reader, sign))
        return &well;
    skip_blanks(reader);
    return fail(reader, reader->at, "%s: must be \"%s\", not %s", where, sign, next_shown(reader, shown, sizeof shown));
}

static struct dse_node *make(struct reader *reader, enum dse_node_kind kind, size_t start)
{
    struct dse_node *node = dse_arena_alloc(reader->arena, 1, sizeof *node);
    node->kind = kind;
    node->start = node->at = start;
    node->end = reader->at;
    node->depth = 1;
    return node;
}

/* Attaches a node's parts; NULL if one of them failed to parse, or if the tree is too deep. */
static struct dse_node *with_parts(struct reader *reader, struct dse_node *node, struct dse_node *const *parts, size_t count)
{
    node->parts = dse_arena_alloc(reader->arena, count, sizeof(struct dse_node *));
    node->part_count = count;
    for (size_t i = 0; i < count; i++) {
        if (parts[i] == NULL)
            return NULL;
        node->parts[i] = parts[i];
        node->depth = parts[i]->depth + 1 > node->depth ? parts[i]->depth + 1 : node->depth;
    }
    node->end = node->kind == DSE_NODE_OPERATOR ? parts[count - 1]->end : reader->at; /* without the blanks after it */
    return node->depth <= TREE_MAX ? node : fail(reader, node->at, "more than %d operators in a chain", TREE_MAX);
}

/* ---- operands ---- */

static struct dse_node *read_whole(struct reader *reader);
static struct dse_node *read_level(struct reader *reader, int level);

static void note_name(struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->name_count; i++)
        if (strcmp(reader->names[i], name) == 0)
            return;
    if (reader->name_count == reader->name_room) {
        const char **more = dse_arena_alloc(reader->arena, 2 * reader->name_room + 8, sizeof *more);
        if (reader->name_count > 0)
            memcpy(more, reader->names, reader->name_count * sizeof *more);
        reader->names = more;
        reader->name_room = 2 * reader->name_room + 8;
    }
    reader->names[reader->name_count++] = name;
}

/* Whether a percent sign at `at` ends a percentage: no operand follows for which it could be a remainder operator. */
static bool ends_percentage(const char *after)
{
    after += strspn(after, " \t\r\n");
    return !is_letter_or_digit(*after) && *after != '(' && *after != '.' && *after != '"' && *after != '\'';
}

static size_t digits_length(const char *text)
{
    size_t length = dse_number_length(text);
    if (length > 0 && text[length - 1] == '.' && text[length] == '.') /* the 1 of "1..16" */
        length--;
    return length;
}

/* The letters of a unit: "cycles", "KiB/s", "µs", "k samples/s". */
static size_t unit_length(const char *text)
{
    size_t length = 0, whole;
    while (is_letter(text[length]) || (unsigned char)text[length] >= 0x80)
        length++;
    for (whole = length + strspn(text + length, " "); is_letter(text[whole]);)
        whole++;
    if (length > 0 && strncmp(text + whole, "/s", 2) == 0 && !is_letter_or_digit(text[whole + 2])) {
        struct dse_unit unit;
        double factor;
        if (dse_unit_find(text, whole + 2, &unit, &factor))
            return whole + 2;
    }
    return length;
}

static struct dse_node *read_unit(struct reader *reader, struct dse_node *node)
{
    const char *rest = reader->text + reader->at;
    size_t blanks = strspn(rest, " \t"), length = unit_length(rest + blanks);
    double factor = 1.0;
    if (rest[blanks] == '%' && ends_percentage(rest + blanks + 1)) {
        node->percent = true;
        node->number /= 100.0;
        reader->at += blanks + 1;
    } else if (length > 0 && !(name_length(rest + blanks) == 2 && strncmp(rest + blanks, "in", 2) == 0)) {
        static const char *const units[] = {"cycles", "bytes", "bits", "s", "ms", "us", "ns", "J", "mJ", "uJ", "nJ",
                                            "W", "mW", "Hz", "MHz", "B", "KiB", "MiB", "GiB"};
        char wrong[24], near[48];
        snprintf(wrong, sizeof wrong, "%.*s", (int)length, rest + blanks);
        if (strcmp(wrong, "or") == 0 || strcmp(wrong, "and") == 0)
            return node;
        if (!dse_unit_find(rest + blanks, length, &node->unit, &factor))
            return fail(reader, reader->at + blanks, "\"%s\" is not a unit%s (cycles, bytes, bits, s, J, W, Hz, B, with a prefix such as in ms or KiB)",
                        wrong, dse_nearest_words(wrong, units, sizeof units / sizeof *units, near, sizeof near));
        node->number *= factor;
        reader->at += blanks + length;
    }
    node->end = reader->at;
    return isfinite(node->number) ? node : fail(reader, node->start, "the number is out of range");
}

static struct dse_node *read_number(struct reader *reader)
{
    size_t start = reader->at, length = digits_length(reader->text + start);
    struct dse_node *node = make(reader, DSE_NODE_NUMBER, start);
    reader->at += length;
    char *copy = dse_arena_strndup(reader->arena, reader->text + start, length);
    node->number = strtod(copy, NULL);
    if (!isfinite(node->number) || fabs(node->number) > 0x1p53)
        return fail(reader, start, "%s: the number is out of range (to 2^53)", copy);
    return read_unit(reader, node);
}

static struct dse_node *read_quoted(struct reader *reader)
{
    size_t start = reader->at++;
    size_t length = strcspn(reader->text + reader->at, reader->text[start] == '"' ? "\"\n" : "'\n");
    if (reader->text[reader->at + length] != reader->text[start])
        return fail(reader, start, "the quotation mark is not closed");
    char *word = dse_arena_strndup(reader->arena, reader->text + reader->at, length);
    reader->at += length + 1;
    struct dse_node *node = make(reader, DSE_NODE_QUOTED, start);
    node->name = word;
    return node;
}

/* sum(i in a..b, f(i)), from after the parenthesis. */
static struct dse_node *read_sum(struct reader *reader, size_t start)
{
    skip_blanks(reader);
    struct dse_node *node = make(reader, DSE_NODE_SUM, start), *parts[3];
    size_t length = name_length(reader->text + reader->at);
    if (length == 0 || reader->variable_count == DSE_FORMULA_DEPTH)
        return fail(reader, reader->at, "sum: must be sum(NAME in FIRST..LAST, FORMULA)");
    node->name = dse_arena_strndup(reader->arena, reader->text + reader->at, length);
    for (size_t i = 0; i < reader->variable_count; i++)
        if (strcmp(reader->variables[i], node->name) == 0)
            return fail(reader, reader->at, "sum: an enclosing sum already uses %s", node->name);
    reader->at += length;
    if (need(reader, "in", "sum(NAME in FIRST..LAST, FORMULA)") == NULL || (parts[0] = read_whole(reader)) == NULL ||
        need(reader, "..", "sum(NAME in FIRST..LAST, FORMULA)") == NULL || (parts[1] = read_whole(reader)) == NULL ||
        need(reader, ",", "sum(NAME in FIRST..LAST, FORMULA)") == NULL)
        return NULL;
    reader->variables[reader->variable_count++] = node->name;
    parts[2] = read_whole(reader);
    reader->variable_count--;
    return parts[2] != NULL && need(reader, ")", "sum") != NULL ? with_parts(reader, node, parts, 3) : NULL;
}

/* A label of a selection up to its colon: a word, which may contain signs ("off-chip", "1.5"), or a quoted one; NULL for `else`. */
static bool read_label(struct reader *reader, const char **label)
{
    skip_blanks(reader);
    size_t start = reader->at;
    if (reader->text[start] == '"' || reader->text[start] == '\'') {
        struct dse_node *quoted = read_quoted(reader);
        *label = quoted != NULL ? quoted->name : NULL;
        return quoted != NULL && need(reader, ":", "select(NAME, WORD: FORMULA, …)") != NULL;
    }
    size_t length = strcspn(reader->text + start, ":,()\n");
    while (length > 0 && reader->text[start + length - 1] == ' ')
        length--;
    reader->at += length;
    *label = dse_arena_strndup(reader->arena, reader->text + start, length);
    if (length == 0) {
        fail(reader, start, "select: must be select(NAME, WORD: FORMULA, …, else: FORMULA)");
        return false;
    }
    if (strcmp(*label, "else") == 0)
        *label = NULL;
    return need(reader, ":", "select(NAME, WORD: FORMULA, …)") != NULL;
}

static struct dse_node *read_select(struct reader *reader, size_t start)
{
    struct dse_node *node = make(reader, DSE_NODE_SELECT, start), *parts[PARTS_MAX];
    const char *labels[PARTS_MAX];
    size_t places[PARTS_MAX], count = 1;
    if ((parts[0] = read_whole(reader)) == NULL)
        return NULL;
    while (take(reader, ",")) {
        if (count == PARTS_MAX)
            return fail(reader, reader->at, "select: more than %d words", PARTS_MAX - 1);
        skip_blanks(reader);
        places[count - 1] = reader->at;
        if (!read_label(reader, &labels[count - 1]) || (parts[count] = read_whole(reader)) == NULL)
            return NULL;
        for (size_t i = 0; i + 1 < count; i++) {
            const char *a = labels[i], *b = labels[count - 1];
            if (a == NULL)
                return fail(reader, places[count - 1], "select: no value after else");
            if (b != NULL && strcmp(a, b) == 0)
                return fail(reader, places[count - 1], "select: %s occurs twice", b);
        }
        count++;
    }
    if (need(reader, ")", "select(NAME, WORD: FORMULA, …)") == NULL)
        return NULL;
    if (count == 1)
        return fail(reader, start, "select: must be select(NAME, WORD: FORMULA, …, else: FORMULA)");
    node->labels = dse_arena_alloc(reader->arena, count - 1, sizeof *node->labels);
    memcpy(node->labels, labels, (count - 1) * sizeof *labels);
    node->label_places = dse_arena_alloc(reader->arena, count - 1, sizeof *places);
    memcpy(node->label_places, places, (count - 1) * sizeof *places);
    return with_parts(reader, node, parts, count);
}

static struct dse_node *read_call(struct reader *reader, size_t start, const char *name)
{
    struct dse_node *node = make(reader, DSE_NODE_CALL, start), *parts[PARTS_MAX];
    size_t count = 0, function = 0;
    char near[64];
    while (function < DSE_FUNCTION_COUNT && strcmp(dse_function_names[function], name) != 0)
        function++;
    if (function == DSE_FUNCTION_COUNT)
        return fail(reader, start, "%s: no such function%s (min, max, abs, ceil, floor, round, ceildiv, log2, bits, pow2, sum, select)", name,
                    dse_nearest_words(name, dse_function_names, DSE_FUNCTION_COUNT, near, sizeof near));
    if (function + 2 >= DSE_FUNCTION_COUNT)
        return function + 2 == DSE_FUNCTION_COUNT ? read_sum(reader, start) : read_select(reader, start);
    node->op = (enum dse_operator_of)(DSE_FUNCTION_FIRST + function);
    do {
        if (count == PARTS_MAX)
            return fail(reader, reader->at, "%s: more than %d arguments", name, PARTS_MAX);
        if ((parts[count++] = read_whole(reader)) == NULL)
            return NULL;
    } while (take(reader, ","));
    if (need(reader, ")", name) == NULL)
        return NULL;
    bool many = node->op == DSE_DO_MIN || node->op == DSE_DO_MAX;
    size_t wanted = many || node->op == DSE_DO_CEILDIV ? 2 : 1;
    if (many ? count < wanted : count != wanted)
        return fail(reader, start, "%s takes %s%s, not %zu", name, many ? "at least " : "", wanted == 1 ? "one argument" : "two arguments", count);
    return with_parts(reader, node, parts, count);
}

static struct dse_node *read_name(struct reader *reader)
{
    size_t start = reader->at, length = name_length(reader->text + start);
    const char *name = dse_arena_strndup(reader->arena, reader->text + start, length);
    if (strcmp(name, "not") == 0)
        return fail(reader, start, "write ! instead of not");
    reader->at += length;
    if (reader->text[reader->at] == '(') {
        reader->at++;
        return read_call(reader, start, name);
    }
    struct dse_node *node = make(reader, DSE_NODE_NAME, start);
    node->name = name;
    bool counted = false;
    for (size_t i = 0; i < reader->variable_count; i++)
        counted |= strcmp(reader->variables[i], name) == 0;
    if (!counted)
        note_name(reader, name);
    return node;
}

static struct dse_node *read_operand(struct reader *reader)
{
    skip_blanks(reader);
    const char *rest = reader->text + reader->at;
    char shown[48];
    if (take(reader, "(")) {
        size_t start = reader->at - 1;
        struct dse_node *node = read_whole(reader);
        if (node == NULL || need(reader, ")", "( … )") == NULL)
            return NULL;
        node->start = start;
        node->end = reader->at;
        return node;
    }
    if (*rest == '"' || *rest == '\'')
        return read_quoted(reader);
    if (*rest != '-' && *rest != '+' && digits_length(rest) > 0)
        return read_number(reader);
    if (name_length(rest) > 0)
        return read_name(reader);
    if ((*rest == '*' || *rest == '/') && reader->at > 0 && rest[-1] == *rest)
        return fail(reader, reader->at - 1, *rest == '*' ? "a power is a ^ b" : "write floor(a / b) for a whole quotient");
    return fail(reader, reader->at, "expected a name, a number, a function or \"(\", not %s", next_shown(reader, shown, sizeof shown));
}

/* ---- operators ---- */

/* −a, !a and a ^ b. ^ binds more strongly than both: −a ^ 2 is −(a ^ 2), and a ^ −2 is accepted. */
static struct dse_node *read_unary(struct reader *reader)
{
    skip_blanks(reader);
    size_t start = reader->at;
    const char *rest = reader->text + start;
    struct dse_node *parts[2];
    if (*rest == '-' || (*rest == '!' && rest[1] != '=')) {
        struct dse_node *node = make(reader, DSE_NODE_OPERATOR, start);
        node->op = *rest == '-' ? DSE_DO_NEGATE : DSE_DO_NOT;
        reader->at++;
        if (++reader->depth > DSE_FORMULA_DEPTH)
            return fail(reader, start, "more than %d nested parentheses, signs and calls", DSE_FORMULA_DEPTH);
        parts[0] = read_unary(reader);
        reader->depth--;
        return parts[0] != NULL ? with_parts(reader, node, parts, 1) : NULL;
    }
    parts[0] = read_operand(reader);
    skip_blanks(reader);
    if (parts[0] == NULL || reader->text[reader->at] != '^')
        return parts[0];
    struct dse_node *node = make(reader, DSE_NODE_OPERATOR, start);
    node->op = DSE_DO_POWER;
    node->at = reader->at++;
    if (++reader->depth > DSE_FORMULA_DEPTH)
        return fail(reader, node->at, "more than %d nested parentheses, signs and calls", DSE_FORMULA_DEPTH);
    parts[1] = read_unary(reader);
    reader->depth--;
    return parts[1] != NULL ? with_parts(reader, node, parts, 2) : NULL;
}

/* The next operator, with its sign's length; DSE_DO_COUNT for none. Longer signs precede their beginnings in the table. */
static enum dse_operator_of next_operator(const char *rest, size_t *length)
{
    static const struct {
        const char *sign;
        enum dse_operator_of op;
    } signs[] = {{"||", DSE_DO_OR},      {"&&", DSE_DO_AND},      {"==", DSE_DO_EQUAL},     {"!=", DSE_DO_UNEQUAL}, {"<=", DSE_DO_AT_MOST},
                 {">=", DSE_DO_AT_LEAST}, {"=", DSE_DO_EQUAL},     {"<", DSE_DO_BELOW},      {">", DSE_DO_ABOVE},    {"+", DSE_DO_ADD},
                 {"-", DSE_DO_SUBTRACT}, {"*", DSE_DO_MULTIPLY},  {"/", DSE_DO_DIVIDE},     {"%", DSE_DO_REMAINDER}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(rest, signs[i].sign, strlen(signs[i].sign)) == 0) {
            *length = strlen(signs[i].sign);
            return signs[i].op;
        }
    return DSE_DO_COUNT;
}

/* `=<` and `=>`, as in other languages, or mistyped. */
static bool is_turned_round(const char *rest)
{
    return rest[0] == '=' && (rest[1] == '<' || rest[1] == '>');
}

/* Binary operators of `level` and above, grouped to the left. */
static struct dse_node *read_level(struct reader *reader, int level)
{
    skip_blanks(reader);
    size_t start = reader->at;
    struct dse_node *left = read_unary(reader);
    bool compared = false;
    while (left != NULL) {
        skip_blanks(reader);
        size_t at = reader->at, length = 0;
        const char *rest = reader->text + at;
        if (is_turned_round(rest))
            return fail(reader, at, "write %c=", rest[1]);
        enum dse_operator_of op = next_operator(rest, &length);
        if (op == DSE_DO_COUNT || dse_operators[op].level < level)
            return left;
        bool compares = dse_operators[op].level == DSE_LEVEL_COMPARE;
        if (compares && compared)
            return fail(reader, at, "comparisons do not chain: write a<=b && b<=c");
        compared = compares;
        reader->at += length;
        struct dse_node *node = make(reader, DSE_NODE_OPERATOR, start), *parts[2] = {left, read_level(reader, dse_operators[op].level + 1)};
        node->op = op;
        node->at = at;
        left = parts[1] != NULL ? with_parts(reader, node, parts, 2) : NULL;
    }
    return NULL;
}

static struct dse_node *read_whole(struct reader *reader)
{
    skip_blanks(reader);
    size_t start = reader->at;
    if (++reader->depth > DSE_FORMULA_DEPTH)
        return fail(reader, start, "more than %d nested parentheses, signs and calls", DSE_FORMULA_DEPTH);
    struct dse_node *parts[3] = {read_level(reader, DSE_LEVEL_CHOOSE + 1)}, *node = parts[0];
    skip_blanks(reader);
    if (node != NULL && reader->text[reader->at] == '?') {
        node = make(reader, DSE_NODE_OPERATOR, start);
        node->op = DSE_DO_CHOOSE;
        node->at = reader->at++;
        if ((parts[1] = read_whole(reader)) == NULL || need(reader, ":", "a ? b : c") == NULL || (parts[2] = read_whole(reader)) == NULL)
            return NULL;
        node = with_parts(reader, node, parts, 3);
    }
    reader->depth--;
    return node;
}

/* An error for text after a formula that could have ended. */
static void fail_behind(struct reader *reader)
{
    static const struct {
        const char *sign, *words;
    } others[] = {{"and", "conditions are joined by &&"}, {"or", "conditions are joined by ||"}, {",", "conditions are joined by &&"},
                  {";", "conditions are joined by &&"},   {"&", "conditions are joined by &&"},  {"|", "conditions are joined by ||"},
                  {")", "no parenthesis is open here"},   {"if", "a choice is written condition ? a : b"}};
    const char *rest = reader->text + reader->at;
    char shown[48];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t length = strlen(others[i].sign);
        if (strncmp(rest, others[i].sign, length) == 0 && (!is_letter(*rest) || name_length(rest) == length)) {
            fail(reader, reader->at, "%s", others[i].words);
            return;
        }
    }
    fail(reader, reader->at, "expected an operator or the end, not %s", next_shown(reader, shown, sizeof shown));
}

enum dse_status dse_formula_parse(struct dse_arena *arena, const char *text, const struct dse_place *place, struct dse_formula *out,
                                  struct dse_error *err)
{
    *out = (struct dse_formula){.text = dse_arena_strdup(arena, text), .place = *place};
    out->place.file = place->file != NULL ? dse_arena_strdup(arena, place->file) : NULL;
    out->place.what = place->what != NULL ? dse_arena_strdup(arena, place->what) : NULL;
    struct reader reader = {.arena = arena, .formula = out, .text = out->text, .err = err};
    if (strlen(text) > TEXT_MAX)
        return dse_formula_fail(out, 0, err, "a formula has at most %d characters", TEXT_MAX);
    out->root = read_whole(&reader);
    skip_blanks(&reader);
    if (reader.status == DSE_OK && reader.text[reader.at] != '\0')
        fail_behind(&reader);
    out->names = reader.names;
    out->name_count = reader.name_count;
    return reader.status;
}
