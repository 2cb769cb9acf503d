#include "explore/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "devices/machines.h"
#include "devices/prices.h"
#include "explore/chosen.h"
#include "explore/corners.h"
#include "explore/explore.h"
#include "explore/load.h"
#include "explore/meant.h"
#include "models/hls.h"
#include "validation/published.h"

#define MEASURED_S 0.5 /* minimum duration of a measurement */
#define RAPL_PACKAGES 8

const char *const dse_compared_kinds[] = {"measured", "modelled", "published", NULL};

static struct dse_compared *add(struct dse_compared_machines *out, enum dse_compared_kind kind)
{
    struct dse_compared *row = dse_list_more(&out->rows, &out->count, sizeof *row);
    *row = (struct dse_compared){.kind = (int)kind, .latency_s = NAN, .rate_hz = NAN, .load = {.p99_s = NAN, .state = -1}, .energy_j = NAN, .quality = NAN, .quality_error = NAN, .quality_n = NAN,
                                 .price_usd = NAN, .per_watt = NAN, .per_dollar = NAN};
    return row;
}

static void take_quality(const struct dse_quality *quality, struct dse_compared *row)
{
    if (quality == NULL)
        return;
    row->quality = quality->mean;
    row->quality_error = dse_corner_standard_error(quality);
    row->quality_n = (double)quality->n;
}

/* ---- this machine ---- */

/* Energy of all packages so far, in microjoules; NaN if unreadable. Wraps of the counters may go unnoticed, because readings are rare. */
static double rapl_uj(void)
{
    double total = 0.0;
    bool any = false;
    for (int package = 0; package < RAPL_PACKAGES; package++) {
        char path[64], line[32];
        snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/energy_uj", package);
        FILE *file = fopen(path, "re");
        if (file == NULL)
            continue;
        if (fgets(line, sizeof line, file) != NULL) {
            total += strtod(line, NULL);
            any = true;
        }
        fclose(file);
    }
    return any ? total : NAN;
}

static void processor_name(char *out, size_t size)
{
    char line[256];
    snprintf(out, size, "this processor");
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%.60s", colon + 2);
        break;
    }
    if (file != NULL)
        fclose(file);
}

struct measuring {
    const struct dse_chosen *chosen;
    struct dse_run run;
    struct timing {
        double seconds;
        size_t items;
    } *of; /* per core */
};

/* Runs the model over the held-out items on one core until the minimum time has passed. */
static enum dse_status measure_core(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct measuring *m = user;
    const struct dse_executor *executor = m->chosen->executor;
    struct timing *of = &m->of[index];
    double begin = dse_clock_s(), wall_s = 0.0;
    (void)thread;
    while (of->seconds < MEASURED_S && wall_s < 20.0 * MEASURED_S) {
        struct dse_inference found DSE_CLEANUP(dse_inference_free) = {0};
        DSE_TRY(executor->infer(m->chosen->model, m->chosen->data, &m->run, &found, err));
        of->seconds += found.seconds;
        of->items += executor->at_once ? 1 : found.count * (found.ways > 0 ? found.ways : 1);
        wall_s = dse_clock_s() - begin;
    }
    return DSE_OK;
}

/* Measures this machine. Each core works on its own items. With one core, items run one by one, and their time is the row's latency. The quality is the profile's for the design. */
static enum dse_status measure(const struct dse_request *request, const struct dse_chosen *chosen, const struct dse_config *design, size_t jobs,
                               struct dse_compared_machines *out, struct dse_error *err)
{
    struct timing *of DSE_CLEANUP(dse_free_at) = dse_calloc(jobs, sizeof *of);
    struct measuring m = {chosen, {.seed = request->seed, .jobs = 1, .batch = jobs == 1 ? 1 : 0, .monitor = request->monitor}, of};
    double seconds = 0.0, before = rapl_uj(), load_before = NAN; /* with other processes, the figure is too low */
    size_t items = 0;
    (void)getloadavg(&load_before, 1);
    DSE_TRY(dse_parallel_for(jobs, jobs, measure_core, &m, request->monitor, err));
    for (size_t i = 0; i < jobs; i++) {
        seconds += of[i].seconds / (double)jobs;
        items += of[i].items;
    }
    double energy_j = (rapl_uj() - before) * 1e-6;
    char name[64];
    struct dse_compared *row = add(out, DSE_COMPARED_MEASURED);
    processor_name(name, sizeof name);
    snprintf(row->machine, sizeof row->machine, "%s, %zu core%s", name, jobs, jobs == 1 ? "" : "s");
    row->rate_hz = (double)items / seconds;
    row->latency_s = jobs == 1 ? seconds / (double)items : NAN;
    row->latency_items = jobs == 1 ? 1.0 : NAN;
    row->energy_j = energy_j > 0.0 ? energy_j / (double)items : NAN;
    take_quality(dse_profile_quality_of(chosen->bench->space, chosen->profile, design), row);
    const double item_s = seconds / (double)items * (double)jobs;
    const struct dse_host none = {.batch = 1};
    const struct dse_load load = {.service_s = &item_s, .service_count = 1, .units = jobs, .seed = request->seed};
    if (dse_request_word(request, "rate") != NULL)
        DSE_TRY(dse_load_run(dse_request_word(request, "rate"), &none, load, 0.0, request->monitor, &row->load, err));
    char count[32];
    snprintf(row->source, sizeof row->source, "executor, %s items in %.2f s, load average %.1f before; %s", dse_count_format(count, sizeof count, (long long)items), seconds,
             load_before, energy_j > 0.0 ? "energy of the packages by RAPL" : "RAPL is not readable: no energy");
    return DSE_OK;
}

