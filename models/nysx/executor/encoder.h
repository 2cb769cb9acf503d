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
    size_t nonzeros;        /* of them */
    struct nysx_csr by_code; /* its transpose */
    struct nysx_mph mph;    /* over the codebook */
};

struct nysx_encoder {
    struct nysx_lsh lsh;
    struct nysx_hop *hop; /* [lsh.hops]; NULL for the direct form, which has no landmarks */
    size_t tables;        /* hops that have one: all, or none */
    size_t landmarks;     /* s */
};

/* A code that was looked up, and its bin: −1 where it is in no codebook. */
struct nysx_found {
    int64_t code;
    int32_t bin;
};

#define NYSX_FOUND_BITS 9 /* 2^9 codes per hop are remembered */
#define NYSX_NEVER_FOUND (-2)

/* Memory for one query at a time; a thread has its own, for one encoder. */
struct nysx_scratch {
    float *values;      /* 3 × nodes */
    int64_t *codes;     /* nodes */
    int32_t *bins;      /* nodes */
    int32_t *histogram; /* the largest codebook; all 0 between uses */
    int32_t *kernel;    /* s */
    struct nysx_direct_scratch direct; /* of the direct form */
    struct nysx_found *found; /* hops × 2^NYSX_FOUND_BITS: the last code that each place was asked for */
};

/* Counts of a pass, per hop. */
struct nysx_hop_counts {
    size_t hits, bins;               /* codes found; distinct bins among them */
    size_t probes_hit, probes_miss;  /* levels probed for codes found and not found */
};

/* Codebooks and histograms of the landmark graphs (indices into the set), in their order. Takes the LSH
 * over, whether it fails or not. O(hops × landmark nodes × log). */
enum dse_status nysx_encoder_build(struct nysx_lsh *lsh, const struct nysx_features *features,
                                   const int32_t *landmarks, size_t count, struct nysx_encoder *out,
                                   struct dse_error *err);
void nysx_encoder_free(struct nysx_encoder *encoder);

/* The minimal perfect hashes from the codebooks. */
enum dse_status nysx_encoder_hash(struct nysx_encoder *encoder, double gamma, struct dse_error *err);

/* Data for inference beside codebooks and histograms: transposes, and hashes of the default γ. `build` does it
 * itself; for a model that was loaded. */
enum dse_status nysx_encoder_finish(struct nysx_encoder *encoder, struct dse_error *err);

/* Distinct codes of `codes` (count of them), ascending, in malloc'd memory. O(count log count). */
int64_t *nysx_codebook_make(const int64_t *codes, size_t count, size_t *distinct);

/* Row i counts how often each code of the codebook stands among codes[begin[i] … begin[i+1]−1], all of
 * which are in the codebook. Sorts `codes` within each row. */
enum dse_status nysx_histograms_make(int64_t *codes, const size_t *begin, size_t rows,
                                     const int64_t *codebook, size_t distinct, struct nysx_csr *out,
                                     struct dse_error *err);

struct nysx_scratch nysx_scratch_make(const struct nysx_encoder *encoder, size_t nodes, struct dse_arena *arena);

/* C of one graph. `counts`, where not NULL, gets what happened, [hops]. */
void nysx_encoder_kernel(const struct nysx_encoder *encoder, const struct nysx_query *query,
                         struct nysx_scratch *scratch, int32_t *kernel, struct nysx_hop_counts *counts);

/* Codes and their counts alone, without the kernel. */
void nysx_encoder_count(const struct nysx_encoder *encoder, const struct nysx_query *query,
                        struct nysx_scratch *scratch, struct nysx_hop_counts *counts);

/* True where no graph of up to `nodes` nodes can make an element of C overflow int32. */
bool nysx_encoder_fits(const struct nysx_encoder *encoder, size_t nodes);

/* C of many graphs (indices into the set), `count` × s, on run->jobs threads. */
enum dse_status nysx_encoder_kernels(const struct nysx_encoder *encoder,
                                     const struct nysx_features *features, const int32_t *graphs,
                                     size_t count, const struct dse_run *run, int32_t *kernels,
                                     struct dse_error *err);
