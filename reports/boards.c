#include "reports/boards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "reports/json.h"
#include "reports/table.h"

static const char *const kind_titles[] = {
    [DSE_MEMORY_PS_DDR] = "PS memory", [DSE_MEMORY_PL_DDR] = "PL memory", [DSE_MEMORY_HBM] = "HBM"};

/* Sustained bytes a second of all memories of a board. */
static double total_sustained(const struct dse_board *board)
{
    double sum = 0;
    for (size_t i = 0; i < board->memory_count; i++)
        sum += dse_memory_sustained_bytes_per_s(&board->memories[i]);
    return sum;
}

/* ---- JSON ---- */

static json_t *counts_json(const int64_t counts[DSE_RESOURCE_COUNT])
{
    json_t *object = json_object();
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_integer(counts[r]));
    return object;
}

static json_t *shares_json(const double shares[DSE_RESOURCE_COUNT])
{
    json_t *object = json_object();
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_real(shares[r]));
    return object;
}

static json_t *band_json(double value, double low, double high)
{
    return json_pack("{s:f, s:f, s:f}", "value", value, "low", low, "high", high);
}

static json_t *memory_json(const struct dse_memory *m)
{
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:o, s:o, s:I, s:o}", "name", m->name, "kind",
        dse_memory_kind_names[m->kind], "technology", m->technology, "channels", (json_int_t)m->channels,
        "width_bits", (json_int_t)m->width_bits, "preset_transfers_hz", m->preset_transfers_hz,
        "nominal_transfers_hz", m->nominal_transfers_hz, "preset_bytes_per_s",
        dse_memory_sustained_bytes_per_s(m) / m->efficiency, "nominal_bytes_per_s",
        (double)m->channels * (double)m->width_bits / 8 * m->nominal_transfers_hz, "sustained_bytes_per_s",
        dse_memory_sustained_bytes_per_s(m), "efficiency",
        band_json(m->efficiency, m->efficiency_low, m->efficiency_high), "read_latency_s",
        band_json(m->read_latency_s, m->read_latency_low_s, m->read_latency_high_s), "capacity_bytes",
        (json_int_t)m->capacity_bytes, "energy_j_per_bit",
        band_json(m->energy_j_per_bit, m->energy_low_j_per_bit, m->energy_high_j_per_bit));
}

static json_t *memories_json(const struct dse_board *board)
{
    json_t *array = json_array();
    for (size_t i = 0; i < board->memory_count; i++)
        json_array_append_new(array, memory_json(&board->memories[i]));
    return array;
}

static json_t *ports_json(const struct dse_board *board)
{
    json_t *array = json_array();
    for (size_t i = 0; i < board->port_count; i++) {
        const struct dse_port *p = &board->ports[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", p->name, "memory", p->memory,
                                               "count", (json_int_t)p->count, "width_bits",
                                               (json_int_t)p->width_bits, "max_burst_beats",
                                               (json_int_t)p->max_burst_beats));
    }
    return array;
}

static json_t *clocks_json(const struct dse_board *board)
{
    json_t *caps = json_array();
    for (size_t i = 0; i < board->cap_count; i++)
        json_array_append_new(caps, json_pack("{s:f, s:o}", "clock_hz", board->caps[i].clock_hz, "utilisation",
                                              shares_json(board->caps[i].utilisation)));
    return json_pack("{s:f, s:f, s:o}", "default_hz", board->default_clock_hz, "max_hz",
                     board->max_clock_hz, "caps", caps);
}

static json_t *sources_json(const struct dse_board *board)
{
    json_t *array = json_array();
    for (size_t i = 0; i < board->source_count; i++)
        json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "id", board->sources[i].id, "evidence",
                                               board->sources[i].evidence, "text", board->sources[i].text));
    return array;
}

static json_t *provenance_json(const struct dse_board *board)
{
    json_t *array = json_array();
    for (size_t i = 0; i < board->fact_count; i++) {
        const struct dse_board_fact *f = &board->facts[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "value", f->what, "source", f->source->id,
                                               "evidence", f->source->evidence, "note", f->note));
    }
    return array;
}

static json_t *alternatives_json(const struct dse_board *board)
{
    json_t *array = json_array();
    for (size_t i = 0; i < board->alternative_count; i++) {
        const struct dse_board_alternative *a = &board->alternatives[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "value", a->what, "instead", a->value,
                                               "source", a->source->id, "why_not", a->why));
    }
    return array;
}

