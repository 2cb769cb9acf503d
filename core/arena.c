#include "core/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define CHUNK_BYTES ((size_t)64 * 1024)

struct dse_arena_chunk {
    struct dse_arena_chunk *older;
    size_t used, capacity;
    max_align_t data[];
};

static size_t round_up(size_t bytes)
{
    const size_t align = sizeof(max_align_t);
    return (bytes + align - 1) / align * align;
}

void *dse_arena_alloc(struct dse_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        dse_memory_exhausted();
    size_t bytes = round_up(count * size > 0 ? count * size : 1);
    struct dse_arena_chunk *chunk = arena->newest;
    if (chunk == NULL || chunk->capacity - chunk->used < bytes) {
        size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = dse_calloc(1, sizeof *chunk + capacity);
        chunk->capacity = capacity;
        chunk->older = arena->newest;
        arena->newest = chunk;
    }
    void *place = (char *)chunk->data + chunk->used;
    chunk->used += bytes;
    return place;
}

char *dse_arena_strndup(struct dse_arena *arena, const char *text, size_t length)
{
    char *copy = dse_arena_alloc(arena, length + 1, 1);
    return memcpy(copy, text, length);
}

char *dse_arena_strdup(struct dse_arena *arena, const char *text)
{
    return dse_arena_strndup(arena, text, strlen(text));
}

void dse_arena_free(struct dse_arena *arena)
{
    while (arena->newest != NULL) {
        struct dse_arena_chunk *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
}
