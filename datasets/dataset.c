#include "datasets/dataset.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "datasets/pack.h"
#include "datasets/profile.h"

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

/* Whether the entry is a table's file of that name, with its ending or without. */
static bool is_table_called(const char *entry, const char *name, size_t length)
{
    return dse_data_table_named_so(entry) && (entry[length] == '\0' || strchr(entry + length + 1, '.') == NULL) &&
           (entry[length] == '\0' || entry[length] == '.') && strncasecmp(entry, name, length) == 0;
}

/* How well a folder's entry fits the name: 6 NAME/, 5 NAME.zip, 4 NAME.csv, 3 to 1 the same in other letters, 0 not at
 * all. */
static int rank_entry(const char *folder, const char *entry, const char *name, bool *failed)
{
    size_t length = strlen(name);
    if (strncasecmp(entry, name, length) != 0)
        return 0;
    int exact = strncmp(entry, name, length) == 0 ? 3 : 0;
    if (strcmp(entry + length, ".zip") == 0)
        return exact + 2;
    if (entry[length] == '\0' && is_folder_in(folder, entry, failed))
        return exact + 3;
    return is_table_called(entry, name, length) ? exact + 1 : 0;
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

/* Sets `path` (malloc'd) to the table of that name in one of the folder's own folders, the first by name; NULL where none
 * has one. False when memory runs out. */
static bool find_deeper(const char *name, const char *folder, char **path)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    bool failed = false;
    *path = NULL;
    while (entries != NULL && !failed && (entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.' || !is_folder_in(folder, entry->d_name, &failed))
            continue;
        char *inner = dse_path_join(folder, entry->d_name), *found = NULL;
        DIR *tables = inner != NULL ? opendir(inner) : NULL;
        failed = inner == NULL || (tables != NULL && !best_entry(tables, inner, name, &found));
        if (tables != NULL)
            closedir(tables);
        char *full = found != NULL && dse_data_table_named_so(found) ? dse_path_join(inner, found) : NULL;
        bool better = full != NULL && (*path == NULL || strcmp(full, *path) < 0);
        if (better) {
            free(*path);
            *path = full;
        } else {
            free(full);
        }
        free(inner);
        free(found);
    }
    if (entries != NULL)
        closedir(entries);
    return !failed;
}

/* The content hash that the shipped profile of that name was measured on; 0 where there is none. */
static uint64_t shipped_hash(const char *name)
{
    struct dse_profile *profile = NULL;
    struct dse_error unheard = {0};
    if (dse_profile_open(name, &profile, &unheard) != DSE_OK)
        return 0;
    uint64_t hash = profile->dataset_hash;
    dse_profile_free(profile);
    return hash;
}

static enum dse_status find_in_folder(const char *name, const char *folder, char **path, struct dse_error *err)
{
    DIR *entries = opendir(folder);
    char *entry = NULL;
    bool good = entries == NULL || best_entry(entries, folder, name, &entry);
    if (entries != NULL)
        closedir(entries);
    *path = NULL;
    if (good && entry == NULL && (good = find_deeper(name, folder, path)) && *path != NULL)
        return DSE_OK;
    if (good && entry == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "no data set \"%s\": looked for %s/%s/, %s/%s.zip and tables such as "
                        "%s/%s.csv (--data-dir or NYSX_DATA_DIR say where data sets lie; a path is taken as it is)%s", name,
                        folder, name, folder, name, folder, name,
                        shipped_hash(name) != 0 ? "; the shipped profile of that name holds what was measured on it, not "
                                                  "the data, which this needs" : "");
    if (good)
        *path = dse_path_join(folder, entry);
    free(entry);
    return *path != NULL ? DSE_OK : dse_fail_memory(err);
}

bool dse_dataset_is_path(const char *name)
{
    return strchr(name, '/') != NULL || ends_in_zip(name) || dse_data_table_named_so(name);
}

/* The path as it is or, where nothing is there, below the folder of the data sets if something is there. */
static enum dse_status find_path(const char *name, const char *folder, char **path, struct dse_error *err)
{
    *path = NULL;
    if (*name != '/' && !dse_file_exists(name)) {
        *path = dse_path_join(folder, name);
        if (*path != NULL && dse_file_exists(*path))
            return DSE_OK;
        free(*path);
    }
    *path = strdup(name);
    return *path != NULL ? DSE_OK : dse_fail_memory(err);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

#define TABLE_MAX ((size_t)1 << 30)

static enum dse_status read_entry(struct dse_pack *pack, const char *entry, struct dse_data_table **table,
                                  struct dse_error *err)
{
    struct dse_text text = {0};
    enum dse_status status = dse_pack_read(pack, entry, TABLE_MAX, &text, err);
    char *stem = status == DSE_OK ? dse_path_stem(entry, strrchr(entry, '.')) : NULL;
    if (status == DSE_OK)
        status = stem != NULL ? dse_data_table_parse(stem, &text, table, err) : dse_fail_memory(err);
    free(stem);
    dse_text_free(&text);
    return status;
}

/* The table of the pack whose content has the hash; NULL, with DSE_OK, where none has. */
static enum dse_status table_with_hash(struct dse_pack *pack, uint64_t hash, struct dse_data_table **out,
                                       struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    *out = NULL;
    for (size_t i = 0; i < dse_pack_count(pack) && status == DSE_OK && *out == NULL; i++) {
        if (!dse_data_table_named_so(dse_pack_entry(pack, i)))
            continue;
        status = read_entry(pack, dse_pack_entry(pack, i), out, err);
        if (status == DSE_OK && (*out)->hash != hash) {
            dse_data_table_free(*out);
            *out = NULL;
        }
    }
    return status;
}

/* The one entry that is a table where no set of graphs lies; NULL, with DSE_OK, where the graphs' reader is to be asked. */
static enum dse_status find_table(const struct dse_pack *pack, const char **entry, struct dse_error *err)
{
    struct dse_strbuf names = {0};
    size_t tables = 0;
    *entry = NULL;
    for (size_t i = 0; i < dse_pack_count(pack); i++) {
        const char *next = dse_pack_entry(pack, i);
        if (ends_with(next, "_A.txt"))
            tables = SIZE_MAX / 2;
        if (!dse_data_table_named_so(next))
            continue;
        if (names.length < 300)
            dse_strbuf_printf(&names, "%s%s", names.length > 0 ? ", " : "", next);
        *entry = next;
        tables++;
    }
    enum dse_status status = DSE_OK;
    if (tables >= SIZE_MAX / 2)
        *entry = NULL;
    else if (tables > 1)
        status = dse_fail(err, DSE_BAD_USAGE, "%s holds %zu tables (%s): %s", dse_pack_path(pack), tables,
                          dse_strbuf_text(&names), dse_file_is_folder(dse_pack_path(pack))
                                                       ? "name one of them, as FOLDER/TABLE"
                                                       : "unpack it and name one of them");
    dse_strbuf_free(&names);
    return status;
}

/* Opens the table of a folder or archive; `*table` stays NULL where there is none. Of several it is the one that the
 * shipped profile `called` (or NULL) was measured on. */
static enum dse_status read_packed_table(const char *path, const char *called, struct dse_data_table **table,
                                         struct dse_error *err)
{
    struct dse_pack *pack = NULL;
    const char *entry = NULL;
    enum dse_status status = dse_pack_open(path, &pack, err);
    if (status != DSE_OK)
        return status;
    status = find_table(pack, &entry, err);
    if (status == DSE_OK && entry != NULL)
        status = read_entry(pack, entry, table, err);
    uint64_t wanted = status == DSE_BAD_USAGE && called != NULL ? shipped_hash(called) : 0;
    if (wanted != 0) {
        struct dse_error inner = {0};
        if (table_with_hash(pack, wanted, table, &inner) == DSE_OK && *table != NULL)
            status = DSE_OK;
    }
    dse_pack_close(pack);
    return status;
}

/* A regular file that neither is called nor begins as an archive. */
static bool is_plain_file(const char *path)
{
    char start[2] = "";
    struct stat facts;
    if (ends_in_zip(path) || stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return false;
    FILE *stream = fopen(path, "rb");
    size_t got = stream != NULL ? fread(start, 1, sizeof start, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return got < sizeof start || memcmp(start, "PK", sizeof start) != 0;
}

static enum dse_status read_at(const char *path, const char *called, struct dse_dataset *dataset, struct dse_error *err)
{
    DSE_TRY(is_plain_file(path) ? dse_data_table_read(path, &dataset->table, err)
                                : read_packed_table(path, called, &dataset->table, err));
    if (dataset->table == NULL)
        DSE_TRY(dse_graph_set_read(path, &dataset->graphs, err));
    bool graphs = dataset->graphs != NULL;
    dataset->kind = graphs ? DSE_DATASET_GRAPHS : DSE_DATASET_TABLE;
    dataset->hash = graphs ? dataset->graphs->hash : dataset->table->hash;
    dataset->name = strdup(graphs ? dataset->graphs->name : dataset->table->name);
    return dataset->name != NULL ? DSE_OK : dse_fail_memory(err);
}

enum dse_status dse_dataset_open(const char *name, const char *data_dir, struct dse_dataset **out,
                                 struct dse_error *err)
{
    *out = NULL;
    if (*name == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "the name of a data set is empty");
    char *path = NULL;
    bool as_path = strchr(name, '/') != NULL || ends_in_zip(name) || dse_file_exists(name);
    enum dse_status status = as_path ? find_path(name, choose_folder(data_dir), &path, err)
                                     : find_in_folder(name, choose_folder(data_dir), &path, err);
    struct dse_dataset *dataset = status == DSE_OK ? calloc(1, sizeof *dataset) : NULL;
    if (status == DSE_OK && dataset == NULL)
        status = dse_fail_memory(err);
    if (status == DSE_OK)
        status = read_at(path, dse_dataset_is_path(name) ? NULL : name, dataset, err);
    free(path);
    if (status == DSE_OK)
        *out = dataset;
    else
        dse_dataset_free(dataset);
    return status;
}

void dse_dataset_free(struct dse_dataset *dataset)
{
    if (dataset == NULL)
        return;
    dse_graph_set_free(dataset->graphs);
    dse_data_table_free(dataset->table);
    free(dataset->name);
    free(dataset);
}
