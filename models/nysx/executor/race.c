/* The settings that a survey compares on a data set without measurements, and the cost of a training run. */
#include "models/nysx/executor/nysx.h"

#include <math.h>

#include "datasets/graphs.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/parameters.h"
#include "models/nysx/executor/prototypes.h"

/* All forms of codes with the direct form and with landmarks, in the presets' widths; the best guess first. */
static const char *const shapes[] = {"nee.form=direct codes=wl features=labels width=1",
                                     "nee.form=direct codes=wl features=cores width=1",
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
static const char *const draws[] = {"", "draws=1 lsh=cauchy", "draws=8 lsh=gauss", NULL};
static const char *const prototypes[] = {"", "prototypes=adaptive retrain=20", NULL};
static const char *const balances[] = {"", "balance=yes", NULL};
static const char *const tables[] = {"", "nee.table=none", "nee.table=16384", "nee.table=262144", NULL};
static const char *const dims[] = {"", "dim=1024", "dim=2048", "dim=8192", "dim=16384", NULL};
static const char *const bits[] = {"", "sce.prototype_bits=1", "sce.prototype_bits=2", NULL};
static const char *const landmarks[] = {"", "landmarks=32", "landmarks=100", "landmarks=200", "landmarks=300", NULL};

static const struct dse_race_axis of_forms[] = {{shapes, NULL}, {hops, NULL}, {centring, NULL}, {middling, NULL}};
static const struct dse_race_axis of_widths[] = {{other_hops, NULL}, {widths, "features=labels"}, {draws, "codes=wl"}};
static const struct dse_race_axis of_prototypes[] = {{prototypes, NULL}, {balances, NULL}, {tables, "nee.form=factored"}};
static const struct dse_race_axis of_sizes[] = {{dims, NULL}, {bits, NULL}, {landmarks, "nee.form=direct"}};

#define AXES(axes) axes, sizeof axes / sizeof *axes
static const struct dse_race_stage stages[] = {{"forms, codes, features, hops, centring", 0, AXES(of_forms)},
                                               {"more hops, widths, draws", 2, AXES(of_widths)},
                                               {"prototypes, balance, class weights of codes", 2, AXES(of_prototypes)},
                                               {"dimensions, bits, landmarks", 2, AXES(of_sizes)}};

/* Units of work: at most 0.75 s of one core. Nanoseconds of one core, fitted to 5,000 training runs of MUTAG, BZR, ENZYMES, NCI1 and DD: half of the runs
 * lie within 15 %. */
#define UNIT_NS 0.75e9
#define NS_RUN 500000.0
#define NS_GRAPH 4000.0
#define NS_CODE 43.0      /* per code: a node and hop */
#define NS_COLUMN 14.5    /* per code and column of features */
#define NS_ELEMENT 0.38   /* direct: per graph and element of the hypervector */
#define NS_KERNEL 0.3     /* per code and landmark */
#define NS_STORED 0.052   /* per graph, landmark and element; P from memory */
#define NS_FACTORED 0.0044
#define NS_EIGEN 4.4      /* s^3 */
#define NS_LAMBDA 0.22    /* ridge: cube of the examples for choosing λ */
#define NS_CHOLESKY 0.0124 /* ridge: n^3 */
#define NS_KERNEL_BIT 0.00053 /* ridge: per pair of graphs and element */
#define NS_SEAL 6.6       /* per class, element and bit of prototypes */
#define NS_BUNDLE 0.34    /* ridge: per graph, class and element */
#define NS_EPOCH 0.12     /* per graph, class and element */
#define NS_SHARED 30.0    /* ridge with a table: per pair of graphs; of NCI1 and DD */

/* Nanoseconds for the hypervectors of all graphs. */
static double encoding_ns(const struct nysx_setting *s, double graphs, double codes, double columns)
{
    double d = (double)s->dim, l = (double)s->landmarks;
    double ns = graphs * NS_GRAPH + codes * (NS_CODE + NS_COLUMN * columns);
    if (s->form == NYSX_DIRECT)
        return ns + graphs * d * NS_ELEMENT;
    return ns + codes * l * NS_KERNEL + graphs * l * d * (s->form == NYSX_FACTORED ? NS_FACTORED : NS_STORED) + l * l * l * NS_EIGEN;
}

static double units(const struct dse_dataset *data, const struct dse_setting *words, size_t trained)
{
    struct nysx_setting s;
    struct dse_error ignored;
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    if (nysx_setting_parse(words, &s, &ignored) != DSE_OK)
        return 0.0;
    double n = (double)trained, sample = fmin(n, NYSX_RIDGE_SAMPLE), graphs = 1.25 * n, elements = (double)set->class_count * (double)s.dim;
    double columns = nysx_reads_attributes(s.features) ? (double)set->attribute_count + 1.0 : 1.0;
    double codes = (double)set->node_count / (double)set->graph_count * graphs * (double)s.hops * (s.codes == NYSX_CODES_TUPLE ? (double)s.draws : 1.0);
    double ns = NS_RUN + encoding_ns(&s, graphs, codes, columns) + elements * (double)s.prototype_bits * NS_SEAL;
    if (s.prototypes == NYSX_RIDGE && s.table > 0)
        ns += sample * sample * sample * NS_LAMBDA + n * n * NS_SHARED;
    if (s.prototypes == NYSX_RIDGE)
        ns += sample * sample * sample * NS_LAMBDA + n * n * n * NS_CHOLESKY + n * n * (double)s.dim * NS_KERNEL_BIT + n * elements * NS_BUNDLE;
    else
        ns += (double)(s.retrain + 1) * n * elements * NS_EPOCH;
    return ns / UNIT_NS;
}

const struct dse_race_plan nysx_race = {"best", "nee.form", stages, sizeof stages / sizeof *stages,
                                        "streamed and resident P_nys, its precisions, landmarks by DPP, quantised retraining", units};
