#include "reports/training.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/memory.h"
#include "core/file.h"
#include "core/number.h"
#include "core/units.h"
#include "executor/measure.h"
#include "datasets/npz.h"
#include "reports/json.h"
#include "reports/spread.h"
#include "reports/table.h"
#include "reports/terminal.h"

#define CONFUSION_MOST 10 /* maximum number of classes in a table */

/* ---- quality, shared by both reports ---- */

static void put_figures(json_t *object, const struct dse_figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, figures[i].name, json_real(figures[i].value));
}

/* Whether a figure is printed beside the quality called `judge`. The quality itself is not, nor is the figure of a prediction without a model, which
 * is printed with the quality's metric. */
static bool stands_beside(const struct dse_figure *figure, const char *judge)
{
    return strcmp(figure->name, judge) != 0 && strcmp(figure->name, "majority") != 0 && !dse_quality_is_chance(figure->name, judge);
}

static void add_figures(struct dse_strbuf *out, const struct dse_figure *figures, size_t count, const char *judge, double constant)
{
    for (size_t i = 0; i < count; i++)
        if (stands_beside(&figures[i], judge))
            dse_strbuf_printf(out, fabs(figures[i].value) < 10.0 ? ", %s %.4f" : ", %s %.5g", dse_quality_title(figures[i].name), figures[i].value);
    if (!isnan(constant))
        dse_strbuf_printf(out, ", %s %.4f", dse_quality_chance_title(judge), constant);
}

/* Whether every run has the same held-out items, so that their spread is none of the items. */
static bool one_split(const struct dse_training_report *r)
{
    return r->run->given != NULL || (r->data->kind->split != NULL && r->folds == 1);
}

/* A mean over runs with its spread; without, if the runs share a split and differ by rounding only. */
static void add_mean(struct dse_strbuf *out, const struct dse_training_report *r, const char *name, double mean, double std)
{
    bool equal = !(std > 1e-12 * fabs(mean));
    dse_strbuf_printf(out, fabs(mean) < 10.0 ? ", %s %.4f" : ", %s %.5g", dse_quality_title(name), mean);
    if (!equal || !one_split(r))
        dse_strbuf_printf(out, " ± %.2g", equal ? 0.0 : dse_spread(std, (int64_t)r->count));
}

static void add_names(struct dse_strbuf *out, const struct dse_figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(out, ",%s", figures[i].name);
    dse_strbuf_add(out, "\n");
}

static void add_values(struct dse_strbuf *out, const struct dse_figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(out, ",%.17g", figures[i].value);
    dse_strbuf_add(out, "\n");
}

/* Notes a quality that is no better than that of a constant prediction (NaN: unknown). */
static void add_verdict(struct dse_strbuf *out, const char *name, double quality, double constant)
{
    if (dse_quality_is_cost(name) ? quality >= constant : quality <= constant)
        dse_strbuf_printf(out, "; no better than a %s", dse_quality_chance_title(name));
}

/* Confusion matrix: counts by class (row) and prediction (column). */
static void put_confusion(json_t *object, const struct dse_inference *found)
{
    int64_t *values DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = dse_inference_classes(found, &values);
    size_t *table DSE_CLEANUP(dse_free_at) = dse_inference_confusion(found, values, count);
    json_t *classes = json_array(), *rows = json_array();
    for (size_t c = 0; c < count; c++) {
        json_t *row = json_array();
        json_array_append_new(classes, json_integer(values[c]));
        for (size_t k = 0; k < count; k++)
            json_array_append_new(row, json_integer((json_int_t)table[c * count + k]));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "confusion", json_pack("{s:o, s:o}", "classes", classes, "counts", rows));
}

static void add_confusion(struct dse_strbuf *out, const struct dse_inference *found)
{
    int64_t *values DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = dse_inference_classes(found, &values);
    size_t *table DSE_CLEANUP(dse_free_at) = dse_inference_confusion(found, values, count);
    char value[32];
    if (count > CONFUSION_MOST)
        return;
    struct dse_table shown = {0};
    dse_table_column(&shown, "class \\ predicted", false);
    for (size_t c = 0; c < count; c++)
        dse_table_column(&shown, dse_number_shortest(value, sizeof value, (double)values[c]), true);
    for (size_t c = 0; c < count; c++) {
        dse_table_cell(&shown, "%" PRId64, values[c]);
        for (size_t k = 0; k < count; k++)
            dse_table_cell(&shown, "%zu", table[c * count + k]);
    }
    dse_table_finish(&shown, dse_terminal_width(), out);
}

/* ---- training ---- */

/* Mean time per item over all runs. */
static double item_s(const struct dse_training_report *r, size_t count)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += r->runs[i].s_per_item / (double)count;
    return mean;
}

