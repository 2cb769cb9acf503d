#include "reports/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "reports/fields.h"
#include "reports/schema.h"
#include "reports/spread.h"
#include "reports/terminal.h"

#define AT(member) offsetof(struct dse_compared, member)

const struct dse_field dse_fields_compared[] = {
    DSE_FIELD("kind", "kind", WORD, AT(kind), .words = dse_compared_kinds),
    DSE_FIELD("machine", "machine", CHARS, AT(machine)),
    DSE_FIELD("latency_s", "latency", REAL, AT(latency_s), .unit = DSE_DIMENSION_TIME),
    DSE_FIELD("latency_items", "items\nper launch", REAL, AT(latency_items), .format = "%.0f", .how = DSE_FIELD_WHERE_ANY), /* the table has it if a row has several */
    DSE_FIELD("rate_hz", "items/s", REAL, AT(rate_hz), .format = "%.4g"),
    DSE_FIELD("p99_load_s", "p99 (load)", REAL, AT(load.p99_s), .unit = DSE_DIMENSION_TIME, .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("load_state", "load", WORD, AT(load.state), .words = dse_load_states, .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("energy_j", "energy\nper item", REAL, AT(energy_j), .unit = DSE_DIMENSION_ENERGY),
    DSE_FIELD("quality", "quality", REAL, AT(quality), .format = "%.3f"),
    DSE_FIELD("quality_error", "std. error", REAL, AT(quality_error), .format = "%.3f"),
    DSE_FIELD("quality_n", "n", REAL, AT(quality_n), .format = "%.0f"),
    DSE_FIELD("price_usd", "price ($)", REAL, AT(price_usd), .format = "%.4g", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("price_date", "price\nas of", CHARS, AT(price_date), .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("price_source", NULL, CHARS, AT(price_source)),
    DSE_FIELD("items_per_s_per_w", "items/s/W", REAL, AT(per_watt), .format = "%.4g"),
    DSE_FIELD("items_per_s_per_usd", "items/s/$", REAL, AT(per_dollar), .format = "%.4g", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("source", "source", CHARS, AT(source)), {0}};

/* Display columns of the longest line. */
static size_t width_of(const char *text)
{
    size_t most = 0;
    for (const char *end; *text != '\0'; text = end + (*end != '\0')) {
        end = text + strcspn(text, "\n");
        size_t columns = dse_terminal_columns(text, (size_t)(end - text));
        most = columns > most ? columns : most;
    }
    return most;
}

/* A table of the fields with these keys, in their order. */
static void write_part(const char *const *keys, const struct dse_field *fields, const struct dse_compared *rows, size_t count, size_t width, struct dse_strbuf *out)
{
    struct dse_field part[sizeof dse_fields_compared / sizeof *dse_fields_compared] = {{0}};
    struct dse_table table = {.dense = true};
    for (size_t at = 0; keys[at] != NULL; at++)
        for (const struct dse_field *field = fields; field->key != NULL; field++)
            if (strcmp(field->key, keys[at]) == 0)
                part[at] = *field;
    dse_fields_fill(part, rows, count, sizeof *rows, &table);
    dse_table_finish(&table, width, out);
}

/* "MACHINE: SOURCE", or "MACHINE to MACHINE: SOURCE" of successive rows. */
static void write_sources(const struct dse_compared *rows, size_t count, size_t width, struct dse_strbuf *out)
{
    for (size_t i = 0, end; i < count; i = end) {
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
        for (end = i + 1; end < count && strcmp(rows[end].source, rows[i].source) == 0;)
            end++;
        dse_strbuf_printf(&text, "%s%s%s: %s", rows[i].machine, end > i + 1 ? " to " : "", end > i + 1 ? rows[end - 1].machine : "", rows[i].source);
        dse_terminal_wrap(out, dse_strbuf_text(&text), width);
    }
}

/* Where the whole table is too wide: first what a run takes, then quality and price, then the sources. The dates of prices are left out. */
static void write_narrow(struct dse_field *fields, const struct dse_compared *rows, size_t count, size_t width, struct dse_strbuf *out)
{
    static const char *const cost[] = {"kind", "machine", "latency_s", "latency_items", "rate_hz", "p99_load_s", "load_state", "energy_j", NULL};
    static const char *const worth[] = {"machine", "quality", "quality_error", "quality_n", "price_usd", "items_per_s_per_w", "items_per_s_per_usd", NULL};
    const char *items = "";
    bool batch = false;
    for (size_t i = 0; i < count; i++)
        batch |= !isnan(rows[i].latency_items);
    for (struct dse_field *field = fields; field->key != NULL; field++) {
        items = field->at == AT(rate_hz) ? field->heading : items; /* "inferences/s" */
        field->heading = field->at == AT(per_watt) ? "/s/W" : field->at == AT(per_dollar) ? "/s/$" : field->at == AT(quality_error) ? dse_spread_short()
                       : field->at == AT(price_usd) ? "price\n($)" : field->at == AT(latency_items) ? "N" : field->heading;
    }
    write_part(cost, fields, rows, count, width, out);
    dse_strbuf_add(out, "\n");
    write_part(worth, fields, rows, count, width, out);
    dse_strbuf_printf(out, "\n%s%s: %s; /s/W, /s/$: %s per W and per $\n", batch ? "N: items per launch; " : "", dse_spread_short(), dse_spread_name(), items);
    write_sources(rows, count, width, out);
}

/* JSON and CSV have the standard error; the table uses the selected spread. */
void dse_compare_write(const struct dse_compared_machines *comparison, size_t width, struct dse_strbuf *out)
{
    struct dse_field fields[sizeof dse_fields_compared / sizeof *dse_fields_compared];
    struct dse_compared *rows DSE_CLEANUP(dse_free_at) = dse_calloc(comparison->count + 1, sizeof *rows);
    bool several = false, measured = false;
    char rates[sizeof fields / sizeof *fields][64];
    memcpy(fields, dse_fields_compared, sizeof fields);
    for (struct dse_field *field = fields; field->key != NULL; field++)
        if (strcmp(field->key, "quality_error") == 0) {
            field->heading = dse_spread_name();
        } else if (field->at == AT(quality)) {
            field->heading = dse_quality_title(comparison->quality);
        } else if (field->heading != NULL && strncmp(field->heading, "items", strlen("items")) == 0) { /* by the items' own name */
            snprintf(rates[field - fields], sizeof *rates, "%.40s%.20s", comparison->items, field->heading + strlen("items"));
            field->heading = rates[field - fields];
        }
    for (size_t i = 0; i < comparison->count; i++)
        several |= comparison->rows[i].latency_items > 1.0;
    for (size_t i = 0; i < comparison->count; i++) {
        rows[i] = comparison->rows[i];
        rows[i].quality = dse_quality_plain(comparison->quality, rows[i].quality);
        if (!several)
            rows[i].latency_items = NAN;
        measured |= rows[i].kind != DSE_COMPARED_PUBLISHED && rows[i].quality_n > 0.0;
        if (rows[i].quality_n > 1.0)
            rows[i].quality_error = dse_spread(rows[i].quality_error * sqrt(rows[i].quality_n), (int64_t)rows[i].quality_n);
    }
    struct dse_strbuf wide DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_fields_write(fields, rows, comparison->count, sizeof *rows, 0, &wide);
    if (width == 0 || width_of(dse_strbuf_text(&wide)) <= width)
        dse_strbuf_add(out, dse_strbuf_text(&wide));
    else
        write_narrow(fields, rows, comparison->count, width, out);
    struct dse_strbuf note DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&note, "%s of measured and modelled rows: mean of n training runs of the design's setting (`datasets show`; a roofline: of the first design), "
                      "not of the model trained now", dse_quality_title(comparison->quality));
    if (measured)
        dse_terminal_wrap(out, dse_strbuf_text(&note), width > 0 ? width : 120);
}

/* As every CSV, with the quality a second time under its own name. */
void dse_compare_csv(const struct dse_compared_machines *comparison, struct dse_strbuf *out)
{
    struct dse_field fields[sizeof dse_fields_compared / sizeof *dse_fields_compared + 1];
    size_t at = 0;
    for (const struct dse_field *field = dse_fields_compared; field->key != NULL; field++) {
        fields[at++] = *field;
        if (field->at == AT(quality_n) && strcmp(comparison->quality, "quality") != 0)
            fields[at++] = (struct dse_field)DSE_FIELD(comparison->quality, NULL, REAL, AT(quality));
    }
    fields[at] = (struct dse_field){0};
    dse_fields_csv(fields, comparison->rows, comparison->count, sizeof *comparison->rows, out);
}

json_t *dse_compare_json(const struct dse_compared_machines *comparison)
{
    return dse_fields_list(dse_fields_compared, comparison->rows, comparison->count, sizeof *comparison->rows);
}
