/* From a request to its study: what is kept, and where a search goes on. */
#pragma once

#include "core/strbuf.h"
#include "explore/terms.h"
#include "explore/workbench.h"
#include "search/study.h"

/* Fails where "study" and "resume" cannot be followed, before anything is measured for them. */
enum dse_status dse_record_check(const struct dse_request *request, const char *command, const struct dse_terms *terms, struct dse_error *err);

/* Opens the study that "study" names (NULL without it): for these boards and data sets and every word that the answer
 * depends on, with the objectives and (NULL: without) the method of the terms. `command` is what asks. */
enum dse_status dse_record_begin(const struct dse_request *request, const struct dse_workbench *bench, const char *command,
                                 const struct dse_terms *terms, struct dse_study **out, struct dse_error *err);

/* The published design under a study's question, as dse_question_baseline() has it under a request's. */
enum dse_status dse_record_baseline(const struct dse_study *study, const struct dse_profile *profile, struct dse_config *out,
                                    struct dse_error *err);

/* The command line that asks the same. */
void dse_record_command(const struct dse_request *request, const char *command, struct dse_strbuf *out);
