/* From a study to its page: the designs of its fronts evaluated again, the paper's beside the chosen ones. */
#pragma once

#include "reports/page.h"
#include "search/study.h"

struct dse_study_page;

/* Evaluates the fronts with the boards and profiles that the study holds and the costs that are installed. `choose` is the ID
 * of the design to begin with, or 0 for the most balanced of each front. DSE_ANSWER_NO if no front has a design,
 * DSE_BAD_USAGE if `choose` is on no front. O(points). */
enum dse_status dse_study_page_make(struct dse_study *study, int64_t choose, struct dse_study_page **out,
                                     struct dse_error *err);
void dse_study_page_free(struct dse_study_page *page); /* NULL is fine */

/* The page, as reports/page.h takes it; belongs to `page`. */
const struct dse_page *dse_study_page_contents(const struct dse_study_page *page);

/* Points whose metrics came out otherwise than the study holds: what is installed is not what the study was made with. */
size_t dse_study_page_changed(const struct dse_study_page *page);
