/* A data set of any kind, found by name or path. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/setting.h"
#include "core/status.h"
#include "datasets/kind.h"

struct dse_dataset {
    const struct dse_kind *kind;
    char *name;
    uint64_t hash;  /* hash of the content, independent of the packing */
    void *content;  /* the kind's own: dse_dataset_graphs(), dse_dataset_table() */
    bool ranked;       /* graphs by the ranks of their edges (struct dse_kind) */
    bool unstratified; /* splits are drawn from all items alike, independent of their classes */
};

/* Opens a data set. `name` may end in ?columns=A,B&drop=C&missing=drop, the part of a table to read (struct dse_table_reading). The rest is
 * - a path, if it holds a '/', ends as an archive or a .gz, or exists; a missing path is also looked for in `data_dir`;
 * - otherwise a name, looked for in `data_dir` (NULL: $NYSX_DATA_DIR, else the working folder) as NAME/, NAME.zip or a plain file of some
 *   kind (NAME.csv, .tsv, .dat, .data, or NAME with such an ending), first exactly, then ignoring case, then as a file in each subfolder.
 * A regular file that is no archive is of the kind that its name tells, or a table. A folder or archive is of the first kind that finds its files
 * there. DSE_BAD_USAGE for an unknown name, with the places searched, and for an ambiguous one, with the candidates. DSE_BAD_INPUT for a missing or
 * malformed path. */
enum dse_status dse_dataset_open(const char *name, const char *data_dir, struct dse_dataset **out,
                                 struct dse_error *err);

/* Whether `name` can only be a data set's path, not a profile's name. It is if it holds a '/', ends in .zip, or ends like plain files of some kind. */
bool dse_dataset_is_path(const char *name);

/* How many items it has. */
size_t dse_dataset_items(const struct dse_dataset *dataset);

/* The class of each item, from 0; NULL: items have none. */
const int32_t *dse_dataset_classes(const struct dse_dataset *dataset);

/* Strata of drawn splits, so that each class has its share in every part: the classes, or NULL if `unstratified` is set. */
const int32_t *dse_dataset_strata(const struct dse_dataset *dataset);

/* Puts its facts, a few describing numbers, into `facts`; the header of its kind lists them. */
void dse_dataset_facts(const struct dse_dataset *dataset, struct dse_setting *facts);

/* The split of a data set: the given one, its kind's own, or a drawn one. DSE_BAD_USAGE for folds if the kind has a split of its own, and for more
 * folds than items. DSE_BAD_INPUT if a part would be empty. */
enum dse_status dse_dataset_split(const struct dse_dataset *data, const struct dse_draw *draw, struct dse_split *out,
                               struct dse_error *err);

/* The title says how a single split is made ("random 80/20 split"). The protocol of measurements on several splits adds their seeds,
 * first_seed … first_seed + count − 1; it is written to `buffer`, which is returned. */
const char *dse_dataset_split_title(const struct dse_dataset *data);
char *dse_dataset_protocol(const struct dse_dataset *data, uint64_t first_seed, size_t count, char *buffer, size_t size);

/* Releases its contents, not the struct itself. */
void dse_dataset_clear(struct dse_dataset *dataset);
void dse_dataset_free(struct dse_dataset *dataset);
static inline void dse_dataset_free_at(struct dse_dataset **dataset) /* for DSE_CLEANUP */
{
    dse_dataset_free(*dataset);
}
