/* `nysx-dse emit`: what high-level synthesis needs of one configuration. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "datasets/dataset.h"
#include "dse/commands.h"
#include "dse/options.h"
#include "dse/output.h"
#include "emit/check.h"
#include "emit/hls/hls.h"
#include "emit/rtl/rtl.h"
#include "executor/executor.h"
#include "executor/measure.h"
#include "reports/check.h"
#include "reports/corners.h"

#define DSE_FIX_MAX 160 /* "knob=value" */
#define DSE_CASES_MAX 1000000

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
    struct dse_setting trained; /* what it was trained with */
    struct dse_terms terms; /* where the best design is asked for */
    struct dse_exploration exploration;
    char fixes[DSE_KNOB_MAX][DSE_FIX_MAX];
    struct dse_config config;
    struct dse_setup setup;
    struct dse_workload measured; /* at the model's setting, where the profile has none there */
    struct dse_workload work;     /* the model's, with --model */
    struct dse_estimate estimate;
    struct dse_hls hls;
    struct dse_pack pack;
    struct dse_strbuf cases;
    bool in_rtl; /* --flow rtl */
    struct dse_strbuf command; /* as a line of a shell */
    struct dse_quality quality; /* of the model that was trained here; its texts are the training's */
    struct dse_rtl rtl;
};

static void release(struct emitting *e)
{
    if (e->model != NULL)
        dse_model_free(e->model);
    dse_setting_free(&e->trained);
    dse_exploration_free(&e->exploration);
    dse_workload_clear(&e->measured);
    dse_workload_clear(&e->work);
    dse_hls_free(&e->hls);
    dse_pack_free(&e->pack);
    dse_strbuf_free(&e->cases);
    dse_rtl_free(&e->rtl);
    dse_strbuf_free(&e->command);
}

