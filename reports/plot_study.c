/* Designs of a study, its corners and the published design. */
#include "reports/plot_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explore/baseline.h"
#include "explore/corners.h"
#include "explore/point.h"
#include "explore/record.h"

static bool is_meant(const struct dse_plotting *p, size_t index)
{
    const struct dse_study_exploration *e = dse_study_exploration_at(p->study, index);
    const char *board = dse_request_word(p->question->request, "board"), *dataset = dse_request_word(p->question->request, "dataset");
    if (p->question->exploration > 0)
        return index + 1 == p->question->exploration;
    return (board == NULL || strcmp(board, e->board) == 0) && (dataset == NULL || strcmp(dataset, e->dataset) == 0);
}

/* Opens the requested exploration, with the board and data set as stored in the study. */
enum dse_status dse_plot_open_study(struct dse_plotting *p, struct dse_request *own)
{
    const struct dse_request *request = p->question->request;
    struct dse_study_point *points = NULL;
    size_t found = 0, at = 0, count = 0;
    char from[4200];
    DSE_TRY(dse_study_open(p->question->study, &p->study, p->err));
    for (size_t i = 0; i < dse_study_exploration_count(p->study); i++)
        if (is_meant(p, i)) {
            found++;
            at = i;
        }
    if (found != 1)
        return dse_fail(p->err, DSE_BAD_USAGE, "--study %s: has %zu explorations%s; choose one by --board and --dataset", p->question->study,
                        dse_study_exploration_count(p->study), found == 0 ? ", none of them of that board and data set" : "");
    p->exploration = dse_study_exploration_at(p->study, at);
    p->at = at;
    DSE_TRY(dse_study_points(p->study, at, true, &points, &count, p->err));
    snprintf(from, sizeof from, "%s:%lld", p->question->study, count > 0 ? (long long)points[0].id : 0);
    dse_study_points_free(points, count);
    if (count == 0)
        return dse_fail(p->err, DSE_BAD_INPUT, "%s: holds no design of %s on %s", p->question->study, p->exploration->dataset, p->exploration->board);
    dse_request_init(own);
    own->family = request->family;
    static const char *const apart[] = {"from", "study", "board", "dataset", NULL};
    for (size_t i = 0; i < request->word_count; i++) {
        bool kept = true;
        for (const char *const *name = apart; *name != NULL; name++)
            kept &= strcmp(*name, request->words[i].name) != 0;
        if (kept)
            dse_request_take(own, request->words[i].name, request->words[i].value);
    }
    dse_request_take(own, "from", dse_plot_keep(&p->out->charts[0], from));
    DSE_TRY(dse_workbench_open(own, p->bench, p->err));
    p->profile = p->bench->profiles[0];
    return dse_study_extend(p->study, p->bench->profiles[0], p->err);
}

static enum dse_status add_point(struct dse_plotting *p, const struct dse_study_point *point)
{
    struct dse_config config;
    dse_space_default(p->bench->space, &config);
    DSE_TRY(dse_config_apply(p->bench->space, &config, &p->profile->preset, p->err));
    DSE_TRY(dse_config_apply(p->bench->space, &config, &point->config, p->err));
    dse_config_canonical(p->bench->space, &config);
    struct dse_plot_sample *s = dse_plot_add_sample(p, &config);
    s->id = point->id;
    memcpy(s->metrics, point->metrics, sizeof s->metrics);
    s->quality = dse_profile_quality_of(p->bench->space, p->profile, &config);
    return DSE_OK;
}

enum dse_status dse_plot_add_stored(struct dse_plotting *p, bool front)
{
    struct dse_study_point *points = NULL;
    size_t count = 0;
    enum dse_status status = dse_study_points(p->study, p->at, front, &points, &count, p->err);
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = add_point(p, &points[i]);
    dse_study_points_free(points, count);
    return status;
}

/* Adds the corners by name, and the published design. */
enum dse_status dse_plot_name_corners(struct dse_plotting *p)
{
    int64_t ids[DSE_CORNER_COUNT];
    dse_stored_corners(p->question->study, p->exploration->board, p->exploration->dataset, ids);
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        for (size_t i = 0; ids[c] > 0 && i < p->count; i++)
            if (p->samples[i].id == ids[c] && ids[c] != p->question->choose) {
                char name[160];
                snprintf(name, sizeof name, "%s%s%s", p->samples[i].name != NULL ? p->samples[i].name : "",
                         p->samples[i].name != NULL ? ", " : "", dse_corner_titles[c]);
                p->samples[i].name = dse_plot_keep(&p->out->charts[0], name);
            }
    for (size_t i = 0; p->question->choose > 0 && i < p->count; i++)
        if (p->samples[i].id == p->question->choose)
            p->samples[i].name = "chosen";
    if (strchr(p->exploration->dataset, ',') != NULL)
        return DSE_OK;
    DSE_TRY(dse_record_baseline(p->study, p->bench->boards[0], p->profile, &p->paper.config, p->err));
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        p->paper.metrics[m] = p->paper.low[m] = p->paper.high[m] = NAN;
    p->paper.name = "baseline";
    p->has_paper = true;
    DSE_TRY(dse_plot_evaluate(p, &p->paper));
    struct dse_baseline baseline;
    dse_baseline_find(p->bench->family, p->bench->space, p->bench->boards[0], p->profile, &p->paper.config, &baseline);
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        p->paper.published[m] = m != DSE_METRIC_QUALITY && !isnan(baseline.published[m]); /* a quality is that of these data, measured */
        if (p->paper.published[m])
            p->paper.metrics[m] = p->paper.low[m] = p->paper.high[m] = baseline.published[m];
    }
    return DSE_OK;
}
