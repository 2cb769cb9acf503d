#include "reports/study_page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "devices/hosts.h"
#include "explore/front.h"
#include "explore/point.h"
#include "explore/record.h"
#include "explore/request.h"
#include "search/question.h"

/* One exploration with everything that its view refers to. */
struct exploration {
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile; /* for combined data sets the first */
    struct dse_page_points *points;
    struct dse_answer answer;    /* the same points, for finding corners */
    struct dse_setup setups[2];  /* settings of the published design and of the chosen one */
    struct dse_estimate estimates[2];
    struct dse_standard standard;
    struct dse_design reported[2];
    struct dse_roofline rooflines[2];
    struct dse_roofline_report reports[2];
    size_t design_count; /* 2, or 1 if the published design is infeasible */
};

struct dse_study_page {
    struct dse_arena arena;
    const struct dse_model_family *family;
    struct dse_space *space;
    struct dse_question question; /* with its objectives only */
    struct dse_setting asked;
    struct exploration *explorations; /* exploration_count, those with a front */
    struct dse_page_view *views;
    size_t exploration_count;
    struct dse_page_input *inputs;
    struct dse_page_command *commands;
    struct dse_machines machines;
    struct dse_page page;
    int64_t choose;
    bool chosen; /* `choose` was found */
    size_t changed;
};

const struct dse_page *dse_study_page_contents(const struct dse_study_page *page)
{
    return &page->page;
}

size_t dse_study_page_changed(const struct dse_study_page *page)
{
    return page->changed;
}

/* Concatenates texts up to a NULL. */
static const char *join(struct dse_study_page *page, const char *first, ...)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    va_list more;
    va_start(more, first);
    for (const char *part = first; part != NULL; part = va_arg(more, const char *))
        dse_strbuf_add(&text, part);
    va_end(more);
    return dse_arena_strdup(&page->arena, dse_strbuf_text(&text));
}

/* ---- inputs ---- */

static enum dse_status open_board(const struct dse_study *study, const char *name, struct exploration *one,
                                  struct dse_error *err)
{
    const struct dse_study_input *input = dse_study_input_find(study, "board", name);
    if (input == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not hold its board %s", dse_study_path(study), name);
    DSE_TRY(dse_board_read_memory(input->content, strlen(input->content), input->source, &one->board, err));
    dse_board_rename(one->board, name);
    const char *host = dse_setting_get(dse_study_question(study), "host"), *batch = dse_setting_get(dse_study_question(study), "batch");
    DSE_TRY(dse_host_choose(one->board, host, batch != NULL ? strtoll(batch, NULL, 10) : 1, err));
    const struct dse_study_input *calibration = dse_study_input_find(study, "calibration", name);
    return dse_costs_for_board(one->board, calibration != NULL ? calibration->source : NULL, &one->costs, err);
}

static enum dse_status open_profile(struct dse_study *study, const char *names, struct exploration *one,
                                    struct dse_error *err)
{
    char first[256];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(names, ","), names);
    const struct dse_study_input *input = dse_study_input_find(study, "profile", names);
    if (input == NULL)
        input = dse_study_input_find(study, "profile", first);
    if (input == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not hold its data set %s", dse_study_path(study), names);
    DSE_TRY(dse_profile_parse(input->content, strlen(input->content), input->name, &one->profile, err));
    return dse_study_extend(study, one->profile, err);
}

/* ---- designs ---- */

/* A point's knobs applied to the data set's preset. */
static enum dse_status make_config(const struct dse_study_page *page, const struct exploration *one,
                                   const struct dse_setting *knobs, struct dse_config *config, struct dse_error *err)
{
    dse_space_default(page->space, config);
    DSE_TRY(dse_config_apply(page->space, config, &one->profile->preset, err));
    DSE_TRY(dse_config_apply(page->space, config, knobs, err));
    dse_config_canonical(page->space, config);
    return DSE_OK;
}

/* -1 if the board's file determines it. */
static double headroom_of(const struct dse_study_page *page)
{
    const char *asked = dse_setting_get(page->page.question, "headroom");
    double headroom = -1.0;
    if (asked != NULL)
        dse_request_share(asked, &headroom);
    return headroom;
}

static enum dse_status evaluate(const struct dse_study_page *page, const struct exploration *one,
                                const struct dse_config *config, struct dse_setup *setup, struct dse_estimate *estimate,
                                struct dse_error *err)
{
    *setup = (struct dse_setup){.family = page->family, .space = page->space, .board = one->board, .costs = one->costs,
                                .headroom = headroom_of(page)};
    DSE_TRY(dse_profile_work(page->space, one->profile, config, &setup->workload, err));
    return dse_estimate_built(setup, config, estimate, err);
}

static bool same_metrics(const double stored[DSE_METRIC_COUNT], const double now[DSE_METRIC_COUNT])
{
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (fabs(stored[m] - now[m]) > 1e-9 * fabs(stored[m]))
            return false;
    return true;
}

static bool is_combined(const struct exploration *one, const struct dse_page_view *view)
{
    return strcmp(one->profile->dataset, view->dataset) != 0;
}

static enum dse_status add_points(struct dse_study_page *page, struct exploration *one, const struct dse_page_view *view,
                                  const struct dse_study_point *points, size_t count, struct dse_error *err)
{
    one->points = dse_page_points_create(page->family, page->space);
    one->answer = (struct dse_answer){.front = dse_calloc(count + 1, sizeof *one->answer.front), .front_count = count};
    for (size_t i = 0; i < count; i++) {
        struct dse_config config;
        DSE_TRY(make_config(page, one, &points[i].config, &config, err));
        DSE_TRY(evaluate(page, one, &config, &one->setups[1], &one->estimates[1], err));
        const struct dse_quality *quality = is_combined(one, view) ? NULL : dse_profile_quality_of(page->space, one->profile, &config);
        dse_page_points_add(one->points, points[i].id, points[i].metrics, &one->estimates[1], quality);
        memcpy(one->answer.front[i].metrics, points[i].metrics, sizeof points[i].metrics);
        one->answer.front[i].config = config;
        page->changed += !is_combined(one, view) &&
                         !same_metrics(points[i].metrics, one->estimates[1].metrics);
    }
    return DSE_OK;
}

/* Corners of one design for several data sets, whose qualities belong to no single profile, with the balanced one first. */
static void take_corners(const char *study, const struct exploration *one, const struct dse_study_point *points, struct dse_page_view *view,
                         size_t *order)
{
    int64_t ids[DSE_CORNER_COUNT];
    dse_stored_corners(study, one->board->name, view->dataset, ids);
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        view->corners.at[c] = DSE_CORNER_NONE;
        for (size_t i = 0; i < one->answer.front_count && ids[c] > 0; i++)
            if (points[i].id == ids[c])
                view->corners.at[c] = i;
    }
    if (view->corners.at[DSE_CORNER_BALANCED] != DSE_CORNER_NONE)
        order[0] = view->corners.at[DSE_CORNER_BALANCED];
}

