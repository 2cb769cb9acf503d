#include "datasets/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/order.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "datasets/zip_error.h"

/* An entry of a tar archive: a part of the unpacked text. */
struct member {
    size_t at, size;
};

struct dse_bundle {
    char *path;
    zip_t *archive; /* NULL for a folder, and for a file unpacked as a whole */
    char *unpacked; /* a tar archive, or the one file of a gzip file; NULL: neither */
    struct member *members; /* entries of `unpacked`, in the archive's order */
    char **member_names;
    size_t member_count;
    char **entries; /* count, ascending */
    size_t count;
    uint64_t most, left; /* limit on unpacked bytes, and its unused part */
};

void dse_text_free(struct dse_text *text)
{
    free(text->name);
    free(text->data);
    *text = (struct dse_text){0};
}

enum dse_status dse_texts_check(const char *folder, struct dse_error *err)
{
    return dse_file_exists(folder)
               ? dse_fail(err, DSE_BAD_USAGE, "%s: already exists; data are generated into a new folder", folder) : DSE_OK;
}

/* Writes the texts, or with `remove` removes the written ones. */
static enum dse_status each_file(const char *folder, const struct dse_text *texts, size_t count, bool remove, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (texts[i].data == NULL)
            continue;
        char *path DSE_CLEANUP(dse_free_at) = dse_path_join(folder, texts[i].name);
        if (remove)
            unlink(path);
        else
            DSE_TRY(dse_file_write(path, texts[i].data, texts[i].size, err));
    }
    return DSE_OK;
}

enum dse_status dse_texts_write(const char *folder, const struct dse_text *texts, size_t count, struct dse_error *err)
{
    DSE_TRY(dse_folder_create(folder, err));
    enum dse_status status = each_file(folder, texts, count, false, err);
    if (status != DSE_OK) {
        each_file(folder, texts, count, true, NULL);
        rmdir(folder);
    }
    return status;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Hidden files, and the resource forks that macOS puts beside every file of an archive. */
static bool is_clutter(const char *entry)
{
    const char *base = dse_path_base(entry);
    return *base == '\0' || *base == '.' || starts_with(entry, "__MACOSX/") ||
           strstr(entry, "/__MACOSX/") != NULL;
}

static void add_entry(struct dse_bundle *pack, const char *name)
{
    if (is_clutter(name))
        return;
    char **room = dse_list_more(&pack->entries, &pack->count, sizeof *room);
    *room = dse_strdup(name);
}

static enum dse_status list_folder(struct dse_bundle *pack, struct dse_error *err)
{
    DIR *folder = opendir(pack->path);
    if (folder == NULL)
        return dse_fail_errno(err, DSE_BAD_INPUT, pack->path, "open", errno);
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL)
        add_entry(pack, entry->d_name);
    closedir(folder);
    return DSE_OK;
}

/* Whether the file begins with the signature of a zip archive that is not empty. */
static bool begins_as_zip(const char *path)
{
    char start[4] = "";
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    size_t got = fread(start, 1, sizeof start, stream);
    fclose(stream);
    return got == sizeof start && memcmp(start, "PK\3\4", sizeof start) == 0;
}

static enum dse_status open_failed(const char *path, int code, struct dse_error *err)
{
    if (code == ZIP_ER_MEMORY || errno == ENOMEM) /* for lack of memory libzip may report the archive's directory as damaged */
        dse_memory_exhausted();
    if (code == ZIP_ER_NOENT || code == ZIP_ER_OPEN)
        return dse_fail_errno(err, DSE_BAD_INPUT, path, "open", errno);
    bool truncated = code == ZIP_ER_NOZIP;
#ifdef ZIP_ER_TRUNCATED_ZIP /* libzip 1.11 has a separate code for it */
    truncated |= code == ZIP_ER_TRUNCATED_ZIP;
#endif
    if (!truncated)
        return dse_fail(err, DSE_BAD_INPUT, "%s: damaged zip archive", path);
    if (begins_as_zip(path))
        return dse_fail(err, DSE_BAD_INPUT, "%s: truncated zip archive: the directory at its end is missing", path);
    return dse_fail(err, DSE_BAD_INPUT, "%s: neither a folder nor a zip archive", path);
}

static enum dse_status list_archive(struct dse_bundle *pack, struct dse_error *err)
{
    DSE_TRY(dse_file_reads(pack->path, err));
    int code = 0;
    errno = 0;
    pack->archive = zip_open(pack->path, ZIP_RDONLY, &code);
    if (pack->archive == NULL)
        return open_failed(pack->path, code, err);
    struct stat facts;
    pack->most = pack->left = dse_unpacked_max(stat(pack->path, &facts) == 0 ? (uint64_t)facts.st_size : 0);
    zip_int64_t count = zip_get_num_entries(pack->archive, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        const char *name = zip_get_name(pack->archive, (zip_uint64_t)i, 0);
        if (name != NULL)
            add_entry(pack, name);
    }
    return DSE_OK;
}

