/* Common to Vivado's text reports: the header block, the table of contents, the end. */
#include <ctype.h>
#include <string.h>

#include "resources/synthesis/reading.h"

enum dse_status reading_vivado_header(const struct reading *r)
{
    struct dse_report *report = r->report;
    char *tool = reading_header(r, "Tool Version"), *parts[2] = {0};
    if (tool == NULL)
        return reading_fail(r, 0, "truncated or damaged: no \"Tool Version\" above the title");
    if (!reading_match(r, "^(\\S.*?) v\\.(\\d+\\.\\d+(?:\\.\\d+)*)", tool, parts, 2) || parts[0] == NULL)
        return reading_fail(r, 0, "the tool \"%.60s\" is not Vivado", tool);
    if (strcmp(parts[0], "Vivado") != 0)
        return reading_fail(r, 0, "a report of another tool: %.60s", parts[0]);
    report->tool = parts[0];
    report->version = parts[1];
    report->part = reading_header(r, "Device");
    report->top = reading_header(r, "Design");
    char *state = reading_header(r, "Design State");
    if (state != NULL && reading_match(r, "(?i)synth", state, NULL, 0))
        report->level = DSE_REPORT_LEVEL_SYNTHESIZED;
    else if (state != NULL && reading_match(r, "(?i)plac|rout", state, NULL, 0))
        report->level = DSE_REPORT_LEVEL_ROUTED;
    return DSE_OK;
}

/* A heading as a pattern: the section's own line, quoted. */
static bool same_heading(const char *line, const char *heading)
{
    size_t length = strlen(heading);
    return strncmp(line, heading, length) == 0 && line[length + strspn(line + length, " ")] == '\0';
}

/* An error unless every section of the table of contents follows. */
static enum dse_status check_contents(const struct reading *r)
{
    size_t contents = reading_find(r, 0, "^Table of Contents\\s*$");
    if (contents + 2 >= r->line_count)
        return reading_fail(r, 0, "truncated: no table of contents");
    size_t after = contents + 2;
    while (after < r->line_count && isdigit((unsigned char)*r->lines[after]))
        after++;
    if (after == contents + 2 || after == r->line_count)
        return reading_fail(r, contents + 1, "truncated: ends inside the table of contents");
    size_t from = after;
    for (size_t i = contents + 2; i < after; i++) {
        char heading[256];
        size_t length = strcspn(r->lines[i], "\r\n");
        if (length >= sizeof heading)
            return reading_fail(r, i + 1, "damaged: a heading of %zu characters", length);
        memcpy(heading, r->lines[i], length);
        heading[length] = '\0';
        while (length > 0 && heading[length - 1] == ' ')
            heading[--length] = '\0';
        while (from < r->line_count && !same_heading(r->lines[from], heading))
            from++;
        if (from == r->line_count)
            return reading_fail(r, i + 1, "truncated: the section \"%.80s\" of the table of contents is missing",
                                heading);
        from++;
    }
    return DSE_OK;
}

/* The number of borders among the ruled lines that end at `last`: two close a heading, three a table with rows. */
static size_t count_borders(const struct reading *r, size_t last)
{
    size_t borders = 0;
    for (size_t i = last; i > 0; i--) {
        const char *line = r->lines[i - 1] + strspn(r->lines[i - 1], " \t");
        if (*line != '+' && *line != '|')
            break;
        borders += *line == '+';
    }
    return borders;
}

enum dse_status reading_check_end(const struct reading *r)
{
    size_t last = r->line_count;
    while (last > 0 && r->lines[last - 1][strspn(r->lines[last - 1], " \t\f")] == '\0')
        last--;
    if (last == 0)
        return reading_fail(r, 0, "is empty");
    const char *line = r->lines[last - 1] + strspn(r->lines[last - 1], " \t");
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    bool border = *line == '+' && line[length - 1] == '+' && strspn(line, "+-") >= length;
    /* A border that is cut at a corner is shorter than the row above it. */
    if (border && last >= 2 && strchr(r->lines[last - 2], '|') != NULL) {
        const char *row = r->lines[last - 2] + strspn(r->lines[last - 2], " \t");
        size_t width = strlen(row);
        while (width > 0 && row[width - 1] == ' ')
            width--;
        border = width == length;
    }
    /* Vivado's tables may be empty, HLS tables are not. */
    border = border && count_borders(r, last) >= (r->report->kind == DSE_REPORT_CSYNTH_RPT ? 3 : 2);
    /* A note is directly below its table. */
    bool note = *line == '*' && last >= 2 && *r->lines[last - 2] == '+';
    /* A section of a summary without rows says so: "No pragmas found", "No bind storage info in design". */
    bool none = r->report->kind == DSE_REPORT_CSYNTH_RPT &&
                reading_match(r, "^No [A-Za-z ]+ (?:found|in design)\\.?$", line, NULL, 0);
    if (border || note || none || strncmp(line, "N/A", 3) == 0)
        return DSE_OK;
    return reading_fail(r, last, "truncated: ends inside a table or a section");
}

enum dse_status reading_check_vivado(const struct reading *r)
{
    DSE_TRY(reading_vivado_header(r));
    DSE_TRY(check_contents(r));
    return reading_check_end(r);
}
