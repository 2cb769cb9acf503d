#include "datasets/profile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"

struct dse_profile *dse_profile_create(const char *family, const char *dataset, uint64_t dataset_hash,
                                       const char *tool_version, const char *command)
{
    struct dse_profile *profile = dse_calloc(1, sizeof *profile);
    profile->family = dse_strdup(family);
    profile->dataset = dse_strdup(dataset);
    profile->dataset_hash = dataset_hash;
    profile->tool_version = dse_strdup(tool_version);
    profile->command = dse_strdup(command);
    return profile;
}

void dse_workload_clear(struct dse_workload *workload)
{
    dse_setting_free(&workload->setting);
    for (size_t i = 0; i < workload->series_count; i++) {
        free(workload->series[i].name);
        free(workload->series[i].values);
    }
    free(workload->series);
    *workload = (struct dse_workload){0};
}

static void clear_quality(struct dse_quality *quality)
{
    dse_setting_free(&quality->setting);
    free(quality->name);
    free(quality->protocol);
    free(quality->validation);
}

void dse_profile_free(struct dse_profile *profile)
{
    if (profile == NULL)
        return;
    for (size_t i = 0; i < profile->workload_count; i++)
        dse_workload_clear(&profile->workloads[i]);
    for (size_t i = 0; i < profile->quality_count; i++)
        clear_quality(&profile->qualities[i]);
    free(profile->workloads);
    free(profile->qualities);
    dse_setting_free(&profile->facts);
    dse_setting_free(&profile->preset);
    free(profile->family);
    free(profile->dataset);
    free(profile->tool_version);
    free(profile->command);
    free(profile);
}

/* Whether a text can be part of `name=value name=value`. */
static bool is_word(const char *text)
{
    if (text == NULL || *text == '\0')
        return false;
    for (; *text != '\0'; text++)
        if (isspace((unsigned char)*text) || iscntrl((unsigned char)*text) || *text == '=')
            return false;
    return true;
}

static enum dse_status check_setting(const struct dse_setting *setting, struct dse_error *err)
{
    for (size_t i = 0; i < setting->count; i++)
        if (!is_word(setting->pairs[i].name) || !is_word(setting->pairs[i].value))
            return dse_fail(err, DSE_BAD_USAGE, "the setting \"%s\" = \"%s\" cannot be stored in a profile: "
                            "both must be words without white space and \"=\"", setting->pairs[i].name,
                            setting->pairs[i].value);
    return DSE_OK;
}

enum dse_status dse_profile_check(const struct dse_profile *profile, struct dse_error *err)
{
    DSE_TRY(check_setting(&profile->preset, err));
    for (size_t i = 0; i < profile->workload_count; i++)
        DSE_TRY(check_setting(&profile->workloads[i].setting, err));
    for (size_t i = 0; i < profile->quality_count; i++)
        DSE_TRY(check_setting(&profile->qualities[i].setting, err));
    return DSE_OK;
}

