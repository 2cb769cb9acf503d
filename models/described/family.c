/* Converts a file to a family; holds the opened families. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/percentile.h"
#include "core/version.h"
#include "models/described/reading.h"

/* ---- the workload ---- */

/* Mean, 99th percentile and maximum of a series; all three equal a scalar. */
static void summarise(const struct dse_series *series, double out[DSE_CASE_COUNT + 1])
{
    size_t count = series->rows * series->columns;
    double sum = 0.0, *values DSE_CLEANUP(dse_free_at) = dse_malloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        sum += values[i] = series->values[i];
    out[DSE_CASE_MEAN] = count > 1 ? sum / (double)count : series->values[0];
    out[DSE_CASE_TAIL] = dse_percentile(values, count, 99);
    out[DSE_CASE_COUNT] = dse_percentile(values, count, 100);
}

static enum dse_status prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **out, struct dse_error *err)
{
    const struct dse_described *d = family->data;
    struct dse_described_work *work = dse_calloc(1, sizeof *work + (d->quantity_count + 1) * sizeof work->values[0]);
    static atomic_ullong serials;
    work->serial = atomic_fetch_add(&serials, 1) + 1;
    *out = NULL;
    for (size_t q = 0; q < d->quantity_count; q++) {
        const struct dse_quantity *quantity = &d->quantities[q];
        const struct dse_series *series = NULL;
        enum dse_status status = dse_workload_need(workload, quantity->series, 0, 0, &series, err);
        for (size_t i = 0; status == DSE_OK && i < series->rows * series->columns; i++)
            if (series->values[i] < quantity->least || series->values[i] > quantity->most)
                status = dse_fail(err, DSE_BAD_INPUT, "the series %s: %g must be from %g to %g", quantity->series, series->values[i], quantity->least, quantity->most);
        if (status != DSE_OK) {
            free(work);
            return status;
        }
        summarise(series, work->values[q]);
        work->varies |= work->values[q][DSE_CASE_TAIL] != work->values[q][DSE_CASE_MEAN];
    }
    *out = work;
    return DSE_OK;
}

/* Value that `--workload NAME=VALUE,…` gives a quantity; NaN if none. */
static enum dse_status given_value(const struct dse_quantity *q, const char *given, double *out, struct dse_error *err)
{
    size_t length = strlen(q->name);
    *out = NAN;
    for (const char *at = given; at != NULL && *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        char text[64];
        if (strncmp(at, q->name, length) != 0 || at[length] != '=')
            continue;
        if (!isnan(*out))
            return dse_fail(err, DSE_BAD_USAGE, "--workload %s: %s has two values", given, q->name);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(at + length + 1, ","), at + length + 1);
        if (dse_number_real(text, out) != DSE_NUMBER_READ || *out < q->least || *out > q->most)
            return dse_fail(err, DSE_BAD_USAGE, "--workload %s=%s: must be a number from %g to %g", q->name, text, q->least, q->most);
    }
    return DSE_OK;
}

/* Checks that every name in `--workload` is a quantity. */
static enum dse_status check_given(const struct dse_described *d, const char *given, struct dse_error *err)
{
    for (const char *at = given; at != NULL; at = at[strcspn(at, ",")] == ',' ? at + strcspn(at, ",") + 1 : NULL) {
        size_t length = strcspn(at, "=,");
        bool known = false;
        struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
        for (size_t q = 0; q < d->quantity_count; q++) {
            known |= strlen(d->quantities[q].name) == length && strncmp(d->quantities[q].name, at, length) == 0;
            dse_strbuf_printf(&names, "%s%s", q > 0 ? ", " : "", d->quantities[q].name);
        }
        if (!known || at[length] != '=')
            return dse_fail(err, DSE_BAD_USAGE, "--workload %s: must be NAME=VALUE, separated by commas; the names are %s", given, dse_strbuf_text(&names));
    }
    return DSE_OK;
}

/* Makes a profile of one workload: the given values, otherwise the file's. */
static enum dse_status make_profile(const struct dse_model_family *family, const char *given, struct dse_profile **out, struct dse_error *err)
{
    const struct dse_described *d = family->data;
    struct dse_workload *workload = NULL;
    const struct dse_setting everywhere = {0};
    *out = NULL;
    DSE_TRY(check_given(d, given, err));
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) =
        dse_profile_create(family->name, given != NULL ? given : "default-workload", d->hash, DSE_VERSION, "the workload of the family's file");
    DSE_TRY(dse_described_add_quality(d, profile, err));
    DSE_TRY(dse_profile_add_workload(profile, &everywhere, &workload, err));
    for (size_t q = 0; q < d->quantity_count; q++) {
        double value;
        DSE_TRY(given_value(&d->quantities[q], given, &value, err));
        value = isnan(value) ? d->quantities[q].fallback : value;
        if (isnan(value))
            return dse_fail(err, DSE_BAD_USAGE, "the workload's %s is not given: use --workload %s=VALUE, a default in %s, or --dataset", d->quantities[q].name,
                            d->quantities[q].name, family->file);
        DSE_TRY(dse_workload_add_series(workload, d->quantities[q].series, 1, 1, &value, err));
    }
    for (size_t k = 0; k < d->knobs.count; k++) {
        const struct dse_knob *knob = &d->knobs.knobs[k];
        char text[64];
        if (dse_knob_trains(knob))
            dse_setting_put(&profile->preset, knob->name, dse_knob_format(knob, knob->fallback, text, sizeof text));
    }
    *out = profile;
    profile = NULL;
    return DSE_OK;
}

