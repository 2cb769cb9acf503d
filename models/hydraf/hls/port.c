/* SPDX-License-Identifier: MIT */ /* The memory ports: samples or features, targets, answers, and the state. One word per cycle, in ascending order, so that the tool infers bursts. */
#include "hydraf.h"

#define HEAD_PARTS 8 /* words of 32 bits of the state's header: the scales, then padding */
#define HEAD_WORDS ((HEAD_PARTS + HYDRAF_AXI_PARTS - 1) / HYDRAF_AXI_PARTS)

/* Words of the port per row, or rows per word. */
#define ROW_BITS (HYDRAF_CHUNK * HYDRAF_ELEMENT_BITS)
#define WORDS_A_ROW (ROW_BITS > HYDRAF_AXI_BITS ? ROW_BITS / HYDRAF_AXI_BITS : 1)
#define ROWS_A_WORD (ROW_BITS < HYDRAF_AXI_BITS ? HYDRAF_AXI_BITS / ROW_BITS : 1)

/* Registers for the words of a row. */
struct gathered {
    uint32_t part[WORDS_A_ROW * HYDRAF_AXI_PARTS];
};

/* Appends one word to the registers of a row. */
static struct gathered with_word(struct gathered held, hydraf_word_t word)
{
    struct gathered out;
HYDRAF_LABEL(axi_gather)
    for (int32_t i = 0; i < WORDS_A_ROW * HYDRAF_AXI_PARTS; i++) {
        HYDRAF_UNROLL_AXI_GATHER
        int32_t of_word = i - (WORDS_A_ROW - 1) * HYDRAF_AXI_PARTS;
        out.part[i] = of_word >= 0 ? HYDRAF_PART_WORD(word, of_word >= 0 ? of_word : 0) : held.part[i + HYDRAF_AXI_PARTS < WORDS_A_ROW * HYDRAF_AXI_PARTS ? i + HYDRAF_AXI_PARTS : i];
    }
    return out;
}

static hydraf_row_t first_row(struct gathered held)
{
    hydraf_row_t row;
HYDRAF_LABEL(axi_row)
    for (int32_t i = 0; i < HYDRAF_ROW_PARTS; i++) {
        HYDRAF_UNROLL_AXI_ROW
        HYDRAF_PART_ROW(row, i) = held.part[i];
    }
    return row;
}

#if !HYDRAF_ENCODES
/* The word without its first row. */
static struct gathered next_row(struct gathered held)
{
    struct gathered out;
    for (int32_t i = 0; i < WORDS_A_ROW * HYDRAF_AXI_PARTS; i++) {
        int32_t next = i + (ROW_BITS + 31) / 32, last = WORDS_A_ROW * HYDRAF_AXI_PARTS - 1;
#if HYDRAF_CHUNK * HYDRAF_ELEMENT_BITS < 32
        out.part[i] = held.part[i] >> ROW_BITS | (i < last ? held.part[next < last ? next : last] << (32 - ROW_BITS) : 0);
#else
        out.part[i] = held.part[next < last ? next : last];
#endif
    }
    return out;
}

void hydraf_samples(HYDRAF_PARAMETERS_SAMPLES, int32_t rows, HYDRAF_FIFO_PARAMETER(hydraf_row_t, encoded, HYDRAF_ROWS_MOST))
{
    int32_t row = 0;
    struct gathered held = {{0}};
HYDRAF_LABEL(axi_words)
    for (uint32_t i = 0; i < (uint32_t)(rows * (HYDRAF_CHUNKS * WORDS_A_ROW)) && i < HYDRAF_ROWS_MOST * WORDS_A_ROW; i++) {
        HYDRAF_PIPELINE_AXI_WORDS
        HYDRAF_LOOP_TRIPCOUNT_AXI_WORDS
        if (i % ROWS_A_WORD == 0) {
            hydraf_word_t word[1];
            HYDRAF_READ_SAMPLES(word, i / ROWS_A_WORD);
            held = with_word(held, word[0]);
        } else {
            held = next_row(held);
        }
        if (i % WORDS_A_ROW == WORDS_A_ROW - 1) {
            HYDRAF_PUT(encoded, row, first_row(held));
            row++;
        }
    }
}
#endif

void hydraf_targets(HYDRAF_PARAMETERS_TARGETS, int32_t rows, int32_t learns, float target[HYDRAF_BATCH])
{
    int32_t count = learns ? rows : 0;
HYDRAF_LABEL(axi_targets)
    for (int32_t j = 0; j < count && j < HYDRAF_BATCH; j++) {
        HYDRAF_PIPELINE_AXI_TARGETS
        HYDRAF_LOOP_TRIPCOUNT_AXI_TARGETS
        hydraf_value_t value[1];
        HYDRAF_READ_TARGETS(value, j);
        target[j] = hydraf_real(value[0]);
    }
}

