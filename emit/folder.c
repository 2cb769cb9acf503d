#include "emit/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"

#define SHIPPED_MAX (1 << 20) /* bytes of a shipped file */

struct dse_folder_file {
    char *path;
    bool there; /* before */
    struct dse_strbuf text;
    struct dse_file_writer writer;
};

struct dse_strbuf *dse_folder_add(struct dse_folder *folder, const char *name)
{
    struct dse_folder_file *grown = realloc(folder->files, (folder->count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    folder->files = grown;
    struct dse_folder_file *file = &grown[folder->count];
    *file = (struct dse_folder_file){.path = dse_path_join(folder->path, name)};
    if (file->path == NULL)
        return NULL;
    folder->count++;
    return &file->text;
}

enum dse_status dse_folder_add_shipped(struct dse_folder *folder, const char *from, const char *name, struct dse_error *err)
{
    struct dse_strbuf *out = dse_folder_add(folder, name), relative = {0};
    char *path = NULL, *text = NULL;
    size_t size = 0;
    dse_strbuf_printf(&relative, "%s/%s", from, name);
    enum dse_status status = out == NULL || relative.failed ? dse_fail_memory(err) : DSE_OK;
    if (status == DSE_OK)
        status = dse_share_find(relative.text, &path, err);
    if (status == DSE_OK)
        status = dse_file_read(path, SHIPPED_MAX, &text, &size, err);
    if (status == DSE_OK)
        dse_strbuf_add_n(out, text, size);
    free(text);
    free(path);
    dse_strbuf_free(&relative);
    return status;
}

/* The outermost folder of `path` that is missing, malloc'd, or NULL where all are there. */
static char *first_missing(const char *path)
{
    char *part = strdup(path);
    for (size_t i = 1; part != NULL && i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        part[i] = '\0';
        if (!dse_file_exists(part))
            return part;
        part[i] = path[i];
    }
    free(part);
    return NULL;
}

/* Removes the folders of `path` from the innermost out to `first`, which this run made. */
static void remove_folders(const char *path, const char *first)
{
    char *part = strdup(path);
    while (part != NULL && strlen(part) >= strlen(first)) {
        rmdir(part);
        char *slash = strrchr(part, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    free(part);
}

static enum dse_status begin(struct dse_folder_file *file, struct dse_error *err)
{
    size_t length = file->text.length;
    if (file->text.failed)
        return dse_fail_memory(err);
    file->there = dse_file_exists(file->path);
    if (dse_file_is_folder(file->path))
        return dse_fail(err, DSE_LIMIT, "%s: is a folder, and a file is to be written there", file->path);
    DSE_TRY(dse_file_begin(file->path, &file->writer, err));
    if (fwrite(dse_strbuf_text(&file->text), 1, length, file->writer.stream) != length)
        return dse_fail_errno(err, DSE_LIMIT, file->path, "write", errno);
    return DSE_OK;
}

/* All files beside their destinations first, then all renamed. */
static enum dse_status commit(struct dse_folder *folder, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    size_t committed = 0;
    for (size_t i = 0; status == DSE_OK && i < folder->count; i++)
        status = begin(&folder->files[i], err);
    for (; status == DSE_OK && committed < folder->count; committed++)
        status = dse_file_commit(&folder->files[committed].writer, err);
    for (size_t i = 0; status != DSE_OK && i < folder->count; i++) {
        dse_file_abort(&folder->files[i].writer);
        if (i < committed && !folder->files[i].there)
            unlink(folder->files[i].path);
    }
    return status;
}

static enum dse_status check_other(const struct dse_folder *folder, struct dse_error *err)
{
    struct dse_error unread;
    char *text = NULL;
    size_t size = 0;
    if (folder->overwrite || folder->count == 0 || dse_file_read(folder->files[0].path, SHIPPED_MAX, &text, &size, &unread) != DSE_OK)
        return DSE_OK;
    bool same = size == folder->files[0].text.length && memcmp(text, dse_strbuf_text(&folder->files[0].text), size) == 0;
    free(text);
    return same ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "%s: holds another design; --overwrite writes over it", folder->path);
}

enum dse_status dse_folder_write(struct dse_folder *folder, struct dse_error *err)
{
    DSE_TRY(check_other(folder, err));
    char *made = first_missing(folder->path);
    enum dse_status status = dse_folder_create(folder->path, err);
    if (status == DSE_OK)
        status = commit(folder, err);
    if (status != DSE_OK && made != NULL)
        remove_folders(folder->path, made);
    free(made);
    return status;
}

bool dse_folder_has(const struct dse_folder *folder, size_t index)
{
    return dse_file_exists(folder->files[index].path);
}

static bool is_among(const struct dse_folder *folder, const char *path)
{
    for (size_t i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i].path, path) == 0)
            return true;
    return false;
}

/* Whether the file at `path` is, byte for byte, the shipped one. */
static enum dse_status is_shipped(const char *path, const char *from, const char *name, bool *same, struct dse_error *err)
{
    struct dse_folder shipped = {.path = "."};
    char *text = NULL;
    size_t size = 0;
    enum dse_status status = dse_folder_add_shipped(&shipped, from, name, err);
    *same = status == DSE_OK && dse_file_read(path, SHIPPED_MAX, &text, &size, NULL) == DSE_OK &&
            size == shipped.files->text.length && memcmp(text, dse_strbuf_text(&shipped.files->text), size) == 0;
    dse_folder_free(&shipped);
    free(text);
    return status;
}

static enum dse_status remove_stale(const struct dse_folder *folder, const char *from, const char *name,
                                    struct dse_error *err)
{
    char *path = dse_path_join(folder->path, name);
    enum dse_status status = path == NULL ? dse_fail_memory(err) : DSE_OK;
    bool ours = path != NULL && dse_file_exists(path) && !is_among(folder, path);
    if (ours && from != NULL)
        status = is_shipped(path, from, name, &ours, err);
    if (ours && unlink(path) != 0)
        status = dse_fail_errno(err, DSE_LIMIT, path, "remove", errno);
    free(path);
    return status;
}

enum dse_status dse_folder_remove_stale(const struct dse_folder *folder, const char *name, struct dse_error *err)
{
    return remove_stale(folder, NULL, name, err);
}

enum dse_status dse_folder_remove_shipped(const struct dse_folder *folder, const char *from, const char *suffix,
                                          struct dse_error *err)
{
    char name[128], **names = NULL;
    size_t count = 0;
    enum dse_status status = dse_share_names(from, suffix, &names, &count, err);
    for (size_t i = 0; status == DSE_OK && i < count; i++) {
        snprintf(name, sizeof name, "%s%s", names[i], suffix);
        status = remove_stale(folder, from, name, err);
    }
    dse_share_names_free(names, count);
    return status;
}

void dse_folder_free(struct dse_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        free(folder->files[i].path);
        dse_strbuf_free(&folder->files[i].text);
    }
    free(folder->files);
    *folder = (struct dse_folder){.path = folder->path};
}
