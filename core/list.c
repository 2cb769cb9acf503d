#include "core/list.h"

#include <string.h>

#include "core/memory.h"

#define FIRST 16

void dse_list_room(void *items, size_t *capacity, size_t count, size_t size)
{
    void *list;
    if (count < *capacity)
        return;
    size_t wanted = count > FIRST / 2 ? 2 * count : FIRST;
    memcpy(&list, items, sizeof list); /* independent of the elements' type */
    list = dse_realloc_array(list, wanted, size);
    memcpy(items, &list, sizeof list);
    *capacity = wanted;
}

void *dse_list_more(void *items, size_t *count, size_t size)
{
    char *list;
    memcpy(&list, items, sizeof list);
    if ((*count & (*count - 1)) == 0) { /* full: none, or a power of two */
        list = dse_realloc_array(list, *count > 0 ? 2 * *count : 1, size);
        memcpy(items, &list, sizeof list);
    }
    return memset(list + (*count)++ * size, 0, size);
}
