/* Cases that hold or not as JUnit's XML, as continuous integration reads it. */
#pragma once

#include <stddef.h>

#include "core/strbuf.h"

struct dse_junit_case {
    const char *name, *group;  /* "case", the class that it belongs to */
    const char *failure;       /* what does not hold; NULL: it holds */
    const char *skipped;       /* why it was not tried; NULL: it was */
    const char *output;        /* what it printed; NULL: nothing */
    double seconds;            /* NaN: not timed */
};

/* A document of one suite. O(text). */
void dse_junit_write(const char *suite, const struct dse_junit_case *cases, size_t count, struct dse_strbuf *out);
