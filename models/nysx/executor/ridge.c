#include "models/nysx/executor/prototypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "executor/algebra.h"
#include "models/nysx/executor/kernels.h"
#include "models/nysx/executor/streams.h"

#define LAMBDAS 6

/* Smoothing to try: λ, and the ratio of errors on a sample that count as equal. Of equals the largest λ is the most accurate, with a table of equal
 * scales the smallest. The squared error of scaled counts is least at less smoothing than the errors of classes. */
static const struct smoothing {
    double lambda[LAMBDAS], alike;
    bool least;
} no_table = {{0.03, 0.1, 0.3, 1.0, 3.0, 10.0}, 1.03, false}, equal = {{0.03, 0.1, 0.3, 1.0, 3.0, 10.0}, 1.03, true},
  rooted = {{0.3, 1.0, 3.0, 10.0, 30.0, 100.0}, 1.08, false};

void nysx_example_weights(const struct nysx_examples *examples, bool balanced, double *weight)
{
    size_t present = 0;
    for (size_t c = 0; c < examples->classes; c++) {
        size_t members = 0;
        for (size_t i = 0; i < examples->count; i++)
            members += (size_t)examples->label[i] == c;
        present += members > 0;
        for (size_t i = 0; members > 0 && i < examples->count; i++)
            if ((size_t)examples->label[i] == c)
                weight[i] = balanced ? (double)examples->count / (double)members : 1.0;
    }
    for (size_t i = 0; balanced && i < examples->count; i++)
        weight[i] /= (double)present;
}

/* Counts of every example's codes by slots. An example's k-th code at a place of the table has slot `place + k · places`. */
struct slots {
    size_t *begin; /* [examples + 1] into slot and count */
    int32_t *slot;
    int32_t *count;
    size_t all;      /* slots */
    double *squares; /* [all] Σ of squared counts over the examples */
    double *scale;   /* [all] of products of counts in the kernel */
};

/* A sample of the training examples; `of` NULL: all, in order. */
struct sample {
    const struct nysx_examples *examples;
    const double *weight;
    const int32_t *of;
    size_t count;
    const struct slots *slots;
};

static size_t example_at(const struct sample *s, size_t i)
{
    return s->of != NULL ? (size_t)s->of[i] : i;
}

static void free_slots(struct slots *slots)
{
    free(slots->begin);
    free(slots->slot);
    free(slots->count);
    free(slots->squares);
    free(slots->scale);
}

static struct slots make_slots(const struct nysx_examples *e)
{
    struct slots out = {.begin = dse_calloc(e->count + 1, sizeof *out.begin)};
    size_t layers = 1;
    for (size_t i = 0; e->listed != NULL && i < e->count; i++)
        out.begin[i + 1] = out.begin[i] + e->listed[i].count;
    out.slot = dse_malloc((out.begin[e->count] + 1) * sizeof *out.slot);
    out.count = dse_malloc((out.begin[e->count] + 1) * sizeof *out.count);
    for (size_t i = 0; e->listed != NULL && i < e->count; i++)
        for (size_t n = 0, layer = 0, last = 0; n < e->listed[i].count; n++) {
            size_t place = nysx_table_place(e->listed[i].item[n].code, e->places); /* ascending, like the codes */
            layer = n > 0 && place == last ? layer + 1 : 0;
            layers = layer >= layers ? layer + 1 : layers;
            last = place;
            out.slot[out.begin[i] + n] = (int32_t)(place + layer * e->places);
            out.count[out.begin[i] + n] = (int32_t)e->listed[i].item[n].count;
        }
    out.all = layers * e->places;
    out.squares = dse_calloc(out.all + 1, sizeof *out.squares);
    out.scale = dse_calloc(out.all + 1, sizeof *out.scale);
    for (size_t n = 0; n < out.begin[e->count]; n++)
        out.squares[out.slot[n]] += (double)((int64_t)out.count[n] * out.count[n]);
    return out;
}

/* Scales all slots equally, or each by the inverse root of its squares. The examples' own products then have the mean NYSX_TABLE_SHARE. */
static void scale_slots(size_t examples, bool by_root, struct slots *slots)
{
    double sum = 0.0;
    for (size_t k = 0; k < slots->all; k++)
        sum += by_root ? sqrt(slots->squares[k]) : slots->squares[k];
    for (size_t k = 0; k < slots->all; k++)
        slots->scale[k] = slots->squares[k] > 0.0 ? NYSX_TABLE_SHARE * (double)examples / sum / (by_root ? sqrt(slots->squares[k]) : 1.0) : 0.0;
}

