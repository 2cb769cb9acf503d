/* A page of random designs for tests: made like that of a study, with names that could break it. */
#pragma once

#include "core/strbuf.h"

#define HOSTILE_NAME "</script><script>window.broken=1</script>&amp;\"'<img src=x onerror=window.broken=1>"

/* The page of `count` designs of MUTAG on the ZCU104, drawn by a seed, of a data set called `dataset`. The first view has
 * them all, a second one a tenth of them. */
void page_sample_write(size_t count, const char *dataset, struct dse_strbuf *out);
