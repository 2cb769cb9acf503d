/* The `work` verb: the workload that a trained model makes.
 *
 * A profile's codebooks are those of its own LSH draw; a model's are its own. Whoever sizes hardware for a model
 * replaces in the profile's workload what the model decides and keeps what the data set does. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/schedule.h"

#define PE_COUNTS 7 /* 1, 2, 4 … 64, as in profile.c */
#define GAMMAS 4

static const double gammas[GAMMAS] = {1.0, 1.5, 2.0, 4.0};

/* The series that the model decides. */
struct own {
    size_t hops;
    double *codebook, *nnz, *most, *balanced, *natural, *bits, *levels;
};

static void schedules_of(const struct nysx_csr *counts, double *balanced, double *natural)
{
    int32_t *rows = dse_malloc(2 * (counts->rows + 1) * sizeof *rows), *order = rows + counts->rows + 1;
    for (size_t r = 0; r < counts->rows; r++)
        rows[r] = counts->begin[r + 1] - counts->begin[r];
    nysx_schedule_order(rows, counts->rows, order);
    for (size_t i = 0; i < PE_COUNTS; i++) {
        balanced[i] = (double)nysx_schedule_cycles(rows, counts->rows, order, (size_t)1 << i);
        natural[i] = (double)nysx_schedule_cycles(rows, counts->rows, NULL, (size_t)1 << i);
    }
    free(rows);
}

static enum dse_status measure_hop(const struct nysx_hop *hop, size_t t, struct own *own, struct dse_error *err)
{
    own->codebook[t] = (double)hop->codes;
    own->nnz[t] = (double)nysx_csr_nonzeros(&hop->counts);
    own->most[t] = nysx_csr_max(&hop->counts);
    schedules_of(&hop->counts, own->balanced + t * PE_COUNTS, own->natural + t * PE_COUNTS);
    for (size_t k = 0; k < GAMMAS; k++) {
        struct nysx_mph mph;
        DSE_TRY(nysx_mph_build(hop->codebook, hop->codes, gammas[k], &mph, err));
        own->bits[t * GAMMAS + k] = (double)nysx_mph_bits(&mph);
        own->levels[t * GAMMAS + k] = (double)mph.levels;
        nysx_mph_free(&mph);
    }
    return DSE_OK;
}

/* The model's own series, then those of `data` that the model does not decide. */
static enum dse_status put_all(const struct nysx_model *model, const struct own *own, const struct dse_workload *data,
                               struct dse_workload *out, struct dse_error *err)
{
    double classes = (double)model->prototypes.classes, rank = (double)model->rank;
    double landmarks = (double)model->encoder.landmarks;
    double features = (double)(model->columns.labels + model->columns.attributes);
    double onehot = model->columns.attributes == 0, hops = (double)model->encoder.lsh.hops;
    const struct dse_series_value direct[] = {{"classes", 1, 1, &classes},
                  {"features", 1, 1, &features},
                  {"features.onehot", 1, 1, &onehot},
                  {"hops", 1, 1, &hops}};
    const struct dse_series_value series[] = {{"classes", 1, 1, &classes},
                  {"rank", 1, 1, &rank},
                  {"landmarks", 1, 1, &landmarks},
                  {"features", 1, 1, &features},
                  {"features.onehot", 1, 1, &onehot},
                  {"codebook", own->hops, 1, own->codebook},
                  {"nnz_h", own->hops, 1, own->nnz},
                  {"max_count", own->hops, 1, own->most},
                  {"kse.schedule.static", own->hops, PE_COUNTS, own->balanced},
                  {"kse.schedule.none", own->hops, PE_COUNTS, own->natural},
                  {"mph.bits", own->hops, GAMMAS, own->bits},
                  {"mph.levels", own->hops, GAMMAS, own->levels}};
    if (own->hops == 0)
        DSE_TRY(dse_workload_put(out, direct, sizeof direct / sizeof *direct, err));
    else
        DSE_TRY(dse_workload_put(out, series, sizeof series / sizeof *series, err));
    for (size_t i = 0; i < data->series_count; i++) {
        const struct dse_series *kept = &data->series[i];
        if (dse_workload_series(out, kept->name) == NULL)
            DSE_TRY(dse_workload_add_series(out, kept->name, kept->rows, kept->columns, kept->values, err));
    }
    return DSE_OK;
}

static enum dse_status measure(const struct nysx_model *model, const struct dse_workload *data, struct dse_workload *out,
                               struct dse_error *err)
{
    size_t hops = model->encoder.tables;
    DSE_CLEANUP(dse_free_at) double *values = dse_calloc(hops * (3 + 2 * PE_COUNTS + 2 * GAMMAS) + 1, sizeof *values);
    struct own own = {.hops = hops, .codebook = values, .nnz = values + hops, .most = values + 2 * hops};
    own.balanced = values + 3 * hops;
    own.natural = own.balanced + hops * PE_COUNTS;
    own.bits = own.natural + hops * PE_COUNTS;
    own.levels = own.bits + hops * GAMMAS;
    DSE_TRY(dse_setting_copy(&data->setting, &out->setting, err));
    for (size_t t = 0; t < hops; t++)
        DSE_TRY(measure_hop(&model->encoder.hop[t], t, &own, err));
    return put_all(model, &own, data, out, err);
}

enum dse_status nysx_model_work(const struct dse_model *base, const struct dse_workload *data,
                                struct dse_workload *out, struct dse_error *err)
{
    *out = (struct dse_workload){0};
    enum dse_status status = measure(nysx_model_of(base), data, out, err);
    if (status != DSE_OK)
        dse_workload_clear(out);
    return status;
}