/* The kernel matrix of a sample, in ascending order of rows. `holder` lists the rows so far that hold a slot, [first[slot], last[slot]). */
struct gram {
    const struct sample *sample;
    uint64_t *hypervector; /* [count × words], in the sample's order */
    struct holder {
        int32_t row, count;
    } *holder;
    size_t *first, *last; /* [slots] into holder */
    double *shared;       /* [count] Σ over a row's slots of its counts times another row's, scaled */
    int32_t *differ;      /* [NYSX_DIFFERING_ROWS × count] */
};

static void free_gram(struct gram *g)
{
    free(g->hypervector);
    free(g->holder);
    free(g->first);
    free(g->last);
    free(g->shared);
    free(g->differ);
}

static struct gram make_gram(const struct sample *s)
{
    const struct nysx_examples *e = s->examples;
    const struct slots *slots = s->slots;
    struct gram g = {.sample = s, .hypervector = dse_malloc((s->count * e->words + 1) * sizeof *g.hypervector),
                     .first = dse_calloc(slots->all + 1, sizeof *g.first), .last = dse_calloc(slots->all + 1, sizeof *g.last),
                     .shared = dse_malloc((s->count + 1) * sizeof *g.shared),
                     .differ = dse_malloc((NYSX_DIFFERING_ROWS * s->count + 1) * sizeof *g.differ)};
    for (size_t i = 0; i < s->count; i++) {
        size_t example = example_at(s, i);
        memcpy(g.hypervector + i * e->words, e->hypervector + example * e->words, e->words * sizeof *g.hypervector);
        for (size_t n = slots->begin[example]; n < slots->begin[example + 1]; n++)
            g.first[slots->slot[n] + 1]++;
    }
    for (size_t k = 0; k < slots->all; k++)
        g.first[k + 1] += g.first[k];
    g.holder = dse_malloc((g.first[slots->all] + 1) * sizeof *g.holder);
    memcpy(g.last, g.first, slots->all * sizeof *g.last);
    return g;
}

/* shared[j] for j ≤ i; adds row i to the holders of its slots. */
static void share_counts(struct gram *g, size_t i)
{
    const struct slots *slots = g->sample->slots;
    size_t example = example_at(g->sample, i);
    memset(g->shared, 0, (i + 1) * sizeof *g->shared);
    for (size_t n = slots->begin[example]; n < slots->begin[example + 1]; n++) {
        size_t slot = (size_t)slots->slot[n];
        double count = slots->scale[slot] * (double)slots->count[n];
        g->holder[g->last[slot]++] = (struct holder){(int32_t)i, slots->count[n]};
        for (size_t k = g->first[slot]; k < g->last[slot]; k++)
            g->shared[g->holder[k].row] += count * (double)g->holder[k].count;
    }
}

/* Rows [first, first + rows) up to their diagonal, rows ≤ NYSX_DIFFERING_ROWS, `stride` elements apart. */
static void kernel_rows(struct gram *g, size_t first, size_t rows, double *out, size_t stride)
{
    const struct nysx_examples *e = g->sample->examples;
    size_t columns = first + rows;
    nysx_kernels->differing_rows(g->hypervector + first * e->words, rows, g->hypervector, columns, e->words, g->differ);
    for (size_t r = 0; r < rows; r++) {
        share_counts(g, first + r);
        for (size_t j = 0; j <= first + r; j++)
            out[r * stride + j] = 1.0 - 2.0 * (double)g->differ[r * columns + j] / (double)e->dim + g->shared[j];
    }
}

static size_t rows_from(size_t first, size_t n)
{
    return n - first < NYSX_DIFFERING_ROWS ? n - first : NYSX_DIFFERING_ROWS;
}

static double target_of(const struct sample *s, size_t i, size_t c)
{
    return (size_t)s->examples->label[example_at(s, i)] == c ? 1.0 : -1.0;
}

/* out = M⁻¹ right, by the inverse X of M's factor: Xᵀ X right. */
static void multiply_inverse(const double *x, size_t n, const double *right, double *out)
{
    memset(out, 0, n * sizeof *out);
    for (size_t k = 0; k < n; k++) {
        double along = dse_algebra_dot(x + k * n, right, k + 1);
        for (size_t i = 0; i <= k; i++)
            out[i] += along * x[k * n + i];
    }
}

/* Leave-one-out error. The bordered system (with free offsets) has the inverse P = M⁻¹ − m mᵀ / Σm, where m are the row sums of M⁻¹.
 * The error of a left-out example is (P t)_i / P_ii. Returns the weighted mean square over examples and classes. `x` is the inverse of
 * M's factor; `room` has 4 n elements. */
