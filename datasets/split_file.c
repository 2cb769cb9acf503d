/* A split that comes as a file. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "datasets/cells.h"
#include "datasets/split.h"

#define FILE_MAX ((size_t)256 << 20)

enum part { TRAIN, TEST, VALIDATION, UNKNOWN };

static const struct {
    const char *word;
    enum part part;
} words[] = {{"train", TRAIN}, {"test", TEST}, {"validation", VALIDATION}, {"training", TRAIN}, {"valid", VALIDATION}, {"val", VALIDATION}}; /* the first spelling of each is the written one */

static enum part part_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0)
            return words[i].part;
    return UNKNOWN;
}

bool dse_split_names_part(const char *word)
{
    return part_of(word, strlen(word)) != UNKNOWN;
}

/* A file being read: the part of each item so far, and the column with the parts. */
struct reading {
    struct dse_cells cells;
    const char *called;
    size_t items, read;
    size_t column;
    bool indices;      /* lines are indices of items held out */
    bool headed;       /* the first row is a heading */
    unsigned char *part; /* [items] */
};

static enum dse_status reject(const struct reading *r, const struct dse_cell *cell, const char *allowed, struct dse_error *err)
{
    char *text DSE_CLEANUP(dse_free_at) = dse_cell_text(cell, 60);
    return dse_fail(err, DSE_BAD_INPUT, "%s:%ld: \"%s\": %s", r->cells.text->name, cell->line, text, allowed);
}

static enum dse_status take_index(struct reading *r, const struct dse_cell *cell, struct dse_error *err)
{
    double index;
    char allowed[160];
    snprintf(allowed, sizeof allowed, "must be the index of one of the %zu %s, 0 to %zu", r->items, r->called, r->items - 1);
    if (!dse_cell_number(&r->cells, cell, &index) || index < 0 || index > (double)(r->items - 1) || index != (double)(size_t)index)
        return reject(r, cell, allowed, err);
    if (r->part[(size_t)index] == TEST)
        return reject(r, cell, "occurs twice", err);
    r->part[(size_t)index] = TEST;
    return DSE_OK;
}

static enum dse_status take_word(struct reading *r, const struct dse_cell *cell, struct dse_error *err)
{
    enum part part = part_of(cell->start, cell->length);
    if (part == UNKNOWN)
        return reject(r, cell, r->read > 0 ? "must be train, test or validation" : "must be train, test or validation, or a heading with a column `split`", err);
    if (r->read == r->items)
        return dse_fail(err, DSE_BAD_INPUT, "%s:%ld: one line too many: the data set has %zu %s", r->cells.text->name, cell->line, r->items,
                        r->called);
    r->part[r->read++] = (unsigned char)part;
    return DSE_OK;
}

static enum dse_status take_row(struct reading *r, struct dse_error *err)
{
    struct dse_cell cell = {0};
    size_t column = 0;
    for (bool found = false; !cell.last || !found; column++) {
        if (cell.last)
            return dse_fail(err, DSE_BAD_INPUT, "%s:%ld: %zu columns, but column %zu is `split`", r->cells.text->name, cell.line, column,
                            r->column + 1);
        DSE_TRY(dse_cells_next(&r->cells, &cell, err));
        if (column != r->column)
            continue;
        found = true;
        DSE_TRY(r->indices ? take_index(r, &cell, err) : take_word(r, &cell, err));
        if (!r->headed && !cell.last)
            return reject(r, &cell, "must stand alone on its line, or in a column `split` of a table with a heading", err);
    }
    return DSE_OK;
}

/* Looks at the first row; skips it if it is a heading with a column `split`. */
static enum dse_status look(struct reading *r, struct dse_error *err)
{
    struct dse_cells first = r->cells;
    struct dse_cell cell = {0};
    double number;
    for (size_t column = 0; !cell.last; column++) {
        DSE_TRY(dse_cells_next(&first, &cell, err));
        if (column == 0)
            r->indices = dse_cell_number(&first, &cell, &number);
        if (cell.length != strlen("split") || memcmp(cell.start, "split", cell.length) != 0)
            continue;
        while (!cell.last)
            DSE_TRY(dse_cells_next(&first, &cell, err));
        r->column = column;
        r->headed = true;
        r->indices = false;
        r->cells = first;
        return DSE_OK;
    }
    return DSE_OK;
}

static void put_parts(const struct reading *r, struct dse_split *out)
{
    int32_t **parts[] = {&out->train, &out->test, &out->validation};
    size_t *counts[] = {&out->n_train, &out->n_test, &out->n_validation};
    for (size_t p = 0; p < UNKNOWN; p++)
        *parts[p] = dse_malloc((r->items + 1) * sizeof **parts[p]);
    for (size_t i = 0; i < r->items; i++)
        (*parts[r->part[i]])[(*counts[r->part[i]])++] = (int32_t)i;
    if (out->n_validation == 0) {
        free(out->validation);
        out->validation = NULL;
    }
}

enum dse_status dse_split_read(const char *path, size_t items, const char *called, struct dse_split *out, struct dse_error *err)
{
    struct dse_text text DSE_CLEANUP(dse_text_free) = {.name = dse_strdup(path)};
    *out = (struct dse_split){0};
    if (!dse_file_exists(path))
        return dse_fail(err, DSE_BAD_INPUT, "--split %s: no such file; or must be stratified, random or sklearn:SEED", path);
    DSE_TRY(dse_file_read(path, FILE_MAX, &text.data, &text.size, err));
    unsigned char *part DSE_CLEANUP(dse_free_at) = dse_calloc(items + 1, sizeof *part);
    struct reading r = {.cells = dse_cells_begin(&text, ','), .called = called, .items = items, .part = part};
    if (dse_cells_at_end(&r.cells))
        return dse_fail(err, DSE_BAD_INPUT, "%s: is empty: must have a line train, test or validation for each of the %zu %s, or the index of "
                        "each held-out one", path, items, called);
    DSE_TRY(look(&r, err));
    while (!dse_cells_at_end(&r.cells))
        DSE_TRY(take_row(&r, err));
    if (!r.indices && r.read < items)
        return dse_fail(err, DSE_BAD_INPUT, "%s: gives the part of %zu %s, but the data set has %zu", path, r.read, called, items);
    put_parts(&r, out);
    if (out->n_train > 0 && out->n_test > 0)
        return DSE_OK;
    const char *lacks = out->n_train == 0 ? "train" : "test";
    dse_split_free(out);
    return dse_fail(err, DSE_BAD_INPUT, "%s: leaves no %s to %s on", path, called, lacks);
}

enum dse_status dse_split_write(const struct dse_split *split, size_t items, const char *called, const char *path, struct dse_error *err)
{
    const int32_t *parts[] = {split->train, split->test, split->validation};
    const size_t counts[] = {split->n_train, split->n_test, split->n_validation};
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (counts[TRAIN] + counts[TEST] + counts[VALIDATION] != items)
        return dse_fail(err, DSE_BAD_USAGE, "%s: %zu of the %zu %s train or are held out, but the file has a line for each", path,
                        counts[TRAIN] + counts[TEST] + counts[VALIDATION], items, called);
    unsigned char *part DSE_CLEANUP(dse_free_at) = dse_calloc(items + 1, sizeof *part);
    for (size_t p = 0; p < UNKNOWN; p++)
        for (size_t i = 0; i < counts[p]; i++)
            part[parts[p][i]] = (unsigned char)p;
    for (size_t i = 0; i < items; i++)
        dse_strbuf_printf(&text, "%s\n", words[part[i]].word);
    return dse_file_write(path, dse_strbuf_text(&text), text.length, err);
}