/* ---- gzip and tar ---- */

/* All of a file, unpacked if it is gzip's. */
static enum dse_status inflate_file(struct dse_bundle *pack, size_t *size, struct dse_error *err)
{
    struct stat facts;
    uint64_t most = dse_unpacked_max(stat(pack->path, &facts) == 0 ? (uint64_t)facts.st_size : 0);
    gzFile stream = gzopen(pack->path, "rb");
    size_t capacity = (size_t)1 << 20;
    if (stream == NULL)
        return dse_fail_errno(err, DSE_BAD_INPUT, pack->path, "open", errno);
    pack->unpacked = dse_malloc(capacity);
    enum dse_status status = DSE_OK;
    for (int got = 1; got > 0 && status == DSE_OK;) {
        if (*size + 1 == capacity)
            pack->unpacked = dse_realloc(pack->unpacked, capacity *= 2);
        size_t room = capacity - *size - 1;
        got = gzread(stream, pack->unpacked + *size, (unsigned)(room < 1u << 30 ? room : 1u << 30));
        *size += got > 0 ? (size_t)got : 0;
        if (got < 0)
            status = dse_fail(err, DSE_BAD_INPUT, "%s: damaged or truncated gzip file", pack->path);
        else if (*size > most)
            status = dse_fail(err, DSE_BAD_INPUT, "%s: unpacks to more than %" PRIu64 " bytes: %d times its size and %d MiB", pack->path, most,
                              DSE_UNPACKED_RATIO, (int)(DSE_UNPACKED_FREE >> 20));
    }
    bool whole = gzclose(stream) == Z_OK; /* false: the end of the file is missing, or its check sum is wrong */
    if (status == DSE_OK && !whole)
        status = dse_fail(err, DSE_BAD_INPUT, "%s: damaged or truncated gzip file", pack->path);
    pack->unpacked[*size] = '\0';
    return status;
}

static void add_member(struct dse_bundle *pack, const char *name, size_t at, size_t size)
{
    size_t count = pack->member_count;
    pack->members = dse_realloc_array(pack->members, count + 1, sizeof *pack->members);
    pack->member_names = dse_realloc_array(pack->member_names, count + 1, sizeof *pack->member_names);
    pack->members[count] = (struct member){at, size};
    pack->member_names[count] = dse_strdup(name);
    pack->member_count++;
    add_entry(pack, name);
}

#define TAR_BLOCK 512

/* POSIX ustar, with the long names of GNU's and of pax' headers. */
static enum dse_status list_tar(struct dse_bundle *pack, size_t size, struct dse_error *err)
{
    struct dse_strbuf longer DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t at = 0; at + TAR_BLOCK <= size && pack->unpacked[at] != '\0';) {
        const char *header = pack->unpacked + at;
        char digits[13] = "", name[260];
        memcpy(digits, header + 124, 12);
        size_t length = strtoul(digits, NULL, 8), body = at + TAR_BLOCK;
        if (length > size - body)
            return dse_fail(err, DSE_BAD_INPUT, "%s: truncated tar archive: %.100s is not whole", pack->path, header);
        char type = header[156];
        snprintf(name, sizeof name, "%.155s%s%.100s", memcmp(header + 257, "ustar", 5) == 0 && header[262] == '\0' ? header + 345 : "",
                 memcmp(header + 257, "ustar", 5) == 0 && header[262] == '\0' && header[345] != '\0' ? "/" : "", header);
        if (type == 'L') { /* GNU: the name of the next entry */
            dse_strbuf_free(&longer);
            dse_strbuf_add_n(&longer, pack->unpacked + body, strnlen(pack->unpacked + body, length));
        } else if (type == 'x') { /* pax: "NN path=NAME\n" among others */
            char *pax DSE_CLEANUP(dse_free_at) = dse_strndup(pack->unpacked + body, length), *path = strstr(pax, " path=");
            dse_strbuf_free(&longer);
            if (path != NULL)
                dse_strbuf_add_n(&longer, path + 6, strcspn(path + 6, "\n"));
        } else {
            const char *called = longer.length > 0 ? longer.text : name;
            if (type == '0' || type == '\0')
                add_member(pack, strncmp(called, "./", 2) == 0 ? called + 2 : called, body, length);
            dse_strbuf_free(&longer);
        }
        at = body + (length + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    }
    return DSE_OK;
}

