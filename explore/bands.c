#include "explore/bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/percentile.h"
#include "core/rng.h"
#include "explore/corners.h"
#include "explore/load.h"

bool dse_error_applies(const struct dse_model_family *family, const struct dse_config *config, const struct dse_model_error *error)
{
    return strcmp(error->level, "published") != 0 || !family->built.some || config->value[family->built.knob] == family->built.value;
}

/* Error of an engine's cycles, or of a metric (`engine` NULL), for designs like this one; NULL if unknown. */
static const struct dse_model_error *error_of(const struct dse_model_family *family, const struct dse_config *config, const char *engine,
                                              enum dse_metric metric)
{
    for (const struct dse_model_error *e = family->errors; e < family->errors + family->error_count; e++)
        if (!dse_error_applies(family, config, e))
            continue;
        else if (engine != NULL ? e->engine != NULL && (*e->engine == '\0' || strcmp(e->engine, engine) == 0) : e->engine == NULL && e->metric == metric)
            return e;
    return NULL;
}

/* A draw takes the largest deviation found for two standard deviations. */
static double sigma_of(const struct dse_model_family *family, const struct dse_config *config, const char *engine, enum dse_metric metric)
{
    const struct dse_model_error *error = error_of(family, config, engine, metric);
    return error != NULL ? log1p(error->share) / 2.0 : 0.0;
}

/* The error of latency also applies to the rate and the tail. */
static const struct dse_model_error *published(const struct dse_model_family *family, const struct dse_config *config, enum dse_metric metric)
{
    bool timed = metric == DSE_METRIC_LATENCY_P99 || metric == DSE_METRIC_THROUGHPUT || metric == DSE_METRIC_THROUGHPUT_SYSTEM;
    return error_of(family, config, NULL, timed ? DSE_METRIC_LATENCY : metric);
}

/* Relative error of a design's latency from its engines' cycles, with independent errors. Returns whether every engine's error is known from more
 * than the family's own simulation. */
static double by_engines(const struct dse_model_family *family, const struct dse_estimate *estimate, bool *tested)
{
    double sum = 0.0, squares = 0.0;
    *tested = true;
    for (size_t e = 0; e < family->engine_count; e++) {
        const struct dse_model_error *error = error_of(family, &estimate->config, family->engines[e].name, DSE_METRIC_COUNT);
        double latency = estimate->engines[e].latency_s, off = error != NULL ? latency * error->share : 0.0;
        sum += latency;
        squares += off * off;
        *tested &= !(latency > 0.0) || (error != NULL && strcmp(error->level, "simulation") != 0);
    }
    return sum > 0.0 ? sqrt(squares) / sum : 0.0;
}

/* A launch's kernel time over an item's. Its interval has the error of its latency. */
static double kernel_share(const struct dse_estimate *estimate)
{
    const struct dse_platform *platform = &estimate->platform;
    const double latency_s = estimate->metrics[DSE_METRIC_LATENCY];
    return dse_launch_s(platform, latency_s, dse_interval_s(platform, &estimate->sums), 0.0, dse_prepare_s(platform, &estimate->sums)) / latency_s;
}

/* Units that wait for one another deliver less than their rate. */
static double least_share(const struct dse_estimate *estimate)
{
    const struct dse_platform *platform = &estimate->platform;
    const double mean_s = estimate->metrics[DSE_METRIC_LATENCY], sigma = dse_log_normal_sigma(mean_s, estimate->metrics[DSE_METRIC_LATENCY_P99]);
    const double prepare_s = dse_prepare_s(platform, &estimate->sums);
    const struct dse_item item = {.kernel_s = mean_s - prepare_s, .interval_s = dse_interval_s(platform, &estimate->sums), .wait_s = dse_wait_s(platform, DSE_BOUNDARY_SYSTEM, 1)};
    const double kernel_s = platform->streams ? dse_own_s(platform, DSE_BOUNDARY_SYSTEM, &item) : item.kernel_s, launched = platform->streams ? platform->batch : 1.0;
    const struct dse_load_shares of = {.units = (size_t)platform->units, .streams = platform->streams, .kernel_s = kernel_s,
                                       .spread_s = (kernel_s - item.wait_s) * sqrt(expm1(sigma * sigma) / launched), .host_s = dse_host_s(platform, &estimate->sums) + prepare_s,
                                       .memory_s = estimate->metrics[DSE_METRIC_DDR_BYTES] * platform->s_per_byte};
    return dse_load_least_share(&of);
}

