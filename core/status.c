#include "core/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

/* Keeps an error on one line, and harmless to a terminal, whatever text from a file it contains. It allocates nothing, since memory may have run out. */
static void make_one_line(char text[static DSE_ERROR_CAPACITY])
{
    char line[DSE_ERROR_CAPACITY], shown[DSE_UTF8_SHOWN];
    size_t used = 0;
    for (size_t at = 0, taken; (taken = dse_utf8_shown(text + at, shown)) > 0; at += taken) {
        if (used + strlen(shown) >= sizeof line)
            break;
        memcpy(line + used, shown, strlen(shown));
        used += strlen(shown);
    }
    line[used] = '\0';
    memcpy(text, line, used + 1);
}

static void set_message(struct dse_error *err, enum dse_status status, size_t used, const char *format,
                        va_list arguments)
{
    err->status = status;
    if (used < sizeof err->message)
        vsnprintf(err->message + used, sizeof err->message - used, format, arguments);
    make_one_line(err->message);
}

enum dse_status dse_fail(struct dse_error *err, enum dse_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        set_message(err, status, 0, format, arguments);
        va_end(arguments);
    }
    return status;
}

enum dse_status dse_fail_at(struct dse_error *err, enum dse_status status, const char *file, long line,
                            const char *format, ...)
{
    if (err != NULL) {
        int used = line > 0 ? snprintf(err->message, sizeof err->message, "%s:%ld: ", file, line)
                            : snprintf(err->message, sizeof err->message, "%s: ", file);
        va_list arguments;
        va_start(arguments, format);
        set_message(err, status, used < 0 ? 0 : (size_t)used, format, arguments);
        va_end(arguments);
    }
    return status;
}

enum dse_status dse_fail_errno(struct dse_error *err, enum dse_status status, const char *path,
                               const char *action, int error_number)
{
    /* Independent of the request: the system has run out of a resource, and the file is not to blame. */
    if (error_number == ENOMEM)
        dse_memory_exhausted();
    if (error_number == EMFILE || error_number == ENFILE)
        status = DSE_LIMIT;
    return dse_fail(err, status, "%s: cannot %s: %s", path, action, strerror(error_number));
}

enum dse_status dse_fail_cancelled(struct dse_error *err)
{
    return dse_fail(err, DSE_CANCELLED, "interrupted: no result yet; repeat the command, which keeps finished surveys");
}