static enum dse_status list_unpacked(struct dse_bundle *pack, struct dse_error *err)
{
    size_t size = 0;
    char *name DSE_CLEANUP(dse_free_at) = dse_strdup(dse_path_base(pack->path));
    DSE_TRY(dse_file_reads(pack->path, err));
    DSE_TRY(inflate_file(pack, &size, err));
    if (size >= TAR_BLOCK && memcmp(pack->unpacked + 257, "ustar", 5) == 0)
        return list_tar(pack, size, err);
    if (strlen(name) > 3 && strcasecmp(name + strlen(name) - 3, ".gz") == 0)
        name[strlen(name) - 3] = '\0';
    add_member(pack, name, 0, size);
    return DSE_OK;
}

bool dse_bundle_is_packed(const char *path)
{
    char start[TAR_BLOCK] = "";
    FILE *stream = fopen(path, "rb");
    size_t got = stream != NULL ? fread(start, 1, sizeof start, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return (got > 2 && memcmp(start, "\x1f\x8b", 2) == 0) || (got == sizeof start && memcmp(start + 257, "ustar", 5) == 0);
}

/* Whether a file exists and cannot be read again from any position: a pipe, a terminal, /dev/null. */
static bool is_device(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

enum dse_status dse_bundle_open(const char *path, struct dse_bundle **out, struct dse_error *err)
{
    *out = NULL;
    struct dse_bundle *pack = dse_calloc(1, sizeof *pack);
    pack->path = dse_strdup(path);
    enum dse_status status = dse_file_is_folder(path) ? list_folder(pack, err)
                             : is_device(path)        ? dse_fail(err, DSE_BAD_INPUT, "%s: neither a folder nor a file", path)
                             : dse_bundle_is_packed(path) ? list_unpacked(pack, err)
                                                      : list_archive(pack, err);
    if (status != DSE_OK) {
        dse_bundle_close(pack);
        return status;
    }
    if (pack->count > 0)
        qsort(pack->entries, pack->count, sizeof *pack->entries, dse_by_text);
    *out = pack;
    return DSE_OK;
}

void dse_bundle_close(struct dse_bundle *pack)
{
    if (pack == NULL)
        return;
    if (pack->archive != NULL)
        zip_discard(pack->archive);
    for (size_t i = 0; i < pack->count; i++)
        free(pack->entries[i]);
    for (size_t i = 0; i < pack->member_count; i++)
        free(pack->member_names[i]);
    free(pack->member_names);
    free(pack->members);
    free(pack->unpacked);
    free(pack->entries);
    free(pack->path);
    free(pack);
}

const char *dse_bundle_path(const struct dse_bundle *pack)
{
    return pack->path;
}

size_t dse_bundle_count(const struct dse_bundle *pack)
{
    return pack->count;
}

const char *dse_bundle_entry(const struct dse_bundle *pack, size_t index)
{
    return pack->entries[index];
}

size_t dse_bundle_ending(const struct dse_bundle *pack, const char *ending, const char *entries[2])
{
    size_t count = 0;
    if (entries != NULL)
        entries[0] = entries[1] = NULL;
    for (size_t i = 0; i < pack->count; i++) {
        if (!dse_ends_in(pack->entries[i], ending))
            continue;
        if (count < 2 && entries != NULL)
            entries[count] = pack->entries[i];
        count++;
    }
    return count;
}

/* The number of entries with this name in the archive: a second copy could hide behind the first. */
static size_t copies_of(const struct dse_bundle *pack, const char *entry)
{
    size_t copies = 0;
    for (size_t i = 0; i < pack->count; i++)
        copies += strcmp(pack->entries[i], entry) == 0;
    return copies;
}

static enum dse_status read_failed(const char *name, zip_error_t *why, struct dse_error *err)
{
    dse_zip_check_memory(why);
    switch (zip_error_code_zip(why)) {
    case ZIP_ER_CRC:
        return dse_fail(err, DSE_BAD_INPUT, "%s: damaged: its check sum (CRC-32) is wrong", name);
    case ZIP_ER_COMPNOTSUPP:
        return dse_fail(err, DSE_BAD_INPUT, "%s: compressed by a method that is not supported; use deflate",
                        name);
    case ZIP_ER_NOPASSWD:
        return dse_fail(err, DSE_BAD_INPUT, "%s: encrypted archives are not supported", name);
    default:
        return dse_fail(err, DSE_BAD_INPUT, "%s: damaged or truncated archive", name);
    }
}

/* Reads to the end, so that libzip compares the check sum. */
static enum dse_status read_member(zip_file_t *member, const char *name, char *data, size_t size,
                                   struct dse_error *err)
{
    size_t used = 0;
    for (;;) {
        char beyond;
        bool full = used == size;
        zip_int64_t got = zip_fread(member, full ? &beyond : data + used, full ? 1 : size - used);
        if (got < 0)
            return read_failed(name, zip_file_get_error(member), err);
        if (full && got > 0)
            return dse_fail(err, DSE_BAD_INPUT, "%s: holds more than the %zu bytes that the archive declares",
                            name, size);
        if (got == 0 && !full)
            return dse_fail(err, DSE_BAD_INPUT, "%s: ends after %zu of the %zu bytes that the archive declares",
                            name, used, size);
        if (got == 0)
            return DSE_OK;
        used += (size_t)got;
    }
}

static enum dse_status unpack(struct dse_bundle *pack, zip_uint64_t index, size_t max_bytes,
                              struct dse_text *out, struct dse_error *err)
{
    zip_stat_t facts;
    if (zip_stat_index(pack->archive, index, 0, &facts) != 0)
        return read_failed(out->name, zip_get_error(pack->archive), err);
    if ((facts.valid & ZIP_STAT_SIZE) == 0 || facts.size > max_bytes)
        return dse_fail(err, DSE_BAD_INPUT, "%s: larger than the allowed %zu bytes", out->name,
                        max_bytes);
    if (facts.size > pack->left)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %" PRIu64 " bytes, but all files of the archive may unpack to %" PRIu64
                        ": %d times its size and %d MiB", out->name, (uint64_t)facts.size, pack->most, DSE_UNPACKED_RATIO,
                        (int)(DSE_UNPACKED_FREE >> 20));
    pack->left -= facts.size;
    out->size = (size_t)facts.size;
    zip_file_t *member = zip_fopen_index(pack->archive, index, 0);
    if (member == NULL)
        return read_failed(out->name, zip_get_error(pack->archive), err);
    out->data = dse_malloc(out->size + 1);
    out->data[out->size] = '\0';
    enum dse_status status = read_member(member, out->name, out->data, out->size, err);
    zip_fclose(member);
    return status;
}

static char *entry_title(const struct dse_bundle *pack, const char *entry)
{
    if (pack->archive == NULL && pack->unpacked == NULL)
        return dse_path_join(pack->path, entry);
    size_t length = strlen(pack->path) + strlen(entry) + 2;
    char *title = dse_malloc(length);
    snprintf(title, length, "%s:%s", pack->path, entry);
    return title;
}

enum dse_status dse_bundle_spare(const struct dse_bundle *pack, const char *entry, struct dse_error *err)
{
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(pack->path, entry);
    return pack->archive == NULL && pack->unpacked == NULL ? dse_file_reads(path, err) : DSE_OK;
}

static enum dse_status copy_member(const struct dse_bundle *pack, const char *entry, size_t max_bytes, struct dse_text *out, struct dse_error *err)
{
    size_t i = 0;
    while (strcmp(pack->member_names[i], entry) != 0)
        i++;
    if (pack->members[i].size > max_bytes)
        return dse_fail(err, DSE_BAD_INPUT, "%s: larger than the allowed %zu bytes", out->name, max_bytes);
    out->size = pack->members[i].size;
    out->data = dse_malloc(out->size + 1);
    memcpy(out->data, pack->unpacked + pack->members[i].at, out->size);
    out->data[out->size] = '\0';
    return DSE_OK;
}

enum dse_status dse_bundle_read(struct dse_bundle *pack, const char *entry, size_t max_bytes,
                              struct dse_text *out, struct dse_error *err)
{
    *out = (struct dse_text){.name = entry_title(pack, entry)};
    size_t copies = copies_of(pack, entry);
    enum dse_status status = DSE_OK;
    if (copies > 1)
        status = dse_fail(err, DSE_BAD_INPUT, "%s: occurs %zu times in the archive", out->name, copies);
    else if (copies == 1 && pack->unpacked != NULL)
        status = copy_member(pack, entry, max_bytes, out, err);
    else if (copies == 1 && pack->archive == NULL)
        status = dse_file_read(out->name, max_bytes, &out->data, &out->size, err);
    else if (copies == 1) {
        zip_int64_t index = zip_name_locate(pack->archive, entry, 0);
        status = index >= 0 ? unpack(pack, (zip_uint64_t)index, max_bytes, out, err)
                            : read_failed(out->name, zip_get_error(pack->archive), err);
    }
    if (status != DSE_OK)
        dse_text_free(out);
    return status;
}
