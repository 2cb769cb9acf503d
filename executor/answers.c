/* Shared by training and inference of all families: choice of items, room for answers, and quality. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/order.h"
#include "executor/executor.h"

enum dse_status dse_figure_put(struct dse_figure figures[DSE_FIGURES], size_t *count, const char *name, double value,
                               struct dse_error *err)
{
    return dse_figure_put_error(figures, count, (struct dse_figure){name, value, NAN}, err);
}

enum dse_status dse_figure_put_error(struct dse_figure figures[DSE_FIGURES], size_t *count, struct dse_figure figure, struct dse_error *err)
{
    if (*count == DSE_FIGURES)
        return dse_fail(err, DSE_LIMIT, "%s: more than %d figures", figure.name, DSE_FIGURES);
    figures[(*count)++] = figure;
    return DSE_OK;
}

/* ---- inference ---- */

/* The items of a part of the model's own data (all training items, if none is held out), or all items of another data set; a sample if asked for. */
static enum dse_status choose_items(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                    struct dse_inference *out, struct dse_error *err)
{
    const struct dse_split *split = &model->split;
    bool own = data->hash == model->dataset_hash, trained = run->on_training || split->n_test == 0;
    size_t there = dse_dataset_items(data);
    const int32_t *part = trained ? split->train : split->test;
    size_t whole = !own ? there : trained ? split->n_train : split->n_test;
    out->count = run->sample > 0 && run->sample < whole ? run->sample : whole;
    out->item = dse_malloc((out->count + 1) * sizeof *out->item);
    for (size_t i = 0; i < out->count; i++) {
        size_t at = i * whole / out->count;
        out->item[i] = own ? (size_t)part[at] : at;
        if (out->item[i] >= there)
            return dse_fail(err, DSE_BAD_USAGE, "%s has %zu %s, the model tests %s %zu", data->name, there, data->kind->items,
                            data->kind->item, out->item[i]);
    }
    return DSE_OK;
}

enum dse_status dse_inference_begin(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                    enum dse_answers answers, struct dse_inference *out, struct dse_error *err)
{
    *out = (struct dse_inference){.n_train = model->split.n_train, .error = NAN};
    DSE_TRY(dse_executor_takes(model->executor, data, err));
    DSE_TRY(choose_items(model, data, run, out, err));
    size_t room = out->count + 1;
    if (answers == DSE_ANSWER_CLASSES) {
        out->label = dse_calloc(room, sizeof *out->label);
        out->predicted = dse_calloc(room, sizeof *out->predicted);
    } else if (answers == DSE_ANSWER_RANKS) {
        out->rank = dse_calloc(2 * room, sizeof *out->rank);
    } else {
        out->target = dse_calloc(room, sizeof *out->target);
        out->estimate = dse_calloc(room, sizeof *out->estimate);
    }
    return DSE_OK;
}

/* ---- classes ---- */

