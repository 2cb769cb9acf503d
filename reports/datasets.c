#include "reports/datasets.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/units.h"
#include "reports/json.h"
#include "reports/spread.h"
#include "reports/table.h"

/* Facts shown in a list, if a profile has them. */
static const struct {
    const char *fact, *title;
} columns[] = {
    {"graphs", "graphs"},      {"classes", "classes"},         {"nodes", "nodes"},
    {"edges", "edges"},        {"node_labels", "labels"},      {"node_attributes", "attrs"},
    {"nodes_max", "largest"},
};
#define COLUMN_COUNT (sizeof columns / sizeof *columns)

static const struct dse_quality *preset_quality(const struct dse_profile *profile)
{
    return dse_profile_quality(profile, &profile->preset);
}

/* Parameters in which a setting differs from the preset: "landmarks=50", or "preset". */
static void add_difference(struct dse_strbuf *out, const struct dse_setting *setting, const struct dse_setting *preset)
{
    size_t written = 0;
    for (size_t i = 0; i < setting->count; i++) {
        const char *usual = dse_setting_get(preset, setting->pairs[i].name);
        if (usual != NULL && strcmp(usual, setting->pairs[i].value) == 0)
            continue;
        dse_strbuf_printf(out, "%s%s=%s", written++ > 0 ? " " : "", setting->pairs[i].name, setting->pairs[i].value);
    }
    if (written == 0)
        dse_strbuf_add(out, "preset");
}

struct summary {
    double mean, minimum, maximum;
};

static struct summary summarise(const struct dse_series *series)
{
    size_t count = series->rows * series->columns;
    struct summary summary = {0, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        summary.mean += series->values[i] / (double)count;
        summary.minimum = fmin(summary.minimum, series->values[i]);
        summary.maximum = fmax(summary.maximum, series->values[i]);
    }
    return summary;
}

/* ---- JSON ---- */

/* A JSON number if the text is one. */
static json_t *value_json(const char *text)
{
    char *end;
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (*end == '\0' && end != text && errno == 0)
        return json_integer(whole);
    double real = strtod(text, &end);
    if (*end == '\0' && end != text && isfinite(real))
        return json_real(real);
    return json_string(text);
}

static json_t *setting_json(const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++)
        json_object_set_new(object, setting->pairs[i].name, value_json(setting->pairs[i].value));
    return object;
}

static json_t *quality_json(const struct dse_quality *quality)
{
    if (quality == NULL)
        return json_null();
    return json_pack("{s:s, s:s, s:f, s:f, s:I, s:s}", "name", quality->name, "better",
                     quality->higher_is_better ? "higher" : "lower", "mean", quality->mean, "std", quality->std, "n",
                     (json_int_t)quality->n, "protocol", quality->protocol);
}

static json_t *entry_json(const struct dse_profile *profile)
{
    return json_pack("{s:s, s:s?, s:o, s:o, s:o, s:o, s:I, s:I}", "name", profile->dataset, "family",
                     *profile->family != '\0' ? profile->family : NULL,
                     "hash", dse_json_hash(profile->dataset_hash), "facts", setting_json(&profile->facts), "preset", setting_json(&profile->preset),
                     "quality", quality_json(preset_quality(profile)), "workload_count",
                     (json_int_t)profile->workload_count, "quality_count", (json_int_t)profile->quality_count);
}

static json_t *series_json(const struct dse_series *series)
{
    json_t *object = json_pack("{s:s, s:I, s:I}", "name", series->name, "rows", (json_int_t)series->rows, "columns",
                               (json_int_t)series->columns);
    struct summary summary = summarise(series);
    dse_json_put_number(object, "mean", series->rows * series->columns > 0 ? summary.mean : NAN);
    dse_json_put_number(object, "min", summary.minimum);
    dse_json_put_number(object, "max", summary.maximum);
    return object;
}

static json_t *workload_json(const struct dse_workload *workload)
{
    json_t *array = json_array();
    for (size_t i = 0; i < workload->series_count; i++)
        json_array_append_new(array, series_json(&workload->series[i]));
    return json_pack("{s:o, s:o}", "setting", setting_json(&workload->setting), "series", array);
}

