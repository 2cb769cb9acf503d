/* Modelled dynamic energy of the RTL against counted toggles. Drawn designs (rtl_design.h) run in Verilator over held-out graphs, and the changes of
 * each net are counted (toggles.h). The reference energy of an engine uses the estimated resources and the power library's constants. Its rate is
 * counted for each kind of resource, on nets of that kind. The estimate uses the library's rate while the engine works. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "resources/power.h"
#include "validation/rtl_design.h"
#include "validation/toggles.h"

#define STREAM_ACTIVITY 0x7274 /* the designs of `rtl` */
#define GRAPHS_MOST 40
#define LUT_MOST 8000.0   /* maximum of a design: a larger one takes the compiler minutes */
#define CYCLES_MOST 8000.0 /* maximum per graph: a longer run fills the dump */
#define SOURCE_BYTES_MAX (1u << 20)

/* The name of an instance in the source: "nysx_sce #(…) sce (", which begins with `module`. False if there is none. */
static bool instance_name(const char *source, const char *module, char name[64])
{
    size_t length = strlen(module);
    for (const char *at = strstr(source, module); at != NULL; at = strstr(at + length, module)) {
        const char *next = at + length + strspn(at + length, " \n");
        if (next == at + length) /* a longer word */
            continue;
        if (next[0] == '#' && next[1] == '(') {
            int open = 0;
            for (next++; *next != '\0'; next++) {
                open += *next == '(' ? 1 : *next == ')' ? -1 : 0;
                if (open == 0)
                    break;
            }
            next += *next != '\0';
            next += strspn(next, " \n");
        }
        if (sscanf(next, "%63[a-z0-9_]", name) == 1 && next[strlen(name)] == ' ' && next[strlen(name) + 1] == '(')
            return true;
    }
    return false;
}

/* Instances of the separately counted modules, and their engines. */
struct instances {
    struct {
        char name[64];
        int engine;
    } items[DSE_TOGGLES_PARTS * 2];
    size_t count;
};

static int part_of(const void *user, const char *instance)
{
    const struct instances *all = user;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, instance) == 0)
            return all->items[i].engine;
    return -1;
}

static int engine_of(const struct dse_rtl_drawn *d, const char *name)
{
    for (size_t e = 0; e < d->family->engine_count; e++)
        if (strcmp(d->family->engines[e].name, name) == 0)
            return (int)e;
    return -1;
}

/* Reads them from the sources of the top module and of the core below it. */
static enum dse_status find_instances(const struct dse_rtl_drawn *d, struct instances *out, struct dse_error *err)
{
    char core[64], path[160], *text;
    size_t size;
    snprintf(core, sizeof core, "%s_core", d->family->name);
    const char *const files[] = {d->rtl.top, core};
    *out = (struct instances){0};
    for (size_t f = 0; f < 2; f++) {
        snprintf(path, sizeof path, "%s/%s.sv", d->folder, files[f]);
        DSE_TRY(dse_file_read(path, SOURCE_BYTES_MAX, &text, &size, err));
        for (const struct dse_rtl_module *m = d->rtl.modules; m->name != NULL && out->count < DSE_TOGGLES_PARTS * 2; m++)
            if (instance_name(text, m->name, out->items[out->count].name))
                out->items[out->count++].engine = engine_of(d, m->engine);
        free(text);
    }
    return DSE_OK;
}

/* Changes per bit and graph, of nets of these kinds; of nets of any kind if the engine has none of these. */
static double changes_a_bit(const struct dse_toggles_part *part, unsigned kinds)
{
    double bits = 0.0, changes = 0.0;
    for (int k = 0; k < DSE_NET_COUNT; k++)
        if (kinds >> k & 1) {
            bits += part->bits[k];
            changes += part->changes[k];
        }
    return bits > 0.0 ? changes / bits : kinds == (1u << DSE_NET_COUNT) - 1 ? 0.0 : changes_a_bit(part, (1u << DSE_NET_COUNT) - 1);
}

