#include "explore/designs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/number.h"
#include "core/percentile.h"
#include "core/rng.h"
#include "resources/synthesis/report.h"

#define BYTES_MAX ((size_t)64 << 20)
#define COLUMNS_MAX 256
#define SWEEPS_MAX 20000
#define LEAST_STEP 1.0e-6 /* share of a constant's range, in the search for dependent figures */
#define STANDS 1.0e-9 /* the last sweep moves no figure by more than this share */

/* ---- the table ---- */

enum column_kind { COLUMN_UNREAD, COLUMN_KNOB, COLUMN_QUANTITY, COLUMN_METRIC, COLUMN_REPORT };

struct column {
    const char *name;
    enum column_kind kind;
    size_t index; /* index of the metric among the designs' metrics */
};

struct table {
    struct dse_designs *designs;
    const struct dse_described *described;
    struct column columns[COLUMNS_MAX];
    size_t column_count;
    size_t own_figures; /* metrics with a column in the table; the others come from reports */
    enum dse_report_level level; /* level of the reports so far */
    long line;
    struct dse_error *err;
};

/* Splits a line at its commas, in place. */
static enum dse_status split(struct table *t, char *line, char **fields, size_t *count)
{
    *count = 0;
    for (char *at = line;; at++) {
        if (*count == COLUMNS_MAX)
            return dse_fail_at(t->err, DSE_BAD_INPUT, t->designs->path, t->line, "more than %d columns", COLUMNS_MAX);
        fields[(*count)++] = at;
        at += strcspn(at, ",\"");
        if (*at == '"')
            return dse_fail_at(t->err, DSE_BAD_INPUT, t->designs->path, t->line, "quoted fields are not supported: knobs and figures need no quotes");
        if (*at == '\0')
            return DSE_OK;
        *at = '\0';
    }
}

static void read_column(struct table *t, const char *name, struct column *out)
{
    struct dse_designs *d = t->designs;
    *out = (struct column){.name = name};
    if (dse_space_find(d->space, name) >= 0)
        out->kind = COLUMN_KNOB;
    d->clocked |= dse_space_find(d->space, name) == (int)d->family->clock_knob;
    for (size_t q = 0; q < t->described->quantity_count; q++)
        if (strcmp(t->described->quantities[q].name, name) == 0)
            out->kind = COLUMN_QUANTITY;
    for (int m = 0; m < DSE_METRIC_QUALITY && out->kind == COLUMN_UNREAD; m++)
        if (strcmp(dse_metrics[m].name, name) == 0 || strcmp(dse_metrics[m].key, name) == 0) {
            *out = (struct column){name, COLUMN_METRIC, d->metric_count};
            d->metrics[d->metric_count++] = (enum dse_metric)m;
        }
    if (out->kind == COLUMN_UNREAD && strcmp(name, "report") == 0)
        out->kind = COLUMN_REPORT;
    if (out->kind == COLUMN_UNREAD)
        dse_strbuf_printf(&d->unread, "%s%s", d->unread.length > 0 ? ", " : "", name);
}

static bool has_column(const struct table *t, const char *name)
{
    bool has = false;
    for (size_t c = 0; c < t->column_count; c++)
        has |= strcmp(t->columns[c].name, name) == 0;
    return has;
}

/* A column that nothing reads must not be a misspelt knob or quantity without a column: designs would take its default. */
static enum dse_status check_unread(const struct table *t)
{
    const struct dse_space *space = t->designs->space;
    const char *missing[COLUMNS_MAX];
    size_t count = 0;
    for (size_t k = 0; k < space->count && count < COLUMNS_MAX; k++)
        if (!has_column(t, space->knobs[k].name))
            missing[count++] = space->knobs[k].name;
    for (size_t q = 0; q < t->described->quantity_count && count < COLUMNS_MAX; q++)
        if (!has_column(t, t->described->quantities[q].name))
            missing[count++] = t->described->quantities[q].name;
    for (size_t c = 0; c < t->column_count; c++) {
        const char *near = t->columns[c].kind == COLUMN_UNREAD ? dse_names_nearest(t->columns[c].name, missing, count) : NULL;
        if (near != NULL)
            return dse_fail_at(t->err, DSE_BAD_INPUT, t->designs->path, 1, "the column %s: did you mean %s, which has no column? Rename or remove it",
                               t->columns[c].name, near);
    }
    return DSE_OK;
}