/* ---- the job ---- */

static int64_t number_of(const struct dse_described *d, const struct dse_code *code, const struct dse_config *config)
{
    double slots[DSE_KNOB_MAX], value = 1.0;
    for (size_t k = 0; k < d->knobs.count; k++)
        slots[k] = dse_slot_of_knob(&d->knobs.knobs[k], config->value[k]);
    struct dse_error ignored; /* checked when the file was read */
    return dse_code_evaluate(code, slots, &value, &ignored) == DSE_OK && value >= 1.0 ? dse_count(value) : 1;
}

static int64_t items(const struct dse_model_family *family, const struct dse_config *config)
{
    const struct dse_described *d = family->data;
    return number_of(d, d->items, config);
}

static int64_t parts(const struct dse_model_family *family, const struct dse_config *config)
{
    const struct dse_described *d = family->data;
    return number_of(d, d->parts, config);
}

/* ---- the file ---- */

enum dse_status dse_described_board(const struct dse_model_family *family, struct dse_board **out, struct dse_error *err)
{
    const struct dse_described *d = dse_described_of(family);
    struct dse_error why = {0};
    enum dse_status status = dse_board_open(family->board, out, &why);
    if (status == DSE_OK)
        return DSE_OK;
    if (d == NULL)
        return dse_fail(err, status, "%s", why.message);
    struct dse_describing at = {.path = family->file, .err = err};
    return dse_describing_reject(&at, dse_yaml_member(&d->root, "board"), "%s", why.message);
}

