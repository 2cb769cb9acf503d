/* Reading a space file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/xml.h"
#include "space/space.h"

#define SPACE_BYTES_MAX ((size_t)1 << 20)
#define DOMAIN_MAX 4096 /* values of one knob */

struct reader {
    struct dse_xml *doc;
    struct dse_space *space;
    const struct dse_knob_declaration *declarations;
    size_t declaration_count;
    bool out_of_memory;
};

static int find_declaration(const struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->declaration_count; i++)
        if (strcmp(reader->declarations[i].name, name) == 0)
            return (int)i;
    return -1;
}

static const char *keep_text(struct reader *reader, const char *text)
{
    const char *copy = text != NULL ? dse_arena_strdup(&reader->space->arena, text) : "";
    reader->out_of_memory |= copy == NULL;
    return copy != NULL ? copy : "";
}

/* A value of the knob from an attribute; a problem, and the knob's minimum, when it is none. */
static int64_t read_value(struct reader *reader, dse_xml_node node, const char *attribute,
                          const struct dse_knob *knob)
{
    const char *text = dse_xml_need_text(reader->doc, node, attribute);
    int64_t value = knob->minimum;
    struct dse_error why;
    if (text != NULL && dse_knob_parse(knob, text, &value, &why) != DSE_OK) {
        char allowed[256];
        dse_xml_problem(reader->doc, node, attribute, "must be %s",
                        dse_knob_allowed(knob, allowed, sizeof allowed));
    }
    return value;
}

static bool contains(const int64_t *values, size_t count, int64_t value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

/* <sweep values="1 2 4 8"/>: what a sweep visits. */
static void read_domain(struct reader *reader, dse_xml_node node, struct dse_knob *knob)
{
    const char *text = dse_xml_need_text(reader->doc, node, "values");
    int64_t *values = calloc(DOMAIN_MAX, sizeof *values);
    if (text == NULL || values == NULL) {
        free(values);
        return;
    }
    size_t count = 0;
    while (*(text += strspn(text, " \t\n")) != '\0') {
        size_t length = strcspn(text, " \t\n");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
        int64_t value = 0;
        struct dse_error why;
        if (count == DOMAIN_MAX)
            dse_xml_problem(reader->doc, node, NULL, "more than %d values", DOMAIN_MAX);
        else if (dse_knob_parse(knob, word, &value, &why) != DSE_OK)
            dse_xml_problem(reader->doc, node, NULL, "%s", why.message);
        else if (contains(values, count, value))
            dse_xml_problem(reader->doc, node, "values", "%s stands twice", word);
        else
            values[count++] = value;
        if (count == DOMAIN_MAX)
            break;
        text += length;
    }
    if (count == 0)
        dse_xml_problem(reader->doc, node, "values", "needs at least one value");
    struct dse_error why;
    if (dse_space_restrict(reader->space, (size_t)(knob - reader->space->knobs), values, count, &why) != DSE_OK)
        dse_xml_problem(reader->doc, node, NULL, "%s", why.message);
    knob->restricted = false; /* this is the whole domain */
    free(values);
}

/* <when knob="nee.form" is="factored"/>: the knob matters only there. */
static void read_condition(struct reader *reader, dse_xml_node node, struct dse_knob *knob)
{
    const char *name = dse_xml_need_text(reader->doc, node, "knob");
    const char *words = dse_xml_need_text(reader->doc, node, "is");
    if (name == NULL || words == NULL)
        return;
    int other = find_declaration(reader, name);
    const struct dse_knob *condition = other >= 0 ? &reader->space->knobs[other] : NULL;
    if (condition == NULL || condition->name == NULL || condition >= knob ||
        condition->type != DSE_KNOB_CHOICE) {
        dse_xml_problem(reader->doc, node, "knob", "must be a knob of words that the family declares before this one");
        return;
    }
    knob->condition = other;
    while (*(words += strspn(words, " ")) != '\0') {
        size_t length = strcspn(words, " ");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), words);
        int64_t value = 0;
        struct dse_error why;
        if (dse_knob_parse(condition, word, &value, &why) == DSE_OK)
            knob->condition_choices |= (uint64_t)1 << value;
        else
            dse_xml_problem(reader->doc, node, "is", "%s", why.message);
        words += length;
    }
}