/* The corners, and the index of the first design: the requested one, otherwise the one named by `best`. */
static void choose_point(struct dse_study_page *page, const char *study, const struct exploration *one,
                         const struct dse_study_point *points, struct dse_page_view *view)
{
    struct dse_question question = page->question;
    struct dse_standard standard;
    size_t count = one->answer.front_count, distinct, *order DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *order);
    question.family = page->family;
    question.space = page->space;
    question.board = one->board;
    question.headroom = headroom_of(page);
    dse_standard_make(one->profile, INFINITY, &standard);
    dse_front_rank(&question, one->profile, &standard, &one->answer, &view->corners, order, &distinct);
    if (is_combined(one, view))
        take_corners(study, one, points, view, order);
    view->chosen = order[0];
    view->chosen_because = view->corners.at[DSE_CORNER_BALANCED] == order[0]
                               ? "balanced: among the designs within one standard error of the best accuracy, the least latency × "
                                 "energy; within a tenth of that, the smallest footprint"
                               : "the most balanced of the front";
    for (size_t i = 0; i < count; i++)
        if (points[i].id == page->choose) {
            page->chosen = true;
            view->chosen = i;
            view->chosen_because = "chosen by --choose";
        }
}

/* The published design, if feasible and the question has one data set, and the chosen one; with rooflines. */
static enum dse_status add_designs(struct dse_study_page *page, const struct dse_study *study, struct exploration *one,
                                   const struct dse_study_point *chosen, struct dse_page_view *view, struct dse_error *err)
{
    static const char *const titles[] = {"baseline (modelled)", "the chosen design"};
    struct dse_error unbuilt = {0};
    struct dse_config config;
    enum dse_status paper = dse_record_baseline(study, one->board, one->profile, &config, &unbuilt);
    if (paper == DSE_OK)
        paper = evaluate(page, one, &config, &one->setups[0], &one->estimates[0], &unbuilt);
    DSE_TRY(make_config(page, one, &chosen->config, &config, err));
    DSE_TRY(evaluate(page, one, &config, &one->setups[1], &one->estimates[1], err));
    dse_standard_make(one->profile, DSE_QUALITY_DROP, &one->standard);
    bool shown[2] = {paper == DSE_OK && !is_combined(one, view), true};
    for (int d = 0; d < 2; d++) {
        one->reported[d] = (struct dse_design){
            .setup = &one->setups[d], .dataset = one->profile->dataset, .estimate = &one->estimates[d],
            .quality = dse_profile_quality_of(page->space, one->profile, &one->estimates[d].config),
            .standard = &one->standard};
        if (!shown[d])
            continue;
        struct dse_roofline *roofline = &one->rooflines[one->design_count];
        DSE_TRY(dse_roofline_make(&one->setups[d], &one->estimates[d], roofline, err));
        one->reports[one->design_count++] = (struct dse_roofline_report){.title = titles[d], .roofline = roofline, .machines = &page->machines};
    }
    view->design = &one->reported[1];
    view->paper = shown[0] ? &one->reported[0] : NULL;
    if (shown[0])
        dse_baseline_find(page->family, page->space, one->board, one->profile, &one->estimates[0].config, &view->baseline);
    view->rooflines = one->reports;
    view->roofline_count = one->design_count;
    if (is_combined(one, view))
        view->remark = join(page, view->remark, "Engines and rooflines are those of ", one->profile->dataset,
                            "; there is no baseline for several data sets.", (char *)NULL);
    else if (!shown[0])
        view->remark = join(page, view->remark, "The baseline is not shown: ", unbuilt.message, ".", (char *)NULL);
    char cap[80];
    if (*dse_cap_words(one->board, (double)one->estimates[1].config.value[page->family->clock_knob] * 1e6, cap) != '\0')
        view->remark = join(page, view->remark, " Of the chosen design's clock: ", cap, ".", (char *)NULL);
    return DSE_OK;
}

