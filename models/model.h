/* The analytical interface: what a family's models are made of, and what follows from their sums.
 *
 * A family is a list of blocks. Each block declares the knobs that it reads; its model is a pure function of
 * those knobs, the workload and the board, and returns accumulators that combine over blocks component by
 * component (busy cycles of a stage by maximum, everything else by addition). All components are integers, so
 * that a sum does not depend on its order and every search method gives the same numbers. A block whose components are too large
 * for such sums is rejected (dse_block_cost), so that no sum overflows.
 *
 * A job of hours has more femtoseconds than an integer: its family counts one of so many equal parts of it (`parts`). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/units.h"
#include "datasets/profile.h"
#include "devices/board.h"
#include "resources/costs.h"
#include "space/space.h"

/* The last stage has room for all that one block has for itself, which a file may describe by the hundred: its fill cycles are their times,
 * whose bytes are in its bytes and take no time besides. Its busy cycles are no part of a latency: in a pipeline they are the longest of
 * the stages that one block has for itself. Other families declare the stages before it. */
#define DSE_STAGE_MAX 9
#define DSE_STAGE_APART (DSE_STAGE_MAX - 1)
#define DSE_ENGINE_MAX 128
#define DSE_BLOCK_MAX 512

/* The graph that a cycle or byte count is for: the mean over the workload, or its tail (the 99th
 * percentile over graphs of each quantity that varies). */
enum dse_case { DSE_CASE_MEAN, DSE_CASE_TAIL, DSE_CASE_COUNT };

struct dse_accumulators {
    /* Cycles in which the engine works in a stage, at one per initiation interval: engines of a stage
     * overlap, so the slowest counts. */
    int64_t busy_cycles[DSE_CASE_COUNT][DSE_STAGE_MAX];
    /* Cycles that a stage takes besides: filling and draining pipelines, waiting for the first data. */
    int64_t fill_cycles[DSE_CASE_COUNT][DSE_STAGE_MAX];
    /* Bytes moved over each of the board's memories during a stage. */
    int64_t bytes[DSE_CASE_COUNT][DSE_STAGE_MAX][DSE_MEMORY_MAX];
    int64_t resources[DSE_RESOURCE_COUNT];
    int64_t energy_fj; /* dynamic energy of one mean graph in programmable logic, femtojoules */
    int64_t idle_nw;   /* power drawn whether it works or not (its clock tree), nanowatts */
    /* Arithmetic of one mean graph by the precision of its operands, as the loops do it: an addition, product,
     * comparison, conversion, hash or look-up's bit test is one operation, a multiply-accumulate two, a bipolar one
     * (a sign times a number, added) two of DSE_BINARY. Padding, control and addresses do not count. */
    int64_t operations[DSE_PRECISION_COUNT];
    int64_t additions[DSE_PRECISION_COUNT]; /* those of them that adders do, where no product is added: adders bound them */
    int64_t on_chip_bytes; /* what the same loops read from and write to memories on chip, one mean graph */
};

/* The value of each constant that a block's cost uses: nominal, or the end of their bands that makes the result
 * smaller or larger. */
enum dse_band { DSE_BAND_NOMINAL, DSE_BAND_LOW, DSE_BAND_HIGH };

/* Whether what was asked for can be built: an answer, not a failure. */
struct dse_refusal {
    bool refused;
    char reason[256]; /* the first one's: it stays if `refused` is reset */
};

/* DSE_OK, or DSE_ANSWER_NO with the reason: the end of those who ask for one design alone. */
enum dse_status dse_refusal_verdict(const struct dse_refusal *refusal, struct dse_error *err);

struct dse_model_family;
struct dse_block;

/* Inputs of a block's cost besides the configuration. */
struct dse_context {
    const struct dse_board *board;
    const struct dse_costs *costs;
    const void *work; /* the family's prepared workload */
    const double *fitted; /* values in place of the family's fitted constants, or NULL for its own */
    enum dse_band band;
    struct dse_provenance *provenance; /* where to note what was used, or NULL */
    struct dse_refusal *refusal; /* where to say that it cannot be built; never NULL for a block's cost */
    struct dse_loops *loops; /* where to note pipelined loops (models/loops.h), or NULL */
    struct dse_clock_limit *clock; /* where to note the slowest way between registers (models/path.h), or NULL */
    struct dse_pace pace;    /* of the engine at hand, by the library's calibration: dse_block_cost puts it there */
    const struct dse_model_family *family; /* and these, too: the cost's own */
    const struct dse_block *block;
    int64_t times;           /* how often sums over data sets add a block's cost; 0: once */
};

