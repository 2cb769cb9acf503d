#include "models/nysx/executor/kernels.h"

#include "core/cpu.h"

const struct nysx_kernels *nysx_kernels = &nysx_kernels_portable;

bool nysx_kernels_use(enum nysx_vectors vectors)
{
    static const struct nysx_kernels *const all[NYSX_VECTORS] = {&nysx_kernels_portable, &nysx_kernels_avx2, &nysx_kernels_avx512};
    bool has = vectors == NYSX_PORTABLE;
#if defined(__x86_64__)
    if (vectors == NYSX_AVX2)
        has = dse_cpu_supports("avx2") && dse_cpu_supports("popcnt");
    else if (vectors == NYSX_AVX512)
        has = dse_cpu_supports("avx512f") && dse_cpu_supports("avx512bw") && dse_cpu_supports("avx512dq") && dse_cpu_supports("avx512vl") &&
              dse_cpu_supports("avx512vnni") && dse_cpu_supports("avx512vbmi") && dse_cpu_supports("avx512vpopcntdq");
#endif
    if (has)
        nysx_kernels = all[vectors];
    return has;
}

__attribute__((constructor)) static void choose(void)
{
    for (int v = NYSX_VECTORS - 1; v >= 0 && !nysx_kernels_use((enum nysx_vectors)v); v--)
        continue;
}
