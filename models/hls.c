/* The lists of an accelerator's description. */
#include "models/hls.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"

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
    dse_hls_add_port(hls, &(struct dse_hls_port){name, title, type, writes, false, false, 1, words, 16, outstanding, 0});
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

/* Of the loops that have a directive for them: iterations of an entry, by a mean graph and by a large one; the interval of a PIPELINE that says none. */
static void put_counted(struct dse_hls *hls)
{
    for (size_t i = 0; i < hls->directive_count; i++) {
        struct dse_hls_directive *directive = &hls->directives[i];
        const struct dse_loop *loop = dse_loops_find(&hls->loops, directive->target != NULL ? directive->target : "");
        if (directive->kind == DSE_HLS_PIPELINE && directive->number == 0)
            directive->number = loop != NULL ? (int64_t)fmax(round(loop->interval), 1.0) : 1; /* whole, whatever calibration makes of it */
        if (loop == NULL || directive->kind != DSE_HLS_LOOP_TRIPCOUNT)
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
    if (status == DSE_OK)
        status = dse_loops_of(setup, &canonical, &out->loops, err);
    put_counted(out);
    if (status != DSE_OK)
        dse_hls_free(out);
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
