/* The settings that a survey compares on a data set without measurements, and the cost of a training run. */
#include "models/nysx/executor/nysx.h"

#include "datasets/graphs.h"
#include "models/nysx/executor/parameters.h"

/* All forms of codes with the direct form and with landmarks, in the presets' widths; the best guess first. */
static const char *const shapes[] = {"nee.form=direct codes=wl features=labels width=1",
                                     "nee.form=direct codes=tuple features=attributes width=4",
                                     "nee.form=direct codes=wl features=both width=1",
                                     "nee.form=direct codes=wl features=attributes width=1",
                                     "nee.form=direct codes=tuple features=both width=4",
                                     "nee.form=direct codes=scalar features=labels width=0.01",
                                     "nee.form=factored codes=wl features=labels width=1 " NYSX_RACED_FACTOR,
                                     "nee.form=factored codes=scalar features=labels width=0.01 " NYSX_RACED_FACTOR,
                                     "nee.form=factored codes=tuple features=attributes width=4 " NYSX_RACED_FACTOR,
                                     NULL};
static const char *const hops[] = {"hops=4", "hops=2", "hops=1", NULL};
static const char *const centring[] = {"nee.center=yes", "nee.center=no", NULL};
static const char *const middling[] = {"dim=4096 prototypes=ridge sce.prototype_bits=8", NULL};
static const char *const other_hops[] = {"", "hops=3", "hops=6", NULL};
static const char *const widths[] = {"", "width=0.1", "width=0.5", "width=2", "width=10", "width=100", NULL};
static const char *const prototypes[] = {"", "prototypes=adaptive retrain=20", NULL};
static const char *const balances[] = {"", "balance=yes", NULL};
static const char *const dims[] = {"", "dim=1024", "dim=2048", "dim=8192", "dim=16384", NULL};
static const char *const bits[] = {"", "sce.prototype_bits=1", "sce.prototype_bits=2", NULL};
static const char *const landmarks[] = {"", "landmarks=32", "landmarks=100", "landmarks=200", "landmarks=300", NULL};

static const struct dse_race_axis of_forms[] = {{shapes, NULL}, {hops, NULL}, {centring, NULL}, {middling, NULL}};
static const struct dse_race_axis of_widths[] = {{other_hops, NULL}, {widths, "features=labels"}};
static const struct dse_race_axis of_prototypes[] = {{prototypes, NULL}, {balances, NULL}};
static const struct dse_race_axis of_sizes[] = {{dims, NULL}, {bits, NULL}, {landmarks, "nee.form=direct"}};

#define AXES(axes) axes, sizeof axes / sizeof *axes
static const struct dse_race_stage stages[] = {{"forms, codes, features, hops, centring", 0, AXES(of_forms)},
                                               {"more hops, widths", 2, AXES(of_widths)},
                                               {"prototypes, balance", 2, AXES(of_prototypes)},
                                               {"dimensions, bits, landmarks", 2, AXES(of_sizes)}};

/* Nanoseconds, measured on MUTAG, NCI1, DD and ENZYMES. */
#define NS_CODE 230.0        /* per node and hop, with one column of features */
#define NS_COLUMN 15.0       /* per further column */
#define NS_SIGN 0.03         /* direct: per code and element of the hypervector */
#define NS_KERNEL 2.0        /* per code and landmark */
#define NS_PRODUCT 0.02      /* per element of phi and of the hypervector, and graph */
#define NS_EIGEN 3.0         /* s^3 */
#define NS_CHOLESKY 0.075    /* n^3 / 6 */
#define NS_WORD 0.1          /* n^2 words of 64 signs */
#define NS_EPOCH 0.05        /* per graph, class and element */

static double units(const struct dse_dataset *data, const struct dse_setting *words, size_t trained)
{
    struct nysx_setting s;
    struct dse_error ignored;
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    if (nysx_setting_parse(words, &s, &ignored) != DSE_OK)
        return 0.0;
    double n = (double)trained, d = (double)s.dim, l = (double)s.landmarks, graphs = 1.25 * n;
    double columns = s.features == NYSX_LABELS ? 1.0 : (double)set->attribute_count + 1.0;
    double codes = (double)set->node_count / (double)set->graph_count * graphs * (double)s.hops;
    double ns = codes * (NS_CODE + NS_COLUMN * columns);
    if (s.form == NYSX_DIRECT)
        ns += codes * d * NS_SIGN;
    else
        ns += codes * l * NS_KERNEL + graphs * l * d * NS_PRODUCT + l * l * l * NS_EIGEN;
    if (s.prototypes == NYSX_RIDGE)
        ns += n * n * n / 6.0 * NS_CHOLESKY + n * n * d / 64.0 * NS_WORD;
    else
        ns += (double)(s.retrain + 1) * n * (double)set->class_count * d * NS_EPOCH;
    return ns * 1e-9 + 1e-3;
}

const struct dse_race_plan nysx_race = {"best", "nee.form", stages, sizeof stages / sizeof *stages,
                                        "streamed and resident P_nys, its precisions, landmarks by DPP, quantised retraining", units};
