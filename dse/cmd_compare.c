/* `nysx-dse compare`: machines side by side for one data set. */
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/compare.h"
#include "reports/compare.h"
#include "reports/json.h"
#include "reports/terminal.h"

#define PRICES_MAX 64

struct prices {
    struct dse_board_price items[PRICES_MAX]; /* count */
    char names[PRICES_MAX][64];
    size_t count;
};

static enum dse_status read_prices(const struct dse_cli *cli, struct prices *out, struct dse_error *err)
{
    for (size_t i = 0; i < dse_cli_count(cli, "price"); i++) {
        const char *text = dse_cli_value_at(cli, "price", i), *sign = strchr(text, '=');
        size_t length = sign != NULL ? (size_t)(sign - text) : 0;
        double usd = 0.0;
        if (length == 0 || length >= sizeof out->names[0] || dse_number_real(sign + 1, &usd) != DSE_NUMBER_READ || !(usd > 0.0) || i == PRICES_MAX)
            return dse_fail(err, DSE_BAD_USAGE, "--price %s: must be BOARD=DOLLARS, above 0", text);
        memcpy(out->names[i], text, length);
        out->items[out->count++] = (struct dse_board_price){out->names[i], usd};
    }
    return DSE_OK;
}

static enum dse_status print(const struct dse_cli *cli, const struct dse_workbench *bench, const struct dse_compared_machines *found, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_json_add(&text, json_pack("{s:s, s:s, s:s, s:o}", "schema", "nysx-dse.compare/1", "family", bench->family->name, "dataset",
                                      bench->profiles[0]->dataset, "results", dse_compare_json(found)));
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        dse_compare_csv(found, &text);
    else
        dse_compare_write(found, dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}

enum dse_status dse_run_compare(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_workbench bench DSE_CLEANUP(dse_workbench_close) = {0};
    struct dse_compared_machines found DSE_CLEANUP(dse_compared_free) = {0};
    struct prices *prices DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *prices);
    DSE_TRY(read_prices(cli, prices, err));
    DSE_TRY(dse_workbench_open(dse_cli_request(cli), &bench, err));
    DSE_TRY(dse_compare_make(dse_cli_request(cli), &bench, prices->items, prices->count, &found, err));
    return print(cli, &bench, &found, err);
}
