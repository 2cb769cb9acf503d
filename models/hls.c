/* The lists of an accelerator's description. */
#include "models/hls.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_ROOM 32

/* Room for one more element of `size` bytes in a list; the array, perhaps moved, or NULL. */
static void *grow(struct dse_hls *hls, void *list, size_t count, size_t *room, size_t size)
{
    if (hls->failed || count < *room)
        return hls->failed ? NULL : list;
    size_t wanted = *room == 0 ? FIRST_ROOM : 2 * *room;
    void *larger = dse_arena_alloc(&hls->arena, wanted, size);
    if (larger == NULL) {
        hls->failed = true;
        return NULL;
    }
    if (count > 0)
        memcpy(larger, list, count * size);
    *room = wanted;
    return larger;
}

/* A copy of a text that may be NULL. */
static const char *keep(struct dse_hls *hls, const char *text)
{
    if (text == NULL)
        return NULL;
    const char *copy = dse_arena_strdup(&hls->arena, text);
    hls->failed = hls->failed || copy == NULL;
    return copy;
}

static void add_size(struct dse_hls *hls, const char *name, int64_t value, int64_t minimum, const char *title)
{
    struct dse_hls_size *list = grow(hls, hls->sizes, hls->size_count, &hls->size_room, sizeof *list);
    if (list == NULL)
        return;
    hls->sizes = list;
    list[hls->size_count++] = (struct dse_hls_size){keep(hls, name), keep(hls, title), value, minimum};
}

void dse_hls_add_size(struct dse_hls *hls, int64_t value, const char *title, const char *name_format, ...)
{
    char name[DSE_HLS_TEXT_MAX];
    va_list arguments;
    va_start(arguments, name_format);
    vsnprintf(name, sizeof name, name_format, arguments);
    va_end(arguments);
    add_size(hls, name, value, 1, title);
}

void dse_hls_add_flag(struct dse_hls *hls, int64_t value, const char *title, const char *name)
{
    add_size(hls, name, value, 0, title);
}

void dse_hls_add_type(struct dse_hls *hls, const char *name, const char *c, int64_t bits, const char *title)
{
    struct dse_hls_type *list = grow(hls, hls->types, hls->type_count, &hls->type_room, sizeof *list);
    if (list == NULL)
        return;
    hls->types = list;
    list[hls->type_count++] = (struct dse_hls_type){keep(hls, name), keep(hls, title), keep(hls, c), bits};
}

void dse_hls_add_directive(struct dse_hls *hls, const struct dse_hls_directive *directive)
{
    struct dse_hls_directive *list =
        grow(hls, hls->directives, hls->directive_count, &hls->directive_room, sizeof *list);
    if (list == NULL)
        return;
    hls->directives = list;
    struct dse_hls_directive *added = &list[hls->directive_count++];
    *added = *directive;
    added->function = keep(hls, directive->function);
    added->target = keep(hls, directive->target);
    added->by = keep(hls, directive->by);
    added->word = keep(hls, directive->word);
}

void dse_hls_add_port(struct dse_hls *hls, const struct dse_hls_port *port)
{
    struct dse_hls_port *list = grow(hls, hls->ports, hls->port_count, &hls->port_room, sizeof *list);
    if (list == NULL)
        return;
    hls->ports = list;
    struct dse_hls_port *added = &list[hls->port_count++];
    *added = *port;
    added->name = keep(hls, port->name);
    added->title = keep(hls, port->title);
    added->type = keep(hls, port->type);
}

void dse_hls_add_check(struct dse_hls *hls, const char *message, const char *condition_format, ...)
{
    char condition[DSE_HLS_TEXT_MAX];
    va_list arguments;
    va_start(arguments, condition_format);
    vsnprintf(condition, sizeof condition, condition_format, arguments);
    va_end(arguments);
    struct dse_hls_check *list = grow(hls, hls->checks, hls->check_count, &hls->check_room, sizeof *list);
    if (list == NULL)
        return;
    hls->checks = list;
    list[hls->check_count++] = (struct dse_hls_check){keep(hls, condition), keep(hls, message)};
}

/* Iterations of the loops that have a directive for them: of an entry, by a mean graph and by a large one. */
static void put_iterations(struct dse_hls *hls)
{
    for (size_t i = 0; i < hls->directive_count; i++) {
        struct dse_hls_directive *directive = &hls->directives[i];
        const struct dse_loop *loop = directive->kind == DSE_HLS_LOOP_TRIPCOUNT ? dse_loops_find(&hls->loops, directive->target) : NULL;
        if (loop == NULL)
            continue;
        double mean = loop->iterations[DSE_CASE_MEAN] / fmax(loop->entries[DSE_CASE_MEAN], 1.0);
        double large = loop->iterations[DSE_CASE_TAIL] / fmax(loop->entries[DSE_CASE_TAIL], 1.0);
        directive->mean = (int64_t)fmax(round(mean), 1.0);
        directive->number = (int64_t)fmax(ceil(large), (double)directive->mean);
    }
}

enum dse_status dse_hls_make(const struct dse_setup *setup, const struct dse_config *config,
                             struct dse_hls *out, struct dse_error *err)
{
    const struct dse_model_family *family = setup->family;
    *out = (struct dse_hls){0};
    if (family->hardware == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "the family %s has no accelerator to write a header for", family->name);
    void *work = NULL;
    enum dse_status status = family->prepare(setup->workload, &work, err);
    if (status != DSE_OK)
        return status;
    struct dse_config canonical = *config;
    dse_config_canonical(setup->space, &canonical);
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work};
    status = family->hardware(&context, &canonical, out, err);
    family->release(work);
    if (status == DSE_OK)
        status = dse_loops_of(setup, &canonical, &out->loops, err);
    put_iterations(out);
    if (status == DSE_OK && out->failed)
        status = dse_fail_memory(err);
    if (status != DSE_OK)
        dse_hls_free(out);
    return status;
}

enum dse_status dse_hls_layout(const struct dse_hls *hls, const struct dse_space *space,
                               const struct dse_config *config, struct dse_setting *out, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    char text[64];
    *out = (struct dse_setting){0};
    for (size_t k = 0; status == DSE_OK && k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        dse_knob_format(knob, config->value[k], text, sizeof text);
        status = dse_setting_put(out, knob->name, text, err);
    }
    for (size_t i = 0; status == DSE_OK && i < hls->size_count; i++) {
        snprintf(text, sizeof text, "%lld", (long long)hls->sizes[i].value);
        status = dse_setting_put(out, hls->sizes[i].name, text, err);
    }
    if (status != DSE_OK)
        dse_setting_free(out);
    return status;
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
    dse_loops_free(&hls->loops);
    dse_arena_free(&hls->arena);
    *hls = (struct dse_hls){0};
}