/* Joules per graph, from the changes counted over `graphs` graphs. */
static double counted_energy(const struct dse_rtl_drawn *d, size_t engine, const struct dse_toggles_part *part, double graphs)
{
    enum { ANY = (1u << DSE_NET_COUNT) - 1, LOGIC = 1u << DSE_NET_LOGIC, REGISTER = 1u << DSE_NET_REGISTER,
           MEMORY = 1u << DSE_NET_MEMORY, PRODUCT = 1u << DSE_NET_PRODUCT };
    static const unsigned kinds[DSE_POWER_TERM_COUNT] = {
        [DSE_POWER_LUT_LOGIC] = LOGIC, [DSE_POWER_LUTRAM] = MEMORY, [DSE_POWER_FF] = REGISTER, [DSE_POWER_SIGNALS] = ANY,
        [DSE_POWER_BRAM18] = MEMORY, [DSE_POWER_URAM] = MEMORY, [DSE_POWER_DSP] = PRODUCT};
    double amounts[DSE_RESOURCE_COUNT], energy = 0.0, rate = dse_costs_power(d->draw.setup.costs)->toggle_rate;
    struct dse_power power;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        amounts[r] = (double)d->held_out->engines[engine].sums.resources[r];
    dse_power_dynamic(d->draw.setup.costs, amounts, 1.0, 0.0, &power); /* watts at 1 Hz: joules per cycle at the library's rate */
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
        if (t != DSE_POWER_CLOCK)
            energy += power.term_w[t] * changes_a_bit(part, kinds[t]) / graphs / rate;
    return energy;
}

static void add_rows(const struct dse_rtl_drawn *d, size_t index, const struct dse_toggles *t, double graphs,
                     struct dse_validation *out)
{
    struct dse_drawn_row drawn;
    double predicted = 0.0, counted = 0.0;
    dse_rtl_drawn_row(d, index, "Verilator", &drawn);
    struct dse_validation_row row = drawn.row;
    row.what = "engine.energy_j";
    for (size_t e = 0; e < d->family->engine_count; e++) {
        row.group = d->family->engines[e].name;
        row.predicted = d->held_out->engines[e].energy_j;
        row.reference = counted_energy(d, e, &t->parts[e], graphs);
        predicted += row.predicted;
        counted += row.reference;
        if (row.predicted > 0.0 && row.reference > 0.0)
            dse_validation_add(out, &row);
    }
    row.what = "energy_j";
    row.group = drawn.row.group;
    row.note = drawn.config;
    row.predicted = predicted;
    row.reference = counted;
    dse_validation_add(out, &row);
}

static enum dse_status one(struct dse_rtl_drawn *d, size_t index, struct dse_validation *out, struct dse_error *err)
{
    struct instances instances;
    struct dse_error why = {0};
    uint32_t graphs = 0;
    DSE_TRY(find_instances(d, &instances, err));
    struct dse_toggles toggles DSE_CLEANUP(dse_toggles_free) = {.part_of = part_of, .user = &instances, .rest = engine_of(d, "shell")};
    bool ended = dse_rtl_make(d->folder, "trace", dse_toggles_line, &toggles) == 0;
    if (!ended || dse_toggles_finish(&toggles, &why) != DSE_OK)
        return dse_fail(err, DSE_ANSWER_NO, "%s: %s", d->folder, ended ? why.message : toggles.other);
    memcpy(&graphs, dse_strbuf_text(&d->cases), d->cases.length >= sizeof graphs ? sizeof graphs : 0);
    add_rows(d, index, &toggles, (double)graphs, out);
    return DSE_OK;
}

enum dse_status dse_validate_activity(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                      struct dse_error *err)
{
    static const struct dse_rtl_plan plan = {.level = "activity", .whole = true, .tools = "verilator make", .most_cycles = CYCLES_MOST, .most_lut = LUT_MOST,
                                             .most_cases = GRAPHS_MOST, .stream = STREAM_ACTIVITY, .anew = true};
    return dse_rtl_drawn_all(g, &plan, count, one, out, err);
}
