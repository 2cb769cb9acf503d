/* expected.json: the design of a folder and its estimates. `calibrate` reads cycles and resources; in the HLS flow the checker reads operators'
 * cycles, loops, FIFOs and ports. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "emit/fields.h"

static json_t *resources_of(const struct dse_accumulators *sums)
{
    json_t *object = json_object();
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_integer(sums->resources[r]));
    return object;
}

static json_t *engines_of(const struct dse_emission *design)
{
    json_t *array = json_array();
    for (size_t e = 0; e < design->setup->family->engine_count; e++) {
        const struct dse_engine_estimate *engine = &design->estimate->engines[e];
        json_array_append_new(array, json_pack("{s:s, s:I, s:o}", "name", design->setup->family->engines[e].name, "cycles",
                                               (json_int_t)engine->cycles, "resources", resources_of(&engine->sums)));
    }
    return array;
}

/* The word of each knob that the design has, for `calibrate --from`. */
static json_t *config_of(const struct dse_emission *design)
{
    const struct dse_space *space = design->setup->space;
    json_t *object = json_object();
    char text[64];
    for (size_t k = 0; k < space->count; k++)
        if (dse_knob_active(space, &design->estimate->config, k))
            json_object_set_new(object, space->knobs[k].name,
                                json_string(dse_knob_format(&space->knobs[k], design->estimate->config.value[k], text, sizeof text)));
    return object;
}

static json_t *stages_of(const struct dse_emission *design)
{
    json_t *stages = json_object();
    const struct dse_accumulators *sums = &design->estimate->sums;
    for (size_t k = 0; k < design->setup->family->stage_count; k++)
        json_object_set_new(stages, design->setup->family->stages[k],
                            json_integer((sums->busy_cycles[DSE_CASE_MEAN][k] + sums->fill_cycles[DSE_CASE_MEAN][k]) *
                                         (json_int_t)design->estimate->platform.parts));
    return stages;
}

static json_t *operators_of(const struct dse_emission *design)
{
    static const struct { /* by the checker's names */
        const char *name;
        enum dse_operator op;
        enum dse_precision precision;
    } operators[] = {{"fadd", DSE_OP_ADD, DSE_FP32},      {"fmul", DSE_OP_MUL, DSE_FP32},          {"fdiv", DSE_OP_DIVIDE, DSE_FP32},
                     {"to_float", DSE_OP_TO_FP32, DSE_INT32}, {"from_float", DSE_OP_FROM_FP32, DSE_INT32}, {"multiply", DSE_OP_MUL, DSE_INT64}};
    json_t *object = json_object();
    double clock_hz = dse_emit_clock_mhz(design) * 1e6;
    struct dse_cost cost;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (dse_costs_operator(design->setup->costs, operators[i].op, operators[i].precision, DSE_FORM_ANY, clock_hz, &cost,
                               NULL) == DSE_OK)
            json_object_set_new(object, operators[i].name, json_integer(cost.latency_cycles));
    json_object_set_new(object, "memory_read", json_real(design->setup->board->memories[0].read_latency_s * clock_hz));
    return object;
}

static json_t *loop_of(const struct dse_emission *design, const struct dse_hls_directive *directive)
{
    const struct dse_loop *loop = dse_loops_find(&design->hls->loops, directive->target);
    json_t *object = json_pack("{s:s, s:s, s:o}", "loop", directive->target, "function", directive->function, "ii",
                               directive->kind == DSE_HLS_PIPELINE ? json_integer(directive->number) : json_null());
    if (loop != NULL) { /* a loop of a mean graph */
        json_object_set_new(object, "depth", json_real(loop->depth));
        json_object_set_new(object, "entries", json_real(loop->entries[DSE_CASE_MEAN]));
        json_object_set_new(object, "iterations", json_real(loop->iterations[DSE_CASE_MEAN]));
        if (loop->calls > 0.0)
            json_object_set_new(object, "calls", json_real(loop->calls));
        json_object_set_new(object, "cycles", json_real(dse_loop_cycles(loop, DSE_CASE_MEAN)));
    }
    return object;
}

/* Loops with a claimed interval in cycles, by their name in reports; and those that claim none, since no query waits for them. */
static json_t *loops_of(const struct dse_emission *design)
{
    json_t *array = json_array();
    const struct dse_hls_directive *all = design->hls->directives;
    for (size_t i = 0; i < design->hls->directive_count; i++) {
        bool wanted = all[i].kind == DSE_HLS_PIPELINE || all[i].kind == DSE_HLS_LOOP_TRIPCOUNT;
        for (size_t j = 0; wanted && all[i].kind == DSE_HLS_LOOP_TRIPCOUNT && j < design->hls->directive_count; j++)
            wanted = all[j].kind != DSE_HLS_PIPELINE || strcmp(all[j].target, all[i].target) != 0;
        if (wanted)
            json_array_append_new(array, loop_of(design, &all[i]));
    }
    return array;
}

