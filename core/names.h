/* Names that people mistype. */
#pragma once

#include <stddef.h>

/* The name nearest to `wrong` by edit distance (Levenshtein, case ignored; 0 for what stands behind the
 * last dot of one name alone: "precision" means "nee.precision"), or NULL when none is near
 * enough to be meant: more than a third of the letters differ and it is no beginning of one. The first of
 * equals. O(count × letters²). */
const char *dse_names_nearest(const char *wrong, const char *const *names, size_t count);
