#include "emit/folder.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/text.h"
#include "emit/swap.h"

#define SHIPPED_MAX (1 << 20) /* bytes of a shipped file */
#define NAME_MAX_BYTES 256    /* length of a file's name below the folder */
#define EARLIER_MAX (1 << 30) /* bytes of a file that may go: a model's tables */

struct dse_folder_file {
    char *name, *path;
    bool there; /* before */
    struct dse_strbuf text;
};

struct dse_strbuf *dse_folder_add(struct dse_folder *folder, const char *name)
{
    struct dse_folder_file *file = dse_list_more(&folder->files, &folder->count, sizeof *file);
    file->name = dse_strdup(name);
    return &file->text;
}

enum dse_status dse_folder_add_shipped(struct dse_folder *folder, const char *from, const char *name, struct dse_error *err)
{
    char *relative DSE_CLEANUP(dse_free_at) = dse_path_join(from, name), *path DSE_CLEANUP(dse_free_at) = NULL, *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    DSE_TRY(dse_share_find(relative, &path, err));
    DSE_TRY(dse_file_read(path, SHIPPED_MAX, &text, &size, err));
    dse_strbuf_add_n(dse_folder_add(folder, name), text, size);
    return DSE_OK;
}

/* The outermost missing folder of `path`, malloc'd, or NULL if none is missing. */
static char *first_missing(const char *path)
{
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        char *part = dse_strndup(path, i);
        if (!dse_file_exists(part))
            return part;
        free(part);
    }
    return NULL;
}

static bool in_word(const char *text, size_t at)
{
    return isalnum((unsigned char)text[at]) || text[at] == '_';
}

/* Whether a word may begin at text[at]: at its first letter, behind a compiler's option -D, or behind the x of a driver by Vitis HLS ("xnysx_top_hw.h"). */
static bool may_begin(const char *text, size_t at)
{
    const bool defined = at > 1 && text[at - 1] == 'D' && text[at - 2] == '-';
    const bool driver = at > 0 && (text[at - 1] == 'x' || text[at - 1] == 'X') && (at == 1 || !in_word(text, at - 2));
    return at == 0 || !in_word(text, at - 1) || defined || driver;
}

/* Whether a word with the family's name in front begins here: "nysx_…", "NYSX_…", or a file's, "nysx.h". */
static bool begins_name(const char *text, size_t left, const char *family, size_t length)
{
    bool lower = left > length + 1 && strncmp(text, family, length) == 0, upper = left > length + 1;
    for (size_t i = 0; upper && i < length; i++)
        upper = text[i] == toupper((unsigned char)family[i]);
    return (lower || upper) &&
           (text[length] == '_' || (lower && text[length] == '.' && islower((unsigned char)text[length + 1])));
}

static void add_renamed(const struct dse_folder *folder, const char *text, size_t size, struct dse_strbuf *out)
{
    size_t length = strlen(folder->family), copied = 0;
    for (size_t i = 0; i < size; i++) {
        if (!may_begin(text, i) || !begins_name(text + i, size - i, folder->family, length))
            continue;
        bool upper = isupper((unsigned char)text[i]);
        dse_strbuf_add_n(out, text + copied, i - copied);
        for (const char *c = folder->prefix; *c != '\0'; c++)
            dse_strbuf_add_char(out, upper ? (char)toupper((unsigned char)*c) : *c, 1);
        copied = i + length;
    }
    dse_strbuf_add_n(out, text + copied, size - copied);
}

/* The file's text and name with the prefix, and its destination. */
static void finish(const struct dse_folder *folder, struct dse_folder_file *file)
{
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0}, text = {0};
    bool renames = folder->prefix != NULL && strcmp(folder->prefix, folder->family) != 0;
    if (renames) {
        add_renamed(folder, file->name, strlen(file->name), &name);
        free(file->name);
        file->name = dse_strdup(dse_strbuf_text(&name));
    }
    if (renames && !dse_ends_in(file->name, ".bin")) {
        add_renamed(folder, dse_strbuf_text(&file->text), file->text.length, &text);
        dse_strbuf_free(&file->text);
        file->text = text;
    }
    file->path = dse_path_join(folder->path, file->name);
}

/* The list of all files as the last of them. */
static void add_list(struct dse_folder *folder)
{
    struct dse_strbuf *list = dse_folder_add(folder, DSE_FOLDER_LIST);
    dse_strbuf_add(list, "# The files that nysx-dse wrote here, each with its XXH3: an unchanged file is removed when another design replaces this one.\n");
    for (size_t i = 0; i + 1 < folder->count; i++) {
        const struct dse_folder_file *file = &folder->files[i];
        dse_strbuf_printf(list, "%016" PRIx64 " %s\n",
                          (uint64_t)XXH3_64bits(dse_strbuf_text(&file->text), file->text.length), file->name);
    }
    finish(folder, &folder->files[folder->count - 1]);
}

