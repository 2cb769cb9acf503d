/* What can be said of a data set in a few numbers: the facts of a profile. */
#ifndef DSE_DATASETS_FACTS_H
#define DSE_DATASETS_FACTS_H

#include "core/setting.h"
#include "core/status.h"
#include "datasets/dataset.h"

/* Puts the facts of `dataset` into `facts`. For graphs: "graphs", "classes", "nodes", "edges" (pairs of nodes that an arc joins
 * in either direction, and self loops), "node_labels", "node_attributes", "nodes_mean", "nodes_min", "nodes_max", "arcs_mean",
 * "arcs_max", "majority" (the share of the largest class), and where there are any "duplicate_arcs" (dropped), "self_loops" and
 * "one_way_arcs" (kept). For a table: "rows", "inputs" (its columns without the target), "header" (yes or no), "separator"
 * (semicolon, tab, comma, blanks), "target" (its name, blanks as _), "target_mean", "target_std" (of all rows), "target_min",
 * "target_max", and where there are any "constant_inputs". O(graphs), O(values). */
enum dse_status dse_dataset_facts(const struct dse_dataset *dataset, struct dse_setting *facts,
                                  struct dse_error *err);

#endif
