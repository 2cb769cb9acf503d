/* A space from a family's declarations and a user's file, and that file's format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/xml.h"
#include "space/space.h"

#define SPACE_BYTES_MAX ((size_t)1 << 20)
#define DOMAIN_MAX 4096 /* values of one knob */
#define BOUND_FACTOR 16 /* how far beyond the declared bounds a file may go */

static const char *const kinds[] = {"algorithmic", "hardware", "both", NULL};

struct reader {
    struct dse_xml *doc;
    struct dse_space *space;
    const struct dse_knobs *declared;
    dse_knob_set seen;
};

/* A value of the knob from an attribute. If it is invalid, a problem and `otherwise`; if it is absent, `otherwise`. */
static int64_t read_value(struct reader *reader, dse_xml_node node, const char *attribute,
                          const struct dse_knob *knob, int64_t otherwise)
{
    const char *text = dse_xml_text(reader->doc, node, attribute);
    int64_t value = otherwise;
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

/* <sweep values="1 2 4 8"/>: the values that a sweep visits. */
static void read_domain(struct reader *reader, dse_xml_node node, struct dse_knob *knob)
{
    const char *text = dse_xml_need_text(reader->doc, node, "values");
    if (text == NULL)
        return;
    int64_t *values = dse_malloc(DOMAIN_MAX * sizeof *values);
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
            dse_xml_problem(reader->doc, node, "values", "%s occurs twice", word);
        else
            values[count++] = value;
        if (count == DOMAIN_MAX)
            break;
        text += length;
    }
    if (count == 0)
        dse_xml_problem(reader->doc, node, "values", "needs at least one value");
    dse_space_restrict(reader->space, (size_t)(knob - reader->space->knobs), values, count);
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
    int other = dse_space_find(reader->space, name);
    const struct dse_knob *condition = other >= 0 ? &reader->space->knobs[other] : NULL;
    if (condition == NULL || condition >= knob ||
        condition->type != DSE_KNOB_CHOICE) {
        dse_xml_problem(reader->doc, node, "knob", "must be a knob of words that the family declares before this one");
        return;
    }
    knob->condition = other;
    knob->condition_choices = 0;
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

/* The range in which the models hold: from the declared minimum to some way beyond the declared maximum. */
static void check_bounds(struct reader *reader, dse_xml_node node, const struct dse_knob *knob, const struct dse_knob *declared)
{
    int64_t limit = declared->maximum > INT64_MAX / BOUND_FACTOR ? INT64_MAX : BOUND_FACTOR * declared->maximum;
    char least[64], most[64];
    if (knob->minimum > knob->maximum)
        dse_xml_problem(reader->doc, node, "max", "must not be below min");
    else if (knob->minimum < declared->minimum || knob->maximum > limit)
        dse_xml_problem(reader->doc, node, knob->minimum < declared->minimum ? "min" : "max", "%s: the models hold from %s to %s", knob->name,
                        dse_knob_format(knob, declared->minimum, least, sizeof least),
                        dse_knob_format(knob, limit, most, sizeof most));
}

/* The bounds for setting by hand: attributes min and max of numbers. A word has none. */
static void read_bounds(struct reader *reader, dse_xml_node node, struct dse_knob *knob)
{
    const struct dse_knob declared = *knob;
    if (knob->type == DSE_KNOB_CHOICE)
        return;
    struct dse_knob any = *knob; /* a bound is a value of the knob's type, and itself unbounded */
    any.minimum = 0;
    any.maximum = INT64_MAX;
    any.power_of_two = false;
    knob->minimum = read_value(reader, node, "min", &any, knob->minimum);
    knob->maximum = read_value(reader, node, "max", &any, knob->maximum);
    check_bounds(reader, node, knob, &declared);
}

/* Declared sweep values that lie within the file's bounds. */
static void narrow_domain(struct reader *reader, dse_xml_node node, struct dse_knob *knob)
{
    int64_t *values = dse_xml_room(reader->doc, NULL, NULL, knob->domain_count, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < knob->domain_count; i++)
        if (dse_knob_within(knob, knob->domain[i]))
            values[count++] = knob->domain[i];
    if (count == 0)
        dse_xml_problem(reader->doc, node, NULL, "needs a <sweep> of values within its bounds");
    knob->domain = values;
    knob->domain_count = count;
}

/* A knob's kind comes from the family's table; a file may repeat it, and must be right. */
static void check_kind(struct reader *reader, dse_xml_node node, const struct dse_knob *knob)
{
    static const char *const only[] = {"powers-of-two", NULL};
    if (dse_xml_has(node, "kind") && dse_xml_choice(reader->doc, node, "kind", kinds) + 1 != (int)knob->kind)
        dse_xml_problem(reader->doc, node, "kind", "%s: must be %s", knob->name, kinds[knob->kind - 1]);
    if (dse_xml_has(node, "only"))
        dse_xml_choice(reader->doc, node, "only", only);
}

static void read_knob(struct reader *reader, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "kind", "title", "unit", "min", "max", "only", "default", NULL};
    static const char *const children[] = {"sweep", "when", "source", NULL};
    dse_xml_allow(reader->doc, node, attributes, children);
    const char *name = dse_xml_need_text(reader->doc, node, "name");
    if (name == NULL)
        return;
    int index = dse_space_find(reader->space, name);
    if (index < 0 || dse_bits_has(reader->seen, (size_t)index)) {
        dse_xml_problem(reader->doc, node, "name", index < 0 ? "the family has no such knob" : "occurs twice");
        return;
    }
    struct dse_knob *knob = &reader->space->knobs[index];
    dse_bits_add(&reader->seen, index);
    check_kind(reader, node, knob);
    knob->title = dse_xml_keep_or(reader->doc, node, "title", knob->title);
    knob->unit = dse_xml_keep_or(reader->doc, node, "unit", knob->unit);
    read_bounds(reader, node, knob);
    knob->fallback = read_value(reader, node, "default", knob, knob->fallback);
    if (!dse_knob_within(knob, knob->fallback))
        dse_xml_problem(reader->doc, node, NULL, "its default is outside its bounds");
    if (dse_xml_first(node, "sweep") != NULL)
        read_domain(reader, dse_xml_one(reader->doc, node, "sweep"), knob);
    else
        narrow_domain(reader, node, knob);
    dse_xml_node when = dse_xml_first(node, "when");
    if (when != NULL)
        read_condition(reader, when, knob);
}

