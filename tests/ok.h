/* A call that must go well; where it does not, its message is the test's. */
#pragma once

#include "core/status.h"

/* The call takes its error as `&why`. */
#define OK(call)                           \
    do {                                   \
        struct dse_error why = {0};        \
        if ((call) != DSE_OK)              \
            fail_msg("%s", why.message);   \
    } while (0)
