#include "models/gat/executor/gcsr.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "models/gat/executor/model.h"

int gat_bits_of(size_t most)
{
    int bits = 1;
    while (bits < 64 && most >> bits != 0)
        bits++;
    return bits;
}

static size_t row_length(const struct dse_node_graph *graph, size_t node)
{
    return graph->feature_begin[node + 1] - graph->feature_begin[node];
}

struct gat_gcsr gat_gcsr_size(const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs)
{
    struct gat_gcsr size = {.rows = subgraphs->begin[subgraphs->count]};
    size_t longest_row = 0, longest = 0;
    for (size_t r = 0; r < size.rows; r++) {
        size_t length = row_length(graph, (size_t)subgraphs->node[r]);
        size.nonzeros += length;
        longest_row = length > longest_row ? length : longest_row;
    }
    for (size_t v = 0; v < subgraphs->count; v++) {
        size_t nodes = subgraphs->begin[v + 1] - subgraphs->begin[v];
        longest = nodes > longest ? nodes : longest;
    }
    size.length_bits = gat_bits_of(longest_row);
    size.nodes_bits = gat_bits_of(longest);
    size.column_bits = gat_bits_of(graph->feature_count > 0 ? graph->feature_count - 1 : 0);
    return size;
}

static void fill_rows(const struct gat_fixed *fixed, const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs,
                      struct gat_gcsr *out)
{
    size_t at = 0, r = 0;
    for (size_t v = 0; v < subgraphs->count; v++)
        for (size_t first = r; r < subgraphs->begin[v + 1]; r++) {
            size_t node = (size_t)subgraphs->node[r];
            out->node_info[r] = gat_node_info(out, (struct gat_row_info){row_length(graph, node),
                                                                         subgraphs->begin[v + 1] - first, r == first});
            for (size_t i = graph->feature_begin[node]; i < graph->feature_begin[node + 1]; i++, at++) {
                out->value[at] = gat_fixed_feature(fixed, graph->feature_value[i]);
                out->column[at] = graph->feature_column[i];
            }
        }
}

/* `place` [nodes]. Citations count in both directions, so a node is in as many subgraphs as its own subgraph has nodes. */
static void fill_index(const struct gat_subgraphs *subgraphs, size_t *place, struct gat_gcsr *out)
{
    for (size_t v = 0; v < subgraphs->count; v++)
        place[v] = subgraphs->begin[v];
    for (size_t r = 0; r < out->rows; r++) {
        size_t node = (size_t)subgraphs->node[r];
        uint32_t last = place[node] + 1 == subgraphs->begin[node + 1];
        out->subgraph_idx[place[node]++] = (uint32_t)r << 1 | last;
    }
}

enum dse_status gat_gcsr_make(const struct gat_fixed *fixed, const struct dse_node_graph *graph,
                              const struct gat_subgraphs *subgraphs, struct gat_gcsr *out, struct dse_error *err)
{
    *out = gat_gcsr_size(graph, subgraphs);
    if (out->length_bits + out->nodes_bits + 1 > 32 || out->rows >> 31 != 0)
        return dse_fail(err, DSE_LIMIT, "%s: %zu rows, with lengths of %d bits in subgraphs of %d bits, do not fit 32-bit words",
                        graph->name, out->rows, out->length_bits, out->nodes_bits);
    size_t *place = dse_malloc((subgraphs->count + 1) * sizeof *place);
    out->node_info = dse_malloc((out->rows + 1) * sizeof *out->node_info);
    out->subgraph_idx = dse_malloc((out->rows + 1) * sizeof *out->subgraph_idx);
    out->value = dse_malloc(out->nonzeros + 1);
    out->column = dse_malloc((out->nonzeros + 1) * sizeof *out->column);
    fill_rows(fixed, graph, subgraphs, out);
    fill_index(subgraphs, place, out);
    free(place);
    return DSE_OK;
}

