/* Synthetic graph sets: for tests, benchmarks and trials without any download. */
#pragma once

#include <stdint.h>

#include "core/monitor.h"
#include "core/status.h"
#include "datasets/graphset.h"
#include "datasets/bundle.h"
#include "datasets/tudataset.h"

/* Valid ways of writing that trip careless readers; they may be combined. */
enum dse_awkward {
    DSE_AWKWARD_CRLF = 1 << 0,
    DSE_AWKWARD_NO_SPACE = 1 << 1,         /* "1,2" */
    DSE_AWKWARD_INDENT = 1 << 2,           /* spaces in front of every line */
    DSE_AWKWARD_NO_FINAL_NEWLINE = 1 << 3,
    DSE_AWKWARD_BLANK_TAIL = 1 << 4,       /* empty lines at the end */
    DSE_AWKWARD_SHUFFLED = 1 << 5,         /* edges in any order */
    DSE_AWKWARD_REPEATED = 1 << 6,         /* some edges twice */
    DSE_AWKWARD_WRITINGS = (1 << 7) - 1,   /* all of the above: none of them changes the content */
    DSE_AWKWARD_LABEL_GAPS = 1 << 7,       /* label and class values negative and with gaps */
    DSE_AWKWARD_ISOLATED = 1 << 8          /* one node in eight without edges */
};

/* Parameters of the generator. Equal parameters give equal bytes on every machine whose libm rounds in the same way. */
struct dse_generate {
    const char *name;        /* name of the set and its files; no '/' */
    int64_t graphs;          /* 1 to 1,000,000 */
    int64_t classes;         /* 1 to graphs; classes are balanced and shuffled */
    double mean_nodes;       /* 1 to 100,000 */
    double node_spread;      /* standard deviation of the node count, 0 or more; every graph has from one node to ten times the mean */
    double mean_degree;      /* 0 to 1000; dense small graphs have slightly less, since edges differ */
    int64_t labels;          /* 0 (none) to 100,000 */
    int64_t attributes;      /* 0 (none) to 10,000 */
    double feature_signal;   /* 0 to 1: the share of nodes whose label is one that their class prefers, and the distance of the classes' attribute
                              * means in standard deviations */
    double structure_signal; /* 0 to 1: how much more the graphs of a higher class gather around a hub; those of class 0 are chains with random
                              * shortcuts */
    uint64_t seed;
    unsigned awkward;        /* enum dse_awkward, joined */
    const struct dse_monitor *monitor; /* may be NULL; asked before each graph */
};

/* 100 graphs of 2 classes, 20 ± 5 nodes of degree 2.5, 5 labels, no attributes, half the signal of each kind. */
struct dse_generate dse_generate_defaults(void);

/* The files of the set, in memory. DSE_BAD_USAGE for a parameter out of its range, DSE_LIMIT above 50 million nodes or edges. Free each with
 * dse_text_free. */
enum dse_status dse_generate_texts(const struct dse_generate *what, struct dse_text parts[DSE_TUDATASET_PARTS],
                                   struct dse_error *err);

/* The set of dse_generate_texts as a reader returns it. */
enum dse_status dse_generate_set(const struct dse_generate *what, struct dse_graph_set **out, struct dse_error *err);

/* Writes the files into the new folder `folder`. DSE_BAD_USAGE if something of that name exists already. After a failure nothing of it is left. */
enum dse_status dse_generate_folder(const struct dse_generate *what, const char *folder, struct dse_error *err);
