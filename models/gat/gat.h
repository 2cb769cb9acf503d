/* The graph attention accelerator (LayerBreak-GAT and Streamline-GAT on ZCU106): its stages and engines. models/gat/microarchitecture.md has every
 * formula with its source.
 *
 * Every subgraph (a node and its neighbours) passes SPMM, DMVM, softmax and aggregator of a lane, which overlap; both layers stand
 * on chip. One latency answers the whole graph. */
#pragma once

#include "models/build.h"
#include "models/gat/knobs.h"

extern const struct dse_model_family gat_model_family;

enum gat_model_stage {
    GAT_MODEL_LAYER1,
    GAT_MODEL_DISPATCH, /* `streamline`: layer 1's vectors go to every row of layer 2 that they are in */
    GAT_MODEL_LAYER2,
    GAT_MODEL_TRANSFER, /* where the task asks for it */
    GAT_MODEL_STAGES
};

/* The processor's part in a transfer, which no document states (fitted.c). */
enum gat_fitted { GAT_SETUP, GAT_FIRST, GAT_FITTED_COUNT };
extern const struct dse_fitted gat_fitted[GAT_FITTED_COUNT];

/* A workload as the blocks read it: counts over the rows of all subgraphs; `steps` has one for a row without non-zeros. */
struct gat_work {
    int64_t nodes, features, classes, rows, nonzeros, steps, longest_row, longest_subgraph;
};

enum dse_status gat_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);

/* Rows (also those of subgraphs), nodes, features, non-zeros as published figures name them. */
double gat_quantity(const char *name, const struct dse_config *config, const void *work);

/* The sizes that a configuration means, and those that its memories have. */
struct gat_shape {
    int64_t inputs[2], heads[2], channels[2], outputs[2], passes[2]; /* of both layers */
    int64_t widest;          /* of `outputs` */
    int64_t lanes, pes;
    int64_t bits;            /* of a weight, and of a value of h_data */
    int64_t entry_bits;      /* of an h_data entry: value and column index; a hidden word in one */
    int64_t z_bits;          /* of WH */
    bool streamline, executes;
    bool thesis;             /* `rtl=thesis`: engines are those of its RTL (thesis.c) */
    struct gat_work holds;   /* what the memories hold: `capacity` */
};
struct gat_shape gat_shape_of(const struct dse_config *config, const struct gat_work *work);

/* Rows that WH and, a head, the FIFOs hold: the longest subgraph and 16 more, 64 at least. */
int64_t gat_rows_held(const struct gat_shape *shape);

/* Channels of a head that DMVM and aggregator take at once: those of the wider layer. */
int64_t gat_lanes(const struct gat_shape *shape);

/* Cycles of a layer for one lane, of work that takes `all` over all subgraphs and `longest` in the longest: the lanes take the next
 * subgraph when they are free, and end half a mean one apart. */
double gat_share(const struct gat_shape *shape, const struct gat_work *work, double all, double longest);

/* Work of a layer (0, 1) into the accumulators of both cases, where the task executes at all. */
void gat_put_layer(struct dse_accumulators *out, const struct gat_shape *shape, int layer, double busy, double fill);

/* Cycles that so many ns of logic take behind registers. */
int64_t gat_stages(const struct dse_build *build, double ns);

/* Notes a loop of the source that both layers enter once each, where the task executes. */
void gat_note(const struct dse_build *build, const struct gat_shape *shape, const char *name, int64_t iterations, int64_t depth);

/* Cycles of everything that a block's cost has so far put into the layers: what its parts work for. */
double gat_working(const struct dse_accumulators *out);

/* Structures that the thesis's own RTL has of an engine (thesis.c). */
void gat_thesis_loader(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_spmm(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_dmvm(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_softmax(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_aggregator(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_dispatcher(struct dse_build *build, const struct gat_shape *shape);

/* A product of words wider than the multiplier of one DSP takes two. */
void gat_build_products(struct dse_build *build, int64_t bits, double times);

#define GAT_KNOBS(id) DSE_KNOB_BIT(GAT_##id)

/* The accelerator's header (hls.c). */
enum dse_status gat_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                             struct dse_error *err);

/* The blocks; each in the file of its engine. */
dse_cost_model gat_cost_loader, gat_cost_spmm, gat_cost_dmvm, gat_cost_softmax, gat_cost_aggregator, gat_cost_dispatcher,
    gat_cost_h_data, gat_cost_graph, gat_cost_weights, gat_cost_cdma, gat_cost_control;
