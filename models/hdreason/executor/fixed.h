/* Encoding and memorising in whole numbers, as the accelerator computes them (models/hdreason/microarchitecture.md, "Whole numbers"). A trained
 * fixed-point model keeps the result as its memory. */
#pragma once

#include "models/hdreason/executor/model.h"

#define HDR_TANH_WORDS 1024 /* words of the table of tanh: |x| from 0 in steps of 2^-HDR_TANH_BITS */
#define HDR_TANH_BITS 8
#define HDR_PRODUCT_BITS 16 /* upper bound of a product of H_j and H_r */
#define HDR_SHARE_BITS 15   /* bits of a reciprocal's fraction */

/* H^B and the table of tanh of one model, and the steps of its embeddings. */
struct hdr_fixed {
    struct dse_arena arena;
    size_t embedding, dim;
    enum hdr_precision precision;
    float step, base_step;        /* step of an embedding; step of H^B */
    int address_shift;            /* right shift from a sum to the table's address; negative: left */
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

/* An embedding in its steps; and its H, [dim]. O(embedding × dim). */
void hdr_fixed_embedding(const struct hdr_fixed *fixed, const float *row, int32_t *out);
void hdr_fixed_encode(const struct hdr_fixed *fixed, const float *row, int32_t *hyper);

/* Low bits that a product drops. */
int hdr_product_shift(enum hdr_precision precision);

/* A vertex's sum times `factor`, shifted right by `shift`, is M in steps of `step`. The factor is the 16-bit reciprocal of the number of neighbours,
 * or 2^15 with memory=sum. */
struct hdr_share {
    uint32_t factor, shift;
};
struct hdr_share hdr_share_of(const struct hdr_setting *setting, size_t neighbours, float step);
struct hdr_share hdr_share_by(const struct hdr_setting *setting, size_t neighbours, int right); /* the same for a sum's own steps, shifted by `right` more */
int32_t hdr_shared(int64_t sum, struct hdr_share share, enum hdr_precision precision);

/* Right shift that takes H_r to steps of the memory. */
int hdr_relation_shift(float step, enum hdr_precision precision);
int32_t hdr_fixed_relation(int32_t hyper, float step, enum hdr_precision precision);

/* A value shifted right (left if negative), rounded half up; and the same saturated to an element. */
int64_t hdr_rounded_shift(int64_t value, int right);
int32_t hdr_fixed_shifted(int64_t value, int right, enum hdr_precision precision);

/* H of every entity and relation, [(entities + relations) × dim], and M of every entity of the graph, [entities × dim], in steps of `step`.
 * If `step` is 0, it is set to the least power of two that holds M. O(edges × dim). */
void hdr_fixed_memory(const struct hdr_fixed *fixed, const struct hdr_setting *setting, const struct hdr_graph *graph, const struct hdr_embeddings *from,
                      size_t jobs, int32_t *hyper, int32_t *memory, float *step);
