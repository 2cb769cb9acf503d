/* The host's scheduler for the emitted accelerator. It orders what to encode, bind and cache (models/hdreason/microarchitecture.md, "The emitted
 * source"). */
#pragma once

#include "models/hdreason/executor/cache.h"
#include "models/hdreason/layout.h"

struct hdr_orders {
    struct dse_arena arena;
    int32_t *encoded;   /* [encoded_count] entities that are the object of an edge, ascending */
    uint32_t *request;  /* [request_count × HDREASON_REQUEST_WORDS] */
    int32_t *vertex;    /* [vertex_count] in the order of their lists */
    size_t encoded_count, request_count, vertex_count, read_count;
    uint64_t trips;     /* iterations of the memorisation IPs, without waits for memory */
};

/* Writes the elements of the memory's row `row` to the words of each port. */
void hdreason_put_row(const struct hdreason_layout *l, uint32_t *const *port, size_t row, const int32_t *element);

/* O(edges · memorisation IPs). */
void hdr_orders_make(const struct hdr_graph *graph, const struct hdreason_layout *layout, enum hdr_schedule schedule, enum hdr_policy policy, struct hdr_orders *out);
void hdr_orders_free(struct hdr_orders *orders);
