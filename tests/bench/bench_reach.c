/* usage: bench_reach FAMILY ENGINE DATA JOBS KNOB … [KNOB=VALUE …]: whether any design waits for the engine, by going through all of them that differ where it
 * matters. A design waits for the engine of the longest stage; so the engine must be the slowest of a stage that is no shorter than any other.
 * Every workload that a sweep's algorithmic knobs make (those that the comparison with the simulation draws) is measured, and every value of the named
 * knobs, those that the comparison draws with a step beyond what a sweep visits, is estimated, the other knobs at their defaults. Only the
 * stages that no other knob changes are compared: which they are is found by drawing the others at random, OTHERS times for each workload. Where the engine's
 * stage is never the longest even of these, no design waits for it, whatever the other knobs are. KNOB=VALUE: those workloads alone, or
 * that knob so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "validation/draw.h"
#include "validation/published.h"

#define OTHERS 200
#define VALUES_MOST 64

struct range {
    size_t knob, count;
    int64_t value[VALUES_MOST];
};

struct reach {
    const struct dse_executor *executor;
    const struct dse_model_family *family;
    struct dse_space *space;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_published_file file;
    struct dse_dataset *data;
    struct dse_setting preset;
    dse_knob_set algorithmic, others;
    struct range ranges[DSE_KNOB_MAX], workloads[DSE_KNOB_MAX];
    size_t range_count, workload_knobs, engine;
};

/* The best of one workload. */
struct best {
    double share; /* the engine's longest stage over the longest of those that are compared, where it is the stage's slowest */
    bool found, served;
    uint64_t estimates;
    unsigned fixed; /* stages that were compared, a bit each */
    struct dse_config workload, config;
};

struct task {
    struct reach *r;
    struct best *best;
};

static void put(struct range *range, int64_t value)
{
    for (size_t i = 0; i < range->count; i++)
        if (range->value[i] == value)
            return;
    if (range->count < VALUES_MOST)
        range->value[range->count++] = value;
}

/* What a sweep visits, every word, and powers of two from a quarter of its least value to four times its largest (validation/draw.c). */
static struct range range_of(const struct dse_space *space, size_t k, bool beyond)
{
    const struct dse_knob *knob = &space->knobs[k];
    struct range out = {.knob = k};
    int64_t least = knob->domain[0], most = knob->domain[0];
    for (size_t i = 0; i < knob->domain_count; i++) {
        put(&out, knob->domain[i]);
        least = knob->domain[i] < least ? knob->domain[i] : least;
        most = knob->domain[i] > most ? knob->domain[i] : most;
    }
    if (!beyond || knob->type == DSE_KNOB_DECIMAL)
        return out;
    if (knob->type == DSE_KNOB_CHOICE)
        for (size_t i = 0; i < knob->choice_count; i++)
            put(&out, (int64_t)i);
    else
        for (int64_t power = 1; power <= most * 4 && power <= knob->maximum; power *= 2)
            if (power >= least / 4 && power >= knob->minimum)
                put(&out, power);
    return out;
}

static int64_t stage_of(const struct dse_estimate *e, const struct dse_accumulators *sums, size_t stage)
{
    return dse_stage_fs(&e->platform, sums, DSE_CASE_MEAN, stage);
}

/* Which stages stay as they are whatever the other knobs are: no draw of them changed one. */
static enum dse_status find_fixed(const struct reach *r, const struct dse_setup *setup, const struct dse_config *base, struct dse_rng *rng,
                                  struct dse_estimate *e, bool *fixed, struct dse_error *err)
{
    int64_t first[DSE_STAGE_MAX];
    for (size_t s = 0; s < r->family->stage_count; s++)
        fixed[s] = true;
    for (size_t i = 0; i < OTHERS; i++) {
        struct dse_config config = *base;
        for (size_t k = 0; i > 0 && k < r->space->count; k++) {
            const struct dse_knob *knob = &r->space->knobs[k];
            if ((r->others >> k & 1) != 0)
                config.value[k] = knob->domain[dse_rng_below(rng, knob->domain_count)];
        }
        DSE_TRY(dse_estimate_make(setup, &config, e, err));
        if (e->refusal.refused)
            continue;
        bool works = false; /* a form without the engine is none that could wait for it */
        for (size_t s = 0; s < r->family->stage_count; s++)
            works = works || stage_of(e, &e->engines[r->engine].sums, s) > 0;
        for (size_t s = 0; works && s < r->family->stage_count; s++) {
            first[s] = i == 0 ? stage_of(e, &e->sums, s) : first[s];
            fixed[s] = fixed[s] && first[s] == stage_of(e, &e->sums, s);
        }
    }
    return DSE_OK;
}

