/* `nysx-dse optimize`: one provably best configuration. */
#include <string.h>

#include "dse/commands.h"
#include "dse/options.h"
#include "dse/output.h"
#include "reports/optimum.h"
#include "reports/terminal.h"

/* Other solvers tell the two forms of a model file by the ending of its name. */
static enum dse_status check_model_name(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "write-lp"), *ending = path != NULL ? strrchr(path, '.') : ".lp";
    if (ending != NULL && (strcmp(ending, ".lp") == 0 || strcmp(ending, ".mps") == 0))
        return dse_cli_apart(cli, "write-lp", err);
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
        struct dse_optimum_report report = {e->front.designs, &e->optimum, dse_method_names[e->terms->method],
                                            e->question.objectives[0], compact};
        struct dse_strbuf part = {0};
        if (e->front.count == 0 && results != NULL && e->why != NULL)
            json_array_append_new(results, dse_output_why(e));
        if (e->front.count == 0)
            continue;
        if (results != NULL) {
            json_array_append_new(results, dse_optimum_json(&report));
        } else if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
            if (table.columns == 0 && compact)
                dse_estimate_compact_columns(explored->bench.space, &table);
            else if (table.columns == 0)
                dse_estimate_columns(explored->bench.family, explored->bench.space, &table);
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

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_terms terms;
    DSE_TRY(check_model_name(cli, err));
    if (dse_cli_flag(cli, "compact") && dse_cli_format(cli) == DSE_FORMAT_TABLE)
        return dse_fail(err, DSE_BAD_USAGE, "--compact: is for --format json and csv");
    if (dse_cli_flag(cli, "cutoff") && dse_cli_value(cli, "write-lp") == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--cutoff: goes with --write-lp");
    DSE_TRY(dse_cli_apart(cli, "study", err));
    DSE_TRY(dse_terms_read(dse_cli_request(cli), true, NULL, &terms, err));
    if (dse_cli_value(cli, "combine") != NULL && dse_cli_value(cli, "write-lp") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--write-lp: does not go with --combine");
    if (terms.robust && (terms.method != DSE_METHOD_EXACT || dse_cli_value(cli, "combine") != NULL || dse_cli_value(cli, "study") != NULL))
        return dse_fail(err, DSE_BAD_USAGE, "--robust: goes with the exact method, without --combine and --study");
    return dse_output_explored(cli, &terms, "optimize", print, err);
}

static const struct dse_option options[] = {
    DSE_OBJECTIVE_OPTIONS,
    {.name = "method", .argument = "exact|ilp|exhaustive|heuristic",
     .help = "exact merges fronts (default), ilp proves by integer programs, exhaustive visits every configuration; heuristic "
             "searches at random from --seed within --budget and proves nothing"},
    {.name = "write-lp", .argument = "FILE.lp|FILE.mps", .written = true,
     .help = "write the integer program of the whole question, for other solvers"},
    {.name = "compact", .help = "json and csv: of the design its knobs, metrics and quality alone"},
    {.name = "cutoff", .help = "with --write-lp: of those parts of the space alone that their bound lets undercut the optimum"},
    {.name = "robust",
     .help = "take in place of the least by the models the design that stays nearest to the least, whatever the models' errors are"},
    DSE_BUDGET_OPTION,
    DSE_TERMS_OPTIONS,
    DSE_COMBINE_OPTIONS,
    DSE_STUDY_OPTIONS,
    DSE_WORKBENCH_OPTIONS,
};

const struct dse_command dse_cmd_optimize = {
    .name = "optimize",
    .summary = "one provably best configuration under constraints",
    .operands = "",
    .details = "All methods but the heuristic prove the optimum over the whole space, and agree. Where nothing is feasible it says why: the "
               "constraints that cannot hold together, the smallest relaxation, and the nearest miss.\n\n"
               "    nysx-dse optimize --dataset MUTAG --minimize energy --where 'latency<=0.2ms && bram18<=50%'\n"
               "    nysx-dse optimize --dataset MUTAG --minimize bram18 --method ilp --write-lp question.lp\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .crewed = true,
    .run = run,
};
