/* `nysx-dse study`: the contents of a study. */
#include <string.h>

#include "dse/commands.h"
#include "dse/output.h"
#include "explore/point.h"
#include "reports/study.h"
#include "reports/terminal.h"

static enum dse_status show(const struct dse_cli *cli, struct dse_study *study, struct dse_strbuf *text, struct dse_error *err)
{
    if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        json_t *json = NULL;
        DSE_TRY(dse_study_summary_json(study, &json, err));
        dse_json_add(text, json);
        return DSE_OK;
    }
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        return dse_study_summary_csv(study, text, err);
    return dse_study_write(study, dse_terminal_width(), text, err);
}

static enum dse_status export(const struct dse_cli *cli, struct dse_study *study, struct dse_strbuf *text,
                              struct dse_error *err)
{
    const char *only = dse_cli_value(cli, "points");
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        return dse_study_write_csv(study, dse_cli_flag(cli, "all"), only, text, err);
    json_t *json = NULL;
    DSE_TRY(dse_study_json(study, &json, err));
    dse_json_add(text, json);
    return DSE_OK;
}

static enum dse_status look(const struct dse_cli *cli, enum dse_status (*make)(const struct dse_cli *, struct dse_study *, struct dse_strbuf *,
                                                                               struct dse_error *),
                            struct dse_error *err)
{
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    DSE_TEXT(text);
    DSE_TRY(dse_request_study(dse_cli_request(cli), dse_cli_operand(cli, 1), &study, err));
    DSE_TRY(make(cli, study, &text, err));
    return dse_output_text(cli, &text, err);
}

static enum dse_status run_show(const struct dse_cli *cli, struct dse_error *err)
{
    return look(cli, show, err);
}

static enum dse_status run_export(const struct dse_cli *cli, struct dse_error *err)
{
    static const char *const of_csv[] = {"points", "all"}; /* JSON has every point */
    for (size_t i = 0; i < 2; i++)
        if (dse_cli_value(cli, of_csv[i]) != NULL && dse_cli_format(cli) != DSE_FORMAT_CSV)
            return dse_fail(err, DSE_BAD_USAGE, "--%s: needs `export --format csv`", of_csv[i]);
    return look(cli, export, err);
}

enum dse_status dse_run_study(const struct dse_cli *cli, struct dse_error *err)
{
    static const struct dse_verb verbs[] = {{"show", run_show, ".json .csv .txt", {NULL}},
                                            {"export", run_export, ".json .csv .txt", {"all", "points", NULL}}};
    const struct dse_verb *verb;
    if (dse_cli_operand_count(cli) != 2)
        return dse_fail(err, DSE_BAD_USAGE, "study: needs `show FILE.db` or `export FILE.db`");
    DSE_TRY(dse_cli_verb(cli, verbs, sizeof verbs / sizeof *verbs, "show FILE.db or export FILE.db", &verb, err));
    DSE_TRY(dse_cli_ending(cli, verb->endings, err));
    return verb->run(cli, err);
}