size_t dse_inference_classes(const struct dse_inference *found, int64_t **values)
{
    int64_t *all = dse_malloc((2 * found->count + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        all[2 * i] = found->label[i];
        all[2 * i + 1] = found->predicted[i];
    }
    qsort(all, 2 * found->count, sizeof *all, dse_by_int64);
    for (size_t i = 0; i < 2 * found->count; i++)
        if (count == 0 || all[count - 1] != all[i])
            all[count++] = all[i];
    *values = all;
    return count;
}

static size_t place_of(const int64_t *values, size_t count, int64_t value)
{
    return (size_t)((const int64_t *)bsearch(&value, values, count, sizeof value, dse_by_int64) - values);
}

size_t *dse_inference_confusion(const struct dse_inference *found, const int64_t *values, size_t count)
{
    size_t *table = dse_calloc(count * count + 1, sizeof *table);
    for (size_t i = 0; i < found->count; i++)
        table[place_of(values, count, found->label[i]) * count + place_of(values, count, found->predicted[i])]++;
    return table;
}

/* The area under the receiver operating characteristic: the share of pairs, one item of each class, that the margins put in order. A tie counts half.
 * NaN if a class has no item. An item's influence is its own share of ordered pairs (E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, 1988).
 * O(n log n). */
static struct dse_figure area_under_curve(const struct dse_inference *found, int64_t upper)
{
    struct dse_ranked *all DSE_CLEANUP(dse_free_at) = dse_malloc((found->count + 1) * sizeof *all);
    double below = 0, ordered = 0, above = 0, uppers = 0, of_high = 0, of_low = 0; /* index 1: of the upper class */
    for (size_t i = 0; i < found->count; i++) {
        all[i] = (struct dse_ranked){found->margin[i], found->label[i] == upper};
        uppers += (double)all[i].index;
    }
    double lowers = (double)found->count - uppers;
    qsort(all, found->count, sizeof *all, dse_by_rank);
    above = uppers;
    for (size_t i = 0, end; i < found->count; i = end) {
        double low = 0, high = 0;
        for (end = i; end < found->count && all[end].value == all[i].value; end++)
            *(all[end].index == 1 ? &high : &low) += 1;
        above -= high;
        ordered += high * (below + low / 2);
        of_high += high * (below + low / 2) * (below + low / 2);
        of_low += low * (above + high / 2) * (above + high / 2);
        below += low;
    }
    double area = ordered / (uppers * lowers), variance = (of_high / (uppers * lowers * lowers) - area * area) / uppers;
    variance += (of_low / (lowers * uppers * uppers) - area * area) / lowers;
    return (struct dse_figure){"auc", area, sqrt(fmax(variance, 0.0))};
}

/* Figures of the classes that the items have; the F1 score also of those that were only predicted, which is 0 (as scikit-learn). */
static enum dse_status put_class_figures(const size_t *table, size_t count, struct dse_inference *found, struct dse_error *err)
{
    double *both DSE_CLEANUP(dse_free_at) = dse_calloc(2 * count + 1, sizeof *both), *members = both + count; /* both: members and predictions */
    double either = 0, most = 0, n = (double)found->count, accuracy = 0, balanced = 0, f1 = 0, of_accuracy = 0, of_balanced = 0, of_f1 = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t k = 0; k < count; k++) {
            members[c] += (double)table[c * count + k];
            both[c] += (double)(table[c * count + k] + table[k * count + c]);
        }
    found->present = 0;
    for (size_t c = 0; c < count; c++) {
        double hits = (double)table[c * count + c];
        most = fmax(most, members[c]);
        accuracy += hits;
        either += both[c] > 0;
        if (members[c] == 0)
            continue;
        found->present++;
        balanced += hits / members[c];
        f1 += 2.0 * hits / both[c];
    }
    double present = (double)found->present;
    accuracy /= n;
    for (size_t c = 0; c < count; c++) /* the influences of the items of class c that were given class k */
        for (size_t k = 0; k < count; k++) {
            double hit = c == k, items = (double)table[c * count + k], own = (double)table[c * count + c];
            double other = members[k] > 0 ? (double)table[k * count + k] : 0.0;
            if (items == 0)
                continue;
            double f = 2.0 * (hit - own / both[c]) / both[c] - 2.0 * other / (both[k] * both[k]);
            of_accuracy += items * (hit - accuracy) * (hit - accuracy) / (n * n);
            of_balanced += items * pow((hit - own / members[c]) / (members[c] * present), 2.0);
            of_f1 += items * f * f / (either * either);
        }
    found->quality = accuracy;
    found->error = sqrt(of_accuracy);
    DSE_TRY(dse_figure_put_error(found->figures, &found->figure_count, (struct dse_figure){"balanced", balanced / present, sqrt(of_balanced)}, err));
    DSE_TRY(dse_figure_put_error(found->figures, &found->figure_count, (struct dse_figure){"macro_f1", f1 / either, sqrt(of_f1)}, err));
    return dse_figure_put(found->figures, &found->figure_count, "majority", most / n, err);
}

enum dse_status dse_inference_judge(struct dse_inference *found, struct dse_error *err)
{
    int64_t *values DSE_CLEANUP(dse_free_at) = NULL;
    if (found->count == 0)
        return DSE_OK;
    size_t count = dse_inference_classes(found, &values);
    size_t *table DSE_CLEANUP(dse_free_at) = dse_inference_confusion(found, values, count);
    DSE_TRY(put_class_figures(table, count, found, err));
    struct dse_figure area = {.value = NAN};
    if (found->margin != NULL && count == 2)
        area = area_under_curve(found, values[1]);
    return isnan(area.value) ? DSE_OK : dse_figure_put_error(found->figures, &found->figure_count, area, err);
}

void dse_inference_free(struct dse_inference *result)
{
    if (result == NULL)
        return;
    free(result->item);
    free(result->label);
    free(result->predicted);
    free(result->target);
    free(result->estimate);
    free(result->rank);
    free(result->hypervector);
    free(result->score);
    free(result->margin);
    *result = (struct dse_inference){0};
}

/* ---- training ---- */

const char *const dse_class_metrics[] = {"balanced", "macro_f1", "auc", NULL};

enum dse_status dse_executor_judges(const struct dse_executor *executor, const char *metric, struct dse_error *err)
{
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    if (metric == NULL || strcmp(metric, executor->quality_name) == 0)
        return DSE_OK;
    for (const char *const *name = executor->metrics; name != NULL && *name != NULL; name++) {
        if (strcmp(*name, metric) == 0 || strcmp(dse_quality_gain(*name), metric) == 0)
            return DSE_OK;
        const char *title = dse_quality_title(*name);
        bool same = strcmp(title, *name) == 0;
        dse_strbuf_printf(&names, ", %s%s%s%s", *name, same ? "" : " (", same ? "" : title, same ? "" : ")");
    }
    (void)dse_quality_is_negative(metric, &metric);
    return dse_fail(err, DSE_BAD_USAGE, "--metric %s: must be %s%s", metric, executor->quality_name, dse_strbuf_text(&names));
}

