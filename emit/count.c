#include "emit/count.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"

#define SOURCE_MAX ((size_t)256 << 20)
#define COUNTERS "loops.h"   /* made for the copy: how many loops there are, and their names */
#define RESULT "loops.txt"

struct copy {
    const char *from, *macros;
    char to[64];
    struct dse_loop_counts *counts;
};

static enum dse_status add_loop(struct dse_loop_counts *counts, const char *name, size_t length, size_t *index,
                                struct dse_error *err)
{
    for (*index = 0; *index < counts->count; ++*index) /* of several that the source chooses among, one counter */
        if (strlen(counts->loops[*index].name) == length && memcmp(counts->loops[*index].name, name, length) == 0)
            return DSE_OK;
    struct dse_loop_count *grown = dse_realloc(counts->loops, (counts->count + 1) * sizeof *grown);
    counts->loops = grown;
    *index = counts->count++;
    grown[*index] = (struct dse_loop_count){0};
    memcpy(grown[*index].name, name, length < sizeof grown->name ? length : sizeof grown->name - 1);
    return DSE_OK;
}

/* Behind the loop's opening brace; NULL where its body has none, or no loop follows the label. */
static const char *body_of(const char *text)
{
    int open = 0;
    while (isspace((unsigned char)*text))
        text++;
    if (strncmp(text, "for", 3) != 0)
        return NULL;
    for (; *text != '\0'; text++) {
        open += *text == '(';
        open -= *text == ')';
        if (*text == ')' && open == 0)
            break;
    }
    for (text += *text != '\0'; isspace((unsigned char)*text);)
        text++;
    return *text == '{' ? text + 1 : NULL;
}

/* A source with two statements for each loop: before it, and first in its body. */
static enum dse_status count_in(const struct copy *copy, const char *text, struct dse_strbuf *out, struct dse_error *err)
{
    char label[64];
    int length = snprintf(label, sizeof label, "%s_LABEL(", copy->macros);
    for (const char *at; (at = strstr(text, label)) != NULL;) {
        const char *name = at + length, *end = strchr(name, ')'), *body = end != NULL ? body_of(end + 1) : NULL;
        size_t index = 0;
        if (body == NULL) {
            dse_strbuf_add_n(out, text, (size_t)(name - text));
            text = name;
            continue;
        }
        DSE_TRY(add_loop(copy->counts, name, (size_t)(end - name), &index, err));
        dse_strbuf_add_n(out, text, (size_t)(at - text));
        dse_strbuf_printf(out, "%s_ENTER(%zu);\n", copy->macros, index);
        dse_strbuf_add_n(out, at, (size_t)(body - at));
        dse_strbuf_printf(out, "\n%s_TURN(%zu);", copy->macros, index);
        text = body;
    }
    dse_strbuf_add_n(out, text, strlen(text));
    return DSE_OK;
}

static enum dse_status copy_source(const struct copy *copy, const char *name, struct dse_error *err)
{
    char from[4096], to[512], *text = NULL;
    struct dse_strbuf out = {0};
    size_t size = 0;
    snprintf(from, sizeof from, "%s/%s", copy->from, name);
    snprintf(to, sizeof to, "%s/%s", copy->to, name);
    DSE_TRY(dse_file_read(from, SOURCE_MAX, &text, &size, err));
    enum dse_status status = count_in(copy, text, &out, err);
    if (status == DSE_OK)
        status = dse_file_write(to, dse_strbuf_text(&out), out.length, err);
    dse_strbuf_free(&out);
    free(text);
    return status;
}

static bool ends(const char *name, const char *with)
{
    size_t a = strlen(name), b = strlen(with);
    return a >= b && strcmp(name + a - b, with) == 0;
}

/* Sources with counters; headers and binaries are the folder's own. */
static enum dse_status copy_files(const struct copy *copy, struct dse_error *err)
{
    DIR *dir = opendir(copy->from);
    enum dse_status status = dir != NULL ? DSE_OK : dse_fail_errno(err, DSE_BAD_INPUT, copy->from, "open", errno);
    const struct dirent *entry;
    while (status == DSE_OK && (entry = readdir(dir)) != NULL) {
        char from[4096], to[512];
        if (ends(entry->d_name, ".c")) {
            status = copy_source(copy, entry->d_name, err);
        } else if (ends(entry->d_name, ".h") || ends(entry->d_name, ".bin")) {
            char *whole = realpath(copy->from, NULL);
            snprintf(from, sizeof from, "%s/%s", whole != NULL ? whole : copy->from, entry->d_name);
            snprintf(to, sizeof to, "%s/%s", copy->to, entry->d_name);
            if (symlink(from, to) != 0)
                status = dse_fail_errno(err, DSE_LIMIT, to, "make", errno);
            free(whole);
        }
    }
    if (dir != NULL)
        closedir(dir);
    return status;
}

