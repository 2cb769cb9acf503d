/* One line per kind of data set. */
#include "datasets/graphs.h"
#include "datasets/nodes.h"
#include "datasets/tables.h"
#include "datasets/triples.h"

const struct dse_kind *const dse_kinds[] = {
    &dse_kind_graphs,
    &dse_kind_nodes,
    &dse_kind_triples,
    &dse_kind_table,
    NULL,
};
