/* The published half of `validate`: which data sets it needs, and how its rows are shown. */
#ifndef DSE_DSE_PUBLISHED_FORMS_H
#define DSE_DSE_PUBLISHED_FORMS_H

#include <jansson.h>

#include "core/strbuf.h"
#include "dse/cli.h"
#include "validation/validation.h"

/* Opens what --dataset and --predict name (or, without either, every set that has published figures, by name) and predicts
 * its published rows. */
enum dse_status dse_published_run(const struct dse_cli *cli, const struct dse_validation_ground *ground,
                                  struct dse_validation *out, struct dse_published_story *story, struct dse_error *err);

/* The keys of a row that only published ones have: the band, the column without constants, the floor, the note. */
void dse_published_row_json(const struct dse_validation_row *row, json_t *object);

/* Latency, power and energy of the published sets taken together (the publication's Tables 6 and 7) as one summary, in both
 * columns and without the rows that break the stated bandwidth's floor; NULL where there is no such row. */
json_t *dse_published_pooled_json(const struct dse_validation *rows);

/* Constants and the parts of the one design: keys "fit" and "design" of the whole. */
void dse_published_story_json(const struct dse_validation_data *figures, const struct dse_published_story *story,
                              json_t *object);

/* Rows as a table; nothing without rows. */
void dse_validation_rows_write(const struct dse_validation *rows, struct dse_strbuf *out);

/* The same, and below it the constants, and the design's parts where a resource is over a tenth off. */
void dse_published_write(const struct dse_validation_data *figures, const struct dse_validation *rows,
                         const struct dse_published_story *story, size_t width, struct dse_strbuf *out);

#endif
