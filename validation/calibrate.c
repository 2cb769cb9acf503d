#include "validation/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/xml.h"

/* Parameters of the method, not of hardware; assumed. */
#define POINT_ERROR 0.05      /* e: tolerated relative error of a point */
#define PRIOR_WIDTH_MIN 0.1   /* minimum of w, where the library's band is narrower */
#define PRIOR_WIDTH_MAX 0.5
#define BAND_OF_ONE_POINT 0.25 /* half the band's width after one point; falls with the root of the number of points */
#define BAND_MIN 0.05
#define BAND_MAX 0.9

const struct dse_cost_class dse_cost_classes[DSE_COST_CLASSES] = {
    {"operators", (const char *const[]){"* MHz", "datapath-*", NULL}},
    {"adapters", (const char *const[]){"m_axi*", "s_axilite*", "ddr-controller*", "hbm-interface*", NULL}},
    {"control", (const char *const[]){"loop*", "process*", "register*", "multiplexer*", NULL}},
    {"logic", (const char *const[]){"adder*", "comparator*", "popcount [0-9]*", "xnor-dot*", "random*", NULL}},
    {"memories", (const char *const[]){"array packing", "FIFO packing", "fifo-*", NULL}},
};

/* One resource's linear system: count × DSE_COST_CLASSES shares, and the measured values. */
struct linear_system {
    size_t count;
    double (*shares)[DSE_COST_CLASSES];
    double *fixed; /* part of each prediction that belongs to no class, such as the LUTs of a small memory, which its shape decides */
    const double *measured; /* NaN or 0: not used */
    double prior[DSE_COST_CLASSES]; /* w of each class; 0: held at 1 */
};

static bool takes_part(const struct linear_system *system, size_t point)
{
    return system->measured[point] > 0;
}

static double predicted(const struct linear_system *system, size_t point, const double *factors)
{
    double sum = system->fixed[point];
    for (int k = 0; k < DSE_COST_CLASSES; k++)
        sum += factors[k] * system->shares[point][k];
    return sum;
}

/* Gauss-Jordan elimination on a symmetric positive definite matrix: replaces it by its inverse. */
static void invert(double m[DSE_COST_CLASSES][DSE_COST_CLASSES])
{
    for (int p = 0; p < DSE_COST_CLASSES; p++) {
        double pivot = 1 / m[p][p];
        m[p][p] = 1;
        for (int c = 0; c < DSE_COST_CLASSES; c++)
            m[p][c] *= pivot;
        for (int r = 0; r < DSE_COST_CLASSES; r++) {
            double times = r != p ? m[r][p] : 0;
            if (r == p)
                continue;
            m[r][p] = 0;
            for (int c = 0; c < DSE_COST_CLASSES; c++)
                m[r][c] -= times * m[p][c];
        }
    }
}

