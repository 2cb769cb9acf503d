#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "search/program.h"

/* A group's rows for some slices: the choice for a chosen slice. */
struct table {
    uint32_t *rows; /* count, ascending indices of the class's rows */
    size_t count;
    struct dse_extent extent;
};

/* Choices of slices on one platform: the distinct rows of each group, one column each, shared by the slices. */
struct class {
    struct dse_slice slice; /* the platform, and all rows of all slices */
    struct dse_kept_rows all; /* 0, 1, 2, … */
    uint32_t *places[DSE_GROUP_MAX]; /* [place_count] hash table of rows, indices from 1; 0: empty */
    size_t place_count[DSE_GROUP_MAX];
    struct table *tables[DSE_GROUP_MAX];
    size_t table_count[DSE_GROUP_MAX];
    double low_us, high_us;
    double mixed_us; /* longest time over rows of any slices */
};

/* A participating slice. */
struct member {
    uint64_t index;
    size_t class;
    size_t table[DSE_GROUP_MAX];
    double bound;  /* bound of the objective, in the program's units; -inf if none */
    int chosen;    /* column of the binary variable that chooses the slice */
};

struct model {
    const struct dse_question *question;
    const struct dse_plan *plan;
    double worst; /* cost above which designs are not needed */
    bool sized;   /* times within a class are of similar size */
    struct dse_program program;
    struct class *classes; /* class_count */
    size_t class_count, class_capacity;
    struct member *members; /* member_count */
    size_t member_count;
};

/* ---- classes ---- */

/* Whether slices share a class. If a program has times and binaries (energy), the slices of a class must be of similar size. Solvers treat a binary up to
 * about 10⁻⁶ as 0, and that share of a second is large compared with a microsecond. */
static bool same_class(const struct model *model, const struct class *class, const struct dse_slice *slice, double high_us)
{
    bool alike = !dse_question_asks(model->question, DSE_METRIC_QUALITY) || class->slice.alternative == slice->alternative;
    bool sized = !model->sized || ilogb(class->high_us) == ilogb(high_us);
    return alike && sized && memcmp(&class->slice.platform, &slice->platform, sizeof slice->platform) == 0;
}

static struct class *class_of(struct model *model, const struct dse_slice *slice, double high_us)
{
    for (size_t c = 0; c < model->class_count; c++)
        if (same_class(model, &model->classes[c], slice, high_us))
            return &model->classes[c];
    dse_list_room(&model->classes, &model->class_capacity, model->class_count, sizeof *model->classes);
    struct class *class = &model->classes[model->class_count++];
    *class = (struct class){.slice = {.space = slice->space, .alternative = slice->alternative, .config = slice->config},
                            .low_us = INFINITY, .high_us = high_us};
    memcpy(&class->slice.platform, &slice->platform, sizeof slice->platform); /* including padding */
    return class;
}

/* Hash position of a row, or the free position for it. */
static size_t place_of(const struct class *class, size_t group, const struct dse_accumulators *sums)
{
    size_t mask = class->place_count[group] - 1, place = (size_t)XXH3_64bits(sums, sizeof *sums) & mask;
    while (class->places[group][place] != 0 &&
           memcmp(&class->slice.groups[group].sums[class->places[group][place] - 1], sums, sizeof *sums) != 0)
        place = (place + 1) & mask;
    return place;
}

/* Adds room for one row, in the group and in the hash table. */
static void grow(struct class *class, size_t group)
{
    struct dse_group *own = &class->slice.groups[group];
    size_t places = 4 * class->place_count[group] + 64;
    for (places--; (places & (places + 1)) != 0;)
        places |= places >> 1;
    places++;
    if (2 * (own->count + 1) <= class->place_count[group])
        return;
    own->sums = dse_realloc(own->sums, (places / 2 + 1) * sizeof *own->sums);
    class->all.rows[group] = dse_realloc(class->all.rows[group], (places / 2 + 1) * sizeof *class->all.rows[group]);
    free(class->places[group]);
    class->places[group] = dse_calloc(places, sizeof *class->places[group]);
    class->place_count[group] = places;
    for (size_t row = 0; row < own->count; row++)
        class->places[group][place_of(class, group, &own->sums[row])] = (uint32_t)row + 1;
}

