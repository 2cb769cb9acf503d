/* Time of the processor's preparation per operation, as the models count operations (models/nysx/query.c): the 2-core with its columns as the emitted packers find it, and
 * the rows' order, over random trees with some more edges. The figure of `devices/hosts/hosts.xml`.
 *
 * usage: bench_prepare */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/rng.h"
#include "models/nysx/hls/nysx_cores.h"

#define GRAPHS 1000
#define LABELS 7
#define NODES_MOST 1000
#define ENTRIES_MOST (2 * NODES_MOST + NODES_MOST / 4)

struct graph {
    uint32_t row_begin[NODES_MOST + 1], column[ENTRIES_MOST], label[NODES_MOST];
};

static struct graph drawn;
static uint32_t *graphs[GRAPHS]; /* packed: row pointers, columns, labels */
static uint32_t out[NODES_MOST + 1], scratch[ENTRIES_MOST + 2];

/* A random tree, each node joined to one of the four before it, with an eighth as many further edges. */
static void draw(struct dse_rng *rng, uint32_t nodes, struct graph *g)
{
    static uint32_t ends[ENTRIES_MOST / 2][2];
    uint32_t edges = 0, at[NODES_MOST + 1];
    for (uint32_t v = 1; v < nodes; v++, edges++) {
        ends[edges][0] = v;
        ends[edges][1] = v - 1 - (uint32_t)dse_rng_below(rng, v < 4 ? v : 4);
    }
    for (uint32_t i = 0; i < nodes / 8; i++, edges++) {
        ends[edges][0] = (uint32_t)dse_rng_below(rng, nodes - 1);
        ends[edges][1] = ends[edges][0] + 1;
    }
    memset(g->row_begin, 0, sizeof g->row_begin);
    for (uint32_t i = 0; i < 2 * edges; i++)
        g->row_begin[ends[i / 2][i % 2] + 1]++;
    for (uint32_t v = 0; v < nodes; v++) {
        g->row_begin[v + 1] += g->row_begin[v];
        g->label[v] = (uint32_t)dse_rng_below(rng, LABELS);
    }
    memcpy(at, g->row_begin, sizeof at);
    for (uint32_t i = 0; i < 2 * edges; i++)
        g->column[at[ends[i / 2][i % 2]]++] = ends[i / 2][1 - i % 2];
}

/* As in models/nysx/hls/nysx_pack.c. */
static void order_rows(uint32_t nodes, const uint32_t *row_begin)
{
    memset(scratch, 0, (row_begin[nodes] + 2) * sizeof *scratch);
    for (uint32_t v = 0; v < nodes; v++)
        scratch[row_begin[v + 1] - row_begin[v] + 1]++;
    for (uint32_t length = 0; length < row_begin[nodes]; length++)
        scratch[length + 1] += scratch[length];
    for (uint32_t v = 0; v < nodes; v++)
        out[scratch[row_begin[v + 1] - row_begin[v]]++] = v;
}

static uint32_t *packed(uint32_t nodes)
{
    const uint32_t entries = drawn.row_begin[nodes];
    uint32_t *g = malloc((2 * nodes + 1 + entries) * sizeof *g);
    if (g == NULL)
        exit(1);
    memcpy(g, drawn.row_begin, (nodes + 1) * sizeof *g);
    memcpy(g + nodes + 1, drawn.column, entries * sizeof *g);
    memcpy(g + nodes + 1 + entries, drawn.label, nodes * sizeof *g);
    return g;
}

static double processor_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(void)
{
    static const uint32_t sizes[] = {18, 30, 60, 280, NODES_MOST};
    int32_t table[2 + LABELS * NYSX_CORE_DEGREES] = {0, LABELS};
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 0);
    for (int i = 0; i < LABELS * NYSX_CORE_DEGREES; i++)
        table[2 + i] = i;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t nodes = sizes[s], rounds = 2000000 / (GRAPHS * nodes) + 1;
        double entries = 0.0, seconds[2];
        for (size_t g = 0; g < GRAPHS; g++) {
            draw(&rng, nodes, &drawn);
            graphs[g] = packed(nodes);
            entries += graphs[g][nodes] / (double)GRAPHS;
        }
        double begin = processor_s();
        for (size_t i = 0; i < (size_t)rounds * GRAPHS; i++) {
            const uint32_t *g = graphs[i % GRAPHS], *column = g + nodes + 1;
            nysx_core_columns(nodes, g, column, column + g[nodes], table, LABELS * NYSX_CORE_DEGREES, out, scratch);
        }
        seconds[0] = (processor_s() - begin) / rounds / GRAPHS;
        begin = processor_s();
        for (size_t i = 0; i < (size_t)rounds * GRAPHS; i++)
            order_rows(nodes, graphs[i % GRAPHS]);
        seconds[1] = (processor_s() - begin) / rounds / GRAPHS;
        for (size_t g = 0; g < GRAPHS; g++)
            free(graphs[g]);
        printf("%u nodes, %.0f entries: 2-core %.0f ns, %.2f ns per operation; order %.0f ns, %.2f ns per operation\n", nodes, entries, 1e9 * seconds[0],
               1e9 * seconds[0] / (4.0 * nodes + entries), 1e9 * seconds[1], 1e9 * seconds[1] / (4.0 * nodes));
    }
    return 0;
}
