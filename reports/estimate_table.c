/* Estimates as tables and CSV. */
#include <math.h>
#include <string.h>

#include "executor/executor.h"
#include "explore/corners.h"
#include "reports/estimate.h"
#include "reports/load.h"
#include "reports/spread.h"

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

static const char *metric_text(enum dse_metric metric, double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else if (metric == DSE_METRIC_QUALITY)
        snprintf(text, size, "%.3f", value);
    else if (dse_metrics[metric].dimension == DSE_DIMENSION_NONE)
        dse_count_format(text, size, (long long)value);
    else
        dse_quantity_format(text, size, dse_metrics[metric].dimension, value);
    return text;
}

/* Items per second with their name: "3.425 k/s". */
static char *put_items(const struct dse_model_family *family, const struct dse_config *config, enum dse_metric metric, char *text, size_t size)
{
    char *per = dse_metrics[metric].dimension == DSE_DIMENSION_RATE ? strrchr(text, '/') : NULL;
    if (per != NULL)
        snprintf(per, size - (size_t)(per - text), "%s%s/s", per[-1] == ' ' ? "" : " ", dse_items_word(family, config));
    return text;
}

char *dse_amount_text(const struct dse_model_family *family, const struct dse_config *config, enum dse_metric metric, double value, char *text, size_t size)
{
    if (dse_metrics[metric].resource >= 0)
        return dse_count_format(text, size, (long long)value);
    return put_items(family, config, metric, dse_quantity_format(text, size, dse_metrics[metric].dimension, value), size);
}

void dse_table_metric(struct dse_table *table, enum dse_metric metric, double value)
{
    char text[64];
    dse_table_text(table, metric_text(metric, value, text, sizeof text));
}

char *dse_estimate_text(const struct dse_model_family *family, enum dse_metric metric, const struct dse_estimate *estimate, char text[64])
{
    metric_text(metric, estimate->metrics[metric], text, 64);
    return put_items(family, &estimate->config, metric, text, 64);
}

/* ---- one design ---- */

/* Stages of the latency in which no engine works, but the host's processor. */
static void write_prepared(const struct dse_model_family *family, const struct dse_estimate *estimate, struct dse_strbuf *out)
{
    char time[32];
    for (size_t s = 0; s < family->stage_count; s++)
        if ((family->prepare_stages >> s & 1) != 0 && estimate->stages[s].cycles > 0)
            dse_strbuf_printf(out, "latency includes `%s` on the host's processor: %s\n", family->stages[s],
                              dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, estimate->stages[s].latency_s));
}

static void write_engines(const struct dse_design *reported, size_t width, struct dse_strbuf *out)
{
    struct dse_engine_row rows[DSE_ENGINE_MAX];
    size_t count = 0;
    for (size_t e = 0; e < reported->setup->family->engine_count; e++) {
        rows[count] = dse_engine_row(reported->setup->family, reported->estimate, e);
        count += dse_engine_present(&rows[count]);
    }
    dse_fields_write(dse_engine_fields, rows, count, sizeof *rows, width, out);
    dse_strbuf_add(out, "* the bottleneck\n");
    write_prepared(reported->setup->family, reported->estimate, out);
}

static void write_limits(const struct dse_design *reported, size_t width, struct dse_strbuf *out)
{
    const struct dse_estimate *estimate = reported->estimate;
    struct dse_table table = {0};
    dse_table_columns(&table, "resource|used>|low>|high>|limit>|of limit>|cap at clock>|chip>");
    for (int m = DSE_METRIC_BRAM18; m <= DSE_METRIC_LUTRAM; m++) {
        int r = dse_metrics[m].resource;
        double used = estimate->metrics[m], limit = (double)estimate->platform.limits[r];
        dse_table_text(&table, dse_metrics[m].heading);
        dse_table_count(&table, (int64_t)used);
        dse_table_count(&table, (int64_t)estimate->low[m]);
        dse_table_count(&table, (int64_t)estimate->high[m]);
        dse_table_count(&table, estimate->platform.limits[r]);
        dse_table_real(&table, "%.1f %%", limit > 0.0 ? 100.0 * used / limit : NAN, "-");
        dse_table_count(&table, estimate->platform.capped[r]);
        dse_table_count(&table, reported->setup->board->chip[r]);
    }
    dse_table_finish(&table, width, out);
}