/* The earlier contents; NULL if they cannot be read, which is no failure unless the system is at its limits. */
static enum dse_status read_earlier(const char *path, size_t most, char **data, size_t *size, struct dse_error *err)
{
    enum dse_status status = dse_file_read(path, most, data, size, err);
    if (status != DSE_OK)
        *data = NULL;
    return status == DSE_LIMIT ? status : DSE_OK;
}

static enum dse_status check_other(const struct dse_folder *folder, struct dse_error *err)
{
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    if (folder->overwrite || folder->count == 0)
        return DSE_OK;
    const struct dse_folder_file *file = &folder->files[0];
    DSE_TRY(read_earlier(file->path, SHIPPED_MAX, &text, &size, err));
    bool same = text == NULL || (size == file->text.length && memcmp(text, dse_strbuf_text(&file->text), size) == 0);
    return same ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "%s: holds another design; --overwrite replaces it", folder->path);
}

static bool is_among(const struct dse_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i].name, name) == 0)
            return true;
    return false;
}

/* A line of a folder's list: the file's path, malloc'd, and whether the file is as written. NULL for any other line, and for a path outside of the
 * folder: a list is only a text. */
static enum dse_status read_line(const char *folder, const char *line, char name[NAME_MAX_BYTES], char **path, bool *same, struct dse_error *err)
{
    uint64_t hash = 0;
    char *data DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    *path = NULL;
    *same = false;
    if (sscanf(line, "%16" SCNx64 " %255[^\n]", &hash, name) != 2 || name[0] == '/' || strstr(name, "..") != NULL)
        return DSE_OK;
    *path = dse_path_join(folder, name);
    DSE_TRY(read_earlier(*path, EARLIER_MAX, &data, &size, err));
    *same = data != NULL && XXH3_64bits(data, size) == hash;
    return DSE_OK;
}

/* One line of an earlier list: its file is removed if this design has no such file and it is unchanged. */
static enum dse_status clear_line(const struct dse_folder *folder, const char *line, struct dse_error *err)
{
    char name[NAME_MAX_BYTES], *path DSE_CLEANUP(dse_free_at) = NULL;
    bool same;
    DSE_TRY(read_line(folder->path, line, name, &path, &same, err));
    if (!same || is_among(folder, name))
        return DSE_OK;
    if (unlink(path) != 0)
        return dse_fail_errno(err, DSE_LIMIT, path, "remove", errno);
    char *slash = strrchr(name, '/');
    if (slash != NULL) { /* removes the file's folder too, if that is empty now */
        path[strlen(path) - strlen(slash)] = '\0';
        rmdir(path);
    }
    return DSE_OK;
}

static const char *next_line(const char *line)
{
    line = strchr(line, '\n');
    return line != NULL && line[1] != '\0' ? line + 1 : NULL;
}

static enum dse_status clear_earlier(const struct dse_folder *folder, const char *list, struct dse_error *err)
{
    for (const char *line = list; line != NULL && *line != '\0'; line = next_line(line))
        DSE_TRY(clear_line(folder, line, err));
    return DSE_OK;
}

enum dse_status dse_folder_list(const char *path, void (*listed)(void *context, const char *name, uint64_t hash), void *context, struct dse_error *err)
{
    char *list_path DSE_CLEANUP(dse_free_at) = dse_path_join(path, DSE_FOLDER_LIST), *list DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    DSE_TRY(read_earlier(list_path, EARLIER_MAX, &list, &size, err));
    for (const char *line = list; line != NULL && *line != '\0'; line = next_line(line)) {
        char name[NAME_MAX_BYTES];
        uint64_t hash = 0;
        if (sscanf(line, "%16" SCNx64 " %255[^\n]", &hash, name) == 2)
            listed(context, name, hash);
    }
    return DSE_OK;
}

enum dse_status dse_folder_changes(const char *path, void (*changed)(void *context, const char *name, bool missing), void *context,
                                   struct dse_error *err)
{
    char *list_path DSE_CLEANUP(dse_free_at) = dse_path_join(path, DSE_FOLDER_LIST), *list DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    DSE_TRY(read_earlier(list_path, EARLIER_MAX, &list, &size, err));
    if (list == NULL)
        changed(context, DSE_FOLDER_LIST, true);
    for (const char *line = list; line != NULL && *line != '\0'; line = next_line(line)) {
        char name[NAME_MAX_BYTES], *file DSE_CLEANUP(dse_free_at) = NULL;
        bool same;
        DSE_TRY(read_line(path, line, name, &file, &same, err));
        if (file != NULL && !same)
            changed(context, name, !dse_file_exists(file));
    }
    return DSE_OK;
}

/* Begins a file beside its destination, in a folder that is created if missing. */
static enum dse_status begin(struct dse_folder_file *file, struct dse_file_writer *writer, struct dse_error *err)
{
    char *parent DSE_CLEANUP(dse_free_at) = dse_strndup(file->path, (size_t)(strrchr(file->path, '/') - file->path));
    file->there = dse_file_exists(file->path);
    if (dse_file_is_folder(file->path))
        return dse_fail(err, DSE_LIMIT, "%s: is a folder, but must be a file", file->path);
    DSE_TRY(dse_folder_create(parent, err));
    DSE_TRY(dse_file_begin(file->path, writer, err));
    if (fwrite(dse_strbuf_text(&file->text), 1, file->text.length, writer->stream) != file->text.length)
        return dse_fail_errno(err, DSE_LIMIT, file->path, "write", errno);
    return DSE_OK;
}