static json_t *fifos_of(const struct dse_hls *hls)
{
    json_t *array = json_array();
    for (size_t i = 0; i < hls->directive_count; i++)
        if (hls->directives[i].kind == DSE_HLS_STREAM)
            json_array_append_new(array, json_pack("{s:s, s:I}", "fifo", hls->directives[i].target, "depth",
                                                   (json_int_t)hls->directives[i].number));
    return array;
}

/* Types by their names in the source: those of C, or a number of bits. */
static json_t *types_of(const struct dse_emission *design)
{
    json_t *array = json_array();
    for (size_t i = 0; i < design->hls->type_count; i++) {
        const struct dse_hls_type *type = &design->hls->types[i];
        json_array_append_new(array, json_pack("{s:o, s:o}", "type", json_sprintf("%s_%s", design->setup->family->name, type->name), "is",
                                               type->c != NULL ? json_string(type->c) : json_sprintf("%" PRId64 " bits", type->bits)));
    }
    return array;
}

/* Memory ports, each by its argument's name: their intended bursts, and the memory that each unit's port uses. */
static json_t *ports_of(const struct dse_emission *design)
{
    json_t *array = json_array();
    char name[DSE_HLS_TEXT_MAX], tag[64];
    for (size_t i = 0; i < design->hls->port_count; i++) {
        const struct dse_hls_port *port = &design->hls->ports[i];
        for (int64_t k = 0; k < port->count && !dse_port_is_register(port); k++) {
            json_t *memories = json_array();
            for (int64_t unit = 0; unit < design->estimate->platform.units; unit++) {
                dse_port_memory(design, port, unit, k, tag, sizeof tag);
                json_array_append_new(memories, json_string(tag));
            }
            json_array_append_new(array, json_pack("{s:s, s:I, s:I, s:o}", "port", dse_port_argument(port, k, name, sizeof name), "burst_words",
                                                   (json_int_t)port->burst_words, "outstanding", (json_int_t)port->outstanding, "memory",
                                                   memories));
        }
    }
    return array;
}

/* The engine of each module that is synthesised by itself. */
static json_t *modules_of(const struct dse_rtl *rtl)
{
    json_t *modules = json_object();
    for (const struct dse_rtl_module *m = rtl->modules; m->name != NULL; m++)
        json_object_set_new(modules, m->name, json_string(m->engine));
    return modules;
}

/* Each stage's cycles of each test case. */
static json_t *simulated_of(const struct dse_simulation *simulated)
{
    json_t *stages = json_object();
    for (size_t k = 0; k < simulated->stage_count; k++) {
        json_t *cycles = json_array();
        for (size_t i = 0; i < simulated->items; i++)
            json_array_append_new(cycles, json_integer((json_int_t)simulated->stages[k].cycles[i]));
        json_object_set_new(stages, simulated->stages[k].name, cycles);
    }
    return stages;
}

void dse_write_expected(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_model_family *family = design->setup->family;
    const struct dse_estimate *estimate = design->estimate;
    const struct dse_rtl *rtl = design->rtl;
    const bool in_c = rtl == NULL && (design->hls->sources != NULL || design->hls->own_source); /* otherwise a header alone, which claims nothing of a source */
    json_t *root = json_pack("{s:s, s:s*, s:s, s:s, s:s, s:s, s:o, s:o, s:f, s:o, s:I, s:o}", "schema", "nysx-dse.expected/1", "top",
                             rtl != NULL ? rtl->top : in_c ? design->hls->top : NULL, "family", family->name, "flow", rtl != NULL ? "rtl" : "hls", "board",
                             design->setup->board->name, "dataset", design->dataset, "config", config_of(design), "stages", stages_of(design),
                             "cycles", estimate->metrics[DSE_METRIC_CYCLES], "engines", engines_of(design), "clock_mhz",
                             (json_int_t)estimate->config.value[family->clock_knob], "resources", resources_of(&estimate->sums));
    if (rtl != NULL) {
        json_object_set_new(root, "modules", modules_of(rtl));
        if (design->simulated != NULL)
            json_object_set_new(root, "simulated", simulated_of(design->simulated));
    } else {
        json_object_set_new(root, "part", json_string(design->setup->board->part));
        json_object_set_new(root, "units", json_integer(estimate->platform.units));
    }
    if (in_c) {
        json_object_set_new(root, "operators", operators_of(design));
        json_object_set_new(root, "loops", loops_of(design));
        json_object_set_new(root, "types", types_of(design));
        json_object_set_new(root, "fifos", fifos_of(design->hls));
        json_object_set_new(root, "ports", ports_of(design));
    }
    char *text = dse_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    dse_strbuf_printf(out, "%s\n", text);
    free(text);
}
