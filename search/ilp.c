/* The best design by integer programs, one per slice (search/program.h).
 *
 * Energy is E + S T + I T with variable standby power I and time T. McCormick's underestimator over a bracket of T replaces the
 * product. The bracket is divided at the solution's time until the loss is below the reported gap.
 *
 * Power is energy over time, a ratio. For the least known power λ the program minimises energy − λ × time, which is
 * negative exactly if a design draws less power (W. Dinkelbach, "On nonlinear fractional programming", Management Science 13,
 * 1967). Its solution gives the next λ; if the minimum is not negative, λ is the least of the slice. One program suffices for most
 * slices.
 *
 * Slices are solved in the order of a bound: the metrics of the componentwise least sums, which bound every design because
 * metrics are monotone. Once the bound of the next slice is no better than the best design, that design is proven. */
#include "core/clock.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/order.h"
#include "core/saturate.h"
#include "search/filter.h"
#include "search/ilp.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/bounds.h"
#include "search/program.h"
#include "search/tables.h"

#define GAP_WANTED 1e-9
#define LONG_US 1e3 /* programs with longer times use a larger unit: beside binaries, large numbers are lost in the solver's tolerances */
#define GAP_PROVEN 1e-6 /* a larger gap is not a proof */
#define TOLERANCE 1e-10
#define BRACKETS_MAX 200 /* per slice */
#define EXCLUDED_MAX 64

/* ---- slices and their bounds ---- */

struct ilp {
    const struct dse_question *question;
    struct dse_optimum *out;
    struct dse_plan plan;
    struct dse_ranked *candidates; /* slices by the bounds of their costs: lower is better */
    size_t candidate_count, candidate_capacity;
    void **work;
    bool found;
    double best;    /* cost */
    double bound;   /* lower bound of the cost in the current slice */
    /* Designs of the current slice that pass GLPK's tolerances although they violate a limit: each excluded by a row. */
    uint32_t excluded[EXCLUDED_MAX][DSE_GROUP_MAX];
    size_t excluded_count;
    const struct dse_ilp_model *model; /* file to write; NULL: none */
    double relaxed, scale; /* least of the relaxations of a program's open nodes (−infinity: none yet), and the program's unit */
    jmp_buf *failed; /* target of GLPK's hooks on failure or interruption */
};

static enum dse_metric objective_of(const struct ilp *ilp)
{
    return ilp->question->objectives[0];
}

static double cost_of(const struct ilp *ilp, const double metrics[DSE_METRIC_COUNT])
{
    return dse_objective_cost(objective_of(ilp), metrics);
}

struct bracket {
    double low_us, high_us;
};

/* Range of times of the slice's useful designs with these rows (`kept` NULL: all). */
static struct bracket whole_bracket(const struct ilp *ilp, const struct dse_plan *plan, const struct dse_slice *slice,
                                    const struct dse_kept_rows *kept)
{
    struct bracket bracket;
    dse_rows_bracket(ilp->question, plan, slice, kept, &bracket.low_us, &bracket.high_us);
    for (size_t i = 0; i < ilp->question->limit_count; i++) {
        const struct dse_limit *limit = &ilp->question->limits[i];
        if (limit->metric == DSE_METRIC_LATENCY && limit->at_least)
            bracket.low_us = fmax(bracket.low_us, limit->bound * 1e6 * (1.0 - 1e-12));
        else if (limit->metric == DSE_METRIC_LATENCY || (limit->metric == DSE_METRIC_LATENCY_SYSTEM && !limit->at_least))
            bracket.high_us = fmin(bracket.high_us, limit->bound * 1e6 * (1.0 + 1e-12));
    }
    double share_nw = slice->platform.share_nw[DSE_BOUNDARY_KERNEL];
    if (ilp->found && objective_of(ilp) == DSE_METRIC_ENERGY && share_nw > 0.0)
        bracket.high_us = fmin(bracket.high_us, ilp->best * 1e6 / (share_nw * 1e-9));
    return bracket;
}

