#include "validation/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/xml.h"

/* Of the method, not of any hardware; assumed. */
#define POINT_ERROR 0.05      /* e: how well a point is to be met */
#define PRIOR_WIDTH 0.5       /* w: how far a factor may stray from 1 unasked */
#define FACTOR_MIN 0.1        /* bounds of a factor */
#define FACTOR_MAX 10.0
#define BAND_OF_ONE_POINT 0.25 /* half the band's width that one point leaves; falls with the root of their number */
#define BAND_MIN 0.05
#define BAND_MAX 0.9
#define SWEEPS_MAX 10000
#define STEP_MIN 1e-12

const struct dse_cost_class dse_cost_classes[DSE_COST_CLASSES] = {
    {"operators", (const char *const[]){"* MHz", "datapath-*", NULL}},
    {"adapters", (const char *const[]){"m_axi*", "s_axilite*", "ddr-controller*", "hbm-interface*", NULL}},
    {"control", (const char *const[]){"loop*", "process*", "register*", "multiplexer*", NULL}},
    {"logic", (const char *const[]){"adder*", "comparator*", "popcount [0-9]*", "xnor-dot*", "random*", NULL}},
    {"memories", (const char *const[]){"array packing", "FIFO packing", "fifo-*", NULL}},
};

/* One resource's linear system: count × DSE_COST_CLASSES shares, and what was measured. */
struct linear_system {
    size_t count;
    double (*shares)[DSE_COST_CLASSES];
    const double *measured; /* NaN or 0: takes no part */
};

static bool takes_part(const struct linear_system *system, size_t point)
{
    return system->measured[point] > 0;
}

static double predicted(const struct linear_system *system, size_t point, const double *factors)
{
    double sum = 0;
    for (int k = 0; k < DSE_COST_CLASSES; k++)
        sum += factors[k] * system->shares[point][k];
    return sum;
}

/* The best value of one factor with the others held, within its bounds. */
static double best_factor(const struct linear_system *system, const double *factors, int k)
{
    double numerator = 1 / (PRIOR_WIDTH * PRIOR_WIDTH), denominator = numerator;
    for (size_t i = 0; i < system->count; i++) {
        if (!takes_part(system, i))
            continue;
        double share = system->shares[i][k] / system->measured[i] / POINT_ERROR;
        double rest = (system->measured[i] - predicted(system, i, factors)) / system->measured[i] / POINT_ERROR +
                      factors[k] * share;
        numerator += share * rest;
        denominator += share * share;
    }
    return fmin(FACTOR_MAX, fmax(FACTOR_MIN, numerator / denominator));
}

/* Minimises the convex sum of squares within its box, one factor after the other. */
static void solve(const struct linear_system *system, double factors[DSE_COST_CLASSES])
{
    for (int k = 0; k < DSE_COST_CLASSES; k++)
        factors[k] = 1;
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        double step = 0;
        for (int k = 0; k < DSE_COST_CLASSES; k++) {
            double value = best_factor(system, factors, k);
            step = fmax(step, fabs(value - factors[k]));
            factors[k] = value;
        }
        if (step < STEP_MIN)
            return;
    }
}

static double rms(const struct linear_system *system, const double *factors)
{
    double sum = 0;
    size_t points = 0;
    for (size_t i = 0; i < system->count; i++) {
        if (!takes_part(system, i))
            continue;
        double error = predicted(system, i, factors) / system->measured[i] - 1;
        sum += error * error;
        points++;
    }
    return points > 0 ? sqrt(sum / (double)points) : NAN;
}

static bool has_share(const struct linear_system *system, int k)
{
    for (size_t i = 0; i < system->count; i++)
        if (takes_part(system, i) && system->shares[i][k] > 0)
            return true;
    return false;
}

/* Twice the scatter that is left, and never less than so few points can promise. */
static double half_band(double rms_after, size_t points)
{
    double promised = BAND_OF_ONE_POINT / sqrt((double)points);
    double scattered = 2 * rms_after * sqrt(1 + 1 / (double)points);
    return fmin(BAND_MAX, fmax(BAND_MIN, fmax(promised, scattered)));
}

