#include "datasets/npz.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "datasets/zip_error.h"

#define MAX_HEADER 4096

struct dse_npz {
    zip_t *zip;
    char *path;
    uint64_t bytes, left; /* size of the file; bytes that may still be unpacked */
    bool columns;         /* arrays may lie column by column */
    struct dse_strbuf charged; /* the unpacked amounts, in words */
};

struct dse_npz_array {
    zip_file_t *file;
    const char *path; /* the npz's */
    char name[96];
    char type[8];
    size_t item_bytes, left; /* elements not yet read */
    bool columns;
};

static enum dse_status no_zip(const char *path, int code, struct dse_error *err)
{
    if (code == ZIP_ER_MEMORY || errno == ENOMEM) /* for lack of memory libzip may report the archive's directory as damaged */
        dse_memory_exhausted();
    if (code == ZIP_ER_NOENT)
        return dse_fail(err, DSE_BAD_INPUT, "%s: no such file", path);
    if (code == ZIP_ER_OPNOTSUPP)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is not a regular file", path);
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK)
        return dse_fail_errno(err, DSE_BAD_INPUT, path, code == ZIP_ER_OPEN ? "open" : "read", errno);
    return dse_fail(err, DSE_BAD_INPUT, "%s: is not an .npz file, or is truncated", path); /* codes of other failures differ between versions of libzip */
}

static enum dse_status take(zip_t *zip, uint64_t bytes, const char *name, struct dse_npz **out, struct dse_error *err)
{
    if (zip_get_num_entries(zip, 0) == 0) { /* libzip takes an empty file for an empty archive */
        zip_discard(zip);
        errno = 0;
        return no_zip(name, ZIP_ER_NOZIP, err);
    }
    *out = dse_malloc(sizeof **out);
    **out = (struct dse_npz){.zip = zip, .path = dse_strdup(name), .bytes = bytes, .left = dse_unpacked_max(bytes)};
    return DSE_OK;
}

enum dse_status dse_npz_open(const char *path, struct dse_npz **out, struct dse_error *err)
{
    *out = NULL;
    if (dse_file_is_folder(path))
        return dse_fail_errno(err, DSE_BAD_INPUT, path, "read", EISDIR);
    DSE_TRY(dse_file_reads(path, err));
    int code = 0;
    errno = 0;
    zip_t *zip = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &code);
    struct stat facts;
    uint64_t bytes = stat(path, &facts) == 0 ? (uint64_t)facts.st_size : 0;
    return zip == NULL ? no_zip(path, code, err) : take(zip, bytes, path, out, err);
}

enum dse_status dse_npz_open_memory(const void *bytes, size_t size, const char *name, struct dse_npz **out,
                                    struct dse_error *err)
{
    *out = NULL;
    zip_error_t error;
    zip_error_init(&error);
    errno = 0;
    zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &error);
    zip_t *zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : NULL;
    int code = zip_error_code_zip(&error);
    zip_error_fini(&error);
    if (zip != NULL)
        return take(zip, size, name, out, err);
    if (source != NULL)
        zip_source_free(source);
    return no_zip(name, code, err);
}

void dse_npz_close(struct dse_npz *npz)
{
    if (npz == NULL)
        return;
    dse_strbuf_free(&npz->charged);
    zip_discard(npz->zip);
    free(npz->path);
    free(npz);
}

const char *dse_npz_path(const struct dse_npz *npz)
{
    return npz->path;
}

enum dse_status dse_npz_wrong(const struct dse_npz *npz, const char *array, const char *what, struct dse_error *err)
{
    return dse_fail(err, DSE_BAD_INPUT, "%s: %s: %s", npz->path, array, what);
}

bool dse_npz_find(struct dse_npz *npz, const char *name, size_t *index)
{
    char member[128];
    snprintf(member, sizeof member, "%s.npy", name);
    zip_int64_t found = zip_name_locate(npz->zip, member, 0);
    *index = found >= 0 ? (size_t)found : 0;
    return found >= 0;
}

bool dse_npz_has(struct dse_npz *npz, const char *name)
{
    size_t index;
    return dse_npz_find(npz, name, &index);
}

/* The contents of a header. */
struct header {
    char type[32];
    bool fortran;
    size_t rank;
    size_t shape[DSE_NPZ_MAX_RANK];
};

/* The text after 'key': in the dictionary, or NULL. */
static const char *value_of(const char *text, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *found = strstr(text, quoted);
    if (found == NULL)
        return NULL;
    found += strlen(quoted);
    return found + strspn(found, " ");
}

