/* Synthesis results of loops, as factors on the models' counts of each engine's loops. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "validation/calibrate.h"

/* Parameters of the method; assumed. */
#define POINT_ERROR 0.05  /* relative error of an engine's cycles and of its depths */
#define ROUNDED_CYCLES 1.0 /* added per entry for depths, which are whole numbers */
#define PRIOR_WIDTH 0.3   /* width of a factor's prior, around 1 */
#define FEW_CYCLES 6.0    /* tolerated per entry, for short loops */

double dse_report_depth(const struct dse_report_loop *loop)
{
    double depth = loop->depth > 1.0 ? loop->depth - 1.0 : loop->depth;
    return depth + (loop->own_module ? 2.0 : 0.0);
}

bool dse_report_loop_find(const char *name, const struct dse_report *const *reports, size_t count, struct dse_report_loop *out)
{
    bool found = false;
    *out = (struct dse_report_loop){.name = name};
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; reports[i]->level == DSE_REPORT_LEVEL_HLS && l < reports[i]->loop_count; l++) {
            const struct dse_report_loop *loop = &reports[i]->loops[l];
            if (strcmp(loop->name, name) != 0)
                continue;
            found = true;
            out->interval = fmax(out->interval, loop->interval);
            out->depth = fmax(out->depth, loop->depth);
            out->own_module |= loop->own_module;
        }
    return found && out->interval > 0.0;
}

/* Cycles of an engine's loops that a design's reports contain: by the models, and by the reports. */
struct sums {
    double counted[DSE_CYCLES_COUNT], reported[DSE_CYCLES_COUNT], entries;
};

static void add_loop(const struct dse_loop *loop, const struct dse_report_loop *found, struct sums *sums)
{
    double entries = loop->entries[DSE_CASE_MEAN], iterations = loop->iterations[DSE_CASE_MEAN];
    sums->counted[DSE_CYCLES_INTERVAL] += iterations * loop->interval;
    sums->reported[DSE_CYCLES_INTERVAL] += iterations * found->interval;
    if (!(found->depth > 0.0))
        return;
    sums->counted[DSE_CYCLES_DEPTH] += entries * loop->depth;
    sums->reported[DSE_CYCLES_DEPTH] += entries * dse_report_depth(found);
    sums->entries += entries;
}

static struct sums sums_of(const struct dse_model_family *family, size_t engine, const struct dse_calibration_design *design)
{
    struct sums sums = {0};
    for (size_t i = 0; i < design->loops.count; i++) {
        const struct dse_loop *loop = &design->loops.loop[i];
        struct dse_report_loop found;
        if (family->blocks[loop->block].engine == engine &&
            dse_report_loop_find(loop->name, design->reports, design->report_count, &found))
            add_loop(loop, &found, &sums);
    }
    return sums;
}

/* Expected error of a design's cycles after the factor, as one standard deviation. */
static double unit_of(const struct sums *sums, int what)
{
    return POINT_ERROR * sums->counted[what] + (what == DSE_CYCLES_DEPTH ? ROUNDED_CYCLES * sums->entries : 0.0);
}

/* The factor that minimises the sum of squares of the designs and of the prior. It stays at the models' if the designs determine it too little. */
static void fit_one(const struct sums *sums, size_t count, int what, struct dse_cycle_fit *fit)
{
    double prior = 1.0 / (PRIOR_WIDTH * PRIOR_WIDTH), normal = prior, right = prior, before = 0.0, after = 0.0;
    *fit = (struct dse_cycle_fit){.value = NAN, .learned = NAN, .residual = NAN, .prior = PRIOR_WIDTH};
    for (size_t i = 0; i < count; i++) {
        double counted = sums[i].counted[what], unit = unit_of(&sums[i], what);
        if (!(counted > 0.0) || !(unit > 0.0))
            continue;
        normal += counted * counted / (unit * unit);
        right += counted * sums[i].reported[what] / (unit * unit);
        fit->points++;
    }
    if (fit->points == 0)
        return;
    fit->learned = 1.0 - prior / normal;
    double factor = fit->learned >= DSE_CALIBRATION_LEARNED ? right / normal : 1.0;
    for (size_t i = 0; i < count; i++) {
        double counted = sums[i].counted[what], reported = sums[i].reported[what], off = fabs(factor * counted - reported);
        if (!(counted > 0.0) || !(reported > 0.0))
            continue;
        before += (counted / reported - 1.0) * (counted / reported - 1.0);
        after += (factor * counted / reported - 1.0) * (factor * counted / reported - 1.0);
        double few = what == DSE_CYCLES_DEPTH ? FEW_CYCLES * sums[i].entries : 0.0;
        fit->strayed |= off > few && off > DSE_CALIBRATION_RESIDUAL * reported;
    }
    fit->before = sqrt(before / (double)fit->points);
    fit->residual = sqrt(after / (double)fit->points);
    if (fit->learned >= DSE_CALIBRATION_LEARNED)
        fit->value = factor;
}

void dse_calibrate_cycles(const struct dse_model_family *family, const struct dse_calibration_design *designs, size_t count,
                          struct dse_calibration *out)
{
    struct sums *sums DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *sums);
    out->family = family;
    for (size_t e = 0; e < family->engine_count; e++) {
        for (size_t i = 0; i < count; i++)
            sums[i] = sums_of(family, e, &designs[i]);
        for (int what = 0; what < DSE_CYCLES_COUNT; what++)
            fit_one(sums, count, what, &out->cycles[e][what]);
        for (size_t i = 0; i < count; i++)
            for (size_t l = 0; l < designs[i].loops.count; l++)
                out->has_loops[e] |= family->blocks[designs[i].loops.loop[l].block].engine == e;
    }
}

const char *const dse_cycle_names[DSE_CYCLES_COUNT] = {[DSE_CYCLES_DEPTH] = "depth", [DSE_CYCLES_INTERVAL] = "interval"};

enum dse_status dse_calibration_check_cycles(const struct dse_calibration *c, size_t *learned, struct dse_error *err)
{
    for (size_t e = 0; c->family != NULL && e < c->family->engine_count; e++)
        for (int what = 0; what < DSE_CYCLES_COUNT; what++) {
            const struct dse_cycle_fit *fit = &c->cycles[e][what];
            const char *name = c->family->engines[e].name;
            if (fit->value < DSE_CALIBRATION_MIN || fit->value > DSE_CALIBRATION_MAX)
                return dse_fail(err, DSE_ANSWER_NO, "factor %.2f on the %ss of %s's loops: outside %.2f to %g, so this is probably the "
                                                    "report of another design; --force accepts it", fit->value, dse_cycle_names[what], name,
                                DSE_CALIBRATION_MIN, DSE_CALIBRATION_MAX);
            if (fit->strayed)
                return dse_fail(err, DSE_ANSWER_NO, "%ss of %s's loops: after the fit they differ by more than %.0f %%, so this is "
                                                    "probably the report of another design; --force accepts it",
                                dse_cycle_names[what], name, 100.0 * DSE_CALIBRATION_RESIDUAL);
            *learned += !isnan(fit->value);
        }
    return DSE_OK;
}
