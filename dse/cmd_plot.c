/* `nysx-dse plot`: pictures for papers, and their data. */
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "dse/simulating.h"
#include "reports/figure.h"
#include "reports/json.h"
#include "reports/plot.h"
#include "reports/simulation.h"

/* --range x=… and y=…, which are --xlim and --ylim. */
static enum dse_status read_ranges(const struct dse_cli *cli, struct dse_chart_style *style, struct dse_error *err)
{
    for (size_t i = 0; i < dse_cli_count(cli, "range"); i++) {
        const char *text = dse_cli_value_at(cli, "range", i), **range = text[0] == 'x' ? &style->x_range : text[0] == 'y' ? &style->y_range : NULL;
        if (range == NULL || text[1] != '=')
            return dse_fail(err, DSE_BAD_USAGE, "--range %s: must be x=FROM:TO or y=FROM:TO with the axis' unit (x=20us:100us), FROM below TO", text);
        if (*range != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--range %s: the axis has another range already", text);
        *range = text + 2;
    }
    return DSE_OK;
}

/* -o with the ending of a figure draws; the data go to the file of --data, or to standard output. */
static enum dse_status write_plot(const struct dse_cli *cli, const struct dse_chart_style *style, const struct dse_plot *plot, struct dse_error *err)
{
    DSE_TEXT(text);
    const char *path = dse_cli_value(cli, "output"), *data = dse_cli_value(cli, "data");
    bool draws = path != NULL && dse_figure_form_of(path) >= 0;
    if (draws)
        DSE_TRY(dse_charts_draw(plot->charts, plot->count, style, path, err));
    if (draws && data == NULL)
        return DSE_OK;
    if (data == NULL && dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_json_add(&text, dse_charts_json(plot->charts, plot->count));
    else
        dse_charts_write_csv(plot->charts, plot->count, &text);
    if (data == NULL && path == NULL && dse_cli_format(cli) == DSE_FORMAT_TABLE) { /* CSV, which no terminal's width may break */
        dse_cli_clear(cli);
        return dse_cli_put(dse_strbuf_text(&text), err);
    }
    return data == NULL ? dse_output_text(cli, &text, err) : dse_file_write(data, text.text, text.length, err);
}

static enum dse_status plot_timeline(const struct dse_cli *cli, struct dse_plot *plot, struct dse_error *err)
{
    struct dse_simulating run DSE_CLEANUP(dse_simulating_free) = {0};
    int64_t item = 0;
    char title[256];
    if (dse_cli_value(cli, "model") == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "plot timeline: needs --model FILE.npz, which `train` writes");
    DSE_TRY(dse_cli_integer(cli, "item", 0, INT32_MAX, 0, &item, err));
    DSE_TRY(dse_simulating_run(cli, &run, err));
    snprintf(title, sizeof title, "%s %lld of %s on %s", run.data->kind->item, (long long)item, run.data->name, run.board->name);
    return dse_plot_timeline(&run.result, (size_t)item, title, plot, err);
}

/* The simulation of `plot METRIC --model`, for each design that is drawn. */
struct simulated {
    const struct dse_cli *cli;
    struct dse_simulating run;
};

static enum dse_status simulate(void *user, const struct dse_setting *knobs, double metrics[DSE_METRIC_COUNT], struct dse_error *err)
{
    struct simulated *s = user;
    struct dse_run how = {.seed = dse_cli_seed(s->cli), .jobs = dse_cli_jobs(s->cli), .monitor = dse_cli_monitor(s->cli)};
    struct dse_simulation result DSE_CLEANUP(dse_simulation_free) = {0};
    DSE_TRY(dse_simulate(s->run.model, s->run.data, knobs, s->run.board, &how, &result, err));
    struct dse_cycles_spread total = dse_cycles_spread(result.total, result.items);
    metrics[DSE_METRIC_CYCLES] = total.mean;
    metrics[DSE_METRIC_LATENCY] = total.mean / result.clock_hz;
    metrics[DSE_METRIC_LATENCY_P99] = (double)total.p99 / result.clock_hz;
    return DSE_OK;
}

static void release(struct simulated *simulated)
{
    dse_simulating_free(&simulated->run);
}

enum dse_status dse_run_plot(const struct dse_cli *cli, struct dse_error *err)
{
    if (dse_cli_operand_count(cli) != 1)
        return dse_fail(err, DSE_BAD_USAGE, "plot: needs front, engines, waterfall, importance, timeline, or what the y axis shows: a metric, quality or error");
    struct dse_chart_style style;
    DSE_TRY(dse_output_style(cli, DSE_CHART_STYLE, &style, err));
    DSE_TRY(read_ranges(cli, &style, err));
    struct dse_plot plot DSE_CLEANUP(dse_plot_free) = {0};
    struct dse_plot_question question = {
        .request = dse_cli_request(cli), .what = dse_cli_operand(cli, 0), .x = dse_cli_value(cli, "x"), .y = dse_cli_value(cli, "y"),
        .by = dse_cli_value(cli, "by"), .study = dse_cli_value(cli, "study"), .bands = dse_cli_flag(cli, "bands"),
        .ranged = dse_cli_count(cli, "range") + dse_cli_count(cli, "xlim") + dse_cli_count(cli, "ylim") > 0};
    struct simulated simulated DSE_CLEANUP(release) = {.cli = cli};
    bool timeline = strcmp(question.what, "timeline") == 0, of_model = !timeline && dse_cli_value(cli, "model") != NULL;
    if (of_model) {
        DSE_TRY(dse_simulating_open(cli, &simulated.run, err));
        question.simulate = simulate;
        question.user = &simulated;
    }
    DSE_TRY(timeline ? plot_timeline(cli, &plot, err) : dse_plot_make(&question, &plot, err));
    return write_plot(cli, &style, &plot, err);
}
