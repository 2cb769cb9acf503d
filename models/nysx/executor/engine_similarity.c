/* KSE: rows of H(t) by the schedule, one non-zero per cycle and PE; with place.h=ddr at the rate of its entries. */
#include <stdlib.h>

#include "core/memory.h"
#include "models/nysx/executor/engines.h"
#include "models/nysx/executor/schedule.h"

#define PORT_BYTES 64 /* at most, of H's port */

static uint64_t bits_for(uint64_t n)
{
    uint64_t bits = 1;
    while (((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

/* Bytes of an entry in memory: bin, count and end-of-round bit, in whole 32-bit words. */
static uint64_t entry_bytes(const struct nysx_encoder *encoder)
{
    uint64_t bins = 1, count = 1;
    for (size_t t = 0; t < encoder->tables; t++) {
        uint64_t codes = encoder->hop[t].codes, most = (uint64_t)nysx_csr_max(&encoder->hop[t].counts);
        bins = codes > bins ? codes : bins;
        count = most > count ? most : count;
    }
    return 4 * ((bits_for(bins) + bits_for(count + 1) + 1 + 31) / 32);
}

/* Slots of one hop, a separate loop whose entries are a new read from memory. */
static uint64_t run_hop(const struct nysx_hardware *h, const int32_t *counts, const int32_t *order, size_t rows,
                        uint64_t entry, struct nysx_similarity_run *out)
{
    uint64_t slots = 0, bytes = 0, interval = h->h_in_memory ? (h->kse_pe * entry + PORT_BYTES - 1) / PORT_BYTES : 1;
    for (size_t first = 0; first < rows; first += h->kse_pe) {
        uint64_t longest = 1, work = 0;
        for (size_t i = first; i < rows && i < first + h->kse_pe; i++) {
            uint64_t count = (uint64_t)counts[order[i]];
            longest = count > longest ? count : longest;
            work += count;
        }
        slots += longest;
        out->uneven += longest * h->kse_pe - work;
    }
    uint64_t cycles = dse_pipeline_cycles(h->kse_depth, interval, slots);
    if (!h->h_in_memory)
        return cycles;
    bytes = slots * h->kse_pe * entry; /* shorter rows are padded */
    out->bytes += bytes;
    uint64_t arrived = h->kse_depth - interval + (uint64_t)((double)bytes / h->first_bytes_a_cycle);
    out->starved += arrived > cycles ? arrived - cycles : 0;
    return arrived > cycles ? arrived : cycles;
}

int32_t *nysx_similarity_order(const struct nysx_hardware *h, const struct nysx_csr *counts)
{
    int32_t *lengths = dse_malloc((2 * counts->rows + 1) * sizeof *lengths), *order = lengths + counts->rows;
    for (size_t r = 0; r < counts->rows; r++) {
        lengths[r] = counts->begin[r + 1] - counts->begin[r];
        order[r] = (int32_t)r;
    }
    if (h->kse_balance != NYSX_KSE_NONE)
        nysx_schedule_order(lengths, counts->rows, order);
    return lengths;
}

struct nysx_similarity_run nysx_simulate_similarity(const struct nysx_hardware *h, const struct nysx_encoder *encoder)
{
    struct nysx_similarity_run out = {0};
    size_t rows = encoder->landmarks;
    for (size_t t = 0; t < encoder->tables; t++) {
        int32_t *lengths = nysx_similarity_order(h, &encoder->hop[t].counts);
        out.cycles += run_hop(h, lengths, lengths + rows, rows, entry_bytes(encoder), &out);
        free(lengths);
    }
    return out;
}
