/* Accuracies that authors published against training runs on their split (models/NAME/accuracy.xml). */
#include <math.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/xml.h"
#include "executor/measure.h"
#include "validation/validation.h"

#define FILE_BYTES_MAX (1 << 20)
#define TRIALS_MAX 1000

/* A method: its training, and its authors' measurements. */
struct method {
    const struct dse_validation_ground *g;
    const char *name, *preset, *set, *source;
    uint32_t split_seed;
    size_t trials, splits; /* trial i is on the split of split_seed + i mod splits */
    double mean, std; /* published for this data set; NaN: nothing is */
};

/* "name=value name=value" over a setting. */
static enum dse_status put_words(const struct dse_knobs *knobs, const char *words, struct dse_setting *out, struct dse_error *err)
{
    char *copy DSE_CLEANUP(dse_free_at) = dse_strdup(words), *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL)
            return dse_fail(err, DSE_BAD_INPUT, "set=\"%s\": %s: must be KNOB=VALUE", words, word);
        *equals = '\0';
        DSE_TRY(dse_knobs_put(knobs, word, equals + 1, out, err));
    }
    return DSE_OK;
}

static enum dse_status try_once(const struct method *m, const struct dse_dataset *data, size_t trial, struct dse_training *out, struct dse_error *err)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_split split DSE_CLEANUP(dse_split_free) = {0};
    struct dse_model *model DSE_CLEANUP(dse_model_free_at) = NULL;
    const struct dse_run run = {.seed = m->g->seed + trial, .jobs = m->g->jobs, .monitor = m->g->monitor, .given = &split};
    DSE_TRY(dse_split_sklearn(dse_dataset_items(data), data->kind->items, m->split_seed + (uint32_t)(trial % m->splits), &split, err));
    DSE_TRY(dse_executor_preset(m->g->executor, m->preset, data, split.n_train, &setting, err));
    DSE_TRY(put_words(m->g->executor->knobs, m->set, &setting, err));
    return dse_train(m->g->executor, data, &setting, &run, &model, out, err);
}

static enum dse_status train(const struct method *m, const struct dse_dataset *data, struct dse_measured *out, struct dse_error *err)
{
    struct dse_training *runs DSE_CLEANUP(dse_free_at) = dse_calloc(m->trials, sizeof *runs);
    for (size_t i = 0; i < m->trials; i++)
        DSE_TRY(try_once(m, data, i, &runs[i], err));
    dse_measured_summarise(m->g->executor, runs, m->trials, out);
    return DSE_OK;
}

static void add_row(const struct method *m, const char *called, const struct dse_measured *found, struct dse_validation *out)
{
    char note[240];
    double error = found->std / sqrt((double)found->n);
    struct dse_validation_row row = dse_validation_row_empty;
    int length = snprintf(note, sizeof note, "standard error %.4f, n = %zu", error, found->n);
    if (m->splits > 1)
        length += snprintf(note + length, sizeof note - (size_t)length, " over %zu splits", m->splits);
    for (size_t f = 0; f < found->figure_count; f++)
        if (strcmp(found->figures[f].name, "majority") == 0)
            length += snprintf(note + length, sizeof note - (size_t)length, "; constant prediction %.4f", found->figures[f].value);
    if (!isnan(m->mean))
        snprintf(note + length, sizeof note - (size_t)length, "; published standard deviation %.4g, the difference is %+.2f of it", m->std,
                 (found->mean - m->mean) / m->std);
    row.what = m->name;
    row.where = called;
    row.profile = called;
    row.config = m->set;
    row.source = isnan(m->mean) ? "nothing is published for this set" : m->source;
    row.predicted = found->mean;
    row.low = found->mean - 2 * error;
    row.high = found->mean + 2 * error;
    row.reference = m->mean;
    row.note = note;
    dse_validation_add(out, &row);
}

/* The method's published figure of a data set; NaN if there is none. */
static void find_published(struct dse_xml *doc, dse_xml_node node, const char *dataset, struct method *m)
{
    m->mean = m->std = NAN;
    for (dse_xml_node on = dse_xml_first(node, "on"); on != NULL; on = dse_xml_next(on, "on")) {
        const char *name = dse_xml_need_text(doc, on, "dataset");
        if (name == NULL || strcmp(name, dataset) != 0)
            continue;
        m->mean = dse_xml_real(doc, on, "mean", 0.0, 1.0);
        m->std = dse_xml_real(doc, on, "std", 0.0, 1.0);
    }
}

