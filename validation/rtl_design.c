#include "validation/rtl_design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/rehearsal.h"
#include "emit/emission.h"

#define TRIES 1000 /* maximum of draws: most settings need something that the RTL lacks */
#define ENGINE_TRIES 8 /* maximum of draws for one bottleneck */
#define WANTED_TRIES 20 /* the same for a level that needs a certain engine */

enum dse_status dse_rtl_need_tools(const char *level, const char *tools, struct dse_error *err)
{
    char *copy DSE_CLEANUP(dse_free_at) = dse_strdup(tools), *rest = NULL, command[128];
    for (char *tool = strtok_r(copy, " ", &rest); tool != NULL; tool = strtok_r(NULL, " ", &rest)) {
        snprintf(command, sizeof command, "command -v %s > /dev/null 2>&1", tool);
        if (system(command) != 0)
            DSE_TRY(dse_fail(err, DSE_LIMIT, "--against %s: needs %s, which is not installed", level, tool));
    }
    return DSE_OK;
}

enum dse_status dse_rtl_drawn_begin(const struct dse_validation_ground *g, const struct dse_rtl_plan *plan, struct dse_rtl_drawn *out,
                                    struct dse_error *err)
{
    *out = (struct dse_rtl_drawn){.g = g, .most_cases = plan->most_cases, .given = plan->given};
    if (g->family->in_rtl == NULL || g->executor == NULL || g->executor->rtl == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--against %s: the family %s has no RTL", plan->level, g->family->name);
    DSE_TRY(dse_rtl_need_tools(plan->level, plan->tools, err));
    out->family = g->family->in_rtl;
    out->estimate = dse_malloc(sizeof *out->estimate);
    out->held_out = dse_malloc(sizeof *out->held_out);
    out->algorithmic = dse_space_of_kind(g->space, DSE_KNOB_ALGORITHMIC);
    int capacity = dse_space_find(g->space, "capacity");
    for (size_t k = 0; k < g->space->count; k++)
        if (!dse_bits_has(out->algorithmic, k) && (int)k != capacity && k != out->family->units_knob) /* the capacity is that of the largest graph: every graph fits; the RTL has one */
            dse_bits_add(&out->hardware, k);
    dse_rng_seed(&out->rng, g->seed, plan->stream);
    dse_rng_seed(&out->draw.rng, g->seed, plan->stream + 1);
    out->draw.knobs = out->hardware;
    out->draw.most_cycles = plan->most_cycles;
    out->draw.most_lut = plan->most_lut;
    out->draw.anew = plan->anew;
    out->draw.setup = (struct dse_setup){.family = out->family, .space = g->space, .board = g->board, .costs = g->costs,
                                         .headroom = -1.0};
    return dse_executor_preset(g->executor, NULL, g->data, 0, &out->preset, err);
}

static void clear_design(struct dse_rtl_drawn *d)
{
    dse_rtl_drawn_clear(d, false);
    dse_model_free(d->model);
    d->model = NULL;
    dse_setting_free(&d->setting);
    dse_workload_clear(&d->workload);
    dse_workload_clear(&d->own);
    dse_hls_free(&d->hls);
    dse_rtl_free(&d->rtl);
    dse_strbuf_free(&d->cases);
}

void dse_rtl_drawn_end(struct dse_rtl_drawn *d)
{
    clear_design(d);
    dse_setting_free(&d->preset);
    free(d->estimate);
    free(d->held_out);
    *d = (struct dse_rtl_drawn){0};
}

void dse_rtl_remove(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder); /* made by mkdtemp, nothing to quote */
    if (folder[0] != '\0' && system(command) != 0)
        fprintf(stderr, "%s: left behind\n", folder);
}

void dse_rtl_drawn_clear(struct dse_rtl_drawn *d, bool keep)
{
    dse_rtl_remove(keep ? "" : d->folder);
    d->folder[0] = '\0';
}

/* A setting that the data serve, and knobs whose design the RTL supports, with the engine as its bottleneck; or the given ones. */
static enum dse_status draw_design(struct dse_rtl_drawn *d, size_t engine, bool *found, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    struct dse_config config;
    struct dse_error why = {0};
    clear_design(d);
    dse_space_default(g->space, &config);
    DSE_TRY(dse_config_apply(g->space, &config, &d->preset, err));
    if (d->given == NULL)
        dse_space_draw(g->space, d->algorithmic, &d->rng, &config);
    else
        DSE_TRY(dse_published_words_apply(g->space, d->given, &config, err));
    dse_draw_setting(g->space, &d->preset, &config, d->algorithmic, &d->setting);
    *found = dse_executor_serves(g->executor, g->data, &d->setting, dse_run_trained(g->data, &run), &why);
    if (!*found)
        return DSE_OK;
    DSE_TRY(g->executor->profile(g->data, &d->setting, &run, &d->workload, err));
    if (dse_space_find(g->space, "capacity") >= 0)
        DSE_TRY(dse_config_set(g->space, &config, "capacity", "max", err));
    d->draw.setup.workload = &d->workload;
    if (d->given == NULL)
        return dse_draw_bottleneck(&d->draw, &config, engine, d->estimate, found, err);
    dse_config_canonical(g->space, &config);
    return dse_estimate_built(&d->draw.setup, &config, d->estimate, err);
}

