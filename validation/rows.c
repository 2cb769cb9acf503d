/* Rows of a validation, and what is said of them together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/validation.h"

const struct dse_validation_row dse_validation_row_empty = {
    .predicted = NAN, .reference = NAN, .error = NAN, .floor = NAN, .low = NAN, .high = NAN, .as_designed = NAN};

void dse_validation_free(struct dse_validation *validation)
{
    free(validation->rows);
    dse_arena_free(&validation->arena);
    *validation = (struct dse_validation){0};
}

enum dse_status dse_validation_add(struct dse_validation *v, const struct dse_validation_row *row, struct dse_error *err)
{
    if (v->count == v->capacity) {
        size_t capacity = 2 * v->capacity + 64;
        struct dse_validation_row *rows = realloc(v->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return dse_fail_memory(err);
        v->rows = rows;
        v->capacity = capacity;
    }
    struct dse_validation_row *kept = &v->rows[v->count];
    *kept = *row;
    kept->what = dse_arena_strdup(&v->arena, row->what);
    kept->where = dse_arena_strdup(&v->arena, row->where);
    kept->source = dse_arena_strdup(&v->arena, row->source);
    if (row->config != NULL)
        kept->config = dse_arena_strdup(&v->arena, row->config);
    if (row->group != NULL)
        kept->group = dse_arena_strdup(&v->arena, row->group);
    if (row->note != NULL)
        kept->note = dse_arena_strdup(&v->arena, row->note);
    if (kept->what == NULL || kept->where == NULL || kept->source == NULL || (row->group != NULL && kept->group == NULL) ||
        (row->note != NULL && kept->note == NULL) || (row->config != NULL && kept->config == NULL))
        return dse_fail_memory(err);
    if (row->low == 0.0 && row->high == 0.0) /* not filled in */
        kept->low = kept->high = NAN;
    if (row->as_designed == 0.0)
        kept->as_designed = NAN;
    kept->error = row->reference != 0.0 ? (row->predicted - row->reference) / row->reference : NAN;
    v->count++;
    return DSE_OK;
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

static void summarise(const struct dse_validation *v, const char *group, const char *what, double *room,
                      struct dse_validation_summary *out)
{
    double *predicted = room, *reference = room + v->count, sum = 0.0, designed = 0.0;
    size_t designs = 0;
    *out = (struct dse_validation_summary){.what = what};
    for (size_t i = 0; i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        if (strcmp(row->what, what) != 0 || isnan(row->error) ||
            (group != NULL && (row->group == NULL || strcmp(row->group, group) != 0)))
            continue;
        predicted[out->n] = row->predicted;
        reference[out->n++] = row->reference;
        sum += fabs(row->error);
        if (isfinite(row->as_designed)) {
            designed += fabs(row->as_designed - row->reference) / row->reference;
            designs++;
        }
        out->max_abs_error = fmax(out->max_abs_error, fabs(row->error));
    }
    out->mean_abs_error_designed = designs > 0 ? designed / (double)designs : NAN;
    out->mean_abs_error = out->n > 0 ? sum / (double)out->n : 0.0;
    out->tau = dse_kendall_tau(predicted, reference, out->n);
}

enum dse_status dse_validation_summarise(const struct dse_validation *v, const char *group,
                                         struct dse_validation_summary **out, size_t *count, struct dse_error *err)
{
    double *room = malloc((2 * v->count + 1) * sizeof *room);
    *out = calloc(v->count + 1, sizeof **out);
    *count = 0;
    if (room == NULL || *out == NULL) {
        free(room);
        free(*out);
        *out = NULL;
        return dse_fail_memory(err);
    }
    for (size_t i = 0; i < v->count; i++) {
        if (listed(*out, *count, v->rows[i].what))
            continue;
        summarise(v, group, v->rows[i].what, room, &(*out)[*count]);
        *count += (*out)[*count].n > 0;
    }
    free(room);
    return DSE_OK;
}
