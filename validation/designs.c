/* Published cases with a profile: predicting their figures, and fitting a family's constants to them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/profile.h"
#include "search/question.h"
#include "validation/published.h"

/* Parameters of the fit; assumed. */
#define SWEEPS 12       /* over the constants, one after the other */
#define SECTIONS 48     /* golden sections of a constant's range: 10^-10 of it */
#define GOLDEN 0.6180339887498949
#define NOTHING SIZE_MAX /* no case, no figure */

/* A design, ready to be estimated. */
struct design {
    size_t engine; /* whose figures are wanted; the family's engine count for the whole */
    struct dse_setup setup;
    struct dse_config config;
    struct dse_config trained; /* has the quality: it may be an arithmetic of evaluation, which no hardware has */
    const struct dse_profile *profile;
};

/* A figure with its design, and the design that it is compared with: another case's, the same with other knobs, or its own work on a machine. */
struct ready {
    const struct dse_published_case *of;
    const struct dse_published_figure *figure;
    size_t index; /* index of the case */
    struct design own, other;
};

/* A case's board with its costs, and its profile. */
struct place {
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile;
};

struct designs {
    const struct dse_validation_ground *g;
    const struct dse_model_family *family;
    struct place *places; /* one per case */
    struct ready *ready;  /* ready_count */
    size_t ready_count;
    struct dse_estimate *room;
    struct dse_machines machines;
};

/* ---- designs ---- */

static enum dse_status find_engine(const struct designs *d, const struct dse_published_case *c, size_t *out,
                                   struct dse_error *err)
{
    *out = d->family->engine_count;
    if (*c->engine == '\0')
        return DSE_OK;
    for (size_t e = 0; e < d->family->engine_count; e++)
        if (strcmp(d->family->engines[e].name, c->engine) == 0)
            *out = e;
    return *out < d->family->engine_count
               ? DSE_OK
               : dse_fail(err, DSE_BAD_INPUT, "published case %s: %s has no engine %s", c->name, d->family->name, c->engine);
}

/* Gives the knob its largest value with which the design fits its board. */
static enum dse_status fit_knob(const struct designs *d, const char *name, struct design *design, struct dse_error *err)
{
    const struct dse_space *space = d->g->space;
    struct dse_config most = design->config;
    bool found = false;
    int knob;
    DSE_TRY(dse_space_need(space, name, &knob, err));
    for (size_t i = 0; i < space->knobs[knob].domain_count; i++) {
        int64_t value = space->knobs[knob].domain[i];
        if (found && value <= most.value[knob])
            continue;
        dse_config_put(space, &design->config, (size_t)knob, value);
        DSE_TRY(dse_estimate_built(&design->setup, &design->config, d->room, err));
        if (d->room->fits) {
            most = design->config;
            found = true;
        }
    }
    design->config = most;
    return DSE_OK;
}

/* The design of a case at a figure's knobs, with others over them. */
static enum dse_status make_design(const struct designs *d, size_t index, const struct dse_published_figure *figure,
                                   const char *over, struct design *out, struct dse_error *err)
{
    const struct dse_published_case *c = &d->g->figures->cases[index];
    const struct place *place = &d->places[index];
    const struct dse_space *space = d->g->space;
    DSE_TRY(dse_model_published(d->family, space, place->board, &place->profile->preset, &out->config, err));
    DSE_TRY(dse_published_words_apply(space, c->set, &out->config, err));
    out->trained = out->config;
    DSE_TRY(dse_published_words_apply(space, figure->set, &out->trained, err));
    DSE_TRY(dse_published_words_apply(space, over, &out->trained, err));
    dse_config_canonical(space, &out->trained);
    if (strcmp(figure->metric, "quality") != 0)
        out->config = out->trained;
    DSE_TRY(find_engine(d, c, &out->engine, err));
    dse_config_canonical(space, &out->config);
    out->profile = place->profile;
    out->setup = (struct dse_setup){.family = d->family, .space = space, .board = place->board, .costs = place->costs,
                                    .headroom = -1.0};
    DSE_TRY(dse_profile_work(space, place->profile, &out->config, &out->setup.workload, err));
    return *figure->fitting != '\0' ? fit_knob(d, figure->fitting, out, err) : DSE_OK;
}

