/* Models against the schedules of emitted designs. The C simulation counts each loop's iterations and entries on real graphs. They are multiplied by
 * the interval and the depth that the checker finds. Waits for memory, and work outside of the kernel, are the simulation's.
 *
 * Loops follow one another, except in a function whose calls run side by side (a region). There each process goes through the loops before its
 * stream. Its streaming loop starts when the previous one has given its first word. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/rng.h"
#include "core/text.h"
#include "emit/check.h"
#include "emit/count.h"
#include "emit/emission.h"
#include "models/loops.h"
#include "validation/draw.h"
#include "validation/rtl_design.h"

#define STREAM_SCHEDULES 0x7663
#define DRAWS 200          /* maximum for a design that can be built, trained and emitted */
#define CONFIGS_A_MODEL 4
#define MODELS 20          /* maximum for a model that has a feasible design */
#define CASES_MOST 60
#define CASE_WORK 4e8      /* operations that all cases together may take to simulate */
#define CYCLES_MAX 2e7
#define LUT_MAX 500000 /* larger designs take the checker many minutes */
#define ALL_ENGINES SIZE_MAX

/* One loop in one region. */
struct loop {
    char name[64], region[64], process[64];
    size_t engine; /* index in the family's engines */
    bool streams;
    double copies; /* copies of the region, side by side */
    double depth, interval;
    const struct dse_loop_count *count; /* the counter of all loops with this name */
    double *entered, *turned;           /* [calls] */
};

struct schedules {
    const struct dse_validation_ground *g;
    struct dse_drawn_knobs knobs; /* the algorithmic knobs among `emitted`, and the hardware knobs among the simulated ones */
    dse_knob_set words;           /* the hardware knobs: they take any value, since a source may lack a sweep's value */
    struct dse_rng rng;
    struct dse_setting preset, setting; /* in full: the published one; the same with the drawn values */
    struct dse_config config;
    struct dse_workload profile, work;  /* workload of the held-out graphs, which the simulation and the counters run; the same with the model's own tables */
    struct dse_model *model;
    struct dse_validation *out;
};

/* Results of one drawn design. */
struct design {
    struct dse_setup setup;
    struct dse_estimate *estimate;
    struct dse_hls hls;
    struct dse_setting knobs;
    struct dse_pack pack;
    struct dse_strbuf cases;
    struct dse_simulation simulation;
    struct dse_loop_counts counts;
    json_t *report;
    struct loop *loops; /* loop_count */
    size_t loop_count;
    char folder[64];
};

static void free_design(struct design *d)
{
    dse_rtl_remove(d->folder);
    dse_hls_free(&d->hls);
    dse_setting_free(&d->knobs);
    dse_pack_free(&d->pack);
    dse_strbuf_free(&d->cases);
    dse_simulation_free(&d->simulation);
    dse_loop_counts_free(&d->counts);
    json_decref(d->report);
    for (size_t i = 0; i < d->loop_count; i++)
        free(d->loops[i].entered);
    free(d->loops);
    free(d->estimate);
}

/* ---- from loops to cycles ---- */

static double cycles_of(const struct loop *loop, size_t call)
{
    return loop->entered[call] * loop->depth + loop->interval * (loop->turned[call] - loop->entered[call]);
}

/* Cycles per answer. */
static double mean_cycles(const struct design *d, const struct loop *loop)
{
    double sum = 0.0;
    for (size_t call = 0; call < d->counts.calls; call++)
        sum += cycles_of(loop, call);
    return sum / (double)d->counts.answers;
}

static bool belongs(const struct loop *loop, size_t engine)
{
    return engine == ALL_ENGINES || loop->engine == engine;
}

