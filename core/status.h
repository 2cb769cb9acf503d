/* Status codes and the error object that every fallible function of the library fills in. */
#pragma once

#include <stddef.h>

/* The outcome of a call. The values up to 4 are the documented exit codes of the program, so they need no translation. */
enum dse_status {
    DSE_OK = 0,        /* done */
    DSE_ANSWER_NO = 1, /* the request is valid and its answer is no (nothing feasible, …) */
    DSE_BAD_USAGE = 2, /* the caller's words are wrong: option, knob, name, value out of its domain */
    DSE_BAD_INPUT = 3, /* a file is missing, unreadable or malformed */
    DSE_LIMIT = 4,     /* a limit or the system: memory, disk */
    DSE_CANCELLED = 5  /* the caller's monitor ended it; the program's exit code is that of a limit */
};

#define DSE_ERROR_CAPACITY 1024

/* The error, in one line without the program's name and without a final newline. Owned by the
 * caller, usually on the stack; `(struct dse_error){0}` is the empty one. */
struct dse_error {
    enum dse_status status;
    char message[DSE_ERROR_CAPACITY];
};

#if defined(__GNUC__)
#define DSE_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define DSE_PRINTF(format_index, first_argument)
#endif

/* Releases a variable when its scope ends, in any way: `function` takes the variable's address. The variable must be initialised where it is
 * declared. */
#define DSE_CLEANUP(function) __attribute__((cleanup(function)))

/* Returns the status of a call that failed; variables to be released are declared with DSE_CLEANUP. */
#define DSE_TRY(call)                                   \
    do {                                                \
        enum dse_status dse_try_status = (call);        \
        if (dse_try_status != DSE_OK)                   \
            return dse_try_status;                      \
    } while (0)

/* Fills `err` (if not NULL) and returns `status`, so that `return dse_fail(…)` is one statement. The message is cut to the capacity. Characters that
 * a terminal would act on are escaped (core/utf8.h), so that an error always stays one line. */
enum dse_status dse_fail(struct dse_error *err, enum dse_status status, const char *format, ...)
    DSE_PRINTF(3, 4);

/* As dse_fail, with `file:line: ` in front; without the line if it is 0 or less. */
enum dse_status dse_fail_at(struct dse_error *err, enum dse_status status, const char *file, long line,
                            const char *format, ...) DSE_PRINTF(5, 6);

/* DSE_CANCELLED with "interrupted". */
enum dse_status dse_fail_cancelled(struct dse_error *err);

/* A failed system call on `path`. `status` is `DSE_BAD_INPUT` for a file that is read (missing, no permission, a folder), and `DSE_LIMIT` for one
 * that is written or for a full disk. Appends the text of `error_number` (an errno value). */
enum dse_status dse_fail_errno(struct dse_error *err, enum dse_status status, const char *path,
                               const char *action, int error_number);
