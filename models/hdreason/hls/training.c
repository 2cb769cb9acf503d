/* SPDX-License-Identifier: MIT */ /* Training (paper, section 4.4, Figure 7). SA1 sums signs of the differences, times the host's weights, into the gradients of memories and queries. Memory rows
 * are summed. MUL applies the derivative of tanh. SA2 is the array that multiplies a block of rows by H^B transposed. Between SA1 and MUL, the dispatcher and the memorisation IPs bind the
 * memories' gradients with the relations. */
#include "hdreason.h"
#include "hdreason_base_turned.h"
#include "hdreason_model.h"

#define WEIGHT_PARTS (HDREASON_WEIGHT_WORDS * HDREASON_HOST_PARTS)
#define WEIGHED_PARTS ((HDREASON_BATCH + 1) / 2) /* parts that hold a weight */
#define LAST_STEP (HDREASON_STEPS - 1)
#define LAST_CHUNK (HDREASON_IP_STEPS - 1)

void hdreason_weights(HDREASON_PARAMETERS_WEIGHTS, HDREASON_FIFO_PARAMETER(hdreason_weights_t, weighted, HDREASON_ENTITIES))
{
    int32_t word = 0, made = 0;
    uint32_t weight_parts[WEIGHT_PARTS];
    HDREASON_ARRAY_PARTITION_WEIGHT_PARTS
HDREASON_LABEL(pcie_empty)
    for (int32_t p = 0; p < WEIGHT_PARTS; p++) {
        HDREASON_UNROLL_PCIE_EMPTY
        weight_parts[p] = 0;
    }
HDREASON_LABEL(pcie_weights)
    for (int32_t i = 0; i < HDREASON_ENTITIES * HDREASON_WEIGHT_WORDS; i++) {
        HDREASON_PIPELINE_PCIE_WEIGHTS
        HDREASON_LOOP_TRIPCOUNT_PCIE_WEIGHTS
        hdreason_host_t in[1];
        HDREASON_READ_WEIGHTS(in, i);
        for (int32_t p = 0; p < WEIGHT_PARTS; p++) { /* appended after the previous words */
            int32_t of = p + HDREASON_HOST_PARTS - WEIGHT_PARTS;
            weight_parts[p] = of < 0 ? weight_parts[of < 0 ? p + HDREASON_HOST_PARTS : 0] : HDREASON_PART_HOST(in[0], of < 0 ? 0 : of);
        }
        if (word == HDREASON_WEIGHT_WORDS - 1) {
            hdreason_weights_t out;
            for (int32_t p = 0; p < WEIGHED_PARTS; p++)
                HDREASON_PART_WEIGHTS(out, p) = weight_parts[p];
            HDREASON_PUT(weighted, made, out);
            made++;
        }
        word = word == HDREASON_WEIGHT_WORDS - 1 ? 0 : word + 1;
    }
}

/* Weight of query b. */
static int32_t weight_of(hdreason_weights_t weights, int32_t b)
{
    uint32_t part = HDREASON_PART_WEIGHTS(weights, b / 2);
    return (int32_t)(part << (16 - b % 2 * 16)) >> 16;
}

/* The weight if the saturated M_s + H_r is at least the memory, else its negative. The upper end needs no saturation: every memory is less or equal. */
static int32_t signed_weight(int32_t subject, int32_t relation, int32_t memory, int32_t weight)
{
    int32_t sum = subject + relation;
    int32_t query = sum < -HDREASON_LARGEST ? -HDREASON_LARGEST : sum;
    return query >= memory ? weight : -weight;
}

