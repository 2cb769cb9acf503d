#include "executor/nysx/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "executor/nysx/nysx.h"

static const char *const sampling_words[] = {"uniform", "dpp", NULL};
static const char *const propagation_words[] = {"A", "row-normalised", NULL};
static const char *const feature_words[] = {"labels", "attributes", "both", NULL};
static const char *const code_words[] = {"scalar", "tuple", NULL};
static const char *const direction_words[] = {"cauchy", "gauss", NULL};
static const char *const loop_words[] = {"float", "quantised", NULL};
static const char *const prototype_words[] = {"1", "2", "4", "8", "32", NULL};
static const char *const precision_words[] = {"fp32", "fp16", "bf16", "int16", "int8", "int4", "binary", NULL};
static const char *const form_words[] = {"streamed", "resident", "factored", NULL};
static const char *const generator_words[] = {"uniform8", "bits8", "sign", NULL};
static const char *const yes_words[] = {"no", "yes", NULL};
static const char *const phi_words[] = {"fp32", "8", "16", "32", NULL};

const struct dse_parameter nysx_parameters[NYSX_PARAMETER_COUNT] = {
    {"landmarks", "landmarks", NULL, true, 1, 65536, "landmark graphs s that the kernel compares with", "N"},
    {"sampling", "sampling", sampling_words, false, 0, 0, "how landmarks are chosen", "uniform|dpp"},
    {"pool", "pool", NULL, true, 1, 65536,
     "candidates drawn uniformly before the DPP chooses (at most the training graphs)", "N"},
    {"dim", "dim", NULL, true, 64, 1048576, "dimension d of the hypervectors", "N"},
    {"hops", "hops", NULL, true, 1, 64, "hops H of the propagation kernel, t = 0 … H-1", "N"},
    {"width", "width", NULL, false, 1e-6, 1e6, "quantisation width w of the hashing", "X"},
    {"propagation", "propagation", propagation_words, false, 0, 0, "by A or by A with rows of sum 1", "A|row-normalised"},
    {"features", "features", feature_words, false, 0, 0, "node features: one-hot labels, attributes, both",
     "labels|attributes|both"},
    {"codes", "codes", code_words, false, 0, 0, "one code a node, or one a coordinate hashed together",
     "scalar|tuple"},
    {"lsh", "lsh", direction_words, false, 0, 0, "distribution of the hashing directions",
     "cauchy|gauss"},
    {"retrain", "retrain", NULL, true, 0, 10000, "epochs of adaptive training; 0 only bundles", "N"},
    {"retrain.loop", "retrain-loop", loop_words, false, 0, 0,
     "adaptive training by the float prototypes, or by them as they will be stored", "float|quantised"},
    {"sce.prototype_bits", "prototype-bits", prototype_words, false, 0, 0,
     "bits of a prototype's element; 32 is float", "1|2|4|8|32"},
    {"nee.precision", "precision", precision_words, false, 0, 0, "elements of the projection P_nys",
     "fp32|fp16|bf16|int16|int8|int4|binary"},
    {"nee.form", "form", form_words, false, 0, 0,
     "P_nys streamed from memory or resident on chip (the same arithmetic), or in two factors",
     "streamed|resident|factored"},
    {"nee.generator", "generator", generator_words, false, 0, 0,
     "factored form: random factor of 8-bit numbers, sums of 8 bits, or signs", "uniform8|bits8|sign"},
    {"nee.center", "center", yes_words, false, 0, 0, "take the training mean off the kernel vector", "no|yes"},
    {"nee.phi_bits", "phi-bits", phi_words, false, 0, 0, "factored form: the vector between the factors",
     "fp32|8|16|32"},
};

const char *nysx_parameter_word(const char *name, int index)
{
    return dse_parameter_find(&nysx_executor, name)->choices[index];
}

static int chosen(const struct dse_setting *words, const char *name)
{
    return dse_parameter_chosen(&nysx_executor, words, name);
}

enum dse_status nysx_setting_parse(const struct dse_setting *words, struct nysx_setting *out,
                                   struct dse_error *err)
{
    DSE_TRY(dse_executor_check(&nysx_executor, words, err));
    *out = (struct nysx_setting){
        .landmarks = (size_t)dse_parameter_number(words, "landmarks"),
        .sampling = (enum nysx_sampling)chosen(words, "sampling"),
        .pool = (size_t)dse_parameter_number(words, "pool"),
        .dim = (size_t)dse_parameter_number(words, "dim"),
        .hops = (size_t)dse_parameter_number(words, "hops"),
        .width = dse_parameter_number(words, "width"),
        .propagation = (enum nysx_propagation)chosen(words, "propagation"),
        .features = (enum nysx_feature_kind)chosen(words, "features"),
        .codes = (enum nysx_code_form)chosen(words, "codes"),
        .direction = (enum nysx_direction)chosen(words, "lsh"),
        .retrain = (size_t)dse_parameter_number(words, "retrain"),
        .retrain_in_loop = chosen(words, "retrain.loop") == 1,
        .prototype_bits = (int)dse_parameter_number(words, "sce.prototype_bits"),
        .precision = (enum nysx_precision)chosen(words, "nee.precision"),
        .form = (enum nysx_form)chosen(words, "nee.form"),
        .generator = (enum nysx_generator)chosen(words, "nee.generator"),
        .center = chosen(words, "nee.center") == 1,
        .phi_bits = chosen(words, "nee.phi_bits") == 0 ? NYSX_PHI_FP32 : (int)dse_parameter_number(words, "nee.phi_bits"),
    };
    if (out->form == NYSX_FACTORED && out->precision != NYSX_FP32)
        return dse_fail(err, DSE_BAD_USAGE, "nee.precision=%s: the factored form's map is fp32 (its random "
                                            "factor is set by nee.generator)",
                        dse_setting_get(words, "nee.precision"));
    return DSE_OK;
}