/* One region in one call: its processes in the order of the source. Times are those of one entry, of copies side by side the mean. */
static double region_cycles(const struct design *d, const char *region, size_t engine, size_t call)
{
    double entries = 0.0, start = 0.0, end = 0.0, depth_before = 0.0;
    bool first = true;
    for (size_t i = 0; i < d->loop_count; i++)
        if (strcmp(d->loops[i].region, region) == 0 && d->loops[i].streams)
            entries = fmax(entries, d->loops[i].entered[call] / d->loops[i].copies);
    if (entries <= 0.0)
        return 0.0;
    for (size_t i = 0; i < d->loop_count;) {
        const char *process = d->loops[i].process;
        double before = 0.0, depth = 0.0, length = 0.0;
        bool here = false;
        size_t next = i;
        for (; next < d->loop_count && strcmp(d->loops[next].process, process) == 0; next++) {
            const struct loop *loop = &d->loops[next];
            if (strcmp(loop->region, region) != 0 || !belongs(loop, engine))
                continue;
            here = true;
            if (loop->streams) {
                depth += loop->depth * loop->entered[call] / loop->copies / entries;
                length += loop->interval * (loop->turned[call] - loop->entered[call]) / loop->copies / entries;
            } else {
                before += cycles_of(loop, call) / loop->copies / entries;
            }
        }
        i = next;
        if (!here)
            continue;
        start = first ? before : fmax(before, start + depth_before);
        end = first ? start + depth + length : fmax(start + depth + length, end + depth);
        depth_before = depth;
        first = false;
    }
    return entries * end;
}

/* Cycles of a call in the loops of one engine, or of all of them. */
static double call_cycles(const struct design *d, size_t engine, size_t call)
{
    double sum = 0.0;
    for (size_t i = 0; i < d->loop_count; i++) {
        const struct loop *loop = &d->loops[i];
        bool done = false;
        if (*loop->region == '\0') {
            sum += belongs(loop, engine) ? cycles_of(loop, call) : 0.0;
            continue;
        }
        for (size_t j = 0; j < i && !done; j++)
            done = strcmp(d->loops[j].region, loop->region) == 0;
        sum += done ? 0.0 : region_cycles(d, loop->region, engine, call);
    }
    return sum;
}

/* Cycles per answer in the loops of one engine, or of all of them. */
static double loops_cycles(const struct design *d, size_t engine)
{
    double sum = 0.0;
    for (size_t call = 0; call < d->counts.calls; call++)
        sum += call_cycles(d, engine, call);
    return sum / (double)d->counts.answers;
}

/* The family's engine with the name of a block or engine; ALL_ENGINES for none. */
static size_t engine_of(const struct dse_model_family *family, const char *name)
{
    for (size_t e = 0; e < family->engine_count; e++)
        if (strcmp(family->engines[e].name, name) == 0)
            return e;
    for (size_t b = 0; b < family->block_count; b++)
        if (strcmp(family->blocks[b].name, name) == 0)
            return family->blocks[b].engine;
    return ALL_ENGINES;
}

/* Cycles of an engine's last process by itself, for regions whose earlier processes fetch its input. */
static double last_process_cycles(const struct design *d, size_t engine)
{
    double sum = 0.0;
    for (size_t i = 0; i < d->loop_count; i++) {
        const struct loop *loop = &d->loops[i];
        bool later = false;
        for (size_t j = i + 1; j < d->loop_count; j++)
            later |= belongs(&d->loops[j], engine) && strcmp(d->loops[j].region, loop->region) == 0 &&
                     strcmp(d->loops[j].process, loop->process) != 0;
        if (belongs(loop, engine) && (*loop->region == '\0' || !later))
            sum += mean_cycles(d, loop);
    }
    return sum;
}

/* Mean cycles per graph that the simulated engine waits for memory, less those in which its loops fetch that data. Cycles left to a processor are
 * added, for an engine's `own` time unless the family has stages for them. Waits hidden behind something slower count only for the engine's `own` time. */