/* Index of the class's row with these sums; added if new. */
static uint32_t take_row(struct class *class, size_t group, const struct dse_accumulators *sums)
{
    struct dse_group *own = &class->slice.groups[group];
    grow(class, group);
    uint32_t *place = &class->places[group][place_of(class, group, sums)];
    if (*place == 0) {
        own->sums[own->count] = *sums;
        class->all.rows[group][own->count] = (uint32_t)own->count;
        class->all.count[group] = ++own->count;
        *place = (uint32_t)own->count;
    }
    return *place - 1;
}

/* Index of the class's table with these rows; takes ownership of them. */
static size_t take_table(struct class *class, size_t group, uint32_t *rows, size_t count)
{
    for (size_t t = 0; t < class->table_count[group]; t++)
        if (class->tables[group][t].count == count && memcmp(class->tables[group][t].rows, rows, count * sizeof *rows) == 0) {
            free(rows);
            return t;
        }
    struct table *table = dse_list_more(&class->tables[group], &class->table_count[group], sizeof *table);
    *table = (struct table){.rows = rows, .count = count};
    dse_extent_open(&table->extent);
    for (size_t k = 0; k < count; k++)
        dse_extent_take(&table->extent, &class->slice.groups[group].sums[rows[k]]);
    return class->table_count[group] - 1;
}

static void join_class(const struct model *model, struct class *class, const struct dse_slice *slice, const struct dse_kept_rows *kept,
                       struct member *member)
{
    for (size_t g = 0; g < model->plan->group_count; g++) {
        uint32_t *rows = dse_malloc((kept->count[g] + 1) * sizeof *rows);
        for (size_t k = 0; k < kept->count[g]; k++) {
            struct dse_accumulators sums = slice->groups[g].sums[kept->rows[g][k]];
            dse_rows_hide(model->question, &sums);
            rows[k] = take_row(class, g, &sums);
        }
        size_t distinct = 0;
        qsort(rows, kept->count[g], sizeof *rows, dse_compare_rows);
        for (size_t k = 0; k < kept->count[g]; k++)
            if (k == 0 || rows[k] != rows[distinct - 1])
                rows[distinct++] = rows[k];
        member->table[g] = take_table(class, g, rows, distinct);
    }
}

/* Lower bound of the objective of a chosen slice: from the minimum sums of its remaining rows. */
static double bound_of(const struct model *model, const struct dse_slice *slice, const struct class *class, const struct member *member)
{
    enum dse_metric metric = model->question->objectives[0];
    struct dse_program as = {.question = model->question, .slice = slice, .scale = 1.0};
    struct dse_accumulators least = {0};
    double metrics[DSE_METRIC_COUNT];
    if (metric == DSE_METRIC_QUALITY || dse_metric_is_power(metric, NULL))
        return -INFINITY;
    for (size_t g = 0; g < model->plan->group_count; g++)
        dse_accumulators_combine(&least, &class->tables[g][member->table[g]].extent.least);
    dse_slice_metrics(model->question, slice, &least, metrics);
    return dse_program_value(&as, metric, metrics[metric]) * (1.0 - 1e-9);
}

static enum dse_status take_slice(struct model *model, uint64_t index, void *const *work, struct dse_error *err)
{
    struct dse_slice *slice DSE_CLEANUP(dse_slice_drop) = NULL;
    struct dse_kept_rows kept DSE_CLEANUP(dse_rows_free) = {0};
    DSE_TRY(dse_slice_open(model->question, model->plan, index, work, &slice, err));
    dse_rows_keep(model->question, model->plan, slice, model->worst, &kept);
    if (kept.count[0] == 0)
        return DSE_OK;
    double low_us = 0.0, high_us = 0.0;
    dse_rows_bracket(model->question, model->plan, slice, &kept, &low_us, &high_us);
    struct class *class = class_of(model, slice, high_us);
    struct member *member = &model->members[model->member_count++];
    join_class(model, class, slice, &kept, member);
    class->low_us = fmin(class->low_us, low_us);
    class->high_us = fmax(class->high_us, high_us);
    member->index = index;
    member->class = (size_t)(class - model->classes);
    member->bound = bound_of(model, slice, class, member);
    return DSE_OK;
}

/* ---- dominated slices ---- */

/* Whether for each row of `table` the group's table `better` has a row that is no worse. */
static bool has_no_worse(const struct class *class, size_t group, const struct table *better, const struct table *table,
                         const struct dse_scale *scale)
{
    const struct dse_accumulators *sums = class->slice.groups[group].sums;
    size_t last = 0; /* the row that was better last is often better again */
    for (size_t k = 0; k < table->count; k++) {
        size_t tried = 0;
        while (tried < better->count && !dse_row_is_no_worse(&sums[better->rows[last]], &sums[table->rows[k]], scale)) {
            last = (last + 1) % better->count;
            tried++;
        }
        if (tried == better->count)
            return false;
    }
    return true;
}

