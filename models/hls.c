/* Lists of an accelerator's description. */
#include "models/hls.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "models/build.h"

#define RING_LEAST 64
#define RING_BYTES (INT64_C(1) << 30)

void dse_hls_add_size(struct dse_hls *hls, int64_t value, int64_t minimum, const char *title, const char *name)
{
    struct dse_hls_size *added = dse_list_more(&hls->sizes, &hls->size_count, sizeof *added);
    *added = (struct dse_hls_size){name, title, value, minimum};
}

void dse_hls_add_type(struct dse_hls *hls, const char *name, const char *c, int64_t bits, const char *title)
{
    struct dse_hls_type *added = dse_list_more(&hls->types, &hls->type_count, sizeof *added);
    *added = (struct dse_hls_type){name, title, c, bits};
}

void dse_hls_add_port(struct dse_hls *hls, const struct dse_hls_port *port)
{
    struct dse_hls_port *added = dse_list_more(&hls->ports, &hls->port_count, sizeof *added);
    *added = *port;
}

void dse_hls_add_memory(struct dse_hls *hls, const char *name, const char *title, const char *type, bool writes, int64_t words, int64_t outstanding)
{
    dse_hls_add_port(hls, &(struct dse_hls_port){.name = name, .title = title, .type = type, .writes = writes, .count = 1, .words = words, .burst_words = 16,
                                                .outstanding = outstanding});
}

void dse_hls_add_scalar(struct dse_hls *hls, const char *name, const char *title)
{
    struct dse_hls_scalar *added = dse_list_more(&hls->scalars, &hls->scalar_count, sizeof *added);
    *added = (struct dse_hls_scalar){name, title};
}

void dse_hls_add_rules(struct dse_hls *hls, const struct dse_hls_rule *rules, size_t count, unsigned has)
{
    for (size_t i = 0; i < count; i++)
        for (int varies = 0; varies <= rules[i].varies && (rules[i].when & ~has) == 0; varies++) {
            struct dse_hls_directive *added = dse_list_more(&hls->directives, &hls->directive_count, sizeof *added);
            *added = rules[i].directive;
            if (varies) {
                added->kind = DSE_HLS_LOOP_TRIPCOUNT;
                added->number = 0;
            }
        }
}

void dse_hls_add_checks(struct dse_hls *hls, const struct dse_hls_check *checks, size_t count, unsigned has)
{
    for (size_t i = 0; i < count; i++)
        if ((checks[i].when & ~has) == 0) {
            struct dse_hls_check *added = dse_list_more(&hls->checks, &hls->check_count, sizeof *added);
            *added = checks[i];
        }
}