/* Sets the knob of a word such as "task=infer". */
static enum dse_status set_word(const struct dse_space *space, const char *word, struct dse_config *config, struct dse_error *err)
{
    const char *sign = strchr(word, '=');
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(sign - word), word);
    return dse_config_set(space, config, name, sign + 1, err);
}

/* Whether a design has the knob value of the measured job: "task=infer". */
static bool holds(const struct dse_space *space, const char *word, const struct dse_config *config)
{
    struct dse_config with = *config;
    struct dse_error unknown;
    return set_word(space, word, &with, &unknown) == DSE_OK && memcmp(&with, config, sizeof with) == 0;
}

static enum dse_status find_design(const struct dse_request *request, const struct dse_workbench *bench, size_t board, struct dse_meant *out,
                                   struct dse_error *err)
{
    const char *answers = dse_executor_find(bench->family->name)->answers;
    DSE_TRY(dse_meant_find_fixed(request, bench, board, "set", &answers, answers != NULL, DSE_DEFAULT_OBJECTIVES, out, err));
    if (answers != NULL && !holds(bench->space, answers, &out->config))
        return dse_fail(err, DSE_BAD_USAGE, "compare: the design must have %s, because this machine is measured with it", answers);
    struct dse_setup setup;
    DSE_TRY(dse_workbench_setup(bench, board, bench->profiles[0], &out->config, &setup, err));
    return dse_ring_check(&setup, &out->config, err); /* before this machine is measured */
}

static enum dse_status measure_here(const struct dse_request *request, const struct dse_workbench *bench, struct dse_compared_machines *out,
                                    struct dse_error *err)
{
    struct dse_chosen chosen DSE_CLEANUP(dse_chosen_free) = {.request = request, .bench = bench, .profile = bench->profiles[0], .corner = DSE_CORNER_NONE};
    size_t cores = dse_parallel_default_jobs();
    struct dse_meant meant;
    DSE_TRY(dse_chosen_find_data(&chosen, "", err));
    DSE_TRY(find_design(request, bench, 0, &meant, err));
    chosen.config = meant.config;
    if (chosen.executor->untrained != NULL) {
        DSE_TRY(set_word(bench->space, chosen.executor->untrained, &chosen.config, err));
        dse_request_note(request, "an item takes the same time with any model: this machine is measured with %s", chosen.executor->untrained);
    }
    DSE_TRY(dse_chosen_train(&chosen, err));
    DSE_TRY(measure(request, &chosen, &meant.config, 1, out, err));
    return cores > 1 ? measure(request, &chosen, &meant.config, cores, out, err) : DSE_OK;
}

/* ---- designs and rooflines ---- */

/* Prices of boards: the caller's, otherwise the shipped ones. */
struct priced {
    const struct dse_board_price *given; /* count */
    size_t count;
    struct dse_prices shipped;
};

static void free_priced(struct priced *prices)
{
    dse_prices_free(&prices->shipped);
}