/* Whether each design of `member` can be converted, group by group, to one of `better` that is no worse. Stages last at least as long as its own rows
 * require; the other groups' rows are from either. */
static bool covers(const struct model *model, const struct class *class, const struct member *better, const struct member *member)
{
    struct dse_extent own[DSE_GROUP_MAX], both[DSE_GROUP_MAX];
    for (size_t g = 0; g < model->plan->group_count; g++) {
        const struct dse_extent *other = &class->tables[g][better->table[g]].extent;
        both[g] = own[g] = class->tables[g][member->table[g]].extent;
        dse_extent_take(&both[g], &other->least);
        dse_extent_take(&both[g], &other->most);
    }
    const struct dse_comparing how =
        dse_compare_by(model->question, model->plan, &class->slice.platform, class->low_us, class->mixed_us, own, both);
    for (size_t g = 0; g < model->plan->group_count; g++) {
        size_t a = better->table[g], b = member->table[g];
        struct dse_scale scale;
        if (a == b)
            continue;
        dse_scale_make(&how, &both[g], &scale);
        if (how.all || !has_no_worse(class, g, &class->tables[g][a], &class->tables[g][b], &scale))
            return false;
    }
    return true;
}

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->bound != y->bound)
        return x->bound < y->bound ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Drops each slice that another one on the same platform dominates design by design: without a quality objective, most
 * settings are dropped. */
static void leave_out(struct model *model)
{
    size_t left = 0;
    double low_us = 0.0;
    qsort(model->members, model->member_count, sizeof *model->members, compare_members);
    for (size_t c = 0; c < model->class_count; c++)
        dse_rows_bracket(model->question, model->plan, &model->classes[c].slice, NULL, &low_us, &model->classes[c].mixed_us);
    for (size_t m = 0; m < model->member_count; m++) {
        const struct member *member = &model->members[m];
        const struct class *class = &model->classes[member->class];
        bool spare = false;
        for (size_t k = left; k > 0 && !spare && model->members[k - 1].class == member->class; k--)
            spare = covers(model, class, &model->members[k - 1], member);
        if (!spare)
            model->members[left++] = *member;
    }
    model->member_count = left;
}

/* ---- remaining rows ---- */

/* Removes rows from a class that no remaining slice uses. */
static void tidy(struct model *model, size_t which)
{
    struct class *class = &model->classes[which];
    for (size_t g = 0; g < model->plan->group_count; g++) {
        struct dse_group *own = &class->slice.groups[g];
        uint32_t *fresh DSE_CLEANUP(dse_free_at) = dse_calloc(own->count + 1, sizeof *fresh); /* from 1; 0: unused */
        bool *asked DSE_CLEANUP(dse_free_at) = dse_calloc(class->table_count[g] + 1, sizeof *asked);
        size_t count = 0;
        for (size_t m = 0; m < model->member_count; m++)
            if (model->members[m].class == which)
                asked[model->members[m].table[g]] = true;
        for (size_t t = 0; t < class->table_count[g]; t++)
            for (size_t k = 0; asked[t] && k < class->tables[g][t].count; k++)
                fresh[class->tables[g][t].rows[k]] = 1;
        for (size_t row = 0; row < own->count; row++)
            if (fresh[row] != 0) {
                own->sums[count] = own->sums[row];
                fresh[row] = (uint32_t)++count;
            }
        own->count = class->all.count[g] = count;
        for (size_t t = 0; t < class->table_count[g]; t++) {
            struct table *table = &class->tables[g][t];
            table->count = asked[t] ? table->count : 0;
            for (size_t k = 0; k < table->count; k++)
                table->rows[k] = fresh[table->rows[k]] - 1;
        }
    }
}

static void free_classes(struct model *model)
{
    for (size_t c = 0; c < model->class_count; c++)
        for (size_t g = 0; g < DSE_GROUP_MAX; g++) {
            struct class *class = &model->classes[c];
            for (size_t t = 0; t < class->table_count[g]; t++)
                free(class->tables[g][t].rows);
            free(class->tables[g]);
            free(class->places[g]);
            free(class->all.rows[g]);
            free(class->slice.groups[g].sums);
        }
    free(model->classes);
    free(model->members);
}

