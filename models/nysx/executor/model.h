/* A trained NysX model. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "executor/executor.h"
#include "models/nysx/executor/encoder.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/nee.h"
#include "models/nysx/executor/parameters.h"
#include "models/nysx/executor/sce.h"
#include "datasets/graphs.h"

struct nysx_model {
    struct dse_model base;
    struct nysx_setting setting;
    struct nysx_columns columns;  /* columns of F */
    struct nysx_encoder encoder;  /* LSHU, MPHE, HUE, KSE */
    size_t rank;                  /* numerical rank of the landmark kernel */
    char algebra[32];             /* OpenBLAS kernels used by the training (algebra.h); "" if none */
    struct nysx_nee nee;          /* NEE */
    struct nysx_prototypes prototypes; /* SCE */
    int64_t *class_values;        /* [prototypes.classes] values in the data set */
    int32_t *landmarks;           /* [encoder.landmarks] graph indices, ascending */
};

extern const struct dse_model_form nysx_model_form;

dse_fit_verb nysx_fit;
dse_infer_verb nysx_infer;
dse_profile_verb nysx_profile;
dse_simulate_verb nysx_simulate;
dse_work_verb nysx_model_work;

/* Graphs for inference: the held-out part of the model's own data, or all of another set; sets `item` and
 * `label` of the result, without predictions. DSE_LIMIT for graphs that overflow 32-bit sums. */
enum dse_status nysx_infer_items(const struct nysx_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                 struct dse_inference *result, struct dse_error *err);

/* Trains up to the encoder and the rank of its landmark kernel, without projection and prototypes; also returns
 * the data's features in the model's columns. */
enum dse_status nysx_train_encoder(const struct dse_dataset *data, const struct dse_setting *setting,
                                   const struct dse_run *run, struct nysx_model **model,
                                   struct nysx_features *features, struct dse_error *err);

/* A model's arrays for the accelerator (executor.h). */
enum dse_status nysx_model_pack(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_pack *out,
                                struct dse_error *err);
enum dse_status nysx_model_rtl(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_rtl *out,
                               struct dse_error *err);
/* Keeps at most `most` of the `count` graphs: those that the accelerator of the layout was built for, in their order. Returns their number. */
size_t nysx_fitting(const struct dse_graph_set *set, const void *layout, size_t *graphs, size_t count, size_t most);
enum dse_status nysx_model_cases(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                                 const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err);

/* The direct form's part of an inference. */
void nysx_encode_direct(const struct nysx_model *model, const struct nysx_query *query, struct nysx_scratch *scratch,
                        struct nysx_nee_scratch *nee_scratch, uint64_t *hypervector, int64_t *added);

/* Complete inference of one graph: its hypervector ([nee.words] words), the scores added by its codes ([classes]), and the class index. */
size_t nysx_infer_query(const struct nysx_model *model, const struct nysx_query *query,
                        struct nysx_scratch *scratch, struct nysx_nee_scratch *nee_scratch,
                        uint64_t *hypervector, int64_t *added);

/* Converts a base pointer to the NysX model. */
static inline const struct nysx_model *nysx_model_of(const struct dse_model *model)
{
    return (const struct nysx_model *)(const void *)model;
}