/* System figures: the kernel's with its error, plus the host's part within the bands of its constants. */
static bool system_ends(const struct dse_model_family *family, enum dse_bands_scope scope, enum dse_metric metric,
                        const struct dse_estimate *estimate, double *low, double *high)
{
    enum dse_metric kernel = metric == DSE_METRIC_LATENCY_SYSTEM ? DSE_METRIC_LATENCY : metric == DSE_METRIC_ENERGY_SYSTEM ? DSE_METRIC_ENERGY : DSE_METRIC_POWER;
    double ends[2], share = metric == DSE_METRIC_LATENCY_SYSTEM  ? kernel_share(estimate)
                            : metric == DSE_METRIC_ENERGY_SYSTEM ? 1.0 / dse_platform_items(&estimate->platform)
                                                                 : 1.0;
    const double *const at[] = {estimate->low, estimate->high};
    double *const out[] = {low, high};
    bool known = dse_bands_ends(family, scope, metric == DSE_METRIC_THROUGHPUT_SYSTEM ? DSE_METRIC_LATENCY : kernel, estimate, &ends[0], &ends[1]);
    double most_hz[2];
    if (metric == DSE_METRIC_THROUGHPUT_SYSTEM)
        (void)dse_bands_ends(family, scope, DSE_METRIC_THROUGHPUT, estimate, &most_hz[0], &most_hz[1]);
    for (int i = 0; i < 2 && metric == DSE_METRIC_THROUGHPUT_SYSTEM; i++) /* the system delivers no more than its kernel: the kernel's bound applies to both */
        *out[i] = known ? fmin(at[1 - i][metric] * at[1 - i][DSE_METRIC_LATENCY] / ends[1 - i], most_hz[i]) : NAN;
    if (metric == DSE_METRIC_THROUGHPUT_SYSTEM && known)
        *low *= least_share(estimate);
    for (int i = 0; i < 2 && metric != DSE_METRIC_THROUGHPUT_SYSTEM; i++)
        *out[i] = known ? share * ends[i] + (at[i][metric] - share * at[i][kernel]) : NAN;
    return known;
}

bool dse_bands_ends(const struct dse_model_family *family, enum dse_bands_scope scope, enum dse_metric metric,
                    const struct dse_estimate *estimate, double *low, double *high)
{
    if (dse_metric_of_system(metric))
        return system_ends(family, scope, metric, estimate, low, high);
    bool timed = metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_LATENCY_P99 || metric == DSE_METRIC_THROUGHPUT ||
                 metric == DSE_METRIC_ENERGY;
    bool tested = true;
    double value = estimate->metrics[metric], engines = timed ? by_engines(family, estimate, &tested) : 0.0;
    const struct dse_model_error *missed = published(family, &estimate->config, metric);
    double whole = hypot(log1p(scope == DSE_BANDS_SYSTEM && missed != NULL ? missed->share : 0.0), log1p(engines));
    double least = fmin(estimate->low[metric], estimate->high[metric]), most = fmax(estimate->low[metric], estimate->high[metric]);
    tested |= family->own_profile != NULL && least < most; /* a file states its constants with bands */
    bool known = !(timed && estimate->assumed) && (scope == DSE_BANDS_SYSTEM ? missed != NULL : tested);
    *low = known ? least : NAN;
    *high = known ? most : NAN;
    if (!known || whole == 0.0 || !(least > 0.0) || !isfinite(most))
        return known;
    *low = value * exp(-hypot(log(value / least), whole));
    *high = value * exp(hypot(log(most / value), whole));
    return true;
}

bool dse_bands_known(const struct dse_model_family *family, enum dse_metric metric, const struct dse_estimate *estimate, double *low,
                     double *high)
{
    return dse_bands_ends(family, DSE_BANDS_SYSTEM, metric, estimate, low, high) ||
           dse_bands_ends(family, DSE_BANDS_KERNEL, metric, estimate, low, high);
}

/* ---- draws ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdu;
}

/* Form of an engine: the word knobs that its blocks read. Numeric knobs only set its size. */
static uint64_t form_of(const struct dse_question *question, size_t engine, const struct dse_config *config)
{
    uint64_t hash = mix(1, engine);
    dse_knob_set reads = {{0}};
    for (size_t b = 0; b < question->family->block_count; b++)
        if (question->family->blocks[b].engine == engine)
            reads = dse_bits_or(reads, question->family->blocks[b].reads);
    for (size_t k = 0; k < question->space->count; k++)
        if (dse_bits_has(reads, k) && question->space->knobs[k].type == DSE_KNOB_CHOICE && dse_knob_active(question->space, config, k))
            hash = mix(mix(hash, k), (uint64_t)config->value[k]);
    return hash;
}

static double drawn(uint64_t seed, size_t draw, uint64_t what)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, mix(seed, draw), what);
    return dse_rng_normal(&rng);
}

/* Constant over all draws. */
struct facts {
    double base_latency, dynamic_w, still_w;
    double engine_s[DSE_ENGINE_MAX];
    uint64_t form[DSE_ENGINE_MAX], setting;
};

