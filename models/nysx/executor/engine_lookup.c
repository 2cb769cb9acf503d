/* Codes of one hop out of the LSHU's vector, through the MPHE and into the HUE: three loops side by side, words of codes
 * between them.
 *
 * Every loop starts an iteration as often as its interval says while it has a word to work on and room for what it makes;
 * what it has started comes out its depth later. A queue holds QUEUE words; what is on its way to it has its place there
 * already, as in a pipeline that stops with what it is full of. */
#include "models/nysx/executor/engines.h"

#define QUEUE 16 /* words of codes, and of bins */

/* One of the loops. */
struct stage {
    uint64_t depth, interval;
    uint64_t iterations; /* in all */
    uint64_t started, next; /* so far; the cycle in which the next may start at the soonest */
    uint64_t held;          /* cycles in which it waited for room */
};

void nysx_lookup_trace(const struct nysx_mph *mph, int64_t value, struct nysx_lookup_code *code)
{
    code->probes = nysx_mph_trace(mph, value, code->word, &code->index);
    bool found = code->index >= 0 && mph->entry[code->index].code == value;
    code->bin = found ? mph->entry[code->index].bin : -1;
}

/* Words that `iterations` of the loop that makes codes have started to make: tuples' come with their last column. */
static uint64_t words_begun(const struct nysx_emission *emission, uint64_t iterations)
{
    uint64_t group = emission->rounds * emission->columns, inside = iterations % group;
    uint64_t last = group - emission->rounds, words = iterations / group * emission->rounds + (inside > last ? inside - last : 0);
    return words < emission->words ? words : emission->words;
}

/* Words that have come out of a stage by now. */
static uint64_t arrived(uint64_t now, const uint64_t *at, uint64_t begun)
{
    uint64_t count = begun;
    while (count > 0 && at[(count - 1) % NYSX_UNDER_WAY] > now)
        count--;
    return count;
}

/* Whether the stage starts an iteration in this cycle. */
static bool starts(struct stage *stage, uint64_t now, bool has_word, bool has_room)
{
    if (stage->started == stage->iterations || now < stage->next || !has_word)
        return false;
    if (!has_room) {
        stage->held++;
        return false;
    }
    stage->started++;
    stage->next = now + stage->interval;
    return true;
}

/* The three of them until the last word has been counted. */
static void run(const struct nysx_emission *emission, struct stage *lshu, struct stage *mphe, struct stage *hue,
                struct nysx_lookup_run *out)
{
    uint64_t codes_at[NYSX_UNDER_WAY], bins_at[NYSX_UNDER_WAY], begun = 0, now = 0;
    for (; hue->started < hue->iterations; now++) {
        uint64_t bins = arrived(now, bins_at, mphe->started), taken = hue->started / emission->steps;
        starts(hue, now, hue->started % emission->steps > 0 || taken < bins, true);
        uint64_t counted = (hue->started + emission->steps - 1) / emission->steps;
        uint64_t codes = arrived(now, codes_at, begun), waiting = codes - mphe->started;
        uint64_t queued = waiting < QUEUE ? waiting : QUEUE; /* what finds no room stands in the pipeline */
        out->queue_most = queued > out->queue_most ? queued : out->queue_most;
        out->starved += waiting == 0 && mphe->started < mphe->iterations;
        if (starts(mphe, now, waiting > 0, mphe->started - counted < QUEUE + mphe->depth))
            bins_at[(mphe->started - 1) % NYSX_UNDER_WAY] = now + mphe->depth;
        if (starts(lshu, now, true, begun - mphe->started < QUEUE + lshu->depth)) {
            uint64_t words = words_begun(emission, lshu->started);
            if (words > begun)
                codes_at[begun % NYSX_UNDER_WAY] = now + lshu->depth;
            begun = words;
        }
    }
    out->cycles = now > 0 ? now - 1 + hue->depth : 0;
}

void nysx_simulate_lookup(const struct nysx_hardware *h, const struct nysx_emission *emission, struct nysx_lookup_code *code,
                          size_t count, size_t bins, int32_t *copies, struct nysx_lookup_run *out)
{
    struct stage lshu = {.depth = h->codes_depth, .interval = emission->interval, .iterations = emission->iterations};
    struct stage mphe = {.depth = h->mphe_depth, .interval = 1, .iterations = emission->words};
    struct stage hue = {.depth = h->hue_depth, .interval = 1, .iterations = emission->words * emission->steps};
    *out = (struct nysx_lookup_run){.lshu_cycles = nysx_loop_cycles(lshu.depth, lshu.interval, lshu.iterations),
                                    .mphe_cycles = nysx_loop_cycles(mphe.depth, 1, mphe.iterations),
                                    .hue_cycles = nysx_loop_cycles(hue.depth, 1, hue.iterations)};
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

struct nysx_emission nysx_emission_of(const struct nysx_hardware *h, size_t nodes, size_t lanes, size_t columns)
{
    struct nysx_emission out = {.words = (nodes + lanes - 1) / lanes, .columns = columns, .rounds = h->rounds > 0 ? h->rounds : 1};
    out.interval = (lanes + 2 * h->lshu_pe - 1) / (2 * h->lshu_pe);
    out.iterations = (out.words + out.rounds - 1) / out.rounds * out.rounds * columns;
    out.steps = lanes > h->hue_pe ? lanes / h->hue_pe : 1;
    return out;
}
