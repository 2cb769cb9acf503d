#include "core/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define LONGEST 63 /* letters of a name that are compared */

static size_t least(size_t a, size_t b, size_t c)
{
    size_t least_of_two = a < b ? a : b;
    return least_of_two < c ? least_of_two : c;
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            bool differ = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            size_t next = least(row[j] + 1, row[j - 1] + 1, diagonal + (differ ? 1 : 0));
            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[nb];
}

/* The only name whose part after its last dot is this. */
static const char *whose_last_part(const char *wrong, const char *const *names, size_t count)
{
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *dot = strrchr(names[i], '.');
        if (dot == NULL || strcasecmp(dot + 1, wrong) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = names[i];
    }
    return found;
}

const char *dse_names_nearest(const char *wrong, const char *const *names, size_t count)
{
    const char *best = whose_last_part(wrong, names, count);
    if (best != NULL)
        return best;
    size_t best_distance = 0, letters = strlen(wrong);
    for (size_t i = 0; i < count && letters > 0; i++) {
        bool beginning = letters >= 2 && strncasecmp(names[i], wrong, letters) == 0;
        size_t distance = beginning ? 0 : edit_distance(wrong, names[i]);
        bool near = beginning || 3 * distance <= letters + 1;
        if (near && (best == NULL || distance < best_distance)) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}