/* Adds figures of reports to the table's columns. */
static void add_figures_of_reports(struct dse_designs *d)
{
    const size_t own = d->metric_count;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++) {
        bool there = false;
        for (size_t i = 0; i < own; i++)
            there |= d->metrics[i] == (enum dse_metric)m;
        if (!there && (m == DSE_METRIC_CYCLES || dse_metrics[m].resource >= 0))
            d->metrics[d->metric_count++] = (enum dse_metric)m;
    }
}

static enum dse_status read_head(struct table *t, char *line)
{
    bool reports = false;
    char *fields[COLUMNS_MAX];
    DSE_TRY(split(t, line, fields, &t->column_count));
    for (size_t c = 0; c < t->column_count; c++) {
        for (size_t other = 0; other < c; other++)
            if (strcmp(fields[c], fields[other]) == 0)
                return dse_fail_at(t->err, DSE_BAD_INPUT, t->designs->path, 1, "the column %s occurs twice", fields[c]);
        read_column(t, fields[c], &t->columns[c]);
        reports |= t->columns[c].kind == COLUMN_REPORT;
    }
    DSE_TRY(check_unread(t));
    t->own_figures = t->designs->metric_count;
    if (reports)
        add_figures_of_reports(t->designs);
    if (t->designs->metric_count == 0)
        return dse_fail_at(t->err, DSE_BAD_INPUT, t->designs->path, 1, "needs a column of figures (latency_s, cycles, lut, ff, bram18, dsp, …) or a column `report` with report files");
    return DSE_OK;
}

/* Reads the figures of an HLS, Vivado or Yosys report, by a path relative to the table; all reports must have one level. */
static enum dse_status take_report(struct table *t, const char *name)
{
    struct dse_designs *d = t->designs;
    struct dse_report *report = NULL;
    const char *slash = *name != '/' ? strrchr(d->path, '/') : NULL;
    struct dse_strbuf path DSE_CLEANUP(dse_strbuf_free) = {0};
    if (slash != NULL)
        dse_strbuf_add_n(&path, d->path, (size_t)(slash + 1 - d->path));
    dse_strbuf_add(&path, name);
    if (*name == '\0')
        return dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "report: must be a report file");
    struct dse_error inner = {0};
    if (dse_report_read(dse_strbuf_text(&path), &report, &inner) != DSE_OK)
        return dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "report: %s", inner.message);
    enum dse_report_level level = report->level, first = t->level;
    t->level = level;
    for (size_t m = t->own_figures; m < d->metric_count; m++) {
        int resource = dse_metrics[d->metrics[m]].resource;
        d->measured[d->count * DSE_DESIGN_FIGURES + m] = resource >= 0 ? report->used[resource] : report->latency_cycles.max;
    }
    dse_report_free(report);
    return d->count == 0 || level == first ? DSE_OK
                                           : dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "report: %s is %s, but earlier ones are %s: all reports of a table must have one level", name,
                                                         dse_report_level_names[level], dse_report_level_names[first]);
}

/* Drops figures that no report states. */
static void drop_unstated(struct table *t)
{
    struct dse_designs *d = t->designs;
    size_t kept = t->own_figures;
    for (size_t m = t->own_figures; m < d->metric_count; m++) {
        bool stated = false;
        for (size_t i = 0; i < d->count; i++)
            stated |= isfinite(d->measured[i * DSE_DESIGN_FIGURES + m]);
        for (size_t i = 0; i < d->count && stated; i++)
            d->measured[i * DSE_DESIGN_FIGURES + kept] = d->measured[i * DSE_DESIGN_FIGURES + m];
        if (stated)
            d->metrics[kept++] = d->metrics[m];
    }
    d->metric_count = kept;
}

