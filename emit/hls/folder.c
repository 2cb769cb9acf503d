/* A folder of files that belong together: all of them, or none. */
#include "core/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit/hls/hls.h"

#define SOURCE_MAX (1 << 20) /* bytes of a file of the accelerator */

struct output {
    char *path;
    bool there; /* before */
    struct dse_strbuf text;
    struct dse_file_writer writer;
};

enum dse_status dse_hls_check_fit(const struct dse_hls_design *design, struct dse_error *err)
{
    const struct dse_estimate *estimate = design->estimate;
    const struct dse_board *board = design->setup->board;
    double clock_hz = (double)estimate->config.value[design->setup->family->clock_knob] * 1e6;
    if (estimate->fits)
        return DSE_OK;
    if (!estimate->platform.clock_allowed || estimate->worst < 0)
        return dse_fail(err, DSE_ANSWER_NO, "does not fit %s: %g MHz, and it closes timing up to %g MHz", board->name,
                        clock_hz / 1e6, board->max_clock_hz / 1e6);
    int64_t need = estimate->sums.resources[estimate->worst] * estimate->platform.units;
    return dse_fail(err, DSE_ANSWER_NO,
                    "does not fit %s: needs %" PRId64 " %s, and a kernel may use %" PRId64 " at %g MHz", board->name,
                    need, dse_resource_names[estimate->worst], estimate->platform.capped[estimate->worst],
                    clock_hz / 1e6);
}

/* The outermost folder of `path` that is missing, malloc'd, or NULL where all are there. */
static char *first_missing(const char *path)
{
    char *part = strdup(path);
    for (size_t i = 1; part != NULL && i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        part[i] = '\0';
        if (!dse_file_exists(part))
            return part;
        part[i] = path[i];
    }
    free(part);
    return NULL;
}

