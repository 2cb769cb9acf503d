/* Allocation that never returns NULL. When memory runs out, the handler is called, and control does not return to the caller. The program ends with
 * one line on standard error and exit code 4. A guarded call of the library ends instead, and dse_memory_guard returns false. No function of
 * the library has a status for it. Output files are written beside and renamed (core/file.h), so that none is half written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* As malloc, calloc, realloc, strdup and strndup; freed with free(). For 0 bytes they return a distinct pointer too. A product that overflows counts
 * as out of memory. */
void *dse_malloc(size_t size);
void *dse_calloc(size_t count, size_t size);
void *dse_realloc(void *old, size_t size);
void *dse_realloc_array(void *old, size_t count, size_t size);
char *dse_strdup(const char *text);
char *dse_strndup(const char *text, size_t length);

/* Frees the memory that the pointer variable at `pointer` points to: char *text DSE_CLEANUP(dse_free_at) = … */
void dse_free_at(void *pointer);

/* For out-of-memory errors that another library reports by a code of its own. */
_Noreturn void dse_memory_exhausted(void);

/* Called instead of ending the program if memory runs out outside of a guard. It must not return (exit, longjmp). NULL: the default, one line on
 * standard error and exit code 4. Set it before there are threads. */
typedef void dse_memory_handler(void);
void dse_memory_on_exhaustion(dse_memory_handler *handler);

/* Runs `call(data)`. False if memory ran out in it: the call was abandoned, and its allocations stay allocated. The threads that it starts by
 * dse_parallel_for are guarded too. Guards nest. */
bool dse_memory_guard(void (*call)(void *data), void *data);

/* Whether a guard of this thread is in force. */
bool dse_memory_guarded(void);

/* Keeps freed memory for later allocations instead of returning it to the system. Slices of an integer program's search take and free some megabytes
 * each. Getting these anew, page by page, took as long as the search. Call it before there are threads. */
void dse_memory_keep(void);
