/* `nysx-dse emit`: the inputs of high-level synthesis for one configuration. */
#include <inttypes.h>
#include <string.h>

#include "core/csv.h"
#include "datasets/dataset.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "emit/check.h"
#include "emit/emission.h"
#include "emit/folder.h"
#include "explore/chosen.h"
#include "executor/executor.h"
#include "reports/check.h"
#include "reports/corners.h"
#include "reports/estimate.h"
#include "reports/json.h"

#define DSE_CASES_MAX 1000000
#define CASES 20 /* default of --cases: seconds of C simulation */

/* A design from the command line to its files. */
struct emitting {
    const struct dse_cli *cli;
    struct dse_chosen chosen;
    struct dse_estimate estimate, of_cases;
    struct dse_hls hls;
    struct dse_pack pack;
    struct dse_strbuf cases;
    size_t most_cases;
    struct dse_simulation simulated; /* simulation of the cases, in RTL */
    bool in_rtl; /* --flow rtl */
    bool trains, header_only; /* --train, or the default without it */
    struct dse_strbuf command; /* as a line of a shell */
    struct dse_rtl rtl;
};

static void release(struct emitting *e)
{
    dse_chosen_free(&e->chosen);
    dse_hls_free(&e->hls);
    dse_pack_free(&e->pack);
    dse_strbuf_free(&e->cases);
    dse_simulation_free(&e->simulated);
    dse_rtl_free(&e->rtl);
    dse_strbuf_free(&e->command);
}

/* The command line, without options on which no byte of the design depends. */
static void write_command(const struct dse_request *request, struct dse_strbuf *out)
{
    static const char *const left_out[] = {"output", "overwrite", "quiet", "verbose", "no-progress", "jobs", "check", "format", NULL};
    dse_strbuf_add(out, "nysx-dse emit");
    for (size_t i = 0; i < request->word_count; i++) {
        const struct dse_word *word = &request->words[i];
        size_t l = 0;
        while (left_out[l] != NULL && strcmp(left_out[l], word->name) != 0)
            l++;
        if (left_out[l] != NULL)
            continue;
        dse_strbuf_printf(out, " --%s", word->name);
        if (*word->value == '\0')
            continue;
        dse_strbuf_add_char(out, ' ', 1);
        dse_strbuf_add_shell(out, word->value);
    }
}

/* --prefix: a text with which names in C may begin. */
static enum dse_status check_prefix(const struct dse_cli *cli, struct dse_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *text = dse_cli_value(cli, "prefix");
    if (text != NULL && (strspn(text, letters) != strlen(text) || strspn(text, "_0123456789") > 0 || strlen(text) > 32 || *text == '\0'))
        return dse_fail(err, DSE_BAD_USAGE, "--prefix %s: must begin with a letter and be up to 32 letters, digits and _", text);
    return DSE_OK;
}

/* --cases: items of the data set with the model's results. */
static enum dse_status make_cases(struct emitting *e, struct dse_error *err)
{
    int64_t most = 0, unasked = e->in_rtl ? DSE_CASES_MAX : CASES; /* the SystemVerilog is for simulation */
    bool asked = dse_cli_value(e->cli, "cases") != NULL;
    DSE_TRY(dse_cli_integer(e->cli, "cases", 1, DSE_CASES_MAX, unasked, &most, err));
    if (e->chosen.executor->cases == NULL || (!e->in_rtl && e->hls.sources == NULL))
        return !asked                   ? DSE_OK
               : e->hls.unwritten != NULL ? dse_fail(err, DSE_ANSWER_NO, "--cases: this design has no HLS source: %s", e->hls.unwritten)
                                          : dse_fail(err, DSE_BAD_USAGE, "--cases: the family %s has no test bench", e->chosen.bench->family->name);
    e->most_cases = (size_t)most;
    if (asked && e->chosen.model->split.n_test > 0 && e->most_cases > e->chosen.model->split.n_test)
        dse_cli_note(e->cli, "--cases %zu: only %zu are held out", e->most_cases, e->chosen.model->split.n_test);
    return e->chosen.executor->cases(e->chosen.model, e->chosen.data, &e->estimate.config, e->hls.layout, e->most_cases, &e->cases, err);
}

/* Asked before a model is trained, which may take long. */
static enum dse_status can_pack(const char *family, bool in_rtl, struct dse_error *err)
{
    const struct dse_executor *executor = dse_executor_find(family);
    if (executor != NULL && !in_rtl && executor->pack == NULL)
        return dse_fail(err, DSE_ANSWER_NO, "the family %s has no accelerator source to pack a model for", family);
    return DSE_OK;
}

