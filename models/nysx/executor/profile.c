/* The `profile` verb: what the work looks like at one setting, as named series (docs/profiles.md).
 *
 * Sizes of graphs are taken over the whole set (capacity) or the training part (means). What depends on how
 * well a query's codes are known is taken over training graphs that are no landmarks, since a landmark finds
 * all of its own codes; where fewer than NYSX_FEW_QUERIES are left (MUTAG trains on its landmarks alone), over
 * the part held out. Labels are never looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/percentile.h"
#include "core/rng.h"
#include "models/nysx/executor/landmarks.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/projection.h"
#include "models/nysx/executor/schedule.h"
#include "models/nysx/executor/streams.h"

#define NYSX_FEW_QUERIES 32
#define SAMPLE 96

static const size_t pe_counts[] = {1, 2, 4, 8, 16, 32, 64};
static const double gammas[] = {1.0, 1.5, 2.0, 4.0};
static const size_t rings[] = {4, 5, 6, 7, 8, 12}; /* turns under way at once */
enum { RINGS = sizeof rings / sizeof *rings, PE_COUNTS = sizeof pe_counts / sizeof *pe_counts, GAMMAS = sizeof gammas / sizeof *gammas };

struct profiling {
    const struct dse_graph_set *set;
    const struct nysx_model *model; /* trained up to its encoder */
    const struct nysx_features *features;
    int32_t *query;      /* graphs that serve as queries */
    size_t query_count;
    struct nysx_scratch scratch;
    struct nysx_hop_counts *counts; /* [hops] */
    int32_t *row_counts, *order;    /* [largest graph or landmarks] */
    struct dse_workload *out;
};

static enum dse_status put(struct profiling *p, const char *name, size_t rows, size_t columns,
                           const double *values, struct dse_error *err)
{
    return dse_workload_add_series(p->out, name, rows, columns, values, err);
}

static enum dse_status put_one(struct profiling *p, const char *name, double value, struct dse_error *err)
{
    return put(p, name, 1, 1, &value, err);
}

/* Largest and 99th percentile (nearest rank) over all graphs, mean over the training graphs. */
static enum dse_status put_sizes(struct profiling *p, const char *name,
                                 size_t (*size)(const struct dse_graph_set *, size_t), struct dse_error *err)
{
    size_t n = p->set->graph_count;
    double *sizes = dse_malloc(n * sizeof *sizes), sum = 0.0;
    for (size_t g = 0; g < n; g++)
        sizes[g] = (double)size(p->set, g);
    for (size_t i = 0; i < p->model->base.split.n_train; i++)
        sum += sizes[p->model->base.split.train[i]];
    const double values[] = {dse_percentile(sizes, n, 100), dse_percentile(sizes, n, 99),
                             sum / (double)p->model->base.split.n_train};
    static const char *const suffixes[] = {"max", "p99", "mean"};
    free(sizes);
    for (size_t i = 0; i < 3; i++) {
        char full[32];
        snprintf(full, sizeof full, "%s.%s", name, suffixes[i]);
        DSE_TRY(put_one(p, full, values[i], err));
    }
    return DSE_OK;
}

static enum dse_status put_scalars(struct profiling *p, struct dse_error *err)
{
    const struct nysx_columns *columns = &p->model->columns;
    DSE_TRY(put_one(p, "classes", (double)p->set->class_count, err));
    DSE_TRY(put_one(p, "features", (double)(columns->labels + columns->attributes), err));
    DSE_TRY(put_one(p, "features.onehot", columns->attributes == 0, err));
    if (p->model->encoder.tables > 0) {
        DSE_TRY(put_one(p, "landmarks", (double)p->model->encoder.landmarks, err));
        DSE_TRY(put_one(p, "rank", (double)p->model->rank, err));
    } else {
        DSE_TRY(put_one(p, "hops", (double)p->model->encoder.lsh.hops, err));
    }
    DSE_TRY(put_sizes(p, "nodes", dse_graph_nodes, err));
    return put_sizes(p, "nnz_a", dse_graph_arcs, err);
}

/* Schedule sums for every PE count, static and natural. */
static void schedule_rows(struct profiling *p, size_t rows, double *balanced, double *natural)
{
    nysx_schedule_order(p->row_counts, rows, p->order);
    for (size_t i = 0; i < PE_COUNTS; i++) {
        balanced[i] = (double)nysx_schedule_cycles(p->row_counts, rows, p->order, pe_counts[i]);
        natural[i] = (double)nysx_schedule_cycles(p->row_counts, rows, NULL, pe_counts[i]);
    }
}