static enum dse_status make_ready(const struct designs *d, struct ready *r, struct dse_error *err)
{
    const struct dse_published_file *file = d->g->figures;
    const struct dse_published_case *than = dse_published_case_find(file, r->figure->than);
    DSE_TRY(make_design(d, r->index, r->figure, "", &r->own, err));
    if (*r->figure->against != '\0')
        return make_design(d, r->index, r->figure, r->figure->against, &r->other, err);
    r->other = r->own;
    if (*r->figure->than == '\0')
        return DSE_OK;
    if (than == NULL || *than->profile == '\0')
        return dse_fail(err, DSE_BAD_INPUT, "published case %s: %s than \"%s\": must be a case on a profile", r->of->name,
                        r->figure->what, r->figure->than);
    return make_design(d, (size_t)(than - file->cases), r->figure, "", &r->other, err);
}

static void close_designs(struct designs *d)
{
    for (size_t i = 0; d->places != NULL && i < d->g->figures->case_count; i++) {
        dse_board_free(d->places[i].board);
        dse_costs_free(d->places[i].costs);
        dse_profile_free(d->places[i].profile);
    }
    free(d->places);
    free(d->ready);
    free(d->room);
    dse_machines_free(&d->machines);
}

static enum dse_status open_place(struct designs *d, size_t index, struct dse_error *err)
{
    const struct dse_published_case *c = &d->g->figures->cases[index];
    struct place *place = &d->places[index];
    DSE_TRY(dse_profile_open(c->profile, &place->profile, err));
    dse_profile_complete(d->family->knobs, place->profile);
    DSE_TRY(dse_board_open(c->board, &place->board, err));
    return dse_costs_for_board(place->board, d->g->request->calibration, &place->costs, err);
}

static enum dse_status open_figures(struct designs *d, size_t index, struct dse_error *err)
{
    const struct dse_published_case *c = &d->g->figures->cases[index];
    for (size_t f = 0; f < c->figure_count; f++) {
        if (*c->figures[f].unpredicted != '\0')
            continue;
        struct ready *r = &d->ready[d->ready_count++];
        *r = (struct ready){.of = c, .figure = &c->figures[f], .index = index};
        DSE_TRY(make_ready(d, r, err));
    }
    return DSE_OK;
}

static enum dse_status open_designs(struct designs *d, struct dse_error *err)
{
    const struct dse_published_file *file = d->g->figures;
    size_t figures = 0;
    for (size_t i = 0; i < file->case_count; i++)
        figures += file->cases[i].figure_count;
    d->places = dse_calloc(file->case_count + 1, sizeof *d->places);
    d->ready = dse_calloc(figures + 1, sizeof *d->ready);
    d->room = dse_malloc(sizeof *d->room);
    DSE_TRY(dse_machines_open(&d->machines, err));
    for (size_t i = 0; i < file->case_count; i++)
        if (*file->cases[i].profile != '\0')
            DSE_TRY(open_place(d, i, err));
    for (size_t i = 0; i < file->case_count; i++)
        if (*file->cases[i].profile != '\0')
            DSE_TRY(open_figures(d, i, err));
    return DSE_OK;
}

/* ---- values ---- */

/* The metric called `key`, or −1. */
static int metric_of(const char *key)
{
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (strcmp(dse_metrics[m].key, key) == 0)
            return m;
    return -1;
}

static bool is_verdict(const struct dse_published_figure *figure)
{
    return strcmp(figure->metric, "fits") == 0;
}

/* A quantity of the family; NaN if it has none of this name. */
static double quantity_of(const struct design *design, const char *name)
{
    const struct dse_model_family *family = design->setup.family;
    void *work = NULL;
    struct dse_error why = {0};
    if (family->quantity == NULL || family->prepare(family, design->setup.workload, &work, &why) != DSE_OK)
        return NAN; /* no such prediction can be made */
    double value = family->quantity(name, &design->config, work);
    family->release(work);
    return value;
}

/* The quantity that determines the time of software on other machines. */
static double software_of(const struct designs *d, const struct design *design)
{
    return *d->g->figures->software != '\0' ? quantity_of(design, d->g->figures->software) : 0.0;
}