/* A constant that no document gives: fitted to published figures (validation/published/), and fitted again without
 * each of them to see what it is worth. */
struct dse_fitted {
    const char *name;    /* "learning.cycles" */
    const char *meaning; /* one line, with its unit */
    double value, low, high;
    double unknown; /* what holds where no figure says anything: as if the effect were not there */
    double largest; /* a fit looks from 0 to here */
};

/* The value of one of a family's fitted constants in a context: the context's own, or that of its band. */
double dse_fitted_value(const struct dse_fitted *constants, size_t index, const struct dse_context *context);

/* The cost entries (resources/costs.h) that a block's cost drew on, a bit each. */
struct dse_provenance {
    uint64_t used[DSE_COST_ENTRIES_MAX / 64];
};

/* An engine of the hardware, as its designers name it: one block or several. */
struct dse_engine {
    const char *name;  /* "kse" */
    const char *title; /* "Kernel Similarity Engine" */
};

/* Of one block: fills `out`, which comes zeroed; a combination of its knobs that cannot be built on this board it rejects, and then
 * `out` means nothing. */
typedef enum dse_status dse_cost_model(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                    struct dse_error *err);

/* One hardware block of a family. */
struct dse_block {
    const char *name;   /* "kse", "port" */
    size_t engine;      /* the family's engine that it is part of */
    bool memory_port;   /* its cycles are those of a port: an engine that waits for it waits for memory */
    dse_knob_set reads; /* the knobs that its accumulators depend on, and no others */
    dse_cost_model *cost;
};

struct dse_hls;
struct dse_model_error;

/* Which designs a publication's figures are of, where not of all. */
struct dse_model_built {
    bool some; /* of those with this value of this knob alone */
    size_t knob;
    int64_t value;
};

/* A family whose accelerator is also written in SystemVerilog has a second one of the same name, knobs and stages, with
 * the costs of that. */
struct dse_model_family {
    const char *name, *title;
    const char *profiles; /* the family whose profiles it reads; NULL: its own */
    const char *file;  /* that describes it (models/described/), and its content; NULL: it is written in C */
    const char *content;
    const void *data;  /* a described family's own */
    const void *const *conditions; /* of --where, which search/filter.c appends as blocks: a condition each, in their order */
    size_t condition_count;
    const char *board; /* the one of the family's publication: "zcu104" */
    const struct dse_knobs *knobs; /* declared in space/NAME */
    size_t clock_knob; /* in MHz; every block may read it */
    size_t units_knob; /* compute units: multiplies resources and standby power */
    const char *const *stages;
    size_t stage_count;
    const struct dse_engine *engines;
    size_t engine_count;
    const struct dse_block *blocks;
    size_t block_count;
    dse_cost_model *way; /* of the block whose cycles are a way across several engines: a stage waits for it, no engine works so long; or NULL */
    /* How many items one latency answers (a batch), and the knobs that decide it; NULL: one. Throughput counts items;
     * latency, energy, cycles and bytes are those of the whole. */
    int64_t (*items)(const struct dse_model_family *family, const struct dse_config *config);
    const char *(*items_word)(const struct dse_config *config); /* "samples"; NULL: "inferences" */
    dse_knob_set decides_items;
    /* Into how many equal parts a job is divided: cycles, bytes, energy and operations of the accumulators are those of one, metrics
     * those of all. The knobs of decides_items that data sets share decide it; NULL: one. */
    int64_t (*parts)(const struct dse_model_family *family, const struct dse_config *config);
    unsigned host_stages; /* a bit each: the stages whose bytes are those of the item, which the host has written before */
    /* Stages overlap for successive items, as in a dataflow region: latency is their sum, and throughput follows the slowest. */
    bool pipelined;
    /* Where a knob (one of decides_items) decides which stages overlap: writes a mask of stages a step, step after step, and the cycles of a step
     * that are none of its stages' into `extra`; returns how many steps there are. NULL: all stages, or none, by `pipelined`. */
    size_t (*steps)(const struct dse_model_family *family, const struct dse_config *config, unsigned stages[DSE_STAGE_MAX], int64_t extra[DSE_STAGE_MAX]);
    size_t overlap_knob; /* of `steps`: the knob, whose value 0 is no overlap, nor a queue: the source takes an item a start */
    /* Calls of the emitted kernel that answer what one latency answers, where a launch of several items may queue them; 0 where it may not, since the
     * host computes between them. Knobs of decides_items decide it. NULL: `steps` tells what queues. */
    int64_t (*calls)(const struct dse_config *config);
    const char *shared; /* of a pipeline: the first stage that several blocks make, whose time no block knows; NULL: none */
    /* A profile of one workload that the family's own file gives, with NAME=VALUE,… (NULL: none) put over it; NULL: the family has none. */
    enum dse_status (*own_profile)(const struct dse_model_family *family, const char *values, struct dse_profile **out, struct dse_error *err);
    const struct dse_fitted *fitted; /* fitted_count */
    size_t fitted_count;
    const struct dse_model_error *errors; /* error_count */
    size_t error_count;
    struct dse_model_built built; /* what errors of the level "published" are of */
    /* Turns a workload's series into what the blocks read; DSE_BAD_INPUT names a series that is missing or
     * has the wrong shape. */
    enum dse_status (*prepare)(const struct dse_model_family *family, const struct dse_workload *workload, void **work,
                               struct dse_error *err);
    void (*release)(void *work);
    /* Countable things of a mean graph or of the trained model that no metric is, by name: what publications state and
     * what the time of their builds follows ("model_bytes", "propagated_nonzeros"). NaN for an unknown name; NULL where
     * a family has none. */
    double (*quantity)(const char *name, const struct dse_config *config, const void *work);
    /* Describes the accelerator of one configuration to those who write its source (models/hls.h); NULL where
     * the family has none. DSE_ANSWER_NO, with the reason, for what cannot be written. */
    enum dse_status (*hardware)(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *out, struct dse_error *err);
    const struct dse_model_family *in_rtl; /* the accelerator in SystemVerilog, which is its own; or NULL */
    /* Of a family that a file describes: writes `what` as an error at the formula that adds most to a block; NULL in C. */
    void (*locate)(const struct dse_context *context, const struct dse_config *config, const char *what, struct dse_error *err);
};

