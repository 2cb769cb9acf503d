#include "core/order.h"

#include <stdint.h>
#include <string.h>

#define ORDER(name, type)                                      \
    int name(const void *a, const void *b)                     \
    {                                                          \
        const type x = *(const type *)a, y = *(const type *)b; \
        return (x > y) - (x < y);                              \
    }

ORDER(dse_by_int32, int32_t)
ORDER(dse_by_int64, int64_t)
ORDER(dse_by_uint64, uint64_t)
ORDER(dse_by_double, double)

int dse_by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
