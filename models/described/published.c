/* Quality table and published cases of a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "models/described/reading.h"

#define QUALITY_BYTES ((size_t)16 << 20)

/* ---- quality ---- */

struct dse_described_quality {
    const char *path, *name, *column;
    size_t *knobs; /* count */
    size_t count;
};

/* Path relative to the file's folder, unless absolute. */
static const char *beside(struct dse_describing *d, const char *path)
{
    const char *slash = strrchr(d->path, '/');
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (slash != NULL && *path != '/')
        dse_strbuf_add_n(&text, d->path, (size_t)(slash + 1 - d->path));
    dse_strbuf_add(&text, path);
    return dse_arena_strdup(d->arena, dse_strbuf_text(&text));
}

/* Reads `quality: {table: quality.csv, by: [bits, width], column: accuracy}`: its knobs are algorithmic settings. */
enum dse_status dse_describing_quality(struct dse_describing *d)
{
    static const char *const keys[] = {"table", "by", "column", NULL};
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "quality"), *by = section != NULL ? dse_yaml_member(section, "by") : NULL;
    struct dse_described_quality *q = dse_arena_alloc(d->arena, 1, sizeof *q);
    const char *table;
    if (section == NULL)
        return DSE_OK;
    DSE_TRY(dse_describing_map(d, section, "quality", keys));
    DSE_TRY(dse_describing_text(d, section, "table", true, &table));
    DSE_TRY(dse_describing_text(d, section, "column", false, &q->column));
    q->column = q->column != NULL ? q->column : "quality";
    q->path = beside(d, table);
    if (by == NULL || by->kind != DSE_YAML_LIST || by->count == 0)
        return dse_describing_reject_key(d, section, "needs `by`, the list of knobs that index its table");
    q->knobs = dse_arena_alloc(d->arena, by->count, sizeof *q->knobs);
    for (size_t i = 0; i < by->count; i++) {
        const struct dse_knob *knob = by->children[i].kind == DSE_YAML_SCALAR ? dse_knobs_trained(&d->out->knobs, by->children[i].text) : NULL;
        if (knob == NULL)
            return dse_describing_reject(d, &by->children[i], "must be a knob of `kind: algorithmic` or `both`");
        q->knobs[q->count++] = (size_t)(knob - d->out->knobs.knobs);
    }
    d->out->quality = q;
    return DSE_OK;
}

/* Splits a line into fields without surrounding blanks, in place. */
static size_t cut(char *line, char **fields, size_t most)
{
    size_t count = 0;
    for (char *field = line; count < most && (field = strsep(&line, ",")) != NULL; count++) {
        field += strspn(field, " \t");
        fields[count] = field;
        for (char *end = field + strlen(field); end > field && strchr(" \t\r", end[-1]) != NULL; end--)
            end[-1] = '\0';
    }
    return count;
}

#define COLUMNS 64

static enum dse_status add_line(const struct dse_described *d, char *const *heads, char *const *fields, size_t count, long line, struct dse_profile *profile, struct dse_error *err)
{
    const struct dse_described_quality *q = d->quality;
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_quality quality = {.name = (char *)q->column, .higher_is_better = true, .protocol = (char *)"the table of the family's file"};
    bool there = false;
    double n = 1.0;
    for (size_t i = 0; i < q->count; i++) {
        const struct dse_knob *knob = &d->knobs.knobs[q->knobs[i]];
        struct dse_error why;
        int64_t value;
        char text[64];
        size_t c = 0;
        while (c < count && strcmp(heads[c], knob->name) != 0)
            c++;
        if (c == count)
            return dse_fail_at(err, DSE_BAD_INPUT, q->path, 1, "has no column %s", knob->name);
        if (dse_knob_parse(knob, fields[c], &value, &why) != DSE_OK)
            return dse_fail_at(err, DSE_BAD_INPUT, q->path, line, "%s", why.message);
        dse_setting_put(&setting, knob->name, dse_knob_format(knob, value, text, sizeof text));
    }
    for (size_t c = 0; c < count; c++) {
        if (dse_setting_get(&setting, heads[c]) != NULL)
            continue; /* the column of a knob, of any name */
        double *place = strcmp(heads[c], q->column) == 0 ? &quality.mean : strcmp(heads[c], "std") == 0 ? &quality.std : strcmp(heads[c], "n") == 0 ? &n : NULL;
        there |= place == &quality.mean;
        if (place != NULL && (dse_number_real(fields[c], place) != DSE_NUMBER_READ || !isfinite(*place)))
            return dse_fail_at(err, DSE_BAD_INPUT, q->path, line, "%s=%s: must be a number", heads[c], fields[c]);
    }
    if (!there)
        return dse_fail_at(err, DSE_BAD_INPUT, q->path, 1, "has no column %s", q->column);
    if (!(n >= 1.0 && n <= 1e9 && n == floor(n)) || (quality.std > 0.0 && n < 2.0))
        return dse_fail_at(err, DSE_BAD_INPUT, q->path, line, "n=%g: must be the number of measurements, more than one where std is not 0", n);
    struct dse_error why = {0};
    quality.n = (int64_t)n;
    quality.setting = setting;
    return dse_profile_add_quality(profile, &quality, &why) == DSE_OK ? DSE_OK : dse_fail_at(err, DSE_BAD_INPUT, q->path, line, "%s", why.message);
}

