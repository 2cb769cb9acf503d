/* MPHE and HUE on the codes of one hop.
 *
 * Codes wait in one queue; a lane that is free takes the first. Each cycle a bank of level words serves one of the
 * lanes that want it (the first, from a lane that moves on by one a cycle); the others try again. A decided code leaves
 * its lane free for the next cycle and waits for its codebook bank, one entry a cycle each; verified, it goes on to the
 * next PE of the HUE in turn. A queue that is full holds the LSHU up. */
#include <string.h>

#include "executor/nysx/engines.h"

#define QUEUE_A_LANE 16 /* codes that can wait, for each lane */

struct lookup {
    const struct nysx_hardware *hardware;
    struct nysx_lookup_code *code;
    size_t count, bins;
    int32_t *copies;     /* NULL: the MPHE alone, with all codes there from the start */
    uint64_t now, held;  /* cycles by which full queues have put the emission off */
    size_t pushed, taken, decided, verified, found;
    struct nysx_lookup_code *lane[NYSX_LANES_MAX];
    size_t asked[NYSX_LANES_MAX]; /* levels that each lane's code has been through */
    struct nysx_lookup_code *first[NYSX_LANES_MAX], **last[NYSX_LANES_MAX]; /* queues of the codebook's banks */
    uint64_t backlog[NYSX_LANES_MAX];                                       /* updates that wait for each PE */
    uint64_t probes, conflicts, starved, queue_most;
};

void nysx_lookup_trace(const struct nysx_mph *mph, int64_t value, struct nysx_lookup_code *code)
{
    code->probes = nysx_mph_trace(mph, value, code->word, &code->index);
    bool found = code->index >= 0 && mph->entry[code->index].code == value;
    code->bin = found ? mph->entry[code->index].bin : -1;
}

/* Codes that have left the LSHU enter the queue while it has room. */
static void emit(struct lookup *l)
{
    size_t room = QUEUE_A_LANE * l->hardware->mphe_lookups;
    while (l->pushed < l->count && l->code[l->pushed].emitted + l->held <= l->now) {
        if (l->pushed - l->taken == room) {
            l->held++;
            break;
        }
        l->pushed++;
    }
    l->queue_most = l->pushed - l->taken > l->queue_most ? l->pushed - l->taken : l->queue_most;
}

static void decide(struct lookup *l, size_t lane)
{
    struct nysx_lookup_code *code = l->lane[lane];
    l->lane[lane] = NULL;
    l->decided++;
    if (code->index < 0) {
        l->verified++; /* nothing to compare */
        return;
    }
    size_t bank = (size_t)code->index % l->hardware->mphe_lookups;
    code->next = NULL;
    *l->last[bank] = code;
    l->last[bank] = &code->next;
}

static void probe_levels(struct lookup *l)
{
    size_t lanes = l->hardware->mphe_lookups;
    bool busy[NYSX_LANES_MAX] = {false}, any = false;
    for (size_t i = 0; i < lanes; i++) {
        if (l->lane[i] == NULL && l->taken < l->pushed) {
            l->lane[i] = &l->code[l->taken++];
            l->asked[i] = 0;
        }
    }
    for (size_t turn = 0; turn < lanes; turn++) {
        size_t i = (turn + (size_t)l->now) % lanes;
        const struct nysx_lookup_code *code = l->lane[i];
        if (code == NULL)
            continue;
        any = true;
        size_t bank = code->probes > 0 ? code->word[l->asked[i]] % lanes : i; /* an empty codebook has no levels */
        if (busy[bank]) {
            l->conflicts++;
            continue;
        }
        busy[bank] = true;
        l->probes += code->probes > 0;
        if (++l->asked[i] >= code->probes)
            decide(l, i);
    }
    l->starved += !any;
}

/* Each bank of the codebook compares one code; what is found counts in the next PE's own histogram. */
static void verify(struct lookup *l)
{
    size_t banks = l->hardware->mphe_lookups, pe = l->hardware->hue_pe;
    for (size_t p = 0; p < pe; p++)
        l->backlog[p] -= l->backlog[p] > 0;
    for (size_t bank = 0; bank < banks; bank++) {
        struct nysx_lookup_code *code = l->first[bank];
        if (code == NULL)
            continue;
        l->first[bank] = code->next;
        if (code->next == NULL)
            l->last[bank] = &l->first[bank];
        l->verified++;
        if (code->bin < 0)
            continue;
        size_t turn = l->found++ % pe;
        if (l->copies != NULL) {
            l->backlog[turn]++;
            l->copies[turn * l->bins + (size_t)code->bin]++;
        }
    }
}

static bool over(const struct lookup *l)
{
    uint64_t waiting = 0;
    for (size_t p = 0; p < l->hardware->hue_pe; p++)
        waiting += l->backlog[p];
    return l->verified == l->count && waiting == 0;
}

static void run(struct lookup *l)
{
    for (size_t b = 0; b < l->hardware->mphe_lookups; b++)
        l->last[b] = &l->first[b];
    if (l->copies == NULL)
        l->pushed = l->count;
    for (; !over(l); l->now++) {
        if (l->copies != NULL)
            emit(l);
        verify(l); /* what was decided a cycle before */
        probe_levels(l);
    }
}

void nysx_simulate_lookup(const struct nysx_hardware *hardware, struct nysx_lookup_code *code, size_t count,
                          size_t bins, int32_t *copies, struct nysx_lookup_run *out)
{
    struct lookup alone = {.hardware = hardware, .code = code, .count = count, .bins = bins};
    struct lookup all = {.hardware = hardware, .code = code, .count = count, .bins = bins, .copies = copies};
    run(&alone);
    run(&all);
    *out = (struct nysx_lookup_run){
        .cycles = all.now,
        .mphe_cycles = alone.now,
        .hue_cycles = (all.found + hardware->hue_pe - 1) / hardware->hue_pe,
        .probes = all.probes,
        .bank_conflicts = all.conflicts,
        .starved = all.starved,
        .held = all.held,
        .queue_most = all.queue_most,
        .found = all.found,
    };
}