/* The registry, NULL-ended (models/registry.c). */
extern const struct dse_model_family *const dse_model_registry[];

/* How families that files describe come about (models/registry.c says by what). Each content is read once and lasts as long as the
 * program. DSE_BAD_INPUT names the place that is wrong. */
struct dse_model_files {
    enum dse_status (*open)(const char *path, const struct dse_model_family **out, struct dse_error *err);
    enum dse_status (*read)(const char *path, const char *text, const struct dse_model_family **out, struct dse_error *err);
    const struct dse_model_family *(*latest)(const char *path); /* what was opened or read last under this path, or NULL */
};
extern const struct dse_model_files dse_model_files;

/* Whether the word of --family means a file: it ends in .yaml or .yml. */
bool dse_model_is_file(const char *name);

/* The family of a name or of a file, which is read now. DSE_BAD_USAGE for an unknown name, with those that there are. */
enum dse_status dse_model_open(const char *name, const struct dse_model_family **out, struct dse_error *err);

/* The word by which dse_model_find finds a family: its file, else its name; and the family whose profiles it reads. */
const char *dse_model_word(const struct dse_model_family *family);
const char *dse_items_word(const struct dse_model_family *family, const struct dse_config *config); /* what throughput counts */
const char *dse_model_profiles(const struct dse_model_family *family);

/* The family called `name` (of a file: as it was opened or read last), or NULL; the default, which is the registry's first; and all, in the registry's order. */
const struct dse_model_family *dse_model_find(const char *name);
const struct dse_model_family *dse_model_default(void);
const struct dse_model_family *const *dse_model_families(size_t *count);

/* Checks what a family declares: at most DSE_STAGE_APART stages (DSE_STAGE_MAX of a file), DSE_ENGINE_MAX engines and DSE_BLOCK_MAX blocks, each of an engine that
 * there is, its knobs (dse_knobs_check); a block that reads one of the knobs that shape the workload reads them all. DSE_LIMIT
 * names what is wrong. */
enum dse_status dse_model_check(const struct dse_model_family *family, struct dse_error *err);

/* The family's space, or that with what the file given says otherwise; checks the family first. */
enum dse_status dse_model_space(const struct dse_model_family *family, const char *path,
                                struct dse_space **out, struct dse_error *err);

