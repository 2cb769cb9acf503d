/* `nysx-dse simulate`: a model over graphs, through the engines cycle by cycle. */
#include "core/memory.h"
#include "devices/hosts.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "dse/simulating.h"
#include "dse/training.h"
#include "explore/load.h"
#include "models/model.h"
#include "reports/simulation.h"
#include "reports/terminal.h"

static enum dse_status print(const struct dse_cli *cli, const struct dse_simulation_report *report, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    dse_simulation_write(report, dse_cli_format(cli), dse_terminal_width(), &out);
    return dse_output_text(cli, &out, err);
}

/* ---- programs of a machine with an instruction set ---- */

static enum dse_status translate(const struct dse_cli *cli, const struct dse_executor *executor, struct dse_error *err)
{
    DSE_TEXT(text);
    DSE_TRY(executor->translate(dse_cli_value(cli, "program"), dse_cli_flag(cli, "assemble"), &text, err));
    return dse_output_text(cli, &text, err);
}

/* The cycles go to standard output: -o names the arrays that the program makes. */
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
    dse_simulation_write(&(struct dse_simulation_report){executor, board, NULL, files.program, &result, NULL, NULL, NULL}, dse_cli_format(cli), dse_terminal_width(), &text);
    return dse_output_standard(cli, &text, err);
}

static enum dse_status program(const struct dse_cli *cli, const struct dse_executor *executor, struct dse_error *err)
{
    if (executor->program == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--program: the family %s has no instructions", executor->family);
    if (dse_cli_flag(cli, "assemble") && dse_cli_flag(cli, "disassemble"))
        return dse_fail(err, DSE_BAD_USAGE, "--assemble and --disassemble cannot be combined");
    DSE_TRY(dse_cli_ending(cli, dse_cli_flag(cli, "assemble") ? ".hex .txt" : dse_cli_flag(cli, "disassemble") ? ".txt" : ".npz", err));
    if (dse_cli_flag(cli, "assemble") || dse_cli_flag(cli, "disassemble"))
        return translate(cli, executor, err);
    return run_program(cli, executor, err);
}

/* --cycles: cycles of each item, beside the answer. */
static enum dse_status write_cycles(const struct dse_cli *cli, const struct dse_simulating *run, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "cycles");
    DSE_TEXT(text);
    if (path == NULL)
        return DSE_OK;
    dse_simulation_write_cycles(&run->result, run->data->kind->item, &text);
    return dse_file_write(path, text.text, text.length, err);
}

/* --rate: the queue in front of the accelerator, whose service times are the simulated ones. */
static enum dse_status queue(const struct dse_cli *cli, const struct dse_simulating *run, struct dse_load_result *out, const char **items, struct dse_error *err)
{
    const struct dse_simulation *found = &run->result;
    const struct dse_request *request = dse_cli_request(cli);
    int64_t batch = 1;
    if (dse_cli_value(cli, "rate") == NULL)
        return DSE_OK;
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        return dse_fail(err, DSE_BAD_USAGE, "--rate: CSV has no latency under load; use a table or --format json");
    DSE_TRY(dse_request_integer(request, "batch", 1, 1000000000, 1, &batch, err));
    DSE_TRY(dse_host_choose(run->board, dse_cli_value(cli, "host"), batch, err));
    double *service_s DSE_CLEANUP(dse_free_at) = dse_malloc((found->items + 1) * sizeof *service_s);
    for (size_t i = 0; i < found->items; i++)
        service_s[i] = (double)found->total[i] / found->clock_hz;
    const struct dse_load_times times = {service_s, found->items, found->interval_cycles / found->clock_hz};
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    DSE_TRY(dse_simulating_estimate(cli, run, estimate, err));
    *items = dse_items_word(dse_model_find(run->executor->family), &estimate->config);
    return dse_load_estimate(dse_cli_value(cli, "rate"), &run->board->host, estimate, &times, dse_cli_seed(cli), dse_cli_monitor(cli), out, err);
}

enum dse_status dse_run_simulate(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_executor *executor = NULL;
    struct dse_simulating run DSE_CLEANUP(dse_simulating_free) = {0};
    bool programmed = dse_cli_value(cli, "program") != NULL;
    DSE_TRY(dse_training_executor(cli, &executor, err));
    if (dse_cli_value(cli, "model") == NULL && !programmed)
        return dse_fail(err, DSE_BAD_USAGE, "needs --model FILE.npz, which `train` writes, or --program FILE of a family with instructions");
    if (programmed)
        return program(cli, executor, err);
    DSE_TRY(dse_simulating_run(cli, &run, err));
    struct dse_load_result load = {0};
    const char *items = "items";
    DSE_TRY(queue(cli, &run, &load, &items, err));
    DSE_TRY(write_cycles(cli, &run, err));
    DSE_TRY(print(cli, &(struct dse_simulation_report){run.executor, run.board, run.data, NULL, &run.result, dse_cli_value(cli, "rate") != NULL ? &load : NULL, items, run.origin}, err));
    return dse_load_verdict(&load, items, err);
}
