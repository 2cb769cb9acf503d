/* Quality on demand for `sweep` and `optimize`: which settings may be measured, and measuring those that matter. */
#ifndef DSE_DSE_DEMANDING_H
#define DSE_DSE_DEMANDING_H

#include "dse/asking.h"
#include "search/demand.h"
#include "search/study.h"

/* A search that finds the front of a question. */
typedef enum dse_status dse_front_search(void *user, const struct dse_question *question, struct dse_answer *answer,
                                         struct dse_error *err);

/* Answers the asking's question: its measured settings by the search, then those that may have to be measured (of a data set
 * without a profile, and of --free), as search/demand.h says. Keeps everything in the study (NULL: nothing), and takes up
 * what is there. After it the asking's profile holds what was measured; `remark` says how many settings there were and what
 * became of them, "" without any. */
enum dse_status dse_demanding_answer(struct dse_asking *asking, struct dse_study *study, size_t exploration,
                                     dse_front_search *search, void *user, struct dse_answer *answer,
                                     char remark[256], struct dse_error *err);

#endif
