#include "search/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define MICRO_PER_FEMTO 1e-9

/* ---- rows of the program ---- */

void dse_program_start(const struct dse_question *question, const struct dse_plan *plan, struct dse_program *out)
{
    *out = (struct dse_program){.question = question, .plan = plan, .problem = glp_create_prob(), .scale = 1.0};
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->attained[c] = dse_program_gains_by_time(question, (enum dse_case)c);
    glp_set_prob_name(out->problem, "nysx-dse");
    glp_set_obj_dir(out->problem, GLP_MIN);
}

void dse_program_free(struct dse_program *program)
{
    if (program->problem != NULL)
        glp_delete_prob(program->problem);
    free(program->columns);
    free(program->values);
    *program = (struct dse_program){0};
}

void dse_program_put(struct dse_program *p, int column, double value)
{
    if (value == 0.0)
        return;
    for (int i = 1; i <= p->length && column == p->chosen; i++) /* the one column that several terms of a row have */
        if (p->columns[i] == column) {
            p->values[i] += value;
            return;
        }
    if (p->length + 1 >= p->capacity) {
        p->capacity = 2 * p->capacity + 256;
        p->columns = dse_realloc(p->columns, (size_t)p->capacity * sizeof *p->columns);
        p->values = dse_realloc(p->values, (size_t)p->capacity * sizeof *p->values);
    }
    p->length++;
    p->columns[p->length] = column;
    p->values[p->length] = value;
}

int dse_program_add_column(struct dse_program *p, int kind, const char *name)
{
    int column = glp_add_cols(p->problem, 1);
    glp_set_col_name(p->problem, column, name);
    glp_set_col_bnds(p->problem, column, GLP_LO, 0.0, 0.0);
    glp_set_col_kind(p->problem, column, kind);
    return column;
}

/* Name "s3_" followed by the formatted text. */
static void make_name(const struct dse_program *p, char out[96], const char *format, va_list values)
{
    int length = snprintf(out, 96, "s%zu_", p->number);
    vsnprintf(out + length, 96 - (size_t)length, format, values);
}

void dse_program_close_as(struct dse_program *p, int type, double bound, const char *name)
{
    int row = glp_add_rows(p->problem, 1);
    glp_set_row_name(p->problem, row, name);
    glp_set_row_bnds(p->problem, row, type, bound, bound);
    if (p->length > 0)
        glp_set_mat_row(p->problem, row, p->length, p->columns, p->values);
    p->length = 0;
}

void dse_program_close_row(struct dse_program *p, int type, double bound, const char *format, ...)
{
    char name[96];
    va_list values;
    va_start(values, format);
    make_name(p, name, format, values);
    va_end(values);
    dse_program_close_as(p, type, bound, name);
}

void dse_program_minimise(struct dse_program *p)
{
    for (int i = 1; i <= p->length; i++)
        glp_set_obj_coef(p->problem, p->columns[i], glp_get_obj_coef(p->problem, p->columns[i]) + p->values[i]);
    p->length = 0;
}

/* `metric` − bound × chosen ≤ 0 (or ≥ 0): also holds for a slice that is not chosen. */
DSE_PRINTF(4, 5) static void close_against(struct dse_program *p, int type, double bound, const char *format, ...)
{
    char name[96];
    va_list values;
    va_start(values, format);
    make_name(p, name, format, values);
    va_end(values);
    dse_program_put(p, p->chosen, -bound);
    dse_program_close_as(p, type, 0.0, name);
}

/* The term of a row in a constraint, with its case, stage and memory, or its resource. Stage s of data set d is the one at
 * d × DSE_STAGE_MAX + s. */
enum part { BUSY_US, MOVING_US, USED, IDLE_W, FILL_US, KILOBYTES, DRAM_UJ, ENERGY_UJ, SYSTEM_UJ, HOST_US, PROCESSOR_US };

static const enum part energy_parts[] = {[DSE_BOUNDARY_KERNEL] = ENERGY_UJ, [DSE_BOUNDARY_SYSTEM] = SYSTEM_UJ};

