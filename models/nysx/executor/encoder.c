#include "models/nysx/executor/encoder.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/parallel.h"

int64_t *nysx_codebook_make(const int64_t *codes, size_t count, size_t *distinct)
{
    int64_t *sorted = dse_malloc((count + 1) * sizeof *sorted);
    memcpy(sorted, codes, count * sizeof *sorted);
    dse_sort_int64(sorted, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i])
            sorted[kept++] = sorted[i];
    *distinct = kept;
    return sorted;
}

/* Appends the runs of equal codes of one sorted row. Both lists are ascending, so one merge finds all bins. */
static int32_t append_row(const int64_t *codes, size_t count, const int64_t *codebook, struct nysx_csr *out,
                          int32_t filled)
{
    size_t bin = 0;
    for (size_t i = 0; i < count;) {
        size_t run = i + 1;
        while (run < count && codes[run] == codes[i])
            run++;
        while (codebook[bin] != codes[i])
            bin++;
        out->column[filled] = (int32_t)bin;
        out->count[filled++] = (int32_t)(run - i);
        i = run;
    }
    return filled;
}

enum dse_status nysx_histograms_make(int64_t *codes, const size_t *begin, size_t rows,
                                     const int64_t *codebook, size_t distinct, struct nysx_csr *out,
                                     struct dse_error *err)
{
    size_t most = begin[rows] - begin[0];
    *out = (struct nysx_csr){.rows = rows, .columns = distinct};
    if (most > INT32_MAX)
        return dse_fail(err, DSE_LIMIT, "the landmarks have %zu nodes, more than can be indexed", most);
    out->begin = dse_malloc((rows + 1) * sizeof *out->begin);
    out->column = dse_malloc((most + 1) * sizeof *out->column);
    out->count = dse_malloc((most + 1) * sizeof *out->count);
    int32_t filled = 0;
    for (size_t r = 0; r < rows; r++) {
        size_t count = begin[r + 1] - begin[r];
        dse_sort_int64(codes + begin[r], count);
        out->begin[r] = filled;
        filled = append_row(codes + begin[r], count, codebook, out, filled);
    }
    out->begin[rows] = filled;
    out->column = dse_realloc(out->column, ((size_t)filled + 1) * sizeof *out->column);
    out->count = dse_realloc(out->count, ((size_t)filled + 1) * sizeof *out->count);
    return DSE_OK;
}

/* One hop: the codes of all landmarks, then the codebook and histograms. `begin` has the start of each landmark's codes
 * in `codes`. */
static enum dse_status build_hop(const struct nysx_lsh *lsh, size_t t, const struct nysx_features *features,
                                 const int32_t *landmarks, size_t count, const size_t *begin, float *values,
                                 int64_t *codes, struct nysx_hop *hop, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct nysx_query query = nysx_query_at(features, (size_t)landmarks[i]);
        nysx_lsh_codes(lsh, &query, t, values, codes + begin[i]);
    }
    hop->codebook = nysx_codebook_make(codes, begin[count], &hop->codes);
    return nysx_histograms_make(codes, begin, count, hop->codebook, hop->codes, &hop->counts, err);
}

enum dse_status nysx_encoder_build(struct nysx_lsh *lsh, const struct nysx_features *features,
                                   const int32_t *landmarks, size_t count, struct nysx_encoder *out,
                                   struct dse_error *err)
{
    *out = (struct nysx_encoder){.lsh = *lsh, .landmarks = count};
    *lsh = (struct nysx_lsh){0};
    DSE_CLEANUP(dse_free_at) size_t *begin = dse_calloc(count + 1, sizeof *begin);
    out->hop = dse_calloc(out->lsh.hops, sizeof *out->hop);
    out->tables = out->lsh.hops;
    for (size_t i = 0; i < count; i++)
        begin[i + 1] = begin[i] + dse_graph_nodes(features->set, (size_t)landmarks[i]);
    DSE_CLEANUP(dse_free_at) int64_t *codes = dse_malloc((begin[count] + 1) * sizeof *codes);
    DSE_CLEANUP(dse_free_at) float *values = dse_malloc((3 * nysx_largest_graph(features->set) + 1) * sizeof *values);
    for (size_t t = 0; t < out->lsh.hops; t++)
        DSE_TRY(build_hop(&out->lsh, t, features, landmarks, count, begin, values, codes, &out->hop[t], err));
    return nysx_encoder_finish(out, err);
}

