/* `nysx-dse family`: families described by files, and the derivation of any family's figures. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/rng.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "dse_skeleton.h"
#include "emit/emission.h"
#include "explore/workbench.h"
#include "models/described/described.h"
#include "models/hls.h"
#include "reports/family.h"
#include "reports/terminal.h"

#define TRIED 1000 /* random designs of `check` */

static enum dse_status run_parts(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
    struct dse_costs *costs DSE_CLEANUP(dse_costs_free_at) = NULL;
    const char *name = dse_cli_value(cli, "board");
    DSE_TEXT(text);
    DSE_TRY(dse_board_open(name != NULL ? name : dse_model_default()->board, &board, err));
    DSE_TRY(dse_costs_for_board(board, NULL, &costs, err));
    dse_family_parts(costs, dse_cli_format(cli), dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}

/* A first file, with the name instead of the skeleton's. */
static enum dse_status run_new(const struct dse_cli *cli, struct dse_error *err)
{
    const char *name = dse_cli_operand(cli, 1), *const line = "\nname: first\n";
    DSE_TEXT(text);
    char *skeleton DSE_CLEANUP(dse_free_at) = dse_strndup((const char *)skeleton_yaml, skeleton_yaml_size);
    if (dse_cli_operand_count(cli) != 2 || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0' || strchr("0123456789_", *name) != NULL || strlen(name) > 40)
        return dse_fail(err, DSE_BAD_USAGE, "family new: needs a name of small letters, digits and _");
    if (dse_model_find(name) != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "family new %s: a shipped family has this name", name);
    const char *place = strstr(skeleton, line);
    dse_strbuf_add_n(&text, skeleton, (size_t)(place - skeleton));
    dse_strbuf_printf(&text, "\nname: %s\n%s", name, place + strlen(line));
    const char *path = dse_cli_value(cli, "output");
    struct stat there;
    if (path != NULL && !dse_cli_flag(cli, "overwrite") && stat(path, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > 0)
        return dse_fail(err, DSE_BAD_USAGE, "%s: already exists; --overwrite replaces it", path);
    if (dse_cli_format(cli) != DSE_FORMAT_TABLE)
        return dse_output_script(cli, name, &text, err);
    return path != NULL ? dse_file_write(path, text.text, text.length, err) : dse_cli_put(text.text, err);
}

/* ---- check ---- */

/* Adds the design to an error that its formulas gave. */
static enum dse_status add_design(const struct dse_space *space, const struct dse_config *config, enum dse_status status, struct dse_error *err)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    size_t used = strlen(err->message);
    dse_config_setting(space, config, dse_bits_all(), &setting);
    for (size_t i = 0; i < setting.count && used < sizeof err->message; i++)
        used += (size_t)snprintf(err->message + used, sizeof err->message - used, "%s%s=%s", i == 0 ? "\n  with " : " ", setting.pairs[i].name, setting.pairs[i].value);
    return status;
}

/* Tries random designs on the family's board under its own workload, with their emitted parts, to find formulas that fail for some. */
static enum dse_status try_designs(const struct dse_model_family *family, const struct dse_space *space, struct dse_family_tried *out, struct dse_error *err)
{
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
    struct dse_costs *costs DSE_CLEANUP(dse_costs_free_at) = NULL;
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) = NULL;
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    struct dse_rng rng;
    size_t named = 0;
    DSE_TRY(dse_described_board(family, &board, err));
    DSE_TRY(dse_costs_for_board(board, NULL, &costs, err));
    enum dse_status status = family->own_profile != NULL ? family->own_profile(family, NULL, &profile, err) : DSE_BAD_USAGE;
    if (status != DSE_OK)
        return status == DSE_BAD_USAGE ? DSE_OK : status; /* without a workload of its own there is nothing to try */
    struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs, .workload = &profile->workloads[0], .headroom = -1.0};
    dse_rng_seed(&rng, 1, 0);
    for (; out->tried < TRIED; out->tried++) {
        struct dse_config config;
        dse_space_default(space, &config);
        if (out->tried > 0)
            dse_space_draw(space, dse_bits_all(), &rng, &config);
        status = dse_estimate_make(&setup, &config, estimate, err);
        if (status != DSE_OK)
            return add_design(space, &config, status, err);
        if (estimate->rejection.rejected && out->rejected++ == 0)
            snprintf(out->reason, sizeof out->reason, "%s", estimate->rejection.reason);
        if (estimate->rejection.rejected || family->hardware == NULL || family->file == NULL)
            continue;
        struct dse_hls hls DSE_CLEANUP(dse_hls_free) = {0};
        DSE_TRY(dse_hls_make(&setup, &config, &hls, err));
        const struct dse_emission design = {.setup = &setup, .estimate = estimate, .hls = &hls, .dataset = profile->dataset};
        DSE_TRY(named++ == 0 ? dse_emission_check_names(&design, err) : DSE_OK); /* names are the same in every design */
    }
    return DSE_OK;
}

