/* `nysx-dse schema`: the JSON Schema of an answer. */
#include <stdlib.h>

#include "core/file.h"
#include "core/memory.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "reports/json.h"
#include "reports/schema.h"

static enum dse_status list(const struct dse_cli *cli, struct dse_error *err)
{
    const char **names DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = dse_schema_names(&names);
    json_t *results = json_array();
    struct dse_strbuf text = {0};
    dse_strbuf_add(&text, dse_cli_format(cli) == DSE_FORMAT_CSV ? "name\n" : "");
    for (size_t i = 0; i < count; i++) {
        dse_strbuf_printf(&text, "%s\n", names[i]);
        json_array_append_new(results, json_pack("{s:s}", "name", names[i]));
    }
    if (dse_cli_format(cli) != DSE_FORMAT_JSON) {
        json_decref(results);
        return dse_output_text(cli, &text, err);
    }
    dse_strbuf_free(&text);
    return dse_output_json(cli, "nysx-dse.schemas/1", results, false, err);
}

enum dse_status dse_run_schema(const struct dse_cli *cli, struct dse_error *err)
{
    json_t *schema = NULL;
    DSE_TEXT(text);
    if (dse_cli_operand_count(cli) == 0)
        return list(cli, err);
    if (dse_cli_operand_count(cli) > 1)
        return dse_fail(err, DSE_BAD_USAGE, "schema: takes one name; `schema` lists them");
    DSE_TRY(dse_schema_json(dse_cli_operand(cli, 0), &schema, err));
    dse_json_add(&text, schema);
    return dse_cli_value(cli, "output") != NULL ? dse_file_write(dse_cli_value(cli, "output"), text.text, text.length, err) : dse_cli_put(text.text, err);
}