static void fit_resource(const struct linear_system *system, struct dse_fit *fit, double factors[DSE_COST_CLASSES])
{
    const double ones[DSE_COST_CLASSES] = {1, 1, 1, 1, 1};
    for (int k = 0; k < DSE_COST_CLASSES; k++) {
        factors[k] = 1;
        fit->factors[k] = (struct dse_fitted_factor){NAN, NAN, NAN};
    }
    for (size_t i = 0; i < system->count; i++)
        fit->points += takes_part(system, i) && predicted(system, i, ones) > 0;
    fit->rms_before = fit->rms_after = rms(system, ones);
    if (fit->points == 0)
        return;
    solve(system, factors);
    fit->rms_after = rms(system, factors);
    double half = half_band(fit->rms_after, fit->points);
    for (int k = 0; k < DSE_COST_CLASSES; k++)
        if (has_share(system, k))
            fit->factors[k] = (struct dse_fitted_factor){factors[k], fmax(0, 1 - half), 1 + half};
}

/* The models' resources of the engine with a given library. */
static enum dse_status predict(const struct dse_setup *setup, const void *work, const struct dse_costs *costs,
                               size_t engine, const struct dse_config *config, double out[DSE_RESOURCE_COUNT],
                               struct dse_error *err)
{
    struct dse_refusal refusal = {0};
    struct dse_context context = {.board = setup->board, .costs = costs, .work = work, .refusal = &refusal};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out[r] = 0;
    for (size_t b = 0; b < setup->family->block_count; b++) {
        if (engine < setup->family->engine_count && setup->family->blocks[b].engine != engine)
            continue;
        struct dse_accumulators part;
        DSE_TRY(dse_block_account(setup->family, b, &context, config, &part, err));
        DSE_TRY(dse_refusal_verdict(&refusal, err));
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            out[r] += (double)part.resources[r];
    }
    return DSE_OK;
}

/* The share of one class in every point's prediction of one resource. */
static enum dse_status find_shares(const struct dse_setup *setup, const void *work, size_t engine,
                                   const struct dse_calibration_point *points, int resource, int k,
                                   const struct dse_calibration *calibration, double (*shares)[DSE_COST_CLASSES],
                                   struct dse_error *err)
{
    struct dse_costs *doubled = NULL;
    enum dse_status status = dse_costs_copy_scaled(setup->costs, dse_cost_classes[k].patterns,
                                                   (enum dse_resource)resource, 2, &doubled, err);
    for (size_t i = 0; status == DSE_OK && i < calibration->point_count; i++) {
        double with[DSE_RESOURCE_COUNT];
        status = predict(setup, work, doubled, engine, &points[i].config, with, err);
        shares[i][k] = with[resource] - calibration->before[i][resource];
    }
    dse_costs_free(doubled);
    return status;
}

static enum dse_status fit_all(const struct dse_setup *setup, const void *work, size_t engine,
                               const struct dse_calibration_point *points, struct dse_calibration *c,
                               struct dse_error *err)
{
    double(*shares)[DSE_COST_CLASSES] = calloc(c->point_count, sizeof *shares);
    double *measured = calloc(c->point_count, sizeof *measured);
    enum dse_status status = shares != NULL && measured != NULL ? DSE_OK : dse_fail_memory(err);
    for (int r = 0; status == DSE_OK && r < DSE_RESOURCE_COUNT; r++) {
        double factors[DSE_COST_CLASSES];
        struct linear_system system = {.count = c->point_count, .shares = shares, .measured = measured};
        for (int k = 0; status == DSE_OK && k < DSE_COST_CLASSES; k++)
            status = find_shares(setup, work, engine, points, r, k, c, shares, err);
        if (status != DSE_OK)
            break;
        for (size_t i = 0; i < c->point_count; i++)
            measured[i] = c->measured[i][r];
        fit_resource(&system, &c->fits[r], factors);
        for (size_t i = 0; i < c->point_count; i++)
            c->after[i][r] = predicted(&system, i, factors);
    }
    free(shares);
    free(measured);
    return status;
}

static const char *level_text(enum dse_report_level level)
{
    return dse_report_level_names[level];
}

/* Levels are never mixed, and only those count whose numbers are whole designs'. */
static enum dse_status check_levels(const struct dse_calibration_point *points, size_t count, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        enum dse_report_level level = points[i].report->level;
        if (level != DSE_REPORT_LEVEL_HLS && level != DSE_REPORT_LEVEL_ROUTED)
            return dse_fail(err, DSE_BAD_USAGE,
                            "%s: of the level \"%s\"; factors are fitted from HLS estimates or routed reports",
                            points[i].report->file, level_text(level));
        if (level != points[0].report->level)
            return dse_fail(err, DSE_BAD_USAGE, "%s is of the level \"%s\" and %s of \"%s\": levels are never mixed",
                            points[0].report->file, level_text(points[0].report->level), points[i].report->file,
                            level_text(level));
    }
    return DSE_OK;
}

