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
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/utf8.h"
#include "datasets/bundle.h"
#include "datasets/profile.h"

const struct dse_kind *dse_kind_of_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    for (const struct dse_kind *const *kind = dse_kinds; dot != NULL && *kind != NULL; kind++)
        for (const char *const *ending = (*kind)->endings; ending != NULL && *ending != NULL; ending++)
            if (strcasecmp(dot, *ending) == 0)
                return *kind;
    return NULL;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

/* Endings of the names of archives and packed files. */
static const char *const packed_endings[] = {".zip", ".tar.gz", ".tgz", ".tar", NULL};

static bool is_called_packed(const char *name)
{
    for (const char *const *ending = packed_endings; *ending != NULL; ending++)
        if (ends_in(name, *ending))
            return true;
    return ends_in(name, ".gz");
}

/* ---- part of a table: PATH?columns=A,B&drop=C&missing=drop ---- */

/* The tail of a word that selects it, or NULL. */
static const char *reading_tail(const char *name)
{
    const char *mark = strrchr(name, '?');
    static const char *const keys[] = {"columns=", "drop=", "missing="};
    for (size_t i = 0; mark != NULL && i < sizeof keys / sizeof *keys; i++)
        if (strncmp(mark + 1, keys[i], strlen(keys[i])) == 0)
            return mark;
    return NULL;
}

/* `list` follows the = after its option's name, at `option`. */
static enum dse_status add_names(char ***names, size_t *count, const char *option, const char *list, size_t length, struct dse_error *err)
{
    const char *end = list + length, *whole = list;
    for (bool more = true; more; list++) {
        size_t one = strcspn(list, ","), left = (size_t)(end - list);
        more = one < left;
        one = more ? one : left;
        if (one == 0)
            return dse_fail(err, DSE_BAD_USAGE, "--%.*s %.*s: a name of the list is empty; separate names by single commas", (int)(whole - option - 1), option,
                            (int)length, whole);
        char *name = dse_strndup(list, one), *to = name;
        for (const char *from = name; *from != '\0'; from++) { /* %2C: characters that would separate or end a name */
            char code[3] = {from[0] == '%' && from[1] != '\0' ? from[1] : '\0', from[1] != '\0' ? from[2] : '\0', '\0'};
            bool coded = strlen(code) == 2 && strspn(code, "0123456789ABCDEF") == 2;
            *to++ = coded ? (char)strtoul(code, NULL, 16) : *from;
            from += coded ? 2 : 0;
        }
        *to = '\0';
        *(char **)dse_list_more(names, count, sizeof **names) = name;
        list += one;
    }
    return DSE_OK;
}

static enum dse_status read_tail(const char *tail, struct dse_table_reading *out, struct dse_error *err)
{
    for (const char *at = tail + 1; *at != '\0'; at += strcspn(at, "&"), at += *at == '&') {
        size_t length = strcspn(at, "&"), key = strcspn(at, "=") + 1;
        if (strncmp(at, "columns=", key) == 0)
            DSE_TRY(add_names(&out->columns, &out->column_count, at, at + key, length - key, err));
        else if (strncmp(at, "drop=", key) == 0)
            DSE_TRY(add_names(&out->drop, &out->drop_count, at, at + key, length - key, err));
        else if (length == key + 4 && strncmp(at, "missing=drop", length) == 0)
            out->drops_missing = true;
        else if (length != key + 6 || strncmp(at, "missing=refuse", length) != 0)
            return dse_fail(err, DSE_BAD_USAGE, "%.*s: must be columns=A,B, drop=C or missing=refuse|drop", (int)length, at);
    }
    return DSE_OK;
}

static void free_reading(struct dse_table_reading *reading)
{
    for (size_t i = 0; i < reading->column_count; i++)
        free(reading->columns[i]);
    for (size_t i = 0; i < reading->drop_count; i++)
        free(reading->drop[i]);
    free(reading->columns);
    free(reading->drop);
}

static const char *choose_folder(const char *data_dir)
{
    if (data_dir != NULL && *data_dir != '\0')
        return data_dir;
    const char *chosen = getenv("NYSX_DATA_DIR");
    return chosen != NULL && *chosen != '\0' ? chosen : ".";
}

static bool is_folder_in(const char *folder, const char *entry)
{
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(folder, entry);
    return dse_file_is_folder(path);
}

/* Whether the entry is a plain file of that name, with or without its ending. */
static bool is_file_called(const char *entry, const char *name, size_t length)
{
    return dse_kind_of_file(entry) != NULL && (entry[length] == '\0' || strchr(entry + length + 1, '.') == NULL) &&
           (entry[length] == '\0' || entry[length] == '.') && strncasecmp(entry, name, length) == 0;
}

/* How well a folder's entry fits the name: 6 NAME/, 5 NAME.zip, 4 NAME.csv, 3 to 1 the same in other case, 0 not at all. */
static int rank_entry(const char *folder, const char *entry, const char *name)
{
    size_t length = strlen(name);
    if (strncasecmp(entry, name, length) != 0)
        return 0;
    int exact = strncmp(entry, name, length) == 0 ? 3 : 0;
    for (const char *const *ending = packed_endings; *ending != NULL; ending++)
        if (strcasecmp(entry + length, *ending) == 0)
            return exact + 2;
    if (entry[length] == '\0' && is_folder_in(folder, entry))
        return exact + 3;
    return is_file_called(entry, name, length) ? exact + 1 : 0;
}

