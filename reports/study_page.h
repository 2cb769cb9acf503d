/* Converts a study to its page: re-evaluates the designs of its fronts, and the published design beside the chosen ones. */
#pragma once

#include "reports/page.h"
#include "search/study.h"

struct dse_study_page;

/* Evaluates the fronts with the study's boards and profiles and the installed costs. `choose` is the ID
 * of the design to begin with, or 0 for the most balanced of each front. DSE_ANSWER_NO if no front has a design,
 * DSE_BAD_USAGE if `choose` is on no front. O(points). */
enum dse_status dse_study_page_make(struct dse_study *study, int64_t choose, struct dse_study_page **out,
                                     struct dse_error *err);
void dse_study_page_free(struct dse_study_page *page); /* accepts NULL */

/* The page for reports/page.h; owned by `page`. */
const struct dse_page *dse_study_page_contents(const struct dse_study_page *page);

/* Number of points whose metrics differ from the study: the installed costs are not those of the study. */
size_t dse_study_page_changed(const struct dse_study_page *page);
