#include "core/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/utf8.h"

#define DEPTH_MAX 8
#define USUAL_STEP 2 /* spaces of indentation */
#define MEMBERS_MAX 1024 /* keys of a list or map: each key is compared with the earlier ones */

struct reader {
    const char *path, *text;
    size_t size;
    yaml_parser_t parser;
    struct dse_arena *texts;
    struct dse_error *err;
    const struct dse_yaml *open; /* the innermost list or map that is being read; NULL: none */
    struct suspect {             /* the last text read, if it may be the cause of a later error */
        enum { NOTHING, QUOTE, ONLY_MEMBER } what;
        yaml_mark_t begin, end;
    } suspect;
};

/* An error at a place of the text, whose line is shown below with a caret. */
static enum dse_status reject(const struct reader *r, const yaml_mark_t *mark, const char *what, const char *word)
{
    const char *at = r->text, *end = r->text + r->size;
    for (size_t l = 0; l < mark->line && at < end; l++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next != NULL ? next + 1 : end;
    }
    for (size_t c = 0; c < mark->column && at < end && *at != '\n'; c++)
        for (at++; at < end && ((unsigned char)*at & 0xc0) == 0x80; at++)
            ;
    dse_fail(r->err, DSE_BAD_INPUT, "%s:%zu:%zu: %s%s%s", r->path, mark->line + 1, mark->column + 1, word != NULL ? word : "", word != NULL ? ": " : "", what);
    dse_utf8_caret(r->text, (size_t)(at - r->text), r->err->message, sizeof r->err->message);
    return DSE_BAD_INPUT;
}

/* A byte that is no text of YAML: the parser gives only its offset. */
static enum dse_status reject_byte(const struct reader *r)
{
    const yaml_parser_t *parser = &r->parser;
    size_t offset = parser->problem_offset < r->size ? parser->problem_offset : r->size;
    yaml_mark_t mark = {0};
    char what[96];
    bool utf8 = strstr(parser->problem, "UTF-8") != NULL;
    while (strstr(parser->problem, "trailing") != NULL && offset > 0 && (unsigned char)r->text[offset] < 0xc0) /* back to the lead byte */
        offset--;
    for (size_t i = 0; i < offset; i++) {
        bool newline = r->text[i] == '\n';
        mark.line += newline;
        mark.column = newline ? 0 : mark.column + (((unsigned char)r->text[i] & 0xc0) != 0x80);
    }
    snprintf(what, sizeof what, utf8 ? "the byte 0x%02X is not UTF-8: save the file in that encoding" : "the character U+%04X is not allowed in a text",
             utf8 ? (unsigned)(unsigned char)r->text[offset] : (unsigned)parser->problem_value);
    return reject(r, &mark, what, NULL);
}

/* A line's text after its leading blanks, whose number is `blanks`; NULL if the line does not exist. */
static const char *text_of_line(const struct reader *r, size_t line, size_t *blanks)
{
    const char *at = r->text;
    for (size_t l = 0; l < line; l++) {
        at = strchr(at, '\n');
        if (at++ == NULL)
            return NULL;
    }
    *blanks = strspn(at, " ");
    return at + *blanks;
}

/* Whether the next line that is indented no deeper than a place begins in the same column. If so, the lines above are indented wrongly, not the place. */
static bool is_shared(const struct reader *r, const yaml_mark_t *at)
{
    size_t blanks;
    const char *own = text_of_line(r, at->line, &blanks);
    for (const char *next = own != NULL ? strchr(own, '\n') : NULL; next != NULL; next = strchr(next, '\n')) {
        blanks = strspn(++next, " ");
        next += blanks;
        if (blanks <= at->column && strchr("\r\n#", *next) == NULL) /* strchr also finds the end of the text */
            return blanks == at->column && (*next == '-') == (*own == '-');
    }
    return false;
}

