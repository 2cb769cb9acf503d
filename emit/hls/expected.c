/* expected.json: what the models say of the design that a folder holds, for the checker (operators' cycles) and for
 * `calibrate` (cycles, resources). */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "emit/expected.h"
#include "emit/hls/parts.h"

/* Operators by the checker's names. */
static const struct {
    const char *name;
    enum dse_operator op;
    enum dse_precision precision;
} operators[] = {{"fadd", DSE_OP_ADD, DSE_FP32},
                 {"fmul", DSE_OP_MUL, DSE_FP32},
                 {"fdiv", DSE_OP_DIVIDE, DSE_FP32},
                 {"to_float", DSE_OP_TO_FP32, DSE_INT32},
                 {"from_float", DSE_OP_FROM_FP32, DSE_INT32},
                 {"multiply", DSE_OP_MUL, DSE_INT64}};

static json_t *operators_of(const struct dse_hls_design *design)
{
    json_t *object = json_object();
    double clock_hz = (double)design->estimate->config.value[design->setup->family->clock_knob] * 1e6;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        struct dse_cost cost;
        if (dse_costs_operator(design->setup->costs, operators[i].op, operators[i].precision, DSE_FORM_ANY, clock_hz, &cost,
                               NULL) == DSE_OK)
            json_object_set_new(object, operators[i].name, json_integer(cost.latency_cycles));
    }
    json_object_set_new(object, "memory_read", json_real(design->setup->board->memories[0].read_latency_s * clock_hz));
    return object;
}

/* Whether the loop has an interval of its own somewhere among the directives. */
static bool is_pipelined(const struct dse_hls *hls, const char *loop)
{
    for (size_t i = 0; i < hls->directive_count; i++)
        if (hls->directives[i].kind == DSE_HLS_PIPELINE && strcmp(hls->directives[i].target, loop) == 0)
            return true;
    return false;
}

static json_t *loop_of(const struct dse_hls_design *design, const struct dse_hls_directive *directive)
{
    const struct dse_loop *loop = dse_loops_find(&design->hls->loops, directive->target);
    json_t *object = json_object();
    json_object_set_new(object, "loop", json_string(directive->target));
    json_object_set_new(object, "function", json_string(directive->function));
    json_object_set_new(object, "ii", directive->kind == DSE_HLS_PIPELINE ? json_integer(directive->number) : json_null());
    if (loop != NULL) { /* of a mean graph */
        json_object_set_new(object, "depth", json_real(loop->depth));
        json_object_set_new(object, "entries", json_real(loop->entries[DSE_CASE_MEAN]));
        json_object_set_new(object, "iterations", json_real(loop->iterations[DSE_CASE_MEAN]));
        json_object_set_new(object, "cycles", json_real(dse_loop_cycles(loop, DSE_CASE_MEAN)));
    }
    return object;
}

/* Loops that start an iteration every so many cycles, by the name that reports know them by; and those that claim no interval, since no
 * query waits for them. */
static json_t *loops_of(const struct dse_hls_design *design)
{
    json_t *array = json_array();
    for (size_t i = 0; i < design->hls->directive_count; i++) {
        const struct dse_hls_directive *directive = &design->hls->directives[i];
        if (directive->kind == DSE_HLS_PIPELINE ||
            (directive->kind == DSE_HLS_LOOP_TRIPCOUNT && !is_pipelined(design->hls, directive->target)))
            json_array_append_new(array, loop_of(design, directive));
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

/* Types by their names in the source: of C, or so many bits. */
static json_t *types_of(const struct dse_hls_design *design)
{
    json_t *array = json_array();
    for (size_t i = 0; i < design->hls->type_count; i++) {
        const struct dse_hls_type *type = &design->hls->types[i];
        json_array_append_new(array, json_pack("{s:o, s:o}", "type", json_sprintf("%s_%s", design->setup->family->name, type->name), "is",
                                               type->c != NULL ? json_string(type->c) : json_sprintf("%" PRId64 " bits", type->bits)));
    }
    return array;
}

/* The memory, by a platform's name for it, that each unit's port is connected to. */
static json_t *memories_of(const struct dse_hls_design *design, const struct dse_hls_port *port, int64_t index)
{
    json_t *array = json_array();
    char tag[64];
    for (int64_t unit = 0; unit < design->estimate->platform.units; unit++) {
        dse_hls_memory_tag(design, port, unit, index, tag, sizeof tag);
        json_array_append_new(array, json_string(tag));
    }
    return array;
}

/* Memory ports that are read, each by its argument's name: what their bursts are to be, and from what memory. */
static json_t *ports_of(const struct dse_hls_design *design)
{
    json_t *array = json_array();
    char name[DSE_HLS_TEXT_MAX];
    for (size_t i = 0; i < design->hls->port_count; i++) {
        const struct dse_hls_port *port = &design->hls->ports[i];
        for (int64_t k = 0; k < port->count && !port->writes; k++)
            json_array_append_new(array, json_pack("{s:s, s:I, s:I, s:o}", "port", dse_hls_argument(port, k, name, sizeof name), "burst_words",
                                                   (json_int_t)port->burst_words, "outstanding", (json_int_t)port->outstanding, "memory",
                                                   memories_of(design, port, k)));
    }
    return array;
}

void dse_hls_expected(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    json_t *root = dse_expected_json(&(struct dse_expected){.setup = design->setup, .estimate = design->estimate, .top = design->hls->top,
                                                            .flow = "hls", .dataset = design->dataset});
    json_object_set_new(root, "part", json_string(design->setup->board->part));
    json_object_set_new(root, "units", json_integer(design->estimate->platform.units));
    json_object_set_new(root, "operators", operators_of(design));
    json_object_set_new(root, "loops", loops_of(design));
    json_object_set_new(root, "types", types_of(design));
    json_object_set_new(root, "fifos", fifos_of(design->hls));
    json_object_set_new(root, "ports", ports_of(design));
    dse_expected_write(root, out);
}
