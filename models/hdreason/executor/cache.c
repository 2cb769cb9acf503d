#include "models/hdreason/executor/cache.h"

#include <string.h>

#include "models/hdreason/executor/model.h"

/* ---- the cache ---- */

void hdr_cache_make(enum hdr_policy policy, size_t capacity, size_t vertices, size_t most, struct hdr_cache *out)
{
    size_t lists = policy == HDR_LFU ? most + 2 : 1;
    *out = (struct hdr_cache){.policy = policy, .capacity = capacity, .lists = lists};
    dse_rng_seed(&out->rng, 0, HDR_STREAM_CACHE);
    const struct {
        void *at;
        size_t count;
        int fill;
    } parts[] = {{&out->place, vertices, 0xFF}, {&out->vertex, capacity, 0xFF}, {&out->before, capacity, 0xFF}, {&out->after, capacity, 0xFF},
                 {&out->uses, capacity, 0}, {&out->asked, vertices, 0}, {&out->oldest, lists, 0xFF}, {&out->newest, lists, 0xFF}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        void *words = dse_arena_alloc(&out->arena, parts[i].count, sizeof(int32_t));
        memset(words, parts[i].fill, parts[i].count * sizeof(int32_t));
        memcpy(parts[i].at, &words, sizeof words);
    }
}

void hdr_cache_free(struct hdr_cache *c)
{
    dse_arena_free(&c->arena);
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

/* A list that is being filled, and its taker. */
struct waiting {
    struct hdr_list *list;
    hdr_take_list *take;
    void *user;
    size_t ips;
};

/* Hands the list to its taker and empties it; false if the taker stops. */
static bool send(const struct waiting *w)
{
    bool goes_on = w->take(w->user, w->list);
    w->list->count = w->list->steps = 0;
    return goes_on;
}

static bool add_vertex(const struct waiting *w, int32_t vertex, size_t degree)
{
    w->list->vertex[w->list->count++] = vertex;
    w->list->steps = degree > w->list->steps ? degree : w->list->steps;
    return w->list->count < w->ips || send(w);
}

/* Vertices of lists that never filled go to lists of N_c, fewest neighbours first. The publication does not mention them. Each such list alone
 * would leave most memorisation IPs without work. */
static bool walk_rest(const struct hdr_graph *g, struct hdr_list *const *open, size_t most, struct waiting *w)
{
    bool goes_on = true;
    for (size_t degree = 0; goes_on && degree <= most; degree++)
        for (size_t i = 0; goes_on && open[degree] != NULL && i < open[degree]->count; i++)
            goes_on = add_vertex(w, open[degree]->vertex[i], hdr_degree(&g->out, (size_t)open[degree]->vertex[i]));
    return goes_on && (w->list->count == 0 || send(w));
}

void hdr_schedule_walk(const struct hdr_graph *g, enum hdr_schedule schedule, size_t ips, hdr_take_list *take, void *user)
{
    const size_t most = schedule == HDR_DENSITY ? hdr_degree_most(&g->out) : 0;
    struct dse_arena arena = {0};
    struct hdr_list **open = dse_arena_alloc(&arena, most + 1, sizeof *open), rest = {0}; /* by number of neighbours; `arrival` has one list */
    bool goes_on = true;
    for (size_t v = 0; goes_on && v < g->entities; v++) {
        size_t degree = hdr_degree(&g->out, v), which = schedule == HDR_DENSITY ? degree : 0;
        if (degree == 0)
            continue;
        if (open[which] == NULL)
            open[which] = dse_arena_alloc(&arena, 1, sizeof **open);
        goes_on = add_vertex(&(struct waiting){open[which], take, user, ips}, (int32_t)v, degree);
    }
    if (goes_on)
        walk_rest(g, open, most, &(struct waiting){&rest, take, user, ips});
    dse_arena_free(&arena);
}

/* ---- both ---- */

struct asking {
    const struct hdr_graph *graph;
    struct hdr_cache cache;
};

static bool ask_list(void *user, const struct hdr_list *list)
{
    struct asking *a = user;
    for (size_t step = 0; step < list->steps; step++)
        for (size_t i = 0; i < list->count; i++) {
            int32_t neighbour = hdr_list_neighbour(a->graph, list, i, step);
            if (neighbour >= 0)
                hdr_cache_ask(&a->cache, neighbour);
        }
    return true;
}

void hdr_cache_misses(const struct hdr_graph *graph, enum hdr_schedule schedule, size_t ips, enum hdr_policy policy,
                      size_t capacity, double *misses)
{
    struct asking a = {.graph = graph};
    hdr_cache_make(policy, capacity, graph->entities, hdr_degree_most(&graph->in), &a.cache);
    hdr_schedule_walk(graph, schedule, ips, ask_list, &a);
    *misses = (double)a.cache.misses;
    hdr_cache_free(&a.cache);
}
