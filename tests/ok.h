/* Calls that must succeed, or must be rejected. */
#pragma once

#include <string.h>

#include "core/status.h"

/* The call takes its error as `&why`. */
#define OK(call)                           \
    do {                                   \
        struct dse_error why = {0};        \
        if ((call) != DSE_OK)              \
            fail_msg("%s", why.message);   \
    } while (0)

/* The call must end with `status`, and its message must contain these words. */
#define FAILS(status, words, call)                                          \
    do {                                                                    \
        struct dse_error why = {0};                                         \
        assert_int_equal(call, status);                                     \
        if (strstr(why.message, words) == NULL)                             \
            fail_msg("\"%s\" does not say \"%s\"", why.message, words);     \
    } while (0)
