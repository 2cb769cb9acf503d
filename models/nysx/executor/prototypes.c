#include "models/nysx/executor/prototypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/kernels.h"
#include "models/nysx/executor/streams.h"

#define SCALES 32

/* State of adaptive training. */
struct adapting {
    struct nysx_prototypes real;   /* accumulates updates; elements past dim stay 0 */
    struct nysx_prototypes stored; /* for similarities; `real` itself if not in the loop */
    bool in_loop;
    double *scale;                 /* [classes] of `stored` in this epoch */
    double *cosine;                /* [classes] of one example */
    double *weight;                /* [examples] */
};

static float *row_of(struct nysx_prototypes *real, size_t c)
{
    return real->real + c * real->words * 64;
}

static void clear_past_dim(struct nysx_prototypes *real, size_t c)
{
    for (size_t i = real->dim; i < real->words * 64; i++)
        row_of(real, c)[i] = 0.0f;
}

#define ROUNDER 6755399441055744.0 /* 1.5 × 2^52: adding and subtracting it rounds like rint(), in vectors */
#define CHUNK 256

/* Rounds to −most … most. Returns `error` plus the squared error, or plus a part of it that already exceeds `bound`. */
static double round_class(const float *real, size_t dim, double scale, int most, double error, double bound, int8_t *out)
{
    double element[CHUNK];
    for (size_t from = 0; from < dim && error <= bound; from += CHUNK) {
        size_t count = dim - from < CHUNK ? dim - from : CHUNK;
        for (size_t i = 0; i < count; i++) {
            double near = real[from + i] / scale + ROUNDER - ROUNDER;
            element[i] = near > most ? most : near < -most ? -most : near;
            out[from + i] = (int8_t)element[i];
        }
        for (size_t i = 0; i < count; i++)
            element[i] = (real[from + i] - element[i] * scale) * (real[from + i] - element[i] * scale);
        for (size_t i = 0; i < count; i++)
            error += element[i];
    }
    return error;
}

/* The scale with the least rounding error, of 32 scales up to the one for the largest magnitude; 0 for an empty class. */
static double fit_scale(const float *real, size_t dim, int most, int8_t *scratch)
{
    float largest = 0.0f;
    for (size_t i = 0; i < dim; i++)
        largest = fabsf(real[i]) > largest ? fabsf(real[i]) : largest;
    double best = 0.0, best_error = INFINITY;
    for (int k = SCALES; k >= 1 && largest > 0.0f; k--) { /* from the largest down: scales that clip much soon exceed the bound */
        double scale = (double)largest * k / SCALES / most;
        double error = round_class(real, dim, scale, most, 0.0, best_error, scratch);
        if (error <= best_error) {
            best_error = error;
            best = scale;
        }
    }
    return best;
}

/* One class of `out` from the real one. Returns the scale, fitted if `scale` is 0. */
static double quantise_class(struct nysx_prototypes *real, size_t c, double scale, struct nysx_prototypes *out)
{
    const float *row = row_of(real, c);
    int8_t *whole = out->whole + c * out->dim;
    int most = out->bits == 1 ? 1 : (1 << (out->bits - 1)) - 1;
    if (out->bits == 1) {
        for (size_t i = 0; i < out->dim; i++)
            whole[i] = row[i] >= 0.0f ? 1 : -1;
    } else {
        if (scale == 0.0)
            scale = fit_scale(row, out->dim, most, whole);
        if (scale > 0.0)
            round_class(row, out->dim, scale, most, 0.0, INFINITY, whole);
    }
    nysx_prototypes_seal_class(out, c);
    return scale;
}

struct nysx_prototypes nysx_prototypes_quantise(struct nysx_prototypes *real, int bits)
{
    struct nysx_prototypes out = nysx_prototypes_make(real->classes, real->dim, bits);
    if (bits == 32)
        memcpy(out.real, real->real, real->classes * real->words * 64 * sizeof(float));
    for (size_t c = 0; c < real->classes && bits != 32; c++)
        quantise_class(real, c, 0.0, &out);
    if (bits == 32)
        nysx_prototypes_seal(&out);
    return out;
}

static void bundle(const struct nysx_examples *examples, struct nysx_prototypes *real)
{
    for (size_t i = 0; i < examples->count; i++)
        nysx_kernels->add_scaled(row_of(real, (size_t)examples->label[i]), real->words, examples->hypervector + i * examples->words,
                                 1.0f);
    for (size_t c = 0; c < real->classes; c++)
        clear_past_dim(real, c);
    nysx_prototypes_seal(real);
}

static double cosine_of(struct adapting *a, size_t c, const uint64_t *hypervector)
{
    double length = a->in_loop ? sqrt((double)a->stored.norm[c]) : a->real.length[c];
    if (!(length > 0.0))
        return 0.0;
    return nysx_dot(a->in_loop ? &a->stored : &a->real, c, hypervector) / (length * sqrt((double)a->real.dim));
}