static enum dse_status put_histograms(struct profiling *p, struct dse_error *err)
{
    size_t hops = p->model->encoder.lsh.hops;
    DSE_CLEANUP(dse_free_at) double *values = dse_calloc(hops * (3 + 2 * PE_COUNTS), sizeof *values);
    double *codebook = values, *nnz = values + hops, *largest = values + 2 * hops;
    double *balanced = values + 3 * hops, *natural = balanced + hops * PE_COUNTS;
    for (size_t t = 0; t < hops; t++) {
        const struct nysx_hop *hop = &p->model->encoder.hop[t];
        codebook[t] = (double)hop->codes;
        nnz[t] = (double)nysx_csr_nonzeros(&hop->counts);
        largest[t] = nysx_csr_max(&hop->counts);
        for (size_t r = 0; r < hop->counts.rows; r++)
            p->row_counts[r] = hop->counts.begin[r + 1] - hop->counts.begin[r];
        schedule_rows(p, hop->counts.rows, balanced + t * PE_COUNTS, natural + t * PE_COUNTS);
    }
    DSE_TRY(put(p, "codebook", hops, 1, codebook, err));
    DSE_TRY(put(p, "nnz_h", hops, 1, nnz, err));
    DSE_TRY(put(p, "max_count", hops, 1, largest, err));
    DSE_TRY(put(p, "kse.schedule.static", hops, PE_COUNTS, balanced, err));
    return put(p, "kse.schedule.none", hops, PE_COUNTS, natural, err);
}

/* Row counts of a graph's A. Returns the nodes. */
static size_t count_rows(struct profiling *p, size_t graph)
{
    size_t first = p->set->graph_begin[graph], nodes = dse_graph_nodes(p->set, graph);
    for (size_t v = 0; v < nodes; v++)
        p->row_counts[v] = (int32_t)(p->set->row_begin[first + v + 1] - p->set->row_begin[first + v]);
    return nodes;
}

static enum dse_status put_schedule_means(struct profiling *p, struct dse_error *err)
{
    double balanced[PE_COUNTS] = {0}, natural[PE_COUNTS] = {0}, one[PE_COUNTS], other[PE_COUNTS];
    size_t n = p->model->base.split.n_train;
    for (size_t i = 0; i < n; i++) {
        size_t nodes = count_rows(p, (size_t)p->model->base.split.train[i]);
        schedule_rows(p, nodes, one, other);
        for (size_t k = 0; k < PE_COUNTS; k++) {
            balanced[k] += one[k] / (double)n;
            natural[k] += other[k] / (double)n;
        }
    }
    DSE_TRY(put(p, "mean.a.static", 1, PE_COUNTS, balanced, err));
    return put(p, "mean.a.none", 1, PE_COUNTS, natural, err);
}

/* Cycles of a sparse pass over a graph's A: with so many turns under way in all elements together, or rows in each by itself. */
typedef uint64_t pass_cycles(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts);

struct passes {
    const char *names[2]; /* natural order, balanced */
    pass_cycles *cycles;
    const size_t *contexts;
    size_t context_count;
};

static const size_t alone[] = {1, 6}; /* rows under way in an element of the RTL: of colours, of LSH codes */
static const struct passes passes[] = {
    {{"ring.none", "ring.static"}, nysx_schedule_ring, rings, RINGS},
    {{"alone.none", "alone.static"}, nysx_schedule_alone, alone, sizeof alone / sizeof *alone}};

/* Mean over the training graphs, and their 99th percentile (nearest rank), for one balance. */
static enum dse_status put_passes(struct profiling *p, const struct passes *of, bool balanced, struct dse_error *err)
{
    enum { MOST = PE_COUNTS * RINGS };
    size_t n = p->model->base.split.n_train, columns = PE_COUNTS * of->context_count;
    DSE_CLEANUP(dse_free_at) double *all = dse_malloc((n + 1) * (columns + 1) * sizeof *all);
    double *column = all + n * columns, out[2 * MOST] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t nodes = count_rows(p, (size_t)p->model->base.split.train[i]);
        if (balanced)
            nysx_schedule_order(p->row_counts, nodes, p->order);
        for (size_t k = 0; k < columns; k++)
            all[i * columns + k] = (double)of->cycles(p->row_counts, nodes, balanced ? p->order : NULL, pe_counts[k / of->context_count],
                                                      of->contexts[k % of->context_count]);
    }
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < n; i++) {
            column[i] = all[i * columns + k];
            out[k] += column[i] / (double)n;
        }
        out[columns + k] = dse_percentile(column, n, 99);
    }
    return put(p, of->names[balanced], 2, columns, out, err);
}

static const size_t merge_places[] = {32, 64, 128, 256, 512};
enum { MERGES = sizeof merge_places / sizeof *merge_places };

/* Codes that a graph's lanes take after a table of so many places merged equal ones: mean over the training graphs, and their
 * 99th percentile. */
