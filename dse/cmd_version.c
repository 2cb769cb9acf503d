/* `nysx-dse version`: the build and its libraries. */
#include <glpk.h>
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <pcre2.h>
#include <sqlite3.h>
#include <zip.h>

#include "core/strbuf.h"
#include "core/version.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "reports/fields.h"
#include "reports/json.h"

struct row {
    const char *name, *version;
};

static const struct dse_field fields[] = {
    DSE_FIELD("name", "name", TEXT, offsetof(struct row, name)),
    DSE_FIELD("version", "version", TEXT, offsetof(struct row, version)),
    {0}};

enum dse_status dse_run_version(const struct dse_cli *cli, struct dse_error *err)
{
    char pcre2[64] = "";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    const struct row rows[] = {{"nysx-dse", DSE_VERSION}, {"GLPK", glp_version()}, {"libxml2", LIBXML_DOTTED_VERSION}, {"PCRE2", pcre2},
                               {"SQLite", sqlite3_libversion()}, {"libzip", zip_libzip_version()}, {"Jansson", JANSSON_VERSION}};
    const size_t count = sizeof rows / sizeof *rows;
    struct dse_strbuf text = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_json_add(&text, json_pack("{s:s, s:s, s:o}", "schema", "nysx-dse.version/1", "version", DSE_VERSION, "results",
                                      dse_fields_list(fields, rows, count, sizeof *rows)));
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        dse_fields_csv(fields, rows, count, sizeof *rows, &text);
    else
        for (size_t i = 0; i < count; i++)
            dse_strbuf_printf(&text, "%s%s %s", i == 0 ? "" : i == 1 ? "\n" : ", ", rows[i].name, rows[i].version);
    if (dse_cli_format(cli) == DSE_FORMAT_TABLE)
        dse_strbuf_add(&text, "\n");
    return dse_output_text(cli, &text, err);
}
