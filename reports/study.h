/* A study for people and for programs. */
#pragma once

#include <jansson.h>

#include "reports/json.h"
#include "search/study.h"

/* "nysx-dse.study/1": what was asked, the inputs with their hashes, each exploration with its front (every point with its
 * metrics and engines), and the accuracies. Nothing in it depends on how fast, in how many pieces or with how many jobs it
 * was found: equal questions give equal bytes. The caller's reference. */
enum dse_status dse_study_json(struct dse_study *study, json_t **out, struct dse_error *err);

/* The points of all fronts, every number; `all` adds those that were driven from them; `only` ("3-9,12": IDs) leaves out others,
 * NULL none. DSE_BAD_USAGE for what is no such list, and for IDs of no point that is listed. O(points × parts of the list). */
enum dse_status dse_study_write_csv(struct dse_study *study, bool all, const char *only, struct dse_strbuf *out,
                                    struct dse_error *err);

/* The question of a study and how far it has come, without its points: "nysx-dse.study-summary/1", the caller's reference; a line an exploration. */
enum dse_status dse_study_summary_json(struct dse_study *study, json_t **out, struct dse_error *err);
enum dse_status dse_study_summary_csv(struct dse_study *study, struct dse_strbuf *out, struct dse_error *err);

/* The same for people. */
enum dse_status dse_study_write(struct dse_study *study, size_t width, struct dse_strbuf *out, struct dse_error *err);
