#include "datasets/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/order.h"
#include "core/strbuf.h"
#include "datasets/cells.h"
#include "datasets/kind.h"
#include "datasets/split.h"

#define VALUES_MAX ((size_t)1 << 28)
#define SHOWN 40 /* bytes of a cell that a message quotes */

/* ---- kind of text ---- */

/* The form of one row: its number of cells, of numbers and of texts. */
struct row_look {
    size_t cells, numbers, texts;
};

static struct row_look look_at_row(struct dse_cells *cells)
{
    struct row_look look = {0};
    struct dse_cell cell = {0};
    double value;
    while (!cell.last) {
        if (dse_cells_next(cells, &cell, NULL) != DSE_OK)
            return (struct row_look){0};
        look.cells++;
        bool number = dse_cell_number(cells, &cell, &value);
        look.numbers += number;
        look.texts += !number && !dse_cell_missing(&cell);
    }
    return look;
}

/* The separator with which the first two rows have the same number of cells, more than one. Among several, the one with the largest share of numbers
 * in the second row. */
static char find_separator(const struct dse_text *text)
{
    static const char candidates[] = {';', '\t', ',', ' '};
    char best = ',';
    double best_share = -1.0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        struct dse_cells cells = dse_cells_begin(text, candidates[i]);
        struct row_look first = look_at_row(&cells);
        struct row_look second = dse_cells_at_end(&cells) ? first : look_at_row(&cells);
        if (first.cells < 2)
            continue;
        double share = (double)second.numbers / (double)(second.cells + 1) + (first.cells == second.cells);
        if (share > best_share) {
            best_share = share;
            best = candidates[i];
        }
    }
    return best;
}

/* Whether the first row holds names. */
static bool has_header(const struct dse_text *text, char separator)
{
    struct dse_cells cells = dse_cells_begin(text, separator);
    struct row_look first = look_at_row(&cells);
    if (first.texts == 0 || dse_cells_at_end(&cells))
        return first.texts > 0;
    struct row_look second = look_at_row(&cells);
    return first.numbers == 0 || second.numbers == second.cells;
}

/* ---- parsing ---- */

/* A column of the file. */
struct source {
    char *name;
    bool taken;
    char **words; /* word_count: words of the column, ascending */
    size_t word_count, texts, numbers; /* cells of either kind; a cell that begins as a number and is none counts as both */
    struct dse_strbuf sample; /* the first word */
    long sample_line;
};

struct parsing {
    struct dse_cells cells;
    const struct dse_table_reading *reading;
    struct source *sources; /* source_count */
    size_t source_count;
    size_t target; /* the last of the chosen columns in the given order, else of the file's */
    bool header;
    struct dse_data_table *table;
    size_t capacity; /* capacity of table->values, in rows */
};

static char *numbered(size_t column)
{
    char text[32];
    snprintf(text, sizeof text, "column %zu", column + 1);
    return dse_strdup(text);
}

/* Names from the first row, or numbers for its columns. */
static enum dse_status read_columns(struct parsing *p, struct dse_error *err)
{
    struct dse_cells start = p->cells;
    struct dse_cell cell = {0};
    while (!cell.last) {
        DSE_TRY(dse_cells_next(&p->cells, &cell, err));
        if (p->source_count == DSE_DATA_TABLE_COLUMNS_MAX)
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, cell.line, "more than %d columns", DSE_DATA_TABLE_COLUMNS_MAX);
        if (p->header && cell.length > DSE_DATA_TABLE_NAME_MAX)
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, cell.line, "the name of column %zu has more than %d bytes",
                               p->source_count + 1, DSE_DATA_TABLE_NAME_MAX);
        size_t place = p->source_count;
        struct source *source = dse_list_more(&p->sources, &p->source_count, sizeof *source);
        *source = (struct source){.name = p->header && cell.length > 0 ? dse_cell_text(&cell, DSE_DATA_TABLE_NAME_MAX) : numbered(place), .taken = true};
    }
    if (p->source_count < 2)
        return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, start.line,
                           "a single column: a table needs inputs and a target, separated by ; tab , or blanks");
    if (!p->header)
        p->cells = start;
    return DSE_OK;
}

/* ---- which columns ---- */