static enum dse_status put_merged(struct profiling *p, struct dse_error *err)
{
    size_t n = p->model->base.split.n_train;
    double *items = dse_malloc((n + 1) * sizeof *items), out[2][MERGES] = {{0}};
    struct nysx_direct_scratch *direct = &p->scratch.direct;
    for (size_t k = 0; k < MERGES; k++) {
        direct->places = merge_places[k];
        for (size_t i = 0; i < n; i++) {
            struct nysx_query query = nysx_query_at(p->features, (size_t)p->model->base.split.train[i]);
            nysx_direct_codes(&p->model->encoder.lsh, &query, direct);
            items[i] = (double)direct->count;
            out[0][k] += items[i] / (double)n;
        }
        out[1][k] = dse_percentile(items, n, 99);
    }
    free(items);
    return put(p, "merged", 2, MERGES, &out[0][0], err);
}

/* Means over the queries of what the lookups found, with one γ: hits, bins, probes of hits and misses. */
static void count_queries(struct profiling *p, size_t column, double *hits, double *bins, double *probes_hit,
                          double *probes_miss)
{
    size_t hops = p->model->encoder.lsh.hops;
    double looked_up = 0.0;
    for (size_t i = 0; i < p->query_count; i++) {
        struct nysx_query query = nysx_query_at(p->features, (size_t)p->query[i]);
        nysx_encoder_count(&p->model->encoder, &query, &p->scratch, p->counts);
        looked_up += (double)query.nodes;
        for (size_t t = 0; t < hops; t++) {
            hits[t] += (double)p->counts[t].hits;
            bins[t] += (double)p->counts[t].bins;
            probes_hit[t * GAMMAS + column] += (double)p->counts[t].probes_hit;
            probes_miss[t * GAMMAS + column] += (double)p->counts[t].probes_miss;
        }
    }
    for (size_t t = 0; t < hops; t++) {
        double misses = looked_up - hits[t];
        probes_hit[t * GAMMAS + column] /= hits[t] > 0.0 ? hits[t] : 1.0;
        probes_miss[t * GAMMAS + column] /= misses > 0.0 ? misses : 1.0;
        hits[t] /= (double)p->query_count;
        bins[t] /= (double)p->query_count;
    }
}

/* The hashes are rebuilt for each γ and left at the default. */
static enum dse_status put_lookups(struct profiling *p, struct nysx_encoder *encoder, struct dse_error *err)
{
    size_t hops = encoder->lsh.hops;
    DSE_CLEANUP(dse_free_at) double *values = dse_calloc(hops * (2 + 4 * GAMMAS), sizeof *values);
    double *hits = values, *bins = values + hops, *bits = values + 2 * hops, *levels = bits + hops * GAMMAS;
    double *probes_hit = levels + hops * GAMMAS, *probes_miss = probes_hit + hops * GAMMAS;
    for (size_t k = 0; k < GAMMAS; k++) {
        DSE_TRY(nysx_encoder_hash(encoder, gammas[k], err));
        for (size_t t = 0; t < hops; t++) {
            bits[t * GAMMAS + k] = (double)nysx_mph_bits(&encoder->hop[t].mph);
            levels[t * GAMMAS + k] = (double)encoder->hop[t].mph.levels;
        }
        memset(hits, 0, 2 * hops * sizeof *hits);
        count_queries(p, k, hits, bins, probes_hit, probes_miss);
    }
    const struct dse_series_value series[] = {{"hits.mean", hops, 1, hits},
                                              {"bins.mean", hops, 1, bins},
                                              {"mph.bits", hops, GAMMAS, bits},
                                              {"mph.levels", hops, GAMMAS, levels},
                                              {"mph.probes_hit", hops, GAMMAS, probes_hit},
                                              {"mph.probes_miss", hops, GAMMAS, probes_miss}};
    DSE_TRY(dse_workload_put(p->out, series, sizeof series / sizeof *series, err));
    return nysx_encoder_hash(encoder, NYSX_MPH_DEFAULT_GAMMA, err);
}

/* One graph of the sample. */
static void sample_one(struct profiling *p, size_t graph, double *sizes, double *schedules, double *lookups)
{
    size_t nodes = count_rows(p, graph), hops = p->model->encoder.tables;
    sizes[0] = (double)nodes;
    sizes[SAMPLE] = (double)dse_graph_arcs(p->set, graph);
    struct nysx_query query = nysx_query_at(p->features, graph);
    if (p->model->encoder.tables > 0)
        nysx_encoder_count(&p->model->encoder, &query, &p->scratch, p->counts);
    for (size_t t = 0; t < hops; t++) {
        lookups[t] = (double)p->counts[t].hits;
        lookups[SAMPLE * hops + t] = (double)p->counts[t].bins;
    }
    schedule_rows(p, nodes, schedules, schedules + SAMPLE * PE_COUNTS);
}

