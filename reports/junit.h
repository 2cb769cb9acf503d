/* Test cases as JUnit XML, for continuous integration. */
#pragma once

#include <stddef.h>

#include "core/strbuf.h"

struct dse_junit_case {
    const char *name, *group;  /* "case", and its class */
    const char *failure;       /* reason of failure; NULL: passed */
    const char *skipped;       /* reason for skipping; NULL: run */
    const char *output;        /* printed output; NULL: none */
    double seconds;            /* NaN: not timed */
};

/* Writes a document with one suite. O(text). */
void dse_junit_write(const char *suite, const struct dse_junit_case *cases, size_t count, struct dse_strbuf *out);
