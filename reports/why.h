/* Explanation of infeasibility, for people and programs. */
#pragma once

#include "reports/estimate.h"
#include "search/question.h"
#include "search/why.h"

struct dse_why_report {
    const struct dse_question *question;
    const char *dataset, *quality; /* the quality's own name, "accuracy" */
    const struct dse_why *why;
    const char *message; /* one-line message */
    const char *rejection; /* reason why something cannot be built on any board; "" if unknown */
    const struct dse_choice_count *choices; /* NULL: no quality rule */
    double load_s, least_load_s; /* for a p99_load limit that no otherwise feasible design meets: the limit, and the value of the nearest simulated design, or a bound of what is possible; 0: none */
};

/* "nysx-dse.infeasible/1": "message", "feasible": 0, "why": [{"constraint", "conflict", "impossible", "reachable", "suffices", "asked", "needed",
 * "config"}] of the binding constraints, by conflict, "nearest": {"constraint", "ratio", "metrics", "config"}, "refusal", "rule": {"excluded", "floor", "quality", "drop", "config"} if the quality rule excludes every feasible design: the settings
 * excluded, the least mean, that of the best feasible design, and the --quality-drop that allows it. If --where is a disjunction
 * of limits, these are of the nearest branch. "sides": [{"where", "why", "nearest", …}] then has all branches. */
json_t *dse_why_json(const struct dse_why_report *report);

/* Table of the binding constraints, the nearest miss, and what to change. */
void dse_why_write(const struct dse_why_report *report, size_t width, struct dse_strbuf *out);