/* Lists the slices that their bounds do not exclude, with the bounds. */
static void list_candidates(struct ilp *ilp, const struct dse_bounds_table *bounds_table)
{
    uint64_t slices = ilp->plan.slices_per_alternative * ilp->question->alternative_count;
    for (uint64_t index = 0; index < slices; index++) {
        struct dse_bounds bounds;
        double costs[DSE_OBJECTIVE_MAX];
        dse_bounds_get(bounds_table, index, &bounds);
        ilp->out->space_size = dse_saturating_add(ilp->out->space_size, bounds.size);
        ilp->out->slices++;
        if (bounds.unbuildable > 0 && ilp->out->rejection[0] == '\0')
            snprintf(ilp->out->rejection, sizeof ilp->out->rejection, "%s", bounds.rejection);
        if (dse_bounds_infeasible(ilp->question, &bounds, costs))
            continue;
        dse_list_room(&ilp->candidates, &ilp->candidate_capacity, ilp->candidate_count, sizeof *ilp->candidates);
        ilp->candidates[ilp->candidate_count++] = (struct dse_ranked){costs[0], index};
    }
}

/* ---- one slice's program ---- */

/* Value of the objective, in the program's units, that a design must undercut. */
static double to_undercut(const struct ilp *ilp, const struct dse_program *p)
{
    if (!ilp->found || objective_of(ilp) == DSE_METRIC_QUALITY)
        return INFINITY; /* power: no more energy than the best design uses in the same time, which is 0 */
    double metric = dse_metrics[objective_of(ilp)].higher_is_better ? -ilp->best : ilp->best;
    return dse_program_value(p, objective_of(ilp), metric);
}

static enum dse_product product_of(const struct ilp *ilp, const struct dse_slice *slice)
{
    for (size_t i = 0; i < ilp->question->limit_count; i++) /* a required minimum energy: a lower bound is not sufficient */
        if (ilp->question->limits[i].metric == DSE_METRIC_ENERGY && ilp->question->limits[i].at_least)
            return DSE_PRODUCT_EXACT;
    bool apart = dse_question_asks(ilp->question, DSE_METRIC_ENERGY_SYSTEM) || dse_rows_contend(ilp->question, &ilp->plan, slice); /* from the latency's bracket */
    return apart || dse_question_asks_power(ilp->question) ? DSE_PRODUCT_EXACT : DSE_PRODUCT_BRACKET;
}

/* Excludes a design: not all of its rows may be chosen. */
static void exclude(const struct ilp *ilp, struct dse_program *p)
{
    for (size_t e = 0; e < ilp->excluded_count; e++) {
        for (size_t g = 0; g < ilp->plan.group_count; g++)
            dse_program_put_row(p, g, ilp->excluded[e][g], 1.0);
        dse_program_close_row(p, GLP_UP, (double)ilp->plan.group_count - 1.0, "not_%zu", e);
    }
}

static void build(const struct ilp *ilp, struct dse_program *p, const struct dse_slice *slice,
                  const struct dse_kept_rows *kept, double low_us, double high_us)
{
    dse_program_start(ilp->question, &ilp->plan, p);
    if (low_us > LONG_US)
        p->scale = pow(10.0, -ceil(log10(low_us / LONG_US)));
    p->power_w = ilp->found ? ilp->best : ilp->bound;
    dse_program_add_slice(p, 0, slice, kept, product_of(ilp, slice), low_us, high_us);
    exclude(ilp, p);
    glp_set_col_bnds(p->problem, p->chosen, GLP_FX, 1.0, 1.0);
    dse_program_put_metric(p, objective_of(ilp));
    dse_program_minimise(p);
    double undercut = to_undercut(ilp, p);
    if (!isfinite(undercut))
        return;
    dse_program_put_metric(p, objective_of(ilp));
    dse_program_close_row(p, GLP_UP, undercut, "undercut");
    enum dse_boundary boundary;
    if (!dse_metric_is_power(objective_of(ilp), &boundary))
        return;
    dse_program_put_least_power(p, boundary);
    dse_program_close_row(p, GLP_UP, ilp->best, "undercut_least");
}

