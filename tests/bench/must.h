/* Requirements of a benchmark. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"

/* The call takes its error as `&why`. */
#define MUST(call)                            \
    do {                                      \
        struct dse_error why = {0};           \
        enum dse_status must_be = (call);     \
        if (must_be != DSE_OK) {              \
            fprintf(stderr, "%s\n", why.message); \
            exit((int)must_be);               \
        }                                     \
    } while (0)

/* Zeroed memory. */
static inline void *need(size_t count, size_t size)
{
    return dse_calloc(count + 1, size);
}