/* The engine's share of a design: of stages that it is the slowest of, the longest over the longest. */
static double share_of(const struct reach *r, const struct dse_estimate *e, const bool *fixed)
{
    double best = 0.0;
    int64_t longest = 1;
    for (size_t s = 0; s < r->family->stage_count; s++)
        if (fixed[s] && stage_of(e, &e->sums, s) > longest)
            longest = stage_of(e, &e->sums, s);
    for (size_t s = 0; s < r->family->stage_count; s++) {
        int64_t mine = stage_of(e, &e->engines[r->engine].sums, s);
        bool slowest = mine > 0;
        for (size_t other = 0; other < r->family->engine_count; other++)
            slowest = slowest && stage_of(e, &e->engines[other].sums, s) <= mine;
        if (slowest)
            best = fmax(best, (double)stage_of(e, &e->sums, s) / (double)longest);
    }
    return best;
}

static enum dse_status go_through(const struct reach *r, const struct dse_setup *setup, const struct dse_config *base, struct best *best,
                                  struct dse_error *err)
{
    size_t at[DSE_KNOB_MAX] = {0};
    bool fixed[DSE_STAGE_MAX];
    struct dse_rng rng;
    struct dse_estimate *e = malloc(sizeof *e);
    dse_rng_seed(&rng, 1, 1);
    enum dse_status status = e == NULL ? dse_fail_memory(err) : find_fixed(r, setup, base, &rng, e, fixed, err);
    for (size_t s = 0; status == DSE_OK && s < r->family->stage_count; s++)
        best->fixed |= fixed[s] ? 1u << s : 0u;
    for (bool more = true; status == DSE_OK && more;) {
        struct dse_config config = *base;
        for (size_t i = 0; i < r->range_count; i++)
            config.value[r->ranges[i].knob] = r->ranges[i].value[at[i]];
        status = dse_estimate_make(setup, &config, e, err);
        best->estimates++;
        double share = status == DSE_OK && !e->refusal.refused ? share_of(r, e, fixed) : 0.0;
        if (share > best->share) {
            best->share = share;
            best->config = config;
        }
        best->found = best->found || (share > 0.0 && e->bottleneck == r->engine);
        size_t digit = 0;
        while (digit < r->range_count && ++at[digit] == r->ranges[digit].count)
            at[digit++] = 0;
        more = digit < r->range_count;
    }
    free(e);
    return status;
}

/* Workload `index`: the digits of its knobs. */
static enum dse_status one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct task *task = user;
    struct reach *r = task->r;
    struct best *best = &task->best[index];
    struct dse_run run = {.seed = 1, .jobs = 1};
    struct dse_workload workload = {0};
    struct dse_setting setting = {0};
    struct dse_error why = {0};
    struct dse_config config;
    dse_space_default(r->space, &config);
    for (size_t i = 0, rest = index; i < r->workload_knobs; i++) {
        config.value[r->workloads[i].knob] = r->workloads[i].value[rest % r->workloads[i].count];
        rest /= r->workloads[i].count;
    }
    best->workload = config;
    enum dse_status status = dse_draw_setting(r->space, &r->preset, &config, r->algorithmic, &setting, err);
    best->served = status == DSE_OK && dse_executor_serves(r->executor, r->data, &setting, run.folds, &why);
    if (best->served)
        status = r->executor->profile(r->data, &setting, &run, &workload, err);
    if (best->served && status == DSE_OK)
        status = dse_config_apply(r->space, &config, &setting, err);
    if (best->served && status == DSE_OK) {
        struct dse_setup setup = {.family = r->family, .space = r->space, .board = r->board, .costs = r->costs, .workload = &workload, .headroom = -1.0};
        status = r->family->prepare(&workload, &setup.work, err);
        if (status == DSE_OK)
            status = go_through(r, &setup, &config, best, err);
        r->family->release(setup.work);
    }
    dse_workload_clear(&workload);
    dse_setting_free(&setting);
    return status;
}

static void print_knobs(const struct reach *r, const struct dse_config *config, const struct range *ranges, size_t count)
{
    char text[64];
    for (size_t i = 0; i < count; i++)
        printf(" %s=%s", r->space->knobs[ranges[i].knob].name,
               dse_knob_format(&r->space->knobs[ranges[i].knob], config->value[ranges[i].knob], text, sizeof text));
}

static void report(const struct reach *r, const struct best *best, size_t count)
{
    size_t nearest = 0, served = 0, found = 0;
    unsigned fixed = ~0u;
    uint64_t estimates = 0;
    for (size_t i = 0; i < count; i++) {
        nearest = best[i].share > best[nearest].share ? i : nearest;
        served += best[i].served;
        found += best[i].found;
        estimates += best[i].estimates;
        fixed &= best[i].served ? best[i].fixed : ~0u;
        if (best[i].share >= 1.0) {
            printf("%.3f%s", best[i].share, best[i].found ? " found" : "");
            print_knobs(r, &best[i].workload, r->workloads, r->workload_knobs);
            printf(";");
            print_knobs(r, &best[i].config, r->ranges, r->range_count);
            printf("\n");
        }
    }
    printf("%zu workloads (%zu served), %llu designs; %s is the bottleneck on %zu workloads\nstages compared on all of them:", count, served,
           (unsigned long long)estimates, r->family->engines[r->engine].name, found);
    for (size_t s = 0; s < r->family->stage_count; s++)
        if (fixed >> s & 1)
            printf(" %s", r->family->stages[s]);
    printf("\nnearest: %.3f", best[nearest].share);
    print_knobs(r, &best[nearest].workload, r->workloads, r->workload_knobs);
    printf(";");
    print_knobs(r, &best[nearest].config, r->ranges, r->range_count);
    printf("\n");
}