/* The family of a file. Several errors are listed, since `err` has only the first. */
static enum dse_status open_checked(const struct dse_cli *cli, const char *path, const struct dse_model_family **out, struct dse_error *err)
{
    DSE_TEXT(problems);
    struct dse_error ignored;
    enum dse_status status = dse_described_check(path, out, &problems, err);
    if (problems.length > strlen(err->message) + 1 && dse_cli_format(cli) == DSE_FORMAT_TABLE)
        (void)dse_output_text(cli, &problems, &ignored);
    return status;
}

static enum dse_status run_check(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL;
    struct dse_family_tried tried = {0};
    const struct dse_model_family *family;
    DSE_TEXT(text);
    if (dse_cli_operand_count(cli) != 2)
        return dse_fail(err, DSE_BAD_USAGE, "family check: needs one file");
    const char *name = dse_cli_operand(cli, 1);
    DSE_TRY(dse_model_is_file(name) ? open_checked(cli, name, &family, err) : dse_model_open(name, &family, err));
    DSE_TRY(dse_model_space(family, NULL, &space, err));
    DSE_TRY(try_designs(family, space, &tried, err));
    dse_family_write_check(family, space, &tried, dse_cli_format(cli), dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}

/* ---- explain ---- */

static enum dse_status run_explain(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_workbench bench DSE_CLEANUP(dse_workbench_close) = {0};
    struct dse_family_lines lines DSE_CLEANUP(dse_family_lines_free) = {0};
    struct dse_request request DSE_CLEANUP(dse_request_free) = *dse_cli_request(cli);
    struct dse_setup setup;
    struct dse_config config;
    DSE_TEXT(text);
    request.words = NULL;
    request.word_count = 0;
    for (size_t i = 0; i < dse_cli_request(cli)->word_count; i++)
        dse_request_take(&request, dse_cli_request(cli)->words[i].name, dse_cli_request(cli)->words[i].value);
    if (dse_cli_operand_count(cli) > 2)
        return dse_fail(err, DSE_BAD_USAGE, "family explain: needs one file or name");
    if (dse_cli_operand_count(cli) == 2)
        dse_request_take(&request, "family", dse_cli_operand(cli, 1));
    DSE_TRY(dse_workbench_open(&request, &bench, err));
    if (bench.board_count * bench.profile_count != 1)
        return dse_fail(err, DSE_BAD_USAGE, "family explain: needs one board and one data set");
    DSE_TRY(dse_workbench_config(&request, &bench, 0, bench.profiles[0], &config, err));
    DSE_TRY(dse_workbench_setup(&bench, 0, bench.profiles[0], &config, &setup, err));
    DSE_TRY(dse_family_explain(&setup, &config, &lines, err));
    dse_family_write_lines(&setup, &config, &lines, dse_cli_format(cli), &text);
    return dse_output_text(cli, &text, err);
}

enum dse_status dse_run_family(const struct dse_cli *cli, struct dse_error *err)
{
    static const struct dse_verb verbs[] = {{"check", run_check, ".json .csv .txt", {NULL}},
                                            {"explain", run_explain, ".json .csv .txt", {"board", "dataset", "workload", "columns", "drop", "missing", "*", NULL}},
                                            {"new", run_new, ".yaml .yml", {"overwrite", NULL}}, {"parts", run_parts, ".json .csv .txt", {"board", NULL}}};
    static const char must_be[] = "check FILE.yaml, explain FILE.yaml|NAME, new NAME or parts";
    const struct dse_verb *verb;
    if (dse_cli_operand_count(cli) == 0)
        return dse_fail(err, DSE_BAD_USAGE, "family: must be %s", must_be);
    DSE_TRY(dse_cli_verb(cli, verbs, sizeof verbs / sizeof *verbs, must_be, &verb, err));
    DSE_TRY(dse_cli_ending(cli, verb->endings, err));
    return verb->run(cli, err);
}