/* What the sources include before all else: the loops' number and names. */
static enum dse_status write_counters(const struct copy *copy, struct dse_error *err)
{
    char path[128];
    struct dse_strbuf text = {0};
    dse_strbuf_printf(&text, "#define %s_LOOPS %zu\n#define %s_LOOP_NAMES", copy->macros, copy->counts->count, copy->macros);
    for (size_t i = 0; i < copy->counts->count; i++)
        dse_strbuf_printf(&text, "%s\"%s\"", i > 0 ? ", " : " ", copy->counts->loops[i].name);
    dse_strbuf_printf(&text, "\n");
    snprintf(path, sizeof path, "%s/%s", copy->to, COUNTERS);
    enum dse_status status = text.failed ? dse_fail_memory(err) : dse_file_write(path, dse_strbuf_text(&text), text.length, err);
    dse_strbuf_free(&text);
    return status;
}

static enum dse_status compile_and_run(const struct copy *copy, struct dse_error *err)
{
    char command[512];
    const char *compiler = getenv("CC") != NULL ? getenv("CC") : "cc";
    snprintf(command, sizeof command,
             "cd %s && %s -std=c99 -O1 -w -ffp-contract=off -D%s_COUNT -include " COUNTERS " -I. *.c -lm -o csim >/dev/null 2>cc.txt",
             copy->to, compiler, copy->macros);
    int code = system(command);
    if (code == -1 || (WIFEXITED(code) && WEXITSTATUS(code) == 127))
        return dse_fail(err, DSE_LIMIT, "%s: no such compiler; the C simulation is compiled by CC, else cc", compiler);
    if (code != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: its C simulation does not compile with counters", copy->from);
    snprintf(command, sizeof command, "cd %s && ./csim >" RESULT " 2>/dev/null", copy->to);
    return system(command) == 0 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: its C simulation gives other answers than the executor", copy->from);
}

/* "loop NAME entered turned entered turned …", a line each. */
static enum dse_status read_line(struct dse_loop_count *loop, char *line, size_t *cases, struct dse_error *err)
{
    size_t count = 0;
    for (const char *c = line; *c != '\0'; c++)
        count += *c == ' ';
    *cases = count / 2;
    loop->entered = dse_calloc(2 * (*cases + 1), sizeof *loop->entered);
    loop->turned = loop->entered + *cases + 1;
    for (size_t i = 0; i < *cases; i++) {
        loop->entered[i] = strtoull(line, &line, 10);
        loop->turned[i] = strtoull(line, &line, 10);
    }
    return DSE_OK;
}

static enum dse_status read_result(const struct copy *copy, struct dse_error *err)
{
    char path[128], *text = NULL, *rest = NULL;
    size_t size = 0, found = 0;
    snprintf(path, sizeof path, "%s/%s", copy->to, RESULT);
    DSE_TRY(dse_file_read(path, SOURCE_MAX, &text, &size, err));
    enum dse_status status = DSE_OK;
    for (char *line = strtok_r(text, "\n", &rest); status == DSE_OK && line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *numbers = strncmp(line, "loop ", 5) == 0 ? strchr(line + 5, ' ') : NULL;
        if (numbers != NULL && found < copy->counts->count)
            status = read_line(&copy->counts->loops[found++], numbers, &copy->counts->cases, err);
    }
    free(text);
    if (status == DSE_OK && found != copy->counts->count)
        status = dse_fail(err, DSE_BAD_INPUT, "%s: its test bench counts no loops", copy->from);
    return status;
}

static void clear(const char *folder)
{
    char path[512];
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}

enum dse_status dse_count_loops(const char *folder, const char *macros, struct dse_loop_counts *out, struct dse_error *err)
{
    struct copy copy = {.from = folder, .macros = macros, .to = "/tmp/nysx-dse-count-XXXXXX", .counts = out};
    *out = (struct dse_loop_counts){0};
    if (mkdtemp(copy.to) == NULL)
        return dse_fail_errno(err, DSE_LIMIT, "/tmp", "make a folder", errno);
    enum dse_status status = copy_files(&copy, err);
    if (status == DSE_OK)
        status = write_counters(&copy, err);
    if (status == DSE_OK)
        status = compile_and_run(&copy, err);
    if (status == DSE_OK)
        status = read_result(&copy, err);
    clear(copy.to);
    if (status != DSE_OK)
        dse_loop_counts_free(out);
    return status;
}

void dse_loop_counts_free(struct dse_loop_counts *counts)
{
    for (size_t i = 0; i < counts->count; i++)
        free(counts->loops[i].entered);
    free(counts->loops);
    *counts = (struct dse_loop_counts){0};
}

const struct dse_loop_count *dse_loop_count_find(const struct dse_loop_counts *counts, const char *name)
{
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->loops[i].name, name) == 0)
            return &counts->loops[i];
    return NULL;
}