const char *dse_hls_text(struct dse_hls *hls, const char *format, ...)
{
    char text[DSE_HLS_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return dse_arena_strdup(&hls->arena, text);
}

/* Fills in trip counts for a mean and a large graph, and the interval of each PIPELINE directive that states none. */
static void put_counted(struct dse_hls *hls)
{
    for (size_t i = 0; i < hls->directive_count; i++) {
        struct dse_hls_directive *directive = &hls->directives[i];
        const struct dse_loop *loop = dse_loops_find(&hls->loops, directive->target != NULL ? directive->target : "");
        if (directive->kind == DSE_HLS_PIPELINE && directive->number == 0)
            directive->number = loop != NULL ? (int64_t)fmax(round(loop->interval), 1.0) : 1; /* an integer, also after calibration */
        if (loop == NULL || directive->kind != DSE_HLS_LOOP_TRIPCOUNT)
            continue;
        double mean = loop->iterations[DSE_CASE_MEAN] / fmax(loop->entries[DSE_CASE_MEAN], 1.0);
        double large = loop->iterations[DSE_CASE_TAIL] / fmax(loop->entries[DSE_CASE_TAIL], 1.0);
        directive->mean = (int64_t)fmax(round(mean), 1.0);
        directive->number = (int64_t)fmax(ceil(large), (double)directive->mean);
    }
}

int64_t dse_hls_bits(const struct dse_hls *hls, const struct dse_hls_port *port)
{
    for (size_t i = 0; i < hls->type_count; i++)
        if (strcmp(hls->types[i].name, port->type) == 0)
            return hls->types[i].bits;
    return 0;
}

int64_t dse_ring_slots(int64_t batch, int64_t calls)
{
    int64_t slots = RING_LEAST;
    while (slots < DSE_RING_MOST && slots / 2 / calls < batch)
        slots *= 2;
    return slots;
}

/* Whether each slot has its own words at a port. */
static bool has_slots(const struct dse_hls_port *port)
{
    return !port->reads_too && !port->alone;
}

/* The largest number of slots, at least 2, that fits in RING_BYTES and in the channel that all ports share. If the processor runs in this memory,
 * slots get half of it; otherwise they share it with the other ports' words. */
static int64_t slots_in_memory(const struct dse_hls *hls, const struct dse_board *board, int64_t units, int64_t slots)
{
    const struct dse_memory *memory = &board->memories[0];
    int64_t bytes = 0, others = 0, room = RING_BYTES;
    for (size_t p = 0; p < hls->port_count; p++) {
        const int64_t pointer = hls->ports[p].words * dse_hls_bits(hls, &hls->ports[p]) / 8;
        bytes += has_slots(&hls->ports[p]) ? hls->ports[p].count * pointer : 0;
        others += has_slots(&hls->ports[p]) ? 0 : pointer; /* each numbered port has its own channel */
    }
    if (memory->capacity_bytes > 0) {
        const int64_t channel = memory->capacity_bytes / memory->channels / dse_ceil_div(units, memory->channels);
        const int64_t free_bytes = memory->kind == DSE_MEMORY_PS_DDR ? channel / 2 : channel - others;
        room = free_bytes < room ? free_bytes : room;
    }
    while (slots > 2 && slots * bytes > room)
        slots /= 2;
    return slots;
}

/* Adds a queue of calls (emit/templates/hls/queue.c). Each slot has its own words at every port, except the kernel's working memory and the ports
 * of calls that no queue takes. The original kernel becomes FAMILY_run, which the queue calls. */
static void add_queue(const char *family, int64_t slots, struct dse_hls *hls)
{
    static const struct dse_hls_port ring = {.name = "ring", .title = "descriptors of the slots: the registers of a call each",
                                             .type = "ring_t", .count = 1, .burst_words = 16, .outstanding = 1};
    const char *queue = dse_hls_text(hls, "%s_queue", family), *next = dse_hls_text(hls, "%s_next", family), *run = dse_hls_text(hls, "%s_run", family);
    hls->slots = slots;
    hls->chained = true;
    for (size_t p = 0; p < hls->port_count; p++) {
        hls->ports[p].step = has_slots(&hls->ports[p]) ? hls->ports[p].words : 0;
        hls->ports[p].words *= has_slots(&hls->ports[p]) ? hls->slots : 1;
    }
    for (size_t i = 0; i < hls->directive_count; i++)
        if (strcmp(hls->directives[i].function, hls->top) == 0)
            hls->directives[i].function = run;
    dse_hls_add_size(hls, hls->slots, 1, "slots of the ring: a descriptor, and what a call reads and answers", "RING_SLOTS");
    dse_hls_add_type(hls, "ring_t", "uint32_t", 32, "word of a descriptor");
    dse_hls_add_port(hls, &ring);
    hls->ports[hls->port_count - 1].words = hls->slots * (int64_t)hls->scalar_count;
    const struct dse_hls_rule rules[] = {DSE_HLS_PLAIN(0, DATAFLOW, queue, "queue_calls", 0), DSE_HLS_EVERY(0, next, "queue_words", 1),
                                         DSE_HLS_APART(0, queue, "queued", 0)};
    dse_hls_add_rules(hls, rules, sizeof rules / sizeof *rules, 0);
}

enum dse_status dse_hls_make(const struct dse_setup *setup, const struct dse_config *config,
                             struct dse_hls *out, struct dse_error *err)
{
    const struct dse_model_family *family = setup->family;
    void *work = NULL;
    *out = (struct dse_hls){0};
    if (family->hardware == NULL && family->file != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s needs a section `emit`, which names the source's loops and arrays, to write a header", family->file);
    if (family->hardware == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "the family %s has no accelerator source", family->name);
    DSE_TRY(family->prepare(family, setup->workload, &work, err));
    struct dse_config canonical = *config;
    dse_config_canonical(setup->space, &canonical);
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work, .family = family};
    enum dse_status status = family->hardware(&context, &canonical, out, err);
    family->release(work);
    int64_t calls = dse_queued_calls(family, setup->board, &canonical);
    if (status == DSE_OK && calls > 0 && out->sources != NULL)
        add_queue(family->name, slots_in_memory(out, setup->board, canonical.value[family->units_knob], dse_ring_slots(setup->board->host.batch, calls)), out);
    if (status == DSE_OK)
        status = dse_loops_of(setup, &canonical, &out->loops, err);
    put_counted(out);
    if (status != DSE_OK)
        dse_hls_free(out);
    return status;
}

enum dse_status dse_ring_check(const struct dse_setup *setup, const struct dse_config *config, struct dse_error *err)
{
    struct dse_hls hls DSE_CLEANUP(dse_hls_free) = {0};
    struct dse_error unwritten;
    const int64_t calls = dse_queued_calls(setup->family, setup->board, config), batch = setup->board->host.batch;
    if (calls == 0 || setup->family->hardware == NULL || dse_hls_make(setup, config, &hls, &unwritten) != DSE_OK || hls.slots == 0)
        return DSE_OK; /* no ring, or no source */
    const int64_t most = DSE_RING_MOST / 2 / calls, items = hls.slots / 2 / calls, shared = batch < most ? batch : most;
    return items >= shared ? DSE_OK
                           : dse_fail(err, DSE_BAD_USAGE, "--batch %lld: the memory of %s has room for a ring of %lld slots, of which a start answers %lld: --batch %lld or less", (long long)batch,
                                      setup->board->name, (long long)hls.slots, (long long)items, (long long)(items > 0 ? items : 1));
}

const struct dse_hls_size *dse_hls_find_size(const struct dse_hls *hls, const char *name)
{
    for (size_t i = 0; i < hls->size_count; i++)
        if (strcmp(hls->sizes[i].name, name) == 0)
            return &hls->sizes[i];
    return NULL;
}

void dse_hls_free(struct dse_hls *hls)
{
    free(hls->sizes);
    free(hls->types);
    free(hls->directives);
    free(hls->ports);
    free(hls->scalars);
    free(hls->checks);
    dse_loops_free(&hls->loops);
    dse_arena_free(&hls->arena);
    *hls = (struct dse_hls){0};
}