static enum dse_status read_figure(struct table *t, const struct column *column, const char *text)
{
    struct dse_designs *d = t->designs;
    double *value = &d->measured[d->count * DSE_DESIGN_FIGURES + column->index];
    if (*text == '\0')
        return DSE_OK;
    return dse_number_real(text, value) == DSE_NUMBER_READ && *value >= 0.0
               ? DSE_OK
               : dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "%s: \"%s\" must be a number of at least 0, or empty", column->name, text);
}

/* Workload of a design, prepared by the family. */
static enum dse_status prepare(struct table *t, const char *quantities)
{
    struct dse_designs *d = t->designs;
    struct dse_error inner = {0};
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) = NULL;
    enum dse_status status = d->family->own_profile(d->family, *quantities != '\0' ? quantities : NULL, &profile, &inner);
    if (status == DSE_OK)
        status = d->family->prepare(d->family, &profile->workloads[0], &d->work[d->count], &inner);
    return status == DSE_OK ? DSE_OK : dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "%s", inner.message);
}

static enum dse_status read_row(struct table *t, char *line)
{
    struct dse_designs *d = t->designs;
    char *fields[COLUMNS_MAX];
    size_t count = 0;
    struct dse_strbuf quantities DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_error inner = {0};
    DSE_TRY(split(t, line, fields, &count));
    if (count != t->column_count)
        return dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "%zu fields, but the first line has %zu", count, t->column_count);
    for (size_t m = 0; m < DSE_DESIGN_FIGURES; m++)
        d->measured[d->count * DSE_DESIGN_FIGURES + m] = NAN;
    dse_space_default(d->space, &d->configs[d->count]);
    for (size_t c = 0; c < count; c++) {
        const struct column *column = &t->columns[c];
        if (column->kind == COLUMN_KNOB && dse_config_set(d->space, &d->configs[d->count], column->name, fields[c], &inner) != DSE_OK)
            return dse_fail_at(t->err, DSE_BAD_INPUT, d->path, t->line, "%s", inner.message);
        if (column->kind == COLUMN_QUANTITY)
            dse_strbuf_printf(&quantities, "%s%s=%s", quantities.length > 0 ? "," : "", column->name, fields[c]);
        if (column->kind == COLUMN_METRIC)
            DSE_TRY(read_figure(t, column, fields[c]));
        if (column->kind == COLUMN_REPORT)
            DSE_TRY(take_report(t, fields[c]));
    }
    DSE_TRY(prepare(t, dse_strbuf_text(&quantities)));
    d->count++;
    return DSE_OK;
}

static enum dse_status read_table(struct dse_designs *d, struct dse_error *err)
{
    struct table t = {.designs = d, .described = dse_described_of(d->family), .line = 1, .err = err};
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0, lines = 1;
    DSE_TRY(dse_file_read(d->path, BYTES_MAX, &text, &size, err));
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    d->configs = dse_calloc(lines, sizeof *d->configs);
    d->work = dse_calloc(lines, sizeof *d->work);
    d->measured = dse_calloc(lines, DSE_DESIGN_FIGURES * sizeof *d->measured);
    d->fold = dse_calloc(lines, sizeof *d->fold);
    for (char *line = text, *next; line < text + size; line = next, t.line++) {
        char *end = line + strcspn(line, "\r\n");
        next = *end == '\r' && end[1] == '\n' ? end + 2 : end + (end < text + size);
        *end = '\0';
        if (*line != '\0')
            DSE_TRY(t.column_count == 0 ? read_head(&t, line) : read_row(&t, line));
    }
    drop_unstated(&t);
    return d->count >= 2 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: holds %zu designs, but a fit needs at least 2", d->path, d->count);
}

/* ---- predictions ---- */

