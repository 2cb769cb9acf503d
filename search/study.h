/* The study: an exploration kept in one SQLite file. It survives any end of the program, can be resumed, and can be read by
 * other commands and by any SQLite tool (docs/reference/studies.md describes the tables).
 *
 * A study belongs to one question: the words that were asked, and the inputs with their hashes. It holds explorations
 * (one for each board and data set, in their order), the points of their fronts with an ID each, and every accuracy that
 * was measured for it. A point keeps its ID when the study is resumed and when a better point dominates it. The same question gives the same IDs for any number of jobs and after any interruption.
 *
 * Crash safety is SQLite's: each step is one transaction in a write-ahead log, which the next opening applies or drops
 * whole. While a program writes to a study it holds it alone: another one is told so (DSE_LIMIT).
 *
 * Errors of every function: DSE_BAD_INPUT for a file that is no study, is damaged, or is of a newer schema; DSE_LIMIT
 * where it cannot be written to (disk full, in use). Texts and arrays that are given out belong to the study and last until
 * it is closed, unless it is said otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "datasets/profile.h"
#include "models/estimate.h"
#include "search/search.h"

#define DSE_STUDY_SCHEMA 3 /* 1: without the metrics of the system's boundary; 2: energy per item as energy_system_j */
#define DSE_STUDY_APPLICATION 0x6e797378 /* "nysx", in the file's header */

struct dse_study;

/* Something that the points follow from. */
struct dse_study_input {
    const char *kind;    /* "space", "board", "costs", "calibration", "profile" */
    const char *name;    /* "zcu104", "MUTAG" */
    const char *source;  /* what opens it again: the word of the command line, or the file */
    const char *content; /* its text */
    uint64_t hash;       /* XXH3 of the text */
    bool grows;          /* a profile that surveys add to: its data, preset and metric are its identity, its text is not. Not kept */
};

enum dse_study_state {
    DSE_STUDY_OPEN,    /* not finished */
    DSE_STUDY_DONE,
    DSE_STUDY_NOTHING, /* finished: nothing is feasible */
    DSE_STUDY_PARTIAL, /* ended by its budget: there is an answer, and --resume betters it */
    DSE_STUDY_STATE_COUNT
};
extern const char *const dse_study_state_names[DSE_STUDY_STATE_COUNT + 1]; /* "open", "done", "nothing", "partial" */

/* One board and data set; or, combined, all data sets. */
struct dse_study_exploration {
    const char *board, *dataset; /* names of inputs; data sets that are combined parted by commas */
    enum dse_study_state state;
    uint64_t space_size, evaluated, feasible, unbuildable;
    bool proven;
    double seconds;        /* of the search that finished it */
    const char *refusal;   /* as in struct dse_answer */
    const char *remark;    /* "" or what else is to be said of the answer: "12 settings were not measured: …" */
};

/* A stored design. */
struct dse_study_point {
    int64_t id;            /* from 1 */
    size_t exploration;
    bool front;            /* on the front as far as it is known */
    size_t alternative;
    struct dse_setting config; /* the knobs that matter, by name */
    double metrics[DSE_METRIC_COUNT];
};

/* Resources of an engine of a point. */
struct dse_study_engine {
    const char *name; /* "kse" */
    int64_t cycles;
    double latency_s;
    int64_t resources[DSE_RESOURCE_COUNT]; /* of all compute units */
    int64_t ddr_bytes;
    double dynamic_energy_j;
    bool memory_bound;
};

/* One training's result, with all that determines it. */
struct dse_study_run {
    const char *family;
    const char *program;   /* the version that trained */
    uint64_t dataset_hash;
    const char *setting;   /* every parameter: "dim=10000 hops=10 …", ascending by name */
    const char *protocol;  /* how the held-out part is drawn: "80/20" */
    uint64_t seed;
    const char *quality_name;
    bool higher_is_better;
    double quality, train_quality;
    int64_t n_train, n_test;
    double seconds;
};

/* ---- reading ---- */

/* Opens a study to read it; a study that another program is writing to is rejected. */
enum dse_status dse_study_open(const char *path, struct dse_study **out, struct dse_error *err);
void dse_study_close(struct dse_study *study); /* NULL is fine */
static inline void dse_study_close_at(struct dse_study **study) /* for DSE_CLEANUP */
{
    dse_study_close(*study);
}

/* The same; and a study that this opening made goes again, if it has kept nothing yet or what it kept is not valid: its question was none. */
void dse_study_abandon(struct dse_study *study, bool valid);

/* Whether a profile had grown when this was begun. */
bool dse_study_grown(const struct dse_study *study);

const char *dse_study_path(const struct dse_study *study);
const char *dse_study_family(const struct dse_study *study);
const char *dse_study_program(const struct dse_study *study); /* the version that made it */
const char *dse_study_command(const struct dse_study *study); /* what makes it again */

/* The request, by name: "objectives", "where", "method", "headroom", … */
const struct dse_setting *dse_study_question(const struct dse_study *study);

