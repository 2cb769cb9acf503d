/* Names that people mistype. */
#pragma once

#include <stddef.h>

/* The name nearest to `wrong` by edit distance (Levenshtein, case ignored). The distance is 0 for the part of a name after its last dot, if only one
 * name has it: "precision" means "nee.precision". NULL if no name is near enough: more than a third of the letters differ and `wrong` is no beginning
 * of it. Among equals, the first. O(count × letters²). */
const char *dse_names_nearest(const char *wrong, const char *const *names, size_t count);
