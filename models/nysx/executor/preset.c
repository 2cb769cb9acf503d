#include "models/nysx/executor/nysx.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "datasets/graphs.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/parameters.h"
#include "models/nysx/knobs.h"

/* The published setting of each set. The paper does not give hops, widths and code forms. They come from the
 * predecessor's public code (NysHD, AAAI 2025), and a fit to Tables 6 and 8 confirms them. */
struct paper_row {
    const char *dataset;
    int hops;
    const char *width, *features, *codes;
};

static const struct paper_row paper[] = {
    {"MUTAG", 10, "0.01", "labels", "scalar"},
    {"NCI1", 5, "0.01", "labels", "scalar"},
    {"NCI109", 5, "0.01", "labels", "scalar"},
    {"Mutagenicity", 3, "0.01", "labels", "scalar"},
    {"DD", 2, "0.01", "labels", "scalar"},
    {"ENZYMES", 1, "4", "attributes", "tuple"},
    {"BZR", 1, "4", "attributes", "tuple"},
    {"COX2", 5, "4", "attributes", "tuple"},
};

/* Other sets differ only by attributes. Sets with attributes get one hop, like the paper's ENZYMES and
 * BZR. Sets without get three, the middle of the paper's label sets. */
static const struct paper_row with_attributes = {NULL, 1, "4", "attributes", "tuple"};
static const struct paper_row with_labels = {NULL, 3, "0.01", "labels", "scalar"};

static const struct paper_row *find_row(const struct dse_graph_set *set, const char *dataset)
{
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; i++) {
        bool has_features = strcmp(paper[i].features, "labels") == 0 ? set->node_label != NULL
                                                                     : set->node_attribute != NULL;
        if (strcmp(paper[i].dataset, dataset) == 0 && has_features)
            return &paper[i];
    }
    return set->node_attribute != NULL ? &with_attributes : &with_labels;
}

static void put_row(const struct paper_row *row, size_t trained, struct dse_setting *out)
{
    char landmarks[24], hops[12];
    snprintf(landmarks, sizeof landmarks, "%zu", trained);
    snprintf(hops, sizeof hops, "%d", row->hops);
    if (trained < (size_t)nysx_knobs.knobs[NYSX_LANDMARKS].fallback)
        dse_setting_put(out, "landmarks", landmarks);
    dse_setting_put(out, "hops", hops);
    dse_setting_put(out, "width", row->width);
    dse_setting_put(out, "features", row->features);
    dse_setting_put(out, "codes", row->codes);
}

/* From this mean number of nodes on, a graph's size and composition are more informative than its difference from the mean graph. The
 * preset then has two hops and no centering (docs/evidence/accuracy.md has both settings on all sets). */
#define LARGE_GRAPHS 100.0

/* From this number of nodes on, a linear model of the code counts is more accurate than signs of their random sums. The dimension
 * bounds the noise of these signs (docs/evidence/accuracy.md). NCI1 has 122,747 nodes, DD 334,925; ENZYMES has 19,580 and gains nothing. */
#define MANY_NODES 75000

/* Steps of quantised attributes along Gaussian directions, in mean deviations of the attributes over all nodes. ENZYMES: 8; 6 is within the
 * standard error. */
#define DEVIATIONS 1.25
#define FEW 3 /* columns, at most, tell fewer codes apart: a quarter of the step */

/* The power of two nearest to DEVIATIONS; divisions by it are exact products. */
static double attribute_width(const struct dse_graph_set *set)
{
    double deviations = 0.0, nodes = (double)set->node_count, columns = (double)set->attribute_count;
    for (size_t j = 0; j < set->attribute_count; j++) {
        double sum = 0.0, squares = 0.0;
        for (size_t v = 0; v < set->node_count; v++) {
            double x = set->node_attribute[v * set->attribute_count + j];
            sum += x;
            squares += x * x;
        }
        deviations += sqrt(fmax(squares / nodes - sum / nodes * (sum / nodes), 0.0));
    }
    double width = deviations > 0.0 ? exp2(round(log2((set->attribute_count <= FEW ? 0.25 : 1.0) * DEVIATIONS * deviations / columns))) : 1.0;
    return fmin(fmax(width, 0x1p-16), 0x1p16);
}

