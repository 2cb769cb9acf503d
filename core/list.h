/* Lists that grow. */
#pragma once

#include <stddef.h>

/* Room for one more element behind the `count` that a list holds: doubles what is allocated where it is full. `items` is the
 * address of the pointer to the elements (NULL while it is empty), `size` that of one element. O(1) amortised. */
void dse_list_room(void *items, size_t *capacity, size_t count, size_t size);

/* A new zeroed element behind the `count` of a list that grows by this function alone: what is allocated is the next power of
 * two. O(1) amortised. */
void *dse_list_more(void *items, size_t *count, size_t size);
