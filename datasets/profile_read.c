#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/xml.h"
#include "datasets/profile.h"
#include "datasets/scan.h"

#define PROFILE_BYTES_MAX ((size_t)64 << 20)
#define PROFILE_SCHEMA "nysx-dse.profile/1"

static const char *const nothing[] = {NULL};

/* Shared by the functions below. */
struct reader {
    struct dse_xml *doc;
    struct dse_profile *profile;
};

/* A rejection of profile.c becomes a problem of this element. */
static void as_problem(struct reader *reader, dse_xml_node node, enum dse_status status, const struct dse_error *why)
{
    if (status != DSE_OK)
        dse_xml_problem(reader->doc, node, NULL, "%s", why->message);
}

/* "name=value" into the setting. */
static void put_pair(struct reader *reader, dse_xml_node node, char *pair, struct dse_setting *setting)
{
    char *equals = strchr(pair, '=');
    if (equals == NULL || equals == pair || equals[1] == '\0' || strchr(equals + 1, '=') != NULL) {
        dse_xml_problem(reader->doc, node, NULL, "\"%.60s\": must be name=value", pair);
        return;
    }
    *equals = '\0';
    if (dse_setting_get(setting, pair) != NULL)
        dse_xml_problem(reader->doc, node, NULL, "\"%.60s\" has two values", pair);
    else
        dse_setting_put(setting, pair, equals + 1);
}

