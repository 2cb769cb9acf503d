/* The options that several commands share. */
#ifndef DSE_DSE_OPTIONS_H
#define DSE_DSE_OPTIONS_H

#include "dse/cli.h"

/* For their tables. The words are those of a request (explore/request.h). */
/* Family, boards and data sets in detail: of every command that evaluates designs. */
#define DSE_FROM_OPTION \
    {.name = "from", .argument = "STUDY:POINT",                                                              \
     .help = "the configuration of a study's point (its number, #rank, best, fastest, least-energy, smallest or "  \
             "most-accurate), with its board and data set where none are named"}

#define DSE_FLOW_OPTION \
    {.name = "flow", .argument = "hls|rtl",                                                                  \
     .help = "the accelerator that high-level synthesis makes, or the one in SystemVerilog (default hls)"}

#define DSE_DESIGN_OPTIONS \
    {.name = "set", .argument = "KNOB=VALUE", .repeatable = true,                                            \
     .help = "a knob of the configuration (default: that of --from, or the paper's design at the data set's preset)"},          \
    {.name = "space", .argument = "FILE.xml", .help = "the family's knobs and domains, in place of the shipped ones"}, \
    {.name = "headroom", .argument = "SHARE",                                                                \
     .help = "share of every resource to keep free, 0 to 0.95 (default: what the board's file says)"},       \
    {.name = "calibration", .argument = "FILE.xml|none",                                                     \
     .help = "cost factors fitted by `calibrate` (default: those that `calibrate --apply` keeps for the board)"}, \
    DSE_FLOW_OPTION

#define DSE_WORKBENCH_OPTIONS DSE_FROM_OPTION, DSE_DESIGN_OPTIONS

/* What is asked: `sweep`, `optimize`, `emit`. */
#define DSE_TERMS_OPTIONS                                                                                   \
    {.name = "where", .argument = "EXPR", .repeatable = true,                                                \
     .help = "limits on metrics and knobs: 'latency<=0.5ms && bram18<=50% && nee.lanes>=16'; the quality is "     \
             "`accuracy`, and what it lacks to 1 `error`"},                                                      \
    {.name = "fix", .argument = "KNOB[=VALUE]", .repeatable = true,                                          \
     .help = "keep a knob at a value (without one: the paper's, or the preset's)"},                          \
    {.name = "free", .argument = "KNOB", .repeatable = true,                                                 \
     .help = "try every value of an algorithmic knob's domain, also settings that nobody has measured: those that may reach " \
             "the front are trained and measured"},                                                          \
    {.name = "seeds", .argument = "N",                                                                       \
     .help = "trainings for each setting that is measured (default: as many as the profile's, or 3)"},       \
    {.name = "quality-drop", .argument = "X",                                                                \
     .help = "how far the mean quality may fall below the preset's (default 0.01), or none; it must be above "  \
             "what a constant answer reaches too. A limit on quality replaces the rule"}

#define DSE_OBJECTIVE_OPTIONS                                                                                \
    {.name = "minimize", .argument = "METRIC", .help = "what the best design has the least of: latency, energy, bram18, …"}, \
    {.name = "maximize", .argument = "METRIC", .help = "what it has the most of: throughput or quality"}

#define DSE_BUDGET_OPTION                                                                                    \
    {.name = "budget", .argument = "TIME|N",                                                                 \
     .help = "what a search may take for each board and data set: a time as 10s or 5min, after which the best so far is the " \
             "answer, not proven; of the heuristic also a number of evaluations (default 200000). Where settings are "   \
             "measured: the time for measuring"}

#define DSE_COMBINE_OPTIONS                                                                                  \
    {.name = "combine", .argument = "mean|worst|weighted",                                                   \
     .help = "look for one design for all data sets, judged by the mean, the worst or the weighted mean of their metrics"}, \
    {.name = "weight", .argument = "DATASET=W", .repeatable = true,                                          \
     .help = "with --combine weighted: how much a data set counts (default 1)"}

#define DSE_STUDY_OPTIONS                                                                                    \
    {.name = "study", .argument = "FILE.db",                                                                 \
     .help = "keep what is found in this file, point by point, with its inputs and their hashes"},           \
    {.name = "resume", .help = "go on with the study of --study where it was ended; the same question only"}

#define DSE_MEASURING_OPTIONS                                                                                \
    {.name = "measure", .help = "train and measure at settings that the profile lacks; needs the data set"}, \
    {.name = "runs", .argument = "N",                                                                        \
     .help = "with --measure: trainings a setting, with seeds that count up from --seed (default 10)"}

#define DSE_FIGURE_OPTIONS                                                                                   \
    {.name = "size", .argument = "WxH", .help = "of each chart: 85x60mm, 3.3x2.5in, 1000x640 (points)"},     \
    {.name = "dpi", .argument = "N", .help = "pixels an inch of a .png (default 72: one a point)"},          \
    {.name = "font", .argument = "NAME", .help = "the font (default DejaVu Sans)"},                          \
    {.name = "text", .argument = "POINTS", .help = "its size (default: by the width, up to 17)"},            \
    {.name = "data", .argument = "FILE.csv", .help = "the data behind the picture, too", .written = true}

#endif