static double roof_of(const struct dse_machine *machine, const struct dse_estimate *e)
{
    double operations = 0.0;
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        operations += (double)e->sums.operations[p] * e->platform.parts;
    return dse_machine_seconds(machine, operations, e->metrics[DSE_METRIC_DDR_BYTES]);
}

/* Time of a machine's software: a line through its published times on other profiles. If there is only one, the line goes through the
 * times of other machines of its kind, scaled by bandwidth. */
static double software_seconds(const struct designs *d, const struct ready *of, const struct dse_machine *machine)
{
    struct dse_software own = {0}, kind = {0};
    for (size_t i = 0; i < d->ready_count; i++) {
        const struct ready *r = &d->ready[i];
        const struct dse_machine *other = dse_machines_find(&d->machines, r->figure->machine);
        if (other == NULL || r->figure->as != DSE_PUBLISHED_VALUE || strcmp(r->figure->metric, "latency_s") != 0)
            continue;
        double slower = other->bandwidth_bytes_per_s / machine->bandwidth_bytes_per_s, quantity = software_of(d, &r->own);
        if (other == machine && strcmp(r->of->profile, of->of->profile) != 0)
            dse_software_add(&own, quantity, r->figure->value);
        else if (other != machine && strcmp(other->kind, machine->kind) == 0)
            dse_software_add(&kind, quantity, slower * r->figure->value);
    }
    return dse_software_seconds(own.count > 1 || kind.count == 0 ? &own : &kind, software_of(d, &of->own));
}

/* A machine's time or energy for the same work. */
static double machine_value(const struct designs *d, const struct ready *r, const struct dse_estimate *e)
{
    const struct dse_machine *machine = dse_machines_find(&d->machines, r->figure->machine);
    if (machine == NULL)
        return NAN;
    double seconds = fmax(roof_of(machine, e), software_seconds(d, r, machine));
    return strcmp(r->figure->metric, "energy_j") == 0 ? seconds * machine->power_w : seconds;
}

/* The mean that the profile has at the design's setting; NaN if it has none. */
static double quality_of(const struct design *design)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    const struct dse_space *space = design->setup.space;
    dse_config_setting(space, &design->trained, dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC), &setting);
    const struct dse_quality *quality = dse_profile_quality(design->profile, &setting);
    return quality != NULL ? quality->mean : NAN;
}

static double engine_value(const struct dse_engine_estimate *engine, int metric)
{
    if (metric == DSE_METRIC_CYCLES)
        return (double)engine->cycles;
    if (metric == DSE_METRIC_LATENCY)
        return engine->latency_s;
    return metric >= 0 && dse_metrics[metric].resource >= 0 ? (double)engine->sums.resources[dse_metrics[metric].resource] : NAN;
}

/* A stage's share of all cycles; NaN if no stage has this name. */
static double stage_share(const struct designs *d, const char *name, const struct dse_estimate *e)
{
    double all = 0.0, own = NAN;
    for (size_t s = 0; s < d->family->stage_count; s++) {
        all += (double)e->stages[s].cycles;
        own = strcmp(d->family->stages[s], name) == 0 ? (double)e->stages[s].cycles : own;
    }
    return own / all;
}

/* A metric, "fits", "kernel_w", "quality", "stage.NAME", "whole.NAME" or a quantity of the family's, of a design's estimate at one end of its band. */
static double key_value(const struct designs *d, const char *key, const struct design *design, const struct dse_estimate *e,
                        enum dse_band band)
{
    const double *metrics = band == DSE_BAND_LOW ? e->low : band == DSE_BAND_HIGH ? e->high : e->metrics;
    double dynamic_w = 0.0;
    const int metric = metric_of(key), whole = dse_published_resource(key, strlen(key));
    if (strcmp(key, "fits") == 0)
        return e->fits ? 1.0 : 0.0;
    if (strcmp(key, "quality") == 0)
        return quality_of(design);
    if (strncmp(key, "stage.", 6) == 0)
        return stage_share(d, key + 6, e);
    if (whole >= 0)
        return metrics[metric_of(dse_resource_names[whole])] + (double)design->setup.board->platform[whole];
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
        dynamic_w += e->term_w[band][t];
    if (strcmp(key, "kernel_w") == 0)
        return dynamic_w;
    if (design->engine < d->family->engine_count)
        return engine_value(&e->engines[design->engine], metric);
    return metric >= 0 ? metrics[metric] : quantity_of(design, key);
}

