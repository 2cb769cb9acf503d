#include "dse/joint.h"

#include <stdio.h>
#include <string.h>

#include "dse/output.h"
#include "explore/joint.h"
#include "reports/joint.h"
#include "reports/terminal.h"

static struct dse_joint_report report_of(const struct dse_cli *cli, const char *command, const struct dse_joint_exploration *e)
{
    size_t count = e->answer.front_count, best = e->terms->best;
    return (struct dse_joint_report){
        .request = e->request, .command = command, .parts = e->parts, .compact = dse_cli_flag(cli, "compact"),
        .question = &e->question, .answer = &e->answer, .how = dse_joining_names[e->how], .method = dse_method_names[e->method],
        .datasets = e->names, .weights = e->how == DSE_JOIN_WEIGHTED ? e->weights : NULL, .dataset_count = e->sets,
        .each = e->designs, .ids = e->ids, .order = e->order, .corners = &e->corners, .qualities = e->qualities, .one = e->terms->one, .best = best < count ? best : count,
        .shown = e->terms->shown};
}

static void tell(void *user, const struct dse_joint_exploration *e)
{
    (void)user;
    if (e->ended.message[0] != '\0')
        dse_terminal_tell("nysx-dse: ", e->ended.message);
}

static enum dse_status print(const struct dse_cli *cli, const char *command, const struct dse_joint_explored *explored, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    json_t *results = dse_cli_format(cli) == DSE_FORMAT_JSON ? json_array() : NULL;
    for (size_t i = 0; i < explored->count; i++) {
        struct dse_joint_report report = report_of(cli, command, &explored->each[i]);
        struct dse_strbuf part = {0};
        if (report.answer->front_count == 0)
            continue;
        switch (dse_cli_format(cli)) {
        case DSE_FORMAT_JSON: json_array_append_new(results, dse_joint_json(&report)); break;
        case DSE_FORMAT_CSV: dse_joint_write_csv(&report, &part); break;
        case DSE_FORMAT_TABLE: dse_joint_write(&report, dse_terminal_width(), &part); break;
        }
        if (results == NULL)
            dse_output_join(cli, &part, &text);
    }
    return results != NULL ? dse_output_json(cli, "nysx-dse.combineds/1", results, explored->answered == 1, err)
                           : dse_output_text(cli, &text, err);
}

enum dse_status dse_joint_run(const struct dse_cli *cli, const struct dse_terms *terms, const char *command,
                              struct dse_error *err)
{
    struct dse_joint_explored explored;
    enum dse_status status = dse_explore_joint(dse_cli_request(cli), terms, command, tell, NULL, &explored, err);
    bool cut = false; /* nothing, and nothing is proven */
    for (size_t i = 0; i < explored.count; i++)
        cut |= explored.each[i].ended.status == DSE_LIMIT;
    if (status == DSE_OK && explored.answered == 0)
        status = dse_fail(err, cut ? DSE_LIMIT : DSE_ANSWER_NO, "%s", "");
    if (status == DSE_OK)
        status = print(cli, command, &explored, err);
    dse_joint_explored_free(&explored);
    return status;
}