struct drawing {
    const struct dse_question *question;
    const struct dse_bands_regret *regret;
    uint64_t seed;
    struct dse_bands_of *designs;
    struct facts *facts;
    size_t count;
    unsigned *front; /* [draws × designs] 0 or 1 */
    double *over;    /* [draws × designs] */
};

static void find_facts(const struct drawing *d, size_t i)
{
    const struct dse_estimate *estimate = d->designs[i].estimate;
    struct facts *f = &d->facts[i];
    double engines = 0.0, longest = 0.0, dynamic = 0.0;
    dse_knob_set algorithmic = dse_space_of_kind(d->question->space, DSE_KNOB_ALGORITHMIC);
    *f = (struct facts){.base_latency = estimate->metrics[DSE_METRIC_LATENCY], .setting = 7};
    for (size_t e = 0; e < d->question->family->engine_count; e++) {
        engines += estimate->engines[e].latency_s;
        longest = fmax(longest, estimate->engines[e].latency_s);
        f->form[e] = form_of(d->question, e, &estimate->config);
    }
    for (size_t e = 0; e < d->question->family->engine_count; e++) /* weight: the engine's share of the latency */
        f->engine_s[e] = engines > 0.0 ? estimate->engines[e].latency_s / engines * f->base_latency : 0.0;
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
        dynamic += estimate->term_w[DSE_BAND_NOMINAL][t];
    f->dynamic_w = dynamic;
    f->still_w = estimate->metrics[DSE_METRIC_POWER] - dynamic;
    for (size_t k = 0; k < d->question->space->count; k++)
        if (dse_bits_has(algorithmic, k) && dse_knob_active(d->question->space, &estimate->config, k))
            f->setting = mix(mix(f->setting, k), (uint64_t)estimate->config.value[k]);
}

/* The times of host and memories are unchanged; the power at a boundary lasts for the time between two items. */
static void draw_rates(const struct dse_estimate *estimate, double base_s, double metrics[DSE_METRIC_COUNT])
{
    const struct dse_platform *platform = &estimate->platform;
    const double *nominal = estimate->metrics;
    double more_s = metrics[DSE_METRIC_LATENCY] - base_s, interval_s = dse_interval_s(platform, &estimate->sums), own_s = interval_s * metrics[DSE_METRIC_LATENCY] / base_s;
    double before_s[DSE_BOUNDARY_COUNT], after_s[DSE_BOUNDARY_COUNT];
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        before_s[b] = dse_elapsed_s(platform, &estimate->sums, (enum dse_boundary)b, base_s, interval_s);
        after_s[b] = dse_elapsed_s(platform, &estimate->sums, (enum dse_boundary)b, metrics[DSE_METRIC_LATENCY], own_s);
    }
    metrics[DSE_METRIC_THROUGHPUT] = (double)platform->at_once / after_s[DSE_BOUNDARY_KERNEL];
    metrics[DSE_METRIC_ENERGY] *= metrics[DSE_METRIC_POWER] / nominal[DSE_METRIC_POWER] * after_s[DSE_BOUNDARY_KERNEL] / before_s[DSE_BOUNDARY_KERNEL];
    double items = dse_platform_items(platform), added_j = items * nominal[DSE_METRIC_ENERGY_SYSTEM] - nominal[DSE_METRIC_ENERGY];
    double kernel_w = 1e-9 * (platform->share_nw[DSE_BOUNDARY_KERNEL] + (double)estimate->sums.idle_nw), system_w = 1e-9 * (platform->share_nw[DSE_BOUNDARY_SYSTEM] + (double)estimate->sums.idle_nw);
    metrics[DSE_METRIC_LATENCY_SYSTEM] += dse_launch_s(platform, more_s, own_s - interval_s, 0.0, 0.0);
    metrics[DSE_METRIC_ENERGY_SYSTEM] = (metrics[DSE_METRIC_ENERGY] + added_j + system_w * (after_s[DSE_BOUNDARY_SYSTEM] - before_s[DSE_BOUNDARY_SYSTEM]) -
                                         kernel_w * (after_s[DSE_BOUNDARY_KERNEL] - before_s[DSE_BOUNDARY_KERNEL])) / items;
    metrics[DSE_METRIC_POWER_SYSTEM] = (double)platform->at_once * metrics[DSE_METRIC_ENERGY_SYSTEM] / after_s[DSE_BOUNDARY_SYSTEM];
    metrics[DSE_METRIC_THROUGHPUT_SYSTEM] = (double)platform->at_once / after_s[DSE_BOUNDARY_SYSTEM];
}

