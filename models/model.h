/* The analytical interface: the parts of a family's model, and what follows from their sums.
 *
 * A family is a list of blocks. Each block declares the knobs that it reads; its model is a pure function of
 * those knobs, the workload and the board. It returns accumulators that combine over blocks component by
 * component (busy cycles of a stage by maximum, everything else by addition). All components are integers, so
 * a sum does not depend on its order, and every search method gives the same numbers. dse_block_cost rejects a block whose components
 * are too large, so no sum overflows.
 *
 * A job of hours exceeds the integer range in femtoseconds: its family counts one of `parts` equal parts of it. */
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

/* The last stage (apart) sums stages that only one block uses; a file may describe hundreds. Its fill cycles are their times; its bytes
 * take no extra time. Its busy cycles do not count towards a latency: in a pipeline they are the longest of
 * these stages. Other families declare the stages before it. */
#define DSE_STAGE_MAX 9
#define DSE_STAGE_APART (DSE_STAGE_MAX - 1)
#define DSE_ENGINE_MAX 128
#define DSE_BLOCK_MAX 512

/* The graph that a cycle or byte count is for: the mean over the workload, or its tail (99th percentile
 * over graphs, per varying quantity). */
enum dse_case { DSE_CASE_MEAN, DSE_CASE_TAIL, DSE_CASE_COUNT };

struct dse_accumulators {
    /* Cycles that the engine works in a stage, one per initiation interval. Engines of a stage overlap, so the
     * slowest counts. */
    int64_t busy_cycles[DSE_CASE_COUNT][DSE_STAGE_MAX];
    /* Other cycles of a stage: pipeline fill and drain, waiting for the first data. */
    int64_t fill_cycles[DSE_CASE_COUNT][DSE_STAGE_MAX];
    /* Bytes transferred per board memory during a stage. */
    int64_t bytes[DSE_CASE_COUNT][DSE_STAGE_MAX][DSE_MEMORY_MAX];
    int64_t resources[DSE_RESOURCE_COUNT];
    int64_t energy_fj; /* dynamic energy of one mean graph in programmable logic, femtojoules */
    int64_t idle_nw;   /* power drawn at all times (clock tree), nanowatts */
    int64_t reruns;    /* further runs of the kernel's calls by the host, over all parts of the job: steps of a training run after the first */
    /* Operations of one mean graph by operand precision, as the loops execute them. An addition, product,
     * comparison, conversion, hash or look-up's bit test is one operation; a multiply-accumulate is two. A bipolar
     * one (a sign times a number, added) is two of DSE_BINARY. Padding, control and addresses do not count. */
    int64_t operations[DSE_PRECISION_COUNT];
    int64_t additions[DSE_PRECISION_COUNT]; /* operations executed by adders alone, without a product: adders bound them */
    int64_t on_chip_bytes; /* bytes that these loops read from and write to on-chip memories, one mean graph */
};

/* Selects the value of every constant in a block's cost: nominal, or the end of its band that makes the result
 * smaller or larger. */
enum dse_band { DSE_BAND_NOMINAL, DSE_BAND_LOW, DSE_BAND_HIGH };

/* Whether the design is feasible: an answer, not a failure. */
struct dse_rejection {
    bool rejected;
    char reason[256]; /* the first reason; kept when `rejected` is reset */
};

/* DSE_OK, or DSE_ANSWER_NO with the reason; for callers that ask for a single design. */
enum dse_status dse_rejection_verdict(const struct dse_rejection *rejection, struct dse_error *err);

struct dse_model_family;
struct dse_block;

