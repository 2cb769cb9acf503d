/* report_power. */
#include "resources/synthesis/reading.h"

static const struct {
    const char *pattern;
    size_t offset; /* offset of the member of struct dse_report */
} rows[] = {
    {"^Total On-Chip Power \\(W\\)", offsetof(struct dse_report, power_w)},
    {"^Dynamic \\(W\\)", offsetof(struct dse_report, dynamic_power_w)},
    {"^Device Static \\(W\\)", offsetof(struct dse_report, static_power_w)},
};

enum dse_status read_power(struct reading *r)
{
    DSE_TRY(reading_check_vivado(r));
    size_t line = reading_find(r, 0, "^\\|\\s*Total On-Chip Power \\(W\\)\\s*\\|");
    if (line == r->line_count)
        return reading_fail(r, 0, "truncated or damaged: no total power");
    /* The summary has no heading: each row is a name and a value. */
    for (; line < r->line_count && *r->lines[line] == '|'; line++) {
        char *parts[2] = {0};
        if (!reading_match(r, "^\\|\\s*(.*?)\\s*\\|\\s*(.*?)\\s*\\|", r->lines[line], parts, 2) ||
            parts[0] == NULL || parts[1] == NULL)
            return reading_fail(r, line + 1, "damaged: no name and value in this row of the summary");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            if (!reading_match(r, rows[i].pattern, parts[0], NULL, 0))
                continue;
            double *value = (double *)(void *)((char *)r->report + rows[i].offset);
            DSE_TRY(reading_count(r, line + 1, parts[1], value));
        }
    }
    return DSE_OK;
}
