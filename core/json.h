/* JSON trees in and out of texts, with memory that runs out told from everything else. Jansson's building functions leave out
 * what they had no room for and say so in a result that nobody can check at each of hundreds of members: its allocations are
 * watched instead (core/memory.h). */
#ifndef DSE_CORE_JSON_H
#define DSE_CORE_JSON_H

#include <jansson.h>
#include <stddef.h>

/* The text of a tree (flags are json_dumps'), malloc'd; NULL when memory ran out, now or while this thread built the tree. Also
 * NULL where `json` is. */
char *dse_json_text(const json_t *json, size_t flags);

/* json_loadb; NULL also when memory ran out, which is this thread's loss (core/memory.h). Jansson's parser asserts, or goes on with
 * what it has freed, where an allocation fails: it never sees one that did. */
json_t *dse_json_read(const char *text, size_t length, size_t flags, json_error_t *why);

#endif