/* The cost of block `index`. Where the block reads a knob that does not matter in `config`, its default
 * counts. Refused, with the knob that is to blame, where sums of all blocks could leave the range of their integers: a block's share
 * of 2^63 is that divided by the number of blocks, in femtoseconds, femtojoules, bytes and operations of a part. */
enum dse_status dse_block_cost(const struct dse_model_family *family, size_t index,
                                  const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err);

/* total ⊕= part: maximum for busy cycles, addition for the rest. */
void dse_accumulators_combine(struct dse_accumulators *total, const struct dse_accumulators *part);

/* The metrics of a design. */
enum dse_metric {
    DSE_METRIC_LATENCY,     /* of the kernel, mean over graphs */
    DSE_METRIC_LATENCY_P99, /* of the kernel, 99th percentile over graphs */
    DSE_METRIC_THROUGHPUT,  /* inferences per second: graphs, samples, queries of all units */
    DSE_METRIC_ENERGY,      /* per inference, of the programmable logic, every unit at work */
    DSE_METRIC_POWER,       /* of the programmable logic, every unit at work */
    DSE_METRIC_DRAM_ENERGY, /* per inference */
    DSE_METRIC_BRAM18,
    DSE_METRIC_URAM,
    DSE_METRIC_DSP,
    DSE_METRIC_LUT,
    DSE_METRIC_FF,
    DSE_METRIC_LUTRAM,
    DSE_METRIC_DDR_BYTES,   /* per inference, over all memories */
    DSE_METRIC_CYCLES,      /* of the kernel, mean over graphs */
    DSE_METRIC_LATENCY_SYSTEM, /* of a launch of --batch items: the kernel and the host program */
    DSE_METRIC_ENERGY_SYSTEM,  /* per item: programmable logic, memory and the host's processor, over the item's share of a launch */
    DSE_METRIC_POWER_SYSTEM,   /* mean of programmable logic, memory and the host's processor */
    DSE_METRIC_QUALITY,     /* accuracy or the metric of the family's task; NaN: not measured */
    DSE_METRIC_COUNT
};

/* By how much the family's figures were off at a level of validation: the cycles of an engine, or a metric of a design. */
struct dse_model_error {
    const char *engine;     /* "": each of them; NULL: it is about `metric` */
    enum dse_metric metric;
    const char *level;      /* "simulation", "schedule", "rtl-simulation" or "published", as in `validate` */
    double share;
};


struct dse_metric_info {
    const char *name;      /* in options and expressions: "latency" */
    const char *key;       /* in JSON: "latency_s" */
    const char *heading;   /* in tables: "latency" */
    enum dse_dimension dimension;
    bool higher_is_better; /* for the quality: as measured, here true */
    int resource;          /* the dse_resource that it counts, or −1 */
};

extern const struct dse_metric_info dse_metrics[DSE_METRIC_COUNT];

/* Further names of metrics: "accuracy" is the quality, "error" what it lacks to 1, "energy_system" an earlier name. */
struct dse_metric_alias {
    const char *name;
    enum dse_metric metric;
};
#define DSE_METRIC_ALIAS_COUNT 3
extern const struct dse_metric_alias dse_metric_aliases[DSE_METRIC_ALIAS_COUNT];

/* The metric of this name, key or alias, or −1. */
int dse_metric_find(const char *name);

/* Boundary of a figure of time, energy or power: the accelerator, or all that delivers its answers. */
enum dse_boundary { DSE_BOUNDARY_KERNEL, DSE_BOUNDARY_SYSTEM, DSE_BOUNDARY_COUNT };
extern const char *const dse_boundary_names[]; /* "kernel", "system" and a NULL */

/* Energy, and power, at each boundary; and whether a metric is one of them, with its boundary in `at` (may be NULL). */
extern const enum dse_metric dse_energy_metrics[DSE_BOUNDARY_COUNT], dse_power_metrics[DSE_BOUNDARY_COUNT];
bool dse_metric_of_system(enum dse_metric metric); /* of the system's boundary */
bool dse_metric_is_energy(enum dse_metric metric, enum dse_boundary *at);
bool dse_metric_is_power(enum dse_metric metric, enum dse_boundary *at);

/* Whether a name is "error": less of it is better, and the quality is 1 less it. */
bool dse_metric_is_error(const char *name);

/* Turns sums into metrics at one board, clock, number of units and of items; made once, used for millions. Of a
 * configuration it takes the family's clock, units and what decides its items. */