/* "fits         no: BRAM18 3,167 of 1,027; URAM 320 of 256 at 250 MHz" */
static void write_misfit(const struct dse_estimate *estimate, struct dse_strbuf *out)
{
    const char *before = "fits         no: ";
    char used[32], cap[32];
    for (int m = DSE_METRIC_BRAM18; m <= DSE_METRIC_LUTRAM; m++) {
        int64_t capped = estimate->platform.capped[dse_metrics[m].resource];
        if (estimate->metrics[m] <= (double)capped)
            continue;
        dse_strbuf_printf(out, "%s%s %s of %s", before, dse_metrics[m].heading, dse_count_format(used, sizeof used, (long long)estimate->metrics[m]),
                          dse_count_format(cap, sizeof cap, (long long)capped));
        before = "; ";
    }
    dse_strbuf_printf(out, " at %g MHz\n\n", 1e9 / (double)estimate->platform.fs_per_cycle);
}

/* Format: "  (kernel 1 ms to 2 ms; on a board: unknown)" */
static void write_bands(struct dse_strbuf *out, const struct dse_model_family *family, enum dse_metric metric,
                        const struct dse_estimate *estimate)
{
    const char *const scopes[] = {[DSE_BANDS_KERNEL] = family->own_profile != NULL || dse_metric_of_system(metric) ? "modelled " : "kernel ", [DSE_BANDS_SYSTEM] = "on a board "};
    bool any = false;
    for (int scope = DSE_BANDS_KERNEL; scope <= DSE_BANDS_SYSTEM; scope++) {
        double ends[2];
        char low[64], high[64];
        bool known = dse_bands_ends(family, (enum dse_bands_scope)scope, metric, estimate, &ends[0], &ends[1]);
        if (known)
            dse_strbuf_printf(out, "%s%s%s to %s", any ? "; " : "  (", scopes[scope],
                              dse_quantity_format(low, sizeof low, dse_metrics[metric].dimension, ends[0]),
                              dse_quantity_format(high, sizeof high, dse_metrics[metric].dimension, ends[1]));
        else if (scope == DSE_BANDS_SYSTEM)
            dse_strbuf_printf(out, "%sunknown", any ? "; on a board: " : "  (error ");
        any |= known;
    }
    dse_strbuf_add(out, ")");
}

const char *dse_amount_per(const struct dse_model_family *family, enum dse_metric metric, const struct dse_config *config, double batch, char text[64])
{
    double items = family->items != NULL ? (double)family->items(family, config) : 1.0;
    const char *word = dse_items_word(family, config);
    const size_t length = strlen(word), plural = length > 3 && strcmp(word + length - 3, "ies") == 0 ? 3 : 1; /* "queries", "samples" */
    enum dse_dimension dimension = dse_metrics[metric].dimension;
    bool counts = dimension == DSE_DIMENSION_TIME || dimension == DSE_DIMENSION_ENERGY || dimension == DSE_DIMENSION_BYTES || metric == DSE_METRIC_CYCLES;
    text[0] = '\0';
    if (items > 1.0 && metric == DSE_METRIC_ENERGY_SYSTEM)
        snprintf(text, 64, " per %.*s%s", (int)(length - plural), word, plural == 3 ? "y" : "");
    else if (items > 1.0 && counts)
        snprintf(text, 64, " per %.0f %.40s", items * (metric == DSE_METRIC_LATENCY_SYSTEM ? batch : 1.0), word);
    return text;
}

/* As a heading, whose second line says what an amount covers. The line is omitted unless all rows cover the same number of items. */
static void add_metric_column(struct dse_table *table, const struct dse_design *reported, size_t count, enum dse_metric metric)
{
    char heading[96], per[64], other[64];
    bool same = true;
    dse_amount_per(reported[0].setup->family, metric, &reported[0].estimate->config, reported[0].estimate->platform.batch, per);
    for (size_t i = 1; i < count; i++)
        same &= strcmp(per, dse_amount_per(reported[i].setup->family, metric, &reported[i].estimate->config, reported[i].estimate->platform.batch, other)) == 0;
    snprintf(heading, sizeof heading, "%s%s%s", dse_metrics[metric].heading, same && *per != '\0' ? "\n" : "", same && *per != '\0' ? per + 1 : "");
    dse_table_column(table, heading, true);
}