/* "(3, 4)" of at most DSE_NPZ_MAX_RANK lengths. */
static bool parse_shape(const char *text, struct header *out)
{
    if (*text++ != '(')
        return false;
    for (out->rank = 0;;) {
        text += strspn(text, " ");
        if (*text == ')')
            return true;
        char *end = NULL;
        errno = 0;
        unsigned long long length = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || errno != 0 || length > SIZE_MAX / 2 ||
            out->rank == DSE_NPZ_MAX_RANK)
            return false;
        out->shape[out->rank++] = (size_t)length;
        text = end + strspn(end, " ");
        if (*text == ',')
            text++;
        else if (*text != ')')
            return false;
    }
}

static bool parse_header(const char *text, struct header *out)
{
    const char *type = value_of(text, "descr"), *order = value_of(text, "fortran_order");
    const char *shape = value_of(text, "shape");
    if (type == NULL || order == NULL || shape == NULL || *type != '\'')
        return false;
    const char *end = strchr(++type, '\'');
    if (end == NULL || (size_t)(end - type) >= sizeof out->type)
        return false;
    memcpy(out->type, type, (size_t)(end - type));
    out->type[end - type] = '\0';
    out->fortran = strncmp(order, "True", 4) == 0;
    return (out->fortran || strncmp(order, "False", 5) == 0) && parse_shape(shape, out);
}

/* The fault of an array, in words. */
static enum dse_status unread(const struct dse_npz_array *array, const char *what, struct dse_error *err)
{
    dse_zip_check_memory(zip_file_get_error(array->file));
    return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: %s", array->path, array->name, what);
}

/* Reads magic, version, length and dictionary; `bytes` gets their total size. */
static enum dse_status read_header(struct dse_npz_array *array, struct header *out, size_t *bytes,
                                   struct dse_error *err)
{
    unsigned char start[12];
    size_t fixed = 10;
    bool ok = zip_fread(array->file, start, 10) == 10 && memcmp(start, "\x93NUMPY", 6) == 0;
    if (ok && start[6] > 1) { /* version 2.0 has four bytes of length */
        fixed = 12;
        ok = start[6] == 2 && zip_fread(array->file, start + 10, 2) == 2;
    }
    size_t length = ok ? (size_t)start[8] | (size_t)start[9] << 8 : 0;
    if (ok && fixed == 12)
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    char text[MAX_HEADER + 1];
    ok = ok && length <= MAX_HEADER && zip_fread(array->file, text, length) == (zip_int64_t)length;
    if (ok) {
        text[length] = '\0';
        ok = parse_header(text, out);
    }
    *bytes = fixed + length;
    _Static_assert(DSE_NPZ_MAX_RANK == 2, "as the words below say");
    return ok ? DSE_OK : unread(array, "has no header of a NumPy array of up to 2 dimensions", err);
}

static enum dse_status wrong_shape(const struct dse_npz_array *array, const struct header *header,
                                   size_t rank, const size_t *shape, struct dse_error *err)
{
    struct dse_strbuf there DSE_CLEANUP(dse_strbuf_free) = {0}, wanted DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < header->rank; i++)
        dse_strbuf_printf(&there, "%s%zu", i > 0 ? ", " : "", header->shape[i]);
    for (size_t i = 0; i < rank; i++) {
        if (shape[i] == DSE_NPZ_ANY)
            dse_strbuf_printf(&wanted, "%sany", i > 0 ? ", " : "");
        else
            dse_strbuf_printf(&wanted, "%s%zu", i > 0 ? ", " : "", shape[i]);
    }
    return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: shape (%s): must be (%s)", array->path, array->name, dse_strbuf_text(&there),
                    dse_strbuf_text(&wanted));
}

/* Compares the header with the expected one; counts the elements. */
static enum dse_status check_header(struct dse_npz_array *array, const struct header *header,
                                    const char *type, size_t rank, size_t *shape, size_t max_elements,
                                    struct dse_error *err)
{
    if (strcmp(header->type, type) != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: type '%s': must be '%s'", array->path, array->name,
                        header->type, type);
    if (header->fortran && !array->columns)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: must not be in Fortran order", array->path,
                        array->name);
    bool fits = header->rank == rank;
    array->left = 1;
    for (size_t i = 0; fits && i < rank; i++) {
        fits = shape[i] == DSE_NPZ_ANY || shape[i] == header->shape[i];
        if (header->shape[i] > 0 && array->left > max_elements / header->shape[i])
            return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: has more than %zu elements", array->path,
                            array->name, max_elements);
        array->left *= header->shape[i];
    }
    if (!fits)
        return wrong_shape(array, header, rank, shape, err);
    for (size_t i = 0; i < rank; i++)
        shape[i] = header->shape[i];
    return DSE_OK;
}

