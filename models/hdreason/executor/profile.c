/* The workload of a knowledge graph: counts, the histogram of neighbours, and the misses of the dispatcher's cache by
 * capacity, policy and schedule. Requests are ordered for the paper's 16 memorisation IPs. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "models/hdreason/executor/cache.h"
#include "models/hdreason/executor/model.h"
#include "models/hdreason/knobs.h"

#define CAPACITIES 20   /* in vectors: all entities, then smaller by √2 each; small graphs have 1, 2, 3 … */
#define POLICIES 3
#define SCHEDULES 2
#define IPS_POWERS 9    /* 1, 2, 4 … 256 memorisation IPs */
#define PAPER_IPS 16
#define PARTS 20        /* parts of the requests; after each, distinct vertices so far are counted */

struct measuring {
    const struct hdr_graph *graph;
    double capacity[CAPACITIES], misses[SCHEDULES][CAPACITIES * POLICIES];
};

static enum dse_status measure_misses(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct measuring *m = user;
    size_t policy = index % POLICIES, c = index / POLICIES % CAPACITIES, schedule = index / POLICIES / CAPACITIES;
    (void)thread, (void)err;
    hdr_cache_misses(m->graph, (enum hdr_schedule)schedule, PAPER_IPS, (enum hdr_policy)policy, (size_t)m->capacity[c],
                     &m->misses[schedule][c * POLICIES + policy]);
    return DSE_OK;
}

static bool add_steps(void *user, const struct hdr_list *list)
{
    *(double *)user += (double)list->steps;
    return true;
}

/* Distinct neighbours after each part of the requests. */
struct appearing {
    const struct hdr_graph *graph;
    unsigned char *seen;
    double asked, different, *after; /* [PARTS + 1] */
};

static bool add_appearing(void *user, const struct hdr_list *list)
{
    struct appearing *a = user;
    for (size_t step = 0; step < list->steps; step++)
        for (size_t i = 0; i < list->count; i++) {
            int32_t neighbour = hdr_list_neighbour(a->graph, list, i, step);
            if (neighbour < 0)
                continue;
            unsigned char *seen = &a->seen[neighbour];
            a->different += *seen == 0;
            *seen = 1;
            a->asked++;
            size_t part = (size_t)(a->asked * PARTS / (double)a->graph->edges); /* a vertex counts at the end of its part */
            a->after[part < PARTS ? part + 1 : PARTS] = a->different;
        }
    return true;
}

static void appeared(const struct hdr_graph *g, enum hdr_schedule schedule, double after[PARTS + 1])
{
    struct appearing a = {.graph = g, .seen = dse_calloc(g->entities + 1, 1), .after = after};
    for (size_t i = 0; i <= PARTS; i++)
        after[i] = 0.0;
    hdr_schedule_walk(g, schedule, PAPER_IPS, add_appearing, &a);
    for (size_t i = 1; i <= PARTS; i++)
        after[i] = after[i] > after[i - 1] ? after[i] : after[i - 1];
    free(a.seen);
}

/* Rows (number of neighbours, vertices with that number), ascending; malloc'd. */
static double *histogram(const struct hdr_graph *g, size_t *rows)
{
    const size_t most = hdr_degree_most(&g->out);
    double *out = dse_calloc(2 * (most + 1), sizeof *out);
    *rows = 0;
    for (size_t v = 0; v < g->entities; v++)
        out[2 * hdr_degree(&g->out, v) + 1]++;
    for (size_t k = 1; k <= most; k++)
        if (out[2 * k + 1] > 0.0) { /* rows move down in place, never over an unread one */
            out[2 * *rows] = (double)k;
            out[2 * (*rows)++ + 1] = out[2 * k + 1];
        }
    return out;
}

static enum dse_status put_work(const struct hdr_graph *g, const struct dse_triple_set *set, struct measuring *m, struct dse_workload *out,
                                struct dse_error *err)
{
    double arrival[IPS_POWERS] = {0}, new_arrival[PARTS + 1], new_density[PARTS + 1];
    for (size_t i = 0; i < IPS_POWERS; i++)
        hdr_schedule_walk(g, HDR_ARRIVAL, (size_t)1 << i, add_steps, &arrival[i]);
    appeared(g, HDR_ARRIVAL, new_arrival);
    appeared(g, HDR_DENSITY, new_density);
    size_t rows;
    DSE_CLEANUP(dse_free_at) double *degrees = histogram(g, &rows);
    const double values[] = {(double)g->entities, (double)set->relation.count, (double)dse_triple_count(set, DSE_TRAIN_PART),
                             (double)g->edges, (double)hdr_degree_any(&g->in), (double)hdr_degree_any(&g->out), (double)g->queries.count};
    const struct dse_series_value series[] = {
        {"entities", 1, 1, &values[0]}, {"relations", 1, 1, &values[1]}, {"triples", 1, 1, &values[2]}, {"edges", 1, 1, &values[3]},
        {"encoded", 1, 1, &values[4]}, {"subjects", 1, 1, &values[5]}, {"queries", 1, 1, &values[6]}, {"neighbours", rows, 2, degrees},
        {"appeared_arrival", 1, PARTS + 1, new_arrival}, {"appeared_density", 1, PARTS + 1, new_density},
        {"arrival_steps", 1, IPS_POWERS, arrival}, {"cache_vectors", 1, CAPACITIES, m->capacity},
        {"misses_arrival", CAPACITIES, POLICIES, m->misses[HDR_ARRIVAL]}, {"misses_density", CAPACITIES, POLICIES, m->misses[HDR_DENSITY]}};
    return dse_workload_put(out, series, sizeof series / sizeof *series, err);
}

enum dse_status hdreason_profile(const struct dse_dataset *data, const struct dse_setting *setting, const struct dse_run *run,
                                 struct dse_workload *out, struct dse_error *err)
{
    struct hdr_setting parsed;
    struct hdr_graph graph;
    struct measuring m = {.graph = &graph};
    const struct dse_triple_set *set = dse_dataset_triples(data);
    DSE_TRY(hdr_setting_parse(setting, &parsed, err));
    hdr_graph_make(set, parsed.direction == HDR_DOUBLE, &graph);
    for (size_t c = 0; c < CAPACITIES; c++)
        m.capacity[c] = fmax(c > 0 ? m.capacity[c - 1] + 1.0 : 1.0,
                             floor((double)graph.entities / pow(2.0, (double)(CAPACITIES - 1 - c) / 2.0)));
    enum dse_status status = dse_parallel_for(SCHEDULES * CAPACITIES * POLICIES, run->jobs > 0 ? run->jobs : 1, measure_misses, &m,
                                              run->monitor, err);
    if (status == DSE_OK)
        status = put_work(&graph, set, &m, out, err);
    hdr_graph_free(&graph);
    dse_knobs_work_key(&hdreason_knobs, setting, &out->setting);
    return status;
}
