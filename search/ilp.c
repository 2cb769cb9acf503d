/* Integer programs of slices, solved by GLPK; the only file that knows it.
 *
 * In a slice each group chooses one of its rows (one-hot binaries). A stage's time is a variable that is at least each
 * group's busy time and at least the time of all bytes over each memory; resources and bytes add; so latency, tails,
 * throughput (as its inverse) and resources are linear. Energy is E + S T + I T with the idle power I and the time T both
 * variable: the product is replaced by McCormick's underestimator over a bracket of T (G. P. McCormick, "Computability of
 * global solutions to factorable nonconvex programs: Part I", Math. Programming 10, 1976), and the bracket is halved at
 * the solution's time until what is lost is below the gap that is reported.
 *
 * Slices are taken in the order of a bound: the metrics of the componentwise least sums, which no design undercuts since
 * metrics are monotone. Once the bound of the next slice is no better than the best design, it is proven. */
#include "search/ilp.h"

#include <glpk.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "search/run.h"

#define GAP_WANTED 1e-9
#define GAP_PROVEN 1e-6 /* a larger one is not called a proof */
#define TOLERANCE 1e-10
#define BRACKETS_MAX 200 /* of one slice */
#define MICRO_PER_FEMTO 1e-9

/* ---- slices and their bounds ---- */

struct candidate {
    uint64_t index;
    double bound; /* cost: smaller is better */
};

struct ilp {
    const struct dse_question *question;
    struct dse_optimum *out;
    struct dse_plan plan;
    struct candidate *candidates;
    size_t candidate_count, candidate_capacity;
    pthread_mutex_t lock; /* guards the candidates while slices are visited */
    void **work;
    bool found;
    double best;    /* cost */
    uint64_t best_slice;
    double best_us; /* its time */
    const char *model_path;
    jmp_buf failed; /* where GLPK's hooks go when it gives up or is interrupted */
};

static enum dse_metric objective_of(const struct ilp *ilp)
{
    return ilp->question->objectives[0];
}

static double cost_of(const struct ilp *ilp, const double metrics[DSE_METRIC_COUNT])
{
    return dse_objective_cost(objective_of(ilp), metrics);
}

static bool is_reverse(const struct dse_limit *limit)
{
    return limit->at_least != dse_metrics[limit->metric].higher_is_better;
}

static void take_least(struct dse_accumulators *least, const struct dse_accumulators *row)
{
    int64_t *a = (int64_t *)least;
    const int64_t *b = (const int64_t *)row;
    for (size_t i = 0; i < sizeof *least / sizeof *a; i++)
        a[i] = b[i] < a[i] ? b[i] : a[i];
}

/* The componentwise least of the rows of every group, combined. */
static void least_sums(const struct dse_plan *plan, const struct dse_slice *slice, struct dse_accumulators *out)
{
    memset(out, 0, sizeof *out);
    for (size_t g = 0; g < plan->group_count; g++) {
        struct dse_accumulators least = slice->groups[g].sums[0];
        for (size_t row = 1; row < slice->groups[g].count; row++)
            take_least(&least, &slice->groups[g].sums[row]);
        dse_accumulators_combine(out, &least);
    }
}

