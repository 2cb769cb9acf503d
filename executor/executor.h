/* The computing side: the verbs that every family's executor offers, and their contracts.
 *
 * Settings are given as names and values (core/setting.h): the algorithmic ones of the family's `knobs`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/setting.h"
#include "core/status.h"
#include "core/strbuf.h"
#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "executor/pack.h"
#include "executor/rtl.h"
#include "space/space.h"

struct dse_costs;

/* Options of a run, as opposed to its setting. Results never depend on `jobs`. */
struct dse_run {
    uint64_t seed;
    size_t jobs; /* at least 1 */
    const struct dse_monitor *monitor;
    const struct dse_costs *costs; /* `simulate`: the operators' latencies; NULL: the shipped library of the board */
    bool in_rtl; /* `simulate`: the SystemVerilog accelerator, of a family that has one, instead of the HLS one */
    size_t batch; /* `infer`: items that share a pass over the projection; 0: the family's own number. Results never depend on it */
    const void *layout; /* `simulate`: of an accelerator, as for `cases`: only the items that it was built for; NULL: all */
    size_t cases;       /* with it: maximum number of them */
    bool hypervectors; /* `infer`: keep them */
    bool margins;      /* `infer`: keep the margin between two classes, in a pass of its own that is not timed */
    size_t sample;     /* `infer`, `simulate`: maximum number of items of the part, evenly spaced; 0: all items */
    bool on_training;  /* `infer`: over the part that the model was trained on, not the held-out one */
    bool of_held_out;  /* `profile`: the work of the held-out graphs instead of the training graphs, if it depends on the part (nysx) */
    size_t folds; /* 0 or 1: an 80/20 split drawn by the seed; K: fold `fold` of K is held out, of one shuffle by seed */
    size_t fold;  /* 0 … folds−1 */
    const char *metric; /* judges a model instead of the family's quality: one of the figures of its inference; NULL: that quality */
    const struct dse_split *given; /* the split itself, independent of the seed; NULL: drawn, or the kind's own */
    bool validation; /* the split's training part is split again, and a fifth of it held out; the split's own held-out part is not used */
    size_t at_most;  /* with `validation`: maximum number of items to train on, and half as many to judge by; 0: all of them */
    struct dse_inference *pool; /* receives the labels and predictions of each held-out part in turn; NULL: not wanted */
};

/* A trained model of some family: the first member of the family's own struct. */
struct dse_model {
    const struct dse_executor *executor;
    struct dse_setting words; /* the setting it was trained with: a value for every parameter */
    char *dataset;            /* name and content hash of the training data */
    uint64_t dataset_hash;
    bool ranked;              /* trained on graphs of ranked edges */
    uint64_t seed;
    struct dse_split split;
};

struct dse_model_form;

/* Further measures of the answers besides the family's quality: "mse", "r2". */
#define DSE_FIGURES 16

struct dse_figure {
    const char *name;
    double value;
    double error; /* standard error over the items by the delta method: the root of the sum of the items' squared influences; NaN: none */
};

/* The result of training. */
struct dse_training {
    const char *quality_name; /* the family's: "accuracy" */
    bool higher_is_better;
    double quality;           /* on the held-out part; NaN if all items train */
    double train_quality;     /* on the part that it was trained on */
    struct dse_figure figures[DSE_FIGURES]; /* figure_count, on the held-out part, in one order for every run */
    size_t figure_count;
    double constant;          /* quality of a constant prediction by the same metric; NaN: unknown */
    size_t n_train, n_test;
    double seconds;           /* time of the training alone */
    double s_per_item;        /* time of inference, on the held-out part with run->jobs threads */
};

/* The figures that dse_inference_judge() gives a classifier and that may judge it, NULL-ended. */
extern const char *const dse_class_metrics[];

/* Appends a figure, with or without a standard error. DSE_LIMIT if there is no room. */
enum dse_status dse_figure_put(struct dse_figure figures[DSE_FIGURES], size_t *count, const char *name, double value,
                               struct dse_error *err);
enum dse_status dse_figure_put_error(struct dse_figure figures[DSE_FIGURES], size_t *count, struct dse_figure figure, struct dse_error *err);

/* The result of running a model over items. Arrays are malloc'd, `count` long. A family that classifies fills in `label` and `predicted`, one that
 * predicts numbers `target` and `estimate`, one that ranks `rank`. The others are NULL. */
