#include "models/nysx/executor/parameters.h"

enum dse_status nysx_setting_parse(const struct dse_setting *words, struct nysx_setting *out,
                                   struct dse_error *err)
{
    double v[DSE_KNOB_MAX];
    DSE_TRY(dse_knobs_trained_values(&nysx_knobs, words, v, err));
    *out = (struct nysx_setting){
        .landmarks = (size_t)v[NYSX_LANDMARKS],
        .sampling = (enum nysx_sampling)v[NYSX_SAMPLING],
        .pool = (size_t)v[NYSX_POOL],
        .dim = (size_t)v[NYSX_DIM],
        .hops = (size_t)v[NYSX_HOPS],
        .draws = (enum nysx_codes)v[NYSX_CODES] == NYSX_CODES_TUPLE ? (size_t)v[NYSX_DRAWS] : 1,
        .width = v[NYSX_WIDTH],
        .propagation = (enum nysx_propagation)v[NYSX_PROPAGATION],
        .features = (enum nysx_feature_kind)v[NYSX_FEATURES],
        .codes = (enum nysx_codes)v[NYSX_CODES],
        .direction = (enum nysx_direction)v[NYSX_LSH],
        .retrain = (size_t)v[NYSX_RETRAIN],
        .retrain_from_zero = v[NYSX_RETRAIN_FROM] == 1,
        .retrain_in_loop = v[NYSX_RETRAIN_LOOP] == NYSX_LOOP_QUANTISED,
        .prototype_bits = (int)dse_knob_number(&nysx_knobs.knobs[NYSX_SCE_PROTOTYPE_BITS], (int64_t)v[NYSX_SCE_PROTOTYPE_BITS]),
        .prototypes = (enum nysx_method)v[NYSX_PROTOTYPES],
        .balance = v[NYSX_BALANCE] == 1,
        .entries = (enum nysx_entries)v[NYSX_PROJECTION],
        .rank_tolerance = v[NYSX_RANK_TOLERANCE],
        .precision = (enum nysx_precision)v[NYSX_NEE_PRECISION],
        .form = (enum nysx_form)v[NYSX_NEE_FORM],
        .generator = (enum nysx_generator)v[NYSX_NEE_GENERATOR],
        .center = v[NYSX_NEE_CENTER] == 1,
        .center_bits = (int)dse_knob_number(&nysx_knobs.knobs[NYSX_NEE_CENTER_BITS], (int64_t)v[NYSX_NEE_CENTER_BITS]),
        .table = (size_t)dse_knob_number(&nysx_knobs.knobs[NYSX_NEE_TABLE], (int64_t)v[NYSX_NEE_TABLE]),
        .phi_bits = (int)dse_knob_number(&nysx_knobs.knobs[NYSX_NEE_PHI_BITS], (int64_t)v[NYSX_NEE_PHI_BITS]),
    };
    if (out->prototypes == NYSX_RIDGE && out->retrain > 0)
        return dse_fail(err, DSE_BAD_USAGE, "retrain=%zu: ridge prototypes are not adapted; use retrain=0 or "
                                            "prototypes=adaptive", out->retrain);
    if (out->hops * out->draws > NYSX_HOPS_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "draws=%zu: with hops=%zu a node has %zu codes; must be at most %d", out->draws, out->hops,
                        out->hops * out->draws, NYSX_HOPS_MAX);
    if (out->balance && out->prototypes == NYSX_BUNDLED)
        return dse_fail(err, DSE_BAD_USAGE, "balance=yes: needs adaptive or ridge prototypes");
    const char *rejected = nysx_table_rejected((int64_t)v[NYSX_NEE_TABLE], (int64_t)v[NYSX_PROTOTYPES], out->prototype_bits);
    if (rejected != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s", rejected);
    if (out->form == NYSX_DIRECT && out->precision != NYSX_FP32)
        return dse_fail(err, DSE_BAD_USAGE, "nee.precision=%s: the direct form has no projection",
                        dse_setting_get(words, "nee.precision"));
    if (out->form == NYSX_FACTORED && out->precision != NYSX_FP32)
        return dse_fail(err, DSE_BAD_USAGE, "nee.precision=%s: the factored form's map is fp32 (its random "
                                            "factor is set by nee.generator)",
                        dse_setting_get(words, "nee.precision"));
    return DSE_OK;
}
