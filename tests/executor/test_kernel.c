/* The kernel: sums by rows and by columns, and codebooks with their histograms. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/encoder.h"
#include "models/nysx/executor/kernel.h"
#include "models/nysx/executor/kernels.h"
#include "tests/test.h"

/* Random codes of `rows` landmarks; the histograms made of them. */
static void make(struct dse_rng *rng, size_t rows, size_t range, int64_t **codebook, size_t *distinct,
                 struct nysx_csr *csr)
{
    DSE_CLEANUP(dse_free_at) size_t *begin = calloc(rows + 1, sizeof *begin);
    for (size_t r = 0; r < rows; r++)
        begin[r + 1] = begin[r] + dse_rng_below(rng, 30);
    DSE_CLEANUP(dse_free_at) int64_t *codes = malloc((begin[rows] + 1) * sizeof *codes);
    for (size_t i = 0; i < begin[rows]; i++)
        codes[i] = (int64_t)dse_rng_below(rng, range) - (int64_t)range / 2;
    *codebook = nysx_codebook_make(codes, begin[rows], distinct);
    OK(nysx_histograms_make(codes, begin, rows, *codebook, *distinct, csr, &why));
    for (size_t r = 0; r < rows; r++) { /* every node is counted once, under its own code */
        int64_t nodes = 0;
        for (int32_t e = csr->begin[r]; e < csr->begin[r + 1]; e++) {
            int64_t there = 0;
            for (size_t i = begin[r]; i < begin[r + 1]; i++)
                there += codes[i] == (*codebook)[csr->column[e]];
            assert_int_equal(there, csr->count[e]);
            nodes += csr->count[e];
        }
        assert_int_equal(nodes, begin[r + 1] - begin[r]);
    }
}

TEST(test_columns_equal_rows)
{
    struct dse_rng rng;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dse_rng_seed(&rng, seed, 0);
        size_t rows = 1 + dse_rng_below(&rng, 40), range = 1 + dse_rng_below(&rng, seed % 2 ? 5 : 500), distinct, used = 0;
        DSE_CLEANUP(dse_free_at) int64_t *codebook = NULL;
        DSE_CLEANUP(nysx_csr_free) struct nysx_csr csr = {0}, transpose = {0};
        make(&rng, rows, range, &codebook, &distinct, &csr);
        OK(nysx_csr_transpose(&csr, &transpose, &why));
        assert_in_range(nysx_csr_nonzeros(&transpose), nysx_csr_nonzeros(&csr), NYSX_WHOLE_FROM * nysx_csr_nonzeros(&csr));
        DSE_CLEANUP(dse_free_at) int32_t *histogram = calloc(distinct + 1, sizeof *histogram), *bins = malloc((distinct + 1) * sizeof *bins);
        int32_t one[40] = {0};
        for (size_t b = 0; b < distinct; b++) {
            histogram[b] = (int32_t)(dse_rng_below(&rng, 3) * dse_rng_below(&rng, 9));
            if (histogram[b] > 0)
                bins[used++] = (int32_t)b;
        }
        nysx_csr_multiply_add(&csr, histogram, one);
        for (int v = NYSX_PORTABLE; v < NYSX_VECTORS && nysx_kernels_use((enum nysx_vectors)v); v++) {
            int32_t other[40] = {0};
            nysx_csr_add_columns(&transpose, bins, used, histogram, other);
            assert_memory_equal(one, other, sizeof one);
        }
    }
}

TEST(test_empty)
{
    size_t begin[3] = {0}, distinct;
    int64_t *codebook, none = 0;
    DSE_CLEANUP(nysx_csr_free) struct nysx_csr csr = {0}, transpose = {0};
    codebook = nysx_codebook_make(&none, 0, &distinct);
    assert_int_equal(distinct, 0);
    OK(nysx_histograms_make(&none, begin, 2, codebook, 0, &csr, &why));
    OK(nysx_csr_transpose(&csr, &transpose, &why));
    assert_int_equal(nysx_csr_nonzeros(&transpose), 0);
    assert_int_equal(nysx_csr_max(&csr), 0);
    free(codebook);
}

TESTS(NULL, NULL)
