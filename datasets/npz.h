/* NumPy's .npz: a zip of .npy arrays (numpy.lib.format, versions 1.0 and 2.0 read, 1.0 written), for data sets and the
 * model files of all families. Little-endian, row-major. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define DSE_NPZ_MAX_RANK 2
#define DSE_NPZ_ANY ((size_t)-1) /* a length of the shape that the caller does not know */

/* Writing: members stay in memory until `finish` writes the file, uncompressed and with a fixed time stamp, so that equal arrays give equal bytes. */
struct dse_npz_writer;

struct dse_npz_writer *dse_npz_begin(void);

/* Adds NAME.npy. `type` is NumPy's ("<f4", "<i8", "|i1", "<U12"); `rank` 0 is a single number. Returns the place for the elements, in order; NULL
 * after a failure, which `finish` then reports. */
void *dse_npz_add(struct dse_npz_writer *writer, const char *name, const char *type, size_t item_bytes,
                  size_t rank, const size_t *shape);

/* Adds and copies. */
void dse_npz_add_copy(struct dse_npz_writer *writer, const char *name, const char *type, size_t item_bytes,
                      size_t rank, const size_t *shape, const void *elements);

/* Adds a text of ASCII characters as a single NumPy string. */
void dse_npz_add_text(struct dse_npz_writer *writer, const char *name, const char *text);

/* Writes the file atomically and releases the writer, also after a failure. */
enum dse_status dse_npz_finish(struct dse_npz_writer *writer, const char *path, struct dse_error *err);

/* Reading. */
struct dse_npz;

/* DSE_BAD_INPUT when the file is missing, no zip, or truncated. */
enum dse_status dse_npz_open(const char *path, struct dse_npz **out, struct dse_error *err);

/* As dse_npz_open, from memory, which must stay valid as long; `name` stands for the file in messages. */
enum dse_status dse_npz_open_memory(const void *bytes, size_t size, const char *name, struct dse_npz **out,
                                    struct dse_error *err);
void dse_npz_close(struct dse_npz *npz);

const char *dse_npz_path(const struct dse_npz *npz);
bool dse_npz_has(struct dse_npz *npz, const char *name);
bool dse_npz_find(struct dse_npz *npz, const char *name, size_t *index); /* for dse_npz_look */

/* The header of a member, for files with unknown arrays: in the file's order, 0 … count − 1. The name is empty for a member that is no array; lengths
 * beyond `rank` are 0. */
struct dse_npz_member {
    char name[96], type[8];
    size_t rank, shape[DSE_NPZ_MAX_RANK];
    bool columns; /* the elements lie column by column (Fortran order) */
};
size_t dse_npz_count(const struct dse_npz *npz);
enum dse_status dse_npz_look(struct dse_npz *npz, size_t index, struct dse_npz_member *out, struct dse_error *err);

/* Accepts arrays in column order from now on. Their elements are read in that order, which `dse_npz_look` reports. */
void dse_npz_take_columns(struct dse_npz *npz);

/* Counts `size` bytes of an array against the limit on all unpacked bytes. Opening an array does so itself; looking at a header counts nothing.
 * Beyond the limit DSE_BAD_INPUT names the bytes unpacked before. */
enum dse_status dse_npz_charge(struct dse_npz *npz, const char *name, uint64_t size, struct dse_error *err);

/* DSE_BAD_INPUT: "FILE: ARRAY: WHAT". */
enum dse_status dse_npz_wrong(const struct dse_npz *npz, const char *array, const char *what, struct dse_error *err);

/* One array being read from front to back. */
struct dse_npz_array;

/* Opens NAME.npy and checks its header: type, rank, shape (entries of DSE_NPZ_ANY are filled in), row order, at most `max_elements`, and the member's
 * size against all these. DSE_BAD_INPUT names file, array, the value found and the expected one. */
enum dse_status dse_npz_array_open(struct dse_npz *npz, const char *name, const char *type,
                                   size_t item_bytes, size_t rank, size_t *shape, size_t max_elements,
                                   struct dse_npz_array **out, struct dse_error *err);

/* The next `count` elements; floats ("<f4", "<f8") must be finite. */
enum dse_status dse_npz_array_read(struct dse_npz_array *array, void *elements, size_t count,
                                   struct dse_error *err);

/* Releases it. If everything was read well so far (`ok`), checks the end and the zip's check sum. */
enum dse_status dse_npz_array_close(struct dse_npz_array *array, bool ok, struct dse_error *err);

/* Opens, reads all into malloc'd memory (at least one byte) and closes. */
enum dse_status dse_npz_read(struct dse_npz *npz, const char *name, const char *type, size_t item_bytes,
                             size_t rank, size_t *shape, size_t max_elements, void **elements,
                             struct dse_error *err);

/* A single NumPy string ("<U…" or "|S…") as malloc'd UTF-8 of at most `max_characters`. */
enum dse_status dse_npz_read_text(struct dse_npz *npz, const char *name, size_t max_characters,
                                  char **text, struct dse_error *err);
