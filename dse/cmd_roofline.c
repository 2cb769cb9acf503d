/* `nysx-dse roofline`: roofs of boards and points of designs, as a table, JSON or a figure. */
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/meant.h"
#include "reports/roofline.h"
#include "reports/terminal.h"

/* One design on one board with one data set. */
struct drawn {
    struct dse_meant meant;
    struct dse_setup setup;
    struct dse_estimate estimate;
    struct dse_roofline roofline;
    const struct dse_setting *facts;
    char title[DSE_ORIGIN_MAX + 128];
};

/* The requested design, or the one beside it: the design before --set, or the published one. */
static enum dse_status make_one(const struct dse_cli *cli, const struct dse_workbench *bench, size_t index, bool meant,
                                struct drawn *out, struct dse_error *err)
{
    const struct dse_profile *profile = bench->profiles[index % bench->profile_count];
    struct dse_config *config = &out->meant.config;
    out->facts = &profile->facts;
    bool published = !meant && dse_cli_count(cli, "from") > 0;
    DSE_TRY(published ? dse_model_published(bench->family, bench->space, bench->boards[index / bench->profile_count], &profile->preset, config, err)
                      : dse_meant_find(dse_cli_request(cli), bench, index, meant ? "set" : "", &out->meant, err));
    snprintf(out->title, sizeof out->title, "%s, %s", profile->dataset, published ? dse_meant_base(bench->family) : out->meant.origin);
    DSE_TRY(dse_workbench_setup(bench, index / bench->profile_count, profile, config, &out->setup, err));
    DSE_TRY(dse_estimate_built(&out->setup, config, &out->estimate, err));
    return dse_roofline_make(&out->setup, &out->estimate, &out->roofline, err);
}

/* --data, in addition to other outputs. */
static enum dse_status write_data(const struct dse_cli *cli, const struct dse_roofline_report *reports, size_t count, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "data");
    DSE_TEXT(text);
    if (path == NULL)
        return DSE_OK;
    dse_rooflines_write_csv(reports, count, &text);
    return dse_file_write(path, text.text, text.length, err);
}

static enum dse_status write_reports(const struct dse_cli *cli, const struct dse_chart_style *style, const struct dse_roofline_report *reports, size_t count,
                                     struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output");
    struct dse_strbuf text = {0};
    DSE_TRY(write_data(cli, reports, count, err));
    if (path != NULL && dse_figure_form_of(path) >= 0)
        return dse_rooflines_draw(reports, count, style, path, err);
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_json_add(&text, dse_rooflines_json(reports, count));
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        dse_rooflines_write_csv(reports, count, &text);
    else
        dse_rooflines_write(reports, count, dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}

static enum dse_status write_all(const struct dse_cli *cli, const struct dse_chart_style *style, const struct drawn *drawn, size_t count, struct dse_error *err)
{
    struct dse_machines machines DSE_CLEANUP(dse_machines_free) = {0};
    struct dse_roofline_report *reports DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *reports);
    DSE_TRY(dse_machines_open(&machines, err));
    dse_machines_keep_drawn(&machines);
    for (size_t i = 0; i < count; i++)
        reports[i] = (struct dse_roofline_report){drawn[i].title, &drawn[i].roofline, &drawn[i].estimate, drawn[i].facts, &machines};
    return write_reports(cli, style, reports, count, err);
}

enum dse_status dse_run_roofline(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_workbench bench DSE_CLEANUP(dse_workbench_close) = {0};
    struct dse_chart_style style;
    DSE_TRY(dse_cli_ending(cli, ".svg .pdf .png .json .csv .txt", err));
    DSE_TRY(dse_output_style(cli, DSE_ROOFLINE_STYLE, &style, err));
    DSE_TRY(dse_workbench_open(dse_cli_request(cli), &bench, err));
    /* The requested design, after the one that --set changes or, with --from, the published one. */
    size_t designs = dse_cli_count(cli, "set") + dse_cli_count(cli, "from") > 0 ? 2 : 1;
    size_t count = bench.board_count * bench.profile_count * designs;
    struct drawn *drawn DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *drawn);
    for (size_t i = 0; i < count; i++)
        DSE_TRY(make_one(cli, &bench, i / designs, i % designs == designs - 1, &drawn[i], err));
    return write_all(cli, &style, drawn, count, err);
}
