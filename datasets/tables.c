#include "datasets/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "datasets/facts.h"
#include "datasets/profile.h"

#define FILE_MAX ((size_t)1 << 30)

static const char *const endings[] = {".csv", ".tsv", ".dat", ".data", NULL};

/* Whether an entry's name has an ending of tables. */
static bool is_table(const char *entry)
{
    return dse_kind_of_file(entry) == &dse_kind_table;
}

static bool holds_table(const struct dse_bundle *pack)
{
    for (size_t i = 0; i < dse_bundle_count(pack); i++)
        if (is_table(dse_bundle_entry(pack, i)))
            return true;
    return false;
}

/* Reads a pack's entry or, without a pack, a file. */
static enum dse_status read_table(struct dse_bundle *pack, const char *path, const struct dse_table_reading *reading, struct dse_data_table **table,
                                  struct dse_error *err)
{
    struct dse_text text DSE_CLEANUP(dse_text_free) = {0};
    char *stem DSE_CLEANUP(dse_free_at) = dse_path_stem(path, is_table(path) ? strrchr(path, '.') : "");
    *table = NULL;
    if (pack != NULL) {
        DSE_TRY(dse_bundle_read(pack, path, FILE_MAX, &text, err));
    } else {
        text.name = dse_strdup(path);
        DSE_TRY(dse_file_read(path, FILE_MAX, &text.data, &text.size, err));
    }
    return dse_data_table_read(stem, &text, reading, table, err);
}

/* The table of the pack whose content has the hash, or NULL. Unreadable tables are skipped. */
static struct dse_data_table *find_by_hash(struct dse_bundle *pack, uint64_t hash)
{
    struct dse_error unread;
    for (size_t i = 0; i < dse_bundle_count(pack); i++) {
        struct dse_data_table *table = NULL;
        if (!is_table(dse_bundle_entry(pack, i)) || read_table(pack, dse_bundle_entry(pack, i), NULL, &table, &unread) != DSE_OK)
            continue;
        if (table->hash == hash)
            return table;
        dse_data_table_free(table);
    }
    return NULL;
}

static enum dse_status reject_several(const struct dse_bundle *pack, size_t tables, struct dse_error *err)
{
    struct dse_strbuf names = {0};
    for (size_t i = 0; i < dse_bundle_count(pack); i++)
        if (is_table(dse_bundle_entry(pack, i)) && names.length < 300)
            dse_strbuf_printf(&names, "%s%s", names.length > 0 ? ", " : "", dse_bundle_entry(pack, i));
    dse_fail(err, DSE_BAD_USAGE, "%s holds %zu tables (%s): %s", dse_bundle_path(pack), tables, dse_strbuf_text(&names),
             dse_file_is_folder(dse_bundle_path(pack)) ? "name one of them, as FOLDER/TABLE"
                                                     : "unpack it and name one of them");
    dse_strbuf_free(&names);
    return DSE_BAD_USAGE;
}

/* The table of a folder or archive. */
static enum dse_status read_packed(const struct dse_data_source *source, struct dse_data_table **table, struct dse_error *err)
{
    const char *entry = NULL;
    size_t tables = 0;
    for (size_t i = 0; i < dse_bundle_count(source->pack); i++)
        if (is_table(dse_bundle_entry(source->pack, i))) {
            entry = dse_bundle_entry(source->pack, i);
            DSE_TRY(dse_bundle_spare(source->pack, entry, err)); /* also a table that is not read */
            tables++;
        }
    if (tables == 1)
        return read_table(source->pack, entry, source->reading, table, err);
    uint64_t wanted = source->called != NULL ? dse_profile_hash_of(source->called) : 0;
    *table = wanted != 0 ? find_by_hash(source->pack, wanted) : NULL;
    return *table != NULL ? DSE_OK : reject_several(source->pack, tables, err);
}