static enum dse_status note_slice(void *user, const struct dse_plan *plan, uint64_t index,
                                  const struct dse_slice *slice, struct dse_error *err)
{
    struct ilp *ilp = user;
    struct dse_accumulators least;
    double metrics[DSE_METRIC_COUNT];
    bool hopeless = slice->size == 0 || !slice->platform.clock_allowed;
    for (size_t g = 0; g < plan->group_count && !hopeless; g++)
        hopeless = slice->groups[g].count == 0;
    if (!hopeless) {
        least_sums(plan, slice, &least);
        hopeless = !dse_fits(&slice->platform, &least, NULL);
        dse_slice_metrics(ilp->question, slice, &least, metrics);
    }
    for (size_t i = 0; i < ilp->question->limit_count && !hopeless; i++) {
        const struct dse_limit *limit = &ilp->question->limits[i];
        double value = metrics[limit->metric];
        if (!is_reverse(limit) || limit->metric == DSE_METRIC_QUALITY)
            hopeless = limit->at_least ? !(value >= limit->bound) : !(value <= limit->bound);
    }
    enum dse_status status = DSE_OK;
    pthread_mutex_lock(&ilp->lock);
    ilp->out->space_size += slice->size;
    ilp->out->slices++;
    if (!hopeless && ilp->candidate_count == ilp->candidate_capacity) {
        size_t capacity = 2 * ilp->candidate_capacity + 64;
        struct candidate *grown = realloc(ilp->candidates, capacity * sizeof *grown);
        status = grown != NULL ? DSE_OK : dse_fail_memory(err);
        if (grown != NULL) {
            ilp->candidates = grown;
            ilp->candidate_capacity = capacity;
        }
    }
    if (!hopeless && status == DSE_OK)
        ilp->candidates[ilp->candidate_count++] = (struct candidate){index, cost_of(ilp, metrics)};
    pthread_mutex_unlock(&ilp->lock);
    return status;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound < y->bound ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* ---- presolving by dominance ---- */

/* The rows of each group that no other row of it is better than. */
struct kept_rows {
    uint32_t *rows[DSE_GROUP_MAX];
    size_t count[DSE_GROUP_MAX];
};

static bool is_no_worse(const struct dse_accumulators *a, const struct dse_accumulators *b)
{
    const int64_t *x = (const int64_t *)a, *y = (const int64_t *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
        if (x[i] > y[i])
            return false;
    return true;
}

static void free_rows(struct kept_rows *kept)
{
    for (size_t g = 0; g < DSE_GROUP_MAX; g++)
        free(kept->rows[g]);
    *kept = (struct kept_rows){0};
}

/* The accumulators that the question does not see are taken out, so that more rows compare. */
static void hide_unseen(const struct dse_question *question, struct dse_accumulators *sums)
{
    bool energy = false, tail = false;
    for (size_t i = 0; i < question->limit_count + 1; i++) {
        enum dse_metric metric = i == 0 ? question->objectives[0] : question->limits[i - 1].metric;
        energy |= metric == DSE_METRIC_ENERGY;
        tail |= metric == DSE_METRIC_LATENCY_P99;
    }
    if (!energy)
        sums->energy_fj = sums->idle_nw = 0;
    if (!tail) {
        memset(sums->busy_cycles[DSE_CASE_TAIL], 0, sizeof sums->busy_cycles[DSE_CASE_TAIL]);
        memset(sums->fill_cycles[DSE_CASE_TAIL], 0, sizeof sums->fill_cycles[DSE_CASE_TAIL]);
        memset(sums->bytes[DSE_CASE_TAIL], 0, sizeof sums->bytes[DSE_CASE_TAIL]);
    }
}

static enum dse_status keep_rows(const struct dse_question *question, const struct dse_plan *plan,
                                 struct dse_slice *slice, struct kept_rows *kept, struct dse_error *err)
{
    bool reverse = false;
    *kept = (struct kept_rows){0};
    for (size_t i = 0; i < question->limit_count; i++)
        reverse |= is_reverse(&question->limits[i]);
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct dse_group *group = &slice->groups[g];
        kept->rows[g] = malloc(group->count * sizeof *kept->rows[g]);
        struct dse_accumulators *seen = malloc(group->count * sizeof *seen);
        if (kept->rows[g] == NULL || seen == NULL) {
            free(seen);
            free_rows(kept);
            return dse_fail_memory(err);
        }
        for (size_t row = 0; row < group->count; row++) {
            seen[row] = group->sums[row];
            hide_unseen(question, &seen[row]);
            bool worse = false;
            size_t left = 0;
            for (size_t k = 0; k < kept->count[g] && !worse && !reverse; k++)
                worse = is_no_worse(&seen[kept->rows[g][k]], &seen[row]);
            if (worse)
                continue;
            for (size_t k = 0; k < kept->count[g]; k++)
                if (reverse || !is_no_worse(&seen[row], &seen[kept->rows[g][k]]))
                    kept->rows[g][left++] = kept->rows[g][k];
            kept->rows[g][left++] = (uint32_t)row;
            kept->count[g] = left;
        }
        free(seen);
    }
    return DSE_OK;
}

/* ---- one slice's program ---- */

struct program {
    struct ilp *ilp;
    const struct dse_slice *slice;
    const struct kept_rows *kept;
    glp_prob *problem;
    int first[DSE_GROUP_MAX]; /* column of a group's first row */
    int time[DSE_CASE_COUNT]; /* column of the whole time, us; 0 where not asked */
    int product;              /* column of idle power × time, uJ */
    int inverse;              /* column of 1 / throughput, us */
    double idle_low, idle_high; /* W */
    int *columns;
    double *values;
    int length;
};

/* The part of a row in a constraint. */
typedef double coefficient(const struct program *program, const struct dse_accumulators *sums, int a, int b, int c);

static double busy_us(const struct program *p, const struct dse_accumulators *sums, int which, int stage, int unused)
{
    (void)unused;
    return (double)(sums->busy_cycles[which][stage] * p->slice->platform.fs_per_cycle) * MICRO_PER_FEMTO;
}

static double fill_us(const struct program *p, const struct dse_accumulators *sums, int which, int b, int c)
{
    (void)b;
    (void)c;
    int64_t cycles = 0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        cycles += sums->fill_cycles[which][s];
    return (double)(cycles * p->slice->platform.fs_per_cycle) * MICRO_PER_FEMTO;
}

static double moving_us(const struct program *p, const struct dse_accumulators *sums, int which, int stage, int memory)
{
    return (double)(sums->bytes[which][stage][memory] * p->slice->platform.fs_per_byte[memory]) * MICRO_PER_FEMTO;
}

static double used(const struct program *p, const struct dse_accumulators *sums, int resource, int b, int c)
{
    (void)b;
    (void)c;
    return (double)(sums->resources[resource] * p->slice->platform.units);
}

static double kilobytes(const struct program *p, const struct dse_accumulators *sums, int dram, int b, int c)
{
    (void)b;
    (void)c;
    double total = 0.0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            total += (double)sums->bytes[DSE_CASE_MEAN][s][m] *
                     (dram != 0 ? (double)p->slice->platform.dram_fj_per_byte[m] * MICRO_PER_FEMTO : 1e-3);
    return total;
}

static double energy_uj(const struct program *p, const struct dse_accumulators *sums, int a, int b, int c)
{
    (void)p;
    (void)a;
    (void)b;
    (void)c;
    return (double)sums->energy_fj * MICRO_PER_FEMTO;
}

static double idle_w(const struct program *p, const struct dse_accumulators *sums, int a, int b, int c)
{
    (void)a;
    (void)b;
    (void)c;
    return (double)(sums->idle_nw * p->slice->platform.units) * 1e-9;
}

static void put(struct program *p, int column, double value)
{
    if (value == 0.0)
        return;
    p->length++;
    p->columns[p->length] = column;
    p->values[p->length] = value;
}

/* Adds `factor` × the coefficient of one group, or of all where `group` is negative. */
static void put_rows(struct program *p, int group, double factor, coefficient *of, int a, int b, int c)
{
    const struct dse_plan *plan = &p->ilp->plan;
    for (size_t g = 0; g < plan->group_count; g++)
        if (group < 0 || (size_t)group == g)
            for (size_t k = 0; k < p->kept->count[g]; k++)
                put(p, p->first[g] + (int)k,
                    factor * of(p, &p->slice->groups[g].sums[p->kept->rows[g][k]], a, b, c));
}

/* Closes the row that was put together. */
static void close_row(struct program *p, const char *name, int type, double bound)
{
    int row = glp_add_rows(p->problem, 1);
    glp_set_row_name(p->problem, row, name);
    glp_set_row_bnds(p->problem, row, type, bound, bound);
    glp_set_mat_row(p->problem, row, p->length, p->columns, p->values);
    p->length = 0;
}

static int add_column(struct program *p, const char *name, double low)
{
    int column = glp_add_cols(p->problem, 1);
    glp_set_col_name(p->problem, column, name);
    glp_set_col_bnds(p->problem, column, GLP_LO, low, 0.0);
    return column;
}

static void add_choices(struct program *p)
{
    const struct dse_plan *plan = &p->ilp->plan;
    char name[64];
    for (size_t g = 0; g < plan->group_count; g++) {
        p->first[g] = glp_add_cols(p->problem, (int)p->kept->count[g]);
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            int column = p->first[g] + (int)k;
            snprintf(name, sizeof name, "g%zu_r%u", g, p->kept->rows[g][k]);
            glp_set_col_name(p->problem, column, name);
            glp_set_col_kind(p->problem, column, GLP_BV);
            put(p, column, 1.0);
        }
        snprintf(name, sizeof name, "one_of_%zu", g);
        close_row(p, name, GLP_FX, 1.0);
    }
}