/* The minimum, and the share of each factor's prior variance that the points remove. */
static void solve(const struct linear_system *system, double factors[DSE_COST_CLASSES], double learned[DSE_COST_CLASSES])
{
    double normal[DSE_COST_CLASSES][DSE_COST_CLASSES] = {{0}}, right[DSE_COST_CLASSES] = {0};
    for (int k = 0; k < DSE_COST_CLASSES; k++)
        normal[k][k] = system->prior[k] > 0 ? 1 / (system->prior[k] * system->prior[k]) : 1;
    for (size_t i = 0; i < system->count; i++) {
        const double ones[DSE_COST_CLASSES] = {1, 1, 1, 1, 1};
        if (!takes_part(system, i))
            continue;
        double unit = 1 / (system->measured[i] * POINT_ERROR), rest = (system->measured[i] - predicted(system, i, ones)) * unit;
        for (int k = 0; k < DSE_COST_CLASSES; k++) {
            double share = system->prior[k] > 0 ? system->shares[i][k] * unit : 0;
            right[k] += share * rest;
            for (int j = 0; j < DSE_COST_CLASSES; j++)
                normal[k][j] += system->prior[j] > 0 ? share * system->shares[i][j] * unit : 0;
        }
    }
    invert(normal);
    for (int k = 0; k < DSE_COST_CLASSES; k++) {
        double w = system->prior[k];
        factors[k] = 1;
        learned[k] = w > 0 ? 1 - normal[k][k] / (w * w) : 0;
        for (int j = 0; w > 0 && j < DSE_COST_CLASSES; j++)
            factors[k] += normal[k][j] * right[j];
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

/* Half the width of the band: twice the remaining scatter, but at least BAND_OF_ONE_POINT divided by the root of the number of points;
 * between BAND_MIN and BAND_MAX. */
double dse_calibration_half_band(double rms_after, size_t points)
{
    double promised = BAND_OF_ONE_POINT / sqrt((double)points);
    double scattered = 2 * rms_after * sqrt(1 + 1 / (double)points);
    return fmin(BAND_MAX, fmax(BAND_MIN, fmax(promised, scattered)));
}

/* Two solutions: the first shows which factors the points determine. The second fits only those, with the others at the library's. */
static void fit_resource(struct linear_system *system, struct dse_fit *fit, double factors[DSE_COST_CLASSES])
{
    const double ones[DSE_COST_CLASSES] = {1, 1, 1, 1, 1};
    double learned[DSE_COST_CLASSES], again[DSE_COST_CLASSES];
    bool any = false;
    for (int k = 0; k < DSE_COST_CLASSES; k++) {
        factors[k] = 1;
        fit->factors[k] = (struct dse_fitted_factor){.value = NAN, .low = NAN, .high = NAN, .learned = NAN, .prior = system->prior[k]};
    }
    for (size_t i = 0; i < system->count; i++)
        fit->points += takes_part(system, i) && predicted(system, i, ones) > 0;
    fit->rms_before = fit->rms_after = rms(system, ones);
    if (fit->points == 0)
        return;
    solve(system, factors, learned);
    for (int k = 0; k < DSE_COST_CLASSES; k++) {
        if (has_share(system, k))
            fit->factors[k].learned = learned[k];
        if (learned[k] < DSE_CALIBRATION_LEARNED || !has_share(system, k))
            system->prior[k] = 0;
        any |= system->prior[k] > 0;
    }
    solve(system, factors, again);
    fit->rms_after = rms(system, factors);
    double half = dse_calibration_half_band(fit->rms_after, fit->points);
    for (int k = 0; any && k < DSE_COST_CLASSES; k++)
        if (system->prior[k] > 0) {
            fit->factors[k].value = factors[k];
            fit->factors[k].low = fmax(0, 1 - half);
            fit->factors[k].high = 1 + half;
        }
}

/* The models' resources of a point's engine with a given library, at an end of its bands. */
static enum dse_status predict(const struct dse_setup *setup, const void *work, const struct dse_costs *costs,
                               const struct dse_calibration_point *point, enum dse_band band, double out[DSE_RESOURCE_COUNT],
                               struct dse_error *err)
{
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = setup->board, .costs = costs, .work = work, .rejection = &rejection, .band = band};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out[r] = 0;
    for (size_t b = 0; b < setup->family->block_count; b++) {
        if (point->engine < setup->family->engine_count && setup->family->blocks[b].engine != point->engine)
            continue;
        struct dse_accumulators part;
        DSE_TRY(dse_block_cost(setup->family, b, &context, &point->config, &part, err));
        DSE_TRY(dse_rejection_verdict(&rejection, err));
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            out[r] += (double)part.resources[r];
    }
    return DSE_OK;
}

/* The share of one class in every point's prediction of one resource, and half the width of the class's band in the library. */
static enum dse_status find_shares(const struct dse_setup *setup, const void *work, const struct dse_calibration_point *points,
                                   int resource, int k, const struct dse_calibration *c, struct linear_system *system,
                                   struct dse_error *err)
{
    struct dse_costs *doubled DSE_CLEANUP(dse_costs_free_at) = NULL;
    double sums[3] = {0};
    dse_costs_copy_scaled(setup->costs, dse_cost_classes[k].patterns,
                                                   (enum dse_resource)resource, 2, &doubled);
    for (size_t i = 0; i < c->point_count; i++)
        for (int band = 0; band < 3; band++) {
            double with[DSE_RESOURCE_COUNT];
            DSE_TRY(predict(setup, work, doubled, &points[i], (enum dse_band)band, with, err));
            double share = with[resource] - c->ends[i][band][resource];
            sums[band] += share;
            if (band == DSE_BAND_NOMINAL)
                system->shares[i][k] = share;
        }
    double half = sums[DSE_BAND_NOMINAL] > 0 ? (sums[DSE_BAND_HIGH] - sums[DSE_BAND_LOW]) / (2 * sums[DSE_BAND_NOMINAL]) : 0;
    system->prior[k] = fmin(PRIOR_WIDTH_MAX, fmax(PRIOR_WIDTH_MIN, half));
    return DSE_OK;
}

/* The rest of each prediction beside the shares; nothing if no class has any. */
static void find_fixed(const struct dse_calibration *c, int resource, struct linear_system *system)
{
    double all = 0;
    for (size_t i = 0; i < system->count; i++) {
        system->fixed[i] = c->before[i][resource];
        for (int k = 0; k < DSE_COST_CLASSES; k++) {
            system->fixed[i] -= system->shares[i][k];
            all += system->shares[i][k];
        }
    }
    for (size_t i = 0; all == 0 && i < system->count; i++)
        system->fixed[i] = 0;
}

static enum dse_status fit_all(const struct dse_setup *setup, const void *work, const struct dse_calibration_point *points,
                               struct dse_calibration *c, struct dse_error *err)
{
    double (*shares)[DSE_COST_CLASSES] DSE_CLEANUP(dse_free_at) = dse_calloc(c->point_count, sizeof *shares);
    double *measured DSE_CLEANUP(dse_free_at) = dse_calloc(c->point_count, sizeof *measured);
    double *fixed DSE_CLEANUP(dse_free_at) = dse_calloc(c->point_count, sizeof *fixed);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double factors[DSE_COST_CLASSES];
        struct linear_system system = {.count = c->point_count, .shares = shares, .fixed = fixed, .measured = measured};
        for (int k = 0; k < DSE_COST_CLASSES; k++)
            DSE_TRY(find_shares(setup, work, points, r, k, c, &system, err));
        for (size_t i = 0; i < c->point_count; i++)
            measured[i] = c->measured[i][r];
        find_fixed(c, r, &system);
        fit_resource(&system, &c->fits[r], factors);
        for (size_t i = 0; i < c->point_count; i++)
            c->after[i][r] = predicted(&system, i, factors);
    }
    return DSE_OK;
}