static void move_class(struct adapting *a, size_t c, const uint64_t *hypervector, double factor)
{
    nysx_kernels->add_scaled(row_of(&a->real, c), a->real.words, hypervector, (float)factor);
    clear_past_dim(&a->real, c);
    if (a->in_loop)
        quantise_class(&a->real, c, a->scale[c], &a->stored);
    else
        nysx_prototypes_seal_class(&a->real, c);
}

/* Classifies one example, and moves two prototypes if the class is wrong. */
static void adapt(struct adapting *a, const uint64_t *hypervector, size_t label, double weight)
{
    size_t best = 0;
    for (size_t c = 0; c < a->real.classes; c++) {
        a->cosine[c] = cosine_of(a, c, hypervector);
        if (a->cosine[c] > a->cosine[best])
            best = c;
    }
    if (best == label)
        return;
    move_class(a, label, hypervector, weight * (1.0 - a->cosine[label]));
    move_class(a, best, hypervector, -weight * (1.0 - a->cosine[best]));
}

static void run_epochs(const struct nysx_examples *examples, const struct nysx_prototype_plan *plan, struct adapting *a)
{
    int32_t *order = dse_malloc((examples->count + 1) * sizeof *order);
    for (size_t i = 0; i < examples->count; i++)
        order[i] = (int32_t)i;
    struct dse_rng rng;
    dse_rng_seed(&rng, plan->seed, NYSX_STREAM_RETRAIN);
    for (size_t epoch = 0; epoch < plan->epochs; epoch++) {
        for (size_t c = 0; a->in_loop && c < a->real.classes; c++)
            a->scale[c] = quantise_class(&a->real, c, 0.0, &a->stored);
        dse_rng_shuffle(&rng, order, examples->count);
        for (size_t i = 0; i < examples->count; i++)
            adapt(a, examples->hypervector + (size_t)order[i] * examples->words,
                  (size_t)examples->label[order[i]], a->weight[order[i]]);
    }
    free(order);
}

/* Subtracts the mean of the classes; from the table's weights the first class's, so that these need no memory. Clears elements past dim,
 * which a model file does not have. */
static void take_mean_out(struct nysx_prototypes *real)
{
    for (size_t c = 0; c < real->classes; c++)
        clear_past_dim(real, c);
    for (size_t i = 0; i < real->dim; i++) {
        double sum = 0.0;
        for (size_t c = 0; c < real->classes; c++)
            sum += row_of(real, c)[i];
        for (size_t c = 0; c < real->classes; c++)
            row_of(real, c)[i] -= (float)(sum / (double)real->classes);
    }
    for (size_t i = 0; real->real_table != NULL && i < real->places; i++) {
        float first = real->real_table[i];
        for (size_t c = 0; c < real->classes; c++)
            real->real_table[c * real->places + i] -= first;
    }
}

/* The table's weights in units of `scale`, the step of the prototypes: 16-bit whole numbers times the least power of two that holds
 * them all. */
static void quantise_table(const struct nysx_prototypes *real, double scale, struct nysx_prototypes *out)
{
    size_t count = real->classes * real->places;
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)real->real_table[i]));
    out->places = real->places;
    out->table = dse_calloc(count + 1, sizeof *out->table);
    while (scale > 0.0 && out->table_shift < NYSX_TABLE_SHIFT_MAX && largest / scale / exp2(out->table_shift) > NYSX_TABLE_MOST)
        out->table_shift++;
    for (size_t i = 0; scale > 0.0 && i < count; i++)
        out->table[i] = (int16_t)fmax(-NYSX_TABLE_MOST, fmin(NYSX_TABLE_MOST, rint((double)real->real_table[i] / scale / exp2(out->table_shift))));
}

/* The mean magnitude, which is the scale of one-bit elements. */
static double mean_size(struct nysx_prototypes *real)
{
    double sum = 0.0;
    for (size_t c = 0; c < real->classes; c++)
        for (size_t i = 0; i < real->dim; i++)
            sum += fabs((double)row_of(real, c)[i]);
    return sum / (double)(real->classes * real->dim);
}

/* Whole prototypes of all classes on one scale. */
static void quantise_together(struct nysx_prototypes *real, struct nysx_prototypes *out)
{
    int most = out->bits == 1 ? 1 : (1 << (out->bits - 1)) - 1;
    float largest = 0.0f;
    double best = 0.0, best_error = INFINITY;
    for (size_t c = 0; c < real->classes; c++)
        for (size_t i = 0; i < real->dim; i++)
            largest = fabsf(row_of(real, c)[i]) > largest ? fabsf(row_of(real, c)[i]) : largest;
    for (int k = SCALES; k >= 1 && largest > 0.0f && out->bits > 1; k--) {
        double scale = (double)largest * k / SCALES / most, error = 0.0;
        for (size_t c = 0; c < real->classes; c++)
            error += round_class(row_of(real, c), real->dim, scale, most, 0.0, best_error - error, out->whole + c * out->dim);
        if (error <= best_error) {
            best_error = error;
            best = scale;
        }
    }
    for (size_t c = 0; c < real->classes; c++) {
        quantise_class(real, c, best, out);
        nysx_prototypes_seal_class(out, c);
    }
    if (real->real_table != NULL)
        quantise_table(real, out->bits == 1 ? mean_size(real) : best, out);
}

