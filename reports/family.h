/* Output of `family`: derivation of a design's figures, the parts available to files, and the findings of a file check. */
#pragma once

#include "models/estimate.h"
#include "reports/format.h"
#include "reports/table.h"

/* One line of an explanation. */
struct dse_family_line {
    const char *block;   /* "" for the whole design */
    const char *part;    /* "loop", "let", "sum", "cost entry", "metric" */
    const char *what;    /* "trips", "busy cycles of layer1" */
    int64_t line;        /* line in the file; 0: none */
    double value;        /* NaN: a word */
    const char *unit;
    const char *formula; /* "rows * steps", or NULL */
    const char *numbers; /* "1024 * 128", or NULL */
    const char *source;  /* source of a cost entry or a constant, or NULL */
};

struct dse_family_lines {
    struct dse_family_line *line; /* count */
    size_t count;
    struct dse_arena texts;
};
void dse_family_lines_free(struct dse_family_lines *lines);

/* For a described family, every formula with its numbers; for any family, each block's loops, sums and cost entries, and the resulting
 * metrics. DSE_ANSWER_NO if the design cannot be built. */
enum dse_status dse_family_explain(const struct dse_setup *setup, const struct dse_config *config, struct dse_family_lines *out,
                                   struct dse_error *err);
void dse_family_write_lines(const struct dse_setup *setup, const struct dse_config *config, const struct dse_family_lines *lines,
                            enum dse_format format, struct dse_strbuf *out);

/* Published cases of a described family and its predictions; `worst` receives the largest error of a stated figure.
 * DSE_ANSWER_NO if a case cannot be built, DSE_BAD_USAGE if the family states no case. */
enum dse_status dse_family_published(const struct dse_model_family *family, enum dse_format format, size_t width, double *worst, struct dse_strbuf *out,
                                     struct dse_error *err);

/* All parts available to files, with arguments; names of operators, structures and storage with their cost entries in `costs`. */
void dse_family_parts(const struct dse_costs *costs, enum dse_format format, size_t width, struct dse_strbuf *out);

/* Report on a valid file: size, rows of its blocks' tables, and remarks. `tried` random designs were tested, of which
 * `rejected` cannot be built. */
struct dse_family_tried {
    size_t tried, rejected;
    char reason[256]; /* reason of the first rejection */
};
void dse_family_write_check(const struct dse_model_family *family, const struct dse_space *space, const struct dse_family_tried *tried,
                            enum dse_format format, size_t width, struct dse_strbuf *out);