static unsigned long long seed_of(const struct dse_training_report *r, size_t run)
{
    return r->first_seed + run / r->folds;
}

static const char *remark_of(const struct dse_training_report *r)
{
    return r->executor->remark != NULL ? r->executor->remark(r->data, r->setting) : NULL;
}

static void write_runs(const struct dse_training_report *r, const struct dse_measured *all, struct dse_strbuf *out)
{
    char time[32], per_item[32];
    dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, all->seconds);
    dse_quantity_format(per_item, sizeof per_item, DSE_DIMENSION_TIME, item_s(r, all->n));
    dse_strbuf_printf(out, "%s: %zu %s to train, %zu held out\nsetting ", r->data->name, r->runs[0].n_train,
                      r->executor->kind->items, r->runs[0].n_test);
    for (size_t i = 0; i < r->setting->count; i++)
        dse_strbuf_printf(out, " %s=%s", r->setting->pairs[i].name, r->setting->pairs[i].value);
    const char *remark = remark_of(r);
    dse_strbuf_printf(out, "\n%s%s%s", remark != NULL ? "note     " : "", remark != NULL ? remark : "", remark != NULL ? "\n" : "");
    for (size_t i = 0; i < all->n; i++) {
        const struct dse_training *run = &r->runs[i];
        dse_strbuf_printf(out, "seed %llu", seed_of(r, i));
        if (r->folds > 1)
            dse_strbuf_printf(out, "  fold %zu of %zu", i % r->folds + 1, r->folds);
        if (run->n_test > 0)
            dse_strbuf_printf(out, "  %s %.4f  (training part %.4f)", dse_quality_title(run->quality_name), run->quality, run->train_quality);
        else
            dse_strbuf_printf(out, "  %s of the training part %.4f, and nothing is held out", dse_quality_title(run->quality_name), run->train_quality);
        add_figures(out, run->figures, run->figure_count, run->quality_name, run->constant);
        add_verdict(out, run->quality_name, run->quality, run->constant);
        dse_strbuf_add(out, "\n");
    }
    if (all->n > 1 && !isnan(all->mean)) {
        if (one_split(r) && !(all->std > 1e-12 * fabs(all->mean)))
            dse_strbuf_printf(out, "mean %.4f (no %s: 1 split, n = %zu equal runs)", all->mean, dse_spread_name(), all->n);
        else
            dse_strbuf_printf(out, "mean %.4f ± %.4f (%s%s, n = %zu)", all->mean, dse_spread(all->std, (int64_t)all->n), dse_spread_name(),
                              one_split(r) ? " over seeds of 1 split" : "", all->n);
        for (size_t f = 0; f < all->figure_count; f++)
            if (stands_beside(&all->figures[f], all->name))
                add_mean(out, r, all->figures[f].name, all->figures[f].value, all->figure_std[f]);
        if (!isnan(all->constant))
            add_mean(out, r, dse_quality_chance_title(all->name), all->constant, all->constant_std);
        add_verdict(out, all->name, all->mean, all->constant);
        dse_strbuf_add(out, "\n");
    }
    dse_strbuf_printf(out, "trained in %s; inference %s per %s\n", time, per_item, r->executor->kind->item);
    if (all->n > 1 && r->run->pool->count > 0)
        dse_strbuf_printf(out, "held-out parts of %zu runs:\n", all->n);
    if (r->run->pool->count > 0)
        add_confusion(out, r->run->pool);
}

static void write_runs_csv(const struct dse_training_report *r, size_t count, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "dataset,seed,fold,quality,train_quality,n_train,n_test,seconds,s_per_%s", r->executor->kind->item);
    bool named = strcmp(r->runs[0].quality_name, "quality") != 0;
    dse_strbuf_printf(out, "%s%s", named ? "," : "", named ? r->runs[0].quality_name : "");
    add_names(out, r->runs[0].figures, r->runs[0].figure_count);
    for (size_t i = 0; i < count; i++) {
        const struct dse_training *run = &r->runs[i];
        dse_csv_field(out, r->data->name);
        dse_strbuf_printf(out, ",%llu,%zu,", seed_of(r, i), i % r->folds);
        if (!isnan(run->quality))
            dse_strbuf_printf(out, "%.17g", run->quality);
        dse_strbuf_printf(out, ",%.17g,%zu,%zu,%.6g,%.6g", run->train_quality, run->n_train, run->n_test, run->seconds, run->s_per_item);
        if (named)
            dse_strbuf_add(out, ",");
        if (named && !isnan(run->quality))
            dse_strbuf_printf(out, "%.17g", run->quality);
        add_values(out, run->figures, run->figure_count);
    }
}

