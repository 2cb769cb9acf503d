/* A data set of any kind, found by name or path. */
#ifndef DSE_DATASETS_DATASET_H
#define DSE_DATASETS_DATASET_H

#include <stdint.h>

#include "core/status.h"
#include "datasets/graphset.h"

enum dse_dataset_kind { DSE_DATASET_GRAPHS };

struct dse_dataset {
    enum dse_dataset_kind kind;
    char *name;
    uint64_t hash; /* of the content, whatever the packing */
    struct dse_graph_set *graphs; /* for DSE_DATASET_GRAPHS */
};

/* `name` is a path (holds a '/', ends in .zip, or exists) or a name looked for as NAME/ or NAME.zip in
 * `data_dir` (NULL: $NYSX_DATA_DIR, else the working folder), there with upper and lower case alike where nothing is
 * written exactly so. DSE_BAD_USAGE for a name that is nowhere, with the places looked at; DSE_BAD_INPUT for a path that is
 * missing or malformed. */
enum dse_status dse_dataset_open(const char *name, const char *data_dir, struct dse_dataset **out,
                                 struct dse_error *err);

void dse_dataset_free(struct dse_dataset *dataset);

#endif
