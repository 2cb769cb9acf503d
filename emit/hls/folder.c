/* The files of a design, and what of an earlier one goes. */
#include <inttypes.h>
#include <stdio.h>

#include "emit/folder.h"
#include "emit/hls/hls.h"

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

static enum dse_status add_text(const struct dse_hls_design *design, const char *name,
                                void (*write)(const struct dse_hls_design *, struct dse_strbuf *),
                                struct dse_folder *folder, struct dse_error *err)
{
    struct dse_strbuf *text = dse_folder_add(folder, name);
    write(design, text);
    return DSE_OK;
}

static void add_cases(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    dse_strbuf_add_n(out, dse_strbuf_text(design->cases), design->cases->length);
}

/* The accelerators' sources of the family. */
static const char *shipped_in(const struct dse_hls_design *design, char *buffer, size_t size)
{
    snprintf(buffer, size, "hls/%s", design->setup->family->name);
    return buffer;
}

static enum dse_status add_bench(const struct dse_hls_design *design, const char *from, struct dse_folder *folder,
                                 struct dse_error *err)
{
    char name[128];
    snprintf(name, sizeof name, "%s_cases.bin", design->setup->family->name);
    DSE_TRY(add_text(design, name, add_cases, folder, err));
    return dse_folder_add_shipped(folder, from, design->hls->bench, err);
}

/* The model's tables and the source that reads them. */
static enum dse_status add_model(const struct dse_hls_design *design, struct dse_folder *folder, struct dse_error *err)
{
    const char *family = design->setup->family->name;
    char name[128], from[128];
    shipped_in(design, from, sizeof from);
    snprintf(name, sizeof name, "%s_model.h", family);
    DSE_TRY(add_text(design, name, dse_hls_model, folder, err));
    snprintf(name, sizeof name, "%s_model.bin", family);
    DSE_TRY(add_text(design, name, dse_hls_image, folder, err));
    for (size_t i = 0; i < design->pack->count; i++) {
        if (!design->pack->arrays[i].apart)
            continue;
        snprintf(name, sizeof name, "%s_%s.h", family, design->pack->arrays[i].name);
        struct dse_strbuf *text = dse_folder_add(folder, name);
        dse_hls_table(design, &design->pack->arrays[i], text);
    }
    const char *const *source = design->hls->sources;
    for (; source != NULL && *source != NULL; source++)
        DSE_TRY(dse_folder_add_shipped(folder, from, *source, err));
    for (source = design->hls->host; source != NULL && *source != NULL; source++)
        DSE_TRY(dse_folder_add_shipped(folder, from, *source, err));
    DSE_TRY(add_text(design, "Makefile", dse_hls_makefile, folder, err));
    DSE_TRY(add_text(design, "README.md", dse_hls_readme, folder, err));
    DSE_TRY(add_text(design, "ip_config.cfg", dse_hls_ip_configuration, folder, err));
    DSE_TRY(add_text(design, "block_design.tcl", dse_hls_block_design, folder, err));
    return design->cases != NULL && design->hls->bench != NULL ? add_bench(design, from, folder, err) : DSE_OK;
}

static enum dse_status add_all(const struct dse_hls_design *design, struct dse_folder *folder, struct dse_error *err)
{
    char header[128];
    snprintf(header, sizeof header, "%s_config.h", design->setup->family->name);
    DSE_TRY(add_text(design, header, dse_hls_header, folder, err));
    snprintf(header, sizeof header, "%s_origin.h", design->setup->family->name);
    DSE_TRY(add_text(design, header, dse_hls_origin, folder, err));
    DSE_TRY(add_text(design, "hls_config.cfg", dse_hls_configuration, folder, err));
    DSE_TRY(add_text(design, "link_config.cfg", dse_hls_linking, folder, err));
    DSE_TRY(add_text(design, "directives.tcl", dse_hls_directives, folder, err));
    DSE_TRY(add_text(design, "expected.json", dse_hls_expected, folder, err));
    return design->pack != NULL ? add_model(design, folder, err) : DSE_OK;
}

enum dse_status dse_hls_write(const struct dse_hls_design *design, const char *path, struct dse_error *err)
{
    struct dse_folder folder = {.path = path, .overwrite = design->overwrite, .family = design->setup->family->name,
                                .prefix = design->prefix};
    enum dse_status status = add_all(design, &folder, err);
    if (status == DSE_OK)
        status = dse_folder_write(&folder, err);
    dse_folder_free(&folder);
    return status;
}
