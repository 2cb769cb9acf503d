#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static _Thread_local bool lost;
static _Thread_local void *reserve;

bool dse_memory_reserve(size_t size)
{
    reserve = malloc(size);
    lost |= reserve == NULL;
    return reserve != NULL;
}

/* Whether there was a reserve to give back, once. */
static bool spend(void)
{
    bool had = reserve != NULL;
    free(reserve);
    reserve = NULL;
    return had;
}

void dse_memory_release(void)
{
    spend();
}

void *dse_memory_alloc(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL && size > 0 && spend())
        memory = malloc(size);
    lost |= memory == NULL && size > 0;
    return memory;
}

void *dse_memory_grow(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (memory == NULL && size > 0 && spend())
        memory = realloc(old, size);
    lost |= memory == NULL && size > 0;
    return memory;
}

char *dse_memory_copy(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL && spend())
        copy = strdup(text);
    lost |= copy == NULL;
    return copy;
}

void dse_memory_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25); /* the most that it takes */
    mallopt(M_TRIM_THRESHOLD, 1 << 29);
#endif
}

void dse_memory_lose(void)
{
    lost = true;
}

bool dse_memory_lost(bool forget)
{
    bool was = lost;
    lost = lost && !forget;
    return was;
}

enum dse_status dse_memory_check(struct dse_error *err)
{
    return lost ? dse_fail_memory(err) : DSE_OK;
}