void hydraf_answers(HYDRAF_PARAMETERS_ANSWERS, int32_t rows, const float estimate[HYDRAF_BATCH])
{
HYDRAF_LABEL(axi_answers)
    for (int32_t j = 0; j < rows && j < HYDRAF_BATCH; j++) {
        HYDRAF_PIPELINE_AXI_ANSWERS
        HYDRAF_LOOP_TRIPCOUNT_AXI_ANSWERS
        answers[j] = hydraf_bits(estimate[j]);
    }
}

/* The scales, then for each chunk the clusters' rows and the models' rows. Each begins at a new word. */
void hydraf_load(HYDRAF_PARAMETERS_SAMPLES, hydraf_block_t clusters, hydraf_block_t models, struct hydraf_scales *scales)
{
    uint32_t head[HEAD_WORDS * HYDRAF_AXI_PARTS];
    struct gathered held = {{0}};
    int32_t chunk = 0, hypervector = 0, place = 0;
HYDRAF_LABEL(axi_head)
    for (int32_t w = 0; w < HEAD_WORDS; w++) {
        HYDRAF_LOOP_TRIPCOUNT_AXI_HEAD
        hydraf_word_t word[1];
        HYDRAF_READ_SAMPLES(word, w);
    HYDRAF_LABEL(axi_head_parts)
        for (int32_t p = 0; p < HYDRAF_AXI_PARTS; p++) {
            HYDRAF_UNROLL_AXI_HEAD_PARTS
            head[w * HYDRAF_AXI_PARTS + p] = HYDRAF_PART_WORD(word[0], p);
        }
    }
    scales->cluster_step = (int32_t)head[0];
    scales->model_step = (int32_t)head[1];
    scales->row_step = (int32_t)head[2];
    scales->encoder_shift = (int32_t)head[3];
    scales->sharpness = hydraf_real(head[4]);
HYDRAF_LABEL(axi_load)
    for (int32_t w = 0; w < 2 * HYDRAF_CLUSTERS * HYDRAF_CHUNKS * WORDS_A_ROW; w++) {
        HYDRAF_LOOP_TRIPCOUNT_AXI_LOAD
        hydraf_word_t word[1];
        HYDRAF_READ_SAMPLES(word, HEAD_WORDS + w);
        held = with_word(held, word[0]);
        if (place == WORDS_A_ROW - 1) {
            hydraf_row_t row = first_row(held);
        HYDRAF_LABEL(axi_load_lanes)
            for (int32_t t = 0; t < HYDRAF_CHUNK; t++) {
                HYDRAF_UNROLL_AXI_LOAD_LANES
                if (hypervector < HYDRAF_CLUSTERS)
                    clusters[chunk][hypervector < HYDRAF_CLUSTERS ? hypervector : 0][t] = hydraf_element(row, t);
                else
                    models[chunk][hypervector < HYDRAF_CLUSTERS ? 0 : hypervector - HYDRAF_CLUSTERS][t] = hydraf_element(row, t);
            }
            chunk += hypervector == 2 * HYDRAF_CLUSTERS - 1;
            hypervector = hypervector == 2 * HYDRAF_CLUSTERS - 1 ? 0 : hypervector + 1;
        }
        place = place == WORDS_A_ROW - 1 ? 0 : place + 1;
    }
}

static uint32_t stored(hydraf_element_t element)
{
#if HYDRAF_REAL
    return hydraf_bits(element);
#else
    return (uint32_t)(int32_t)element;
#endif
}

/* Both exponents, then all elements: hypervector by hypervector, clusters then models, dimensions ascending. */
void hydraf_store(HYDRAF_PARAMETERS_ANSWERS, hydraf_block_t clusters, hydraf_block_t models, const struct hydraf_scales *scales)
{
    int32_t chunk = 0, hypervector = 0, lane = 0;
    answers[0] = (uint32_t)scales->cluster_step;
    answers[1] = (uint32_t)scales->model_step;
HYDRAF_LABEL(axi_store)
    for (int32_t i = 0; i < 2 * HYDRAF_CLUSTERS * HYDRAF_CHUNKS * HYDRAF_CHUNK; i++) {
        HYDRAF_LOOP_TRIPCOUNT_AXI_STORE
        int32_t of_clusters = hypervector < HYDRAF_CLUSTERS, k = of_clusters ? hypervector : hypervector - HYDRAF_CLUSTERS;
        answers[2 + i] = stored(of_clusters ? clusters[chunk][k][lane] : models[chunk][k][lane]);
        int32_t wraps = lane == HYDRAF_CHUNK - 1, ends = wraps && chunk == HYDRAF_CHUNKS - 1;
        lane = wraps ? 0 : lane + 1;
        chunk = ends ? 0 : chunk + wraps;
        hypervector += ends;
    }
}
