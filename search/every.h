/* Every design of a small space, one after the other. */
#pragma once

#include "search/search.h"

typedef enum dse_status dse_config_visitor(void *user, const struct dse_config *config, size_t alternative, struct dse_error *err);

/* Shows each configuration of each alternative, whether it can be built or not. DSE_CANCELLED, and what the visitor returns but DSE_OK. */
enum dse_status dse_question_configs(const struct dse_question *question, dse_config_visitor *visit, void *user, struct dse_error *err);

/* Sees a design that can be built. `fits`: it holds the board's caps; the question's limits and its conditions on metrics are not looked at. */
typedef void dse_design_visitor(void *user, const struct dse_point *point, bool fits);

/* Shows all of a question's designs, in the same order each time: by its tables or, where it has one, by its evaluator. O(space). DSE_CANCELLED. */
enum dse_status dse_question_each(const struct dse_question *question, dse_design_visitor *visit, void *user, struct dse_error *err);