static void write_quantity(struct dse_strbuf *out, const struct dse_model_family *family, const char *what, enum dse_metric metric,
                           const struct dse_estimate *estimate, bool banded)
{
    static const char *const names[DSE_METRIC_COUNT] = {[DSE_METRIC_LATENCY_SYSTEM] = " latency", [DSE_METRIC_ENERGY_SYSTEM] = " energy", [DSE_METRIC_POWER_SYSTEM] = " power",
                                                        [DSE_METRIC_THROUGHPUT_SYSTEM] = " throughput"}; /* for lines that have none before them */
    char text[64], per[64];
    dse_strbuf_printf(out, "%-12s %s%s", what, dse_estimate_text(family, metric, estimate, text), names[metric] != NULL ? names[metric] : "");
    dse_strbuf_add(out, dse_amount_per(family, metric, &estimate->config, estimate->platform.batch, per));
    if (banded)
        write_bands(out, family, metric, estimate);
    dse_strbuf_add(out, "\n");
}

static void write_quality(const struct dse_design *reported, struct dse_strbuf *out)
{
    const struct dse_quality *quality = reported->quality;
    const struct dse_standard *standard = reported->standard;
    if (quality == NULL) {
        dse_strbuf_add(out, "quality      not measured at this setting\n");
        return;
    }
    const char *training = dse_quality_training(reported->setup->family->knobs, quality);
    dse_strbuf_printf(out, "%-12s %.3f ± %.3f (%s, n = %lld)%s%s\n", dse_quality_title(quality->name), dse_quality_plain(quality->name, quality->mean), dse_spread_of(quality),
                      dse_spread_name(), (long long)quality->n, training != NULL ? ", trained by preset " : "", training != NULL ? training : "");
    if (quality->protocol != NULL && *quality->protocol != '\0')
        dse_strbuf_printf(out, "%-12s %s\n", "", quality->protocol);
    if (standard == NULL || (isnan(standard->preset) && isnan(standard->majority)))
        return;
    dse_strbuf_printf(out, isnan(standard->preset) ? "%-12s `train --preset " DSE_REFERENCE "` is not measured" : "%-12s `train --preset " DSE_REFERENCE "` reaches %.3f", "",
                      dse_quality_plain(quality->name, standard->preset));
    if (!isnan(standard->majority))
        dse_strbuf_printf(out, ", a %s %.3f%s", dse_quality_chance_title(quality->name), dse_quality_plain(quality->name, standard->majority),
                          dse_standard_beats_majority(standard, quality->mean) ? "" : ": this setting is no better");
    else
        dse_strbuf_printf(out, ", a %s is not known", dse_quality_chance_title(quality->name));
    dse_strbuf_add(out, "\n");
}

/* Active knobs, those in `which` (NULL: all), as "NAME=VALUE" after `line` characters, in lines of `width`. */
static void write_config(const struct dse_space *space, const struct dse_config *config, dse_knob_set which, size_t line, size_t width,
                         const char *indent, struct dse_strbuf *out)
{
    for (size_t k = 0; k < space->count; k++) {
        if (!dse_knob_active(space, config, k) || !dse_bits_has(which, k))
            continue;
        char item[160];
        dse_knob_text(space, config, k, item, sizeof item);
        if (width > 0 && line > 0 && line + 1 + strlen(item) > width) {
            dse_strbuf_printf(out, "\n%s", indent);
            line = strlen(indent);
        }
        dse_strbuf_printf(out, "%s%s", line > 0 ? " " : "", item);
        line += strlen(item) + (line > 0);
    }
    dse_strbuf_add(out, "\n");
}

const struct dse_clock_cap *dse_design_cap(const struct dse_design *design, const struct dse_board_source **source)
{
    const struct dse_board *board = design->setup->board;
    const struct dse_clock_cap *cap = dse_board_cap(board, (double)design->estimate->config.value[design->setup->family->clock_knob] * 1e6);
    *source = cap != NULL ? dse_board_cap_source(board, cap) : NULL;
    return cap;
}

