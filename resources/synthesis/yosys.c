/* `stat -json` of Yosys after `synth_xilinx`: cells of a mapped design. */
#include <jansson.h>
#include <string.h>

#include "resources/synthesis/reading.h"

/* Kinds of cells by the beginning of their names; the first match counts. RAMB36 and similar cells are two halves. A memory made of LUTs takes as
 * many as its depth and ports require. */
static const struct {
    const char *begins;
    enum dse_resource resource;
    double each;
} cells[] = {
    {"LUT", DSE_LUT, 1},         {"INV", DSE_LUT, 1},         {"FD", DSE_FF, 1},           {"RAMB18", DSE_BRAM18, 1},
    {"RAMB36", DSE_BRAM18, 2},   {"URAM288", DSE_URAM, 1},    {"DSP48", DSE_DSP, 1},       {"SRL", DSE_LUTRAM, 1},
    {"RAM32X1S", DSE_LUTRAM, 1}, {"RAM64X1S", DSE_LUTRAM, 1}, {"RAM32X1D", DSE_LUTRAM, 2}, {"RAM64X1D", DSE_LUTRAM, 2},
    {"RAM128X1S", DSE_LUTRAM, 2}, {"RAM128X1D", DSE_LUTRAM, 4}, {"RAM256X1S", DSE_LUTRAM, 4}, {"RAM256X1D", DSE_LUTRAM, 8},
    {"RAM512X1S", DSE_LUTRAM, 8}, {"RAM32M16", DSE_LUTRAM, 8}, {"RAM64M8", DSE_LUTRAM, 8}, {"RAM32M", DSE_LUTRAM, 4},
    {"RAM64M", DSE_LUTRAM, 4},
};

static enum dse_status count_cells(const struct reading *r, const json_t *design)
{
    const json_t *types = json_object_get(design, "num_cells_by_type");
    double *used = r->report->used;
    const char *name;
    json_t *number;
    if (!json_is_object(types))
        return reading_fail(r, 0, "truncated or damaged: no cells of the design by type");
    used[DSE_LUT] = used[DSE_FF] = used[DSE_LUTRAM] = used[DSE_BRAM18] = used[DSE_URAM] = used[DSE_DSP] = 0.0;
    json_object_foreach((json_t *)(uintptr_t)types, name, number) {
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            return reading_fail(r, 0, "%s: must be a number of cells", name);
        if (name[0] == '$' && name[1] != '\0' && strncmp(name, "$paramod", 8) != 0)
            return reading_fail(r, 0, "has cells of the type %s: not mapped, so it cannot be counted; run synth_xilinx", name);
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
            if (strncmp(name, cells[i].begins, strlen(cells[i].begins)) == 0) {
                used[cells[i].resource] += cells[i].each * (double)json_integer_value(number);
                break;
            }
    }
    used[DSE_LUT] += used[DSE_LUTRAM]; /* LUTs are all of them, as vendors count */
    return DSE_OK;
}

/* "$paramod$446a…\nysx_sce" and "\nysx_sce" are nysx_sce. */
static const char *plain_name(const char *name)
{
    const char *bar = strrchr(name, '\\');
    return bar != NULL ? bar + 1 : name;
}

static enum dse_status read_root(struct reading *r, const json_t *root)
{
    const char *creator = json_string_value(json_object_get(root, "creator"));
    const json_t *modules = json_object_get(root, "modules");
    const json_t *design = json_object_get(root, "design");
    if (creator == NULL || strncmp(creator, "Yosys ", 6) != 0)
        return reading_fail(r, 0, "JSON, not a report of Vitis or Vivado, nor stat -json of Yosys");
    if (!json_is_object(modules) || json_object_size(modules) == 0 || !json_is_object(design))
        return reading_fail(r, 0, "truncated or damaged: Yosys' stat without modules or without the design");
    r->report->kind = DSE_REPORT_YOSYS;
    r->report->level = DSE_REPORT_LEVEL_OPEN;
    r->report->tool = "Yosys";
    r->report->version = reading_keep(r, creator + 6, strcspn(creator + 6, " "));
    if (json_object_size(modules) == 1) {
        const char *top = plain_name(json_object_iter_key(json_object_iter((json_t *)(uintptr_t)modules)));
        r->report->top = reading_keep(r, top, strlen(top));
    }
    return count_cells(r, design);
}

enum dse_status read_yosys(struct reading *r)
{
    json_error_t problem;
    json_t *root = json_loadb(r->data, r->size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL)
        return reading_fail(r, problem.line > 0 ? (size_t)problem.line : 0, "%s", problem.text);
    enum dse_status status = read_root(r, root);
    json_decref(root);
    return status;
}
