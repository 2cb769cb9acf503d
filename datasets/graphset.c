#include "datasets/graphset.h"

#include <stdlib.h>
#include <xxhash.h>

void dse_graph_set_free(struct dse_graph_set *set)
{
    if (set == NULL)
        return;
    free(set->name);
    free(set->graph_begin);
    free(set->row_begin);
    free(set->column);
    free(set->node_label);
    free(set->node_label_values);
    free(set->node_attribute);
    free(set->graph_label);
    free(set->class_values);
    free(set);
}

uint64_t dse_graph_set_hash(const struct dse_graph_set *set)
{
    const uint64_t counts[] = {set->graph_count,     set->node_count,      set->arc_count,
                               set->node_label_count, set->attribute_count, set->class_count};
    const struct {
        const void *data;
        size_t bytes;
    } pieces[] = {
        {counts, sizeof counts},
        {set->graph_begin, (set->graph_count + 1) * sizeof *set->graph_begin},
        {set->row_begin, (set->node_count + 1) * sizeof *set->row_begin},
        {set->column, set->arc_count * sizeof *set->column},
        {set->node_label, set->node_label != NULL ? set->node_count * sizeof *set->node_label : 0},
        {set->node_label_values, set->node_label_count * sizeof *set->node_label_values},
        {set->node_attribute, set->node_count * set->attribute_count * sizeof *set->node_attribute},
        {set->graph_label, set->graph_count * sizeof *set->graph_label},
        {set->class_values, set->class_count * sizeof *set->class_values},
    };
    /* A hash of the pieces' hashes. It needs no allocated state, and changes if bytes move from one piece to the next. */
    XXH64_hash_t hashes[sizeof pieces / sizeof *pieces];
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        hashes[i] = XXH3_64bits(pieces[i].data, pieces[i].bytes);
    return XXH3_64bits(hashes, sizeof hashes);
}
