/* Visits every design of a small space. */
#pragma once

#include "search/search.h"

typedef enum dse_status dse_config_visitor(void *user, const struct dse_config *config, size_t alternative, struct dse_error *err);

/* Visits each configuration of each alternative, whether it can be built or not. DSE_CANCELLED, or the visitor's status other than DSE_OK. */
enum dse_status dse_question_configs(const struct dse_question *question, dse_config_visitor *visit, void *user, struct dse_error *err);

/* Receives a design that can be built. `fits`: it meets the board's caps; limits and conditions on metrics are not checked. */
typedef void dse_design_visitor(void *user, const struct dse_point *point, bool fits);

/* Visits all designs of a question in a fixed order, by its tables or by its evaluator if it has one. O(space). DSE_CANCELLED. */
enum dse_status dse_question_each(const struct dse_question *question, dse_design_visitor *visit, void *user, struct dse_error *err);
