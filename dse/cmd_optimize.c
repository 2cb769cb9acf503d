/* `nysx-dse optimize`: one provably best configuration. */
#include <string.h>

#include "dse/commands.h"
#include "dse/output.h"
#include "reports/optimum.h"
#include "reports/terminal.h"

/* Other solvers distinguish the two forms of a model file by the ending of its name. */
static enum dse_status check_model_name(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "write-lp"), *ending = path != NULL ? strrchr(path, '.') : ".lp";
    if (ending != NULL && (strcmp(ending, ".lp") == 0 || strcmp(ending, ".mps") == 0))
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--write-lp %s: must end in .lp or .mps", path);
}

static enum dse_status print(const struct dse_cli *cli, const struct dse_explored *explored, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    struct dse_table table = {0};
    json_t *results = dse_cli_format(cli) == DSE_FORMAT_JSON ? json_array() : NULL;
    bool compact = dse_cli_flag(cli, "compact");
    for (size_t i = 0; i < explored->count; i++) {
        const struct dse_exploration *e = &explored->each[i];
        char proof[64];
        struct dse_optimum_report report = {e->front.designs, &e->optimum, dse_method_names[e->terms->method],
                                            dse_proof_words(dse_exploration_found_by(e), e->optimum.proven, proof), e->question.objectives[0], compact};
        struct dse_strbuf part = {0};
        if (e->front.count == 0 && results != NULL && e->why != NULL)
            json_array_append_new(results, dse_output_why(e));
        if (e->front.count == 0)
            continue;
        if (results != NULL) {
            json_array_append_new(results, dse_optimum_json(&report));
        } else if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
            if (table.columns == 0 && compact)
                dse_estimate_compact_columns(&explored->bench, &table);
            else if (table.columns == 0)
                dse_estimate_columns(&explored->bench, &table);
            (compact ? dse_estimate_compact_row : dse_estimate_row)(report.design, &table);
        } else {
            dse_optimum_write(&report, dse_terminal_width(), &part);
            dse_output_join(cli, &part, &text);
        }
    }
    if (results != NULL)
        return dse_output_json(cli, "nysx-dse.optima/1", results,
                               explored->bench.board_count * explored->bench.profile_count == 1, err);
    return dse_cli_format(cli) == DSE_FORMAT_CSV ? dse_output_csv(cli, &table, err) : dse_output_text(cli, &text, err);
}

enum dse_status dse_run_optimize(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_terms terms;
    DSE_TRY(check_model_name(cli, err));
    if (dse_cli_flag(cli, "compact") && dse_cli_format(cli) == DSE_FORMAT_TABLE)
        return dse_fail(err, DSE_BAD_USAGE, "--compact: needs --format json or csv");
    if (dse_cli_flag(cli, "cutoff") && dse_cli_value(cli, "write-lp") == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--cutoff: needs --write-lp");
    DSE_TRY(dse_cli_apart(cli, "study", err));
    DSE_TRY(dse_terms_read(dse_cli_request(cli), true, NULL, &terms, err));
    terms.shows_load = true;
    if (dse_cli_value(cli, "combine") != NULL && dse_cli_value(cli, "write-lp") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--write-lp: cannot be combined with --combine");
    if (terms.robust && (terms.method != DSE_METHOD_EXACT || dse_cli_value(cli, "combine") != NULL || dse_cli_value(cli, "study") != NULL))
        return dse_fail(err, DSE_BAD_USAGE, "--robust: needs the exact method, and cannot be combined with --combine or --study");
    return dse_output_explored(cli, &terms, "optimize", print, err);
}
