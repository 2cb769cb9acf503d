/* Published cases that are measured on their data sets, in two columns: as designed, and as published with two fitted
 * constants. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "validation/published.h"

#define BRAM18_BYTES (18.0 * 1024.0 / 8.0)

struct table {
    const struct dse_validation_ground *g;
    const struct dse_dataset *const *sets;
    size_t set_count;
    struct dse_measured_case *cases; /* set by set; the case without a variant first */
    size_t count;
    bool complete; /* every set with published latencies is here */
    struct dse_machines machines;
    struct dse_validation *out;
};

/* A prediction with its band, and the same without fitted constants. */
struct told {
    double value, low, high, designed;
};

static const struct dse_published_figure *figure_of(const struct dse_measured_case *c, const char *what)
{
    return dse_published_figure_find(c->published, what, "");
}

/* A set whose latency is published. */
static bool has_latency(const struct dse_published_case *c)
{
    return *c->dataset != '\0' && isfinite(dse_published_value(dse_published_figure_find(c, "latency_s", "")));
}

static bool all_here(const struct dse_published_file *figures, const struct dse_dataset *const *sets, size_t count)
{
    for (size_t i = 0; i < figures->case_count; i++) {
        bool found = !has_latency(&figures->cases[i]);
        for (size_t k = 0; k < count && !found; k++)
            found = strcmp(sets[k]->name, figures->cases[i].dataset) == 0;
        if (!found)
            return false;
    }
    return true;
}

/* The constants for a case: fitted on all other sets, now or when the file was written. */
static struct dse_published_fit fit_for(const struct table *t, const char *dataset)
{
    struct dse_published_fit fit;
    const struct dse_published_file *figures = t->g->figures;
    if (t->complete) {
        dse_published_fit_make(t->cases, t->count, dataset, &fit);
        return fit;
    }
    for (size_t i = 1; i < figures->fit_count; i++)
        if (strcmp(figures->fits[i].without, dataset) == 0)
            return figures->fits[i];
    return figures->fits[0];
}

static struct told tell_latency(const struct table *t, const struct dse_measured_case *c,
                                const struct dse_published_fit *fit)
{
    return (struct told){.value = c->stream_s + fit->seconds * c->counted,
                         .low = c->stream_s + fit->seconds_low * c->counted,
                         .high = c->stream_s / t->g->figures->efficiency_low + fit->seconds_high * c->counted,
                         .designed = c->latency_s};
}

static struct told tell_power(const struct dse_measured_case *c, const struct dse_published_fit *fit)
{
    double dynamic = c->power_w - c->static_w;
    return (struct told){.value = c->static_w + fit->activity * dynamic,
                         .low = c->static_low_w + fit->activity_low * dynamic,
                         .high = c->static_high_w + fit->activity_high * dynamic, .designed = c->power_w};
}

static struct told tell_energy(const struct table *t, const struct dse_measured_case *c,
                               const struct dse_published_fit *fit)
{
    struct told time = tell_latency(t, c, fit), power = tell_power(c, fit);
    return (struct told){.value = time.value * power.value, .low = time.low * power.low, .high = time.high * power.high,
                         .designed = c->latency_s * c->power_w};
}

/* ---- rows ---- */

/* A row of a case, with a figure's value and source beside it (NULL: none is published). */
static struct dse_validation_row row_of(const char *what, const struct dse_published_case *c, double predicted,
                                        const struct dse_published_figure *figure)
{
    struct dse_validation_row row = dse_validation_row_empty;
    row.what = what;
    row.where = c->name;
    row.profile = *c->dataset != '\0' ? c->dataset : NULL;
    row.config = *c->set != '\0' ? c->set : NULL;
    row.predicted = predicted;
    row.by = "models";
    dse_published_row_put(figure, &row);
    return row;
}

static void add_told(struct table *t, const char *what, const struct dse_measured_case *c, struct told told, double lower_bound,
                     const char *note)
{
    if (figure_of(c, what) == NULL && c->published->figure_count > 0)
        return; /* the publication has no such figure */
    struct dse_validation_row row = row_of(what, c->published, told.value, figure_of(c, what));
    row.low = told.low;
    row.high = told.high;
    row.as_designed = told.designed;
    row.left_out = isfinite(told.designed) ? told.value : NAN; /* a fit that its set took part in predicts no row */
    row.lower_bound = lower_bound;
    row.pooled = isfinite(told.designed);
    row.by = row.pooled ? "fitted constants" : "models";
    row.note = note;
    dse_validation_add(t->out, &row);
}

