#include "executor/nysx/profile_banks.h"

#include <stdlib.h>
#include <string.h>

#define BANKS 16 /* the most; fewer are the same modulo theirs */

/* Adds a graph's share for each number of banks. */
static void add_fullest(const size_t words[BANKS], const size_t entries[BANKS], double share, double *out)
{
    for (size_t k = 0; k < NYSX_BANKINGS; k++) {
        size_t banks = (size_t)2 << k, fullest = 0, in_words[BANKS] = {0}, in_entries[BANKS] = {0};
        for (size_t b = 0; b < BANKS; b++) {
            in_words[b % banks] += words[b];
            in_entries[b % banks] += entries[b];
        }
        for (size_t b = 0; b < banks; b++) {
            fullest = in_words[b] > fullest ? in_words[b] : fullest;
            fullest = in_entries[b] > fullest ? in_entries[b] : fullest;
        }
        out[k] += share * (double)fullest;
    }
}

static void count_graph(const struct nysx_mph *mph, const int64_t *codes, size_t nodes, double share, double *out)
{
    size_t words[BANKS] = {0}, entries[BANKS] = {0};
    for (size_t v = 0; v < nodes; v++) {
        size_t word[NYSX_MPH_MAX_LEVELS];
        int64_t index = -1;
        size_t probes = nysx_mph_trace(mph, codes[v], word, &index);
        for (size_t l = 0; l < probes; l++)
            words[word[l] % BANKS]++;
        if (index >= 0)
            entries[index % BANKS]++;
    }
    add_fullest(words, entries, share, out);
}

static enum dse_status count_hop(const struct nysx_encoder *encoder, size_t t, const struct nysx_features *features,
                                 const int32_t *query, size_t query_count, const double *gammas, size_t gamma_count,
                                 struct nysx_scratch *scratch, double *out, struct dse_error *err)
{
    const struct nysx_hop *hop = &encoder->hop[t];
    struct nysx_mph *mph = calloc(gamma_count, sizeof *mph);
    enum dse_status status = mph == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t k = 0; status == DSE_OK && k < gamma_count; k++)
        status = nysx_mph_build(hop->codebook, hop->codes, gammas[k], &mph[k], err);
    for (size_t i = 0; status == DSE_OK && i < query_count; i++) {
        struct nysx_query graph = nysx_query_at(features, (size_t)query[i]);
        nysx_lsh_codes(&encoder->lsh, &graph, t, scratch->values, scratch->codes);
        for (size_t k = 0; k < gamma_count; k++)
            count_graph(&mph[k], scratch->codes, graph.nodes, 1.0 / (double)query_count, out + k * NYSX_BANKINGS);
    }
    for (size_t k = 0; mph != NULL && k < gamma_count; k++)
        nysx_mph_free(&mph[k]);
    free(mph);
    return status;
}

enum dse_status nysx_profile_banks(const struct nysx_encoder *encoder, const struct nysx_features *features,
                                   const int32_t *query, size_t query_count, const double *gammas, size_t gamma_count,
                                   struct nysx_scratch *scratch, double *out, struct dse_error *err)
{
    size_t columns = gamma_count * NYSX_BANKINGS;
    memset(out, 0, encoder->lsh.hops * columns * sizeof *out);
    for (size_t t = 0; t < encoder->lsh.hops; t++)
        DSE_TRY(count_hop(encoder, t, features, query, query_count, gammas, gamma_count, scratch, out + t * columns,
                          err));
    return DSE_OK;
}
