/* The network while it trains: embeddings, the hypervectors and memory made from them, and one step along the gradient. */
#pragma once

#include "core/rng.h"
#include "models/hdreason/executor/model.h"

#define HDR_QUERIES 128 /* queries scored together; a larger batch is split into such parts */
#define HDR_SLABS 32    /* parts of the entities, shared among threads; sums follow their order */

struct hdr_net {
    struct dse_arena arena; /* memory of all arrays */
    const struct hdr_graph *graph;
    const struct hdr_setting *setting;
    enum hdr_vectors vectors;
    size_t jobs;
    const struct dse_monitor *monitor;
    size_t rows;            /* entities and relations */
    size_t width, stride;   /* elements of a row of embeddings or hypervectors, and the same padded */
    float *base;            /* [embedding × stride] */
    float *base_turned;     /* [dim × width] */
    float *embedding;       /* [rows × width] */
    float *moment[2];       /* [rows × width] Adam's; NULL for plain steps */
    float *hyper;           /* [rows × stride] H */
    float *memory;          /* [entities × stride] M */
    float *memory_gradient; /* [entities × stride] */
    float *hyper_gradient;  /* [rows × stride] */
    float *relation_gradient; /* [relations × stride] of the scores */
    float *score;           /* [entities × HDR_QUERIES] distances, then weights */
    float *query, *query_turned, *query_gradient; /* [HDR_QUERIES × stride]; the last has HDR_SLABS of these */
    double *partial;        /* [3 × HDR_SLABS × HDR_QUERIES] */
    size_t slice, parts;    /* elements of all rows that a pass over the edges keeps in cache; parts of a slice's rows */
    float *near;            /* [jobs × 2 × rows × slice], or NULL if a slice is a whole row */
    float *scratch;         /* [jobs] rows of a block, with their embeddings' gradients */
    size_t steps;
    double (*cosine)[6];    /* [blocks] first step, gradient=paper: dot product, both gradients' squares; entities, relations */
};

/* Leaves embeddings and base to hdr_net_start(), which draws them. */
void hdr_net_make(const struct hdr_graph *graph, const struct hdr_setting *setting, const struct dse_run *run, bool training,
                  struct hdr_net *out);
void hdr_net_free(struct hdr_net *net);
void hdr_net_start(struct hdr_net *net, uint64_t seed);

/* Computes H of all rows, and from it M of all entities. */
enum dse_status hdr_net_encode(struct hdr_net *net, struct dse_error *err);
enum dse_status hdr_net_memorise(struct hdr_net *net, struct dse_error *err);

/* One step over the queries of a batch (indices into the graph's), or without `learn` its loss alone. `loss` gets the sum over the
 * queries. O(edges · D + count · entities · D). */
enum dse_status hdr_net_step(struct hdr_net *net, const int32_t *batch, size_t count, bool learn, double *loss, struct dse_error *err);

/* Updates a row of embeddings along its gradient, by plain SGD or by Adam (Kingma and Ba, 2015; 0.9, 0.999, 1e-8, the row's moments). `steps` is
 * the step's number, from 1 on. */
void hdr_update_row(const struct hdr_setting *setting, size_t steps, float *e, float *mean, float *square, const float *gradient);

/* After a first step with gradient=paper: the cosines with the true gradient, of the entities and of the relations. */
void hdr_net_cosines(const struct hdr_net *net, double *entities, double *relations);
