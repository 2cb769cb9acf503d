/* Learns a network's weights: Adam on the cross-entropy of the training nodes, with early stopping by the validation nodes. */
#pragma once

#include "core/monitor.h"
#include "datasets/split.h"
#include "models/gat/executor/network.h"

struct gat_fit {
    size_t epochs;
    size_t patience; /* epochs without a better validation accuracy (or an equal one of smaller loss) before the fit ends */
    float rate;      /* Adam's */
    float decay;     /* added to each gradient, times its weight */
    struct gat_dropout dropout;
    const struct dse_monitor *monitor; /* or NULL; checked each epoch */
};

/* Fits the network to the training part, and restores the weights of the best validation accuracy. `epochs_run` receives the number
 * of epochs run. DSE_LIMIT if the monitor cancels. O(epochs × (non-zeros + arcs) × hidden). */
enum dse_status gat_fit_run(const struct gat_fit *fit, const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs,
                            const struct dse_split *split, struct dse_rng *rng, struct gat_network *network, size_t *epochs_run,
                            struct dse_error *err);
