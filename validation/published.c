/* Models against published figures, in two columns: as designed, and as published with two fitted constants. */
#include "validation/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BRAM18_BYTES (18.0 * 1024.0 / 8.0)
#define CASES_A_SET 2 /* without and with DPP */

struct table {
    const struct dse_validation_ground *g;
    struct dse_published_case *cases;
    size_t count;
    bool complete; /* every set with published latencies is here */
    struct dse_machines machines;
    struct dse_validation *out;
    struct dse_published_story *story;
};

/* A prediction with its band, and the same without fitted constants. */
struct told {
    double value, low, high, designed;
};

static bool has_published(const struct dse_validation_data *figures, const char *dataset)
{
    return isfinite(dse_published_value(figures, "latency_s", dataset, "", ""));
}

static bool all_here(const struct dse_validation_data *figures, const struct dse_dataset *const *sets, size_t count)
{
    for (size_t i = 0; i < figures->set_count; i++) {
        bool found = !has_published(figures, figures->sets[i].dataset);
        for (size_t k = 0; k < count && !found; k++)
            found = strcmp(sets[k]->name, figures->sets[i].dataset) == 0;
        if (!found)
            return false;
    }
    return true;
}

static bool in_file(const struct dse_validation_data *figures, const char *dataset)
{
    for (size_t i = 0; i < figures->set_count; i++)
        if (strcmp(figures->sets[i].dataset, dataset) == 0)
            return true;
    return false;
}

/* The constants for a case: fitted on all other sets, now or when the file was written. */
static struct dse_published_fit fit_for(const struct table *t, const char *dataset)
{
    struct dse_published_fit fit;
    const struct dse_validation_data *figures = t->g->figures;
    if (t->complete) {
        dse_published_fit_make(figures, t->cases, t->count, dataset, &fit);
        return fit;
    }
    for (size_t i = 1; i < figures->fit_count; i++)
        if (strcmp(figures->fits[i].without, dataset) == 0)
            return figures->fits[i];
    return figures->fits[0];
}

static struct told tell_latency(const struct table *t, const struct dse_published_case *c,
                                const struct dse_published_fit *fit)
{
    return (struct told){.value = c->stream_s + fit->seconds * c->counted,
                         .low = c->stream_s + fit->seconds_low * c->counted,
                         .high = c->stream_s / t->g->figures->efficiency_low + fit->seconds_high * c->counted,
                         .designed = c->latency_s};
}

static struct told tell_power(const struct dse_published_case *c, const struct dse_published_fit *fit)
{
    double dynamic = c->power_w - c->static_w;
    return (struct told){.value = c->static_w + fit->activity * dynamic,
                         .low = c->static_low_w + fit->activity_low * dynamic,
                         .high = c->static_high_w + fit->activity_high * dynamic, .designed = c->power_w};
}

static struct told tell_energy(const struct table *t, const struct dse_published_case *c,
                               const struct dse_published_fit *fit)
{
    struct told time = tell_latency(t, c, fit), power = tell_power(c, fit);
    return (struct told){.value = time.value * power.value, .low = time.low * power.low, .high = time.high * power.high,
                         .designed = c->latency_s * c->power_w};
}

static const char *source_of(const struct dse_validation_data *figures, const char *what, const char *dataset,
                             const char *variant, const char *machine)
{
    for (size_t i = 0; i < figures->published_count; i++) {
        const struct dse_published *row = &figures->published[i];
        if (strcmp(row->what, what) == 0 && strcmp(row->dataset, dataset) == 0 && strcmp(row->variant, variant) == 0 &&
            strcmp(row->machine, machine) == 0)
            return row->source;
    }
    return "not published, or withheld";
}