static double besides_of(const struct schedules *s, const struct design *d, size_t engine, bool own)
{
    double waits = 0.0, leaves = 0.0;
    for (size_t i = 0; i < d->simulation.engine_count; i++) {
        const struct dse_simulated_engine *simulated = &d->simulation.engines[i];
        const char *fetches = s->g->executor->fetches;
        if (engine_of(s->g->family, simulated->name) != engine || (fetches != NULL && strcmp(fetches, simulated->name) != 0))
            continue;
        for (size_t k = 0; k < simulated->count_count; k++) {
            waits += strcmp(simulated->counts[k].name, "stall_memory_cycles") == 0 ? simulated->counts[k].mean : 0.0;
            leaves += own && strcmp(simulated->counts[k].name, "hidden_memory_cycles") == 0 ? simulated->counts[k].mean : 0.0;
            leaves += (!own || s->g->family->prepare_stages == 0) && strcmp(simulated->counts[k].name, "processor_cycles") == 0 ? simulated->counts[k].mean : 0.0;
        }
    }
    const bool apart = own && s->g->executor->fetches != NULL; /* then its loops count none of the waits */
    double fetching = apart ? 0.0 : loops_cycles(d, engine) - last_process_cycles(d, engine);
    return leaves + fmax(waits - fmax(fetching, 0.0), 0.0);
}

static double besides(const struct schedules *s, const struct design *d, size_t engine)
{
    double sum = 0.0;
    for (size_t e = 0; e < s->g->family->engine_count; e++)
        sum += engine == ALL_ENGINES || engine == e ? besides_of(s, d, e, engine != ALL_ENGINES) : 0.0;
    return sum;
}

/* Whether an engine waits for memory while a slower engine of its region works. The simulation then counts only waits that are not hidden. They do
 * not measure the engine's own time. */
static bool waits_beside_slower(const struct schedules *s, const struct design *d, size_t engine)
{
    double waits = besides_of(s, d, engine, false);
    for (size_t i = 0; i < d->loop_count && waits > 0.0; i++)
        for (size_t j = 0; j < d->loop_count; j++) {
            const struct loop *own = &d->loops[i], *other = &d->loops[j];
            if (own->engine == engine && other->engine != engine && own->streams && other->streams && *own->region != '\0' &&
                strcmp(own->region, other->region) == 0 && mean_cycles(d, other) > mean_cycles(d, own) + waits)
                return true;
        }
    return false;
}

/* The counted graphs are the first simulated ones. Their cycles relate to all cycles as in the simulation. */
static double share_of_counted(const struct design *d, size_t engine, const struct dse_model_family *family)
{
    double counted = 0.0, all = 0.0;
    size_t items = d->simulation.items, cases = d->counts.answers < items ? d->counts.answers : items;
    for (size_t i = 0; i < items; i++) {
        double cycles = 0.0;
        for (size_t e = 0; engine != ALL_ENGINES && e < d->simulation.engine_count; e++)
            if (engine_of(family, d->simulation.engines[e].name) == engine)
                cycles += (double)d->simulation.engines[e].cycles[i];
        if (engine == ALL_ENGINES)
            cycles = (double)d->simulation.total[i];
        all += cycles / (double)items;
        counted += i < cases ? cycles / (double)cases : 0.0;
    }
    return counted > 0.0 ? all / counted : 1.0;
}

/* ---- a design ---- */

/* The loop of that name and region, or NULL. */
static struct loop *find(const struct design *d, const char *name, const char *region)
{
    for (size_t i = 0; i < d->loop_count; i++)
        if (strcmp(d->loops[i].name, name) == 0 && strcmp(d->loops[i].region, region) == 0)
            return &d->loops[i];
    return NULL;
}

/* How well a call's counts fit a region: its loops that were entered, less those that were not. */
static long fits(const struct design *d, const char *region, size_t call)
{
    long sum = 0;
    for (size_t i = 0; i < d->loop_count; i++)
        if (strcmp(d->loops[i].region, region) == 0)
            sum += d->loops[i].count->entered[call] > 0 ? 1 : -1;
    return sum;
}

/* A counter does not tell regions apart that share a loop; a call goes through one of them. */
static void share_out(struct design *d, size_t call)
{
    for (size_t i = 0; i < d->loop_count; i++) {
        struct loop *best = NULL;
        for (size_t j = 0; j < d->loop_count; j++)
            if (d->loops[j].count == d->loops[i].count && (best == NULL || fits(d, d->loops[j].region, call) > fits(d, best->region, call)))
                best = &d->loops[j];
        best->entered[call] = (double)best->count->entered[call];
        best->turned[call] = (double)best->count->turned[call];
    }
}

