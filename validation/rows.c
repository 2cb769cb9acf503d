/* Rows of a validation, and their summaries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "validation/validation.h"

const struct dse_validation_row dse_validation_row_empty = {
    .predicted = NAN, .reference = NAN, .error = NAN, .left_out = NAN, .error_left_out = NAN,
    .lower_bound = NAN, .low = NAN, .high = NAN, .as_designed = NAN, .deviations = NAN, .error_as_designed = NAN};

void dse_validation_free(struct dse_validation *validation)
{
    free(validation->rows);
    dse_arena_free(&validation->arena);
    *validation = (struct dse_validation){0};
}

static double error_of(double value, double reference)
{
    return reference != 0.0 ? (value - reference) / reference : NAN;
}

void dse_validation_add(struct dse_validation *v, const struct dse_validation_row *row)
{
    struct dse_validation_row *kept = dse_list_more(&v->rows, &v->count, sizeof *kept);
    *kept = *row;
    const char **const texts[] = {&kept->level, &kept->what, &kept->where, &kept->profile, &kept->board,
                                  &kept->config, &kept->group, &kept->source, &kept->note, &kept->table, &kept->by};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i] != NULL)
            *texts[i] = dse_arena_strdup(&v->arena, *texts[i]);
    bool exact = !row->verdict && row->bound == 0;
    kept->error = exact ? error_of(row->predicted, row->reference) : NAN;
    kept->error_left_out = exact ? error_of(row->left_out, row->reference) : NAN;
    kept->error_as_designed = error_of(row->as_designed, row->reference);
    kept->below_bound = row->reference < row->lower_bound;
}

double dse_kendall_tau(const double *a, const double *b, size_t n)
{
    double agreed = 0.0, pairs_a = 0.0, pairs_b = 0.0; /* pairs that are no tie in a, in b */
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            int x = (a[i] > a[j]) - (a[i] < a[j]), y = (b[i] > b[j]) - (b[i] < b[j]);
            agreed += x * y;
            pairs_a += x != 0;
            pairs_b += y != 0;
        }
    }
    return pairs_a > 0.0 && pairs_b > 0.0 ? agreed / sqrt(pairs_a * pairs_b) : NAN;
}

static bool listed(const struct dse_validation_summary *list, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].what, what) == 0)
            return true;
    return false;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Accumulates errors one by one, for their mean and maximum; NaN without any. */
struct tally {
    double sum, worst;
    size_t n;
};

static void tally_add(struct tally *tally, double error)
{
    if (!isfinite(error))
        return;
    tally->sum += fabs(error);
    tally->worst = fmax(tally->worst, fabs(error));
    tally->n++;
}

static double tally_mean(const struct tally *tally)
{
    return tally->n > 0 ? tally->sum / (double)tally->n : NAN;
}

static void summarise(const struct dse_validation *v, const char *level, const char *group, const char *what, double *room,
                      struct dse_validation_summary *out)
{
    double *predicted = room, *reference = room + v->count;
    struct tally errors = {0}, left_out = {0}, designed = {0};
    *out = (struct dse_validation_summary){.level = level, .what = what};
    for (size_t i = 0; i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        if (!same(row->level, level) || strcmp(row->what, what) != 0 || isnan(row->error) ||
            (group != NULL && !same(row->group, group)))
            continue;
        predicted[out->n] = row->predicted;
        reference[out->n++] = row->reference;
        out->unexplained += row->unexplained;
        tally_add(&errors, row->error);
        tally_add(&left_out, row->error_left_out);
        tally_add(&designed, row->error_as_designed);
    }
    out->mean_abs_error = errors.n > 0 ? tally_mean(&errors) : 0.0;
    out->max_abs_error = errors.worst;
    out->mean_abs_error_left_out = tally_mean(&left_out);
    out->max_abs_error_left_out = left_out.n > 0 ? left_out.worst : NAN;
    out->mean_abs_error_designed = tally_mean(&designed);
    out->tau = dse_kendall_tau(predicted, reference, out->n);
}

struct dse_validation_summary *dse_validation_summarise(const struct dse_validation *v, const char *level, const char *group,
                                                        size_t *count)
{
    double *room DSE_CLEANUP(dse_free_at) = dse_malloc((2 * v->count + 1) * sizeof *room);
    struct dse_validation_summary *out = dse_calloc(v->count + 1, sizeof *out);
    *count = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (!same(v->rows[i].level, level) || listed(out, *count, v->rows[i].what))
            continue;
        summarise(v, level, group, v->rows[i].what, room, &out[*count]);
        *count += out[*count].n > 0;
    }
    return out;
}

bool dse_validation_pooled(const struct dse_validation *v, struct dse_validation_pool *out)
{
    struct tally errors = {0}, designed = {0}, above = {0};
    for (size_t i = 0; i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        if (!row->pooled || !isfinite(row->error))
            continue;
        tally_add(&errors, row->error);
        tally_add(&designed, row->error_as_designed);
        if (!row->below_bound)
            tally_add(&above, row->error);
    }
    *out = (struct dse_validation_pool){.what = v->story.pooled, .mean_abs_error = tally_mean(&errors),
                                        .max_abs_error = errors.worst, .mean_abs_error_designed = tally_mean(&designed),
                                        .mean_abs_error_above_floor = tally_mean(&above), .n = errors.n};
    return errors.n > 0;
}