static enum dse_status add_told(const struct table *t, const char *what, const struct dse_published_case *c,
                                struct told told, double floor, const char *note, struct dse_error *err)
{
    char where[160];
    snprintf(where, sizeof where, "%s%s%s", c->dataset, c->variant[0] != '\0' ? " " : "", c->variant);
    struct dse_validation_row row = dse_validation_row_empty;
    row.what = what;
    row.where = where;
    row.source = source_of(t->g->figures, what, c->dataset, c->variant, "");
    row.reference = dse_published_value(t->g->figures, what, c->dataset, c->variant, "");
    row.predicted = told.value;
    row.low = told.low;
    row.high = told.high;
    row.as_designed = told.designed;
    row.floor = floor;
    row.note = note;
    return dse_validation_add(t->out, &row, err);
}

static enum dse_status add_case(const struct table *t, const struct dse_published_case *c, struct dse_error *err)
{
    struct dse_published_fit fit = fit_for(t, c->dataset);
    struct told memory = {.value = c->memory, .low = c->memory_low, .high = c->memory_high, .designed = NAN};
    double published = dse_published_value(t->g->figures, "memory_bytes", c->dataset, c->variant, "");
    const char *outside = published < c->memory_low || published > c->memory_high
                              ? "published outside the draws' 5 to 95 %"
                              : NULL;
    DSE_TRY(add_told(t, "latency_s", c, tell_latency(t, c, &fit), c->stream_s, NULL, err));
    DSE_TRY(add_told(t, "power_w", c, tell_power(c, &fit), NAN, NULL, err));
    DSE_TRY(add_told(t, "energy_j", c, tell_energy(t, c, &fit), NAN, NULL, err));
    return add_told(t, "memory_bytes", c, memory, NAN, outside, err);
}

static enum dse_status add_plain(const struct table *t, const char *what, const char *where, double predicted,
                                 double designed, double reference, const char *source, const char *note,
                                 struct dse_error *err)
{
    struct dse_validation_row row = dse_validation_row_empty;
    row.what = what;
    row.where = where;
    row.source = source;
    row.predicted = predicted;
    row.as_designed = designed;
    row.reference = reference;
    row.note = note;
    return dse_validation_add(t->out, &row, err);
}

/* What DPP saves of a set's latency: a share. */
static enum dse_status add_saving(const struct table *t, const struct dse_published_case *full,
                                  const struct dse_published_case *dpp, struct dse_error *err)
{
    const struct dse_validation_data *figures = t->g->figures;
    struct dse_published_fit fit = fit_for(t, full->dataset);
    double before = dse_published_value(figures, "latency_s", full->dataset, "", "");
    double after = dse_published_value(figures, "latency_s", full->dataset, "dpp", "");
    double predicted = 1.0 - tell_latency(t, dpp, &fit).value / tell_latency(t, full, &fit).value;
    return add_plain(t, "dpp_saving", full->dataset, predicted, 1.0 - dpp->latency_s / full->latency_s,
                     1.0 - after / before, source_of(figures, "latency_s", full->dataset, "dpp", ""), NULL, err);
}

/* A machine's roofs on the same work beside what was measured on it, and what the accelerator gains over it. */
static enum dse_status add_machine(const struct table *t, const struct dse_published_case *c,
                                   const struct dse_machine *machine, struct dse_error *err)
{
    const struct dse_validation_data *figures = t->g->figures;
    struct dse_published_fit fit = fit_for(t, c->dataset);
    char where[160], latency[48], speedup[48], energy[48];
    snprintf(where, sizeof where, "%s%s%s", c->dataset, c->variant[0] != '\0' ? " " : "", c->variant);
    snprintf(latency, sizeof latency, "%s.latency_s", machine->name);
    snprintf(speedup, sizeof speedup, "%s.speedup", machine->name);
    snprintf(energy, sizeof energy, "%s.energy_j", machine->name);
    double roof = dse_machine_seconds(machine, c->operations, c->ddr_bytes);
    double measured = dse_published_value(figures, "latency_s", c->dataset, c->variant, machine->name);
    double joule = dse_published_value(figures, "energy_j", c->dataset, c->variant, machine->name);
    double own = dse_published_value(figures, "latency_s", c->dataset, c->variant, "");
    const char *note = measured > 3.0 * roof ? "measured far above the machine's roofs: software" : NULL;
    enum dse_status status =
        add_plain(t, latency, where, roof, NAN, measured,
                  source_of(figures, "latency_s", c->dataset, c->variant, machine->name), note, err);
    if (status == DSE_OK && isfinite(joule))
        status = add_plain(t, energy, where, roof * machine->power_w, NAN, joule,
                           source_of(figures, "energy_j", c->dataset, c->variant, machine->name), note, err);
    if (status == DSE_OK)
        status = add_plain(t, speedup, where, roof / tell_latency(t, c, &fit).value, roof / c->latency_s, measured / own,
                           source_of(figures, "latency_s", c->dataset, c->variant, ""), note, err);
    return status;
}

