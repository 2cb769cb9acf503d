/* Every design of a small space, one after the other. */
#pragma once

#include "search/search.h"

/* Sees a design that can be built. `fits`: it holds the board's caps; the question's limits are not looked at. */
typedef void dse_design_visitor(void *user, const struct dse_point *point, bool fits);

/* Shows all of a question's designs, in the same order each time. The question has tables. O(space). DSE_CANCELLED. */
enum dse_status dse_question_each(const struct dse_question *question, dse_design_visitor *visit, void *user, struct dse_error *err);