static enum dse_status predict(const struct dse_designs *d, size_t design, const double *constants, double metrics[DSE_METRIC_COUNT], struct dse_error *err)
{
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = d->board, .costs = d->costs, .work = d->work[design], .fitted = constants, .rejection = &rejection, .times = 1};
    struct dse_accumulators sums = {0}, part;
    struct dse_platform platform;
    for (size_t b = 0; b < d->family->block_count && !rejection.rejected; b++) {
        DSE_TRY(dse_block_cost(d->family, b, &context, &d->configs[design], &part, err));
        dse_accumulators_combine(&sums, &part);
    }
    if (rejection.rejected)
        return dse_fail(err, DSE_BAD_INPUT, "%s: design %zu is infeasible: %s", d->path, design + 1, rejection.reason);
    dse_platform_make(d->family, d->board, -1.0, &d->configs[design], DSE_BAND_NOMINAL, &platform);
    dse_derive(&platform, &sums, metrics);
    return DSE_OK;
}

/* For tables without a clock column: a design infeasible at the default clock is taken at a slower one; applies the lowest. */
static void slow_down(struct dse_designs *d)
{
    const size_t clock = d->family->clock_knob;
    double *constants DSE_CLEANUP(dse_free_at) = dse_calloc(d->family->fitted_count + 1, sizeof *constants), metrics[DSE_METRIC_COUNT];
    for (size_t i = 0; i < d->count && !d->clocked; i++) {
        struct dse_error why = {0};
        if (predict(d, i, constants, metrics, &why) != DSE_OK)
            d->configs[i].value[clock] = d->space->knobs[clock].minimum;
    }
}

/* Figures as linear functions of the constants, relative to the measured values: [designs × figures] rows, one column per constant. */
struct system {
    size_t constants, rows;
    double *slopes, *rest; /* rest: measured minus the part without constants, over measured; NaN: unusable row */
};

/* Constants as in the file: start of a fit, and result for constants without dependent designs. */
static void set_priors(const struct dse_designs *d, double *constants)
{
    for (size_t j = 0; j < d->family->fitted_count; j++)
        constants[j] = d->family->fitted[j].value;
}

static enum dse_status linearise_one(const struct dse_designs *d, size_t design, struct system *s, struct dse_error *err)
{
    double at[DSE_METRIC_COUNT], moved[DSE_METRIC_COUNT];
    double *constants DSE_CLEANUP(dse_free_at) = dse_calloc(s->constants + 1, sizeof *constants);
    if (predict(d, design, constants, at, NULL) != DSE_OK) { /* from 0, or from the priors if that is infeasible */
        set_priors(d, constants);
        DSE_TRY(predict(d, design, constants, at, err));
    }
    for (size_t m = 0; m < d->metric_count; m++) {
        double measured = d->measured[design * DSE_DESIGN_FIGURES + m];
        s->rest[design * d->metric_count + m] = measured > 0.0 ? (measured - at[d->metrics[m]]) / measured : NAN;
    }
    for (size_t j = 0; j < s->constants; j++) {
        double step = d->family->fitted[j].largest; /* large enough that rounding to whole LUTs and cycles has no effect */
        const double prior = constants[j];
        constants[j] = prior + step;
        while (predict(d, design, constants, moved, NULL) != DSE_OK && step > d->family->fitted[j].largest * LEAST_STEP) { /* infeasible: an interval beyond the depth */
            step /= 4.0;
            constants[j] = prior + step;
        }
        DSE_TRY(predict(d, design, constants, moved, err));
        constants[j] = prior;
        for (size_t m = 0; m < d->metric_count; m++) {
            double measured = d->measured[design * DSE_DESIGN_FIGURES + m], slope = measured > 0.0 ? (moved[d->metrics[m]] - at[d->metrics[m]]) / step / measured : 0.0;
            s->slopes[(design * d->metric_count + m) * s->constants + j] = slope;
            s->rest[design * d->metric_count + m] += slope * prior;
        }
    }
    return DSE_OK;
}