static bool any_moves(const struct program *p, int which, int stage, int memory)
{
    for (size_t g = 0; g < p->ilp->plan.group_count; g++)
        for (size_t row = 0; row < p->slice->groups[g].count; row++)
            if (p->slice->groups[g].sums[row].bytes[which][stage][memory] > 0)
                return true;
    return false;
}

/* The whole time of one case: stages that take at least what each group and each memory needs. */
static void add_time(struct program *p, int which)
{
    const char *word = which == DSE_CASE_TAIL ? "tail" : "time";
    char name[64];
    int stages[DSE_STAGE_MAX];
    for (int s = 0; s < DSE_STAGE_MAX; s++) {
        snprintf(name, sizeof name, "%s_%d", word, s);
        stages[s] = add_column(p, name, 0.0);
        for (size_t g = 0; g < p->ilp->plan.group_count; g++) {
            put_rows(p, (int)g, -1.0, busy_us, which, s, 0);
            if (p->length == 0)
                continue;
            put(p, stages[s], 1.0);
            snprintf(name, sizeof name, "%s_%d_busy_%zu", word, s, g);
            close_row(p, name, GLP_LO, 0.0);
        }
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            if (!any_moves(p, which, s, m))
                continue;
            put_rows(p, -1, -1.0, moving_us, which, s, m);
            put(p, stages[s], 1.0);
            snprintf(name, sizeof name, "%s_%d_memory_%d", word, s, m);
            close_row(p, name, GLP_LO, 0.0);
        }
    }
    p->time[which] = add_column(p, word, 0.0);
    put(p, p->time[which], 1.0);
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        put(p, stages[s], -1.0);
    put_rows(p, -1, -1.0, fill_us, which, 0, 0);
    snprintf(name, sizeof name, "whole_%s", word);
    close_row(p, name, GLP_FX, 0.0);
}

