#include "models/nysx/executor/vectors.h"

#include "core/cpu.h"

enum nysx_vectors nysx_vectors_best(void)
{
#if defined(__x86_64__)
    if (dse_cpu_supports("avx512f") && dse_cpu_supports("avx512bw") &&
        dse_cpu_supports("avx512dq") && dse_cpu_supports("avx512vl") &&
        dse_cpu_supports("avx512vnni"))
        return NYSX_AVX512;
    if (dse_cpu_supports("avx2"))
        return NYSX_AVX2;
#endif
    return NYSX_PORTABLE;
}
