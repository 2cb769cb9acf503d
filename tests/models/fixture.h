/* A made-up NysX workload with every series that the models read, for tests that need no data set. */
#ifndef DSE_TESTS_MODELS_FIXTURE_H
#define DSE_TESTS_MODELS_FIXTURE_H

#include "models/estimate.h"

/* Board zcu104 (or the one named), its costs, the shipped NysX space, and the workload. */
struct nysx_fixture {
    struct dse_space *space;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile;
    const struct dse_workload *workload;
    struct dse_setup setup;
};

void nysx_fixture_open(struct nysx_fixture *fixture, const char *board);
void nysx_fixture_close(struct nysx_fixture *fixture);

#endif