/* An error of indentation at the only line with its own indentation, or at a quote that closed later lines. */
static bool reject_suspect(const struct reader *r)
{
    const yaml_mark_t *at = &r->parser.problem_mark, *context = &r->parser.context_mark;
    const struct suspect *s = &r->suspect;
    char what[96];
    if (s->what == QUOTE && s->end.line > s->begin.line && at->line == s->end.line) {
        snprintf(what, sizeof what, "this quote is closed in line %zu only: is one missing here?", at->line + 1);
        return reject(r, &s->begin, what, NULL) != DSE_OK;
    }
    size_t blanks = SIZE_MAX;
    bool begins = s->what == ONLY_MEMBER && text_of_line(r, s->begin.line, &blanks) != NULL && blanks == s->begin.column; /* not between braces */
    bool deeper = begins && at->column < s->begin.column, less = r->open != NULL && r->open->count == 1 && at->column > context->column;
    if (strncmp(r->parser.problem, "did not find expected ", 22) != 0 || r->parser.context == NULL || strstr(r->parser.context, "block") == NULL || !(deeper || less) || !(is_shared(r, at) || (deeper && at->column == context->column + USUAL_STEP)))
        return false;
    snprintf(what, sizeof what, "this is indented %s than the next, in line %zu", deeper ? "deeper" : "less", at->line + 1);
    return reject(r, deeper ? &s->begin : context, what, NULL) != DSE_OK;
}

/* Whether a line's first word ends at the place: it is then a key, indented deeper than a text above it that continues. */
static bool is_key_at(const struct reader *r, yaml_mark_t *mark)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    size_t blanks;
    const char *text = text_of_line(r, mark->line, &blanks);
    size_t word = text != NULL ? strspn(text, letters) : 0;
    if (word == 0 || blanks + word != mark->column || mark->line == 0)
        return false;
    mark->column = blanks;
    return true;
}

/* Remedies in words for the author of the file, by the parser's messages. */
static const struct {
    const char *problem, *words;
    bool opened; /* the place is where the construct begins */
} known[] = {
    {"did not find expected ',' or '}'", "this { is not closed, or a comma is missing after it; a formula with ? and : needs quotes", true},
    {"did not find expected ',' or ']'", "this [ is not closed, or a comma is missing after it", true},
    {"found unexpected end of stream", "this quote is not closed", true},
    {"could not find expected ':'", "a key must end with a colon and a blank", true},
    {"mapping values are not allowed in this context", "a second colon in one line: put a text with a colon in quotes", false},
    {"found character that cannot start any token", "no value begins with this character: put text with special characters in quotes", false},
    {"did not find expected key", "a key is expected here, indented as those above; is a quote or brace before it closed?", false},
    {"did not find expected <document start>", "a key is expected here, indented as the first", false},
    {"did not find expected '-' indicator", "an entry of the list must begin with - here, as those above", false},
    {"block sequence entries are not allowed in this context", "a list entry (-) is not allowed here: begin it on a line of its own", false},
    {"mapping keys are not allowed in this context", "a ? is not allowed here: put text with special characters in quotes", false},
    {"did not find expected alphabetic or numeric character", "& and * begin an anchor or alias, which are not supported: use quotes", false},
    {"found unknown escape character", "unknown escape after \\: write \\\\ for a backslash, or use single quotes", false},
    {"did not find expected hexdecimal number", "this escape needs hexadecimal digits", false},
    {"found invalid Unicode character escape code", "this escape is not a character of Unicode", false},
    {"found unexpected document indicator", "a line of --- or ... is not allowed inside quotes", false},
    {"found unexpected ':'", "a colon is not allowed here: put a text with a colon in quotes", false},
    {"did not find expected node content", "a value is expected here", false},
    {"found an indentation indicator equal to 0", "the text block must be indented by at least one blank", false},
    {"did not find expected comment or line break", "a text block begins on the next line: only a comment may follow | or >", false},
};

