/* A study as text, JSON and CSV. */
#pragma once

#include <jansson.h>

#include "reports/json.h"
#include "search/study.h"

/* "nysx-dse.study/1": the question, the inputs with their hashes, each exploration with its front (every point with
 * metrics and engines), and the accuracies. Independent of speed, interruptions and number of jobs: equal questions
 * give equal bytes. Owned by the caller. */
enum dse_status dse_study_json(struct dse_study *study, json_t **out, struct dse_error *err);

/* Points of all fronts with every number; `all` adds dominated points; `only` ("3-9,12": IDs) selects points,
 * NULL: all. DSE_BAD_USAGE for an invalid list or IDs of points that are not listed. O(points × parts of the list). */
enum dse_status dse_study_write_csv(struct dse_study *study, bool all, const char *only, struct dse_strbuf *out,
                                    struct dse_error *err);

/* Question and progress of a study, without points: "nysx-dse.study-summary/1", owned by the caller; one line per exploration. */
enum dse_status dse_study_summary_json(struct dse_study *study, json_t **out, struct dse_error *err);
enum dse_status dse_study_summary_csv(struct dse_study *study, struct dse_strbuf *out, struct dse_error *err);

/* Question and progress as dse_study_summary_json, for people. */
enum dse_status dse_study_write(struct dse_study *study, size_t width, struct dse_strbuf *out, struct dse_error *err);