static enum dse_status add_set(const struct table *t, size_t first, size_t count, struct dse_error *err)
{
    for (size_t i = first; i < first + count; i++)
        DSE_TRY(add_case(t, &t->cases[i], err));
    if (count == CASES_A_SET)
        DSE_TRY(add_saving(t, &t->cases[first], &t->cases[first + 1], err));
    DSE_TRY(add_plain(t, "balance_speedup", t->cases[first].dataset, t->cases[first].balance_speedup, NAN, NAN,
                      "Figure 8 gives 1.13 to 1.24", NULL, err));
    for (size_t i = first; i < first + count; i++)
        for (size_t m = 0; m < t->machines.count; m++)
            DSE_TRY(add_machine(t, &t->cases[i], &t->machines.items[m], err));
    return DSE_OK;
}

/* ---- what is said of all sets together ---- */

static enum dse_status add_balance(const struct table *t, struct dse_error *err)
{
    double sum = 0.0, sets = 0.0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->cases[i].variant[0] != '\0' || !has_published(t->g->figures, t->cases[i].dataset))
            continue;
        sum += t->cases[i].balance_speedup;
        sets += 1.0;
    }
    return add_plain(t, "balance_speedup", "mean", sum / sets, NAN,
                     dse_published_value(t->g->figures, "balance_speedup", "mean", "", ""),
                     source_of(t->g->figures, "balance_speedup", "mean", "", ""), NULL, err);
}

