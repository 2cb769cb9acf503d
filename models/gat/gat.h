/* The graph attention accelerator (LayerBreak-GAT and Streamline-GAT on ZCU106): its stages and engines. models/gat/microarchitecture.md has every
 * formula with its source.
 *
 * Every subgraph (a node and its neighbours) passes SPMM, DMVM, softmax and aggregator of a lane, which overlap; both layers are
 * on chip. One latency answers the whole graph. */
#pragma once

#include "models/build.h"
#include "models/gat/knobs.h"

extern const struct dse_model_family gat_model_family;

enum gat_model_stage {
    GAT_MODEL_LAYER1,
    GAT_MODEL_DISPATCH, /* `streamline`: copies layer 1's vectors to every row of layer 2 that contains them */
    GAT_MODEL_LAYER2,
    GAT_MODEL_TRANSFER, /* if the task includes it */
    GAT_MODEL_STAGES
};

/* Processor time per transfer, which no document states (fitted.c). */
enum gat_fitted { GAT_SETUP, GAT_FIRST, GAT_FITTED_COUNT };
extern const struct dse_fitted gat_fitted[GAT_FITTED_COUNT];

/* A workload as the blocks read it: counts over the rows of all subgraphs; `steps` counts 1 for a row without non-zeros. */
struct gat_work {
    int64_t nodes, features, classes, rows, nonzeros, steps, longest_row, longest_subgraph;
};

enum dse_status gat_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);

/* Rows (including those of subgraphs), nodes, features, non-zeros, by the names of published figures. */
double gat_quantity(const char *name, const struct dse_config *config, const void *work);

/* Sizes of a configuration and of its memories. */
struct gat_shape {
    int64_t inputs[2], heads[2], channels[2], outputs[2], passes[2]; /* sizes of both layers */
    int64_t widest;          /* the larger of `outputs` */
    int64_t lanes, pes;
    int64_t bits;            /* width of a weight and of a value in h_data */
    int64_t entry_bits;      /* width of an h_data entry: value and column index, or a hidden feature */
    int64_t z_bits;          /* width of WH */
    bool streamline, executes;
    bool thesis;             /* `rtl=thesis`: engines as in its RTL (thesis.c) */
    struct gat_work holds;   /* capacity of the memories: `capacity` */
};
struct gat_shape gat_shape_of(const struct dse_config *config, const struct gat_work *work);

/* Rows of WH and, per head, of the FIFOs: the longest subgraph plus 16, at least 64. */
int64_t gat_rows_held(const struct gat_shape *shape);

/* Channels of a head that DMVM and aggregator take in parallel: those of the wider layer. */
int64_t gat_lanes(const struct gat_shape *shape);

/* Cycles of an engine in a layer: `all` over all subgraphs, `longest` in the longest. Each lane has an equal share of consecutive subgraphs.
 * The slowest lane exceeds its share by half a mean subgraph. */
double gat_share(const struct gat_shape *shape, const struct gat_work *work, double all, double longest);

/* Calls of the kernel per item, each a start of the host: those of the emitted cases. */
int64_t gat_calls(const struct dse_config *config);
int64_t gat_transfers(const struct dse_model_family *family, const struct dse_config *config, bool queued);

/* Adds work of a layer (0, 1) to both cases, if the task executes. */
void gat_put_layer(struct dse_accumulators *out, const struct gat_shape *shape, int layer, double busy, double fill);

/* Cycles for that many ns of logic between registers. */
int64_t gat_stages(const struct dse_build *build, double ns);

/* Records a loop that both layers enter once each, in `copies` lanes, if the task executes. */
void gat_note(const struct dse_build *build, const struct gat_shape *shape, const char *name, int64_t copies, int64_t iterations, int64_t depth);

/* Cycles that a block's cost has put into the layers so far: the working time of its parts. */
double gat_working(const struct dse_accumulators *out);

/* Structures of an engine in the thesis's own RTL (thesis.c). */
void gat_thesis_loader(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_spmm(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_dmvm(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_softmax(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_aggregator(struct dse_build *build, const struct gat_shape *shape);
void gat_thesis_dispatcher(struct dse_build *build, const struct gat_shape *shape);

/* Products; words wider than one DSP's multiplier take two DSPs. */
void gat_build_products(struct dse_build *build, int64_t bits, double times);

#define GAT_KNOBS(id) DSE_KNOB_BIT(GAT_##id)

/* The accelerator's header (hls.c). */
enum dse_status gat_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                             struct dse_error *err);

/* The blocks; each in the file of its engine. */
dse_cost_model gat_cost_loader, gat_cost_spmm, gat_cost_dmvm, gat_cost_softmax, gat_cost_aggregator, gat_cost_dispatcher,
    gat_cost_h_data, gat_cost_graph, gat_cost_weights, gat_cost_cdma, gat_cost_control;