/* Sets with attributes that are no positions use tuples of the attributes, together with labels if the set has them; two or three attributes alone are
 * passed on two hops. Class weights of many draws' codes need few signs beside them (docs/evidence/accuracy.md). */
static void put_tuples(const struct dse_graph_set *set, struct dse_setting *out)
{
    char width[400];
    dse_setting_put(out, "codes", "tuple");
    dse_setting_put(out, "features", set->node_label != NULL ? "both" : "attributes");
    dse_setting_put(out, "hops", set->node_label == NULL && (set->attribute_count == 2 || set->attribute_count == 3) ? "2" : "1");
    dse_setting_put(out, "draws", "8");
    dse_setting_put(out, "lsh", "gauss");
    dse_setting_put(out, "width", dse_number_format(width, sizeof width, attribute_width(set)));
    dse_setting_put(out, "dim", "1024");
    dse_setting_put(out, "nee.table", set->node_count >= MANY_NODES ? "262144" : "16384");
}

/* The values of the preset `best` that depend on the data. Weisfeiler-Lehman colours need labels, which nodes share. Degrees in the 2-core gain
 * accuracy on small sets of small graphs (MUTAG, BZR), nothing on NCI1, and lose it on DD (docs/evidence/accuracy.md). */
static void put_best(const struct dse_graph_set *set, struct dse_setting *out)
{
    bool many = set->node_count >= MANY_NODES, large = (double)set->node_count > LARGE_GRAPHS * (double)set->graph_count;
    dse_setting_put(out, "features", set->node_label == NULL ? "attributes" : many || large || !nysx_labels_near(set) ? "labels" : "cores");
    if (set->attribute_count > 0 && !dse_graph_set_has_positions(set)) {
        put_tuples(set, out);
    } else if (many) {
        dse_setting_put(out, "hops", "5");
        dse_setting_put(out, "dim", "2048");
        dse_setting_put(out, "nee.center", "no");
        dse_setting_put(out, "nee.table", "262144");
    }
    if (large) {
        dse_setting_put(out, "hops", "2");
        dse_setting_put(out, "nee.center", "no");
    }
}

enum dse_status nysx_preset(const char *name, const struct dse_dataset *data, size_t trained,
                            struct dse_setting *out, struct dse_error *err)
{
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    if (set->graph_count < 2)
        return dse_fail(err, DSE_BAD_INPUT, "%s: has one graph, but needs one to train and one to hold out", data->name);
    DSE_TRY(dse_knobs_preset(&nysx_knobs, name, out, err));
    if (strcmp(name, "best") == 0)
        put_best(set, out);
    else if (strcmp(name, "graphhd") != 0)
        put_row(find_row(set, data->name), trained, out);
    return DSE_OK;
}

bool nysx_serves(const struct dse_dataset *data, const struct dse_setting *words, size_t trained, struct dse_error *why)
{
    struct nysx_setting setting;
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    if (set == NULL)
        return true;
    if (nysx_setting_parse(words, &setting, why) != DSE_OK || nysx_columns_check(set, setting.features, why) != DSE_OK)
        return false;
    size_t pool = setting.sampling == NYSX_DPP && setting.pool < trained ? setting.pool : trained;
    if (setting.form == NYSX_DIRECT || setting.landmarks <= pool)
        return true;
    dse_fail(why, DSE_BAD_USAGE, "landmarks=%zu: %s has %zu graphs to choose them from", setting.landmarks, data->name, pool);
    return false;
}

const char *nysx_remark(const struct dse_dataset *data, const struct dse_setting *words)
{
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    const char *features = dse_setting_get(words, "features");
    if (set == NULL || set->node_label == NULL || set->node_attribute == NULL || features == NULL ||
        (strcmp(features, "labels") != 0 && strcmp(features, "cores") != 0))
        return NULL;
    return "only node labels are read, because attributes may be arbitrary coordinates: --features attributes, "
           "or both, reads them";
}
