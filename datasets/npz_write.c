#include "datasets/npz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"

#define HEADER_CAPACITY 256

struct dse_npz_writer {
    zip_t *zip;
    zip_source_t *target; /* the archive in memory; ours as well as the zip's */
    void **members;       /* member_count; owned here, and read by the zip when it is closed. If the zip owned them, it would be unknown
                           * whether a failed call has freed them */
    size_t member_count;
    struct dse_error error; /* the first failure */
};

struct dse_npz_writer *dse_npz_begin(void)
{
    struct dse_npz_writer *writer = dse_calloc(1, sizeof *writer);
    zip_error_t error;
    zip_error_init(&error);
    writer->target = zip_source_buffer_create(NULL, 0, 0, &error);
    if (writer->target == NULL)
        dse_memory_exhausted();
    zip_source_keep(writer->target);
    writer->zip = zip_open_from_source(writer->target, ZIP_TRUNCATE, &error);
    zip_error_fini(&error);
    if (writer->zip == NULL)
        dse_memory_exhausted();
    return writer;
}

/* The header of the format: magic, version, length, and the dictionary, padded so that data start at a multiple of 64. Returns its size. */
static size_t make_header(char *header, const char *type, size_t rank, const size_t *shape)
{
    char text[HEADER_CAPACITY], lengths[64] = "";
    size_t used = 0;
    for (size_t i = 0; i < rank; i++)
        used += (size_t)snprintf(lengths + used, sizeof lengths - used, i > 0 ? " %zu," : "%zu,", shape[i]);
    if (rank > 1)
        lengths[used - 1] = '\0'; /* NumPy writes (3, 4) and (3,) */
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type,
                          lengths);
    size_t total = (10 + (size_t)length + 1 + 63) / 64 * 64;
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((total - 10) & 0xff);
    header[9] = (char)((total - 10) >> 8);
    memset(header + 10, ' ', total - 10);
    memcpy(header + 10, text, (size_t)length);
    header[total - 1] = '\n';
    return total;
}

void *dse_npz_add(struct dse_npz_writer *writer, const char *name, const char *type, size_t item_bytes,
                  size_t rank, const size_t *shape)
{
    if (writer->error.status != DSE_OK)
        return NULL;
    char header[HEADER_CAPACITY + 64], member[128];
    size_t header_bytes = make_header(header, type, rank, shape), count = 1;
    for (size_t i = 0; i < rank; i++)
        count *= shape[i];
    void **room = dse_list_more(&writer->members, &writer->member_count, sizeof *room);
    char *bytes = *room = dse_malloc(header_bytes + count * item_bytes);
    snprintf(member, sizeof member, "%s.npy", name);
    zip_source_t *source = zip_source_buffer(writer->zip, bytes, header_bytes + count * item_bytes, 0);
    if (source == NULL)
        dse_memory_exhausted();
    memcpy(bytes, header, header_bytes);
    zip_int64_t index = zip_file_add(writer->zip, member, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        dse_fail(&writer->error, DSE_LIMIT, "%s: is not a valid name in a zip archive", member);
        return NULL;
    }
    /* 1 January 1980, the earliest date of the zip format, so that equal models are equal files. */
    if (zip_set_file_compression(writer->zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(writer->zip, (zip_uint64_t)index, 0, (1 << 5) | 1, 0) != 0) {
        dse_fail(&writer->error, DSE_LIMIT, "%s: is not a valid name in a zip archive", member);
        return NULL;
    }
    return bytes + header_bytes;
}

void dse_npz_add_copy(struct dse_npz_writer *writer, const char *name, const char *type, size_t item_bytes,
                      size_t rank, const size_t *shape, const void *elements)
{
    size_t count = 1;
    for (size_t i = 0; i < rank; i++)
        count *= shape[i];
    void *out = dse_npz_add(writer, name, type, item_bytes, rank, shape);
    if (out != NULL && count > 0)
        memcpy(out, elements, count * item_bytes);
}

void dse_npz_add_text(struct dse_npz_writer *writer, const char *name, const char *text)
{
    size_t length = strlen(text);
    char type[32];
    snprintf(type, sizeof type, "<U%zu", length);
    unsigned char *out = dse_npz_add(writer, name, type, 4 * length, 0, NULL);
    for (size_t i = 0; out != NULL && i < length; i++) {
        memset(out + 4 * i, 0, 4);
        out[4 * i] = (unsigned char)text[i];
    }
}

/* Copies the finished archive out of libzip's memory into the file. */
static enum dse_status copy_out(zip_source_t *target, const char *path, struct dse_error *err)
{
    struct dse_file_writer file = {0};
    DSE_TRY(dse_file_begin(path, &file, err));
    if (zip_source_open(target) != 0) {
        dse_file_abort(&file);
        return dse_fail(err, DSE_LIMIT, "%s: cannot be written (zip)", path);
    }
    char buffer[65536];
    zip_int64_t got = 0;
    bool written = true;
    while (written && (got = zip_source_read(target, buffer, sizeof buffer)) > 0)
        written = fwrite(buffer, 1, (size_t)got, file.stream) == (size_t)got;
    int reason = errno;
    zip_source_close(target);
    if (got < 0) {
        dse_file_abort(&file);
        return dse_fail(err, DSE_LIMIT, "%s: cannot be written (zip)", path);
    }
    if (!written) {
        dse_file_abort(&file);
        return dse_fail_errno(err, DSE_LIMIT, path, "write", reason);
    }
    return dse_file_commit(&file, err);
}

enum dse_status dse_npz_finish(struct dse_npz_writer *writer, const char *path, struct dse_error *err)
{
    enum dse_status status = writer->error.status;
    if (status != DSE_OK && err != NULL)
        *err = writer->error;
    if (status != DSE_OK) {
        zip_discard(writer->zip);
    } else if (zip_close(writer->zip) != 0) {
        int why = zip_error_code_system(zip_get_error(writer->zip));
        status = dse_fail_errno(err, DSE_LIMIT, path, "write", why != 0 ? why : EIO);
        zip_discard(writer->zip);
    } else {
        status = copy_out(writer->target, path, err);
    }
    zip_source_free(writer->target);
    for (size_t i = 0; i < writer->member_count; i++)
        free(writer->members[i]);
    free(writer->members);
    free(writer);
    return status;
}
