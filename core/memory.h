/* Allocation that never returns NULL. When memory runs out, the handler is called, and what had asked is not returned to: the
 * program ends with one line on standard error and exit code 4; a call of the library that is guarded (dse_memory_guard) ends,
 * and its caller is told. No function of the library has a status for it. Output files are written beside and renamed
 * (core/file.h), so that none is half written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* As malloc, calloc, realloc, strdup and strndup; freed with free(). Of 0 bytes they give a place of its own, too. A product that
 * overflows has no memory. */
void *dse_malloc(size_t size);
void *dse_calloc(size_t count, size_t size);
void *dse_realloc(void *old, size_t size);
void *dse_realloc_array(void *old, size_t count, size_t size);
char *dse_strdup(const char *text);
char *dse_strndup(const char *text, size_t length);

/* Frees what the pointer variable at `pointer` points to: char *text DSE_CLEANUP(dse_free_at) = … */
void dse_free_at(void *pointer);

/* For what a library reports as out of memory by a code of its own. */
_Noreturn void dse_memory_exhausted(void);

/* Called instead of the program's end where memory runs out outside of a guard; has to leave (exit, longjmp). NULL: the default, one
 * line on standard error and exit code 4. To be set before there are threads. */
typedef void dse_memory_handler(void);
void dse_memory_on_exhaustion(dse_memory_handler *handler);

/* Runs `call(data)`. False where memory ran out in it: the call was left where it was, and what it had allocated stays allocated.
 * The threads that it starts by dse_parallel_for are guarded with it. Guards nest. */
bool dse_memory_guard(void (*call)(void *data), void *data);

/* Whether a guard of this thread is in force. */
bool dse_memory_guarded(void);

/* Freed memory is kept for what is allocated next instead of returned to the system: slices of an integer program's search take
 * and free some megabytes each, and having them anew, page by page, took as long as the search. To be called before there are
 * threads. */
void dse_memory_keep(void);
