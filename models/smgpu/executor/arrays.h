/* Named arrays: what a program of the accelerator reads and makes. */
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
    size_t rank, shape[2]; /* lengths behind `rank` are 1 */
    void *data;            /* elements, row-major */
    bool made;             /* by the program, not read */
    size_t home;           /* the engine in whose buffer it lies before the program begins; SMGPU_IN_HBM */
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

/* A new zeroed array of the name, in place of one that was there. `out` stays valid until the next call. DSE_LIMIT. */
enum dse_status smgpu_memory_put(struct smgpu_memory *memory, const char *name, enum smgpu_type type, size_t rank, const size_t shape[2],
                                 struct smgpu_array **out, struct dse_error *err);

/* All arrays of an .npz: whole numbers of the types above, of two dimensions at most. */
enum dse_status smgpu_memory_read(struct smgpu_memory *memory, const char *path, struct dse_error *err);

/* Those that the program made, in the order in which they were first made; atomically. */
enum dse_status smgpu_memory_write(const struct smgpu_memory *memory, const char *path, struct dse_error *err);
void smgpu_memory_free(struct smgpu_memory *memory);