static void add_caps(struct program *p)
{
    char name[64];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        put_rows(p, -1, 1.0, used, r, 0, 0);
        snprintf(name, sizeof name, "cap_%d", r);
        if (p->length > 0)
            close_row(p, name, GLP_UP, (double)p->slice->platform.capped[r]);
    }
}

/* The product of idle power and time is at least McCormick's two planes. */
static void add_product(struct program *p, double low_us, double high_us)
{
    p->idle_low = p->idle_high = 0.0;
    for (size_t g = 0; g < p->ilp->plan.group_count; g++) {
        double low = INFINITY, high = 0.0;
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            double idle = idle_w(p, &p->slice->groups[g].sums[p->kept->rows[g][k]], 0, 0, 0);
            low = fmin(low, idle);
            high = fmax(high, idle);
        }
        p->idle_low += low;
        p->idle_high += high;
    }
    glp_set_col_bnds(p->problem, p->time[DSE_CASE_MEAN], GLP_DB, low_us, fmax(high_us, low_us * (1.0 + 1e-9)));
    p->product = add_column(p, "idle_energy", 0.0);
    put(p, p->product, 1.0);
    put(p, p->time[DSE_CASE_MEAN], -p->idle_low);
    put_rows(p, -1, -low_us, idle_w, 0, 0, 0);
    close_row(p, "product_low", GLP_LO, -p->idle_low * low_us);
    put(p, p->product, 1.0);
    put(p, p->time[DSE_CASE_MEAN], -p->idle_high);
    put_rows(p, -1, -high_us, idle_w, 0, 0, 0);
    close_row(p, "product_high", GLP_LO, -p->idle_high * high_us);
}

/* Puts a metric, in the units of the program, together as a row; false where it is a constant of the slice. */
static bool put_metric(struct program *p, enum dse_metric metric)
{
    if (dse_metrics[metric].resource >= 0) {
        put_rows(p, -1, 1.0, used, dse_metrics[metric].resource, 0, 0);
        return true;
    }
    switch (metric) {
    case DSE_METRIC_LATENCY:
    case DSE_METRIC_CYCLES: put(p, p->time[DSE_CASE_MEAN], 1.0); return true;
    case DSE_METRIC_LATENCY_P99: put(p, p->time[DSE_CASE_TAIL], 1.0); return true;
    case DSE_METRIC_THROUGHPUT: put(p, p->inverse, 1.0); return true;
    case DSE_METRIC_DDR_BYTES: put_rows(p, -1, 1.0, kilobytes, 0, 0, 0); return true;
    case DSE_METRIC_DRAM_ENERGY: put_rows(p, -1, 1.0, kilobytes, 1, 0, 0); return true;
    case DSE_METRIC_ENERGY:
        put_rows(p, -1, 1.0, energy_uj, 0, 0, 0);
        put(p, p->time[DSE_CASE_MEAN], (double)p->slice->platform.static_nw * 1e-9);
        put(p, p->product, 1.0);
        return true;
    default: return false;
    }
}

/* A metric's value in the units of the program. */
static double in_program(const struct program *p, enum dse_metric metric, double value)
{
    switch (metric) {
    case DSE_METRIC_LATENCY:
    case DSE_METRIC_LATENCY_P99:
    case DSE_METRIC_ENERGY:
    case DSE_METRIC_DRAM_ENERGY: return value * 1e6;
    case DSE_METRIC_THROUGHPUT: return 1e6 / value;
    case DSE_METRIC_DDR_BYTES: return value * 1e-3;
    case DSE_METRIC_CYCLES: return (value + 0.5) * (double)p->slice->platform.fs_per_cycle * MICRO_PER_FEMTO;
    default: return value;
    }
}

static bool asks(const struct dse_question *question, enum dse_metric metric)
{
    bool asked = question->objectives[0] == metric;
    for (size_t i = 0; i < question->limit_count; i++)
        asked |= question->limits[i].metric == metric;
    return asked;
}