static void add_case(struct table *t, const struct dse_measured_case *c)
{
    struct dse_published_fit fit = fit_for(t, c->published->dataset);
    struct told memory = {.value = c->memory, .low = c->memory_low, .high = c->memory_high, .designed = NAN};
    double published = dse_published_value(figure_of(c, "memory_bytes"));
    bool outside = published < c->memory_low || published > c->memory_high;
    add_told(t, "latency_s", c, tell_latency(t, c, &fit), c->stream_s, NULL);
    add_told(t, "power_w", c, tell_power(c, &fit), NAN, NULL);
    add_told(t, "energy_j", c, tell_energy(t, c, &fit), NAN, NULL);
    add_told(t, "memory_bytes", c, memory, NAN, outside ? "published outside the draws' 5 to 95 %" : NULL);
}

/* A comparison without a value of its own compares two published figures. */
static void compare(struct dse_validation_row *row, enum dse_published_as as, const struct dse_published_figure *own,
                    const struct dse_published_figure *other)
{
    if (isnan(row->reference))
        row->reference = dse_published_compare(as, dse_published_value(own), dse_published_value(other));
    row->left_out = row->predicted;
}

/* A case's latency compared with another's: the saving, or the ratio. */
static void add_comparison(struct table *t, const struct dse_measured_case *own, const struct dse_measured_case *other,
                           const struct dse_published_figure *figure)
{
    struct dse_published_fit fit = fit_for(t, own->published->dataset);
    double with = dse_published_compare(figure->as, tell_latency(t, own, &fit).value, tell_latency(t, other, &fit).value);
    struct dse_validation_row row = row_of(figure->what, own->published, with, figure);
    row.as_designed = dse_published_compare(figure->as, own->latency_s, other->latency_s);
    row.by = "fitted constants";
    compare(&row, figure->as, figure_of(own, "latency_s"), figure_of(other, "latency_s"));
    dse_validation_add(t->out, &row);
}

static void add_comparisons(struct table *t, const struct dse_measured_case *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < set[i].published->figure_count; f++)
            for (size_t k = 0; k < count; k++)
                if (strcmp(set[i].published->figures[f].than, set[k].published->name) == 0)
                    add_comparison(t, &set[i], &set[k], &set[i].published->figures[f]);
}

static double roof_of(const struct dse_machine *machine, const struct dse_measured_case *c)
{
    return dse_machine_seconds(machine, c->operations, c->ddr_bytes);
}

/* Time of a machine's software by the publication's other sets, at least that of the roofline. */
static double machine_seconds(const struct table *t, const struct dse_measured_case *c, const struct dse_machine *machine)
{
    struct dse_software others = {0};
    for (size_t i = 0; i < t->g->figures->case_count; i++) {
        const struct dse_published_case *p = &t->g->figures->cases[i];
        if (strcmp(p->dataset, c->published->dataset) != 0)
            dse_software_add(&others, p->software, dse_published_value(dse_published_figure_find(p, "latency_s", machine->name)));
    }
    return fmax(roof_of(machine, c), dse_software_seconds(&others, c->software));
}

/* Mean power of a machine on the publication's other sets. */
static double machine_watts(const struct table *t, const struct dse_measured_case *c, const struct dse_machine *machine)
{
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < t->g->figures->case_count; i++) {
        const struct dse_published_case *p = &t->g->figures->cases[i];
        double watts = dse_published_value(dse_published_figure_find(p, "power_w", machine->name));
        bool other = strcmp(p->dataset, c->published->dataset) != 0 && isfinite(watts);
        sum += other ? watts : 0.0;
        count += other;
    }
    return sum / count;
}

/* A machine's time, power or energy for the same work, and its ratio to the accelerator's. */
static void add_machine(struct table *t, const struct dse_measured_case *c, const struct dse_published_figure *figure)
{
    struct dse_published_fit fit = fit_for(t, c->published->dataset);
    const struct dse_machine *machine = dse_machines_find(&t->machines, figure->machine);
    bool energy = strcmp(figure->metric, "energy_j") == 0, times = figure->as == DSE_PUBLISHED_TIMES;
    if (machine == NULL || *figure->unpredicted != '\0')
        return;
    double factor = energy ? machine->power_w : 1.0, roof = roof_of(machine, c) * factor, whole = machine_seconds(t, c, machine) * factor;
    if (strcmp(figure->metric, "power_w") == 0)
        roof = whole = machine_watts(t, c, machine);
    struct told own = energy ? tell_energy(t, c, &fit) : tell_latency(t, c, &fit);
    char what[96];
    dse_published_name(figure, what, sizeof what);
    struct dse_validation_row row = row_of(what, c->published, times ? whole / own.value : whole, figure);
    row.by = "machines";
    row.as_designed = times ? roof / own.designed : roof;
    row.left_out = row.predicted;
    if (times)
        compare(&row, figure->as, figure_of(c, figure->metric), dse_published_figure_find(c->published, figure->metric, machine->name));
    dse_validation_add(t->out, &row);
}