/* A figure's value in a design's estimate or on the named machine: a metric, or the product of several. */
static double value_of(const struct designs *d, const struct ready *r, const char *machine, const struct design *design,
                       const struct dse_estimate *e, enum dse_band band)
{
    double product = 1.0;
    char keys[64], *rest = NULL;
    if (*machine != '\0')
        return machine_value(d, r, e);
    snprintf(keys, sizeof keys, "%s", r->figure->metric);
    for (char *key = strtok_r(keys, "*", &rest); key != NULL; key = strtok_r(NULL, "*", &rest))
        product *= key_value(d, key, design, e, band);
    return product;
}

static double design_value(const struct designs *d, const struct ready *r, const char *machine, const struct design *design,
                           const double *fitted)
{
    struct dse_error why = {0};
    struct dse_setup setup = design->setup;
    setup.fitted = fitted;
    if (dse_estimate_built(&setup, &design->config, d->room, &why) != DSE_OK)
        return NAN; /* no such prediction can be made */
    return value_of(d, r, machine, design, d->room, DSE_BAND_NOMINAL);
}

/* The figure's prediction with other values of the constants; NaN if the design cannot be built. */
static double predict_with(const struct designs *d, const struct ready *r, const double *fitted)
{
    const struct dse_published_figure *f = r->figure;
    if (f->as == DSE_PUBLISHED_VALUE)
        return design_value(d, r, f->machine, &r->own, fitted);
    return dse_published_compare(f->as, design_value(d, r, "", &r->own, fitted), design_value(d, r, f->machine, &r->other, fitted));
}

/* ---- fitting ---- */

/* Constants fitted to all cases but one, and per constant the only figure that it could be fitted by, or NOTHING. Such a constant explains its figure
 * and no other. It stays at its value for unknown data. */
struct fitting {
    size_t without; /* a case, or NOTHING */
    double value[DSE_FITTED_MAX];
    size_t alone[DSE_FITTED_MAX];
};

static bool takes_part(const struct designs *d, size_t i, const struct fitting *fit)
{
    const struct ready *r = &d->ready[i];
    return r->figure->fitted_to && r->index != fit->without && r->figure->value > 0.0;
}

/* Whether a figure's prediction depends on a constant. */
static bool depends(const struct designs *d, size_t i, size_t k)
{
    double least[DSE_FITTED_MAX], most[DSE_FITTED_MAX];
    for (size_t c = 0; c < d->family->fitted_count; c++)
        least[c] = most[c] = d->family->fitted[c].value;
    least[k] = 0.0;
    most[k] = d->family->fitted[k].largest;
    return predict_with(d, &d->ready[i], least) != predict_with(d, &d->ready[i], most);
}

static void find_alone(const struct designs *d, struct fitting *fit)
{
    for (size_t k = 0; k < d->family->fitted_count; k++) {
        size_t count = 0;
        fit->alone[k] = NOTHING;
        for (size_t i = 0; i < d->ready_count && count < 2; i++)
            if (takes_part(d, i, fit) && depends(d, i, k)) {
                fit->alone[k] = i;
                count++;
            }
        if (count != 1)
            fit->alone[k] = NOTHING;
    }
}

/* Mean relative error of the figures that take part. */
static double objective(const struct designs *d, const struct fitting *fit)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < d->ready_count; i++) {
        if (!takes_part(d, i, fit))
            continue;
        sum += fabs(predict_with(d, &d->ready[i], fit->value) / d->ready[i].figure->value - 1.0);
        n++;
    }
    return n > 0 ? sum / (double)n : 0.0;
}

static double objective_at(const struct designs *d, struct fitting *fit, size_t k, double value)
{
    fit->value[k] = value;
    return objective(d, fit);
}

/* The best value of one constant while the others are fixed. Predictions grow with it, so the sum of their absolute errors has one minimum. If no
 * figure determines it, its value for unknown data. */