/* ---- GLPK ---- */

static const char *solver_words(int code)
{
    static const struct {
        int code;
        const char *words;
    } table[] = {{GLP_EBOUND, "a variable has wrong bounds"}, {GLP_EROOT, "the root has no basis"},
                 {GLP_EFAIL, "it failed"},                    {GLP_ESTOP, "interrupted"},
                 {GLP_ETMLIM, "its time has ended"},            {GLP_ECOND, "a basis is ill-conditioned"},
                 {GLP_ESING, "a basis is singular"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return table[i].words;
    return "it stopped for an unknown reason";
}

static int silent(void *user, const char *text)
{
    (void)text;
    struct ilp *ilp = user;
    if (dse_monitor_cancelled(ilp->question->monitor))
        longjmp(*ilp->failed, GLP_ESTOP);
    return 1; /* suppresses terminal output */
}

static void aborted(void *user)
{
    longjmp(*((struct ilp *)user)->failed, GLP_EFAIL);
}

static void at_node(glp_tree *tree, void *user)
{
    struct ilp *ilp = user;
    if (dse_monitor_cancelled(ilp->question->monitor))
        glp_ios_terminate(tree);
    if (glp_ios_reason(tree) == GLP_ISELECT)
        ilp->out->nodes++;
    const int least = glp_ios_best_node(tree);
    ilp->relaxed = least != 0 && glp_ios_node_bound(tree, least) > -DBL_MAX ? glp_ios_node_bound(tree, least) : -INFINITY;
}

enum verdict { VERDICT_OPTIMAL, VERDICT_NONE, VERDICT_FAILED };

/* glp_intopt(). If a hook ends it, releases all GLPK memory, including the problem. */
static int optimise(struct ilp *ilp, struct dse_program *p, const glp_iocp *options)
{
    jmp_buf here, *outer = ilp->failed;
    ilp->failed = &here;
    int code = setjmp(here);
    if (code == 0) {
        code = glp_intopt(p->problem, options);
    } else {
        glp_free_env();
        p->problem = NULL;
    }
    ilp->failed = outer;
    return code;
}

/* Solves; on VERDICT_FAILED `code` has the reason. */
static enum verdict solve(struct ilp *ilp, struct dse_program *p, int *code)
{
    glp_iocp options;
    glp_init_iocp(&options);
    options.presolve = GLP_ON;
    options.cb_func = at_node;
    options.cb_info = ilp;
    options.msg_lev = GLP_MSG_ALL; /* silent() discards the messages; an interruption happens there */
    options.mip_gap = 0.0;
    options.tol_obj = TOLERANCE;
    ilp->out->models++;
    *code = optimise(ilp, p, &options);
    if (*code == GLP_ENOPFS || *code == GLP_ENODFS)
        return VERDICT_NONE;
    if (*code != 0)
        return VERDICT_FAILED;
    int status = glp_mip_status(p->problem);
    return status == GLP_OPT ? VERDICT_OPTIMAL : status == GLP_NOFEAS ? VERDICT_NONE : VERDICT_FAILED;
}

static void read_rows(const struct dse_program *p, uint32_t rows[DSE_GROUP_MAX])
{
    for (size_t g = 0; g < p->plan->group_count; g++) {
        double most = -1.0;
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            double value = glp_mip_col_val(p->problem, p->first[g] + (int)k);
            if (value > most) {
                most = value;
                rows[g] = p->kept->rows[g][k];
            }
        }
    }
}

/* ---- solving in brackets ---- */

/* Records the design if it is feasible and the best so far; returns its time. */
static double offer(struct ilp *ilp, const struct dse_slice *slice, const uint32_t *rows, bool *feasible, double *cost)
{
    struct dse_accumulators sums[DSE_SETS_MAX] = {0};
    struct dse_point point;
    for (size_t g = 0; g < ilp->plan.group_count; g++)
        dse_sums_combine(ilp->question, sums, dse_group_row(ilp->question, &slice->groups[g], rows[g]));
    dse_slice_metrics(ilp->question, slice, sums, point.metrics);
    *feasible = dse_fits(&slice->platform, sums, NULL) && dse_limits_hold(ilp->question, point.metrics);
    *cost = cost_of(ilp, point.metrics);
    if (*feasible && (!ilp->found || *cost < ilp->best)) {
        dse_slice_config(&ilp->plan, slice, rows, &point.config);
        dse_config_canonical(ilp->question->space, &point.config);
        point.alternative = slice->alternative;
        ilp->out->point = point;
        ilp->best = *cost;
        ilp->found = true;
    }
    return point.metrics[DSE_METRIC_LATENCY] * 1e6;
}

/* Solves one bracket; `value` is the program's optimum, `elapsed` the time range charged with the objective's power. */
static enum dse_status solve_program(struct ilp *ilp, const struct dse_slice *slice, const struct dse_kept_rows *kept,
                                     struct bracket bracket, enum verdict *verdict, double *value, struct bracket *elapsed, uint32_t *rows,
                                     struct dse_error *err)
{
    struct dse_program program;
    int code = 0;
    build(ilp, &program, slice, kept, bracket.low_us, bracket.high_us);
    ilp->relaxed = -INFINITY;
    ilp->scale = program.scale;
    enum dse_boundary boundary = objective_of(ilp) == DSE_METRIC_POWER_SYSTEM ? DSE_BOUNDARY_SYSTEM : DSE_BOUNDARY_KERNEL;
    *elapsed = (struct bracket){program.low_us[boundary] / program.scale, program.high_us[boundary] / program.scale};
    *verdict = solve(ilp, &program, &code);
    *value = *verdict == VERDICT_OPTIMAL ? glp_mip_obj_val(program.problem) / program.scale : 0.0;
    if (*verdict == VERDICT_OPTIMAL)
        read_rows(&program, rows);
    dse_program_free(&program);
    if (*verdict == VERDICT_FAILED)
        return code == GLP_ESTOP || code == 0 ? dse_fail_cancelled(err)
                                              : dse_fail(err, DSE_LIMIT, "GLPK gave up: %s", solver_words(code));
    return DSE_OK;
}

/* Possible improvement within a design's bracket, as a share of the best: `value` is the program's optimum, `elapsed` the time charged with power. */
static double find_missing(const struct ilp *ilp, double units, struct bracket elapsed, double power_w, double cost, double value)
{
    switch (objective_of(ilp)) {
    case DSE_METRIC_ENERGY:
    case DSE_METRIC_ENERGY_SYSTEM: return fabs(cost * 1e6 - value) / (cost * 1e6); /* an optimum above the design's value is no bound either */
    case DSE_METRIC_POWER:
    case DSE_METRIC_POWER_SYSTEM: /* all designs of the bracket draw power_w plus value / time */
        return fmax(0.0, ilp->best - power_w - units * value / (value < 0.0 ? elapsed.low_us : elapsed.high_us)) / ilp->best;
    default: return 0.0;
    }
}

/* Solves a slice in one bracket. The bracket goes back on the stack if a better design was found (the next program starts from its power). It
 * also goes back if a design violates a limit by less than the solver's tolerance. The bracket is halved if the product of standby power and time was estimated too low. */
static enum dse_status solve_bracket(struct ilp *ilp, const struct dse_slice *slice, const struct dse_kept_rows *kept,
                                     struct bracket *stack, size_t *depth, double *lost, struct dse_error *err)
{
    struct bracket bracket = stack[--*depth], elapsed = bracket;
    enum verdict verdict = VERDICT_NONE;
    uint32_t rows[DSE_GROUP_MAX] = {0};
    double value = 0.0, power_w = ilp->found ? ilp->best : ilp->bound;
    enum dse_status status = solve_program(ilp, slice, kept, bracket, &verdict, &value, &elapsed, rows, err);
    if (status != DSE_OK || verdict == VERDICT_NONE)
        return status;
    bool feasible = false, energy = dse_program_asks_energy(ilp->question);
    double cost = 0.0, before = ilp->found ? ilp->best : INFINITY, time_us = offer(ilp, slice, rows, &feasible, &cost);
    double missing = feasible ? find_missing(ilp, (double)slice->platform.units, elapsed, power_w, cost, value) : INFINITY;
    if (feasible && (!energy || missing < GAP_WANTED))
        return DSE_OK;
    if (feasible && dse_metric_is_power(objective_of(ilp), NULL) && ilp->best < before) {
        stack[(*depth)++] = bracket;
        return DSE_OK;
    }
    bool linear = !energy || product_of(ilp, slice) == DSE_PRODUCT_EXACT;
    if (!feasible && linear && ilp->excluded_count < EXCLUDED_MAX) {
        memcpy(ilp->excluded[ilp->excluded_count++], rows, sizeof rows);
        stack[(*depth)++] = bracket;
        return DSE_OK;
    }
    double middle = time_us > bracket.low_us && time_us < bracket.high_us ? time_us : 0.5 * (bracket.low_us + bracket.high_us);
    if (linear || *depth + 2 > BRACKETS_MAX || bracket.high_us - bracket.low_us < 1e-9 * bracket.high_us) {
        *lost = fmax(*lost, missing); /* the rest of the slice stays unknown */
        return DSE_OK;
    }
    stack[(*depth)++] = (struct bracket){middle, bracket.high_us};
    stack[(*depth)++] = (struct bracket){bracket.low_us, middle};
    return DSE_OK;
}

static enum dse_status solve_slice(struct ilp *ilp, uint64_t index, double *lost, struct dse_error *err)
{
    struct dse_slice *slice DSE_CLEANUP(dse_slice_drop) = NULL;
    struct dse_kept_rows kept DSE_CLEANUP(dse_rows_free) = {0};
    struct bracket stack[BRACKETS_MAX];
    size_t depth = 0;
    DSE_TRY(dse_slice_open(ilp->question, &ilp->plan, index, ilp->work, &slice, err));
    dse_rows_keep(ilp->question, &ilp->plan, slice, ilp->found ? ilp->best : INFINITY, &kept);
    ilp->excluded_count = 0;
    if (kept.count[0] > 0)
        stack[depth++] = whole_bracket(ilp, &ilp->plan, slice, &kept);
    while (depth > 0)
        DSE_TRY(solve_bracket(ilp, slice, &kept, stack, &depth, lost, err));
    return DSE_OK;
}

/* ---- all slices ---- */

static enum dse_status check_ending(const char *path, struct dse_error *err)
{
    const char *suffix = path != NULL ? strrchr(path, '.') : ".lp";
    if (suffix == NULL || (strcmp(suffix, ".lp") != 0 && strcmp(suffix, ".mps") != 0))
        return dse_fail(err, DSE_BAD_USAGE, "--write-lp %s: must end in .lp or .mps", path);
    return DSE_OK;
}

static enum dse_status prepare(struct ilp *ilp, struct dse_error *err)
{
    const struct dse_question *question = ilp->question;
    DSE_TRY(dse_plan_make(question, ilp->model == NULL, &ilp->plan, err));
    DSE_TRY(dse_work_prepare(question, &ilp->work, err));
    struct dse_bounds_table *bounds_table = NULL;
    DSE_TRY(dse_bounds_make(question, &ilp->plan, ilp->work, &bounds_table, err));
    list_candidates(ilp, bounds_table);
    dse_bounds_free(bounds_table);
    if (ilp->candidate_count > 1)
        qsort(ilp->candidates, ilp->candidate_count, sizeof *ilp->candidates, dse_by_rank);
    return DSE_OK;
}

#define RELAXED_SLACK 1e-6 /* the solver's tolerances */

/* Lower bound on the cost of a slice's designs, if its only program (no bracket is divided) was interrupted. From the program's relaxation, where the
 * objective is a sum of the program. −infinity: unknown. */
static double relaxed_cost(const struct ilp *ilp)
{
    const enum dse_metric metric = objective_of(ilp);
    const double least = ilp->relaxed - RELAXED_SLACK * fabs(ilp->relaxed);
    if (!isfinite(ilp->relaxed) || ilp->relaxed <= 0.0 || ilp->found || dse_program_asks_energy(ilp->question))
        return -INFINITY;
    if (dse_metrics[metric].resource >= 0)
        return least;
    return metric == DSE_METRIC_LATENCY ? least / ilp->scale * 1e-6 : metric == DSE_METRIC_THROUGHPUT ? -1e6 * ilp->scale / least : -INFINITY;
}

static enum dse_status go_through(struct ilp *ilp, struct dse_error *err)
{
    double lost = 0.0;
    size_t next = 0;
    enum dse_status status = DSE_OK;
    for (; next < ilp->candidate_count && status == DSE_OK; next++) {
        double bound = ilp->candidates[next].value;
        if (ilp->found && bound >= ilp->best)
            break;
        dse_monitor_progress(ilp->question->monitor, "parts of the space", next, ilp->candidate_count);
        ilp->bound = bound;
        status = solve_slice(ilp, ilp->candidates[next].index, &lost, err);
        ilp->out->solved++;
    }
    ilp->out->proven = status == DSE_OK && lost <= GAP_PROVEN;
    double open = status == DSE_OK ? ilp->best - (lost > 0.0 ? fabs(ilp->best) * lost : 0.0)
                  : next > 0       ? ilp->candidates[next - 1].value
                                   : -INFINITY;
    if (status == DSE_CANCELLED && next > 0) /* slices that were not begun have their bounds */
        open = fmax(open, fmin(relaxed_cost(ilp), next < ilp->candidate_count ? ilp->candidates[next].value : INFINITY));
    double sign = dse_metrics[objective_of(ilp)].higher_is_better ? -1.0 : 1.0;
    ilp->out->objective = ilp->found ? sign * ilp->best : NAN;
    ilp->out->bound = sign * open;
    ilp->out->gap = ilp->found && ilp->best != 0.0 ? fabs((ilp->best - open) / ilp->best) : 0.0;
    return status;
}

/* Writes all slices that their bound does not exclude (or show to be no better than the optimum), in
 * index order. */
static enum dse_status write_model(struct ilp *ilp, struct dse_error *err)
{
    uint64_t *slices DSE_CLEANUP(dse_free_at) = dse_malloc((ilp->candidate_count + 1) * sizeof *slices);
    size_t count = 0;
    for (size_t i = 0; i < ilp->candidate_count; i++)
        if (!ilp->model->cutoff || !ilp->found || ilp->candidates[i].value <= ilp->best)
            slices[count++] = ilp->candidates[i].index;
    qsort(slices, count, sizeof *slices, dse_by_uint64);
    return dse_ilp_write(ilp->question, &ilp->plan, ilp->work, slices, count, ilp->found ? ilp->best : 0.0,
                         ilp->model->cutoff && ilp->found ? ilp->best : INFINITY, ilp->model->path, err);
}

/* Runs under GLPK's hooks. If GLPK fails (memory) while a program is built, the jump leaks the skipped memory; the process
 * continues. */
static enum dse_status run_guarded(struct ilp *ilp, struct dse_error *err)
{
    jmp_buf here;
    ilp->failed = &here;
    int code = setjmp(here);
    if (code != 0) {
        glp_free_env();
        ilp->out->proven = false;
        return dse_fail(err, DSE_LIMIT, "GLPK gave up: %s", solver_words(code));
    }
    glp_error_hook(aborted, ilp);
    glp_term_hook(silent, ilp);
    enum dse_status status = go_through(ilp, err);
    if (status == DSE_OK && ilp->model != NULL)
        status = write_model(ilp, err);
    glp_free_env();
    return status;
}

static enum dse_status search(struct ilp *ilp, struct dse_error *err)
{
    enum dse_status status = check_ending(ilp->model != NULL ? ilp->model->path : NULL, err);
    if (status == DSE_OK)
        status = prepare(ilp, err);
    if (status == DSE_OK)
        status = run_guarded(ilp, err);
    ilp->out->found = ilp->found;
    dse_work_release(ilp->question, ilp->work);
    return status;
}

/* The best over all branches (search/filter.h); the bound is the best of their bounds. */
static enum dse_status search_branches(const struct dse_question *question, struct dse_optimum *out, struct dse_error *err)
{
    double sign = dse_metrics[question->objectives[0]].higher_is_better ? -1.0 : 1.0;
    out->proven = true;
    for (size_t b = 0; b < question->branch_count; b++) {
        struct dse_question one = dse_question_of_branch(question, b);
        struct dse_optimum part;
        DSE_TRY(dse_search_ilp(&one, NULL, &part, err));
        if (part.found && (!out->found || sign * part.objective < sign * out->objective)) {
            out->point = part.point;
            out->objective = part.objective;
        }
        out->found |= part.found;
        out->proven &= part.proven || !part.found;
        if (part.found) /* a branch without a design has no objective to bound */
            out->bound = sign < 0.0 ? fmax(out->bound, part.bound) : fmin(out->bound, part.bound);
        out->space_size = part.space_size;
        memcpy(out->rejection, part.rejection, sizeof out->rejection);
        out->slices += part.slices;
        out->solved += part.solved;
        out->models += part.models;
        out->nodes += part.nodes;
        out->seconds += part.seconds;
    }
    out->proven &= out->found;
    out->gap = out->found ? fabs(out->objective - out->bound) / fabs(out->objective) : 0.0;
    return DSE_OK;
}

enum dse_status dse_search_ilp(const struct dse_question *question, const struct dse_ilp_model *model,
                               struct dse_optimum *out, struct dse_error *err)
{
    double start = dse_clock_s();
    *out = (struct dse_optimum){.objective = NAN, .bound = NAN};
    if (question->branch_count > 0 && model == NULL)
        return search_branches(question, out, err);
    DSE_TRY(dse_filters_reject(question, UINT32_MAX, "the integer program", "exact, exhaustive or heuristic", err));
    DSE_TRY(dse_question_bounds(question, "ilp", err));
    struct ilp *ilp DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *ilp);
    struct dse_question shared = dse_question_sharing(question);
    *ilp = (struct ilp){.question = &shared, .out = out, .model = model};
    enum dse_status status = search(ilp, err);
    dse_question_end_sharing(question, &shared);
    free(ilp->candidates);
    out->seconds = dse_clock_s() - start;
    return status;
}

void dse_optimum_answer(const struct dse_optimum *optimum, struct dse_answer *answer)
{
    *answer = (struct dse_answer){.outcome = optimum->found ? DSE_OUTCOME_FOUND : DSE_OUTCOME_NOTHING,
                                  .front = dse_malloc(sizeof *answer->front), .front_count = optimum->found,
                                  .space_size = optimum->space_size, .seconds = optimum->seconds,
                                  .proven = optimum->proven || !optimum->found};
    answer->front[0] = optimum->point;
    memcpy(answer->rejection, optimum->rejection, sizeof answer->rejection);
}
