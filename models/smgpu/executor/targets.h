/* Kernels compiled once per instruction set, and the choice among them. Every choice gives the same bits. */
#pragma once

#include "core/cpu.h"

#define SMGPU_INLINE static inline __attribute__((always_inline))

/* Defines NAME, which runs NAME_body (both void) compiled for the best instruction set of this processor. */
#if defined(__x86_64__)
#define SMGPU_KERNEL(name, parameters, arguments)                                                                                        \
    static void name##_portable parameters { name##_body arguments; }                                                                    \
    __attribute__((target("avx2,popcnt"), optimize("O3"))) static void name##_avx2 parameters { name##_body arguments; }                 \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,popcnt"), optimize("O3"))) static void name##_avx512 parameters \
    {                                                                                                                                    \
        name##_body arguments;                                                                                                           \
    }                                                                                                                                    \
    static void name parameters                                                                                                          \
    {                                                                                                                                    \
        if (dse_cpu_supports("avx512f") && dse_cpu_supports("avx512vl") && dse_cpu_supports("avx512bw") &&                               \
            dse_cpu_supports("avx512dq") && dse_cpu_supports("avx512vpopcntdq"))                                                         \
            name##_avx512 arguments;                                                                                                     \
        else if (dse_cpu_supports("avx2") && dse_cpu_supports("popcnt"))                                                                 \
            name##_avx2 arguments;                                                                                                       \
        else                                                                                                                             \
            name##_portable arguments;                                                                                                   \
    }
#else
#define SMGPU_KERNEL(name, parameters, arguments) \
    static void name parameters { name##_body arguments; }
#endif