static json_t *profile_json(const struct dse_profile *profile)
{
    json_t *object = json_pack("{s:s}", "schema", "nysx-dse.dataset/1"), *entry = entry_json(profile);
    json_t *measured = json_array(), *workloads = json_array();
    for (size_t i = 0; i < profile->quality_count; i++)
        json_array_append_new(measured,
                              json_pack("{s:o, s:o}", "setting", setting_json(&profile->qualities[i].setting),
                                        "quality", quality_json(&profile->qualities[i])));
    for (size_t i = 0; i < profile->workload_count; i++)
        json_array_append_new(workloads, workload_json(&profile->workloads[i]));
    json_object_update_new(object, entry);
    json_object_update_new(object, json_pack("{s:o, s:o, s:s, s:s}", "measured", measured, "workloads", workloads, "command", profile->command,
                                             "tool_version", profile->tool_version));
    return object;
}

static void add_profiles_json(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                              json_t *(*form)(const struct dse_profile *))
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, form(profiles[i]));
    dse_json_add(out, json_pack("{s:s, s:o}", "schema", "nysx-dse.datasets/1", "datasets", array));
}

/* ---- CSV ---- */

static void add_text_field(struct dse_strbuf *out, const char *text)
{
    dse_strbuf_add(out, ",");
    dse_csv_field(out, text != NULL ? text : "");
}

static void add_quality_fields(struct dse_strbuf *out, const struct dse_quality *quality)
{
    add_text_field(out, quality->name);
    dse_strbuf_printf(out, ",%.17g,%.17g,%lld\n", quality->mean, quality->std, (long long)quality->n);
}

static void list_csv(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count)
{
    dse_strbuf_add(out, "name,family");
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        dse_strbuf_printf(out, ",%s", columns[c].fact);
    dse_strbuf_add(out, ",quality,mean,std,n\n");
    for (size_t i = 0; i < count; i++) {
        dse_csv_field(out, profiles[i]->dataset);
        add_text_field(out, profiles[i]->family);
        for (size_t c = 0; c < COLUMN_COUNT; c++)
            add_text_field(out, dse_setting_get(&profiles[i]->facts, columns[c].fact));
        if (preset_quality(profiles[i]) != NULL)
            add_quality_fields(out, preset_quality(profiles[i]));
        else
            dse_strbuf_add(out, ",,,,\n");
    }
}

static void show_csv(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count)
{
    dse_strbuf_add(out, "name,family,setting,quality,mean,std,n\n");
    for (size_t i = 0; i < count; i++)
        for (size_t q = 0; q < profiles[i]->quality_count; q++) {
            const struct dse_quality *quality = &profiles[i]->qualities[q];
            struct dse_strbuf setting DSE_CLEANUP(dse_strbuf_free) = {0};
            for (size_t s = 0; s < quality->setting.count; s++)
                dse_strbuf_printf(&setting, "%s%s=%s", s > 0 ? " " : "", quality->setting.pairs[s].name, quality->setting.pairs[s].value);
            dse_csv_field(out, profiles[i]->dataset);
            add_text_field(out, profiles[i]->family);
            add_text_field(out, dse_strbuf_text(&setting));
            add_quality_fields(out, quality);
        }
}

/* ---- tables ---- */

/* A count with separators; other texts unchanged. */
static void add_cell(struct dse_table *table, const char *text)
{
    char count[32], *end;
    long long whole = text != NULL ? strtoll(text, &end, 10) : 0;
    bool is_count = text != NULL && *text != '\0' && *end == '\0';
    dse_table_text(table, is_count ? dse_count_format(count, sizeof count, whole) : text != NULL ? text : "-");
}

static int by_name(const void *a, const void *b)
{
    const struct dse_profile *const *one = a, *const *other = b;
    int order = strcmp((*one)->dataset, (*other)->dataset);
    return order != 0 ? order : strcmp((*one)->family, (*other)->family);
}

static void list_table(struct dse_strbuf *out, struct dse_profile *const *given, size_t count, size_t width)
{
    struct dse_table table = {0};
    const struct dse_profile **profiles DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *profiles);
    bool several = false;
    memcpy(profiles, given, count * sizeof *profiles);
    qsort(profiles, count, sizeof *profiles, by_name);
    dse_table_columns(&table, "data set|family");
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        dse_table_column(&table, columns[c].title, true);
    dse_table_column(&table, "settings", true);
    char heading[64];
    snprintf(heading, sizeof heading, "published setting ± %s", dse_spread_name());
    dse_table_column(&table, heading, false);
    for (size_t i = 0; i < count; i++) {
        const struct dse_profile *p = profiles[i];
        several |= i > 0 && strcmp(p->dataset, profiles[i - 1]->dataset) == 0;
        dse_table_text(&table, p->dataset);
        dse_table_text(&table, p->family);
        for (size_t c = 0; c < COLUMN_COUNT; c++)
            add_cell(&table, dse_setting_get(&p->facts, columns[c].fact));
        const struct dse_quality *q = preset_quality(p);
        dse_table_cell(&table, "%zu", p->quality_count);
        if (q != NULL)
            dse_table_cell(&table, "%s %.4f ± %.4f (n = %lld)", q->name, q->mean, dse_spread_of(q), (long long)q->n);
        else
            dse_table_cell(&table, "not measured");
    }
    dse_table_finish(&table, width, out);
    dse_strbuf_add(out, several ? "\nA data set with several rows has a profile per family: --family selects one.\n" : "");
}