static const char *state_remark(const struct dse_study_exploration *exploration)
{
    return exploration->state == DSE_STUDY_OPEN ? "The search has not finished; `--resume` continues it. " : "";
}

/* Fills the next exploration and view. */
static enum dse_status fill_exploration(struct dse_study_page *page, struct dse_study *study, const struct dse_study_exploration *from,
                                        const struct dse_study_point *points, size_t count, struct dse_error *err)
{
    struct exploration *one = &page->explorations[page->exploration_count];
    struct dse_page_view *view = &page->views[page->exploration_count++];
    *view = (struct dse_page_view){.dataset = from->dataset, .objectives = page->question.objectives,
                                   .objective_count = page->question.objective_count, .space_size = from->space_size,
                                   .evaluated = from->evaluated, .feasible = from->feasible, .seconds = from->seconds,
                                   .proven = from->proven,
                                   .remark = join(page, state_remark(from), from->remark, " ", (char *)NULL)};
    DSE_TRY(open_board(study, from->board, one, err));
    DSE_TRY(open_profile(study, from->dataset, one, err));
    DSE_TRY(add_points(page, one, view, points, count, err));
    choose_point(page, dse_study_path(study), one, points, view);
    view->board = one->board;
    view->points = one->points;
    return add_designs(page, study, one, &points[view->chosen], view, err);
}

/* Adds one exploration, if the study has a front for it. */
static enum dse_status add_exploration(struct dse_study_page *page, struct dse_study *study, size_t index,
                                       struct dse_error *err)
{
    struct dse_study_point *points = NULL;
    size_t count = 0;
    enum dse_status status = dse_study_points(study, index, true, &points, &count, err);
    if (status == DSE_OK && count > 0)
        status = fill_exploration(page, study, dse_study_exploration_at(study, index), points, count, err);
    dse_study_points_free(points, count);
    return status;
}

/* ---- surrounding text ---- */