/* ---- the fit ---- */

/* Non-negative least squares by coordinate descent on the normal equations, starting at x; deterministic. O(sweeps × constants²). */
static void descend(const double *gram, const double *target, size_t n, double *x)
{
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        double moved = 0.0;
        for (size_t j = 0; j < n; j++) {
            const double *row = gram + j * n;
            if (!(row[j] > 0.0))
                continue;
            double slope = target[j];
            for (size_t k = 0; k < n; k++)
                slope -= row[k] * x[k];
            double next = fmax(0.0, x[j] + slope / row[j]);
            moved = fmax(moved, fabs(next - x[j]) * sqrt(row[j]));
            x[j] = next;
        }
        if (moved < STANDS)
            return;
    }
}

/* Resets fitted constants to 0: a prior from an earlier fit may contain information on held-out designs. */
static void forget_fits(const struct dse_designs *d, double *constants)
{
    const struct dse_described *described = dse_described_of(d->family);
    for (size_t i = 0; i < described->constant_count; i++)
        if (described->constants[i].fitted >= 0 && described->constants[i].level == DSE_LEVEL_FITTED)
            constants[described->constants[i].fitted] = 0.0;
}

/* Fits to the designs of all folds except `left_out`. */
static void fit(const struct dse_designs *d, const struct system *s, size_t left_out, double *x)
{
    size_t n = s->constants;
    double *gram DSE_CLEANUP(dse_free_at) = dse_calloc(n * n + 1, sizeof *gram);
    double *target DSE_CLEANUP(dse_free_at) = dse_calloc(n + 1, sizeof *target);
    for (size_t r = 0; r < s->rows; r++) {
        const double *row = s->slopes + r * n;
        if (isnan(s->rest[r]) || d->fold[r / d->metric_count] == left_out)
            continue;
        for (size_t j = 0; j < n; j++) {
            if (row[j] == 0.0)
                continue;
            target[j] += row[j] * s->rest[r];
            for (size_t k = 0; k < n; k++)
                gram[j * n + k] += row[j] * row[k];
        }
    }
    set_priors(d, x);
    if (left_out != SIZE_MAX)
        forget_fits(d, x);
    descend(gram, target, n, x);
}

/* Assigns folds: designs with equal knobs share one; otherwise folds are of equal size. */
static void deal(struct dse_designs *d, uint64_t seed)
{
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_calloc(d->count, sizeof *order);
    struct dse_rng rng;
    size_t dealt = 0;
    for (size_t i = 0; i < d->count; i++)
        order[i] = (int32_t)i;
    dse_rng_seed(&rng, seed, 38);
    dse_rng_shuffle(&rng, order, d->count);
    for (size_t i = 0; i < d->count; i++) {
        size_t same = 0;
        while (same < i && memcmp(&d->configs[order[same]], &d->configs[order[i]], sizeof *d->configs) != 0)
            same++;
        d->fold[order[i]] = same < i ? d->fold[order[same]] : dealt++ % d->folds;
    }
    d->folds = dealt < d->folds ? dealt : d->folds;
}

static double relative(const struct dse_designs *d, size_t row, const double *predicted)
{
    return fabs(predicted[row] / d->measured[row / d->metric_count * DSE_DESIGN_FIGURES + row % d->metric_count] - 1.0);
}

static void sum_up(struct dse_designs *d, const struct system *s, const double *kept_out, const double *within)
{
    double *errors DSE_CLEANUP(dse_free_at) = dse_calloc(d->count + 1, sizeof *errors);
    for (size_t m = 0; m < d->metric_count; m++) {
        struct dse_figure_error *e = &d->errors[m];
        *e = (struct dse_figure_error){.metric = d->metrics[m], .mean = NAN, .median = NAN, .p90 = NAN, .worst = NAN, .within = NAN};
        double sum = 0.0, sum_within = 0.0;
        for (size_t i = 0; i < d->count; i++) {
            size_t row = i * d->metric_count + m;
            if (isnan(s->rest[row]))
                continue;
            sum += errors[e->designs++] = relative(d, row, kept_out);
            sum_within += relative(d, row, within);
        }
        if (e->designs == 0)
            continue;
        e->mean = sum / (double)e->designs;
        e->within = sum_within / (double)e->designs;
        e->median = dse_percentile(errors, e->designs, 50);
        e->p90 = dse_percentile(errors, e->designs, 90);
        e->worst = dse_percentile(errors, e->designs, 100);
    }
}

