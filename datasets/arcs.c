#include "datasets/arcs.h"

#include <stdlib.h>

#include "core/memory.h"

/* Compressed rows over global nodes. */
struct rows {
    size_t *begin; /* [nodes + 1] */
    int32_t *other;
};

static struct rows make_rows(size_t nodes, size_t count)
{
    return (struct rows){dse_calloc(nodes + 2, sizeof(size_t)), dse_malloc(count * sizeof(int32_t))};
}

static void free_rows(struct rows *rows)
{
    free(rows->begin);
    free(rows->other);
}

/* With counts in begin[node + 2], sets begin[node + 1] to each row's start. Filling then advances it to the row's end, so that
 * finally begin[node] is the start. */
static void starts_from_counts(size_t *begin, size_t nodes)
{
    for (size_t v = 0; v < nodes; v++)
        begin[v + 2] += begin[v + 1];
}

static void rows_by_target(const struct dse_arc *arcs, size_t count, size_t nodes, struct rows *rows)
{
    for (size_t i = 0; i < count; i++)
        rows->begin[(size_t)arcs[i].to + 2]++;
    starts_from_counts(rows->begin, nodes);
    for (size_t i = 0; i < count; i++)
        rows->other[rows->begin[(size_t)arcs[i].to + 1]++] = arcs[i].from;
}

/* The transpose. Its rows ascend, whatever the order in the input's rows. */
static void transpose(const struct rows *from, size_t nodes, struct rows *to)
{
    for (size_t i = 0; i < from->begin[nodes]; i++)
        to->begin[(size_t)from->other[i] + 2]++;
    starts_from_counts(to->begin, nodes);
    for (size_t v = 0; v < nodes; v++)
        for (size_t i = from->begin[v]; i < from->begin[v + 1]; i++)
            to->other[to->begin[(size_t)from->other[i] + 1]++] = (int32_t)v;
}

/* Drops repeats from ascending rows; returns how many there were. */
static size_t drop_repeats(struct rows *rows, size_t nodes)
{
    size_t kept = 0, start = 0, total = rows->begin[nodes];
    for (size_t v = 0; v < nodes; v++) {
        size_t end = rows->begin[v + 1];
        rows->begin[v] = kept;
        for (size_t i = start; i < end; i++)
            if (kept == rows->begin[v] || rows->other[kept - 1] != rows->other[i])
                rows->other[kept++] = rows->other[i];
        start = end;
    }
    rows->begin[nodes] = kept;
    return total - kept;
}

/* Arcs of `v` without the reverse arc: entries of its row that the transpose's row lacks. */
static size_t count_one_way(const struct rows *rows, const struct rows *transposed, size_t v)
{
    size_t missing = 0, at = transposed->begin[v];
    for (size_t i = rows->begin[v]; i < rows->begin[v + 1]; i++) {
        while (at < transposed->begin[v + 1] && transposed->other[at] < rows->other[i])
            at++;
        missing += at == transposed->begin[v + 1] || transposed->other[at] != rows->other[i];
    }
    return missing;
}

static void count_unusual(const struct rows *rows, const struct rows *transposed, struct dse_graph_set *set)
{
    for (size_t v = 0; v < set->node_count; v++) {
        set->one_way_arcs += count_one_way(rows, transposed, v);
        for (size_t i = rows->begin[v]; i < rows->begin[v + 1]; i++)
            set->self_loops += rows->other[i] == (int32_t)v;
    }
}

static void make_local(struct rows *rows, const int32_t *graph_of, const struct dse_graph_set *set)
{
    for (size_t v = 0; v < set->node_count; v++) {
        int32_t first = (int32_t)set->graph_begin[graph_of[v]];
        for (size_t i = rows->begin[v]; i < rows->begin[v + 1]; i++)
            rows->other[i] -= first;
    }
}

void dse_arcs_to_rows(const struct dse_arc *arcs, size_t count, const int32_t *graph_of, struct dse_graph_set *set)
{
    size_t nodes = set->node_count;
    struct rows by_target DSE_CLEANUP(free_rows) = make_rows(nodes, count), transposed DSE_CLEANUP(free_rows) = make_rows(nodes, count);
    struct rows rows = make_rows(nodes, count);
    rows_by_target(arcs, count, nodes, &by_target);
    transpose(&by_target, nodes, &rows);
    set->duplicate_arcs = drop_repeats(&rows, nodes);
    transpose(&rows, nodes, &transposed);
    count_unusual(&rows, &transposed, set);
    make_local(&rows, graph_of, set);
    set->arc_count = rows.begin[nodes];
    set->row_begin = rows.begin;
    set->column = rows.other;
}
