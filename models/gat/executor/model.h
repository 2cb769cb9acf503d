/* A trained model of the family, and the verbs over it. */
#pragma once

#include "datasets/nodes.h"
#include "executor/executor.h"
#include "models/gat/executor/fixed.h"
#include "models/gat/executor/network.h"
#include "executor/model_file.h"
#include "models/gat/knobs.h"

/* The random streams of one seed, one per purpose (core/rng.h). */
enum gat_stream { GAT_STREAM_SPLIT = 1, GAT_STREAM_WEIGHTS, GAT_STREAM_DROPOUT };

/* The parsed setting of a training run. */
struct gat_setting {
    enum gat_arithmetic arithmetic;
    size_t channels, heads;
    double steps; /* on each side of 0: 127 of int8, 7 of int4 */
    size_t epochs, patience;
    double rate, decay;
    struct gat_dropout dropout;
};

/* Checks the words (dse_knobs_trained_values) and reads them. */
enum dse_status gat_setting_parse(const struct dse_setting *words, struct gat_setting *out, struct dse_error *err);

struct gat_model {
    struct dse_model base;
    struct gat_setting setting;
    size_t features, classes;
    char **class_name;       /* [classes] in the order of the outputs */
    size_t epochs;           /* run in training */
    float feature_largest;   /* magnitude in the training data: 127 in int8 */
    struct gat_network network;
};

extern const struct dse_model_form gat_model_form;
extern const struct dse_executor gat_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan gat_race;

static inline const struct gat_model *gat_model_of(const struct dse_model *model)
{
    return (const struct gat_model *)(const void *)model;
}

/* The sizes of the network's two layers, by the model's setting, features and classes. */
void gat_model_shape(struct gat_model *model);

/* The functions of the network in an arithmetic; the three whole-number arithmetics train the same. */
struct gat_functions gat_functions_of(const struct gat_setting *setting);

/* Results of a trained model over a graph: o of layer 2 in the arithmetic of an approach; for a model of another arithmetic its outputs.
 * One of the two arrays, [nodes × classes], is malloc'd for the caller. DSE_BAD_USAGE for a graph of other features. */
struct gat_scores {
    int64_t *whole;
    float *real;
};
enum dse_status gat_model_run(const struct gat_model *model, const struct dse_node_graph *graph, enum gat_arithmetic arithmetic,
                              struct gat_scores *out, struct dse_error *err);
void gat_scores_free(struct gat_scores *scores);

/* The class of the largest score, the first of equals. */
size_t gat_largest_whole(const int64_t *score, size_t classes);

/* For each class of the model, the data's number of the class of that name, or −1; malloc'd. */
void gat_model_classes(const struct gat_model *model, const struct dse_dataset *data, int64_t **out);

dse_fit_verb gat_train;
dse_infer_verb gat_infer;
dse_profile_verb gat_profile;
dse_simulate_verb gat_simulate;
enum dse_status gat_pack(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_pack *out,
                         struct dse_error *err);
enum dse_status gat_cases(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                          const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err);

/* A design without an approach gets that of the model's arithmetic. */
void gat_assume(const struct dse_model *base, const struct dse_run *run, struct dse_config *config);
enum dse_status gat_storage(const struct dse_dataset *data, struct dse_setting *facts, struct dse_error *err);