static void read_space(struct reader *reader)
{
    static const char *const attributes[] = {"family", NULL};
    static const char *const children[] = {"knob", NULL};
    dse_xml_node root = dse_xml_root(reader->doc, "space");
    dse_xml_allow(reader->doc, root, attributes, children);
    const char *named = dse_xml_need_text(reader->doc, root, "family");
    if (named != NULL && strcmp(named, reader->declared->family) != 0)
        dse_xml_problem(reader->doc, root, "family", "must be %s", reader->declared->family);
    for (dse_xml_node node = dse_xml_first(root, "knob"); node != NULL; node = dse_xml_next(node, "knob"))
        read_knob(reader, node);
}

static enum dse_status read_file(struct reader *reader, const char *path, struct dse_error *err)
{
    DSE_TRY(dse_xml_read_file(path, SPACE_BYTES_MAX, &reader->doc, err));
    dse_xml_keep_in(reader->doc, &reader->space->arena);
    reader->space->file = dse_xml_keep(reader->doc, path);
    read_space(reader);
    enum dse_status status = dse_xml_verdict(reader->doc, err);
    dse_xml_free(reader->doc);
    return status;
}

/* A knob as a space holds it: with its condition or none, and with a domain. */
static void add_knob(struct dse_space *space, const struct dse_knob *declared)
{
    struct dse_knob *knob = &space->knobs[space->count++];
    *knob = *declared;
    knob->unit = declared->unit != NULL ? declared->unit : "";
    knob->condition = declared->condition_choices != 0 ? declared->condition : -1;
    if (declared->domain != NULL)
        return;
    knob->domain_count = declared->type == DSE_KNOB_CHOICE ? declared->choice_count : 1;
    int64_t *values = dse_arena_alloc(&space->arena, knob->domain_count, sizeof *values);
    for (size_t i = 0; i < knob->domain_count; i++)
        values[i] = declared->type == DSE_KNOB_CHOICE ? (int64_t)i : declared->fallback;
    knob->domain = values;
}

enum dse_status dse_space_make(const struct dse_knobs *knobs, const char *path, struct dse_space **out, struct dse_error *err)
{
    *out = NULL;
    DSE_TRY(dse_knobs_check(knobs, err));
    struct dse_space *space = dse_calloc(1, sizeof *space);
    space->family = knobs->family;
    for (size_t i = 0; i < knobs->count; i++)
        add_knob(space, &knobs->knobs[i]);
    struct reader reader = {.declared = knobs, .space = space};
    enum dse_status status = path != NULL ? read_file(&reader, path, err) : DSE_OK;
    if (status == DSE_OK)
        *out = space;
    else
        dse_space_free(space);
    return status;
}

/* ---- the file of a space ---- */

static void write_value(struct dse_strbuf *out, const char *name, const struct dse_knob *knob, int64_t value)
{
    char text[64];
    dse_xml_write_attribute(out, name, dse_knob_format(knob, value, text, sizeof text));
}

static void write_knob(struct dse_strbuf *out, const struct dse_space *space, const struct dse_knob *knob)
{
    char text[64];
    dse_strbuf_add(out, "  <knob");
    dse_xml_write_attribute(out, "name", knob->name);
    dse_xml_write_attribute(out, "kind", kinds[knob->kind - 1]);
    dse_xml_write_attribute(out, "title", knob->title);
    if (*knob->unit != '\0')
        dse_xml_write_attribute(out, "unit", knob->unit);
    if (knob->type != DSE_KNOB_CHOICE) {
        write_value(out, "min", knob, knob->minimum);
        write_value(out, "max", knob, knob->maximum);
    }
    if (knob->power_of_two)
        dse_xml_write_attribute(out, "only", "powers-of-two");
    write_value(out, "default", knob, knob->fallback);
    dse_strbuf_add(out, ">\n");
    if (knob->condition >= 0) {
        const struct dse_knob *other = &space->knobs[knob->condition];
        const char *between = "";
        dse_strbuf_printf(out, "    <when knob=\"%s\" is=\"", other->name);
        for (size_t c = 0; c < other->choice_count; c++)
            if ((knob->condition_choices >> c & 1) != 0) {
                dse_strbuf_printf(out, "%s%s", between, other->choices[c]);
                between = " ";
            }
        dse_strbuf_add(out, "\"/>\n");
    }
    dse_strbuf_add(out, "    <sweep values=\"");
    for (size_t i = 0; i < knob->domain_count; i++)
        dse_strbuf_printf(out, "%s%s", i > 0 ? " " : "", dse_knob_format(knob, knob->domain[i], text, sizeof text));
    dse_strbuf_add(out, "\"/>\n  </knob>\n");
}

void dse_space_format(const struct dse_space *space, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<space family=\"%s\">\n", space->family);
    for (size_t i = 0; i < space->count; i++)
        write_knob(out, space, &space->knobs[i]);
    dse_strbuf_add(out, "</space>\n");
}
