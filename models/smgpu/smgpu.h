/* The SMGPU: cycles and costs of its engines for the task. models/smgpu/microarchitecture.md has every formula with its source.
 *
 * A graph runs two programs, one stage each. A stage's time is a schedule of its instructions over engines and routers
 * (transfers.c). An engine's own work is its busy cycles; schedule cycles beyond the busiest engine are charged to the mesh. */
#pragma once

#include "models/build.h"
#include "models/smgpu/knobs.h"

extern const struct dse_model_family smgpu_model_family, smgpu_rtl_model_family;

enum smgpu_model_stage { SMGPU_STAGE_FIND, SMGPU_STAGE_ENCODE, SMGPU_STAGES };

/* Instructions of both programs; MATCH is one of four patterns, GATHER one of two. */
enum smgpu_step {
    SMGPU_LAPLACIAN, SMGPU_FILTRATION, SMGPU_MATCH, SMGPU_WAVELET, SMGPU_GATHER, SMGPU_PERMUTE, SMGPU_BIND, SMGPU_BUNDLE, SMGPU_QUERY
};
#define SMGPU_PATTERNS_LOOKED_FOR 4

/* A workload as the blocks read it: counts per graph in both cases; classes, and training graphs. */
struct smgpu_work {
    double nodes[DSE_CASE_COUNT], arcs[DSE_CASE_COUNT], edges[DSE_CASE_COUNT], tokens[DSE_CASE_COUNT], finds[DSE_CASE_COUNT],
        tries[DSE_CASE_COUNT], matches[DSE_CASE_COUNT], classes[DSE_CASE_COUNT], taught[DSE_CASE_COUNT];
};

enum dse_status smgpu_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);

/* Cycles stated by the document, by operation ("similarity_cycles"), and counts of the work. */
double smgpu_quantity(const char *name, const struct dse_config *config, const void *work);

/* "area_mm2.BLOCK" and "power_w.BLOCK" in 7 nm ("total": all but the 4096 vectors, which are "vectors"), "clock_mhz.5nm"; NaN
 * for other names. */
double smgpu_silicon(const char *name, const struct dse_config *config);

/* Cycles of an instruction in its engine, per case; 0 if its pillar is switched off. */
double smgpu_step_cycles(const struct dse_config *config, const struct smgpu_work *work, int c, enum smgpu_step step);

/* Rounds of `lanes` over `mean` items on average: the last round of a graph is half full. */
double smgpu_trips(double mean, double lanes);

/* Rounds of the banks over a hypervector. */
double smgpu_vector_trips(const struct dse_config *config);

enum dse_status smgpu_hardware_header(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                                      struct dse_error *err);

/* The blocks. */
dse_cost_model smgpu_cost_spectral, smgpu_cost_hd, smgpu_cost_topology, smgpu_cost_rewrite, smgpu_cost_cache,
    smgpu_cost_crossbar, smgpu_cost_noc, smgpu_cost_dma, smgpu_cost_decoder;