/* ---- the program ---- */

/* Restricts a chosen slice to its own rows if its tables lack some of the class's. */
static void link_tables(struct model *model, size_t which)
{
    struct dse_program *p = &model->program;
    const struct class *class = &model->classes[which];
    for (size_t g = 0; g < model->plan->group_count; g++)
        for (size_t t = 0; t < class->table_count[g]; t++) {
            const struct table *table = &class->tables[g][t];
            if (table->count == 0 || table->count == class->slice.groups[g].count)
                continue;
            for (size_t m = 0; m < model->member_count; m++)
                if (model->members[m].class == which && model->members[m].table[g] == t)
                    dse_program_put(p, model->members[m].chosen, 1.0);
            for (size_t k = 0; k < table->count; k++)
                dse_program_put(p, p->first[g] + (int)table->rows[k], -1.0);
            dse_program_close_row(p, GLP_UP, 0.0, "from_%zu_%zu", g, t);
        }
}

static void add_members(struct model *model, size_t which)
{
    struct dse_program *p = &model->program;
    char name[64];
    for (size_t m = 0; m < model->member_count; m++) {
        struct member *member = &model->members[m];
        if (member->class != which)
            continue;
        snprintf(name, sizeof name, "slice%llu", (unsigned long long)member->index);
        member->chosen = dse_program_add_column(p, GLP_BV, name);
        dse_program_put(p, member->chosen, 1.0);
    }
    dse_program_put(p, p->chosen, -1.0);
    dse_program_close_row(p, GLP_FX, 0.0, "slices");
}

static enum dse_status add_class(struct model *model, size_t which, struct dse_error *err)
{
    struct class *class = &model->classes[which];
    struct dse_program *p = &model->program;
    enum dse_metric objective = model->question->objectives[0];
    bool bounded = true, any = false;
    for (size_t m = 0; m < model->member_count; m++)
        any |= model->members[m].class == which;
    if (!any)
        return DSE_OK;
    dse_program_add_slice(p, which, &class->slice, &class->all, DSE_PRODUCT_EXACT, class->low_us, class->high_us);
    dse_program_put_metric(p, objective);
    dse_program_minimise(p);
    add_members(model, which);
    link_tables(model, which);
    for (size_t m = 0; m < model->member_count; m++)
        bounded &= isfinite(model->members[m].bound);
    if (bounded) {
        dse_program_put_metric(p, objective);
        for (size_t m = 0; m < model->member_count; m++)
            if (model->members[m].class == which)
                dse_program_put(p, model->members[m].chosen, -model->members[m].bound);
        dse_program_close_row(p, GLP_LO, 0.0, "least");
    }
    if (glp_get_num_cols(p->problem) > DSE_ILP_COLUMNS_MAX)
        return dse_fail(err, DSE_LIMIT, "the integer program of the whole search space has more than %d columns; fix some knobs",
                        DSE_ILP_COLUMNS_MAX);
    return DSE_OK;
}

/* Adds a coupling column: the sum of the binaries of the slices with value `value` of a knob, or, for `knob` =
 * DSE_KNOB_MAX, with this setting. */
static void couple(struct model *model, size_t knob, int64_t value, const char *name)
{
    bool any = false;
    for (size_t m = 0; m < model->member_count; m++) {
        struct dse_config config;
        size_t alternative = dse_slice_fixed(model->question, model->plan, model->members[m].index, &config);
        int64_t mine = knob < DSE_KNOB_MAX ? config.value[knob] : (int64_t)alternative;
        if (mine != value)
            continue;
        dse_program_put(&model->program, model->members[m].chosen, 1.0);
        any = true;
    }
    if (!any)
        return;
    dse_program_put(&model->program, dse_program_add_column(&model->program, GLP_BV, name), -1.0);
    char row[96];
    snprintf(row, sizeof row, "is_%s", name);
    dse_program_close_as(&model->program, GLP_FX, 0.0, row);
}

static void couple_all(struct model *model)
{
    char name[80];
    for (size_t m = 0; m < model->member_count; m++)
        dse_program_put(&model->program, model->members[m].chosen, 1.0);
    dse_program_close_as(&model->program, GLP_FX, 1.0, "one_slice");
    for (size_t f = 0; f < model->plan->fixed_count; f++) {
        const struct dse_knob *knob = &model->question->space->knobs[model->plan->fixed[f]];
        for (size_t v = 0; v < knob->domain_count; v++) {
            snprintf(name, sizeof name, "%.48s_%lld", knob->name, (long long)knob->domain[v]);
            couple(model, model->plan->fixed[f], knob->domain[v], name);
        }
    }
    for (size_t a = 0; a < model->question->alternative_count; a++) {
        snprintf(name, sizeof name, "setting_%zu", a);
        couple(model, DSE_KNOB_MAX, (int64_t)a, name);
    }
}

