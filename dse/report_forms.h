/* Synthesis reports as people and programs read them: a table, JSON (nysx-dse.calibrate/1) and CSV. */
#ifndef DSE_DSE_REPORT_FORMS_H
#define DSE_DSE_REPORT_FORMS_H

#include <jansson.h>

#include "core/strbuf.h"
#include "dse/cli.h"
#include "resources/synthesis/report.h"

/* One file that was to be read: either its report or why there is none. */
struct dse_report_row {
    const char *file;
    struct dse_report *report; /* NULL where it was refused */
    struct dse_error error;
};

/* {"reports": […]} as docs and tests expect it; a new reference, NULL when memory runs out. */
json_t *dse_report_rows_json(const struct dse_report_row *rows, size_t count);

/* `fit`, of which a reference is taken, joins the JSON as "fit"; may be NULL. */
void dse_report_rows_write(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count,
                           enum dse_format format, json_t *fit);

#endif
