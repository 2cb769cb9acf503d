/* `nysx-dse calibrate`: what synthesis reports say, and cost factors fitted from them. */
#include <stdlib.h>

#include "dse/commands.h"
#include "dse/cost_fit.h"
#include "dse/options.h"
#include "dse/output.h"
#include "explore/workbench.h"
#include "reports/synthesis.h"

static enum dse_status read_rows(const struct dse_cli *cli, struct dse_report_row **out, size_t *count,
                                 struct dse_error *err)
{
    size_t operands = dse_cli_operand_count(cli);
    bool fits = dse_cli_value(cli, "engine") != NULL;
    struct dse_report_row *rows = calloc(operands + 1, sizeof *rows);
    if (rows == NULL)
        return dse_fail_memory(err);
    *out = rows;
    for (size_t i = 0; i < operands; i++) {
        if (fits && dse_cost_fit_is_assignment(dse_cli_operand(cli, i)))
            continue;
        struct dse_report_row *row = &rows[(*count)++];
        row->file = dse_cli_operand(cli, i);
        enum dse_status status = dse_report_read(row->file, &row->report, &row->error);
        if (status == DSE_LIMIT)
            return dse_fail(err, status, "%s", row->error.message);
    }
    return *count > 0 ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "calibrate: needs at least one report");
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

/* A fit keeps -o for its calibration: what it found goes to standard output. */
static enum dse_status write_rows(const struct dse_cli *cli, const struct dse_report_row *rows, size_t count,
                                  struct dse_error *err)
{
    struct dse_strbuf text = {0}, found = {0};
    json_t *fit = NULL;
    bool fits = dse_cli_value(cli, "engine") != NULL;
    enum dse_status status = fits ? dse_cost_fit(cli, rows, count, dse_cli_value(cli, "output"), &found, &fit, err) : DSE_OK;
    switch (dse_cli_format(cli)) {
    case DSE_FORMAT_JSON: dse_synthesis_write_json(&text, rows, count, fit); break;
    case DSE_FORMAT_CSV: dse_synthesis_write_csv(&text, rows, count); break;
    case DSE_FORMAT_TABLE:
        dse_synthesis_write(&text, rows, count);
        dse_strbuf_add(&text, dse_strbuf_text(&found));
        break;
    }
    text.failed |= found.failed;
    if (status == DSE_OK && fits)
        status = dse_output_standard(&text, err);
    else if (status == DSE_OK)
        status = dse_output_text(cli, status, &text, err);
    json_decref(fit);
    dse_strbuf_free(&found);
    dse_strbuf_free(&text);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    static const char *const of_a_fit[] = {"config", "instance", "set", "space", "headroom", "calibration"};
    for (size_t i = 0; i < sizeof of_a_fit / sizeof *of_a_fit; i++)
        if (dse_cli_value(cli, of_a_fit[i]) != NULL && dse_cli_value(cli, "engine") == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "calibrate: --%s goes with --engine", of_a_fit[i]);
    struct dse_report_row *rows = NULL;
    size_t count = 0;
    enum dse_status status = read_rows(cli, &rows, &count, err);
    if (status == DSE_OK)
        status = write_rows(cli, rows, count, err);
    if (status == DSE_OK)
        status = verdict(rows, count, err);
    for (size_t i = 0; rows != NULL && i < count; i++)
        dse_report_free(rows[i].report);
    free(rows);
    return status;
}

static const struct dse_option options[] = {
    {.name = "engine", .argument = "NAME",
     .help = "fit the cost factors of this engine (`all`: the whole design) to the reports; -o takes the calibration"},
    {.name = "config", .argument = "KNOB=VALUE", .repeatable = true,
     .help = "the configuration that the reports are of; as many as reports: one for each (\"a=1 b=2\"), in order"},
    {.name = "instance", .argument = "NAME",
     .help = "the instance or module of each report that counts, in place of its totals"},
    DSE_WORKBENCH_OPTIONS,
};

const struct dse_command dse_cmd_calibrate = {
    .name = "calibrate",
    .summary = "what synthesis reports say, and cost factors fitted from them",
    .operands = "REPORT …",
    .details =
        "Reads csynth.xml and csynth.rpt of Vivado HLS and Vitis HLS, report_utilization, report_timing_summary and "
        "report_power of Vivado, system estimates of Vitis and co-simulation reports. What a file is follows from "
        "what stands in it. BRAM is counted in 18 Kb halves; what a report does not say stays empty (null). A file "
        "that cannot be read does not keep the others from being read: its row says why, and the exit code is 3.\n"
        "\n"
        "With --engine the reports become data points: for each resource and class of costs (operators, adapters, "
        "control, logic, memories) a factor is fitted by least squares within bounds, and the residuals are printed. "
        "Every command takes the calibration by --calibration FILE.xml. HLS estimates and routed reports are never "
        "mixed.\n"
        "\n"
        "Examples:\n"
        "  nysx-dse calibrate --format json csynth.xml top_utilization_routed.rpt\n"
        "  nysx-dse calibrate a.rpt b.rpt --engine nee --dataset MUTAG --config nee.lanes=16 --config nee.lanes=32 "
        "-o nee.xml",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