struct dse_inference {
    size_t count;
    size_t n_train;        /* items that the model was trained on */
    size_t *item;          /* index in the data set */
    int64_t *label;        /* the data set's own class value */
    int64_t *predicted;
    double *target;        /* the data set's own number */
    double *estimate;
    double *rank;          /* [count × ways] rank of the right answer among all, 1 the best, for each query of an item in turn */
    size_t ways;
    int8_t *hypervector;   /* [count × dim] −1 and +1, if run->hypervectors and the family has such; else NULL */
    size_t dim;
    double *score;         /* [count × classes] beside the hypervectors, if the family chooses a class by a score; else NULL */
    size_t classes;
    double *margin;        /* [count] score of the larger class value minus that of the other. Only if run->margins, the model chooses between two
                            * classes by a score, and the family has margins; else NULL */
    size_t present;        /* classes that the items have */
    double quality, error; /* its standard error as of a figure */
    struct dse_figure figures[DSE_FIGURES]; /* figure_count */
    size_t figure_count;
    double seconds;        /* time of the inferences only */
};

/* Counts of the engines of a configuration over some items, cycle by cycle. Free with dse_simulation_free. */
struct dse_simulated_count {
    const char *name; /* "bank_conflicts", "stall_memory_cycles" */
    double mean;      /* an item */
};

struct dse_simulated_engine {
    const char *name, *stage; /* "kse", "similarity": the stage that it begins in */
    uint64_t *cycles;         /* [items] cycles of its work, if its input is there and its output is taken at once; with the fills of its pipeline */
    double waiting_cycles;    /* mean cycles that its stages wait besides */
    struct dse_simulated_count *counts; /* count_count */
    size_t count_count;
};

struct dse_simulated_stage {
    const char *name;
    uint64_t *cycles; /* [items] */
};

struct dse_simulation {
    size_t items;
    double quality;  /* quality of the predictions, as `infer` */
    size_t equal;    /* items whose answer is `infer`'s bit for bit, with the parts that the family names in `compared`; must be all */
    double clock_hz;
    struct dse_simulated_engine *engines; /* engine_count, in the order of the stages */
    size_t engine_count;
    struct dse_simulated_stage *stages; /* stage_count, one after the other */
    size_t stage_count;
    uint64_t *total; /* [items] the sum of the stages */
    uint64_t reruns;  /* further runs of the kernel's calls by the host per item: steps of a training run after the first */
    double interval_cycles; /* mean between answers of a queue that never runs dry; 0: the accelerator takes one item per start */
    double prepare_cycles;  /* mean time of the host's processor per item of each unit, a lower bound of the interval between answers */
    struct dse_config config; /* simulated */
};

struct dse_board;

/* A parameter that a survey of a new data set varies. It takes those of `values` that are below the preset's own number (all of them if it is a
 * word), and the preset's. */
struct dse_survey_axis {
    const char *parameter;
    const char *const *values; /* NULL-ended */
};

struct dse_program_files {
    const char *program, *memory, *out;
};

/* The search for settings of a new data set, in stages. Each stage crosses the settings kept by the stage before (at first the
 * base) with its axes, and races the result (explore/race.h). */
struct dse_race_axis {
    const char *const *changes; /* NULL-ended; each "name=value name=value …" */
    const char *unless;         /* "name=value": if it holds, the axis is skipped; NULL: never skipped */
};

struct dse_race_stage {
    const char *what;                  /* description of the stage: "forms, codes, hops, centring" */
    size_t keep;                       /* maximum number per kind of running settings that are taken on */
    const struct dse_race_axis *axes;  /* axis_count */
    size_t axis_count;
};

struct dse_race_plan {
    const char *base; /* a preset of the executor */
    const char *kind; /* a parameter whose values are different hardware: the best of each go on; NULL: all are of one kind */
    const struct dse_race_stage *stages; /* stage_count */
    size_t stage_count;
    const char *untried; /* parts that no stage varies, in words */
    /* The work of one training run and its test, in units of one second on one core of a usual machine. It is from a table and not from a clock, so
     * no answer depends on a machine's speed. `trained` items train. */
    double (*units)(const struct dse_dataset *data, const struct dse_setting *setting, size_t trained);
};

/* A family's verbs on data.
 *
 * Trains a model that was begun (dse_train) on the training part of its split. Puts figures of the training itself ("epochs") into `result`, and
 * train_quality if training gives it; otherwise it is measured. DSE_BAD_USAGE for a value that the data cannot serve (more landmarks than training
 * graphs). */
