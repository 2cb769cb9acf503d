#include "tests/contract/backends.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/rng.h"
#include "emit/emission.h"
#include "models/estimate.h"
#include "models/hls.h"
#include "tests/contract/made.h"
#include "tests/models/checks.h"
#include "tests/ok.h"

#define ITEMS 150 /* so that the largest and the 99th percentile differ */
#define LARGEST 256 /* largest whole number of a setting */
#define DRAWS 10 /* four times as many for a cost model, which is fast */
#define MORE_DRAWS 160 /* for knobs that none of these draws showed to be consumed, though the family says so: those of a cache matter only in small caches */
#define VALUES 3 /* values of a knob tried per draw */
#define DESIGNS 3 /* draws in which a training knob is tried */
#define MANY_MEMORIES "u280" /* a board besides the family's own */
#define REPAIRS 24 /* attempts to repair a drawn design until a backend accepts it */

const char *const backends_names[DSE_BACKEND_COUNT] = {"the cost model",        "the simulation",        "the HLS emission",
                                                       "the RTL's cost model", "the RTL's simulation", "the RTL emission"};
static const char *const uses[] = {"declares nothing of", "consumes", "rejects values of", "is unaffected by"};

/* A model of the family with what its backends need beside a configuration. */
struct subject {
    const struct dse_model_family *family;
    const struct dse_executor *executor;
    struct dse_dataset *data, *other; /* a simulation runs over all items of the other one */
    struct dse_model *model;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    struct dse_workload measured, workload;
    struct dse_config base;
    uint64_t draws;
    bool shapes; /* only the shapes of the model's arrays are compared, because their numbers are from another training run */
    struct dse_strbuf hls_text, rtl_text; /* the shipped sources: parameters that they do not read do not count */
};

/* The output of a backend for a configuration. */
struct sight {
    enum dse_status status;
    struct dse_error err;
    uint64_t hash;
};

