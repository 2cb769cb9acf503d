#include "emit/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
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

/* Whether `path` (a file, or a name in PATH) is executable. */
static bool can_run(const char *path)
{
    const char *at = getenv("PATH");
    if (strchr(path, '/') != NULL)
        return access(path, X_OK) == 0;
    for (; at != NULL && *at != '\0'; at += strcspn(at, ":"), at += *at == ':') {
        struct dse_strbuf place DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&place, "%.*s/%s", (int)strcspn(at, ":"), at, path);
        if (access(place.text, X_OK) == 0)
            return true;
    }
    return false;
}

const char *dse_check_path(void)
{
    static char path[PROGRAM_MAX];
    find_checker(path, sizeof path);
    return path;
}

enum dse_status dse_check_ready(struct dse_error *err)
{
    char path[PROGRAM_MAX], build[PROGRAM_MAX] = "", cache[PROGRAM_MAX + 32];
    find_checker(path, sizeof path);
    if (can_run(path))
        return DSE_OK;
    ssize_t length = readlink("/proc/self/exe", build, sizeof build - 1);
    build[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2 && strrchr(build, '/') != NULL; up++)
        *strrchr(build, '/') = '\0';
    snprintf(cache, sizeof cache, "%s/CMakeCache.txt", build);
    if (dse_file_exists(cache))
        return dse_fail(err, DSE_LIMIT, "--check: the checker is not built: with LLVM 14 to 19 and its clang (script/bootstrap installs them) "
                        "`cmake %s && cmake --build %s --target " CHECKER "` builds it", build, build);
    return dse_fail(err, DSE_LIMIT, "--check: " CHECKER " is not installed: the build makes it if LLVM 14 to 19 and its clang are installed (Debian 12: llvm-14-dev clang-14; 13: llvm-19-dev clang-19)");
}

/* The checker's output on either stream, and its exit code. */
static enum dse_status run_checker(const char *folder, struct dse_strbuf *out, int *code, struct dse_error *err)
{
    struct dse_strbuf command DSE_CLEANUP(dse_strbuf_free) = {0};
    char path[PROGRAM_MAX], buffer[4096];
    find_checker(path, sizeof path);
    dse_strbuf_add_shell(&command, path);
    dse_strbuf_add_char(&command, ' ', 1);
    dse_strbuf_add_shell(&command, folder);
    dse_strbuf_add(&command, " 2>&1");
    FILE *pipe = popen(command.text, "r");
    if (pipe == NULL)
        return dse_fail(err, DSE_LIMIT, "%s: cannot be started: %s", CHECKER, strerror(errno));
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        dse_strbuf_add_n(out, buffer, n);
    int state = pclose(pipe);
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : DSE_LIMIT;
    return DSE_OK;
}

/* Converts its exit code and text to the report, or to the error in its first line. */
static enum dse_status understand(int code, const struct dse_strbuf *text, json_t **report, struct dse_error *err)
{
    const char *message = dse_strbuf_text(text), *begin = strchr(message, '{');
    if (code == 127)
        return dse_check_ready(err) == DSE_OK ? dse_fail(err, DSE_LIMIT, CHECKER ": cannot be started") : err->status;
    if (code <= 1 && begin != NULL)
        *report = json_loads(begin, 0, NULL);
    if (*report != NULL)
        return DSE_OK;
    if (text->length == 0)
        return dse_fail(err, DSE_LIMIT, CHECKER ": ended without a report");
    return dse_fail(err, code == DSE_BAD_INPUT ? DSE_BAD_INPUT : DSE_LIMIT, "%.*s", (int)strcspn(message, "\n"), message);
}

/* Lists parts of a changed file that no rule covers. */
static void list_changed(void *unanalysed, const char *name, bool missing)
{
    json_array_append_new(unanalysed, json_sprintf("%s: %s", name, missing ? "missing, but it was emitted"
                                                                            : "changed since it was emitted: parts without a rule are not checked"));
}

enum dse_status dse_check_run(const char *folder, json_t **report, struct dse_error *err)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    int code = 0;
    *report = NULL;
    DSE_TRY(run_checker(folder, &text, &code, err));
    DSE_TRY(understand(code, &text, report, err));
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
                                   .beside = json_is_true(json_object_get(loop, "beside")),
                                   .claimed_ii = number_of(loop, "claimed_ii", 0), .bound_ii = number_of(loop, "bound_ii", 1),
                                   .depth = number_of(loop, "depth", 1), .trips = number_of(loop, "trips", -1), .clock_mhz = json_number_value(json_object_get(loop, "clock_mhz"))};
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
