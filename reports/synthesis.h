/* Synthesis reports as people and programs read them: a table, JSON (nysx-dse.calibrate/1) and CSV. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "resources/synthesis/report.h"

/* One file that was to be read: either its report or why there is none. */
struct dse_report_row {
    const char *file;
    struct dse_report *report; /* NULL where it was rejected */
    struct dse_error error;
};

/* The three forms; the JSON is {"reports": […]}, and `fit`, of which a reference is taken, joins it as "fit" and may be NULL. */
void dse_synthesis_write_json(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count, json_t *fit);
void dse_synthesis_write_csv(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count);
void dse_synthesis_write(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count);
