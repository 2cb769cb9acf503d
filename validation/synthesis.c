/* Models of the RTL against open synthesis: of each drawn design (rtl_design.h) the modules of one engine are synthesised by Yosys, in
 * the whole design's parameters, and their cells are the reference of the estimate's resources. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "resources/synthesis/report.h"
#include "validation/published.h"
#include "validation/rtl_design.h"

#define STREAM_SYNTHESIS 0x7276
#define LUT_MOST 30000.0 /* a larger design takes Yosys many minutes */
#define TEXT_BYTES 512
#define SCRIPT_BYTES_MAX (1u << 20)

static const enum dse_resource counted[] = {DSE_LUT, DSE_FF, DSE_LUTRAM, DSE_DSP, DSE_BRAM18};

/* The tool's first error is why it ended, else its last line. */
static void keep_line(const char *line, void *to)
{
    if (line[0] != '\n' && strstr(to, "ERROR") == NULL)
        snprintf(to, TEXT_BYTES, "%.*s", (int)strcspn(line, "\n"), line);
}

/* A module's cells, added. */
static enum dse_status synthesise(const struct dse_rtl_drawn *d, const char *module, double used[DSE_RESOURCE_COUNT],
                                  char version[64], struct dse_error *err)
{
    char target[128], path[192], said[TEXT_BYTES] = "make synth failed";
    struct dse_report *report = NULL;
    snprintf(target, sizeof target, "synth/%s.json", module);
    snprintf(path, sizeof path, "%s/%s", d->folder, target);
    if (dse_rtl_drawn_make(d, target, keep_line, said) != 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: %s: %s", d->folder, module, said);
    DSE_TRY(dse_report_read(path, &report, err));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        used[r] += report->used[r] > 0.0 ? report->used[r] : 0.0;
    snprintf(version, 64, "%s %s", report->tool, report->version);
    dse_report_free(report);
    return DSE_OK;
}

/* What the script says between the quotes of OPTIONS. */
static enum dse_status options_of(const struct dse_rtl_drawn *d, char out[TEXT_BYTES], struct dse_error *err)
{
    char path[128], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/synth.sh", d->folder);
    DSE_TRY(dse_file_read(path, SCRIPT_BYTES_MAX, &text, &size, err));
    const char *at = strstr(text, "\nOPTIONS='");
    at = at != NULL ? at + strlen("\nOPTIONS='") : "";
    snprintf(out, TEXT_BYTES, "%.*s", (int)strcspn(at, "'"), at);
    free(text);
    return DSE_OK;
}

static enum dse_status add_rows(const struct dse_rtl_drawn *d, size_t index, size_t engine, const double *used, const char *version,
                                struct dse_validation *out, struct dse_error *err)
{
    char where[DSE_RTL_WHERE_BYTES], config[DSE_RTL_CONFIG_BYTES], options[TEXT_BYTES], source[TEXT_BYTES + 64];
    struct dse_validation_row row;
    DSE_TRY(options_of(d, options, err));
    snprintf(source, sizeof source, "%s synth_xilinx %s", version, options);
    dse_rtl_drawn_row(d, index, source, where, config, &row);
    row.note = config; /* also where a table has no column of it */
    row.group = d->family->engines[engine].name;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        row.what = dse_resource_names[counted[i]];
        row.predicted = (double)d->estimate->engines[engine].sums.resources[counted[i]];
        row.reference = used[counted[i]];
        if (row.predicted > 0.0 || row.reference > 0.0)
            DSE_TRY(dse_validation_add(out, &row, err));
    }
    return DSE_OK;
}

static enum dse_status synthesise_engine(struct dse_rtl_drawn *d, size_t index, struct dse_validation *out, struct dse_error *err)
{
    double used[DSE_RESOURCE_COUNT] = {0};
    char version[64] = "";
    size_t engine = (d->g->seed + index) % d->family->engine_count, modules = 0;
    for (int second = 0; second < 2 && modules == 0; second++) { /* an engine that this design does not have: its bottleneck instead */
        engine = second > 0 ? d->estimate->bottleneck : engine;
        for (const struct dse_rtl_module *m = d->rtl.modules; m->name != NULL; m++)
            if (strcmp(m->engine, d->family->engines[engine].name) == 0) {
                DSE_TRY(synthesise(d, m->name, used, version, err));
                modules++;
            }
    }
    return add_rows(d, index, engine, used, version, out, err);
}

/* What cannot be synthesised stays for those who look. */
static enum dse_status one(struct dse_rtl_drawn *d, size_t index, struct dse_validation *out, struct dse_error *err)
{
    DSE_TRY(dse_rtl_drawn_next(d, index, err));
    enum dse_status status = synthesise_engine(d, index, out, err);
    dse_rtl_drawn_clear(d, status != DSE_OK);
    return status;
}

enum dse_status dse_validate_open_synthesis(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                            struct dse_error *err)
{
    struct dse_rtl_drawn drawn;
    enum dse_status status =
        dse_rtl_drawn_begin(g, "open-synthesis", "yosys make awk", 0.0, LUT_MOST, 0, STREAM_SYNTHESIS, &drawn, err);
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = one(&drawn, i, out, err);
    dse_rtl_drawn_end(&drawn);
    return status;
}
