/* A region allocator: many small allocations, one release. */
#pragma once

#include <stddef.h>

struct dse_arena_chunk;

/* Empty when zeroed: `struct dse_arena arena = {0};`. Not safe for use by two threads at once. */
struct dse_arena {
    struct dse_arena_chunk *newest;
};

/* `count` × `size` zeroed bytes aligned for any type. Lives until dse_arena_free. O(bytes). */
void *dse_arena_alloc(struct dse_arena *arena, size_t count, size_t size);

/* A copy of `text` in the arena: its first `length` bytes, followed by a NUL. */
char *dse_arena_strndup(struct dse_arena *arena, const char *text, size_t length);
char *dse_arena_strdup(struct dse_arena *arena, const char *text);

/* Releases everything and leaves the arena empty. */
void dse_arena_free(struct dse_arena *arena);