const char *dse_cap_words(const struct dse_board *board, double clock_hz, char text[80])
{
    const struct dse_clock_cap *cap = dse_board_cap(board, clock_hz);
    const struct dse_board_source *source = cap != NULL ? dse_board_cap_source(board, cap) : NULL;
    text[0] = '\0';
    if (source != NULL && strcmp(source->evidence, "assumed") == 0)
        snprintf(text, 80, "the resource cap at clocks up to %.0f MHz is assumed", cap->clock_hz / 1e6);
    return text;
}

const char *dse_caps_words(const struct dse_board *board, const int64_t *clocks_mhz, size_t count, char text[80])
{
    int64_t fastest = 0;
    for (size_t i = 0; i < count; i++)
        if (clocks_mhz[i] > fastest && *dse_cap_words(board, (double)clocks_mhz[i] * 1e6, text) != '\0')
            fastest = clocks_mhz[i];
    return dse_cap_words(board, (double)fastest * 1e6, text);
}

bool dse_design_assumed(const struct dse_design *design, struct dse_assumed *out)
{
    const struct dse_model_family *family = design->setup->family;
    double all = 0.0, own = NAN;
    *out = (struct dse_assumed){.what = design->facts != NULL ? dse_setting_get(design->facts, DSE_PROFILE_ASSUMED) : NULL, .share = NAN};
    if (out->what == NULL)
        return false;
    out->stage = dse_setting_get(design->facts, DSE_PROFILE_ASSUMED_STAGE);
    for (size_t s = 0; s < family->stage_count; s++) {
        double cycles = (double)design->estimate->stages[s].cycles;
        all += cycles;
        own = out->stage != NULL && strcmp(family->stages[s], out->stage) == 0 ? cycles : own;
    }
    out->share = own / all;
    return true;
}

void dse_assumed_add(const struct dse_design *design, const char *before, const char *after, struct dse_strbuf *out)
{
    struct dse_assumed assumed;
    if (!dse_design_assumed(design, &assumed))
        return;
    dse_strbuf_printf(out, "%sassumed, not measured: %s", before, assumed.what);
    if (isfinite(assumed.share))
        dse_strbuf_printf(out, "; %s takes %.0f %% of the cycles and depends on it: do not trust this latency", assumed.stage, 100.0 * assumed.share);
    dse_strbuf_add(out, after);
}

/* Notes if the cap at the design's clock is stated only in the board file. */
static void write_assumed_cap(const struct dse_design *reported, struct dse_strbuf *out)
{
    char text[80];
    double clock_hz = (double)reported->estimate->config.value[reported->setup->family->clock_knob] * 1e6;
    if (*dse_cap_words(reported->setup->board, clock_hz, text) != '\0')
        dse_strbuf_printf(out, "%s (see `boards show %s`)\n", text, reported->setup->board->name);
}

void dse_clock_add(const struct dse_design *design, const char *before, const char *after, struct dse_strbuf *out)
{
    const struct dse_clock_limit *clock = &design->estimate->clock;
    if (clock->ns > 0.0)
        dse_strbuf_printf(out, "%sat most %.0f MHz (%.0f to %.0f), by %s: %s%s", before, 1e3 / clock->ns, 1e3 / (clock->ns * clock->high),
                          1e3 / (clock->ns * clock->low), design->setup->family->engines[clock->engine].name, clock->where, after);
    else if (clock->unknown)
        dse_strbuf_printf(out, "%snot checked: path delays of %s are unknown%s", before, design->setup->board->family, after);
}

