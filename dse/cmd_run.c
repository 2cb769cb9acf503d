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

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_experiment experiment DSE_CLEANUP(dse_experiment_free) = {0};
    if (dse_cli_operand_count(cli) != 1)
        return dse_fail(err, DSE_BAD_USAGE, "run: needs one experiment file");
    DSE_TRY(dse_experiment_read(dse_cli_operand(cli, 0), &experiment, err));
    DSE_TRY(dse_experiment_override(&experiment, dse_cli_request(cli), err));
    DSE_TRY(run_steps(&experiment, true, err));
    return dse_cli_flag(cli, "dry-run") ? print_plan(cli, &experiment, err) : run_steps(&experiment, false, err);
}

static const struct dse_option options[] = {
    {.name = "dry-run", .help = "check the file and print the command lines that it stands for"},
};

const struct dse_command dse_cmd_run = {
    .name = "run",
    .summary = "an experiment as one file: boards, data, space, objectives, limits, budget, outputs",
    .operands = "FILE.yaml",
    .details =
        "A YAML file whose keys are options, by their names (boards, datasets and limits for --board, --dataset and --where); lists "
        "repeat an option, maps are KNOB=VALUE, true and false are flags, `operands` are words without dashes. With `steps` several "
        "commands run one after another, and the other keys hold for each that knows them (limits and other parts of the question not for a step with `from`). What stands on the command line holds in place of "
        "what the file says. Files are looked for from the working folder. Anything unknown, doubled or misplaced is refused with its line. --save-experiment of any command writes such a "
        "file.\n\n"
        "    boards: [zcu104, kv260]\n"
        "    datasets: MUTAG\n"
        "    objectives: [latency, energy, error]\n"
        "    limits: [lut<=50%]\n"
        "    study: mutag.db\n"
        "    steps:\n"
        "      - sweep: {budget: 30s}\n"
        "      - report: {output: mutag.html}\n\n"
        "    nysx-dse run experiment.yaml --dry-run\n"
        "    nysx-dse sweep --dataset MUTAG --where 'lut<=50%' --save-experiment again.yaml\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
