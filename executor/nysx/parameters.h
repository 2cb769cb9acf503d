/* What can be set of a NysX training, as a table for the command line and as a struct for the code. */
#ifndef DSE_EXECUTOR_NYSX_PARAMETERS_H
#define DSE_EXECUTOR_NYSX_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/setting.h"
#include "core/status.h"
#include "executor/executor.h"
#include "executor/nysx/precision.h"

/* The order of each enum is that of its words in parameters.c. */
enum nysx_sampling { NYSX_UNIFORM, NYSX_DPP };
enum nysx_propagation { NYSX_PROPAGATE_A, NYSX_PROPAGATE_NORMALISED };
enum nysx_feature_kind { NYSX_LABELS, NYSX_ATTRIBUTES, NYSX_BOTH };
enum nysx_code_form { NYSX_SCALAR, NYSX_TUPLE };
enum nysx_direction { NYSX_CAUCHY, NYSX_GAUSS };
enum nysx_form { NYSX_STREAMED, NYSX_RESIDENT, NYSX_FACTORED };
enum nysx_generator { NYSX_UNIFORM8, NYSX_BITS8, NYSX_SIGN };

#define NYSX_PHI_FP32 0 /* phi_bits of a real φ */

struct nysx_setting {
    size_t landmarks; /* s */
    enum nysx_sampling sampling;
    size_t pool;      /* candidates of the DPP */
    size_t dim;       /* d */
    size_t hops;      /* H */
    double width;     /* w */
    enum nysx_propagation propagation;
    enum nysx_feature_kind features;
    enum nysx_code_form codes;
    enum nysx_direction direction;
    size_t retrain;        /* epochs; 0 = bundled */
    bool retrain_in_loop;  /* through the quantised prototypes */
    int prototype_bits;    /* 1, 2, 4, 8; 32 = float */
    enum nysx_precision precision;
    enum nysx_form form;
    enum nysx_generator generator; /* of P_rp in the factored form */
    bool center;           /* the training mean is taken off C */
    int phi_bits;          /* 8, 16, 32, or NYSX_PHI_FP32: φ between the factors */
};

#define NYSX_PARAMETER_COUNT 18
extern const struct dse_parameter nysx_parameters[NYSX_PARAMETER_COUNT];

/* Checks the words (dse_executor_check) and reads them. */
enum dse_status nysx_setting_parse(const struct dse_setting *words, struct nysx_setting *out,
                                   struct dse_error *err);

/* The word of parameter `name` for the value `index` of its enum. */
const char *nysx_parameter_word(const char *name, int index);

#endif
