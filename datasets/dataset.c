#include "datasets/dataset.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static bool is_folder_in(const char *folder, const char *entry, bool *failed)
{
    char *path = dse_path_join(folder, entry);
    *failed = path == NULL;
    bool answer = path != NULL && dse_file_is_folder(path);
    free(path);
    return answer;
}

/* How well a folder's entry fits the name: 4 NAME/, 3 NAME.zip, 2 and 1 the same in other letters, 0 not at all. */
static int rank_entry(const char *folder, const char *entry, const char *name, bool *failed)
{
    size_t length = strlen(name);
    if (strncasecmp(entry, name, length) != 0)
        return 0;
    int exact = strncmp(entry, name, length) == 0 ? 2 : 0;
    if (strcmp(entry + length, ".zip") == 0)
        return exact + 1;
    return entry[length] == '\0' && is_folder_in(folder, entry, failed) ? exact + 2 : 0;
}

/* Sets `best` (malloc'd) to the entry that fits best, the first by name among equals; NULL where none does. False when
 * memory runs out. */
static bool best_entry(DIR *entries, const char *folder, const char *name, char **best)
{
    int best_rank = 0;
    bool failed = false;
    struct dirent *entry;
    *best = NULL;
    while (!failed && (entry = readdir(entries)) != NULL) {
        int rank = rank_entry(folder, entry->d_name, name, &failed);
        if (rank == 0 || rank < best_rank || (rank == best_rank && strcmp(entry->d_name, *best) >= 0))
            continue;
        free(*best);
        *best = strdup(entry->d_name);
        best_rank = rank;
        failed = *best == NULL;
    }
    if (failed) {
        free(*best);
        *best = NULL;
    }
    return !failed;
}

static enum dse_status find_in_folder(const char *name, const char *folder, char **path, struct dse_error *err)
{
    DIR *entries = opendir(folder);
    char *entry = NULL;
    bool good = entries == NULL || best_entry(entries, folder, name, &entry);
    if (entries != NULL)
        closedir(entries);
    if (good && entry == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "no data set \"%s\": looked for %s/%s/ and %s/%s.zip (--data-dir or "
                        "NYSX_DATA_DIR say where data sets lie; a path is taken as it is)", name, folder, name, folder,
                        name);
    *path = good ? dse_path_join(folder, entry) : NULL;
    free(entry);
    return *path != NULL ? DSE_OK : dse_fail_memory(err);
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