/* Sums per entity over the queries, one chunk per step; then sums per query over the entities. */
void hdreason_signs(HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS), HDREASON_FIFO_PARAMETER(hdreason_weights_t, weighted, HDREASON_ENTITIES),
                    hdreason_queries_t subjects, hdreason_queries_t relations, HDREASON_FIFO_PARAMETER(hdreason_signs_t, signs, HDREASON_SIGNED *HDREASON_STEPS))
{
    int32_t step = 0, entity = 0;
    HDREASON_LOCAL int32_t signs_sums[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES], signs_weights[HDREASON_BATCH]; /* written before they are read */
    HDREASON_ARRAY_PARTITION_SIGNS_SUMS
    HDREASON_ARRAY_PARTITION_SIGNS_WEIGHTS
    HDREASON_DEPENDENCE_SIGNS_SUMS
HDREASON_LABEL(score_signs)
    for (int32_t i = 0; i < HDREASON_SIGNED * HDREASON_STEPS; i++) {
        HDREASON_PIPELINE_SCORE_SIGNS
        HDREASON_LOOP_TRIPCOUNT_SCORE_SIGNS
        int32_t of_entity = entity < HDREASON_ENTITIES, ends = step == LAST_STEP;
        hdreason_chunk_t chunk;
        if (of_entity) {
            chunk = HDREASON_TAKE(chunks, i);
        } else {
            for (int32_t p = 0; p < HDREASON_CHUNK_PARTS; p++)
                HDREASON_PART_CHUNK(chunk, p) = 0;
        }
        if (of_entity && step == 0) {
            hdreason_weights_t weights = HDREASON_TAKE(weighted, entity);
            for (int32_t b = 0; b < HDREASON_BATCH; b++)
                signs_weights[b] = weight_of(weights, b);
        }
        hdreason_signs_t out;
    HDREASON_LABEL(score_elements)
        for (int32_t l = 0; l < HDREASON_SCORE_LANES; l++) {
            HDREASON_UNROLL_SCORE_ELEMENTS
            int32_t memory = hdreason_element(chunk, l), sum = 0, first = signs_sums[step][0][l];
        HDREASON_LABEL(score_weights)
            for (int32_t b = 0; b < HDREASON_BATCH; b++) {
                HDREASON_UNROLL_SCORE_WEIGHTS
                int32_t signed_one = of_entity ? signed_weight(subjects[step][b][l], relations[step][b][l], memory, signs_weights[b]) : 0;
                int32_t next = b < HDREASON_BATCH - 1 ? signs_sums[step][b < HDREASON_BATCH - 1 ? b + 1 : b][l] : 0; /* after the entities the queries follow one another */
                int32_t base = !of_entity ? next : entity > 0 ? signs_sums[step][b][l] : 0;
                signs_sums[step][b][l] = base + signed_one;
                sum -= signed_one;
            }
            HDREASON_PART_SIGNS(out, l) = (uint32_t)(of_entity ? sum : first);
        }
        HDREASON_PUT(signs, i, out);
        entity += ends;
        step = ends ? 0 : step + 1;
    }
}

#define MORE (HDREASON_SCORE_LANES > HDREASON_MEMORISE_LANES ? HDREASON_SCORE_LANES / HDREASON_MEMORISE_LANES : 1)
#define LESS (HDREASON_MEMORISE_LANES > HDREASON_SCORE_LANES ? HDREASON_MEMORISE_LANES / HDREASON_SCORE_LANES : 1)
#define HELD (LESS * HDREASON_SCORE_LANES)

/* Converts chunks of the score engines to chunks of the memorisation IPs. */
void hdreason_bundles(HDREASON_FIFO_PARAMETER(hdreason_signs_t, signs, HDREASON_SIGNED *HDREASON_STEPS),
                      HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS))
{
    int32_t trip = 0, taken = 0, made = 0;
    uint32_t bundle_held[HELD];
    HDREASON_ARRAY_PARTITION_BUNDLE_HELD
HDREASON_LABEL(gradients_begin)
    for (int32_t k = 0; k < HELD; k++) {
        HDREASON_UNROLL_GRADIENTS_BEGIN
        bundle_held[k] = 0;
    }
HDREASON_LABEL(gradients_bundles)
    for (int32_t i = 0; i < HDREASON_SIGNED * HDREASON_BUNDLE_TRIPS; i++) {
        HDREASON_PIPELINE_GRADIENTS_BUNDLES
        HDREASON_LOOP_TRIPCOUNT_GRADIENTS_BUNDLES
        int32_t place = trip % LESS;
        if (trip % MORE == 0) {
            hdreason_signs_t in = HDREASON_TAKE(signs, taken);
            taken++;
            for (int32_t k = 0; k < HELD; k++)
                bundle_held[k] = k / HDREASON_SCORE_LANES == place ? HDREASON_PART_SIGNS(in, k % HDREASON_SCORE_LANES) : place == 0 ? 0 : bundle_held[k];
        } else {
            for (int32_t k = 0; k < HELD; k++) /* shifts the next chunk to the front */
                bundle_held[k] = k + HDREASON_MEMORISE_LANES < HELD ? bundle_held[k + HDREASON_MEMORISE_LANES < HELD ? k + HDREASON_MEMORISE_LANES : 0] : 0;
        }
        if (place == LESS - 1 || trip == HDREASON_BUNDLE_TRIPS - 1) {
            hdreason_bundle_t out;
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++)
                HDREASON_PART_BUNDLE(out, l) = bundle_held[l];
            HDREASON_PUT(bundles, made, out);
            made++;
        }
        trip = trip == HDREASON_BUNDLE_TRIPS - 1 ? 0 : trip + 1;
    }
}