/* The numbers of a point: of the report's row that is asked for, or its totals. */
static enum dse_status measured_of(const struct dse_calibration_point *point, double out[DSE_RESOURCE_COUNT],
                                   struct dse_error *err)
{
    const struct dse_report *report = point->report;
    const double *used = point->instance == NULL ? report->used : NULL;
    for (size_t i = 0; used == NULL && i < report->instance_count; i++)
        if (strcmp(report->instances[i].name, point->instance) == 0 ||
            (report->instances[i].module != NULL && strcmp(report->instances[i].module, point->instance) == 0))
            used = report->instances[i].used;
    if (used == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: no instance or module \"%s\" in it", report->file, point->instance);
    memcpy(out, used, DSE_RESOURCE_COUNT * sizeof *out);
    return DSE_OK;
}

static enum dse_status collect(const struct dse_setup *setup, const void *work, size_t engine,
                               const struct dse_calibration_point *points, struct dse_calibration *c,
                               struct dse_error *err)
{
    for (size_t i = 0; i < c->point_count; i++) {
        DSE_TRY(measured_of(&points[i], c->measured[i], err));
        DSE_TRY(predict(setup, work, setup->costs, engine, &points[i].config, c->before[i], err));
    }
    return DSE_OK;
}

enum dse_status dse_calibrate(const struct dse_setup *setup, size_t engine,
                              const struct dse_calibration_point *points, size_t count,
                              struct dse_calibration *out, struct dse_error *err)
{
    *out = (struct dse_calibration){.point_count = count};
    if (count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "no report to fit factors from");
    enum dse_status status = check_levels(points, count, err);
    if (status != DSE_OK)
        return status;
    out->level = points[0].report->level;
    out->measured = calloc(count, sizeof *out->measured);
    out->before = calloc(count, sizeof *out->before);
    out->after = calloc(count, sizeof *out->after);
    if (out->measured == NULL || out->before == NULL || out->after == NULL)
        status = dse_fail_memory(err);
    void *work = NULL;
    if (status == DSE_OK)
        status = setup->family->prepare(setup->workload, &work, err);
    if (status == DSE_OK) {
        status = collect(setup, work, engine, points, out, err);
        if (status == DSE_OK)
            status = fit_all(setup, work, engine, points, out, err);
        setup->family->release(work);
    }
    size_t fitted = 0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        fitted += out->fits[r].points;
    if (status == DSE_OK && fitted == 0)
        status = dse_fail(err, DSE_BAD_USAGE, "no resource that both the reports and the models count: nothing to fit");
    if (status != DSE_OK)
        dse_calibration_free(out);
    return status;
}

void dse_calibration_free(struct dse_calibration *calibration)
{
    free(calibration->measured);
    free(calibration->before);
    free(calibration->after);
    *calibration = (struct dse_calibration){0};
}

void dse_calibration_write(const struct dse_calibration *calibration, const struct dse_costs *costs,
                           const char *source, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<calibration family=\"");
    dse_xml_escape(out, dse_costs_family(costs));
    dse_strbuf_printf(out, "\" level=\"%s\" source=\"",
                      calibration->level == DSE_REPORT_LEVEL_HLS ? "hls-report" : "routed-report");
    dse_xml_write_text(out, source);
    dse_strbuf_add(out, "\">\n");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; k < DSE_COST_CLASSES; k++) {
            const struct dse_fitted_factor *f = &calibration->fits[r].factors[k];
            if (calibration->fits[r].points == 0 || isnan(f->value))
                continue;
            for (const char *const *pattern = dse_cost_classes[k].patterns; *pattern != NULL; pattern++) {
                dse_strbuf_add(out, "  <factor entries=\"");
                dse_xml_escape(out, *pattern);
                dse_strbuf_printf(out, "\" resource=\"%s\" value=\"%.6g\" low=\"%.4g\" high=\"%.4g\" points=\"%zu\" "
                                       "residual=\"%.4g\"/>\n",
                                  dse_resource_names[r], f->value, f->low, f->high, calibration->fits[r].points,
                                  calibration->fits[r].rms_after);
            }
        }
    dse_strbuf_add(out, "</calibration>\n");
}