static enum dse_status find_source(const struct parsing *p, const char *option, const char *name, size_t *out, struct dse_error *err)
{
    const char **names DSE_CLEANUP(dse_free_at) = dse_calloc(p->source_count + 1, sizeof *names);
    for (size_t c = 0; c < p->source_count; c++)
        names[c] = p->sources[c].name;
    for (*out = 0; *out < p->source_count; (*out)++)
        if (strcmp(names[*out], name) == 0)
            return DSE_OK;
    char *end = NULL;
    unsigned long number = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;
    *out = number - 1;
    if (number >= 1 && number <= p->source_count && *end == '\0')
        return DSE_OK;
    const char *near = dse_names_nearest(name, names, p->source_count);
    return dse_fail(err, DSE_BAD_USAGE, "--%s: %s has no column \"%.100s\"%s%.100s%s (the first is \"%.100s\", the last \"%.100s\")", option,
                    p->cells.text->name, name, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "", names[0],
                    names[p->source_count - 1]);
}

static enum dse_status check_columns(const struct parsing *p, enum dse_status otherwise, struct dse_error *err)
{
    size_t taken = 0;
    for (size_t c = 0; c < p->source_count; c++)
        taken += p->sources[c].taken;
    return taken >= 2 ? DSE_OK : dse_fail(err, otherwise, "%s: only %zu columns remain: a table needs inputs and a target", p->cells.text->name, taken);
}

static enum dse_status choose_columns(struct parsing *p, struct dse_error *err)
{
    const struct dse_table_reading *reading = p->reading;
    size_t place = 0;
    for (size_t c = 0; reading != NULL && reading->column_count > 0 && c < p->source_count; c++)
        p->sources[c].taken = false;
    for (size_t i = 0; reading != NULL && i < reading->column_count; i++) {
        DSE_TRY(find_source(p, "columns", reading->columns[i], &place, err));
        p->sources[place].taken = true;
    }
    for (size_t i = 0; reading != NULL && i < reading->drop_count; i++) {
        DSE_TRY(find_source(p, "drop", reading->drop[i], &place, err));
        p->sources[place].taken = false;
    }
    for (size_t c = 0; c < p->source_count; c++)
        p->target = p->sources[c].taken ? c : p->target;
    for (size_t i = 0; reading != NULL && i < reading->column_count; i++) {
        DSE_TRY(find_source(p, "columns", reading->columns[i], &place, err));
        p->target = p->sources[place].taken ? place : p->target;
    }
    return check_columns(p, DSE_BAD_USAGE, err);
}

/* ---- rows ---- */

static enum dse_status wrong_length(const struct parsing *p, long line, size_t cells, struct dse_error *err)
{
    return dse_fail_at(err, DSE_BAD_INPUT, p->cells.text->name, line, "%s%zu cells, but the first line has %zu",
                       cells > p->source_count ? "more than " : "", cells > p->source_count ? cells - 1 : cells, p->source_count);
}

/* Goes through the cells of a row, and calls `take` for those of chosen columns that have a value. `whole` is false if a value is missing and such
 * rows are left out. */
typedef enum dse_status take_cell(struct parsing *p, size_t column, const struct dse_cell *cell, long line, struct dse_error *err);

static enum dse_status read_row(struct parsing *p, take_cell *take, bool *whole, struct dse_error *err)
{
    struct dse_cells start = p->cells;
    struct dse_cell cell = {0};
    *whole = true;
    for (size_t c = 0; !cell.last; c++) {
        DSE_TRY(dse_cells_next(&p->cells, &cell, err));
        if (c == 0 && cell.last && cell.length == 0 && !cell.quoted)
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, cell.line, "empty line: allowed only at the end of the file");
        if (c == p->source_count || (cell.last && c + 1 < p->source_count))
            return wrong_length(p, start.line, c + 1, err);
        if (!p->sources[c].taken)
            continue;
        bool missing = dse_cell_missing(&cell);
        if (missing && (p->reading == NULL || !p->reading->drops_missing))
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, start.line,
                               "column %zu (\"%.100s\"): the value is missing; --missing drop leaves out such rows", c + 1, p->sources[c].name);
        *whole &= !missing;
        if (!missing && take != NULL)
            DSE_TRY(take(p, c, &cell, start.line, err));
    }
    return DSE_OK;
}

/* ---- contents of the columns ---- */

static enum dse_status note_cell(struct parsing *p, size_t column, const struct dse_cell *cell, long line, struct dse_error *err)
{
    struct source *source = &p->sources[column];
    double value;
    (void)err;
    if (dse_cell_number(&p->cells, cell, &value)) {
        source->numbers++;
        return DSE_OK;
    }
    char *word = dse_cell_text(cell, DSE_DATA_TABLE_NAME_MAX);
    source->numbers += strchr("0123456789+-.", *word) != NULL || strncasecmp(word, "inf", 3) == 0; /* "1,5" and 1e999 are no categories */
    if (source->texts++ == 0) {
        dse_strbuf_printf(&source->sample, "%.*s", SHOWN, word);
        source->sample_line = line;
    }
    if (source->word_count > DSE_DATA_TABLE_WORDS_MAX ||
        (source->word_count > 0 && bsearch(&word, source->words, source->word_count, sizeof *source->words, dse_by_text) != NULL)) {
        free(word);
        return DSE_OK;
    }
    char **room = dse_list_more(&source->words, &source->word_count, sizeof *room);
    *room = word;
    qsort(source->words, source->word_count, sizeof *source->words, dse_by_text);
    return DSE_OK;
}

