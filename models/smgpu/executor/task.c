#include "models/smgpu/executor/task.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "models/smgpu/executor/topology.h"
#include "models/smgpu/executor/vectors.h"

enum dse_status smgpu_setting_parse(const struct dse_setting *words, struct smgpu_setting *out, struct dse_error *err)
{
    double v[DSE_KNOB_MAX];
    DSE_TRY(dse_knobs_trained_values(&smgpu_knobs, words, v, err));
    *out = (struct smgpu_setting){
        .dim = (size_t)v[SMGPU_KNOB_DIM], .words = smgpu_words((size_t)v[SMGPU_KNOB_DIM]), .entries = (size_t)v[SMGPU_KNOB_ENTRIES],
        .reduced = (size_t)v[SMGPU_KNOB_REDUCED], .nodes = (size_t)v[SMGPU_KNOB_NODES], .order = (size_t)v[SMGPU_KNOB_ORDER],
        .levels = (size_t)v[SMGPU_KNOB_LEVELS], .epochs = (size_t)v[SMGPU_KNOB_EPOCHS], .time = v[SMGPU_KNOB_TIME],
        .fraction = v[SMGPU_KNOB_PRECISION] == SMGPU_Q8_24 ? 24 : 16, .spectral = v[SMGPU_KNOB_SPECTRAL] != 0,
        .edges = v[SMGPU_KNOB_EDGES] != 0, .topology = v[SMGPU_KNOB_TOPOLOGY] != 0, .rewriting = v[SMGPU_KNOB_REWRITING] != 0,
        .recall = (enum smgpu_recall_by)v[SMGPU_KNOB_RECALL]};
    return DSE_OK;
}

/* ---- a graph ---- */

void smgpu_item_free(struct smgpu_item *item)
{
    dse_arena_free(&item->arena);
    *item = (struct smgpu_item){0};
}

/* Whether there is an arc in either direction, because the engines' graphs are undirected; loops do not count. */
static bool has_arc(const struct dse_graph_set *set, size_t base, size_t u, size_t v)
{
    for (size_t e = set->row_begin[base + u]; e < set->row_begin[base + u + 1]; e++)
        if ((size_t)set->column[e] == v)
            return true;
    return false;
}

static void fill_rows(const struct dse_graph_set *set, size_t base, struct smgpu_item *item, int32_t *begin, int32_t *column)
{
    for (size_t u = 0; u < item->nodes; u++)
        for (size_t e = set->row_begin[base + u]; e < set->row_begin[base + u + 1]; e++) {
            size_t v = (size_t)set->column[e];
            if (v == u || (v < u && has_arc(set, base, v, u)))
                continue; /* counted at the other end */
            item->pair[2 * item->edges] = (int32_t)(u < v ? u : v);
            item->pair[2 * item->edges++ + 1] = (int32_t)(u < v ? v : u);
            begin[u + 1]++;
            begin[v + 1]++;
        }
    for (size_t u = 0; u < item->nodes; u++)
        begin[u + 1] += begin[u];
    for (size_t e = item->edges; e-- > 0;)
        for (size_t end = 0; end < 2; end++) {
            int32_t from = item->pair[2 * e + end];
            column[--begin[from + 1]] = item->pair[2 * e + 1 - end];
        }
    for (size_t u = 0; u < item->nodes; u++)
        begin[u] = begin[u + 1];
    begin[item->nodes] = (int32_t)(2 * item->edges);
    for (size_t u = 0; u < item->nodes; u++)
        qsort(column + begin[u], (size_t)(begin[u + 1] - begin[u]), sizeof *column, dse_by_int32);
}