/* Inputs of a block's cost besides the configuration. */
struct dse_context {
    const struct dse_board *board;
    const struct dse_costs *costs;
    const void *work; /* the family's prepared workload */
    const double *fitted; /* override the family's fitted constants, or NULL */
    enum dse_band band;
    struct dse_provenance *provenance; /* records the cost entries used, or NULL */
    struct dse_rejection *rejection; /* records infeasibility; never NULL for a block's cost */
    struct dse_loops *loops; /* records pipelined loops (models/loops.h), or NULL */
    struct dse_clock_limit *clock; /* records the slowest register-to-register path (models/path.h), or NULL */
    struct dse_pace pace;    /* calibration of the current engine, set by dse_block_cost */
    const struct dse_model_family *family; /* set likewise: the block's family */
    const struct dse_block *block;
    int64_t times;           /* how often sums over data sets add this cost; 0: once */
};

/* A constant that no document states: fitted to published figures (validation/published/), and refitted without
 * each of them for validation. */
struct dse_fitted {
    const char *name;    /* "learning.cycles" */
    const char *meaning; /* one line, with unit */
    double value, low, high;
    double unknown; /* value without any figure: the effect is absent */
    double largest; /* upper end of the fit range, from 0 */
};

/* Seconds of one operation of the host's processor at the context's band (devices/hosts.h). */
double dse_operation_s(const struct dse_context *context);

/* Value of a family's fitted constant in a context: the context's override, or the value at its band. */
double dse_fitted_value(const struct dse_fitted *constants, size_t index, const struct dse_context *context);

/* The cost entries (resources/costs.h) that a block's cost used, one bit each. */
struct dse_provenance {
    uint64_t used[DSE_COST_ENTRIES_MAX / 64];
};

/* A hardware engine as its designers name it: one or several blocks. */
struct dse_engine {
    const char *name;  /* "kse" */
    const char *title; /* "Kernel Similarity Engine" */
};

/* Cost of one block: fills `out`, passed zeroed. Rejects a combination of its knobs that cannot be built on this board; `out`
 * is then meaningless. */
typedef enum dse_status dse_cost_model(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                    struct dse_error *err);

/* One hardware block of a family. */
struct dse_block {
    const char *name;   /* "kse", "port" */
    size_t engine;      /* index of the family's engine that contains it */
    bool memory_port;   /* its cycles are transfers of a port: an engine that waits for it waits for memory */
    dse_knob_set reads; /* exactly the knobs that its accumulators depend on */
    dse_cost_model *cost;
};

struct dse_hls;
struct dse_model_error;

/* A publication's design on another board than the family's. */
struct dse_board_design {
    const char *board;        /* "u280" */
    const char *const *knobs; /* NULL-ended: "train.products=3072"; others are as on the family's board */
};

/* The designs that published figures cover, if not all. */
struct dse_model_built {
    bool some; /* only designs with this knob value */
    size_t knob;
    int64_t value;
};

/* A family of accelerators. An accelerator that also exists in SystemVerilog has a second struct, with the same name, knobs and stages and the
 * costs of the RTL. */
