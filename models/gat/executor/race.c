/* The settings that a survey compares on data without measurements, and the cost of a training run. */
#include "datasets/nodes.h"
#include "models/gat/executor/model.h"

/* Other arithmetics need other hardware; more channels and heads need larger hardware. */
static const char *const arithmetics[] = {"", "arithmetic=streamline", NULL};
static const char *const channels[] = {"", "channels=8", "channels=32", NULL};
static const char *const heads[] = {"", "heads=2", NULL};
static const char *const rates[] = {"", "rate=0.005", "decay=0.0005", NULL};

static const struct dse_race_axis of_shapes[] = {{channels, NULL}, {arithmetics, NULL}};
static const struct dse_race_axis of_training[] = {{heads, NULL}, {rates, NULL}};
static const struct dse_race_stage stages[] = {{"arithmetics, channels", 0, of_shapes, 2}, {"heads, rates, decay", 1, of_training, 2}};

#define NS_PRODUCT 5.5 /* per feature or arc, channel and epoch, forward and backward, measured on Cora */

/* Every epoch runs the whole graph, independent of the number of training nodes. */
static double units(const struct dse_dataset *data, const struct dse_setting *words, size_t trained)
{
    struct gat_setting s;
    struct dse_error ignored;
    const struct dse_node_graph *g = dse_dataset_nodes(data);
    (void)trained;
    if (gat_setting_parse(words, &s, &ignored) != DSE_OK)
        return 0.0;
    double entries = (double)g->feature_begin[g->node_count] + (double)g->arc_count;
    return NS_PRODUCT * 1e-9 * (double)s.epochs * entries * ((double)(s.heads * s.channels) + 16.0) + 1e-3;
}

const struct dse_race_plan gat_race = {"paper", "arithmetic", stages, sizeof stages / sizeof *stages,
                                        "single precision and rounded int8, 4 bits, dropout, more than 2 heads", units};