/* On one data set. */
static double part_of_set(const struct dse_program *p, const struct dse_accumulators *sums, enum part part, int which)
{
    const struct dse_platform *platform = &p->slice->platform;
    int64_t cycles = 0;
    double total = 0.0;
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
        if (part == energy_parts[b])
            return (double)dse_dynamic_fj(platform, sums, (enum dse_boundary)b) * MICRO_PER_FEMTO * platform->parts;
    if (part == HOST_US || part == PROCESSOR_US) /* the processor also works in stages of the latency */
        return (double)(dse_host_work_fs(platform, sums) + (part == PROCESSOR_US ? dse_prepare_fs(platform, sums) : 0)) * MICRO_PER_FEMTO * platform->parts;
    for (int s = 0; s < DSE_STAGE_MAX; s++) {
        cycles += sums->fill_cycles[which][s];
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            total += (double)sums->bytes[DSE_CASE_MEAN][s][m] *
                     (part == DRAM_UJ ? (double)platform->dram_fj_per_byte[m] * MICRO_PER_FEMTO : 1e-3) * platform->parts;
    }
    return part == FILL_US ? (double)(cycles * platform->fs_per_cycle) * MICRO_PER_FEMTO * platform->parts : total;
}

static double part_of(const struct dse_program *p, const struct dse_accumulators *sums, enum part part, int which, int stage, int memory)
{
    const struct dse_platform *platform = &p->slice->platform;
    const struct dse_accumulators *own = &sums[stage / DSE_STAGE_MAX];
    double mean = 0.0;
    switch (part) {
    case BUSY_US: return (double)(own->busy_cycles[which][stage % DSE_STAGE_MAX] * platform->fs_per_cycle) * MICRO_PER_FEMTO * platform->parts * p->scale;
    case MOVING_US:
        return (double)(own->bytes[which][stage % DSE_STAGE_MAX][memory] * platform->fs_per_byte[memory]) * MICRO_PER_FEMTO * platform->parts * p->scale;
    case USED: return (double)(sums->resources[which] * platform->units);
    case IDLE_W: return (double)sums->idle_nw * 1e-9;
    default: break;
    }
    for (size_t set = 0; set < dse_question_sets(p->question); set++) /* the mean over data sets */
        mean += dse_question_share(p->question, set) * part_of_set(p, &sums[set], part, which);
    return mean * p->scale;
}

static const struct dse_accumulators *kept_row(const struct dse_program *p, size_t group, size_t place)
{
    return dse_group_row(p->question, &p->slice->groups[group], p->kept->rows[group][place]);
}

/* Puts `factor` × the part of one group, or of all groups if `group` is negative. */
static void put_rows(struct dse_program *p, int group, double factor, enum part part, int which, int stage, int memory)
{
    for (size_t g = 0; g < p->plan->group_count; g++)
        if (group < 0 || (size_t)group == g)
            for (size_t k = 0; k < p->kept->count[g]; k++)
                dse_program_put(p, p->first[g] + (int)k, factor * part_of(p, kept_row(p, g, k), part, which, stage, memory));
}

DSE_PRINTF(3, 4) static int add_column(struct dse_program *p, int kind, const char *format, ...)
{
    char name[96];
    va_list values;
    va_start(values, format);
    make_name(p, name, format, values);
    va_end(values);
    return dse_program_add_column(p, kind, name);
}

/* ---- a slice ---- */

static void add_choices(struct dse_program *p)
{
    char name[64];
    p->chosen = add_column(p, GLP_BV, "chosen");
    for (size_t g = 0; g < p->plan->group_count; g++) {
        p->first[g] = glp_add_cols(p->problem, (int)p->kept->count[g]);
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            int column = p->first[g] + (int)k;
            snprintf(name, sizeof name, "s%zu_g%zu_r%u", p->number, g, p->kept->rows[g][k]);
            glp_set_col_name(p->problem, column, name);
            glp_set_col_kind(p->problem, column, GLP_BV);
            dse_program_put(p, column, 1.0);
        }
        close_against(p, GLP_FX, 1.0, "one_of_%zu", g);
    }
}

/* Rows of two groups with a common knob agree in it: for each of its values, both groups choose the same number of rows. */
static void link_groups(struct dse_program *p, size_t knob, size_t left, size_t right)
{
    const struct dse_knob *of = &p->slice->space->knobs[knob];
    const size_t groups[] = {left, right};
    struct dse_config config;
    for (size_t v = 0; v < of->domain_count; v++) {
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < p->kept->count[groups[side]]; k++) {
                dse_slice_row_config(p->plan, p->slice, groups[side], p->kept->rows[groups[side]][k], &config);
                if (config.value[knob] == of->domain[v])
                    dse_program_put(p, p->first[groups[side]] + (int)k, side == 0 ? 1.0 : -1.0);
            }
        dse_program_close_row(p, GLP_FX, 0.0, "agree_%zu_%zu_%zu", left, right, v);
    }
}