/* The checker's loops with their counters. */
static enum dse_status join(const struct schedules *s, struct design *d, struct dse_error *err)
{
    size_t most = json_array_size(json_object_get(d->report, "loops"));
    d->loops = dse_calloc(most + 1, sizeof *d->loops);
    for (size_t i = 0; i < most; i++) {
        struct dse_check_loop check = dse_check_loop_at(d->report, i);
        const struct dse_loop_count *count = dse_loop_count_find(&d->counts, check.name);
        struct loop *loop = find(d, check.name, check.region);
        if (count == NULL)
            return dse_fail(err, DSE_ANSWER_NO, "the loop %s at %s has no counter", check.name, check.at);
        double interval = (double)(check.claimed_ii > check.bound_ii ? check.claimed_ii : check.bound_ii);
        if (loop == NULL) {
            loop = &d->loops[d->loop_count++];
            *loop = (struct loop){.streams = check.streams, .engine = engine_of(s->g->family, check.engine), .count = count};
            snprintf(loop->name, sizeof loop->name, "%s", check.name);
            snprintf(loop->region, sizeof loop->region, "%s", check.region);
            snprintf(loop->process, sizeof loop->process, "%s", check.process);
            loop->entered = dse_calloc(2 * (d->counts.calls + 1), sizeof *loop->entered);
            loop->turned = loop->entered + d->counts.calls + 1;
        }
        loop->copies = check.beside ? loop->copies + 1.0 : 1.0;
        loop->depth = fmax(loop->depth, (double)check.depth);
        loop->interval = fmax(loop->interval, interval);
    }
    for (size_t call = 0; call < d->counts.calls; call++)
        share_out(d, call);
    return DSE_OK;
}

static enum dse_status emit(const struct schedules *s, struct design *d, struct dse_error *err)
{
    const struct dse_validation_ground *g = s->g;
    struct dse_emission design = {.setup = &d->setup, .estimate = d->estimate, .hls = &d->hls, .dataset = g->data->name,
                                    .dataset_hash = g->data->hash, .overwrite = true, .pack = &d->pack, .cases = &d->cases,
                                    .seed = g->seed};
    const struct dse_config *config = &d->estimate->config;
    double operations = 1.0;
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        operations += (double)d->estimate->sums.operations[p];
    size_t cases = (size_t)fmin(CASES_MOST, fmax(8.0, CASE_WORK / operations));
    DSE_TRY(g->executor->pack(s->model, config, d->hls.layout, &d->pack, err));
    DSE_TRY(g->executor->cases(s->model, g->data, config, d->hls.layout, cases, &d->cases, err));
    return dse_emission_write(&design, d->folder, err);
}

static enum dse_status measure(struct schedules *s, struct design *d, struct dse_error *err)
{
    const struct dse_validation_ground *g = s->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor, .costs = g->costs};
    char macros[32];
    snprintf(macros, sizeof macros, "%s", g->family->name);
    DSE_TRY(emit(s, d, err));
    DSE_TRY(dse_check_run(d->folder, &d->report, err));
    DSE_TRY(dse_count_loops(d->folder, dse_upper(macros), &d->counts, err));
    DSE_TRY(dse_simulate(s->model, g->data, &d->knobs, g->board, &run, &d->simulation, err));
    return join(s, d, err);
}

/* A row per loop: the models' count against its counters and the checker's figures. */
static enum dse_status add_loop_rows(const struct schedules *s, const struct design *d, struct dse_drawn_row *drawn, struct dse_error *err)
{
    struct dse_loops loops DSE_CLEANUP(dse_loops_free) = {0};
    DSE_TRY(dse_loops_of(&d->setup, &d->estimate->config, &loops, err));
    for (size_t i = 0; i < d->loop_count; i++) {
        const struct dse_loop *loop = dse_loops_find(&loops, d->loops[i].name);
        double cycles = 0.0;
        bool noted = false;
        for (size_t j = 0; j < d->loop_count; j++) {
            const bool same = d->loops[j].count == d->loops[i].count;
            cycles += same ? mean_cycles(d, &d->loops[j]) : 0.0;
            noted |= same && j < i;
        }
        if (loop == NULL || noted)
            continue;
        snprintf(drawn->what, sizeof drawn->what, "loop %s", loop->name);
        drawn->row.what = drawn->what;
        drawn->row.predicted = dse_loop_cycles(loop, DSE_CASE_MEAN);
        drawn->row.reference = cycles * share_of_counted(d, d->loops[i].engine, s->g->family);
        dse_validation_add(s->out, &drawn->row);
    }
    return DSE_OK;
}

