#include "emit/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/json.h"
#include "core/strbuf.h"
#include "emit/folder.h"

#define CHECKER "nysx-hls-check"
#define PROGRAM_MAX 4096

/* The checker beside this program, or by PATH. */
static void find_checker(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - sizeof CHECKER - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        memcpy(slash + 1, CHECKER, sizeof CHECKER);
    if (slash == NULL || !dse_file_exists(path))
        memcpy(path, CHECKER, sizeof CHECKER);
}

/* The child's side: both outputs into the pipe's ends. */
static void become_checker(const char *folder, int out, int messages)
{
    char path[PROGRAM_MAX];
    find_checker(path, sizeof path);
    dup2(out, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    execlp(path, CHECKER, folder, (char *)NULL);
    _exit(127);
}

/* Everything of a file that the child wrote, from its start. */
static void read_all(FILE *file, struct dse_strbuf *out)
{
    char buffer[4096];
    rewind(file);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        dse_strbuf_add_n(out, buffer, n);
}

static enum dse_status run_child(const char *folder, FILE *out, FILE *messages, int *code, struct dse_error *err)
{
    int state = 0;
    pid_t child = fork();
    if (child < 0)
        return dse_fail(err, DSE_LIMIT, "%s: cannot be started: %s", CHECKER, strerror(errno));
    if (child == 0)
        become_checker(folder, fileno(out), fileno(messages));
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return dse_fail(err, DSE_LIMIT, "%s: %s", CHECKER, strerror(errno));
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : DSE_LIMIT;
    return DSE_OK;
}

/* From the child's exit code and texts to the report, or to the error that it names. */
static enum dse_status understand(int code, FILE *out, FILE *messages, json_t **report, struct dse_error *err)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (code == 127)
        return dse_fail(err, DSE_LIMIT, "%s: not installed: it is built where LLVM 14 is (Debian: llvm-14-dev, clang-14)", CHECKER);
    read_all(code <= 1 ? out : messages, &text);
    const char *message = dse_strbuf_text(&text);
    if (code <= 1)
        *report = json_loadb(message, text.length, 0, NULL);
    if (*report != NULL)
        return DSE_OK;
    if (text.length == 0)
        return dse_fail(err, DSE_LIMIT, CHECKER ": ended without a report");
    return dse_fail(err, code == DSE_BAD_INPUT ? DSE_BAD_INPUT : DSE_LIMIT, "%.*s", (int)strcspn(message, "\n"), message); /* its first line */
}

/* What no rule looks at may have changed with a file: listed. */
static void list_changed(void *unanalysed, const char *name, bool missing)
{
    json_array_append_new(unanalysed, json_sprintf("%s: %s", name, missing ? "not there, and it was emitted"
                                                                            : "changed since it was emitted: what no rule looks at is not known to hold"));
}

static void close_at(FILE **file)
{
    if (*file != NULL)
        fclose(*file);
}

enum dse_status dse_check_run(const char *folder, json_t **report, struct dse_error *err)
{
    int code = 0;
    *report = NULL;
    FILE *out DSE_CLEANUP(close_at) = tmpfile(), *messages DSE_CLEANUP(close_at) = tmpfile();
    if (out == NULL || messages == NULL)
        return dse_fail_errno(err, DSE_LIMIT, "/tmp", "make a file", errno);
    DSE_TRY(run_child(folder, out, messages, &code, err));
    DSE_TRY(understand(code, out, messages, report, err));
    return dse_folder_changes(folder, list_changed, json_object_get(*report, "unanalysed"), err);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static long number_of(const json_t *object, const char *key, long absent)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (long)json_integer_value(value) : absent;
}

struct dse_check_loop dse_check_loop_at(const json_t *report, size_t index)
{
    const json_t *loop = json_array_get(json_object_get(report, "loops"), index);
    return (struct dse_check_loop){.engine = text_of(loop, "engine"), .name = text_of(loop, "loop"),
                                   .by = text_of(loop, "by"), .inside = text_of(loop, "inside"), .at = text_of(loop, "at"),
                                   .region = text_of(loop, "region"), .process = text_of(loop, "process"),
                                   .streams = json_is_true(json_object_get(loop, "streams")),
                                   .claimed_ii = number_of(loop, "claimed_ii", 0), .bound_ii = number_of(loop, "bound_ii", 1),
                                   .depth = number_of(loop, "depth", 1), .trips = number_of(loop, "trips", -1)};
}

bool dse_check_passes(const json_t *report, size_t *failed)
{
    size_t count = json_array_size(json_object_get(report, "errors"));
    for (size_t i = 0; i < json_array_size(json_object_get(report, "loops")); i++) {
        struct dse_check_loop loop = dse_check_loop_at(report, i);
        count += loop.claimed_ii > 0 && loop.claimed_ii < loop.bound_ii;
    }
    if (failed != NULL)
        *failed = count;
    return count == 0;
}
