/* Memory that runs out is never taken for something else. libxml2 and Jansson leave out what they had no room for, and say so,
 * if at all, where it cannot be told from a file that lacks it; our own readers ask one another whether something is there, and
 * an error may be answered by looking elsewhere. So the libraries' allocations go through here, and dse_fail_memory tells of
 * ours: where one fails, the thread that asked for it has lost something, and from then on
 *
 * - a complaint about a file or a word (dse_fail with DSE_BAD_INPUT, DSE_BAD_USAGE) is "out of memory" instead,
 * - and no file, page or JSON text is finished (dse_file_commit, dse_json_text, dse_memory_check).
 *
 * What an arena (core/arena.h) or a list (core/list.h) has no room for is lost, too.
 *
 * So an error that somebody does not hear of for good reasons (a board that is looked for elsewhere, a design without a name) is heard of
 * in the end, where it was one of memory. What a worker of dse_parallel_for loses its caller has lost too. A program that goes on after a
 * failure asks dse_memory_lost(true) before it tries again, or what finishes next fails too; a command that is asked of the library begins
 * so. */
#ifndef DSE_CORE_MEMORY_H
#define DSE_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* malloc, realloc and strdup that note a failure. What they give is freed with free(). */
void *dse_memory_alloc(size_t size);
void *dse_memory_grow(void *old, size_t size);
char *dse_memory_copy(const char *text);

/* Keeps `size` bytes back, which the first allocation of this thread that fails is given in their place: for libraries that do
 * not outlive one. False where there is no memory for them. Released when the library has done its work. */
bool dse_memory_reserve(size_t size);
void dse_memory_release(void);

/* What is freed is kept for what is taken next, for programs that search: slices take and free some megabytes each, and to give these back
 * to the system and have them anew, page by page, took as long as the search of an integer program. To be called before there are threads. */
void dse_memory_keep(void);

/* This thread has lost something. */
void dse_memory_lose(void);

/* Whether this thread lost something; with `forget` it is asked for the last time. */
bool dse_memory_lost(bool forget);

/* DSE_LIMIT where this thread lost something. */
enum dse_status dse_memory_check(struct dse_error *err);

#endif