/* Cycles of an engine, or of all, by the loops' counters plus the simulation's waits. */
static double scheduled(const struct schedules *s, const struct design *d, size_t engine)
{
    return loops_cycles(d, engine) * share_of_counted(d, engine, s->g->family) + besides(s, d, engine);
}

static enum dse_status add_rows(const struct schedules *s, const struct design *d, size_t index, struct dse_error *err)
{
    const struct dse_estimate *e = d->estimate;
    const struct dse_model_family *family = s->g->family;
    struct dse_drawn_row drawn;
    dse_draw_row(s->g, family, e, dse_bits_or(dse_bits_or(s->knobs.algorithmic, s->knobs.trained), s->knobs.simulated), index, "schedule", &drawn);
    struct dse_validation_row claims = drawn.row;
    claims.what = "claims";
    claims.verdict = true;
    claims.predicted = 1.0;
    claims.reference = dse_check_passes(d->report, NULL) ? 1.0 : 0.0;
    claims.note = json_string_value(json_array_get(json_object_get(d->report, "errors"), 0));
    dse_validation_add(s->out, &claims);
    dse_drawn_add(s->out, &drawn, NULL, e->metrics[DSE_METRIC_CYCLES], scheduled(s, d, ALL_ENGINES));
    for (size_t i = 0; i < family->engine_count; i++)
        if (!waits_beside_slower(s, d, i))
            dse_drawn_add(s->out, &drawn, family->engines[i].name, e->engines[i].latency_s * d->simulation.clock_hz, scheduled(s, d, i));
    return add_loop_rows(s, d, &drawn, err);
}

/* ---- drawing ---- */

/* A setting that the data serve, its model and its workload. */
static enum dse_status draw_model(struct schedules *s, struct dse_error *err)
{
    const struct dse_validation_ground *g = s->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor, .costs = g->costs};
    struct dse_training training;
    struct dse_error why = {0};
    bool served = false;
    dse_model_free(s->model);
    s->model = NULL;
    dse_workload_clear(&s->profile);
    dse_workload_clear(&s->work);
    for (size_t i = 0; i < DRAWS && !served; i++) {
        dse_setting_free(&s->setting);
        dse_space_default(g->space, &s->config);
        DSE_TRY(dse_config_apply(g->space, &s->config, &s->preset, err));
        dse_space_draw(g->space, dse_bits_or(s->knobs.algorithmic, s->knobs.trained), &s->rng, &s->config);
        dse_draw_setting(g->space, &s->preset, &s->config, dse_bits_or(s->knobs.algorithmic, s->knobs.trained), &s->setting);
        served = dse_executor_serves(g->executor, g->data, &s->setting, dse_run_trained(g->data, &run), &why);
    }
    if (!served)
        return dse_fail(err, DSE_ANSWER_NO, "%s is feasible for none of %d drawn settings: %s", g->data->name, DRAWS, why.message);
    run.of_held_out = true;
    DSE_TRY(g->executor->profile(g->data, &s->setting, &run, &s->profile, err));
    DSE_TRY(dse_train(g->executor, g->data, &s->setting, &run, &s->model, &training, err));
    return dse_executor_work(g->executor, s->model, &s->profile, &s->work, err);
}

/* A design for the model that can be built on the board and has a source, of the largest capacity, so that every graph fits. Whether it fits beside
 * others' tables does not matter. */
