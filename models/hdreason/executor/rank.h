/* Ranking: the position of the right entity among all by distance, without other right answers. */
#pragma once

#include <string.h>

#include "models/hdreason/executor/model.h"

/* Symmetric fixed point: whole numbers of magnitude up to 2^(bits − 1) − 1. hdr_step() returns the least power of two as a step that reaches
 * `largest` (1 if that is 0). hdr_rounded() returns a value in steps, to nearest even, saturated. */
float hdr_step(float largest, enum hdr_precision precision);
int32_t hdr_rounded(float value, float step, enum hdr_precision precision);

/* The query of a triple: for its tail, or (way 1) for its head by the inverse relation. */
struct hdr_question {
    struct hdr_pair query;
    int32_t answer;
};
static inline struct hdr_question hdr_question_of(const struct dse_triple_set *set, size_t item, size_t way)
{
    const struct dse_triple t = set->triple[item];
    if (way == 0)
        return (struct hdr_question){{t.head, t.relation}, t.tail};
    return (struct hdr_question){{t.tail, t.relation + (int32_t)set->relation.count}, t.head};
}

/* Filtered ranks of `count` triples of the set, [count × ways]: of the tail and, with double direction, of the head. A rank is 1 + nearer entities +
 * half of the equally near ones, without other answers known in any part of the set. It uses the model's memory, precision and kept dimensions. The
 * result is the same for any run->jobs. O(count · entities · dim). */
enum dse_status hdr_rank(const struct hdr_model *model, const struct dse_triple_set *set, const size_t *item, size_t count,
                         const struct dse_run *run, double *rank, struct dse_error *err);

/* The bits of a float as a word, and back. */
static inline int32_t hdr_bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float hdr_float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Inputs of the score, for ranking and for the simulated machine: memory and relations in the score's elements. */
struct hdr_ranker {
    struct dse_arena arena;
    enum hdr_vectors vectors;
    enum hdr_precision precision;
    size_t entities, dims, stride; /* dims: kept; rows are `stride` apart, padded with zeros */
    size_t *dim;                   /* [dim of the model] kept dimensions, ascending, then the others */
    int32_t *row;                  /* [entities × stride] M, and */
    int32_t *relation;             /* [relation_rows × stride] H_r, in steps; with fp32 the bits of floats */
    uint8_t *byte;                 /* [entities × stride] M of fix8 and fix4 with 128 added, or NULL */
};
void hdr_ranker_make(const struct hdr_model *model, struct hdr_ranker *out);
void hdr_ranker_free(struct hdr_ranker *ranker);

/* Element k of M_s + H_r in the score engines: saturated in fixed point. */
int32_t hdr_ranker_query(const struct hdr_ranker *ranker, size_t subject, size_t relation, size_t k);

/* Distances of `lanes` queries (a multiple of HDR_REGISTER) to `count` rows from `first` on, [count × lanes]. hdr_ranker_turn() writes `turned`,
 * [lanes × stride] words. */
void hdr_ranker_turn(const struct hdr_ranker *ranker, const struct hdr_pair *query, size_t count, size_t lanes, int32_t *turned);
void hdr_ranker_distances(const struct hdr_ranker *ranker, size_t first, size_t count, const int32_t *turned, size_t lanes, int32_t *out);
