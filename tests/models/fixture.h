/* A made-up NysX workload with every series that the models read, for tests that need no data set. */
#ifndef DSE_TESTS_MODELS_FIXTURE_H
#define DSE_TESTS_MODELS_FIXTURE_H

#include "models/estimate.h"

/* A board, its costs, the shipped NysX space, a profile and its first workload. */
struct nysx_fixture {
    struct dse_space *space;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile;
    const struct dse_workload *workload;
    struct dse_setup setup;
};

/* With the made-up profile, and with a given one, which is the fixture's from then on. */
void nysx_fixture_open(struct nysx_fixture *fixture, const char *board);
void nysx_fixture_open_profile(struct nysx_fixture *fixture, const char *board, struct dse_profile *profile);
void nysx_fixture_close(struct nysx_fixture *fixture);

#endif