static void link_all(struct dse_program *p)
{
    for DSE_BITS_EACH(knob, p->plan->joined) {
        size_t before = DSE_GROUP_MAX;
        for (size_t g = 0; g < p->plan->group_count; g++)
            for (size_t i = 0; i < p->plan->groups[g].knob_count; i++) {
                if (p->plan->groups[g].knobs[i] != knob)
                    continue;
                if (before < DSE_GROUP_MAX)
                    link_groups(p, knob, before, g);
                before = g;
            }
    }
}

static bool any_moves(const struct dse_program *p, int which, int stage, int memory)
{
    for (size_t g = 0; g < p->plan->group_count; g++)
        for (size_t k = 0; k < p->kept->count[g]; k++)
            if (kept_row(p, g, k)[stage / DSE_STAGE_MAX].bytes[which][stage % DSE_STAGE_MAX][memory] > 0)
                return true;
    return false;
}

/* The rows that a stage's time is at least as long as. */
static void bound_stage(struct dse_program *p, int which, const char *word, int stage, int column)
{
    for (size_t g = 0; g < p->plan->group_count; g++) {
        put_rows(p, (int)g, -1.0, BUSY_US, which, stage, 0);
        if (p->length == 0)
            continue;
        dse_program_put(p, column, 1.0);
        dse_program_close_row(p, GLP_LO, 0.0, "%s_%d_busy_%zu", word, stage, g);
    }
    for (int m = 0; m < DSE_MEMORY_MAX; m++) {
        if (!any_moves(p, which, stage, m))
            continue;
        put_rows(p, -1, -1.0, MOVING_US, which, stage, m);
        dse_program_put(p, column, 1.0);
        dse_program_close_row(p, GLP_LO, 0.0, "%s_%d_memory_%d", word, stage, m);
    }
}

/* Maximum time of a stage from one group alone. */
static double most_of_group(const struct dse_program *p, size_t group, enum part part, int which, int stage, int memory)
{
    double most = 0.0;
    for (size_t k = 0; k < p->kept->count[group]; k++)
        most = fmax(most, part_of(p, kept_row(p, group, k), part, which, stage, memory));
    return most;
}

/* Lists candidates for a stage's time: busy groups (index below the group count) and, after them, memories.
 * `most` receives their maximum time. */
static size_t list_contenders(const struct dse_program *p, int which, int stage, size_t *contenders, double *most)
{
    size_t count = 0, groups = p->plan->group_count;
    *most = 0.0;
    for (size_t g = 0; g < groups; g++) {
        double longest = most_of_group(p, g, BUSY_US, which, stage, 0);
        *most = fmax(*most, longest);
        if (longest > 0.0)
            contenders[count++] = g;
    }
    for (int m = 0; m < DSE_MEMORY_MAX; m++) {
        double all = 0.0;
        for (size_t g = 0; g < groups; g++)
            all += most_of_group(p, g, MOVING_US, which, stage, m);
        *most = fmax(*most, all);
        if (all > 0.0)
            contenders[count++] = groups + (size_t)m;
    }
    return count;
}

/* Bounds the stage's time by one of its candidates, selected by binaries. */
static void attain_stage(struct dse_program *p, int which, const char *word, int stage, int column)
{
    double most = 0.0;
    size_t contenders[DSE_GROUP_MAX + DSE_MEMORY_MAX], groups = p->plan->group_count;
    size_t count = list_contenders(p, which, stage, contenders, &most);
    int first = 0;
    for (size_t i = 0; i < count && count > 1; i++) {
        int binary = add_column(p, GLP_BV, "%s_%d_slowest_%zu", word, stage, contenders[i]);
        first = i == 0 ? binary : first;
    }
    for (size_t i = 0; i < count; i++) {
        if (contenders[i] < groups)
            put_rows(p, (int)contenders[i], -1.0, BUSY_US, which, stage, 0);
        else
            put_rows(p, -1, -1.0, MOVING_US, which, stage, (int)(contenders[i] - groups));
        dse_program_put(p, column, 1.0);
        if (count > 1) {
            dse_program_put(p, first + (int)i, most);
            dse_program_put(p, p->chosen, -most);
        }
        dse_program_close_row(p, GLP_UP, 0.0, "%s_%d_attains_%zu", word, stage, contenders[i]);
    }
    for (size_t i = 0; i < count && count > 1; i++)
        dse_program_put(p, first + (int)i, 1.0);
    if (p->length > 0)
        close_against(p, GLP_FX, 1.0, "%s_%d_one_slowest", word, stage);
}

/* Whether blocks or memories determine the stage's time; a stage of fills alone has no column. */
static bool any_time(const struct dse_program *p, int which, int stage)
{
    double most = 0.0;
    size_t contenders[DSE_GROUP_MAX + DSE_MEMORY_MAX];
    return list_contenders(p, which, stage, contenders, &most) > 0;
}

