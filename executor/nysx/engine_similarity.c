/* KSE: rows of H(t) by the schedule, a non-zero a cycle and PE; with place.h=ddr as its entries come. */
#include <math.h>
#include <stdlib.h>

#include "executor/nysx/engines.h"
#include "executor/nysx/schedule.h"

#define PORT_BYTES 64 /* of the port that H comes through, at most */

static uint64_t bits_for(uint64_t n)
{
    uint64_t bits = 1;
    while (((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

/* Bytes of an entry in memory: bin, count and the end of a turn in whole 32-bit words. */
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

/* Iterations of one hop; `asked` bytes of entries have been used, over the hops. */
static void run_hop(const struct nysx_hardware *h, const int32_t *counts, const int32_t *order, size_t rows,
                    uint64_t entry, uint64_t *now, struct nysx_similarity_run *out)
{
    for (size_t first = 0; first < rows; first += h->kse_pe) {
        uint64_t longest = 1, work = 0;
        for (size_t i = first; i < rows && i < first + h->kse_pe; i++) {
            uint64_t count = (uint64_t)counts[order[i]];
            longest = count > longest ? count : longest;
            work += count;
        }
        *now += longest * (h->h_in_memory ? (h->kse_pe * entry + PORT_BYTES - 1) / PORT_BYTES : 1);
        out->uneven += longest * h->kse_pe - work;
        if (!h->h_in_memory)
            continue;
        out->bytes += longest * h->kse_pe * entry; /* all that this iteration and those before it need: shorter rows filled up */
        double arrived = h->query_latency_cycles + (double)out->bytes / h->first_bytes_a_cycle;
        if ((double)*now < arrived) {
            out->starved += (uint64_t)(arrived - (double)*now + 1.0);
            *now = (uint64_t)(arrived + 1.0);
        }
    }
}

enum dse_status nysx_simulate_similarity(const struct nysx_hardware *h, const struct nysx_encoder *encoder,
                                         struct nysx_similarity_run *out, struct dse_error *err)
{
    size_t rows = encoder->landmarks;
    int32_t *counts = malloc(2 * (rows + 1) * sizeof *counts), *order = counts + rows + 1;
    uint64_t now = h->h_in_memory ? (uint64_t)ceil(h->query_latency_cycles) : 0, entry = entry_bytes(encoder);
    enum dse_status status = counts == NULL ? dse_fail_memory(err) : DSE_OK;
    *out = (struct nysx_similarity_run){.starved = now};
    for (size_t t = 0; status == DSE_OK && t < encoder->tables; t++) {
        const struct nysx_csr *csr = &encoder->hop[t].counts;
        for (size_t r = 0; r < rows; r++) {
            counts[r] = csr->begin[r + 1] - csr->begin[r];
            order[r] = (int32_t)r;
        }
        if (h->kse_balance != NYSX_KSE_NONE)
            status = nysx_schedule_order(counts, rows, order, err);
        if (status == DSE_OK)
            run_hop(h, counts, order, rows, entry, &now, out);
        now += h->kse_depth; /* the next hop's entries come meanwhile */
    }
    out->cycles = now;
    free(counts);
    return status;
}