static void drop_array(struct dse_npz_array **array)
{
    if (*array != NULL)
        dse_npz_array_close(*array, false, NULL);
}

static enum dse_status open_member(struct dse_npz *npz, const char *name, struct dse_npz_array **out,
                                   zip_uint64_t *size, struct dse_error *err)
{
    char member[128];
    snprintf(member, sizeof member, "%s.npy", name);
    zip_stat_t stat;
    if (zip_stat(npz->zip, member, 0, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0) {
        dse_zip_check_memory(zip_get_error(npz->zip));
        return dse_fail(err, DSE_BAD_INPUT, "%s: has no array %s", npz->path, name);
    }
    *size = stat.size;
    struct dse_npz_array *array = dse_calloc(1, sizeof *array);
    array->path = npz->path;
    array->columns = npz->columns;
    snprintf(array->name, sizeof array->name, "%s", name);
    array->file = zip_fopen(npz->zip, member, 0);
    if (array->file == NULL) {
        free(array);
        dse_zip_check_memory(zip_get_error(npz->zip));
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s: cannot be unpacked: damaged, encrypted, or compressed by another method than deflate", npz->path, member);
    }
    *out = array;
    return DSE_OK;
}

enum dse_status dse_npz_charge(struct dse_npz *npz, const char *name, uint64_t size, struct dse_error *err)
{
    if (size > npz->left)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: %" PRIu64 " bytes%s%s, but all arrays may unpack to %" PRIu64
                        ": %d times the file's size and %d MiB", npz->path, name, size, npz->charged.length > 0 ? " beside " : "",
                        dse_strbuf_text(&npz->charged), dse_unpacked_max(npz->bytes), DSE_UNPACKED_RATIO, (int)(DSE_UNPACKED_FREE >> 20));
    npz->left -= size;
    if (npz->charged.length < 300)
        dse_strbuf_printf(&npz->charged, "%s%" PRIu64 " of %s", npz->charged.length > 0 ? ", " : "", size, name);
    return DSE_OK;
}

enum dse_status dse_npz_array_open(struct dse_npz *npz, const char *name, const char *type,
                                   size_t item_bytes, size_t rank, size_t *shape, size_t max_elements,
                                   struct dse_npz_array **out, struct dse_error *err)
{
    *out = NULL;
    zip_uint64_t size = 0;
    struct dse_npz_array *array DSE_CLEANUP(drop_array) = NULL;
    DSE_TRY(open_member(npz, name, &array, &size, err));
    struct header header = {0};
    size_t header_bytes = 0;
    array->item_bytes = item_bytes;
    snprintf(array->type, sizeof array->type, "%s", type);
    DSE_TRY(dse_npz_charge(npz, name, size, err));
    DSE_TRY(read_header(array, &header, &header_bytes, err));
    DSE_TRY(check_header(array, &header, type, rank, shape, max_elements, err));
    if (size != header_bytes + (zip_uint64_t)array->left * item_bytes)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: has %llu bytes, but its header says %zu", npz->path,
                        name, (unsigned long long)size, header_bytes + array->left * item_bytes);
    *out = array;
    array = NULL;
    return DSE_OK;
}

void dse_npz_take_columns(struct dse_npz *npz)
{
    npz->columns = true;
}

size_t dse_npz_count(const struct dse_npz *npz)
{
    zip_int64_t count = zip_get_num_entries(npz->zip, 0);
    return count > 0 ? (size_t)count : 0;
}

enum dse_status dse_npz_look(struct dse_npz *npz, size_t index, struct dse_npz_member *out, struct dse_error *err)
{
    const char *member = zip_get_name(npz->zip, index, 0);
    size_t length = member != NULL ? strlen(member) : 0;
    *out = (struct dse_npz_member){0};
    if (length < 5 || length - 4 >= sizeof out->name || strcmp(member + length - 4, ".npy") != 0)
        return DSE_OK;
    struct dse_npz_array *array DSE_CLEANUP(drop_array) = NULL;
    struct header header = {0};
    zip_uint64_t size;
    size_t bytes;
    memcpy(out->name, member, length - 4);
    DSE_TRY(open_member(npz, out->name, &array, &size, err));
    DSE_TRY(read_header(array, &header, &bytes, err));
    if (strlen(header.type) >= sizeof out->type)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: type '%s' is not known", npz->path, out->name, header.type);
    memcpy(out->type, header.type, strlen(header.type));
    out->rank = header.rank;
    out->columns = header.fortran;
    memcpy(out->shape, header.shape, header.rank * sizeof *out->shape);
    return DSE_OK;
}

