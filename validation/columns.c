/* Predicting the columns of a published table, and fitting a family's constants to them. */
#include "validation/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/profile.h"

/* Of the method of fitting; assumed. */
#define SWEEPS 12       /* over the constants, one after the other */
#define SECTIONS 48     /* golden sections of a constant's range: 10^-10 of it */
#define GOLDEN 0.6180339887498949
#define NO_COLUMN SIZE_MAX

/* A figure's design, ready to be estimated. */
struct ready {
    const struct dse_column *column;
    const struct dse_column_figure *figure;
    size_t index; /* of the column */
    struct dse_setup setup;
    struct dse_config config;
};

/* A column's board and its costs. */
struct place {
    struct dse_board *board;
    struct dse_costs *costs;
};

struct ground {
    const struct dse_model_family *family;
    const struct dse_columns *columns;
    struct dse_space *space;
    struct dse_profile *profile;
    struct place *places; /* a column each */
    struct ready *ready;  /* ready_count */
    size_t ready_count;
};

/* ---- designs ---- */

/* "name=value name=value" onto a configuration. */
static enum dse_status assign_words(const struct dse_space *space, const char *text, struct dse_config *config,
                                    struct dse_error *err)
{
    while (*text != '\0') {
        char word[128];
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
        if (length > 0)
            DSE_TRY(dse_config_assign(space, config, word, err));
        text += length + (text[length] == ' ');
    }
    return DSE_OK;
}

static enum dse_status find_workload(const struct ground *g, const struct dse_config *config,
                                     const struct dse_workload **out, struct dse_error *err)
{
    struct dse_setting setting;
    enum dse_status status = dse_config_setting(g->space, config, dse_space_of_kind(g->space, DSE_KNOB_ALGORITHMIC),
                                                &setting, err);
    if (status != DSE_OK)
        return status;
    *out = dse_profile_workload(g->profile, &setting);
    dse_setting_free(&setting);
    return *out != NULL ? DSE_OK
                        : dse_fail(err, DSE_BAD_INPUT, "the profile %s has no workload for the published designs",
                                   g->profile->dataset);
}

static enum dse_status make_ready(const struct ground *g, struct ready *r, struct dse_error *err)
{
    const struct place *place = &g->places[r->index];
    dse_space_default(g->space, &r->config);
    enum dse_status status = dse_config_apply(g->space, &r->config, &g->profile->preset, err);
    if (status == DSE_OK)
        status = assign_words(g->space, r->column->set, &r->config, err);
    if (status == DSE_OK)
        status = assign_words(g->space, r->figure->set, &r->config, err);
    dse_config_canonical(g->space, &r->config);
    r->setup = (struct dse_setup){.family = g->family, .space = g->space, .board = place->board, .costs = place->costs,
                                  .headroom = -1.0};
    return status == DSE_OK ? find_workload(g, &r->config, &r->setup.workload, err) : status;
}

static void close_ground(struct ground *g)
{
    for (size_t i = 0; g->places != NULL && i < g->columns->column_count; i++) {
        dse_board_free(g->places[i].board);
        dse_costs_free(g->places[i].costs);
    }
    free(g->places);
    free(g->ready);
    dse_profile_free(g->profile);
    dse_space_free(g->space);
}

static enum dse_status open_ground(struct ground *g, const char *calibration, struct dse_error *err)
{
    size_t figures = 0;
    for (size_t i = 0; i < g->columns->column_count; i++)
        figures += g->columns->columns[i].figure_count;
    g->places = calloc(g->columns->column_count + 1, sizeof *g->places);
    g->ready = calloc(figures + 1, sizeof *g->ready);
    if (g->places == NULL || g->ready == NULL)
        return dse_fail_memory(err);
    DSE_TRY(dse_model_space(g->family, NULL, &g->space, err));
    DSE_TRY(dse_profile_open(g->columns->profile, &g->profile, err));
    for (size_t i = 0; i < g->columns->column_count; i++) {
        const struct dse_column *column = &g->columns->columns[i];
        DSE_TRY(dse_board_open(column->board, &g->places[i].board, err));
        DSE_TRY(dse_costs_for_board(g->places[i].board, calibration, &g->places[i].costs, err));
        for (size_t f = 0; f < column->figure_count; f++) {
            struct ready *r = &g->ready[g->ready_count++];
            *r = (struct ready){.column = column, .figure = &column->figures[f], .index = i};
            DSE_TRY(make_ready(g, r, err));
        }
    }
    return DSE_OK;
}

