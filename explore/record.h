/* Connects a request to its study: storage and resumption. */
#pragma once

#include "core/strbuf.h"
#include "explore/terms.h"
#include "explore/workbench.h"
#include "search/study.h"

/* Fails if "study" and "resume" cannot be satisfied, before anything is measured. */
enum dse_status dse_record_check(const struct dse_request *request, const char *command, const struct dse_terms *terms, struct dse_error *err);

/* Opens the study named by "study" (NULL without it). It is for these boards, data sets and all words that the answer depends on, with the terms'
 * objectives and method (NULL: without). `command` names the caller. */
enum dse_status dse_record_begin(const struct dse_request *request, const struct dse_workbench *bench, const char *command,
                                 const struct dse_terms *terms, struct dse_study **out, struct dse_error *err);

/* The published design under a study's question, as dse_question_baseline() has it under a request's. */
enum dse_status dse_record_baseline(const struct dse_study *study, const struct dse_board *board, const struct dse_profile *profile,
                                    struct dse_config *out, struct dse_error *err);

/* Command line of an equivalent request. */
void dse_record_command(const struct dse_request *request, const char *command, struct dse_strbuf *out);
