#include "reports/check.h"

#include "emit/check.h"
#include "reports/json.h"
#include "reports/table.h"

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
    dse_table_columns(&table, "loop|claimed II>|bound II>|depth>|trips>|bound by");
    for (size_t i = 0; i < json_array_size(json_object_get(report, "loops")); i++) {
        struct dse_check_loop loop = dse_check_loop_at(report, i);
        dse_table_text(&table, loop.name);
        add_number(&table, loop.claimed_ii > 0, loop.claimed_ii, "none");
        dse_table_cell(&table, "%ld", loop.bound_ii);
        dse_table_cell(&table, "%ld", loop.depth);
        add_number(&table, loop.trips >= 0, loop.trips, "?");
        dse_table_text(&table, loop.by);
    }
    dse_table_finish(&table, 0, out);
}

void dse_check_write(json_t *report, enum dse_format format, struct dse_strbuf *out)
{
    static const char *const lists[][2] = {{"errors", "error"}, {"unanalysed", "not analysed"}};
    if (format == DSE_FORMAT_JSON) {
        dse_json_add(out, json_incref(report));
        return;
    }
    write_loops(report, out);
    for (size_t l = 0; l < 2; l++) {
        const json_t *lines = json_object_get(report, lists[l][0]);
        for (size_t i = 0; i < json_array_size(lines); i++)
            dse_strbuf_printf(out, "%s%s: %s\n", i == 0 ? "\n" : "", lists[l][1], json_string_value(json_array_get(lines, i)));
    }
}