static void fit_one(const struct designs *d, struct fitting *fit, size_t k)
{
    double low = 0.0, high = d->family->fitted[k].largest;
    if (objective_at(d, fit, k, low) == objective_at(d, fit, k, high)) {
        fit->value[k] = d->family->fitted[k].unknown;
        return;
    }
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    double at_a = objective_at(d, fit, k, a), at_b = objective_at(d, fit, k, b);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_a <= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - GOLDEN * (high - low);
            at_a = objective_at(d, fit, k, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + GOLDEN * (high - low);
            at_b = objective_at(d, fit, k, b);
        }
    }
    fit->value[k] = 0.5 * (low + high);
}

static void make_fit(const struct designs *d, size_t without, struct fitting *fit)
{
    fit->without = without;
    for (size_t k = 0; k < d->family->fitted_count; k++)
        fit->value[k] = d->family->fitted[k].unknown;
    find_alone(d, fit);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0.0;
        for (size_t k = 0; k < d->family->fitted_count; k++) {
            double before = fit->value[k];
            if (fit->alone[k] == NOTHING)
                fit_one(d, fit, k);
            moved = fmax(moved, fabs(fit->value[k] - before) / d->family->fitted[k].largest);
        }
        if (moved < 1e-6)
            return;
    }
}

/* ---- rows ---- */

static double chip_amount(const struct ready *r)
{
    const int metric = metric_of(r->figure->metric), whole = dse_published_resource(r->figure->metric, strlen(r->figure->metric));
    const int resource = metric >= 0 ? (int)dse_metrics[metric].resource : whole;
    bool own = *r->figure->machine == '\0' && resource >= 0; /* whether it is a resource of the case's board */
    return own ? (double)r->own.setup.board->chip[resource] : INFINITY;
}

static void part(struct dse_strbuf *out)
{
    if (out->length > 0)
        dse_strbuf_add(out, "; ");
}

/* Notes on a row: contradictions with the board, an infeasible or unexplained figure, and the file's note. */
static void make_note(const struct ready *r, const struct dse_estimate *e, const struct dse_validation_row *row,
                      struct dse_strbuf *out)
{
    const char *board = r->of->board;
    if (row->contradicts)
        dse_strbuf_printf(out, "published %.0f, but the chip of %s has %.0f: impossible", row->reference, board, chip_amount(r));
    if (row->verdict && row->predicted == 0.0) {
        part(out);
        dse_strbuf_printf(out, "does not fit %s: ", board);
        if (e->worst >= 0)
            dse_strbuf_printf(out, "%lld %s of %lld", (long long)(e->sums.resources[e->worst] * e->platform.units),
                              dse_resource_names[e->worst], (long long)e->platform.capped[e->worst]);
    }
    if (row->unexplained) {
        part(out);
        dse_strbuf_add(out, "unexplained: only a constant of its own would reproduce it");
    }
    if (row->bound != 0) {
        bool holds = row->bound < 0 ? row->predicted <= row->reference : row->predicted >= row->reference;
        part(out);
        dse_strbuf_printf(out, "published as %s bound: %s", row->bound < 0 ? "an upper" : "a lower", holds ? "holds" : "does not hold");
    }
    if (*r->figure->note != '\0') {
        part(out);
        dse_strbuf_add(out, r->figure->note);
    }
}

static bool is_fitted(const struct designs *d, size_t i)
{
    bool any = false;
    for (size_t k = 0; k < d->family->fitted_count && !any; k++)
        any = depends(d, i, k);
    return any;
}

static bool is_alone(const struct designs *d, size_t i, const struct fitting *fit)
{
    for (size_t k = 0; k < d->family->fitted_count; k++)
        if (fit->alone[k] == i)
            return true;
    return false;
}