/* Removes the folders of `path` from the innermost out to `first`, which this run made. */
static void remove_folders(const char *path, const char *first)
{
    char *part = strdup(path);
    while (part != NULL && strlen(part) >= strlen(first)) {
        rmdir(part);
        char *slash = strrchr(part, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    free(part);
}

/* The outputs of a folder, in the order in which they are made. */
struct outputs {
    const char *folder;
    struct output *items;
    size_t count;
};

static void free_outputs(struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        free(outputs->items[i].path);
        dse_strbuf_free(&outputs->items[i].text);
    }
    free(outputs->items);
}

/* One more output, its text yet to be filled in, or NULL when memory runs out. */
static struct output *add_output(struct outputs *outputs, const char *name)
{
    struct output *grown = realloc(outputs->items, (outputs->count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    outputs->items = grown;
    struct output *output = &grown[outputs->count];
    *output = (struct output){.path = dse_path_join(outputs->folder, name)};
    if (output->path == NULL)
        return NULL;
    outputs->count++;
    return output;
}

static enum dse_status add_text(const struct dse_hls_design *design, const char *name,
                                void (*write)(const struct dse_hls_design *, struct dse_strbuf *),
                                struct outputs *outputs, struct dse_error *err)
{
    struct output *output = add_output(outputs, name);
    if (output == NULL)
        return dse_fail_memory(err);
    write(design, &output->text);
    return DSE_OK;
}

static enum dse_status add_source(const struct dse_hls_design *design, const char *name, struct outputs *outputs,
                                  struct dse_error *err)
{
    struct output *output = add_output(outputs, name);
    struct dse_strbuf relative = {0};
    dse_strbuf_printf(&relative, "hls/%s/%s", design->setup->family->name, name);
    if (output == NULL || relative.failed) {
        dse_strbuf_free(&relative);
        return dse_fail_memory(err);
    }
    char *path = NULL, *text = NULL;
    size_t size = 0;
    enum dse_status status = dse_share_find(relative.text, &path, err);
    if (status == DSE_OK)
        status = dse_file_read(path, SOURCE_MAX, &text, &size, err);
    if (status == DSE_OK)
        dse_strbuf_add_n(&output->text, text, size);
    free(text);
    free(path);
    dse_strbuf_free(&relative);
    return status;
}

static void add_cases(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    dse_strbuf_add_n(out, dse_strbuf_text(design->cases), design->cases->length);
}

/* The model's tables and the source that reads them. */
static enum dse_status add_model(const struct dse_hls_design *design, struct outputs *outputs, struct dse_error *err)
{
    const char *family = design->setup->family->name;
    char name[128];
    snprintf(name, sizeof name, "%s_model.h", family);
    DSE_TRY(add_text(design, name, dse_hls_model, outputs, err));
    snprintf(name, sizeof name, "%s_model.bin", family);
    DSE_TRY(add_text(design, name, dse_hls_image, outputs, err));
    for (size_t i = 0; i < design->pack->count; i++) {
        if (!design->pack->arrays[i].apart)
            continue;
        snprintf(name, sizeof name, "%s_%s.h", family, design->pack->arrays[i].name);
        struct output *output = add_output(outputs, name);
        if (output == NULL)
            return dse_fail_memory(err);
        dse_hls_table(design, &design->pack->arrays[i], &output->text);
    }
    const char *const *source = design->hls->sources;
    for (; source != NULL && *source != NULL; source++)
        DSE_TRY(add_source(design, *source, outputs, err));
    if (design->cases != NULL && design->hls->bench != NULL) {
        snprintf(name, sizeof name, "%s_cases.bin", family);
        DSE_TRY(add_text(design, name, add_cases, outputs, err));
        DSE_TRY(add_source(design, design->hls->bench, outputs, err));
    }
    return DSE_OK;
}

static enum dse_status begin(struct output *output, struct dse_error *err)
{
    size_t length = output->text.length;
    if (output->text.failed)
        return dse_fail_memory(err);
    output->there = dse_file_exists(output->path);
    if (dse_file_is_folder(output->path))
        return dse_fail(err, DSE_LIMIT, "%s: is a folder, and a file is to be written there", output->path);
    DSE_TRY(dse_file_begin(output->path, &output->writer, err));
    if (fwrite(dse_strbuf_text(&output->text), 1, length, output->writer.stream) != length)
        DSE_TRY(dse_fail_errno(err, DSE_LIMIT, output->path, "write", errno));
    return DSE_OK;
}

static bool is_among(const struct outputs *outputs, const char *path)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (strcmp(outputs->items[i].path, path) == 0)
            return true;
    return false;
}

/* Takes away an earlier design's file that this one does not have. A source goes only as it was written: what somebody
 * changed, or has of the same name, stays. */
static enum dse_status remove_stale(const struct dse_hls_design *design, const struct outputs *outputs, const char *name,
                                    bool source, struct dse_error *err)
{
    char *path = dse_path_join(outputs->folder, name), *text = NULL;
    struct outputs shipped = {.folder = outputs->folder};
    size_t size = 0;
    enum dse_status status = path == NULL ? dse_fail_memory(err) : DSE_OK;
    bool ours = path != NULL && dse_file_exists(path) && !is_among(outputs, path);
    if (ours && source) {
        status = add_source(design, name, &shipped, err);
        ours = status == DSE_OK && dse_file_read(path, SOURCE_MAX, &text, &size, NULL) == DSE_OK &&
               size == shipped.items->text.length && memcmp(text, dse_strbuf_text(&shipped.items->text), size) == 0;
    }
    if (ours && unlink(path) != 0)
        status = dse_fail_errno(err, DSE_LIMIT, path, "remove", errno);
    free_outputs(&shipped);
    free(text);
    free(path);
    return status;
}

static enum dse_status remove_stale_sources(const struct dse_hls_design *design, const struct outputs *outputs,
                                            const char *suffix, struct dse_error *err)
{
    char folder[128], name[128], **names = NULL;
    size_t count = 0;
    snprintf(folder, sizeof folder, "hls/%s", design->setup->family->name);
    enum dse_status status = dse_share_names(folder, suffix, &names, &count, err);
    for (size_t i = 0; status == DSE_OK && i < count; i++) {
        snprintf(name, sizeof name, "%s%s", names[i], suffix);
        status = remove_stale(design, outputs, name, true, err);
    }
    dse_share_names_free(names, count);
    return status;
}

/* What an earlier emission left in the folder and this one has not: `gcc *.c` there is to build this design. */
static enum dse_status clear_earlier(const struct dse_hls_design *design, const struct outputs *outputs,
                                     struct dse_error *err)
{
    static const char *const made[] = {"model.h", "model.bin", "cases.bin", "p_resident.h"};
    char name[128];
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < sizeof made / sizeof *made; i++) {
        snprintf(name, sizeof name, "%s_%s", design->setup->family->name, made[i]);
        status = remove_stale(design, outputs, name, false, err);
    }
    if (status == DSE_OK && design->hls->sources != NULL)
        status = remove_stale_sources(design, outputs, ".c", err);
    return status == DSE_OK && design->hls->sources != NULL ? remove_stale_sources(design, outputs, ".h", err) : status;
}

/* All files beside their destinations first, then all renamed. */
static enum dse_status commit(struct outputs *outputs, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    size_t committed = 0;
    for (size_t i = 0; status == DSE_OK && i < outputs->count; i++)
        status = begin(&outputs->items[i], err);
    for (; status == DSE_OK && committed < outputs->count; committed++)
        status = dse_file_commit(&outputs->items[committed].writer, err);
    for (size_t i = 0; status != DSE_OK && i < outputs->count; i++) {
        dse_file_abort(&outputs->items[i].writer);
        if (i < committed && !outputs->items[i].there)
            unlink(outputs->items[i].path);
    }
    return status;
}

enum dse_status dse_hls_write(const struct dse_hls_design *design, const char *folder, struct dse_error *err)
{
    struct outputs outputs = {.folder = folder};
    char header[128];
    snprintf(header, sizeof header, "%s_config.h", design->setup->family->name);
    enum dse_status status = add_text(design, header, dse_hls_header, &outputs, err);
    if (status == DSE_OK)
        status = add_text(design, "hls_config.cfg", dse_hls_configuration, &outputs, err);
    if (status == DSE_OK)
        status = add_text(design, "link_config.cfg", dse_hls_linking, &outputs, err);
    if (status == DSE_OK)
        status = add_text(design, "directives.tcl", dse_hls_directives, &outputs, err);
    if (status == DSE_OK)
        status = add_text(design, "expected.json", dse_hls_expected, &outputs, err);
    if (status == DSE_OK && design->pack != NULL)
        status = add_model(design, &outputs, err);
    bool had_design = status == DSE_OK && dse_file_exists(outputs.items[0].path);
    char *made = first_missing(folder);
    if (status == DSE_OK)
        status = dse_folder_create(folder, err);
    if (status == DSE_OK)
        status = commit(&outputs, err);
    if (status != DSE_OK && made != NULL)
        remove_folders(folder, made);
    if (status == DSE_OK && had_design)
        status = clear_earlier(design, &outputs, err);
    free_outputs(&outputs);
    free(made);
    return status;
}