/* Names all columns that mix words and numbers or have too many words, so that the user can drop them all at once. */
static enum dse_status reject_text(const struct parsing *p, struct dse_error *err)
{
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t found = 0, commas = 0;
    long line = 0;
    for (size_t c = 0; c < p->source_count; c++) {
        const struct source *source = &p->sources[c];
        double left, right;
        char behind;
        if (source->texts == 0 || (source->numbers == 0 && source->word_count <= DSE_DATA_TABLE_WORDS_MAX))
            continue;
        line = line == 0 || source->sample_line < line ? source->sample_line : line;
        if (names.length < 400)
            dse_strbuf_printf(&names, "%s\"%.100s\" (\"%s\"%s)", found > 0 ? ", " : "", source->name, dse_strbuf_text(&source->sample),
                              source->numbers == 0 ? ", and more than 64 others" : "");
        found++;
        commas += sscanf(dse_strbuf_text(&source->sample), "%lf,%lf%c", &left, &right, &behind) == 2;
    }
    return found == 0 ? DSE_OK
                      : dse_fail_at(err, DSE_BAD_INPUT, p->cells.text->name, line, "%s %s hold%s values that are neither finite numbers nor categories: %s",
                                    found > 1 ? "the columns" : "the column", dse_strbuf_text(&names), found > 1 ? "" : "s",
                                    commas > 0 ? "a decimal comma must be a point" : "--drop COLUMN leaves out a column");
}

/* Leaves out a column `split` of the words that --split reads: an input would tell the model what is held out. */
static void leave_out_split(struct parsing *p, struct dse_strbuf *said)
{
    for (size_t c = 0; c < p->source_count; c++) {
        struct source *source = &p->sources[c];
        bool parts = source->taken && source->word_count > 0 && source->numbers == 0 && strcmp(source->name, "split") == 0;
        for (size_t w = 0; w < source->word_count && parts; w++)
            parts = dse_split_names_part(source->words[w]);
        if (!parts || (p->reading != NULL && p->reading->column_count > 0))
            continue;
        source->taken = false;
        for (p->target = p->source_count - 1; p->target > 0 && !p->sources[p->target].taken; p->target--)
            continue;
        dse_strbuf_add(said, "takes no input from the column split, which --split reads");
    }
}

/* Columns of the table that a column of the file becomes. */
static size_t width_of(const struct source *source)
{
    return !source->taken ? 0 : source->word_count > 0 ? source->word_count : 1;
}

/* Names of the table's columns: a column of words becomes one column per word. */
static enum dse_status make_columns(struct parsing *p, struct dse_strbuf *said, struct dse_error *err)
{
    size_t count = 0, encoded = 0;
    for (size_t c = 0; c < p->source_count; c++)
        count += width_of(&p->sources[c]);
    if (count > DSE_DATA_TABLE_COLUMNS_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "%s: more than %d columns, counting one per category", p->cells.text->name, DSE_DATA_TABLE_COLUMNS_MAX);
    for (size_t c = 0; c < p->source_count; c++) {
        const struct source *source = &p->sources[c];
        for (size_t w = 0; w < width_of(source); w++) {
            struct dse_strbuf name = {0};
            dse_strbuf_printf(&name, source->word_count > 0 ? "%s=%s" : "%s", source->name, source->word_count > 0 ? source->words[w] : "");
            char **room = dse_list_more(&p->table->column, &p->table->columns, sizeof *room);
            *room = name.text;
        }
        if (source->taken && source->word_count > 0 && encoded++ < 8)
            dse_strbuf_printf(said, "%s%s%s (%zu word%s)", encoded > 1 ? ", " : said->length > 0 ? "; " : "",
                              encoded > 1 ? "" : "encodes columns of words as one column of 0 and 1 per word (one-hot): ", source->name,
                              source->word_count, source->word_count == 1 ? "" : "s");
    }
    p->table->encoded = encoded;
    for (size_t c = 0; c < p->target; c++)
        p->table->target += width_of(&p->sources[c]);
    if (p->target + 1 < p->source_count && p->reading != NULL && p->reading->column_count > 0)
        dse_strbuf_printf(said, "%spredicts \"%.100s\", the last chosen column, instead of \"%.100s\"; --target chooses another", said->length > 0 ? "; " : "",
                          p->sources[p->target].name, p->sources[p->source_count - 1].name);
    if (p->table->dropped_rows > 0)
        dse_strbuf_printf(said, "%sleaves out %zu of %zu rows without a value", said->length > 0 ? "; " : "", p->table->dropped_rows,
                          p->table->dropped_rows + p->table->rows);
    p->table->remark = dse_strdup(dse_strbuf_text(said));
    return DSE_OK;
}

