/* Which vector instructions the kernels may use. Every choice gives the same bits. */
#ifndef DSE_EXECUTOR_NYSX_VECTORS_H
#define DSE_EXECUTOR_NYSX_VECTORS_H

enum nysx_vectors {
    NYSX_PORTABLE, /* C, as the compiler's target has it */
    NYSX_AVX2,
    NYSX_AVX512,   /* F, BW, DQ, VL and VNNI */
    NYSX_VECTORS
};

/* The best that this processor has. */
enum nysx_vectors nysx_vectors_best(void);

/* Functions of one of them, and what becomes part of such a function. */
#if defined(__x86_64__)
#define TARGET_AVX2 __attribute__((target("avx2")))
#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#endif
#define INLINE static inline __attribute__((always_inline))

#endif