/* The entry of the folder that fits best, the first by name among equals, malloc'd; NULL if none fits. */
static char *best_entry(const char *folder, const char *name)
{
    DIR *entries = opendir(folder);
    int best_rank = 0;
    char *best = NULL;
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        int rank = rank_entry(folder, entry->d_name, name);
        if (rank == 0 || rank < best_rank || (rank == best_rank && strcmp(entry->d_name, best) >= 0))
            continue;
        free(best);
        best = dse_strdup(entry->d_name);
        best_rank = rank;
    }
    if (entries != NULL)
        closedir(entries);
    return best;
}

/* The plain file of that name in one of the folder's subfolders, the first by name, malloc'd; NULL if none has one. */
static char *find_deeper(const char *name, const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    char *best = NULL;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.' || !is_folder_in(folder, entry->d_name))
            continue;
        char *inner DSE_CLEANUP(dse_free_at) = dse_path_join(folder, entry->d_name);
        char *found DSE_CLEANUP(dse_free_at) = best_entry(inner, name);
        if (found == NULL || dse_kind_of_file(found) == NULL)
            continue;
        char *full = dse_path_join(inner, found), *worse = full;
        if (best == NULL || strcmp(full, best) < 0) {
            worse = best;
            best = full;
        }
        free(worse);
    }
    if (entries != NULL)
        closedir(entries);
    return best;
}

static enum dse_status find_in_folder(const char *name, const char *folder, char **path, struct dse_error *err)
{
    char *entry DSE_CLEANUP(dse_free_at) = best_entry(folder, name);
    *path = entry != NULL ? dse_path_join(folder, entry) : find_deeper(name, folder);
    bool file = strchr(name, '.') != NULL; /* as named: "z.csv" */
    if (*path != NULL)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "no data set \"%s\": looked for %s/%s/, %s/%s.zip and %s"
                    "%s/%s%s (--data-dir or NYSX_DATA_DIR sets the folder of data sets; a path needs a /)%s", name,
                    folder, name, folder, name, file ? "" : "tables such as ", folder, name, file ? "" : ".csv",
                    dse_profile_hash_of(name) != 0 ? "; the shipped profile of that name holds measurements, but "
                                              "this command needs the data" : "");
}

static bool names_a_path(const char *name)
{
    return strchr(name, '/') != NULL || is_called_packed(name) || dse_kind_of_file(name) != NULL;
}

bool dse_dataset_is_path(const char *name)
{
    return names_a_path(name) || reading_tail(name) != NULL;
}

/* The path itself; or, if it does not exist, the path below the folder of the data sets if that exists. */
static char *find_path(const char *name, const char *folder)
{
    char *below = dse_path_join(folder, name);
    if (*name != '/' && !dse_file_exists(name) && dse_file_exists(below))
        return below;
    free(below);
    return dse_strdup(name);
}

/* A regular file without the name or signature of an archive. */
static bool is_plain_file(const char *path)
{
    char start[2] = "";
    struct stat facts;
    if (is_called_packed(path) || stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || dse_bundle_is_packed(path))
        return false;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false; /* opening it as an archive gives the reason */
    size_t got = fread(start, 1, sizeof start, stream);
    fclose(stream);
    return got < sizeof start || memcmp(start, "PK", sizeof start) != 0;
}

/* The kind of a folder or archive; or NULL, with an error that names the files each kind looks for. */
static const struct dse_kind *kind_of_pack(const struct dse_bundle *pack, struct dse_error *err)
{
    struct dse_strbuf signs DSE_CLEANUP(dse_strbuf_free) = {0};
    for (const struct dse_kind *const *kind = dse_kinds; *kind != NULL; kind++)
        if ((*kind)->holds(pack))
            return *kind;
    for (const struct dse_kind *const *kind = dse_kinds; *kind != NULL; kind++)
        dse_strbuf_printf(&signs, "%s%s", signs.length > 0 ? ", nor " : "", (*kind)->sign);
    dse_fail(err, DSE_BAD_INPUT, "%s: not a data set: holds no %s", dse_bundle_path(pack), dse_strbuf_text(&signs));
    return NULL;
}

/* The kind that reads a plain file by its name or, without one, the last that reads plain files: tables. */
static const struct dse_kind *kind_of_plain(const char *path)
{
    const struct dse_kind *named = dse_kind_of_file(path), *last = NULL;
    for (size_t i = 0; dse_kinds[i] != NULL; i++)
        if (dse_kinds[i]->endings != NULL)
            last = dse_kinds[i];
    return named != NULL ? named : last;
}