static void take_price(const struct priced *prices, const char *board, struct dse_compared *row)
{
    const struct dse_price *shipped = dse_prices_find(&prices->shipped, board);
    if (shipped != NULL) {
        row->price_usd = shipped->usd;
        snprintf(row->price_date, sizeof row->price_date, "%.10s", shipped->date);
        snprintf(row->price_source, sizeof row->price_source, "%.99s", shipped->source);
    }
    for (size_t i = 0; i < prices->count; i++)
        if (strcmp(prices->given[i].board, board) == 0) {
            row->price_usd = prices->given[i].usd;
            snprintf(row->price_date, sizeof row->price_date, "now");
            snprintf(row->price_source, sizeof row->price_source, "--price");
        }
}

/* `corner`: of the design in an answer. */
static enum dse_status add_design(const struct dse_request *request, const struct dse_workbench *bench, size_t board, const struct dse_meant *meant,
                                  enum dse_corner corner, const struct priced *prices, struct dse_estimate *e, struct dse_compared_machines *out, struct dse_error *err)
{
    struct dse_setup setup;
    const struct dse_config *config = meant->answered ? &meant->corners[corner] : &meant->config;
    DSE_TRY(dse_workbench_setup(bench, board, bench->profiles[0], config, &setup, err));
    DSE_TRY(dse_ring_check(&setup, config, err));
    DSE_TRY(dse_estimate_built(&setup, config, e, err));
    struct dse_compared *row = add(out, DSE_COMPARED_MODELLED);
    const struct dse_board *of = bench->boards[board];
    snprintf(row->machine, sizeof row->machine, "%s by %s%s%s", of->name, of->host.name, meant->answered ? ", " : "", meant->answered ? dse_corner_titles[corner] : "");
    row->latency_s = e->metrics[DSE_METRIC_LATENCY_SYSTEM];
    row->latency_items = e->platform.batch * dse_platform_items(&e->platform);
    row->rate_hz = dse_load_capacity(e);
    row->energy_j = e->metrics[DSE_METRIC_ENERGY_SYSTEM];
    take_quality(dse_profile_quality_of(bench->space, bench->profiles[0], &e->config), row);
    take_price(prices, of->name, row);
    if (meant->answered)
        snprintf(row->source, sizeof row->source, "%s; system boundary", board == 0 && corner == DSE_CORNER_BALANCED ? "`sweep`'s choice by quality, latency and energy" : "the same trained model");
    else
        snprintf(row->source, sizeof row->source, "%.100s; %ssystem boundary", meant->origin, e->fits ? "" : "does not fit the board; ");
    const char *rate = dse_request_word(request, "rate");
    return rate == NULL ? DSE_OK : dse_load_estimate(rate, &of->host, e, NULL, request->seed, request->monitor, &row->load, err);
}

/* Roofline bounds of machines with the design's operations and bytes: no software is faster. */
static enum dse_status add_roofs(const struct dse_estimate *e, const struct dse_compared *like, struct dse_compared_machines *out, struct dse_error *err)
{
    struct dse_machines machines DSE_CLEANUP(dse_machines_free) = {0};
    double operations = 0.0, quality = like->quality, quality_error = like->quality_error, quality_n = like->quality_n;
    DSE_TRY(dse_machines_open(&machines, err));
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        operations += (double)e->sums.operations[p] * e->platform.parts;
    for (const struct dse_machine *machine = machines.items; machine < machines.items + machines.count; machine++) {
        struct dse_compared *row = add(out, DSE_COMPARED_MODELLED);
        snprintf(row->machine, sizeof row->machine, "%.60s, roofline", machine->title);
        row->latency_s = dse_machine_seconds(machine, operations, e->metrics[DSE_METRIC_DDR_BYTES]);
        row->latency_items = dse_platform_items(&e->platform);
        row->rate_hz = row->latency_items / row->latency_s;
        row->energy_j = machine->power_w / row->rate_hz;
        row->quality = quality;
        row->quality_error = quality_error;
        row->quality_n = quality_n;
        snprintf(row->source, sizeof row->source, "bound without software overhead");
    }
    return DSE_OK;
}

/* ---- publications ---- */

/* Figure of the case's design, or of it with the given knob changed. */
static double figure_of(const struct dse_published_case *c, const char *machine, const char *metric, const char *set)
{
    for (const struct dse_published_figure *f = c->figures; f < c->figures + c->figure_count; f++)
        if (f->as == DSE_PUBLISHED_VALUE && *f->than == '\0' && strcmp(f->set, set) == 0 && strcmp(f->machine, machine) == 0 && strcmp(f->metric, metric) == 0)
            return f->value;
    return NAN;
}