/* A metric, or one of the two more that a figure may name. */
static double value_of(const struct dse_estimate *estimate, const double *metrics, const char *key)
{
    if (strcmp(key, "kernel_w") == 0)
        return metrics[DSE_METRIC_POWER] - (double)estimate->platform.static_nw * 1e-9;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (strcmp(dse_metrics[m].key, key) == 0)
            return metrics[m];
    return estimate->fits ? 1.0 : 0.0;
}

/* The figure's prediction with other values of the constants; NaN where it cannot be built. */
static double predict_with(const struct ready *r, const double *fitted, struct dse_estimate *room)
{
    struct dse_error ignored;
    struct dse_setup setup = r->setup;
    setup.fitted = fitted;
    if (dse_estimate_make(&setup, &r->config, room, &ignored) != DSE_OK)
        return NAN;
    return value_of(room, room->metrics, r->figure->metric);
}

/* ---- fitting ---- */

/* Mean relative error of the figures to fit to, without those of a column. */
static double objective(const struct ground *g, size_t without, const double *fitted, struct dse_estimate *room)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < g->ready_count; i++) {
        const struct ready *r = &g->ready[i];
        if (!r->figure->fitted_to || r->index == without || !(r->figure->value > 0.0))
            continue;
        sum += fabs(predict_with(r, fitted, room) / r->figure->value - 1.0);
        n++;
    }
    return n > 0 ? sum / (double)n : 0.0;
}

/* The best value of one constant with the others held: predictions grow with it, so that the sum of their absolute errors
 * has one valley. Where no figure says anything, its value for that. */
static void fit_one(const struct ground *g, size_t without, size_t k, double *fitted, struct dse_estimate *room)
{
    double low = 0.0, high = g->family->fitted[k].largest;
    fitted[k] = low;
    double at_low = objective(g, without, fitted, room);
    fitted[k] = high;
    if (objective(g, without, fitted, room) == at_low) {
        fitted[k] = g->family->fitted[k].unknown;
        return;
    }
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    fitted[k] = a;
    double at_a = objective(g, without, fitted, room);
    fitted[k] = b;
    double at_b = objective(g, without, fitted, room);
    for (int i = 0; i < SECTIONS; i++) {
        bool left = at_a <= at_b;
        if (left) {
            high = b;
            b = a;
            at_b = at_a;
        } else {
            low = a;
            a = b;
            at_a = at_b;
        }
        double *moved = left ? &a : &b;
        *moved = left ? high - GOLDEN * (high - low) : low + GOLDEN * (high - low);
        fitted[k] = *moved;
        *(left ? &at_a : &at_b) = objective(g, without, fitted, room);
    }
    fitted[k] = 0.5 * (low + high);
}

static void fit(const struct ground *g, size_t without, double *fitted, struct dse_estimate *room)
{
    for (size_t k = 0; k < g->family->fitted_count; k++)
        fitted[k] = g->family->fitted[k].unknown;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0.0;
        for (size_t k = 0; k < g->family->fitted_count; k++) {
            double before = fitted[k];
            fit_one(g, without, k, fitted, room);
            moved = fmax(moved, fabs(fitted[k] - before) / g->family->fitted[k].largest);
        }
        if (moved < 1e-6)
            return;
    }
}

/* ---- rows ---- */

static double chip_amount(const struct ready *r)
{
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (dse_metrics[m].resource >= 0 && strcmp(dse_metrics[m].key, r->figure->metric) == 0)
            return (double)r->setup.board->chip[dse_metrics[m].resource];
    return INFINITY;
}