static const char *level_text(enum dse_report_level level)
{
    return dse_report_level_names[level];
}

/* Levels are never mixed. Only levels whose numbers are of whole designs count; for SystemVerilog, only counts of open synthesis. */
static enum dse_status check_levels(const struct dse_model_family *family, const struct dse_calibration_point *points, size_t count,
                                    struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        enum dse_report_level level = points[i].report->level;
        if ((level == DSE_REPORT_LEVEL_OPEN) != (family == family->in_rtl))
            return dse_fail(err, DSE_BAD_USAGE, "%s: of the level \"%s\", which does not apply to --flow %s", points[i].report->file,
                            level_text(level), family == family->in_rtl ? "rtl" : "hls");
        if (level == DSE_REPORT_LEVEL_OPEN)
            continue;
        if (level != DSE_REPORT_LEVEL_HLS && level != DSE_REPORT_LEVEL_ROUTED)
            return dse_fail(err, DSE_BAD_USAGE,
                            "%s: of the level \"%s\"; factors are fitted to HLS estimates or routed reports",
                            points[i].report->file, level_text(level));
        if (level != points[0].report->level)
            return dse_fail(err, DSE_BAD_USAGE, "%s is of the level \"%s\" and %s of \"%s\": levels are never mixed",
                            points[0].report->file, level_text(points[0].report->level), points[i].report->file,
                            level_text(level));
    }
    return DSE_OK;
}

/* The numbers of a point: those of the named row of the report, or its totals. */
static enum dse_status measured_of(const struct dse_calibration_point *point, double out[DSE_RESOURCE_COUNT],
                                   struct dse_error *err)
{
    const struct dse_report *report = point->report;
    const double *used = point->sums != NULL ? point->sums : point->instance == NULL ? report->used : NULL;
    for (size_t i = 0; used == NULL && i < report->instance_count; i++)
        if (strcmp(report->instances[i].name, point->instance) == 0 ||
            (report->instances[i].module != NULL && strcmp(report->instances[i].module, point->instance) == 0))
            used = report->instances[i].used;
    if (used == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: no instance or module \"%s\" in it", report->file, point->instance);
    memcpy(out, used, DSE_RESOURCE_COUNT * sizeof *out);
    return DSE_OK;
}

