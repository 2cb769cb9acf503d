/* The answer of a sweep. */
#pragma once

#include "core/sink.h"
#include "explore/exploration.h"
#include "reports/estimate.h"

/* A sweep, and the parts to show. Owns nothing. */
struct dse_sweep_report {
    const struct dse_exploration *exploration; /* must have a front */
    const char *command; /* calling command: "sweep" */
    /* Designs in tables besides the corners; 0: none. */
    size_t best;  /* most balanced designs */
    size_t shown; /* rows of the front; the rest is counted */
    bool compact; /* one line per design of the front, with knobs, metrics and quality only */
};

/* Part of a front that was written: incomplete after an interruption, which leaves 0.02 s for writing. */
struct dse_sweep_written {
    size_t written, of; /* both are incremented */
};

/* Writes "nysx-dse.sweep/1": the request, "method", "proven", counts, "corners", "provenance", and "best" and "front" with one
 * estimate per point, its "rank" by balance and its "corners". Indented by `depth` blanks, as in dse_json_add_at. At depth 0
 * the caller adds further members and the closing brace. The text goes to the sink piece by piece. */
enum dse_status dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, const struct dse_sink *sink,
                                     struct dse_sweep_written *count, struct dse_error *err);

/* The corners, in at most 25 lines of 80 characters, and the requested tables. */
void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out);

/* The front with every number, also piece by piece; `headed`: with a header line. The columns of an estimate are followed by "rank", "corners"
 * and, in the first row, "provenance" as JSON. */
enum dse_status dse_sweep_write_csv(const struct dse_sweep_report *report, bool headed, const struct dse_sink *sink,
                                    struct dse_sweep_written *count, struct dse_error *err);

/* Provenance of an answer: sufficient to repeat the question and to compare the answers. Owned by the caller. */
json_t *dse_sweep_provenance(const struct dse_sweep_report *report);

/* The part of the provenance common to all data sets: program, version, command, seed, limits, headroom and the board's hash. */
json_t *dse_question_provenance(const struct dse_request *request, const char *command, const struct dse_question *question);

/* The part of the provenance for one data set: "floor" and "data_hash". */
void dse_dataset_provenance(const struct dse_exploration *exploration, json_t *object);

/* The answer without its front, open for "front" to follow. */
void dse_sweep_write_head(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out);
