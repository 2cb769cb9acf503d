/* The kind `triples`: a knowledge graph as train.txt, valid.txt (optional) and test.txt in a folder or a zip archive; other files in it are ignored.
 * The parts are the split: training, validation, test. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/tripleset.h"

/* Facts of the triples: "entities", "relations", "train_triples", "valid_triples", "test_triples" (lines), "average_degree" (train / entities), "objects_most"
 * (maximum over entities of the different pairs of relation and object in training), "entities_without_object" (in training), "entities_unseen" (at
 * neither end in training), "repeated_triples" (lines that repeat an earlier line of their part), "triples_in_two_parts" (different ones),
 * "head_is_tail" (lines). If some were left out also "entities_left_out". */
extern const struct dse_kind dse_kind_triples;

/* The content of a data set of this kind, or NULL. */
static inline struct dse_triple_set *dse_dataset_triples(const struct dse_dataset *data)
{
    return data->kind == &dse_kind_triples ? data->content : NULL;
}

/* The options of `generate`, in the order of their values. */
enum dse_triples_option {
    DSE_TRIPLES_ENTITIES,
    DSE_TRIPLES_RELATIONS,
    DSE_TRIPLES_TRIPLES,
    DSE_TRIPLES_SKEW,
    DSE_TRIPLES_UNSEEN,
    DSE_TRIPLES_AWKWARD,
    DSE_TRIPLES_OPTIONS
};

extern const struct dse_generate_option dse_triples_options[DSE_TRIPLES_OPTIONS];

/* Generates a graph and writes its files into the new folder `folder`; equal values give equal bytes. After a failure nothing of it is left. */
enum dse_status dse_triples_generate(const struct dse_generation *what, const char *folder, struct dse_error *err);
