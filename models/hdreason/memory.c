/* Data movement: pseudo-channels, PCIe, and what stands around the kernel. */
#include <math.h>

#include "models/hdreason/hdreason.h"

/* The vendor's DMA over sixteen lanes of generation 3, 512 bits wide, by a round number: assumed, as no cost library has it. */
#define PCIE_LUTS 70000
#define PCIE_FFS 70000
#define PCIE_BUFFERS 60 /* RAMB36 */

/* Vectors of a stage over one half of the channels: cycles, and bytes of the board's first memory. */
static void move(struct dse_accumulators *out, const struct hdreason_shape *s, int stage, double vectors, double cycles, int64_t elements)
{
    hdreason_put(out, s, stage, vectors * cycles);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->bytes[c][stage][0] = dse_count(round(vectors * (double)(elements * s->bits) / 8.0 * s->times));
}

/* H as it is encoded and read again, and M. */
enum dse_status hdreason_cost_hypervectors(const struct dse_context *context, const struct dse_config *config,
                                              struct dse_accumulators *out, struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double vectors = (s->once ? (double)s->work->encoded : 0.0) + hdreason_rereads(s, config) + (double)s->work->subjects;
    if (s->trains)
        move(out, s, HDREASON_MEMORISE, vectors, s->vector_cycles, s->dim);
    move(out, s, HDREASON_SCORE, (double)s->work->entities, s->kept_cycles, s->kept);
    hdreason_put_fill(out, s, HDREASON_SCORE, (double)s->batch * s->kept_cycles); /* the queries' own vectors first */
    /* the stacks' controllers are hard: addresses and flags alone */
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(54 * config->value[HDR_CHANNELS]), 1.0);
    dse_build_combinational(&a.build, DSE_STRUCTURE_ADDER, 32.0, 2.0 * (double)config->value[HDR_CHANNELS]);
    return dse_build_finish(&a.build, 0.0, out);
}

/* ∂M/∂H as it is summed, the signs as they are summed, and both when the gradients are made. */
enum dse_status hdreason_cost_gradients(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                           struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double entities = (double)s->work->entities;
    if (s->trains && s->forward) {
        move(out, s, HDREASON_MEMORISE, (double)s->work->subjects, s->vector_cycles, s->dim);
        move(out, s, HDREASON_SCORE, entities, s->vector_cycles, s->dim);
    }
    if (s->trains)
        move(out, s, HDREASON_TRAIN, 2.0 * entities, s->vector_cycles, s->dim);
    return dse_build_finish(&a.build, 0.0, out);
}

/* Of a distance, or of δ, of every query to every entity. */
static double words_bytes(const struct hdreason_shape *s)
{
    return (double)s->work->entities * (double)s->batch * HDREASON_WORD_BYTES;
}

double hdreason_pcie_training(const struct hdreason_shape *s)
{
    double rows = (double)(s->work->entities + s->relation_rows);
    return fmax(words_bytes(s), rows * s->row_bytes) / s->pcie_bytes_a_cycle;
}

/* Embeddings in, distances out, δ in and gradients out, each beside the stage that it belongs to; the CPU's scheduler, sigmoid and
 * update work on what has arrived while the next is under way. */
enum dse_status hdreason_cost_pcie(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    hdreason_put(out, s, HDREASON_SCORE, words_bytes(s) / s->pcie_bytes_a_cycle);
    if (s->trains) {
        hdreason_put(out, s, HDREASON_MEMORISE, hdreason_encodings(s) * s->row_bytes / s->pcie_bytes_a_cycle);
        hdreason_put(out, s, HDREASON_TRAIN, hdreason_pcie_training(s));
    }
    return dse_build_finish(&a.build, 0.0, out);
}

/* PCIe DMA with its interconnect, as Table 5 has them in one row ("others"), and the clock that nobody else counts: the card. */
enum dse_status hdreason_cost_control(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                         struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[HDR_CLOCK_MHZ], err);
    double ports = (double)config->value[HDR_CHANNELS];
    dse_build_m_axi(&build, config->value[HDR_AXI], 16, 16, ports);
    dse_build_combinational(&build, DSE_STRUCTURE_ADDER, PCIE_LUTS / 16.0, 16.0);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, PCIE_FFS, 1.0);
    dse_build_array(&build, DSE_STORAGE_BRAM, PCIE_BUFFERS * 1024, 36, PCIE_BUFFERS, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, 32.0, 1.0);
    DSE_TRY(dse_build_finish(&build, 0.0, out));
    out->idle_nw += dse_count(1e9 * dse_fitted_value(hdreason_fitted, HDREASON_CARD, context));
    return DSE_OK;
}