static int compare_pairs(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

static void fill_nodes(const struct smgpu_setting *setting, const struct dse_graph_set *set, size_t base, const int32_t *label_of,
                       struct smgpu_item *item, const int32_t *begin, int32_t *value)
{
    qsort(item->pair, item->edges, 2 * sizeof *item->pair, compare_pairs);
    for (size_t e = 0; e < item->edges; e++) {
        int32_t u = item->pair[2 * e], v = item->pair[2 * e + 1], du = begin[u + 1] - begin[u], dv = begin[v + 1] - begin[v];
        memcpy(item->edge + 3 * e, (int32_t[]){u, v, du > dv ? du : dv}, 3 * sizeof *item->edge);
    }
    for (size_t u = 0; u < item->nodes; u++) {
        int32_t degree = begin[u + 1] - begin[u];
        item->node[u] = (int32_t)u;
        item->ones[u] = 1 << setting->fraction;
        item->label[u] = set->node_label == NULL ? (degree < SMGPU_DEGREES ? degree : SMGPU_DEGREES - 1)
                         : label_of == NULL      ? set->node_label[base + u]
                                                 : label_of[set->node_label[base + u]];
    }
    for (size_t e = 0; e < 2 * item->edges; e++)
        value[e] = 1 << setting->fraction;
}

enum dse_status smgpu_item_make(const struct smgpu_setting *setting, const struct dse_graph_set *set, size_t graph, const int32_t *label_of,
                                struct smgpu_item *out, struct dse_error *err)
{
    size_t nodes = dse_graph_nodes(set, graph), arcs = dse_graph_arcs(set, graph), base = set->graph_begin[graph];
    *out = (struct smgpu_item){0};
    if (nodes > setting->nodes || arcs > SMGPU_ARCS_A_NODE * setting->nodes)
        return dse_fail(err, DSE_BAD_USAGE, "%s: graph %zu has %zu nodes and %zu arcs: nodes=%zu allows that many nodes, and %zu arcs", set->name, graph,
                        nodes, arcs, setting->nodes, SMGPU_ARCS_A_NODE * setting->nodes);
    struct dse_arena arena = {0};
    int32_t *begin = dse_arena_alloc(&arena, nodes + 2, sizeof *begin), *column = dse_arena_alloc(&arena, 2 * arcs + 1, sizeof *column);
    int32_t *value = dse_arena_alloc(&arena, 2 * arcs + 1, sizeof *value);
    *out = (struct smgpu_item){.nodes = nodes,
                               .edge = dse_arena_alloc(&arena, 3 * arcs + 1, sizeof *out->edge),
                               .pair = dse_arena_alloc(&arena, 2 * arcs + 1, sizeof *out->pair),
                               .node = dse_arena_alloc(&arena, nodes + 1, sizeof *out->node),
                               .ones = dse_arena_alloc(&arena, nodes + 1, sizeof *out->ones),
                               .label = dse_arena_alloc(&arena, nodes + 1, sizeof *out->label)};
    out->arena = arena;
    out->adjacency = (struct smgpu_matrix){nodes, 0, begin, column, value};
    fill_rows(set, base, out, begin, column);
    fill_nodes(setting, set, base, label_of, out, begin, value);
    out->adjacency.nonzeros = 2 * out->edges;
    return DSE_OK;
}

void smgpu_item_heat(const struct smgpu_setting *setting, const struct smgpu_item *item, int32_t *heat)
{
    size_t n = item->nodes, most = item->adjacency.nonzeros + n;
    struct smgpu_fixed q = {.fraction = setting->fraction};
    int32_t *room = dse_malloc((2 * n + 1 + 2 * most + 3 * n + most + setting->order + 2) * sizeof *room);
    int32_t *scale = room, *begin = scale + n, *column = begin + n + 1, *value = column + most, *work = value + most, *theta = work + 3 * n + most;
    size_t entries = smgpu_laplacian(&q, &item->adjacency, scale, begin, column, value);
    struct smgpu_matrix l = {n, entries, begin, column, value};
    smgpu_heat_coefficients(&q, setting->time, setting->order, theta);
    smgpu_chebyshev(&q, &l, item->ones, theta, setting->order + 1, work, heat);
    free(room);
}

/* ---- patterns ---- */

static const int32_t ids[] = {0, 1, 2, 3, 4, 5};
static const int32_t ring_3[] = {0, 1, 1, 2, 0, 2}, ring_4[] = {0, 1, 1, 2, 2, 3, 0, 3}, ring_5[] = {0, 1, 1, 2, 2, 3, 3, 4, 0, 4};
static const int32_t ring_6[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 0, 5};
static const struct smgpu_graph patterns[SMGPU_PATTERNS] = {{3, 3, ids, ring_3}, {4, 4, ids, ring_4}, {5, 5, ids, ring_5}, {6, 6, ids, ring_6}};

const struct smgpu_graph *smgpu_pattern(size_t index)
{
    return &patterns[index];
}

/* ---- tokens ---- */

static size_t level_of_heat(const int32_t *cut, size_t levels, int32_t heat)
{
    size_t level = 0;
    while (level + 1 < levels && heat >= cut[level])
        level++;
    return level;
}

static size_t level_of_count(size_t levels, size_t count)
{
    size_t level = 0;
    while (level + 1 < levels && (count + 1) >> (level + 1) != 0)
        level++;
    return level;
}

static void put(struct smgpu_tokens *out, size_t first, size_t second)
{
    out->first[out->count] = (int32_t)first;
    out->second[out->count++] = (int32_t)second;
}

static void put_nodes(const struct smgpu_setting *setting, const struct smgpu_book *book, const struct smgpu_item *item,
                      const struct smgpu_found *found, const int32_t *cut, struct smgpu_tokens *out)
{
    for (size_t u = 0; u < item->nodes; u++)
        if (item->label[u] >= 0)
            put(out, (size_t)item->label[u],
                book->labels + (setting->spectral ? level_of_heat(cut, book->levels, found->heat[u]) : 0));
    for (size_t e = 0; setting->edges && e < 2 * item->edges; e++) {
        int32_t from = item->label[item->pair[e]], to = item->label[item->pair[e ^ 1]];
        if (from >= 0 && to >= 0)
            put(out, (size_t)from, (size_t)to);
    }
}

void smgpu_tokens_make(const struct smgpu_setting *setting, const struct smgpu_book *book, const struct smgpu_item *item,
                       const struct smgpu_found *found, const int32_t *cut, struct smgpu_tokens *out)
{
    size_t most = item->nodes + 2 * item->edges + found->deaths + SMGPU_PATTERNS * SMGPU_COUNT_WEIGHT, ends = book->labels + book->levels;
    size_t counts = ends + book->levels, roles = counts + book->levels;
    *out = (struct smgpu_tokens){dse_malloc((most + 1) * sizeof *out->first), dse_malloc((most + 1) * sizeof *out->second), 0};
    put_nodes(setting, book, item, found, cut, out);
    for (size_t i = 0; setting->topology && i < found->deaths; i++) {
        size_t level = (size_t)found->death[i * found->stride];
        put(out, roles + SMGPU_PATTERNS, ends + (level < book->levels ? level : book->levels - 1));
    }
    for (size_t k = 0; setting->rewriting && k < SMGPU_PATTERNS * SMGPU_COUNT_WEIGHT; k++)
        put(out, roles + k % SMGPU_PATTERNS, counts + level_of_count(book->levels, found->matches[k % SMGPU_PATTERNS]));
    if (out->count == 0)
        put(out, roles, counts); /* a graph without tokens gets the same one as all such graphs */
}

void smgpu_tokens_free(struct smgpu_tokens *tokens)
{
    free(tokens->first);
    free(tokens->second);
    *tokens = (struct smgpu_tokens){0};
}

/* ---- the whole ---- */

static void count_matches(const struct smgpu_item *item, struct smgpu_found *found, struct smgpu_counts *counts)
{
    const struct smgpu_graph graph = {item->nodes, item->edges, item->node, item->pair};
    struct smgpu_host host;
    int32_t *match = dse_malloc(SMGPU_MATCHES_MOST * SMGPU_PATTERN_MAX * sizeof *match);
    smgpu_host_make(&graph, &host);
    for (size_t p = 0; p < SMGPU_PATTERNS; p++) {
        uint64_t tries;
        if (smgpu_match(&host, &patterns[p], SMGPU_MATCHES_MOST, match, &found->matches[p], &tries, NULL) == DSE_LIMIT)
            found->matches[p] = SMGPU_MATCHES_MOST;
        counts->tries += tries;
        counts->matches += found->matches[p];
    }
    smgpu_host_free(&host);
    free(match);
}

static void bundle(const struct smgpu_setting *setting, const uint32_t *rows, const struct smgpu_tokens *tokens, uint32_t *out)
{
    size_t words = setting->words;
    uint32_t *all DSE_CLEANUP(dse_free_at) = dse_malloc((tokens->count + 1) * words * sizeof *all);
    for (size_t t = 0; t < tokens->count; t++) {
        uint32_t *turned = all + tokens->count * words;
        smgpu_permute(rows + (size_t)tokens->second[t] * words, setting->dim, 1, turned);
        smgpu_bind(rows + (size_t)tokens->first[t] * words, turned, words, all + t * words);
    }
    smgpu_bundle(all, tokens->count, words, out);
}

enum dse_status smgpu_item_encode(const struct smgpu_setting *setting, const struct smgpu_book *book, const uint32_t *rows, const int32_t *cut,
                                  const struct smgpu_item *item, uint32_t *out, struct smgpu_counts *counts, struct dse_error *err)
{
    struct smgpu_counts own = {.nodes = item->nodes, .arcs = item->adjacency.nonzeros, .edges = item->edges};
    struct smgpu_found found = {.stride = 1};
    DSE_CLEANUP(smgpu_tokens_free) struct smgpu_tokens tokens = {0};
    DSE_CLEANUP(dse_free_at) int32_t *heat = dse_malloc((2 * item->nodes + 1) * sizeof *heat);
    struct smgpu_barcode barcode = {.death = heat + item->nodes};
    if (setting->spectral)
        smgpu_item_heat(setting, item, heat);
    if (setting->topology)
        DSE_TRY(smgpu_barcode_make(item->edge, item->edges, item->nodes, &barcode, err));
    if (setting->rewriting)
        count_matches(item, &found, &own);
    found.heat = heat;
    found.death = barcode.death;
    found.deaths = barcode.pairs;
    smgpu_tokens_make(setting, book, item, &found, cut, &tokens);
    bundle(setting, rows, &tokens, out);
    own.tokens = tokens.count;
    own.finds = barcode.find_steps;
    if (counts != NULL)
        *counts = own;
    return DSE_OK;
}