/* "codes=wl": of the workloads those alone; of another knob this value. */
static enum dse_status narrow(struct reach *r, const char *assignment, struct dse_error *err)
{
    struct dse_config config;
    dse_space_default(r->space, &config);
    DSE_TRY(dse_config_assign(r->space, &config, assignment, err));
    size_t length = strcspn(assignment, "="), knob = 0, at = 0;
    while (strncmp(assignment, r->space->knobs[knob].name, length) != 0 || r->space->knobs[knob].name[length] != '\0')
        knob++;
    while (at < r->workload_knobs && r->workloads[at].knob != knob)
        at++;
    r->others &= ~DSE_KNOB_BIT(knob);
    *(at < r->workload_knobs ? &r->workloads[at] : &r->ranges[r->range_count++]) = (struct range){.knob = knob, .count = 1, .value = {config.value[knob]}};
    return DSE_OK;
}

static enum dse_status open_all(struct reach *r, char **argv, int argc, struct dse_error *err)
{
    r->executor = dse_executor_find(argv[1]);
    r->family = dse_model_find(argv[1]);
    if (r->executor == NULL || r->family == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: no family with models and an executor", argv[1]);
    while (r->engine < r->family->engine_count && strcmp(r->family->engines[r->engine].name, argv[2]) != 0)
        r->engine++;
    if (r->engine == r->family->engine_count)
        return dse_fail(err, DSE_BAD_USAGE, "%s: no engine of %s", argv[2], argv[1]);
    DSE_TRY(dse_published_open(r->family->name, &r->file, err));
    DSE_TRY(dse_model_space(r->family, NULL, &r->space, err));
    DSE_TRY(dse_board_open(r->file.board, &r->board, err));
    DSE_TRY(dse_costs_for_board(r->board, NULL, &r->costs, err));
    DSE_TRY(dse_dataset_open(argv[3], NULL, &r->data, err));
    DSE_TRY(dse_executor_preset(r->executor, "paper", r->data, 0, &r->preset, err));
    struct dse_drawn_knobs drawn;
    DSE_TRY(dse_draw_read(r->space, r->executor->knobs, &r->file, &drawn, err));
    r->algorithmic = drawn.algorithmic;
    r->others = drawn.simulated | drawn.trained;
    for (int i = 5; i < argc; i++) {
        int knob;
        if (strchr(argv[i], '=') != NULL)
            continue;
        DSE_TRY(dse_space_need(r->space, argv[i], &knob, err));
        r->ranges[r->range_count++] = range_of(r->space, (size_t)knob, true);
        r->others &= ~DSE_KNOB_BIT(knob);
    }
    for (size_t k = 0; k < r->space->count; k++)
        if ((r->algorithmic >> k & 1) != 0)
            r->workloads[r->workload_knobs++] = range_of(r->space, k, false);
    for (int i = 5; i < argc; i++)
        if (strchr(argv[i], '=') != NULL)
            DSE_TRY(narrow(r, argv[i], err));
    return DSE_OK;
}

int main(int argc, char **argv)
{
    struct reach r = {0};
    struct dse_error err = {0};
    if (argc < 6) {
        fprintf(stderr, "usage: bench_reach FAMILY ENGINE DATA JOBS KNOB … [KNOB=VALUE …]\n");
        return DSE_BAD_USAGE;
    }
    enum dse_status status = open_all(&r, argv, argc, &err);
    size_t count = 1;
    for (size_t i = 0; i < r.workload_knobs; i++)
        count *= r.workloads[i].count;
    struct best *best = calloc(count, sizeof *best);
    if (status == DSE_OK && best == NULL)
        status = dse_fail_memory(&err);
    if (status == DSE_OK)
        status = dse_parallel_for(count, (size_t)strtoul(argv[4], NULL, 10), one, &(struct task){&r, best}, NULL, &err);
    if (status == DSE_OK)
        report(&r, best, count);
    else
        fprintf(stderr, "bench_reach: %s\n", err.message);
    free(best);
    dse_setting_free(&r.preset);
    dse_dataset_free(r.data);
    dse_published_close(&r.file);
    dse_space_free(r.space);
    dse_board_free(r.board);
    dse_costs_free(r.costs);
    return (int)status;
}
