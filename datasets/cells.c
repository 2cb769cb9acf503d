#include "datasets/cells.h"

#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/scan.h"

struct dse_cells dse_cells_begin(const struct dse_text *text, char separator)
{
    struct dse_cells cells = {.text = text, .at = text->data, .end = text->data + text->size, .line = 1, .separator = separator};
    if (text->size >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0)
        cells.at += 3;
    return cells;
}

bool dse_cells_at_end(const struct dse_cells *cells)
{
    const char *at = cells->at;
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
    return at == cells->end;
}

static bool is_blank(const struct dse_cells *cells, char c)
{
    return c == ' ' || (c == '\t' && cells->separator != '\t');
}

static void skip_blanks(struct dse_cells *cells)
{
    while (is_blank(cells, *cells->at))
        cells->at++;
}

static bool at_line_end(const struct dse_cells *cells)
{
    return *cells->at == '\n' || *cells->at == '\r' || cells->at == cells->end;
}

/* Steps over LF, CRLF or CR. */
static void step_line(struct dse_cells *cells)
{
    if (cells->at == cells->end)
        return;
    cells->at += cells->at[0] == '\r' && cells->at[1] == '\n' ? 2 : 1;
    cells->line++;
}

static enum dse_status take_quoted(struct dse_cells *cells, struct dse_cell *cell, struct dse_error *err)
{
    cell->quoted = true;
    cell->start = ++cells->at;
    for (; cells->at < cells->end; cells->at++) {
        if (*cells->at == '\n' || (*cells->at == '\r' && cells->at[1] != '\n'))
            cells->line++;
        if (*cells->at != '"')
            continue;
        if (cells->at[1] != '"')
            break;
        cells->at++;
    }
    if (cells->at == cells->end)
        return dse_fail_at(err, DSE_BAD_INPUT, cells->text->name, cell->line, "a quote (\") begins here and is never closed");
    cell->length = (size_t)(cells->at - cell->start);
    cells->at++;
    return DSE_OK;
}

static void take_plain(struct dse_cells *cells, struct dse_cell *cell)
{
    cell->start = cells->at;
    while (!at_line_end(cells) && *cells->at != cells->separator && !(cells->separator == ' ' && *cells->at == '\t'))
        cells->at++;
    const char *end = cells->at;
    while (end > cell->start && is_blank(cells, end[-1]))
        end--;
    cell->length = (size_t)(end - cell->start);
}

enum dse_status dse_cells_next(struct dse_cells *cells, struct dse_cell *cell, struct dse_error *err)
{
    skip_blanks(cells);
    *cell = (struct dse_cell){.start = cells->at, .line = cells->line};
    if (*cells->at == '"')
        DSE_TRY(take_quoted(cells, cell, err));
    else
        take_plain(cells, cell);
    bool blank_behind = is_blank(cells, *cells->at);
    skip_blanks(cells);
    cell->last = at_line_end(cells);
    if (cell->last) {
        step_line(cells);
        return DSE_OK;
    }
    if (cells->separator == ' ' && blank_behind)
        return DSE_OK;
    if (cells->separator == ' ' || *cells->at != cells->separator)
        return dse_fail_at(err, DSE_BAD_INPUT, cells->text->name, cells->line,
                           "text after the closing quote (\") of a cell");
    cells->at++;
    return DSE_OK;
}

bool dse_cell_number(const struct dse_cells *cells, const struct dse_cell *cell, double *value)
{
    const char *at = cell->start, *end = cell->start + cell->length;
    while (cell->quoted && at < end && *at == ' ')
        at++;
    while (cell->quoted && end > at && end[-1] == ' ')
        end--;
    struct dse_scan scan = {.text = cells->text, .line_start = at, .at = at, .end = cells->end, .line = cell->line};
    return at < end && *at != ' ' && *at != '\t' && dse_scan_real(&scan, value) && scan.at == end;
}

bool dse_cell_missing(const struct dse_cell *cell)
{
    static const char *const words[] = {"", "NA", "N/A", "NaN", "null", "?"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == cell->length && strncasecmp(words[i], cell->start, cell->length) == 0)
            return true;
    return false;
}

char *dse_cell_text(const struct dse_cell *cell, size_t most)
{
    char *text = dse_malloc((cell->length < most ? cell->length : most) + 1);
    size_t used = 0, i = 0;
    while (i < cell->length && used < most) {
        const unsigned char *at = (const unsigned char *)cell->start + i;
        size_t length = dse_utf8_length(at, cell->length - i);
        if (used + length > most)
            break;
        if (length <= 1) {
            text[used++] = length == 0 ? '?' : *at < ' ' ? ' ' : (char)*at;
            i++;
        } else {
            memcpy(text + used, at, length);
            used += length;
            i += length;
        }
        if (cell->quoted && *at == '"' && i < cell->length && cell->start[i] == '"')
            i++;
    }
    text[used] = '\0';
    return text;
}
