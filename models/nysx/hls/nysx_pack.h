/* SPDX-License-Identifier: MIT */ /* Queries as the kernel's port takes them, and the test graphs of an emitted folder: C99 for hosts, test benches and, by a
 * shared library, Python. It knows the design by nysx_config.h, and by nysx_label_columns.h with features=cores, allocates nothing and keeps nothing. Bytes are
 * little-endian on any host. */
#ifndef NYSX_PACK_H
#define NYSX_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "nysx_config.h"

/* Bytes of the largest query, the size of a query buffer. */
#define NYSX_QUERY_BYTES ((size_t)NYSX_QUERY_WORDS * (NYSX_QUERY_PORT_BITS / 8))

/* Working memory of nysx_pack in numbers, one array per thread: row order and first place of each length; then with features=cores
 * columns of F and removed nodes. */
#define NYSX_PACK_SCRATCH (2 * (size_t)NYSX_MAX_NODES + NYSX_MAX_NNZ + 3)

/* Numbers per node in `feature`: its label's column of F, with features=cores its own label (the bits of an int32_t), or the bits of one float
 * per column. */
#define NYSX_PACK_FEATURES (NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS)

/* Reasons to reject a query before the kernel sees it; same codes as the kernel's answers. */
#define NYSX_PACK_NODES (-1)    /* more than NYSX_MAX_NODES */
#define NYSX_PACK_NONZEROS (-2) /* more than NYSX_MAX_NNZ */
#define NYSX_PACK_GRAPH (-3)    /* row pointers that decrease or do not end at the number of non-zeros, or a column that is not a node */

#ifdef __cplusplus
extern "C" {
#endif

/* A graph: A in compressed sparse rows, without values, and F. Owns nothing. */
struct nysx_pack_query {
    uint32_t nodes, nonzeros;
    const uint32_t *row_begin; /* nodes + 1 */
    const uint32_t *column;    /* nonzeros, each a node */
    const uint32_t *feature;   /* nodes × NYSX_PACK_FEATURES */
};

/* Packs a query into `buffer` of NYSX_QUERY_BYTES: row pointers, columns, the row order if the processor makes it,
 * features. With features=cores it finds the graph's 2-core. The row order is by ascending length, stable. Each array starts a new port word. Returns the size in
 * bytes, or an error code above. O(nodes + non-zeros), with features=cores nodes · log columns too. */
int32_t nysx_pack(const struct nysx_pack_query *query, uint32_t scratch[NYSX_PACK_SCRATCH], void *buffer);

/* A test graph of nysx_cases.bin with the executor's answers. */
struct nysx_case {
    struct nysx_pack_query query;
    int32_t expected;            /* class */
    const uint32_t *kernel;      /* C, int32_t each; none for nee.form=direct */
    const uint32_t *hypervector; /* one bit per element */
    const uint32_t *counts;      /* probes and hits of the lookups */
};

/* nysx_cases.bin is 32-bit words, little-endian. It begins with the number of cases. A case has nodes, non-zeros, row pointers,
 * columns, features, class, C, hypervector (64 elements in two words), probes and hits. Reads the case at `at`
 * (the first follows the number of cases). Returns the start of the next case, or NULL if it would exceed `end`. */
const uint32_t *nysx_case_read(const uint32_t *at, const uint32_t *end, struct nysx_case *out);

/* Data of a kernel memory argument other than the query, and its offset in nysx_model.bin. */
struct nysx_part {
    const char *argument; /* "p0", "h" */
    size_t offset, bytes;
};

/* Number of parts of the design, in the order of the arguments after the query: one per port of P_nys (nee.form=streamed), and H
 * (place.h=ddr). */
#define NYSX_PARTS ((NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED ? NYSX_NEE_PORTS : 0) + (NYSX_PLACE_H == NYSX_PLACE_H_DDR))

/* Finds the parts in the image of `words` 32-bit words; `out` has room for NYSX_PARTS. Returns their number, or -1 if the
 * image is of another design. */
int32_t nysx_image_parts(const uint32_t *image, size_t words, struct nysx_part *out);

/* Data that command 1 of the kernel loads into UltraRAM through the query's argument. Returns 1, 0 if the design loads nothing, or
 * -1. */
int32_t nysx_image_load(const uint32_t *image, size_t words, struct nysx_part *out);

/* Macro values for Python. */
size_t nysx_part_count(void);
size_t nysx_query_bytes(void);
size_t nysx_pack_scratch(void);
size_t nysx_ring_slots(void); /* 0 without a queue */
int32_t nysx_pack_arrays(uint32_t nodes, uint32_t nonzeros, const uint32_t *row_begin, const uint32_t *column,
                         const uint32_t *feature, uint32_t *scratch, void *buffer);

#ifdef __cplusplus
}
#endif

#endif
