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
#include "core/list.h"
#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "emit/swap.h"

#define SOURCE_MAX ((size_t)256 << 20)
#define COUNTERS "loops.h"   /* written into the copy: declares how many loops there are and their names */
#define RESULT "loops.txt"

struct copy {
    const char *from, *macros;
    char to[64];
    struct dse_loop_counts *counts;
};

/* The counter of a loop; one for all alternatives between which the source chooses. */
static size_t loop_index(struct dse_loop_counts *counts, const char *name, size_t length)
{
    for (size_t i = 0; i < counts->count; i++)
        if (strlen(counts->loops[i].name) == length && memcmp(counts->loops[i].name, name, length) == 0)
            return i;
    struct dse_loop_count *loop = dse_list_more(&counts->loops, &counts->count, sizeof *loop);
    memcpy(loop->name, name, length < sizeof loop->name ? length : sizeof loop->name - 1);
    return counts->count - 1;
}

/* The text after the loop's opening brace; NULL if its body has none, or no loop follows the label. */
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

/* A source with two added statements per loop: before it, and first in its body. */
static void count_in(const struct copy *copy, const char *text, struct dse_strbuf *out)
{
    char label[64];
    int length = snprintf(label, sizeof label, "%s_LABEL(", copy->macros);
    for (const char *at; (at = strstr(text, label)) != NULL;) {
        const char *name = at + length, *end = strchr(name, ')'), *body = end != NULL ? body_of(end + 1) : NULL;
        if (body == NULL) {
            dse_strbuf_add_n(out, text, (size_t)(name - text));
            text = name;
            continue;
        }
        size_t index = loop_index(copy->counts, name, (size_t)(end - name));
        dse_strbuf_add_n(out, text, (size_t)(at - text));
        dse_strbuf_printf(out, "%s_ENTER(%zu);\n", copy->macros, index);
        dse_strbuf_add_n(out, at, (size_t)(body - at));
        dse_strbuf_printf(out, "\n%s_TRIP(%zu);", copy->macros, index);
        text = body;
    }
    dse_strbuf_add(out, text);
}

static enum dse_status copy_source(const struct copy *copy, const char *name, struct dse_error *err)
{
    char *from DSE_CLEANUP(dse_free_at) = dse_path_join(copy->from, name), *to DSE_CLEANUP(dse_free_at) = dse_path_join(copy->to, name);
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    struct dse_strbuf out DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t size = 0;
    DSE_TRY(dse_file_read(from, SOURCE_MAX, &text, &size, err));
    count_in(copy, text, &out);
    return dse_file_write(to, dse_strbuf_text(&out), out.length, err);
}

/* Sources with counters; headers and binaries are the folder's own. */
static enum dse_status copy_sources(const struct copy *copy, struct dse_error *err)
{
    DIR *dir = opendir(copy->from);
    if (dir == NULL)
        return dse_fail_errno(err, DSE_BAD_INPUT, copy->from, "open", errno);
    enum dse_status status = DSE_OK;
    for (const struct dirent *entry; status == DSE_OK && (entry = readdir(dir)) != NULL;)
        if (dse_ends_in(entry->d_name, ".c"))
            status = copy_source(copy, entry->d_name, err);
    closedir(dir);
    return status;
}

/* The header that the sources include first: the loops' number and names. */
static enum dse_status write_counters(const struct copy *copy, struct dse_error *err)
{
    char path[128];
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&text, "#define %s_LOOPS %zu\n#define %s_LOOP_NAMES", copy->macros, copy->counts->count, copy->macros);
    for (size_t i = 0; i < copy->counts->count; i++)
        dse_strbuf_printf(&text, "%s\"%s\"", i > 0 ? ", " : " ", copy->counts->loops[i].name);
    dse_strbuf_add(&text, "\n");
    snprintf(path, sizeof path, "%s/%s", copy->to, COUNTERS);
    return dse_file_write(path, text.text, text.length, err);
}

