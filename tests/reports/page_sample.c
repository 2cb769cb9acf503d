#include "tests/reports/page_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "core/rng.h"
#include "reports/page.h"
#include "search/question.h"

static const enum dse_metric objectives[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18};

/* Data of a page's views. */
struct sample {
    struct dse_space *space;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile;
    struct dse_setup setup;
    struct dse_estimate paper, design;
    struct dse_design reported[2];
    struct dse_roofline rooflines[2];
    struct dse_roofline_report reports[2];
};

static void open_sample(struct sample *sample, const char *dataset)
{
    struct dse_error err;
    const struct dse_model_family *family = dse_model_find("nysx");
    assert_int_equal(dse_model_space(family, NULL, &sample->space, &err), DSE_OK);
    assert_int_equal(dse_board_open("zcu104", &sample->board, &err), DSE_OK);
    assert_int_equal(dse_costs_for_board(sample->board, NULL, &sample->costs, &err), DSE_OK);
    assert_int_equal(dse_profile_open("MUTAG", &sample->profile, &err), DSE_OK);
    struct dse_config config;
    dse_space_default(sample->space, &config);
    assert_int_equal(dse_config_apply(sample->space, &config, &sample->profile->preset, &err), DSE_OK);
    sample->setup = (struct dse_setup){.family = family, .space = sample->space, .board = sample->board,
                                       .costs = sample->costs, .headroom = -1.0};
    assert_int_equal(dse_profile_work(sample->space, sample->profile, &config, &sample->setup.workload, &err), DSE_OK);
    assert_int_equal(dse_estimate_built(&sample->setup, &config, &sample->paper, &err), DSE_OK);
    sample->reported[0] = (struct dse_design){
        .setup = &sample->setup, .dataset = dataset, .estimate = &sample->paper,
        .quality = dse_profile_quality_of(sample->space, sample->profile, &config)};
}

/* Feasible designs with random hardware; the last one acts as the chosen design. */
static void draw(struct sample *sample, size_t count, struct dse_page_points *points)
{
    struct dse_error err;
    struct dse_rng rng;
    dse_rng_seed(&rng, 7, 0);
    dse_knob_set hardware = dse_bits_without(dse_space_of_kind(sample->space, DSE_KNOB_HARDWARE), dse_space_of_kind(sample->space, DSE_KNOB_ALGORITHMIC));
    while (dse_page_points_count(points) < count) {
        struct dse_config config = sample->paper.config;
        dse_space_draw(sample->space, hardware, &rng, &config);
        if (dse_estimate_built(&sample->setup, &config, &sample->design, &err) != DSE_OK)
            continue;
        int64_t id = (int64_t)dse_page_points_count(points) + 1;
        dse_page_points_add(points, id, sample->design.metrics, &sample->design, sample->reported[0].quality);
    }
}

static void add_rooflines(struct sample *sample, const char *dataset)
{
    struct dse_error err;
    sample->reported[1] = sample->reported[0];
    sample->reported[1].estimate = &sample->design;
    assert_int_equal(dse_roofline_make(&sample->setup, &sample->paper, &sample->rooflines[0], &err), DSE_OK);
    assert_int_equal(dse_roofline_make(&sample->setup, &sample->design, &sample->rooflines[1], &err), DSE_OK);
    sample->reports[0] = (struct dse_roofline_report){.title = dataset, .roofline = &sample->rooflines[0]};
    sample->reports[1] = (struct dse_roofline_report){.title = "chosen", .roofline = &sample->rooflines[1]};
}

static struct dse_page_view view_of(const struct sample *sample, const char *dataset, const struct dse_page_points *points)
{
    return (struct dse_page_view){
        .board = sample->board, .dataset = dataset, .objectives = objectives, .objective_count = 3, .space_size = 340357308480000,
        .evaluated = 7179597, .feasible = 29526, .seconds = 2.75, .proven = true, .remark = "", .points = points,
        .corners = {.at = {dse_page_points_count(points) - 1, 0, 0, 1, DSE_CORNER_NONE}}, .chosen = dse_page_points_count(points) - 1, .chosen_because = "the last that was drawn",
        .design = &sample->reported[1], .paper = &sample->reported[0], .rooflines = sample->reports, .roofline_count = 2};
}

void page_sample_write(size_t count, const char *dataset, struct dse_strbuf *out)
{
    struct sample *sample = calloc(1, sizeof *sample);
    assert_non_null(sample);
    open_sample(sample, dataset);
    struct dse_page_points *many = dse_page_points_create(sample->setup.family, sample->space);
    struct dse_page_points *few = dse_page_points_create(sample->setup.family, sample->space);
    assert_true(many != NULL && few != NULL);
    draw(sample, count, many);
    draw(sample, count / 10 + 1, few);
    add_rooflines(sample, dataset);
    struct dse_error err;
    struct dse_setting question = {0};
    dse_setting_put(&question, "where", dataset);
    const struct dse_page_input inputs[] = {{"board", "zcu104", dataset, 1}, {"profile", dataset, dataset, 2}};
    const struct dse_page_command commands[] = {
        {"The study", dataset, false}, {"The selected design", "nysx-dse emit --from study.db:@ID@ -o build/", true}};
    struct dse_page_view views[] = {view_of(sample, dataset, many), view_of(sample, "second", few)};
    struct dse_page page = {.title = dataset, .family = sample->setup.family, .space = sample->space, .question = &question,
                            .inputs = inputs, .input_count = 2, .commands = commands, .command_count = 2, .study = "study.db", .views = views,
                            .view_count = 2};
    assert_int_equal(dse_page_write(&page, out, &err), DSE_OK);
    dse_setting_free(&question);
    dse_page_points_free(many);
    dse_page_points_free(few);
    dse_profile_free(sample->profile);
    dse_costs_free(sample->costs);
    dse_board_free(sample->board);
    dse_space_free(sample->space);
    free(sample);
}
