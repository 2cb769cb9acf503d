/* `nysx-dse simulate`: a model over graphs, through the engines cycle by cycle. */
#include "devices/board.h"
#include "dse/commands.h"
#include "dse/options.h"
#include "dse/output.h"
#include "dse/simulating.h"
#include "dse/training.h"
#include "reports/simulation.h"

static enum dse_status print(const struct dse_cli *cli, const struct dse_simulation_report *report, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    dse_simulation_write(report, dse_cli_format(cli), &out);
    return dse_output_text(cli, &out, err);
}

/* ---- programs of a machine with an instruction set ---- */

static enum dse_status translate(const struct dse_cli *cli, const struct dse_executor *executor, struct dse_error *err)
{
    DSE_TEXT(text);
    DSE_TRY(executor->translate(dse_cli_value(cli, "program"), dse_cli_flag(cli, "assemble"), &text, err));
    return dse_output_text(cli, &text, err);
}

/* What the engines did goes to standard output: -o names the arrays that the program makes. */
static enum dse_status run_program(const struct dse_cli *cli, const struct dse_executor *executor, struct dse_error *err)
{
    const struct dse_program_files files = {dse_cli_value(cli, "program"), dse_cli_value(cli, "memory"), dse_cli_value(cli, "output")};
    const struct dse_run how = {.seed = dse_cli_seed(cli), .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli)};
    const char *name = dse_cli_value(cli, "board");
    struct dse_simulation result DSE_CLEANUP(dse_simulation_free) = {0};
    struct dse_setting knobs DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
    DSE_TEXT(text);
    struct dse_config config;
    dse_knobs_default(executor->knobs, &config);
    DSE_TRY(dse_training_assign(cli, NULL, &knobs, err));
    DSE_TRY(dse_knobs_hardware(executor->knobs, &knobs, &(struct dse_setting){0}, &config, err));
    DSE_TRY(dse_board_open(name != NULL ? name : executor->board, &board, err));
    DSE_TRY(executor->program(&files, &config, board, &how, &result, err));
    dse_simulation_write(&(struct dse_simulation_report){executor, board, NULL, files.program, &result}, dse_cli_format(cli), &text);
    return dse_output_standard(&text, err);
}

static enum dse_status program(const struct dse_cli *cli, const struct dse_executor *executor, struct dse_error *err)
{
    if (executor->program == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--program: the family %s has no instructions", executor->family);
    if (dse_cli_flag(cli, "assemble") && dse_cli_flag(cli, "disassemble"))
        return dse_fail(err, DSE_BAD_USAGE, "--assemble beside --disassemble: only one can be done");
    DSE_TRY(dse_cli_ending(cli, dse_cli_flag(cli, "assemble") ? ".hex .txt" : dse_cli_flag(cli, "disassemble") ? ".txt" : ".npz", err));
    if (dse_cli_flag(cli, "assemble") || dse_cli_flag(cli, "disassemble"))
        return translate(cli, executor, err);
    return run_program(cli, executor, err);
}

/* --cycles: what each item took, beside the answer. */
static enum dse_status write_cycles(const struct dse_cli *cli, const struct dse_simulating *run, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "cycles");
    DSE_TEXT(text);
    if (path == NULL)
        return DSE_OK;
    dse_simulation_write_cycles(&run->result, run->data->kind->item, &text);
    return dse_file_write(path, text.text, text.length, err);
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_executor *executor = NULL;
    struct dse_simulating run DSE_CLEANUP(dse_simulating_free) = {0};
    bool programmed = dse_cli_value(cli, "program") != NULL;
    if (dse_cli_value(cli, "model") == NULL && !programmed)
        return dse_fail(err, DSE_BAD_USAGE, "needs --model FILE.npz, or --program FILE of a family with instructions");
    DSE_TRY(dse_training_executor(cli, &executor, err));
    if (programmed)
        return program(cli, executor, err);
    DSE_TRY(dse_simulating_run(cli, &run, err));
    DSE_TRY(write_cycles(cli, &run, err));
    return print(cli, &(struct dse_simulation_report){run.executor, run.board, run.data, NULL, &run.result}, err);
}

static const struct dse_option options[] = {
    {.name = "model", .argument = "FILE.npz", .help = "the model that `train` wrote"},
    {.name = "cycles", .argument = "FILE.csv", .help = "the cycles of each graph (node, row) by stage and engine, too", .written = true},
    {.name = "program", .argument = "FILE", .help = "instructions, where the family is a machine that has some, in place of a model over a data set"},
    {.name = "memory", .argument = "IN.npz", .help = "arrays that the program finds; -o OUT.npz has those that it makes"},
    {.name = "assemble", .help = "print the program's 32-bit words and do not run it"},
    {.name = "disassemble", .help = "print the text of a file of such words"},
    {.name = "set", .argument = "KNOB=VALUE", .repeatable = true,
     .help = "a hardware knob of the configuration (default: that of --from, or the paper's design)"},
    {.name = "from", .argument = "STUDY:POINT",
     .help = "the hardware of a study's point, and its board where none is named; the model must be of its setting"},
    DSE_FLOW_OPTION,
    DSE_ENTITIES_OPTION,
};

const struct dse_command dse_cmd_simulate = {
    .name = "simulate",
    .summary = "run a model over a data set through the engines of a configuration, cycle by cycle",
    .operands = "",
    .details =
        "Cycles of each engine over what `infer` would run, with what they waited for. The board (default: that of the "
        "family's paper) gives the memory.\n"
        "  nysx-dse simulate --model mutag.npz --dataset MUTAG.zip --set lshu.pe=8 --set nee.lanes=32\n"
        "  nysx-dse simulate --family smgpu --program bind.txt --memory in.npz -o out.npz\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .endings = ".npz .hex",
    .run = run,
};
