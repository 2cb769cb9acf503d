/* SPDX-License-Identifier: MIT */ /* Queries as the kernel's port takes them, and the test graphs of an emitted folder: C99 for hosts, test benches and, by a
 * shared library, Python. It knows the design by nysx_config.h alone, allocates nothing and keeps nothing. Bytes are
 * little-endian on any host. */
#ifndef NYSX_PACK_H
#define NYSX_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "nysx_config.h"

/* Bytes of the largest query; a buffer for queries has as many. */
#define NYSX_QUERY_BYTES ((size_t)NYSX_QUERY_WORDS * (NYSX_QUERY_PORT_BITS / 8))

/* Working memory of nysx_pack, in numbers, one array per thread: the order of the rows, and the place where each length begins. */
#define NYSX_PACK_SCRATCH ((size_t)NYSX_MAX_NODES + NYSX_MAX_NNZ + 3)

/* Numbers of a node's features: its label's column of F, or the bits of one float per column. */
#define NYSX_PACK_FEATURES (NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS)

/* Reasons to reject a query, before a kernel sees it: the codes that it answers too. */
#define NYSX_PACK_NODES (-1)    /* more than NYSX_MAX_NODES */
#define NYSX_PACK_NONZEROS (-2) /* more than NYSX_MAX_NNZ */
#define NYSX_PACK_GRAPH (-3)    /* row pointers that decrease or do not end at the number of non-zeros; a column that is not a node */

#ifdef __cplusplus
extern "C" {
#endif

/* A graph: A in compressed sparse rows, without values, and F. Nothing is owned. */
struct nysx_pack_query {
    uint32_t nodes, nonzeros;
    const uint32_t *row_begin; /* nodes + 1 */
    const uint32_t *column;    /* nonzeros, each a node */
    const uint32_t *feature;   /* nodes × NYSX_PACK_FEATURES */
};

/* Packs a query into `buffer` of NYSX_QUERY_BYTES: row pointers, columns, where the processor makes it the order of the rows
 * (ascending length, equal ones as they come), features, each of the four from a new word of the port on. Returns its
 * bytes, or one of the codes above. O(nodes + non-zeros). */
int32_t nysx_pack(const struct nysx_pack_query *query, uint32_t scratch[NYSX_PACK_SCRATCH], void *buffer);

/* A test graph of nysx_cases.bin with the executor's answers. */
struct nysx_case {
    struct nysx_pack_query query;
    int32_t expected;            /* class */
    const uint32_t *kernel;      /* C, int32_t each; none for nee.form=direct */
    const uint32_t *hypervector; /* one bit per element */
    const uint32_t *counts;      /* probes and hits of the lookups */
};

/* nysx_cases.bin is 32-bit words, little-endian: the number of cases; of each: nodes, non-zeros, row pointers, columns,
 * features, the class, C, the hypervector (64 elements in two words), probes and hits. Reads the case that begins at `at`
 * (the first behind the number of cases), and returns where the next begins, or NULL where it would end behind `end`. */
const uint32_t *nysx_case_read(const uint32_t *at, const uint32_t *end, struct nysx_case *out);

/* The data of a kernel's memory argument besides the query, and where it lies in nysx_model.bin. */
struct nysx_part {
    const char *argument; /* "p0", "h" */
    size_t offset, bytes;
};

/* Those of the design, in the order of the arguments behind the query: P_nys one port each (nee.form=streamed), H
 * (place.h=ddr). */
#define NYSX_PARTS ((NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED ? NYSX_NEE_PORTS : 0) + (NYSX_PLACE_H == NYSX_PLACE_H_DDR))

/* Finds them in the image, `words` 32-bit words long; `out` has room for NYSX_PARTS. How many there are, or -1 where the
 * image is none of this design. */
int32_t nysx_image_parts(const uint32_t *image, size_t words, struct nysx_part *out);

/* Data that the kernel loads into UltraRAM by its command 1, through the query's argument. 1, 0 where this design loads nothing, or
 * -1. */
int32_t nysx_image_load(const uint32_t *image, size_t words, struct nysx_part *out);

/* Values for Python, which sees no macro. */
size_t nysx_part_count(void);
size_t nysx_query_bytes(void);
size_t nysx_pack_scratch(void);
size_t nysx_ring_slots(void); /* 0 where there is no queue */
int32_t nysx_pack_arrays(uint32_t nodes, uint32_t nonzeros, const uint32_t *row_begin, const uint32_t *column,
                         const uint32_t *feature, uint32_t *scratch, void *buffer);

#ifdef __cplusplus
}
#endif

#endif