typedef enum dse_status dse_fit_verb(struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                     struct dse_training *result, struct dse_error *err);

/* Runs the model over the test part that it remembers, or over everything if the data set has another hash. The caller frees `result`, empty or not,
 * after a failure too. */
typedef enum dse_status dse_infer_verb(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                       struct dse_inference *result, struct dse_error *err);

/* The lines of `infer --predictions` with their header. */
typedef void dse_predictions_verb(const struct dse_inference *result, const struct dse_dataset *data, struct dse_strbuf *out);

/* The workload of one setting, measured on the training part of the split of run->seed. Fills in a zeroed workload: its series, and its setting. The
 * setting has only the parameters that shape the work, so that others may take any value. */
typedef enum dse_status dse_profile_verb(const struct dse_dataset *data, const struct dse_setting *setting, const struct dse_run *run,
                                         struct dse_workload *out, struct dse_error *err);

/* For dse_simulate(): runs the model over the items that `infer` takes, through the engines of a configuration, cycle by cycle. run->costs is given.
 * DSE_BAD_USAGE for a value that is not simulated. */
typedef enum dse_status dse_simulate_verb(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                                          const struct dse_board *board, const struct dse_run *run, struct dse_simulation *result,
                                          struct dse_error *err);

/* A series of one number. */
#define DSE_SERIES_NUMBER(series_name, number) {series_name, 1, 1, &(const double){(double)(number)}}

/* A data set's workload, in which the model's own values replace everything that the model decides (codebooks, histograms, rank). Fills in a zeroed
 * workload. */
typedef enum dse_status dse_work_verb(const struct dse_model *model, const struct dse_workload *data, struct dse_workload *out,
                                      struct dse_error *err);

struct dse_executor {
    const char *family; /* "nysx" */
    const struct dse_kind *kind;   /* the data sets that it takes */
    const char *quality_name;      /* "accuracy": the quality of its models */
    bool higher_is_better;
    const char *compared;          /* parts of an item's answer that a simulation must have from infer: "hypervectors" */
    const char *board;             /* the one of the family's paper: "zcu104" */
    const char *answers;           /* the knob of designs that do the work of `infer`: "task=infer"; NULL: all do */
    const char *const *metrics;    /* metrics that --metric accepts besides quality_name, NULL-ended; NULL: none */
    const char *untrained;         /* a setting that trains nothing, for measuring the speed of `infer`: "epochs=0"; NULL: training is short */
    bool at_once;                  /* one inference answers all items, as the accelerator does: the nodes of a graph */
    uint64_t split_stream;         /* stream of random numbers for the split */
    bool timed_cases;              /* each test case has its cycles itself: its bench needs none of `simulate` beside it */
    bool costly;                   /* a training run may take minutes: for new data without budget for a race, only the workloads are measured */
    const char *ranks;             /* the preset for graphs of ranked edges, which implies --ranked; NULL: none */
    /* If an option is given by hand and is not 0, another option takes a value unless it is given. {given, other, value}, implied_count of them. */
    const char *const (*implied)[3];
    size_t implied_count;
    const struct dse_knobs *knobs; /* declared in space/NAME; the algorithmic ones are the parameters of training */
    const struct dse_model_form *model;   /* form of its models (executor/model_file.h) */
    const struct dse_survey_axis *survey; /* the settings worth measuring if nothing was measured, or NULL */
    size_t survey_count;
    const struct dse_race_plan *race;     /* NULL: the survey's settings are all there is */

    /* For dse_executor_preset(), for data that the family takes, `trained` items of which train. NULL: the knobs' own preset (dse_knobs_preset) for
     * any data. */
    enum dse_status (*preset)(const char *name, const struct dse_dataset *data, size_t trained,
                              struct dse_setting *out, struct dse_error *err);

    /* Whether a setting can be trained on the training part of each split (as many graphs as landmarks, labels if they are read, words that go
     * together). If not, `why` has the reason: an answer, no failure. NULL: any can. */
    bool (*serves)(const struct dse_dataset *data, const struct dse_setting *setting, size_t trained, struct dse_error *why);

    /* A sentence about the part of the data that a setting reads, if there are several such parts. NULL (also the function): nothing to say. */
    const char *(*remark)(const struct dse_dataset *data, const struct dse_setting *setting);