/* Figures at the system boundary, and the host path's contribution. */
static void write_system(const struct dse_setup *setup, const struct dse_estimate *estimate, struct dse_strbuf *out)
{
    const struct dse_host *host = &setup->board->host;
    const double items = estimate->platform.batch * dse_platform_items(&estimate->platform);
    char text[32], low[32], high[32], batch[96] = "", starts[64] = "";
    if (*host->name == '\0')
        return;
    write_quantity(out, setup->family, "system", DSE_METRIC_LATENCY_SYSTEM, estimate, true);
    write_quantity(out, setup->family, "", DSE_METRIC_ENERGY_SYSTEM, estimate, true);
    write_quantity(out, setup->family, "", DSE_METRIC_POWER_SYSTEM, estimate, true);
    write_quantity(out, setup->family, "", DSE_METRIC_THROUGHPUT_SYSTEM, estimate, true);
    double added_s = estimate->platform.batch * dse_host_s(&estimate->platform, &estimate->sums);
    if (host->batch > 1)
        snprintf(batch, sizeof batch, " for %.0f %.60s", items, dse_items_word(setup->family, &estimate->config));
    const int64_t each = dse_starts(&estimate->platform, &estimate->sums), transfers = estimate->platform.transfers * (1 + estimate->sums.reruns);
    if (!estimate->platform.queued && (host->batch > 1 || each > 1))
        snprintf(starts, sizeof starts, ", %lld start%s and %lld transfer%s each", (long long)each, each > 1 ? "s" : "", (long long)transfers, transfers > 1 ? "s" : "");
    dse_strbuf_printf(out, "%-12s %s: %s per launch%s%s", "host", host->name, dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, added_s), batch, starts);
    dse_strbuf_printf(out, "; processor %s", dse_quantity_format(high, sizeof high, DSE_DIMENSION_POWER, host->power_w));
    dse_strbuf_printf(out, " (%s to %s)\n", dse_quantity_format(low, sizeof low, DSE_DIMENSION_POWER, host->power_low_w),
                      dse_quantity_format(high, sizeof high, DSE_DIMENSION_POWER, host->power_high_w));
}

/* Number of cost entries used, by level of evidence. */
static void write_provenance(const struct dse_design *reported, struct dse_strbuf *out)
{
    const struct dse_costs *costs = reported->setup->costs;
    size_t levels[DSE_LEVEL_COUNT] = {0}, total = 0;
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++)
        if ((reported->estimate->provenance.used[i / 64] >> (i % 64) & 1) != 0) {
            levels[dse_costs_entry(costs, i)->level]++;
            total++;
        }
    if (total == 0) /* the RTL's parts are not library operators; a file may state all amounts itself */
        dse_strbuf_printf(out, "\nbased on %s", reported->setup->family->own_profile != NULL ? "the costs in the family's file" : "counts of open synthesis");
    else
        dse_strbuf_printf(out, "\nbased on %zu cost entr%s:", total, total == 1 ? "y" : "ies");
    for (int level = 0, shown = 0; level < DSE_LEVEL_COUNT; level++)
        if (levels[level] > 0)
            dse_strbuf_printf(out, "%s %zu %s", shown++ > 0 ? "," : "", levels[level], dse_level_names[level]);
    const char *calibration = dse_costs_calibration(costs);
    dse_strbuf_printf(out, "%s%s%s\n", calibration != NULL ? "; calibrated by " : "", calibration != NULL ? calibration : "",
                      total > 0 ? " (--format json lists them)" : "");
    write_assumed_cap(reported, out);
    dse_assumed_add(reported, "", "\n", out);
}

void dse_estimate_write(const struct dse_design *reported, size_t width, struct dse_strbuf *out)
{
    const struct dse_setup *setup = reported->setup;
    const struct dse_estimate *estimate = reported->estimate;
    dse_strbuf_printf(out, "%s on %s with %s\n", setup->family->name, setup->board->title, reported->dataset);
    if (reported->origin != NULL)
        dse_strbuf_printf(out, "design: %s\n", reported->origin);
    write_config(setup->space, &estimate->config, dse_bits_all(), 0, width > 0 ? width : 100, "", out);
    dse_strbuf_add(out, "\n");
    write_quantity(out, setup->family, "latency", DSE_METRIC_LATENCY, estimate, true);
    write_quantity(out, setup->family, "p99", DSE_METRIC_LATENCY_P99, estimate, true);
    write_quantity(out, setup->family, "throughput", DSE_METRIC_THROUGHPUT, estimate, false);
    write_quantity(out, setup->family, "energy", DSE_METRIC_ENERGY, estimate, true);
    write_quantity(out, setup->family, "power", DSE_METRIC_POWER, estimate, true);
    write_quantity(out, setup->family, "DRAM energy", DSE_METRIC_DRAM_ENERGY, estimate, false);
    write_system(setup, estimate, out);
    write_quality(reported, out);
    dse_clock_add(reported, "clock        ", "\n", out);
    if (estimate->fits)
        dse_strbuf_add(out, "fits         yes\n\n");
    else if (!estimate->platform.clock_allowed)
        dse_strbuf_printf(out, "fits         no: the board reaches at most %g MHz\n\n",
                          reported->setup->board->max_clock_hz * 1e-6);
    else
        write_misfit(estimate, out);
    write_engines(reported, width, out);
    dse_strbuf_add(out, "\n");
    write_limits(reported, width, out);
    write_provenance(reported, out);
    if (reported->load != NULL)
        dse_load_write(reported->load, &setup->board->host, dse_items_word(setup->family, &estimate->config), out);
}

