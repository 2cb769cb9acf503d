/* Judges designs of a question one at a time, for random searches and external optimisers. */
#pragma once

#include "core/strbuf.h"
#include "search/search.h"

struct dse_verdict {
    bool built, fits, holds; /* no block rejects it; its resources suffice; limits and conditions hold */
    double violation;        /* 0: feasible; infinity: not built; otherwise the sum of shares by which caps and limits are exceeded, plus 1 for a clock or
                              * conditions that do not hold */
    char rejection[256];       /* if not built: the block's reason */
    struct dse_platform platform;
    struct dse_accumulators sums;
    double metrics[DSE_METRIC_COUNT]; /* if built */
};

/* Caches the blocks' costs; not thread-safe. The question is borrowed; its evaluator is used if it has one. */
struct dse_judge;
enum dse_status dse_judge_open(const struct dse_question *question, struct dse_judge **out, struct dse_error *err);
void dse_judge_close(struct dse_judge **judge); /* usable with DSE_CLEANUP */

/* Makes `config` canonical and judges it with the workload of `alternative`. O(blocks) with cached costs. */
enum dse_status dse_judge_design(struct dse_judge *judge, struct dse_config *config, size_t alternative, struct dse_verdict *out,
                                 struct dse_error *err);

/* Busy cycles of a block of a judged design, in its longest stage; 0 if its cost is not cached. */
int64_t dse_judge_busy(struct dse_judge *judge, size_t block, const struct dse_config *config, size_t alternative);

/* Binding constraints of an infeasible design, each with value and bound: "lut 300 of 200, latency_s 0.0002, limit <= 0.0001". */
void dse_verdict_why(const struct dse_question *question, const struct dse_verdict *verdict, struct dse_strbuf *out);
