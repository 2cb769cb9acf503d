/* The instructions that the program's own kernels may use: those of the processor, or fewer if the environment says so. Every kernel gives the same
 * bits with any of them, which is tested by switching. */
#pragma once

#include <stdbool.h>

enum dse_cpu_level { DSE_CPU_PORTABLE, DSE_CPU_AVX2, DSE_CPU_AVX512 };

/* AVX-512, unless NYSX_DSE_VECTORS is "avx2" or "portable" when the program, or the library, is loaded. Never written later. */
extern enum dse_cpu_level dse_cpu_level;

/* A feature by GCC's name, a literal: "avx512…" is of the highest level, any other ("avx2", "popcnt") of the next lower one. */
#define dse_cpu_supports(feature) \
    (dse_cpu_level >= ((feature)[0] == 'a' && (feature)[3] == '5' ? DSE_CPU_AVX512 : DSE_CPU_AVX2) && __builtin_cpu_supports(feature))
