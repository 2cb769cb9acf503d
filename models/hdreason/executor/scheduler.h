/* The host's scheduler as the emitted accelerator needs it: what it is told to encode, to bind and to keep (models/hdreason/microarchitecture.md, "The emitted source"). */
#pragma once

#include "models/hdreason/executor/cache.h"
#include "models/hdreason/layout.h"

struct hdr_orders {
    struct dse_arena arena;
    int32_t *encoded;   /* [encoded_count] entities that some entity has as object, ascending */
    uint32_t *request;  /* [request_count × HDREASON_REQUEST_WORDS] */
    int32_t *vertex;    /* [vertex_count] in the order of their lists */
    size_t encoded_count, request_count, vertex_count, read_count;
    uint64_t turns;     /* of the memorisation IPs, without what memory keeps waiting */
};

/* Elements of a row of the memory's row `row`, into the words of each port. */
void hdreason_put_row(const struct hdreason_layout *l, uint32_t *const *port, size_t row, const int32_t *element);

/* O(edges · memorisation IPs). */
void hdr_orders_make(const struct hdr_graph *graph, const struct hdreason_layout *layout, enum hdr_schedule schedule, enum hdr_policy policy, struct hdr_orders *out);
void hdr_orders_free(struct hdr_orders *orders);
