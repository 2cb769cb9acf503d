/* Jansson with the allocation layer (core/memory.h): no call of it fails for lack of memory. */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* The text of a tree (flags are json_dumps'), malloc'd, with characters escaped that a terminal would act on (core/utf8.h). NULL if `json` is NULL,
 * or holds text that is no UTF-8. */
char *dse_json_text(const json_t *json, size_t flags);