static void add_inverse(struct program *p)
{
    const struct dse_platform *platform = &p->slice->platform;
    p->inverse = add_column(p, "interval", 0.0);
    put(p, p->inverse, 1.0);
    put(p, p->time[DSE_CASE_MEAN], -1.0 / (double)platform->at_once);
    close_row(p, "interval_time", GLP_LO, 0.0);
    if (platform->bytes_per_s <= 0.0)
        return;
    put(p, p->inverse, 1.0);
    put_rows(p, -1, -1e9 / platform->bytes_per_s * (double)platform->units / (double)platform->at_once, kilobytes, 0, 0, 0);
    close_row(p, "interval_bytes", GLP_LO, 0.0);
}

static void add_limits(struct program *p)
{
    const struct dse_question *question = p->ilp->question;
    char name[64];
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        if (!put_metric(p, limit->metric))
            continue;
        bool upper = !limit->at_least || limit->metric == DSE_METRIC_THROUGHPUT;
        snprintf(name, sizeof name, "limit_%s_%zu", dse_metrics[limit->metric].name, i);
        close_row(p, name, upper ? GLP_UP : GLP_LO, in_program(p, limit->metric, limit->bound));
    }
}

static void set_objective(struct program *p)
{
    glp_set_obj_dir(p->problem, GLP_MIN);
    if (put_metric(p, objective_of(p->ilp)))
        for (int i = 1; i <= p->length; i++)
            glp_set_obj_coef(p->problem, p->columns[i], glp_get_obj_coef(p->problem, p->columns[i]) + p->values[i]);
    p->length = 0;
}

/* The value of the objective, in the program's units, that a design must undercut. */
static double to_undercut(const struct program *p)
{
    const struct ilp *ilp = p->ilp;
    if (!ilp->found || objective_of(ilp) == DSE_METRIC_QUALITY)
        return INFINITY;
    double metric = dse_metrics[objective_of(ilp)].higher_is_better ? -ilp->best : ilp->best;
    return in_program(p, objective_of(ilp), metric);
}

static void build(struct program *p, double low_us, double high_us)
{
    const struct dse_question *question = p->ilp->question;
    p->problem = glp_create_prob();
    glp_set_prob_name(p->problem, "slice");
    add_choices(p);
    bool energy = asks(question, DSE_METRIC_ENERGY), throughput = asks(question, DSE_METRIC_THROUGHPUT);
    if (energy || throughput || asks(question, DSE_METRIC_LATENCY) || asks(question, DSE_METRIC_CYCLES))
        add_time(p, DSE_CASE_MEAN);
    if (asks(question, DSE_METRIC_LATENCY_P99))
        add_time(p, DSE_CASE_TAIL);
    add_caps(p);
    if (energy)
        add_product(p, low_us, high_us);
    if (throughput)
        add_inverse(p);
    add_limits(p);
    set_objective(p);
    double undercut = to_undercut(p);
    if (isfinite(undercut) && put_metric(p, objective_of(p->ilp)))
        close_row(p, "undercut", GLP_UP, undercut);
}

/* ---- GLPK ---- */

