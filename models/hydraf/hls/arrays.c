/* SPDX-License-Identifier: MIT */ /* The two systolic arrays, N rows by K columns: one multiplies the batch with the clusters, the other, in parallel, with the models (paper, section IV.C).
 *
 * When learning, the operands of a dimension meet in element (j, k) max(j, k) steps after they entered, so a chunk takes T + max(K, N) steps.
 * When answering, pipelined arrays of whole elements add an element's T products in one step, so a chunk takes one step per row.
 * Sums in single precision, and arrays that are not pipelined, take one dimension per step. */
#include "hydraf.h"

#define AT_ONCE (HYDRAF_LANES > 1) /* an element adds all products of a chunk in one step */

static int32_t skew_of(int32_t j, int32_t k)
{
    return j > k ? j : k;
}

/* The sum that an element adds in a step: the products whose operands have arrived. `first` is the first such dimension of the chunk. */
static hydraf_sum_t products(const hydraf_element_t row[HYDRAF_CHUNK], const hydraf_element_t column[HYDRAF_CHUNK], int32_t all, int32_t first)
{
#if HYDRAF_LANES > 1
    hydraf_sum_t sum = 0;
    for (int32_t t = 0; t < HYDRAF_CHUNK; t++) {
        hydraf_element_t here = all || t == first ? row[t] : 0;
        sum += (hydraf_sum_t)here * column[t];
    }
    return sum;
#else
    (void)all;
    int32_t there = first >= 0 && first < HYDRAF_CHUNK;
    return there ? (hydraf_sum_t)row[there ? first : 0] * (hydraf_sum_t)column[there ? first : 0] : 0;
#endif
}

void hydraf_arrays(HYDRAF_FIFO_PARAMETER(hydraf_row_t, encoded, HYDRAF_ROWS_MOST), int32_t rows, int32_t learns, hydraf_block_t clusters,
                   hydraf_block_t models, hydraf_batch_t batch, hydraf_sums_t similarity, hydraf_sums_t prediction)
{
    const int32_t at_once = AT_ONCE && !learns;
    const int32_t steps = at_once ? rows : HYDRAF_CHUNK + (rows > HYDRAF_CLUSTERS ? rows : HYDRAF_CLUSTERS);
    int32_t chunk = 0, step = 0, taken = 0;
    hydraf_element_t array_rows[HYDRAF_BATCH][HYDRAF_CHUNK];
    HYDRAF_ARRAY_PARTITION_ARRAY_ROWS
    hydraf_sum_t similarities[HYDRAF_BATCH][HYDRAF_CLUSTERS], predictions[HYDRAF_BATCH][HYDRAF_CLUSTERS];
    HYDRAF_ARRAY_PARTITION_SIMILARITIES
    HYDRAF_ARRAY_PARTITION_PREDICTIONS
HYDRAF_LABEL(clustering_clear)
    for (int32_t i = 0; i < HYDRAF_BATCH * HYDRAF_CHUNK; i++) {
        HYDRAF_UNROLL_CLUSTERING_CLEAR
        array_rows[i / HYDRAF_CHUNK][i % HYDRAF_CHUNK] = 0;
    }
HYDRAF_LABEL(clustering_begin)
    for (int32_t i = 0; i < HYDRAF_ENTRIES; i++) {
        HYDRAF_UNROLL_CLUSTERING_BEGIN
        similarities[i / HYDRAF_CLUSTERS][i % HYDRAF_CLUSTERS] = 0;
        predictions[i / HYDRAF_CLUSTERS][i % HYDRAF_CLUSTERS] = 0;
    }
HYDRAF_LABEL(clustering_steps)
    for (int32_t i = 0; i < HYDRAF_CHUNKS * steps; i++) {
        HYDRAF_PIPELINE_CLUSTERING_STEPS
        HYDRAF_LOOP_TRIPCOUNT_CLUSTERING_STEPS
        hydraf_element_t array_clusters[HYDRAF_CLUSTERS][HYDRAF_CHUNK], array_models[HYDRAF_CLUSTERS][HYDRAF_CHUNK];
        HYDRAF_ARRAY_PARTITION_ARRAY_CLUSTERS
        HYDRAF_ARRAY_PARTITION_ARRAY_MODELS
        if (step < rows) { /* one row enters per step */
            hydraf_row_t row = HYDRAF_TAKE(encoded, taken);
            taken++;
            for (int32_t t = 0; t < HYDRAF_CHUNK; t++) {
                hydraf_element_t element = hydraf_element(row, t);
                batch[chunk][step][t] = element;
                for (int32_t j = 0; j < HYDRAF_BATCH; j++)
                    array_rows[j][t] = j == step ? element : array_rows[j][t];
            }
        }
        for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++)
            for (int32_t t = 0; t < HYDRAF_CHUNK; t++) {
                array_clusters[k][t] = clusters[chunk][k][t];
                array_models[k][t] = models[chunk][k][t];
            }
    HYDRAF_LABEL(clustering_rows)
        for (int32_t j = 0; j < HYDRAF_BATCH; j++) {
            HYDRAF_UNROLL_CLUSTERING_ROWS
        HYDRAF_LABEL(clustering_columns)
            for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
                HYDRAF_UNROLL_CLUSTERING_COLUMNS
                int32_t first = at_once ? -1 : step - skew_of(j, k), all = at_once && step == j;
                similarities[j][k] += products(array_rows[j], array_clusters[k], all, first);
                predictions[j][k] += products(array_rows[j], array_models[k], all, first);
            }
        }
        int32_t ends = step == steps - 1;
        step = ends ? 0 : step + 1;
        chunk += ends;
    }
HYDRAF_LABEL(clustering_end)
    for (int32_t i = 0; i < HYDRAF_ENTRIES; i++) {
        HYDRAF_UNROLL_CLUSTERING_END
        similarity[i / HYDRAF_CLUSTERS][i % HYDRAF_CLUSTERS] = similarities[i / HYDRAF_CLUSTERS][i % HYDRAF_CLUSTERS];
        prediction[i / HYDRAF_CLUSTERS][i % HYDRAF_CLUSTERS] = predictions[i / HYDRAF_CLUSTERS][i % HYDRAF_CLUSTERS];
    }
}
