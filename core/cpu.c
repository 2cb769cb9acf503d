#include "core/cpu.h"

#include <stdlib.h>
#include <string.h>

enum dse_cpu_level dse_cpu_level = DSE_CPU_AVX512;

/* Priority 101: runs before the constructors that choose kernels by this level. */
__attribute__((constructor(101))) static void choose(void)
{
    const char *chosen = getenv("NYSX_DSE_VECTORS");
    if (chosen != NULL && strcmp(chosen, "portable") == 0)
        dse_cpu_level = DSE_CPU_PORTABLE;
    else if (chosen != NULL && strcmp(chosen, "avx2") == 0)
        dse_cpu_level = DSE_CPU_AVX2;
}
