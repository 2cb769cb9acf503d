/* Named arrays: inputs and results of a program of the accelerator. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum smgpu_type { SMGPU_I8, SMGPU_U8, SMGPU_I32, SMGPU_U32, SMGPU_I64, SMGPU_TYPES };

#define SMGPU_IN_HBM SIZE_MAX

struct smgpu_array {
    char *name;
    enum smgpu_type type;
    size_t rank, shape[2]; /* lengths from `rank` on are 1 */
    void *data;            /* elements, row-major */
    bool made;             /* by the program, not read from a file */
    size_t home;           /* the engine whose buffer has it before the program begins, or SMGPU_IN_HBM */
};

/* Empty when zeroed. */
struct smgpu_memory {
    struct smgpu_array *arrays; /* count */
    size_t count;
};

size_t smgpu_type_bytes(enum smgpu_type type);
const char *smgpu_type_name(enum smgpu_type type); /* "int32" */
size_t smgpu_array_elements(const struct smgpu_array *array);

/* The array of that name, or NULL. */
struct smgpu_array *smgpu_memory_find(const struct smgpu_memory *memory, const char *name);

/* Makes a zeroed array, and replaces an array of the same name. `out` stays valid until the next call. DSE_LIMIT. */
enum dse_status smgpu_memory_put(struct smgpu_memory *memory, const char *name, enum smgpu_type type, size_t rank, const size_t shape[2],
                                 struct smgpu_array **out, struct dse_error *err);

/* Reads all arrays of an .npz: whole numbers of the types above, with at most two dimensions. */
enum dse_status smgpu_memory_read(struct smgpu_memory *memory, const char *path, struct dse_error *err);

/* Writes the arrays that the program made, in the order of their first making; atomically. */
enum dse_status smgpu_memory_write(const struct smgpu_memory *memory, const char *path, struct dse_error *err);
void smgpu_memory_free(struct smgpu_memory *memory);
