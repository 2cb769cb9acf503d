#include "search/ilp_model.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "search/program.h"

struct model {
    const struct dse_question *question;
    const struct dse_plan *plan;
    struct dse_program program;
    int *chosen;       /* column of each slice's binary; 0 where the slice takes no part */
    const uint64_t *slices;
    size_t slice_count;
};

/* Compute units multiply resources and bring nothing but throughput: where nobody asks for that, the slice with the fewest
 * units stands for the others. */
static bool is_spare(const struct model *model, uint64_t index)
{
    const struct dse_question *q = model->question;
    size_t units = q->family->units_knob;
    bool reverse = dse_program_asks(q, DSE_METRIC_THROUGHPUT);
    for (size_t i = 0; i < q->limit_count; i++)
        reverse |= dse_limit_is_reverse(&q->limits[i]);
    if ((q->free >> units & 1) == 0 || reverse)
        return false;
    struct dse_config config;
    dse_slice_fixed(q, model->plan, index, &config);
    for (size_t i = 0; i < q->space->knobs[units].domain_count; i++)
        if (q->space->knobs[units].domain[i] < config.value[units])
            return true;
    return false;
}

/* The objective of a slice that is chosen is no less than that of its least sums. */
static void bound_objective(struct model *model, const struct dse_slice *slice)
{
    enum dse_metric metric = model->question->objectives[0];
    struct dse_accumulators least;
    double metrics[DSE_METRIC_COUNT];
    if (metric == DSE_METRIC_QUALITY || metric == DSE_METRIC_POWER)
        return;
    dse_slice_least(model->plan, slice, &least);
    dse_slice_metrics(model->question, slice, &least, metrics);
    double bound = dse_program_value(&model->program, metric, metrics[metric]);
    dse_program_put_metric(&model->program, metric);
    dse_program_put(&model->program, model->program.chosen, -bound * (1.0 - 1e-9));
    dse_program_close_row(&model->program, "least", GLP_LO, 0.0);
}

static enum dse_status add_slice(struct model *model, size_t place, void *const *work, struct dse_error *err)
{
    uint64_t index = model->slices[place];
    struct dse_slice *slice = malloc(sizeof *slice);
    if (slice == NULL)
        return dse_fail_memory(err);
    struct dse_kept_rows kept = {0};
    enum dse_status status = dse_slice_make(model->question, model->plan, index,
                                            work[index / model->plan->slices_per_alternative], slice, err);
    if (status == DSE_OK) {
        status = dse_rows_keep(model->question, model->plan, slice, &kept, err);
        if (status == DSE_OK) {
            double low_us = 0.0, high_us = 0.0;
            dse_program_bracket(model->plan, slice, &low_us, &high_us);
            dse_program_add_slice(&model->program, (size_t)index, slice, &kept, DSE_PRODUCT_EXACT, low_us, high_us);
            model->chosen[place] = model->program.chosen;
            dse_program_put_metric(&model->program, model->question->objectives[0]);
            dse_program_minimise(&model->program);
            bound_objective(model, slice);
        }
        dse_rows_free(&kept);
        dse_slice_free(model->plan, slice);
    }
    free(slice);
    if (status == DSE_OK && glp_get_num_cols(model->program.problem) > DSE_ILP_COLUMNS_MAX)
        return dse_fail(err, DSE_LIMIT, "the program of the whole question has more than %d columns; fix a knob or two",
                        DSE_ILP_COLUMNS_MAX);
    return status == DSE_OK && model->program.failed ? dse_fail_memory(err) : status;
}

/* A row over all slices. */
static void close_row(struct model *model, const char *name, double right)
{
    struct dse_program *p = &model->program;
    int row = glp_add_rows(p->problem, 1);
    glp_set_row_name(p->problem, row, name);
    glp_set_row_bnds(p->problem, row, GLP_FX, right, right);
    if (p->length > 0)
        glp_set_mat_row(p->problem, row, p->length, p->columns, p->values);
    p->length = 0;
}

/* A coupling column: the sum of the binaries of those slices that have value `value` of a knob, or, where `knob` is
 * DSE_KNOB_MAX, that have this setting. */
static void couple(struct model *model, size_t knob, int64_t value, const char *name)
{
    glp_prob *problem = model->program.problem;
    bool any = false;
    for (size_t i = 0; i < model->slice_count; i++) {
        struct dse_config config;
        size_t alternative = dse_slice_fixed(model->question, model->plan, model->slices[i], &config);
        int64_t mine = knob < DSE_KNOB_MAX ? config.value[knob] : (int64_t)alternative;
        if (model->chosen[i] == 0 || mine != value)
            continue;
        dse_program_put(&model->program, model->chosen[i], 1.0);
        any = true;
    }
    if (!any)
        return;
    int column = glp_add_cols(problem, 1);
    glp_set_col_name(problem, column, name);
    glp_set_col_bnds(problem, column, GLP_DB, 0.0, 1.0);
    glp_set_col_kind(problem, column, GLP_BV);
    dse_program_put(&model->program, column, -1.0);
    char row[96];
    snprintf(row, sizeof row, "is_%s", name);
    close_row(model, row, 0.0);
}

static void couple_all(struct model *model)
{
    char name[80];
    for (size_t i = 0; i < model->slice_count; i++)
        if (model->chosen[i] != 0)
            dse_program_put(&model->program, model->chosen[i], 1.0);
    close_row(model, "one_slice", 1.0);
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

/* GLPK cannot be stopped while it writes, which takes seconds for large programs: a process of its own writes, and is
 * ended where the monitor cancels. */
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
    enum dse_status status = dse_file_begin(path, &writer, err);
    if (status != DSE_OK)
        return status;
    const char *place = writer.temporary != NULL ? writer.temporary : path;
    const char *suffix = strrchr(path, '.');
    bool failed = false;
    glp_term_out(GLP_OFF); /* what it would say goes nowhere */
    status = write_in_child(problem, place, suffix != NULL && strcmp(suffix, ".lp") == 0, monitor, &failed, err);
    glp_term_out(GLP_ON);
    if (status == DSE_OK && !failed)
        return dse_file_commit(&writer, err);
    dse_file_abort(&writer);
    return status != DSE_OK ? status : dse_fail(err, DSE_LIMIT, "%s: cannot be written", path);
}

enum dse_status dse_ilp_write(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                              const uint64_t *slices, size_t slice_count, double power_w, const char *path,
                              struct dse_error *err)
{
    struct model model = {.question = question, .plan = plan, .slices = slices, .slice_count = slice_count,
                          .chosen = calloc(slice_count + 1, sizeof *model.chosen)};
    if (model.chosen == NULL)
        return dse_fail_memory(err);
    dse_program_start(question, plan, &model.program);
    model.program.power_w = power_w;
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < slice_count && status == DSE_OK; i++) {
        if (dse_monitor_cancelled(question->monitor))
            status = dse_fail_cancelled(err);
        else if (!is_spare(&model, slices[i]))
            status = add_slice(&model, i, work, err);
    }
    if (status == DSE_OK) {
        couple_all(&model);
        status = model.program.failed ? dse_fail_memory(err) : write_file(model.program.problem, path, question->monitor, err);
    }
    dse_program_free(&model.program);
    free(model.chosen);
    return status;
}
