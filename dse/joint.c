#include "dse/joint.h"

#include "dse/output.h"
#include "explore/joint.h"
#include "reports/joint.h"
#include "reports/terminal.h"

static struct dse_joint_report report_of(const struct dse_cli *cli, const char *command, const struct dse_joint_exploration *e)
{
    size_t count = e->answer.front_count, best = e->terms->best;
    return (struct dse_joint_report){
        .request = e->request, .command = command, .parts = e->parts, .compact = dse_cli_flag(cli, "compact"),
        .question = &e->question, .answer = &e->answer, .how = dse_joining_names[e->how], .method = e->method,
        .datasets = e->names, .weights = e->how == DSE_JOIN_WEIGHTED ? e->given : NULL, .dataset_count = e->sets,
        .each = e->designs, .ids = e->ids, .order = e->order, .corners = &e->corners, .qualities = e->qualities, .one = e->terms->one, .best = best < count ? best : count,
        .shown = e->terms->shown};
}

/* Why there is no design; `names` receives those of the data sets. */
static struct dse_why_report why_of(const struct dse_joint_exploration *e, struct dse_strbuf *names)
{
    for (size_t i = 0; i < e->sets; i++)
        dse_strbuf_printf(names, "%s%s", i > 0 ? "," : "", e->names[i]);
    return (struct dse_why_report){&e->question, dse_strbuf_text(names), dse_metrics[DSE_METRIC_QUALITY].name, e->why, e->ended.message,
                                   e->answer.rejection, NULL, 0.0, 0.0};
}

static void tell(void *user, const struct dse_joint_exploration *e)
{
    (void)user;
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_why_report report = why_of(e, &names);
    dse_output_why_tell(&report);
}

static json_t *result_json(const struct dse_joint_report *report, const struct dse_joint_exploration *e)
{
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_why_report why = why_of(e, &names);
    return e->answer.front_count > 0 ? dse_joint_json(report) : dse_why_json(&why);
}

static enum dse_status print(const struct dse_cli *cli, const char *command, const struct dse_joint_explored *explored, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    json_t *results = dse_cli_format(cli) == DSE_FORMAT_JSON ? json_array() : NULL;
    for (size_t i = 0; i < explored->count; i++) {
        struct dse_joint_report report = report_of(cli, command, &explored->each[i]);
        struct dse_strbuf part = {0};
        bool why = results != NULL && report.answer->outcome == DSE_OUTCOME_NOTHING;
        if (report.answer->front_count == 0 && !why)
            continue;
        switch (dse_cli_format(cli)) {
        case DSE_FORMAT_JSON: json_array_append_new(results, result_json(&report, &explored->each[i])); break;
        case DSE_FORMAT_CSV: dse_joint_write_csv(&report, &part); break;
        case DSE_FORMAT_TABLE: dse_joint_write(&report, dse_terminal_width(), &part); break;
        }
        if (results == NULL)
            dse_output_join(cli, &part, &text);
    }
    return results != NULL ? dse_output_json(cli, "nysx-dse.combineds/1", results, explored->count == 1, err)
                           : dse_output_text(cli, &text, err);
}

enum dse_status dse_joint_run(const struct dse_cli *cli, const struct dse_terms *terms, const char *command,
                              struct dse_error *err)
{
    struct dse_joint_explored explored;
    enum dse_status status = dse_explore_joint(dse_cli_request(cli), terms, command, tell, NULL, &explored, err);
    bool cut = false, interrupted = false, why = false; /* infeasibility unproven; proven but unexplained; explained */
    for (size_t i = 0; i < explored.count; i++) {
        const struct dse_joint_exploration *e = &explored.each[i];
        cut |= e->ended.status == DSE_LIMIT;
        why |= e->answer.outcome == DSE_OUTCOME_NOTHING;
        interrupted |= e->why != NULL && e->why->end == DSE_WHY_INTERRUPTED;
    }
    if (status == DSE_OK && (explored.answered > 0 || (why && dse_cli_format(cli) == DSE_FORMAT_JSON)))
        status = print(cli, command, &explored, err);
    if (status == DSE_OK && interrupted)
        status = dse_fail(err, DSE_LIMIT, "interrupted: nothing is feasible, which is proven; the explanation is partial");
    if (status == DSE_OK && explored.answered == 0)
        status = dse_fail(err, cut ? DSE_LIMIT : DSE_ANSWER_NO, "%s", "");
    dse_joint_explored_free(&explored);
    return status;
}