enum dse_status nysx_encoder_hash(struct nysx_encoder *encoder, double gamma, struct dse_error *err)
{
    for (size_t t = 0; t < encoder->lsh.hops; t++) {
        struct nysx_hop *hop = &encoder->hop[t];
        nysx_mph_free(&hop->mph);
        DSE_TRY(nysx_mph_build(hop->codebook, hop->codes, gamma, &hop->mph, err));
    }
    return DSE_OK;
}

enum dse_status nysx_encoder_finish(struct nysx_encoder *encoder, struct dse_error *err)
{
    for (size_t t = 0; t < encoder->lsh.hops; t++) {
        encoder->hop[t].nonzeros = nysx_csr_nonzeros(&encoder->hop[t].counts);
        DSE_TRY(nysx_csr_transpose(&encoder->hop[t].counts, &encoder->hop[t].by_code, err));
    }
    return nysx_encoder_hash(encoder, NYSX_MPH_DEFAULT_GAMMA, err);
}

void nysx_encoder_free(struct nysx_encoder *encoder)
{
    for (size_t t = 0; encoder->hop != NULL && t < encoder->lsh.hops; t++) {
        free(encoder->hop[t].codebook);
        nysx_csr_free(&encoder->hop[t].counts);
        nysx_csr_free(&encoder->hop[t].by_code);
        nysx_mph_free(&encoder->hop[t].mph);
    }
    free(encoder->hop);
    nysx_lsh_free(&encoder->lsh);
    *encoder = (struct nysx_encoder){0};
}

struct nysx_scratch nysx_scratch_make(const struct nysx_encoder *encoder, size_t nodes, struct dse_arena *arena)
{
    size_t codes = 0, found = encoder->lsh.hops << NYSX_FOUND_BITS;
    for (size_t t = 0; t < encoder->tables; t++)
        codes = encoder->hop[t].codes > codes ? encoder->hop[t].codes : codes;
    struct nysx_scratch out = {
        .values = dse_arena_alloc(arena, 3 * nodes, sizeof *out.values),
        .codes = dse_arena_alloc(arena, nodes, sizeof *out.codes),
        .bins = dse_arena_alloc(arena, nodes, sizeof *out.bins),
        .histogram = dse_arena_alloc(arena, codes, sizeof *out.histogram),
        .kernel = dse_arena_alloc(arena, encoder->landmarks, sizeof *out.kernel),
        .found = dse_arena_alloc(arena, found, sizeof *out.found),
    };
    for (size_t i = 0; i < found; i++)
        out.found[i] = (struct nysx_found){0, NYSX_NEVER_FOUND};
    if (encoder->hop == NULL)
        out.direct = nysx_direct_scratch_make(&encoder->lsh, nodes, arena);
    return out;
}

/* MPHE and HUE: looks the codes up, and counts them and the probes. Writes the distinct bins found to
 * scratch->bins, and returns their number. */
static size_t count_probes(const struct nysx_mph *mph, size_t nodes, struct nysx_scratch *scratch,
                           struct nysx_hop_counts *counts)
{
    struct nysx_hop_counts seen = {0};
    for (size_t v = 0; v < nodes; v++) {
        size_t probes = 0;
        int32_t bin = nysx_mph_find(mph, scratch->codes[v], &probes);
        if (bin < 0) {
            seen.probes_miss += probes;
            continue;
        }
        seen.probes_hit += probes;
        seen.hits++;
        if (scratch->histogram[bin]++ == 0)
            scratch->bins[seen.bins++] = bin;
    }
    *counts = seen;
    return seen.bins;
}

