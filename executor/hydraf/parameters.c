#include "executor/hydraf/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "executor/hydraf/hydraf.h"

static const char *const precision_words[] = {"fp32", "int16", "int8", NULL};
static const char *const yes_words[] = {"no", "yes", NULL};
static const char *const sharing_words[] = {"equal", "confidence", NULL};
static const char *const loss_words[] = {"plain", "relative", NULL};
static const char *const weight_words[] = {"one", "confidence", NULL};
static const char *const rounding_words[] = {"nearest", "stochastic", NULL};

const struct dse_parameter hydraf_parameters[HYDRAF_PARAMETER_COUNT] = {
    {"dim", "dim", NULL, true, 64, 65536, "dimension D of the hypervectors", "N"},
    {"clusters", "clusters", NULL, true, 1, 256, "cluster and regression hypervectors K, as many of each", "N"},
    {"batch", "batch", NULL, true, 1, 256, "samples N that are learned from at once; 1 is online learning", "N"},
    {"precision", "precision", precision_words, false, 0, 0, "elements of all hypervectors P", "fp32|int16|int8"},
    {"bias", "bias", yes_words, false, 0, 0, "a constant feature beside the table's", "no|yes"},
    {"epochs", "epochs", NULL, true, 1, 10000, "passes over the training part at most; fewer where the quality stabilises", "N"},
    {"rate", "rate", NULL, false, 1e-6, 100, "learning rate of the regression hypervectors", "X"},
    {"cluster.rate", "cluster-rate", NULL, false, 0, 100, "learning rate of the cluster hypervectors", "X"},
    {"sharpness", "sharpness", NULL, false, 1e-3, 1000,
     "spread of a sample's similarities before the softmax, at the start", "X"},
    {"sharing", "sharing", sharing_words, false, 0, 0,
     "regression hypervectors learn by their confidence, or all alike (section III to the letter)", "equal|confidence"},
    {"cluster.loss", "cluster-loss", loss_words, false, 0, 0,
     "what a cluster learns by: the loss times its own prediction's lead, or the loss (to the letter)", "plain|relative"},
    {"cluster.weight", "cluster-weight", weight_words, false, 0, 0,
     "values of the coordinate list: the confidence (equation 2), or 1 (equation 1)", "one|confidence"},
    {"rounding", "rounding", rounding_words, false, 0, 0, "how whole elements round when they learn",
     "nearest|stochastic"},
};

static int chosen(const struct dse_setting *words, const char *name)
{
    return dse_parameter_chosen(&hydraf_executor, words, name);
}

enum dse_status hydraf_setting_parse(const struct dse_setting *words, struct hydraf_setting *out,
                                     struct dse_error *err)
{
    DSE_TRY(dse_executor_check(&hydraf_executor, words, err));
    *out = (struct hydraf_setting){
        .dim = (size_t)dse_parameter_number(words, "dim"),
        .clusters = (size_t)dse_parameter_number(words, "clusters"),
        .batch = (size_t)dse_parameter_number(words, "batch"),
        .precision = (enum hydraf_precision)chosen(words, "precision"),
        .bias = chosen(words, "bias") == 1,
        .epochs = (size_t)dse_parameter_number(words, "epochs"),
        .rate = dse_parameter_number(words, "rate"),
        .cluster_rate = dse_parameter_number(words, "cluster.rate"),
        .sharpness = dse_parameter_number(words, "sharpness"),
        .shared = chosen(words, "sharing") == 1,
        .relative = chosen(words, "cluster.loss") == 1,
        .weighted = chosen(words, "cluster.weight") == 1,
        .stochastic = chosen(words, "rounding") == 1,
    };
    return DSE_OK;
}

struct value {
    const char *name, *text;
};

enum dse_status hydraf_preset(const char *name, const struct dse_dataset *data, size_t folds,
                              struct dse_setting *out, struct dse_error *err)
{
    (void)folds; /* no value depends on the size of the training part */
    *out = (struct dse_setting){0};
    bool literal = strcmp(name, "literal") == 0;
    if (!literal && strcmp(name, "paper") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "preset %s: must be paper or literal", name);
    DSE_TRY(dse_executor_takes(&hydraf_executor, data, err));
    /* K, D, N and P: figure 7, section V.B and "limited … to K = 8 and P = 8" of section V.F; the rest is not in the paper
     * and was chosen on its airfoil, CCPP and wine sets (docs/hydraf.md). */
    const struct value values[] = {
        {"dim", "2048"},
        {"clusters", "8"},
        {"batch", "8"},
        {"precision", "int8"},
        {"bias", "yes"},
        {"epochs", "100"},
        {"rate", "1"},
        {"cluster.rate", "5"},
        {"sharpness", "1"},
        {"sharing", literal ? "equal" : "confidence"},
        {"cluster.loss", literal ? "plain" : "relative"},
        {"cluster.weight", "confidence"},
        {"rounding", "stochastic"},
    };
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < sizeof values / sizeof *values; i++)
        status = dse_setting_put(out, values[i].name, values[i].text, err);
    if (status != DSE_OK)
        dse_setting_free(out);
    return status;
}
