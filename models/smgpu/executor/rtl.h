/* The accelerator in SystemVerilog (models/smgpu/rtl): its parameters, and the instructions that its test bench runs. */
#pragma once

#include "models/smgpu/executor/model.h"

#define SMGPU_HD_VECTORS 4096 /* capacity of the hyperdimensional engine's banks */

/* Runs the task's programs on the first `most` graphs of `infer`, and after them `extra` on the first `extras` graphs. `watch` receives every
 * instruction; `graphs` gets the number of graphs. `extra` may use a graph's arrays, its ones x and coefficients theta. */
enum dse_status smgpu_watch_graphs(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config, size_t most,
                                   const char *extra, size_t extras, const struct smgpu_watch *watch, size_t *graphs, struct dse_error *err);

/* The `rtl` and `cases` verbs (executor/executor.h). */
enum dse_status smgpu_rtl(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_rtl *out, struct dse_error *err);
enum dse_status smgpu_cases(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config, const void *layout,
                            size_t most, struct dse_strbuf *out, struct dse_error *err);
