/* `nysx-dse calibrate`: what synthesis reports say. */
#include <stdlib.h>

#include "core/strbuf.h"
#include "dse/commands.h"
#include "dse/report_forms.h"

static enum dse_status read_rows(const struct dse_cli *cli, struct dse_report_row **out, size_t *count,
                                 struct dse_error *err)
{
    *count = dse_cli_operand_count(cli);
    if (*count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: needs at least one report");
    struct dse_report_row *rows = calloc(*count, sizeof *rows);
    if (rows == NULL)
        return dse_fail_memory(err);
    *out = rows;
    for (size_t i = 0; i < *count; i++) {
        rows[i].file = dse_cli_operand(cli, i);
        enum dse_status status = dse_report_read(rows[i].file, &rows[i].report, &rows[i].error);
        if (status == DSE_LIMIT)
            return dse_fail(err, status, "%s", rows[i].error.message);
    }
    return DSE_OK;
}

/* DSE_BAD_INPUT, with the first reason, where any report was refused. */
static enum dse_status verdict(const struct dse_report_row *rows, size_t count, struct dse_error *err)
{
    size_t refused = 0, first = 0;
    for (size_t i = count; i-- > 0;)
        if (rows[i].report == NULL) {
            refused++;
            first = i;
        }
    if (refused == 0)
        return DSE_OK;
    if (refused == 1)
        return dse_fail(err, DSE_BAD_INPUT, "%s", rows[first].error.message);
    return dse_fail(err, DSE_BAD_INPUT, "%s (and %zu more of %zu reports)", rows[first].error.message,
                    refused - 1, count);
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_report_row *rows = NULL;
    size_t count = 0;
    enum dse_status status = read_rows(cli, &rows, &count, err);
    if (status == DSE_OK) {
        struct dse_strbuf text = {0};
        dse_report_rows_write(&text, rows, count, dse_cli_format(cli), NULL);
        status = text.failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(&text), err);
        dse_strbuf_free(&text);
    }
    if (status == DSE_OK)
        status = verdict(rows, count, err);
    for (size_t i = 0; rows != NULL && i < count; i++)
        dse_report_free(rows[i].report);
    free(rows);
    return status;
}

const struct dse_command dse_cmd_calibrate = {
    .name = "calibrate",
    .summary = "what synthesis reports say: clock, cycles, resources, slack",
    .operands = "REPORT …",
    .details =
        "Reads csynth.xml and csynth.rpt of Vivado HLS and Vitis HLS, report_utilization, report_timing_summary and "
        "report_power of Vivado, system estimates of Vitis and co-simulation reports. What a file is follows from "
        "what stands in it. BRAM is counted in 18 Kb halves; what a report does not say stays empty (null). A file "
        "that cannot be read does not keep the others from being read: its row says why, and the exit code is 3.\n"
        "\n"
        "Example: nysx-dse calibrate --format json csynth.xml top_utilization_routed.rpt",
    .run = run,
};
