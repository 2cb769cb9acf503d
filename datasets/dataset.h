/* A data set of any kind, found by name or path. */
#ifndef DSE_DATASETS_DATASET_H
#define DSE_DATASETS_DATASET_H

#include <stdint.h>

#include "core/status.h"
#include "datasets/graphset.h"
#include "datasets/table.h"

enum dse_dataset_kind { DSE_DATASET_GRAPHS, DSE_DATASET_TABLE };

struct dse_dataset {
    enum dse_dataset_kind kind;
    char *name;
    uint64_t hash; /* of the content, whatever the packing */
    struct dse_graph_set *graphs; /* for DSE_DATASET_GRAPHS, else NULL */
    struct dse_data_table *table;      /* for DSE_DATASET_TABLE, else NULL */
};

/* `name` is a path (holds a '/', ends in .zip, or exists) or a name looked for as NAME/, NAME.zip or a table's file (NAME.csv,
 * .tsv, .dat, .data, or NAME with such an ending) in `data_dir` (NULL: $NYSX_DATA_DIR, else the working folder), there with
 * upper and lower case alike where nothing is written exactly so, and then for a table of that name in each of its folders; a
 * path that is not there is looked for in it too. A regular file that is no archive is a table; a folder or archive without a set of graphs in it is the one table that it holds
 * or, found by a name, the one of its tables that the shipped profile of that name was measured on.
 * DSE_BAD_USAGE for a name that is nowhere, with the places looked at, and for several tables, with their names;
 * DSE_BAD_INPUT for a path that is missing or malformed. */
enum dse_status dse_dataset_open(const char *name, const char *data_dir, struct dse_dataset **out,
                                 struct dse_error *err);

/* Whether `name` can only mean a data set's path, not a profile's name: it holds a '/', ends in .zip, or is called as tables
 * are. */
bool dse_dataset_is_path(const char *name);

void dse_dataset_free(struct dse_dataset *dataset);

#endif