static const struct dse_published_figure *mean_balance(const struct table *t)
{
    return dse_published_figure_find(dse_published_case_find(t->g->figures, "mean"), "balance_speedup", "");
}

static void add_set(struct table *t, const struct dse_measured_case *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_case(t, &set[i]);
    add_comparisons(t, set, count);
    struct dse_validation_row balance = row_of("balance_speedup", set->published, set->balance_speedup, mean_balance(t));
    balance.reference = NAN; /* published only for all sets together */
    dse_validation_add(t->out, &balance);
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < set[i].published->figure_count; f++)
            if (*set[i].published->figures[f].machine != '\0')
                add_machine(t, &set[i], &set[i].published->figures[f]);
}

/* ---- statements on all sets together ---- */

static void add_balance(struct table *t)
{
    const struct dse_published_case *mean = dse_published_case_find(t->g->figures, "mean");
    double sum = 0.0, sets = 0.0;
    for (size_t i = 0; i < t->count; i++) {
        bool plain = *t->cases[i].published->set == '\0';
        sum += plain && has_latency(t->cases[i].published) ? t->cases[i].balance_speedup : 0.0;
        sets += plain && has_latency(t->cases[i].published);
    }
    if (mean == NULL)
        return;
    struct dse_validation_row row = row_of("balance_speedup", mean, sum / sets, mean_balance(t));
    row.note = mean_balance(t) != NULL ? mean_balance(t)->note : NULL;
    dse_validation_add(t->out, &row);
}

/* The publication's statements on its board, beside those of the board's file and the cost library. */
static enum dse_status add_board(struct table *t, struct dse_error *err)
{
    const struct dse_board *board = t->g->board;
    const struct dse_published_case *c = dse_published_case_find(t->g->figures, board->name);
    const struct dse_memory *memory = &board->memories[0];
    struct dse_cost mac;
    DSE_TRY(dse_costs_operator(t->g->costs, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, board->default_clock_hz, &mac, err));
    const struct {
        const char *what;
        double predicted;
    } facts[] = {
        {"peak_flops", 2.0 * floor((double)board->chip[DSE_DSP] / mac.amount[DSE_DSP]) * board->default_clock_hz},
        {"onchip_bytes", (double)board->chip[DSE_BRAM18] * BRAM18_BYTES},
        {"bandwidth", (double)(memory->channels * memory->width_bits) / 8.0 * memory->preset_transfers_hz}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const struct dse_published_figure *figure = dse_published_figure_find(c, facts[i].what, "");
        if (figure == NULL)
            continue;
        struct dse_validation_row row = row_of(facts[i].what, c, facts[i].predicted, figure);
        row.note = *figure->note != '\0' ? figure->note : NULL;
        dse_validation_add(t->out, &row);
    }
    return DSE_OK;
}

static void add_design(struct table *t, const struct dse_published_plan *plan, const struct dse_published_design *design)
{
    const struct dse_published_case *all = dse_published_case_find(t->g->figures, "all sets");
    char where[64], note[200];
    snprintf(note, sizeof note, "%s: graphs of up to %.0f nodes and %.0f non-zeros", plan->set, design->nodes,
             design->nonzeros);
    snprintf(where, sizeof where, "all sets%s%s", plan->name[0] != '\0' ? " " : "", plan->name);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        const struct dse_published_figure *figure = dse_published_figure_find(all, dse_resource_names[r], "");
        if (figure == NULL)
            continue;
        struct dse_validation_row row = row_of(dse_resource_names[r], all, (double)design->nominal[r], figure);
        row.where = where;
        row.low = (double)design->low[r];
        row.high = (double)design->high[r];
        row.note = note;
        row.config = plan->set;
        dse_validation_add(t->out, &row);
    }
}