/* What the publication says of its board (Table 5), beside what the board's file and the cost library say. */
static enum dse_status add_board(const struct table *t, struct dse_error *err)
{
    const struct dse_board *board = t->g->board;
    const struct dse_memory *memory = &board->memories[0];
    struct dse_cost mac;
    DSE_TRY(dse_costs_operator(t->g->costs, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, board->default_clock_hz,
                               &mac, err));
    const struct {
        const char *what;
        double predicted;
        const char *note;
    } facts[] = {
        {"peak_flops", 2.0 * floor((double)board->chip[DSE_DSP] / mac.amount[DSE_DSP]) * board->default_clock_hz,
         "every DSP in single-precision lanes"},
        {"onchip_bytes", (double)board->chip[DSE_BRAM18] * BRAM18_BYTES, "block RAM alone; the published figure holds the URAM too"},
        {"bandwidth", (double)(memory->channels * memory->width_bits) / 8.0 * memory->preset_transfers_hz,
         "at the vendor's preset; the published figure is the part's rating"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        DSE_TRY(add_plain(t, facts[i].what, board->name, facts[i].predicted, NAN,
                          dse_published_value(t->g->figures, facts[i].what, board->name, "", ""),
                          source_of(t->g->figures, facts[i].what, board->name, "", ""), facts[i].note, err));
    return DSE_OK;
}

static enum dse_status add_design(struct table *t, const struct dse_published_plan *plan,
                                  const struct dse_published_design *design, struct dse_error *err)
{
    char where[64], note[200];
    snprintf(note, sizeof note, "%s: graphs of up to %.0f nodes and %.0f non-zeros", plan->set, design->nodes,
             design->nonzeros);
    snprintf(where, sizeof where, "all sets%s%s", plan->name[0] != '\0' ? " " : "", plan->name);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        const char *what = dse_resource_names[r];
        double reference = dse_published_value(t->g->figures, what, "all sets", "", "");
        if (!isfinite(reference))
            continue;
        struct dse_validation_row row = dse_validation_row_empty;
        row.what = what;
        row.where = where;
        row.source = source_of(t->g->figures, what, "all sets", "", "");
        row.predicted = (double)design->nominal[r];
        row.low = (double)design->low[r];
        row.high = (double)design->high[r];
        row.reference = reference;
        row.note = note;
        DSE_TRY(dse_validation_add(t->out, &row, err));
    }
    return DSE_OK;
}

static enum dse_status add_designs(struct table *t, const struct dse_dataset *const *sets, size_t set_count,
                                   size_t seeds, struct dse_error *err)
{
    for (size_t p = 0; p < t->g->figures->plan_count; p++) {
        struct dse_published_design design;
        const struct dse_published_plan *plan = &t->g->figures->plans[p];
        DSE_TRY(dse_published_design_make(t->g, sets, set_count, seeds, plan->set, &design, err));
        DSE_TRY(add_design(t, plan, &design, err));
        if (p == 0) {
            memcpy(t->story->parts, design.parts, sizeof design.parts);
            t->story->part_count = design.part_count;
        }
    }
    return DSE_OK;
}

static void tell_fits(struct table *t)
{
    const struct dse_validation_data *figures = t->g->figures;
    struct dse_published_story *story = t->story;
    story->refitted = t->complete;
    story->stored_seconds = figures->fits[0].seconds;
    story->stored_activity = figures->fits[0].activity;
    story->fit = fit_for(t, "");
    size_t room = sizeof story->left_out / sizeof *story->left_out;
    for (size_t i = 0; i < figures->set_count && story->left_out_count < room; i++)
        if (has_published(figures, figures->sets[i].dataset)) {
            story->left_out[story->left_out_count] = fit_for(t, figures->sets[i].dataset);
            story->left_out[story->left_out_count++].without = figures->sets[i].dataset;
        }
}

static enum dse_status make_cases(struct table *t, const struct dse_dataset *const *sets, size_t set_count, size_t seeds,
                                  struct dse_error *err)
{
    for (size_t i = 0; i < set_count; i++) {
        dse_monitor_progress(t->g->monitor, "published figures", i, set_count);
        DSE_TRY(dse_published_case_make(t->g, sets[i], "", seeds, &t->cases[t->count++], err));
        if (in_file(t->g->figures, sets[i]->name))
            DSE_TRY(dse_published_case_make(t->g, sets[i], "dpp", seeds, &t->cases[t->count++], err));
    }
    return DSE_OK;
}

enum dse_status dse_validate_published(const struct dse_validation_ground *g, const struct dse_dataset *const *sets,
                                       size_t set_count, size_t seeds, struct dse_validation *out,
                                       struct dse_published_story *story, struct dse_error *err)
{
    struct table t = {.g = g, .out = out, .story = story, .complete = all_here(g->figures, sets, set_count)};
    *story = (struct dse_published_story){0};
    if (g->family->quantity == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: nothing was published of it", g->family->name);
    t.cases = calloc(CASES_A_SET * set_count + 1, sizeof *t.cases);
    if (t.cases == NULL)
        return dse_fail_memory(err);
    enum dse_status status = dse_machines_open(&t.machines, err);
    if (status == DSE_OK)
        status = make_cases(&t, sets, set_count, seeds, err);
    if (status == DSE_OK)
        tell_fits(&t);
    for (size_t i = 0, next = 0; i < t.count && status == DSE_OK; i = next) {
        for (next = i + 1; next < t.count && strcmp(t.cases[next].dataset, t.cases[i].dataset) == 0;)
            next++;
        status = add_set(&t, i, next - i, err);
    }
    if (status == DSE_OK && t.complete)
        status = add_balance(&t, err);
    if (status == DSE_OK && t.complete)
        status = add_board(&t, err);
    if (status == DSE_OK && t.complete)
        status = add_designs(&t, sets, set_count, seeds, err);
    dse_machines_free(&t.machines);
    free(t.cases);
    return status;
}
