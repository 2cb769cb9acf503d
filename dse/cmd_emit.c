/* `nysx-dse emit`: what high-level synthesis needs of one configuration. */
#include <string.h>

#include "core/file.h"
#include "dse/commands.h"
#include "dse/workbench.h"
#include "executor/executor.h"
#include "reports/hls/hls.h"

/* The knobs that any block's hardware depends on. */
static dse_knob_set knobs_in_hardware(const struct dse_model_family *family)
{
    dse_knob_set all = 0;
    for (size_t b = 0; b < family->block_count; b++)
        all |= family->blocks[b].reads;
    return all;
}

/* Holds a model's setting against the configuration, as far as the hardware depends on it. */
static enum dse_status compare(const struct dse_workbench *bench, const char *file, const struct dse_setting *setting,
                               const struct dse_config *config, struct dse_error *err)
{
    dse_knob_set matter = knobs_in_hardware(bench->family);
    for (size_t i = 0; i < setting->count; i++) {
        const struct dse_setting_pair *pair = &setting->pairs[i];
        int64_t value = 0;
        char text[64];
        int k = dse_space_find(bench->space, pair->name);
        if (k < 0 || (matter >> k & 1) == 0 || !dse_knob_active(bench->space, config, (size_t)k))
            continue;
        const struct dse_knob *knob = &bench->space->knobs[k];
        if (dse_knob_parse(knob, pair->value, &value, NULL) != DSE_OK || value != config->value[k])
            return dse_fail(err, DSE_BAD_USAGE, "%s: the model has %s=%s, the configuration %s=%s", file, knob->name,
                            pair->value, knob->name, dse_knob_format(knob, config->value[k], text, sizeof text));
    }
    return DSE_OK;
}

/* A design from the command line to its files. */
struct emitting {
    const struct dse_cli *cli;
    const struct dse_workbench *bench;
    const struct dse_profile *profile;
    const struct dse_executor *executor; /* of the model, with --model */
    struct dse_model *model;
    struct dse_config config;
    struct dse_setup setup;
    struct dse_workload work; /* the model's, with --model */
    struct dse_estimate estimate;
    struct dse_hls hls;
    struct dse_pack pack;
};

static void release(struct emitting *e)
{
    if (e->model != NULL)
        e->executor->free_model(e->model);
    dse_workload_clear(&e->work);
    dse_hls_free(&e->hls);
    dse_pack_free(&e->pack);
}

/* Loads the model of --model, refuses it where it is of another configuration, and takes the workload that it makes:
 * its codebooks are its own, not those that the profile was measured with. */
static enum dse_status open_model(struct emitting *e, const char *file, struct dse_error *err)
{
    struct dse_setting setting = {0};
    e->executor = dse_executor_find(e->bench->family->name);
    if (e->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--model %s: the family %s has no models", file, e->bench->family->name);
    enum dse_status status = e->executor->load(file, &e->model, err);
    if (status == DSE_OK)
        status = e->executor->describe(e->model, &setting, err);
    if (status == DSE_OK)
        status = compare(e->bench, file, &setting, &e->config, err);
    if (status == DSE_OK)
        status = e->executor->work(e->model, e->setup.workload, &e->work, err);
    if (status == DSE_OK)
        e->setup.workload = &e->work;
    dse_setting_free(&setting);
    return status;
}

static enum dse_status pack_model(struct emitting *e, struct dse_error *err)
{
    struct dse_setting layout = {0};
    enum dse_status status = dse_hls_layout(&e->hls, e->bench->space, &e->config, &layout, err);
    if (status == DSE_OK)
        status = e->executor->pack(e->model, &layout, &e->pack, err);
    dse_setting_free(&layout);
    return status;
}

static enum dse_status write_design(struct emitting *e, const char *folder, struct dse_error *err)
{
    struct dse_hls_design design = {.setup = &e->setup, .estimate = &e->estimate, .hls = &e->hls,
                                    .dataset = e->profile->dataset, .dataset_hash = e->profile->dataset_hash,
                                    .pack = e->model != NULL ? &e->pack : NULL};
    struct dse_error misfit = {0};
    if (dse_hls_check_fit(&design, &misfit) != DSE_OK) {
        if (!dse_cli_flag(e->cli, "force"))
            return dse_fail(err, misfit.status, "%s (--force writes it all the same)", misfit.message);
        dse_cli_note(e->cli, "%s", misfit.message);
    }
    enum dse_status status = e->model != NULL ? pack_model(e, err) : DSE_OK;
    if (status == DSE_OK)
        status = dse_hls_write(&design, folder, err);
    if (status == DSE_OK)
        dse_cli_note(e->cli, "%s: %s_config.h, hls_config.cfg, directives.tcl%s", folder, e->bench->family->name,
                     e->model != NULL ? ", the model and the accelerator's source" : "");
    return status;
}

static enum dse_status emit(struct emitting *e, const char *folder, struct dse_error *err)
{
    const char *model = dse_cli_value(e->cli, "model");
    enum dse_status status = dse_workbench_config(e->cli, e->bench, e->profile, &e->config, err);
    if (status == DSE_OK)
        status = dse_workbench_setup(e->bench, 0, e->profile, &e->config, &e->setup, err);
    if (status == DSE_OK && model != NULL)
        status = open_model(e, model, err);
    if (status == DSE_OK)
        status = dse_estimate_make(&e->setup, &e->config, &e->estimate, err);
    if (status == DSE_OK)
        status = dse_hls_make(&e->setup, &e->config, &e->hls, err);
    return status == DSE_OK ? write_design(e, folder, err) : status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    const char *folder = dse_cli_value(cli, "output");
    if (folder == NULL || *folder == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "emit: needs -o DIR, the folder to write into");
    struct dse_workbench bench;
    enum dse_status status = dse_workbench_open(cli, &bench, err);
    if (status != DSE_OK)
        return status;
    if (bench.board_count != 1 || bench.profile_count != 1)
        status = dse_fail(err, DSE_BAD_USAGE, "emit: takes one board and one data set, not %zu and %zu",
                          bench.board_count, bench.profile_count);
    struct emitting emitting = {.cli = cli, .bench = &bench};
    if (status == DSE_OK) {
        emitting.profile = bench.profiles[0];
        status = emit(&emitting, folder, err);
    }
    release(&emitting);
    dse_workbench_close(&bench);
    return status;
}

static const struct dse_option options[] = {
    DSE_WORKBENCH_OPTIONS,
    {.name = "model", .argument = "FILE.npz", .help = "the trained model that the design is for; refused where it is of "
                                                      "another configuration"},
    {.name = "force", .help = "write a design that does not fit the board"},
};

const struct dse_command dse_cmd_emit = {
    .name = "emit",
    .summary = "the HLS configuration header and the v++ configuration of one configuration",
    .operands = "",
    .details = "Writes into the folder of -o, made when missing: FAMILY_config.h (sizes, types, PE counts, port widths, "
               "FIFO depths, pragmas as macros, and assertions that refuse values that do not hold together), "
               "hls_config.cfg for `v++ -c --mode hls`, and directives.tcl for older Vitis HLS. Either all of them are "
               "written or nothing. The same input gives the same bytes. Without --set it is the paper's design at "
               "the data set's preset. With --model the folder also holds the model as data and the accelerator's source, "
               "for nee.form=streamed.\n\n"
               "    nysx-dse emit --board zcu104 --dataset MUTAG --set nee.precision=int8 -o build/\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