/* What a list says of a board. */
static json_t *entry_json(const struct dse_board *board)
{
    int64_t limits[DSE_RESOURCE_COUNT];
    dse_board_limits(board, -1, limits);
    json_t *aliases = json_array();
    for (size_t i = 0; i < board->alias_count; i++)
        json_array_append_new(aliases, json_string(board->aliases[i]));
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:I, s:I, s:o, s:o, s:f, s:f}", "name", board->name,
                     "title", board->title, "aliases", aliases, "part", board->part, "family", board->family,
                     "dsp_type", board->dsp_type, "process_nm", (json_int_t)board->process_nm, "slrs",
                     (json_int_t)board->slrs, "chip", counts_json(board->chip), "limits",
                     counts_json(limits), "sustained_bytes_per_s", total_sustained(board),
                     "default_clock_hz", board->default_clock_hz);
}

static json_t *board_json(const struct dse_board *board)
{
    json_t *object = json_pack("{s:s}", "schema", "nysx-dse.board/1");
    json_t *entry = entry_json(board);
    json_object_update(object, entry);
    json_decref(entry);
    json_object_set_new(object, "platform", counts_json(board->platform));
    json_object_set_new(object, "headroom", shares_json(board->headroom));
    json_object_set_new(object, "memories", memories_json(board));
    json_object_set_new(object, "ports", ports_json(board));
    json_object_set_new(object, "clocks", clocks_json(board));
    json_object_set_new(object, "static_power_w", band_json(board->static_power_w, board->static_power_low_w,
                                                            board->static_power_high_w));
    json_object_set_new(object, "ps_power_w",
                        isnan(board->ps_power_w) ? json_null()
                                                 : band_json(board->ps_power_w, board->ps_power_low_w,
                                                             board->ps_power_high_w));
    json_object_set_new(object, "sources", sources_json(board));
    json_object_set_new(object, "provenance", provenance_json(board));
    json_object_set_new(object, "alternatives", alternatives_json(board));
    json_object_set_new(object, "file", json_string(board->file));
    return object;
}

static void add_boards_json(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                            json_t *(*form)(const struct dse_board *))
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, form(boards[i]));
    dse_json_add(out, json_pack("{s:s, s:o}", "schema", "nysx-dse.boards/1", "boards", array));
}

/* ---- CSV ---- */

static void list_csv(struct dse_strbuf *out, struct dse_board *const *boards, size_t count)
{
    dse_strbuf_add(out, "name,title,part,family,dsp_type,process_nm,slrs");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, ",chip_%s,limit_%s", dse_resource_names[r], dse_resource_names[r]);
    dse_strbuf_add(out, ",sustained_bytes_per_s,default_clock_hz\n");
    for (size_t i = 0; i < count; i++) {
        const struct dse_board *b = boards[i];
        int64_t limits[DSE_RESOURCE_COUNT];
        dse_board_limits(b, -1, limits);
        const char *const words[] = {b->name, b->title, b->part, b->family, b->dsp_type};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            dse_csv_field(out, words[w]);
            dse_strbuf_add(out, ",");
        }
        dse_strbuf_printf(out, "%lld,%lld", (long long)b->process_nm, (long long)b->slrs);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            dse_strbuf_printf(out, ",%lld,%lld", (long long)b->chip[r], (long long)limits[r]);
        dse_strbuf_printf(out, ",%.12g,%.12g\n", total_sustained(b), b->default_clock_hz);
    }
}

/* The leaves of a JSON object as rows "board,path,value". */
static void add_leaves(struct dse_strbuf *out, const char *board, const char *path, const json_t *value)
{
    struct dse_strbuf inner = {0};
    if (json_is_object(value)) {
        const char *key;
        json_t *child;
        json_object_foreach((json_t *)(uintptr_t)value, key, child) {
            inner.length = 0;
            dse_strbuf_printf(&inner, "%s%s%s", path, *path != '\0' ? "." : "", key);
            add_leaves(out, board, dse_strbuf_text(&inner), child);
        }
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            inner.length = 0;
            dse_strbuf_printf(&inner, "%s.%zu", path, i);
            add_leaves(out, board, dse_strbuf_text(&inner), json_array_get(value, i));
        }
    } else {
        dse_csv_field(out, board);
        dse_strbuf_add(out, ",");
        dse_csv_field(out, path);
        dse_strbuf_add(out, ",");
        if (json_is_string(value))
            dse_csv_field(out, json_string_value(value));
        else if (json_is_integer(value))
            dse_strbuf_printf(out, "%lld", (long long)json_integer_value(value));
        else if (json_is_real(value))
            dse_strbuf_printf(out, "%.12g", json_real_value(value));
        dse_strbuf_add(out, "\n");
    }
    out->failed = out->failed || inner.failed;
    dse_strbuf_free(&inner);
}