size_t dse_study_input_count(const struct dse_study *study);
const struct dse_study_input *dse_study_input_at(const struct dse_study *study, size_t index);
const struct dse_study_input *dse_study_input_find(const struct dse_study *study, const char *kind, const char *name);

size_t dse_study_exploration_count(const struct dse_study *study);
const struct dse_study_exploration *dse_study_exploration_at(const struct dse_study *study, size_t index);

/* The points of an exploration by ID (its front alone: by the objectives, best first, as sweep lists them). Free with
 * dse_study_points_free. */
enum dse_status dse_study_points(struct dse_study *study, size_t exploration, bool front_only,
                                 struct dse_study_point **out, size_t *count, struct dse_error *err);
void dse_study_points_free(struct dse_study_point *points, size_t count);

/* The point of an ID; DSE_BAD_USAGE where there is none, saying which there are. Free its config. */
enum dse_status dse_study_point(struct dse_study *study, int64_t id, struct dse_study_point *out, struct dse_error *err);

/* The engines of a point, in the family's order; none of a point that never was part of an answer. Free the array (not its
 * texts) with free(). */
enum dse_status dse_study_engines(struct dse_study *study, int64_t point, struct dse_study_engine **out, size_t *count,
                                  struct dse_error *err);

/* Every training, in the order of the members up to `seed`. Free the array (not its texts) with free(). */
enum dse_status dse_study_runs(struct dse_study *study, struct dse_study_run **out, size_t *count, struct dse_error *err);

/* Adds to the profile of a data set what was measured of it for the study: workloads, and qualities of the settings that were
 * measured with as many seeds as any. What the profile holds already stays. */
enum dse_status dse_study_extend(struct dse_study *study, struct dse_profile *profile, struct dse_error *err);

/* ---- writing ---- */

/* The identity of a study. Ownership does not pass. */
struct dse_study_description {
    const char *family, *program, *command;
    const struct dse_setting *question;
    const struct dse_study_input *inputs; /* input_count */
    size_t input_count;
    const struct dse_study_exploration *explorations; /* exploration_count: board and dataset count */
    size_t exploration_count;
};

/* Makes the study, or with `resume` goes on with the one that is there (and makes it where there is none yet).
 * DSE_BAD_USAGE where the file exists and `resume` is not asked for. DSE_BAD_INPUT where it was made for another question,
 * other inputs or by another version, naming what differs with both values. Where a profile has grown since, the study takes
 * the larger one, and its explorations are searched again; points keep their IDs. */
enum dse_status dse_study_begin(const char *path, const struct dse_study_description *description, bool resume,
                                struct dse_study **out, struct dse_error *err);

/* Fails as dse_study_begin would before it looks at the inputs: for a program that has yet to measure them. */
enum dse_status dse_study_check(const char *path, const char *program, const struct dse_setting *question, bool resume, struct dse_error *err);

/* Makes `checkpoint` keep a search's state as this exploration's, and start from what is kept. It points into the study.
 * The question is needed for its space. */
enum dse_status dse_study_checkpoint(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                     struct dse_checkpoint *checkpoint, struct dse_error *err);

/* Keeps the answer of an exploration, `seconds` and all, and what it is: not DSE_STUDY_OPEN. */
enum dse_status dse_study_finish(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                 const struct dse_answer *answer, enum dse_study_state state, const char *remark,
                                 struct dse_error *err);

/* The answer of a finished exploration, as its search gave it (without a heuristic's history). The alternatives of its points
 * are places among the settings of that day. Free with dse_answer_free. */
enum dse_status dse_study_answer(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                 struct dse_answer *answer, struct dse_error *err);

/* The IDs of an answer's points, 0 for what is not stored. */
enum dse_status dse_study_ids(struct dse_study *study, size_t exploration, const struct dse_question *question,
                              const struct dse_answer *answer, int64_t *ids, struct dse_error *err);

/* Keeps what each engine takes of stored points: `estimates` belong to the points of `ids` (0: skipped). */
enum dse_status dse_study_keep_engines(struct dse_study *study, const struct dse_model_family *family,
                                       const struct dse_estimate *const *estimates, const int64_t *ids, size_t count,
                                       struct dse_error *err);

/* Looks for a training run by what determines it; fills in the rest. `found` says whether it is there. May be called by any
 * thread. */
enum dse_status dse_study_run_find(struct dse_study *study, struct dse_study_run *run, bool *found, struct dse_error *err);

/* Keeps a training run; it is there once this returns. May be called by any thread. */
enum dse_status dse_study_run_keep(struct dse_study *study, const struct dse_study_run *run, struct dse_error *err);

/* The same for workloads. `out`, where it is found, was zeroed and is the caller's. */
enum dse_status dse_study_workload_find(struct dse_study *study, const struct dse_study_run *key, struct dse_workload *out,
                                        bool *found, struct dse_error *err);
enum dse_status dse_study_workload_keep(struct dse_study *study, const struct dse_study_run *key,
                                        const struct dse_workload *workload, struct dse_error *err);