/* Sums for a least-squares fit of targets against scores, of one class. */
struct fit {
    double score, target, product, square; /* weighted sums */
};

static struct fit fit_class(const struct nysx_prototypes *p, size_t c, const struct nysx_examples *examples,
                            const double *weight)
{
    struct fit fit = {0};
    for (size_t i = 0; i < examples->count; i++) {
        const uint64_t *hypervector = examples->hypervector + i * examples->words;
        double score = nysx_dot(p, c, hypervector);
        if (p->table != NULL)
            score += (double)nysx_table_score(p, c, examples->listed[i].item, examples->listed[i].count);
        double target = (size_t)examples->label[i] == c ? 1.0 : -1.0;
        fit.score += weight[i] * score;
        fit.target += weight[i] * target;
        fit.product += weight[i] * score * target;
        fit.square += weight[i] * score * score;
    }
    return fit;
}

/* Fits one slope for all classes, and an offset per class. */
static void fit_offsets(struct nysx_prototypes *p, const struct nysx_examples *examples, bool balanced)
{
    double n = (double)examples->count, product = 0.0, square = 0.0;
    double *weight DSE_CLEANUP(dse_free_at) = dse_malloc((examples->count + 1) * sizeof *weight);
    struct fit *fit DSE_CLEANUP(dse_free_at) = dse_malloc(p->classes * sizeof *fit);
    nysx_prototypes_add_bias(p);
    nysx_example_weights(examples, balanced, weight);
    for (size_t c = 0; c < p->classes; c++) {
        fit[c] = fit_class(p, c, examples, weight);
        product += fit[c].product - fit[c].score * fit[c].target / n;
        square += fit[c].square - fit[c].score * fit[c].score / n;
    }
    for (size_t c = 0; c < p->classes; c++) {
        double slope = square > 0.0 && product > 0.0 ? product / square : 1.0;
        double offset = (fit[c].target / n) / slope - fit[c].score / n, most = 1e9;
        offset = offset > most ? most : offset < -most ? -most : offset;
        if (p->whole != NULL)
            p->bias[c] = (int32_t)rint(offset);
        else
            p->real_bias[c] = (float)offset;
    }
}

struct nysx_prototypes nysx_prototypes_offset(struct nysx_prototypes *real, const struct nysx_examples *examples, bool balanced, int bits)
{
    take_mean_out(real);
    struct nysx_prototypes out = nysx_prototypes_make(real->classes, real->dim, bits);
    if (bits == 32) {
        memcpy(out.real, real->real, real->classes * real->words * 64 * sizeof(float));
        nysx_prototypes_seal(&out);
    } else {
        quantise_together(real, &out);
    }
    fit_offsets(&out, examples, balanced);
    return out;
}

/* Only the direction of adapted prototypes matters. */
static void to_unit_length(struct nysx_prototypes *real)
{
    for (size_t c = 0; c < real->classes; c++)
        for (size_t i = 0; real->length[c] > 0.0 && i < real->dim; i++)
            row_of(real, c)[i] /= (float)real->length[c];
}

static void free_adapting(struct adapting *a)
{
    nysx_prototypes_free(&a->real);
    nysx_prototypes_free(&a->stored);
    free(a->scale);
    free(a->cosine);
    free(a->weight);
}

enum dse_status nysx_prototypes_train(const struct nysx_examples *examples, const struct nysx_prototype_plan *plan,
                                      struct nysx_prototypes *out, struct dse_error *err)
{
    DSE_CLEANUP(free_adapting) struct adapting a = {.real = nysx_prototypes_make(examples->classes, examples->dim, 32),
                                                    .in_loop = plan->in_loop && plan->bits != 32,
                                                    .scale = dse_calloc(examples->classes, sizeof *a.scale),
                                                    .cosine = dse_calloc(examples->classes, sizeof *a.cosine),
                                                    .weight = dse_calloc(examples->count + 1, sizeof *a.weight)};
    if (a.in_loop)
        a.stored = nysx_prototypes_make(examples->classes, examples->dim, plan->bits);
    if (plan->method == NYSX_RIDGE) {
        double lambda;
        DSE_TRY(nysx_ridge_train(examples, plan, &a.real, &lambda, err));
    } else {
        nysx_example_weights(examples, plan->balanced, a.weight);
        if (plan->epochs == 0 || !plan->from_zero)
            bundle(examples, &a.real);
        if (plan->epochs > 0)
            run_epochs(examples, plan, &a);
    }
    if (plan->method == NYSX_ADAPTIVE)
        to_unit_length(&a.real);
    *out = plan->method == NYSX_BUNDLED ? nysx_prototypes_quantise(&a.real, plan->bits)
                                        : nysx_prototypes_offset(&a.real, examples, plan->balanced, plan->bits);
    return DSE_OK;
}