static enum dse_status read_question(struct dse_study_page *page, const struct dse_study *study, struct dse_error *err)
{
    const struct dse_setting *question = dse_study_question(study);
    const char *objectives = dse_setting_get(question, "objectives");
    page->family = dse_model_find(dse_study_family(study));
    if (page->family == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: of the family %s, which this program does not know", dse_study_path(study),
                        dse_study_family(study));
    if (objectives == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not name its objectives", dse_study_path(study));
    DSE_TRY(dse_question_objectives(&page->question, objectives, err));
    for (size_t i = 0; i < question->count; i++)
        if (strcmp(question->pairs[i].name, "objectives") != 0)
            dse_setting_put(&page->asked, question->pairs[i].name, question->pairs[i].value);
    page->page.question = &page->asked;
    return dse_model_space(page->family, dse_setting_get(question, "space"), &page->space, err);
}

static void list_inputs(struct dse_study_page *page, const struct dse_study *study)
{
    size_t count = dse_study_input_count(study);
    page->inputs = dse_calloc(count + 1, sizeof *page->inputs);
    for (size_t i = 0; i < count; i++) {
        const struct dse_study_input *input = dse_study_input_at(study, i);
        page->inputs[i] = (struct dse_page_input){input->kind, input->name, input->source, input->hash};
    }
    page->page.inputs = page->inputs;
    page->page.input_count = count;
}

/* The file as a shell argument. */
static const char *quoted(struct dse_study_page *page, const char *path)
{
    struct dse_strbuf word DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_add_shell(&word, path);
    return dse_arena_strdup(&page->arena, dse_strbuf_text(&word));
}

static void list_commands(struct dse_study_page *page, const struct dse_study *study)
{
    static const struct {
        const char *what, *before, *after; /* the study's file is inserted between */
        bool of_design;
    } commands[] = {
        {"This page", "nysx-dse report --study ", " -o report.html", false},
        {"All results as JSON", "nysx-dse study export ", "", false},
        {"The selected design, engine by engine", "nysx-dse estimate --from ", ":@ID@", true},
        {"Effect of each knob alone", "nysx-dse whatif --from ", ":@ID@ --sensitivity", true},
        {"Its roofline", "nysx-dse roofline --from ", ":@ID@ -o roofline.svg", true},
        {"Its header for Vitis HLS", "nysx-dse emit --from ", ":@ID@ -o build/", true},
    };
    size_t count = sizeof commands / sizeof *commands;
    const char *path = quoted(page, dse_study_path(study));
    page->commands = dse_calloc(count + 1, sizeof *page->commands);
    page->commands[0] = (struct dse_page_command){"The study", join(page, dse_study_command(study), " --study ", path, (char *)NULL), false};
    for (size_t i = 0; i < count; i++)
        page->commands[i + 1] = (struct dse_page_command){commands[i].what, join(page, commands[i].before, path, commands[i].after,
                                                               (char *)NULL), commands[i].of_design};
    page->page.study = path;
    page->page.commands = page->commands;
    page->page.command_count = count + 1;
}

static const char *title_of(struct dse_study_page *page)
{
    const struct dse_page_view *first = &page->views[0];
    char more[64] = "";
    if (page->exploration_count > 1)
        snprintf(more, sizeof more, ", and %zu more", page->exploration_count - 1);
    return join(page, first->dataset, " on ", first->board->name, more, (char *)NULL);
}

static enum dse_status make(struct dse_study_page *page, struct dse_study *study, struct dse_error *err)
{
    size_t count = dse_study_exploration_count(study);
    page->explorations = dse_calloc(count + 1, sizeof *page->explorations);
    page->views = dse_calloc(count + 1, sizeof *page->views);
    DSE_TRY(dse_machines_open(&page->machines, err));
    dse_machines_keep_drawn(&page->machines);
    DSE_TRY(read_question(page, study, err));
    for (size_t i = 0; i < count; i++)
        DSE_TRY(add_exploration(page, study, i, err));
    if (page->exploration_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: holds no design; `nysx-dse study show %s` shows its progress",
                        dse_study_path(study), dse_study_path(study));
    if (page->choose != 0 && !page->chosen)
        return dse_fail(err, DSE_BAD_USAGE, "--choose %lld: is not on a front of this study", (long long)page->choose);
    list_inputs(page, study);
    list_commands(page, study);
    page->page.title = title_of(page);
    page->page.family = page->family;
    page->page.space = page->space;
    page->page.free = dse_bits_without(dse_space_of_kind(page->space, DSE_KNOB_HARDWARE), dse_space_of_kind(page->space, DSE_KNOB_ALGORITHMIC));
    page->page.views = page->views;
    page->page.view_count = page->exploration_count;
    return DSE_OK;
}

enum dse_status dse_study_page_make(struct dse_study *study, int64_t choose, struct dse_study_page **out,
                                     struct dse_error *err)
{
    *out = NULL;
    struct dse_study_page *page = dse_calloc(1, sizeof *page);
    page->choose = choose;
    enum dse_status status = make(page, study, err);
    if (status == DSE_OK)
        *out = page;
    else
        dse_study_page_free(page);
    return status;
}

void dse_study_page_free(struct dse_study_page *page)
{
    if (page == NULL)
        return;
    for (size_t i = 0; i < page->exploration_count; i++) {
        dse_page_points_free(page->explorations[i].points);
        free(page->explorations[i].answer.front);
        dse_profile_free(page->explorations[i].profile);
        dse_costs_free(page->explorations[i].costs);
        dse_board_free(page->explorations[i].board);
    }
    free(page->explorations);
    free(page->views);
    free(page->inputs);
    free(page->commands);
    dse_machines_free(&page->machines);
    dse_setting_free(&page->asked);
    dse_space_free(page->space);
    dse_arena_free(&page->arena);
    free(page);
}
