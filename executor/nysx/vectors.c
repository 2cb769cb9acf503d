#include "executor/nysx/vectors.h"

enum nysx_vectors nysx_vectors_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vnni"))
        return NYSX_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return NYSX_AVX2;
#endif
    return NYSX_PORTABLE;
}