/* Factors of an assumed constant's band (models/described/names.c). */
#define ASSUMED_LOW 0.5
#define ASSUMED_HIGH 2.0

/* Band of every constant: measured over predicted figures of dependent held-out designs. */
static void set_bands(struct dse_designs *d, const struct system *s, const double *kept_out)
{
    double *ratios DSE_CLEANUP(dse_free_at) = dse_calloc(s->rows + 1, sizeof *ratios);
    for (size_t j = 0; j < s->constants; j++) {
        struct dse_design_evidence *evidence = &d->evidence[j];
        size_t count = 0, first = 0;
        bool folds = false;
        for (size_t r = 0; r < s->rows; r++) {
            if (isnan(s->rest[r]) || s->slopes[r * s->constants + j] == 0.0)
                continue;
            first = evidence->figures++ == 0 ? r : first;
            folds |= d->fold[r / d->metric_count] != d->fold[first / d->metric_count];
            if (kept_out[r] > 0.0)
                ratios[count++] = d->measured[r / d->metric_count * DSE_DESIGN_FIGURES + r % d->metric_count] / kept_out[r];
        }
        double low = count > 0 ? fmin(1.0, dse_percentile(ratios, count, 10)) : 1.0, high = count > 0 ? fmax(1.0, dse_percentile(ratios, count, 90)) : 1.0;
        evidence->alone = evidence->figures > 0 && (!folds || count == 0);
        if (evidence->alone) {
            low = fmin(low, ASSUMED_LOW);
            high = fmax(high, ASSUMED_HIGH);
        }
        for (size_t i = 0; i < count && folds; i++)
            evidence->outside += ratios[i] < low * (1.0 - 1e-9) || ratios[i] > high * (1.0 + 1e-9);
        evidence->outside += folds ? evidence->figures - count : 0; /* predicted as 0 */
        d->low[j] = evidence->figures > 0 ? d->values[j] * low : d->family->fitted[j].low;
        d->high[j] = evidence->figures > 0 ? d->values[j] * high : d->family->fitted[j].high;
    }
}

static enum dse_status predict_all(const struct dse_designs *d, size_t fold, const double *x, double *out, struct dse_error *err)
{
    for (size_t i = 0; i < d->count; i++) {
        double metrics[DSE_METRIC_COUNT];
        if (fold != SIZE_MAX && d->fold[i] != fold)
            continue;
        DSE_TRY(predict(d, i, x, metrics, err));
        for (size_t m = 0; m < d->metric_count; m++)
            out[i * d->metric_count + m] = metrics[d->metrics[m]];
    }
    return DSE_OK;
}

static enum dse_status fit_all(struct dse_designs *d, struct system *s, struct dse_error *err)
{
    double *kept_out DSE_CLEANUP(dse_free_at) = dse_calloc(s->rows + 1, sizeof *kept_out);
    double *within DSE_CLEANUP(dse_free_at) = dse_calloc(s->rows + 1, sizeof *within);
    for (size_t i = 0; i < d->count; i++)
        DSE_TRY(linearise_one(d, i, s, err));
    for (size_t f = 0; f < d->folds; f++) {
        fit(d, s, f, d->values);
        DSE_TRY(predict_all(d, f, d->values, kept_out, err));
    }
    fit(d, s, SIZE_MAX, d->values);
    DSE_TRY(predict_all(d, SIZE_MAX, d->values, within, err));
    sum_up(d, s, kept_out, within);
    set_bands(d, s, kept_out);
    return DSE_OK;
}

