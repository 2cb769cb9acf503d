#include "reports/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "schema_shapes.h"
#include "models/model.h"
#include "reports/json.h"

const struct dse_schema_table dse_schema_tables[] = {
    {"board-port", dse_fields_board_port},
    {"board-source", dse_fields_board_source},
    {"compared", dse_fields_compared},
    {"doctor", dse_fields_doctor},
    {"engine", dse_engine_fields},
    {"family-line", dse_fields_family_line},
    {"load", dse_fields_load},
    {"paper", dse_fields_paper},
    {"paper-summary", dse_fields_paper_summary},
    {"plot", dse_fields_plot},
    {"roofline-point", dse_fields_roofline_point},
    {"study-exploration", dse_fields_study_exploration},
    {"study-input", dse_fields_study_input},
    {"study-run", dse_fields_study_run},
    {"synthesis", dse_fields_synthesis},
    {"validation", dse_fields_validation},
    {NULL, NULL}};

/* A schema under construction. */
struct making {
    json_t *shapes, *parts; /* members of schemas.json; "$defs" so far */
};

static json_t *expand(struct making *m, json_t *shape);

static json_t *types(const char *letters, size_t count)
{
    static const struct {
        char letter;
        const char *type;
    } known[] = {{'s', "string"}, {'i', "integer"}, {'n', "number"}, {'b', "boolean"}, {'0', "null"}};
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (letters[i] == known[k].letter)
                json_array_append_new(list, json_string(known[k].type));
    return json_pack("{s:o}", "type", list);
}

/* ---- field tables ---- */

static json_t *field_schema(const struct dse_field *field)
{
    bool optional = (field->how & DSE_FIELD_OPTIONAL) != 0;
    json_t *schema = NULL, *words = NULL;
    switch (field->type) {
    case DSE_FIELD_TEXT: case DSE_FIELD_CHARS: schema = types("s0", optional ? 1 : 2); break;
    case DSE_FIELD_REAL: schema = types("n0", optional ? 1 : 2); break;
    case DSE_FIELD_WHOLE: case DSE_FIELD_COUNT: case DSE_FIELD_BYTES: case DSE_FIELD_INT: schema = types("i0", 2); break;
    case DSE_FIELD_FLAG: schema = types("b", 1); break;
    case DSE_FIELD_HASH: schema = json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9a-f]{16}$"); break;
    case DSE_FIELD_WORD:
        words = json_pack("[n]");
        for (const char *const *word = field->words; word != NULL && *word != NULL; word++)
            json_array_append_new(words, json_string(*word));
        schema = json_pack("{s:o}", "enum", words);
        break;
    case DSE_FIELD_JSON: case DSE_FIELD_SAME: schema = json_object(); break;
    }
    if (field->heading != NULL)
        json_object_set_new(schema, "description", json_string(field->heading));
    return schema;
}

/* Fields that occur twice describe different forms of one member: it may have either. */
static void put_member(json_t *properties, json_t *required, const char *key, json_t *schema, bool optional)
{
    json_t *before = json_object_get(properties, key);
    if (before == NULL) {
        json_object_set_new(properties, key, schema);
        if (!optional)
            json_array_append_new(required, json_string(key));
        return;
    }
    json_object_set_new(properties, key, json_pack("{s:[O,o]}", "anyOf", before, schema));
}

static void put_table(const char *name, json_t *properties, json_t *required)
{
    const struct dse_schema_table *table = dse_schema_tables;
    while (table->name != NULL && strcmp(table->name, name) != 0)
        table++;
    for (const struct dse_field *field = table->fields; field != NULL && field->key != NULL; field++)
        if (*field->key != '\0' && (field->how & DSE_FIELD_NO_JSON) == 0)
            put_member(properties, required, field->key, field_schema(field), (field->how & DSE_FIELD_OPTIONAL) != 0);
}

/* ---- shapes ---- */

/* A part of schemas.json in "$defs", made once. */
static json_t *part(struct making *m, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "#/$defs/%s", name);
    if (json_object_get(m->parts, name) == NULL) {
        json_object_set_new(m->parts, name, json_true()); /* it may contain itself */
        json_t *made = expand(m, json_object_get(m->shapes, name));
        json_object_set_new(m->parts, name, made);
    }
    return json_pack("{s:s}", "$ref", path);
}

static json_t *object_of(json_t *properties, json_t *required)
{
    return json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required", required);
}

static json_t *alternative(struct making *m, const char *word, size_t length)
{
    char *text DSE_CLEANUP(dse_free_at) = dse_strndup(word, length);
    if (*text == '#')
        return part(m, text + 1);
    if (*text == '=')
        return json_pack("{s:s}", "const", text + 1);
    if (strcmp(text, "any") == 0)
        return json_object();
    if (*text != '@')
        return types(text, length);
    json_t *properties = json_object(), *required = json_array();
    put_table(text + 1, properties, required);
    return object_of(properties, required);
}