/* ---- every number ---- */

const char *dse_knob_text(const struct dse_space *space, const struct dse_config *config, size_t knob, char *text, size_t size)
{
    char value[64];
    snprintf(text, size, "%s=%s", space->knobs[knob].name, dse_knob_format(&space->knobs[knob], config->value[knob], value, sizeof value));
    return text;
}

void dse_table_knob(struct dse_table *table, const struct dse_space *space, const struct dse_config *config, size_t knob,
                    const char *otherwise)
{
    char value[64];
    bool active = dse_knob_active(space, config, knob);
    dse_table_text(table, active ? dse_knob_format(&space->knobs[knob], config->value[knob], value, sizeof value) : otherwise);
}

static void add_knob_columns(const struct dse_space *space, struct dse_table *table)
{
    for (size_t k = 0; k < space->count; k++)
        dse_table_column(table, space->knobs[k].name, true);
}

/* Name of the quality for a separate column, of the first data set if it is measured; NULL if it is "quality" or the family has none. */
static const char *named_quality(const struct dse_workbench *bench)
{
    const struct dse_executor *executor = dse_executor_find(bench->family->name);
    const struct dse_quality *first = bench->profile_count > 0 ? dse_profile_reference_quality(bench->profiles[0]) : NULL;
    const char *name = first != NULL ? first->name : executor != NULL ? executor->quality_name : "quality";
    return strcmp(name, "quality") != 0 ? name : NULL;
}

static void add_metric_columns(const struct dse_workbench *bench, struct dse_table *table)
{
    const char *named = named_quality(bench);
    dse_table_columns(table, "board|dataset");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_table_column(table, dse_metrics[m].key, true);
    dse_table_columns(table, "quality_std>|quality_n>");
    if (named != NULL)
        dse_table_column(table, named, true);
}

void dse_estimate_columns(const struct dse_workbench *bench, struct dse_table *table)
{
    const struct dse_model_family *family = bench->family;
    add_metric_columns(bench, table);
    dse_table_columns(table, "quality_majority>|quality_preset>|quality_floor>|quality_reported>|quality_reported_std>|quality_reported_n>|"
                             "latency_s_low>|latency_s_high>|fits|bottleneck");
    for (size_t e = 0; e < family->engine_count; e++) {
        char heading[64];
        snprintf(heading, sizeof heading, "%s_cycles", family->engines[e].name);
        dse_table_column(table, heading, true);
    }
    add_knob_columns(bench->space, table);
}

static void add_standard(const struct dse_design *reported, struct dse_table *table)
{
    static const struct dse_standard unknown = {NAN, NAN, NAN, NAN};
    const struct dse_standard *standard = reported->standard != NULL ? reported->standard : &unknown;
    dse_table_number(table, standard->majority);
    dse_table_number(table, standard->preset);
    dse_table_number(table, standard->floor);
    const struct dse_quality *quality = reported->quality; /* on splits held out from the choice */
    bool held_out = quality != NULL && quality->reported_n > 0;
    dse_table_number(table, held_out ? quality->reported_mean : NAN);
    dse_table_number(table, held_out ? quality->reported_std : NAN);
    dse_table_number(table, held_out ? (double)quality->reported_n : NAN);
}

