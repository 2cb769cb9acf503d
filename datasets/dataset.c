#include "datasets/dataset.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"

static bool ends_in_zip(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".zip") == 0;
}

static const char *choose_folder(const char *data_dir)
{
    if (data_dir != NULL && *data_dir != '\0')
        return data_dir;
    const char *chosen = getenv("NYSX_DATA_DIR");
    return chosen != NULL && *chosen != '\0' ? chosen : ".";
}

/* folder/NAME, else folder/NAME.zip, in `path`. */
static enum dse_status find_in_folder(const char *name, const char *folder, char **path, struct dse_error *err)
{
    *path = NULL;
    char *plain = dse_path_join(folder, name);
    char *zipped = plain != NULL ? malloc(strlen(plain) + sizeof ".zip") : NULL;
    enum dse_status status = DSE_OK;
    if (zipped == NULL) {
        status = dse_fail_memory(err);
    } else {
        sprintf(zipped, "%s.zip", plain);
        char **found = dse_file_is_folder(plain) ? &plain : dse_file_exists(zipped) ? &zipped : NULL;
        if (found == NULL) {
            status = dse_fail(err, DSE_BAD_USAGE, "no data set \"%s\": looked for %s/ and %s (--data-dir or "
                              "NYSX_DATA_DIR say where data sets lie; a path is taken as it is)", name, plain, zipped);
        } else {
            *path = *found;
            *found = NULL;
        }
    }
    free(plain);
    free(zipped);
    return status;
}

enum dse_status dse_dataset_open(const char *name, const char *data_dir, struct dse_dataset **out,
                                 struct dse_error *err)
{
    *out = NULL;
    if (*name == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "the name of a data set is empty");
    char *path = NULL;
    enum dse_status status = DSE_OK;
    if (strchr(name, '/') != NULL || ends_in_zip(name) || dse_file_exists(name)) {
        if ((path = strdup(name)) == NULL)
            status = dse_fail_memory(err);
    } else {
        status = find_in_folder(name, choose_folder(data_dir), &path, err);
    }
    struct dse_dataset *dataset = status == DSE_OK ? calloc(1, sizeof *dataset) : NULL;
    if (status == DSE_OK && dataset == NULL)
        status = dse_fail_memory(err);
    if (status == DSE_OK)
        status = dse_graph_set_read(path, &dataset->graphs, err);
    free(path);
    if (status == DSE_OK && (dataset->name = strdup(dataset->graphs->name)) == NULL)
        status = dse_fail_memory(err);
    if (status != DSE_OK) {
        dse_dataset_free(dataset);
        return status;
    }
    dataset->kind = DSE_DATASET_GRAPHS;
    dataset->hash = dataset->graphs->hash;
    *out = dataset;
    return DSE_OK;
}

void dse_dataset_free(struct dse_dataset *dataset)
{
    if (dataset == NULL)
        return;
    dse_graph_set_free(dataset->graphs);
    free(dataset->name);
    free(dataset);
}
