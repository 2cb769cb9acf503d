/* A trained model of the family, and the verbs over it. */
#pragma once

#include "datasets/triples.h"
#include "executor/executor.h"
#include "models/hdreason/executor/graph.h"
#include "executor/model_file.h"
#include "models/hdreason/knobs.h"

/* The random streams of one seed, one per purpose (core/rng.h). */
enum hdr_stream { HDR_STREAM_SPLIT = 1, HDR_STREAM_BASE, HDR_STREAM_EMBEDDING, HDR_STREAM_ORDER, HDR_STREAM_CACHE };

/* The parsed setting of a training run. */
struct hdr_setting {
    size_t dim, embedding, batch, epochs;
    double rate, init, margin, scale, smoothing;
    enum hdr_direction direction;
    enum hdr_memory memory;
    enum hdr_loss loss;
    enum hdr_optimizer optimizer;
    enum hdr_gradient gradient;
    enum hdr_precision precision;
    size_t kept; /* dimensions that the score reads, at most `dim` */
};

/* Checks the words (dse_knobs_trained_values) and reads them. */
enum dse_status hdr_setting_parse(const struct dse_setting *words, struct hdr_setting *out, struct dse_error *err);

/* Arrays of the model file, without padding. */
struct hdr_model {
    struct dse_model base;
    struct hdr_setting setting;
    size_t entities, relations, relation_rows; /* numbers of the data; rows: with the inverse relations */
    float *base_rows;  /* [embedding × dim] H^B */
    float *entity;     /* [entities × embedding] e^v */
    float *relation;   /* [relation_rows × embedding] e^r */
    void *memory;      /* [entities × dim] M^v: float, int16_t or int8_t by the precision */
    float memory_step; /* value of a whole 1; 1 for fp32 */
    float margin;
    uint32_t *entity_name, *relation_name; /* [count × letters] NumPy strings: UTF-32, padded with zeros */
    size_t entity_letters, relation_letters;
    double loss;       /* loss of the last epoch's queries, or of the first batch if there was no epoch */
};

extern const struct dse_model_form hdreason_model_form;
extern const struct dse_executor hdreason_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan hdreason_race;

static inline const struct hdr_model *hdr_model_of(const struct dse_model *model)
{
    return (const struct hdr_model *)(const void *)model;
}

static inline bool hdr_both_ways(const struct hdr_model *model)
{
    return model->setting.direction == HDR_DOUBLE;
}

/* Names as UTF-32 rows as long as the longest name, malloc'd. DSE_LIMIT above 2^26 letters in all. */
enum dse_status hdr_names_make(const struct dse_triple_names *names, uint32_t **out, size_t *letters, struct dse_error *err);

/* The triples of a data set by the model's numbers; on a set other than the training's, names are looked up. A triple with a name that the model
 * lacks gets head −1. DSE_BAD_USAGE if the model has no triple's names. Free out->triple; the rest belongs to the set. */
enum dse_status hdr_model_map(const struct hdr_model *model, const struct dse_dataset *data, struct dse_triple_set *out, struct dse_error *err);

/* The graph that the model is trained on: without the triples that judge it, which a set without valid.txt takes from train.txt. */
void hdr_model_graph(const struct hdr_model *model, const struct dse_triple_set *set, struct hdr_graph *out);

dse_fit_verb hdreason_train;
dse_infer_verb hdreason_infer;
dse_predictions_verb hdreason_predictions;
dse_profile_verb hdreason_profile;
dse_simulate_verb hdreason_simulate;

enum dse_status hdreason_pack(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_pack *out, struct dse_error *err);
enum dse_status hdreason_cases(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config, const void *layout,
                               size_t most, struct dse_strbuf *out, struct dse_error *err);
