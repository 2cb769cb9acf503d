/* The study: an exploration stored in one SQLite file. A study survives any end of the program and can be resumed. Other commands and any
 * SQLite tool can read it (docs/reference/studies.md describes the tables).
 *
 * A study belongs to one question: its words, and its inputs with their hashes. It holds explorations
 * (one per board and data set, in order), the points of their fronts with IDs, and every accuracy
 * measured for it. A point keeps its ID when the study is resumed and when a better point dominates it. The same question gives the same IDs for any number of jobs and after any interruption.
 *
 * Crash safety is SQLite's: each step is one transaction in a write-ahead log, which the next opening applies or drops
 * as a whole. A program that writes to a study has exclusive access; others get DSE_LIMIT.
 *
 * Errors of every function: DSE_BAD_INPUT for a file that is not a study, is damaged, or has a newer schema; DSE_LIMIT
 * if it cannot be written (disk full, in use). Returned texts and arrays belong to the study and are valid until
 * it is closed, unless stated otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "datasets/profile.h"
#include "models/estimate.h"
#include "search/search.h"

#define DSE_STUDY_SCHEMA 4 /* 1: without the metrics of the system's boundary; 2: energy per item as energy_system_j; up to 3: without its throughput */
#define DSE_STUDY_APPLICATION 0x6e797378 /* "nysx", in the file's header */

struct dse_study;

/* An input that determines the points. */
struct dse_study_input {
    const char *kind;    /* "space", "board", "costs", "calibration", "profile" */
    const char *name;    /* "zcu104", "MUTAG" */
    const char *source;  /* for opening it again: the word of the command line, or the file */
    const char *content; /* the text of the input */
    uint64_t hash;       /* XXH3 of the text */
    bool grows;          /* a profile that surveys extend: identified by data, preset and metric, not by its text. Not stored */
};

enum dse_study_state {
    DSE_STUDY_OPEN,    /* not finished */
    DSE_STUDY_DONE,
    DSE_STUDY_NOTHING, /* finished: nothing is feasible */
    DSE_STUDY_PARTIAL, /* ended by its budget: there is an answer, and --resume improves it */
    DSE_STUDY_STATE_COUNT
};
extern const char *const dse_study_state_names[DSE_STUDY_STATE_COUNT + 1]; /* "open", "done", "nothing", "partial" */

/* One board and data set; or, combined, all data sets. */
struct dse_study_exploration {
    const char *board, *dataset; /* names of inputs; combined data sets are comma-separated */
    enum dse_study_state state;
    uint64_t space_size, evaluated, feasible, unbuildable;
    bool proven;
    double seconds;        /* time of the search that completed the exploration */
    const char *refusal;   /* column of the file; rejection of struct dse_answer */
    const char *remark;    /* "" or a remark on the answer: "12 settings were not measured: …" */
};

/* A stored design. */
struct dse_study_point {
    int64_t id;            /* from 1 */
    size_t exploration;
    bool front;            /* on the front so far */
    size_t alternative;
    struct dse_setting config; /* active knobs, by name */
    double metrics[DSE_METRIC_COUNT];
};

/* Resources of an engine of a point. */
struct dse_study_engine {
    const char *name; /* "kse" */
    int64_t cycles;
    double latency_s;
    int64_t resources[DSE_RESOURCE_COUNT]; /* over all compute units */
    int64_t ddr_bytes;
    double dynamic_energy_j;
    bool memory_bound;
};

/* Result of one training run, with everything that determines it. */
struct dse_study_run {
    const char *family;
    const char *program;   /* version of the program */
    uint64_t dataset_hash;
    const char *setting;   /* every parameter: "dim=10000 hops=10 …", ascending by name */
    const char *protocol;  /* split of the held-out part: "80/20" */
    uint64_t seed;
    const char *quality_name;
    bool higher_is_better;
    double quality, train_quality;
    int64_t n_train, n_test;
    double seconds;
};

/* ---- reading ---- */

/* Opens a study for reading; rejects a study being written by another program. */
enum dse_status dse_study_open(const char *path, struct dse_study **out, struct dse_error *err);
void dse_study_close(struct dse_study *study); /* accepts NULL */
static inline void dse_study_close_at(struct dse_study **study) /* for DSE_CLEANUP */
{
    dse_study_close(*study);
}

/* As dse_study_close; also deletes a study created by this opening that stored nothing yet, or whose question was not valid. */
void dse_study_abandon(struct dse_study *study, bool valid);

/* Whether a profile had grown when the study was opened. */
bool dse_study_grown(const struct dse_study *study);

const char *dse_study_path(const struct dse_study *study);
const char *dse_study_family(const struct dse_study *study);
const char *dse_study_program(const struct dse_study *study); /* version that created the study */
const char *dse_study_command(const struct dse_study *study); /* command that recreates the study */

/* The request, by name: "objectives", "where", "method", "headroom", … */
const struct dse_setting *dse_study_question(const struct dse_study *study);

