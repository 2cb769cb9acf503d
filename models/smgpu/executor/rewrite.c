#include "models/smgpu/executor/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define NONE SIZE_MAX

static size_t index_of(const struct smgpu_graph *graph, int32_t id)
{
    size_t low = 0, high = graph->nodes;
    if (id >= 0 && (size_t)id < high && graph->node[id] == id)
        return (size_t)id; /* no id is missing before it */
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
            return dse_fail(err, DSE_BAD_INPUT, "node %zu is %d: ids must be 0 or more and ascending", i, graph->node[i]);
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

/* Writes both ends of every edge. A row is written from begin[row + 1] on, which ends as the row's end. */
static void fill_rows(const struct smgpu_graph *graph, size_t *begin, uint32_t *neighbour)
{
    for (size_t e = 0; e < graph->edges; e++) {
        size_t u = index_of(graph, graph->edge[2 * e]), v = index_of(graph, graph->edge[2 * e + 1]);
        neighbour[begin[u + 1]++] = (uint32_t)v;
        neighbour[begin[v + 1]++] = (uint32_t)u;
    }
}

/* Sorts rows by transposition, because the matrix is its own transpose: reading rows in order and writing by column makes rows ascend. Repeated
 * entries are then adjacent, and are removed. */
static void transpose(size_t nodes, size_t *begin, const uint32_t *unsorted, size_t *next, uint32_t *neighbour)
{
    size_t end = 0;
    memcpy(next, begin, nodes * sizeof *next);
    for (size_t i = 0; i < nodes; i++)
        for (size_t at = begin[i]; at < begin[i + 1]; at++)
            neighbour[next[unsorted[at]]++] = (uint32_t)i;
    for (size_t i = 0; i < nodes; i++) {
        size_t first = begin[i];
        begin[i] = end;
        for (size_t at = first; at < next[i]; at++)
            if (end == begin[i] || neighbour[end - 1] != neighbour[at])
                neighbour[end++] = neighbour[at];
    }
    begin[nodes] = end;
}

void smgpu_host_make(const struct smgpu_graph *graph, struct smgpu_host *out)
{
    size_t n = graph->nodes, *next = dse_malloc((n + 1) * sizeof *next);
    uint32_t *unsorted = dse_malloc((2 * graph->edges + 1) * sizeof *unsorted);
    *out = (struct smgpu_host){graph, dse_calloc(n + 2, sizeof *out->begin), dse_malloc((2 * graph->edges + 1) * sizeof *out->neighbour)};
    for (size_t e = 0; e < 2 * graph->edges; e++)
        out->begin[index_of(graph, graph->edge[e]) + 2]++;
    for (size_t i = 0; i < n; i++)
        out->begin[i + 2] += out->begin[i + 1];
    fill_rows(graph, out->begin, unsorted);
    transpose(n, out->begin, unsorted, next, out->neighbour);
    free(next);
    free(unsorted);
}

void smgpu_host_free(struct smgpu_host *host)
{
    free(host->begin);
    free(host->neighbour);
    *host = (struct smgpu_host){0};
}

/* A node of the pattern during the search. Hardware that tries one candidate per cycle tries all neighbours of the earlier image with the
 * fewest neighbours (the anchor), or all nodes. This search tries the neighbours of the latest image; with the marks of the other images
 * it finds the same set. */
struct level {
    uint32_t beside;        /* bits of the earlier nodes that it has an edge to, without the latest */
    size_t latest;          /* the latest of these nodes, or NONE */
    bool marks;             /* a later node needs the marks of its image's neighbours */
    uint64_t every;         /* bits of all earlier nodes that it has an edge to */
    size_t image;           /* its node's index */
    size_t at, end;         /* remaining candidates: indices into the host's neighbours, or nodes */
    size_t anchor;          /* or NONE */
};

struct search {
    const struct smgpu_host *host;
    size_t size;            /* nodes of the pattern */
    struct level level[SMGPU_PATTERN_MAX];
    uint8_t *mark;          /* [nodes] one bit per level: neighbour of its image */
};

static size_t degree(const struct smgpu_host *host, size_t node)
{
    return host->begin[node + 1] - host->begin[node];
}

static void open_level(struct search *s, size_t p)
{
    struct level *l = &s->level[p];
    l->anchor = NONE;
    for (size_t k = 0; k < p; k++)
        if ((l->every >> k & 1) != 0 && (l->anchor == NONE || degree(s->host, s->level[k].image) < degree(s->host, l->anchor)))
            l->anchor = s->level[k].image;
    size_t list = l->latest == NONE ? NONE : s->level[l->latest].image;
    l->at = list == NONE ? 0 : s->host->begin[list];
    l->end = list == NONE ? s->host->graph->nodes : s->host->begin[list + 1];
}

static void set_marks(struct search *s, size_t p, bool on)
{
    size_t node = s->level[p].image;
    for (size_t at = s->host->begin[node]; s->level[p].marks && at < s->host->begin[node + 1]; at++) {
        uint8_t *mark = &s->mark[s->host->neighbour[at]];
        *mark = (uint8_t)(on ? *mark | 1u << p : *mark & ~(1u << p));
    }
}

/* Moves to the level's next image; false if there is none. */
static bool advance(struct search *s, size_t p)
{
    struct level *l = &s->level[p];
    for (; l->at < l->end; l->at++) {
        size_t node = l->latest == NONE ? l->at : s->host->neighbour[l->at];
        bool fits = (s->mark[node] & l->beside) == l->beside;
        for (size_t k = 0; k < p && fits; k++)
            fits = s->level[k].image != node;
        if (fits) {
            l->image = node;
            l->at++;
            return true;
        }
    }
    return false;
}

/* Candidates of a level up to its image, inclusive. */
static uint64_t tried(const struct search *s, size_t p)
{
    const struct level *l = &s->level[p];
    size_t rank = 0;
    if (l->anchor == NONE)
        return l->image + 1;
    while (s->host->neighbour[s->host->begin[l->anchor] + rank] != l->image)
        rank++;
    return rank + 1;
}

static void read_pattern(const struct smgpu_graph *pattern, struct search *s)
{
    s->size = pattern->nodes;
    for (size_t e = 0; e < pattern->edges; e++) {
        size_t u = index_of(pattern, pattern->edge[2 * e]), v = index_of(pattern, pattern->edge[2 * e + 1]);
        s->level[u > v ? u : v].every |= UINT64_C(1) << (u > v ? v : u);
    }
    for (size_t p = 0; p < s->size; p++) {
        struct level *l = &s->level[p];
        l->latest = NONE;
        for (size_t k = 0; k < p; k++)
            if ((l->every >> k & 1) != 0)
                l->latest = k;
        l->beside = l->latest == NONE ? 0 : (uint32_t)(l->every & ~(UINT64_C(1) << l->latest));
        for (size_t k = 0; k < p; k++)
            s->level[k].marks = s->level[k].marks || (l->beside >> k & 1) != 0;
    }
}

static enum dse_status search(struct search *s, size_t most, int32_t *match, size_t *count, uint64_t *tries, struct dse_error *err)
{
    size_t p = 0;
    for (open_level(s, 0);;) {
        if (!advance(s, p)) { /* back to the previous node, past its image */
            const struct level *l = &s->level[p];
            *tries += l->anchor == NONE ? s->host->graph->nodes : degree(s->host, l->anchor);
            if (p == 0)
                return DSE_OK;
            set_marks(s, --p, false);
        } else if (p + 1 < s->size) {
            set_marks(s, p, true);
            open_level(s, ++p);
        } else if (*count == most) {
            for (size_t k = 0; k <= p; k++)
                *tries += tried(s, k);
            return dse_fail(err, DSE_LIMIT, "has more than %zu matches", most);
        } else {
            for (size_t k = 0; k < s->size; k++)
                match[*count * s->size + k] = s->host->graph->node[s->level[k].image];
            ++*count;
        }
    }
}

enum dse_status smgpu_match(const struct smgpu_host *host, const struct smgpu_graph *pattern, size_t most, int32_t *match, size_t *count,
                            uint64_t *tries, struct dse_error *err)
{
    struct search s = {.host = host};
    *count = 0;
    *tries = 0;
    if (pattern->nodes == 0)
        return dse_fail(err, DSE_BAD_INPUT, "the pattern has no node");
    read_pattern(pattern, &s);
    s.mark = dse_calloc(host->graph->nodes + 1, 1);
    enum dse_status status = search(&s, most, match, count, tries, err);
    free(s.mark);
    return status;
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

/* Host ids of the nodes on both sides of the rule; added nodes are numbered after the host's largest. */
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

/* Whether the match is valid in the host: its nodes exist, each once, with the pattern's edges, and no edge is left dangling. */
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