/* Time of one case: stages of at least the time of each group and each memory. */
static void add_time(struct dse_program *p, int which)
{
    const char *word = which == DSE_CASE_TAIL ? "tail" : "time";
    int stages[DSE_SETS_MAX * DSE_STAGE_MAX] = {0}, count = (int)(dse_question_sets(p->question) * DSE_STAGE_MAX);
    for (int s = 0; s < count; s++) {
        if (s % DSE_STAGE_MAX == DSE_STAGE_APART || !any_time(p, which, s)) /* times of the apart stage are fills */
            continue;
        stages[s] = add_column(p, GLP_CV, "%s_%d", word, s);
        bound_stage(p, which, word, s, stages[s]);
        if (p->attained[which])
            attain_stage(p, which, word, s, stages[s]);
    }
    p->time[which] = add_column(p, GLP_CV, "%s", word);
    dse_program_put(p, p->time[which], 1.0);
    for (int s = 0; s < count; s++)
        if (stages[s] != 0)
            dse_program_put(p, stages[s], -dse_question_share(p->question, (size_t)s / DSE_STAGE_MAX));
    put_rows(p, -1, -1.0, FILL_US, which, 0, 0);
    dse_program_close_row(p, GLP_FX, 0.0, "whole_%s", word);
}

static void add_caps(struct dse_program *p)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        put_rows(p, -1, 1.0, USED, r, 0, 0);
        if (p->length > 0)
            close_against(p, GLP_UP, (double)p->slice->platform.capped[r], "cap_%d", r);
    }
}

/* Share of a launch that is equal for all designs. */
static double launch_us(const struct dse_program *p)
{
    const struct dse_platform *platform = &p->slice->platform;
    return (double)platform->host_fs * MICRO_PER_FEMTO * platform->parts * p->scale;
}

/* Puts `factor` × the host's time for an item: HOST_US or PROCESSOR_US. */
static void put_host(struct dse_program *p, enum part part, double factor)
{
    put_rows(p, -1, factor, part, 0, 0, 0);
    dse_program_put(p, p->chosen, factor * launch_us(p));
}

/* Times whose longest is that between two items that a unit delivers (dse_delivery_s). */
enum clock { CLOCK_OWN, CLOCK_HOST, CLOCK_MEMORY, CLOCK_COUNT };

static double memory_us(const struct dse_program *p) /* time per kB, for all units */
{
    return 1e9 * p->slice->platform.s_per_byte * (double)p->slice->platform.units;
}

static void put_clock(struct dse_program *p, enum dse_boundary b, enum clock clock, double factor)
{
    const struct dse_platform *platform = &p->slice->platform;
    if (clock == CLOCK_OWN)
        dse_program_put(p, p->time[DSE_CASE_MEAN], factor);
    if (clock == CLOCK_OWN && b == DSE_BOUNDARY_SYSTEM && platform->waits)
        dse_program_put(p, p->chosen, factor * launch_us(p));
    if (clock == CLOCK_MEMORY)
        put_rows(p, -1, factor * memory_us(p), KILOBYTES, 0, 0, 0);
    else if (clock == CLOCK_HOST || (b == DSE_BOUNDARY_SYSTEM && !platform->streams))
        put_host(p, clock == CLOCK_HOST ? PROCESSOR_US : HOST_US, clock == CLOCK_HOST ? factor * (double)platform->units : factor);
}

/* Adds the least and the most that the groups' rows have of a part. */
static void range_part(const struct dse_program *p, enum part part, double factor, double *low, double *high)
{
    for (size_t g = 0; g < p->plan->group_count; g++) {
        double least = INFINITY;
        for (size_t k = 0; k < p->kept->count[g]; k++)
            least = fmin(least, part_of(p, kept_row(p, g, k), part, 0, 0, 0));
        *low += factor * least;
        *high += factor * most_of_group(p, g, part, 0, 0, 0);
    }
}

/* The time between two items at a boundary: at least each of its clocks, and one of them if a longer time is an advantage. `low_us` and `high_us`: of
 * the latency. */