static enum dse_status predict_row(const struct ready *r, const double *left_out, struct dse_estimate *room,
                                   struct dse_column_row *row, struct dse_error *err)
{
    double reference = r->figure->value;
    DSE_TRY(dse_estimate_make(&r->setup, &r->config, room, err));
    *row = (struct dse_column_row){.column = r->column, .figure = r->figure, .left_out = NAN, .left_out_error = NAN,
                                   .contradicts = reference > chip_amount(r) ? chip_amount(r) : NAN,
                                   .predicted = value_of(room, room->metrics, r->figure->metric),
                                   .low = value_of(room, room->low, r->figure->metric),
                                   .high = value_of(room, room->high, r->figure->metric)};
    row->error = reference > 0.0 && strcmp(r->figure->metric, "fits") != 0 ? (row->predicted - reference) / reference : NAN;
    if (strcmp(r->figure->metric, "fits") == 0 && room->worst >= 0)
        snprintf(row->worst, sizeof row->worst, "%lld %s of %lld",
                 (long long)(room->sums.resources[room->worst] * room->platform.units), dse_resource_names[room->worst],
                 (long long)room->platform.capped[room->worst]);
    if (r->figure->fitted_to && left_out != NULL) {
        row->left_out = predict_with(r, left_out, room);
        row->left_out_error = (row->left_out - reference) / reference;
    }
    return DSE_OK;
}

static enum dse_status predict_rows(const struct ground *g, struct dse_column_answer *out, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    struct dse_estimate *room = malloc(sizeof *room);
    double left_out[DSE_FITTED_MAX];
    size_t of = NO_COLUMN;
    if (room == NULL)
        return dse_fail_memory(err);
    if (g->family->fitted_count > 0)
        fit(g, NO_COLUMN, out->refitted, room);
    for (size_t i = 0; i < g->ready_count && status == DSE_OK; i++) {
        const struct ready *r = &g->ready[i];
        if (r->figure->fitted_to && of != r->index)
            fit(g, of = r->index, left_out, room);
        status = predict_row(r, left_out, room, &out->rows[out->row_count++], err);
    }
    free(room);
    return status;
}

/* ---- summaries ---- */

static struct dse_column_summary *summary_of(struct dse_column_answer *answer, const char *what)
{
    for (size_t i = 0; i < answer->summary_count; i++)
        if (strcmp(answer->summaries[i].what, what) == 0)
            return &answer->summaries[i];
    struct dse_column_summary *next = &answer->summaries[answer->summary_count++];
    *next = (struct dse_column_summary){.what = what, .left_out_mean = NAN, .left_out_worst = NAN};
    return next;
}

static void summarise(struct dse_column_answer *answer)
{
    for (size_t i = 0; i < answer->row_count; i++) {
        const struct dse_column_row *row = &answer->rows[i];
        if (!isfinite(row->error))
            continue;
        struct dse_column_summary *s = summary_of(answer, row->figure->what);
        s->mean = (s->mean * (double)s->n + fabs(row->error)) / (double)(s->n + 1);
        s->worst = fmax(s->worst, fabs(row->error));
        if (isfinite(row->left_out_error)) {
            double sum = isfinite(s->left_out_mean) ? s->left_out_mean * (double)s->n : 0.0;
            s->left_out_mean = (sum + fabs(row->left_out_error)) / (double)(s->n + 1);
            s->left_out_worst = fmax(isfinite(s->left_out_worst) ? s->left_out_worst : 0.0, fabs(row->left_out_error));
        }
        s->n++;
    }
}

enum dse_status dse_columns_validate(const struct dse_model_family *family, const struct dse_columns *columns,
                                     const char *calibration, struct dse_column_answer *out, struct dse_error *err)
{
    struct ground g = {.family = family, .columns = columns};
    *out = (struct dse_column_answer){0};
    if (family->fitted_count > DSE_FITTED_MAX)
        return dse_fail(err, DSE_LIMIT, "--family %s: more than %d fitted constants", family->name, DSE_FITTED_MAX);
    enum dse_status status = open_ground(&g, calibration, err);
    if (status == DSE_OK) {
        out->rows = calloc(g.ready_count + 1, sizeof *out->rows);
        out->summaries = calloc(g.ready_count + 1, sizeof *out->summaries);
        if (out->rows == NULL || out->summaries == NULL)
            status = dse_fail_memory(err);
    }
    if (status == DSE_OK)
        status = predict_rows(&g, out, err);
    if (status == DSE_OK)
        summarise(out);
    else
        dse_column_answer_free(out);
    close_ground(&g);
    return status;
}

void dse_column_answer_free(struct dse_column_answer *answer)
{
    free(answer->rows);
    free(answer->summaries);
    *answer = (struct dse_column_answer){0};
}