/* First pass over all rows: the content of each column, and the number of complete rows. */
static enum dse_status look_at_rows(struct parsing *p, struct dse_error *err)
{
    struct dse_cells start = p->cells;
    while (!dse_cells_at_end(&p->cells)) {
        struct dse_cells row = p->cells;
        bool whole;
        DSE_TRY(read_row(p, NULL, &whole, err));
        p->table->rows += whole;
        p->table->dropped_rows += !whole;
        struct dse_cells behind = p->cells;
        p->cells = row;
        if (whole) /* words of omitted rows do not belong to the table */
            DSE_TRY(read_row(p, note_cell, &whole, err));
        p->cells = behind;
    }
    p->cells = start;
    struct dse_strbuf said DSE_CLEANUP(dse_strbuf_free) = {0};
    DSE_TRY(reject_text(p, err));
    leave_out_split(p, &said);
    DSE_TRY(check_columns(p, DSE_BAD_INPUT, err));
    if (p->table->rows == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: no rows%s", p->cells.text->name, p->table->dropped_rows > 0 ? " without a missing value" : "");
    const struct source *target = &p->sources[p->target];
    if (target->word_count > 0)
        return dse_fail_at(err, DSE_BAD_INPUT, p->cells.text->name, target->sample_line,
                        "the target, column %zu (\"%.100s\"), holds words (\"%s\"), but must hold numbers%s", p->target + 1, target->name,
                        dse_strbuf_text(&target->sample), p->reading != NULL && p->reading->column_count > 0 ? "; --columns names the target last, after the inputs" : "");
    return make_columns(p, &said, err);
}

/* The values of one cell, after those of the previous row. */
static enum dse_status put_cell(struct parsing *p, size_t column, const struct dse_cell *cell, long line, struct dse_error *err)
{
    const struct source *source = &p->sources[column];
    double *values = p->table->values + p->capacity;
    if (source->word_count > 0) {
        char *word DSE_CLEANUP(dse_free_at) = dse_cell_text(cell, DSE_DATA_TABLE_NAME_MAX);
        for (size_t w = 0; w < source->word_count; w++)
            values[w] = strcmp(source->words[w], word) == 0;
        p->capacity += source->word_count;
        return DSE_OK;
    }
    (void)dse_cell_number(&p->cells, cell, values);
    p->capacity++;
    if (fabs(*values) <= (double)FLT_MAX) /* families compute in single precision */
        return DSE_OK;
    return dse_fail_at(err, DSE_BAD_INPUT, p->cells.text->name, line, "column %zu (\"%.100s\"): %g is beyond %g, the limit of single precision", column + 1,
                       source->name, *values, (double)FLT_MAX);
}

static enum dse_status read_rows(struct parsing *p, struct dse_error *err)
{
    struct dse_data_table *table = p->table;
    if (table->rows > VALUES_MAX / table->columns)
        return dse_fail(err, DSE_LIMIT, "%s: more than %zu values", p->cells.text->name, VALUES_MAX);
    table->values = dse_calloc(table->rows * table->columns + 1, sizeof *table->values);
    while (!dse_cells_at_end(&p->cells)) {
        struct dse_cells row = p->cells;
        bool whole;
        DSE_TRY(read_row(p, NULL, &whole, err));
        struct dse_cells behind = p->cells;
        p->cells = row;
        if (whole)
            DSE_TRY(read_row(p, put_cell, &whole, err));
        p->cells = behind;
    }
    return DSE_OK;
}

static uint64_t hash_of(const struct dse_data_table *table)
{
    uint64_t counts[2] = {table->rows, table->columns};
    return XXH3_64bits_withSeed(table->values, table->rows * table->columns * sizeof *table->values,
                                XXH3_64bits(counts, sizeof counts));
}

/* ---- files that are no text ---- */

/* The type of a file that holds a NUL byte, by its first bytes. */
static const char *type_of(const struct dse_text *text)
{
    static const struct {
        const char *start, *type;
        size_t length;
    } known[] = {{"\xff\xfe", "text in UTF-16", 2}, {"\xfe\xff", "text in UTF-16", 2}, {"\x89PNG", "a PNG picture", 4}, {"%PDF", "a PDF document", 4},
                 {"\x89HDF", "an HDF5 file", 4}, {"SQLite format 3", "an SQLite database", 15}, {"PAR1", "a Parquet file", 4}, {"ARROW1", "an Arrow file", 6},
                 {"\x93NUMPY", "a NumPy array", 6}, {"\xd0\xcf\x11\xe0", "an old Excel workbook", 4}, {"\x7f""ELF", "a program", 4}, {"BZh", "a bzip2 file", 3},
                 {"\xfd" "7zXZ", "an xz file", 5}, {"\x28\xb5\x2f\xfd", "a Zstandard file", 4}, {"\x80\x02", "a Python pickle", 2}, {"\x80\x03", "a Python pickle", 2},
                 {"\x80\x04", "a Python pickle", 2}, {"\x80\x05", "a Python pickle", 2}, {"7z\xbc\xaf", "a 7-Zip archive", 4}, {"Rar!", "a RAR archive", 4},
                 {"\xff\xd8\xff", "a JPEG picture", 3}, {"MATLAB 5.0", "a MATLAB file", 10}, {"RDX", "R's data", 3}, {"GIF8", "a GIF picture", 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text->size >= known[i].length && memcmp(text->data, known[i].start, known[i].length) == 0)
            return known[i].type;
    return memchr(text->data, '\0', text->size) != NULL ? "binary: it holds a NUL byte" : NULL;
}

static void release(struct parsing *p)
{
    for (size_t c = 0; c < p->source_count; c++) {
        for (size_t w = 0; w < p->sources[c].word_count; w++)
            free(p->sources[c].words[w]);
        free(p->sources[c].words);
        free(p->sources[c].name);
        dse_strbuf_free(&p->sources[c].sample);
    }
    free(p->sources);
    dse_data_table_free(p->table);
}

enum dse_status dse_data_table_read(const char *name, const struct dse_text *text, const struct dse_table_reading *reading, struct dse_data_table **out,
                                    struct dse_error *err)
{
    const char *type = type_of(text);
    *out = NULL;
    if (type != NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is not text but %s; what is read: text, .npz, .zip, .tar, .tar.gz, .gz", text->name, type);
    struct parsing p DSE_CLEANUP(release) = {.cells = dse_cells_begin(text, find_separator(text)), .reading = reading, .table = dse_calloc(1, sizeof *p.table)};
    if (dse_cells_at_end(&p.cells))
        return dse_fail(err, DSE_BAD_INPUT, "%s: is empty", text->name);
    p.table->separator = p.cells.separator;
    p.header = p.table->header = has_header(text, p.cells.separator);
    DSE_TRY(read_columns(&p, err));
    DSE_TRY(choose_columns(&p, err));
    DSE_TRY(look_at_rows(&p, err));
    DSE_TRY(read_rows(&p, err));
    p.table->name = dse_strdup(name);
    p.table->hash = hash_of(p.table);
    *out = p.table;
    p.table = NULL;
    return DSE_OK;
}

void dse_data_table_free(struct dse_data_table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->columns; i++)
        free(table->column[i]);
    free(table->column);
    free(table->values);
    free(table->remark);
    free(table->name);
    free(table);
}

/* ---- columns ---- */

size_t dse_data_table_find(const struct dse_data_table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->column[c], name) == 0)
            return c;
    char *end = NULL;
    unsigned long number = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;
    return number >= 1 && number <= table->columns && *end == '\0' ? number - 1 : table->columns;
}

enum dse_status dse_data_table_set_target(struct dse_data_table *table, const char *column, struct dse_error *err)
{
    size_t found = dse_data_table_find(table, column), same = 0;
    for (size_t c = 0; c < table->columns; c++)
        same += strcmp(table->column[c], column) == 0;
    if (same > 1)
        return dse_fail(err, DSE_BAD_USAGE, "%s: %zu columns are called \"%.100s\"; give its number, from 1", table->name, same,
                        column);
    if (found == table->columns) {
        const char *near = dse_names_nearest(column, (const char *const *)table->column, table->columns);
        return dse_fail(err, DSE_BAD_USAGE, "%s: has no column \"%.100s\"%s%.100s%s (the first is \"%.100s\", the last \"%.100s\")",
                        table->name, column, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                        near != NULL ? "\"?" : "", table->column[0], table->column[table->columns - 1]);
    }
    table->target = found;
    return DSE_OK;
}