static enum dse_status collect(const struct dse_setup *setup, const void *work, const struct dse_calibration_point *points,
                               struct dse_calibration *c, struct dse_error *err)
{
    for (size_t i = 0; i < c->point_count; i++) {
        DSE_TRY(measured_of(&points[i], c->measured[i], err));
        for (int band = 0; band < 3; band++)
            DSE_TRY(predict(setup, work, setup->costs, &points[i], (enum dse_band)band, c->ends[i][band], err));
        memcpy(c->before[i], c->ends[i][DSE_BAND_NOMINAL], sizeof c->before[i]);
    }
    return DSE_OK;
}

static enum dse_status calibrate(const struct dse_setup *setup, const void *work, const struct dse_calibration_point *points,
                                 struct dse_calibration *out, struct dse_error *err)
{
    size_t fitted = 0;
    DSE_TRY(collect(setup, work, points, out, err));
    if (out->level == DSE_REPORT_LEVEL_OPEN)
        dse_calibrate_amounts(setup->family, points, out);
    else
        DSE_TRY(fit_all(setup, work, points, out, err));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        fitted += out->fits[r].points;
    return fitted > 0 ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "no resource that both the reports and the models count: nothing to fit");
}

enum dse_status dse_calibrate(const struct dse_setup *setup, const struct dse_calibration_point *points, size_t count,
                              struct dse_calibration *out, struct dse_error *err)
{
    void *work = NULL;
    *out = (struct dse_calibration){.point_count = count};
    if (count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "no report to fit factors from");
    DSE_TRY(check_levels(setup->family, points, count, err));
    DSE_TRY(setup->family->prepare(setup->family, setup->workload, &work, err));
    out->level = points[0].report->level;
    out->measured = dse_calloc(count, sizeof *out->measured);
    out->before = dse_calloc(count, sizeof *out->before);
    out->after = dse_calloc(count, sizeof *out->after);
    out->ends = dse_calloc(count, sizeof *out->ends);
    enum dse_status status = calibrate(setup, work, points, out, err);
    setup->family->release(work);
    if (status != DSE_OK)
        dse_calibration_free(out);
    return status;
}

/* The first factor outside of its allowed range. */
static enum dse_status check_factors(const struct dse_calibration *c, struct dse_error *err)
{
    size_t learned = 0;
    DSE_TRY(dse_calibration_check_cycles(c, &learned, err));
    DSE_TRY(dse_calibration_check_amounts(c, &learned, err));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; k < DSE_COST_CLASSES; k++) {
            double value = c->fits[r].factors[k].value; /* NaN if no point tells */
            if (value < DSE_CALIBRATION_MIN || value > DSE_CALIBRATION_MAX)
                return dse_fail(err, DSE_ANSWER_NO, "factor %.2f for %s of %s: outside %.2f to %g, so this is probably the report of another design; "
                                                    "--force accepts it", value, dse_resource_names[r], dse_cost_classes[k].name,
                                DSE_CALIBRATION_MIN, DSE_CALIBRATION_MAX);
            learned += !isnan(value);
        }
    return learned > 0 ? DSE_OK
                       : dse_fail(err, DSE_ANSWER_NO, "the reports determine no factor: %zu points; add reports of "
                                                      "more designs, or of their engines", c->point_count);
}

/* Counts that no fit reproduces: a few memories or DSPs, and small additions by control. */
static double allowance(int resource)
{
    return resource == DSE_LUT || resource == DSE_FF || resource == DSE_LUTRAM ? 200 : 4;
}

enum dse_status dse_calibration_check(const struct dse_calibration *c, const struct dse_calibration_point *points,
                                      struct dse_error *err)
{
    DSE_TRY(check_factors(c, err));
    for (size_t i = 0; i < c->point_count; i++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            double measured = c->measured[i][r], after = c->after[i][r], off = fabs(after - measured);
            if (isnan(measured) || off <= allowance(r) || off <= DSE_CALIBRATION_RESIDUAL * measured)
                continue;
            return dse_fail(err, DSE_ANSWER_NO, "%s: %.0f %s measured, %.0f after the fit: the difference exceeds %.0f %%, so this "
                                                "is probably the report of another design; --force accepts it",
                            points[i].report->file, measured, dse_resource_names[r], after, 100 * DSE_CALIBRATION_RESIDUAL);
        }
    return DSE_OK;
}