struct dse_model_family {
    const char *name, *title;
    const char *profiles; /* family whose profiles it uses; NULL: its own */
    const char *file;  /* description file (models/described/), and its content; NULL: the family is written in C */
    const char *content;
    const void *data;  /* private to a described family */
    const void *const *conditions; /* --where conditions, which search/filter.c appends as blocks, in order */
    size_t condition_count;
    const char *board; /* board of the family's publication: "zcu104" */
    const struct dse_board_design *published; /* designs on its other boards, published_count */
    size_t published_count;
    const struct dse_knobs *knobs; /* declared in space/NAME */
    size_t clock_knob; /* clock in MHz; every block may read it */
    size_t units_knob; /* compute units: multiplies resources and standby power */
    const char *const *stages;
    size_t stage_count;
    const struct dse_engine *engines;
    size_t engine_count;
    const struct dse_block *blocks;
    size_t block_count;
    dse_cost_model *way; /* cost of the block whose cycles are a path across several engines: a stage waits for it, but no engine is busy that long; or NULL */
    /* Items per latency (a batch), and the knobs that decide it; NULL: one. Throughput counts items;
     * latency, energy, cycles and bytes are for the whole batch. */
    int64_t (*items)(const struct dse_model_family *family, const struct dse_config *config);
    const char *(*items_word)(const struct dse_config *config); /* "samples"; NULL: "inferences" */
    dse_knob_set decides_items;
    /* Number of equal parts of a job: cycles, bytes, energy and operations of the accumulators are per part, metrics
     * for the whole job. Depends on knobs of decides_items that data sets share; NULL: one. */
    int64_t (*parts)(const struct dse_model_family *family, const struct dse_config *config);
    unsigned host_stages; /* bit mask: stages whose bytes are the item's, written by the host beforehand */
    unsigned prepare_stages; /* bit mask: stages in which the host's processor works; they have only fill cycles */
    /* Stages overlap for successive items, as in a dataflow region: latency is their sum; the slowest sets the throughput. */
    bool pipelined;
    bool drains; /* a start ends with its last answer: no item of the next start enters a pipeline before */
    /* For a knob (one of decides_items) that decides which stages overlap. Writes a mask of stages per step to `stages`, and each step's extra
     * cycles besides its stages to `extra`; returns the number of steps. NULL: all stages or none, by `pipelined`. */
    size_t (*steps)(const struct dse_model_family *family, const struct dse_config *config, unsigned stages[DSE_STAGE_MAX], int64_t extra[DSE_STAGE_MAX]);
    size_t overlap_knob; /* with `steps`: the knob; value 0 is no overlap and no queue: one item per start */
    /* Calls of the emitted kernel per latency, at least 1, each a start by the host; depends on knobs of decides_items. NULL: one call. */
    int64_t (*calls)(const struct dse_config *config);
    /* Transfers between host and memory by the emitted host: of these calls, or of a start of the queue. NULL: one, as the answer is a register; of a queue the
     * inputs, the ring and the answers. Same knobs. */
    int64_t (*transfers)(const struct dse_model_family *family, const struct dse_config *config, bool queued);
    /* Whether the calls of several items may be queued in one launch; false if the host computes between calls. NULL: `overlap_knob` decides, or false
     * without `steps`. Same knobs. */
    bool (*queues)(const struct dse_config *config);
    const char *shared; /* in a pipeline: the first stage shared by several blocks, whose time no single block knows; NULL: none */
    /* Profile of one workload from the family's own file, with overrides NAME=VALUE,… (or NULL); NULL: the family has none. */
    enum dse_status (*own_profile)(const struct dse_model_family *family, const char *values, struct dse_profile **out, struct dse_error *err);
    const struct dse_fitted *fitted; /* fitted_count */
    size_t fitted_count;
    const struct dse_model_error *errors; /* error_count */
    size_t error_count;
    struct dse_model_built built; /* designs covered by errors of level "published" */
    /* Converts a workload's series for the blocks; DSE_BAD_INPUT names a series that is missing or
     * has the wrong shape. */
    enum dse_status (*prepare)(const struct dse_model_family *family, const struct dse_workload *workload, void **work,
                               struct dse_error *err);
    void (*release)(void *work);
    /* Counts for a mean graph or the trained model that are not metrics, by name: figures that publications state and
     * inputs of the build-time model ("model_bytes", "propagated_nonzeros"). NaN for an unknown name; NULL if
     * the family has none. */
    double (*quantity)(const char *name, const struct dse_config *config, const void *work);
    /* Describes the accelerator of one configuration for source emission (models/hls.h); NULL if
     * the family has none. DSE_ANSWER_NO, with the reason, if the configuration cannot be written. */
    enum dse_status (*hardware)(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *out, struct dse_error *err);
    const struct dse_model_family *in_rtl; /* the SystemVerilog accelerator (itself for that one), or NULL */
    /* For a described family: writes `what` as an error at the formula that adds most to a block; NULL for families in C. */
    void (*locate)(const struct dse_context *context, const struct dse_config *config, const char *what, struct dse_error *err);
};

/* The registry, NULL-terminated (models/registry.c). */
extern const struct dse_model_family *const dse_model_registry[];