static void show_csv(struct dse_strbuf *out, struct dse_board *const *boards, size_t count)
{
    dse_strbuf_add(out, "board,key,value\n");
    for (size_t i = 0; i < count; i++) {
        json_t *object = board_json(boards[i]);
        add_leaves(out, boards[i]->name, "", object);
        json_decref(object);
    }
}

/* ---- tables ---- */

static void list_table(struct dse_strbuf *out, struct dse_board *const *boards, size_t count, size_t width)
{
    static const enum dse_resource shown[] = {DSE_BRAM18, DSE_URAM, DSE_DSP, DSE_LUT, DSE_FF};
    static const char *const headings[] = {"BRAM18", "URAM", "DSP", "LUT", "FF", "memory"};
    struct dse_table table = {0};
    dse_table_column(&table, "board", false);
    dse_table_column(&table, "part", false);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        dse_table_column(&table, headings[i], true);
    dse_table_column(&table, "title", false);
    for (size_t i = 0; i < count; i++) {
        const struct dse_board *b = boards[i];
        int64_t limits[DSE_RESOURCE_COUNT];
        char text[32];
        dse_board_limits(b, -1, limits);
        dse_table_cell(&table, "%s", b->name);
        dse_table_cell(&table, "%s", b->part);
        for (size_t r = 0; r < sizeof shown / sizeof *shown; r++)
            dse_table_cell(&table, "%s", dse_count_format(text, sizeof text, limits[shown[r]]));
        dse_table_cell(&table, "%.1f GB/s", total_sustained(b) / 1e9);
        dse_table_cell(&table, "%s", b->title);
    }
    out->failed |= table.failed;
    dse_table_write(&table, width, out);
    dse_table_free(&table);
    dse_strbuf_add(out, "\nCounts are what a kernel may use; memory is the sustained rate of all channels.\n");
}

static void resources_table(struct dse_strbuf *out, const struct dse_board *b)
{
    int64_t limits[DSE_RESOURCE_COUNT];
    dse_board_limits(b, -1, limits);
    dse_strbuf_printf(out, "\n%-10s %12s %12s %9s %12s\n", "resource", "chip", "platform", "headroom", "usable");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        char chip[32], platform[32], usable[32];
        dse_strbuf_printf(out, "%-10s %12s %12s %8.0f%% %12s\n", dse_resource_names[r],
                          dse_count_format(chip, sizeof chip, b->chip[r]),
                          dse_count_format(platform, sizeof platform, b->platform[r]), 100 * b->headroom[r],
                          dse_count_format(usable, sizeof usable, limits[r]));
    }
}

static void memories_table(struct dse_strbuf *out, const struct dse_board *b)
{
    for (size_t i = 0; i < b->memory_count; i++) {
        const struct dse_memory *m = &b->memories[i];
        char size[32];
        double bytes_a_transfer = (double)m->channels * (double)m->width_bits / 8;
        dse_strbuf_printf(out, "\n%s \"%s\": %s, %lld x %lld bit, %s\n", kind_titles[m->kind], m->name,
                          m->technology, (long long)m->channels, (long long)m->width_bits,
                          dse_quantity_format(size, sizeof size, DSE_DIMENSION_BYTES, (double)m->capacity_bytes));
        dse_strbuf_printf(out, "  rate        %.1f GB/s preset, %.1f GB/s nominal\n",
                          bytes_a_transfer * m->preset_transfers_hz / 1e9,
                          bytes_a_transfer * m->nominal_transfers_hz / 1e9);
        dse_strbuf_printf(out, "  sustained   %.1f GB/s: %.1f%% (%.1f to %.1f) of the preset\n",
                          dse_memory_sustained_bytes_per_s(m) / 1e9, 100 * m->efficiency,
                          100 * m->efficiency_low, 100 * m->efficiency_high);
        dse_strbuf_printf(out, "  read        %.0f ns (%.0f to %.0f) idle\n", 1e9 * m->read_latency_s,
                          1e9 * m->read_latency_low_s, 1e9 * m->read_latency_high_s);
        dse_strbuf_printf(out, "  energy      %.3g pJ/bit (%.3g to %.3g)\n", 1e12 * m->energy_j_per_bit,
                          1e12 * m->energy_low_j_per_bit, 1e12 * m->energy_high_j_per_bit);
        for (size_t k = 0; k < b->port_count; k++)
            if (strcmp(b->ports[k].memory, m->name) == 0)
                dse_strbuf_printf(out, "  port        %s: %lld x %lld bit, bursts of %lld at most\n",
                                  b->ports[k].name, (long long)b->ports[k].count,
                                  (long long)b->ports[k].width_bits, (long long)b->ports[k].max_burst_beats);
    }
}

