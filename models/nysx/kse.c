/* KSE: v = H(t) h, a sparse product over the landmarks' rows (paper, sections 4.2 and 5.2.4).
 *
 * The schedule assigns one row per PE and round; a round lasts as long as its longest row, at one non-zero per
 * cycle. Each PE keeps its rows in its own bank, in schedule order. */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

#define H_PORT_BITS_MOST 512

enum dse_status nysx_cost_kse(const struct dse_context *context, const struct dse_config *config,
                                 struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return DSE_OK;
    static const enum dse_storage storage[] = {DSE_STORAGE_BRAM, DSE_STORAGE_URAM, DSE_STORAGE_LUTRAM};
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t pe = config->value[NYSX_KSE_PE], place = config->value[NYSX_PLACE_H];
    int index = nysx_schedule_index(pe);
    double cycles = 0.0;
    int64_t nnz = 0, bins = 1, count = 1;
    for (int64_t t = 0; t < work->hops; t++) {
        cycles += work->h_schedule[t][config->value[NYSX_KSE_BALANCE]][index];
        nnz += work->nnz_h[t];
        bins = work->codebook[t] > bins ? work->codebook[t] : bins;
        count = work->max_count[t] > count ? work->max_count[t] : count;
    }
    /* Pipeline: entry, histogram word, product, sum, its place among the sums. */
    dse_build_operator(&build, DSE_OP_MAC, DSE_INT16, (double)pe);
    int64_t entry_cycles = place == NYSX_PLACE_DDR ? nysx_port_depth(&build, 0) : place == NYSX_PLACE_URAM ? 2 : 1;
    int64_t depth = dse_build_depth(&build, entry_cycles + 2 + nysx_latency(&build, DSE_OP_MUL, DSE_INT64) + 2);
    dse_build_datapath(&build);
    int64_t entry_bits = dse_bits_for(bins) + dse_bits_for(count + 1); /* one PE also stores the end-of-round bit */
    /* In external memory a slot is whole words; its bytes include the port's padding. */
    double slot_bytes = 4.0 * (double)(pe * dse_ceil_div(entry_bits + 1, 32)), busy = cycles;
    if (place == NYSX_PLACE_DDR) {
        double a_cycle = dse_memory_sustained_bytes_per_s(&context->board->memories[0]) / build.clock_hz;
        busy = cycles * fmax(ceil(8.0 * slot_bytes / H_PORT_BITS_MOST), slot_bytes / a_cycle);
    }
    double interval = place == NYSX_PLACE_DDR ? ceil(8.0 * slot_bytes / H_PORT_BITS_MOST) : 1.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_SIMILARITY] = dse_count(busy);
        dse_loops_note(context->loops, (enum dse_case)c, "kse_slots", (double)work->hops, cycles, interval, (double)depth);
        out->fill_cycles[c][NYSX_STAGE_SIMILARITY] = work->hops * (depth > (int64_t)interval ? depth - (int64_t)interval : 0);
        if (place == NYSX_PLACE_DDR) /* one entry per PE and cycle, in whole 32-bit words */
            out->bytes[c][NYSX_STAGE_SIMILARITY][0] = dse_count(cycles * slot_bytes);
    }
    out->operations[DSE_INT16] = 2 * nnz;
    /* Per non-zero: its entry and the bin it multiplies, in 16 bits; per landmark and hop: its pointer and its sum. */
    double entries = place == NYSX_PLACE_DDR ? 0.0 : (double)nnz * (double)entry_bits / 8.0;
    out->on_chip_bytes = dse_count(entries + 2.0 * (double)nnz + 8.0 * (double)(work->landmarks * work->hops));
    if (place == NYSX_PLACE_URAM && context->board->chip[DSE_URAM] == 0)
        dse_build_reject(&build, "place.h=uram: the board %s has no URAM", context->board->name);
    /* A bank holds its PE's rows: the depth is that of the fullest bank, the schedule's length in entries. */
    if (place == NYSX_PLACE_DDR) { /* a separate port, as wide as the PEs need, up to 512 bits */
        int64_t port_bits = pe * entry_bits < H_PORT_BITS_MOST ? pe * entry_bits : H_PORT_BITS_MOST;
        dse_build_m_axi(&build, port_bits, 0, 0, 1.0);
    } else {
        dse_build_array(&build, storage[place], (int64_t)ceil(cycles) * pe, entry_bits, pe, 1, 1);
    }
    /* Sums by hop and PE, and per hop a landmark's place; C is gathered from them. */
    int64_t trips = dse_ceil_div(work->landmarks, pe);
    dse_build_array(&build, DSE_STORAGE_LUTRAM, trips * pe * work->hops, 32, pe * work->hops, 1, 1);
    dse_build_array(&build, DSE_STORAGE_AUTO, work->landmarks * work->hops, dse_bits_for(trips * pe), work->hops, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, 32.0 * (double)(pe - 1), (double)work->hops);
    dse_build_structure(&build, DSE_STRUCTURE_ADDER, 32.0, (double)pe + (double)work->hops - 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, cycles, out);
}