/* The remedy for a text that is no YAML. */
static enum dse_status reject_syntax(const struct reader *r)
{
    const yaml_parser_t *parser = &r->parser;
    const char *problem = parser->problem != NULL ? parser->problem : "no YAML";
    if (parser->error == YAML_READER_ERROR)
        return reject_byte(r);
    yaml_mark_t key = parser->problem_mark;
    if (reject_suspect(r))
        return DSE_BAD_INPUT;
    if (strncmp(problem, "found ", 6) == 0 && r->text[parser->problem_mark.index] == '\t')
        return reject(r, &key, "a tab: indent by blanks", NULL);
    if (strcmp(problem, "mapping values are not allowed in this context") == 0 && is_key_at(r, &key)) {
        yaml_mark_t above = {0, key.line - 1, 0};
        return is_shared(r, &key) && text_of_line(r, above.line, &above.column) != NULL ? reject(r, &above, "this is indented less than the lines below", NULL)
                                                                                         : reject(r, &key, "this key is indented deeper than the one above", NULL);
    }
    const char *within = parser->context != NULL ? parser->context : "";
    const yaml_mark_t *begins = parser->context != NULL ? &parser->context_mark : &parser->problem_mark;
    if (strstr(within, "directive") != NULL || strchr(problem, '%') != NULL || strstr(problem, "YAML") != NULL)
        return reject(r, begins, "directives (%) are not supported: put text with special characters in quotes", NULL);
    if (strstr(within, "tag") != NULL || strstr(problem, "tag ") != NULL)
        return reject(r, begins, "tags (!) are not supported: put text with special characters in quotes", NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].problem, problem) == 0)
            return reject(r, known[i].opened ? begins : &parser->problem_mark, known[i].words, NULL);
    return reject(r, &parser->problem_mark, "this cannot be read as YAML: put text with special characters in quotes", NULL);
}

static enum dse_status next_event(struct reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event)) {
        bool quoted = event->type == YAML_SCALAR_EVENT && event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        r->suspect = quoted ? (struct suspect){QUOTE, event->start_mark, event->end_mark} : (struct suspect){0};
        return DSE_OK;
    }
    if (r->parser.error == YAML_MEMORY_ERROR)
        dse_memory_exhausted();
    return reject_syntax(r);
}

/* Whether an event has none of the properties that the subset excludes: anchors and tags. */
static bool is_plain(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor == NULL && event->data.scalar.tag == NULL;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor == NULL && event->data.sequence_start.tag == NULL;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor == NULL && event->data.mapping_start.tag == NULL;
    case YAML_ALIAS_EVENT: return false;
    default: return true;
    }
}

/* A scalar's text. Characters that YAML can escape and no word of a command line can hold are rejected. */
static enum dse_status take_text(struct reader *r, const yaml_event_t *event, const char **out)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length)
        return reject(r, &event->start_mark, "a NUL character", NULL);
    *out = dse_arena_strdup(r->texts, text);
    return DSE_OK;
}

static enum dse_status read_node(struct reader *r, yaml_event_t *event, struct dse_yaml *node, int depth);

static enum dse_status reject_repeated(const struct reader *r, const yaml_mark_t *mark, const char *key, long before)
{
    char what[64];
    snprintf(what, sizeof what, "this key occurs twice, before in line %ld", before);
    return reject(r, mark, what, key);
}

