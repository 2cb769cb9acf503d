/* Counts of open synthesis of SystemVerilog engines, as factors on the models' counts. */
#include <math.h>

#include "validation/calibrate.h"

/* Parameters of the method; assumed. */
#define POINT_ERROR 0.05 /* tolerated relative error of a count */
#define PRIOR_WIDTH 0.2  /* width of a factor's prior, around 1 */

static bool takes_part(const struct dse_calibration *c, const struct dse_calibration_point *points, size_t i, size_t engine, int r)
{
    return points[i].engine == engine && c->measured[i][r] > 0.0 && c->before[i][r] > 0.0;
}

/* The factor that minimises the sum of squares of the points except one, and of the prior. */
static double factor_of(const struct dse_calibration *c, const struct dse_calibration_point *points, size_t engine, int r, size_t without)
{
    double prior = 1.0 / (PRIOR_WIDTH * PRIOR_WIDTH), normal = prior, right = prior;
    for (size_t i = 0; i < c->point_count; i++) {
        double share = i != without && takes_part(c, points, i, engine, r) ? c->before[i][r] / (POINT_ERROR * c->measured[i][r]) : 0.0;
        normal += share * share;
        right += share / POINT_ERROR;
    }
    return right / normal;
}

static double square(double x)
{
    return x * x;
}

static void fit_one(const struct dse_calibration_point *points, size_t engine, int r, struct dse_calibration *c)
{
    struct dse_amount_fit *fit = &c->amounts[engine][r];
    double factor = factor_of(c, points, engine, r, c->point_count), before = 0.0, after = 0.0, others = 0.0;
    *fit = (struct dse_amount_fit){.value = NAN, .before = NAN, .residual = NAN, .held_out = NAN};
    for (size_t i = 0; i < c->point_count; i++) {
        if (!takes_part(c, points, i, engine, r))
            continue;
        double ratio = c->before[i][r] / c->measured[i][r];
        before += square(ratio - 1.0);
        after += square(factor * ratio - 1.0);
        others += square(factor_of(c, points, engine, r, i) * ratio - 1.0);
        c->after[i][r] = factor * c->before[i][r];
        fit->points++;
    }
    if (fit->points == 0)
        return;
    double n = (double)fit->points;
    fit->value = factor;
    fit->before = sqrt(before / n);
    fit->residual = sqrt(after / n);
    fit->held_out = fit->points > 1 ? sqrt(others / n) : NAN;
    double half = dse_calibration_half_band(fit->points > 1 ? fit->held_out : fit->residual, fit->points);
    fit->low = fmax(0.0, 1.0 - half);
    fit->high = 1.0 + half;
}

/* The error of the whole, resource by resource. */
static void sum_up(struct dse_calibration *c, int r)
{
    struct dse_fit *fit = &c->fits[r];
    double before = 0.0, after = 0.0;
    for (size_t i = 0; i < c->point_count; i++)
        if (c->measured[i][r] > 0.0 && c->before[i][r] > 0.0) {
            before += square(c->before[i][r] / c->measured[i][r] - 1.0);
            after += square(c->after[i][r] / c->measured[i][r] - 1.0);
            fit->points++;
        }
    fit->rms_before = fit->points > 0 ? sqrt(before / (double)fit->points) : NAN;
    fit->rms_after = fit->points > 0 ? sqrt(after / (double)fit->points) : NAN;
    for (int k = 0; k < DSE_COST_CLASSES; k++)
        fit->factors[k] = (struct dse_fitted_factor){.value = NAN, .low = NAN, .high = NAN, .prior = NAN, .learned = NAN};
}

void dse_calibrate_amounts(const struct dse_model_family *family, const struct dse_calibration_point *points, struct dse_calibration *c)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        for (size_t i = 0; i < c->point_count; i++)
            c->after[i][r] = c->before[i][r];
        for (size_t e = 0; e < family->engine_count; e++)
            fit_one(points, e, r, c);
        sum_up(c, r);
    }
}

enum dse_status dse_calibration_check_amounts(const struct dse_calibration *c, size_t *learned, struct dse_error *err)
{
    for (size_t e = 0; c->level == DSE_REPORT_LEVEL_OPEN && c->family != NULL && e < c->family->engine_count; e++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            const struct dse_amount_fit *fit = &c->amounts[e][r];
            if (fit->value < DSE_CALIBRATION_MIN || fit->value > DSE_CALIBRATION_MAX)
                return dse_fail(err, DSE_ANSWER_NO, "factor %.2f for %s of %s: outside %.2f to %g, so this is probably the report of another design; "
                                                    "--force accepts it", fit->value, dse_resource_names[r], c->family->engines[e].name,
                                DSE_CALIBRATION_MIN, DSE_CALIBRATION_MAX);
            *learned += fit->points > 0;
        }
    return DSE_OK;
}
