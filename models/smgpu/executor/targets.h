/* Kernels that are compiled once for each instruction set, and the choice among them. Every choice gives the same bits. */
#pragma once

#include "core/cpu.h"

enum smgpu_target { SMGPU_PORTABLE, SMGPU_AVX2, SMGPU_AVX512, SMGPU_TARGETS };

/* What becomes part of a kernel, and a kernel of one instruction set. */
#define SMGPU_INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define SMGPU_TARGET_AVX2 __attribute__((target("avx2,popcnt"), optimize("O3")))
#define SMGPU_TARGET_AVX512 __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,popcnt"), optimize("O3")))
#else
#define SMGPU_TARGET_AVX2
#define SMGPU_TARGET_AVX512
#endif

/* The best that this processor has. */
static inline enum smgpu_target smgpu_target_best(void)
{
#if defined(__x86_64__)
    if (dse_cpu_supports("avx512f") && dse_cpu_supports("avx512vl") && dse_cpu_supports("avx512bw") &&
        dse_cpu_supports("avx512dq") && dse_cpu_supports("avx512vpopcntdq"))
        return SMGPU_AVX512;
    if (dse_cpu_supports("avx2") && dse_cpu_supports("popcnt"))
        return SMGPU_AVX2;
#endif
    return SMGPU_PORTABLE;
}