/* The members of a list or map up to its end. */
static enum dse_status read_members(struct reader *r, struct dse_yaml *node, int depth)
{
    const struct dse_yaml *above = r->open;
    r->open = node;
    for (;;) {
        yaml_event_t event;
        const char *key = NULL;
        long line, column;
        yaml_mark_t mark;
        DSE_TRY(next_event(r, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            if (node->count == 1)
                r->suspect = (struct suspect){ONLY_MEMBER, {0, (size_t)node->line - 1, (size_t)node->column - 1}, event.end_mark};
            r->open = above;
            yaml_event_delete(&event);
            return DSE_OK;
        }
        mark = event.start_mark;
        line = (long)mark.line + 1;
        column = (long)mark.column + 1;
        if (node->count == MEMBERS_MAX) {
            yaml_event_delete(&event);
            return reject(r, &mark, "more than 1024 keys or values in one list or map", NULL);
        }
        if (node->kind == DSE_YAML_MAP) {
            bool scalar = event.type == YAML_SCALAR_EVENT && is_plain(&event);
            enum dse_status status = scalar ? take_text(r, &event, &key) : reject(r, &mark, "a key must be a plain word", NULL);
            yaml_event_delete(&event);
            DSE_TRY(status);
            for (size_t i = 0; i < node->count; i++)
                if (strcmp(node->children[i].key, key) == 0)
                    return reject_repeated(r, &mark, key, node->children[i].key_line);
            DSE_TRY(next_event(r, &event));
        }
        struct dse_yaml *room = dse_list_more(&node->children, &node->count, sizeof *room);
        DSE_TRY(read_node(r, &event, room, depth + 1));
        room->key = key;
        room->key_line = line;
        room->key_column = column;
    }
}

/* Takes ownership of the event. */
static enum dse_status read_node(struct reader *r, yaml_event_t *event, struct dse_yaml *node, int depth)
{
    enum dse_status status = DSE_OK;
    const yaml_mark_t mark = event->start_mark;
    *node = (struct dse_yaml){.line = (long)event->start_mark.line + 1, .column = (long)event->start_mark.column + 1};
    if (!is_plain(event))
        status = reject(r, &mark, "anchors, aliases and tags are not supported", NULL);
    else if (depth > DEPTH_MAX)
        status = reject(r, &mark, "nested too deeply", NULL);
    node->kind = event->type == YAML_SEQUENCE_START_EVENT ? DSE_YAML_LIST : event->type == YAML_MAPPING_START_EVENT ? DSE_YAML_MAP : DSE_YAML_SCALAR;
    if (status == DSE_OK && event->type == YAML_SCALAR_EVENT) {
        status = take_text(r, event, &node->text);
        node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    }
    yaml_event_delete(event);
    return status == DSE_OK && node->kind != DSE_YAML_SCALAR ? read_members(r, node, depth) : status;
}

void dse_yaml_free(struct dse_yaml *node)
{
    for (size_t i = 0; i < node->count; i++)
        dse_yaml_free(&node->children[i]);
    free(node->children);
    *node = (struct dse_yaml){0};
}

/* The one document's root, a map. */
static enum dse_status read_root(struct reader *r, struct dse_yaml *root)
{
    yaml_event_t event;
    enum dse_status status = DSE_OK;
    bool done = false, read = false;
    while (!done) {
        DSE_TRY(next_event(r, &event));
        switch (event.type) {
        case YAML_STREAM_END_EVENT: done = true; yaml_event_delete(&event); break;
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_START_EVENT:
        case YAML_DOCUMENT_END_EVENT: yaml_event_delete(&event); break;
        default:
            if (read) {
                status = reject(r, &event.start_mark, "a second document", NULL);
                yaml_event_delete(&event);
                return status;
            }
            read = true;
            DSE_TRY(read_node(r, &event, root, 0));
        }
    }
    const yaml_mark_t mark = {.line = read ? (size_t)root->line - 1 : 0};
    if (!read)
        return reject(r, &mark, "the file is empty: it must be a map of keys and values", NULL);
    return root->kind == DSE_YAML_MAP ? DSE_OK : reject(r, &mark, "must be a map of keys and values", NULL);
}

enum dse_status dse_yaml_parse(const char *path, const char *text, size_t size, struct dse_yaml *root, struct dse_arena *texts,
                               struct dse_error *err)
{
    struct reader r = {.path = path, .text = text, .size = size, .texts = texts, .err = err};
    *root = (struct dse_yaml){0};
    if (!yaml_parser_initialize(&r.parser))
        dse_memory_exhausted();
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
    enum dse_status status = read_root(&r, root);
    yaml_parser_delete(&r.parser);
    return status;
}

enum dse_status dse_yaml_read(const char *path, size_t bytes_max, struct dse_yaml *root, struct dse_arena *texts, struct dse_error *err)
{
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    *root = (struct dse_yaml){0};
    DSE_TRY(dse_file_read(path, bytes_max, &text, &size, err));
    return dse_yaml_parse(path, text, size, root, texts, err);
}

const struct dse_yaml *dse_yaml_member(const struct dse_yaml *map, const char *key)
{
    for (size_t i = 0; map->kind == DSE_YAML_MAP && i < map->count; i++)
        if (strcmp(map->children[i].key, key) == 0)
            return &map->children[i];
    return NULL;
}

void dse_yaml_add_scalar(struct dse_strbuf *out, const char *text)
{
    dse_strbuf_add(out, "\"");
    for (; *text != '\0'; text++) {
        const unsigned char *at = (const unsigned char *)text;
        bool late = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0; /* U+0080 to U+009F, which YAML takes only escaped, like DEL */
        if (*text == '"' || *text == '\\')
            dse_strbuf_printf(out, "\\%c", *text);
        else if (*at < ' ' || *at == 0x7F || late)
            dse_strbuf_printf(out, "\\x%02X", (unsigned)at[late]);
        else
            dse_strbuf_add_char(out, *text, 1);
        text += late;
    }
    dse_strbuf_add(out, "\"");
}
