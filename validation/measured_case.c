/* A published case as designed: the published configuration, the data set's workload, the stated memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/parallel.h"
#include "validation/published.h"

void dse_stated_board_make(const struct dse_board *board, const struct dse_published_file *figures,
                           struct dse_stated_board *out)
{
    out->board = *board;
    memcpy(out->memories, board->memories, out->board.memory_count * sizeof *out->memories);
    memcpy(out->ports, board->ports, out->board.port_count * sizeof *out->ports);
    out->board.memories = out->memories;
    out->board.ports = out->ports;
    struct dse_memory *memory = &out->memories[0];
    memory->preset_transfers_hz = figures->bandwidth_bytes_per_s * 8.0 / (double)(memory->channels * memory->width_bits);
    memory->efficiency = memory->efficiency_high = 1.0;
    memory->efficiency_low = figures->efficiency_low;
    for (size_t i = 0; i < out->board.port_count; i++) {
        if (strcmp(out->ports[i].memory, memory->name) != 0)
            continue;
        out->ports[i].width_bits = figures->port_bits;
        out->ports[i].max_burst_beats = figures->burst_beats;
    }
}

/* "name=value name=value" over a setting. */
static enum dse_status put_words(struct dse_setting *setting, const char *text, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    char *copy = dse_strdup(text), *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && status == DSE_OK; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL) {
            status = dse_fail(err, DSE_BAD_INPUT, "published: \"%s\": must be NAME=VALUE", word);
            break;
        }
        *equals = '\0';
        dse_setting_put(setting, word, equals + 1);
    }
    free(copy);
    return status;
}

enum dse_status dse_published_words_apply(const struct dse_space *space, const char *words, struct dse_config *config,
                                          struct dse_error *err)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    DSE_TRY(put_words(&setting, words, err));
    return dse_config_apply(space, config, &setting, err);
}

enum dse_status dse_measured_draw_make(const struct dse_validation_ground *g, const struct dse_dataset *data,
                                       const char *words, uint64_t seed, struct dse_measured_draw *out,
                                       struct dse_error *err)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_run run = {.seed = seed, .jobs = 1, .monitor = g->monitor};
    *out = (struct dse_measured_draw){0};
    dse_space_default(g->space, &out->config);
    DSE_TRY(dse_executor_preset(g->executor, NULL, data, 0, &setting, err));
    DSE_TRY(put_words(&setting, words, err));
    DSE_TRY(dse_config_apply(g->space, &out->config, &setting, err));
    return g->executor->profile(data, &setting, &run, &out->workload, err);
}

void dse_measured_draw_clear(struct dse_measured_draw *draw)
{
    dse_workload_clear(&draw->workload);
}

struct draws {
    const struct dse_validation_ground *g;
    const struct dse_dataset *data;
    const char *words; /* knobs of the case, applied over the preset */
    double *memory;                  /* one per draw */
    struct dse_measured_draw first; /* kept for the estimate */
};

static enum dse_status draw_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct draws *draws = user;
    struct dse_measured_draw draw;
    void *work = NULL;
    (void)thread;
    enum dse_status status =
        dse_measured_draw_make(draws->g, draws->data, draws->words, draws->g->seed + index, &draw, err);
    if (status == DSE_OK)
        status = draws->g->family->prepare(draws->g->family, &draw.workload, &work, err);
    if (status == DSE_OK) {
        draws->memory[index] = draws->g->family->quantity("model_bytes", &draw.config, work);
        draws->g->family->release(work);
    }
    if (index == 0)
        draws->first = draw; /* cleared by the caller */
    else
        dse_measured_draw_clear(&draw);
    return status;
}

/* The quantile of sorted values, interpolated between the two nearest ranks. */
static double quantile(const double *values, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;
    double next = values[below + 1 < count ? below + 1 : below];
    return values[below] + (at - (double)below) * (next - values[below]);
}

static double static_w(const struct dse_board *board, enum dse_band band)
{
    return band == DSE_BAND_LOW    ? board->static_power_low_w
           : band == DSE_BAND_HIGH ? board->static_power_high_w
                                   : board->static_power_w;
}