static enum dse_status add_designs(struct table *t, size_t seeds, struct dse_error *err)
{
    for (size_t p = 0; p < t->g->figures->plan_count; p++) {
        struct dse_published_design design;
        const struct dse_published_plan *plan = &t->g->figures->plans[p];
        DSE_TRY(dse_published_design_make(t->g, t->sets, t->set_count, seeds, plan->set, &design, err));
        add_design(t, plan, &design);
        if (p == 0) {
            memcpy(t->out->story.parts, design.parts, sizeof design.parts);
            t->out->story.part_count = design.part_count;
        }
    }
    return DSE_OK;
}

static void tell_fits(struct table *t)
{
    const struct dse_published_file *figures = t->g->figures;
    struct dse_published_story *story = &t->out->story;
    *story = (struct dse_published_story){
        .told = true, .pooled = dse_arena_strdup(&t->out->arena, figures->pooled), .refitted = t->complete, .fit = fit_for(t, ""),
        .quantity = dse_arena_strdup(&t->out->arena, figures->quantity),
        .seconds_means = dse_arena_strdup(&t->out->arena, figures->seconds_means),
        .activity_means = dse_arena_strdup(&t->out->arena, figures->activity_means),
        .stored_seconds = figures->fits[0].seconds, .stored_activity = figures->fits[0].activity};
    story->fit.without = "";
    story->left_out = dse_arena_alloc(&t->out->arena, figures->case_count + 1, sizeof *story->left_out);
    for (size_t i = 0; i < figures->case_count; i++)
        if (*figures->cases[i].set == '\0' && has_latency(&figures->cases[i])) {
            struct dse_published_fit *fit = &story->left_out[story->left_out_count++];
            *fit = fit_for(t, figures->cases[i].dataset);
            fit->without = dse_arena_strdup(&t->out->arena, figures->cases[i].dataset);
        }
}

/* The file's cases of each set; a set that is missing there has one without figures. */
static enum dse_status make_cases(struct table *t, size_t seeds, struct dse_error *err)
{
    const struct dse_published_file *figures = t->g->figures;
    for (size_t i = 0; i < t->set_count; i++) {
        size_t before = t->count;
        dse_monitor_progress(t->g->monitor, "published figures", i, t->set_count);
        for (size_t k = 0; k < figures->case_count; k++)
            if (strcmp(figures->cases[k].dataset, t->sets[i]->name) == 0)
                DSE_TRY(dse_measured_case_make(t->g, t->sets[i], &figures->cases[k], seeds, &t->cases[t->count++], err));
        if (t->count > before)
            continue;
        struct dse_published_case *bare = dse_arena_alloc(&t->out->arena, 1, sizeof *bare);
        const char *name = dse_arena_strdup(&t->out->arena, t->sets[i]->name);
        *bare = (struct dse_published_case){.name = name, .dataset = name, .profile = "", .set = "", .engine = "",
                                            .board = figures->board};
        DSE_TRY(dse_measured_case_make(t->g, t->sets[i], bare, seeds, &t->cases[t->count++], err));
    }
    return DSE_OK;
}

static void add_sets(struct table *t)
{
    for (size_t i = 0, next = 0; i < t->count; i = next) {
        for (next = i + 1; next < t->count &&
                           strcmp(t->cases[next].published->dataset, t->cases[i].published->dataset) == 0;)
            next++;
        add_set(t, &t->cases[i], next - i);
    }
}

static void close_table(struct table *t)
{
    dse_machines_free(&t->machines);
    free(t->cases);
}

enum dse_status dse_validate_measured(const struct dse_validation_ground *g, const struct dse_dataset *const *sets,
                                      size_t set_count, size_t seeds, struct dse_validation *out, struct dse_error *err)
{
    struct table t DSE_CLEANUP(close_table) = {.g = g, .sets = sets, .set_count = set_count, .out = out,
                                               .complete = all_here(g->figures, sets, set_count)};
    if (g->family->quantity == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: nothing was published for it", g->family->name);
    t.cases = dse_calloc(g->figures->case_count + set_count + 1, sizeof *t.cases);
    DSE_TRY(dse_machines_open(&t.machines, err));
    DSE_TRY(make_cases(&t, seeds, err));
    tell_fits(&t);
    add_sets(&t);
    if (!t.complete)
        return DSE_OK;
    add_balance(&t);
    DSE_TRY(add_board(&t, err));
    return add_designs(&t, seeds, err);
}
