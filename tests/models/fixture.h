/* Inputs of estimates, opened together; with a generated profile, for tests without a data set. */
#pragma once

#include "models/estimate.h"

/* A board, its costs, the shipped space of the profile's family, and the profile with its first workload. */
struct model_fixture {
    struct dse_space *space;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile;
    const struct dse_workload *workload;
    struct dse_setup setup;
};

/* Takes ownership of the profile. */
void model_fixture_open(struct model_fixture *fixture, const char *board, struct dse_profile *profile);
void model_fixture_close(struct model_fixture *fixture);

/* Opens a fixture with an artificial NysX workload that has every series that the models read. */
void nysx_fixture_open(struct model_fixture *fixture, const char *board);