static void add_metrics(const struct dse_design *reported, struct dse_table *table)
{
    const struct dse_quality *quality = reported->quality;
    dse_table_text(table, reported->setup->board->name);
    dse_table_text(table, reported->dataset);
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        dse_table_number(table, reported->estimate->metrics[m]);
    dse_table_number(table, quality != NULL ? quality->mean : NAN);
    dse_table_number(table, quality != NULL ? quality->std : NAN);
    dse_table_number(table, quality != NULL ? (double)quality->n : NAN);
    const char *heading = table->headings[table->cell_count % table->columns].text;
    if (strncmp(heading, "quality_", 8) != 0 && dse_space_find(reported->setup->space, heading) < 0) /* the named one; empty for another name */
        dse_table_number(table, quality != NULL && strcmp(quality->name, heading) == 0 ? quality->mean : NAN);
}

static void add_knobs(const struct dse_design *reported, struct dse_table *table)
{
    for (size_t k = 0; k < reported->setup->space->count; k++)
        dse_table_knob(table, reported->setup->space, &reported->estimate->config, k, "");
}

void dse_estimate_row(const struct dse_design *reported, struct dse_table *table)
{
    const struct dse_model_family *family = reported->setup->family;
    const struct dse_estimate *estimate = reported->estimate;
    double low, high;
    add_metrics(reported, table);
    add_standard(reported, table);
    dse_bands_known(family, DSE_METRIC_LATENCY, estimate, &low, &high);
    dse_table_number(table, low);
    dse_table_number(table, high);
    dse_table_text(table, yes_no(estimate->fits));
    dse_table_text(table, family->engines[estimate->bottleneck].name);
    for (size_t e = 0; e < family->engine_count; e++)
        dse_table_cell(table, "%lld", (long long)estimate->engines[e].cycles);
    add_knobs(reported, table);
}

void dse_estimate_compact_columns(const struct dse_workbench *bench, struct dse_table *table)
{
    add_metric_columns(bench, table);
    add_knob_columns(bench->space, table);
}

void dse_estimate_compact_row(const struct dse_design *reported, struct dse_table *table)
{
    add_metrics(reported, table);
    add_knobs(reported, table);
}

/* ---- designs side by side ---- */

/* By ID if a study stores them all, otherwise numbered. */
static bool have_ids(const struct dse_design *reported, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (reported[i].id == 0)
            return false;
    return true;
}

/* Mean, standard error and n, and the accuracy of a constant prediction; "!" if the mean is not better. */
static void add_measured(const struct dse_design *reported, bool majority, struct dse_table *table)
{
    const struct dse_quality *quality = reported->quality;
    const struct dse_standard *standard = reported->standard;
    if (quality != NULL)
        dse_table_cell(table, "%.3f ± %.3f (%lld)%s", dse_quality_plain(quality->name, quality->mean), dse_spread_of(quality), (long long)quality->n,
                       standard == NULL || dse_standard_beats_majority(standard, quality->mean) ? "" : "!");
    else
        dse_table_text(table, "-");
    if (majority)
        dse_table_real(table, "%.3f", standard == NULL ? NAN : quality != NULL ? dse_quality_plain(quality->name, standard->majority) : standard->majority, "-");
}

/* Whether any design has a non-zero value of the metric, or cycles in the engine. */
static bool any_metric(const struct dse_design *reported, size_t count, enum dse_metric metric)
{
    for (size_t i = 0; i < count; i++)
        if (reported[i].estimate->metrics[metric] != 0.0)
            return true;
    return false;
}

static bool any_cycles(const struct dse_design *reported, size_t count, size_t engine)
{
    for (size_t i = 0; i < count; i++)
        if (reported[i].estimate->engines[engine].cycles > 0)
            return true;
    return false;
}

