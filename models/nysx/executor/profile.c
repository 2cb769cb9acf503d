/* The `profile` verb: the workload at one setting, as named series (docs/reference/profiles.md); and the `work` verb, the workload
 * of a trained model.
 *
 * Sizes of graphs are over the whole set (capacity) or the training part (means). Values that depend on a query's share of
 * known codes are over training graphs other than landmarks, because a landmark finds all of its own codes. If fewer
 * than NYSX_FEW_QUERIES such graphs are left, they are over the held-out part (MUTAG trains only on its landmarks). Class labels
 * are never used. */
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/percentile.h"
#include "models/nysx/executor/landmarks.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/schedule.h"
#include "models/nysx/executor/streams.h"

#define NYSX_FEW_QUERIES 32
#define SAMPLE 96

static const size_t pe_counts[] = {1, 2, 4, 8, 16, 32, 64};
static const double gammas[] = {1.0, 1.5, 2.0, 4.0};
static const size_t rings[] = {4, 5, 6, 7, 8, 12}; /* rows in progress at once */
static const size_t merge_places[] = {32, 64, 128, 256, 512};

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { RINGS = COUNT(rings), PE_COUNTS = COUNT(pe_counts), GAMMAS = COUNT(gammas), MERGES = COUNT(merge_places) };

struct profiling {
    struct dse_arena arena; /* memory of all arrays below */
    const struct dse_graph_set *set;
    const struct nysx_model *model; /* trained up to its encoder */
    const struct nysx_features *features;
    int32_t *query;      /* graphs that serve as queries */
    size_t query_count;
    struct nysx_scratch scratch;
    struct nysx_hop_counts *counts; /* [hops] */
    int32_t *row_counts, *order, *rounds; /* [largest graph or landmarks] */
    struct dse_workload *out;
};

static double *numbers(struct dse_arena *arena, size_t count)
{
    return dse_arena_alloc(arena, count, sizeof(double));
}

/* Adds the schedules' cycles for every PE count, balanced and in natural order. */
static void schedule_rows(const int32_t *row_counts, int32_t *order, size_t rows, double *balanced, double *natural)
{
    nysx_schedule_order(row_counts, rows, order);
    for (size_t i = 0; i < PE_COUNTS; i++) {
        balanced[i] = (double)nysx_schedule_cycles(row_counts, rows, order, pe_counts[i]);
        natural[i] = (double)nysx_schedule_cycles(row_counts, rows, NULL, pe_counts[i]);
    }
}

/* ---- codebooks and landmark histograms, hop by hop ---- */

struct tables {
    double *codebook, *nnz, *most, *balanced, *natural, *bits, *levels;
};

static enum dse_status measure_tables(const struct nysx_encoder *encoder, struct dse_arena *arena, struct tables *out, struct dse_error *err)
{
    size_t hops = encoder->tables;
    int32_t *rows = dse_arena_alloc(arena, 2 * encoder->landmarks, sizeof *rows), *order = rows + encoder->landmarks;
    *out = (struct tables){numbers(arena, hops), numbers(arena, hops), numbers(arena, hops), numbers(arena, hops * PE_COUNTS),
                           numbers(arena, hops * PE_COUNTS), numbers(arena, hops * GAMMAS), numbers(arena, hops * GAMMAS)};
    for (size_t t = 0; t < hops; t++) {
        const struct nysx_hop *hop = &encoder->hop[t];
        out->codebook[t] = (double)hop->codes;
        out->nnz[t] = (double)nysx_csr_nonzeros(&hop->counts);
        out->most[t] = nysx_csr_max(&hop->counts);
        for (size_t r = 0; r < encoder->landmarks; r++)
            rows[r] = hop->counts.begin[r + 1] - hop->counts.begin[r];
        schedule_rows(rows, order, encoder->landmarks, out->balanced + t * PE_COUNTS, out->natural + t * PE_COUNTS);
        for (size_t k = 0; k < GAMMAS; k++) {
            struct nysx_mph mph;
            DSE_TRY(nysx_mph_build(hop->codebook, hop->codes, gammas[k], &mph, err));
            out->bits[t * GAMMAS + k] = (double)nysx_mph_bits(&mph);
            out->levels[t * GAMMAS + k] = (double)mph.levels;
            nysx_mph_free(&mph);
        }
    }
    return DSE_OK;
}

