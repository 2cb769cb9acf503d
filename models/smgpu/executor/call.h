/* Operands, keys and results of a running instruction, shared by the operations' functions. The machine adds file and line to failures. */
#pragma once

#include "models/smgpu/executor/program.h"
#include "models/smgpu/executor/rewrite.h"
#include "models/smgpu/executor/spectral.h"

/* DSE_BAD_INPUT: "REWRITE.DPO_MATCH: host: …". */
enum dse_status smgpu_call_fail(const struct smgpu_call *call, const char *array, struct dse_error *err, const char *format, ...)
    DSE_PRINTF(4, 5);

/* An operand, or array NAME + suffix ("_indptr"), of this type and rank; counts its bytes as read. */
enum dse_status smgpu_call_array(struct smgpu_call *call, size_t operand, const char *suffix, enum smgpu_type type, size_t rank,
                                 const struct smgpu_array **out, struct dse_error *err);

/* The key's value, or its default. */
int64_t smgpu_call_key(const struct smgpu_call *call, enum smgpu_key key);
bool smgpu_call_given(const struct smgpu_call *call, enum smgpu_key key);

/* Makes a result, or array NAME + suffix. Rank 0 makes a single number, of shape (1,). */
enum dse_status smgpu_call_make(struct smgpu_call *call, const char *suffix, enum smgpu_type type, size_t rank, size_t rows, size_t columns,
                                void *data, struct dse_error *err);
enum dse_status smgpu_call_number(struct smgpu_call *call, const char *suffix, enum smgpu_type type, int64_t value, struct dse_error *err);

/* An optional single number NAME + suffix; without it `value` is unchanged. */
enum dse_status smgpu_call_optional(struct smgpu_call *call, size_t operand, const char *suffix, int64_t *value, struct dse_error *err);

/* Operands by kind, checked against the machine's limits. */
enum dse_status smgpu_call_matrix(struct smgpu_call *call, size_t operand, struct smgpu_matrix *out, struct dse_error *err);
enum dse_status smgpu_call_vector(struct smgpu_call *call, size_t operand, size_t length, const int32_t **out, struct dse_error *err);
enum dse_status smgpu_call_graph(struct smgpu_call *call, size_t operand, size_t most, struct smgpu_graph *out, struct dse_error *err);

/* Packed vectors, one row of words each. `dim` bits of a row count: the operand's key `dim`, or all bits. The other bits must be 0. */
struct smgpu_bits {
    const uint32_t *word;
    size_t count, words, dim, rank;
};
enum dse_status smgpu_call_bits(struct smgpu_call *call, size_t operand, bool single, struct smgpu_bits *out, struct dse_error *err);

/* The operations, in the files of their engines. */
#define SMGPU_RUN(name) enum dse_status smgpu_run_##name(struct smgpu_call *call, struct dse_error *err)
SMGPU_RUN(laplacian);
SMGPU_RUN(eigen);
SMGPU_RUN(convolution);
SMGPU_RUN(wavelet);
SMGPU_RUN(fourier);
SMGPU_RUN(bundle);
SMGPU_RUN(bind);
SMGPU_RUN(permute);
SMGPU_RUN(similarity);
SMGPU_RUN(generate);
SMGPU_RUN(filtration);
SMGPU_RUN(match);
SMGPU_RUN(apply);
SMGPU_RUN(store);
SMGPU_RUN(query);
SMGPU_RUN(mvm);
SMGPU_RUN(copy);
SMGPU_RUN(move);