/* File by file: all beside their destinations first, then all renamed. */
static enum dse_status write_files(struct dse_folder *folder, struct dse_error *err)
{
    struct dse_file_writer *writers DSE_CLEANUP(dse_free_at) = dse_calloc(folder->count, sizeof *writers);
    enum dse_status status = DSE_OK;
    size_t committed = 0;
    for (size_t i = 0; status == DSE_OK && i < folder->count; i++)
        status = begin(&folder->files[i], &writers[i], err);
    for (; status == DSE_OK && committed < folder->count; committed++)
        status = dse_file_commit(&writers[committed], err);
    for (size_t i = 0; status != DSE_OK && i < folder->count; i++) {
        dse_file_abort(&writers[i]);
        if (i < committed && !folder->files[i].there)
            unlink(folder->files[i].path);
    }
    return status;
}

/* Writes a file of the folder that is made beside: it is completely on the disk before its name counts. */
static enum dse_status write_into(const char *made, const struct dse_folder_file *file, struct dse_error *err)
{
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(made, file->name);
    char *parent DSE_CLEANUP(dse_free_at) = dse_strndup(path, (size_t)(strrchr(path, '/') - path));
    if (dse_file_is_folder(file->path))
        return dse_fail(err, DSE_LIMIT, "%s: is a folder, but must be a file", file->path);
    DSE_TRY(dse_file_spares(file->path, err));
    DSE_TRY(dse_folder_create(parent, err));
    FILE *stream = fopen(path, "wb");
    if (stream != NULL)
        dse_file_permit(fileno(stream), file->path);
    bool good = stream != NULL && fwrite(dse_strbuf_text(&file->text), 1, file->text.length, stream) == file->text.length &&
                fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    int reason = errno;
    if (stream != NULL && fclose(stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    return good ? DSE_OK : dse_fail_errno(err, DSE_LIMIT, file->path, "write", reason);
}

/* Writes the whole folder in one step; `done` is false if its place or its file system does not allow that. */
static enum dse_status write_whole(const struct dse_folder *folder, const char *earlier, bool *done, struct dse_error *err)
{
    struct dse_swap swap;
    *done = false;
    if (!dse_swap_begin(folder->path, &swap))
        return DSE_OK;
    struct dse_folder made = *folder;
    made.path = swap.made;
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < folder->count; i++)
        status = write_into(swap.made, &folder->files[i], err);
    bool carried = status == DSE_OK && dse_swap_carry(&swap);
    if (carried)
        status = clear_earlier(&made, earlier, err);
    if (!carried || status != DSE_OK)
        dse_swap_abort(&swap);
    else
        *done = dse_swap_commit(&swap);
    return status;
}

/* The folder, and the created folders above it. */
static enum dse_status write_finished(struct dse_folder *folder, const char *earlier, struct dse_error *err)
{
    size_t length = strlen(folder->path);
    bool done;
    while (length > 1 && folder->path[length - 1] == '/')
        length--;
    while (length > 0 && folder->path[length - 1] != '/')
        length--;
    char *parent DSE_CLEANUP(dse_free_at) = dse_strndup(folder->path, length);
    DSE_TRY(length > 1 ? dse_folder_create(parent, err) : DSE_OK);
    DSE_TRY(write_whole(folder, earlier, &done, err));
    if (done)
        return DSE_OK;
    DSE_TRY(write_files(folder, err)); /* the list comes last: its hashes tell which files of a mixed folder belong to it */
    return clear_earlier(folder, earlier, err);
}

enum dse_status dse_folder_write(struct dse_folder *folder, struct dse_error *err)
{
    char *earlier DSE_CLEANUP(dse_free_at) = NULL, *list DSE_CLEANUP(dse_free_at) = dse_path_join(folder->path, DSE_FOLDER_LIST);
    char *first DSE_CLEANUP(dse_free_at) = first_missing(folder->path);
    size_t size = 0;
    for (size_t i = 0; i < folder->count; i++) {
        finish(folder, &folder->files[i]);
        dse_file_replaces(folder->files[i].path);
    }
    dse_file_replaces(list);
    DSE_TRY(check_other(folder, err));
    add_list(folder);
    DSE_TRY(read_earlier(list, SHIPPED_MAX, &earlier, &size, err));
    enum dse_status status = write_finished(folder, earlier, err);
    if (status != DSE_OK && first != NULL)
        dse_swap_remove(first);
    return status;
}

void dse_folder_free(struct dse_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        free(folder->files[i].name);
        free(folder->files[i].path);
        dse_strbuf_free(&folder->files[i].text);
    }
    free(folder->files);
    folder->files = NULL;
    folder->count = 0;
}
