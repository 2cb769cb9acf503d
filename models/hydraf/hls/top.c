/* SPDX-License-Identifier: MIT */ /* The kernel: its stages in sequence, its ports, and its state, which is kept between calls. */
#include "hydraf.h"

/* Compare: reads the samples, encodes them if the design has an encoder, and multiplies them with clusters and models in parallel. */
static void hydraf_compare(HYDRAF_PARAMETERS_SAMPLES, HYDRAF_PARAMETERS_TARGETS, int32_t rows, int32_t learns, int32_t shift,
                           hydraf_block_t clusters, hydraf_block_t models, hydraf_batch_t batch, float target[HYDRAF_BATCH],
                           hydraf_sums_t similarity, hydraf_sums_t prediction)
{
    HYDRAF_DATAFLOW_COMPARE
    HYDRAF_LOCAL HYDRAF_FIFO(hydraf_row_t, encoded, HYDRAF_ROWS_MOST);
    HYDRAF_STREAM_ENCODED
#if HYDRAF_ENCODES
    hydraf_encode(HYDRAF_ARGUMENTS_SAMPLES, rows, shift, encoded);
#else
    (void)shift;
    hydraf_samples(HYDRAF_ARGUMENTS_SAMPLES, rows, encoded);
#endif
    hydraf_arrays(encoded, rows, learns, clusters, models, batch, similarity, prediction);
    hydraf_targets(HYDRAF_ARGUMENTS_TARGETS, rows, learns, target);
}

void HYDRAF_TOP(HYDRAF_PARAMETERS_SAMPLES, HYDRAF_PARAMETERS_TARGETS, HYDRAF_PARAMETERS_ANSWERS, HYDRAF_PARAMETERS_REGISTERS)
{
    HYDRAF_TOP_INTERFACES
    static hydraf_element_t clusters[HYDRAF_CHUNKS][HYDRAF_CLUSTERS][HYDRAF_CHUNK], models[HYDRAF_CHUNKS][HYDRAF_CLUSTERS][HYDRAF_CHUNK];
    static hydraf_element_t batch[HYDRAF_CHUNKS][HYDRAF_BATCH][HYDRAF_CHUNK];
    static struct hydraf_scales scales;
    HYDRAF_ARRAY_PARTITION_CLUSTERS
    HYDRAF_ARRAY_PARTITION_MODELS
    HYDRAF_ARRAY_PARTITION_BATCH
    HYDRAF_LOCAL hydraf_sum_t similarity[HYDRAF_BATCH][HYDRAF_CLUSTERS], prediction[HYDRAF_BATCH][HYDRAF_CLUSTERS];
    HYDRAF_ARRAY_PARTITION_SIMILARITY
    HYDRAF_ARRAY_PARTITION_PREDICTION
    HYDRAF_LOCAL struct hydraf_predicted predicted;
    float target[HYDRAF_BATCH];
    int32_t rows = count < 1 ? 1 : count > HYDRAF_BATCH ? HYDRAF_BATCH : (int32_t)count, learns = command == HYDRAF_COMMAND_LEARN;
    if (command == HYDRAF_COMMAND_LOAD) {
        hydraf_load(HYDRAF_ARGUMENTS_SAMPLES, clusters, models, &scales);
    } else if (command == HYDRAF_COMMAND_STORE) {
        hydraf_store(HYDRAF_ARGUMENTS_ANSWERS, clusters, models, &scales);
    } else {
        hydraf_compare(HYDRAF_ARGUMENTS_SAMPLES, HYDRAF_ARGUMENTS_TARGETS, rows, learns, scales.encoder_shift, clusters, models, batch, target,
                       similarity, prediction);
        hydraf_softmax(rows, &scales, similarity, prediction, &predicted);
        if (learns)
            hydraf_update(rows, seed, hydraf_real(model_rate), hydraf_real(cluster_rate), target, &predicted, batch, clusters, models, &scales);
        hydraf_answers(HYDRAF_ARGUMENTS_ANSWERS, rows, predicted.estimate);
    }
}
