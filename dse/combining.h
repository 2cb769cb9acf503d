/* --combine: one design for several data sets, for `sweep` and `optimize`. */
#ifndef DSE_DSE_COMBINING_H
#define DSE_DSE_COMBINING_H

#include "dse/asking.h"

#define DSE_COMBINE_OPTIONS                                                                                  \
    {.name = "combine", .argument = "mean|worst|weighted",                                                   \
     .help = "look for one design for all data sets, judged by the mean, the worst or the weighted mean of their metrics"}, \
    {.name = "weight", .argument = "DATASET=W", .repeatable = true,                                          \
     .help = "with --combine weighted: how much a data set counts (default 1)"}

/* What is asked besides: `one` for the best design alone. */
struct dse_combining_job {
    const struct dse_asked *asked;
    const char *command, *objectives;
    const char *method; /* as given, NULL where not */
    bool one;
    size_t best, shown;
};

/* Opens the workbench, answers and prints for each board. Settings of data sets belong together where they are the same but
 * for the knobs in which the data sets' presets differ, and there each is its own preset's. DSE_BAD_USAGE for one data set
 * alone, for a method that cannot, and for --free. */
enum dse_status dse_combining_run(const struct dse_cli *cli, const struct dse_combining_job *job,
                                  struct dse_error *err);

#endif
