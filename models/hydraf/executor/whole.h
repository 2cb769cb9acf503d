/* The kernels for whole elements, and what they share with those for real ones (kernels.c). */
#pragma once

#include "core/cpu.h"
#include "models/hydraf/executor/kernels.h"

/* Products and sums of whole numbers are exact: their order and fused operations change no result. `rows` are `count` rows of block->dim elements. */
void hydraf_whole_products(const struct hydraf_block *block, const double *const *rows, size_t count, double *out);
void hydraf_whole_learn(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update);

#if defined(__x86_64__) && defined(__GNUC__)
#define HYDRAF_WIDE __attribute__((target("avx2,fma")))
static inline bool hydraf_has_wide(void)
{
    return dse_cpu_supports("avx2") && dse_cpu_supports("fma");
}
#else
#define HYDRAF_WIDE
static inline bool hydraf_has_wide(void)
{
    return false;
}
#endif

/* Defines a kernel from its inlined body name_lanes for the compiler's base target and for wider vectors, and the function that chooses. Both give the same
 * bits, because every lane does the same operations. */
#define HYDRAF_BOTH(name, parameters, arguments)                     \
    static void name##_portable parameters { name##_lanes arguments; } \
    HYDRAF_WIDE static void name##_wide parameters { name##_lanes arguments; } \
    static void name parameters                                      \
    {                                                                \
        if (hydraf_has_wide())                                       \
            name##_wide arguments;                                   \
        else                                                         \
            name##_portable arguments;                               \
    }