static enum dse_status read_source(const struct dse_data_source *source, struct dse_dataset *out, struct dse_error *err)
{
    struct dse_data_table *table;
    DSE_TRY(source->pack != NULL ? read_packed(source, &table, err) : read_table(NULL, source->path, source->reading, &table, err));
    out->content = table;
    out->hash = table->hash;
    out->name = dse_strdup(table->name);
    return DSE_OK;
}

static void free_table(void *content)
{
    dse_data_table_free(content);
}

static size_t count_rows(const void *content)
{
    return ((const struct dse_data_table *)content)->rows;
}

static enum dse_status set_target(void *content, const char *column, struct dse_error *err)
{
    return dse_data_table_set_target(content, column, err);
}

static const char *remark(const void *content)
{
    const char *text = ((const struct dse_data_table *)content)->remark;
    return *text != '\0' ? text : NULL;
}

/* ---- facts ---- */

/* Mean, standard deviation, mean absolute deviation and ends of one column. */
struct column_facts {
    double mean, deviation, absolute, least, most;
};

static struct column_facts column_facts(const struct dse_data_table *table, size_t column)
{
    const double *value = table->values + column;
    struct column_facts facts = {.least = *value, .most = *value};
    double squares = 0.0;
    for (size_t r = 0; r < table->rows; r++) {
        double v = value[r * table->columns], delta = v - facts.mean; /* Welford's recurrence: no cancellation */
        facts.mean += delta / (double)(r + 1);
        squares += delta * (v - facts.mean);
        facts.least = fmin(facts.least, v);
        facts.most = fmax(facts.most, v);
    }
    facts.deviation = sqrt(squares / (double)table->rows);
    for (size_t r = 0; r < table->rows; r++)
        facts.absolute += fabs(value[r * table->columns] - facts.mean) / (double)table->rows;
    return facts;
}

static void put_target(const struct dse_data_table *table, struct dse_setting *facts)
{
    struct column_facts target = column_facts(table, table->target);
    const struct {
        const char *name;
        double value;
    } values[] = {{"target_mean", target.mean}, {"target_std", target.deviation}, {"target_mad", target.absolute},
                  {"target_min", target.least}, {"target_max", target.most}};
    char *name = dse_strdup(table->column[table->target]);
    for (char *at = name; *at != '\0'; at++) /* a profile's texts hold no blanks */
        if (*at == ' ' || *at == '=')
            *at = '_';
    dse_setting_put(facts, "target", *name != '\0' ? name : "_");
    free(name);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        dse_facts_real(facts, values[i].name, values[i].value);
}

static const char *separator_word(char separator)
{
    return separator == ';' ? "semicolon" : separator == '\t' ? "tab" : separator == ',' ? "comma" : "blanks";
}

static void table_facts(const void *content, struct dse_setting *facts)
{
    const struct dse_data_table *table = content;
    size_t constant = 0;
    for (size_t c = 0; c < table->columns; c++) {
        struct column_facts column = column_facts(table, c);
        constant += c != table->target && column.least == column.most;
    }
    dse_facts_count(facts, "rows", table->rows);
    dse_facts_count(facts, "inputs", table->columns - 1);
    if (table->encoded > 0)
        dse_facts_count(facts, "one_hot_columns", table->encoded);
    if (table->dropped_rows > 0)
        dse_facts_count(facts, "rows_left_out", table->dropped_rows);
    dse_setting_put(facts, "header", table->header ? "yes" : "no");
    dse_setting_put(facts, "separator", separator_word(table->separator));
    if (constant > 0)
        dse_facts_count(facts, "constant_inputs", constant);
    put_target(table, facts);
}

const struct dse_kind dse_kind_table = {
    .name = "table",
    .title = "a table of numbers",
    .item = "row",
    .items = "rows",
    .sign = "a table (.csv, .tsv, .dat, .data)",
    .endings = endings,
    .holds = holds_table,
    .read = read_source,
    .free = free_table,
    .count = count_rows,
    .facts = table_facts,
    .set_target = set_target,
    .remark = remark,
    .generate = dse_tables_generate,
    .options = dse_tables_options,
    .option_count = DSE_TABLES_OPTIONS,
};