static enum dse_status check_forced(double value, double least, double most, const char *of, const char *name, struct dse_error *err)
{
    if (!(value < least || value > most)) /* NaN if no point tells */
        return DSE_OK;
    return dse_fail(err, DSE_ANSWER_NO, "factor %.2f for %s of %s: outside %g to %g, which is impossible for hardware; --force does not accept it", value, of,
                    name, least, most);
}

enum dse_status dse_calibration_check_forced(const struct dse_calibration *c, struct dse_error *err)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; k < DSE_COST_CLASSES; k++)
            DSE_TRY(check_forced(c->fits[r].factors[k].value, DSE_FACTOR_MIN, DSE_FACTOR_MAX, dse_resource_names[r], dse_cost_classes[k].name, err));
    for (size_t e = 0; c->family != NULL && e < c->family->engine_count; e++) {
        for (int what = 0; what < DSE_CYCLES_COUNT; what++)
            DSE_TRY(check_forced(c->cycles[e][what].value, DSE_PACE_MIN, DSE_PACE_MAX, dse_cycle_names[what], c->family->engines[e].name, err));
        for (int r = 0; r < DSE_RESOURCE_COUNT && c->level == DSE_REPORT_LEVEL_OPEN; r++)
            if (c->amounts[e][r].points > 0)
                DSE_TRY(check_forced(c->amounts[e][r].value, DSE_FACTOR_MIN, DSE_FACTOR_MAX, dse_resource_names[r], c->family->engines[e].name, err));
    }
    return DSE_OK;
}

void dse_calibration_free(struct dse_calibration *calibration)
{
    free(calibration->measured);
    free(calibration->before);
    free(calibration->after);
    free(calibration->ends);
    *calibration = (struct dse_calibration){0};
}

static void write_cycles(const struct dse_calibration *c, size_t engine, int what, struct dse_strbuf *out)
{
    const struct dse_cycle_fit *fit = &c->cycles[engine][what];
    if (!isnan(fit->value))
        dse_strbuf_printf(out, "  <cycles family=\"%s\" engine=\"%s\" of=\"%s\" value=\"%.6g\" points=\"%zu\" residual=\"%.4g\"/>\n",
                          c->family->name, c->family->engines[engine].name, dse_cycle_names[what], fit->value, fit->points, fit->residual);
}

static void write_amount(const struct dse_calibration *c, size_t engine, int r, struct dse_strbuf *out)
{
    const struct dse_amount_fit *fit = &c->amounts[engine][r];
    if (fit->points > 0 && !isnan(fit->value))
        dse_strbuf_printf(out, "  <amount family=\"%s\" engine=\"%s\" resource=\"%s\" value=\"%.6g\" low=\"%.4g\" high=\"%.4g\" points=\"%zu\" "
                               "residual=\"%.4g\"/>\n", c->family->name, c->family->engines[engine].name, dse_resource_names[r], fit->value,
                          fit->low, fit->high, fit->points, fit->residual);
}

void dse_calibration_write(const struct dse_calibration *calibration, const struct dse_costs *costs,
                           const char *source, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<calibration family=\"");
    dse_xml_escape(out, dse_costs_family(costs));
    dse_strbuf_printf(out, "\" level=\"%s\" source=\"",
                      calibration->level == DSE_REPORT_LEVEL_HLS    ? "hls-report"
                      : calibration->level == DSE_REPORT_LEVEL_OPEN ? "open-synthesis"
                                                                    : "routed-report");
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
    for (size_t e = 0; calibration->family != NULL && e < calibration->family->engine_count; e++)
        for (int what = 0; what < DSE_CYCLES_COUNT; what++)
            write_cycles(calibration, e, what, out);
    for (size_t e = 0; calibration->family != NULL && e < calibration->family->engine_count; e++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            write_amount(calibration, e, r, out);
    dse_strbuf_add(out, "</calibration>\n");
}
