#include "reports/doctor.h"

#include "core/memory.h"
#include "reports/schema.h"
#include "reports/fields.h"

struct row {
    const char *name, *purpose, *path, *remedy;
    bool there;
};

#define ROW(member) offsetof(struct row, member)

const struct dse_field dse_fields_doctor[] = {
    DSE_FIELD("tool", "tool", TEXT, ROW(name)),
    DSE_FIELD("found", "found", FLAG, ROW(there)),
    DSE_FIELD("purpose", "purpose", TEXT, ROW(purpose)),
    DSE_FIELD("path", NULL, TEXT, ROW(path)),
    DSE_FIELD("remedy", NULL, TEXT, ROW(remedy)),
    {0}};

static struct row *rows_of(const struct dse_tool *tools, size_t count)
{
    struct row *rows = dse_calloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct row){tools[i].name, tools[i].purpose, *tools[i].found != '\0' ? tools[i].found : NULL, tools[i].remedy, *tools[i].found != '\0'};
    return rows;
}

void dse_tools_write(const struct dse_tool *tools, size_t count, size_t width, struct dse_strbuf *out)
{
    struct row *rows DSE_CLEANUP(dse_free_at) = rows_of(tools, count);
    size_t missing = 0;
    dse_fields_write(dse_fields_doctor, rows, count, sizeof *rows, width, out);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].there)
            continue;
        dse_strbuf_printf(out, "%s%s: %s\n", missing++ == 0 ? "\nTo install the missing tools:\n" : "", rows[i].name, rows[i].remedy);
    }
    dse_strbuf_printf(out, "\n%zu of %zu are installed; exploring, training and emitting need none of them.\n", count - missing, count);
}

json_t *dse_tools_json(const struct dse_tool *tools, size_t count)
{
    struct row *rows DSE_CLEANUP(dse_free_at) = rows_of(tools, count);
    return dse_fields_list(dse_fields_doctor, rows, count, sizeof *rows);
}

void dse_tools_csv(const struct dse_tool *tools, size_t count, struct dse_strbuf *out)
{
    struct row *rows DSE_CLEANUP(dse_free_at) = rows_of(tools, count);
    dse_fields_csv(dse_fields_doctor, rows, count, sizeof *rows, out);
}
