/* `nysx-dse validate`: models against simulation, synthesis and published figures, row by row, with errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "reports/family.h"
#include "explore/answers.h"
#include "reports/terminal.h"
#include "reports/validation.h"

#define CONFIGURATIONS 40

/* The texts of a request: lists of names, and the copies that were split at commas. */
struct words {
    const char **datasets, **predicted;
    char *copy;
};

/* Every value of an option. */
static const char **values_of(const struct dse_cli *cli, const char *option, size_t *count)
{
    *count = dse_cli_count(cli, option);
    const char **list = dse_calloc(*count + 1, sizeof *list);
    for (size_t i = 0; i < *count; i++)
        list[i] = dse_cli_value_at(cli, option, i);
    return list;
}

/* Every value of --predict, taken apart at commas. */
static const char **predicted_of(const struct dse_cli *cli, char **copy, size_t *count)
{
    struct dse_strbuf joined = {0};
    for (size_t i = 0; i < dse_cli_count(cli, "predict"); i++)
        dse_strbuf_printf(&joined, "%s,", dse_cli_value_at(cli, "predict", i));
    const char **list = dse_calloc(joined.length + 1, sizeof *list);
    char *rest = NULL;
    *copy = joined.text;
    if (joined.text == NULL)
        return list;
    for (char *name = strtok_r(joined.text, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
        list[(*count)++] = name;
    return list;
}

/* --paper asks for one family's published figures; it excludes words that ask for another family or level. */
static enum dse_status read_paper(const struct dse_cli *cli, struct dse_validation_request *request, const char **against, struct dse_error *err)
{
    const char *paper = dse_cli_value(cli, "paper"), *family = dse_cli_value(cli, "family");
    *against = dse_cli_value(cli, "against");
    if (paper == NULL)
        return DSE_OK;
    if (*against != NULL && strcmp(*against, "published") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--against %s: cannot be combined with --paper, which shows only published figures", *against);
    if (family != NULL && strcmp(family, paper) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: --paper names family %s", family, paper);
    request->family = paper;
    *against = "published";
    return DSE_OK;
}

static enum dse_status read_request(const struct dse_cli *cli, struct words *words, struct dse_validation_request *out,
                                    struct dse_error *err)
{
    int64_t configurations = 0;
    DSE_TRY(dse_cli_integer(cli, "configurations", 1, 100000, CONFIGURATIONS, &configurations, err));
    *out = (struct dse_validation_request){
        .family = dse_cli_family(cli), .board = dse_cli_value(cli, "board"), .calibration = dse_cli_value(cli, "calibration"),
        .data_dir = dse_cli_value(cli, "data-dir"), .configurations = (size_t)configurations, .seed = dse_cli_seed(cli),
        .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli), .answering = dse_answers_each};
    words->datasets = values_of(cli, "dataset", &out->dataset_count);
    for (size_t i = 0; i < dse_cli_count(cli, "predict"); i++) {
        const char *list = dse_cli_value_at(cli, "predict", i);
        size_t length = strlen(list);
        if (length == 0 || *list == ',' || list[length - 1] == ',' || strstr(list, ",,") != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--predict %s: a name of the list is empty; separate names by single commas", list);
    }
    words->predicted = predicted_of(cli, &words->copy, &out->predicted_count);
    out->datasets = words->datasets;
    out->predicted = words->predicted;
    return DSE_OK;
}

/* The forms of --paper and of levels. */
static const struct forms {
    void (*json)(const struct dse_validation *, struct dse_strbuf *), (*csv)(const struct dse_validation *, struct dse_strbuf *);
    void (*table)(const struct dse_validation *, size_t, struct dse_strbuf *);
} of_paper = {dse_paper_write_json, dse_paper_write_csv, dse_paper_write},
  of_levels = {dse_validation_write_json, dse_validation_write_csv, dse_validation_write};

static enum dse_status print(const struct dse_cli *cli, const struct dse_validation *found, double limit, struct dse_error *err)
{
    DSE_TEXT(text);
    if (dse_cli_junit(cli)) {
        dse_validation_write_junit(found, limit, &text);
        return dse_output_text(cli, &text, err);
    }
    const struct forms *forms = dse_cli_value(cli, "paper") != NULL ? &of_paper : &of_levels;
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        forms->json(found, &text);
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        forms->csv(found, &text);
    else
        forms->table(found, dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}

static enum dse_status hold_threshold(const struct dse_validation *found, double limit, struct dse_error *err)
{
    struct dse_validation_summary worst = dse_validation_worst(found);
    if (worst.what == NULL || worst.mean_abs_error <= limit)
        return DSE_OK;
    return dse_fail(err, DSE_ANSWER_NO, "a mean error of %.4g of %s is above --max-error %.4g", worst.mean_abs_error,
                    worst.what, limit);
}

static void release(struct words *words)
{
    free(words->datasets);
    free(words->predicted);
    free(words->copy);
}

/* The cases that a described family's file publishes. */
static enum dse_status validate_described(const struct dse_cli *cli, double limit, struct dse_error *err)
{
    const struct dse_model_family *family;
    const char *against = dse_cli_value(cli, "against");
    double worst;
    DSE_TEXT(text);
    if (against != NULL && strcmp(against, "published") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--against %s: a described family has only published cases", against);
    DSE_TRY(dse_model_open(dse_cli_family(cli), &family, err));
    DSE_TRY(dse_family_published(family, dse_cli_format(cli), dse_terminal_width(), &worst, &text, err));
    DSE_TRY(dse_output_text(cli, &text, err));
    return worst <= limit ? DSE_OK : dse_fail(err, DSE_ANSWER_NO, "an error of %.4g is above --max-error %.4g", worst, limit);
}

enum dse_status dse_run_validate(const struct dse_cli *cli, struct dse_error *err)
{
    struct words words DSE_CLEANUP(release) = {0};
    struct dse_validation_request request;
    struct dse_validation found DSE_CLEANUP(dse_validation_free) = {0};
    const char *against;
    double limit;
    DSE_TRY(dse_cli_real(cli, "max-error", 0.0, 1e9, INFINITY, &limit, err));
    if (dse_model_is_file(dse_cli_family(cli)))
        return validate_described(cli, limit, err);
    DSE_TRY(read_request(cli, &words, &request, err));
    DSE_TRY(read_paper(cli, &request, &against, err));
    enum dse_status status = dse_validate(&request, against, &found, err);
    if (status != DSE_OK && (found.count == 0 || dse_cli_value(cli, "paper") != NULL || dse_cli_value(cli, "output") != NULL))
        return status;
    enum dse_status held = hold_threshold(&found, limit, err);
    DSE_TRY(print(cli, &found, limit, err));
    return status == DSE_OK ? held : dse_fail(err, DSE_LIMIT, "interrupted: these are the %zu rows so far; fewer --configurations take less time", found.count);
}