static enum dse_status pack_model(struct emitting *e, struct dse_error *err)
{
    const struct dse_executor *executor = e->chosen.executor;
    const struct dse_config *config = &e->estimate.config;
    DSE_TRY(can_pack(e->chosen.bench->family->name, e->in_rtl, err));
    DSE_TRY(e->in_rtl ? executor->rtl(e->chosen.model, config, e->hls.layout, &e->rtl, err)
                      : executor->pack(e->chosen.model, config, e->hls.layout, &e->pack, err));
    return make_cases(e, err);
}

/* The data of the model, or of its test cases if only these are generated. */
static const char *trained_on(const struct emitting *e)
{
    return e->chosen.made_up ? e->chosen.data->name : e->chosen.model != NULL ? e->chosen.model->dataset : NULL;
}

/* The estimate for the graphs of the cases: the profile's estimate is for the training graphs. */
static enum dse_status estimate_cases(struct emitting *e, struct dse_error *err)
{
    const struct dse_run run = {.seed = e->chosen.model->seed, .jobs = e->chosen.request->jobs, .monitor = e->chosen.request->monitor, .of_held_out = true};
    struct dse_workload measured DSE_CLEANUP(dse_workload_clear) = {0}, work DSE_CLEANUP(dse_workload_clear) = {0};
    struct dse_setup setup = e->chosen.setup;
    DSE_TRY(e->chosen.executor->profile(e->chosen.data, &e->chosen.trained, &run, &measured, err));
    DSE_TRY(dse_executor_work(e->chosen.executor, e->chosen.model, &measured, &work, err));
    setup.workload = &work;
    return dse_estimate_make(&setup, &e->estimate.config, &e->of_cases, err);
}

/* The cycles of each test case, which its bench holds the RTL to. */
static enum dse_status simulate_cases(struct emitting *e, struct dse_error *err)
{
    const struct dse_run run = {.seed = e->chosen.model->seed, .jobs = e->chosen.request->jobs, .monitor = e->chosen.request->monitor,
                                .costs = e->chosen.setup.costs, .in_rtl = true, .layout = e->hls.layout, .cases = e->most_cases};
    return dse_simulate_config(e->chosen.model, e->chosen.data, &e->estimate.config, e->chosen.setup.board, &run, &e->simulated, err);
}

static enum dse_status write_rtl(struct emitting *e, const char *folder, struct dse_error *err)
{
    bool apart = e->cases.length > 0 && e->estimate.platform.pipelined && e->chosen.model->split.n_test > 0;
    if (apart)
        DSE_TRY(estimate_cases(e, err));
    bool timed = e->cases.length > 0 && !e->chosen.executor->timed_cases;
    if (timed)
        DSE_TRY(simulate_cases(e, err));
    struct dse_emission design = {.setup = &e->chosen.setup, .estimate = &e->estimate, .of_cases = apart ? &e->of_cases : NULL, .rtl = &e->rtl,
                                    .trained_on = trained_on(e), .made_up = e->chosen.made_up,
                                    .dataset = e->chosen.profile->dataset, .cases = e->cases.length > 0 ? &e->cases : NULL, .simulated = timed ? &e->simulated : NULL,
                                    .overwrite = dse_cli_flag(e->cli, "overwrite"), .prefix = dse_cli_value(e->cli, "prefix")};
    DSE_TRY(dse_emission_write(&design, folder, err));
    dse_cli_note(e->cli, "%s: the accelerator in SystemVerilog with its tables; run `make sim` and `make synth` in the folder", folder);
    return DSE_OK;
}