static void clocks_table(struct dse_strbuf *out, const struct dse_board *b)
{
    dse_strbuf_printf(out,
                      "\nclock %.0f MHz by default, %.0f MHz at most; share of the usable resources up to a clock:\n",
                      b->default_clock_hz / 1e6, b->max_clock_hz / 1e6);
    dse_strbuf_printf(out, "%9s", "MHz");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, " %7s", dse_resource_names[r]);
    dse_strbuf_add(out, "\n");
    for (size_t i = 0; i < b->cap_count; i++) {
        dse_strbuf_printf(out, "%9.0f", b->caps[i].clock_hz / 1e6);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            dse_strbuf_printf(out, " %6.0f%%", 100 * b->caps[i].utilisation[r]);
        dse_strbuf_add(out, "\n");
    }
    dse_strbuf_printf(out, "\nstatic power %.3g W (%.3g to %.3g)", b->static_power_w, b->static_power_low_w,
                      b->static_power_high_w);
    if (!isnan(b->ps_power_w))
        dse_strbuf_printf(out, "; processing system %.3g W (%.3g to %.3g)", b->ps_power_w, b->ps_power_low_w,
                          b->ps_power_high_w);
    dse_strbuf_add(out, "\n");
}

static void sources_table(struct dse_strbuf *out, const struct dse_board *b)
{
    dse_strbuf_add(out, "\nsources\n");
    for (size_t i = 0; i < b->fact_count; i++) {
        const struct dse_board_fact *f = &b->facts[i];
        dse_strbuf_printf(out, "  %-28s %-16s %s%s%s\n", f->what, f->source->evidence, f->source->text,
                          f->note[0] != '\0' ? ". " : "", f->note);
        for (size_t k = 0; k < b->alternative_count; k++)
            if (strcmp(b->alternatives[k].what, f->what) == 0)
                dse_strbuf_printf(out, "  %-28s %-16s %s: %s\n", "", "elsewhere", b->alternatives[k].value,
                                  b->alternatives[k].why);
    }
}

static void show_table(struct dse_strbuf *out, const struct dse_board *b)
{
    dse_strbuf_printf(out, "%s: %s\n%s, %s, %s, %lld nm, %lld SLR\n", b->name, b->title, b->part, b->family,
                      b->dsp_type, (long long)b->process_nm, (long long)b->slrs);
    resources_table(out, b);
    memories_table(out, b);
    clocks_table(out, b);
    sources_table(out, b);
}

void dse_boards_list(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                     enum dse_format format, size_t width)
{
    switch (format) {
    case DSE_FORMAT_JSON: add_boards_json(out, boards, count, entry_json); break;
    case DSE_FORMAT_CSV: list_csv(out, boards, count); break;
    case DSE_FORMAT_TABLE: list_table(out, boards, count, width); break;
    }
}

void dse_boards_show(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                     enum dse_format format, size_t width)
{
    (void)width; /* it is wrapped where it is printed */
    switch (format) {
    case DSE_FORMAT_JSON:
        if (count == 1)
            dse_json_add(out, board_json(boards[0]));
        else
            add_boards_json(out, boards, count, board_json);
        break;
    case DSE_FORMAT_CSV: show_csv(out, boards, count); break;
    case DSE_FORMAT_TABLE:
        for (size_t i = 0; i < count; i++) {
            dse_strbuf_add(out, i > 0 ? "\n\n" : "");
            show_table(out, boards[i]);
        }
        break;
    }
}

json_t *dse_lines_json(const char *lines)
{
    json_t *array = json_array();
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        json_array_append_new(array, json_stringn(lines, length));
        lines += length + (lines[length] == '\n');
    }
    return array;
}

void dse_board_imported(struct dse_strbuf *out, const struct dse_board *board, const char *warnings)
{
    json_t *object = board_json(board);
    json_object_set_new(object, "warnings", dse_lines_json(warnings));
    dse_json_add(out, object);
}
