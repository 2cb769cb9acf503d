/* MPHE lanes and HUE, stepped. */
#include <stdlib.h>
#include <string.h>

#include "executor/nysx/engines.h"

#define MAX_LANES 16
#define MAX_PE 16

/* One lane's code under way. */
struct lane {
    bool busy, at_entry;  /* at_entry: a bit was found, the codebook entry is read next */
    size_t node, level;
    int32_t bin;          /* what the entry will say, −1 for another code's */
    size_t index;
};

struct lookup {
    const struct nysx_hardware *hardware;
    const struct nysx_mph *mph;
    const int64_t *codes;
    const uint64_t *emitted;
    size_t nodes, *order;      /* nodes by the cycle of their emission */
    size_t taken, decided;
    struct lane lanes[MAX_LANES];
    uint64_t pe_free[MAX_PE];  /* the cycle from which each HUE PE is free */
    size_t next_pe;
};

/* The word that probe `level` of a code reads, and whether its bit is set. */
static bool probe(const struct nysx_mph *mph, int64_t code, size_t level, size_t *word)
{
    uint64_t position = nysx_mph_position(mph, code, level);
    *word = mph->level_begin[level] + position / 64;
    return mph->words[*word] >> (position % 64) & 1;
}

/* One cycle of one lane: the bank it wants is `taken` or becomes so. Returns false for a conflict. */
static bool step_lane(struct lookup *l, struct lane *lane, uint64_t cycle, bool *words, bool *entries,
                      int32_t *histogram, struct nysx_lookup_run *out)
{
    size_t banks = l->hardware->mphe_lookups, word = 0;
    int64_t code = l->codes[lane->node];
    if (lane->at_entry) {
        if (entries[lane->index % banks])
            return false;
        entries[lane->index % banks] = true;
        lane->busy = false;
        l->decided++;
        if (l->mph->entry[lane->index].code == code) { /* verified: the HUE's next PE takes it */
            uint64_t *free_at = &l->pe_free[l->next_pe];
            l->next_pe = (l->next_pe + 1) % l->hardware->hue_pe;
            *free_at = (*free_at > cycle + 1 ? *free_at : cycle + 1) + 1;
            out->hue_cycles = *free_at > out->hue_cycles ? *free_at : out->hue_cycles;
            histogram[l->mph->entry[lane->index].bin]++;
            out->found++;
        }
        return true;
    }
    bool set = probe(l->mph, code, lane->level, &word);
    if (words[word % banks])
        return false;
    words[word % banks] = true;
    out->probes++;
    if (set) {
        lane->index = (size_t)nysx_mph_index(l->mph, code, NULL);
        lane->at_entry = true;
    } else if (++lane->level == l->mph->levels) {
        lane->busy = false;
        l->decided++;
    }
    return true;
}

static void feed(struct lookup *l, uint64_t cycle, struct nysx_lookup_run *out)
{
    size_t waiting = l->taken;
    while (waiting < l->nodes && l->emitted[l->order[waiting]] <= cycle)
        waiting++;
    out->queue_most = waiting - l->taken > out->queue_most ? waiting - l->taken : out->queue_most;
    for (size_t k = 0; k < l->hardware->mphe_lookups && l->taken < waiting; k++) {
        if (l->lanes[k].busy)
            continue;
        l->lanes[k] = (struct lane){.busy = true, .node = l->order[l->taken++]};
        if (l->mph->levels == 0) { /* an empty codebook knows no code */
            l->lanes[k].busy = false;
            l->decided++;
        }
    }
}

/* Nodes by emission: a counting sort over cycles, in order of nodes within one. */
static size_t *emission_order(const uint64_t *emitted, size_t nodes, uint64_t last)
{
    size_t *order = malloc((nodes + 1) * sizeof *order), *begin = calloc((size_t)last + 2, sizeof *begin);
    for (size_t v = 0; order != NULL && begin != NULL && v < nodes; v++)
        begin[emitted[v] + 1]++;
    for (size_t c = 0; begin != NULL && c <= (size_t)last; c++)
        begin[c + 1] += begin[c];
    for (size_t v = 0; order != NULL && begin != NULL && v < nodes; v++)
        order[begin[emitted[v]]++] = v;
    if (begin == NULL) {
        free(order);
        order = NULL;
    }
    free(begin);
    return order;
}

enum dse_status nysx_simulate_lookup(const struct nysx_hardware *hardware, const struct nysx_mph *mph,
                                     const int64_t *codes, const uint64_t *emitted, size_t nodes,
                                     int32_t *histogram, struct nysx_lookup_run *out, struct dse_error *err)
{
    uint64_t last = 0, cycle = 0;
    for (size_t v = 0; v < nodes; v++)
        last = emitted[v] > last ? emitted[v] : last;
    struct lookup l = {.hardware = hardware, .mph = mph, .codes = codes, .emitted = emitted, .nodes = nodes,
                       .order = emission_order(emitted, nodes, last)};
    *out = (struct nysx_lookup_run){.lshu_cycles = last};
    if (l.order == NULL)
        return dse_fail_memory(err);
    for (; l.decided < nodes; cycle++) {
        bool words[MAX_LANES] = {false}, entries[MAX_LANES] = {false};
        feed(&l, cycle, out);
        for (size_t k = 0; k < hardware->mphe_lookups; k++)
            if (l.lanes[k].busy && !step_lane(&l, &l.lanes[k], cycle, words, entries, histogram, out))
                out->bank_conflicts++;
    }
    free(l.order);
    out->mphe_cycles = cycle;
    out->cycles = out->hue_cycles > cycle ? out->hue_cycles : cycle;
    out->cycles = out->cycles > last ? out->cycles : last;
    return DSE_OK;
}