static enum dse_status write_design(struct emitting *e, const char *folder, struct dse_error *err)
{
    struct dse_emission design = {.setup = &e->chosen.setup, .estimate = &e->estimate, .hls = &e->hls,
                                    .dataset = e->chosen.profile->dataset, .dataset_hash = e->chosen.profile->dataset_hash,
                                    .assumed = dse_setting_get(&e->chosen.profile->facts, DSE_PROFILE_ASSUMED),
                                    .overwrite = dse_cli_flag(e->cli, "overwrite"), .prefix = dse_cli_value(e->cli, "prefix"),
                                    .trained_on = trained_on(e), .made_up = e->chosen.made_up,
                                    .pack = e->chosen.model != NULL ? &e->pack : NULL,
                                    .seed = e->chosen.model != NULL ? e->chosen.model->seed : dse_cli_seed(e->cli),
                                    .quality = e->chosen.quality.name != NULL
                                                   ? &e->chosen.quality
                                                   : dse_profile_quality_of(e->chosen.bench->space, e->chosen.profile, &e->chosen.config)};
    write_command(e->chosen.request, &e->command);
    design.command = dse_strbuf_text(&e->command);
    struct dse_error misfit = {0};
    if (dse_emission_check_fit(&design, &misfit) != DSE_OK) {
        if (!dse_cli_flag(e->cli, "force") && !e->chosen.made_up) /* generated data may need more look-ups than the real data */
            return dse_fail(err, misfit.status, "%s (--force writes it anyway)", misfit.message);
        dse_cli_note(e->cli, "%s", misfit.message);
    }
    const struct dse_platform *platform = &e->estimate.platform;
    const int64_t starts = dse_starts(platform, &e->estimate.sums);
    if (platform->batch > 1.0 && !platform->queued && dse_family_queues(e->chosen.bench->family))
        dse_cli_note(e->cli, "--batch %.0f: this accelerator has no queue; an item takes %" PRId64 " start%s of its own", platform->batch, starts, starts > 1 ? "s" : "");
    dse_chosen_note_ring(&e->chosen, platform, e->hls.slots);
    DSE_TRY(e->chosen.model != NULL ? pack_model(e, err) : DSE_OK);
    if (e->chosen.model != NULL)
        dse_chosen_note_data(&e->chosen);
    if (e->in_rtl)
        return write_rtl(e, folder, err);
    design.cases = e->cases.length > 0 ? &e->cases : NULL;
    DSE_TRY(dse_emission_write(&design, folder, err));
    dse_cli_note(e->cli, "%s: %s_config.h%s", folder, design.prefix != NULL ? design.prefix : e->chosen.bench->family->name,
                 e->hls.own_source ? ", hls_config.cfg, link_config.cfg and directives.tcl for your own source"
                 : e->chosen.model == NULL ? ""
                 : e->cases.length == 0    ? ", hls_config.cfg, link_config.cfg, directives.tcl, the model and the accelerator's source"
                                           : ", the model, the accelerator's source and its test cases; run `make csim` in the folder to test it");
    return DSE_OK;
}

/* The contents of the folder: a design with a trained model and test cases if the family has a source for it. Otherwise, or with --only header, its
 * header alone. */