/* As count_probes, without counting probes. Nodes share few codes, so most codes are found among the hop's last ones. */
static size_t count_codes(const struct nysx_mph *mph, size_t nodes, struct nysx_scratch *scratch,
                          struct nysx_found *found)
{
    size_t bins = 0;
    for (size_t v = 0; v < nodes; v++) {
        int64_t code = scratch->codes[v];
        struct nysx_found *last = &found[((uint64_t)code * 0x9e3779b97f4a7c15u) >> (64 - NYSX_FOUND_BITS)];
        if (last->code != code || last->bin == NYSX_NEVER_FOUND)
            *last = (struct nysx_found){code, nysx_mph_find(mph, code, NULL)};
        if (last->bin < 0)
            continue;
        scratch->bins[bins] = last->bin; /* kept only if it is the bin's first */
        bins += scratch->histogram[last->bin]++ == 0;
    }
    return bins;
}

void nysx_encoder_kernel(const struct nysx_encoder *encoder, const struct nysx_query *query,
                         struct nysx_scratch *scratch, int32_t *kernel, struct nysx_hop_counts *counts)
{
    memset(kernel, 0, encoder->landmarks * sizeof *kernel);
    for (size_t t = 0; t < encoder->lsh.hops; t++) {
        const struct nysx_hop *hop = &encoder->hop[t];
        nysx_lsh_codes(&encoder->lsh, query, t, scratch->values, scratch->codes);
        size_t bins = counts != NULL ? count_probes(&hop->mph, query->nodes, scratch, &counts[t])
                                     : count_codes(&hop->mph, query->nodes, scratch,
                                                   scratch->found + (t << NYSX_FOUND_BITS));
        nysx_csr_add_columns(&hop->by_code, scratch->bins, bins, scratch->histogram, kernel);
        for (size_t i = 0; i < bins; i++)
            scratch->histogram[scratch->bins[i]] = 0;
    }
}

void nysx_encoder_count(const struct nysx_encoder *encoder, const struct nysx_query *query,
                        struct nysx_scratch *scratch, struct nysx_hop_counts *counts)
{
    for (size_t t = 0; t < encoder->lsh.hops; t++) {
        nysx_lsh_codes(&encoder->lsh, query, t, scratch->values, scratch->codes);
        size_t found = count_probes(&encoder->hop[t].mph, query->nodes, scratch, &counts[t]);
        for (size_t i = 0; i < found; i++)
            scratch->histogram[scratch->bins[i]] = 0;
    }
}

bool nysx_encoder_fits(const struct nysx_encoder *encoder, size_t nodes)
{
    if (encoder->hop == NULL)
        return nysx_direct_fits(&encoder->lsh, nodes);
    double bound = 0.0; /* Σ over hops of nodes × the largest count: an upper bound of every element of C */
    for (size_t t = 0; t < encoder->lsh.hops; t++)
        bound += (double)nodes * nysx_csr_max(&encoder->hop[t].counts);
    return bound <= INT32_MAX;
}

struct kernels_job {
    const struct nysx_encoder *encoder;
    const struct nysx_features *features;
    const int32_t *graphs;
    struct nysx_scratch *scratch; /* one per thread */
    int32_t *kernels;
};

static enum dse_status one_kernel(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    struct kernels_job *job = user;
    struct nysx_query query = nysx_query_at(job->features, (size_t)job->graphs[index]);
    nysx_encoder_kernel(job->encoder, &query, &job->scratch[thread],
                        job->kernels + index * job->encoder->landmarks, NULL);
    return DSE_OK;
}

enum dse_status nysx_encoder_kernels(const struct nysx_encoder *encoder,
                                     const struct nysx_features *features, const int32_t *graphs,
                                     size_t count, const struct dse_run *run, int32_t *kernels,
                                     struct dse_error *err)
{
    size_t nodes = nysx_largest_graph(features->set);
    if (!nysx_encoder_fits(encoder, nodes))
        return dse_fail(err, DSE_LIMIT, "%s: graphs of up to %zu nodes may overflow the 32-bit kernel vector",
                        features->set->name, nodes);
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct kernels_job job = {encoder, features, graphs, dse_arena_alloc(&arena, run->jobs, sizeof *job.scratch), kernels};
    for (size_t i = 0; i < run->jobs; i++)
        job.scratch[i] = nysx_scratch_make(encoder, nodes, &arena);
    return dse_parallel_for(count, run->jobs, one_kernel, &job, run->monitor, err);
}
