#include "reports/boards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/units.h"
#include "devices/hosts.h"
#include "reports/fields.h"
#include "reports/json.h"
#include "reports/schema.h"

static const char *const kind_titles[] = {
    [DSE_MEMORY_PS_DDR] = "PS memory", [DSE_MEMORY_PL_DDR] = "PL memory", [DSE_MEMORY_HBM] = "HBM"};

/* Sustained bytes per second of all memories of a board. */
static double total_sustained(const struct dse_board *board)
{
    double sum = 0;
    for (size_t i = 0; i < board->memory_count; i++)
        sum += dse_memory_sustained_bytes_per_s(&board->memories[i]);
    return sum;
}

/* ---- fields ---- */

#define AT(type, member) offsetof(struct dse_##type, member)

const struct dse_field dse_fields_board_port[] = {
    DSE_FIELD("name", NULL, TEXT, AT(port, name)),
    DSE_FIELD("memory", NULL, TEXT, AT(port, memory)),
    DSE_FIELD("count", NULL, WHOLE, AT(port, count)),
    DSE_FIELD("width_bits", NULL, WHOLE, AT(port, width_bits)),
    DSE_FIELD("max_burst_beats", NULL, WHOLE, AT(port, max_burst_beats)),
    {0},
};

const struct dse_field dse_fields_board_source[] = {
    DSE_FIELD("id", NULL, TEXT, AT(board_source, id)),
    DSE_FIELD("evidence", NULL, TEXT, AT(board_source, evidence)),
    DSE_FIELD("text", NULL, TEXT, AT(board_source, text)),
    {0},
};

/* Row of a board in the list. */
struct board_row {
    const char *name, *title, *part, *family, *dsp_type;
    int64_t process_nm, slrs, limits[DSE_RESOURCE_COUNT];
    double sustained_bytes_per_s, sustained_gb_per_s, default_clock_hz;
    json_t *aliases, *chip, *usable;
};
#define ROW(member) offsetof(struct board_row, member)

static const struct dse_field board_fields[] = {
    DSE_FIELD("name", "board", TEXT, ROW(name)),
    DSE_FIELD("title", NULL, TEXT, ROW(title)),
    DSE_FIELD("aliases", NULL, JSON, ROW(aliases)),
    DSE_FIELD("part", "part", TEXT, ROW(part)),
    DSE_FIELD("family", NULL, TEXT, ROW(family)),
    DSE_FIELD("dsp_type", NULL, TEXT, ROW(dsp_type)),
    DSE_FIELD("process_nm", NULL, WHOLE, ROW(process_nm)),
    DSE_FIELD("slrs", NULL, WHOLE, ROW(slrs)),
    DSE_FIELD("", "BRAM18", WHOLE, ROW(limits[DSE_BRAM18])),
    DSE_FIELD("", "URAM", WHOLE, ROW(limits[DSE_URAM])),
    DSE_FIELD("", "DSP", WHOLE, ROW(limits[DSE_DSP])),
    DSE_FIELD("", "LUT", WHOLE, ROW(limits[DSE_LUT])),
    DSE_FIELD("", "FF", WHOLE, ROW(limits[DSE_FF])),
    DSE_FIELD("chip", NULL, JSON, ROW(chip)),
    DSE_FIELD("limits", NULL, JSON, ROW(usable)),
    DSE_FIELD("", "memory", REAL, ROW(sustained_gb_per_s), .format = "%.1f GB/s"),
    DSE_FIELD("", "title", TEXT, ROW(title)),
    {0},
};
static const struct dse_field rate_fields[] = { /* follow each resource in CSV */
    DSE_FIELD("sustained_bytes_per_s", NULL, REAL, ROW(sustained_bytes_per_s), .unit = DSE_DIMENSION_BANDWIDTH, .csv = "%.12g"),
    DSE_FIELD("default_clock_hz", NULL, REAL, ROW(default_clock_hz), .unit = DSE_DIMENSION_FREQUENCY, .csv = "%.12g"),
    {0},
};

static void fill_row(const struct dse_board *b, struct board_row *row)
{
    *row = (struct board_row){b->name, b->title, b->part, b->family, b->dsp_type, b->process_nm, b->slrs, {0}, total_sustained(b),
                              total_sustained(b) / 1e9, b->default_clock_hz, NULL, NULL, NULL};
    dse_board_limits(b, -1, row->limits);
}

/* ---- JSON ---- */

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

static json_t *clocks_json(const struct dse_board *board)
{
    json_t *caps = json_array();
    for (size_t i = 0; i < board->cap_count; i++)
        json_array_append_new(caps, json_pack("{s:f, s:o}", "clock_hz", board->caps[i].clock_hz, "utilisation",
                                              shares_json(board->caps[i].utilisation)));
    return json_pack("{s:f, s:f, s:o}", "default_hz", board->default_clock_hz, "max_hz",
                     board->max_clock_hz, "caps", caps);
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

/* A board's entry in the list. */
static json_t *entry_json(const struct dse_board *board)
{
    struct board_row row;
    fill_row(board, &row);
    row.aliases = json_array();
    row.chip = dse_json_resources(board->chip);
    row.usable = dse_json_resources(row.limits);
    for (size_t i = 0; i < board->alias_count; i++)
        json_array_append_new(row.aliases, json_string(board->aliases[i]));
    json_t *object = dse_fields_json(board_fields, &row);
    dse_fields_put(rate_fields, &row, object);
    return object;
}

/* Opens the host paths available to a board; their file was checked when the board was opened. */
static void open_hosts(const struct dse_board *board, struct dse_host_paths *out)
{
    struct dse_error read;
    size_t kept = 0;
    if (dse_host_paths_open(out, &read) != DSE_OK)
        return;
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].on == dse_host_place(board))
            out->items[kept++] = out->items[i];
    out->count = kept;
}

