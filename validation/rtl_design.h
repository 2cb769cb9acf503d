/* Drawn designs in SystemVerilog: a setting and knobs at random, a model trained for them, and their folder written by `emit --flow rtl`. The levels
 * (rtl.c, synthesis.c, activity.c) run their tools on the folder. */
#pragma once

#include "core/rng.h"
#include "executor/rtl.h"
#include "models/hls.h"
#include "validation/draw.h"
#include "validation/validation.h"

/* Designs one after another. */
struct dse_rtl_drawn {
    const struct dse_validation_ground *g;
    const struct dse_model_family *family; /* family of the RTL */
    dse_knob_set algorithmic, hardware;
    struct dse_rng rng;
    struct dse_drawing draw;
    size_t most_cases;             /* test graphs with the design, and the estimate for them; 0: none */
    const char *given;             /* copy of the plan's `given` */
    struct dse_setting preset, setting; /* in full: the published one; the design's */
    struct dse_workload workload, own;  /* workload of the training part; the same with the parts that depend on the trained model */
    struct dse_model *model;
    struct dse_estimate *estimate; /* estimate of the design, with `own` */
    struct dse_estimate *held_out; /* the same for the held-out graphs, those of `cases` */
    struct dse_hls hls;
    struct dse_rtl rtl;
    struct dse_strbuf cases;
    char folder[64];               /* "" if there is none */
};

/* A level's demands on its designs. */
struct dse_rtl_plan {
    const char *level, *tools;    /* "rtl"; tools that must be installed: "verilator make", "" for none */
    double most_cycles, most_lut; /* by the estimate; 0: any */
    size_t most_cases;
    uint64_t stream;              /* stream of random numbers */
    bool anew;                    /* as dse_drawing has it */
    const char *given;            /* knobs of a single design instead of a draw, as --set takes them; NULL: none */
    bool whole;                   /* an accelerator with its registers, which takes graphs: not only engines */
};

/* Begins. DSE_BAD_USAGE, by the level's name, for a family without RTL; DSE_LIMIT if a tool is missing. dse_rtl_drawn_end releases it, on failure
 * too. */
enum dse_status dse_rtl_drawn_begin(const struct dse_validation_ground *ground, const struct dse_rtl_plan *plan, struct dse_rtl_drawn *out,
                                    struct dse_error *err);
void dse_rtl_drawn_end(struct dse_rtl_drawn *drawn);

/* The next design in a new folder under /tmp. If one is found, its bottleneck is engine number seed + `index` modulo their number. DSE_ANSWER_NO if
 * nothing drawn can be built. */
enum dse_status dse_rtl_drawn_next(struct dse_rtl_drawn *drawn, size_t index, struct dse_error *err);

/* Draws `count` designs and has `level` make the rows of each. After a failure the folder stays. */
typedef enum dse_status dse_rtl_level(struct dse_rtl_drawn *drawn, size_t index, struct dse_validation *out, struct dse_error *err);
enum dse_status dse_rtl_drawn_all(const struct dse_validation_ground *ground, const struct dse_rtl_plan *plan, size_t count,
                                  dse_rtl_level *level, struct dse_validation *out, struct dse_error *err);

/* Removes the folder, unless `keep`. */
void dse_rtl_drawn_clear(struct dse_rtl_drawn *drawn, bool keep);

/* Runs `make TARGET` in a design's folder and passes each line to `take`. Returns its exit code, or -1. */
int dse_rtl_make(const char *folder, const char *target, void (*take)(const char *line, void *to), void *to);

/* Removes a design's folder and its contents; nothing for "". */
void dse_rtl_remove(const char *folder);

/* DSE_LIMIT, by the level's name, if one of the tools ("yosys make") is not installed. */
enum dse_status dse_rtl_need_tools(const char *level, const char *tools, struct dse_error *err);

/* A row of the design with everything but its figures. */
void dse_rtl_drawn_row(const struct dse_rtl_drawn *drawn, size_t index, const char *source, struct dse_drawn_row *out);