/* How described families are loaded (models/registry.c sets it). Each file content is read once and stays until the program
 * ends. DSE_BAD_INPUT names the erroneous place. */
struct dse_model_files {
    enum dse_status (*open)(const char *path, const struct dse_model_family **out, struct dse_error *err);
    enum dse_status (*read)(const char *path, const char *text, const struct dse_model_family **out, struct dse_error *err);
    const struct dse_model_family *(*latest)(const char *path); /* opened or read last under this path, or NULL */
};
extern const struct dse_model_files dse_model_files;

/* Whether the argument of --family is a file name: it ends in .yaml or .yml. */
bool dse_model_is_file(const char *name);

/* Opens the family of a name or a file; reads the file now. DSE_BAD_USAGE for an unknown name, listing the known ones. */
enum dse_status dse_model_open(const char *name, const struct dse_model_family **out, struct dse_error *err);

/* The argument by which dse_model_find finds a family: its file, otherwise its name; and the family whose profiles it uses. */
const char *dse_model_word(const struct dse_model_family *family);
const char *dse_items_word(const struct dse_model_family *family, const struct dse_config *config); /* item that throughput counts */
const char *dse_model_profiles(const struct dse_model_family *family);

/* Finds a family by `name` (a file: as opened or read last), or NULL; the default family, first in the registry; all families, in registry order. */
const struct dse_model_family *dse_model_find(const char *name);
const struct dse_model_family *dse_model_default(void);
const struct dse_model_family *const *dse_model_families(size_t *count);

/* Checks a family's declarations: at most DSE_STAGE_APART stages (DSE_STAGE_MAX for a file), DSE_ENGINE_MAX engines and DSE_BLOCK_MAX blocks;
 * valid engine indices; and its knobs (dse_knobs_check). A block that reads one workload-shaping knob must read them all. DSE_LIMIT
 * names the violation. */
enum dse_status dse_model_check(const struct dse_model_family *family, struct dse_error *err);

/* The family's space, with overrides from the given file; checks the family first. */
enum dse_status dse_model_space(const struct dse_model_family *family, const char *path,
                                struct dse_space **out, struct dse_error *err);

/* The published design on a board: the defaults, a data set's preset, and the publication's other values on that board; not canonical. */
enum dse_status dse_model_published(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board,
                                    const struct dse_setting *preset, struct dse_config *out, struct dse_error *err);

/* The cost of block `index`. A knob that the block reads and that does not matter in `config` takes its default. Rejected, with the knob to blame, if
 * sums over all blocks could overflow. A block may use 2^63 divided by the number of blocks, in femtoseconds, femtojoules,
 * bytes and operations of a part. */
enum dse_status dse_block_cost(const struct dse_model_family *family, size_t index,
                                  const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err);

/* total ⊕= part: maximum for busy cycles, addition for the rest. */
void dse_accumulators_combine(struct dse_accumulators *total, const struct dse_accumulators *part);

/* The metrics of a design. */
enum dse_metric {
    DSE_METRIC_LATENCY,     /* latency of the kernel, mean over graphs */
    DSE_METRIC_LATENCY_P99, /* latency of the kernel, 99th percentile over graphs */
    DSE_METRIC_THROUGHPUT,     /* inferences (graphs, samples, queries) per second of the kernel, over all units; a host delivers fewer (--rate) */
    DSE_METRIC_ENERGY,      /* per run of a unit: one inference, or `items_per_run` items (HDReason: 128 queries); of the programmable logic, all units busy */
    DSE_METRIC_POWER,       /* power of the programmable logic, all units busy */
    DSE_METRIC_DRAM_ENERGY, /* per run of a unit, like `energy` */
    DSE_METRIC_BRAM18,
    DSE_METRIC_URAM,
    DSE_METRIC_DSP,
    DSE_METRIC_LUT,
    DSE_METRIC_FF,
    DSE_METRIC_LUTRAM,
    DSE_METRIC_DDR_BYTES,   /* per run of a unit, over all memories */
    DSE_METRIC_CYCLES,      /* cycles of the kernel, mean over graphs */
    DSE_METRIC_LATENCY_SYSTEM, /* latency of a launch of --batch items: the kernel and the host program; items of a queue overlap as in the design */
    DSE_METRIC_ENERGY_SYSTEM,  /* per item: programmable logic, memory and the host's processor, over the time between two items; the units share one host */
    DSE_METRIC_POWER_SYSTEM,   /* mean of programmable logic, memory and the host's processor */
    DSE_METRIC_THROUGHPUT_SYSTEM, /* items per second that the system delivers in full launches: limited by the units, the one host and the memories */
    DSE_METRIC_QUALITY,     /* accuracy or the metric of the family's task; NaN: not measured */
    DSE_METRIC_COUNT
};

