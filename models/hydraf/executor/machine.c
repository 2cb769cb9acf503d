#include "models/hydraf/executor/machine.h"

#include <string.h>

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

/* One step per cycle: a word, or the next chunk of a sample within a word; with on-chip encoding, a feature. */
struct port {
    double credit;            /* bytes that the memory could have sent, less those that the port has passed on */
    uint64_t steps, all;      /* done, and in all */
    uint64_t steps_a_word, steps_a_row;
};

static struct port open_port(const struct hydraf_hardware *h, const struct hydraf_regressor *r, size_t chunks, size_t count)
{
    static const uint64_t bits[] = {32, 16, 8};
    uint64_t row_bytes = ceil_div(h->chunk * bits[r->setting.precision], 8), words = ceil_div(row_bytes, h->word_bytes);
    if (h->on_chip) {
        uint64_t numbers = h->word_bytes / FEATURE_BYTES;
        return (struct port){.all = count * r->encoder.features, .steps_a_word = numbers, .steps_a_row = 1};
    }
    return (struct port){.all = count * chunks * words, .steps_a_row = words, .steps_a_word = words > 1 ? 1 : larger(h->word_bytes / row_bytes, 1)};
}

static void step_port(const struct hydraf_hardware *h, struct port *port, uint64_t cycle, struct hydraf_record *record)
{
    if (port->steps == port->all)
        return;
    record->busy[HYDRAF_UNIT_PORT]++;
    if ((double)cycle < h->latency_cycles + 1.0) {
        record->port_latency++;
        return;
    }
    port->credit += h->bytes_a_cycle;
    if (port->steps % port->steps_a_word == 0) {
        if (port->credit < (double)h->word_bytes) {
            record->port_credit++;
            return;
        }
        port->credit -= (double)h->word_bytes;
        record->bytes += h->word_bytes;
    }
    port->steps++;
}

/* ---- the encoder ---- */

/* Starts when all features have arrived; encodes chunk by chunk, row by row. */
struct encoder {
    uint64_t rows, all; /* made, and in all */
    uint64_t left, row_cycles;
    uint64_t begins;
};

static void step_encoder(const struct hydraf_hardware *h, struct encoder *e, const struct port *port, uint64_t cycle,
                         struct hydraf_record *record)
{
    if (e->rows == e->all)
        return;
    if (e->begins == 0 && port->steps == port->all)
        e->begins = cycle + h->feature_depth;
    if (e->begins == 0 || cycle < e->begins) {
        record->encoder_memory++;
        return;
    }
    record->busy[HYDRAF_UNIT_ENCODER]++;
    if (--e->left > 0)
        return;
    e->left = e->row_cycles;
    e->rows++;
}

/* ---- the arrays ---- */

/* Both arrays, of N rows and K columns, step together. A row's elements move along it, a hypervector's move down. Operands of a
 * dimension meet in element (j, k) max(j, k) steps after they enter, so a chunk takes T + max(K, N) steps (paper, section IV.C).
 * When answering, an element with T products takes a row's chunk at once. Each of a chunk's first steps lets one row in. */
