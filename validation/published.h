/* Published figures: the data file of a family, and declarations shared by the predicting files.
 *
 * A file has cases with figures. A case may refer to a profile, whose workload estimates its design (designs.c), or to a data set, which is measured
 * over several draws (measured.c). A case with neither has facts about all sets together. */
#pragma once

#include "datasets/dataset.h"
#include "devices/machines.h"
#include "validation/validation.h"

#define DSE_FITTED_MAX 16

/* ---- the file ---- */

/* How a figure compares two designs (`other` and its own), or states one. */
enum dse_published_as {
    DSE_PUBLISHED_VALUE,
    DSE_PUBLISHED_SAVING, /* 1 - other / own: the other's saving as a share of its own */
    DSE_PUBLISHED_TIMES,  /* other / own: a speed-up where the metric is a time */
    DSE_PUBLISHED_GROWTH  /* own - other: the part of a figure in which the two differ */
};

/* The claim about the value. */
enum dse_published_bound { DSE_PUBLISHED_EQUAL, DSE_PUBLISHED_MOST, DSE_PUBLISHED_LEAST };

struct dse_published_figure {
    const char *what;    /* "train_cycles" */
    const char *metric;  /* a metric's key; or one of: "quality": the profile's at the design's setting; "fits": 1 if the design fits its board, else
                          * 0; "stage.NAME": a stage's share of the cycles; "whole.lut": a resource including the board's platform; "kernel_w": power
                          * without that of the empty chip; or a quantity of the family's */
    const char *set;     /* knobs over the case's, "" for none */
    const char *machine; /* another machine's figure ("cpu"), "" for the accelerator's */
    const char *than;    /* the case that it is compared with, "" for none */
    const char *against; /* or knobs over this case's, "" for none; with neither, a machine's roofline is compared with the accelerator */
    const char *fitting; /* a knob that takes the largest value with which the design fits its board, "" for none */
    const char *unpredicted; /* why nothing predicts it, "" if something does; without a value: a statement, not a figure */
    enum dse_published_as as;
    enum dse_published_bound bound;
    size_t place;        /* in the file */
    const char *table;   /* the number of the table that it is from */
    const char *source;  /* "Table II" */
    const char *note;    /* a contradiction to it, "" for none */
    double value;        /* NaN if nothing is published, or it is withheld */
    bool other;          /* a row of another accelerator, which the publication compares with */
    bool fitted_to;      /* it takes part in fitting the family's constants */
};

struct dse_published_case {
    const char *name;    /* a row's case: "D=2k", "MUTAG dpp" */
    const char *profile; /* the shipped profile whose workload it has, "" for none */
    const char *dataset; /* the data set that it is measured on, "" for none */
    const char *board;
    const char *engine;  /* the only engine of these figures, "" for the whole */
    const char *set;     /* knobs over the preset's */
    double software;     /* quantity of a data set that determines software time on other machines; NaN if it is unknown */
    struct dse_published_figure *figures; /* figure_count */
    size_t figure_count;
};

/* The publication's one design for all its sets, at a capacity. */
struct dse_published_plan {
    const char *name; /* "max" */
    const char *set;  /* knobs applied over the published setting */
};

struct dse_published_file {
    const char *family, *board;
    enum dse_boundary boundary; /* boundary of its latencies, energies and powers */
    bool any_data;              /* its designs take the same cycles on any data set */
    double bandwidth_bytes_per_s, efficiency_low; /* rate of its memory, as the publication states; 0 if it states none */
    int64_t port_bits, burst_beats;
    const char *simulated, *trained, *algorithmic; /* names of drawn knobs, separated by blanks */
    const char *emitted;                           /* drawn in addition for designs whose source is emitted; may be empty */
    struct dse_published_table *tables;            /* table_count, in the publication's order */
    size_t table_count, figure_count;              /* figures of all cases */
    struct dse_published_case *cases;              /* case_count, in the file's order */
    size_t case_count;
    struct dse_published_plan *plans; /* plan_count; the first is the publication's */
    size_t plan_count;
    const char *software; /* the quantity that determines the time of software on other machines; "" for none */
    const char *quantity; /* the fit's, by the family's name for it; NULL without a fit */
    const char *seconds_means, *activity_means;
    const char *pooled; /* the tables of the fitted quantities: "tables 6 and 7" */
    struct dse_published_fit *fits; /* fit_count; the first is that over all sets */
    size_t fit_count;
    struct dse_arena arena;
};

/* Reads the family's file. DSE_BAD_INPUT names file, line, element and value. */
enum dse_status dse_published_open(const char *family, struct dse_published_file *out, struct dse_error *err);
void dse_published_close(struct dse_published_file *file);

/* The case called `name`; a case's figure called `what` of a machine ("": the accelerator). NULL if there is none, and for no case. */
const struct dse_published_case *dse_published_case_find(const struct dse_published_file *file, const char *name);
const struct dse_published_figure *dse_published_figure_find(const struct dse_published_case *c, const char *what,
                                                             const char *machine);

/* The resource (enum dse_resource) of the `length` bytes "whole.NAME"; -1 for every other key. */
int dse_published_resource(const char *key, size_t length);

/* The figure's value, or NaN; its source, or words for an unpublished one. NULL for no figure. */
double dse_published_value(const struct dse_published_figure *figure);
const char *dse_published_source(const struct dse_published_figure *figure);

/* The name of a figure's row: `what`, after the machine's name if the figure has a machine ("cpu.latency_s") and `what` has no dot. */
void dse_published_name(const struct dse_published_figure *figure, char *out, size_t size);