static enum dse_status read_head(struct dse_describing *d)
{
    static const char *const keys[] = {"accelerator", "name", "title", "board", "profiles", "sources", "constants", "workload", "knobs", "stages", "engines", "let",
                                       "blocks", "constraints", "items", "job_parts", "quality", "emit", "published", "errors", NULL};
    const char *version, *names[16] = {NULL};
    struct dse_model_family *family = &d->out->family;
    size_t shipped = 0;
    int profiles;
    for (; dse_model_registry[shipped] != NULL && shipped < 15; shipped++)
        names[shipped] = dse_model_registry[shipped]->name;
    DSE_TRY(dse_describing_map(d, &d->out->root, "an accelerator", keys));
    DSE_TRY(dse_describing_text(d, &d->out->root, "accelerator", true, &version));
    if (strcmp(version, "1") != 0)
        return dse_describing_reject(d, dse_yaml_member(&d->out->root, "accelerator"), "must be 1, the version of the language");
    DSE_TRY(dse_describing_text(d, &d->out->root, "name", true, &family->name));
    DSE_TRY(dse_describing_text(d, &d->out->root, "title", false, &family->title));
    DSE_TRY(dse_describing_text(d, &d->out->root, "board", true, &family->board));
    if (family->name[strspn(family->name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0' || strchr("0123456789_", family->name[0]) != NULL || strlen(family->name) > 40)
        return dse_describing_reject(d, dse_yaml_member(&d->out->root, "name"), "must be small letters, digits and _, at most 40, beginning with a letter");
    for (size_t i = 0; i < shipped; i++)
        if (strcmp(names[i], family->name) == 0)
            return dse_describing_reject(d, dse_yaml_member(&d->out->root, "name"), "is the name of a shipped family");
    DSE_TRY(dse_describing_word(d, &d->out->root, "profiles", false, names, &profiles));
    family->profiles = profiles >= 0 ? names[profiles] : NULL;
    family->title = family->title != NULL ? family->title : family->name;
    return DSE_OK;
}

static enum dse_status read_all(struct dse_describing *d)
{
    struct dse_model_family *family = &d->out->family;
    DSE_TRY(read_head(d));
    DSE_TRY(dse_describing_knobs(d));
    DSE_TRY(dse_describing_names(d));
    DSE_TRY(dse_describing_blocks(d));
    DSE_TRY(dse_describing_go_on(d, dse_describing_quality(d)));
    DSE_TRY(dse_describing_go_on(d, dse_describing_published(d)));
    DSE_TRY(dse_describing_go_on(d, dse_describing_errors(d)));
    DSE_TRY(dse_describing_go_on(d, dse_describing_emit(d)));
    DSE_TRY(dse_describing_settle(d)); /* the following sections use the results of these */
    DSE_TRY(dse_describing_unused(d));
    family->items = d->out->items != NULL ? items : NULL;
    family->parts = d->out->parts != NULL ? parts : NULL;
    family->prepare = prepare;
    family->locate = dse_described_locate;
    family->release = free;
    family->own_profile = make_profile;
    return dse_model_check(family, d->err);
}

static enum dse_status describe(const char *path, const char *text, struct dse_described *out, struct dse_strbuf *problems, struct dse_error *err)
{
    struct dse_describing d = {.path = path, .out = out, .arena = &out->arena, .err = err, .problems = problems};
    out->hash = XXH3_64bits(text, strlen(text));
    out->family.file = dse_arena_strdup(&out->arena, path);
    out->family.content = dse_arena_strdup(&out->arena, text);
    out->family.data = out;
    enum dse_status status = dse_yaml_parse(out->family.file, text, strlen(text), &out->root, &out->arena, err);
    if (status == DSE_OK)
        status = read_all(&d);
    (void)dse_describing_go_on(&d, status);
    if (d.problem_count > 0) {
        size_t used = strlen(d.first.message);
        *err = d.first;
        if (d.problem_count > 1)
            snprintf(err->message + used, sizeof err->message - used, "\n  and %zu more error%s", d.problem_count - 1, d.problem_count > 2 ? "s" : "");
    }
    free(d.symbols);
    free(d.used);
    free(d.engines.names);
    return status;
}

/* ---- opened families ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dse_described **opened; /* opened_count; kept until the program ends, because families are never released */
static size_t opened_count;
static uint64_t trips;

static struct dse_described *known(const char *path, const char *text)
{
    uint64_t hash = XXH3_64bits(text, strlen(text));
    for (size_t i = 0; i < opened_count; i++)
        if (opened[i]->hash == hash && strcmp(opened[i]->family.file, path) == 0 && strcmp(opened[i]->family.content, text) == 0)
            return opened[i];
    return NULL;
}

static void release(struct dse_described *described)
{
    dse_yaml_free(&described->root);
    dse_arena_free(&described->arena);
    free(described);
}

void dse_described_close(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < opened_count; i++)
        release(opened[i]);
    free(opened);
    opened = NULL;
    opened_count = 0;
    pthread_mutex_unlock(&lock);
}

static enum dse_status open_locked(const char *path, const char *text, const struct dse_model_family **out, struct dse_strbuf *problems,
                                   struct dse_error *err)
{
    struct dse_described *there = known(path, text);
    if (there == NULL) {
        struct dse_described *made = dse_calloc(1, sizeof *made);
        enum dse_status status = describe(path, text, made, problems, err);
        if (status != DSE_OK) {
            release(made);
            return status;
        }
        *(struct dse_described **)dse_list_more(&opened, &opened_count, sizeof *opened) = made;
        there = made;
    }
    there->turn = ++trips;
    *out = &there->family;
    return DSE_OK;
}

static enum dse_status read_text(const char *path, const char *text, const struct dse_model_family **out, struct dse_strbuf *problems,
                                 struct dse_error *err)
{
    *out = NULL;
    pthread_mutex_lock(&lock);
    enum dse_status status = open_locked(path, text, out, problems, err);
    pthread_mutex_unlock(&lock);
    return status;
}

enum dse_status dse_described_read(const char *path, const char *text, const struct dse_model_family **out, struct dse_error *err)
{
    return read_text(path, text, out, NULL, err);
}

enum dse_status dse_described_check(const char *path, const struct dse_model_family **out, struct dse_strbuf *problems, struct dse_error *err)
{
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    *out = NULL;
    DSE_TRY(dse_file_read(path, DSE_DESCRIBED_BYTES, &text, &size, err));
    if (strlen(text) != size)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds a NUL character", path);
    return read_text(path, text, out, problems, err);
}

enum dse_status dse_described_open(const char *path, const struct dse_model_family **out, struct dse_error *err)
{
    return dse_described_check(path, out, NULL, err);
}

const struct dse_model_family *dse_described_latest(const char *path)
{
    const struct dse_described *latest = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < opened_count; i++)
        if (strcmp(opened[i]->family.file, path) == 0 && (latest == NULL || opened[i]->turn > latest->turn))
            latest = opened[i];
    pthread_mutex_unlock(&lock);
    return latest != NULL ? &latest->family : NULL;
}

const struct dse_described *dse_described_of(const struct dse_model_family *family)
{
    return family->content != NULL ? family->data : NULL;
}