/* "name=value name=value …", the text of `node`. */
static void read_setting(struct reader *reader, dse_xml_node node, struct dse_setting *setting)
{
    dse_xml_allow(reader->doc, node, nothing, nothing);
    char *words DSE_CLEANUP(dse_free_at) = dse_strdup(dse_xml_content(reader->doc, node)), *rest = NULL;
    for (char *word = strtok_r(words, " \t\r\n", &rest); word != NULL; word = strtok_r(NULL, " \t\r\n", &rest))
        put_pair(reader, node, word, setting);
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The numbers of a series' text; false, with a problem, if they are not `count` finite numbers. */
static bool parse_values(struct reader *reader, dse_xml_node node, const char *content, double *values, size_t count)
{
    struct dse_text text = {.data = (char *)(uintptr_t)content, .size = strlen(content)};
    struct dse_scan scan = dse_scan_begin(&text);
    for (size_t i = 0;; i++) {
        scan.at = skip_space(scan.at);
        if (*scan.at == '\0' && i == count)
            return true;
        size_t length = strcspn(scan.at, " \t\r\n");
        const char *end = scan.at + length;
        if (*scan.at == '\0')
            dse_xml_problem(reader->doc, node, NULL, "holds %zu numbers: must be rows × columns = %zu", i, count);
        else if (i == count)
            dse_xml_problem(reader->doc, node, NULL, "holds more than rows × columns = %zu numbers", count);
        else if (!dse_scan_real(&scan, &values[i]) || scan.at != end)
            dse_xml_problem(reader->doc, node, NULL, "number %zu, \"%.*s\": must be a finite decimal number", i + 1,
                            length < 40 ? (int)length : 40, end - length);
        else
            continue;
        return false;
    }
}

static void read_series(struct reader *reader, dse_xml_node node, struct dse_workload *workload)
{
    static const char *const attributes[] = {"name", "rows", "columns", NULL};
    dse_xml_allow(reader->doc, node, attributes, nothing);
    size_t before = dse_xml_problem_count(reader->doc);
    const char *name = dse_xml_need_text(reader->doc, node, "name");
    int64_t rows = dse_xml_int(reader->doc, node, "rows", 0, DSE_SERIES_VALUES_MAX);
    int64_t columns = dse_xml_int(reader->doc, node, "columns", 1, DSE_SERIES_VALUES_MAX);
    if (rows > DSE_SERIES_VALUES_MAX / columns)
        dse_xml_problem(reader->doc, node, NULL, "rows × columns must be at most %d", DSE_SERIES_VALUES_MAX);
    if (name == NULL || dse_xml_problem_count(reader->doc) > before)
        return;
    size_t count = (size_t)(rows * columns);
    double *values DSE_CLEANUP(dse_free_at) = dse_malloc(count * sizeof *values);
    struct dse_error why;
    if (parse_values(reader, node, dse_xml_content(reader->doc, node), values, count))
        as_problem(reader, node, dse_workload_add_series(workload, name, (size_t)rows, (size_t)columns, values, &why), &why);
}

static void read_workload(struct reader *reader, dse_xml_node node)
{
    static const char *const children[] = {"setting", "series", NULL};
    struct dse_workload workload = {0};
    struct dse_error why;
    dse_xml_allow(reader->doc, node, nothing, children);
    read_setting(reader, dse_xml_one(reader->doc, node, "setting"), &workload.setting);
    for (dse_xml_node s = dse_xml_first(node, "series"); s != NULL; s = dse_xml_next(s, "series"))
        read_series(reader, s, &workload);
    as_problem(reader, node, dse_profile_take_workload(reader->profile, &workload, &why), &why);
}

/* The scores by which a setting was chosen; returns how many. */
static size_t read_validation(struct reader *reader, dse_xml_node node, double values[DSE_VALIDATION_MAX])
{
    const char *content = dse_xml_text(reader->doc, node, "validation");
    struct dse_text text = {.data = (char *)(uintptr_t)content, .size = content != NULL ? strlen(content) : 0};
    struct dse_scan scan = dse_scan_begin(&text);
    size_t count = 0;
    if (content == NULL)
        return 0;
    for (scan.at = skip_space(scan.at); *scan.at != '\0'; scan.at = skip_space(scan.at)) {
        const char *end = scan.at + strcspn(scan.at, " \t\r\n");
        if (count == DSE_VALIDATION_MAX || !dse_scan_real(&scan, &values[count]) || scan.at != end) {
            dse_xml_problem(reader->doc, node, "validation", "number %zu: must be one of at most %d finite decimal numbers", count + 1,
                            DSE_VALIDATION_MAX);
            return 0;
        }
        count++;
    }
    return count;
}

static void read_quality(struct reader *reader, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "better", "mean", "std", "n", "protocol", "reported_mean", "reported_std", "reported_n", "validation", NULL};
    static const char *const children[] = {"setting", NULL};
    static const char *const better[] = {"higher", "lower", NULL};
    double validation[DSE_VALIDATION_MAX];
    struct dse_xml *doc = reader->doc;
    struct dse_error why;
    dse_xml_allow(doc, node, attributes, children);
    size_t before = dse_xml_problem_count(doc);
    struct dse_quality quality = {
        .name = (char *)(uintptr_t)dse_xml_need_text(doc, node, "name"),
        .higher_is_better = dse_xml_choice(doc, node, "better", better) == 0,
        .mean = dse_xml_real(doc, node, "mean", -HUGE_VAL, HUGE_VAL),
        .std = dse_xml_real(doc, node, "std", 0, HUGE_VAL),
        .n = dse_xml_int(doc, node, "n", 1, INT64_MAX),
        .protocol = (char *)(uintptr_t)dse_xml_text(doc, node, "protocol"),
        .validation = validation,
        .validation_count = read_validation(reader, node, validation),
    };
    if (dse_xml_text(doc, node, "reported_n") != NULL) {
        quality.reported_mean = dse_xml_real(doc, node, "reported_mean", -HUGE_VAL, HUGE_VAL);
        quality.reported_std = dse_xml_real(doc, node, "reported_std", 0, HUGE_VAL);
        quality.reported_n = dse_xml_int(doc, node, "reported_n", 1, INT64_MAX);
    }
    read_setting(reader, dse_xml_one(doc, node, "setting"), &quality.setting);
    if (dse_xml_problem_count(doc) == before)
        as_problem(reader, node, dse_profile_add_quality(reader->profile, &quality, &why), &why);
    dse_setting_free(&quality.setting);
}

