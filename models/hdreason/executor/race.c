/* The settings that a survey compares on a graph without measurements, and the cost of a training run. */
#include "models/hdreason/executor/model.h"

/* Elements of other widths are other hardware; longer hypervectors make it larger. */
static const char *const dims[] = {"", "dim=128", "dim=512", NULL};
static const char *const rates[] = {"", "rate=0.02", NULL};
static const char *const precisions[] = {"", "precision=fix8", "precision=fix4", NULL};

static const struct dse_race_axis of_vectors[] = {{dims, NULL}, {rates, NULL}};
static const struct dse_race_axis of_elements[] = {{precisions, NULL}};
static const struct dse_race_stage stages[] = {{"dimensions, rates", 0, of_vectors, 2}, {"precisions", 1, of_elements, 1}};

/* Times per element, measured on FB15K-237 (models/hdreason/evidence.md): a query's distance and its gradient, a product, a bound edge. */
#define NS_PAIR 0.2
#define NS_PRODUCT 0.05
#define NS_BOUND 0.4

/* Every step encodes and memorises the whole graph, independent of the number of training triples. */
static double units(const struct dse_dataset *data, const struct dse_setting *words, size_t trained)
{
    struct hdr_setting s;
    struct dse_error ignored;
    const struct dse_triple_set *set = dse_dataset_triples(data);
    (void)trained;
    if (hdr_setting_parse(words, &s, &ignored) != DSE_OK)
        return 0.0;
    double ways = s.direction == HDR_DOUBLE ? 2.0 : 1.0, entities = (double)set->entity.count, dim = (double)s.dim;
    double edges = ways * (double)dse_triple_count(set, DSE_TRAIN_PART), rows = entities + ways * (double)set->relation.count;
    double queries = (double)s.epochs * edges + ways * (double)dse_triple_count(set, DSE_TEST_PART); /* at most one query per edge */
    double steps = (double)s.epochs * (edges / (double)s.batch + 1.0);
    return 1e-9 * dim * (NS_PAIR * queries * entities + steps * (2.0 * NS_PRODUCT * rows * (double)s.embedding + 3.0 * NS_BOUND * edges)) + 1e-3;
}

const struct dse_race_plan hdreason_race = {"paper", "precision", stages, sizeof stages / sizeof *stages,
                                            "directions, memories, losses, gradients, single precision, kept dimensions, epochs, embeddings of another length",
                                            units};
