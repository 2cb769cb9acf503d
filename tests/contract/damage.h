/* Model files with one thing wrong. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct damage_file {
    char *bytes;
    size_t size;
};

/* Kinds of damage to one array. A kind that is impossible for the array (a NaN in integers) leaves it unchanged. */
enum damage {
    DAMAGE_REMOVED,
    DAMAGE_RETYPED,   /* another type of the same size */
    DAMAGE_RESHAPED,  /* one dimension more, of length 1 */
    DAMAGE_LONGER,    /* the header's first dimension is one larger than the data */
    DAMAGE_SHORTER,   /* without the last bytes */
    DAMAGE_FORTRAN,
    DAMAGE_FIRST_NAN,
    DAMAGE_LAST_NAN,
    DAMAGE_COUNT
};
extern const char *const damage_names[DAMAGE_COUNT];

/* The arrays of a model file, and the name of one ("p.npy"). */
size_t damage_array_count(const struct damage_file *file);
const char *damage_array_name(const struct damage_file *file, size_t index, char *buffer, size_t size);

/* Whether this damage is possible for the array; `out` receives the damaged file, malloc'd. */
bool damage_array(const struct damage_file *file, size_t index, enum damage how, struct damage_file *out);
