/* `nysx-dse run`: an experiment's commands, one after another. */
#include "dse/commands.h"
#include "dse/experiment.h"
#include "dse/output.h"

static enum dse_status print_plan(const struct dse_cli *cli, const struct dse_experiment *experiment, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    for (size_t i = 0; i < experiment->step_count; i++) {
        dse_experiment_line(&experiment->steps[i], &text);
        dse_strbuf_add(&text, "\n");
    }
    return dse_output_text(cli, &text, err);
}

/* Every step is checked as far as words go before the first one runs. */
static enum dse_status run_steps(const struct dse_experiment *experiment, bool checks, struct dse_error *err)
{
    for (const struct dse_experiment_step *step = experiment->steps; step < experiment->steps + experiment->step_count; step++) {
        enum dse_status status = dse_cli_run(step, checks, err);
        if (status != DSE_OK)
            return dse_experiment_explain(experiment, step, status, err);
    }
    return DSE_OK;
}

enum dse_status dse_run_run(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_experiment experiment DSE_CLEANUP(dse_experiment_free) = {0};
    if (dse_cli_operand_count(cli) != 1)
        return dse_fail(err, DSE_BAD_USAGE, "run: needs one experiment file");
    DSE_TRY(dse_experiment_read(dse_cli_operand(cli, 0), &experiment, err));
    DSE_TRY(dse_experiment_override(&experiment, dse_cli_request(cli), err));
    DSE_TRY(run_steps(&experiment, true, err));
    return dse_cli_flag(cli, "dry-run") ? print_plan(cli, &experiment, err) : run_steps(&experiment, false, err);
}
