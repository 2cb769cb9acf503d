/* A trained model of the family, and the verbs over it. */
#pragma once

#include "executor/executor.h"
#include "executor/model_file.h"
#include "models/smgpu/executor/machine.h"
#include "models/smgpu/executor/task.h"

/* The random streams of one seed, one per purpose (core/rng.h). */
enum smgpu_stream { SMGPU_STREAM_SPLIT = 1, SMGPU_STREAM_BOOK, SMGPU_STREAM_CHOICE };

struct smgpu_model {
    struct dse_model base;
    struct smgpu_setting setting;
    size_t class_count, label_count, entry_count, cut_count;
    int64_t *class_value;  /* [class_count] the data's own */
    int64_t *label_value;  /* [label_count]; none if degrees replace labels */
    int32_t *cut;          /* [cut_count] between the levels of heat */
    uint32_t *entry;       /* [entry_count × words] contents of the cache */
    int32_t *entry_class;  /* [entry_count] index of class_value */

    /* derived from the above: */
    struct smgpu_book book;
    uint32_t seed;    /* seed of the codebook */
    uint32_t *rows;   /* [rows of the book × words] */
    uint32_t *keys;   /* [entry_count × words of reduced] */
};

extern const struct dse_model_form smgpu_model_form;
extern const struct dse_executor smgpu_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan smgpu_race;

static inline const struct smgpu_model *smgpu_model_of(const struct dse_model *model)
{
    return (const struct smgpu_model *)(const void *)model;
}

/* Make the codebook's rows from the model's seed, label count and setting, and then the keys of the entries. */
void smgpu_model_make_rows(struct smgpu_model *model);
void smgpu_model_make_keys(struct smgpu_model *model);

/* For each label of a set, the model's label, −1 if unknown; malloc'd, NULL if the set has no labels. */
enum dse_status smgpu_model_labels(const struct smgpu_model *model, const struct dse_graph_set *set, int32_t **out, struct dse_error *err);

/* The machine of a configuration: its hardware knobs, with `trained` as defaults, and the board. */
enum dse_status smgpu_hardware_read(const struct dse_config *config, const struct dse_board *board,
                                    struct smgpu_hardware *out, struct dse_error *err);

/* Sets the capacity of a machine of `nodes` nodes and `entries` entries. */
void smgpu_hardware_limits(struct smgpu_hardware *hardware, size_t nodes, size_t entries);

dse_fit_verb smgpu_train;
dse_infer_verb smgpu_infer;
dse_profile_verb smgpu_profile;
dse_simulate_verb smgpu_simulate;

enum dse_status smgpu_program_simulate(const struct dse_program_files *files, const struct dse_config *config, const struct dse_board *board,
                                       const struct dse_run *run, struct dse_simulation *result, struct dse_error *err);
enum dse_status smgpu_program_translate(const char *path, bool assembles, struct dse_strbuf *out, struct dse_error *err);