static void read_facts(struct reader *reader, dse_xml_node facts)
{
    static const char *const attributes[] = {"name", "value", NULL};
    static const char *const children[] = {"fact", NULL};
    dse_xml_allow(reader->doc, facts, nothing, children);
    for (dse_xml_node f = dse_xml_first(facts, "fact"); f != NULL; f = dse_xml_next(f, "fact")) {
        dse_xml_allow(reader->doc, f, attributes, nothing);
        const char *name = dse_xml_need_text(reader->doc, f, "name");
        const char *value = dse_xml_need_text(reader->doc, f, "value");
        if (name == NULL || value == NULL)
            continue;
        if (dse_setting_get(&reader->profile->facts, name) != NULL)
            dse_xml_problem(reader->doc, f, "name", "occurs twice");
        else
            dse_setting_put(&reader->profile->facts, name, value);
    }
}

/* 16 hexadecimal digits. */
static uint64_t read_hash(struct reader *reader, dse_xml_node root)
{
    const char *text = dse_xml_need_text(reader->doc, root, "hash");
    if (text == NULL)
        return 0;
    if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
        return strtoull(text, NULL, 16);
    dse_xml_problem(reader->doc, root, "hash", "must be 16 digits of 0 to 9 and a to f");
    return 0;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void read_head(struct reader *reader, dse_xml_node root)
{
    static const char *const attributes[] = {"schema", "family", "dataset", "hash", "tool-version", NULL};
    static const char *const children[] = {"command", "facts", "preset", "workload", "quality", NULL};
    static const char *const schemas[] = {PROFILE_SCHEMA, NULL};
    struct dse_xml *doc = reader->doc;
    struct dse_error why;
    dse_xml_allow(doc, root, attributes, children);
    dse_xml_choice(doc, root, "schema", schemas);
    const char *family = or_empty(dse_xml_need_text(doc, root, "family"));
    const char *dataset = or_empty(dse_xml_need_text(doc, root, "dataset"));
    const char *version = or_empty(dse_xml_need_text(doc, root, "tool-version"));
    dse_xml_node command = dse_xml_one(doc, root, "command");
    dse_xml_allow(doc, command, nothing, nothing);
    reader->profile = dse_profile_create(family, dataset, read_hash(reader, root), version,
                                         dse_xml_content(doc, command));
    read_facts(reader, dse_xml_one(doc, root, "facts"));
    dse_xml_node preset = dse_xml_one(doc, root, "preset");
    read_setting(reader, preset, &reader->profile->preset);
    as_problem(reader, preset, dse_profile_check(reader->profile, &why), &why);
}

static enum dse_status read_document(struct dse_xml *doc, struct dse_profile **out, struct dse_error *err)
{
    struct reader reader = {.doc = doc};
    dse_xml_node root = dse_xml_root(doc, "profile");
    if (root != NULL)
        read_head(&reader, root);
    for (dse_xml_node w = dse_xml_first(root, "workload"); w != NULL; w = dse_xml_next(w, "workload"))
        read_workload(&reader, w);
    for (dse_xml_node q = dse_xml_first(root, "quality"); q != NULL; q = dse_xml_next(q, "quality"))
        read_quality(&reader, q);
    enum dse_status status = dse_xml_verdict(doc, err);
    if (status == DSE_OK)
        *out = reader.profile;
    else
        dse_profile_free(reader.profile);
    return status;
}

enum dse_status dse_profile_read(const char *path, struct dse_profile **out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = NULL;
    DSE_TRY(dse_xml_read_file(path, PROFILE_BYTES_MAX, &doc, err));
    return read_document(doc, out, err);
}

enum dse_status dse_profile_parse(const char *data, size_t size, const char *name, struct dse_profile **out,
                                  struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = NULL;
    DSE_TRY(dse_xml_read_memory(data, size, name, &doc, err));
    return read_document(doc, out, err);
}
