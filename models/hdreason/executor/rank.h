/* Ranking: where the right entity stands among all by distance, other right answers left out. */
#pragma once

#include <string.h>

#include "models/hdreason/executor/model.h"

/* Fixed point of a precision, symmetric: whole numbers up to 2^(bits − 1) − 1 on each side. The least power of two as a step that
 * reaches `largest` (1 where that is 0); a value in steps, to the nearest, of two the even one, no farther than the last. */
float hdr_step(float largest, enum hdr_precision precision);
int32_t hdr_rounded(float value, float step, enum hdr_precision precision);

/* The query of a triple: its tail, or (way 1) its head by the inverse relation. */
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

/* The filtered rank of the tail and, with double direction, of the head of some triples of the set, [count × ways], triple by
 * triple: 1 + those nearer + half of those as near, without the other answers that any part of the set knows. By the model's
 * memory, its precision and its kept dimensions. The same for any run->jobs. O(count · entities · dim). */
enum dse_status hdr_rank(const struct hdr_model *model, const struct dse_triple_set *set, const size_t *item, size_t count,
                         const struct dse_run *run, double *rank, struct dse_error *err);

/* A float as the word that it lies in, and back. */
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

/* Inputs of the score, for ranking and for the simulated machine: memory and relations in its elements. */
struct hdr_ranker {
    struct dse_arena arena;
    enum hdr_vectors vectors;
    enum hdr_precision precision;
    size_t entities, dims, stride; /* dims: kept; rows are `stride` apart, zeros behind */
    size_t *dim;                   /* [dim of the model] which, ascending, and behind them those that are not kept */
    int32_t *row;                  /* [entities × stride] M, and */
    int32_t *relation;             /* [relation_rows × stride] H_r, in steps; with fp32 the bits of floats */
    uint8_t *byte;                 /* [entities × stride] M of fix8 and fix4 with 128 added, or NULL */
};
void hdr_ranker_make(const struct hdr_model *model, struct hdr_ranker *out);
void hdr_ranker_free(struct hdr_ranker *ranker);

/* Element k of M_s + H_r as the score engines have it: saturated in fixed point. */
int32_t hdr_ranker_query(const struct hdr_ranker *ranker, size_t subject, size_t relation, size_t k);

/* Distances of `lanes` queries (a multiple of HDR_REGISTER) to rows `first` …, [count × lanes]; `turned` is made by hdr_ranker_turn(),
 * [lanes × stride] words. */
void hdr_ranker_turn(const struct hdr_ranker *ranker, const struct hdr_pair *query, size_t count, size_t lanes, int32_t *turned);
void hdr_ranker_distances(const struct hdr_ranker *ranker, size_t first, size_t count, const int32_t *turned, size_t lanes, int32_t *out);
