/* The fixture that the tests of one program share, on zcu104: set up and torn down with their group. */
#pragma once

#include "tests/models/fixture.h"

extern struct model_fixture fixture;

/* For cmocka_run_group_tests; 0. */
int open_fixture(void **state);
int close_fixture(void **state);