static enum dse_status check_heads(const struct dse_described_quality *q, char *const *heads, size_t count, long line, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(heads[i], heads[j]) == 0)
                return dse_fail_at(err, DSE_BAD_INPUT, q->path, line, "has the column %s twice", heads[i]);
    return DSE_OK;
}

enum dse_status dse_described_add_quality(const struct dse_described *d, struct dse_profile *profile, struct dse_error *err)
{
    char *text DSE_CLEANUP(dse_free_at) = NULL, *heads[COLUMNS], *fields[COLUMNS];
    size_t size = 0, columns = 0, read = 0;
    long number = 1;
    if (d->quality == NULL)
        return DSE_OK;
    DSE_TRY(dse_file_read(d->quality->path, QUALITY_BYTES, &text, &size, err));
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL; number++) {
        if (line[strspn(line, " \t\r")] == '\0')
            continue;
        size_t count = cut(line, columns == 0 ? heads : fields, COLUMNS);
        if (columns == 0)
            DSE_TRY(check_heads(d->quality, heads, columns = count, number, err));
        else if (count != columns)
            return dse_fail_at(err, DSE_BAD_INPUT, d->quality->path, number, "has %zu fields, not %zu", count, columns);
        else
            DSE_TRY(add_line(d, heads, fields, count, number, profile, err));
        read++;
    }
    return read > 1 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: holds no line of quality", d->quality->path);
}

/* ---- published cases ---- */

/* Reports an unknown key of a case, with the nearest knob or quantity. */
static enum dse_status reject_key(struct dse_describing *d, const struct dse_yaml *one, bool knob)
{
    const char *names[DSE_KNOB_MAX + 1];
    size_t count = 0;
    for (size_t i = 0; i < (knob ? d->out->knobs.count : d->out->quantity_count) && count < DSE_KNOB_MAX; i++)
        names[count++] = knob ? d->out->knobs.knobs[i].name : d->out->quantities[i].name;
    return dse_describing_reject_word(d, one, true, knob ? "knob" : "quantity of the workload", names, count);
}

/* Reads NAME: VALUE of a case's workload, in --workload syntax. */
static enum dse_status read_quantity(struct dse_describing *d, const struct dse_yaml *one, struct dse_strbuf *given)
{
    const struct dse_quantity *q = d->out->quantities, *end = q + d->out->quantity_count;
    double value;
    while (q < end && strcmp(q->name, one->key) != 0)
        q++;
    if (q == end)
        return reject_key(d, one, false);
    if (one->kind != DSE_YAML_SCALAR || dse_number_real(one->text, &value) != DSE_NUMBER_READ || value < q->least || value > q->most)
        return dse_describing_reject_key(d, one, "must be a number from %g to %g", q->least, q->most);
    dse_strbuf_printf(given, "%s%s=%s", given->length > 0 ? "," : "", one->key, one->text);
    return DSE_OK;
}

