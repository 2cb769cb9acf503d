#include "core/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define FIRST 16

bool dse_list_room(void *items, size_t *capacity, size_t count, size_t size)
{
    void *old;
    if (count < *capacity)
        return true;
    if (size == 0 || count > SIZE_MAX / 2 / size)
        return false;
    size_t wanted = count > FIRST / 2 ? 2 * count : FIRST;
    memcpy(&old, items, sizeof old); /* whatever its elements are */
    void *grown = realloc(old, wanted * size);
    if (grown == NULL) {
        dse_memory_lose();
        return false;
    }
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

void *dse_list_more(void *items, size_t *count, size_t size)
{
    char *list;
    memcpy(&list, items, sizeof list);
    if ((*count & (*count - 1)) == 0) { /* full: none, or a power of two */
        size_t wanted = *count > 0 ? 2 * *count : 1;
        list = wanted <= SIZE_MAX / 2 / size ? realloc(list, wanted * size) : NULL;
        if (list == NULL) {
            dse_memory_lose();
            return NULL;
        }
        memcpy(items, &list, sizeof list);
    }
    return memset(list + (*count)++ * size, 0, size);
}