/* A number if the parameter is numeric, otherwise text. */
static json_t *setting_json(const struct dse_executor *executor, const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++) {
        const char *name = setting->pairs[i].name, *value = setting->pairs[i].value;
        const struct dse_knob *knob = dse_knobs_find(executor->knobs, name);
        enum dse_knob_type type = knob != NULL ? knob->type : DSE_KNOB_CHOICE;
        json_object_set_new(object, name, type == DSE_KNOB_INTEGER   ? json_integer(strtoll(value, NULL, 10))
                                          : type == DSE_KNOB_DECIMAL ? json_real(strtod(value, NULL))
                                                                     : json_string(value));
    }
    return object;
}

static json_t *quality_json(double quality)
{
    return isnan(quality) ? json_null() : json_real(quality);
}

static void put_constant(json_t *object, double constant)
{
    if (!isnan(constant))
        json_object_set_new(object, "constant_prediction", json_real(constant));
}

static json_t *runs_json(const struct dse_training_report *r, const struct dse_measured *all)
{
    const struct dse_training *first = &r->runs[0];
    char time[64], mean[64], deviation[64];
    snprintf(time, sizeof time, "s_per_%s", r->executor->kind->item);
    snprintf(mean, sizeof mean, "%s_mean", first->quality_name);
    snprintf(deviation, sizeof deviation, "%s_std", first->quality_name);
    json_t *list = json_array();
    json_t *object = json_pack("{s:s, s:s, s:s, s:I, s:s, s:o, s:o, s:f, s:I, s:I, s:f, s:f}", "schema", "nysx-dse.train/1",
                               "family", r->executor->family, "dataset", r->data->name, "seed", (json_int_t)r->first_seed, "split",
                               r->split, "setting", setting_json(r->executor, r->setting), first->quality_name,
                               quality_json(all->n > 1 ? all->mean : first->quality), "train_quality",
                               first->train_quality, "n_train", (json_int_t)first->n_train, "n_test",
                               (json_int_t)first->n_test, "seconds", all->seconds, time, item_s(r, all->n));
    if (remark_of(r) != NULL)
        json_object_set_new(object, "remark", json_string(remark_of(r)));
    put_figures(object, all->figures, all->figure_count);
    put_constant(object, all->constant);
    if (r->run->pool->count > 0)
        put_confusion(object, r->run->pool);
    for (size_t i = 0; i < all->n; i++) {
        json_t *one = json_pack("{s:I, s:I, s:o, s:f}", "seed", (json_int_t)seed_of(r, i), "fold", (json_int_t)(i % r->folds),
                                first->quality_name, quality_json(r->runs[i].quality), "train_quality", r->runs[i].train_quality);
        put_figures(one, r->runs[i].figures, r->runs[i].figure_count);
        put_constant(one, r->runs[i].constant);
        json_array_append_new(list, one);
    }
    if (all->n > 1 && !isnan(all->mean)) {
        json_object_set_new(object, mean, json_real(all->mean));
        json_object_set_new(object, deviation, json_real(all->std));
        for (size_t f = 0; f < all->figure_count; f++) {
            snprintf(deviation, sizeof deviation, "%s_std", all->figures[f].name);
            json_object_set_new(object, deviation, json_real(all->figure_std[f]));
        }
    }
    json_object_set_new(object, "runs", list);
    return object;
}

void dse_training_write(const struct dse_training_report *report, enum dse_format format, struct dse_strbuf *out)
{
    struct dse_measured all;
    dse_measured_summarise(report->executor, report->runs, report->count, &all);
    switch (format) {
    case DSE_FORMAT_TABLE: write_runs(report, &all, out); break;
    case DSE_FORMAT_CSV: write_runs_csv(report, all.n, out); break;
    case DSE_FORMAT_JSON: dse_json_add_digits(out, 17, runs_json(report, &all)); break;
    }
}

/* ---- inference ---- */

/* Standard errors over the items, of the quality and of the figures that have one. */
static void add_errors(struct dse_strbuf *out, const struct dse_inference_report *report)
{
    const struct dse_inference *found = report->found;
    dse_strbuf_printf(out, "standard errors over the %s (n = %zu): %s %.2g", report->executor->kind->items, found->count,
                      dse_quality_title(report->executor->quality_name), found->error);
    for (size_t i = 0; i < found->figure_count; i++)
        if (!isnan(found->figures[i].error))
            dse_strbuf_printf(out, ", %s %.2g", dse_quality_title(found->figures[i].name), found->figures[i].error);
    dse_strbuf_add(out, "\n");
}

static void put_error(json_t *object, const char *name, double error)
{
    char key[80];
    snprintf(key, sizeof key, "%s_standard_error", name);
    if (!isnan(error))
        json_object_set_new(object, key, json_real(error));
}

