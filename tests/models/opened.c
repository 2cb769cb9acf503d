#include "tests/models/opened.h"

struct model_fixture fixture;

int open_fixture(void **state)
{
    (void)state;
    nysx_fixture_open(&fixture, "zcu104");
    return 0;
}

int close_fixture(void **state)
{
    (void)state;
    model_fixture_close(&fixture);
    return 0;
}