static enum dse_status open_all(const struct dse_model_family *family, const char *board, struct dse_designs *out, struct dse_error *err)
{
    if (dse_described_of(family) == NULL || family->fitted_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--designs: needs --family FILE.yaml with constants marked `fit: yes`; %s has none", family->name);
    DSE_TRY(dse_board_open(board != NULL ? board : family->board, &out->board, err));
    DSE_TRY(dse_costs_for_board(out->board, NULL, &out->costs, err));
    return dse_model_space(family, NULL, &out->space, err);
}

enum dse_status dse_designs_fit(const struct dse_model_family *family, const char *board, const char *path, size_t folds, uint64_t seed,
                                struct dse_designs *out, struct dse_error *err)
{
    *out = (struct dse_designs){.family = family, .path = path, .folds = folds};
    DSE_TRY(open_all(family, board, out, err));
    DSE_TRY(read_table(out, err));
    slow_down(out);
    deal(out, seed);
    struct system s = {.constants = family->fitted_count, .rows = out->count * out->metric_count};
    out->values = dse_calloc(3 * s.constants + 1, sizeof *out->values);
    out->evidence = dse_calloc(s.constants + 1, sizeof *out->evidence);
    out->low = out->values + s.constants;
    out->high = out->low + s.constants;
    s.slopes = dse_calloc(s.rows * s.constants + 1, sizeof *s.slopes);
    s.rest = dse_calloc(s.rows + 1, sizeof *s.rest);
    enum dse_status status = fit_all(out, &s, err);
    free(s.slopes);
    free(s.rest);
    return status;
}

void dse_designs_free(struct dse_designs *d)
{
    for (size_t i = 0; i < d->count; i++)
        d->family->release(d->work[i]);
    free(d->configs);
    free(d->work);
    free(d->measured);
    free(d->fold);
    free(d->values);
    free(d->evidence);
    dse_strbuf_free(&d->unread);
    dse_space_free(d->space);
    dse_costs_free(d->costs);
    dse_board_free(d->board);
    *d = (struct dse_designs){0};
}

/* ---- the file ---- */

/* Byte offset of a place in the file; columns count characters. */
static size_t offset_of(const char *text, long line, long column)
{
    const char *at = text;
    for (long l = 1; l < line; l++)
        at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : at + strlen(at);
    for (long c = 1; c < column && *at != '\0'; c++)
        for (at++; ((unsigned char)*at & 0xc0) == 0x80; at++)
            ;
    return (size_t)(at - text);
}

struct change {
    size_t at, length; /* text removed */
    char text[320];    /* text inserted */
};

static int by_place(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Writes a number with six digits, the precision of a fit. */
static void write_number(char *out, size_t size, double value, const struct dse_constant *c)
{
    char unit[64] = "";
    if (!dse_unit_equal(c->unit, DSE_UNIT_COUNT))
        dse_unit_format(c->unit, unit, sizeof unit);
    snprintf(out, size, "%.6g%s%s", value, *unit != '\0' ? " " : "", unit);
}

static void change_scalar(const char *text, const struct dse_yaml *node, const char *written, struct change *out)
{
    *out = (struct change){.at = offset_of(text, node->line, node->column), .length = strlen(node->text) + 2 * (size_t)node->quoted};
    snprintf(out->text, sizeof out->text, "%s", written);
}

#define OWN_SOURCE "calibration" /* name of the table in the file's sources, for constants without a source */

/* Adds a member to a map, after its first member in the text. */
static void add_member(const char *text, const struct dse_yaml *map, const struct dse_yaml *first, const char *key, const char *written, struct change *out)
{
    const size_t used = strlen(out->text);
    if (text[offset_of(text, map->line, map->column)] == '{')
        snprintf(out->text + used, sizeof out->text - used, ", %s: %s", key, written);
    else
        snprintf(out->text + used, sizeof out->text - used, "\n%*s%s: %s", (int)(first->key_column - 1), "", key, written);
}

/* Changes value, low, high, level and source of a constant; new members follow the value. */
static size_t change_constant(const struct dse_designs *d, const struct dse_yaml *node, const struct dse_constant *c, struct change *out)
{
    const char *text = d->family->content;
    const struct dse_yaml *value = dse_yaml_member(node, "value");
    char low[32], high[32], number[96];
    snprintf(low, sizeof low, "%.6g", d->low[c->fitted]);
    snprintf(high, sizeof high, "%.6g", d->high[c->fitted]);
    const struct {
        const char *key, *written;
    } members[] = {{"low", low}, {"high", high}, {"level", dse_level_names[DSE_LEVEL_FITTED]}, {"source", OWN_SOURCE}};
    size_t count = 0;
    write_number(number, sizeof number, d->values[c->fitted], c);
    change_scalar(text, value, number, &out[count++]);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const struct dse_yaml *member = dse_yaml_member(node, members[i].key);
        if (member == NULL)
            add_member(text, node, value, members[i].key, members[i].written, &out[0]);
        else if (members[i].written != members[3].written)
            change_scalar(text, member, members[i].written, &out[count++]);
    }
    return count;
}

/* Source entry for constants without one: added to `sources`, or as that section before the constants. */
static size_t add_source(const struct dse_designs *d, struct change *out)
{
    const char *text = d->family->content;
    const struct dse_yaml *root = &dse_described_of(d->family)->root, *sources = dse_yaml_member(root, "sources"), *constants = dse_yaml_member(root, "constants");
    const struct dse_yaml *first = sources != NULL && sources->kind == DSE_YAML_MAP && sources->count > 0 ? &sources->children[0] : NULL;
    char words[160];
    if (first != NULL && dse_yaml_member(sources, OWN_SOURCE) != NULL)
        return 0;
    const char *name = strrchr(d->path, '/') != NULL ? strrchr(d->path, '/') + 1 : d->path;
    snprintf(words, sizeof words, "%s: \"calibrate --designs, %zu designs of %.80s\"", OWN_SOURCE, d->count, name);
    const struct dse_yaml *place = first != NULL ? first : constants;
    *out = (struct change){.at = offset_of(text, place->key_line, place->key_column)};
    if (first == NULL)
        snprintf(out->text, sizeof out->text, "sources: {%s}\n", words);
    else if (text[offset_of(text, sources->line, sources->column)] == '{')
        snprintf(out->text, sizeof out->text, "%s, ", words);
    else
        snprintf(out->text, sizeof out->text, "%s\n%*s", words, (int)(first->key_column - 1), "");
    return 1;
}

enum dse_status dse_designs_rewrite(const struct dse_designs *d, struct dse_strbuf *out, struct dse_error *err)
{
    const struct dse_described *described = dse_described_of(d->family);
    const struct dse_yaml *section = dse_yaml_member(&described->root, "constants");
    struct change *changes DSE_CLEANUP(dse_free_at) = dse_calloc(5 * described->constant_count + 2, sizeof *changes);
    size_t count = 0, at = 0;
    bool named = true;
    for (size_t i = 0; i < described->constant_count; i++)
        if (described->constants[i].fitted >= 0 && d->evidence[described->constants[i].fitted].figures > 0) {
            named &= described->constants[i].source != NULL;
            count += change_constant(d, &section->children[i], &described->constants[i], &changes[count]);
        }
    if (!named)
        count += add_source(d, &changes[count]);
    qsort(changes, count, sizeof *changes, by_place);
    for (size_t i = 0; i < count; i++) {
        dse_strbuf_add_n(out, d->family->content + at, changes[i].at - at);
        dse_strbuf_add(out, changes[i].text);
        at = changes[i].at + changes[i].length;
    }
    dse_strbuf_add(out, d->family->content + at);
    const struct dse_model_family *again;
    return dse_described_read(d->family->file, dse_strbuf_text(out), &again, err); /* checks that the result parses */
}