static bool all_finite(const struct dse_npz_array *array, const void *elements, size_t count)
{
    bool finite = true;
    if (strcmp(array->type, "<f4") == 0)
        for (size_t i = 0; i < count; i++)
            finite &= isfinite(((const float *)elements)[i]) != 0;
    if (strcmp(array->type, "<f8") == 0)
        for (size_t i = 0; i < count; i++)
            finite &= isfinite(((const double *)elements)[i]) != 0;
    return finite;
}

enum dse_status dse_npz_array_read(struct dse_npz_array *array, void *elements, size_t count,
                                   struct dse_error *err)
{
    size_t bytes = count * array->item_bytes;
    if (count > array->left || zip_fread(array->file, elements, bytes) != (zip_int64_t)bytes)
        return unread(array, "is truncated or damaged", err);
    array->left -= count;
    if (!all_finite(array, elements, count))
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: holds a NaN or an infinity", array->path,
                        array->name);
    return DSE_OK;
}

enum dse_status dse_npz_array_close(struct dse_npz_array *array, bool ok, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    char past;
    if (ok && (array->left > 0 || zip_fread(array->file, &past, 1) != 0))
        status = unread(array, "is damaged: its check sum is wrong", err);
    zip_fclose(array->file);
    free(array);
    return status;
}

enum dse_status dse_npz_read(struct dse_npz *npz, const char *name, const char *type, size_t item_bytes,
                             size_t rank, size_t *shape, size_t max_elements, void **elements,
                             struct dse_error *err)
{
    *elements = NULL;
    struct dse_npz_array *array;
    DSE_TRY(dse_npz_array_open(npz, name, type, item_bytes, rank, shape, max_elements, &array,
                                                err));
    size_t count = array->left;
    void *read DSE_CLEANUP(dse_free_at) = dse_malloc(count * item_bytes + 1);
    enum dse_status status = dse_npz_array_read(array, read, count, err);
    enum dse_status closed = dse_npz_array_close(array, status == DSE_OK, err);
    DSE_TRY(status);
    DSE_TRY(closed);
    *elements = read;
    read = NULL;
    return DSE_OK;
}

/* UTF-32 to UTF-8; false for a code of no character. */
static bool add_character(struct dse_strbuf *out, uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return false;
    char bytes[4];
    size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(lead[count] | c);
    dse_strbuf_add_n(out, bytes, count);
    return true;
}

static enum dse_status decode(struct dse_npz_array *array, size_t width, size_t length, char **text,
                              struct dse_error *err)
{
    struct dse_strbuf out DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < length; i++) {
        unsigned char raw[4] = {0};
        if (zip_fread(array->file, raw, width) != (zip_int64_t)width)
            return unread(array, "is truncated or damaged", err);
        uint32_t c = raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
        if (c == 0)
            continue; /* NumPy pads with NUL */
        if (width == 1)
            dse_strbuf_add_n(&out, (char *)raw, 1);
        else if (!add_character(&out, c))
            return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: is not a text", array->path, array->name);
    }
    *text = dse_strdup(dse_strbuf_text(&out));
    return DSE_OK;
}

enum dse_status dse_npz_read_text(struct dse_npz *npz, const char *name, size_t max_characters,
                                  char **text, struct dse_error *err)
{
    *text = NULL;
    struct dse_npz_array *array DSE_CLEANUP(drop_array) = NULL, *read;
    char *decoded DSE_CLEANUP(dse_free_at) = NULL;
    zip_uint64_t size = 0;
    DSE_TRY(open_member(npz, name, &array, &size, err));
    struct header header = {0};
    size_t bytes = 0;
    DSE_TRY(dse_npz_charge(npz, name, size, err));
    DSE_TRY(read_header(array, &header, &bytes, err));
    bool wide = strncmp(header.type, "<U", 2) == 0;
    if ((!wide && strncmp(header.type, "|S", 2) != 0) || header.rank != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: must be a single text", npz->path, name);
    size_t width = wide ? 4 : 1, length = strtoul(header.type + 2, NULL, 10);
    if (length > max_characters || size != bytes + width * length)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: differs from its stated size, or is too long", npz->path, name);
    DSE_TRY(decode(array, width, length, &decoded, err));
    array->left = 0;
    read = array;
    array = NULL;
    DSE_TRY(dse_npz_array_close(read, true, err));
    *text = decoded;
    decoded = NULL;
    return DSE_OK;
}
