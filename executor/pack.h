/* A trained model as the arrays that an accelerator reads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum dse_pack_type {
    DSE_PACK_I16,
    DSE_PACK_U32,
    DSE_PACK_I32,
    DSE_PACK_U64,
    DSE_PACK_I64,
    DSE_PACK_F32,
    DSE_PACK_F64
};

/* Where an array lies when the accelerator runs. */
enum dse_pack_place {
    DSE_PACK_CHIP,   /* in memory that the bitstream fills */
    DSE_PACK_LOADED, /* on the chip, loaded once before the first query: UltraRAM */
    DSE_PACK_MEMORY, /* in external memory */
    DSE_PACK_HOST    /* read by the host alone */
};

#define DSE_PACK_DIMENSIONS 3

/* One array, row-major, in this machine's byte order. */
struct dse_pack_array {
    char name[32];     /* in lower case, without the family's prefix: "mph_words" */
    const char *title; /* its content; a constant text */
    enum dse_pack_type type;
    enum dse_pack_place place;
    bool apart;        /* large: its initialiser has a header of its own */
    size_t dimensions[DSE_PACK_DIMENSIONS], dimension_count;
    void *values;
};

/* Empty when zeroed. */
struct dse_pack {
    struct dse_pack_array *arrays;
    size_t count;
    const char *const *reads; /* NULL-ended: knobs and sizes of the design that determined the arrays */
};

size_t dse_pack_type_bytes(enum dse_pack_type type);

/* Elements of an array. */
size_t dse_pack_elements(const struct dse_pack_array *array);

/* Adds a zeroed array (unused dimensions 0); the pointer is valid until the next addition, its values until the pack is freed. */
struct dse_pack_array *dse_pack_add(struct dse_pack *pack, const char *name, enum dse_pack_type type, size_t d0,
                                    size_t d1, size_t d2, const char *title);

/* DSE_BAD_USAGE if the model's setting is not the one that the design was made for. */
enum dse_status dse_pack_expect(const char *name, size_t has, int64_t wanted, struct dse_error *err);

void dse_pack_free(struct dse_pack *pack);
