/* Data movement: pseudo-channels, PCIe, and the logic around the kernel. */
#include <math.h>

#include "models/hdreason/hdreason.h"

/* The vendor's DMA over sixteen lanes of generation 3, 512 bits wide; a round number, assumed, because no cost library has it. */
#define PCIE_LUTS 70000
#define PCIE_FFS 70000
#define PCIE_BUFFERS 60 /* RAMB36 */

#define CHUNK_DEPTH 2  /* depth of a loop that splits beats */
#define ANSWER_DEPTH 2

/* Vectors of a stage over one half of the channels: cycles, and bytes of the board's first memory. */
static void move(struct dse_accumulators *out, const struct hdreason_shape *s, int stage, double vectors, double cycles, int64_t elements)
{
    hdreason_put(out, s, stage, vectors * cycles);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->bytes[c][stage][0] = dse_count(round(vectors * (double)(elements * s->bits) / 8.0 * s->times));
}

/* Writes H while encoding and reads it again; M. */
enum dse_status hdreason_cost_hypervectors(const struct dse_context *context, const struct dse_config *config,
                                              struct dse_accumulators *out, struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double vectors = (s->once ? (double)s->work->encoded : 0.0) + hdreason_rereads(s, config) + (double)s->work->subjects;
    if (s->stepped)
        hdreason_step_hypervectors(&a, config, out);
    else if (s->trains)
        move(out, s, HDREASON_MEMORISE, vectors, s->vector_cycles, s->dim);
    const double turn = fmax((double)s->score_trips, s->kept_cycles), asked = 2.0 * (double)s->batch; /* M_s and H_r of the queries, which come first */
    const int64_t read = hdreason_read_depth(&a.build);
    move(out, s, HDREASON_SCORE, (double)s->work->entities, turn, s->kept);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->bytes[c][HDREASON_SCORE][0] += dse_count(round(asked * (double)(s->kept * s->bits) / 8.0 * s->times));
    hdreason_put_fill(out, s, HDREASON_SCORE, asked * turn + (double)(2 * read + 2 * CHUNK_DEPTH));
    const int passes = s->stepped ? 2 : 1; /* every memory is read again for the signs */
    hdreason_note(&a.build, s, 1, "hypervectors_queries", 2 * s->batch * s->score_beats, read + 1);
    hdreason_note(&a.build, s, 1, "hypervectors_gather", 2 * s->batch * s->score_trips, CHUNK_DEPTH);
    hdreason_note(&a.build, s, passes, "hypervectors_beats", s->work->entities * s->score_beats, read);
    hdreason_note(&a.build, s, passes, "hypervectors_chunks", s->work->entities * s->score_trips, CHUNK_DEPTH);
    /* the stacks' controllers are hard IP: only addresses and flags */
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(54 * config->value[HDR_CHANNELS]), 1.0);
    dse_build_combinational(&a.build, DSE_STRUCTURE_ADDER, 32.0, 2.0 * (double)config->value[HDR_CHANNELS]);
    return dse_build_finish(&a.build, 0.0, out);
}

/* ∂M/∂H while it is summed, the signs while they are summed, and both while the gradients are computed. */
enum dse_status hdreason_cost_gradients(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                           struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double entities = (double)s->work->entities;
    if (s->stepped) {
        hdreason_step_gradients(&a, config, out);
    } else if (s->trains) {
        move(out, s, HDREASON_MEMORISE, (double)s->work->subjects, s->vector_cycles, s->dim);
        move(out, s, HDREASON_SCORE, entities, s->vector_cycles, s->dim);
        move(out, s, HDREASON_TRAIN, 2.0 * entities, s->vector_cycles, s->dim);
    }
    return dse_build_finish(&a.build, a.cycles * s->times, out);
}

/* δ of every query to every entity. */
static double delta_bytes(const struct hdreason_shape *s)
{
    return (double)s->work->entities * (double)s->batch * HDREASON_WORD_BYTES;
}

double hdreason_pcie_training(const struct hdreason_shape *s)
{
    double rows = (double)(s->work->entities + s->relation_rows);
    return fmax(delta_bytes(s), rows * s->row_bytes) / s->pcie_bytes_a_cycle;
}

/* Transfers embeddings in, distances out, δ in and gradients out, each in parallel with its stage. The CPU's scheduler, sigmoid
 * and update process arrived data while the next transfer runs. */
enum dse_status hdreason_cost_pcie(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    /* an entity's distances: whole words, one per cycle, at most at PCIe's rate */
    const double word = fmax(1.0, (double)HDREASON_HOST_BITS / 8.0 / s->pcie_bytes_a_cycle);
    const int64_t words = s->work->entities * s->answer_words, read = hdreason_read_depth(&a.build);
    hdreason_put(out, s, HDREASON_SCORE, (double)words * word);
    hdreason_put_fill(out, s, HDREASON_SCORE, (double)(2 * s->batch - 1 + read + 1));
    hdreason_note(&a.build, s, 1, "pcie_queries", 2 * s->batch, read);
    hdreason_note(&a.build, s, 1, "pcie_distances", words, ANSWER_DEPTH);
    if (s->stepped) {
        hdreason_step_pcie(&a, config, out);
    } else if (s->trains) {
        hdreason_put(out, s, HDREASON_MEMORISE, hdreason_encodings(s) * s->row_bytes / s->pcie_bytes_a_cycle);
    }
    out->reruns = config->value[HDR_TASK] == HDR_FIT ? dse_count(s->times * (double)hdreason_parts(NULL, config)) - 1 : 0;
    return dse_build_finish(&a.build, 0.0, out);
}

/* Gradients out, beside δ in; by the emitted source alone. Few knobs decide both these and the other transfers. */
enum dse_status hdreason_cost_pcie_out(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    if (a.shape.stepped)
        hdreason_step_pcie_out(&a, config, out);
    else if (a.shape.trains)
        hdreason_put(out, &a.shape, HDREASON_TRAIN, hdreason_pcie_training(&a.shape));
    return dse_build_finish(&a.build, 0.0, out);
}

/* PCIe DMA with its interconnect, one row of Table 5 ("others"), and the card's clock, which no other block counts. */
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
    dse_build_queue(&build, context->family->queues(config), 8);
    DSE_TRY(dse_build_finish(&build, 0.0, out));
    out->idle_nw += dse_count(1e9 * dse_fitted_value(hdreason_fitted, HDREASON_CARD, context));
    return DSE_OK;
}