static void see(struct sight *sight, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sight->hash = (sight->hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

static void see_text(struct sight *sight, const char *text)
{
    see(sight, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}

static void see_number(struct sight *sight, int64_t number)
{
    see(sight, &number, sizeof number);
}

/* Whether a source reads a name; true without a source. */
static bool is_read(const struct dse_strbuf *source, const char *name)
{
    if (source->length == 0)
        return true;
    for (const char *at = strstr(source->text, name); at != NULL; at = strstr(at + 1, name)) {
        unsigned char before = at > source->text ? (unsigned char)at[-1] : ' ', after = (unsigned char)at[strlen(name)];
        if (!isalnum(before) && before != '_' && !isalnum(after) && after != '_')
            return true;
    }
    return false;
}

/* "nysx", "kse.pe": NYSX_KSE_PE */
static bool macro_read(const struct subject *s, const char *name)
{
    char macro[256];
    snprintf(macro, sizeof macro, "%s_%s", s->family->name, name);
    for (char *c = macro; *c != '\0'; c++)
        *c = (char)(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
    return is_read(&s->hls_text, macro);
}

/* ---- what each backend gives ---- */

static void see_costs(const struct subject *s, const struct dse_model_family *family, const struct dse_config *config, struct sight *out)
{
    void *work = NULL;
    struct dse_rejection rejection = {0};
    struct dse_platform platform;
    const struct dse_context context = {.board = s->board, .costs = s->costs, .rejection = &rejection};
    struct dse_context own = context;
    OK(family->prepare(family, &s->workload, &work, &why));
    own.work = work;
    for (size_t b = 0; b < family->block_count && out->status == DSE_OK; b++) {
        struct dse_accumulators sums;
        out->status = dse_block_cost(family, b, &own, config, &sums, &out->err);
        see(out, &sums, sizeof sums);
    }
    family->release(work);
    out->status = out->status == DSE_OK ? dse_rejection_verdict(&rejection, &out->err) : out->status;
    dse_platform_make(family, s->board, -1.0, config, DSE_BAND_NOMINAL, &platform);
    see(out, &platform.fs_per_cycle, sizeof platform.fs_per_cycle);
    see(out, &platform.units, sizeof platform.units);
    see(out, &platform.at_once, sizeof platform.at_once);
}

static void see_simulation(const struct subject *s, bool in_rtl, const struct dse_config *config, struct sight *out)
{
    struct dse_simulation result = {0};
    const struct dse_run run = {.seed = 9, .jobs = 1, .costs = s->costs, .in_rtl = in_rtl};
    out->status = dse_simulate_config(s->model, s->other, config, s->board, &run, &result, &out->err);
    if (out->status != DSE_OK)
        return;
    see(out, &result.clock_hz, sizeof result.clock_hz);
    see(out, result.total, result.items * sizeof *result.total);
    for (size_t e = 0; e < result.engine_count; e++) {
        const struct dse_simulated_engine *engine = &result.engines[e];
        see_text(out, engine->name);
        see(out, engine->cycles, result.items * sizeof *engine->cycles);
        for (size_t c = 0; c < engine->count_count; c++)
            see(out, &engine->counts[c].mean, sizeof engine->counts[c].mean);
    }
    dse_simulation_free(&result);
}

static void see_directive(const struct dse_hls_directive *directive, struct sight *out)
{
    if (directive->kind == DSE_HLS_LOOP_TRIPCOUNT) /* a hint for reports, without effect on synthesis */
        return;
    see_number(out, directive->kind);
    see_number(out, directive->number);
    see_number(out, directive->dimension);
    see_text(out, directive->function);
    see_text(out, directive->target);
    see_text(out, directive->word);
}

static void see_header(const struct subject *s, const struct dse_hls *hls, const struct dse_config *config, struct sight *out)
{
    for (size_t i = 0; i < hls->size_count; i++)
        if (macro_read(s, hls->sizes[i].name)) {
            see_text(out, hls->sizes[i].name);
            see_number(out, hls->sizes[i].value);
        }
    for (size_t i = 0; i < hls->type_count; i++) {
        see_text(out, hls->types[i].name);
        see_number(out, hls->types[i].bits);
    }
    for (size_t i = 0; i < hls->directive_count; i++)
        see_directive(&hls->directives[i], out);
    for (size_t i = 0; i < hls->port_count; i++) {
        const struct dse_hls_port *p = &hls->ports[i];
        const int64_t numbers[] = {p->count, p->words, p->burst_words, p->outstanding, (int64_t)p->memory, p->writes};
        see_text(out, p->name);
        see_text(out, p->type);
        see(out, numbers, sizeof numbers);
    }
    for (size_t k = 0; hls->sources != NULL && k < s->space->count; k++)
        if (macro_read(s, s->space->knobs[k].name))
            see_number(out, config->value[k]);
    for (size_t i = 0; hls->sources != NULL && hls->sources[i] != NULL; i++)
        see_text(out, hls->sources[i]);
}

static void see_pack(const struct subject *s, const struct dse_config *config, const void *layout, struct sight *out)
{
    struct dse_pack pack = {0};
    out->status = s->executor->pack(s->model, config, layout, &pack, &out->err);
    for (size_t i = 0; out->status == DSE_OK && i < pack.count; i++) {
        see_text(out, pack.arrays[i].name);
        see_number(out, pack.arrays[i].place);
        see_number(out, pack.arrays[i].type);
        see_number(out, (int64_t)dse_pack_elements(&pack.arrays[i]));
        if (!s->shapes)
            see(out, pack.arrays[i].values, dse_pack_elements(&pack.arrays[i]) * dse_pack_type_bytes(pack.arrays[i].type));
    }
    dse_pack_free(&pack);
}

/* Inputs of a source's build: the design's files and parts, clock and units. */
static void see_build(const struct dse_emission *design, const char *const *names, struct sight *out)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    for (; *names != NULL; names++)
        OK(dse_emission_text(design, *names, &text, &why));
    see_text(out, dse_strbuf_text(&text));
}

static void see_rtl(const struct subject *s, const struct dse_config *config, struct dse_emission *design, struct sight *out)
{
    static const char *const names[] = {"rtl/vivado.tcl", "rtl/clock.xdc", NULL};
    struct dse_rtl rtl = {0};
    design->rtl = &rtl;
    out->status = s->executor->rtl(s->model, config, design->hls->layout, &rtl, &out->err);
    if (out->status == DSE_OK)
        see_build(design, names, out);
    for (size_t i = 0; out->status == DSE_OK && i < rtl.parameter_count; i++)
        if (is_read(&s->rtl_text, rtl.parameters[i].name)) {
            see_text(out, rtl.parameters[i].name);
            see_text(out, rtl.parameters[i].value);
        }
    for (size_t i = 0; out->status == DSE_OK && i < rtl.table_count; i++) {
        see_text(out, rtl.tables[i].name);
        see_number(out, (int64_t)rtl.tables[i].bits);
        see_number(out, (int64_t)rtl.tables[i].words);
        if (!s->shapes)
            see(out, rtl.tables[i].bytes, rtl.tables[i].words * ((rtl.tables[i].bits + 7) / 8));
    }
    see_number(out, (int64_t)rtl.port_bits);
    see_number(out, (int64_t)rtl.port_memory);
    dse_rtl_free(&rtl);
}

static void see_emission(const struct subject *s, bool in_rtl, const struct dse_config *config, struct sight *out)
{
    static const char *const names[] = {"hls/hls_config.cfg", "hls/link_config.cfg", NULL};
    struct dse_hls hls = {0};
    struct dse_estimate estimate;
    const struct dse_setup setup = {.family = s->family, .space = s->space, .board = s->board, .costs = s->costs,
                                    .workload = &s->workload, .headroom = -1.0};
    out->status = dse_hls_make(&setup, config, &hls, &out->err);
    if (out->status == DSE_OK)
        out->status = dse_estimate_make(&setup, config, &estimate, &out->err);
    struct dse_emission design = {.setup = &setup, .estimate = &estimate, .hls = &hls, .dataset = s->data->name};
    if (out->status == DSE_OK && in_rtl) {
        see_rtl(s, config, &design, out);
    } else if (out->status == DSE_OK) {
        see_header(s, &hls, config, out);
        if (hls.sources != NULL)
            see_build(&design, names, out);
        if (hls.sources != NULL && s->executor->pack != NULL)
            see_pack(s, config, hls.layout, out);
    }
    dse_hls_free(&hls);
}

static struct sight look(const struct subject *s, enum dse_backend backend, const struct dse_config *config)
{
    struct sight sight = {.hash = UINT64_C(14695981039346656037)};
    struct dse_config canonical = *config;
    dse_config_canonical(s->space, &canonical);
    switch (backend) {
    case DSE_BACKEND_MODEL: see_costs(s, s->family, &canonical, &sight); break;
    case DSE_BACKEND_RTL_MODEL: see_costs(s, s->family->in_rtl, &canonical, &sight); break;
    case DSE_BACKEND_SIMULATION: see_simulation(s, false, &canonical, &sight); break;
    case DSE_BACKEND_RTL_SIMULATION: see_simulation(s, true, &canonical, &sight); break;
    case DSE_BACKEND_HLS: see_emission(s, false, &canonical, &sight); break;
    case DSE_BACKEND_RTL: see_emission(s, true, &canonical, &sight); break;
    default: break;
    }
    return sight;
}

/* ---- observing ---- */

/* The knob named at the start of a rejection, or the count of knobs. */
static size_t rejected_knob(const struct subject *s, const struct sight *sight)
{
    for (size_t k = 0; k < s->space->count; k++) {
        size_t length = strlen(s->space->knobs[k].name);
        if (sight->status != DSE_OK && strncmp(sight->err.message, s->space->knobs[k].name, length) == 0 &&
            strchr("=:,", sight->err.message[length]) != NULL)
            return k;
    }
    return s->space->count;
}

static dse_knob_set hardware_of(const struct dse_space *space)
{
    return dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
}

/* The values of a knob to try, and their number: all words; or the sweep's values, the two smallest numbers, the largest and the default. */
static size_t value_count(const struct dse_knob *knob)
{
    return check_value_count(knob) + (knob->type == DSE_KNOB_CHOICE ? 0 : 4);
}

static int64_t value_at(const struct dse_knob *knob, size_t index)
{
    const int64_t more[] = {knob->minimum, knob->minimum + 1 + (knob->power_of_two ? knob->minimum - 1 : 0), knob->maximum,
                            knob->fallback};
    size_t count = check_value_count(knob);
    return index < count ? check_value_at(knob, index) : more[index - count];
}

/* Half of the draws are at the bounds, where couplings between knobs show. */
static int64_t drawn_value(const struct dse_knob *knob, struct dse_rng *rng)
{
    size_t count = value_count(knob), ends = count > 4 && dse_rng_below(rng, 2) == 0 ? count - 4 : 0;
    return value_at(knob, ends + dse_rng_below(rng, count - ends));
}

/* The base design first, then others. */
static void draw_hardware(const struct subject *s, uint64_t draw, struct dse_config *config)
{
    struct dse_rng rng;
    *config = s->base;
    dse_rng_seed(&rng, 37, draw);
    for (size_t k = 0; draw > 0 && k < s->space->count; k++)
        if (dse_bits_has(hardware_of(s->space), k))
            dse_config_put(s->space, config, k, drawn_value(&s->space->knobs[k], &rng));
}

/* Changes rejected knobs until the backend accepts the design. Records each rejected knob. */
static bool settle(const struct subject *s, enum dse_backend backend, struct dse_config *config, struct sight *sight, dse_knob_set *rejected)
{
    dse_knob_set met = {{0}};
    for (int repairs = 0; repairs < REPAIRS; repairs++) {
        *sight = look(s, backend, config);
        size_t k = rejected_knob(s, sight);
        if (sight->status == DSE_OK)
            *rejected = dse_bits_or(*rejected, met);
        if (k == s->space->count || !dse_bits_has(hardware_of(s->space), k))
            return sight->status == DSE_OK;
        dse_bits_add(&met, k);
        for (size_t v = 0; v < value_count(&s->space->knobs[k]) && rejected_knob(s, sight) == k; v++) {
            dse_config_put(s->space, config, k, value_at(&s->space->knobs[k], v));
            *sight = look(s, backend, config);
        }
    }
    return false;
}

/* Varies each of these knobs of an accepted design over some of its values. If the backend rejects the model, returns the knob to blame. */
static size_t vary(const struct subject *s, enum dse_backend backend, uint64_t turn, struct dse_config *config, dse_knob_set of, dse_knob_set *changed,
                   dse_knob_set *rejected)
{
    struct sight base, other;
    if (!settle(s, backend, config, &base, rejected))
        return rejected_knob(s, &base);
    for (size_t k = 0; k < s->space->count; k++) {
        const struct dse_knob *knob = &s->space->knobs[k];
        struct dse_config varied = *config;
        if (!dse_bits_has(of, k) || !dse_knob_active(s->space, config, k))
            continue;
        for (size_t v = 0; v < VALUES && !dse_bits_has(*changed, k); v++) {
            dse_config_put(s->space, &varied, k, value_at(knob, (turn * VALUES + v) % value_count(knob)));
            other = look(s, backend, &varied);
            if (other.status == DSE_OK && other.hash != base.hash)
                dse_bits_add(changed, k);
            if (rejected_knob(s, &other) == k)
                dse_bits_add(rejected, k);
        }
    }
    return s->space->count;
}

static bool is_there(const struct dse_model_family *family, const struct dse_executor *executor, enum dse_backend backend)
{
    switch (backend) {
    case DSE_BACKEND_MODEL: return true;
    case DSE_BACKEND_SIMULATION: return executor->simulate != NULL;
    case DSE_BACKEND_HLS: return family->hardware != NULL;
    case DSE_BACKEND_RTL_MODEL: return family->in_rtl != NULL;
    case DSE_BACKEND_RTL_SIMULATION: return executor->simulate != NULL && executor->rtl != NULL;
    default: return executor->rtl != NULL;
    }
}

static void read_sources(const char *family, const char *pattern, struct dse_strbuf *out)
{
    char path[512];
    glob_t found;
    snprintf(path, sizeof path, "%s/models/%s/%s", NYSX_TEST_SOURCE_DIR, family, pattern);
    if (glob(path, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = NULL;
        size_t size = 0;
        if (strstr(found.gl_pathv[i], "testbench") != NULL)
            continue;
        OK(dse_file_read(found.gl_pathv[i], (size_t)1 << 24, &text, &size, &why));
        dse_strbuf_printf(out, "%.*s\n", (int)size, text);
        free(text);
    }
    globfree(&found);
}

static void open_subject(struct subject *s, const struct dse_setting *setting)
{
    const struct dse_run run = {.seed = 5, .jobs = 1};
    struct dse_training training;
    s->model = made_model(s->executor, s->data, setting, 1, &training);
    s->measured = s->workload = (struct dse_workload){0};
    OK(s->executor->profile(s->data, setting, &run, &s->measured, &why));
    OK(dse_executor_work(s->executor, s->model, &s->measured, &s->workload, &why));
    dse_space_default(s->space, &s->base);
    for (size_t i = 0; i < setting->count; i++)
        if (dse_space_find(s->space, setting->pairs[i].name) >= 0)
            OK(dse_config_set(s->space, &s->base, setting->pairs[i].name, setting->pairs[i].value, &why));
}

static void close_subject(struct subject *s)
{
    dse_workload_clear(&s->measured);
    dse_workload_clear(&s->workload);
    dse_model_free(s->model);
}

/* Knobs that the family declares to be consumed. */
static dse_knob_set consumed_by(const struct dse_knobs *knobs, enum dse_backend backend)
{
    dse_knob_set out = {{0}};
    for (size_t i = 0; i < knobs->use_count; i++)
        if (knobs->uses[i].backend == backend && knobs->uses[i].use == DSE_KNOB_CONSUMED)
            out = dse_bits_or(out, knobs->uses[i].knobs);
    return out;
}

/* Returns a trained knob for which a backend rejects the model, or the count of knobs. */
static size_t observe_model(struct subject *s, const struct dse_setting *setting, const struct backends_seen *out, dse_knob_set changed[],
                            dse_knob_set rejected[])
{
    size_t model_rejected = s->space->count;
    open_subject(s, setting);
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (uint64_t i = 0; i < (b == DSE_BACKEND_MODEL || b == DSE_BACKEND_RTL_MODEL ? 4 : 1) * s->draws; i++) {
            struct dse_config config;
            draw_hardware(s, i, &config);
            size_t k = out->there[b] ? vary(s, (enum dse_backend)b, i, &config, hardware_of(s->space), &changed[b], &rejected[b]) : s->space->count;
            model_rejected = k < s->space->count ? k : model_rejected;
        }
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (uint64_t i = s->draws; out->there[b] && s->draws == DRAWS && i < MORE_DRAWS; i++) {
            const dse_knob_set missing = dse_bits_without(dse_bits_and(consumed_by(s->family->knobs, (enum dse_backend)b), hardware_of(s->space)), changed[b]);
            struct dse_config config;
            draw_hardware(s, i, &config);
            if (!dse_bits_any(missing))
                break;
            (void)vary(s, (enum dse_backend)b, i, &config, missing, &changed[b], &rejected[b]);
        }
    close_subject(s);
    return model_rejected;
}

/* The i-th other value that a trained knob is given, or its own where there is none. */
static int64_t other_value(const struct dse_knob *knob, int64_t own, size_t i)
{
    const int64_t wholes[] = {own / 2, own + 1, own > LARGEST / 2 ? own : 2 * own};
    int64_t value = knob->type == DSE_KNOB_CHOICE ? (int64_t)(i % knob->choice_count) : wholes[i];
    return value < knob->minimum || value > knob->maximum || (knob->power_of_two && i == 1) ? own : value;
}

/* Designs that a backend accepts, with its outputs: a single design may hide the effect of one more stage of logic. */
struct settled {
    struct dse_config config[DSE_BACKEND_COUNT][DESIGNS];
    struct sight sight[DSE_BACKEND_COUNT][DESIGNS];
};

/* Observes the subject's designs with another value of a trained knob, and a model of that value. */
static void observe_value(const struct subject *s, const struct dse_setting *setting, const struct settled *base, size_t k, int64_t value,
                          dse_knob_set looked[], dse_knob_set changed[], dse_knob_set rejected[])
{
    const struct dse_knob *knob = &s->space->knobs[k];
    struct subject other = *s;
    struct dse_setting words DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_error why_not;
    char text[64];
    dse_setting_copy(setting, &words);
    OK(dse_knobs_put(s->executor->knobs, knob->name, dse_knob_format(knob, value, text, sizeof text), &words, &why));
    if (!dse_executor_serves(s->executor, s->data, &words, 0, &why_not))
        return;
    open_subject(&other, &words);
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (size_t i = 0; i < DESIGNS && !dse_bits_has(changed[b], k); i++) {
            struct dse_config config = base->config[b][i];
            if (base->sight[b][i].status != DSE_OK)
                continue;
            dse_config_put(s->space, &config, k, value);
            const struct sight sight = look(&other, (enum dse_backend)b, &config);
            dse_bits_add(&looked[b], k);
            if (sight.status == DSE_OK && sight.hash != base->sight[b][i].hash)
                dse_bits_add(&changed[b], k);
            if (rejected_knob(s, &sight) == k)
                dse_bits_add(&rejected[b], k);
        }
    close_subject(&other);
}

/* Knobs that are both algorithmic and hardware, for all backends except cost models, whose blocks are checked elsewhere
 * (tests/models/checks.h). */
static void observe_trained(struct subject *s, const struct dse_setting *setting, const struct backends_seen *out, dse_knob_set looked[],
                            dse_knob_set changed[], dse_knob_set rejected[])
{
    struct settled base;
    open_subject(s, setting);
    s->shapes = true;
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (size_t i = 0; i < DESIGNS; i++) {
            draw_hardware(s, i, &base.config[b][i]);
            base.sight[b][i].status = DSE_LIMIT;
            if (out->there[b] && b != DSE_BACKEND_MODEL && b != DSE_BACKEND_RTL_MODEL)
                settle(s, (enum dse_backend)b, &base.config[b][i], &base.sight[b][i], &rejected[b]);
        }
    for (size_t k = 0; k < s->space->count; k++) {
        const struct dse_knob *knob = &s->space->knobs[k];
        size_t tries = knob->type == DSE_KNOB_CHOICE ? knob->choice_count : VALUES;
        for (size_t i = 0; knob->kind == DSE_KNOB_BOTH && dse_knob_active(s->space, &s->base, k) && i < tries; i++)
            if (other_value(knob, s->base.value[k], i) != s->base.value[k])
                observe_value(s, setting, &base, k, other_value(knob, s->base.value[k], i), looked, changed, rejected);
    }
    s->shapes = false;
    close_subject(s);
}

/* A model of the setting and, where a backend rejects it for a trained knob other than `form`, models with that knob's other words. */
static void observe_form(struct subject *s, const struct dse_setting *setting, size_t form, const struct backends_seen *out,
                         dse_knob_set looked[], dse_knob_set changed[], dse_knob_set rejected[])
{
    const struct dse_knobs *knobs = s->executor->knobs;
    observe_trained(s, setting, out, looked, changed, rejected);
    size_t k = observe_model(s, setting, out, changed, rejected);
    for (size_t word = 0, last = k; k < s->space->count && k != form && last == k && word < knobs->knobs[k].choice_count; word++) {
        struct dse_setting other = {0};
        dse_setting_copy(setting, &other);
        OK(dse_knobs_put(knobs, knobs->knobs[k].name, knobs->knobs[k].choices[word], &other, &why));
        last = observe_model(s, &other, out, changed, rejected);
        if (last == s->space->count)
            observe_trained(s, &other, out, looked, changed, rejected);
        dse_setting_free(&other);
    }
}

/* A trained knob that is a condition of hardware knobs, from `first` on; or the count of knobs. */
static size_t next_condition(const struct dse_space *space, size_t first)
{
    for (size_t c = first; c < space->count; c++)
        for (size_t k = 0; k < space->count; k++)
            if (space->knobs[k].condition == (int)c && dse_bits_has(hardware_of(space), k) && dse_knob_trains(&space->knobs[c]))
                return c;
    return space->count;
}

/* A knob of both kinds whose value was equal in all models, or the count of knobs. */
static size_t next_unseen(const struct dse_space *space, const dse_knob_set looked[])
{
    size_t k = 0;
    while (k < space->count && (space->knobs[k].kind != DSE_KNOB_BOTH || dse_bits_has(looked[DSE_BACKEND_SIMULATION], k)))
        k++;
    return k;
}

/* Models of the first setting with each word of each condition; and of the other presets while some knob depends on several of their
 * words. */
static void observe_forms(struct subject *s, const struct dse_setting *setting, const struct backends_seen *out, dse_knob_set looked[],
                          dse_knob_set changed[], dse_knob_set rejected[])
{
    if (next_condition(s->space, 0) == s->space->count)
        observe_form(s, setting, s->space->count, out, looked, changed, rejected);
    for (size_t c = next_condition(s->space, 0); c < s->space->count; c = next_condition(s->space, c + 1))
        for (size_t word = 0; word < s->space->knobs[c].choice_count; word++) {
            struct dse_setting formed = {0};
            dse_setting_copy(setting, &formed);
            OK(dse_knobs_put(s->executor->knobs, s->space->knobs[c].name, s->space->knobs[c].choices[word], &formed, &why));
            observe_form(s, &formed, c, out, looked, changed, rejected);
            dse_setting_free(&formed);
        }
    for (const char *const *preset = s->executor->knobs->presets; *preset != NULL && next_unseen(s->space, looked) < s->space->count; preset++) {
        struct dse_setting other DSE_CLEANUP(dse_setting_free) = made_setting_of(s->executor, *preset, s->data, LARGEST);
        observe_trained(s, &other, out, looked, changed, rejected);
    }
}

void backends_observe(const struct dse_model_family *family, const struct dse_executor *executor, struct backends_seen *out)
{
    struct subject s = {.family = family, .executor = executor, .data = made_data_of(executor, 1, ITEMS), .other = made_data_of(executor, 2, ITEMS)};
    struct dse_setting setting = made_setting_of(executor, NULL, s.data, LARGEST);
    dse_knob_set looked[DSE_BACKEND_COUNT], changed[DSE_BACKEND_COUNT] = {0}, rejected[DSE_BACKEND_COUNT] = {0};
    *out = (struct backends_seen){0};
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        out->there[b] = is_there(family, executor, (enum dse_backend)b);
    OK(dse_model_space(family, NULL, &s.space, &why));
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        looked[b] = hardware_of(s.space);
    read_sources(family->name, "hls/*.[ch]", &s.hls_text);
    read_sources(family->name, "rtl/*.sv", &s.rtl_text);
    for (size_t i = 0; i < 2; i++) {
        if (i == 1 && strcmp(family->board, MANY_MEMORIES) == 0)
            continue;
        OK(dse_board_open(i == 0 ? family->board : MANY_MEMORIES, &s.board, &why));
        OK(dse_costs_for_board(s.board, NULL, &s.costs, &why));
        s.draws = i == 0 ? DRAWS : 2;
        observe_forms(&s, &setting, out, looked, changed, rejected);
        dse_costs_free(s.costs);
        dse_board_free(s.board);
    }
    if (out->there[DSE_BACKEND_SIMULATION] && next_unseen(s.space, looked) < s.space->count)
        fail_msg("%s: no model has another value of %s, so that no backend was looked at", family->name,
                 s.space->knobs[next_unseen(s.space, looked)].name);
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (size_t k = 0; k < s.space->count; k++)
            if (out->there[b] && dse_bits_has(looked[b], k))
                out->use[b][k] = dse_bits_has(changed[b], k) ? DSE_KNOB_CONSUMED : dse_bits_has(rejected[b], k) ? DSE_KNOB_REJECTED : DSE_KNOB_UNAFFECTED;
    dse_strbuf_free(&s.hls_text);
    dse_strbuf_free(&s.rtl_text);
    dse_space_free(s.space);
    dse_setting_free(&setting);
    dse_dataset_free(s.data);
    dse_dataset_free(s.other);
}

/* ---- judging ---- */

/* Knobs that the blocks of a cost model consume. */
static dse_knob_set read_by(const struct dse_model_family *family)
{
    dse_knob_set reads = dse_bits_or(family->decides_items, dse_bits_or(dse_bits_one(family->clock_knob), dse_bits_one(family->units_knob)));
    for (size_t b = 0; b < family->block_count; b++)
        reads = dse_bits_or(reads, family->blocks[b].reads);
    return reads;
}

static enum dse_knob_use declared(const struct dse_model_family *family, const struct dse_knobs *knobs, enum dse_backend backend, size_t k,
                                  enum dse_knob_use seen, size_t *times)
{
    enum dse_knob_use use = DSE_KNOB_UNDECLARED;
    *times = 0;
    for (size_t i = 0; i < knobs->use_count; i++)
        if (knobs->uses[i].backend == backend && dse_bits_has(knobs->uses[i].knobs, k)) {
            use = knobs->uses[i].use;
            ++*times;
        }
    const struct dse_model_family *model = backend == DSE_BACKEND_MODEL ? family : backend == DSE_BACKEND_RTL_MODEL ? family->in_rtl : NULL;
    if (model == NULL || !dse_bits_has(read_by(model), k))
        return use;
    ++*times;
    return seen == DSE_KNOB_REJECTED ? seen : DSE_KNOB_CONSUMED; /* a block also reads what it rejects */
}

bool backends_hold(const struct dse_model_family *family, const struct dse_knobs *knobs, const struct backends_seen *seen,
                   char *complaint, size_t size)
{
    for (size_t i = 0; i < knobs->use_count; i++)
        if ((knobs->uses[i].use == DSE_KNOB_UNAFFECTED) != (knobs->uses[i].why != NULL)) {
            snprintf(complaint, size, "%s: row %zu of its uses: an unaffected knob needs a reason, and no other has one", knobs->family, i);
            return false;
        }
    for (size_t b = 0; b < DSE_BACKEND_COUNT; b++)
        for (size_t k = 0; k < knobs->count; k++) {
            if (seen->use[b][k] == DSE_KNOB_UNDECLARED)
                continue;
            size_t times = 0;
            enum dse_knob_use use = declared(family, knobs, (enum dse_backend)b, k, seen->use[b][k], &times);
            if (use == seen->use[b][k] && times == 1)
                continue;
            snprintf(complaint, size, "%s, %s, %s: declared %zu times; by the declaration it %s the knob, and in the drawn designs it %s it",
                     knobs->family, backends_names[b], knobs->knobs[k].name, times, uses[use], uses[seen->use[b][k]]);
            return false;
        }
    return true;
}
