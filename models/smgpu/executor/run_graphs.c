/* The instructions of the topology and rewrite engines, and of the DMA. */
#include <string.h>

#include "core/memory.h"
#include "models/smgpu/executor/call.h"
#include "models/smgpu/executor/topology.h"

enum dse_status smgpu_run_filtration(struct smgpu_call *call, struct dse_error *err)
{
    const struct smgpu_array *edges;
    size_t nodes = 0;
    DSE_TRY(smgpu_call_array(call, 0, "", SMGPU_I32, 2, &edges, err));
    const int32_t *edge = edges->data;
    if (edges->shape[1] != 3 && edges->shape[0] > 0)
        return smgpu_call_fail(call, edges->name, err, "has rows of %zu numbers: an edge is u, v and its weight", edges->shape[1]);
    for (size_t e = 0; e < edges->shape[0]; e++)
        for (size_t k = 0; k < 2; k++)
            nodes = edge[3 * e + k] >= 0 && (size_t)edge[3 * e + k] >= nodes ? (size_t)edge[3 * e + k] + 1 : nodes;
    if (smgpu_call_given(call, SMGPU_NODES))
        nodes = (size_t)smgpu_call_key(call, SMGPU_NODES);
    if (nodes > call->limits->nodes || edges->shape[0] > call->limits->edges)
        return smgpu_call_fail(call, edges->name, err, "%zu nodes and %zu edges: the machine holds %zu and %zu", nodes, edges->shape[0],
                               call->limits->nodes, call->limits->edges);
    struct dse_error inner = {0};
    DSE_CLEANUP(dse_free_at) int32_t *pair = dse_malloc((3 * nodes + 2) * sizeof *pair);
    struct smgpu_barcode barcode = {.death = pair + 2 * nodes + 1};
    if (smgpu_barcode_make(edge, edges->shape[0], nodes, &barcode, &inner) != DSE_OK)
        return smgpu_call_fail(call, edges->name, err, "%s", inner.message);
    call->effort.nodes = nodes;
    call->effort.edges = edges->shape[0];
    call->effort.finds = barcode.find_steps;
    for (size_t i = 0; i < barcode.pairs; i++) {
        pair[2 * i] = 0;
        pair[2 * i + 1] = barcode.death[i];
    }
    DSE_TRY(smgpu_call_make(call, "", SMGPU_I32, 2, barcode.pairs, 2, pair, err));
    DSE_TRY(smgpu_call_number(call, "_essential", SMGPU_I32, (int64_t)barcode.essential, err));
    return smgpu_call_number(call, "_total", SMGPU_I64, barcode.total, err);
}

enum dse_status smgpu_run_match(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_graph graph, pattern;
    DSE_CLEANUP(smgpu_host_free) struct smgpu_host host = {0};
    size_t count = 0, most = call->limits->matches;
    DSE_TRY(smgpu_call_graph(call, 0, call->limits->nodes, &graph, err));
    DSE_TRY(smgpu_call_graph(call, 1, call->limits->pattern, &pattern, err));
    smgpu_host_make(&graph, &host);
    bool stops = smgpu_call_given(call, SMGPU_MOST) && (size_t)smgpu_call_key(call, SMGPU_MOST) <= most, more = false;
    most = stops ? (size_t)smgpu_call_key(call, SMGPU_MOST) : most;
    struct dse_error inner = {0};
    DSE_CLEANUP(dse_free_at) int32_t *match = dse_malloc((most * SMGPU_PATTERN_MAX + 1) * sizeof *match);
    enum dse_status found = smgpu_match(&host, &pattern, most, match, &count, &call->effort.tries, &inner);
    more = stops && found == DSE_LIMIT;
    if (found != DSE_OK && !more)
        DSE_TRY(smgpu_call_fail(call, call->instruction->operand[1], err, "%s", inner.message));
    call->effort.matches = count;
    DSE_TRY(smgpu_call_make(call, "", SMGPU_I32, 2, count, pattern.nodes, match, err));
    if (stops)
        DSE_TRY(smgpu_call_number(call, "_more", SMGPU_I32, more, err));
    return DSE_OK;
}

/* Checks the nodes of the pattern in K: in the pattern, each once, at most as many as on the right side. */
static enum dse_status check_kept(const struct smgpu_call *call, const struct smgpu_array *keep, const struct smgpu_rule *rule,
                                  struct dse_error *err)
{
    if (rule->kept > rule->right->nodes)
        return smgpu_call_fail(call, keep->name, err, "%zu nodes: the right side has %zu", rule->kept, rule->right->nodes);
    for (size_t k = 0; k < rule->kept; k++) {
        bool there = false;
        for (size_t j = 0; j < k; j++)
            if (rule->keep[j] == rule->keep[k])
                return smgpu_call_fail(call, keep->name, err, "node %d occurs twice", rule->keep[k]);
        for (size_t j = 0; j < rule->pattern->nodes; j++)
            there = there || rule->pattern->node[j] == rule->keep[k];
        if (!there)
            return smgpu_call_fail(call, keep->name, err, "node %d is not in the pattern", rule->keep[k]);
    }
    return DSE_OK;
}