static const char *solver_words(int code)
{
    static const struct {
        int code;
        const char *words;
    } table[] = {{GLP_EBOUND, "a variable has wrong bounds"}, {GLP_EROOT, "the root has no basis"},
                 {GLP_EFAIL, "it failed"},                    {GLP_ESTOP, "interrupted"},
                 {GLP_ETMLIM, "its time is over"},            {GLP_ECOND, "a basis is ill-conditioned"},
                 {GLP_ESING, "a basis is singular"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return table[i].words;
    return "it stopped for a reason of its own";
}

static int silent(void *user, const char *text)
{
    (void)text;
    struct ilp *ilp = user;
    if (dse_monitor_cancelled(ilp->question->monitor))
        longjmp(ilp->failed, GLP_ESTOP);
    return 1; /* nothing goes to the terminal */
}

static void aborted(void *user)
{
    longjmp(((struct ilp *)user)->failed, GLP_EFAIL);
}

static void at_node(glp_tree *tree, void *user)
{
    struct ilp *ilp = user;
    if (dse_monitor_cancelled(ilp->question->monitor))
        glp_ios_terminate(tree);
    if (glp_ios_reason(tree) == GLP_ISELECT)
        ilp->out->nodes++;
}

enum verdict { VERDICT_OPTIMAL, VERDICT_NONE, VERDICT_FAILED };

/* Solves; on VERDICT_FAILED `code` says why. */
static enum verdict solve(struct program *p, int *code)
{
    glp_iocp options;
    glp_init_iocp(&options);
    options.presolve = GLP_ON;
    options.cb_func = at_node;
    options.cb_info = p->ilp;
    options.msg_lev = GLP_MSG_ALL; /* its messages are swallowed by silent(), which is where it can be interrupted */
    options.mip_gap = 0.0;
    options.tol_obj = TOLERANCE;
    p->ilp->out->models++;
    *code = glp_intopt(p->problem, &options);
    if (*code == GLP_ENOPFS || *code == GLP_ENODFS)
        return VERDICT_NONE;
    if (*code != 0)
        return VERDICT_FAILED;
    int status = glp_mip_status(p->problem);
    return status == GLP_OPT ? VERDICT_OPTIMAL : status == GLP_NOFEAS ? VERDICT_NONE : VERDICT_FAILED;
}

static void read_rows(const struct program *p, uint32_t rows[DSE_GROUP_MAX])
{
    for (size_t g = 0; g < p->ilp->plan.group_count; g++) {
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

/* ---- brackets ---- */

struct bracket {
    double low_us, high_us;
};

/* Takes the design if it is feasible and the best so far; returns its time. */
static double offer(struct ilp *ilp, const struct dse_slice *slice, uint64_t index, const uint32_t *rows,
                    bool *feasible, double *cost)
{
    struct dse_accumulators sums = {0};
    struct dse_point point;
    for (size_t g = 0; g < ilp->plan.group_count; g++)
        dse_accumulators_combine(&sums, &slice->groups[g].sums[rows[g]]);
    dse_slice_metrics(ilp->question, slice, &sums, point.metrics);
    *feasible = dse_fits(&slice->platform, &sums, NULL) && dse_limits_hold(ilp->question, point.metrics);
    *cost = cost_of(ilp, point.metrics);
    if (*feasible && (!ilp->found || *cost < ilp->best)) {
        dse_slice_config(&ilp->plan, slice, rows, &point.config);
        dse_config_canonical(ilp->question->space, &point.config);
        point.alternative = slice->alternative;
        ilp->out->point = point;
        ilp->best = *cost;
        ilp->best_slice = index;
        ilp->best_us = point.metrics[DSE_METRIC_LATENCY] * 1e6;
        ilp->found = true;
    }
    return point.metrics[DSE_METRIC_LATENCY] * 1e6;
}

static bool make_room(struct program *p)
{
    size_t columns = 64;
    for (size_t g = 0; g < p->ilp->plan.group_count; g++)
        columns += p->kept->count[g];
    p->columns = malloc(2 * columns * sizeof *p->columns);
    p->values = malloc(2 * columns * sizeof *p->values);
    return p->columns != NULL && p->values != NULL;
}

/* Solves a slice in one bracket; halves it on the stack where the product of idle power and time was estimated too low. */
static enum dse_status solve_bracket(struct program *p, uint64_t index, struct bracket *stack, size_t *depth,
                                     double *lost, struct dse_error *err)
{
    struct ilp *ilp = p->ilp;
    struct bracket bracket = stack[--*depth];
    int code = 0;
    build(p, bracket.low_us, bracket.high_us);
    enum verdict verdict = solve(p, &code);
    uint32_t rows[DSE_GROUP_MAX] = {0};
    double value = verdict == VERDICT_OPTIMAL ? glp_mip_obj_val(p->problem) : 0.0;
    if (verdict == VERDICT_OPTIMAL)
        read_rows(p, rows);
    glp_delete_prob(p->problem);
    p->problem = NULL;
    if (verdict == VERDICT_FAILED)
        return dse_fail(err, DSE_LIMIT, "%s%s", code == GLP_ESTOP || code == 0 ? "" : "GLPK gave up: ",
                        code == 0 ? "interrupted" : solver_words(code));
    if (verdict == VERDICT_NONE)
        return DSE_OK;
    bool feasible = false;
    double cost = 0.0, time_us = offer(ilp, p->slice, index, rows, &feasible, &cost);
    double missing = feasible && objective_of(ilp) == DSE_METRIC_ENERGY ? (cost * 1e6 - value) / (cost * 1e6) : 0.0;
    bool energy = asks(ilp->question, DSE_METRIC_ENERGY);
    if (feasible && (!energy || missing < GAP_WANTED))
        return DSE_OK;
    double middle = time_us > bracket.low_us && time_us < bracket.high_us ? time_us : 0.5 * (bracket.low_us + bracket.high_us);
    if (!energy || *depth + 2 > BRACKETS_MAX || bracket.high_us - bracket.low_us < 1e-9 * bracket.high_us) {
        *lost = fmax(*lost, feasible ? missing : INFINITY); /* what else the slice holds stays unknown */
        return DSE_OK;
    }
    stack[(*depth)++] = (struct bracket){middle, bracket.high_us};
    stack[(*depth)++] = (struct bracket){bracket.low_us, middle};
    return DSE_OK;
}

/* The times between which all designs of the slice lie. */
static struct bracket whole_bracket(const struct ilp *ilp, const struct dse_slice *slice)
{
    struct dse_accumulators least;
    double low[DSE_METRIC_COUNT], high_us = 0.0;
    least_sums(&ilp->plan, slice, &least);
    dse_derive(&slice->platform, &least, low);
    for (size_t g = 0; g < ilp->plan.group_count; g++) {
        double longest = 0.0;
        for (size_t row = 0; row < slice->groups[g].count; row++) {
            double metrics[DSE_METRIC_COUNT];
            dse_derive(&slice->platform, &slice->groups[g].sums[row], metrics);
            longest = fmax(longest, metrics[DSE_METRIC_LATENCY]);
        }
        high_us += longest * 1e6;
    }
    if (ilp->found && objective_of(ilp) == DSE_METRIC_ENERGY && slice->platform.static_nw > 0)
        high_us = fmin(high_us, ilp->best * 1e6 / ((double)slice->platform.static_nw * 1e-9));
    return (struct bracket){low[DSE_METRIC_LATENCY] * 1e6 * (1.0 - 1e-12), high_us * (1.0 + 1e-12)};
}

static enum dse_status solve_slice(struct ilp *ilp, uint64_t index, double *lost, struct dse_error *err)
{
    struct dse_slice *slice = malloc(sizeof *slice);
    if (slice == NULL)
        return dse_fail_memory(err);
    struct kept_rows kept = {0};
    struct program program = {.ilp = ilp, .slice = slice, .kept = &kept};
    struct bracket stack[BRACKETS_MAX];
    size_t depth = 1;
    enum dse_status status = dse_slice_make(ilp->question, &ilp->plan, index,
                                            ilp->work[index / ilp->plan.slices_per_alternative], slice, err);
    if (status == DSE_OK) {
        status = keep_rows(ilp->question, &ilp->plan, slice, &kept, err);
        if (status == DSE_OK && !make_room(&program))
            status = dse_fail_memory(err);
        stack[0] = whole_bracket(ilp, slice);
        while (depth > 0 && status == DSE_OK)
            status = solve_bracket(&program, index, stack, &depth, lost, err);
        free_rows(&kept);
        dse_slice_free(&ilp->plan, slice);
    }
    free(program.columns);
    free(program.values);
    free(slice);
    return status;
}

/* ---- the model's file ---- */

static enum dse_status write_model(struct ilp *ilp, struct dse_error *err)
{
    const char *path = ilp->model_path, *suffix = strrchr(path, '.');
    struct dse_slice *slice = malloc(sizeof *slice);
    if (slice == NULL)
        return dse_fail_memory(err);
    struct kept_rows kept = {0};
    struct program program = {.ilp = ilp, .slice = slice, .kept = &kept};
    enum dse_status status = dse_slice_make(ilp->question, &ilp->plan, ilp->best_slice,
                                            ilp->work[ilp->best_slice / ilp->plan.slices_per_alternative], slice, err);
    if (status == DSE_OK) {
        status = keep_rows(ilp->question, &ilp->plan, slice, &kept, err);
        if (status == DSE_OK && !make_room(&program))
            status = dse_fail_memory(err);
        if (status == DSE_OK) {
            ilp->found = false; /* the file's program finds the optimum by itself */
            /* Where energy is asked, the bracket closes about the optimum's time, at which the product is exact. */
            build(&program, ilp->best_us * (1.0 - 1e-8), ilp->best_us * (1.0 + 1e-8));
            ilp->found = true;
            int failed = strcmp(suffix, ".lp") == 0 ? glp_write_lp(program.problem, NULL, path)
                                                    : glp_write_mps(program.problem, GLP_MPS_FILE, NULL, path);
            if (failed != 0)
                status = dse_fail(err, DSE_LIMIT, "%s: cannot be written", path);
            glp_delete_prob(program.problem);
        }
        free_rows(&kept);
        dse_slice_free(&ilp->plan, slice);
    }
    free(program.columns);
    free(program.values);
    free(slice);
    return status;
}

/* ---- all slices ---- */

static enum dse_status check_linear(const struct dse_question *question, const char *path, struct dse_error *err)
{
    const char *suffix = path != NULL ? strrchr(path, '.') : ".lp";
    if (suffix == NULL || (strcmp(suffix, ".lp") != 0 && strcmp(suffix, ".mps") != 0))
        return dse_fail(err, DSE_BAD_USAGE, "--write-lp %s: must end in .lp or .mps", path);
    if (asks(question, DSE_METRIC_POWER))
        return dse_fail(err, DSE_BAD_USAGE, "--method ilp: power is no linear function of the choices; take --method exact");
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        bool timed = limit->metric == DSE_METRIC_LATENCY || limit->metric == DSE_METRIC_LATENCY_P99 ||
                     limit->metric == DSE_METRIC_CYCLES || limit->metric == DSE_METRIC_ENERGY ||
                     limit->metric == DSE_METRIC_THROUGHPUT;
        if (timed && is_reverse(limit))
            return dse_fail(err, DSE_BAD_USAGE, "--method ilp: a worst %s that a design must reach is not linear; take --method exact",
                            dse_metrics[limit->metric].name);
    }
    return DSE_OK;
}

static enum dse_status prepare(struct ilp *ilp, struct dse_error *err)
{
    const struct dse_question *question = ilp->question;
    enum dse_status status = dse_plan_make(question, &ilp->plan, err);
    ilp->work = calloc(question->alternative_count + 1, sizeof *ilp->work);
    if (ilp->work == NULL)
        return dse_fail_memory(err);
    for (size_t a = 0; a < question->alternative_count && status == DSE_OK; a++)
        status = question->family->prepare(question->alternatives[a].workload, &ilp->work[a], err);
    if (status == DSE_OK)
        status = dse_slices_visit(question, note_slice, ilp, err);
    if (ilp->candidate_count > 1)
        qsort(ilp->candidates, ilp->candidate_count, sizeof *ilp->candidates, compare_candidates);
    return status;
}

static enum dse_status go_through(struct ilp *ilp, struct dse_error *err)
{
    double lost = 0.0;
    size_t next = 0;
    enum dse_status status = DSE_OK;
    for (; next < ilp->candidate_count && status == DSE_OK; next++) {
        double bound = ilp->candidates[next].bound;
        if (ilp->found && bound >= ilp->best)
            break;
        dse_monitor_progress(ilp->question->monitor, "slices", next, ilp->candidate_count);
        status = solve_slice(ilp, ilp->candidates[next].index, &lost, err);
        ilp->out->solved++;
    }
    ilp->out->proven = status == DSE_OK && lost <= GAP_PROVEN;
    double open = status == DSE_OK ? ilp->best - (lost > 0.0 ? fabs(ilp->best) * lost : 0.0)
                  : next > 0       ? ilp->candidates[next - 1].bound
                                   : -INFINITY;
    double sign = dse_metrics[objective_of(ilp)].higher_is_better ? -1.0 : 1.0;
    ilp->out->objective = ilp->found ? sign * ilp->best : NAN;
    ilp->out->bound = sign * open;
    ilp->out->gap = ilp->found && ilp->best != 0.0 ? fabs((ilp->best - open) / ilp->best) : 0.0;
    return status;
}

/* Runs under GLPK's hooks: what they jump over is lost, but never the process. */
static enum dse_status run_guarded(struct ilp *ilp, struct dse_error *err)
{
    int code = setjmp(ilp->failed);
    if (code != 0) {
        glp_free_env();
        ilp->out->proven = false;
        return code == GLP_ESTOP ? dse_fail(err, DSE_LIMIT, "interrupted")
                                 : dse_fail(err, DSE_LIMIT, "GLPK gave up: %s", solver_words(code));
    }
    glp_error_hook(aborted, ilp);
    glp_term_hook(silent, ilp);
    enum dse_status status = go_through(ilp, err);
    if (status == DSE_OK && ilp->found && ilp->model_path != NULL)
        status = write_model(ilp, err);
    glp_free_env();
    return status;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum dse_status dse_search_ilp(const struct dse_question *question, const char *model_path,
                               struct dse_optimum *out, struct dse_error *err)
{
    double start = seconds_now();
    *out = (struct dse_optimum){.objective = NAN, .bound = NAN};
    struct ilp *ilp = calloc(1, sizeof *ilp);
    if (ilp == NULL)
        return dse_fail_memory(err);
    *ilp = (struct ilp){.question = question, .out = out, .model_path = model_path};
    pthread_mutex_init(&ilp->lock, NULL);
    enum dse_status status = check_linear(question, model_path, err);
    if (status == DSE_OK)
        status = prepare(ilp, err);
    if (status == DSE_OK)
        status = run_guarded(ilp, err);
    if (status == DSE_OK && !ilp->found)
        status = dse_fail(err, DSE_ANSWER_NO, "no configuration of the %llu that the question admits is feasible",
                          (unsigned long long)out->space_size);
    for (size_t a = 0; ilp->work != NULL && a < question->alternative_count; a++)
        if (ilp->work[a] != NULL)
            question->family->release(ilp->work[a]);
    pthread_mutex_destroy(&ilp->lock);
    free(ilp->work);
    free(ilp->candidates);
    free(ilp);
    out->seconds = seconds_now() - start;
    return status;
}