static void pairs_table(struct dse_strbuf *out, const char *title, const struct dse_setting *pairs)
{
    if (pairs->count == 0)
        return;
    dse_strbuf_printf(out, "\n%s\n", title);
    for (size_t i = 0; i < pairs->count; i++)
        dse_strbuf_printf(out, "  %-22s %s\n", pairs->pairs[i].name, pairs->pairs[i].value);
}

static void qualities_table(struct dse_strbuf *out, const struct dse_profile *profile)
{
    if (profile->quality_count == 0)
        return;
    dse_strbuf_printf(out, "\n%-10s %9s %18s %5s  %s\n", "measured", "mean", dse_spread_name(), "n",
                      "setting, if not the preset");
    for (size_t i = 0; i < profile->quality_count; i++) {
        const struct dse_quality *q = &profile->qualities[i];
        dse_strbuf_printf(out, "%-10s %9.4f %18.4f %5lld  ", q->name, q->mean, dse_spread_of(q), (long long)q->n);
        add_difference(out, &q->setting, &profile->preset);
        dse_strbuf_add(out, "\n");
    }
}

static void workload_table(struct dse_strbuf *out, const struct dse_profile *profile)
{
    const struct dse_workload *workload = dse_profile_workload(profile, &profile->preset);
    if (workload == NULL)
        return;
    dse_strbuf_printf(out, "\n%-24s %14s %12s %12s %12s\n", "workload of the preset", "numbers", "mean", "least",
                      "most");
    for (size_t i = 0; i < workload->series_count; i++) {
        const struct dse_series *s = &workload->series[i];
        char size[48];
        snprintf(size, sizeof size, "%zu x %zu", s->rows, s->columns);
        dse_strbuf_printf(out, "%-24s %14s", s->name, size);
        if (s->rows * s->columns > 0) {
            struct summary summary = summarise(s);
            dse_strbuf_printf(out, " %12.6g %12.6g %12.6g", summary.mean, summary.minimum, summary.maximum);
        }
        dse_strbuf_add(out, "\n");
    }
    dse_strbuf_printf(out, "\n%zu workload%s in all; --format json summarises each.\n", profile->workload_count, profile->workload_count == 1 ? "" : "s");
}

/* The commands that measured a profile, one per line. The profile joins them as "FIRST; then … --extend …: NEXT". */
static void commands_list(struct dse_strbuf *out, const struct dse_profile *profile)
{
    const char *command = profile->command, *end = NULL;
    if (*command == '\0')
        return;
    dse_strbuf_printf(out, "\nmeasured for %s %s by\n", profile->family, profile->tool_version);
    for (; (end = strstr(command, "; then ")) != NULL; command = strstr(end, ": ") != NULL ? strstr(end, ": ") + 2 : end + 7)
        dse_strbuf_printf(out, "  %.*s\n  then, with --extend,\n", (int)(end - command), command);
    dse_strbuf_printf(out, "  %s\n", command);
}

static void show_table(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct dse_profile *p = profiles[i];
        dse_strbuf_printf(out, "%s%s (hash %016llx)\n", i > 0 ? "\n" : "", p->dataset,
                          (unsigned long long)p->dataset_hash);
        pairs_table(out, "facts", &p->facts);
        pairs_table(out, "preset: the setting that the publication describes", &p->preset);
        qualities_table(out, p);
        workload_table(out, p);
        commands_list(out, p);
    }
}

void dse_profiles_list(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                       enum dse_format format, size_t width)
{
    if (format == DSE_FORMAT_JSON)
        add_profiles_json(out, profiles, count, entry_json);
    else if (format == DSE_FORMAT_CSV)
        list_csv(out, profiles, count);
    else
        list_table(out, profiles, count, width);
}

void dse_profiles_show(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                       enum dse_format format, size_t width)
{
    (void)width; /* wrapped when printed */
    if (format == DSE_FORMAT_CSV)
        show_csv(out, profiles, count);
    else if (format == DSE_FORMAT_TABLE)
        show_table(out, profiles, count);
    else if (count == 1)
        dse_json_add(out, profile_json(profiles[0]));
    else
        add_profiles_json(out, profiles, count, profile_json);
}