struct dse_platform {
    int64_t fs_per_cycle; /* times are femtoseconds: whole numbers that add exactly */
    int64_t fs_per_byte[DSE_MEMORY_MAX]; /* sustained, all channels of the memory */
    int64_t dram_fj_per_byte[DSE_MEMORY_MAX];
    int64_t still_nw[DSE_BOUNDARY_COUNT]; /* static power of the logic; with the host's processor */
    double share_nw[DSE_BOUNDARY_COUNT]; /* of it, that one unit's energy pays for: all units work at once */
    int64_t host_fs;          /* of an item: its own and its share of the launch */
    int64_t host_fs_per_byte; /* of those that the host writes */
    unsigned host_stages;     /* the family's */
    double batch;             /* items of a launch */
    bool queued;              /* one start answers all of them; else each has a start, and pays for a launch of its own */
    int64_t units;
    bool pipelined; /* throughput follows the slowest step */
    unsigned steps[DSE_STAGE_MAX]; /* of a pipeline: a mask of stages each, step_count */
    int64_t extra_fs[DSE_STAGE_MAX];
    size_t step_count;
    int64_t at_once; /* items that it answers in one latency: of all its units */
    int64_t limits[DSE_RESOURCE_COUNT]; /* what a kernel may use */
    int64_t capped[DSE_RESOURCE_COUNT]; /* the same under the clock's cap: what must hold for a fit */
    bool clock_allowed;
    double bytes_per_s; /* sustained, of all memories: the bound of throughput with several units */
    double parts; /* what turns counts of a part into those of the job */
    double femto; /* parts × 1e-15: what turns femtoseconds and femtojoules of a part into seconds and joules of the job */
};

void dse_platform_make(const struct dse_model_family *family, const struct dse_board *board, double headroom,
                       const struct dse_config *config, enum dse_band band, struct dse_platform *out);

/* The time of one stage in a part, in femtoseconds: its slowest engine or busiest memory, and its fill. */
int64_t dse_stage_fs(const struct dse_platform *platform, const struct dse_accumulators *sums,
                     enum dse_case which, size_t stage);

/* Of a pipeline: the time of each step (room for step_count) in a part, in femtoseconds; and the mean time of the slowest, from these. It grows with
 * each of them. Items that differ are at work in different steps of a family that says what a hand-over takes: there it is the mean of the longest of independent times. */
void dse_step_fs(const struct dse_platform *platform, const struct dse_accumulators *sums, int64_t fs[][DSE_CASE_COUNT]);
int64_t dse_interval_fs(const struct dse_platform *platform, const int64_t fs[][DSE_CASE_COUNT]);

/* The time between two items of one unit in a steady flow, in seconds: the latency, or of a pipeline the slowest step. */
double dse_interval_s(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* The time of one launch at the system's boundary, by its metrics: latency_system is an upper bound of it, since searches add items up; where a queue
 * has them overlap, an interval lies between two of them. */
double dse_launch_s(const struct dse_platform *platform, const struct dse_accumulators *sums, const double metrics[DSE_METRIC_COUNT]);

/* The time that the host takes for an item's bytes, in a part, in femtoseconds: 0 where no stage moves any. */
int64_t dse_host_bytes_fs(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* Items that one unit answers in one latency. */
static inline double dse_platform_items(const struct dse_platform *platform)
{
    return (double)platform->at_once / (double)platform->units;
}

/* Energy of one latency as the metric of a boundary: per item at the system's. */
static inline double dse_energy_at(const struct dse_platform *platform, enum dse_boundary boundary, double energy_j)
{
    return boundary == DSE_BOUNDARY_SYSTEM ? energy_j / dse_platform_items(platform) : energy_j;
}

/* The dynamic energy at a boundary, in a part, in femtojoules: that of the logic; with that of the memories. */
int64_t dse_dynamic_fj(const struct dse_platform *platform, const struct dse_accumulators *sums, enum dse_boundary boundary);

/* Sums to metrics; monotone in every component of the sums. Quality is left NaN. O(stages × memories). */
void dse_derive(const struct dse_platform *platform, const struct dse_accumulators *sums,
                double metrics[DSE_METRIC_COUNT]);

/* Whether the design fits: every resource, times the units, within the clock's cap; `worst` (may be NULL)
 * receives the resource that is over by the largest share, or −1. */
bool dse_fits(const struct dse_platform *platform, const struct dse_accumulators *sums, int *worst);