static enum dse_status draw_design(struct schedules *s, struct design *d, struct dse_error *err)
{
    const struct dse_validation_ground *g = s->g;
    struct dse_error smaller; /* for a family without a largest capacity, or without the knob: each of its capacities holds every graph */
    bool good = false;
    d->setup = (struct dse_setup){.family = g->family, .space = g->space, .board = g->board, .costs = g->costs,
                                  .workload = &s->work, .headroom = -1.0};
    for (size_t i = 0; i < DRAWS && !good; i++) {
        struct dse_config config = s->config;
        dse_space_draw(g->space, dse_bits_without(s->knobs.simulated, s->words), &s->rng, &config);
        dse_draw_algorithm(g->space, s->words, &s->rng, &config);
        (void)dse_config_set(g->space, &config, "capacity", "max", &smaller);
        DSE_TRY(dse_estimate_make(&d->setup, &config, d->estimate, err));
        if (d->estimate->rejection.rejected || d->estimate->metrics[DSE_METRIC_CYCLES] > CYCLES_MAX || d->estimate->sums.resources[DSE_LUT] > LUT_MAX)
            continue;
        dse_hls_free(&d->hls);
        enum dse_status made = dse_hls_make(&d->setup, &d->estimate->config, &d->hls, err);
        if (made != DSE_OK && made != DSE_ANSWER_NO)
            return made;
        good = made == DSE_OK && d->hls.sources != NULL;
    }
    if (!good)
        return dse_fail(err, DSE_ANSWER_NO, "no drawn design is feasible on %s", g->board->name);
    dse_config_setting(g->space, &d->estimate->config, s->knobs.simulated, &d->knobs);
    return DSE_OK;
}

/* Draws a design. Each first of CONFIGS_A_MODEL designs gets a new model; another model is also drawn if the board has room for no design of this one. */
static enum dse_status draw(struct schedules *s, size_t index, struct design *d, struct dse_error *err)
{
    enum dse_status status = DSE_ANSWER_NO;
    for (size_t models = 0; models < MODELS && status == DSE_ANSWER_NO; models++) {
        if (index % CONFIGS_A_MODEL == 0 || models > 0)
            DSE_TRY(draw_model(s, err));
        status = draw_design(s, d, err);
    }
    return status;
}

static enum dse_status one(struct schedules *s, size_t index, struct dse_error *err)
{
    struct design d DSE_CLEANUP(free_design) = {.folder = "/tmp/nysx-dse-schedule-XXXXXX"};
    dse_rehearsal_ends();
    if (mkdtemp(d.folder) == NULL) {
        d.folder[0] = '\0';
        return dse_fail(err, DSE_LIMIT, "/tmp: no folder can be made there");
    }
    d.estimate = dse_malloc(sizeof *d.estimate);
    DSE_TRY(draw(s, index, &d, err));
    DSE_TRY(measure(s, &d, err));
    return add_rows(s, &d, index, err);
}

static void close_schedules(struct schedules *s)
{
    dse_model_free(s->model);
    dse_workload_clear(&s->profile);
    dse_workload_clear(&s->work);
    dse_setting_free(&s->preset);
    dse_setting_free(&s->setting);
}

enum dse_status dse_validate_schedules(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                       struct dse_error *err)
{
    struct schedules s DSE_CLEANUP(close_schedules) = {.g = g, .out = out};
    if (g->executor->pack == NULL || g->executor->cases == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--against schedule: the family %s has no HLS source with loops to count",
                        g->family->name);
    dse_rng_seed(&s.rng, g->seed, STREAM_SCHEDULES);
    DSE_TRY(dse_draw_read(g->space, g->executor->knobs, g->figures, &s.knobs, err));
    for (size_t k = 0; k < g->space->count; k++)
        if (g->space->knobs[k].kind == DSE_KNOB_HARDWARE && dse_bits_has(s.knobs.emitted, k))
            dse_bits_add(&s.words, k);
    s.knobs.simulated = dse_bits_or(s.knobs.simulated, s.words);
    s.knobs.algorithmic = dse_bits_or(s.knobs.algorithmic, dse_bits_without(s.knobs.emitted, s.words));
    DSE_TRY(dse_executor_preset(g->executor, NULL, g->data, 0, &s.preset, err));
    for (size_t i = 0; i < count; i++) {
        if (dse_monitor_cancelled(g->monitor))
            return dse_fail_cancelled(err);
        DSE_TRY(one(&s, i, err));
    }
    return DSE_OK;
}
