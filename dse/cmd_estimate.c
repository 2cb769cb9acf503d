/* `nysx-dse estimate`: the models' answer for one configuration. */
#include "core/memory.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/load.h"
#include "explore/meant.h"
#include "models/hls.h"
#include "reports/estimate.h"
#include "reports/terminal.h"

struct answer {
    struct dse_meant meant;
    struct dse_setup setup;
    struct dse_estimate estimate;
    struct dse_standard standard;
    struct dse_design reported;
    struct dse_load_result load; /* where --rate is given */
};

static enum dse_status load_one(const struct dse_cli *cli, struct answer *answer, struct dse_error *err)
{
    if (dse_cli_value(cli, "rate") == NULL)
        return DSE_OK;
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        return dse_fail(err, DSE_BAD_USAGE, "--rate: CSV has no latency under load; use a table or --format json");
    answer->reported.load = &answer->load;
    return dse_load_estimate(dse_cli_value(cli, "rate"), &answer->setup.board->host, &answer->estimate, NULL, dse_cli_seed(cli), dse_cli_monitor(cli), &answer->load, err);
}

static enum dse_status estimate_one(const struct dse_cli *cli, const struct dse_workbench *bench, size_t index, struct answer *answer,
                                    struct dse_error *err)
{
    const struct dse_profile *profile = bench->profiles[index % bench->profile_count];
    const struct dse_config *config = &answer->meant.config;
    DSE_TRY(dse_meant_find(dse_cli_request(cli), bench, index, "set", &answer->meant, err));
    DSE_TRY(dse_workbench_setup(bench, index / bench->profile_count, profile, config, &answer->setup, err));
    DSE_TRY(dse_ring_check(&answer->setup, config, err));
    DSE_TRY(dse_estimate_built(&answer->setup, config, &answer->estimate, err));
    dse_standard_make(profile, DSE_QUALITY_DROP, &answer->standard);
    answer->reported = (struct dse_design){&answer->setup, profile->dataset, &answer->estimate,
                                             dse_profile_quality_of(bench->space, profile, config), &answer->standard, 0, 0.0, &profile->facts, answer->meant.origin, NULL};
    return load_one(cli, answer, err);
}

static enum dse_status write_answers(const struct dse_cli *cli, const struct dse_workbench *bench,
                                     const struct answer *answers, size_t count, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        json_t *results = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(results, dse_estimate_json(&answers[i].reported, DSE_ESTIMATE_WHOLE));
        return dse_output_json(cli, "nysx-dse.estimates/1", results, count == 1, err);
    }
    if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
        struct dse_table table = {0};
        dse_estimate_columns(bench, &table);
        for (size_t i = 0; i < count; i++)
            dse_estimate_row(&answers[i].reported, &table);
        return dse_output_csv(cli, &table, err);
    }
    for (size_t i = 0; i < count; i++) {
        dse_strbuf_add(&text, i > 0 ? "\n" : "");
        dse_estimate_write(&answers[i].reported, dse_terminal_width(), &text);
    }
    return dse_output_text(cli, &text, err);
}

enum dse_status dse_run_estimate(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_workbench bench DSE_CLEANUP(dse_workbench_close) = {0};
    DSE_TRY(dse_workbench_open(dse_cli_request(cli), &bench, err));
    size_t count = bench.board_count * bench.profile_count;
    struct answer *answers DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *answers);
    for (size_t i = 0; i < count; i++)
        DSE_TRY(estimate_one(cli, &bench, i, &answers[i], err));
    DSE_TRY(write_answers(cli, &bench, answers, count, err));
    size_t best = 0; /* an answer if one board serves the load */
    while (best + 1 < count && answers[best].load.state == DSE_LOAD_IS_OVER)
        best++;
    return dse_load_verdict(&answers[best].load, dse_items_word(bench.family, &answers[best].meant.config), err);
}