static enum dse_status read_at(const char *path, const char *called, const struct dse_table_reading *reading, struct dse_dataset *dataset,
                               struct dse_error *err)
{
    struct dse_data_source source = {.path = path, .called = called, .reading = reading};
    enum dse_status status = DSE_OK;
    if (is_plain_file(path)) {
        dataset->kind = kind_of_plain(path);
    } else {
        DSE_TRY(dse_bundle_open(path, &source.pack, err));
        dataset->kind = kind_of_pack(source.pack, err);
        status = dataset->kind != NULL ? DSE_OK : DSE_BAD_INPUT;
    }
    if (status == DSE_OK && reading != NULL && dataset->kind->set_target == NULL)
        status = dse_fail(err, DSE_BAD_USAGE, "%s: must be a table to choose columns, but is %s", path, dataset->kind->title);
    if (status == DSE_OK)
        status = dataset->kind->read(&source, dataset, err);
    dse_bundle_close(source.pack);
    return status;
}

/* The name as printed: control characters, including line ends, are escaped as everywhere. */
static void show_name(struct dse_dataset *dataset)
{
    struct dse_strbuf shown = {0};
    dse_utf8_show(&shown, dataset->name, false);
    free(dataset->name);
    dataset->name = shown.text;
}

enum dse_status dse_dataset_open(const char *name, const char *data_dir, struct dse_dataset **out,
                                 struct dse_error *err)
{
    *out = NULL;
    if (*name == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "the name of a data set is empty");
    const char *tail = reading_tail(name);
    struct dse_table_reading reading DSE_CLEANUP(free_reading) = {0};
    char *path DSE_CLEANUP(dse_free_at) = NULL, *base DSE_CLEANUP(dse_free_at) = dse_strndup(name, tail != NULL ? (size_t)(tail - name) : strlen(name));
    if (tail != NULL)
        DSE_TRY(read_tail(tail, &reading, err));
    if (strchr(base, '/') != NULL || is_called_packed(base) || dse_file_exists(base))
        path = find_path(base, choose_folder(data_dir));
    else
        DSE_TRY(find_in_folder(base, choose_folder(data_dir), &path, err));
    struct dse_dataset *dataset = dse_calloc(1, sizeof *dataset);
    enum dse_status status = read_at(path, names_a_path(base) ? NULL : base, tail != NULL ? &reading : NULL, dataset, err);
    if (status != DSE_OK) {
        dse_dataset_free(dataset);
        return status;
    }
    show_name(dataset);
    *out = dataset;
    return DSE_OK;
}

size_t dse_dataset_items(const struct dse_dataset *dataset)
{
    return dataset->kind->count(dataset->content);
}

const int32_t *dse_dataset_classes(const struct dse_dataset *dataset)
{
    return dataset->kind->classes != NULL ? dataset->kind->classes(dataset->content) : NULL;
}

const int32_t *dse_dataset_strata(const struct dse_dataset *dataset)
{
    return dataset->unstratified ? NULL : dse_dataset_classes(dataset);
}

void dse_dataset_facts(const struct dse_dataset *dataset, struct dse_setting *facts)
{
    dataset->kind->facts(dataset->content, facts);
}

enum dse_status dse_dataset_split(const struct dse_dataset *data, const struct dse_draw *draw, struct dse_split *out,
                                  struct dse_error *err)
{
    const struct dse_kind *kind = data->kind;
    *out = (struct dse_split){0};
    if (draw->given != NULL) {
        *out = dse_split_copy(draw->given);
        return DSE_OK;
    }
    if (kind->split == NULL)
        return dse_split_draw(dse_dataset_items(data), kind->items, dse_dataset_strata(data), draw, out, err);
    if (draw->folds > 1)
        return dse_fail(err, DSE_BAD_USAGE, "folds=%zu: %s is %s, whose split is %s", draw->folds, data->name, kind->title,
                        kind->split_title);
    struct dse_error own = {0};
    enum dse_status status = kind->split(data->content, draw, out, &own);
    return status == DSE_OK ? DSE_OK : dse_fail(err, status, "%s: %s", data->name, own.message);
}

const char *dse_dataset_split_title(const struct dse_dataset *data)
{
    return data->kind->split != NULL ? data->kind->split_title : dse_dataset_strata(data) != NULL ? "stratified 80/20 split" : "random 80/20 split";
}

char *dse_dataset_protocol(const struct dse_dataset *data, uint64_t first_seed, size_t count, char *buffer, size_t size)
{
    unsigned long long first = first_seed;
    const char *title = dse_dataset_split_title(data), *several = data->kind->split == NULL && count > 1 ? "s" : "";
    if (count > 1)
        snprintf(buffer, size, "%s%s, seeds %llu to %llu", title, several, first, first + count - 1);
    else
        snprintf(buffer, size, "%s, seed %llu", title, first);
    return buffer;
}

void dse_dataset_clear(struct dse_dataset *dataset)
{
    if (dataset->content != NULL)
        dataset->kind->free(dataset->content);
    free(dataset->name);
    *dataset = (struct dse_dataset){0};
}

void dse_dataset_free(struct dse_dataset *dataset)
{
    if (dataset == NULL)
        return;
    dse_dataset_clear(dataset);
    free(dataset);
}
