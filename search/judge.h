/* Designs of a question one at a time, for searches at random and for optimisers outside this library. */
#pragma once

#include "core/strbuf.h"
#include "search/search.h"

struct dse_verdict {
    bool built, fits, holds; /* no block rejects it; its resources suffice; limits and conditions hold */
    double violation;        /* 0: feasible; infinity: not built; else the sum of shares by which caps and limits are exceeded, and 1 for a clock or
                              * conditions that do not hold */
    char refusal[256];       /* of a design that is not built, the block's reason */
    struct dse_platform platform;
    struct dse_accumulators sums;
    double metrics[DSE_METRIC_COUNT]; /* of a design that is built */
};

/* Keeps the blocks' costs that it has computed, and is for one thread. The question is borrowed; its evaluator is asked where it has one. */
struct dse_judge;
enum dse_status dse_judge_open(const struct dse_question *question, struct dse_judge **out, struct dse_error *err);
void dse_judge_close(struct dse_judge **judge); /* for DSE_CLEANUP too */

/* Makes `config` canonical and judges it with the work of `alternative`. O(blocks) where the costs are known. */
enum dse_status dse_judge_design(struct dse_judge *judge, struct dse_config *config, size_t alternative, struct dse_verdict *out,
                                 struct dse_error *err);

/* The cycles that a block of a judged design is busy, in the stage where it is so the longest; 0 where its cost is not kept. */
int64_t dse_judge_busy(struct dse_judge *judge, size_t block, const struct dse_config *config, size_t alternative);

/* The binding constraints of a design that is not feasible: each as found and its bound: "lut 300 of 200, latency_s 0.0002, limit <= 0.0001". */
void dse_verdict_why(const struct dse_question *question, const struct dse_verdict *verdict, struct dse_strbuf *out);
