/* Lists that grow. */
#pragma once

#include <stddef.h>

/* Makes room for one more element after the `count` elements of a list: doubles a full allocation. `items` is the address of the pointer to the
 * elements (NULL while the list is empty), `size` that of one element. O(1) amortised. */
void dse_list_room(void *items, size_t *capacity, size_t count, size_t size);

/* A new zeroed element after the `count` of a list that grows only by this function: the allocation is the next power of two. O(1) amortised. */
void *dse_list_more(void *items, size_t *count, size_t size);