enum dse_status smgpu_run_apply(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_graph host, pattern, right;
    const struct smgpu_array *keep, *matches;
    DSE_TRY(smgpu_call_graph(call, 0, call->limits->nodes, &host, err));
    DSE_TRY(smgpu_call_graph(call, 1, call->limits->pattern, &pattern, err));
    DSE_TRY(smgpu_call_graph(call, 2, call->limits->pattern, &right, err));
    DSE_TRY(smgpu_call_array(call, 3, "", SMGPU_I32, 1, &keep, err));
    DSE_TRY(smgpu_call_array(call, 4, "", SMGPU_I32, 2, &matches, err));
    struct smgpu_rule rule = {&pattern, &right, keep->data, keep->shape[0]};
    DSE_TRY(check_kept(call, keep, &rule, err));
    size_t index = (size_t)smgpu_call_key(call, SMGPU_INDEX);
    if (matches->shape[1] != pattern.nodes || index >= matches->shape[0])
        return smgpu_call_fail(call, matches->name, err, "%zu matches of %zu nodes: index=%zu of the pattern's %zu is not among them",
                               matches->shape[0], matches->shape[1], index, pattern.nodes);
    size_t nodes = host.nodes + right.nodes, edges = host.edges + right.edges;
    if (host.nodes > 0 && (size_t)host.node[host.nodes - 1] + right.nodes - keep->shape[0] > INT32_MAX)
        return smgpu_call_fail(call, call->instruction->operand[0], err, "its largest node is %d: no node can be added after it", host.node[host.nodes - 1]);
    DSE_CLEANUP(dse_free_at) int32_t *room = dse_malloc((nodes + 2 * edges + 1) * sizeof *room);
    struct smgpu_rewritten out = {room, room + nodes, 0, 0};
    bool does = smgpu_apply(&host, &rule, (const int32_t *)matches->data + index * pattern.nodes, &out);
    call->effort.edges = host.edges;
    call->effort.nodes = host.nodes;
    DSE_TRY(out.nodes <= call->limits->nodes
                                 ? smgpu_call_make(call, "", SMGPU_I32, 2, out.edges, 2, out.edge, err)
                                 : smgpu_call_fail(call, call->instruction->result, err, "%zu nodes: the machine holds %zu", out.nodes,
                                                   call->limits->nodes));
    DSE_TRY(smgpu_call_make(call, "_nodes", SMGPU_I32, 1, out.nodes, 1, out.node, err));
    return smgpu_call_number(call, "_refused", SMGPU_I32, !does, err);
}

/* ---- the DMA ---- */

static enum dse_status source(struct smgpu_call *call, const struct smgpu_array **out, struct dse_error *err)
{
    const char *name = call->instruction->operand[0];
    *out = smgpu_memory_find(call->memory, name);
    if (*out == NULL)
        return smgpu_call_fail(call, name, err, "no such array");
    return smgpu_call_array(call, 0, "", (*out)->type, (*out)->rank, out, err);
}

enum dse_status smgpu_run_copy(struct smgpu_call *call, struct dse_error *err)
{
    const struct smgpu_array *array;
    DSE_TRY(source(call, &array, err));
    size_t bytes = smgpu_array_elements(array) * smgpu_type_bytes(array->type);
    call->effort.bytes = bytes;
    DSE_CLEANUP(dse_free_at) void *copy = dse_malloc(bytes + 1);
    memcpy(copy, array->data, bytes);
    return smgpu_call_make(call, "", array->type, array->rank, array->shape[0], array->shape[1], copy, err);
}

/* Scatters rows to, or gathers them from, the given indices; rows without a scattered value are 0. */
enum dse_status smgpu_run_move(struct smgpu_call *call, struct dse_error *err)
{
    const bool gathers = call->instruction->operation->sub == 3;
    const struct smgpu_array *array, *index;
    DSE_TRY(source(call, &array, err));
    DSE_TRY(smgpu_call_array(call, 1, "", SMGPU_I32, 1, &index, err));
    const int32_t *at = index->data;
    size_t rows = 0, row = array->shape[1] * smgpu_type_bytes(array->type);
    for (size_t i = 0; i < index->shape[0]; i++) {
        if (at[i] < 0 || (gathers && (size_t)at[i] >= array->shape[0]) || (size_t)at[i] >= call->limits->nonzeros)
            return smgpu_call_fail(call, index->name, err, "index %zu is %d: %zu rows", i, at[i],
                                   gathers ? array->shape[0] : call->limits->nonzeros);
        rows = (size_t)at[i] >= rows ? (size_t)at[i] + 1 : rows;
    }
    if (!gathers && index->shape[0] != array->shape[0])
        return smgpu_call_fail(call, index->name, err, "%zu indices: there are %zu rows", index->shape[0], array->shape[0]);
    if (gathers)
        rows = index->shape[0];
    call->effort.bytes = index->shape[0] * (row + sizeof *at);
    DSE_CLEANUP(dse_free_at) char *moved = dse_calloc(rows * row + 1, 1);
    for (size_t i = 0; i < index->shape[0]; i++)
        memcpy(moved + (gathers ? i : (size_t)at[i]) * row, (const char *)array->data + (gathers ? (size_t)at[i] : i) * row, row);
    return smgpu_call_make(call, "", array->type, array->rank, rows, array->shape[1], moved, err);
}
