/* Why nothing fits, for people and for programs. */
#pragma once

#include "reports/estimate.h"
#include "search/why.h"

struct dse_why_report {
    const struct dse_question *question;
    const char *dataset;
    const struct dse_why *why;
    const char *message; /* the one line */
    const char *refusal; /* why something cannot be built, whatever the board is; "" where nobody knows */
    double load_s, least_load_s; /* of a limit on p99_load that nothing holds which holds all else: the limit, and a lower bound of what can be had; 0: none */
};

/* "nysx-dse.infeasible/1": "message", "feasible": 0, "why": [{"constraint", "conflict", "impossible",
 * "reachable", "suffices", "asked", "needed", "config"}] of the constraints that bind, by conflict, "nearest": {"constraint", "ratio", "metrics", "config"}, "refusal"; of
 * --where with an or of limits these are of the side that comes nearest, and "sides": [{"where", "why", "nearest", …}] has them all. */
json_t *dse_why_json(const struct dse_why_report *report);

/* A table of the constraints that bind, the nearest miss and what to change. */
void dse_why_write(const struct dse_why_report *report, size_t width, struct dse_strbuf *out);
