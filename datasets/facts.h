/* What can be said of a data set in a few numbers: the facts of a profile. */
#ifndef DSE_DATASETS_FACTS_H
#define DSE_DATASETS_FACTS_H

#include "core/setting.h"
#include "core/status.h"
#include "datasets/dataset.h"

/* Puts the facts of `dataset` into `facts`. For graphs: "graphs", "classes", "nodes", "edges" (pairs of nodes that an arc joins
 * in either direction, and self loops), "node_labels", "node_attributes", "nodes_mean", "nodes_min", "nodes_max", "arcs_mean",
 * "arcs_max", "majority" (the share of the largest class), and where there are any "duplicate_arcs" (dropped), "self_loops" and
 * "one_way_arcs" (kept). O(graphs). */
enum dse_status dse_dataset_facts(const struct dse_dataset *dataset, struct dse_setting *facts,
                                  struct dse_error *err);

#endif