static void write_metrics(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out)
{
    static const enum dse_metric shown[] = {DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY, DSE_METRIC_ENERGY_SYSTEM,
                                            DSE_METRIC_BRAM18,  DSE_METRIC_URAM,           DSE_METRIC_DSP,    DSE_METRIC_LUT,
                                            DSE_METRIC_FF,      DSE_METRIC_DDR_BYTES};
    const struct dse_model_family *family = reported[0].setup->family;
    bool ids = have_ids(reported, count);
    struct dse_table table = {0};
    dse_table_column(&table, ids ? "id" : "#", true);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (any_metric(reported, count, shown[i]))
            add_metric_column(&table, reported, count, shown[i]);
    char measured[64];
    snprintf(measured, sizeof measured, "%.20s\n± %s (n)", reported[0].quality != NULL ? dse_quality_title(reported[0].quality->name) : "quality", dse_spread_short());
    dse_table_column(&table, measured, true);
    if (reported[0].standard != NULL)
        dse_table_column(&table, "constant\nprediction", true);
    if (reported[0].chance > 0.0)
        dse_table_column(&table, "P(Pareto-\noptimal)", true);
    dse_table_columns(&table, "fits|bottleneck");
    for (size_t e = 0; e < family->engine_count; e++) {
        char heading[64];
        snprintf(heading, sizeof heading, "%s cycles", family->engines[e].name);
        if (any_cycles(reported, count, e))
            dse_table_column(&table, heading, true);
    }
    for (size_t i = 0; i < count; i++) {
        const struct dse_estimate *estimate = reported[i].estimate;
        dse_table_cell(&table, "%lld", ids ? (long long)reported[i].id : (long long)i + 1);
        for (size_t m = 0; m < sizeof shown / sizeof *shown; m++)
            if (any_metric(reported, count, shown[m]))
                dse_table_metric(&table, shown[m], estimate->metrics[shown[m]]);
        add_measured(&reported[i], reported[0].standard != NULL, &table);
        if (reported[0].chance > 0.0)
            dse_table_cell(&table, "%.0f %%", 100.0 * reported[i].chance);
        dse_table_text(&table, yes_no(estimate->fits));
        dse_table_text(&table, family->engines[estimate->bottleneck].name);
        for (size_t e = 0; e < family->engine_count; e++)
            if (any_cycles(reported, count, e))
                dse_table_count(&table, estimate->engines[e].cycles);
    }
    dse_table_finish(&table, width, out);
}

static bool same_everywhere(const struct dse_design *reported, size_t count, size_t knob)
{
    const struct dse_space *space = reported[0].setup->space;
    for (size_t i = 1; i < count; i++)
        if (reported[i].estimate->config.value[knob] != reported[0].estimate->config.value[knob] ||
            dse_knob_active(space, &reported[i].estimate->config, knob) !=
                dse_knob_active(space, &reported[0].estimate->config, knob))
            return false;
    return true;
}

static void write_knobs(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out)
{
    const struct dse_space *space = reported[0].setup->space;
    bool ids = have_ids(reported, count);
    struct dse_table table = {0};
    dse_table_column(&table, ids ? "id" : "#", true);
    for (size_t k = 0; k < space->count; k++)
        if (!same_everywhere(reported, count, k))
            dse_table_column(&table, space->knobs[k].name, true);
    for (size_t i = 0; i < count && table.columns > 1; i++) {
        const struct dse_config *config = &reported[i].estimate->config;
        dse_table_cell(&table, "%lld", ids ? (long long)reported[i].id : (long long)i + 1);
        for (size_t k = 0; k < space->count; k++)
            if (!same_everywhere(reported, count, k))
                dse_table_knob(&table, space, config, k, "-");
    }
    if (table.columns > 1) {
        dse_strbuf_add(out, "\n");
        dse_table_write(&table, width, out);
    }
    dse_table_free(&table);
}

static void write_common(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out)
{
    const struct dse_space *space = reported[0].setup->space;
    static const char beginning[] = "the same in all:";
    dse_knob_set same = {{0}};
    for (size_t k = 0; k < space->count; k++)
        if (same_everywhere(reported, count, k))
            dse_bits_add(&same, k);
    dse_strbuf_printf(out, "\n%s", beginning);
    write_config(space, &reported[0].estimate->config, same, sizeof beginning - 1, width, " ", out);
}

void dse_estimates_write_knobs(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out)
{
    if (count == 0)
        return;
    write_knobs(reported, count, width, out);
    write_common(reported, count, width, out);
}

void dse_estimates_write(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out)
{
    if (count == 0)
        return;
    write_metrics(reported, count, width, out);
    dse_estimates_write_knobs(reported, count, width, out);
}