/* Largest error of the family's figures at a level of validation: of an engine's cycles, or of a design's metric. Each reference lies between the
 * estimate / (1 + share) and the estimate * (1 + share). */
struct dse_model_error {
    const char *engine;     /* "": all engines; NULL: about `metric` */
    enum dse_metric metric;
    const char *level;      /* "simulation", "schedule", "rtl-simulation" or "published", as in `validate` */
    double share;
};


struct dse_metric_info {
    const char *name;      /* in options and expressions: "latency" */
    const char *key;       /* in JSON: "latency_s" */
    const char *heading;   /* in tables: "latency" */
    enum dse_dimension dimension;
    bool higher_is_better; /* for the quality, as measured: true */
    int resource;          /* the dse_resource that it counts, or −1 */
};

extern const struct dse_metric_info dse_metrics[DSE_METRIC_COUNT];

/* Other names of metrics: "accuracy" is the quality, "error" is its distance from a perfect one, "energy_system" an earlier name. The figures that --metric takes ("auc") are
 * the quality where it is that figure; the errors among them ("rmse") are −quality where the quality is their negative (dse_quality_gain). "loss" is
 * none of these names, because a knob has it. */
struct dse_metric_alias {
    const char *name;
    enum dse_metric metric;
    bool error;  /* dse_metric_error_from() − metric, better when lower */
    bool figure; /* one that --metric takes */
};
#define DSE_METRIC_ALIAS_COUNT 19
extern const struct dse_metric_alias dse_metric_aliases[DSE_METRIC_ALIAS_COUNT];

/* Finds a metric by name, key or alias, or −1. */
int dse_metric_find(const char *name);

/* Boundary of a time, energy or power figure: the accelerator, or the whole system that delivers its answers. */
enum dse_boundary { DSE_BOUNDARY_KERNEL, DSE_BOUNDARY_SYSTEM, DSE_BOUNDARY_COUNT };
extern const char *const dse_boundary_names[]; /* "kernel", "system" and a NULL */

/* Energy and power metrics per boundary; whether a metric is one of them, with its boundary in `at` (may be NULL). */
extern const enum dse_metric dse_energy_metrics[DSE_BOUNDARY_COUNT], dse_power_metrics[DSE_BOUNDARY_COUNT];
bool dse_metric_of_system(enum dse_metric metric); /* whether the metric is at the system boundary */
bool dse_metric_is_energy(enum dse_metric metric, enum dse_boundary *at);
bool dse_metric_is_power(enum dse_metric metric, enum dse_boundary *at);

/* The value that an error is measured from: 0 for "rmse", and for "error" that of the quality's name (dse_quality_error_from). */
double dse_metric_error_from(const struct dse_metric_alias *error, const char *quality);

/* The alias of this name, or NULL; whether it is an error. */
const struct dse_metric_alias *dse_metric_alias_of(const char *name);
bool dse_metric_is_error(const char *name);

/* Factor by which a value is worse than another; below 1 if it is better. Two negative values, of an error's negative, compare by their sizes. */
double dse_metric_times_worse(enum dse_metric metric, double value, double than);

/* Converts sums to metrics for one board, clock, number of units and items; made once, used for millions of designs. From the
 * configuration it takes the family's clock, units, and the knobs that decide its items. */