static void add_delivery_time(struct dse_program *p, enum dse_boundary b, double low_us, double high_us)
{
    static const char *const names[] = {"kernel", "system"};
    const struct dse_platform *platform = &p->slice->platform;
    double low[CLOCK_COUNT] = {low_us, launch_us(p)}, high[CLOCK_COUNT] = {high_us, launch_us(p)};
    bool system = b == DSE_BOUNDARY_SYSTEM, shared = platform->units > 1 || platform->streams;
    bool takes_part[CLOCK_COUNT] = {true, system && shared, (system && shared) || dse_rows_contend(p->question, p->plan, p->slice)};
    int slowest[CLOCK_COUNT] = {0};
    size_t parts = 0;
    range_part(p, PROCESSOR_US, 1.0, &low[CLOCK_HOST], &high[CLOCK_HOST]);
    range_part(p, KILOBYTES, memory_us(p), &low[CLOCK_MEMORY], &high[CLOCK_MEMORY]);
    if (system && (!platform->streams || platform->waits)) {
        low[CLOCK_OWN] += launch_us(p);
        high[CLOCK_OWN] += launch_us(p);
    }
    if (system && !platform->streams) {
        range_part(p, HOST_US, 1.0, &low[CLOCK_OWN], &high[CLOCK_OWN]);
    }
    low[CLOCK_HOST] *= (double)platform->units;
    high[CLOCK_HOST] *= (double)platform->units;
    p->low_us[b] = p->high_us[b] = 0.0;
    for (int k = 0; k < CLOCK_COUNT; k++) {
        parts += takes_part[k];
        p->low_us[b] = takes_part[k] ? fmax(p->low_us[b], low[k]) : p->low_us[b];
        p->high_us[b] = takes_part[k] ? fmax(p->high_us[b], high[k]) : p->high_us[b];
    }
    p->elapsed[b] = add_column(p, GLP_CV, "%s_time", names[b]);
    for (int k = 0; k < CLOCK_COUNT; k++) {
        if (!takes_part[k])
            continue;
        dse_program_put(p, p->elapsed[b], 1.0);
        put_clock(p, b, (enum clock)k, -1.0);
        dse_program_close_row(p, parts > 1 ? GLP_LO : GLP_FX, 0.0, "%s_time_%d", names[b], k);
        if (parts == 1 || !p->attained[DSE_CASE_MEAN])
            continue;
        slowest[k] = add_column(p, GLP_BV, "%s_slowest_%d", names[b], k);
        dse_program_put(p, p->elapsed[b], 1.0);
        put_clock(p, b, (enum clock)k, -1.0);
        dse_program_put(p, slowest[k], p->high_us[b]);
        close_against(p, GLP_UP, p->high_us[b], "%s_attains_%d", names[b], k);
    }
    for (int k = 0; k < CLOCK_COUNT; k++)
        if (slowest[k] != 0)
            dse_program_put(p, slowest[k], 1.0);
    if (p->length > 0)
        close_against(p, GLP_FX, 1.0, "%s_one_slowest", names[b]);
}

static const char *const words[] = {"", "system_"};

/* Restricts the time to the bracket if the slice is chosen. */
static void bound_time(struct dse_program *p, enum dse_boundary b)
{
    dse_program_put(p, p->elapsed[b], 1.0);
    close_against(p, GLP_LO, p->low_us[b], "%stime_low", words[b]);
    dse_program_put(p, p->elapsed[b], 1.0);
    close_against(p, GLP_UP, fmax(p->high_us[b], p->low_us[b] * (1.0 + 1e-9)), "%stime_high", words[b]);
}

/* Bounds the product of standby power and time from below by McCormick's two planes. */
static void add_bracketed_product(struct dse_program *p, enum dse_boundary b)
{
    double idle_low = 0.0, idle_high = 0.0, low_us = p->low_us[b], high_us = p->high_us[b];
    for (size_t g = 0; g < p->plan->group_count; g++) {
        double low = INFINITY, high = 0.0;
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            double idle = part_of(p, kept_row(p, g, k), IDLE_W, 0, 0, 0);
            low = fmin(low, idle);
            high = fmax(high, idle);
        }
        idle_low += low;
        idle_high += high;
    }
    p->product[b] = add_column(p, GLP_CV, "%sidle_energy", words[b]);
    dse_program_put(p, p->product[b], 1.0);
    dse_program_put(p, p->elapsed[b], -idle_low);
    put_rows(p, -1, -low_us, IDLE_W, 0, 0, 0);
    close_against(p, GLP_LO, -idle_low * low_us, "%sproduct_low", words[b]);
    dse_program_put(p, p->product[b], 1.0);
    dse_program_put(p, p->elapsed[b], -idle_high);
    put_rows(p, -1, -high_us, IDLE_W, 0, 0, 0);
    close_against(p, GLP_LO, -idle_high * high_us, "%sproduct_high", words[b]);
}