void dse_inference_write(const struct dse_inference_report *report, enum dse_format format, struct dse_strbuf *out)
{
    const struct dse_executor *executor = report->executor;
    const struct dse_inference *found = report->found;
    double item_s = found->count > 0 ? found->seconds / (double)found->count : 0.0;
    bool classes = found->label != NULL && found->count > 0;
    double constant = dse_inference_constant(found, executor->quality_name);
    char time[64];
    json_t *object;
    switch (format) {
    case DSE_FORMAT_TABLE:
        dse_strbuf_printf(out, "%s: %zu %s, %s %.4f", report->data->name, found->count, executor->kind->items,
                          executor->quality_name, found->quality);
        add_figures(out, found->figures, found->figure_count, executor->quality_name, constant);
        dse_strbuf_printf(out, ", %s per %s", dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, item_s),
                          executor->kind->item);
        add_verdict(out, executor->quality_name, found->quality, constant);
        dse_strbuf_add(out, "\n");
        if (!isnan(found->error))
            add_errors(out, report);
        if (classes)
            add_confusion(out, found);
        break;
    case DSE_FORMAT_CSV:
        dse_strbuf_printf(out, "dataset,n_test,%s,seconds,s_per_%s", executor->quality_name, executor->kind->item);
        add_names(out, found->figures, found->figure_count);
        dse_csv_field(out, report->data->name);
        dse_strbuf_printf(out, ",%zu,%.17g,%.6g,%.6g", found->count, found->quality, found->seconds, item_s);
        add_values(out, found->figures, found->figure_count);
        break;
    case DSE_FORMAT_JSON:
        snprintf(time, sizeof time, "s_per_%s", executor->kind->item);
        object = json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:f, s:f}", "schema", "nysx-dse.infer/1", "family",
                           executor->family, "dataset", report->data->name, "model", report->model, executor->quality_name,
                           found->quality, "n_train", (json_int_t)found->n_train, "n_test", (json_int_t)found->count,
                           "seconds", found->seconds, time, item_s);
        put_figures(object, found->figures, found->figure_count);
        put_error(object, executor->quality_name, found->error);
        for (size_t i = 0; i < found->figure_count; i++)
            put_error(object, found->figures[i].name, found->figures[i].error);
        if (classes)
            put_confusion(object, found);
        dse_json_add_digits(out, 17, object);
        break;
    }
}

/* Writes a number with the fewest digits that read back equal, at least six. */
static void add_number(struct dse_strbuf *out, double value)
{
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    dse_strbuf_printf(out, ",%s", text);
}

/* One line per item: index, expected and predicted value. */
static void add_answers(struct dse_strbuf *out, const struct dse_inference_report *report)
{
    const struct dse_inference *found = report->found;
    dse_strbuf_printf(out, "%s,label,predicted\n", report->executor->kind->item);
    for (size_t i = 0; i < found->count; i++) {
        dse_strbuf_printf(out, "%zu", found->item[i]);
        if (found->label != NULL) {
            dse_strbuf_printf(out, ",%" PRId64 ",%" PRId64, found->label[i], found->predicted[i]);
        } else {
            add_number(out, found->target[i]);
            add_number(out, found->estimate[i]);
        }
        dse_strbuf_add(out, "\n");
    }
}

enum dse_status dse_inference_write_answers(const struct dse_inference_report *report, const char *path, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    if (report->executor->predictions != NULL)
        report->executor->predictions(report->found, report->data, &out);
    else
        add_answers(&out, report);
    enum dse_status status = dse_file_write(path, out.text, out.length, err);
    dse_strbuf_free(&out);
    return status;
}

enum dse_status dse_inference_write_hypervectors(const struct dse_inference_report *report, const char *path,
                                                 struct dse_error *err)
{
    const struct dse_inference *found = report->found;
    size_t shape[2] = {found->count, found->dim};
    if (found->hypervector == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--hypervectors: the family %s has none", report->executor->family);
    struct dse_npz_writer *file = dse_npz_begin();
    int64_t *items = dse_npz_add(file, report->executor->kind->item, "<i8", 8, 1, shape);
    for (size_t i = 0; items != NULL && i < found->count; i++) {
        int64_t item = (int64_t)found->item[i];
        memcpy(items + i, &item, sizeof item);
    }
    dse_npz_add_copy(file, "hypervectors", "|i1", 1, 2, shape, found->hypervector);
    if (found->score != NULL)
        dse_npz_add_copy(file, "scores", "<f8", sizeof *found->score, 2, (size_t[]){found->count, found->classes}, found->score);
    if (found->predicted != NULL)
        dse_npz_add_copy(file, "predicted", "<i8", sizeof *found->predicted, 1, shape, found->predicted);
    return dse_npz_finish(file, path, err);
}
