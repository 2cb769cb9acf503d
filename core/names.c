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

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Letters added, dropped, replaced, or exchanged with the next. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1]; /* edit distances of the last three letters of a */
    size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            row[j] = least(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
    }
    return rows[na % 3][nb];
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