static json_t *expand_word(struct making *m, const char *word)
{
    if (strchr(word, '|') == NULL)
        return alternative(m, word, strlen(word));
    json_t *list = json_array();
    for (const char *at = word; *at != '\0'; at += strcspn(at, "|"), at += *at == '|')
        json_array_append_new(list, alternative(m, at, strcspn(at, "|")));
    return json_pack("{s:o}", "anyOf", list);
}

/* Expands "@resources" and "@metrics". */
static void put_all(struct making *m, bool metrics, json_t *shape, json_t *properties, json_t *required)
{
    for (int i = 0; i < (metrics ? (int)DSE_METRIC_COUNT : (int)DSE_RESOURCE_COUNT); i++)
        put_member(properties, required, metrics ? dse_metrics[i].key : dse_resource_names[i], expand(m, shape), false);
}

static json_t *expand_object(struct making *m, json_t *shape)
{
    json_t *properties = json_object(), *required = json_array(), *schema = object_of(properties, required), *value;
    const char *key;
    json_object_foreach(shape, key, value) {
        size_t length = strlen(key);
        bool optional = length > 0 && key[length - 1] == '?';
        length -= optional;
        bool nullable = length > 0 && key[length - 1] == '~';
        length -= nullable;
        char *name DSE_CLEANUP(dse_free_at) = dse_strndup(key, length);
        if (strcmp(name, "*") == 0) {
            json_object_set_new(schema, "additionalProperties", expand(m, value));
        } else if (strcmp(name, "#") == 0) {
            json_object_set_new(schema, "allOf", json_pack("[o]", part(m, json_string_value(value))));
        } else if (*name == '@') {
            put_all(m, strcmp(name, "@metrics") == 0, value, properties, required);
        } else {
            json_t *made = expand(m, value);
            put_member(properties, required, name, nullable ? json_pack("{s:[o,{s:s}]}", "anyOf", made, "type", "null") : made, optional);
        }
    }
    return schema;
}

static json_t *expand(struct making *m, json_t *shape)
{
    if (json_is_string(shape))
        return expand_word(m, json_string_value(shape));
    if (json_is_array(shape))
        return json_pack("{s:s, s:o}", "type", "array", "items", expand(m, json_array_get(shape, 0)));
    return expand_object(m, shape);
}

/* ---- documents ---- */

static json_t *load(void)
{
    return json_loadb((const char *)schemas_json, schemas_json_size, 0, NULL);
}

/* Documents have a member `schema` with their name; other members of schemas.json are parts. */
static const char *schema_of(json_t *shapes, const char *name)
{
    const char *text = json_string_value(json_object_get(json_object_get(shapes, name), "schema"));
    return text != NULL && strncmp(text, "=", 1) == 0 ? text + 1 : NULL;
}

size_t dse_schema_names(const char ***names)
{
    static json_t *shapes; /* static: the names point into it */
    size_t count = 0;
    const char *key;
    json_t *value;
    if (shapes == NULL)
        shapes = load();
    *names = dse_calloc(json_object_size(shapes) + 1, sizeof **names);
    json_object_foreach(shapes, key, value)
        if (schema_of(shapes, key) != NULL)
            (*names)[count++] = key;
    return count;
}

enum dse_status dse_schema_json(const char *name, json_t **out, struct dse_error *err)
{
    static const char *const commands[][2] = {{"optimize", "optimum"}, {"run", "plan"}}; /* whose documents have other names */
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        name = strcmp(name, commands[i][0]) == 0 ? commands[i][1] : name;
    struct making m = {load(), json_object()};
    const char *schema = schema_of(m.shapes, name), **names DSE_CLEANUP(dse_free_at) = NULL;
    char id[128];
    if (schema == NULL) {
        size_t count = dse_schema_names(&names);
        struct dse_strbuf list DSE_CLEANUP(dse_strbuf_free) = {0};
        for (size_t i = 0; i < count; i++)
            dse_strbuf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
        json_decref(m.shapes);
        json_decref(m.parts);
        return dse_fail(err, DSE_BAD_USAGE, "schema %s: must be %s", name, dse_strbuf_text(&list));
    }
    dse_json_schema_name(schema, id, sizeof id);
    json_t *own = part(&m, name), *made = json_object_get(m.parts, name), *properties = json_object_get(made, "properties");
    bool lists = json_object_get(properties, "results") != NULL, may = json_object_get(json_object_get(m.shapes, name), "results?") != NULL;
    json_object_set_new(properties, "$schema", json_object()); /* common members of a document; its own part allows them */
    if (!lists)
        json_object_set_new(properties, "results", json_object());
    *out = json_pack("{s:s, s:s, s:s, s:s, s:[s,s,s*], s:{s:{s:s}, s:o}, s:[o], s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id", id,
                     "title", schema, "type", "object", "required", "$schema", "schema", may ? NULL : "results", "properties", "$schema", "const", id, "results",
                     lists ? json_pack("{s:s}", "type", "array") : json_pack("{s:s, s:O}", "type", "array", "items", own), "allOf", own, "$defs", m.parts);
    json_decref(m.shapes);
    return DSE_OK;
}