static double left_out_error(const struct sample *s, const double *x, double *room)
{
    size_t n = s->count;
    double all = 0.0, error = 0.0, weights = 0.0, *sums = room, *diagonal = room + n, *target = room + 2 * n, *values = room + 3 * n;
    memset(diagonal, 0, n * sizeof *diagonal);
    for (size_t k = 0; k < n; k++) {
        target[k] = 1.0;
        for (size_t i = 0; i <= k; i++)
            diagonal[i] += x[k * n + i] * x[k * n + i];
    }
    multiply_inverse(x, n, target, sums);
    for (size_t i = 0; i < n; i++)
        all += sums[i];
    for (size_t c = 0; c < s->examples->classes; c++) {
        double along = 0.0;
        for (size_t j = 0; j < n; j++) {
            target[j] = target_of(s, j, c);
            along += sums[j] * target[j];
        }
        multiply_inverse(x, n, target, values);
        for (size_t i = 0; i < n; i++) {
            double weight = s->weight[example_at(s, i)], missed = (values[i] - sums[i] * along / all) / (diagonal[i] - sums[i] * sums[i] / all);
            error += weight * missed * missed;
            weights += weight;
        }
    }
    return error / weights;
}

static enum dse_status try_lambda(const struct sample *s, const double *kernel, double lambda, double *work, double *error,
                                  struct dse_error *err)
{
    size_t n = s->count;
    memcpy(work, kernel, n * n * sizeof *work);
    for (size_t i = 0; i < n; i++)
        work[i * n + i] += lambda / s->weight[example_at(s, i)];
    DSE_TRY(dse_algebra_invert_factor(work, n, err));
    *error = left_out_error(s, work, work + n * n);
    return DSE_OK;
}

/* λ for the sample (`smoothing`), and the least error. */
static enum dse_status choose_lambda(const struct sample *s, const struct smoothing *smoothing, double *lambda, double *least, struct dse_error *err)
{
    size_t n = s->count;
    DSE_CLEANUP(dse_free_at) double *kernel = dse_malloc(n * n * sizeof *kernel);
    DSE_CLEANUP(dse_free_at) double *work = dse_malloc((n * n + 4 * n) * sizeof *work);
    DSE_CLEANUP(free_gram) struct gram gram = make_gram(s);
    double error[LAMBDAS] = {0};
    *least = INFINITY;
    for (size_t i = 0; i < n; i += NYSX_DIFFERING_ROWS)
        kernel_rows(&gram, i, rows_from(i, n), kernel + i * n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            kernel[j * n + i] = kernel[i * n + j];
    for (size_t k = 0; k < LAMBDAS; k++) {
        DSE_TRY(try_lambda(s, kernel, smoothing->lambda[k], work, &error[k], err));
        *least = fmin(*least, error[k]);
    }
    bool chosen = false;
    for (size_t k = 0; k < LAMBDAS; k++)
        if (error[k] <= smoothing->alike * *least && !(chosen && smoothing->least)) {
            *lambda = smoothing->lambda[k];
            chosen = true;
        }
    return DSE_OK;
}

/* λ, and with a table the scales of its slots: by root unless equal ones have less error on the sample, more than counts as equal. */
static enum dse_status choose_smoothing(const struct sample *s, struct slots *slots, double *lambda, struct dse_error *err)
{
    size_t count = s->examples->count;
    double least, rooted_lambda, rooted_least;
    scale_slots(count, false, slots);
    DSE_TRY(choose_lambda(s, s->examples->listed != NULL ? &equal : &no_table, lambda, &least, err));
    if (s->examples->listed == NULL)
        return DSE_OK;
    scale_slots(count, true, slots);
    DSE_TRY(choose_lambda(s, &rooted, &rooted_lambda, &rooted_least, err));
    if (rooted_least <= equal.alike * least)
        *lambda = rooted_lambda;
    else
        scale_slots(count, false, slots);
    return DSE_OK;
}

/* Index of element (i, j), i ≥ j, of a symmetric matrix of n rows in LAPACK's rectangular full packed form (lower, not
 * transposed). The form needs half the memory of a square, at the same speed. */
static size_t packed_at(size_t n, size_t i, size_t j)
{
    size_t rows = n % 2 == 0 ? n + 1 : n, columns = (n + 1) / 2, odd = n % 2;
    return j < columns ? i + (1 - odd) + j * rows : (j - columns) + (i - columns + odd) * rows;
}

/* α of every class and the offsets' column, [classes + 1] columns of n: z = (K + λ W⁻¹)⁻¹ [t | 1], then α = z_c − b_c z_1. */
static enum dse_status solve(const struct sample *s, double lambda, float *alpha, struct dse_error *err)
{
    size_t n = s->count, classes = s->examples->classes;
    DSE_CLEANUP(dse_free_at) float *packed = dse_malloc((n * (n + 1) / 2 + n) * sizeof *packed);
    DSE_CLEANUP(dse_free_at) double *rows = dse_malloc((NYSX_DIFFERING_ROWS * n + 1) * sizeof *rows);
    DSE_CLEANUP(free_gram) struct gram gram = make_gram(s);
    for (size_t i = 0; i < n; i++) {
        double *row = rows + i % NYSX_DIFFERING_ROWS * n;
        if (i % NYSX_DIFFERING_ROWS == 0)
            kernel_rows(&gram, i, rows_from(i, n), rows, n);
        row[i] += lambda / s->weight[i];
        for (size_t j = 0; j <= i; j++)
            packed[packed_at(n, i, j)] = (float)row[j];
        for (size_t c = 0; c <= classes; c++)
            alpha[c * n + i] = c < classes ? (float)target_of(s, i, c) : 1.0f;
    }
    DSE_TRY(dse_algebra_solve_packed(packed, n, alpha, classes + 1, err));
    const float *one = alpha + classes * n;
    double all = 0.0;
    for (size_t i = 0; i < n; i++)
        all += one[i];
    for (size_t c = 0; c < classes; c++) {
        double sum = 0.0;
        for (size_t i = 0; i < n; i++)
            sum += alpha[c * n + i];
        for (size_t i = 0; i < n; i++)
            alpha[c * n + i] -= (float)(sum / all) * one[i];
    }
    return DSE_OK;
}

/* The sample for choosing λ: the first of a shuffle by the seed, in ascending order. */
static int32_t *draw_sample(const struct nysx_examples *examples, uint64_t seed, size_t *count)
{
    int32_t *order = dse_malloc((examples->count + 1) * sizeof *order);
    for (size_t i = 0; i < examples->count; i++)
        order[i] = (int32_t)i;
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, NYSX_STREAM_RIDGE);
    if (examples->count > NYSX_RIDGE_SAMPLE)
        dse_rng_shuffle(&rng, order, examples->count);
    *count = examples->count < NYSX_RIDGE_SAMPLE ? examples->count : NYSX_RIDGE_SAMPLE;
    return order;
}