/* True if no name in both settings has two values: one full setting can then contain both. */
static bool settings_agree(const struct dse_setting *a, const struct dse_setting *b)
{
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        int order = strcmp(a->pairs[i].name, b->pairs[j].name);
        if (order == 0 && !dse_setting_meet(a->pairs[i].value, b->pairs[j].value))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

static enum dse_status reject_ambiguous(const char *what, const struct dse_setting *setting,
                                        const struct dse_setting *other, struct dse_error *err)
{
    if (dse_setting_compare(setting, other) == 0)
        return dse_fail(err, DSE_BAD_USAGE, "a second %s at one setting", what);
    return dse_fail(err, DSE_BAD_USAGE, "the setting of this %s overlaps with that of another: "
                    "a look-up could not choose between them", what);
}

static enum dse_status check_workload(const struct dse_profile *profile, const struct dse_setting *setting, struct dse_error *err)
{
    DSE_TRY(check_setting(setting, err));
    for (size_t i = 0; i < profile->workload_count; i++)
        if (settings_agree(setting, &profile->workloads[i].setting))
            return reject_ambiguous("workload", setting, &profile->workloads[i].setting, err);
    return profile->workload_count < DSE_PROFILE_WORKLOADS_MAX
               ? DSE_OK : dse_fail(err, DSE_LIMIT, "more than %d workloads", DSE_PROFILE_WORKLOADS_MAX);
}

enum dse_status dse_profile_take_workload(struct dse_profile *profile, struct dse_workload *workload,
                                          struct dse_error *err)
{
    enum dse_status status = check_workload(profile, &workload->setting, err);
    if (status == DSE_OK) {
        struct dse_workload *taken = dse_list_more(&profile->workloads, &profile->workload_count, sizeof *taken);
        *taken = *workload;
        taken->assumed = dse_setting_get(&profile->facts, DSE_PROFILE_ASSUMED) != NULL;
        *workload = (struct dse_workload){0};
    }
    dse_workload_clear(workload);
    return status;
}

enum dse_status dse_profile_add_workload(struct dse_profile *profile, const struct dse_setting *setting,
                                         struct dse_workload **out, struct dse_error *err)
{
    struct dse_workload workload = {0};
    dse_setting_copy(setting, &workload.setting);
    DSE_TRY(dse_profile_take_workload(profile, &workload, err));
    if (out != NULL)
        *out = &profile->workloads[profile->workload_count - 1];
    return DSE_OK;
}

/* The place of `name` among the series, or the place where it would be inserted. */
static size_t series_place(const struct dse_workload *workload, const char *name)
{
    size_t low = 0, high = workload->series_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(workload->series[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool stands_at(const struct dse_workload *workload, size_t place, const char *name)
{
    return place < workload->series_count && strcmp(workload->series[place].name, name) == 0;
}

static enum dse_status check_series(const char *name, size_t rows, size_t columns, const double *values,
                                    struct dse_error *err)
{
    if (!is_word(name))
        return dse_fail(err, DSE_BAD_USAGE, "\"%s\" cannot be a series' name: must be a word without white "
                        "space and \"=\"", name);
    if (columns > 0 && rows > DSE_SERIES_VALUES_MAX / columns)
        return dse_fail(err, DSE_LIMIT, "series %s: %zu × %zu numbers are more than the %d that a series can hold",
                        name, rows, columns, DSE_SERIES_VALUES_MAX);
    for (size_t i = 0; i < rows * columns; i++)
        if (!isfinite(values[i]))
            return dse_fail(err, DSE_BAD_USAGE, "series %s: number %zu is not finite", name, i + 1);
    return DSE_OK;
}

enum dse_status dse_workload_add_series(struct dse_workload *workload, const char *name, size_t rows,
                                        size_t columns, const double *values, struct dse_error *err)
{
    DSE_TRY(check_series(name, rows, columns, values, err));
    size_t place = series_place(workload, name), count = rows * columns;
    if (stands_at(workload, place, name))
        return dse_fail(err, DSE_BAD_USAGE, "series %s: a series of this name exists", name);
    struct dse_series series = {.name = dse_strdup(name), .rows = rows, .columns = columns,
                                .values = dse_malloc(count * sizeof *values)};
    struct dse_series *grown = workload->series = dse_realloc_array(workload->series, workload->series_count + 1, sizeof *grown);
    if (count > 0)
        memcpy(series.values, values, count * sizeof *values);
    memmove(grown + place + 1, grown + place, (workload->series_count - place) * sizeof *grown);
    grown[place] = series;
    workload->series_count++;
    return DSE_OK;
}

/* Qualities and figures of a model with their least and greatest values. The comments, meaning and standard error by `infer`, become
 * docs/reference/metrics.md. */
static const struct known {
    const char *name, *title; /* title NULL: the name */
    const char *negative;     /* name in a search of a metric that is better when lower; otherwise NULL */
    double least, most;
} known[] = {
    {"accuracy", NULL, NULL, 0.0, 1.0},  /* share of items given their class | √(p(1 − p)/n) */
    {"balanced", "balanced accuracy", NULL, 0.0, 1.0}, /* mean recall of the classes | √(Σ r(1 − r)/m) / classes, with recall r of a class of m items */
    {"macro_f1", "macro F1", NULL, 0.0, 1.0},  /* mean F1 score of the classes | delta method over items */
    {"auc", "AUC", NULL, 0.0, 1.0},       /* area under the ROC curve; two classes | DeLong */
    {"quality", NULL, NULL, -INFINITY, INFINITY}, /* 1 − rmse / range of the training targets | delta method over rows */
    {"mse", "MSE", "neg_mse", 0.0, INFINITY},   /* mean squared error | standard deviation of the squared errors / √n */
    {"rmse", "RMSE", "neg_rmse", 0.0, INFINITY},  /* root of mse | that of mse / (2 rmse) */
    {"mae", "MAE", "neg_mae", 0.0, INFINITY},   /* mean absolute error | standard deviation of the absolute errors / √n */
    {"r2", "R²", NULL, -INFINITY, 1.0},  /* share of the variance explained | delta method over rows */
    {"mrr", "MRR", NULL, 0.0, 1.0},       /* mean reciprocal rank | standard deviation over triples / √n */
    {"hits1", "hits@1", NULL, 0.0, 1.0},     /* share of ranks at most 1; `hits3` and `hits10` likewise | standard deviation over triples / √n */
    {"hits3", "hits@3", NULL, 0.0, 1.0},
    {"hits10", "hits@10", NULL, 0.0, 1.0},
    {"mean_rank", "mean rank", "neg_mean_rank", 1.0, INFINITY}, /* mean rank of the right answer | standard deviation over triples / √n */
    {"loss", NULL, "neg_loss", -INFINITY, INFINITY},
    {"majority", "constant prediction", NULL, 0.0, 1.0},
    {"rmse_constant", "RMSE of a constant prediction", NULL, 0.0, INFINITY},
    {"mae_constant", "MAE of a constant prediction", NULL, 0.0, INFINITY},
    {"mrr_random", "MRR of a random order", NULL, 0.0, 1.0},
    {"hits1_random", "hits@1 of a random order", NULL, 0.0, 1.0},
    {"hits3_random", "hits@3 of a random order", NULL, 0.0, 1.0},
    {"hits10_random", "hits@10 of a random order", NULL, 0.0, 1.0},
    {"mean_rank_random", "mean rank of a random order", NULL, 1.0, INFINITY},
    {"balanced_accuracy", NULL, NULL, 0.0, 1.0},
    {"f1", NULL, NULL, 0.0, 1.0},
    {"precision", NULL, NULL, 0.0, 1.0},
    {"recall", NULL, NULL, 0.0, 1.0},
    {"hits", NULL, NULL, 0.0, 1.0},
    {"mcc", NULL, NULL, -1.0, 1.0},
};

/* NULL: unknown. */
static const struct known *find_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}

/* K of "hitsK"; 0: another name. */
static double hits_of(const char *metric)
{
    return strncmp(metric, "hits", 4) == 0 ? strtod(metric + 4, NULL) : 0.0;
}

/* The quality of ranks drawn at random among `entities`. */
static double random_order(const char *metric, double entities)
{
    double harmonic = 0.0;
    if (hits_of(metric) > 0.0)
        return hits_of(metric) < entities ? hits_of(metric) / entities : entities >= 1.0 ? 1.0 : NAN;
    if (strcmp(metric, "mean_rank") == 0)
        return (entities + 1.0) / 2.0;
    for (double k = 1.0; k <= entities; k++)
        harmonic += 1.0 / k;
    return harmonic / entities;
}

static bool is_rank(const char *metric)
{
    return strcmp(metric, "mrr") == 0 || strcmp(metric, "mean_rank") == 0 || hits_of(metric) > 0.0;
}

double dse_quality_constant(const char *metric, const struct dse_chance *of)
{
    if (dse_quality_is_negative(metric, &metric))
        return -dse_quality_constant(metric, of);
    if (is_rank(metric))
        return random_order(metric, of->entities);
    const struct {
        const char *name;
        double value;
    } values[] = {{"balanced", 1.0 / of->classes}, {"macro_f1", 2.0 * of->majority / ((1.0 + of->majority) * of->classes)}, {"auc", 0.5}, {"r2", 0.0}, {"mae", of->absolute},
                  {"loss", NAN}, {"rmse", of->deviation}, {"mse", of->deviation * of->deviation}, {"quality", 1.0 - of->deviation / of->range}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, metric) == 0)
            return values[i].value;
    return of->majority;
}

const char *dse_quality_chance_title(const char *metric)
{
    (void)dse_quality_is_negative(metric, &metric);
    return is_rank(metric) ? "random order" : "constant prediction";
}

bool dse_quality_is_chance(const char *figure, const char *metric)
{
    const size_t length = strlen(metric);
    return strncmp(figure, metric, length) == 0 && (strcmp(figure + length, "_constant") == 0 || strcmp(figure + length, "_random") == 0);
}

const char *dse_quality_title(const char *name)
{
    dse_quality_is_negative(name, &name);
    const struct known *of = find_known(name);
    return of != NULL && of->title != NULL ? of->title : name;
}

double dse_quality_plain(const char *name, double value)
{
    return dse_quality_is_negative(name, NULL) ? -value : value;
}

bool dse_quality_is_cost(const char *name)
{
    const struct known *of = find_known(name);
    return of != NULL && of->negative != NULL;
}

const char *dse_quality_gain(const char *name)
{
    const struct known *of = find_known(name);
    return of != NULL && of->negative != NULL ? of->negative : name;
}

#define NEGATIVE "neg_"

bool dse_quality_is_negative(const char *name, const char **of)
{
    bool is = strncmp(name, NEGATIVE, strlen(NEGATIVE)) == 0;
    if (is && of != NULL)
        *of = name + strlen(NEGATIVE);
    return is;
}

double dse_quality_error_from(const char *name)
{
    return name != NULL && dse_quality_is_negative(name, NULL) ? 0.0 : 1.0;
}

char *dse_quality_amount(const char *name, double mean, char *text, size_t size)
{
    const double plain = dse_quality_plain(name, mean);
    dse_quality_is_negative(name, &name);
    snprintf(text, size, "%s %.6g", name, plain);
    return text;
}

char *dse_quality_limit(const char *name, bool at_least, double bound, char *text, size_t size)
{
    bool negative = dse_quality_is_negative(name, &name);
    snprintf(text, size, "%s %s %.6g", name, at_least != negative ? ">=" : "<=", negative ? -bound : bound);
    return text;
}

const char *dse_quality_word(const char *word)
{
    return strcmp(word, "balanced_accuracy") == 0 || strcmp(word, "balanced-accuracy") == 0 ? "balanced" : word;
}

static enum dse_status check_range(const struct dse_quality *quality, struct dse_error *err)
{
    const struct known *of = find_known(quality->name);
    if (of == NULL || (quality->mean >= of->least && quality->mean <= of->most))
        return DSE_OK;
    return of->most < INFINITY ? dse_fail(err, DSE_BAD_USAGE, "%s=%g: must be from %g to %g", quality->name, quality->mean, of->least, of->most)
                               : dse_fail(err, DSE_BAD_USAGE, "%s=%g: must be at least %g", quality->name, quality->mean, of->least);
}

static enum dse_status check_quality(const struct dse_profile *profile, const struct dse_quality *quality,
                                     struct dse_error *err)
{
    if (!is_word(quality->name))
        return dse_fail(err, DSE_BAD_USAGE, "\"%s\" cannot be a quality's name: must be a word without white "
                        "space and \"=\"", quality->name != NULL ? quality->name : "");
    if (!isfinite(quality->mean) || !isfinite(quality->std) || quality->std < 0 || quality->n < 1)
        return dse_fail(err, DSE_BAD_USAGE, "quality %s: mean and deviation must be finite, the deviation 0 or more, "
                        "and n at least 1", quality->name);
    DSE_TRY(check_range(quality, err));
    bool finite = quality->validation_count <= DSE_VALIDATION_MAX && isfinite(quality->reported_mean) &&
                  isfinite(quality->reported_std) && quality->reported_std >= 0.0 && quality->reported_n >= 0;
    for (size_t i = 0; finite && i < quality->validation_count; i++)
        finite = isfinite(quality->validation[i]);
    if (!finite)
        return dse_fail(err, DSE_BAD_USAGE, "quality %s: at most %d validation values, and what is reported, must be finite", quality->name, DSE_VALIDATION_MAX);
    DSE_TRY(check_setting(&quality->setting, err));
    if (profile->quality_count == DSE_PROFILE_QUALITIES_MAX)
        return dse_fail(err, DSE_LIMIT, "more than %d qualities", DSE_PROFILE_QUALITIES_MAX);
    for (size_t i = 0; i < profile->quality_count; i++)
        if (settings_agree(&quality->setting, &profile->qualities[i].setting))
            return reject_ambiguous("quality", &quality->setting, &profile->qualities[i].setting, err);
    return DSE_OK;
}

bool dse_profile_unstratified(const struct dse_profile *profile)
{
    for (size_t i = 0; i < profile->quality_count; i++)
        if (profile->qualities[i].protocol != NULL && strncmp(profile->qualities[i].protocol, "random ", strlen("random ")) == 0)
            return true;
    return false;
}

const char *dse_profile_quality_name(const struct dse_profile *profile)
{
    return profile->quality_count > 0 ? profile->qualities[0].name : "quality";
}

const char *dse_profile_metric(const struct dse_profile *profile, const char *own)
{
    return profile->quality_count > 0 && strcmp(profile->qualities[0].name, own) != 0 ? profile->qualities[0].name : NULL;
}

enum dse_status dse_profile_add_quality(struct dse_profile *profile, const struct dse_quality *quality,
                                        struct dse_error *err)
{
    DSE_TRY(check_quality(profile, quality, err));
    struct dse_quality copy = *quality;
    dse_setting_copy(&quality->setting, &copy.setting);
    struct dse_strbuf name = {0};
    double sign = quality->higher_is_better ? 1.0 : -1.0;
    dse_strbuf_printf(&name, "%s%s", quality->higher_is_better ? "" : NEGATIVE, quality->name);
    copy.name = name.text;
    copy.higher_is_better = true;
    copy.mean *= sign;
    copy.reported_mean *= sign;
    copy.protocol = dse_strdup(quality->protocol != NULL ? quality->protocol : "");
    copy.validation = dse_calloc(quality->validation_count, sizeof *copy.validation);
    for (size_t i = 0; i < quality->validation_count; i++)
        copy.validation[i] = sign * quality->validation[i];
    struct dse_quality *room = dse_list_more(&profile->qualities, &profile->quality_count, sizeof *room);
    *room = copy;
    return DSE_OK;
}

const struct dse_series *dse_workload_series(const struct dse_workload *workload, const char *name)
{
    size_t place = series_place(workload, name);
    return stands_at(workload, place, name) ? &workload->series[place] : NULL;
}

const struct dse_workload *dse_profile_workload(const struct dse_profile *profile,
                                                const struct dse_setting *setting)
{
    for (size_t i = 0; i < profile->workload_count; i++)
        if (dse_setting_contains(setting, &profile->workloads[i].setting))
            return &profile->workloads[i];
    return NULL;
}

const struct dse_quality *dse_profile_quality(const struct dse_profile *profile,
                                              const struct dse_setting *setting)
{
    for (size_t i = 0; i < profile->quality_count; i++)
        if (dse_setting_contains(setting, &profile->qualities[i].setting))
            return &profile->qualities[i];
    return NULL;
}

enum dse_status dse_workload_put(struct dse_workload *workload, const struct dse_series_value *series, size_t count,
                                 struct dse_error *err)
{
    for (size_t i = 0; i < count; i++)
        DSE_TRY(dse_workload_add_series(workload, series[i].name, series[i].rows, series[i].columns, series[i].values, err));
    return DSE_OK;
}

enum dse_status dse_workload_put_all(struct dse_workload *workload, const struct dse_workload *from, struct dse_error *err)
{
    for (size_t i = 0; i < from->series_count; i++) {
        const struct dse_series *s = &from->series[i];
        DSE_TRY(dse_workload_add_series(workload, s->name, s->rows, s->columns, s->values, err));
    }
    return DSE_OK;
}

enum dse_status dse_workload_need(const struct dse_workload *workload, const char *name, size_t rows, size_t columns,
                                  const struct dse_series **out, struct dse_error *err)
{
    const struct dse_series *found = *out = dse_workload_series(workload, name);
    if (found == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "the workload has no series \"%s\"", name);
    if (found->rows == 0 || found->columns == 0 || (rows != 0 && found->rows != rows) || (columns != 0 && found->columns != columns))
        return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"%s\" is %zu × %zu, but must be %zu × %zu", name, found->rows,
                        found->columns, rows != 0 ? rows : found->rows, columns != 0 ? columns : found->columns);
    return DSE_OK;
}

enum dse_status dse_workload_read(const struct dse_workload *workload, const struct dse_series_whole *series, size_t count,
                                  void *out, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const struct dse_series *found;
        DSE_TRY(dse_workload_need(workload, series[i].name, 1, 1, &found, err));
        double value = found->values[0];
        if (!(value >= (double)series[i].least) || value > (double)series[i].most || value != floor(value))
            return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"%s\" is %g, but must be a whole number from %lld to %lld",
                            series[i].name, value, (long long)series[i].least, (long long)series[i].most);
        int64_t whole = (int64_t)value;
        memcpy((char *)out + series[i].at, &whole, sizeof whole);
    }
    return DSE_OK;
}

enum dse_status dse_workload_take(const struct dse_workload *workload, const struct dse_series_whole *series, size_t count,
                                  size_t bytes, void **out, struct dse_error *err)
{
    *out = dse_calloc(1, bytes);
    enum dse_status status = dse_workload_read(workload, series, count, *out, err);
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