struct dse_platform {
    int64_t fs_per_cycle; /* times are in femtoseconds: integers, so sums are exact */
    int64_t fs_per_byte[DSE_MEMORY_MAX]; /* sustained, all channels of the memory */
    int64_t dram_fj_per_byte[DSE_MEMORY_MAX];
    int64_t still_nw[DSE_BOUNDARY_COUNT]; /* static power of the logic; with the host's processor */
    double share_nw[DSE_BOUNDARY_COUNT]; /* its share charged to one unit's energy: all units run at once */
    int64_t host_fs;          /* per item: its own and its share of the launch */
    double launch_s;          /* time of a launch, with all of its starts and transfers */
    int64_t host_fs_per_byte; /* per byte that the host writes */
    unsigned host_stages, prepare_stages; /* the family's */
    double batch;             /* items per launch */
    double shared;            /* items per start: those of a launch, at most half of a ring; 1 unless `queued` */
    bool queued;              /* one start answers all items; otherwise each item has `starts` and pays for as many launches */
    bool waits;               /* and starts a launch after the answers of the last one */
    double drain;             /* pipelines that are empty between starts: starts per item; otherwise 0 */
    bool streams;             /* the host fills a queue while the kernel works: a launch has more than one item; otherwise it waits for each */
    int64_t starts;           /* per run of an item that is not queued; otherwise 1 */
    int64_t transfers;        /* transfers of these starts, between host and memory */
    int64_t units;
    bool pipelined; /* throughput follows the slowest step */
    unsigned steps[DSE_STAGE_MAX]; /* in a pipeline: step_count masks of stages */
    int64_t extra_fs[DSE_STAGE_MAX];
    size_t step_count;
    int64_t at_once; /* items per latency, over all units */
    int64_t limits[DSE_RESOURCE_COUNT]; /* resources available to a kernel */
    int64_t capped[DSE_RESOURCE_COUNT]; /* the same under the clock's utilisation cap: decides whether a design fits */
    bool clock_allowed;
    double bytes_per_s; /* sustained, of all memories: bounds the throughput of several units */
    double s_per_byte;  /* its reciprocal; 0 without memories */
    double parts; /* factor from counts of a part to those of the job */
    double femto; /* parts × 1e-15: factor from femtoseconds and femtojoules of a part to seconds and joules of the job */
};

/* Whether some design of the family takes its items from a queue; of a file's, the author of its source decides. */
bool dse_family_queues(const struct dse_model_family *family);

/* Calls per item that the emitted kernel takes from a queue; 0 without a queue: the family has none, or a launch of the board's host has one item. */
int64_t dse_queued_calls(const struct dse_model_family *family, const struct dse_board *board, const struct dse_config *config);

void dse_platform_make(const struct dse_model_family *family, const struct dse_board *board, double headroom,
                       const struct dse_config *config, enum dse_band band, struct dse_platform *out);

/* Time of one stage in a part, in femtoseconds: its slowest engine or busiest memory, plus its fill. */
int64_t dse_stage_fs(const struct dse_platform *platform, const struct dse_accumulators *sums,
                     enum dse_case which, size_t stage);

/* Pipelines: times of all steps (room for step_count) in a part, in femtoseconds; and the mean time of the slowest step, monotone in each of them. For a
 * family that states hand-over cycles, different items occupy the steps: the result is the mean of the maximum of independent times. */
void dse_step_fs(const struct dse_platform *platform, const struct dse_accumulators *sums, int64_t fs[][DSE_CASE_COUNT]);
int64_t dse_interval_fs(const struct dse_platform *platform, const int64_t fs[][DSE_CASE_COUNT]);