/* Adds a row for a published machine (empty: the case's board), from figures of the case with these knobs; possibly none. */
static enum dse_status add_published(const struct dse_workbench *bench, const struct priced *prices, const struct dse_published_case *c, const char *machine,
                                     const char *title, const char *set, struct dse_compared_machines *out, struct dse_error *err)
{
    const struct dse_model_family *family = bench->family;
    const char *answers = dse_executor_find(family->name)->answers;
    struct dse_config config;
    double latency_s = figure_of(c, machine, "latency_s", set), energy_j = figure_of(c, machine, "energy_j", set), cycles = figure_of(c, machine, "cycles", set);
    if (isnan(latency_s) && isnan(energy_j) && isnan(cycles))
        return DSE_OK;
    dse_space_default(bench->space, &config);
    DSE_TRY(dse_config_apply(bench->space, &config, &bench->profiles[0]->preset, err));
    DSE_TRY(dse_published_words_apply(bench->space, c->set, &config, err));
    DSE_TRY(dse_published_words_apply(bench->space, set, &config, err));
    struct dse_compared *row = add(out, DSE_COMPARED_PUBLISHED);
    snprintf(row->machine, sizeof row->machine, "%.60s, %.30s", title, c->name);
    row->latency_s = isnan(latency_s) ? cycles / (1e6 * (double)config.value[family->clock_knob]) : latency_s;
    row->latency_items = family->items != NULL ? (double)family->items(family, &config) : 1.0;
    row->rate_hz = row->latency_items / row->latency_s;
    row->energy_j = energy_j / row->latency_items;
    row->quality = figure_of(c, "", "quality", set);
    row->quality = isnan(row->quality) ? dse_accuracy_published(family->name, bench->profiles[0]->dataset) : row->quality;
    const struct dse_quality *ours = isnan(row->quality) ? dse_profile_quality_of(bench->space, bench->profiles[0], &config) : NULL;
    if (ours != NULL)
        take_quality(ours, row);
    if (*machine == '\0')
        take_price(prices, c->board, row);
    bool other = answers != NULL && !holds(bench->space, answers, &config);
    snprintf(row->source, sizeof row->source, "publication%s%s%s", other ? ": another job, without " : "", other ? answers : "",
             ours != NULL ? "; its training, measured here" : "");
    return DSE_OK;
}

static enum dse_status add_publications(const struct dse_workbench *bench, const struct priced *prices, struct dse_compared_machines *out, struct dse_error *err)
{
    struct dse_published_file file DSE_CLEANUP(dse_published_close) = {0};
    struct dse_machines machines DSE_CLEANUP(dse_machines_free) = {0};
    struct dse_error missing;
    const struct dse_profile *profile = bench->profiles[0];
    const char *answers = dse_executor_find(bench->family->name)->answers;
    if (dse_published_open(bench->family->name, &file, &missing) != DSE_OK)
        return DSE_OK;
    DSE_TRY(dse_machines_open(&machines, err));
    for (const struct dse_published_case *c = file.cases; c < file.cases + file.case_count; c++) {
        const char *name = *c->dataset != '\0' ? c->dataset : c->profile;
        uint64_t hash = dse_profile_hash_of(name);
        if (*c->engine != '\0' || (hash != 0 ? hash != profile->dataset_hash : strcmp(name, profile->dataset) != 0))
            continue;
        char title[96];
        snprintf(title, sizeof title, "%.60s (%s)", c->board, dse_boundary_names[file.boundary]);
        for (int with = 0; with < (answers != NULL ? 2 : 1); with++) {
            const char *set = with != 0 ? answers : "";
            DSE_TRY(add_published(bench, prices, c, "", title, set, out, err));
            for (size_t m = 0; m < machines.count; m++)
                DSE_TRY(add_published(bench, prices, c, machines.items[m].name, machines.items[m].title, set, out, err));
        }
    }
    return DSE_OK;
}

/* ---- the comparison ---- */

static enum dse_status check(const struct dse_workbench *bench, const struct priced *prices, struct dse_error *err)
{
    if (bench->profile_count != 1)
        return dse_fail(err, DSE_BAD_USAGE, "compare: takes one data set, not %zu", bench->profile_count);
    if (dse_executor_find(bench->family->name) == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "compare: the family %s has no executor to measure this machine with", bench->family->name);
    for (size_t i = 0; i < prices->count; i++) {
        bool there = false;
        for (size_t b = 0; b < bench->board_count; b++)
            there |= strcmp(bench->boards[b]->name, prices->given[i].board) == 0;
        if (!there)
            return dse_fail(err, DSE_BAD_USAGE, "--price %s=%g: not a board of this comparison", prices->given[i].board, prices->given[i].usd);
    }
    return DSE_OK;
}