static enum dse_status compile_and_run(const struct copy *copy, struct dse_error *err)
{
    struct dse_strbuf command DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *compiler = getenv("CC") != NULL ? getenv("CC") : "cc";
    dse_strbuf_add(&command, "cd ");
    dse_strbuf_add_shell(&command, copy->from);
    size_t there = command.length;
    dse_strbuf_printf(&command, " && %s -std=c99 -O1 -w -ffp-contract=off -D%s_COUNT -include %s/" COUNTERS " -I. %s/*.c -lm -o %s/csim >%s/cc.txt 2>&1",
                      compiler, copy->macros, copy->to, copy->to, copy->to, copy->to);
    int code = system(command.text);
    if (code == -1 || (WIFEXITED(code) && WEXITSTATUS(code) == 127))
        return dse_fail(err, DSE_LIMIT, "%s: no such compiler; the C simulation is compiled by CC, else cc", compiler);
    if (code != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: its C simulation does not compile with counters", copy->from);
    command.length = there;
    dse_strbuf_printf(&command, " && %s/csim >%s/" RESULT " 2>/dev/null", copy->to, copy->to);
    code = system(command.text);
    int ended_by = WIFSIGNALED(code) ? WTERMSIG(code) : WIFEXITED(code) && WEXITSTATUS(code) > 128 ? WEXITSTATUS(code) - 128 : 0; /* the shell adds 128 */
    if (ended_by != 0)
        return dse_fail(err, DSE_LIMIT, "%s: its C simulation was ended by signal %d", copy->from, ended_by);
    return code == 0 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: the answers of its C simulation differ from the executor's", copy->from);
}

/* Lines "loop NAME ENTRIES ITERATIONS ENTRIES ITERATIONS …", one per loop. */
static void read_counts(struct dse_loop_count *loop, char *line, size_t *calls)
{
    size_t count = 0;
    for (const char *c = line; *c != '\0'; c++)
        count += *c == ' ';
    *calls = count / 2;
    loop->entered = dse_calloc(2 * (*calls + 1), sizeof *loop->entered);
    loop->turned = loop->entered + *calls + 1;
    for (size_t i = 0; i < *calls; i++) {
        loop->entered[i] = strtoull(line, &line, 10);
        loop->turned[i] = strtoull(line, &line, 10);
    }
}

static enum dse_status read_result(const struct copy *copy, struct dse_error *err)
{
    char path[128], *text DSE_CLEANUP(dse_free_at) = NULL, *rest = NULL;
    size_t size = 0, found = 0;
    snprintf(path, sizeof path, "%s/%s", copy->to, RESULT);
    DSE_TRY(dse_file_read(path, SOURCE_MAX, &text, &size, err));
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *numbers = strncmp(line, "loop ", 5) == 0 ? strchr(line + 5, ' ') : NULL;
        if (numbers != NULL && found < copy->counts->count)
            read_counts(&copy->counts->loops[found++], numbers, &copy->counts->calls);
        if (strncmp(line, "answers ", 8) == 0)
            copy->counts->answers = strtoull(line + 8, NULL, 10);
    }
    if (copy->counts->answers == 0)
        copy->counts->answers = copy->counts->calls;
    return found == copy->counts->count ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: its test bench counts no loops", copy->from);
}

static enum dse_status count_all(const struct copy *copy, struct dse_error *err)
{
    DSE_TRY(copy_sources(copy, err));
    DSE_TRY(write_counters(copy, err));
    DSE_TRY(compile_and_run(copy, err));
    return read_result(copy, err);
}

enum dse_status dse_count_loops(const char *folder, const char *macros, struct dse_loop_counts *out, struct dse_error *err)
{
    struct copy copy = {.from = folder, .macros = macros, .to = "/tmp/nysx-dse-count-XXXXXX", .counts = out};
    *out = (struct dse_loop_counts){0};
    dse_rehearsal_ends();
    if (mkdtemp(copy.to) == NULL)
        return dse_fail_errno(err, DSE_LIMIT, "/tmp", "make a folder", errno);
    enum dse_status status = count_all(&copy, err);
    dse_swap_remove(copy.to);
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