static int write_as(glp_prob *problem, const char *place, bool lp)
{
    return lp ? glp_write_lp(problem, NULL, place) : glp_write_mps(problem, GLP_MPS_FILE, NULL, place);
}

/* GLPK cannot be interrupted while writing, which takes seconds for large programs: a child process writes, and is
 * killed if the monitor cancels. */
static enum dse_status write_in_child(glp_prob *problem, const char *place, bool lp, const struct dse_monitor *monitor,
                                      bool *failed, struct dse_error *err)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(write_as(problem, place, lp) != 0);
    if (child < 0) {
        *failed = write_as(problem, place, lp) != 0;
        return DSE_OK;
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (dse_monitor_cancelled(monitor)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return dse_fail_cancelled(err);
        }
        nanosleep(&moment, NULL);
    }
    *failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return DSE_OK;
}

static enum dse_status write_file(glp_prob *problem, const char *path, const struct dse_monitor *monitor,
                                  struct dse_error *err)
{
    struct dse_file_writer writer;
    DSE_TRY(dse_file_begin(path, &writer, err));
    const char *place = writer.temporary != NULL ? writer.temporary : path;
    const char *suffix = strrchr(path, '.');
    bool failed = false;
    glp_term_out(GLP_OFF); /* suppresses its output */
    enum dse_status status = write_in_child(problem, place, suffix != NULL && strcmp(suffix, ".lp") == 0, monitor, &failed, err);
    glp_term_out(GLP_ON);
    if (status == DSE_OK && !failed)
        return dse_file_commit(&writer, err);
    dse_file_abort(&writer);
    return status != DSE_OK ? status : dse_fail(err, DSE_LIMIT, "%s: cannot be written", path);
}

/* Makes members and classes of these slices. */
static enum dse_status collect(struct model *model, void *const *work, const uint64_t *slices, size_t count, struct dse_error *err)
{
    free_classes(model);
    model->classes = NULL;
    model->class_count = model->class_capacity = model->member_count = 0;
    model->members = dse_calloc(count + 1, sizeof *model->members);
    for (size_t i = 0; i < count; i++) {
        if (dse_monitor_cancelled(model->question->monitor))
            return dse_fail_cancelled(err);
        DSE_TRY(take_slice(model, slices[i], work, err));
    }
    return DSE_OK;
}

/* Makes classes of similar size from the remaining slices: slices of another size may represent the dropped ones. */
static enum dse_status collect_by_size(struct model *model, void *const *work, struct dse_error *err)
{
    size_t count = model->member_count;
    uint64_t *slices DSE_CLEANUP(dse_free_at) = dse_malloc((count + 1) * sizeof *slices);
    for (size_t m = 0; m < count; m++)
        slices[m] = model->members[m].index;
    model->sized = true;
    return collect(model, work, slices, count, err);
}

static enum dse_status write_model(struct model *model, void *const *work, const uint64_t *slices, size_t slice_count, const char *path,
                                   struct dse_error *err)
{
    const struct dse_question *question = model->question;
    DSE_TRY(collect(model, work, slices, slice_count, err));
    leave_out(model);
    if (dse_program_asks_energy(question))
        DSE_TRY(collect_by_size(model, work, err));
    for (size_t c = 0; c < model->class_count; c++)
        tidy(model, c);
    for (size_t c = 0; c < model->class_count; c++)
        DSE_TRY(dse_monitor_cancelled(question->monitor) ? dse_fail_cancelled(err) : add_class(model, c, err));
    couple_all(model);
    return write_file(model->program.problem, path, question->monitor, err);
}

enum dse_status dse_ilp_write(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                              const uint64_t *slices, size_t slice_count, double power_w, double worst, const char *path,
                              struct dse_error *err)
{
    struct model model = {.question = question, .plan = plan, .worst = worst};
    dse_program_start(question, plan, &model.program);
    model.program.power_w = power_w;
    enum dse_status status = write_model(&model, work, slices, slice_count, path, err);
    dse_program_free(&model.program);
    free_classes(&model);
    return status;
}