/* `shipped` has the family's own constants; those of a single figure have no effect. `left_out` is NULL if the figure uses no constant. */
static enum dse_status add_row(const struct designs *d, size_t i, const struct fitting *all, const double *shipped,
                               const struct fitting *left_out, struct dse_validation *out, struct dse_error *err)
{
    const struct ready *r = &d->ready[i];
    struct dse_validation_row row = dse_validation_row_empty;
    struct dse_strbuf note DSE_CLEANUP(dse_strbuf_free) = {0}, config DSE_CLEANUP(dse_strbuf_free) = {0};
    char name[96];
    dse_published_name(r->figure, name, sizeof name);
    dse_published_row_put(r->figure, &row);
    row.what = name;
    row.where = r->of->name;
    row.profile = r->of->profile;
    row.board = r->of->board;
    row.verdict = is_verdict(r->figure);
    row.contradicts = row.reference > chip_amount(r);
    row.unexplained = is_alone(d, i, all);
    row.left_out = left_out != NULL ? predict_with(d, r, left_out->value) : NAN;
    row.by = *r->figure->machine != '\0' ? "machines" : strcmp(r->figure->metric, "quality") == 0 ? "training" : is_fitted(d, i) ? "fitted constants" : "models";
    row.predicted = predict_with(d, r, shipped);
    DSE_TRY(dse_estimate_built(&r->own.setup, &r->own.config, d->room, err));
    if (isnan(row.predicted))
        return dse_fail(err, DSE_BAD_INPUT, "published case %s: no model predicts %s", r->of->name, r->figure->metric);
    if (r->figure->as == DSE_PUBLISHED_VALUE) { /* the bands are those of the shipped constants */
        double low = value_of(d, r, r->figure->machine, &r->own, d->room, DSE_BAND_LOW);
        double high = value_of(d, r, r->figure->machine, &r->own, d->room, DSE_BAND_HIGH);
        row.low = fmin(low, high); /* a rate is highest at the low end of its cost */
        row.high = fmax(low, high);
    }
    make_note(r, d->room, &row, &note);
    dse_strbuf_printf(&config, "%s%s%s", r->of->set, *r->of->set != '\0' && *r->figure->set != '\0' ? " " : "", r->figure->set);
    row.note = note.length > 0 ? dse_strbuf_text(&note) : NULL;
    row.config = config.length > 0 ? dse_strbuf_text(&config) : NULL;
    dse_validation_add(out, &row);
    return DSE_OK;
}

static void add_constants(const struct designs *d, const struct fitting *all, struct dse_validation *out)
{
    out->constants = dse_arena_alloc(&out->arena, d->family->fitted_count + 1, sizeof *out->constants);
    for (size_t k = 0; k < d->family->fitted_count; k++) {
        const struct dse_fitted *shipped = &d->family->fitted[k];
        struct dse_validation_constant *constant = &out->constants[out->constant_count++];
        *constant = (struct dse_validation_constant){.name = shipped->name, .meaning = shipped->meaning, .value = shipped->value,
                                                     .low = shipped->low, .high = shipped->high, .refitted = all->value[k],
                                                     .of_that_row = NAN};
        if (all->alone[k] == NOTHING)
            continue;
        const struct ready *r = &d->ready[all->alone[k]];
        struct fitting own = *all;
        char name[160];
        fit_one(d, &own, k);
        constant->of_that_row = own.value[k];
        snprintf(name, sizeof name, "%s %s", r->of->name, r->figure->what);
        constant->alone = dse_arena_strdup(&out->arena, name);
    }
}

static enum dse_status add_rows(const struct designs *d, struct dse_validation *out, struct dse_error *err)
{
    struct fitting all, left_out = {.without = NOTHING};
    double shipped[DSE_FITTED_MAX];
    make_fit(d, NOTHING, &all);
    for (size_t k = 0; k < d->family->fitted_count; k++)
        shipped[k] = all.alone[k] == NOTHING ? d->family->fitted[k].value : d->family->fitted[k].unknown;
    add_constants(d, &all, out);
    for (size_t i = 0; i < d->ready_count; i++) {
        const struct ready *r = &d->ready[i];
        bool fitted = is_fitted(d, i);
        if (fitted && left_out.without != r->index)
            make_fit(d, r->index, &left_out);
        DSE_TRY(add_row(d, i, &all, shipped, fitted ? &left_out : NULL, out, err));
    }
    return DSE_OK;
}

enum dse_status dse_validate_designs(const struct dse_validation_ground *g, struct dse_validation *out, struct dse_error *err)
{
    struct designs d DSE_CLEANUP(close_designs) = {.g = g, .family = g->family};
    if (g->family->fitted_count > DSE_FITTED_MAX)
        return dse_fail(err, DSE_LIMIT, "--family %s: more than %d fitted constants", g->family->name, DSE_FITTED_MAX);
    DSE_TRY(open_designs(&d, err));
    return add_rows(&d, out, err);
}