/* Copies into a row the members of its figure: name of the table, place, source, value, whether the value is a bound. */
void dse_published_row_put(const struct dse_published_figure *figure, struct dse_validation_row *row);

/* The share saved, the ratio of the other to its own, or its own less the other. NaN for a single value. */
double dse_published_compare(enum dse_published_as as, double own, double other);

/* Adds rows for figures that nothing predicts and for statements, and the tables of the file. `every`: also for
 * figures of data sets that are not here. */
void dse_published_rest(const struct dse_published_file *file, bool every, struct dse_validation *out);

/* Whether the file has cases on a profile, and on data sets. */
bool dse_published_has_designs(const struct dse_published_file *file);
bool dse_published_has_measured(const struct dse_published_file *file);

/* Puts "name=value name=value" over a configuration. */
enum dse_status dse_published_words_apply(const struct dse_space *space, const char *words, struct dse_config *config,
                                          struct dse_error *err);

/* ---- software of other machines (software.c) ---- */

/* Sums of a fit; empty when zeroed. */
struct dse_software {
    size_t count;
    double w, wq, wqq, wy, wqy;
};

/* Adds another case to the fit: its quantity, and the published seconds. */
void dse_software_add(struct dse_software *software, double quantity, double published);

/* Seconds for a quantity of this size; 0 if no case was added. */
double dse_software_seconds(const struct dse_software *software, double quantity);

/* ---- cases on a profile ---- */

/* Predicts every figure of such cases, and refits the family's constants to all of them, and without each case in turn. A constant that a single
 * figure could be fitted by predicts nothing, and that figure's row is unexplained. O(cases² × constants) estimates. */
enum dse_status dse_validate_designs(const struct dse_validation_ground *ground, struct dse_validation *out,
                                     struct dse_error *err);

/* ---- cases on data sets ---- */

/* Profiles every set for each of its cases over `seeds` draws. Its rows have two columns: `as_designed` without a fitted constant, `predicted` with
 * the two constants fitted on the other sets. If every set with published latencies is among `sets`, the constants are fitted afresh. The rows of the
 * one design for all of them are then added. Otherwise the stored constants are used. */
enum dse_status dse_validate_measured(const struct dse_validation_ground *ground, const struct dse_dataset *const *sets,
                                      size_t set_count, size_t seeds, struct dse_validation *out, struct dse_error *err);

/* The family's board with the memory that the publication states: 19.2 GB/s through a 512-bit port. Shares the texts of
 * the board, which must outlive it. */
struct dse_stated_board {
    struct dse_board board;
    struct dse_memory memories[DSE_MEMORY_MAX];
    struct dse_port ports[DSE_PORT_MAX];
};

void dse_stated_board_make(const struct dse_board *board, const struct dse_published_file *figures,
                           struct dse_stated_board *out);

/* The prediction of a case as designed, and the fit's inputs from it. */
struct dse_measured_case {
    const struct dse_published_case *published;
    double latency_s, latency_low_s, latency_high_s;
    double power_w, power_low_w, power_high_w;
    double static_w, static_low_w, static_high_w;
    double stream_s;                           /* time of its bytes at the stated bandwidth: a lower bound of the latency */
    double counted;                            /* the fit's quantity for a mean graph */
    double memory, memory_low, memory_high;    /* bytes: median, 5 and 95 % over the draws */
    double balance_speedup;                    /* latency without balanced rows over that with them; NaN if nothing is published of it */
    double operations, ddr_bytes, software;    /* numbers of a mean graph; software: the quantity that determines the time of software on other machines */
};

/* One draw of a case: its workload and configuration. Clear with dse_measured_draw_clear. */
struct dse_measured_draw {
    struct dse_workload workload;
    struct dse_config config;
};

enum dse_status dse_measured_draw_make(const struct dse_validation_ground *ground, const struct dse_dataset *data,
                                       const char *words, uint64_t seed, struct dse_measured_draw *out,
                                       struct dse_error *err);
void dse_measured_draw_clear(struct dse_measured_draw *draw);

/* Profiles a data set `seeds` times from the ground's seed on; the estimate uses the first draw. */
enum dse_status dse_measured_case_make(const struct dse_validation_ground *ground, const struct dse_dataset *data,
                                       const struct dse_published_case *published, size_t seeds,
                                       struct dse_measured_case *out, struct dse_error *err);

/* Least squares of the relative errors of latency and of power, each linear in its one constant. The fit is over the cases that have a published
 * value and are not of the set `without` ("" for none). Bands are those of single cases. */
void dse_published_fit_make(const struct dse_measured_case *cases, size_t count, const char *without,
                            struct dse_published_fit *out);

/* Resources of one design for all sets, each block as large as the most demanding set needs. They are of the draw whose block RAM is the median over
 * the draws; the bands include the other draws' bands. */
struct dse_published_design {
    int64_t nominal[DSE_RESOURCE_COUNT], low[DSE_RESOURCE_COUNT], high[DSE_RESOURCE_COUNT];
    struct dse_published_part parts[32]; /* one per block of the family */
    size_t part_count;
    double nodes, nonzeros; /* size of the largest graph that it takes */
};

/* `words` are the design's knobs, applied over the published setting ("capacity=max codes=scalar"). */
enum dse_status dse_published_design_make(const struct dse_validation_ground *ground, const struct dse_dataset *const *sets,
                                          size_t count, size_t draws, const char *words, struct dse_published_design *out,
                                          struct dse_error *err);
