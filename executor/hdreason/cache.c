#include "executor/hdreason/cache.h"

#include <stdlib.h>
#include <string.h>

#include "executor/hdreason/model.h"

/* ---- the cache ---- */

enum dse_status hdr_cache_make(enum hdr_policy policy, size_t capacity, size_t vertices, size_t most, struct hdr_cache *out,
                               struct dse_error *err)
{
    size_t lists = policy == HDR_LFU ? most + 2 : 1;
    *out = (struct hdr_cache){.policy = policy, .capacity = capacity, .lists = lists};
    dse_rng_seed(&out->rng, 0, HDR_STREAM_CACHE);
    const struct {
        int32_t **at;
        size_t count;
    } parts[] = {{&out->place, vertices}, {&out->vertex, capacity}, {&out->before, capacity}, {&out->after, capacity},
                 {&out->oldest, lists}, {&out->newest, lists}};
    out->uses = calloc(capacity + 1, sizeof *out->uses);
    out->asked = calloc(vertices + 1, sizeof *out->asked);
    bool there = out->uses != NULL && out->asked != NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].at = malloc((parts[i].count + 1) * sizeof(int32_t));
        there = there && *parts[i].at != NULL;
        if (*parts[i].at != NULL)
            memset(*parts[i].at, 0xFF, (parts[i].count + 1) * sizeof(int32_t));
    }
    if (there)
        return DSE_OK;
    hdr_cache_free(out);
    return dse_fail_memory(err);
}

void hdr_cache_free(struct hdr_cache *c)
{
    free(c->place);
    free(c->vertex);
    free(c->before);
    free(c->after);
    free(c->uses);
    free(c->asked);
    free(c->oldest);
    free(c->newest);
    *c = (struct hdr_cache){0};
}

static void take_out(struct hdr_cache *c, int32_t at)
{
    int32_t before = c->before[at], after = c->after[at];
    *(before >= 0 ? &c->after[before] : &c->oldest[c->uses[at]]) = after;
    *(after >= 0 ? &c->before[after] : &c->newest[c->uses[at]]) = before;
}

static void put_newest(struct hdr_cache *c, int32_t at, uint32_t uses)
{
    int32_t last = c->newest[uses];
    c->uses[at] = uses;
    c->before[at] = last;
    c->after[at] = -1;
    *(last >= 0 ? &c->after[last] : &c->oldest[uses]) = at;
    c->newest[uses] = at;
}

static int32_t choose_victim(struct hdr_cache *c)
{
    if (c->policy == HDR_RANDOM)
        return (int32_t)dse_rng_below(&c->rng, c->capacity);
    while (c->oldest[c->least] < 0)
        c->least++;
    return c->oldest[c->least];
}

bool hdr_cache_ask(struct hdr_cache *c, int32_t vertex)
{
    int32_t at = c->place[vertex];
    bool lists = c->policy != HDR_RANDOM;
    uint32_t asked = c->policy == HDR_LFU ? ++c->asked[vertex] : 0;
    if (at >= 0) {
        c->hits++;
        if (lists) {
            take_out(c, at);
            put_newest(c, at, asked);
        }
        return true;
    }
    c->misses++;
    if (c->capacity == 0)
        return false;
    if (c->used < c->capacity) {
        at = (int32_t)c->used++;
    } else {
        at = choose_victim(c);
        c->victims++;
        c->place[c->vertex[at]] = -1;
        if (lists)
            take_out(c, at);
    }
    c->vertex[at] = vertex;
    c->place[vertex] = at;
    if (lists)
        put_newest(c, at, asked);
    c->least = asked < c->least ? asked : c->least;
    return false;
}

/* ---- the scheduler ---- */

static size_t degree_of(const struct hdr_graph *g, size_t vertex)
{
    return g->out.begin[vertex + 1] - g->out.begin[vertex];
}

static bool walk_arrival(const struct hdr_graph *g, size_t ips, hdr_take_list *take, void *user)
{
    struct hdr_list list = {0};
    for (size_t v = 0; v < g->entities; v++) {
        size_t degree = degree_of(g, v);
        if (degree == 0)
            continue;
        list.vertex[list.count++] = (int32_t)v;
        list.steps = degree > list.steps ? degree : list.steps;
        if (list.count == ips) {
            if (!take(user, &list))
                return false;
            list.count = list.steps = 0;
        }
    }
    return list.count == 0 || take(user, &list);
}

/* `open` holds a list for each number of neighbours. */
static bool walk_density(const struct hdr_graph *g, size_t ips, size_t most, struct hdr_list **open, bool *memory, hdr_take_list *take,
                         void *user)
{
    for (size_t v = 0; v < g->entities; v++) {
        size_t degree = degree_of(g, v);
        if (degree == 0)
            continue;
        if (open[degree] == NULL && (open[degree] = calloc(1, sizeof **open)) == NULL) {
            *memory = false;
            return false;
        }
        struct hdr_list *list = open[degree];
        list->steps = degree;
        list->vertex[list->count++] = (int32_t)v;
        if (list->count == ips && !take(user, list))
            return false;
        if (list->count == ips)
            list->count = 0;
    }
    for (size_t degree = 1; degree <= most; degree++)
        if (open[degree] != NULL && open[degree]->count > 0 && !take(user, open[degree]))
            return false;
    return true;
}

enum dse_status hdr_schedule_walk(const struct hdr_graph *g, enum hdr_schedule schedule, size_t ips, hdr_take_list *take, void *user,
                                  struct dse_error *err)
{
    size_t most = 0;
    bool memory = true;
    if (schedule == HDR_ARRIVAL) {
        walk_arrival(g, ips, take, user);
        return DSE_OK;
    }
    for (size_t v = 0; v < g->entities; v++)
        most = degree_of(g, v) > most ? degree_of(g, v) : most;
    struct hdr_list **open = calloc(most + 1, sizeof *open);
    if (open == NULL)
        return dse_fail_memory(err);
    walk_density(g, ips, most, open, &memory, take, user);
    for (size_t degree = 0; degree <= most; degree++)
        free(open[degree]);
    free(open);
    return memory ? DSE_OK : dse_fail_memory(err);
}

/* ---- both ---- */

struct asking {
    const struct hdr_graph *graph;
    struct hdr_cache cache;
};

static bool ask_list(void *user, const struct hdr_list *list)
{
    struct asking *a = user;
    const struct hdr_edges *out = &a->graph->out;
    for (size_t step = 0; step < list->steps; step++)
        for (size_t i = 0; i < list->count; i++) {
            size_t v = (size_t)list->vertex[i];
            if (out->begin[v] + step < out->begin[v + 1])
                hdr_cache_ask(&a->cache, out->pair[out->begin[v] + step].a);
        }
    return true;
}

size_t hdr_asked_most(const struct hdr_graph *graph)
{
    size_t most = 0;
    for (size_t v = 0; v < graph->entities; v++)
        if (graph->in.begin[v + 1] - graph->in.begin[v] > most)
            most = graph->in.begin[v + 1] - graph->in.begin[v];
    return most;
}

enum dse_status hdr_cache_misses(const struct hdr_graph *graph, enum hdr_schedule schedule, size_t ips, enum hdr_policy policy,
                                 size_t capacity, double *misses, struct dse_error *err)
{
    struct asking a = {.graph = graph};
    DSE_TRY(hdr_cache_make(policy, capacity, graph->entities, hdr_asked_most(graph), &a.cache, err));
    enum dse_status status = hdr_schedule_walk(graph, schedule, ips, ask_list, &a, err);
    *misses = (double)a.cache.misses;
    hdr_cache_free(&a.cache);
    return status;
}
