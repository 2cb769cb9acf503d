/* The accelerator's header: what the blocks cost, in the words of a source to be written with it. */
#include "models/gat/gat.h"
#include "models/hls.h"

enum dse_status gat_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                             struct dse_error *err)
{
    const struct gat_work *work = context->work;
    struct gat_shape s = gat_shape_of(config, work);
    (void)err;
    dse_hls_add_size(hls, s.holds.nodes, 1, "nodes that the memories hold", "NODES_MOST");
    dse_hls_add_size(hls, s.holds.rows, 1, "rows over all subgraphs that they hold", "ROWS_MOST");
    dse_hls_add_size(hls, s.holds.nonzeros, 1, "non-zeros over all subgraphs that they hold", "NONZEROS_MOST");
    dse_hls_add_size(hls, s.holds.longest_subgraph, 1, "nodes of the longest subgraph", "SUBGRAPH_MOST");
    dse_hls_add_size(hls, work->features, 1, "input features", "FEATURES");
    dse_hls_add_size(hls, work->classes, 1, "classes", "CLASSES");
    dse_hls_add_size(hls, s.inputs[1], 1, "hidden features", "HIDDEN");
    dse_hls_add_size(hls, s.entry_bits, 1, "bits of a word of h_data", "ENTRY_BITS");
    dse_hls_add_type(hls, "value_t", s.bits == 8 ? "int8_t" : NULL, s.bits, "feature, weight or attention");
    dse_hls_add_type(hls, "z_t", "int32_t", 32, "word of WH");
    dse_hls_add_type(hls, "word_t", "uint32_t", 32, "word of the CDMA");
    dse_hls_add_memory(hls, "node_info", "row length, number of nodes, flag", "word_t", false, s.holds.rows, 1);
    dse_hls_add_memory(hls, "h_data", "values and column indices", "word_t", false, s.holds.nonzeros, 1);
    dse_hls_add_memory(hls, "weights", "W and attention of both layers", "word_t", false, (s.inputs[0] + 2) * s.outputs[0] + (s.inputs[1] + 2) * s.outputs[1], 1);
    dse_hls_add_memory(hls, "subgraph_idx", "rows of each node, with the end of graph", "word_t", false, s.holds.rows, 1);
    dse_hls_add_memory(hls, "features_out", "o of the last layer, 16 bits of fraction", "word_t", true, s.holds.nodes * s.widest, 1);
    return DSE_OK;
}