/* Metrics of a design in one draw: drawn values replace the models'. */
static void draw_metrics(const struct drawing *d, size_t draw, size_t i, double metrics[DSE_METRIC_COUNT])
{
    const struct dse_bands_of *design = &d->designs[i];
    const struct dse_estimate *estimate = design->estimate;
    const struct facts *f = &d->facts[i];
    const struct dse_model_family *family = d->question->family;
    double latency = f->base_latency, power = f->still_w;
    memcpy(metrics, estimate->metrics, sizeof estimate->metrics);
    for (size_t e = 0; e < family->engine_count; e++)
        latency += f->engine_s[e] * sigma_of(family, &estimate->config, family->engines[e].name, DSE_METRIC_COUNT) * drawn(d->seed, draw, f->form[e]);
    latency *= exp(sigma_of(family, &estimate->config, NULL, DSE_METRIC_LATENCY) * drawn(d->seed, draw, 2));
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++) { /* band ends are taken as 5 % and 95 % quantiles */
        double nominal = estimate->term_w[DSE_BAND_NOMINAL][t], most = estimate->term_w[DSE_BAND_HIGH][t];
        double wide = nominal > 0.0 && most > nominal ? log(most / nominal) / 1.645 : 0.0;
        power += nominal * exp(wide * drawn(d->seed, draw, 100 + (uint64_t)t));
    }
    metrics[DSE_METRIC_LATENCY] = latency;
    metrics[DSE_METRIC_LATENCY_P99] *= latency / f->base_latency;
    metrics[DSE_METRIC_POWER] = power;
    draw_rates(estimate, f->base_latency, metrics);
    if (design->quality != NULL)
        metrics[DSE_METRIC_QUALITY] = design->quality->mean + dse_corner_standard_error(design->quality) * drawn(d->seed, draw, f->setting);
}

static bool dominates(const struct dse_question *question, const double *a, const double *b)
{
    bool better = false;
    for (size_t o = 0; o < question->objective_count; o++) {
        double x = dse_objective_cost(question->objectives[o], a), y = dse_objective_cost(question->objectives[o], b);
        if (x > y)
            return false;
        better |= x < y;
    }
    return better;
}

static double regretted(const struct dse_bands_regret *regret, const double metrics[DSE_METRIC_COUNT])
{
    double product = 1.0;
    for (size_t i = 0; i < regret->count; i++) {
        double value = metrics[regret->metrics[i]];
        product *= dse_metric_times_worse(regret->metrics[i], value, value < 0.0 ? -1.0 : 1.0);
    }
    return product;
}

static enum dse_status draw_once(void *user, size_t draw, size_t thread, struct dse_error *err)
{
    (void)thread;
    (void)err;
    const struct drawing *d = user;
    double (*metrics)[DSE_METRIC_COUNT] = dse_calloc(d->count, sizeof *metrics);
    double least = INFINITY;
    for (size_t i = 0; i < d->count; i++) {
        draw_metrics(d, draw, i, metrics[i]);
        if (d->designs[i].takes_part)
            least = fmin(least, regretted(d->regret, metrics[i]));
    }
    for (size_t i = 0; i < d->count; i++) {
        bool beaten = false;
        for (size_t k = 0; k < d->count && !beaten; k++)
            beaten = dominates(d->question, metrics[k], metrics[i]);
        d->front[draw * d->count + i] = !beaten;
        d->over[draw * d->count + i] = least > 0.0 ? regretted(d->regret, metrics[i]) / least : 1.0; /* 0: no design needs that resource */
    }
    free(metrics);
    return DSE_OK;
}

enum dse_status dse_bands_draw(const struct dse_question *question, const struct dse_bands_regret *regret, uint64_t seed,
                               struct dse_bands_of *designs, size_t count, struct dse_error *err)
{
    struct facts *facts DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *facts);
    unsigned *front DSE_CLEANUP(dse_free_at) = dse_calloc(DSE_BANDS_DRAWS * count + 1, sizeof *front);
    double *over DSE_CLEANUP(dse_free_at) = dse_calloc(DSE_BANDS_DRAWS * count + 1, sizeof *over);
    struct drawing d = {.question = question, .regret = regret, .seed = seed, .designs = designs, .count = count,
                        .facts = facts, .front = front, .over = over};
    for (size_t i = 0; i < count; i++)
        find_facts(&d, i);
    DSE_TRY(dse_parallel_for(DSE_BANDS_DRAWS, question->jobs, draw_once, &d, NULL, err));
    for (size_t i = 0; i < count; i++) {
        size_t times = 0;
        designs[i].regret = 1.0;
        for (size_t draw = 0; draw < DSE_BANDS_DRAWS; draw++) {
            times += front[draw * count + i];
            designs[i].regret = fmax(designs[i].regret, over[draw * count + i]);
        }
        designs[i].chance = fmax((double)times, 0.5) / DSE_BANDS_DRAWS;
    }
    return DSE_OK;
}