/* The bounds by hand: attributes min and max for numbers, the words for choices. */
static void read_bounds(struct reader *reader, dse_xml_node node, struct dse_knob *knob)
{
    if (knob->type == DSE_KNOB_CHOICE) {
        while (knob->choices[knob->choice_count] != NULL)
            knob->choice_count++;
        knob->maximum = (int64_t)knob->choice_count - 1;
        return;
    }
    knob->maximum = INT64_MAX;
    int64_t minimum = read_value(reader, node, "min", knob);
    int64_t maximum = read_value(reader, node, "max", knob);
    if (minimum > maximum)
        dse_xml_problem(reader->doc, node, "max", "must not be below min");
    knob->minimum = minimum;
    knob->maximum = maximum;
}

static void read_knob(struct reader *reader, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "kind", "title", "unit", "min", "max", "only", "default", NULL};
    static const char *const children[] = {"sweep", "when", "source", NULL};
    static const char *const kinds[] = {"algorithmic", "hardware", "both", NULL};
    dse_xml_allow(reader->doc, node, attributes, children);
    const char *name = dse_xml_need_text(reader->doc, node, "name");
    if (name == NULL)
        return;
    int index = find_declaration(reader, name);
    if (index < 0 || reader->space->knobs[index].name != NULL) {
        dse_xml_problem(reader->doc, node, "name",
                        index < 0 ? "the family has no such knob" : "stands twice");
        return;
    }
    const struct dse_knob_declaration *declaration = &reader->declarations[index];
    struct dse_knob *knob = &reader->space->knobs[index];
    *knob = (struct dse_knob){.name = declaration->name, .type = declaration->type,
                              .choices = declaration->choices, .condition = -1};
    knob->kind = (enum dse_knob_kind)(dse_xml_choice(reader->doc, node, "kind", kinds) + 1);
    knob->title = keep_text(reader, dse_xml_need_text(reader->doc, node, "title"));
    knob->unit = keep_text(reader, dse_xml_text(reader->doc, node, "unit"));
    read_bounds(reader, node, knob);
    static const char *const only[] = {"powers-of-two", NULL};
    if (dse_xml_has(node, "only"))
        knob->power_of_two = dse_xml_choice(reader->doc, node, "only", only) == 0;
    knob->fallback = read_value(reader, node, "default", knob);
    dse_xml_node sweep = dse_xml_one(reader->doc, node, "sweep");
    if (sweep != NULL)
        read_domain(reader, sweep, knob);
    dse_xml_node when = dse_xml_first(node, "when");
    if (when != NULL)
        read_condition(reader, when, knob);
}

static void read_space(struct reader *reader, const char *family)
{
    static const char *const attributes[] = {"family", NULL};
    static const char *const children[] = {"knob", NULL};
    dse_xml_node root = dse_xml_root(reader->doc, "space");
    dse_xml_allow(reader->doc, root, attributes, children);
    const char *named = dse_xml_need_text(reader->doc, root, "family");
    if (named != NULL && strcmp(named, family) != 0)
        dse_xml_problem(reader->doc, root, "family", "must be %s", family);
    for (dse_xml_node node = dse_xml_first(root, "knob"); node != NULL; node = dse_xml_next(node, "knob"))
        read_knob(reader, node);
    for (size_t i = 0; root != NULL && i < reader->declaration_count; i++)
        if (reader->space->knobs[i].name == NULL)
            dse_xml_problem(reader->doc, root, NULL, "the knob %s is missing", reader->declarations[i].name);
}

enum dse_status dse_space_read(const char *path, const char *family,
                               const struct dse_knob_declaration *declarations, size_t count,
                               struct dse_space **out, struct dse_error *err)
{
    *out = NULL;
    struct reader reader = {.declarations = declarations, .declaration_count = count};
    enum dse_status status = dse_xml_read_file(path, SPACE_BYTES_MAX, &reader.doc, err);
    if (status != DSE_OK)
        return status;
    reader.space = calloc(1, sizeof *reader.space);
    if (reader.space == NULL) {
        dse_xml_free(reader.doc);
        return dse_fail_memory(err);
    }
    reader.space->count = count;
    reader.space->family = family;
    reader.space->file = keep_text(&reader, path);
    read_space(&reader, family);
    status = reader.out_of_memory ? dse_fail_memory(err) : dse_xml_verdict(reader.doc, err);
    dse_xml_free(reader.doc);
    if (status != DSE_OK) {
        dse_space_free(reader.space);
        return status;
    }
    *out = reader.space;
    return DSE_OK;
}