/* ---- sizes ---- */

/* Largest and 99th percentile (nearest rank) over all graphs, mean over the training graphs. */
static enum dse_status put_sizes(struct profiling *p, const char *name, size_t (*size)(const struct dse_graph_set *, size_t),
                                 struct dse_error *err)
{
    static const char *const suffixes[] = {"max", "p99", "mean"};
    const struct dse_split *split = &p->model->base.split;
    size_t n = p->set->graph_count;
    double *sizes = numbers(&p->arena, n), sum = 0.0;
    for (size_t g = 0; g < n; g++)
        sizes[g] = (double)size(p->set, g);
    for (size_t i = 0; i < split->n_train; i++)
        sum += sizes[split->train[i]];
    const double values[] = {dse_percentile(sizes, n, 100), dse_percentile(sizes, n, 99), sum / (double)split->n_train};
    for (size_t i = 0; i < 3; i++) {
        char full[32];
        snprintf(full, sizeof full, "%s.%s", name, suffixes[i]);
        DSE_TRY(dse_workload_add_series(p->out, full, 1, 1, &values[i], err));
    }
    return DSE_OK;
}

static enum dse_status put_scalars(struct profiling *p, struct dse_error *err)
{
    const struct nysx_columns *columns = &p->model->columns;
    const struct nysx_encoder *encoder = &p->model->encoder;
    double classes = (double)p->set->class_count, features = (double)(columns->labels + columns->attributes);
    double onehot = columns->attributes == 0, landmarks = (double)encoder->landmarks, rank = (double)p->model->rank;
    double hops = (double)encoder->lsh.hops, draws = (double)encoder->lsh.draws;
    const struct dse_series_value all[] = {{"classes", 1, 1, &classes}, {"features", 1, 1, &features}, {"features.onehot", 1, 1, &onehot}};
    const struct dse_series_value of_landmarks[] = {{"landmarks", 1, 1, &landmarks}, {"rank", 1, 1, &rank}};
    const struct dse_series_value direct = {"hops", 1, 1, &hops};
    DSE_TRY(dse_workload_put(p->out, all, COUNT(all), err));
    DSE_TRY(encoder->tables > 0 ? dse_workload_put(p->out, of_landmarks, COUNT(of_landmarks), err) : dse_workload_put(p->out, &direct, 1, err));
    if (encoder->lsh.draws > 1)
        DSE_TRY(dse_workload_add_series(p->out, "draws", 1, 1, &draws, err));
    DSE_TRY(put_sizes(p, "nodes", dse_graph_nodes, err));
    return put_sizes(p, "nnz_a", dse_graph_arcs, err);
}

/* ---- schedules of A ---- */

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
        schedule_rows(p->row_counts, p->order, nodes, one, other);
        for (size_t k = 0; k < PE_COUNTS; k++) {
            balanced[k] += one[k] / (double)n;
            natural[k] += other[k] / (double)n;
        }
    }
    const struct dse_series_value series[] = {{"mean.a.static", 1, PE_COUNTS, balanced}, {"mean.a.none", 1, PE_COUNTS, natural}};
    return dse_workload_put(p->out, series, COUNT(series), err);
}

/* Cycles of a sparse pass over a graph's A, with rounds in progress in all elements together, or with rows in each element on its own. */
typedef uint64_t pass_cycles(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts);

struct passes {
    const char *names[2]; /* natural order, balanced */
    pass_cycles *cycles;
    bool by_rounds; /* depends on rounds only, not on rows */
    const size_t *contexts;
    size_t context_count;
};