/* The quality of an inference by the run's metric. */
static enum dse_status judge_by(const struct dse_run *run, const struct dse_inference *found, const char *quality_name, double *out, struct dse_error *err)
{
    const char *metric = run->metric;
    *out = found->quality;
    if (metric == NULL || strcmp(metric, quality_name) == 0)
        return DSE_OK;
    double sign = dse_quality_is_negative(metric, &metric) ? -1.0 : 1.0;
    for (size_t i = 0; i < found->figure_count; i++)
        if (strcmp(found->figures[i].name, metric) == 0) {
            *out = sign * found->figures[i].value;
            return DSE_OK;
        }
    return dse_fail(err, DSE_BAD_USAGE, "--metric %s: needs two classes in the held-out part, and a family with margins", run->metric);
}

/* Appends labels and predictions. */
static void pool_answers(const struct dse_inference *held, struct dse_inference *pool)
{
    pool->label = dse_realloc_array(pool->label, pool->count + held->count + 1, sizeof *pool->label);
    pool->predicted = dse_realloc_array(pool->predicted, pool->count + held->count + 1, sizeof *pool->predicted);
    memcpy(pool->label + pool->count, held->label, held->count * sizeof *pool->label);
    memcpy(pool->predicted + pool->count, held->predicted, held->count * sizeof *pool->predicted);
    pool->count += held->count;
}

double dse_inference_constant(const struct dse_inference *found, const char *metric)
{
    double sign = dse_quality_is_negative(metric, &metric) ? -1.0 : 1.0;
    for (size_t i = 0; i < found->figure_count; i++) {
        const char *name = found->figures[i].name;
        if (strcmp(name, "majority") == 0)
            return dse_quality_constant(metric, &(struct dse_chance){.majority = found->figures[i].value, .classes = (double)found->present});
        if (dse_quality_is_chance(name, metric))
            return sign * found->figures[i].value;
    }
    return strcmp(metric, "r2") == 0 ? 0.0 : NAN;
}

/* The figures of the test part: those of the inference, then those of the training. Also the quality on the training part, if training did not give
 * it. */
static enum dse_status measure(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                               struct dse_training *result, struct dse_error *err)
{
    DSE_CLEANUP(dse_inference_free) struct dse_inference held = {0}, train = {0};
    struct dse_training fitted = *result;
    struct dse_run marked = *run;
    marked.margins = true;
    DSE_TRY(model->executor->infer(model, data, &marked, &held, err));
    DSE_TRY(judge_by(run, &held, model->executor->quality_name, &result->quality, err));
    if (run->metric != NULL)
        result->train_quality = NAN; /* the family's own quality, if training gave it */
    result->constant = dse_inference_constant(&held, result->quality_name);
    if (run->pool != NULL && held.label != NULL && model->split.n_test > 0)
        pool_answers(&held, run->pool);
    result->s_per_item = held.seconds / (double)held.count;
    memcpy(result->figures, held.figures, sizeof held.figures);
    result->figure_count = held.figure_count;
    if (strcmp(result->quality_name, model->executor->quality_name) != 0)
        DSE_TRY(dse_figure_put(result->figures, &result->figure_count, model->executor->quality_name, held.quality, err));
    if (model->split.n_test == 0) { /* it was the training part */
        result->train_quality = result->quality;
        result->quality = NAN;
        result->figure_count = 0;
        result->constant = NAN;
    }
    for (size_t i = 0; i < fitted.figure_count; i++)
        DSE_TRY(dse_figure_put(result->figures, &result->figure_count, fitted.figures[i].name, fitted.figures[i].value, err));
    if (!isnan(result->train_quality))
        return DSE_OK;
    struct dse_run again = marked;
    again.on_training = true;
    DSE_TRY(model->executor->infer(model, data, &again, &train, err));
    return judge_by(run, &train, model->executor->quality_name, &result->train_quality, err);
}

enum dse_status dse_train(const struct dse_executor *executor, const struct dse_dataset *data,
                          const struct dse_setting *setting, const struct dse_run *run, struct dse_model **out,
                          struct dse_training *result, struct dse_error *err)
{
    struct dse_model *model;
    bool own = run->metric == NULL || strcmp(run->metric, executor->quality_name) == 0;
    *result = (struct dse_training){.quality_name = own ? executor->quality_name : run->metric,
                                    .higher_is_better = own ? executor->higher_is_better : !dse_quality_is_cost(run->metric),
                                    .train_quality = NAN, .constant = NAN};
    *out = NULL;
    DSE_TRY(dse_executor_judges(executor, run->metric, err));
    double begin = dse_clock_s();
    DSE_TRY(dse_model_begin(executor, data, setting, run, &model, err));
    enum dse_status status = executor->fit(model, data, run, result, err);
    result->seconds = dse_clock_s() - begin;
    result->n_train = model->split.n_train;
    result->n_test = model->split.n_test;
    if (status == DSE_OK)
        status = measure(model, data, run, result, err);
    if (status == DSE_OK)
        *out = model;
    else
        dse_model_free(model);
    return status;
}