static json_t *hosts_json(const struct dse_board *board)
{
    struct dse_host_paths paths DSE_CLEANUP(dse_host_paths_free) = {0};
    json_t *array = json_array();
    open_hosts(board, &paths);
    for (const struct dse_host_path *path = paths.items; path < paths.items + paths.count; path++) {
        json_t *steps = json_array();
        for (const struct dse_host_step *s = path->steps; s < path->steps + path->step_count; s++)
            json_array_append_new(steps, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:s, s:s, s:s}", "name", s->name, "each", dse_host_each_names[s->each], "flow", dse_host_flow_names[s->flow],
                                                   "times", s->times, "times_queued", s->queued, "s", s->s, "s_low", s->low_s, "s_high", s->high_s, "evidence", s->evidence,
                                                   "source", s->source, "note", s->note));
        json_array_append_new(array, json_pack("{s:s, s:s, s:o, s:o}", "name", path->name, "title", path->title, "processor_power_w",
                                               dse_json_number(path->power_w), "steps", steps));
    }
    return array;
}

static json_t *board_json(const struct dse_board *board)
{
    json_t *object = json_pack("{s:s}", "schema", "nysx-dse.board/1"), *entry = entry_json(board);
    json_object_update_new(object, entry);
    json_object_set_new(object, "hosts", hosts_json(board));
    json_object_update_new(object, json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "platform", dse_json_resources(board->platform), "headroom",
        shares_json(board->headroom), "memories", memories_json(board), "ports",
        dse_fields_list(dse_fields_board_port, board->ports, board->port_count, sizeof *board->ports), "clocks", clocks_json(board), "static_power_w",
        band_json(board->static_power_w, board->static_power_low_w, board->static_power_high_w), "ps_power_w",
        isnan(board->ps_power_w) ? json_null() : band_json(board->ps_power_w, board->ps_power_low_w, board->ps_power_high_w), "sources",
        dse_fields_list(dse_fields_board_source, board->sources, board->source_count, sizeof *board->sources), "provenance", provenance_json(board),
        "alternatives", alternatives_json(board), "file", board->file));
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
    dse_fields_keys(board_fields, out);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, ",chip_%s,limit_%s", dse_resource_names[r], dse_resource_names[r]);
    dse_strbuf_add(out, ",");
    dse_fields_csv(rate_fields, NULL, 0, 0, out);
    for (size_t i = 0; i < count; i++) {
        struct board_row row;
        fill_row(boards[i], &row);
        dse_fields_values(board_fields, &row, out);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            dse_strbuf_printf(out, ",%lld,%lld", (long long)boards[i]->chip[r], (long long)row.limits[r]);
        dse_strbuf_add(out, ",");
        dse_fields_values(rate_fields, &row, out);
        dse_strbuf_add(out, "\n");
    }
}

/* Adds the leaves of a JSON object as rows "board,path,value". */
static void add_leaves(struct dse_strbuf *out, const char *board, const char *path, json_t *value)
{
    struct dse_strbuf inner DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *key;
    json_t *child;
    size_t i;
    json_object_foreach(value, key, child) {
        inner.length = 0;
        dse_strbuf_printf(&inner, "%s%s%s", path, *path != '\0' ? "." : "", key);
        add_leaves(out, board, dse_strbuf_text(&inner), child);
    }
    json_array_foreach(value, i, child) {
        inner.length = 0;
        dse_strbuf_printf(&inner, "%s.%zu", path, i);
        add_leaves(out, board, dse_strbuf_text(&inner), child);
    }
    if (json_is_object(value) || json_is_array(value))
        return;
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
    struct board_row *rows DSE_CLEANUP(dse_free_at) = dse_calloc(count, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        fill_row(boards[i], &rows[i]);
    dse_fields_write(board_fields, rows, count, sizeof *rows, width, out);
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
        dse_strbuf_printf(out, "  read        %.0f ns (%.0f to %.0f) idle latency\n", 1e9 * m->read_latency_s,
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

/* Time and source of each step of each host path. */
static void hosts_table(struct dse_strbuf *out, const struct dse_board *b)
{
    struct dse_host_paths paths DSE_CLEANUP(dse_host_paths_free) = {0};
    char value[32], low[32], high[32], queued[40];
    open_hosts(b, &paths);
    for (const struct dse_host_path *path = paths.items; path < paths.items + paths.count; path++) {
        dse_strbuf_printf(out, "\nhost %s: %s\n", path->name, path->title);
        for (const struct dse_host_step *s = path->steps; s < path->steps + path->step_count; s++) {
            snprintf(queued, sizeof queued, s->queued != s->times ? " (of a queue: %g)" : "", s->queued);
            dse_strbuf_printf(out, "  %-20s %g per %-6s%s%s%s %s (%s to %s), %s: %s%s%s\n", s->name, s->times, dse_host_each_names[s->each], queued, s->flow != 0 ? " in " : "", s->flow != 0 ? dse_host_flow_names[s->flow] : "",
                              dse_quantity_format(value, sizeof value, DSE_DIMENSION_TIME, s->s),
                              dse_quantity_format(low, sizeof low, DSE_DIMENSION_TIME, s->low_s),
                              dse_quantity_format(high, sizeof high, DSE_DIMENSION_TIME, s->high_s), s->evidence, s->source,
                              s->note[0] != '\0' ? ". " : "", s->note);
        }
    }
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
    hosts_table(out, b);
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
    (void)width; /* wrapped when printed */
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
