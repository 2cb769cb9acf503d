/* A folder of files that belong together: all of them, or none. */
#include "core/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/hls/hls.h"

#define FILES 3

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
    if (estimate->worst < 0)
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

static enum dse_status begin_file(const struct dse_hls_design *design, const char *folder, const char *name,
                                  void (*write)(const struct dse_hls_design *, struct dse_strbuf *),
                                  struct output *output, struct dse_error *err)
{
    output->path = dse_path_join(folder, name);
    if (output->path == NULL)
        return dse_fail_memory(err);
    output->there = dse_file_exists(output->path);
    if (dse_file_is_folder(output->path))
        return dse_fail(err, DSE_LIMIT, "%s: is a folder, and a file is to be written there", output->path);
    write(design, &output->text);
    if (output->text.failed)
        return dse_fail_memory(err);
    enum dse_status status = dse_file_begin(output->path, &output->writer, err);
    size_t length = output->text.length;
    if (status == DSE_OK && fwrite(output->text.text, 1, length, output->writer.stream) != length)
        status = dse_fail(err, DSE_LIMIT, "%s: cannot be written", output->path);
    return status;
}

static enum dse_status write_files(const struct dse_hls_design *design, const char *folder,
                                   struct output outputs[FILES], struct dse_error *err)
{
    struct dse_strbuf header = {0};
    dse_strbuf_printf(&header, "%s_config.h", design->setup->family->name);
    enum dse_status status = header.failed ? dse_fail_memory(err) : DSE_OK;
    if (status == DSE_OK)
        status = begin_file(design, folder, header.text, dse_hls_header, &outputs[0], err);
    if (status == DSE_OK)
        status = begin_file(design, folder, "hls_config.cfg", dse_hls_configuration, &outputs[1], err);
    if (status == DSE_OK)
        status = begin_file(design, folder, "directives.tcl", dse_hls_directives, &outputs[2], err);
    size_t committed = 0;
    for (; status == DSE_OK && committed < FILES; committed++)
        status = dse_file_commit(&outputs[committed].writer, err);
    for (size_t i = 0; status != DSE_OK && i < FILES; i++) {
        dse_file_abort(&outputs[i].writer);
        if (i < committed && !outputs[i].there)
            unlink(outputs[i].path);
    }
    dse_strbuf_free(&header);
    return status;
}

enum dse_status dse_hls_write(const struct dse_hls_design *design, const char *folder, struct dse_error *err)
{
    struct output outputs[FILES] = {0};
    char *made = first_missing(folder);
    enum dse_status status = dse_folder_create(folder, err);
    if (status == DSE_OK)
        status = write_files(design, folder, outputs, err);
    if (status != DSE_OK && made != NULL)
        remove_folders(folder, made);
    for (size_t i = 0; i < FILES; i++) {
        free(outputs[i].path);
        dse_strbuf_free(&outputs[i].text);
    }
    free(made);
    return status;
}