/* The workload of the graphs that are run, so that sampling adds no error to the models'. */
static enum dse_status estimate_held_out(struct dse_rtl_drawn *d, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor, .of_held_out = true};
    struct dse_workload profile DSE_CLEANUP(dse_workload_clear) = {0}, work DSE_CLEANUP(dse_workload_clear) = {0};
    struct dse_setup setup = d->draw.setup;
    setup.workload = &work;
    DSE_TRY(g->executor->profile(g->data, &d->setting, &run, &profile, err));
    DSE_TRY(dse_executor_work(g->executor, d->model, &profile, &work, err));
    return dse_estimate_make(&setup, &d->estimate->config, d->held_out, err);
}

/* The model of a drawn design and the inputs of its emission; `found` is false if the RTL rejects it after all. */
static enum dse_status make_design(struct dse_rtl_drawn *d, bool *found, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    struct dse_training training = {0};
    struct dse_error why = {0};
    struct dse_config config = d->estimate->config;
    DSE_TRY(dse_train(g->executor, g->data, &d->setting, &run, &d->model, &training, err));
    DSE_TRY(dse_executor_work(g->executor, d->model, &d->workload, &d->own, err));
    d->draw.setup.workload = &d->own;
    enum dse_status status = dse_estimate_built(&d->draw.setup, &config, d->estimate, &why);
    if (status == DSE_OK)
        status = dse_hls_make(&d->draw.setup, &config, &d->hls, &why);
    if (status == DSE_OK)
        status = g->executor->rtl(d->model, &d->estimate->config, d->hls.layout, &d->rtl, &why);
    if (status == DSE_OK && d->most_cases > 0)
        status = g->executor->cases(d->model, g->data, &d->estimate->config, d->hls.layout, d->most_cases, &d->cases, &why);
    if (status == DSE_OK && d->most_cases > 0)
        status = estimate_held_out(d, &why);
    *found = status == DSE_OK;
    return status == DSE_OK || status == DSE_ANSWER_NO ? DSE_OK : dse_fail(err, status, "%s", why.message);
}

static enum dse_status write_design(struct dse_rtl_drawn *d, struct dse_error *err)
{
    char folder[] = "/tmp/nysx-dse-rtl-XXXXXX";
    dse_rehearsal_ends();
    if (mkdtemp(folder) == NULL)
        return dse_fail(err, DSE_LIMIT, "/tmp: cannot create a folder");
    snprintf(d->folder, sizeof d->folder, "%s", folder);
    struct dse_emission design = {.setup = &d->draw.setup, .estimate = d->estimate, .rtl = &d->rtl, .dataset = d->g->data->name,
                                    .cases = d->most_cases > 0 ? &d->cases : NULL, .overwrite = true};
    return dse_emission_write(&design, folder, err);
}

enum dse_status dse_rtl_drawn_next(struct dse_rtl_drawn *d, size_t index, struct dse_error *err)
{
    size_t tries = d->draw.anew ? WANTED_TRIES : ENGINE_TRIES, most = d->given != NULL ? 1 : TRIES;
    bool found = false;
    for (size_t i = 0; i < most && !found; i++) {
        if (dse_monitor_cancelled(d->g->monitor))
            return dse_fail_cancelled(err);
        /* If the wanted engine is the bottleneck of no design with this setting, tries some more settings, then the next engine. */
        DSE_TRY(draw_design(d, (d->g->seed + index + i / tries) % d->family->engine_count, &found, err));
        DSE_TRY(found ? make_design(d, &found, err) : DSE_OK);
    }
    if (!found)
        return dse_fail(err, DSE_ANSWER_NO, "%s: no drawn design is feasible in RTL on %s", d->g->data->name, d->g->board->name);
    return write_design(d, err);
}

enum dse_status dse_rtl_drawn_all(const struct dse_validation_ground *g, const struct dse_rtl_plan *plan, size_t count,
                                  dse_rtl_level *level, struct dse_validation *out, struct dse_error *err)
{
    struct dse_rtl_drawn drawn DSE_CLEANUP(dse_rtl_drawn_end) = {0};
    DSE_TRY(dse_rtl_drawn_begin(g, plan, &drawn, err));
    for (size_t i = 0; i < count; i++) {
        DSE_TRY(dse_rtl_drawn_next(&drawn, i, err));
        if (plan->whole && drawn.rtl.ip == NULL) {
            dse_rtl_drawn_clear(&drawn, false);
            return dse_fail(err, DSE_ANSWER_NO, "--against %s: the RTL of the family %s has only single engines; `make sim` in an emitted folder compares their bits and cycles with `simulate`",
                            plan->level, g->family->name);
        }
        enum dse_status status = level(&drawn, i, out, err);
        dse_rtl_drawn_clear(&drawn, status != DSE_OK);
        DSE_TRY(status);
    }
    return DSE_OK;
}

int dse_rtl_make(const char *folder, const char *target, void (*take)(const char *line, void *to), void *to)
{
    char command[256], *line = NULL;
    size_t room = 0;
    snprintf(command, sizeof command, "make -s -C '%s' JOBS=1 %s 2>&1", folder, target);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL)
        return -1;
    while (getline(&line, &room, pipe) > 0)
        take(line, to);
    free(line);
    return pclose(pipe);
}

void dse_rtl_drawn_row(const struct dse_rtl_drawn *d, size_t index, const char *source, struct dse_drawn_row *out)
{
    dse_draw_row(d->g, d->family, d->estimate, dse_bits_or(d->algorithmic, d->hardware), index, source, out);
}
