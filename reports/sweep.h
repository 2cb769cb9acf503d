/* The answer of a sweep. */
#pragma once

#include "core/sink.h"
#include "explore/exploration.h"
#include "reports/estimate.h"

/* A sweep and what of it is shown. Nothing is owned. */
struct dse_sweep_report {
    const struct dse_exploration *exploration; /* with a front */
    const char *command; /* what asked: "sweep" */
    /* Designs that tables show besides the corners; 0: none. */
    size_t best;  /* most balanced designs */
    size_t shown; /* rows of the front; the rest is counted */
    bool compact; /* of each design of the front its knobs, its metrics and its quality alone, on a line */
};

/* How much of a front went out: less than all of it after an interruption, which leaves 0.02 s for writing. */
struct dse_sweep_written {
    size_t written, of; /* added to */
};

/* Writes "nysx-dse.sweep/1": the request, "method", "proven", counts, "corners", "provenance", and "best" and "front" with one
 * estimate per point, its "rank" by balance and its "corners". Indented by `depth` blanks, as dse_json_add_at. At depth 0
 * the caller adds further members and the closing brace. The text goes to the sink piece by piece. */
enum dse_status dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, const struct dse_sink *sink,
                                     struct dse_sweep_written *count, struct dse_error *err);

/* The corners, in 25 lines of 80 characters, and the tables that are asked for. */
void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out);

/* The front, every number, in the same way; `headed` with the line of headings. Behind the columns of an estimate stand "rank", "corners",
 * and, in the first row, "provenance" as JSON. */
enum dse_status dse_sweep_write_csv(const struct dse_sweep_report *report, bool headed, const struct dse_sink *sink,
                                    struct dse_sweep_written *count, struct dse_error *err);

/* The provenance of an answer: enough to ask the same again, and to see whether it was the same. The caller's reference. */
json_t *dse_sweep_provenance(const struct dse_sweep_report *report);

/* The part of it that is not of one data set: program, version, command, seed, limits, headroom and the board's hash. */
json_t *dse_question_provenance(const struct dse_request *request, const char *command, const struct dse_question *question);

/* The part of it that is: "floor" and "data_hash". */
void dse_dataset_provenance(const struct dse_exploration *exploration, json_t *object);

/* The same but the front, open for "front" to follow. */
void dse_sweep_write_head(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out);