static void take_estimate(const struct dse_validation_ground *g, const struct dse_estimate *e, const void *work,
                          struct dse_measured_case *out)
{
    out->latency_s = e->metrics[DSE_METRIC_LATENCY];
    out->latency_low_s = e->low[DSE_METRIC_LATENCY];
    out->latency_high_s = e->high[DSE_METRIC_LATENCY];
    out->power_w = e->metrics[DSE_METRIC_POWER];
    out->power_low_w = e->low[DSE_METRIC_POWER];
    out->power_high_w = e->high[DSE_METRIC_POWER];
    out->static_w = static_w(g->board, DSE_BAND_NOMINAL);
    out->static_low_w = static_w(g->board, DSE_BAND_LOW);
    out->static_high_w = static_w(g->board, DSE_BAND_HIGH);
    out->ddr_bytes = e->metrics[DSE_METRIC_DDR_BYTES];
    out->stream_s = out->ddr_bytes / g->figures->bandwidth_bytes_per_s;
    out->counted = g->family->quantity(g->figures->quantity, &e->config, work);
    out->software = *g->figures->software != '\0' ? g->family->quantity(g->figures->software, &e->config, work) : 0.0;
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        out->operations += (double)e->sums.operations[p] * e->platform.parts;
}

/* The latency of the same design with the knobs that the publication compares it with. */
static enum dse_status compare_balance(const struct dse_validation_ground *g, const struct dse_setup *setup, struct dse_estimate *made,
                                       struct dse_measured_case *out, struct dse_error *err)
{
    const struct dse_published_figure *figure = dse_published_figure_find(dse_published_case_find(g->figures, "mean"), "balance_speedup", "");
    struct dse_config unbalanced = made->config;
    out->balance_speedup = NAN;
    if (figure == NULL)
        return DSE_OK;
    DSE_TRY(dse_published_words_apply(g->space, figure->against, &unbalanced, err));
    DSE_TRY(dse_estimate_built(setup, &unbalanced, made, err));
    out->balance_speedup = dse_published_compare(figure->as, out->latency_s, made->metrics[DSE_METRIC_LATENCY]);
    return DSE_OK;
}

static enum dse_status estimate(const struct dse_validation_ground *g, const struct dse_measured_draw *draw,
                                struct dse_measured_case *out, struct dse_error *err)
{
    struct dse_stated_board stated;
    dse_stated_board_make(g->board, g->figures, &stated);
    struct dse_setup setup = {.family = g->family, .space = g->space, .board = &stated.board, .costs = g->costs,
                              .workload = &draw->workload, .headroom = -1.0};
    struct dse_estimate *made DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *made);
    void *work = NULL;
    DSE_TRY(g->family->prepare(g->family, &draw->workload, &work, err));
    enum dse_status status = dse_estimate_built(&setup, &draw->config, made, err);
    if (status == DSE_OK)
        take_estimate(g, made, work, out);
    g->family->release(work);
    return status == DSE_OK ? compare_balance(g, &setup, made, out, err) : status;
}

enum dse_status dse_measured_case_make(const struct dse_validation_ground *g, const struct dse_dataset *data,
                                       const struct dse_published_case *published, size_t seeds,
                                       struct dse_measured_case *out, struct dse_error *err)
{
    struct draws draws = {.g = g, .data = data, .words = published->set, .memory = dse_calloc(seeds + 1, sizeof(double))};
    *out = (struct dse_measured_case){.published = published};
    enum dse_status status = dse_parallel_for(seeds, g->jobs, draw_one, &draws, g->monitor, err);
    if (status == DSE_OK)
        status = estimate(g, &draws.first, out, err);
    qsort(draws.memory, seeds, sizeof *draws.memory, dse_by_double);
    out->memory = quantile(draws.memory, seeds, 0.5);
    out->memory_low = quantile(draws.memory, seeds, 0.05);
    out->memory_high = quantile(draws.memory, seeds, 0.95);
    dse_measured_draw_clear(&draws.first);
    free(draws.memory);
    return status;
}