static const size_t alone[] = {1, 6}; /* rows in progress in an element of the RTL: for colours, for LSH codes */
static const struct passes passes[] = {{{"ring.none", "ring.static"}, nysx_schedule_ring, true, rings, RINGS},
                                       {{"alone.none", "alone.static"}, nysx_schedule_alone, false, alone, COUNT(alone)}};

/* Mean over the training graphs, and their 99th percentile (nearest rank), for one balance. */
static enum dse_status put_passes(struct profiling *p, const struct passes *of, bool balanced, struct dse_error *err)
{
    size_t n = p->model->base.split.n_train, columns = PE_COUNTS * of->context_count, rounds = 0;
    double *all = numbers(&p->arena, n * columns), *column = numbers(&p->arena, n), out[2 * PE_COUNTS * RINGS] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t nodes = count_rows(p, (size_t)p->model->base.split.train[i]);
        if (balanced)
            nysx_schedule_order(p->row_counts, nodes, p->order);
        const int32_t *order = balanced ? p->order : NULL;
        for (size_t k = 0; k < columns; k++) {
            size_t pe = pe_counts[k / of->context_count], contexts = of->contexts[k % of->context_count];
            if (of->by_rounds && k % of->context_count == 0)
                rounds = nysx_schedule_rounds(p->row_counts, nodes, order, pe, p->rounds);
            all[i * columns + k] = (double)(of->by_rounds ? of->cycles(p->rounds, rounds, NULL, 1, contexts) : of->cycles(p->row_counts, nodes, order, pe, contexts));
        }
    }
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < n; i++) {
            column[i] = all[i * columns + k];
            out[k] += column[i] / (double)n;
        }
        out[columns + k] = dse_percentile(column, n, 99);
    }
    return dse_workload_add_series(p->out, of->names[balanced], 2, columns, out, err);
}

/* ---- lookups ---- */

/* Codes per graph after a table has merged equal ones, by the table's places: mean over the training graphs, and their
 * 99th percentile. */
static enum dse_status put_merged(struct profiling *p, struct dse_error *err)
{
    size_t n = p->model->base.split.n_train;
    double *items = numbers(&p->arena, n), out[2][MERGES] = {{0}};
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
    return dse_workload_add_series(p->out, "merged", 2, MERGES, &out[0][0], err);
}