/* A published figure without a training run. */
static void add_published(const struct method *m, const char *called, struct dse_validation *out)
{
    struct dse_validation_row row = dse_validation_row_empty;
    if (isnan(m->mean))
        return;
    row.what = m->name;
    row.where = row.profile = called;
    row.config = m->set;
    row.source = m->source;
    row.reference = m->mean;
    row.note = "as published; not trained here";
    dse_validation_add(out, &row);
}

static enum dse_status make_method(const struct dse_validation_ground *g, const struct dse_dataset *data, const char *called,
                                   struct dse_xml *doc, dse_xml_node node, struct dse_validation *out, struct dse_error *err)
{
    static const char *const attributes[] = {"name", "preset", "set", "split_seed", "splits", "trials", "ranked", "source", NULL}, *const children[] = {"on", NULL};
    struct dse_measured found;
    struct method m = {.g = g, .name = dse_xml_need_text(doc, node, "name"), .preset = dse_xml_has(node, "preset") ? dse_xml_need_text(doc, node, "preset") : NULL,
                       .set = dse_xml_need_text(doc, node, "set"), .source = dse_xml_need_text(doc, node, "source"),
                       .split_seed = (uint32_t)dse_xml_int(doc, node, "split_seed", 0, UINT32_MAX),
                       .trials = (size_t)dse_xml_int(doc, node, "trials", 2, TRIALS_MAX),
                       .splits = dse_xml_has(node, "splits") ? (size_t)dse_xml_int(doc, node, "splits", 1, TRIALS_MAX) : 1};
    dse_xml_allow(doc, node, attributes, children);
    find_published(doc, node, called, &m);
    DSE_TRY(dse_xml_verdict(doc, err));
    if (m.preset == NULL) {
        add_published(&m, called, out);
        return DSE_OK;
    }
    DSE_TRY(train(&m, data, &found, err));
    add_row(&m, called, &found, out);
    return DSE_OK;
}

/* All methods on one data set. */
static enum dse_status make_set(const struct dse_validation_ground *g, const char *name, struct dse_xml *doc, struct dse_validation *out,
                                struct dse_error *err)
{
    for (dse_xml_node node = dse_xml_first(dse_xml_root(doc, "accuracy"), "method"); node != NULL; node = dse_xml_next(node, "method")) {
        struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
        DSE_TRY(dse_dataset_open(name, g->request->data_dir, &data, err));
        char *called DSE_CLEANUP(dse_free_at) = dse_strdup(data->name);
        if (dse_xml_has(node, "ranked") && data->kind->rank_edges != NULL)
            data->kind->rank_edges(data);
        DSE_TRY(make_method(g, data, called, doc, node, out, err));
    }
    return DSE_OK;
}

static enum dse_status open_file(const char *family, struct dse_xml **doc, struct dse_error *err)
{
    char path[128], *there DSE_CLEANUP(dse_free_at) = NULL;
    struct dse_error none;
    snprintf(path, sizeof path, "published/%s-accuracy.xml", family);
    if (dse_share_find(path, &there, &none) != DSE_OK)
        return dse_fail(err, DSE_BAD_USAGE, "--against accuracy: no published accuracies of the family %s are stored", family);
    return dse_xml_read_shared(path, FILE_BYTES_MAX, doc, err);
}

/* The publication's own method has no preset: it is not trained here. */
double dse_accuracy_published(const char *family, const char *dataset)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    struct method m = {.mean = NAN};
    if (open_file(family, &doc, NULL) != DSE_OK)
        return NAN;
    for (dse_xml_node node = dse_xml_first(dse_xml_root(doc, "accuracy"), "method"); node != NULL; node = dse_xml_next(node, "method"))
        if (!dse_xml_has(node, "preset"))
            find_published(doc, node, dataset, &m);
    return m.mean;
}

enum dse_status dse_validate_accuracy(const struct dse_validation_ground *g, size_t count, struct dse_validation *out, struct dse_error *err)
{
    (void)count; /* draws nothing */
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    DSE_TRY(open_file(g->family->name, &doc, err));
    for (size_t i = 0; i < g->request->dataset_count; i++)
        DSE_TRY(make_set(g, g->request->datasets[i], doc, out, err));
    if (g->request->dataset_count > 0)
        return DSE_OK;
    dse_xml_node first = dse_xml_first(dse_xml_root(doc, "accuracy"), "method");
    for (dse_xml_node on = dse_xml_first(first, "on"); on != NULL; on = dse_xml_next(on, "on"))
        DSE_TRY(make_set(g, dse_xml_need_text(doc, on, "dataset"), doc, out, err));
    return DSE_OK;
}
