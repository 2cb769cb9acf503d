#include "reports/check.h"

#include "emit/check.h"
#include "reports/json.h"
#include "reports/table.h"
#include "reports/terminal.h"

static void add_number(struct dse_table *table, bool known, long number, const char *otherwise)
{
    if (known)
        dse_table_cell(table, "%ld", number);
    else
        dse_table_text(table, otherwise);
}

static void write_loops(const json_t *report, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    dse_table_columns(&table, "loop|claimed II>|bound II>|up to MHz>|depth>|trips>|bound by");
    for (size_t i = 0; i < json_array_size(json_object_get(report, "loops")); i++) {
        struct dse_check_loop loop = dse_check_loop_at(report, i);
        dse_table_text(&table, loop.name);
        add_number(&table, loop.claimed_ii > 0, loop.claimed_ii, "none");
        dse_table_cell(&table, "%ld", loop.bound_ii);
        add_number(&table, loop.clock_mhz > 0.0, (long)loop.clock_mhz, "any");
        dse_table_cell(&table, "%ld", loop.depth);
        add_number(&table, loop.trips >= 0, loop.trips, "?");
        dse_table_text(&table, loop.by);
    }
    dse_table_finish(&table, dse_terminal_width(), out);
}

/* The loop that limits the clock, with the design's clock. */
static void write_clock(const json_t *report, struct dse_strbuf *out)
{
    struct dse_check_loop slowest = {0};
    for (size_t i = 0; i < json_array_size(json_object_get(report, "loops")); i++) {
        struct dse_check_loop loop = dse_check_loop_at(report, i);
        if (loop.claimed_ii > 0 && loop.clock_mhz > 0.0 && (slowest.name == NULL || loop.clock_mhz < slowest.clock_mhz))
            slowest = loop;
    }
    if (slowest.name != NULL)
        dse_strbuf_printf(out, "\nclock: %.0f MHz; by the operators' delays, every loop keeps its II up to %.0f MHz (%s)\n",
                          json_number_value(json_object_get(report, "clock_mhz")), slowest.clock_mhz, slowest.name);
}

void dse_check_write(json_t *report, enum dse_format format, struct dse_strbuf *out)
{
    static const char *const lists[][2] = {{"errors", "error"}, {"unanalysed", "not analysed"}};
    if (format == DSE_FORMAT_JSON) {
        dse_json_add(out, json_incref(report));
        return;
    }
    if (format == DSE_FORMAT_CSV) {
        dse_json_csv(out, json_object_get(report, "loops"));
        return;
    }
    write_loops(report, out);
    write_clock(report, out);
    for (size_t l = 0; l < 2; l++) {
        const json_t *lines = json_object_get(report, lists[l][0]);
        for (size_t i = 0; i < json_array_size(lines); i++)
            dse_strbuf_printf(out, "%s%s: %s\n", i == 0 ? "\n" : "", lists[l][1], json_string_value(json_array_get(lines, i)));
    }
}
