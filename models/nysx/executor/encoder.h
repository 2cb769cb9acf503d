/* From a graph to its kernel vector C: codebooks, landmark histograms, and the pass through LSHU, MPHE,
 * HUE and KSE (lines 3 to 14 of Algorithm 1). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/executor.h"
#include "models/nysx/executor/direct.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/kernel.h"
#include "models/nysx/executor/lsh.h"
#include "models/nysx/executor/mph.h"

/* One hop's codebook and landmark histograms. */
struct nysx_hop {
    int64_t *codebook;      /* [codes] distinct, ascending */
    size_t codes;           /* |B(t)| */
    struct nysx_csr counts; /* H(t), s × |B(t)| */
    size_t nonzeros;        /* number of `counts` */
    struct nysx_csr by_code; /* transpose of `counts` */
    struct nysx_mph mph;    /* over the codebook */
};

struct nysx_encoder {
    struct nysx_lsh lsh;
    struct nysx_hop *hop; /* [lsh.hops]; NULL for the direct form */
    size_t tables;        /* hops with a codebook: all or none */
    size_t landmarks;     /* s */
};

/* A looked-up code and its bin: −1 if in no codebook. */
struct nysx_found {
    int64_t code;
    int32_t bin;
};

#define NYSX_FOUND_BITS 9 /* 2^9 codes per hop are cached */
#define NYSX_NEVER_FOUND (-2)

/* Memory for one query; one per thread and encoder. */
struct nysx_scratch {
    float *values;      /* 3 × nodes */
    int64_t *codes;     /* nodes */
    int32_t *bins;      /* nodes */
    int32_t *histogram; /* the largest codebook; all 0 between uses */
    int32_t *kernel;    /* s */
    struct nysx_direct_scratch direct; /* for the direct form */
    struct nysx_found *found; /* hops × 2^NYSX_FOUND_BITS: the last code looked up per place */
};

/* Counts of a pass per hop. */
struct nysx_hop_counts {
    size_t hits, bins;               /* codes found; distinct bins among them */
    size_t probes_hit, probes_miss;  /* levels probed for codes found and not found */
};

/* Builds codebooks and histograms of the landmark graphs (indices into the set), in order. Takes ownership of the
 * LSH, also on failure. O(hops × landmark nodes × log). */
enum dse_status nysx_encoder_build(struct nysx_lsh *lsh, const struct nysx_features *features,
                                   const int32_t *landmarks, size_t count, struct nysx_encoder *out,
                                   struct dse_error *err);
void nysx_encoder_free(struct nysx_encoder *encoder);

/* Builds the minimal perfect hashes from the codebooks. */
enum dse_status nysx_encoder_hash(struct nysx_encoder *encoder, double gamma, struct dse_error *err);

/* Computes inference data besides codebooks and histograms: transposes, and hashes with the default γ. For loaded models;
 * `build` calls it itself. */
enum dse_status nysx_encoder_finish(struct nysx_encoder *encoder, struct dse_error *err);

/* Distinct codes of `codes` (count of them), ascending, in malloc'd memory. O(count log count). */
int64_t *nysx_codebook_make(const int64_t *codes, size_t count, size_t *distinct);

/* Row i counts the occurrences of each codebook code in codes[begin[i] … begin[i+1]−1]; all of them
 * must be in the codebook. Sorts `codes` within each row. */
enum dse_status nysx_histograms_make(int64_t *codes, const size_t *begin, size_t rows,
                                     const int64_t *codebook, size_t distinct, struct nysx_csr *out,
                                     struct dse_error *err);

struct nysx_scratch nysx_scratch_make(const struct nysx_encoder *encoder, size_t nodes, struct dse_arena *arena);

/* C of one graph. `counts` (may be NULL) receives the counts, [hops]. */
void nysx_encoder_kernel(const struct nysx_encoder *encoder, const struct nysx_query *query,
                         struct nysx_scratch *scratch, int32_t *kernel, struct nysx_hop_counts *counts);

/* Only the codes and their counts, without the kernel. */
void nysx_encoder_count(const struct nysx_encoder *encoder, const struct nysx_query *query,
                        struct nysx_scratch *scratch, struct nysx_hop_counts *counts);

/* Whether no graph of up to `nodes` nodes can overflow int32 in C. */
bool nysx_encoder_fits(const struct nysx_encoder *encoder, size_t nodes);

/* C of many graphs (indices into the set), `count` × s, on run->jobs threads. */
enum dse_status nysx_encoder_kernels(const struct nysx_encoder *encoder,
                                     const struct nysx_features *features, const int32_t *graphs,
                                     size_t count, const struct dse_run *run, int32_t *kernels,
                                     struct dse_error *err);
