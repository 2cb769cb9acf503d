#include "core/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"

#define DEPTH_MAX 8
#define MEMBERS_MAX 1024 /* of a list or map: each key is compared with those before it */

struct reader {
    const char *path;
    yaml_parser_t parser;
    struct dse_arena *texts;
    struct dse_error *err;
};

static enum dse_status refuse(const struct reader *r, long line, const char *what, const char *word)
{
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->path, line, "%s%s%s", word != NULL ? word : "", word != NULL ? ": " : "", what);
}

static enum dse_status next_event(struct reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event))
        return DSE_OK;
    if (r->parser.error == YAML_MEMORY_ERROR)
        dse_memory_exhausted();
    return refuse(r, (long)r->parser.problem_mark.line + 1, r->parser.problem != NULL ? r->parser.problem : "no YAML", NULL);
}

/* Properties that no event may have: the subset has neither anchors nor tags. */
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

/* A scalar's text; what YAML can escape and no word of a command line can hold is rejected. */
static enum dse_status take_text(struct reader *r, const yaml_event_t *event, const char **out)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length)
        return refuse(r, (long)event->start_mark.line + 1, "a NUL character", NULL);
    *out = dse_arena_strdup(r->texts, text);
    return DSE_OK;
}

static enum dse_status read_node(struct reader *r, yaml_event_t *event, struct dse_yaml *node, int depth);

/* The members of a list or map up to its end. */
static enum dse_status read_members(struct reader *r, struct dse_yaml *node, int depth)
{
    for (;;) {
        yaml_event_t event;
        const char *key = NULL;
        long line, column;
        DSE_TRY(next_event(r, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return DSE_OK;
        }
        line = (long)event.start_mark.line + 1;
        column = (long)event.start_mark.column + 1;
        if (node->count == MEMBERS_MAX) {
            yaml_event_delete(&event);
            return refuse(r, line, "more than 1024 keys or values stand together", NULL);
        }
        if (node->kind == DSE_YAML_MAP) {
            bool scalar = event.type == YAML_SCALAR_EVENT && is_plain(&event);
            enum dse_status status = scalar ? take_text(r, &event, &key) : refuse(r, line, "a key must be a plain word", NULL);
            yaml_event_delete(&event);
            DSE_TRY(status);
            for (size_t i = 0; i < node->count; i++)
                if (strcmp(node->children[i].key, key) == 0)
                    return refuse(r, line, "this key stands twice", key);
            DSE_TRY(next_event(r, &event));
        }
        struct dse_yaml *room = dse_list_more(&node->children, &node->count, sizeof *room);
        DSE_TRY(read_node(r, &event, room, depth + 1));
        room->key = key;
        room->key_line = line;
        room->key_column = column;
    }
}

/* Takes the event over. */
static enum dse_status read_node(struct reader *r, yaml_event_t *event, struct dse_yaml *node, int depth)
{
    enum dse_status status = DSE_OK;
    *node = (struct dse_yaml){.line = (long)event->start_mark.line + 1, .column = (long)event->start_mark.column + 1};
    if (!is_plain(event))
        status = refuse(r, node->line, "anchors, aliases and tags are not read", NULL);
    else if (depth > DEPTH_MAX)
        status = refuse(r, node->line, "nested too deeply", NULL);
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
                status = refuse(r, (long)event.start_mark.line + 1, "a second document", NULL);
                yaml_event_delete(&event);
                return status;
            }
            read = true;
            DSE_TRY(read_node(r, &event, root, 0));
        }
    }
    return read && root->kind == DSE_YAML_MAP ? DSE_OK : refuse(r, read ? root->line : 1, "must be a map of keys and values", NULL);
}

enum dse_status dse_yaml_parse(const char *path, const char *text, size_t size, struct dse_yaml *root, struct dse_arena *texts,
                               struct dse_error *err)
{
    struct reader r = {.path = path, .texts = texts, .err = err};
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
        bool late = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0; /* U+0080 to U+009F, which YAML takes escaped alone, like DEL */
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