/* Adds the rows of a group with this standby power. */
static void put_alike(struct dse_program *p, size_t group, double idle, double factor)
{
    for (size_t k = 0; k < p->kept->count[group]; k++)
        if (part_of(p, kept_row(p, group, k), IDLE_W, 0, 0, 0) == idle)
            dse_program_put(p, p->first[group] + (int)k, factor);
}

/* Time variable for one standby power of a group: between low and high if a row with it is chosen, otherwise 0. */
static int add_class_time(struct dse_program *p, enum dse_boundary b, size_t group, size_t number, double idle)
{
    int column = add_column(p, GLP_CV, "%sg%zu_i%zu", words[b], group, number);
    dse_program_put(p, column, 1.0);
    put_alike(p, group, idle, -p->low_us[b]);
    dse_program_close_row(p, GLP_LO, 0.0, "%sg%zu_i%zu_low", words[b], group, number);
    dse_program_put(p, column, 1.0);
    put_alike(p, group, idle, -p->high_us[b]);
    dse_program_close_row(p, GLP_UP, 0.0, "%sg%zu_i%zu_high", words[b], group, number);
    return column;
}

/* The product as a sum over groups: standby power × the time variable of its class. */
static void add_exact_product(struct dse_program *p, enum dse_boundary b)
{
    p->product[b] = add_column(p, GLP_CV, "%sidle_energy", words[b]);
    dse_program_close_row(p, GLP_FX, 0.0, "%sproduct", words[b]); /* filled in at the end */
    int product_row = glp_get_num_rows(p->problem);
    size_t most = 2;
    for (size_t g = 0; g < p->plan->group_count; g++)
        most += p->kept->count[g];
    int *columns DSE_CLEANUP(dse_free_at) = dse_malloc(most * sizeof *columns), length = 1;
    double *values DSE_CLEANUP(dse_free_at) = dse_malloc(most * sizeof *values);
    columns[1] = p->product[b];
    values[1] = -1.0;
    for (size_t g = 0; g < p->plan->group_count; g++) {
        int first = length + 1;
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            double idle = part_of(p, kept_row(p, g, k), IDLE_W, 0, 0, 0);
            bool seen = false;
            for (int i = first; i <= length; i++)
                seen |= values[i] == idle;
            if (seen)
                continue;
            length++;
            columns[length] = add_class_time(p, b, g, (size_t)(length - first), idle);
            values[length] = idle;
        }
        for (int i = first; i <= length; i++)
            dse_program_put(p, columns[i], 1.0);
        dse_program_put(p, p->elapsed[b], -1.0);
        dse_program_close_row(p, GLP_FX, 0.0, "%sg%zu_times", words[b], g);
    }
    glp_set_mat_row(p->problem, product_row, length, columns, values);
}

static void add_inverse(struct dse_program *p)
{
    const struct dse_platform *platform = &p->slice->platform;
    p->inverse = add_column(p, GLP_CV, "interval");
    for (size_t g = 0; g < p->plan->group_count && platform->pipelined; g++) { /* the slowest stage of each group */
        put_rows(p, (int)g, -1.0 / (double)platform->at_once, BUSY_US, DSE_CASE_MEAN, DSE_STAGE_APART, 0);
        dse_program_put(p, p->inverse, 1.0);
        dse_program_close_row(p, GLP_LO, 0.0, "interval_%zu", g);
    }
    if (!platform->pipelined) {
        dse_program_put(p, p->inverse, 1.0);
        dse_program_put(p, p->time[DSE_CASE_MEAN], -1.0 / (double)platform->at_once);
        dse_program_close_row(p, GLP_LO, 0.0, "interval_time");
    }
    if (platform->bytes_per_s <= 0.0)
        return;
    dse_program_put(p, p->inverse, 1.0);
    put_rows(p, -1, -1e9 / platform->bytes_per_s * (double)platform->units / (double)platform->at_once, KILOBYTES, 0, 0, 0);
    dse_program_close_row(p, GLP_LO, 0.0, "interval_bytes");
}

/* Adds a share of the energy, minus that of `power_w` over the same time. */
static void put_energy(struct dse_program *p, enum dse_boundary b, double share, double power_w)
{
    put_rows(p, -1, share, energy_parts[b], 0, 0, 0);
    dse_program_put(p, p->elapsed[b], share * (p->slice->platform.share_nw[b] * 1e-9 - power_w / (double)p->slice->platform.units));
    dse_program_put(p, p->product[b], share);
}