/* Each row takes a cycle to read its node_info and one to write WH, in either layer. */
static uint64_t row_cycles(const size_t passes[2], size_t hidden, size_t length)
{
    return 4 + passes[0] * (length > 0 ? length : 1) + passes[1] * hidden;
}

/* A subgraph belongs to the lane in whose share its middle lies. */
void gat_gcsr_split(const struct gat_gcsr *gcsr, const size_t passes[2], size_t hidden, size_t lanes, struct gat_place *places)
{
    uint64_t all = 0, before = 0;
    struct gat_place at = {0};
    size_t lane = 0;
    for (size_t r = 0; r < gcsr->rows; r++)
        all += row_cycles(passes, hidden, gat_row_info_of(gcsr, gcsr->node_info[r]).length);
    places[0] = at;
    while (at.row < gcsr->rows) {
        struct gat_place next = {at.node + 1, at.row + (uint32_t)gat_row_info_of(gcsr, gcsr->node_info[at.row]).nodes, at.step, at.entry};
        uint64_t cycles = 0;
        for (size_t r = at.row; r < next.row; r++) {
            size_t length = gat_row_info_of(gcsr, gcsr->node_info[r]).length;
            cycles += row_cycles(passes, hidden, length);
            next.entry += (uint32_t)length;
            next.step += length > 0 ? (uint32_t)length : 1;
        }
        while (lane < (2 * before + cycles) * lanes / (2 * all))
            places[++lane] = at;
        before += cycles;
        at = next;
    }
    while (lane < lanes)
        places[++lane] = at;
}

void gat_gcsr_free(struct gat_gcsr *gcsr)
{
    free(gcsr->node_info);
    free(gcsr->subgraph_idx);
    free(gcsr->value);
    free(gcsr->column);
    *gcsr = (struct gat_gcsr){0};
}

/* ---- size ---- */

static void put(struct dse_setting *facts, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    dse_setting_put(facts, name, text);
}

/* Bytes of `words` words of `bits` bits, packed. */
static double packed(double words, int bits)
{
    return (double)(uint64_t)((words * bits + 7.0) / 8.0);
}

/* Values are int8, and fields have the fewest bits that hold the data. CSR of the same rows has a pointer per row and subgraph.
 * `csr_once` has each node's row once, and the neighbourhoods, through which the hardware would look rows up. */
enum dse_status gat_storage(const struct dse_dataset *data, struct dse_setting *facts, struct dse_error *err)
{
    (void)err;
    const struct dse_node_graph *graph = dse_dataset_nodes(data);
    struct gat_subgraphs subgraphs;
    gat_subgraphs_make(graph, &subgraphs);
    const struct gat_gcsr s = gat_gcsr_size(graph, &subgraphs);
    gat_subgraphs_free(&subgraphs);
    double nodes = (double)graph->node_count, rows = (double)s.rows, nonzeros = (double)s.nonzeros;
    size_t once = graph->feature_begin[graph->node_count];
    int element = 8 + s.column_bits, info = s.length_bits + s.nodes_bits + 1, row_bits = gat_bits_of(s.rows);
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"gcsr_rows", rows},
        {"gcsr_nonzeros", nonzeros},
        {"gcsr_info_bits", info},
        {"gcsr_bytes", packed(nonzeros, element) + packed(rows, info)},
        {"gcsr_word_bytes", 4.0 * (nonzeros + rows)},
        {"csr_bytes", packed(nonzeros, element) + packed(rows + 1.0, gat_bits_of(s.nonzeros)) + packed(nodes + 1.0, row_bits)},
        {"csr_once_bytes", packed((double)once, element) + packed(nodes + 1.0, gat_bits_of(once)) +
                               packed(rows, gat_bits_of(graph->node_count - 1)) + packed(nodes + 1.0, row_bits)},
        {"dense_bytes", rows * (double)graph->feature_count},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        put(facts, all[i].name, all[i].value);
    return DSE_OK;
}
