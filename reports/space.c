#include "reports/space.h"

#include "core/units.h"
#include "reports/json.h"
#include "reports/table.h"

static const char *kind_word(enum dse_knob_kind kind)
{
    static const char *const words[] = {"", "algorithmic", "hardware", "both"};
    return words[kind];
}

static const char *type_word(enum dse_knob_type type)
{
    static const char *const words[] = {"integer", "decimal", "choice"};
    return words[type];
}

/* Whether a part of the family reads the knob: block b, or, after the blocks, the computation itself. */
static const char *reader(const struct dse_model_family *family, const struct dse_space *space, size_t knob, size_t part)
{
    if (part == family->block_count)
        return dse_knob_trains(&space->knobs[knob]) ? "training" : NULL;
    return dse_bits_has(family->blocks[part].reads, knob) ? family->blocks[part].name : NULL;
}

static json_t *knob_json(const struct dse_model_family *family, const struct dse_space *space, size_t k)
{
    const struct dse_knob *knob = &space->knobs[k];
    json_t *domain = json_array(), *readers = json_array();
    char text[64];
    for (size_t i = 0; i < knob->domain_count; i++)
        json_array_append_new(domain, json_string(dse_knob_format(knob, knob->domain[i], text, sizeof text)));
    for (size_t part = 0; part <= family->block_count; part++)
        if (reader(family, space, k, part) != NULL)
            json_array_append_new(readers, json_string(reader(family, space, k, part)));
    json_t *entry = json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", knob->name, "title", knob->title, "kind", kind_word(knob->kind), "type",
                              type_word(knob->type), "default", dse_knob_format(knob, knob->fallback, text, sizeof text));
    if (knob->type != DSE_KNOB_CHOICE) {
        json_object_set_new(entry, "minimum", json_string(dse_knob_format(knob, knob->minimum, text, sizeof text)));
        json_object_set_new(entry, "maximum", json_string(dse_knob_format(knob, knob->maximum, text, sizeof text)));
        json_object_set_new(entry, "power_of_two", json_boolean(knob->power_of_two));
    } else {
        json_t *words = json_array();
        for (size_t c = 0; c < knob->choice_count; c++)
            json_array_append_new(words, json_string(knob->choices[c]));
        json_object_set_new(entry, "words", words);
    }
    if (*knob->unit != '\0')
        json_object_set_new(entry, "unit", json_string(knob->unit));
    if (dse_knob_trains(knob))
        json_object_set_new(entry, "option", json_string(dse_knob_option(knob)));
    json_object_set_new(entry, "domain", domain);
    json_object_set_new(entry, "read_by", readers);
    if (knob->condition >= 0)
        json_object_set_new(entry, "when", json_string(space->knobs[knob->condition].name));
    return entry;
}

static json_t *space_json(const struct dse_model_family *family, const struct dse_space *space, dse_knob_set free)
{
    json_t *knobs = json_array();
    for (size_t k = 0; k < space->count; k++) {
        json_t *entry = knob_json(family, space, k);
        json_object_set_new(entry, "free", json_boolean(dse_bits_has(free, k)));
        json_array_append_new(knobs, entry);
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "schema", "nysx-dse.space/1", "family", space->family, "space_size",
                     dse_json_count(dse_space_size(space, free)), "knobs", knobs);
}

/* "1 to 64", "1 to 64, 2^n", with the unit; for words, those that a sweep does not visit. */
static void bounds_cell(struct dse_table *table, const struct dse_knob *knob)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    char low[64], high[64];
    if (knob->type != DSE_KNOB_CHOICE && knob->listed == NULL)
        dse_strbuf_printf(&text, "%s to %s%s%s%s", dse_knob_format(knob, knob->minimum, low, sizeof low),
                          dse_knob_format(knob, knob->maximum, high, sizeof high), *knob->unit != '\0' ? " " : "", knob->unit,
                          knob->power_of_two ? ", 2^n" : "");
    for (size_t c = 0; c < knob->choice_count; c++)
        if (!dse_knob_in_domain(knob, (int64_t)c))
            dse_strbuf_printf(&text, "%s%s", text.length > 0 ? " " : "also ", knob->choices[c]);
    dse_table_text(table, dse_strbuf_text(&text));
}

static void readers_cell(struct dse_table *table, const struct dse_model_family *family, const struct dse_space *space, size_t k)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_knob_set shaping = dse_knobs_shaping(family->knobs);
    if (dse_bits_has(shaping, k))
        dse_strbuf_add(&text, "the workload");
    for (size_t part = 0; !dse_bits_has(shaping, k) && part < family->block_count; part++)
        if (reader(family, space, k, part) != NULL)
            dse_strbuf_printf(&text, "%s%s", text.length > 0 ? " " : "", reader(family, space, k, part));
    dse_table_text(table, k == family->clock_knob || k == family->units_knob ? "all" : dse_strbuf_text(&text));
}

static void row(struct dse_table *table, const struct dse_model_family *family, const struct dse_space *space, size_t k)
{
    const struct dse_knob *knob = &space->knobs[k];
    struct dse_strbuf domain DSE_CLEANUP(dse_strbuf_free) = {0};
    char text[64];
    for (size_t i = 0; i < knob->domain_count; i++)
        dse_strbuf_printf(&domain, "%s%s", i > 0 ? " " : "", dse_knob_format(knob, knob->domain[i], text, sizeof text));
    dse_table_text(table, knob->name);
    dse_table_text(table, kind_word(knob->kind));
    dse_table_text(table, dse_knob_format(knob, knob->fallback, text, sizeof text));
    dse_table_text(table, dse_strbuf_text(&domain));
    bounds_cell(table, knob);
    dse_table_cell(table, "%s%s", dse_knob_trains(knob) ? "--" : "", dse_knob_trains(knob) ? dse_knob_option(knob) : "");
    readers_cell(table, family, space, k);
    if (knob->condition >= 0)
        dse_table_cell(table, "%s (depends on %s)", knob->title, space->knobs[knob->condition].name);
    else
        dse_table_text(table, knob->title);
}

void dse_space_write(const struct dse_model_family *family, const struct dse_space *space, dse_knob_set free, enum dse_format format, size_t width,
                     struct dse_strbuf *out)
{
    if (format != DSE_FORMAT_TABLE) {
        json_t *object DSE_CLEANUP(json_decrefp) = space_json(family, space, free);
        format == DSE_FORMAT_JSON ? dse_json_add(out, json_incref(object)) : dse_json_csv(out, json_object_get(object, "knobs"));
        return;
    }
    struct dse_table table = {0};
    dse_table_columns(&table, "knob|kind|default|a sweep visits|allowed|train|read by|meaning");
    for (size_t k = 0; k < space->count; k++)
        row(&table, family, space, k);
    dse_table_finish(&table, width, out);
    char size[64];
    uint64_t count = dse_space_size(space, free);
    dse_strbuf_printf(out, "\n%s hardware designs per setting\n",
                      dse_count_format(size, sizeof size, dse_count_of(count)));
}