/* Reads one case: design, workload, and stated figures. */
static enum dse_status read_case(struct dse_describing *d, const struct dse_yaml *node, struct dse_described_case *out)
{
    const struct dse_yaml *set, *work;
    struct dse_strbuf given DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *keys[DSE_METRIC_COUNT + 6] = {"case", "set", "workload", "source", "board"};
    size_t count = 5;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        keys[count++] = dse_metrics[m].key;
    keys[count] = NULL;
    DSE_TRY(dse_describing_map(d, node, "a published case", keys));
    DSE_TRY(dse_describing_members(d, node, "set", "knobs and values", &set));
    DSE_TRY(dse_describing_members(d, node, "workload", "quantities and values", &work));
    DSE_TRY(dse_describing_text(d, node, "case", true, &out->name));
    DSE_TRY(dse_describing_text(d, node, "board", false, &out->board));
    DSE_TRY(dse_describing_source(d, node, true, &out->source));
    dse_knobs_default(&d->out->knobs, &out->config);
    for (size_t i = 0; i < set->count; i++) {
        const struct dse_yaml *one = &set->children[i];
        const struct dse_knob *knob = dse_knobs_find(&d->out->knobs, one->key);
        struct dse_error why;
        if (knob == NULL)
            return reject_key(d, one, true);
        if (one->kind != DSE_YAML_SCALAR || dse_knob_parse(knob, one->text, &out->config.value[knob - d->out->knobs.knobs], &why) != DSE_OK)
            return dse_describing_reject(d, one, "%s", one->kind == DSE_YAML_SCALAR ? why.message : "must be one value");
    }
    for (size_t i = 0; i < work->count; i++)
        DSE_TRY(read_quantity(d, &work->children[i], &given));
    out->workload = given.length > 0 ? dse_arena_strdup(d->arena, given.text) : NULL;
    size_t stated = 0;
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        const struct dse_yaml *figure = m < DSE_METRIC_QUALITY ? dse_yaml_member(node, dse_metrics[m].key) : NULL;
        const struct dse_unit needed = m == DSE_METRIC_CYCLES ? DSE_UNIT_CYCLES : dse_unit_of(dse_metrics[m].dimension);
        struct dse_unit unit = DSE_UNIT_COUNT;
        char wanted[64], stated_in[64];
        out->stated[m] = NAN;
        DSE_TRY(dse_describing_number(d, figure, &out->stated[m], &unit));
        if (!dse_unit_equal(unit, DSE_UNIT_COUNT) && !dse_unit_equal(unit, needed))
            return dse_describing_reject(d, figure, "must be in %s, is in %s", dse_unit_format(needed, wanted, sizeof wanted), dse_unit_format(unit, stated_in, sizeof stated_in));
        if (figure != NULL && !(out->stated[m] > 0.0))
            return dse_describing_reject(d, figure, "must be above 0");
        stated += figure != NULL;
    }
    return stated > 0 ? DSE_OK : dse_describing_reject_key(d, node, "has no figure: latency_s, dsp, lut, …");
}

enum dse_status dse_describing_published(struct dse_describing *d)
{
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "published");
    if (section == NULL)
        return DSE_OK;
    if (section->kind != DSE_YAML_LIST || section->count == 0)
        return dse_describing_reject_key(d, section, "must be a list of cases, such as `- {case: base, set: {p: 1}, latency_s: 1e-3, source: paper}`");
    struct dse_described_case *cases = dse_arena_alloc(d->arena, section->count, sizeof *cases);
    for (size_t i = 0; i < section->count; i++)
        DSE_TRY(dse_describing_go_on(d, read_case(d, &section->children[i], &cases[i])));
    d->out->cases = cases;
    d->out->case_count = section->count;
    return DSE_OK;
}

/* ---- stated model errors ---- */

/* Reads `- {of: latency, level: published, share: 0.02}`; `engines` stands for the cycles of each engine, an engine's name for its own. */
static enum dse_status read_error(struct dse_describing *d, const struct dse_yaml *node, struct dse_model_error *out)
{
    static const char *const keys[] = {"of", "level", "share", "source", NULL}, *const levels[] = {"simulation", "schedule", "rtl-simulation", "published", NULL};
    const char *names[DSE_METRIC_COUNT + DSE_ENGINE_MAX + 1] = {"engines"}, *source;
    size_t count = 1, engines = d->out->family.engine_count;
    int of = 0, level;
    const struct dse_yaml *share = dse_yaml_member(node, "share");
    DSE_TRY(dse_describing_map(d, node, "an error", keys));
    for (size_t e = 0; e < engines; e++)
        names[count++] = d->out->family.engines[e].name;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        names[count++] = dse_metrics[m].name;
    if (dse_yaml_member(node, "of") == NULL || share == NULL)
        return dse_describing_reject_key(d, node, "needs `of`, `level` and `share`");
    DSE_TRY(dse_describing_index(d, dse_yaml_member(node, "of"), "metric, engine or `engines`", names, count, &of));
    DSE_TRY(dse_describing_word(d, node, "level", true, levels, &level));
    DSE_TRY(dse_describing_source(d, node, false, &source));
    DSE_TRY(dse_describing_number(d, share, &out->share, NULL));
    if (!(out->share >= 0.0 && out->share <= 10.0))
        return dse_describing_reject(d, share, "must be a share from 0 to 10");
    bool engine = (size_t)of <= engines;
    out->engine = of == 0 ? "" : engine ? names[of] : NULL;
    out->metric = engine ? DSE_METRIC_COUNT : (enum dse_metric)((size_t)of - engines - 1);
    out->level = levels[level];
    return DSE_OK;
}

enum dse_status dse_describing_errors(struct dse_describing *d)
{
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "errors");
    if (section == NULL)
        return DSE_OK;
    if (section->kind != DSE_YAML_LIST)
        return dse_describing_reject_key(d, section, "must be a list, as `- {of: latency, level: published, share: 0.02}`");
    struct dse_model_error *errors = dse_arena_alloc(d->arena, section->count + 1, sizeof *errors);
    for (size_t i = 0; i < section->count; i++)
        DSE_TRY(dse_describing_go_on(d, read_error(d, &section->children[i], &errors[i])));
    d->out->family.errors = errors;
    d->out->family.error_count = section->count;
    return DSE_OK;
}
