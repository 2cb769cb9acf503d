#include "models/hdreason/executor/graph.h"

#include <stdlib.h>

#include "core/memory.h"

/* Triples of the parts first … last with their inverses, ascending, without repeats; malloc'd. */
static void collect(const struct dse_triple_set *set, enum dse_triple_part first, enum dse_triple_part last, bool both_ways,
                    struct dse_triple **out, size_t *count)
{
    size_t given = set->begin[last + 1] - set->begin[first], kept = 0;
    int32_t inverse = (int32_t)set->relation.count;
    struct dse_triple *all = dse_malloc(((both_ways ? 2 : 1) * given + 1) * sizeof *all);
    size_t known = 0; /* a triple without a head is skipped (hdr_model_map) */
    for (size_t i = 0; i < given; i++)
        if (set->triple[set->begin[first] + i].head >= 0)
            all[known++] = set->triple[set->begin[first] + i];
    given = known;
    for (size_t i = 0; both_ways && i < given; i++)
        all[given + i] = (struct dse_triple){all[i].tail, all[i].relation + inverse, all[i].head};
    size_t room = both_ways ? 2 * given : given;
    qsort(all, room, sizeof *all, dse_by_triple);
    for (size_t i = 0; i < room; i++)
        if (kept == 0 || dse_by_triple(&all[kept - 1], &all[i]) != 0)
            all[kept++] = all[i];
    *out = all;
    *count = kept;
}

/* ---- queries ---- */

static void queries_of(const struct dse_triple *triple, size_t count, struct hdr_queries *out)
{
    out->query = dse_arena_alloc(&out->arena, count, sizeof *out->query);
    out->begin = dse_arena_alloc(&out->arena, count + 1, sizeof *out->begin);
    out->answer = dse_arena_alloc(&out->arena, count, sizeof *out->answer);
    for (size_t i = 0; i < count; i++) {
        const struct dse_triple *t = &triple[i];
        if (i == 0 || t[-1].head != t->head || t[-1].relation != t->relation) {
            out->begin[out->count] = i;
            out->query[out->count++] = (struct hdr_pair){t->head, t->relation};
        }
        out->answer[i] = t->tail;
    }
    out->begin[out->count] = count;
}

void hdr_queries_make(const struct dse_triple_set *set, enum dse_triple_part first, enum dse_triple_part last, bool both_ways,
                      struct hdr_queries *out)
{
    struct dse_triple *triple = NULL;
    size_t count = 0;
    *out = (struct hdr_queries){0};
    collect(set, first, last, both_ways, &triple, &count);
    queries_of(triple, count, out);
    free(triple);
}

void hdr_queries_free(struct hdr_queries *queries)
{
    dse_arena_free(&queries->arena);
    *queries = (struct hdr_queries){0};
}

size_t hdr_queries_find(const struct hdr_queries *queries, int32_t subject, int32_t relation)
{
    size_t low = 0, high = queries->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hdr_pair *q = &queries->query[middle];
        if (q->a < subject || (q->a == subject && q->b < relation))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < queries->count && queries->query[low].a == subject && queries->query[low].b == relation;
    return found ? low : queries->count;
}

/* ---- edges ---- */

size_t hdr_degree_most(const struct hdr_edges *edges)
{
    size_t most = 0;
    for (size_t g = 0; g < edges->groups; g++)
        most = hdr_degree(edges, g) > most ? hdr_degree(edges, g) : most;
    return most;
}

size_t hdr_degree_any(const struct hdr_edges *edges)
{
    size_t count = 0;
    for (size_t g = 0; g < edges->groups; g++)
        count += hdr_degree(edges, g) > 0;
    return count;
}

/* Returns an edge's group, and writes the pair that it adds there. */
typedef size_t group_of(const struct hdr_graph *graph, const struct dse_triple *t, struct hdr_pair *pair);

static size_t by_subject(const struct hdr_graph *graph, const struct dse_triple *t, struct hdr_pair *pair)
{
    *pair = (struct hdr_pair){t->tail, (int32_t)graph->entities + t->relation};
    return (size_t)t->head;
}

static size_t by_object(const struct hdr_graph *graph, const struct dse_triple *t, struct hdr_pair *pair)
{
    *pair = (struct hdr_pair){t->head, (int32_t)graph->entities + t->relation};
    return (size_t)t->tail;
}

static size_t by_relation(const struct hdr_graph *graph, const struct dse_triple *t, struct hdr_pair *pair)
{
    (void)graph;
    *pair = (struct hdr_pair){t->head, t->tail};
    return (size_t)t->relation;
}

/* Counting sort: the edges of a group keep the order of the triples. */
static void group(struct hdr_graph *graph, const struct dse_triple *triple, size_t groups, group_of *of,
                  struct hdr_edges *out)
{
    struct hdr_pair pair;
    out->groups = groups;
    out->begin = dse_arena_alloc(&graph->arena, groups + 2, sizeof *out->begin);
    out->pair = dse_arena_alloc(&graph->arena, graph->edges, sizeof *out->pair);
    for (size_t i = 0; i < graph->edges; i++)
        out->begin[of(graph, &triple[i], &pair) + 2]++;
    for (size_t g = 2; g < groups + 2; g++)
        out->begin[g] += out->begin[g - 1];
    for (size_t i = 0; i < graph->edges; i++) {
        size_t g = of(graph, &triple[i], &pair);
        out->pair[out->begin[g + 1]++] = pair;
    }
}

void hdr_graph_make(const struct dse_triple_set *set, bool both_ways, struct hdr_graph *out)
{
    struct dse_triple *triple = NULL;
    *out = (struct hdr_graph){.entities = set->entity.count, .relations = set->relation.count * (both_ways ? 2 : 1)};
    collect(set, DSE_TRAIN_PART, DSE_TRAIN_PART, both_ways, &triple, &out->edges);
    group(out, triple, out->entities, by_subject, &out->out);
    group(out, triple, out->entities, by_object, &out->in);
    group(out, triple, out->relations, by_relation, &out->by_relation);
    queries_of(triple, out->edges, &out->queries);
    free(triple);
}

void hdr_graph_free(struct hdr_graph *graph)
{
    dse_arena_free(&graph->arena);
    hdr_queries_free(&graph->queries);
    *graph = (struct hdr_graph){0};
}

void hdr_graph_reverse(const struct hdr_graph *graph, bool exact, struct hdr_graph *out)
{
    *out = (struct hdr_graph){.entities = graph->entities, .relations = graph->relations, .edges = graph->edges, .out = graph->in, .in = graph->out};
    if (exact)
        return;
    struct hdr_edges *own = &out->out;
    *own = (struct hdr_edges){graph->entities, dse_arena_alloc(&out->arena, graph->entities + 1, sizeof *own->begin), dse_arena_alloc(&out->arena, graph->edges + 1, sizeof *own->pair)};
    for (size_t v = 0; v < graph->entities; v++) {
        own->begin[v + 1] = own->begin[v];
        for (size_t e = graph->out.begin[v]; hdr_degree(&graph->in, v) > 0 && e < graph->out.begin[v + 1]; e++)
            own->pair[own->begin[v + 1]++] = (struct hdr_pair){(int32_t)v, graph->out.pair[e].b};
    }
}
