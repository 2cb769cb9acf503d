/* Codes of one hop from the LSHU's vector through the MPHE to the HUE: three pipelined loops with FIFOs of words between
 * them. A word in a pipeline already occupies its place in the FIFO, because a pipeline that stalls keeps its words. */
#include "executor/kit.h"
#include "models/nysx/executor/engines.h"

#define QUEUE 16 /* words of codes, and of bins */

void nysx_lookup_trace(const struct nysx_mph *mph, int64_t value, struct nysx_lookup_code *code)
{
    code->probes = nysx_mph_trace(mph, value, code->word, &code->index);
    bool found = code->index >= 0 && mph->entry[code->index].code == value;
    code->bin = found ? mph->entry[code->index].bin : -1;
}

/* Words started by `iterations` of the loop that makes codes; a tuple's word comes with its last column. */
static uint64_t words_begun(const struct nysx_emission *emission, uint64_t iterations)
{
    uint64_t group = emission->rounds * emission->columns, inside = iterations % group;
    uint64_t last = group - emission->rounds, words = iterations / group * emission->rounds + (inside > last ? inside - last : 0);
    return words < emission->words ? words : emission->words;
}

/* Steps the three loops until the last word is counted. */
static void run(const struct nysx_emission *emission, struct dse_pipeline *lshu, struct dse_pipeline *mphe, struct dse_pipeline *hue,
                struct nysx_lookup_run *out)
{
    struct dse_fifo codes = dse_fifo_make(QUEUE + lshu->depth), bins = dse_fifo_make(QUEUE + mphe->depth);
    uint64_t now = 0;
    for (; hue->started < hue->iterations; now++) {
        bool new_word = hue->started % emission->steps == 0, has_word = !new_word || dse_fifo_waiting(&bins, now) > 0;
        if (dse_pipeline_starts(hue, now, has_word, true) && new_word)
            dse_fifo_take(&bins);
        uint64_t waiting = dse_fifo_waiting(&codes, now), queued = waiting < QUEUE ? waiting : QUEUE; /* the others are in the pipeline */
        out->queue_most = queued > out->queue_most ? queued : out->queue_most;
        out->starved += waiting == 0 && mphe->started < mphe->iterations;
        if (dse_pipeline_starts(mphe, now, waiting > 0, !dse_fifo_full(&bins)))
            dse_fifo_put(&bins, now + mphe->depth, dse_fifo_take(&codes));
        if (dse_pipeline_starts(lshu, now, true, !dse_fifo_full(&codes)) && words_begun(emission, lshu->started) > codes.put)
            dse_fifo_put(&codes, now + lshu->depth, 0);
    }
    out->cycles = now > 0 ? now - 1 + hue->depth : 0;
    dse_fifo_free(&codes);
    dse_fifo_free(&bins);
}

void nysx_simulate_lookup(const struct nysx_hardware *h, const struct nysx_emission *emission, struct nysx_lookup_code *code,
                          size_t count, size_t bins, int32_t *copies, struct nysx_lookup_run *out)
{
    struct dse_pipeline lshu = {.depth = h->codes_depth, .interval = emission->interval, .iterations = emission->iterations};
    struct dse_pipeline mphe = {.depth = h->mphe_depth, .interval = 1, .iterations = emission->words};
    struct dse_pipeline hue = {.depth = h->hue_depth, .interval = 1, .iterations = emission->words * emission->steps};
    *out = (struct nysx_lookup_run){.lshu_cycles = dse_pipeline_cycles(lshu.depth, lshu.interval, lshu.iterations),
                                    .mphe_cycles = dse_pipeline_cycles(mphe.depth, 1, mphe.iterations),
                                    .hue_cycles = dse_pipeline_cycles(hue.depth, 1, hue.iterations)};
    run(emission, &lshu, &mphe, &hue, out);
    out->held = lshu.held;
    for (size_t i = 0; i < count; i++) {
        out->probes += code[i].probes;
        if (code[i].bin < 0)
            continue;
        out->found++;
        copies[i % h->hue_pe * bins + (size_t)code[i].bin]++;
    }
}

struct nysx_emission nysx_emission_of(const struct nysx_hardware *h, size_t nodes, size_t lanes, size_t columns, size_t draws)
{
    struct nysx_emission out = {.words = draws * ((nodes + lanes - 1) / lanes), .columns = columns, .rounds = h->rounds > 0 ? h->rounds : 1};
    out.interval = (lanes + 2 * h->lshu_pe - 1) / (2 * h->lshu_pe);
    out.iterations = (out.words + out.rounds - 1) / out.rounds * out.rounds * columns;
    out.steps = lanes > h->hue_pe ? lanes / h->hue_pe : 1;
    return out;
}