    dse_fit_verb *fit;
    dse_infer_verb *infer;
    dse_predictions_verb *predictions; /* if an answer is more than an item, its label and its prediction; NULL: just these */
    dse_profile_verb *profile;
    dse_simulate_verb *simulate;       /* NULL if a family has none */
    const char *fetches;               /* the only engine whose stall_memory_cycles no loop of the source counts; NULL: every engine's */
    void (*assume)(const struct dse_model *model, const struct dse_run *run, struct dse_config *config); /* sets knobs whose default in a simulation
                                                                                                          * follows the model or the flow; NULL: none */

    /* For a machine with an instruction set: runs a program on the arrays of `memory` (an .npz, NULL: none) by the hardware knobs. Writes the arrays
     * that it made to `out` (NULL: nowhere), and reports the work of its engines as one item. DSE_BAD_INPUT names line and word. NULL if a family has
     * none. */
    enum dse_status (*program)(const struct dse_program_files *files, const struct dse_config *config, const struct dse_board *board,
                               const struct dse_run *run, struct dse_simulation *result, struct dse_error *err);

    /* Translates a program's text to the machine's words, or words to a text. Given with `program`. */
    enum dse_status (*translate)(const char *path, bool assembles, struct dse_strbuf *out, struct dse_error *err);

    /* The size of the family's own storage of a data set, beside the usual ones: further facts for `datasets show --family`. NULL if it has none. */
    enum dse_status (*storage)(const struct dse_dataset *data, struct dse_setting *facts, struct dse_error *err);

    dse_work_verb *work; /* NULL: the model decides nothing of it */

    /* The model's arrays as the accelerator of a configuration reads them. `layout` is the family's description of it (struct dse_hls). DSE_BAD_USAGE
     * names each part of the model that does not match, with both values. NULL if the family has no accelerator source. */
    enum dse_status (*pack)(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_pack *out,
                            struct dse_error *err);

    /* As `pack`, for the accelerator in SystemVerilog: its parameters and the contents of its memories. NULL if a family has none. DSE_ANSWER_NO names
     * the knob whose value the RTL does not support. */
    enum dse_status (*rtl)(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_rtl *out,
                           struct dse_error *err);

    /* Test cases of that accelerator, appended to `out` as the family's test bench reads them. At most `most` items that `infer` takes and the
     * accelerator was built for, with the model's results. NULL if a family has none. */
    enum dse_status (*cases)(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                             const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err);
};

/* How many items the smallest training part of a run's splits has. */
size_t dse_run_trained(const struct dse_dataset *data, const struct dse_run *run);

/* The full setting of a named preset ("paper"; NULL: the family's first, which has every knob at its default) for a data set of which `trained` items
 * train (0: of a single 80/20 split). Every parameter has a value, one that each split can serve. `out` must be empty. DSE_BAD_USAGE for an unknown
 * preset, and for data that the family cannot take. */
enum dse_status dse_executor_preset(const struct dse_executor *executor, const char *name, const struct dse_dataset *data,
                                    size_t trained, struct dse_setting *out, struct dse_error *err);

/* DSE_BAD_USAGE, with the family's metrics, for a name that is none of them (NULL: the quality). Takes the name of a negative too (dse_quality_gain). */
enum dse_status dse_executor_judges(const struct dse_executor *executor, const char *metric, struct dse_error *err);

/* DSE_BAD_USAGE if the family takes another kind of data. */
enum dse_status dse_executor_takes(const struct dse_executor *executor, const struct dse_dataset *data,
                                   struct dse_error *err);

/* The family's answer to `serves`; `trained` as in dse_executor_preset. */
bool dse_executor_serves(const struct dse_executor *executor, const struct dse_dataset *data,
                         const struct dse_setting *setting, size_t trained, struct dse_error *why);

/* The data's workload with this model: the family's answer to `work`. */
enum dse_status dse_executor_work(const struct dse_executor *executor, const struct dse_model *model, const struct dse_workload *data,
                                  struct dse_workload *out, struct dse_error *err);

/* The split of a run (datasets/split.h). */
enum dse_status dse_executor_split(const struct dse_executor *executor, const struct dse_dataset *data,
                                   const struct dse_run *run, struct dse_split *out, struct dse_error *err);

/* The registry, NULL-ended (executor/registry.c). */
extern const struct dse_executor *const dse_executor_registry[];

/* The executor of a family, or NULL; and all of them, in the registry's order. */
const struct dse_executor *dse_executor_find(const char *family);
const struct dse_executor *const *dse_executors(size_t *count);

