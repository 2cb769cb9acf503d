/* Shared by the `cases` of inference (cases.c) and of training steps (step_cases.c): calls of the accelerator. */
#pragma once

#include "executor/calls.h"
#include "models/hdreason/executor/fixed.h"
#include "models/hdreason/executor/scheduler.h"

/* Commands of the kernel; registers of a call; ports after the memory's. */
enum { HDR_INFER_CALL, HDR_MEMORISE_CALL, HDR_SIGNS_CALL, HDR_SUM_CALL, HDR_BIND_CALL, HDR_DERIVE_CALL, HDR_PASS_ON_CALL };
enum { HDR_REGISTERS = 8 };
enum hdr_port { HDR_PORT_QUERIES, HDR_PORT_ROWS, HDR_PORT_REQUESTS, HDR_PORT_VERTICES, HDR_PORT_DISTANCES, HDR_PORT_WEIGHTS, HDR_PORT_GRADIENTS };

/* DSE_BAD_USAGE if the orders have more neighbours or entities than the design holds. */
enum dse_status hdr_orders_fit(const struct hdr_orders *orders, const struct hdreason_layout *l, struct dse_error *err);

/* Writes embeddings of the encoded entities and of the relations, each in whole words of the host. */
void hdr_write_rows(struct dse_calls *calls, const struct hdreason_layout *l, const struct hdr_embeddings *from, const struct hdr_fixed *fixed, const struct hdr_orders *orders);

/* Writes row, factor and shift of M of every vertex in steps of `step`. Rows of vertices without a neighbour are 0 from the start. */
void hdr_write_vertices(struct dse_calls *calls, const struct hdreason_layout *l, const struct hdr_setting *setting, const struct hdr_graph *graph, const struct hdr_orders *orders,
                        float step);

/* `steps` training steps in sequence on the model's graph, starting from its embeddings. */
enum dse_status hdr_step_cases(struct dse_calls *calls, const struct hdr_model *model, const struct hdr_graph *graph, const struct dse_config *config, const struct hdreason_layout *l,
                               size_t steps, struct dse_error *err);
