/* `nysx-dse whatif`: a baseline beside a change, sensitivities, and the least change that meets a target. */
#include <stdlib.h>

#include "core/memory.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/change.h"
#include "reports/terminal.h"
#include "reports/whatif.h"

static enum dse_status write_reports(const struct dse_cli *cli, const struct dse_whatif_report *reports, size_t count,
                                     struct dse_error *err)
{
    struct dse_strbuf text = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        json_t *results = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(results, dse_whatif_json(&reports[i]));
        return dse_output_json(cli, "nysx-dse.whatifs/1", results, count == 1, err);
    }
    if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
        struct dse_table table = {0};
        dse_whatif_columns(&table);
        for (size_t i = 0; i < count; i++)
            dse_whatif_rows(&reports[i], &table);
        return dse_output_csv(cli, &table, err);
    }
    if (count == 1)
        dse_whatif_write(&reports[0], dse_terminal_width(), &text);
    else
        dse_whatifs_write(reports, count, dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}

static enum dse_status answer_one(const struct dse_cli *cli, const struct dse_workbench *bench, const struct dse_change_terms *terms, size_t index,
                                  struct dse_change *change, struct dse_whatif_report *report, struct dse_error *err)
{
    const struct dse_profile *profile = bench->profiles[index % bench->profile_count];
    DSE_TRY(dse_change_answer(dse_cli_request(cli), bench, index, terms, change, err));
    if (change->ended.message[0] != '\0')
        return dse_fail(err, change->ended.status, "%s", change->ended.message);
    *report = (struct dse_whatif_report){.dataset = profile->dataset, .facts = &profile->facts, .origin = change->origin, .baseline = &change->baseline, .changed = &change->changed,
                                         .metric = terms->metric, .moves = terms->sensitivity ? &change->moves : NULL,
                                         .least = terms->target != NULL ? &change->least : NULL, .target = terms->target};
    dse_standard_make(profile, DSE_QUALITY_DROP, &report->standard);
    return DSE_OK;
}

enum dse_status dse_run_whatif(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_change_terms terms;
    struct dse_workbench bench DSE_CLEANUP(dse_workbench_close) = {0};
    DSE_TRY(dse_change_read(dse_cli_request(cli), &terms, err));
    DSE_TRY(dse_workbench_open(dse_cli_request(cli), &bench, err));
    DSE_TRY(dse_change_measure(dse_cli_request(cli), &bench, err));
    size_t count = bench.board_count * bench.profile_count;
    struct dse_change *changes DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *changes);
    struct dse_whatif_report *reports DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *reports);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = answer_one(cli, &bench, &terms, i, &changes[i], &reports[i], err);
    if (status == DSE_OK)
        status = write_reports(cli, reports, count, err);
    for (size_t i = 0; i < count; i++)
        dse_change_free(&changes[i]);
    return status;
}