void dse_program_put_metric(struct dse_program *p, enum dse_metric metric)
{
    if (dse_metrics[metric].resource >= 0) {
        put_rows(p, -1, 1.0, USED, dse_metrics[metric].resource, 0, 0);
        return;
    }
    switch (metric) {
    case DSE_METRIC_LATENCY:
    case DSE_METRIC_CYCLES: dse_program_put(p, p->time[DSE_CASE_MEAN], 1.0); break;
    case DSE_METRIC_LATENCY_P99: dse_program_put(p, p->time[DSE_CASE_TAIL], 1.0); break;
    case DSE_METRIC_THROUGHPUT: dse_program_put(p, p->inverse, 1.0); break;
    case DSE_METRIC_DDR_BYTES: put_rows(p, -1, 1.0, KILOBYTES, 0, 0, 0); break;
    case DSE_METRIC_DRAM_ENERGY: put_rows(p, -1, 1.0, DRAM_UJ, 0, 0, 0); break;
    case DSE_METRIC_THROUGHPUT_SYSTEM: dse_program_put(p, p->elapsed[DSE_BOUNDARY_SYSTEM], 1.0 / (double)p->slice->platform.at_once); break;
    case DSE_METRIC_LATENCY_SYSTEM:
        dse_program_put(p, p->time[DSE_CASE_MEAN], 1.0);
        put_host(p, HOST_US, 1.0);
        break;
    case DSE_METRIC_ENERGY: put_energy(p, DSE_BOUNDARY_KERNEL, 1.0, 0.0); break;
    case DSE_METRIC_ENERGY_SYSTEM: put_energy(p, DSE_BOUNDARY_SYSTEM, 1.0 / dse_platform_items(&p->slice->platform), 0.0); break;
    case DSE_METRIC_POWER: put_energy(p, DSE_BOUNDARY_KERNEL, 1.0, p->power_w); break;
    case DSE_METRIC_POWER_SYSTEM: put_energy(p, DSE_BOUNDARY_SYSTEM, 1.0, p->power_w); break;
    case DSE_METRIC_QUALITY: /* higher is better; programs minimise */
        dse_program_put(p, p->chosen, -p->question->alternatives[p->slice->alternative].quality);
        break;
    default: break;
    }
}

void dse_program_put_row(struct dse_program *p, size_t group, uint32_t row, double value)
{
    for (size_t k = 0; k < p->kept->count[group]; k++)
        if (p->kept->rows[group][k] == row)
            dse_program_put(p, p->first[group] + (int)k, value);
}

void dse_program_put_least_power(struct dse_program *p, enum dse_boundary b)
{
    double units = (double)p->slice->platform.units;
    for (size_t g = 0; g < p->plan->group_count; g++)
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            const struct dse_accumulators *sums = kept_row(p, g, k);
            dse_program_put(p, p->first[g] + (int)k, units * (part_of(p, sums, energy_parts[b], 0, 0, 0) / p->high_us[b] + part_of(p, sums, IDLE_W, 0, 0, 0)));
        }
    dse_program_put(p, p->chosen, (double)p->slice->platform.still_nw[b] * 1e-9);
}

/* Unit of cycles: for data sets run in sequence by weight, one run of the total. */
static double whole_cycle(const struct dse_program *p)
{
    const struct dse_sets *sets = p->question->sets;
    int64_t runs = 0;
    for (size_t set = 0; sets != NULL && sets->lanes == 1 && set < sets->count; set++)
        runs += sets->times[set];
    return runs > 0 ? 1.0 / (double)runs : 1.0;
}

double dse_program_value(const struct dse_program *p, enum dse_metric metric, double value)
{
    switch (metric) {
    case DSE_METRIC_LATENCY:
    case DSE_METRIC_LATENCY_P99:
    case DSE_METRIC_ENERGY:
    case DSE_METRIC_ENERGY_SYSTEM:
    case DSE_METRIC_DRAM_ENERGY: return value * 1e6 * p->scale;
    case DSE_METRIC_THROUGHPUT:
    case DSE_METRIC_THROUGHPUT_SYSTEM: return 1e6 / value * p->scale;
    case DSE_METRIC_DDR_BYTES: return value * 1e-3 * p->scale;
    case DSE_METRIC_CYCLES: return (value + 0.5 * whole_cycle(p)) * (double)p->slice->platform.fs_per_cycle * MICRO_PER_FEMTO * p->scale;
    case DSE_METRIC_QUALITY: return -value;
    case DSE_METRIC_LATENCY_SYSTEM: return value * 1e6 * p->scale / p->slice->platform.batch;
    case DSE_METRIC_POWER:
    case DSE_METRIC_POWER_SYSTEM: return 0.0;
    default: return value;
    }
}