/* Request flags. HOLDS: this row is the factor of the rows that follow (its own number is 0). BEGINS, ENDS: of a sum. BY_ROW: multiply the row by the held factor instead of the request's number. */
#define HOLDS 1
#define READS 2
#define BEGINS 4
#define ENDS 8
#define BY_ROW 16

/* Sums rows times rows or rows times numbers, chunk by chunk. */
void hdreason_sum_rows(HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES), HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES), int32_t requests,
                       HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS))
{
    int32_t step = 0, taken = 0, made = 0;
    uint32_t flags = 0, factor = 0, shift = 0;
    int32_t sums_row[HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES], sums_factor[HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
    int64_t sums_whole[HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
    HDREASON_ARRAY_PARTITION_SUMS_ROW
    HDREASON_ARRAY_PARTITION_SUMS_FACTOR
    HDREASON_ARRAY_PARTITION_SUMS_WHOLE
HDREASON_LABEL(gradients_empty)
    for (int32_t k = 0; k < HDREASON_IP_STEPS * HDREASON_MEMORISE_LANES; k++) {
        HDREASON_UNROLL_GRADIENTS_EMPTY
        sums_row[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = sums_factor[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = 0;
        sums_whole[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = 0;
    }
HDREASON_LABEL(gradients_sums)
    for (int32_t i = 0; i < requests * HDREASON_IP_STEPS; i++) {
        HDREASON_PIPELINE_GRADIENTS_SUMS
        HDREASON_LOOP_TRIPCOUNT_GRADIENTS_SUMS
        if (step == 0) {
            hdreason_request_t next = HDREASON_TAKE(orders, taken);
            hdreason_vector_t row = HDREASON_TAKE(fetched, taken);
            taken++;
            flags = HDREASON_PART_REQUEST(next, 0);
            factor = HDREASON_PART_REQUEST(next, 1);
            shift = HDREASON_PART_REQUEST(next, 2);
            int32_t holds = -(int32_t)(flags & HOLDS);
            for (int32_t k = 0; k < HDREASON_IP_STEPS * HDREASON_MEMORISE_LANES; k++) {
                int32_t there = k < HDREASON_DIM, element = there ? hdreason_of_vector(row, there ? k : 0) : 0;
                sums_row[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = element;
                int32_t held = sums_factor[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES];
                sums_factor[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = (element & holds) | (held & ~holds);
            }
        }
        hdreason_bundle_t out;
    HDREASON_LABEL(gradients_lanes)
        for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++) {
            HDREASON_UNROLL_GRADIENTS_LANES
            int32_t by = (flags & BY_ROW) != 0 ? sums_factor[0][l] : (int32_t)factor;
            int64_t whole = ((flags & BEGINS) != 0 ? 0 : sums_whole[0][l]) + (int64_t)sums_row[0][l] * by;
            int32_t first = sums_factor[0][l];
            for (int32_t s = 0; s < LAST_CHUNK; s++) { /* shifts the next chunk to the front */
                sums_row[s][l] = sums_row[s + 1][l];
                sums_factor[s][l] = sums_factor[s + 1][l];
                sums_whole[s][l] = sums_whole[s + 1][l];
            }
            sums_factor[LAST_CHUNK][l] = first;
            sums_whole[LAST_CHUNK][l] = whole;
            HDREASON_PART_BUNDLE(out, l) = (uint32_t)hdreason_shifted(whole, (int32_t)shift);
        }
        if ((flags & ENDS) != 0) {
            HDREASON_PUT(bundles, made, out);
            made++;
        }
        step = step == LAST_CHUNK ? 0 : step + 1;
    }
}

#define ONE (INT64_C(1) << (HDREASON_ELEMENT_BITS - 1))

/* Passes gradient rows on, each times 1 − H² or unchanged; H is the request after its row, or a relation's. */
void hdreason_through(HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES), HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES), int32_t rows, int32_t derives,
                      hdreason_vector_t bindings[HDREASON_RELATIONS], HDREASON_FIFO_PARAMETER(hdreason_through_t, through, HDREASON_ENCODED_MOST *HDREASON_IP_STEPS))
{
    int32_t step = 0, taken = 0, asked = 0;
    int32_t through_row[HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES], through_hyper[HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
    HDREASON_ARRAY_PARTITION_THROUGH_ROW
    HDREASON_ARRAY_PARTITION_THROUGH_HYPER
HDREASON_LABEL(training_begin)
    for (int32_t k = 0; k < HDREASON_IP_STEPS * HDREASON_MEMORISE_LANES; k++) {
        HDREASON_UNROLL_TRAINING_BEGIN
        through_row[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = through_hyper[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = 0;
    }
HDREASON_LABEL(training_through)
    for (int32_t i = 0; i < rows * HDREASON_THROUGH_TRIPS; i++) {
        HDREASON_PIPELINE_TRAINING_THROUGH
        HDREASON_LOOP_TRIPCOUNT_TRAINING_THROUGH
        if (step <= 1) { /* first the row, then H */
            hdreason_request_t next = HDREASON_TAKE(orders, asked);
            uint32_t relation = HDREASON_PART_REQUEST(next, 1);
            hdreason_vector_t row = bindings[relation < HDREASON_RELATIONS ? relation : 0];
            asked++;
            if ((HDREASON_PART_REQUEST(next, 0) & READS) != 0) {
                row = HDREASON_TAKE(fetched, taken);
                taken++;
            }
            for (int32_t k = 0; k < HDREASON_IP_STEPS * HDREASON_MEMORISE_LANES; k++) {
                int32_t there = k < HDREASON_DIM, element = there ? hdreason_of_vector(row, there ? k : 0) : 0;
                if (step == 0)
                    through_row[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = element;
                else
                    through_hyper[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = element;
            }
        }
        if (step >= 1) {
            hdreason_through_t out;
            uint32_t part = 0;
        HDREASON_LABEL(training_lanes)
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++) {
                HDREASON_UNROLL_TRAINING_LANES
                int64_t hyper = through_hyper[0][l], row = through_row[0][l];
                int32_t derived = hdreason_shifted(row * (ONE * ONE - hyper * hyper), 2 * (HDREASON_ELEMENT_BITS - 1));
                uint32_t element = (uint32_t)(derives ? derived : (int32_t)row) & ((UINT32_C(1) << HDREASON_ELEMENT_BITS) - 1);
                part |= element << (l * HDREASON_ELEMENT_BITS % 32);
                HDREASON_PART_THROUGH(out, l * HDREASON_ELEMENT_BITS / 32) = part;
                part = (l + 1) * HDREASON_ELEMENT_BITS % 32 == 0 ? 0 : part;
                for (int32_t s = 0; s < LAST_CHUNK; s++) { /* shifts the next chunk to the front */
                    through_row[s][l] = through_row[s + 1][l];
                    through_hyper[s][l] = through_hyper[s + 1][l];
                }
            }
            HDREASON_PUT(through, i - i / HDREASON_THROUGH_TRIPS - 1, out);
        }
        step = step == HDREASON_THROUGH_TRIPS - 1 ? 0 : step + 1;
    }
}

/* Element c of a word of H^B transposed. */
static int32_t turned_of(int32_t word, int32_t c)
{
    uint32_t part = hdreason_base_turned[word][c * HDREASON_ELEMENT_BITS / 32];
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - c * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

static int32_t through_of(hdreason_through_t word, int32_t l)
{
    uint32_t part = HDREASON_PART_THROUGH(word, l * HDREASON_ELEMENT_BITS / 32);
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - l * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

/* Double buffering: a block of rows is loaded while the previous block is multiplied. A trip multiplies one dimension of all rows in the block with several elements of the embedding. After each sweep over
 * the dimensions the sums leave row by row. */
void hdreason_train(HDREASON_FIFO_PARAMETER(hdreason_through_t, through, HDREASON_ENCODED_MOST *HDREASON_IP_STEPS), int32_t rows,
                    HDREASON_FIFO_PARAMETER(hdreason_columns_t, columns, HDREASON_ENCODED_MOST *HDREASON_TRAIN_SWEEPS))
{
    HDREASON_ARRAY_PARTITION_BASE_TURNED
    HDREASON_LOCAL hdreason_through_t train_rows[HDREASON_TRAIN_CHUNK][2 * HDREASON_IP_STEPS];
    HDREASON_ARRAY_PARTITION_TRAIN_ROWS
    HDREASON_AGGREGATE_TRAIN_ROWS
    int32_t train_front[HDREASON_TRAIN_CHUNK][HDREASON_MEMORISE_LANES];
    int64_t train_sums[HDREASON_TRAIN_CHUNK][HDREASON_TRAIN_COLUMNS], train_done[HDREASON_TRAIN_CHUNK][HDREASON_TRAIN_COLUMNS];
    HDREASON_ARRAY_PARTITION_TRAIN_FRONT
    HDREASON_ARRAY_PARTITION_TRAIN_SUMS
    HDREASON_ARRAY_PARTITION_TRAIN_DONE
    int32_t trip = 0, sweep = 0, at = 0, lane = 0, chunk = 0, load_row = 0, load_chunk = 0, bank = 0, taken = 0, made = 0, left = 0, block_rows = 0, waiting = rows;
HDREASON_LABEL(training_clear)
    for (int32_t k = 0; k < HDREASON_TRAIN_CHUNK * HDREASON_MEMORISE_LANES; k++) {
        HDREASON_UNROLL_TRAINING_CLEAR
        train_front[k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = 0;
    }
HDREASON_LABEL(training_empty)
    for (int32_t k = 0; k < HDREASON_TRAIN_CHUNK * HDREASON_TRAIN_COLUMNS; k++) {
        HDREASON_UNROLL_TRAINING_EMPTY
        train_sums[k / HDREASON_TRAIN_COLUMNS][k % HDREASON_TRAIN_COLUMNS] = train_done[k / HDREASON_TRAIN_COLUMNS][k % HDREASON_TRAIN_COLUMNS] = 0;
    }
HDREASON_LABEL(training_steps)
    for (int32_t i = 0; i < ((rows + HDREASON_TRAIN_CHUNK - 1) / HDREASON_TRAIN_CHUNK + 1) * HDREASON_TRAIN_TRIPS + HDREASON_TRAIN_CHUNK; i++) {
        HDREASON_PIPELINE_TRAINING_STEPS
        HDREASON_LOOP_TRIPCOUNT_TRAINING_STEPS
        if (left > 0) { /* output before this trip's sums */
            hdreason_columns_t out;
            for (int32_t c = 0; c < HDREASON_TRAIN_COLUMNS; c++) {
                int64_t halves = train_done[0][c] >> (HDREASON_GRADIENT_SHIFT > 0 ? HDREASON_GRADIENT_SHIFT - 1 : 0);
                HDREASON_PART_COLUMNS(out, c) = (uint32_t)(HDREASON_GRADIENT_SHIFT > 0 ? (halves + 1) >> 1 : halves);
            }
            HDREASON_PUT(columns, made, out);
            made++;
            left--;
        }
        int32_t works = sweep < HDREASON_TRAIN_SWEEPS && at < HDREASON_DIM && block_rows > 0, ends = works && at == HDREASON_DIM - 1;
    HDREASON_LABEL(training_rows)
        for (int32_t t = 0; t < HDREASON_TRAIN_CHUNK; t++) {
            HDREASON_UNROLL_TRAINING_ROWS
            hdreason_through_t word = train_rows[t][(1 - bank) * HDREASON_IP_STEPS + chunk];
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++) { /* shifts the next dimension to the front */
                int32_t after = train_front[t][l < HDREASON_MEMORISE_LANES - 1 ? l + 1 : l];
                train_front[t][l] = lane == 0 ? through_of(word, l) : after;
            }
        HDREASON_LABEL(training_columns)
            for (int32_t c = 0; c < HDREASON_TRAIN_COLUMNS; c++) {
                HDREASON_UNROLL_TRAINING_COLUMNS
                int64_t sum = (at == 0 ? 0 : train_sums[t][c]) + train_front[t][0] * turned_of(works ? sweep * HDREASON_DIM + at : 0, c);
                int64_t after = train_done[t < HDREASON_TRAIN_CHUNK - 1 ? t + 1 : t][c];
                train_sums[t][c] = works ? sum : train_sums[t][c];
                train_done[t][c] = ends ? sum : after; /* shifts the next row to the front */
            }
        }
        left = ends ? block_rows : left;
        if (load_row < HDREASON_TRAIN_CHUNK && waiting > 0) {
            hdreason_through_t next = HDREASON_TAKE(through, taken);
            taken++;
        HDREASON_LABEL(training_loads)
            for (int32_t t = 0; t < HDREASON_TRAIN_CHUNK; t++) {
                HDREASON_UNROLL_TRAINING_LOADS
                if (t == load_row)
                    train_rows[t][bank * HDREASON_IP_STEPS + load_chunk] = next;
            }
            load_row += load_chunk == LAST_CHUNK;
            waiting -= load_chunk == LAST_CHUNK;
            load_chunk = load_chunk == LAST_CHUNK ? 0 : load_chunk + 1;
        }
        int32_t over = trip == HDREASON_TRAIN_TRIPS - 1, swept = at == HDREASON_SWEEP_TRIPS - 1, lanes_over = lane == HDREASON_MEMORISE_LANES - 1;
        chunk = over || swept ? 0 : lanes_over && chunk < LAST_CHUNK ? chunk + 1 : chunk;
        lane = over || swept || lanes_over ? 0 : lane + 1;
        sweep = over ? 0 : sweep + swept;
        at = over || swept ? 0 : at + 1;
        block_rows = over ? load_row : block_rows;
        bank = over ? 1 - bank : bank;
        load_row = over ? 0 : load_row;
        trip = over ? 0 : trip + 1;
    }
}

#define COLUMN_PARTS (HDREASON_COLUMN_WORDS * HDREASON_HOST_PARTS)

void hdreason_embeddings(HDREASON_FIFO_PARAMETER(hdreason_columns_t, columns, HDREASON_ENCODED_MOST *HDREASON_TRAIN_SWEEPS), int32_t rows, HDREASON_PARAMETERS_GRADIENTS)
{
    int32_t word = 0, taken = 0;
    uint32_t column_parts[COLUMN_PARTS];
    HDREASON_ARRAY_PARTITION_COLUMN_PARTS
HDREASON_LABEL(pcie_clear)
    for (int32_t p = 0; p < COLUMN_PARTS; p++) {
        HDREASON_UNROLL_PCIE_CLEAR
        column_parts[p] = 0;
    }
HDREASON_LABEL(pcie_gradients)
    for (int32_t i = 0; i < rows * HDREASON_TRAIN_SWEEPS * HDREASON_COLUMN_WORDS; i++) {
        HDREASON_PIPELINE_PCIE_GRADIENTS
        HDREASON_LOOP_TRIPCOUNT_PCIE_GRADIENTS
        hdreason_host_t out;
        if (word == 0) {
            hdreason_columns_t in = HDREASON_TAKE(columns, taken);
            taken++;
            for (int32_t p = 0; p < COLUMN_PARTS; p++)
                column_parts[p] = p < HDREASON_TRAIN_COLUMNS ? HDREASON_PART_COLUMNS(in, p < HDREASON_TRAIN_COLUMNS ? p : 0) : 0;
        } else {
            for (int32_t p = 0; p < COLUMN_PARTS; p++) /* shifts the next word to the front */
                column_parts[p] = p + HDREASON_HOST_PARTS < COLUMN_PARTS ? column_parts[p + HDREASON_HOST_PARTS < COLUMN_PARTS ? p + HDREASON_HOST_PARTS : 0] : 0;
        }
        for (int32_t p = 0; p < HDREASON_HOST_PARTS; p++)
            HDREASON_SET_HOST(out, p, column_parts[p]);
        gradients[i] = out;
        word = word == HDREASON_COLUMN_WORDS - 1 ? 0 : word + 1;
    }
}