struct arrays {
    size_t chunk, step, wait; /* current chunk; its steps done; cycles left of the step */
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

/* One step of every processing element. */
static void array_step(const struct hydraf_hardware *h, const struct arrays *a, const struct array_data *data,
                       struct hydraf_record *record)
{
    size_t dim = data->regressor->setting.dim, clusters = data->regressor->setting.clusters;
    size_t first = a->chunk * h->chunk, length = dim - first < h->chunk ? dim - first : h->chunk;
    bool at_once = h->lanes > 1 && !h->learns;
    for (size_t j = 0; j < a->count; j++)
        for (size_t k = 0; k < clusters; k++) {
            size_t skew = larger(j, k);
            bool has = a->step >= skew && a->step - skew < length;
            if (at_once)
                for (size_t d = 0; d < length && j == a->step; d++)
                    element_step(data, j, k, first + d, record);
            else if (has)
                element_step(data, j, k, first + a->step - skew, record);
            record->array_skew += !at_once && !has;
        }
}

static void step_arrays(const struct hydraf_hardware *h, struct arrays *a, const struct array_data *data, uint64_t rows_here,
                        struct hydraf_record *record)
{
    if (a->chunk == a->chunks)
        return;
    if (a->wait == 0 && a->step < a->count && rows_here <= a->chunk * a->count + a->step) {
        *(h->on_chip ? &record->array_encoder : &record->array_memory) += 1;
        return;
    }
    record->busy[HYDRAF_UNIT_CLUSTERS]++;
    record->busy[HYDRAF_UNIT_REGRESSION]++;
    if (a->wait-- == 0) {
        array_step(h, a, data, record);
        a->wait = h->interval - 1;
        a->step++;
    }
    if (a->step == a->steps && a->wait == 0) {
        a->step = 0;
        a->chunk++;
    }
}

void hydraf_machine_compare(const struct hydraf_hardware *h, const struct hydraf_regressor *r,
                            const struct hydraf_rows *rows, size_t count, double *similarity, double *prediction,
                            struct hydraf_record *record)
{
    size_t chunks = ceil_div(r->setting.dim, h->chunk), clusters = r->setting.clusters;
    uint64_t cycle = 0;
    struct port port = open_port(h, r, chunks, count);
    struct encoder encoder = {.all = h->on_chip ? count * chunks : 0,
                              .row_cycles = ceil_div(r->encoder.features, h->encoder_lanes) * (h->chunk / h->encoder_width) * h->encoder_interval};
    encoder.left = encoder.row_cycles;
    struct arrays arrays = {.chunks = chunks, .count = count, .steps = h->lanes > 1 && !h->learns ? count : h->chunk + larger(clusters, count)};
    struct array_data data = {r, rows, similarity, prediction};
    memset(similarity, 0, count * r->clusters.lanes * sizeof *similarity);
    memset(prediction, 0, count * r->models.lanes * sizeof *prediction);
    record->bytes = h->learns ? count * FEATURE_BYTES : 0;
    while (arrays.chunk < chunks) {
        uint64_t here = h->on_chip ? encoder.rows : port.steps / port.steps_a_row; /* a step's result is available in the next step */
        step_arrays(h, &arrays, &data, here, record);
        step_encoder(h, &encoder, &port, cycle, record);
        step_port(h, &port, cycle, record);
        cycle++;
    }
    const uint64_t arrays_busy = record->busy[HYDRAF_UNIT_CLUSTERS];
    const uint64_t drain = h->array_depth - h->interval, encoded = h->on_chip ? h->encoder_depth - h->encoder_interval : 0; /* results appear a depth after their step begins */
    record->stage[HYDRAF_STAGE_COMPARE] = cycle + drain + encoded;
    record->busy[HYDRAF_UNIT_CLUSTERS] += drain;
    record->busy[HYDRAF_UNIT_REGRESSION] -= h->interval;
    if (h->on_chip) { /* cycles in which encoder and arrays do not overlap count as the encoder's */
        record->busy[HYDRAF_UNIT_PORT] += h->feature_depth;
        record->busy[HYDRAF_UNIT_ENCODER] += cycle - encoder.begins - larger(record->busy[HYDRAF_UNIT_ENCODER], arrays_busy) + encoded;
    }
}

/* ---- confidences ---- */

/* One row after another, an entry per cycle; a row ends with its last entry's result. */
void hydraf_machine_predict(const struct hydraf_hardware *h, size_t clusters, size_t count, struct hydraf_record *record)
{
    uint64_t cycles = 0;
    for (size_t j = 0; j < count; j++) {
        uint64_t done = 0;
        for (size_t k = 0; k < clusters; k++)
            done = cycles + k + h->entry;
        cycles = done;
    }
    record->busy[HYDRAF_UNIT_CONFIDENCE] = cycles;
    record->busy[HYDRAF_UNIT_PORT] += h->answer + count - 1;
    record->stage[HYDRAF_STAGE_PREDICT] = cycles + h->answer + count - 1;
}

/* ---- updates ---- */

/* Both updates process each chunk together: in the dense form first the select matrix's product, then row by row. */
static uint64_t pass_steps(const struct hydraf_hardware *h, size_t chunks, size_t clusters, size_t batch, size_t count, struct hydraf_record *record)
{
    uint64_t steps = 0;
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        if (h->dense) {
            uint64_t product = h->chunk + larger(clusters, batch);
            record->select_products += product * h->update_interval;
            steps += product;
        }
        for (size_t lane = 0; lane < h->chunk; lane += h->lanes)
            steps += count;
    }
    return steps;
}

void hydraf_machine_update(const struct hydraf_hardware *h, const struct hydraf_regressor *r, size_t count,
                           size_t model_halvings, size_t cluster_halvings, struct hydraf_record *record)
{
    size_t chunks = ceil_div(r->setting.dim, h->chunk), halvings = larger(model_halvings, cluster_halvings), entries = count * r->setting.clusters;
    uint64_t cycles = h->gain + entries - 1;
    for (size_t pass = 0; pass < 2 * halvings + 1; pass++) { /* every attempt except the last is discarded, and the elements are halved */
        if (pass % 2 == 0)
            cycles += h->whole_gain + entries - 1;
        cycles += (pass_steps(h, chunks, r->setting.clusters, r->setting.batch, count, record) - 1) * h->update_interval + h->update_depth;
    }
    record->rescales += model_halvings + cluster_halvings;
    record->stage[HYDRAF_STAGE_UPDATE] = cycles;
    record->busy[HYDRAF_UNIT_REGRESSION_UPDATE] = cycles;
    record->busy[HYDRAF_UNIT_CLUSTER_UPDATE] = cycles;
}
