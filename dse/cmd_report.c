/* `nysx-dse report`: one self-contained HTML page of a study. */
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/point.h"
#include "reports/figure.h"
#include "reports/plot.h"
#include "reports/study_page.h"

static enum dse_status write_page(const struct dse_cli *cli, const struct dse_page *page, struct dse_error *err)
{
    DSE_TEXT(text);
    if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        json_t *json = NULL;
        DSE_TRY(dse_page_json(page, &json, err));
        dse_json_add(&text, json);
    } else {
        DSE_TRY(dse_page_write(page, &text, err));
    }
    return dse_output_text(cli, &text, err);
}

static enum dse_status report(const struct dse_cli *cli, struct dse_study *study, int64_t choose, struct dse_error *err)
{
    struct dse_study_page *page = NULL;
    DSE_TRY(dse_study_page_make(study, choose, &page, err));
    if (dse_study_page_changed(page) > 0)
        dse_cli_note(cli, "the estimates of %zu of the study's designs have changed with the costs or models. "
                     "The page shows the study's front, with engines and bands as estimated now", dse_study_page_changed(page));
    enum dse_status status = write_page(cli, dse_study_page_contents(page), err);
    dse_study_page_free(page);
    return status;
}

enum dse_status dse_run_report(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "study"), *output = dse_cli_value(cli, "output");
    if (path == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "needs --study FILE.db, which `sweep --study` and `optimize --study` write");
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        return dse_fail(err, DSE_BAD_USAGE, "--format csv: a report is a page or JSON; `study export --format csv` writes CSV");
    if (output == NULL && dse_cli_format(cli) == DSE_FORMAT_TABLE && isatty(STDOUT_FILENO))
        return dse_fail(err, DSE_BAD_USAGE, "a page cannot be shown on a terminal: use -o FILE.html for the page, -o FILE.svg for its front");
    int64_t choose = 0;
    DSE_TRY(dse_cli_integer(cli, "choose", 1, INT64_MAX, 0, &choose, err));
    if (output != NULL && dse_cli_format(cli) == DSE_FORMAT_JSON && !dse_ends_in(output, ".json"))
        return dse_fail(err, DSE_BAD_USAGE, "--format json: must be written to a .json file, not to %s", output);
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    DSE_TRY(dse_request_study(dse_cli_request(cli), path, &study, err));
    if (output != NULL && dse_figure_form_of(output) >= 0)
        return dse_plot_fronts(path, choose, output, err);
    DSE_TRY(dse_cli_ending(cli, ".html .htm .json .svg .pdf .png", err));
    return report(cli, study, choose, err);
}