/* Limits throughput from above: the time is long enough, or the bytes are many enough, selected by a binary. */
static void limit_throughput(struct dse_program *p, const char *name, double interval_us)
{
    const struct dse_platform *platform = &p->slice->platform;
    dse_program_put(p, p->time[DSE_CASE_MEAN], 1.0 / (double)platform->at_once);
    if (platform->bytes_per_s <= 0.0) {
        close_against(p, GLP_LO, interval_us, "%s", name);
        return;
    }
    int bytes = add_column(p, GLP_BV, "by_bytes"); /* 1: by the bytes */
    dse_program_put(p, bytes, interval_us);
    close_against(p, GLP_LO, interval_us, "%s", name);
    put_rows(p, -1, 1e9 / platform->bytes_per_s * (double)platform->units / (double)platform->at_once, KILOBYTES, 0, 0, 0);
    dse_program_put(p, bytes, -interval_us);
    dse_program_close_row(p, GLP_LO, 0.0, "%s_bytes", name);
}

/* Limits on quality decide whether a slice takes part. */
static void add_limits(struct dse_program *p)
{
    char name[64];
    double power_w = p->power_w;
    for (size_t i = 0; i < p->question->limit_count; i++) {
        const struct dse_limit *limit = &p->question->limits[i];
        if (limit->metric == DSE_METRIC_QUALITY)
            continue;
        snprintf(name, sizeof name, "limit_%s_%zu", dse_metrics[limit->metric].name, i);
        if (limit->metric == DSE_METRIC_THROUGHPUT && !limit->at_least) {
            limit_throughput(p, name, dse_program_value(p, limit->metric, limit->bound));
            continue;
        }
        p->power_w = limit->bound;
        dse_program_put_metric(p, limit->metric);
        bool upper = !dse_limit_is_reverse(limit);
        bool reverse_cycles = limit->metric == DSE_METRIC_CYCLES && limit->at_least;
        close_against(p, upper ? GLP_UP : GLP_LO,
                      dse_program_value(p, limit->metric, limit->bound - (reverse_cycles ? whole_cycle(p) : 0.0)), "%s", name);
    }
    p->power_w = power_w;
}

void dse_program_add_slice(struct dse_program *p, size_t number, const struct dse_slice *slice,
                           const struct dse_kept_rows *kept, enum dse_product product, double low_us, double high_us)
{
    const struct dse_question *question = p->question;
    p->low_us[DSE_BOUNDARY_KERNEL] = low_us * p->scale;
    p->high_us[DSE_BOUNDARY_KERNEL] = high_us * p->scale;
    p->number = number;
    p->slice = slice;
    p->kept = kept;
    p->inverse = p->time[DSE_CASE_MEAN] = p->time[DSE_CASE_TAIL] = 0;
    add_choices(p);
    link_all(p);
    bool energy[DSE_BOUNDARY_COUNT], system = dse_question_asks_system(question);
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        p->product[b] = p->elapsed[b] = 0;
        energy[b] = dse_question_asks(question, dse_energy_metrics[b]) || dse_question_asks(question, dse_power_metrics[b]);
    }
    bool throughput = dse_question_asks(question, DSE_METRIC_THROUGHPUT);
    if (energy[DSE_BOUNDARY_KERNEL] || system || throughput || dse_question_asks(question, DSE_METRIC_LATENCY) ||
        dse_question_asks(question, DSE_METRIC_CYCLES))
        add_time(p, DSE_CASE_MEAN);
    if (dse_question_asks(question, DSE_METRIC_LATENCY_P99))
        add_time(p, DSE_CASE_TAIL);
    add_caps(p);
    p->elapsed[DSE_BOUNDARY_KERNEL] = p->time[DSE_CASE_MEAN];
    if (energy[DSE_BOUNDARY_SYSTEM] || dse_question_asks(question, DSE_METRIC_THROUGHPUT_SYSTEM))
        add_delivery_time(p, DSE_BOUNDARY_SYSTEM, low_us * p->scale, high_us * p->scale);
    if (energy[DSE_BOUNDARY_KERNEL] && dse_rows_contend(question, p->plan, slice))
        add_delivery_time(p, DSE_BOUNDARY_KERNEL, low_us * p->scale, high_us * p->scale);
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        if (!energy[b])
            continue;
        bound_time(p, (enum dse_boundary)b);
        if (product == DSE_PRODUCT_BRACKET)
            add_bracketed_product(p, (enum dse_boundary)b);
        else
            add_exact_product(p, (enum dse_boundary)b);
    }
    if (throughput)
        add_inverse(p);
    add_limits(p);
}
