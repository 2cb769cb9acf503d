#include "models/hdreason/executor/scheduler.h"

#define READ_AHEAD 3 /* turns before the first request is dispatched */

struct ordering {
    const struct hdr_graph *graph;
    const struct hdreason_layout *layout;
    struct hdr_cache cache;
    int32_t *place; /* [entities] index among the encoded entities */
    struct hdr_orders *out;
};

static void order(struct ordering *o, const struct hdr_list *list, size_t i, size_t step)
{
    const size_t v = (size_t)list->vertex[i], last = hdr_degree(&o->graph->out, v) - 1;
    const struct hdr_pair pair = o->graph->out.pair[o->graph->out.begin[v] + step];
    const bool hit = hdr_cache_ask(&o->cache, pair.a), kept = o->cache.place[pair.a] >= 0;
    uint32_t *request = o->out->request + o->out->request_count++ * HDREASON_REQUEST_WORDS;
    request[0] = (hit ? 0 : HDREASON_READS | (kept ? HDREASON_KEEPS : 0)) | (step == 0 ? HDREASON_BEGINS : 0) | (step == last ? HDREASON_ENDS : 0) |
                 (uint32_t)i << HDREASON_FLAG_BITS;
    request[1] = (uint32_t)((size_t)pair.b - o->graph->entities);
    request[2] = kept ? (uint32_t)o->cache.place[pair.a] : 0;
    request[3] = (uint32_t)o->place[pair.a];
    o->out->read_count += !hit;
}

static bool order_list(void *user, const struct hdr_list *list)
{
    struct ordering *o = user;
    for (size_t i = 0; i < list->count; i++)
        o->out->vertex[o->out->vertex_count++] = list->vertex[i];
    for (size_t step = 0; step < list->steps; step++)
        for (size_t i = 0; i < list->count; i++)
            if (hdr_list_neighbour(o->graph, list, i, step) >= 0)
                order(o, list, i, step);
    return true;
}

/* Steps turn by turn. Per turn each active IP computes a chunk and one chunk of a finished vertex is output. A request waits until its IP is free and
 * has a place for the sums. */
static uint64_t turns_of(const struct hdr_orders *orders, const struct hdreason_layout *l)
{
    int64_t left[HDR_IPS_MAX] = {0}, full[HDR_IPS_MAX] = {0}, leaves = 0, step = 0;
    bool ends[HDR_IPS_MAX] = {false};
    size_t next = 0, ended = 0;
    uint64_t trips = 0;
    for (; ended < orders->vertex_count; trips++) {
        const bool leaving = full[leaves] > 0;
        bool room[HDR_IPS_MAX]; /* decided a turn ahead */
        for (int64_t n = 0; n < l->ips; n++) {
            room[n] = full[n] < l->ring - 1;
            full[n] += left[n] == 1 && ends[n];
            left[n] -= left[n] > 0;
        }
        if (leaving && ++step == l->ip_steps) {
            step = 0;
            ended++;
            full[leaves]--;
            leaves = (leaves + 1) % l->ips;
        }
        const uint32_t flags = next < orders->request_count ? orders->request[next * HDREASON_REQUEST_WORDS] : 0;
        const size_t ip = flags >> HDREASON_FLAG_BITS;
        if (trips < READ_AHEAD || next >= orders->request_count || left[ip] > 0 || ((flags & HDREASON_ENDS) && !room[ip]))
            continue;
        left[ip] = l->ip_steps;
        ends[ip] = (flags & HDREASON_ENDS) != 0;
        next++;
    }
    return trips + 1; /* the IPs run one turn later */
}

void hdr_orders_make(const struct hdr_graph *graph, const struct hdreason_layout *l, enum hdr_schedule schedule, enum hdr_policy policy, struct hdr_orders *out)
{
    *out = (struct hdr_orders){0};
    struct ordering o = {.graph = graph, .layout = l, .out = out, .place = dse_arena_alloc(&out->arena, graph->entities, sizeof *o.place)};
    out->encoded = dse_arena_alloc(&out->arena, graph->entities, sizeof *out->encoded);
    out->vertex = dse_arena_alloc(&out->arena, graph->entities, sizeof *out->vertex);
    out->request = dse_arena_alloc(&out->arena, graph->edges * HDREASON_REQUEST_WORDS, sizeof *out->request);
    for (size_t v = 0; v < graph->entities; v++)
        if (hdr_degree(&graph->in, v) > 0) {
            o.place[v] = (int32_t)out->encoded_count;
            out->encoded[out->encoded_count++] = (int32_t)v;
        }
    hdr_cache_make(policy, (size_t)l->cache, graph->entities, hdr_degree_most(&graph->in), &o.cache);
    hdr_schedule_walk(graph, schedule, (size_t)l->ips, order_list, &o);
    hdr_cache_free(&o.cache);
    out->trips = turns_of(out, l);
}

void hdr_orders_free(struct hdr_orders *orders)
{
    dse_arena_free(&orders->arena);
    *orders = (struct hdr_orders){0};
}
