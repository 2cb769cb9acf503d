/* The single design that a request means, and a model for it: inputs of a package (emit/). The design is that of explore/meant.h, the model's, or the
 * answer of a question. The model is read, or trained for the design. */
#pragma once

#include "executor/executor.h"
#include "explore/exploration.h"
#include "explore/meant.h"

#define DSE_FIX_MAX 160 /* "knob=value" */

struct dse_chosen {
    const struct dse_request *request;
    const struct dse_workbench *bench; /* for one board and one data set */
    const struct dse_profile *profile; /* the one with the design's workload */
    struct dse_config config;
    char origin[DSE_ORIGIN_MAX]; /* origin of a design without a question; otherwise "" */
    struct dse_setup setup;
    bool for_source;             /* a search takes designs with HLS source; a note says so */
    /* The question, if one was asked. */
    bool asked;
    struct dse_terms terms;
    struct dse_exploration exploration;
    size_t corner; /* index of the default answer in its front, or DSE_CORNER_NONE */
    char fixes[DSE_KNOB_MAX][DSE_FIX_MAX];
    /* The model, if there is one. */
    const struct dse_executor *executor;
    struct dse_model *model;
    struct dse_setting trained; /* training setting of the model */
    struct dse_dataset *data;   /* for training and test cases, or NULL */
    bool made_up;               /* the data are generated (explore/athand.h) */
    struct dse_quality quality; /* quality of a model trained here; its texts are the executor's. No name: not trained here */
    struct dse_workload measured; /* at the model's setting, if the profile has none there */
    struct dse_workload work;     /* computed from the model */
};

/* A copy of the request, with the flow in which alone the family has a source; a note says so. The user's own "flow", or "only", stays. */
void dse_chosen_flow(const struct dse_request *given, struct dse_request *out);

/* Reads the model in `file`, before a design is chosen to match it. */
enum dse_status dse_chosen_load(struct dse_chosen *chosen, const char *file, struct dse_error *err);

/* Chooses the design. With "where", "fix", "free", "minimize", "maximize" or "quality-drop": the best design found (the fastest, without
 * an objective). Otherwise: the model's, or that of explore/meant.h. If the question has no answer: DSE_ANSWER_NO without a message; the exploration
 * has the reason. */
enum dse_status dse_chosen_choose(struct dse_chosen *chosen, struct dse_error *err);

/* Finds the design's data set, before anything runs. If it is missing, generates similar data with a note; with `must`, the end of the message, it
 * fails. */
enum dse_status dse_chosen_find_data(struct dse_chosen *chosen, const char *must, struct dse_error *err);

/* Trains a model at the design's setting with the request's seed on the data found, and notes its quality. */
enum dse_status dse_chosen_train(struct dse_chosen *chosen, struct dse_error *err);

/* Sets the design up for its board, with the workload computed from the model, or the profile's if there is no model. DSE_BAD_USAGE, naming the
 * model's `file`, if the model is of another configuration. */
enum dse_status dse_chosen_set_up(struct dse_chosen *chosen, const char *file, struct dse_error *err);

/* Notes if the model and the design's sizes are from different data. */
void dse_chosen_note_data(const struct dse_chosen *chosen);

/* Notes if a ring of `slots`, limited by its memory, answers fewer items per start than the models share a launch among (--batch): an error. */
void dse_chosen_note_ring(const struct dse_chosen *chosen, const struct dse_platform *platform, int64_t slots);

/* Frees its members; accepts a zeroed struct. */
void dse_chosen_free(struct dse_chosen *chosen);
