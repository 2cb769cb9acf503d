#include "models/hydraf/executor/machine.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/depths.h"

#define FEATURE_BYTES 4 /* single precision, features and targets */

static size_t ceil_div(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- the port ---- */

struct port {
    double credit;       /* bytes that the memory could have sent and the port has not passed on */
    uint64_t left, here; /* bytes not yet brought; brought */
};

static uint64_t bytes_of_row(const struct hydraf_hardware *h, const struct hydraf_regressor *r)
{
    static const uint64_t bits[] = {32, 16, 8};
    if (h->on_chip)
        return r->encoder.inputs * FEATURE_BYTES;
    return ceil_div(r->setting.dim * bits[r->setting.precision], 8);
}

/* The way to the memory began with the predict stage of the run before, which was as long as this one's. */
static void step_port(const struct hydraf_hardware *h, struct port *port, uint64_t cycle, struct hydraf_record *record)
{
    if (port->left == 0)
        return;
    record->busy[HYDRAF_UNIT_PORT]++;
    if ((double)(cycle + record->stage[HYDRAF_STAGE_PREDICT]) < h->latency_cycles) {
        record->port_latency++;
        return;
    }
    port->credit += h->bytes_a_cycle;
    uint64_t bytes = (uint64_t)port->credit;
    bytes = bytes < port->left ? bytes : port->left;
    record->port_credit += bytes == 0;
    port->credit -= (double)bytes;
    port->left -= bytes;
    port->here += bytes;
}

/* ---- the encoder ---- */

/* Chunk after chunk, row after row; a task's elements leave `depth` cycles after its last step. */
struct encoder {
    size_t row, chunk, steps_left, task_steps;
    size_t rows, chunks;
    uint64_t row_bytes;
    uint64_t *there; /* [chunks] the cycle from which a finished chunk's elements are there */
};

static void step_encoder(const struct hydraf_hardware *h, struct encoder *e, const struct port *port, uint64_t cycle,
                         struct hydraf_record *record)
{
    if (e->chunk == e->chunks)
        return;
    if (port->here < (e->row + 1) * e->row_bytes) {
        record->encoder_memory++;
        return;
    }
    record->busy[HYDRAF_UNIT_ENCODER]++;
    if (e->steps_left == 0)
        e->steps_left = e->task_steps;
    if (--e->steps_left > 0)
        return;
    if (++e->row < e->rows)
        return;
    e->row = 0;
    e->there[e->chunk++] = cycle + 1 + h->encoder_depth;
}

/* ---- the arrays ---- */

/* Both arrays step alike: N rows by K columns, a row's elements moving along it and a hypervector's down. Operands of a
 * dimension meet in element (j, k) max(j, k) steps after they entered, so that a chunk takes T + max(K, N) steps (paper,
 * section IV.C). Single rows meet nothing to take turns with: pipelined, their whole chunk is one step. */
struct arrays {
    size_t chunk, step, wait; /* in work on a chunk; steps done; cycles left of a step */
    bool working;
    size_t chunks, steps, count;
};

static double whole_product(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t j, size_t k, size_t d)
{
    return block->whole[d * block->lanes + k] * rows->whole[j * block->dim + d];
}

/* One multiply-accumulate of element (j, k). */
static void accumulate(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t j, size_t k, size_t d,
                       double *sum)
{
    double *at = &sum[j * block->lanes + k];
    if (block->real != NULL)
        *at = (double)((float)*at + block->real[d * block->lanes + k] * rows->real[j * block->dim + d]);
    else
        *at += whole_product(block, rows, j, k, d);
}

struct array_data {
    const struct hydraf_regressor *regressor;
    const struct hydraf_rows *rows;
    double *similarity, *prediction;
};

static void element_step(const struct array_data *data, size_t j, size_t k, size_t d, struct hydraf_record *record)
{
    accumulate(&data->regressor->clusters, data->rows, j, k, d, data->similarity);
    accumulate(&data->regressor->models, data->rows, j, k, d, data->prediction);
    record->products += 2;
}

/* What every processing element does in one step. */
static void array_step(const struct hydraf_hardware *h, const struct arrays *a, const struct array_data *data,
                       struct hydraf_record *record)
{
    size_t dim = data->regressor->setting.dim, clusters = data->regressor->setting.clusters;
    size_t first = a->chunk * h->chunk, length = dim - first < h->chunk ? dim - first : h->chunk;
    bool at_once = h->pipelined && !h->learns;
    for (size_t j = 0; j < a->count; j++)
        for (size_t k = 0; k < clusters; k++) {
            size_t skew = larger(j, k);
            bool has = a->step >= skew && a->step - skew < length;
            if (at_once)
                for (size_t d = 0; d < length; d++)
                    element_step(data, j, k, first + d, record);
            else if (has)
                element_step(data, j, k, first + a->step - skew, record);
            record->array_skew += !at_once && !has;
        }
}

static void count_arrays(struct hydraf_record *record)
{
    record->busy[HYDRAF_UNIT_CLUSTERS]++;
    record->busy[HYDRAF_UNIT_REGRESSION]++;
}

static void step_arrays(const struct hydraf_hardware *h, struct arrays *a, const struct array_data *data,
                        const struct port *port, const struct encoder *e, uint64_t row_bytes, uint64_t cycle,
                        struct hydraf_record *record)
{
    if (a->chunk == a->chunks)
        return;
    if (!a->working) {
        uint64_t needed = row_bytes * a->count * (a->chunk + 1) / a->chunks;
        bool encoded = e->chunk > a->chunk && cycle >= e->there[a->chunk];
        if (h->on_chip ? !encoded : port->here < needed) {
            *(h->on_chip ? &record->array_encoder : &record->array_memory) += 1;
            if (a->chunk == 0 && port->here > 0) /* the fill of its pipeline */
                count_arrays(record);
            return;
        }
        a->working = true;
        a->step = 0;
        a->wait = 0;
    }
    count_arrays(record);
    if (a->wait-- == 0) {
        array_step(h, a, data, record);
        a->wait = h->interval - 1;
        a->step++;
    }
    if (a->step == a->steps && a->wait == 0) {
        a->working = false;
        a->chunk++;
    }
}

void hydraf_machine_compare(const struct hydraf_hardware *h, const struct hydraf_regressor *r,
                            const struct hydraf_rows *rows, size_t count, double *similarity, double *prediction,
                            struct hydraf_record *record)
{
    size_t chunks = ceil_div(r->setting.dim, h->chunk), clusters = r->setting.clusters;
    uint64_t row_bytes = bytes_of_row(h, r), cycle = 0;
    struct port port = {.left = row_bytes * count + (h->learns ? count * FEATURE_BYTES : 0)};
    struct encoder encoder = {.rows = count, .chunks = h->on_chip ? chunks : 0, .row_bytes = row_bytes,
                              .there = dse_calloc(chunks, sizeof *encoder.there),
                              .task_steps = ceil_div(r->encoder.features, h->encoder_features) *
                                            (h->pipelined ? 1 : h->chunk)};
    struct arrays arrays = {.chunks = chunks, .count = count,
                            .steps = h->pipelined && !h->learns ? 1 : h->chunk + larger(clusters, count)};
    struct array_data data = {r, rows, similarity, prediction};
    memset(similarity, 0, count * r->clusters.lanes * sizeof *similarity);
    memset(prediction, 0, count * r->models.lanes * sizeof *prediction);
    record->bytes = port.left;
    while (arrays.chunk < chunks || port.left > 0) {
        step_arrays(h, &arrays, &data, &port, &encoder, row_bytes, cycle, record); /* what is there from the cycle before */
        step_encoder(h, &encoder, &port, cycle, record);
        step_port(h, &port, cycle, record);
        cycle++;
    }
    free(encoder.there);
    record->stage[HYDRAF_STAGE_COMPARE] = cycle + h->array_depth;
    record->busy[HYDRAF_UNIT_CLUSTERS] += h->array_depth;
    record->busy[HYDRAF_UNIT_REGRESSION] += h->array_depth;
    record->busy[HYDRAF_UNIT_ENCODER] += h->on_chip ? h->encoder_depth : 0;
}

/* ---- confidences ---- */

/* One row's answer: a tree finds the largest sum; the differences from it pass one after another, an operand a cycle, to their
 * exponentials and products with the predictions; two trees add both, and one division ends it. Returns the cycle at which it is
 * there. */
static uint64_t answer_row(const struct hydraf_hardware *h, size_t clusters, uint64_t begin)
{
    uint64_t levels = dse_tree_levels(clusters), enters = begin + levels * h->compare, there = enters;
    for (size_t k = 0; k < clusters; k++, enters++)
        there = enters + h->difference + h->to_real + h->multiply + h->exp + h->multiply;
    return there + levels * h->tree_add + h->divide;
}

/* The row's loss, then a gain for each cluster through one multiplier: exponential times the scaled reciprocal of their sum, times
 * the loss, and written, before the next begins. */
static uint64_t gain_row(const struct hydraf_hardware *h, size_t clusters, uint64_t begin, struct hydraf_record *record)
{
    uint64_t cycle = begin + h->add;
    for (size_t k = 0; k < clusters; k++) {
        cycle += 2 * h->multiply + 1;
        record->entry_waits += k + 1 < clusters ? 2 * h->multiply : 0;
    }
    return cycle;
}

void hydraf_machine_predict(const struct hydraf_hardware *h, size_t clusters, size_t count, struct hydraf_record *record)
{
    uint64_t cycle = 0;
    for (size_t j = 0; j < count; j++) {
        cycle = answer_row(h, clusters, cycle);
        if (h->learns)
            cycle = gain_row(h, clusters, cycle, record);
    }
    record->stage[HYDRAF_STAGE_PREDICT] = cycle;
    record->busy[HYDRAF_UNIT_CONFIDENCE] = cycle;
}

/* ---- updates ---- */

/* A unit that learns chunk after chunk, row after row. */
struct updater {
    size_t chunk, row, step;
    uint64_t product_left; /* of the select matrix, in front of a chunk */
    uint64_t rescale_left; /* passes that make room, in front of all */
    bool done;
};

static void step_updater(const struct hydraf_hardware *h, struct updater *u, size_t chunks, size_t count,
                         uint64_t product, enum hydraf_unit unit, struct hydraf_record *record)
{
    if (u->done)
        return;
    record->busy[unit]++;
    if (u->rescale_left > 0) {
        u->rescale_left--;
        return;
    }
    if (u->product_left > 0) {
        u->product_left--;
        record->select_products++;
        return;
    }
    if (++u->step < (h->pipelined ? 1 : h->chunk))
        return;
    u->step = 0;
    if (++u->row < count)
        return;
    u->row = 0;
    u->product_left = product;
    u->done = ++u->chunk == chunks;
}

void hydraf_machine_update(const struct hydraf_hardware *h, const struct hydraf_regressor *r, size_t count,
                           size_t model_halvings, size_t cluster_halvings, struct hydraf_record *record)
{
    size_t chunks = ceil_div(r->setting.dim, h->chunk), turns = h->pipelined ? 1 : h->chunk;
    uint64_t product = h->dense ? (h->chunk + larger(r->setting.clusters, count)) * h->interval : 0;
    struct updater models = {.rescale_left = model_halvings * chunks * turns};
    struct updater clusters = {.rescale_left = cluster_halvings * chunks * turns, .product_left = product};
    uint64_t cycle = 0;
    for (; !models.done || !clusters.done; cycle++) {
        step_updater(h, &models, chunks, count, 0, HYDRAF_UNIT_REGRESSION_UPDATE, record);
        step_updater(h, &clusters, chunks, count, product, HYDRAF_UNIT_CLUSTER_UPDATE, record);
    }
    record->rescales += model_halvings + cluster_halvings;
    record->stage[HYDRAF_STAGE_UPDATE] = cycle + h->update_depth;
    record->busy[HYDRAF_UNIT_REGRESSION_UPDATE] += h->update_depth;
    record->busy[HYDRAF_UNIT_CLUSTER_UPDATE] += h->update_depth;
}