size_t dse_study_input_count(const struct dse_study *study);
const struct dse_study_input *dse_study_input_at(const struct dse_study *study, size_t index);
/* The input of a kind and name, or the first of the kind for a NULL name; NULL if there is none. */
const struct dse_study_input *dse_study_input_find(const struct dse_study *study, const char *kind, const char *name);

size_t dse_study_exploration_count(const struct dse_study *study);
const struct dse_study_exploration *dse_study_exploration_at(const struct dse_study *study, size_t index);

/* Points of an exploration by ID (only its front: by the objectives, best first, as in sweep). Free with
 * dse_study_points_free. */
enum dse_status dse_study_points(struct dse_study *study, size_t exploration, bool front_only,
                                 struct dse_study_point **out, size_t *count, struct dse_error *err);
void dse_study_points_free(struct dse_study_point *points, size_t count);

/* Point by ID; DSE_BAD_USAGE, listing the IDs, if there is none. Free its config. */
enum dse_status dse_study_point(struct dse_study *study, int64_t id, struct dse_study_point *out, struct dse_error *err);

/* Engines of a point, in the family's order; none for a point that was never part of an answer. Free the array (not its
 * texts) with free(). */
enum dse_status dse_study_engines(struct dse_study *study, int64_t point, struct dse_study_engine **out, size_t *count,
                                  struct dse_error *err);

/* All training runs, ordered by the members up to `seed`. Free the array (not its texts) with free(). */
enum dse_status dse_study_runs(struct dse_study *study, struct dse_study_run **out, size_t *count, struct dse_error *err);

/* Adds the study's measurements to the profile of a data set: workloads, and qualities of settings
 * measured with the maximum number of seeds. Existing entries of the profile are unchanged. */
enum dse_status dse_study_extend(struct dse_study *study, struct dse_profile *profile, struct dse_error *err);

/* ---- writing ---- */

/* Identity of a study. Ownership is not transferred. */
struct dse_study_description {
    const char *family, *program, *command;
    const struct dse_setting *question;
    const struct dse_study_input *inputs; /* input_count */
    size_t input_count;
    const struct dse_study_exploration *explorations; /* exploration_count: board and dataset count */
    size_t exploration_count;
};

/* Creates the study, or with `resume` continues an existing one (or creates it if missing).
 * DSE_BAD_USAGE if the file exists without `resume`. DSE_BAD_INPUT if it is of another question,
 * other inputs or another version, naming the difference with both values. If a profile has grown since, the study takes
 * the larger one and repeats its searches; points keep their IDs. */
enum dse_status dse_study_begin(const char *path, const struct dse_study_description *description, bool resume,
                                struct dse_study **out, struct dse_error *err);

/* The checks of dse_study_begin that need no inputs, for a program that has yet to measure the inputs. */
enum dse_status dse_study_check(const char *path, const char *program, const struct dse_setting *question, bool resume, struct dse_error *err);

/* Makes `checkpoint` store a search's state as this exploration's and resume from it. Points into the study.
 * Needs the question for its space. */
enum dse_status dse_study_checkpoint(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                     struct dse_checkpoint *checkpoint, struct dse_error *err);

/* Stores the answer of an exploration with `seconds` and its state: not DSE_STUDY_OPEN. */
enum dse_status dse_study_finish(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                 const struct dse_answer *answer, enum dse_study_state state, const char *remark,
                                 struct dse_error *err);

/* Answer of a finished exploration, as its search returned it (without a heuristic's history). The alternatives of its points
 * index the settings at that time. Free with dse_answer_free. */
enum dse_status dse_study_answer(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                 struct dse_answer *answer, struct dse_error *err);

/* IDs of an answer's points, 0 for points that are not stored. */
enum dse_status dse_study_ids(struct dse_study *study, size_t exploration, const struct dse_question *question,
                              const struct dse_answer *answer, int64_t *ids, struct dse_error *err);

/* Stores the engines' figures of stored points: `estimates` correspond to `ids` (0: skipped). */
enum dse_status dse_study_keep_engines(struct dse_study *study, const struct dse_model_family *family,
                                       const struct dse_estimate *const *estimates, const int64_t *ids, size_t count,
                                       struct dse_error *err);

/* Looks up a training run by its determining members and fills in the rest. `found` tells whether it exists. Thread-safe. */
enum dse_status dse_study_run_find(struct dse_study *study, struct dse_study_run *run, bool *found, struct dse_error *err);

/* Keeps a training run; it is there once this returns. May be called by any thread. */
enum dse_status dse_study_run_keep(struct dse_study *study, const struct dse_study_run *run, struct dse_error *err);

/* As dse_study_run_find and dse_study_run_keep, for workloads. `out` must be zeroed; if found, the caller owns it. */
enum dse_status dse_study_workload_find(struct dse_study *study, const struct dse_study_run *key, struct dse_workload *out,
                                        bool *found, struct dse_error *err);
enum dse_status dse_study_workload_keep(struct dse_study *study, const struct dse_study_run *key,
                                        const struct dse_workload *workload, struct dse_error *err);
