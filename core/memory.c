#include "core/memory.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static dse_memory_handler *handler;
static _Thread_local jmp_buf *guard; /* innermost guard of this thread */

void dse_memory_on_exhaustion(dse_memory_handler *called)
{
    handler = called;
}

_Noreturn void dse_memory_exhausted(void)
{
    if (guard != NULL)
        longjmp(*guard, 1);
    if (handler != NULL)
        handler();
    static const char line[] = "nysx-dse: out of memory\n"; /* written without an allocation */
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    exit(4); /* DSE_LIMIT; files that are being written are removed (core/file.c) */
}

bool dse_memory_guard(void (*call)(void *data), void *data)
{
    jmp_buf here, *volatile outer = guard;
    bool whole = setjmp(here) == 0;
    if (whole) {
        guard = &here;
        call(data);
    }
    guard = outer;
    return whole;
}

bool dse_memory_guarded(void)
{
    return guard != NULL;
}

static void *or_exhausted(void *memory)
{
    if (memory == NULL)
        dse_memory_exhausted();
    return memory;
}

void *dse_malloc(size_t size)
{
    return or_exhausted(malloc(size > 0 ? size : 1));
}

void *dse_calloc(size_t count, size_t size)
{
    return or_exhausted(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *dse_realloc(void *old, size_t size)
{
    return or_exhausted(realloc(old, size > 0 ? size : 1));
}

void *dse_realloc_array(void *old, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        dse_memory_exhausted();
    return dse_realloc(old, count * size);
}

char *dse_strdup(const char *text)
{
    return or_exhausted(strdup(text));
}

char *dse_strndup(const char *text, size_t length)
{
    return or_exhausted(strndup(text, length));
}

void dse_free_at(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory); /* independent of the pointer's type */
    free(memory);
}

void dse_memory_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25); /* the largest that it accepts */
    mallopt(M_TRIM_THRESHOLD, 1 << 29);
#endif
}