/* What was asked, without what no byte of the design depends on. */
static void write_command(const struct dse_cli *cli, struct dse_strbuf *out)
{
    static const char *const left_out[] = {"output", "overwrite", "quiet", "verbose", "no-progress", "jobs", "check", "format", NULL};
    const struct dse_request *request = dse_cli_request(cli);
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

/* --prefix: what C's names may begin with. */
static enum dse_status read_prefix(const struct dse_cli *cli, const char **prefix, struct dse_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *text = dse_cli_value(cli, "prefix");
    *prefix = text;
    if (text != NULL && (strspn(text, letters) != strlen(text) || strspn(text, "_0123456789") > 0 || strlen(text) > 32 || *text == '\0'))
        return dse_fail(err, DSE_BAD_USAGE, "--prefix %s: must begin with a letter and be up to 32 letters, digits and _", text);
    return DSE_OK;
}

static enum dse_status open_model(struct emitting *e, const char *file, struct dse_error *err)
{
    e->executor = dse_executor_find(e->bench->family->name);
    if (e->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--model %s: the family %s has no models", file, e->bench->family->name);
    DSE_TRY(dse_model_load(e->executor, file, &e->model, err));
    return dse_setting_copy(&e->model->words, &e->trained, err);
}

/* The data set's workload at the model's setting, measured now. */
static enum dse_status measure(struct emitting *e, const char *name, struct dse_error *err)
{
    struct dse_dataset *data = NULL;
    struct dse_run run = {.seed = dse_cli_seed(e->cli), .jobs = dse_cli_jobs(e->cli), .monitor = dse_cli_monitor(e->cli)};
    enum dse_status status = dse_dataset_open(name, dse_cli_value(e->cli, "data-dir"), &data, err);
    if (status == DSE_OK)
        status = e->executor->profile(data, &e->trained, &run, &e->measured, err);
    if (status == DSE_OK)
        e->setup = (struct dse_setup){.family = e->bench->family, .space = e->bench->space, .board = e->bench->boards[0],
                                      .costs = e->bench->costs[0], .workload = &e->measured,
                                      .headroom = e->bench->headroom};
    dse_dataset_free(data);
    return status;
}

/* The workload of the configuration. With a model's own setting that the profile lacks, it is measured where the data set
 * is at hand. */
static enum dse_status set_up(struct emitting *e, struct dse_error *err)
{
    const char *name = dse_cli_value(e->cli, "dataset");
    struct dse_error unused;
    enum dse_status status = dse_workbench_setup(e->bench, 0, e->profile, &e->config, &e->setup, err);
    if (status == DSE_BAD_USAGE && e->model != NULL && name != NULL && measure(e, name, &unused) == DSE_OK)
        return DSE_OK;
    return status;
}

/* Refuses a model of another configuration, and takes the workload that it makes: its codebooks are its own, not those
 * that the profile was measured with. */
static enum dse_status take_model(struct emitting *e, const char *file, struct dse_error *err)
{
    DSE_TRY(compare(e->bench, file, &e->trained, &e->config, err));
    DSE_TRY(set_up(e, err));
    DSE_TRY(e->executor->work(e->model, e->setup.workload, &e->work, err));
    e->setup.workload = &e->work;
    return DSE_OK;
}

/* A search has to leave the model's knobs as they are: they are fixed beside those of --fix. */
static enum dse_status fix_model(struct emitting *e, struct dse_error *err)
{
    struct dse_terms *terms = &e->terms;
    dse_knob_set matter = knobs_in_hardware(e->bench->family);
    for (size_t i = 0; i < e->trained.count; i++) {
        const struct dse_setting_pair *pair = &e->trained.pairs[i];
        int k = dse_space_find(e->bench->space, pair->name);
        if (k < 0 || (matter >> k & 1) == 0)
            continue;
        if (terms->choice.fix_count == DSE_KNOB_MAX || i >= DSE_KNOB_MAX)
            return dse_fail(err, DSE_BAD_USAGE, "--fix: more than the model leaves room for");
        snprintf(e->fixes[i], sizeof e->fixes[i], "%s=%s", pair->name, pair->value);
        terms->fixes[terms->choice.fix_count++] = e->fixes[i];
    }
    return DSE_OK;
}

/* Answers a question about designs, where --model leaves its knobs as they are. */
static enum dse_status ask(struct emitting *e, bool one, const char *objectives, struct dse_error *err)
{
    struct dse_exploration *exploration = &e->exploration;
    DSE_TRY(dse_terms_read(dse_cli_request(e->cli), one, objectives, &e->terms, err));
    DSE_TRY(fix_model(e, err));
    DSE_TRY(dse_exploration_open(dse_cli_request(e->cli), &e->terms, e->bench, 0, NULL, exploration, err));
    if (exploration->ended.message[0] == '\0')
        DSE_TRY(dse_exploration_answer(exploration, err));
    if (one && *exploration->remark != '\0')
        dse_cli_note(e->cli, "%s", exploration->remark);
    dse_output_tell(NULL, exploration);
    if (exploration->answer.outcome == DSE_OUTCOME_NOTHING)
        return dse_fail(err, DSE_ANSWER_NO, "%s", "");
    e->profile = exploration->profile;
    return exploration->ended.message[0] == '\0'
               ? DSE_OK : dse_fail(err, exploration->ended.status, "%s", exploration->ended.message);
}

/* The best design by --minimize or --maximize (else the fastest) under --where, with the profile that has its workload. */
static enum dse_status search(struct emitting *e, struct dse_error *err)
{
    DSE_TRY(ask(e, true, "latency", err));
    e->config = e->exploration.answer.front[0].config;
    return DSE_OK;
}

/* The "balanced" of the default question. */
static enum dse_status answer(struct emitting *e, struct dse_error *err)
{
    struct dse_exploration *exploration = &e->exploration;
    struct dse_strbuf lines = {0};
    DSE_TRY(ask(e, false, DSE_DEFAULT_OBJECTIVES, err));
    DSE_TRY(dse_exploration_evaluate(exploration, err));
    size_t chosen = exploration->front.corners.at[DSE_CORNER_BALANCED];
    if (chosen == DSE_CORNER_NONE)
        return dse_fail(err, DSE_ANSWER_NO, "no design is better than a constant answer; --preset paper emits the paper's");
    e->config = exploration->answer.front[chosen].config;
    dse_corners_tell(exploration, chosen, &lines);
    dse_output_notes(e->cli, dse_strbuf_text(&lines));
    dse_strbuf_free(&lines);
    return DSE_OK;
}

/* The paper's design at the model's own setting, with --set on top. */
static enum dse_status follow_model(struct emitting *e, struct dse_error *err)
{
    DSE_TRY(dse_workbench_base(e->bench, e->profile, &e->config, err));
    for (size_t i = 0; i < e->trained.count; i++) {
        const struct dse_setting_pair *pair = &e->trained.pairs[i];
        if (dse_space_find(e->bench->space, pair->name) >= 0)
            DSE_TRY(dse_config_set(e->bench->space, &e->config, pair->name, pair->value, err));
    }
    return dse_workbench_set(dse_cli_request(e->cli), e->bench, &e->config, err);
}

/* The design of --from, --set and the model or preset, or where the command line asks for the best, that; where it names none
 * the answer of the default question. */
static enum dse_status choose(struct emitting *e, struct dse_error *err)
{
    static const char *const asks[] = {"where", "fix", "free", "minimize", "maximize", "quality-drop"};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        if (dse_cli_count(e->cli, asks[i]) == 0)
            continue;
        if (dse_cli_value(e->cli, "from") != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--from has a design already, --%s asks for one", asks[i]);
        return search(e, err);
    }
    if (e->model != NULL && dse_cli_value(e->cli, "from") == NULL)
        return follow_model(e, err);
    const char *preset = dse_cli_value(e->cli, "preset");
    if (preset != NULL && strcmp(preset, "paper") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--preset %s: must be paper", preset);
    if (preset == NULL && dse_cli_value(e->cli, "from") == NULL && dse_cli_count(e->cli, "set") == 0)
        return answer(e, err);
    return dse_workbench_config(dse_cli_request(e->cli), e->bench, e->profile, &e->config, err);
}

/* --train: a model of the design's setting, on the data set that it is for. */
static enum dse_status train(struct emitting *e, struct dse_error *err)
{
    const char *name = dse_cli_value(e->cli, "dataset");
    struct dse_run run = {.seed = dse_cli_seed(e->cli), .jobs = dse_cli_jobs(e->cli), .monitor = dse_cli_monitor(e->cli)};
    struct dse_setting changes = {0}, setting = {0};
    struct dse_dataset *data = NULL;
    struct dse_training result = {0};
    e->executor = dse_executor_find(e->bench->family->name);
    if (e->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--train: the family %s has no models", e->bench->family->name);
    enum dse_status status = dse_dataset_open(name != NULL ? name : e->profile->dataset, dse_cli_value(e->cli, "data-dir"), &data, err);
    if (status == DSE_OK)
        status = dse_config_setting(e->bench->space, &e->config, dse_space_of_kind(e->bench->space, DSE_KNOB_ALGORITHMIC), &changes, err);
    if (status == DSE_OK)
        status = dse_executor_setting(e->executor, "paper", data, &changes, true, &setting, err);
    if (status == DSE_OK)
        status = dse_train(e->executor, data, &setting, &run, &e->model, &result, err);
    if (status == DSE_OK)
        status = dse_setting_copy(&e->model->words, &e->trained, err);
    e->quality = (struct dse_quality){.name = (char *)(uintptr_t)result.quality_name, .mean = result.quality, .n = 1};
    if (status == DSE_OK)
        dse_cli_note(e->cli, "trained on %s with seed %llu: %s %.4f on %zu held out", data->name, (unsigned long long)run.seed,
                     result.quality_name, result.quality, result.n_test);
    dse_setting_free(&changes);
    dse_setting_free(&setting);
    dse_dataset_free(data);
    return status;
}

/* --cases: graphs of the data set with what the model makes of them. */
static enum dse_status make_cases(struct emitting *e, const struct dse_setting *layout, struct dse_error *err)
{
    const char *name = dse_cli_value(e->cli, "dataset");
    struct dse_dataset *data = NULL;
    int64_t most = 0;
    int64_t unasked = e->in_rtl && name != NULL ? DSE_CASES_MAX : 0; /* the SystemVerilog is there to be simulated */
    enum dse_status status = dse_cli_integer(e->cli, "cases", 1, DSE_CASES_MAX, unasked, &most, err);
    if (status != DSE_OK || most == 0)
        return status;
    if (e->executor->cases == NULL || e->hls.bench == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--cases: the family %s has no test bench", e->bench->family->name);
    if (name == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--cases: needs --dataset, the graphs");
    status = dse_dataset_open(name, dse_cli_value(e->cli, "data-dir"), &data, err);
    if (status != DSE_OK && dse_cli_value(e->cli, "cases") == NULL) {
        dse_cli_note(e->cli, "no test graphs: %s", err->message);
        return DSE_OK;
    }
    if (status == DSE_OK)
        status = e->executor->cases(e->model, data, layout, (size_t)most, &e->cases, err);
    dse_dataset_free(data);
    return status;
}

static enum dse_status pack_model(struct emitting *e, struct dse_error *err)
{
    struct dse_setting layout = {0};
    if (e->executor->pack == NULL)
        return dse_fail(err, DSE_ANSWER_NO, "the family %s has no accelerator source that a model could be packed for",
                        e->executor->family);
    enum dse_status status = dse_hls_layout(&e->hls, e->bench->space, &e->config, &layout, err);
    if (status == DSE_OK)
        status = e->in_rtl ? e->executor->rtl(e->model, &layout, &e->rtl, err)
                           : e->executor->pack(e->model, &layout, &e->pack, err);
    if (status == DSE_OK)
        status = make_cases(e, &layout, err);
    dse_setting_free(&layout);
    return status;
}

/* A design is as large as the data set that it is sized by: the model's own may not fit into it. */
static void note_other_data(const struct emitting *e)
{
    const uint64_t hash = e->model->dataset_hash;
    const char *name = e->model->dataset;
    if (hash != e->profile->dataset_hash)
        dse_cli_note(e->cli, "the model was trained on %s (hash %016" PRIx64 "), the design is sized for %s (hash %016" PRIx64
                     "): what is larger is answered with an error code", name, hash, e->profile->dataset,
                     e->profile->dataset_hash);
}

static enum dse_status write_rtl(struct emitting *e, const char *folder, struct dse_error *err)
{
    struct dse_rtl_design design = {.setup = &e->setup, .estimate = &e->estimate, .rtl = &e->rtl,
                                    .dataset = e->profile->dataset, .cases = e->cases.length > 0 ? &e->cases : NULL,
                                    .overwrite = dse_cli_flag(e->cli, "overwrite")};
    DSE_TRY(read_prefix(e->cli, &design.prefix, err));
    DSE_TRY(dse_rtl_write(&design, folder, err));
    dse_cli_note(e->cli, "%s: the accelerator in SystemVerilog with its tables; `make sim` and `make synth` there", folder);
    return DSE_OK;
}

static enum dse_status write_design(struct emitting *e, const char *folder, struct dse_error *err)
{
    struct dse_hls_design design = {.setup = &e->setup, .estimate = &e->estimate, .hls = &e->hls,
                                    .dataset = e->profile->dataset, .dataset_hash = e->profile->dataset_hash,
                                    .overwrite = dse_cli_flag(e->cli, "overwrite"),
                                    .pack = e->model != NULL ? &e->pack : NULL,
                                    .seed = e->model != NULL ? e->model->seed : dse_cli_seed(e->cli),
                                    .quality = e->quality.name != NULL
                                                   ? &e->quality
                                                   : dse_profile_quality_of(e->bench->space, e->profile, &e->config)};
    DSE_TRY(read_prefix(e->cli, &design.prefix, err));
    write_command(e->cli, &e->command);
    design.command = dse_strbuf_text(&e->command);
    struct dse_error misfit = {0};
    if (dse_hls_check_fit(&design, &misfit) != DSE_OK) {
        if (!dse_cli_flag(e->cli, "force"))
            return dse_fail(err, misfit.status, "%s (--force writes it all the same)", misfit.message);
        dse_cli_note(e->cli, "%s", misfit.message);
    }
    DSE_TRY(e->model != NULL ? pack_model(e, err) : DSE_OK);
    if (e->model != NULL)
        note_other_data(e);
    if (e->in_rtl)
        return write_rtl(e, folder, err);
    design.cases = e->cases.length > 0 ? &e->cases : NULL;
    DSE_TRY(dse_hls_write(&design, folder, err));
    dse_cli_note(e->cli, "%s: %s_config.h, hls_config.cfg, link_config.cfg, directives.tcl%s", folder, design.prefix != NULL ? design.prefix : e->bench->family->name,
                 e->model != NULL ? ", the model and the accelerator's source" : "");
    return DSE_OK;
}

/* The memories of the SystemVerilog are full from the start, and so need a model. */
static enum dse_status read_flow(struct emitting *e, struct dse_error *err)
{
    const struct dse_executor *executor = dse_executor_find(e->bench->family->name);
    const char *flow = dse_cli_value(e->cli, "flow");
    e->in_rtl = flow != NULL && strcmp(flow, "rtl") == 0;
    if (e->in_rtl && dse_cli_value(e->cli, "model") == NULL && !dse_cli_flag(e->cli, "train"))
        return dse_fail(err, DSE_BAD_USAGE, "--flow=rtl: needs --model or --train, which its memories hold");
    if (e->in_rtl && (executor == NULL || executor->rtl == NULL))
        return dse_fail(err, DSE_BAD_USAGE, "--flow=rtl: the family %s has no RTL", e->bench->family->name);
    return DSE_OK;
}

static enum dse_status emit(struct emitting *e, const char *folder, struct dse_error *err)
{
    const char *model = dse_cli_value(e->cli, "model");
    DSE_TRY(read_flow(e, err));
    bool trains = dse_cli_flag(e->cli, "train");
    if (model != NULL && trains)
        return dse_fail(err, DSE_BAD_USAGE, "--train: beside --model, which is trained already");
    if (model == NULL && !trains && dse_cli_value(e->cli, "cases") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--cases: needs --model or --train, whose answers they are");
    DSE_TRY(model != NULL ? open_model(e, model, err) : DSE_OK);
    DSE_TRY(choose(e, err));
    DSE_TRY(trains ? train(e, err) : DSE_OK);
    DSE_TRY(e->model != NULL ? take_model(e, model != NULL ? model : "--train", err) : set_up(e, err));
    DSE_TRY(dse_estimate_built(&e->setup, &e->config, &e->estimate, err));
    DSE_TRY(dse_hls_make(&e->setup, &e->config, &e->hls, err));
    return write_design(e, folder, err);
}

/* Holds the design in a folder to its claims; the answer is no where one does not stand. */
static enum dse_status check(const struct dse_cli *cli, const char *folder, struct dse_error *err)
{
    json_t *report = NULL;
    struct dse_strbuf out = {0};
    size_t failed = 0;
    DSE_TRY(dse_check_run(folder, &report, err));
    bool passes = dse_check_passes(report, &failed);
    dse_check_write(report, dse_cli_format(cli), &out);
    enum dse_status status = dse_output_standard(&out, err);
    if (status == DSE_OK && !passes)
        status = dse_fail(err, DSE_ANSWER_NO, "%s: %zu claims do not hold", folder, failed);
    dse_strbuf_free(&out);
    json_decref(report);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    const char *folder = dse_cli_value(cli, "output");
    if (dse_cli_operand_count(cli) > 0) {
        if (!dse_cli_flag(cli, "check") || dse_cli_operand_count(cli) > 1 || folder != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "emit: %s: a folder stands alone and with --check: it is checked as it is",
                            dse_cli_operand(cli, 0));
        return check(cli, dse_cli_operand(cli, 0), err);
    }
    if (dse_cli_flag(cli, "check") && dse_cli_value(cli, "model") == NULL && !dse_cli_flag(cli, "train"))
        return dse_fail(err, DSE_BAD_USAGE, "--check: needs --model or --train, whose source is checked");
    if (folder == NULL || *folder == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "emit: needs -o DIR, the folder to write into");
    struct dse_workbench bench;
    enum dse_status status = dse_workbench_open(dse_cli_request(cli), &bench, err);
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
    if (status == DSE_OK && dse_cli_flag(cli, "check"))
        status = check(cli, folder, err);
    return status;
}

static const struct dse_option options[] = {
    DSE_OBJECTIVE_OPTIONS,
    DSE_TERMS_OPTIONS,
    DSE_BUDGET_OPTION,
    DSE_WORKBENCH_OPTIONS,
    {.name = "model", .argument = "FILE.npz", .help = "the trained model that the design is for; refused where it is of "
                                                      "another configuration"},
    {.name = "train", .help = "train the design's setting on the data set, with --seed, and emit that model"},
    {.name = "preset", .argument = "paper", .help = "the paper's design at the data set's preset"},
    {.name = "prefix", .argument = "NAME", .help = "what files, macros, functions and the kernel begin with (the family's name), so "
                                                    "that several designs live in one build"},
    {.name = "overwrite", .help = "write also into a folder that holds another design"},
    {.name = "cases", .argument = "N", .help = "with --model: a test bench and up to N test graphs of the data set with the "
                                               "answers that the simulation must give (--flow rtl: all, where not said)"},
    {.name = "check", .help = "hold the design that was written, or that of DIR as it is, to its claims: initiation "
                              "intervals, FIFOs, interfaces, storage; exit code 1 where one does not stand"},
    {.name = "force", .help = "write a design that does not fit the board"},
};

const struct dse_command dse_cmd_emit = {
    .name = "emit",
    .summary = "the HLS configuration header and the v++ configuration of one configuration",
    .operands = "[--check DIR]",
    .details = "Writes into the folder of -o, made when missing: FAMILY_config.h (sizes, types, PE counts, port widths, "
               "FIFO depths, pragmas as macros, and assertions that refuse values that do not hold together), "
               "hls_config.cfg for `v++ -c --mode hls`, link_config.cfg for `v++ -l`, and directives.tcl for older Vitis HLS. Either all of them are "
               "written or nothing. The same input gives the same bytes. Without a design it is "
               "the balanced one of `sweep`, and says so; with --preset paper or --set the paper's at the data set's preset; with "
               "--from a study's point; with --where, --fix, --minimize or --maximize the "
               "best design that `optimize` finds (the fastest, where neither is named). With --model the folder also "
               "holds the model as data and the accelerator's source, and what the model decides is as it has it.\n\n"
               "    nysx-dse emit --board zcu104 --dataset MUTAG --set nee.precision=int8 -o build/\n"
               "    nysx-dse emit --dataset MUTAG --train -o build/\n"
               "    nysx-dse emit --from s.db:12 --model m.npz -o build/\n"
               "    nysx-dse emit --dataset MUTAG --where 'bram18<=50%' --minimize energy -o build/\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .output_is_folder = true,
    .run = run,
};