static enum dse_status read_parts(struct emitting *e, struct dse_error *err)
{
    const struct dse_executor *executor = dse_executor_find(e->chosen.bench->family->name);
    const char *only = dse_cli_value(e->cli, "only"), *model = dse_cli_value(e->cli, "model");
    bool train = dse_cli_flag(e->cli, "train"), source = false;
    static const char *const others[] = {"model", "train", "cases", "check"};
    DSE_TRY(dse_request_in_rtl(e->chosen.request, &e->in_rtl, err));
    source = executor != NULL && (e->in_rtl ? executor->rtl != NULL : executor->pack != NULL);
    if (only != NULL && strcmp(only, "header") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--only %s: must be header", only);
    for (size_t i = 0; only != NULL && i < sizeof others / sizeof *others; i++)
        if (dse_cli_count(e->cli, others[i]) > 0)
            return dse_fail(err, DSE_BAD_USAGE, "--only header: cannot be combined with --%s", others[i]);
    if (only != NULL && e->in_rtl)
        return dse_fail(err, DSE_BAD_USAGE, "--only header: cannot be combined with --flow rtl, which has no such header");
    if (model != NULL && train)
        return dse_fail(err, DSE_BAD_USAGE, "--train: cannot be combined with --model, which is already trained");
    if (e->in_rtl && (executor == NULL || executor->rtl == NULL))
        return dse_fail(err, DSE_BAD_USAGE, "--flow rtl: the family %s has no RTL", e->chosen.bench->family->name);
    if (e->in_rtl && dse_cli_flag(e->cli, "check"))
        return dse_fail(err, DSE_BAD_USAGE, "--check: checks source for high-level synthesis; for SystemVerilog run `make sim` in the folder");
    e->header_only = only != NULL || (model == NULL && !train && !source);
    e->trains = !e->header_only && model == NULL;
    for (size_t i = 2; e->header_only && i < sizeof others / sizeof *others; i++)
        if (dse_cli_count(e->cli, others[i]) > 0 && (i < 3 || e->chosen.bench->family->file == NULL)) /* a file's own source can be checked */
            return dse_fail(err, DSE_BAD_USAGE, "--%s: the family %s has no accelerator source", others[i], e->chosen.bench->family->name);
    if (e->header_only && only == NULL && executor != NULL)
        dse_cli_note(e->cli, "only the header is written: the family %s has no HLS source%s", executor->family,
                     dse_executor_in_rtl_alone(executor) ? "; --flow rtl writes its SystemVerilog, which builds and tests itself" : "");
    return DSE_OK;
}

/* Chooses the design, and reports which one it is if a question was asked. */
static enum dse_status choose(struct emitting *e, struct dse_error *err)
{
    struct dse_chosen *chosen = &e->chosen;
    DSE_TEXT(lines);
    enum dse_status status = dse_chosen_choose(chosen, err);
    if (chosen->asked)
        dse_output_tell(NULL, &chosen->exploration);
    else if (status == DSE_OK && *chosen->origin != '\0')
        dse_cli_note(e->cli, "design: %s", chosen->origin);
    if (status != DSE_OK || chosen->corner == DSE_CORNER_NONE)
        return status;
    dse_corners_tell(&chosen->exploration, chosen->corner, &lines);
    dse_output_notes(e->cli, dse_strbuf_text(&lines));
    return DSE_OK;
}

/* Called before a model is trained, which may take long. Checks that the chosen design can be built on the board, fits, and has a source. A
 * design without a source is written as its header alone, unless its knobs were set by hand or a source is requested (--train). */
static enum dse_status can_write(struct emitting *e, struct dse_error *err)
{
    struct dse_hls hls DSE_CLEANUP(dse_hls_free) = {0};
    DSE_TRY(dse_chosen_set_up(&e->chosen, "", err));
    DSE_TRY(dse_estimate_built(&e->chosen.setup, &e->chosen.config, &e->estimate, err));
    DSE_TRY(dse_hls_make(&e->chosen.setup, &e->chosen.config, &hls, err));
    const struct dse_emission design = {.setup = &e->chosen.setup, .estimate = &e->estimate, .hls = &hls};
    struct dse_error misfit = {0};
    if (!dse_cli_flag(e->cli, "force") && dse_emission_check_fit(&design, &misfit) != DSE_OK)
        return dse_fail(err, misfit.status, "%s (--force writes it anyway)", misfit.message);
    if (e->in_rtl || hls.unwritten == NULL)
        return DSE_OK;
    if (dse_cli_flag(e->cli, "train") || dse_cli_count(e->cli, "set") + dse_cli_count(e->cli, "cases") + dse_cli_count(e->cli, "check") > 0)
        return dse_fail(err, DSE_ANSWER_NO, "this design has no HLS source: %s", hls.unwritten);
    dse_cli_note(e->cli, "only the header is written, because this design has no HLS source: %s", hls.unwritten);
    e->trains = e->chosen.for_source = false;
    e->header_only = true;
    return DSE_OK;
}

struct listing {
    json_t *files;
    struct dse_strbuf *csv;
    const char *folder;
};

static void list_file(void *context, const char *name, uint64_t hash)
{
    struct listing *listing = context;
    json_array_append_new(listing->files, json_pack("{s:s, s:o}", "file", name, "hash", dse_json_hash(hash)));
    dse_csv_field(listing->csv, listing->folder);
    dse_strbuf_add(listing->csv, ",");
    dse_csv_field(listing->csv, name);
    dse_strbuf_printf(listing->csv, ",%016" PRIx64 "\n", hash);
}

/* With --format json or csv: the written files, one by one. */
static enum dse_status print_written(const struct emitting *e, const char *folder, struct dse_error *err)
{
    json_t *files = json_array();
    DSE_TEXT(text);
    DSE_TEXT(csv);
    dse_strbuf_add(&csv, "folder,file,hash\n");
    if (dse_cli_format(e->cli) == DSE_FORMAT_TABLE) {
        json_decref(files);
        return DSE_OK;
    }
    struct listing listing = {files, &csv, folder};
    enum dse_status status = dse_folder_list(folder, list_file, &listing, err);
    if (status == DSE_OK && dse_cli_format(e->cli) == DSE_FORMAT_JSON) {
        const struct dse_dataset *data = e->chosen.data;
        json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:b, s:o}", "schema", "nysx-dse.emit/1", "folder", folder, "family",
                                   e->chosen.bench->family->name, "board", e->chosen.setup.board->name, "dataset", e->chosen.profile->dataset,
                                   "trained_on", trained_on(e), "made_up", data != NULL && e->chosen.made_up, "files", json_incref(files));
        dse_json_add(&text, object);
    }
    json_decref(files);
    DSE_TRY(status);
    return dse_cli_put(dse_cli_format(e->cli) == DSE_FORMAT_JSON ? dse_strbuf_text(&text) : dse_strbuf_text(&csv), err);
}