/* The table's weights, on the scale of prototypes that are not divided by the dimension. */
static void add_table(const struct sample *s, const float *alpha, struct nysx_prototypes *real)
{
    const struct nysx_examples *e = s->examples;
    real->places = e->places;
    real->real_table = dse_calloc(e->classes * e->places, sizeof *real->real_table);
    for (size_t c = 0; c < e->classes; c++)
        for (size_t i = 0; i < e->count; i++)
            for (size_t n = s->slots->begin[i]; n < s->slots->begin[i + 1]; n++)
                real->real_table[c * e->places + (size_t)s->slots->slot[n] % e->places] +=
                    (float)((double)e->dim * s->slots->scale[s->slots->slot[n]] * (double)s->slots->count[n] * (double)alpha[c * e->count + i]);
}

enum dse_status nysx_ridge_train(const struct nysx_examples *examples, const struct nysx_prototype_plan *plan,
                                 struct nysx_prototypes *real, double *lambda, struct dse_error *err)
{
    size_t n = examples->count;
    DSE_CLEANUP(dse_free_at) double *weight = dse_malloc((n + 1) * sizeof *weight);
    DSE_CLEANUP(dse_free_at) float *alpha = dse_malloc((examples->classes + 1) * (n + 1) * sizeof *alpha);
    DSE_CLEANUP(free_slots) struct slots slots = make_slots(examples);
    struct sample sample = {examples, weight, NULL, 0, &slots}, all = {examples, weight, NULL, n, &slots};
    DSE_CLEANUP(dse_free_at) int32_t *of = draw_sample(examples, plan->seed, &sample.count);
    sample.of = of;
    nysx_example_weights(examples, plan->balanced, weight);
    DSE_TRY(choose_smoothing(&sample, &slots, lambda, err));
    DSE_TRY(solve(&all, *lambda, alpha, err));
    for (size_t c = 0; c < examples->classes; c++)
        for (size_t i = 0; i < n; i++)
            nysx_kernels->add_scaled(real->real + c * real->words * 64, real->words, examples->hypervector + i * examples->words,
                                     alpha[c * n + i]);
    if (examples->listed != NULL)
        add_table(&all, alpha, real);
    return DSE_OK;
}