static enum dse_status put_sample(struct profiling *p, uint64_t seed, struct dse_error *err)
{
    size_t hops = p->model->encoder.tables, count = p->query_count < SAMPLE ? p->query_count : SAMPLE;
    int32_t graphs[SAMPLE];
    DSE_CLEANUP(dse_free_at) double *values = dse_calloc(SAMPLE * (2 + 2 * PE_COUNTS + 2 * hops), sizeof *values);
    double *sizes = values, *schedules = values + 2 * SAMPLE, *lookups = schedules + 2 * SAMPLE * PE_COUNTS;
    nysx_draw_uniform(p->query, p->query_count, count, seed, NYSX_STREAM_SAMPLE, graphs);
    for (size_t i = 0; i < count; i++)
        sample_one(p, (size_t)graphs[i], sizes + i, schedules + i * PE_COUNTS, lookups + i * hops);
    const struct dse_series_value series[] = {{"sample.nodes", count, 1, sizes},
                  {"sample.nnz_a", count, 1, sizes + SAMPLE},
                  {"sample.a.static", count, PE_COUNTS, schedules},
                  {"sample.a.none", count, PE_COUNTS, schedules + SAMPLE * PE_COUNTS},
                  {"sample.hits", count, hops, lookups},
                  {"sample.bins", count, hops, lookups + SAMPLE * hops}};
    return dse_workload_put(p->out, series, sizeof series / sizeof *series - (hops > 0 ? 0 : 2), err);
}

/* Training graphs that are no landmarks (both lists ascend), or the held-out part where these are few. */
static void choose_queries(struct profiling *p)
{
    const struct dse_split *split = &p->model->base.split;
    p->query = dse_malloc((split->n_train + split->n_test) * sizeof *p->query);
    size_t next = 0;
    for (size_t i = 0; i < split->n_train; i++) {
        if (next < p->model->encoder.landmarks && p->model->landmarks[next] == split->train[i])
            next++;
        else
            p->query[p->query_count++] = split->train[i];
    }
    if (p->query_count < NYSX_FEW_QUERIES) {
        p->query_count = split->n_test;
        memcpy(p->query, split->test, split->n_test * sizeof *p->query);
    }
}

static void free_profiling(struct profiling *p)
{
    nysx_scratch_free(&p->scratch);
    free(p->query);
    free(p->row_counts);
    free(p->order);
    free(p->counts);
}

static enum dse_status measure(struct profiling *p, struct nysx_encoder *encoder, uint64_t seed, struct dse_error *err)
{
    size_t rows = nysx_largest_graph(p->set);
    rows = rows > encoder->landmarks ? rows : encoder->landmarks;
    p->row_counts = dse_malloc((rows + 1) * sizeof *p->row_counts);
    p->order = dse_malloc((rows + 1) * sizeof *p->order);
    p->counts = dse_calloc(encoder->lsh.hops, sizeof *p->counts);
    p->scratch = nysx_scratch_make(encoder, rows);
    choose_queries(p);
    DSE_TRY(put_scalars(p, err));
    DSE_TRY(put_schedule_means(p, err));
    for (size_t k = 0; k < 2 * sizeof passes / sizeof *passes; k++)
        DSE_TRY(put_passes(p, &passes[k / 2], k % 2 == 1, err));
    if (encoder->tables > 0) {
        DSE_TRY(put_histograms(p, err));
        DSE_TRY(put_lookups(p, encoder, err));
    } else { /* the direct form has no codebooks */
        DSE_TRY(put_merged(p, err));
    }
    return put_sample(p, seed, err);
}

static void swap_parts(struct dse_split *split)
{
    struct dse_split was = *split;
    split->train = was.test;
    split->n_train = was.n_test;
    split->test = was.train;
    split->n_test = was.n_train;
}

static void free_model(struct nysx_model **model)
{
    dse_model_free(*model != NULL ? &(*model)->base : NULL);
}

enum dse_status nysx_profile(const struct dse_dataset *data, const struct dse_setting *setting,
                             const struct dse_run *run, struct dse_workload *out, struct dse_error *err)
{
    DSE_CLEANUP(free_model) struct nysx_model *model = NULL;
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    DSE_TRY(nysx_train_encoder(data, setting, run, &model, &features, err));
    if (run->of_held_out)
        swap_parts(&model->base.split);
    DSE_CLEANUP(free_profiling) struct profiling p = {.set = dse_dataset_graphs(data), .model = model, .features = &features, .out = out};
    DSE_TRY(measure(&p, &model->encoder, run->seed, err));
    DSE_TRY(dse_knobs_work_key(&nysx_knobs, setting, &out->setting, err));
    /* Nothing is said of landmarks by the direct form's workload, which is no other form's work. */
    return dse_setting_put(&out->setting, "nee.form", model->encoder.tables == 0 ? "direct" : "streamed|resident|factored", err);
}
