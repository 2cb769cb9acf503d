/* Parsed setting of a NysX training run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/setting.h"
#include "core/status.h"
#include "models/nysx/knobs.h"

#define NYSX_PHI_FP32 0 /* phi_bits of a real φ, whose word is not a number */

struct nysx_setting {
    size_t landmarks; /* s */
    enum nysx_sampling sampling;
    size_t pool;      /* candidates of the DPP */
    size_t dim;       /* d */
    size_t hops;      /* H */
    size_t draws;     /* codes per node and hop */
    double width;     /* w */
    enum nysx_propagation propagation;
    enum nysx_feature_kind features;
    enum nysx_codes codes;
    enum nysx_direction direction;
    size_t retrain;        /* epochs; 0 = bundled */
    bool retrain_from_zero; /* instead of from the bundled prototypes */
    bool retrain_in_loop;  /* with the quantised prototypes */
    enum nysx_method prototypes;
    bool balance;          /* equal total weight per class in training */
    int prototype_bits;    /* 1, 2, 4, 8; 32 = float */
    enum nysx_precision precision;
    enum nysx_form form;
    enum nysx_generator generator; /* generator of P_rp in the factored form */
    bool center;           /* C minus the training mean */
    int center_bits;       /* bits of the mean in the direct form; 0: all */
    enum nysx_entries entries; /* entries of P_rp in the streamed and the resident form */
    double rank_tolerance; /* eigenvalues of the landmark kernel below this share of the largest are dropped */
    size_t table;          /* places of the table of class weights by code, a power of two; 0: none */
    int phi_bits;          /* 8, 16, 32, or NYSX_PHI_FP32: φ between the factors */
};

/* Checks the words (dse_knobs_trained_values) and reads them. */
enum dse_status nysx_setting_parse(const struct dse_setting *words, struct nysx_setting *out,
                                   struct dse_error *err);