/* Means over the queries of the lookups' hits, bins, and probes of hits and misses, with one γ. */
static void count_queries(struct profiling *p, size_t column, double *hits, double *bins, double *probes_hit, double *probes_miss)
{
    size_t hops = p->model->encoder.lsh.hops;
    double looked_up = 0.0;
    memset(hits, 0, hops * sizeof *hits);
    memset(bins, 0, hops * sizeof *bins);
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

/* Rebuilds the hashes for each γ; ends with the default γ. */
static enum dse_status put_tables(struct profiling *p, struct nysx_encoder *encoder, struct dse_error *err)
{
    size_t hops = encoder->tables;
    double *hits = numbers(&p->arena, hops), *bins = numbers(&p->arena, hops);
    double *probes_hit = numbers(&p->arena, hops * GAMMAS), *probes_miss = numbers(&p->arena, hops * GAMMAS);
    struct tables of;
    DSE_TRY(measure_tables(encoder, &p->arena, &of, err));
    for (size_t k = 0; k < GAMMAS; k++) {
        DSE_TRY(nysx_encoder_hash(encoder, gammas[k], err));
        count_queries(p, k, hits, bins, probes_hit, probes_miss);
    }
    const struct dse_series_value series[] = {{"codebook", hops, 1, of.codebook},
                                              {"nnz_h", hops, 1, of.nnz},
                                              {"max_count", hops, 1, of.most},
                                              {"kse.schedule.static", hops, PE_COUNTS, of.balanced},
                                              {"kse.schedule.none", hops, PE_COUNTS, of.natural},
                                              {"hits.mean", hops, 1, hits},
                                              {"bins.mean", hops, 1, bins},
                                              {"mph.bits", hops, GAMMAS, of.bits},
                                              {"mph.levels", hops, GAMMAS, of.levels},
                                              {"mph.probes_hit", hops, GAMMAS, probes_hit},
                                              {"mph.probes_miss", hops, GAMMAS, probes_miss}};
    DSE_TRY(dse_workload_put(p->out, series, COUNT(series), err));
    return nysx_encoder_hash(encoder, NYSX_MPH_DEFAULT_GAMMA, err);
}

/* ---- the sample ---- */

static enum dse_status put_sample(struct profiling *p, uint64_t seed, struct dse_error *err)
{
    const struct nysx_encoder *encoder = &p->model->encoder;
    size_t hops = encoder->tables, count = p->query_count < SAMPLE ? p->query_count : SAMPLE;
    int32_t graphs[SAMPLE];
    double nodes[SAMPLE], arcs[SAMPLE], balanced[SAMPLE * PE_COUNTS], natural[SAMPLE * PE_COUNTS];
    double *hits = numbers(&p->arena, SAMPLE * hops), *bins = numbers(&p->arena, SAMPLE * hops);
    nysx_draw_uniform(p->query, p->query_count, count, seed, NYSX_STREAM_SAMPLE, graphs);
    for (size_t i = 0; i < count; i++) {
        size_t graph = (size_t)graphs[i], rows = count_rows(p, graph);
        struct nysx_query query = nysx_query_at(p->features, graph);
        nodes[i] = (double)rows;
        arcs[i] = (double)dse_graph_arcs(p->set, graph);
        schedule_rows(p->row_counts, p->order, rows, balanced + i * PE_COUNTS, natural + i * PE_COUNTS);
        if (hops > 0)
            nysx_encoder_count(encoder, &query, &p->scratch, p->counts);
        for (size_t t = 0; t < hops; t++) {
            hits[i * hops + t] = (double)p->counts[t].hits;
            bins[i * hops + t] = (double)p->counts[t].bins;
        }
    }
    const struct dse_series_value series[] = {{"sample.nodes", count, 1, nodes},
                                              {"sample.nnz_a", count, 1, arcs},
                                              {"sample.a.static", count, PE_COUNTS, balanced},
                                              {"sample.a.none", count, PE_COUNTS, natural},
                                              {"sample.hits", count, hops, hits},
                                              {"sample.bins", count, hops, bins}};
    return dse_workload_put(p->out, series, COUNT(series) - (hops > 0 ? 0 : 2), err);
}

/* Chooses the training graphs that are not landmarks (both lists are ascending), or the held-out part if these are too few. */
static void choose_queries(struct profiling *p)
{
    const struct dse_split *split = &p->model->base.split;
    p->query = dse_arena_alloc(&p->arena, split->n_train + split->n_test, sizeof *p->query);
    size_t next = 0;
    for (size_t i = 0; i < split->n_train; i++) {
        if (next < p->model->encoder.landmarks && p->model->landmarks[next] == split->train[i])
            next++;
        else
            p->query[p->query_count++] = split->train[i];
    }
    if (p->query_count < NYSX_FEW_QUERIES && p->query_count < split->n_train) {
        p->query_count = split->n_test;
        memcpy(p->query, split->test, split->n_test * sizeof *p->query);
    }
}

static enum dse_status measure(struct profiling *p, struct nysx_encoder *encoder, uint64_t seed, struct dse_error *err)
{
    size_t rows = nysx_largest_graph(p->set);
    rows = rows > encoder->landmarks ? rows : encoder->landmarks;
    p->row_counts = dse_arena_alloc(&p->arena, rows, sizeof *p->row_counts);
    p->rounds = dse_arena_alloc(&p->arena, rows, sizeof *p->rounds);
    p->order = dse_arena_alloc(&p->arena, rows, sizeof *p->order);
    p->counts = dse_arena_alloc(&p->arena, encoder->lsh.hops, sizeof *p->counts);
    p->scratch = nysx_scratch_make(encoder, rows, &p->arena);
    choose_queries(p);
    DSE_TRY(put_scalars(p, err));
    DSE_TRY(put_schedule_means(p, err));
    for (size_t k = 0; k < 2 * COUNT(passes); k++)
        DSE_TRY(put_passes(p, &passes[k / 2], k % 2 == 1, err));
    DSE_TRY(encoder->tables > 0 ? put_tables(p, encoder, err) : put_merged(p, err));
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

static void free_profiling(struct profiling *p)
{
    dse_arena_free(&p->arena);
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
    dse_knobs_work_key(&nysx_knobs, setting, &out->setting);
    /* The direct form's workload has no values for landmarks, so it fits no other form. */
    dse_setting_put(&out->setting, "nee.form", model->encoder.tables == 0 ? "direct" : "streamed|resident|factored");
    return DSE_OK;
}

/* ---- the work of a trained model ---- */

/* A profile's codebooks come from its own LSH draw, a model's from the model's draw. To size hardware for a model, this takes the series that
 * depend on the model from the model, and the others from `data`. */
static enum dse_status put_model(const struct nysx_model *model, struct dse_arena *arena, const struct dse_workload *data,
                                 struct dse_workload *out, struct dse_error *err)
{
    size_t hops = model->encoder.tables;
    double classes = (double)model->prototypes.classes, features = (double)(model->columns.labels + model->columns.attributes);
    double onehot = model->columns.attributes == 0, all_hops = (double)model->encoder.lsh.hops;
    double landmarks = (double)model->encoder.landmarks, rank = (double)model->rank;
    struct tables of;
    DSE_TRY(measure_tables(&model->encoder, arena, &of, err));
    double draws = (double)model->encoder.lsh.draws;
    const struct dse_series_value any[] = {{"classes", 1, 1, &classes}, {"features", 1, 1, &features}, {"features.onehot", 1, 1, &onehot}};
    const struct dse_series_value direct = {"hops", 1, 1, &all_hops};
    const struct dse_series_value nystrom[] = {{"rank", 1, 1, &rank},
                                               {"landmarks", 1, 1, &landmarks},
                                               {"codebook", hops, 1, of.codebook},
                                               {"nnz_h", hops, 1, of.nnz},
                                               {"max_count", hops, 1, of.most},
                                               {"kse.schedule.static", hops, PE_COUNTS, of.balanced},
                                               {"kse.schedule.none", hops, PE_COUNTS, of.natural},
                                               {"mph.bits", hops, GAMMAS, of.bits},
                                               {"mph.levels", hops, GAMMAS, of.levels}};
    dse_setting_copy(&data->setting, &out->setting);
    DSE_TRY(dse_workload_put(out, any, COUNT(any), err));
    if (draws > 1 || dse_workload_series(data, "draws") != NULL)
        DSE_TRY(dse_workload_add_series(out, "draws", 1, 1, &draws, err));
    DSE_TRY(hops == 0 ? dse_workload_put(out, &direct, 1, err) : dse_workload_put(out, nystrom, COUNT(nystrom), err));
    for (size_t i = 0; i < data->series_count; i++) {
        const struct dse_series *kept = &data->series[i];
        if (dse_workload_series(out, kept->name) == NULL)
            DSE_TRY(dse_workload_add_series(out, kept->name, kept->rows, kept->columns, kept->values, err));
    }
    return DSE_OK;
}

enum dse_status nysx_model_work(const struct dse_model *base, const struct dse_workload *data, struct dse_workload *out,
                                struct dse_error *err)
{
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    *out = (struct dse_workload){0};
    enum dse_status status = put_model(nysx_model_of(base), &arena, data, out, err);
    if (status != DSE_OK)
        dse_workload_clear(out);
    return status;
}
