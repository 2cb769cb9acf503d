#include "executor/smgpu/rewrite.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

static size_t index_of(const struct smgpu_graph *graph, int32_t id)
{
    size_t low = 0, high = graph->nodes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (graph->node[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->nodes && graph->node[low] == id ? low : NONE;
}

enum dse_status smgpu_graph_check(const struct smgpu_graph *graph, struct dse_error *err)
{
    for (size_t i = 0; i < graph->nodes; i++)
        if (graph->node[i] < 0 || (i > 0 && graph->node[i] <= graph->node[i - 1]))
            return dse_fail(err, DSE_BAD_INPUT, "node %zu is %d: ids are 0 or more and ascend", i, graph->node[i]);
    for (size_t e = 0; e < graph->edges; e++) {
        int32_t u = graph->edge[2 * e], v = graph->edge[2 * e + 1];
        if (u == v)
            return dse_fail(err, DSE_BAD_INPUT, "edge %zu leads from %d to itself", e, u);
        if (index_of(graph, u) == NONE || index_of(graph, v) == NONE)
            return dse_fail(err, DSE_BAD_INPUT, "edge %zu is (%d, %d): no such node", e, u, v);
    }
    return DSE_OK;
}

/* ---- matching ---- */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

enum dse_status smgpu_host_make(const struct smgpu_graph *graph, struct smgpu_host *out, struct dse_error *err)
{
    size_t n = graph->nodes;
    *out = (struct smgpu_host){graph, calloc(n + 2, sizeof *out->begin), malloc((2 * graph->edges + 1) * sizeof *out->neighbour)};
    if (out->begin == NULL || out->neighbour == NULL) {
        smgpu_host_free(out);
        return dse_fail_memory(err);
    }
    for (size_t e = 0; e < 2 * graph->edges; e++)
        out->begin[index_of(graph, graph->edge[e]) + 2]++;
    for (size_t i = 0; i < n; i++)
        out->begin[i + 2] += out->begin[i + 1];
    for (size_t e = 0; e < graph->edges; e++) {
        size_t u = index_of(graph, graph->edge[2 * e]), v = index_of(graph, graph->edge[2 * e + 1]);
        out->neighbour[out->begin[u + 1]++] = (uint32_t)v;
        out->neighbour[out->begin[v + 1]++] = (uint32_t)u;
    }
    for (size_t i = 0; i < n; i++)
        qsort(out->neighbour + out->begin[i], out->begin[i + 1] - out->begin[i], sizeof *out->neighbour, ascending);
    return DSE_OK;
}

void smgpu_host_free(struct smgpu_host *host)
{
    free(host->begin);
    free(host->neighbour);
    *host = (struct smgpu_host){0};
}

/* The first of the sorted neighbours that is at least `least`. */
static size_t first_from(const struct smgpu_host *host, size_t node, size_t least)
{
    size_t low = host->begin[node], high = host->begin[node + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (host->neighbour[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool beside(const struct smgpu_host *host, size_t u, size_t v)
{
    size_t at = first_from(host, u, v);
    return at < host->begin[u + 1] && host->neighbour[at] == v;
}

struct search {
    const struct smgpu_host *host;
    size_t size;                                /* nodes of the pattern */
    uint32_t earlier[SMGPU_PATTERN_MAX];        /* bits of the nodes before that it has an edge to */
    size_t image[SMGPU_PATTERN_MAX];            /* indices */
    uint64_t *tries;
};

/* The next candidate for pattern node p that is at least `least`: beside the image with the fewest neighbours, or any node. */
static size_t candidate(const struct search *s, size_t p, size_t least)
{
    size_t anchor = NONE;
    for (size_t k = 0; k < p; k++)
        if ((s->earlier[p] >> k & 1) != 0 &&
            (anchor == NONE || s->host->begin[s->image[k] + 1] - s->host->begin[s->image[k]] < s->host->begin[anchor + 1] - s->host->begin[anchor]))
            anchor = s->image[k];
    if (anchor == NONE)
        return least < s->host->graph->nodes ? least : NONE;
    size_t at = first_from(s->host, anchor, least);
    return at < s->host->begin[anchor + 1] ? s->host->neighbour[at] : NONE;
}

static bool fits(const struct search *s, size_t p, size_t node)
{
    ++*s->tries;
    for (size_t k = 0; k < p; k++)
        if (s->image[k] == node || ((s->earlier[p] >> k & 1) != 0 && !beside(s->host, s->image[k], node)))
            return false;
    return true;
}

static void read_pattern(const struct smgpu_graph *pattern, struct search *s)
{
    s->size = pattern->nodes;
    for (size_t e = 0; e < pattern->edges; e++) {
        size_t u = index_of(pattern, pattern->edge[2 * e]), v = index_of(pattern, pattern->edge[2 * e + 1]);
        s->earlier[u > v ? u : v] |= UINT32_C(1) << (u > v ? v : u);
    }
}

enum dse_status smgpu_match(const struct smgpu_host *host, const struct smgpu_graph *pattern, size_t most, int32_t *match, size_t *count,
                            uint64_t *tries, struct dse_error *err)
{
    struct search s = {.host = host, .tries = tries};
    size_t p = 0, least = 0;
    read_pattern(pattern, &s);
    *count = 0;
    *tries = 0;
    if (s.size == 0)
        return dse_fail(err, DSE_BAD_INPUT, "the pattern has no node");
    for (;;) {
        size_t node = candidate(&s, p, least);
        if (node == NONE) { /* back to the node before, behind its image */
            if (p == 0)
                return DSE_OK;
            least = s.image[--p] + 1;
            continue;
        }
        least = node + 1;
        if (!fits(&s, p, node))
            continue;
        s.image[p] = node;
        if (p + 1 < s.size) {
            p++;
            least = 0;
            continue;
        }
        if (*count == most)
            return dse_fail(err, DSE_LIMIT, "has more than %zu matches", most);
        for (size_t k = 0; k < s.size; k++)
            match[*count * s.size + k] = host->graph->node[s.image[k]];
        ++*count;
    }
}

/* ---- a step ---- */

static bool same_edge(const int32_t *edge, int32_t u, int32_t v)
{
    return (edge[0] == u && edge[1] == v) || (edge[0] == v && edge[1] == u);
}

static bool has_edge(const int32_t *edge, size_t edges, int32_t u, int32_t v)
{
    for (size_t e = 0; e < edges; e++)
        if (same_edge(edge + 2 * e, u, v))
            return true;
    return false;
}

/* Where the nodes of both sides of the rule lie in the host; added ones beyond its largest. */
struct step {
    const struct smgpu_graph *host;
    const struct smgpu_rule *rule;
    int32_t left[SMGPU_PATTERN_MAX], right[SMGPU_PATTERN_MAX];
    bool deleted[SMGPU_PATTERN_MAX];
};

static void place(struct step *s, const int32_t *match)
{
    const struct smgpu_graph *left = s->rule->pattern;
    int32_t next = s->host->nodes > 0 ? s->host->node[s->host->nodes - 1] + 1 : 0;
    for (size_t k = 0; k < left->nodes; k++) {
        s->left[k] = match[k];
        s->deleted[k] = true;
    }
    for (size_t k = 0; k < s->rule->right->nodes; k++) {
        if (k >= s->rule->kept) {
            s->right[k] = next++;
            continue;
        }
        size_t at = index_of(left, s->rule->keep[k]);
        s->right[k] = s->left[at];
        s->deleted[at] = false;
    }
}

static bool image_has(const struct smgpu_graph *side, const int32_t *image, int32_t u, int32_t v)
{
    for (size_t e = 0; e < side->edges; e++) {
        int32_t ends[2] = {image[index_of(side, side->edge[2 * e])], image[index_of(side, side->edge[2 * e + 1])]};
        if (same_edge(ends, u, v))
            return true;
    }
    return false;
}

static bool is_deleted(const struct step *s, int32_t id)
{
    for (size_t k = 0; k < s->rule->pattern->nodes; k++)
        if (s->deleted[k] && s->left[k] == id)
            return true;
    return false;
}

/* The match is one of the host: its nodes are there, each once, with the pattern's edges; and no edge is left dangling. */
static bool applies(const struct step *s)
{
    const struct smgpu_graph *left = s->rule->pattern, *host = s->host;
    for (size_t k = 0; k < left->nodes; k++) {
        if (index_of(host, s->left[k]) == NONE)
            return false;
        for (size_t j = 0; j < k; j++)
            if (s->left[j] == s->left[k])
                return false;
    }
    for (size_t e = 0; e < left->edges; e++)
        if (!has_edge(host->edge, host->edges, s->left[index_of(left, left->edge[2 * e])], s->left[index_of(left, left->edge[2 * e + 1])]))
            return false;
    for (size_t e = 0; e < host->edges; e++) {
        int32_t u = host->edge[2 * e], v = host->edge[2 * e + 1];
        if ((is_deleted(s, u) || is_deleted(s, v)) && !image_has(left, s->left, u, v))
            return false;
    }
    return true;
}

static void put_edge(struct smgpu_rewritten *out, int32_t u, int32_t v)
{
    out->edge[2 * out->edges] = u;
    out->edge[2 * out->edges + 1] = v;
    out->edges++;
}

bool smgpu_apply(const struct smgpu_graph *host, const struct smgpu_rule *rule, const int32_t *match, struct smgpu_rewritten *out)
{
    struct step s = {.host = host, .rule = rule};
    place(&s, match);
    bool does = applies(&s);
    out->nodes = out->edges = 0;
    for (size_t i = 0; i < host->nodes; i++)
        if (!does || !is_deleted(&s, host->node[i]))
            out->node[out->nodes++] = host->node[i];
    for (size_t e = 0; e < host->edges; e++) {
        int32_t u = host->edge[2 * e], v = host->edge[2 * e + 1];
        if (!does || !image_has(rule->pattern, s.left, u, v) || image_has(rule->right, s.right, u, v))
            put_edge(out, u, v);
    }
    for (size_t k = rule->kept; does && k < rule->right->nodes; k++)
        out->node[out->nodes++] = s.right[k];
    for (size_t e = 0; does && e < rule->right->edges; e++) {
        int32_t u = s.right[index_of(rule->right, rule->right->edge[2 * e])], v = s.right[index_of(rule->right, rule->right->edge[2 * e + 1])];
        if (!has_edge(out->edge, out->edges, u, v))
            put_edge(out, u, v);
    }
    return does;
}
