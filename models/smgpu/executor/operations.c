#include "models/smgpu/executor/operations.h"

#include <math.h>
#include <string.h>

#include "models/smgpu/executor/call.h"

const char *const smgpu_engine_names[SMGPU_ENGINES] = {"SPECTRAL", "HD", "TOPOLOGY", "REWRITE", "CACHE", "XBAR", "DMA"};
const char *const smgpu_flag_names[SMGPU_FLAGS] = {"start", "done_irq", "chained", "streaming", "blocked", "precision_q"};

#define WHOLE_MOST 4294967295.0

const struct smgpu_key_form smgpu_keys[SMGPU_KEYS] = {
    [SMGPU_BY] = {"by", -2147483648.0, 2147483647.0, NAN, false},
    [SMGPU_COUNT] = {"count", 1, 1048576, 1, false},
    [SMGPU_DIM] = {"dim", 1, 1048576, NAN, false},
    [SMGPU_INDEX] = {"index", 0, 1048576, 0, false},
    [SMGPU_ITERATIONS] = {"iterations", 0, 1000000, NAN, false},
    [SMGPU_MOST] = {"most", 1, 1048576, NAN, false},
    [SMGPU_NODES] = {"nodes", 1, 65536, NAN, false},
    [SMGPU_ORDER] = {"order", 0, 256, 16, false},
    [SMGPU_REDUCED] = {"reduced", 1, 65536, 1024, false},
    [SMGPU_SEED] = {"seed", 1, WHOLE_MOST, 0xDEADBEEF, false},
    [SMGPU_THRESHOLD] = {"threshold", 0, 10000, 5000, false},
    [SMGPU_TIME] = {"time", 0, 100, 1, true},
};

#define KEY(name) (UINT32_C(1) << SMGPU_##name)

const struct smgpu_operation smgpu_operations[] = {
    {SMGPU_SPECTRAL, 0, "COMPUTE_LAP", "matrix", 1, 0, smgpu_run_laplacian},
    {SMGPU_SPECTRAL, 1, "EIGEN_DECOMP", "matrix vector", 2, KEY(ITERATIONS), smgpu_run_eigen},
    {SMGPU_SPECTRAL, 2, "SPECTRAL_CONV", "matrix vector coefficients", 3, 0, smgpu_run_convolution},
    {SMGPU_SPECTRAL, 3, "WAVELET_XFORM", "matrix vector", 2, KEY(TIME) | KEY(ORDER), smgpu_run_wavelet},
    {SMGPU_SPECTRAL, 4, "GFT_FORWARD", "matrix vector", 2, 0, smgpu_run_fourier},
    {SMGPU_SPECTRAL, 5, "GFT_INVERSE", "matrix vector", 2, 0, smgpu_run_fourier},
    {SMGPU_HD, 0, "BUNDLE", "bits", 1, KEY(DIM), smgpu_run_bundle},
    {SMGPU_HD, 1, "BIND", "bits bits", 2, KEY(DIM), smgpu_run_bind},
    {SMGPU_HD, 2, "UNBIND", "bits bits", 2, KEY(DIM), smgpu_run_bind},
    {SMGPU_HD, 3, "PERMUTE", "bits", 1, KEY(DIM) | KEY(BY), smgpu_run_permute},
    {SMGPU_HD, 4, "SIMILARITY", "bits bits", 2, KEY(DIM), smgpu_run_similarity},
    {SMGPU_HD, 5, "ASSOC_READ", "keys bits", 2, KEY(DIM) | KEY(REDUCED) | KEY(SEED) | KEY(THRESHOLD), smgpu_run_query},
    {SMGPU_HD, 6, "ASSOC_WRITE", "bits", 1, KEY(DIM) | KEY(REDUCED) | KEY(SEED), smgpu_run_store},
    {SMGPU_HD, 7, "GENERATE", "", 0, KEY(DIM) | KEY(SEED) | KEY(COUNT), smgpu_run_generate},
    {SMGPU_TOPOLOGY, 0, "BUILD_FILTRATION", "edges", 1, KEY(NODES), smgpu_run_filtration},
    {SMGPU_REWRITE, 0, "DPO_MATCH", "graph graph", 2, KEY(MOST), smgpu_run_match},
    {SMGPU_REWRITE, 1, "DPO_APPLY", "graph graph graph nodes matches", 5, KEY(INDEX), smgpu_run_apply},
    {SMGPU_CACHE, 0, "STORE", "bits", 1, KEY(DIM) | KEY(REDUCED) | KEY(SEED), smgpu_run_store},
    {SMGPU_CACHE, 1, "QUERY", "keys bits", 2, KEY(DIM) | KEY(REDUCED) | KEY(SEED) | KEY(THRESHOLD), smgpu_run_query},
    {SMGPU_XBAR, 0, "MVM", "cells vector", 2, 0, smgpu_run_mvm},
    {SMGPU_DMA, 0, "LOAD", "array", 1, 0, smgpu_run_copy},
    {SMGPU_DMA, 1, "STORE", "array", 1, 0, smgpu_run_copy},
    {SMGPU_DMA, 2, "SCATTER", "array indices", 2, 0, smgpu_run_move},
    {SMGPU_DMA, 3, "GATHER", "array indices", 2, 0, smgpu_run_move},
};
const size_t smgpu_operation_count = sizeof smgpu_operations / sizeof *smgpu_operations;

const struct smgpu_operation *smgpu_operation_find(const char *name)
{
    const char *dot = strchr(name, '.');
    for (size_t i = 0; dot != NULL && i < smgpu_operation_count; i++) {
        const char *engine = smgpu_engine_names[smgpu_operations[i].engine];
        if (strlen(engine) == (size_t)(dot - name) && strncmp(engine, name, strlen(engine)) == 0 &&
            strcmp(smgpu_operations[i].name, dot + 1) == 0)
            return &smgpu_operations[i];
    }
    return NULL;
}