/* The balanced design and corners, by these objectives, among the designs that run the model of `config`, so that all rows of the table have its quality. */
static enum dse_status find_alike(const struct dse_request *request, const struct dse_workbench *bench, size_t board, const struct dse_config *config, const char *objectives,
                                  struct dse_meant *out, struct dse_error *err)
{
    char words[DSE_KNOB_MAX][96], value[64];
    const char *fixes[DSE_KNOB_MAX + 1] = {dse_executor_find(bench->family->name)->answers};
    size_t count = fixes[0] != NULL;
    const dse_knob_set algorithmic = dse_space_of_kind(bench->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < bench->space->count; k++)
        if (dse_bits_has(algorithmic, k) && dse_knob_active(bench->space, config, k)) {
            snprintf(words[k], sizeof words[k], "%s=%s", bench->space->knobs[k].name, dse_knob_format(&bench->space->knobs[k], config->value[k], value, sizeof value));
            fixes[count++] = words[k];
        }
    return dse_meant_find_fixed(request, bench, board, "set", fixes, count, objectives, out, err);
}

static enum dse_status add_designs(const struct dse_request *request, const struct dse_workbench *bench, const struct priced *prices,
                                   struct dse_compared_machines *out, struct dse_error *err)
{
    static const enum dse_corner further[] = {DSE_CORNER_FASTEST, DSE_CORNER_LEAST_ENERGY};
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = dse_calloc(2, sizeof *e); /* first design; other designs */
    struct dse_config model = {0}; /* configuration of the first board's design, whose training the others share */
    size_t first = out->count;
    for (size_t b = 0; b < bench->board_count; b++) {
        struct dse_meant meant, alike = {0};
        DSE_TRY(find_design(request, bench, b, &meant, err));
        if (b == 0)
            model = meant.config;
        if (meant.answered && b > 0)
            DSE_TRY(find_alike(request, bench, b, &model, DSE_DEFAULT_OBJECTIVES, &alike, err));
        if (alike.answered)
            meant = alike;
        if (meant.answered) /* the fastest and the least energy as they are delivered */
            DSE_TRY(find_alike(request, bench, b, &model, "latency_system,energy_per_item", &alike, err));
        DSE_TRY(add_design(request, bench, b, &meant, DSE_CORNER_BALANCED, prices, &e[b > 0], out, err));
        for (size_t i = 0; i < 2 && alike.answered; i++)
            if (alike.has[further[i]] && memcmp(&alike.corners[further[i]], &meant.config, sizeof meant.config) != 0 &&
                (i == 0 || memcmp(&alike.corners[further[i]], &alike.corners[further[0]], sizeof meant.config) != 0))
                DSE_TRY(add_design(request, bench, b, &alike, further[i], prices, &e[1], out, err));
    }
    const struct dse_compared like = out->rows[first];
    out->items = dse_items_word(bench->family, &e[0].config);
    return add_roofs(&e[0], &like, out, err);
}

enum dse_status dse_compare_make(const struct dse_request *request, const struct dse_workbench *bench, const struct dse_board_price *prices,
                                 size_t price_count, struct dse_compared_machines *out, struct dse_error *err)
{
    struct priced priced DSE_CLEANUP(free_priced) = {.given = prices, .count = price_count};
    const struct dse_profile *profile = bench->profiles[0];
    *out = (struct dse_compared_machines){.quality = dse_profile_quality_name(profile)};
    DSE_TRY(dse_prices_open(&priced.shipped, err));
    DSE_TRY(check(bench, &priced, err));
    DSE_TRY(measure_here(request, bench, out, err));
    DSE_TRY(add_designs(request, bench, &priced, out, err));
    DSE_TRY(add_publications(bench, &priced, out, err));
    for (struct dse_compared *row = out->rows; row < out->rows + out->count; row++) {
        row->per_watt = 1.0 / row->energy_j; /* items per second at full load per watt */
        row->per_dollar = row->rate_hz / row->price_usd;
    }
    return DSE_OK;
}

void dse_compared_free(struct dse_compared_machines *comparison)
{
    free(comparison->rows);
    *comparison = (struct dse_compared_machines){0};
}