/* Whether a family's preset (NULL: no) is for graphs of ranked edges. */
bool dse_executor_ranks(const char *family, const char *preset);

/* Whether a family (NULL: no) has a source in SystemVerilog, and none for high-level synthesis. */
static inline bool dse_executor_in_rtl_alone(const struct dse_executor *executor)
{
    return executor != NULL && executor->pack == NULL && executor->rtl != NULL;
}

/* Trains on the split of the run (drawn by run->seed, or the data's own) and measures on the held-out part. `setting` holds a
 * value for every parameter. The model is the caller's. */
enum dse_status dse_train(const struct dse_executor *executor, const struct dse_dataset *data,
                          const struct dse_setting *setting, const struct dse_run *run, struct dse_model **out,
                          struct dse_training *result, struct dse_error *err);

/* A new model (zeroed except struct dse_model): checks data and setting, and draws the split. The caller frees it. */
enum dse_status dse_model_begin(const struct dse_executor *executor, const struct dse_dataset *data,
                                const struct dse_setting *setting, const struct dse_run *run, struct dse_model **out,
                                struct dse_error *err);

/* The model file (.npz), by the family's table of arrays; equal models give equal bytes. Saving is atomic. Loading checks every array's type and
 * shape and rejects NaN, truncated files and other families' models, each with its own error. From memory, `name` stands for the file in messages. */
enum dse_status dse_model_save(const struct dse_model *model, const char *path, struct dse_error *err);
enum dse_status dse_model_load(const struct dse_executor *executor, const char *path, struct dse_model **out,
                               struct dse_error *err);
enum dse_status dse_model_load_memory(const struct dse_executor *executor, const void *bytes, size_t size, const char *name,
                                      struct dse_model **out, struct dse_error *err);
/* Ranks the edges of graphs, unless they are ranked, if the model was trained on such graphs. */
void dse_model_rank(const struct dse_model *model, struct dse_dataset *data);
void dse_model_free(struct dse_model *model);
static inline void dse_model_free_at(struct dse_model **model) /* for DSE_CLEANUP */
{
    dse_model_free(*model);
}

/* Chooses the items of a run: the held-out or training part of the model's own data, or all of another set's. Makes room for answers of the kind,
 * zeroed. DSE_BAD_USAGE for data that the family does not take. */
enum dse_answers { DSE_ANSWER_CLASSES, DSE_ANSWER_NUMBERS, DSE_ANSWER_RANKS /* two an item at most */ };
enum dse_status dse_inference_begin(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                    enum dse_answers answers, struct dse_inference *out, struct dse_error *err);

/* The class values of labels and predictions of an inference, ascending, malloc'd. Returns their number. */
size_t dse_inference_classes(const struct dse_inference *found, int64_t **values);

/* How many items of each class (row) were given each class (column), malloc'd, [count × count], by the order of `values`. */
size_t *dse_inference_confusion(const struct dse_inference *found, const int64_t *values, size_t count);

/* The quality of an inference of classes, its accuracy, and its figures. "balanced" is the mean of the classes' accuracies, "macro_f1" the mean of
 * their F1 scores. "majority" is the accuracy of always answering the commonest class. With two classes and margins "auc" is the area under the
 * receiver operating characteristic. Nothing if it has no items. O(n log n). */
enum dse_status dse_inference_judge(struct dse_inference *found, struct dse_error *err);

/* Quality by a metric of a constant prediction, or of random ranks: of the items' classes or by the figure METRIC_constant or METRIC_random. NaN: unknown. */
double dse_inference_constant(const struct dse_inference *found, const char *metric);
void dse_inference_free(struct dse_inference *result);
/* Simulates a model whose family has `simulate`, by run->costs or the board's own library. `config` has every hardware knob; knobs that training
 * decides are taken from the model. The caller frees `result`; it is empty after a failure. dse_simulate takes hardware knobs as words; absent ones
 * have the published value. DSE_BAD_USAGE for an unknown knob. */
enum dse_status dse_simulate_config(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                                    const struct dse_board *board, const struct dse_run *run, struct dse_simulation *result,
                                    struct dse_error *err);
enum dse_status dse_simulate(const struct dse_model *model, const struct dse_dataset *data, const struct dse_setting *knobs,
                             const struct dse_board *board, const struct dse_run *run, struct dse_simulation *result,
                             struct dse_error *err);
void dse_simulation_free(struct dse_simulation *result);