static enum dse_status emit(struct emitting *e, const char *folder, struct dse_error *err)
{
    const char *model = dse_cli_value(e->cli, "model");
    DSE_TRY(check_prefix(e->cli, err));
    DSE_TRY(read_parts(e, err));
    bool must = dse_cli_flag(e->cli, "train") || (dse_cli_value(e->cli, "data-dir") != NULL && !e->header_only);
    DSE_TRY(e->header_only ? DSE_OK : can_pack(e->chosen.bench->family->name, e->in_rtl, err));
    DSE_TRY(model != NULL ? dse_chosen_load(&e->chosen, model, err) : DSE_OK);
    DSE_TRY(must ? dse_chosen_find_data(&e->chosen, "; without --train and --data-dir, generated data replace them", err) : DSE_OK); /* not after a search, which may take long */
    e->chosen.for_source = !e->header_only && !e->in_rtl;
    DSE_TRY(choose(e, err));
    DSE_TRY(e->trains ? can_write(e, err) : DSE_OK);
    DSE_TRY(must || e->header_only ? DSE_OK : dse_chosen_find_data(&e->chosen, NULL, err));
    DSE_TRY(e->trains ? dse_chosen_train(&e->chosen, err) : DSE_OK);
    DSE_TRY(dse_chosen_set_up(&e->chosen, model != NULL ? model : "the model", err));
    DSE_TRY(dse_estimate_built(&e->chosen.setup, &e->chosen.config, &e->estimate, err));
    const struct dse_setup *setup = &e->chosen.setup;
    char cap[80];
    if (*dse_cap_words(setup->board, (double)e->chosen.config.value[setup->family->clock_knob] * 1e6, cap) != '\0')
        dse_request_note(e->chosen.request, "%s", cap);
    DSE_TRY(dse_hls_make(&e->chosen.setup, &e->chosen.config, &e->hls, err));
    if (dse_cli_flag(e->cli, "check") && e->hls.own_source && e->hls.sources == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--check: %s: its section `emit` names no `source`", setup->family->file);
    DSE_TRY(write_design(e, folder, err));
    return print_written(e, folder, err);
}

/* Checks the claims of the design in a folder; the answer is no if one does not hold. */
static enum dse_status check(const struct dse_cli *cli, const char *folder, struct dse_error *err)
{
    json_t *report DSE_CLEANUP(json_decrefp) = NULL;
    DSE_TEXT(out);
    size_t failed = 0;
    DSE_TRY(dse_check_run(folder, &report, err));
    bool passes = dse_check_passes(report, &failed);
    dse_check_write(report, dse_cli_format(cli), &out);
    DSE_TRY(dse_output_standard(cli, &out, err));
    return passes ? DSE_OK : dse_fail(err, DSE_ANSWER_NO, "%s: %zu claims fail", folder, failed);
}

/* Opens the inputs of the design, and writes it. */
static enum dse_status write_folder(const struct dse_cli *cli, const char *folder, struct dse_error *err)
{
    struct dse_workbench bench DSE_CLEANUP(dse_workbench_close) = {0};
    struct dse_request request DSE_CLEANUP(dse_request_free) = {0};
    dse_chosen_flow(dse_cli_request(cli), &request);
    DSE_TRY(dse_workbench_open(&request, &bench, err));
    if (bench.board_count != 1 || bench.profile_count != 1)
        return dse_fail(err, DSE_BAD_USAGE, "emit: takes one board and one data set, not %zu and %zu", bench.board_count, bench.profile_count);
    struct emitting emitting DSE_CLEANUP(release) = {.cli = cli, .chosen = {.request = &request, .bench = &bench, .profile = bench.profiles[0],
                                                                            .corner = DSE_CORNER_NONE}};
    return emit(&emitting, folder, err);
}

enum dse_status dse_run_emit(const struct dse_cli *cli, struct dse_error *err)
{
    const char *folder = dse_cli_value(cli, "output");
    DSE_TRY(dse_cli_flag(cli, "check") ? dse_check_ready(err) : DSE_OK);
    if (dse_cli_operand_count(cli) > 0) {
        if (!dse_cli_flag(cli, "check") || dse_cli_operand_count(cli) > 1 || folder != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "emit: %s: a folder as operand needs --check, and nothing else with it",
                            dse_cli_operand(cli, 0));
        return check(cli, dse_cli_operand(cli, 0), err);
    }
    if (folder == NULL || *folder == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "emit: needs -o DIR, the folder to write into");
    DSE_TRY(write_folder(cli, folder, err));
    return dse_cli_flag(cli, "check") ? check(cli, folder, err) : DSE_OK;
}