/* Time between successive items of one unit in steady state, in seconds: the latency, or in a pipeline the slowest step. */
double dse_interval_s(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* Times of an item in seconds, and its bytes. */
struct dse_item {
    double latency_s, kernel_s; /* with and without the processor's part */
    double interval_s;
    double wait_s;    /* dse_wait_s() */
    double host_s;    /* 0 at the kernel boundary */
    double prepare_s; /* the processor's part; 0 if it cannot be the longest */
    double bytes;
};

/* Time in seconds between two answers of one unit at a boundary, as far as the unit alone decides it: monotone in each time. */
double dse_own_s(const struct dse_platform *platform, enum dse_boundary boundary, const struct dse_item *item);

/* As dse_own_s, with what all units share, one host and the memories: a unit waits until they have served each of the others once. */
double dse_delivery_s(const struct dse_platform *platform, enum dse_boundary boundary, const struct dse_item *item);

/* Time of the stages in which the host's processor works, for a mean item, in femtoseconds of a part, and in seconds. They are no step of a pipeline. */
int64_t dse_prepare_fs(const struct dse_platform *platform, const struct dse_accumulators *sums);
double dse_prepare_s(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* Whether the processor's part limits the time between two answers at a boundary. Without a pipeline, at the kernel boundary, the latency contains it. */
static inline bool dse_prepare_contends(const struct dse_platform *platform, enum dse_boundary boundary)
{
    return boundary == DSE_BOUNDARY_SYSTEM || platform->pipelined;
}
double dse_elapsed_s(const struct dse_platform *platform, const struct dse_accumulators *sums, enum dse_boundary boundary, double latency_s, double interval_s);

/* Whether items of one launch overlap: a queue has several, and the design is a pipeline. */
static inline bool dse_launch_overlaps(const struct dse_platform *platform)
{
    return platform->pipelined && platform->streams;
}

/* Time of one launch at the system boundary, monotone in each argument. Of items that overlap, the host's processor finishes its part of all before the start;
 * then they are one interval apart. `prepare_s` is also part of `latency_s`. */
double dse_launch_s(const struct dse_platform *platform, double latency_s, double interval_s, double host_s, double prepare_s);

/* Time of a launch in which a unit with a queue has no work, for `times` items. It is 0 except at the system boundary if the host waits for answers before the next launch. */
static inline double dse_wait_s(const struct dse_platform *platform, enum dse_boundary boundary, int64_t times)
{
    return boundary == DSE_BOUNDARY_SYSTEM && platform->waits ? (double)(times * platform->host_fs) * platform->femto : 0.0;
}

/* Starts of the host that an item takes in all its runs; 1 if the item is queued. */
int64_t dse_starts(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* The host's time for an item, with its share of a launch, in seconds. */
double dse_host_s(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* Host time for an item's bytes and for its runs after the first, in a part, in femtoseconds: 0 if there are none. */
int64_t dse_host_work_fs(const struct dse_platform *platform, const struct dse_accumulators *sums);

/* Items that one unit answers per latency. */
static inline double dse_platform_items(const struct dse_platform *platform)
{
    return (double)platform->at_once / (double)platform->units;
}

/* Energy of one latency as the metric of a boundary: per item at the system boundary. */
static inline double dse_energy_at(const struct dse_platform *platform, enum dse_boundary boundary, double energy_j)
{
    return boundary == DSE_BOUNDARY_SYSTEM ? energy_j / dse_platform_items(platform) : energy_j;
}

/* Dynamic energy at a boundary, in a part, in femtojoules: of the logic; at the system boundary plus the memories. */
int64_t dse_dynamic_fj(const struct dse_platform *platform, const struct dse_accumulators *sums, enum dse_boundary boundary);

/* Converts sums to metrics; monotone in every component of the sums. Leaves quality NaN. O(stages × memories). */
void dse_derive(const struct dse_platform *platform, const struct dse_accumulators *sums,
                double metrics[DSE_METRIC_COUNT]);

/* Whether the design fits: every resource, times the units, within the clock's cap; `worst` (may be NULL)
 * receives the resource that exceeds its limit by the largest share, or −1. */
bool dse_fits(const struct dse_platform *platform, const struct dse_accumulators *sums, int *worst);
