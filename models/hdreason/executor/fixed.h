/* Encoding and memorising in whole numbers, as the accelerator computes them (models/hdreason/microarchitecture.md, "Whole numbers"): what a trained
 * model of fixed point keeps as its memory. */
#pragma once

#include "models/hdreason/executor/model.h"

#define HDR_TANH_WORDS 1024 /* of tanh's table: |x| from 0 in steps of 2^-HDR_TANH_BITS */
#define HDR_TANH_BITS 8
#define HDR_PRODUCT_BITS 16 /* that a product of H_j and H_r keeps at most */
#define HDR_SHARE_BITS 15   /* of a reciprocal's fraction */

/* H^B and the table of tanh of one model, and the steps of its embeddings. */
struct hdr_fixed {
    struct dse_arena arena;
    size_t embedding, dim;
    enum hdr_precision precision;
    float step, base_step;        /* of an embedding, of H^B */
    int address_shift;            /* of a sum to the table's address: to the right, negative to the left */
    int32_t *base;                /* [embedding × dim] */
    int32_t tanh[HDR_TANH_WORDS]; /* in steps of 2^(1 − bits) */
};

/* `entity` and `relation` are rows of `embedding` elements, without padding. */
struct hdr_embeddings {
    const float *base, *entity, *relation;
    size_t entities, relations;
};
void hdr_fixed_make(const struct hdr_setting *setting, const struct hdr_embeddings *from, struct hdr_fixed *out);
void hdr_fixed_free(struct hdr_fixed *fixed);

/* An embedding in its steps; H of one, [dim]. O(embedding × dim). */
void hdr_fixed_embedding(const struct hdr_fixed *fixed, const float *row, int32_t *out);
void hdr_fixed_encode(const struct hdr_fixed *fixed, const float *row, int32_t *hyper);

/* Bits that a product loses at its lower end. */
int hdr_product_shift(enum hdr_precision precision);

/* A vertex's sum times `factor`, shifted to the right by `shift`, is M in steps of `step`. The factor is a reciprocal of 16 bits of the number of
 * neighbours, or 2^15 with memory=sum. */
struct hdr_share {
    uint32_t factor, shift;
};
struct hdr_share hdr_share_of(const struct hdr_setting *setting, size_t neighbours, float step);
struct hdr_share hdr_share_by(const struct hdr_setting *setting, size_t neighbours, int right); /* of a sum's steps, shifted to the right besides */
int32_t hdr_shared(int64_t sum, struct hdr_share share, enum hdr_precision precision);

/* H_r in steps of the memory, no farther than the last: shifted to the right by so much. */
int hdr_relation_shift(float step, enum hdr_precision precision);
int32_t hdr_fixed_relation(int32_t hyper, float step, enum hdr_precision precision);

/* A value shifted to the right (to the left where negative), to the nearest, of two the upper one; the same as an element, saturated. */
int64_t hdr_rounded_shift(int64_t value, int right);
int32_t hdr_fixed_shifted(int64_t value, int right, enum hdr_precision precision);

/* H of every entity and relation, [(entities + relations) × dim], and M of every entity of the graph, [entities × dim], in steps of `step`: where that is 0
 * it takes M's least power of two. O(edges × dim). */
void hdr_fixed_memory(const struct hdr_fixed *fixed, const struct hdr_setting *setting, const struct hdr_graph *graph, const struct hdr_embeddings *from,
                      size_t jobs, int32_t *hyper, int32_t *memory, float *step);
