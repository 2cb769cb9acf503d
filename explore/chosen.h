/* The one design that a request means, and a model for it: what packages of a design (emit/) are made of. The design is that of
 * "from", of "set" on the paper's, of the model, or the answer of a question; the model is read, or trained for the design. */
#pragma once

#include "executor/executor.h"
#include "explore/exploration.h"
#include "explore/meant.h"

#define DSE_FIX_MAX 160 /* "knob=value" */

struct dse_chosen {
    const struct dse_request *request;
    const struct dse_workbench *bench; /* of one board and one data set */
    const struct dse_profile *profile; /* that has the design's workload */
    struct dse_config config;
    char origin[DSE_ORIGIN_MAX]; /* of a design that nothing was asked for; else "" */
    struct dse_setup setup;
    bool for_source;             /* a question's designs have a source to be written (the HLS backend of their knobs) */
    /* Of the question that was asked, if one was. */
    bool asked;
    struct dse_terms terms;
    struct dse_exploration exploration;
    size_t corner; /* the place of the default answer in its front, or DSE_CORNER_NONE */
    char fixes[DSE_KNOB_MAX][DSE_FIX_MAX];
    /* Of the model, if there is one. */
    const struct dse_executor *executor;
    struct dse_model *model;
    struct dse_setting trained; /* what it was trained with */
    struct dse_dataset *data;   /* the data to train on and to draw cases from, or NULL */
    bool made_up;               /* they are (explore/athand.h) */
    struct dse_quality quality; /* of a model that was trained here; its texts are the executor's. No name: it was not */
    struct dse_workload measured; /* at the model's setting, where the profile has none there */
    struct dse_workload work;     /* the model's own */
};

/* Reads the model of `file`, before a design is chosen that has to be as it is. */
enum dse_status dse_chosen_load(struct dse_chosen *chosen, const char *file, struct dse_error *err);

/* Chooses the design: with "where", "fix", "free", "minimize", "maximize" or "quality-drop" the best that is found (the fastest, where
 * no objective is named); else the model's, that of "from", "preset" and "set"; and where the request has nothing of these the balanced
 * one of the default question. Where the question was asked and has no answer: DSE_ANSWER_NO without words, and why it has none is
 * in the exploration. */
enum dse_status dse_chosen_choose(struct dse_chosen *chosen, struct dse_error *err);

/* Finds the data set that the design is for, before anything runs. Where it is not at hand: with `must` that is the error, else data
 * like it are made up, and both are noted. */
enum dse_status dse_chosen_find_data(struct dse_chosen *chosen, bool must, struct dse_error *err);

/* Trains a model of the design's setting with the request's seed on the data that were found, and notes how good it is. */
enum dse_status dse_chosen_train(struct dse_chosen *chosen, struct dse_error *err);

/* Sets the design up for its board with the workload that the model makes, or the profile's without one. DSE_BAD_USAGE, with the
 * model's `file`, for a model of another configuration. */
enum dse_status dse_chosen_set_up(struct dse_chosen *chosen, const char *file, struct dse_error *err);

/* Notes that the model is of other data than the design is sized by, if so. */
void dse_chosen_note_data(const struct dse_chosen *chosen);

/* Frees what it owns; harmless on zeros. */
void dse_chosen_free(struct dse_chosen *chosen);
