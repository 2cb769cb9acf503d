#include "explore/joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/timed.h"
#include "explore/front.h"
#include "explore/record.h"
#include "search/filter.h"

#define VISITED_BY_DEFAULT 400000 /* designs visited without a limit: some seconds */
#define VISITED_MOST 5000000 /* without a time limit */

/* ---- question ---- */

static enum dse_status read_weights(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t given = dse_request_count(e->request, "weight");
    if (given > 0 && e->how != DSE_JOIN_WEIGHTED)
        return dse_fail(err, DSE_BAD_USAGE, "--weight: needs --combine weighted");
    for (size_t w = 0; w < given; w++) {
        const char *text = dse_request_word_at(e->request, "weight", w), *equals = strrchr(text, '=');
        double value = 0.0;
        bool read = equals != NULL && dse_number_real(equals + 1, &value) == DSE_NUMBER_READ;
        size_t set = 0, length = equals != NULL ? (size_t)(equals - text) : 0;
        while (set < e->sets && (strlen(e->names[set]) != length || strncmp(e->names[set], text, length) != 0))
            set++;
        if (!read || !(value > 0.0) || !(value <= 1e9))
            return dse_fail(err, DSE_BAD_USAGE, "--weight %s: must be DATASET=W, a number above 0 and up to 1e9", text);
        if (set == e->sets)
            return dse_fail(err, DSE_BAD_USAGE, "--weight %s: no --dataset has this name", text);
        for (size_t before = 0; before < w; before++)
            if (strncmp(dse_request_word_at(e->request, "weight", before), text, length + 1) == 0)
                return dse_fail(err, DSE_BAD_USAGE, "--weight %s: %s already has a weight, --weight %s", text, e->names[set],
                                dse_request_word_at(e->request, "weight", before));
        e->given[set] = value;
    }
    memcpy(e->weights, e->given, e->sets * sizeof *e->weights);
    dse_joint_reduce(e->how, e->weights, e->sets);
    return DSE_OK;
}

static enum dse_status read_words(struct dse_joint_exploration *e, struct dse_error *err)
{
    const char *how = dse_request_word(e->request, "combine");
    while (dse_joining_names[e->how] != NULL && strcmp(how, dse_joining_names[e->how]) != 0)
        e->how++;
    if (dse_joining_names[e->how] == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--combine %s: must be mean, worst or weighted", how);
    if (e->sets < 2)
        return dse_fail(err, DSE_BAD_USAGE, "--combine: needs two data sets or more");
    if (e->sets > DSE_KNOB_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--combine: takes %d data sets at most", DSE_KNOB_MAX);
    if (e->terms->robust)
        return dse_fail(err, DSE_BAD_USAGE, "--robust: uses the models' errors on one data set, so it cannot be combined with --combine");
    return read_weights(e, err);
}

static enum dse_status start(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t sets = e->bench->profile_count;
    e->parts = dse_calloc(sets + 1, sizeof *e->parts);
    e->presets = dse_calloc(sets + 1, sizeof *e->presets);
    e->names = dse_calloc(sets + 1, sizeof *e->names);
    e->given = dse_calloc(sets + 1, sizeof *e->given);
    e->weights = dse_calloc(sets + 1, sizeof *e->weights);
    e->joined = dse_calloc(sets + 1, sizeof *e->joined);
    e->sets = sets;
    for (size_t i = 0; i < sets; i++) {
        e->names[i] = e->bench->profiles[i]->dataset;
        e->given[i] = 1.0;
    }
    return read_words(e, err);
}

/* ---- matching settings ---- */

static enum dse_status open_parts(struct dse_joint_exploration *e, struct dse_error *err)
{
    const struct dse_space *space = e->bench->space;
    for (size_t i = 0; i < e->sets; i++) {
        struct dse_exploration *part = &e->parts[i];
        DSE_TRY(dse_exploration_open(e->request, e->terms, e->bench, e->board * e->sets + i, e->study, part, err));
        e->ended = part->ended;
        if (e->ended.message[0] != '\0') { /* no design for one data set means none for all */
            e->question = part->question;
            e->answer = part->answer;
            e->why = part->why;
            part->why = NULL;
            return DSE_OK;
        }
        dse_space_default(space, &e->presets[i]);
        DSE_TRY(dse_config_apply(space, &e->presets[i], &part->profile->preset, err));
        dse_config_canonical(space, &e->presets[i]);
    }
    dse_knob_set of_setting = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC), dse_space_of_kind(space, DSE_KNOB_HARDWARE));
    for (size_t k = 0; k < space->count; k++)
        for (size_t i = 1; i < e->sets; i++)
            if (dse_bits_has(of_setting, k) && e->presets[i].value[k] != e->presets[0].value[k])
                dse_bits_add(&e->differing, k);
    return DSE_OK;
}

/* Setting `s` of a data set; NaN quality if not measured. */
static enum dse_status take_setting(const struct dse_joint_exploration *e, size_t set, size_t s, struct dse_alternative *out,
                                    struct dse_error *err)
{
    const struct dse_exploration *part = &e->parts[set];
    size_t place = e->places[s * e->sets + set], known = part->question.alternative_count;
    if (place < known) {
        *out = part->alternatives[place];
        return DSE_OK;
    }
    *out = (struct dse_alternative){.config = part->settings.configs[place - known], .quality = NAN};
    return dse_profile_work(part->space, part->profile, &out->config, &out->workload, err);
}

/* Joint question: the first data set's, with the matching settings. */
static enum dse_status make_question(struct dse_joint_exploration *e, struct dse_error *err)
{
    for (size_t set = 0; set < e->sets; set++) {
        struct dse_alternative *list = dse_calloc(e->setting_count + 1, sizeof *list);
        e->joined[set] = (struct dse_joint_set){list, e->weights[set]};
        for (size_t s = 0; s < e->setting_count; s++)
            DSE_TRY(take_setting(e, set, s, &list[s], err));
    }
    e->question = e->parts[0].question;
    e->question.alternatives = e->joined[0].alternatives;
    e->question.alternative_count = e->setting_count;
    e->question.own = e->own;
    return dse_joint_create(&e->question, e->how, e->joined, e->sets, &e->joint, err);
}

/* ---- the answer ---- */

enum dse_status dse_joint_answer(const struct dse_joint_exploration *e, const struct dse_question *question, const struct dse_joint_set *sets,
                                 struct dse_answer *answer, struct dse_error *err)
{
    struct dse_joint *joint DSE_CLEANUP(dse_joint_free_at) = NULL;
    struct dse_optimum optimum;
    *answer = (struct dse_answer){0};
    DSE_TRY(dse_joint_create(question, e->how, sets, e->sets, &joint, err));
    switch (e->method) {
    case DSE_METHOD_EXACT: return dse_joint_exact(joint, answer, err);
    case DSE_METHOD_EXHAUSTIVE:
        return dse_joint_visit(joint, isfinite(e->terms->effort.seconds) ? UINT64_MAX : VISITED_MOST, answer, err);
    case DSE_METHOD_HEURISTIC: return dse_joint_search(joint, &e->terms->effort, answer, err);
    case DSE_METHOD_ILP: break;
    }
    enum dse_status status = dse_joint_ilp(joint, &optimum, err);
    dse_optimum_answer(&optimum, answer);
    return status;
}

/* Answers from measured settings within the budget's time. If other settings may still be measured, their training runs get the time. */
static enum dse_status answer_in_time(struct dse_joint_exploration *e, struct dse_error *err)
{
    struct dse_timed timed;
    struct dse_question question = e->question;
    dse_timed_begin(&timed, e->question.monitor, e->terms->effort.seconds);
    question.alternative_count = e->measured;
    if (e->measured == e->setting_count)
        question.monitor = &timed.monitor;
    e->answer = (struct dse_answer){.outcome = DSE_OUTCOME_NOTHING, .proven = true};
    enum dse_status status = e->measured > 0 ? dse_joint_answer(e, &question, e->joined, &e->answer, err) : DSE_OK;
    if (status != DSE_CANCELLED || dse_monitor_cancelled(timed.inner))
        return status;
    e->answer.proven = false;
    e->answer.outcome = DSE_OUTCOME_BUDGET;
    return DSE_OK;
}

static enum dse_status choose_method(struct dse_joint_exploration *e, struct dse_error *err)
{
    uint64_t size = dse_question_size(&e->question); /* designs that a visit evaluates */
    e->method = e->terms->method;
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (dse_question_flows(&e->question, (enum dse_metric)m))
            return dse_fail(err, DSE_BAD_USAGE, "--combine: the %s of %s follows its slowest stage, which may differ between data sets; use the latency, or "
                            "one data set", dse_metrics[m].name, e->question.family->name);
    if (!dse_request_flag(e->request, "method"))
        e->method = dse_joint_merges(e->joint)   ? DSE_METHOD_EXACT
                    : size <= VISITED_BY_DEFAULT ? DSE_METHOD_EXHAUSTIVE
                                                 : DSE_METHOD_HEURISTIC;
    if (e->method == DSE_METHOD_EXACT && !dse_joint_merges(e->joint))
        return dse_fail(err, DSE_BAD_USAGE, "--method exact: with --combine at most %d data sets, without power; use --method heuristic",
                        DSE_SETS_MAX);
    if (e->method == DSE_METHOD_ILP && !dse_joint_programs(e->joint))
        return dse_fail(err, DSE_BAD_USAGE, "--method ilp: with --combine only the mean or the weighted mean of up to %d data sets, without "
                        "power and throughput, which are ratios. For cycles, weights must be whole-number ratios. Use another method", DSE_SETS_MAX);
    return DSE_OK;
}

/* Resumes an earlier run's answer with its measurements. */
static enum dse_status take_up(struct dse_joint_exploration *e, struct dse_error *err)
{
    for (size_t set = 0; set < e->sets; set++)
        if (e->parts[set].own != NULL)
            DSE_TRY(dse_study_extend(e->study, e->parts[set].own, err));
    snprintf(e->remark, sizeof e->remark, "%s", dse_study_exploration_at(e->study, e->board)->remark);
    return dse_study_answer(e->study, e->board, &e->question, &e->answer, err);
}

static enum dse_status keep(const struct dse_joint_exploration *e, struct dse_error *err)
{
    enum dse_study_state state = e->answer.outcome == DSE_OUTCOME_FOUND ? DSE_STUDY_DONE : DSE_STUDY_NOTHING;
    if (e->answer.outcome == DSE_OUTCOME_BUDGET) /* a resumed search visits everything */
        state = e->measured < e->setting_count && e->answer.front_count > 0 ? DSE_STUDY_PARTIAL : DSE_STUDY_OPEN;
    return e->study == NULL || state == DSE_STUDY_OPEN
               ? DSE_OK
               : dse_study_finish(e->study, e->board, &e->question, &e->answer, state, e->remark, err);
}

/* Explains the outcome over earlier measurements, within the remaining search time. */
static enum dse_status explain(struct dse_joint_exploration *e, double seconds, struct dse_error *err)
{
    struct dse_joint *joint DSE_CLEANUP(dse_joint_free_at) = NULL;
    struct dse_question question = e->question;
    dse_answer_nothing(&e->answer, &e->ended);
    if (!e->answer.proven) {
        e->answer.outcome = DSE_OUTCOME_BUDGET;
        return DSE_OK;
    }
    e->why = dse_calloc(1, sizeof *e->why);
    question.alternative_count = e->measured;
    if (e->measured == 0)
        return DSE_OK;
    DSE_TRY(dse_joint_create(&question, e->how, e->joined, e->sets, &joint, err));
    return dse_joint_why(joint, e->bench->space, seconds, e->why, err);
}

static enum dse_status search(struct dse_joint_exploration *e, struct dse_error *err)
{
    struct dse_fates fates = {0};
    double begin = dse_clock_s();
    DSE_TRY(choose_method(e, err));
    if (e->study != NULL && dse_study_exploration_at(e->study, e->board)->state == DSE_STUDY_DONE)
        return take_up(e, err);
    DSE_TRY(answer_in_time(e, err));
    DSE_TRY(dse_filters_computed(&e->question, err));
    bool ended = e->answer.outcome == DSE_OUTCOME_BUDGET;
    if (!e->answer.proven && !ended && e->answer.front_count > 0 && dse_monitor_cancelled(e->request->monitor))
        return dse_fail_cancelled(err);
    if (!ended && e->measured < e->setting_count)
        DSE_TRY(dse_joint_lazily(e, &fates, err));
    dse_fates_write(&fates, e->remark, sizeof e->remark);
    ended = e->answer.outcome == DSE_OUTCOME_BUDGET;
    if (ended && e->answer.front_count == 0)
        dse_fail(&e->ended, DSE_LIMIT, "--budget ended before a feasible design was found, which proves nothing");
    else if (ended && e->measured == e->setting_count)
        snprintf(e->remark, sizeof e->remark, "--budget ended before the search: this is the best so far, not proven");
    if (e->answer.outcome == DSE_OUTCOME_NOTHING)
        DSE_TRY(explain(e, e->terms->effort.seconds - (dse_clock_s() - begin), err));
    return keep(e, err);
}

/* ---- corners ---- */

static bool combine_quality(const struct dse_joint_ranking *r, size_t point, double mean, struct dse_quality *out)
{
    double *squares DSE_CLEANUP(dse_free_at) = dse_calloc(2 * r->sets, sizeof *squares), *weights = squares + r->sets;
    *out = (struct dse_quality){.n = INT64_MAX};
    for (size_t d = 0; d < r->sets; d++) {
        const struct dse_quality *own = r->each[point * r->sets + d];
        double error = dse_corner_standard_error(own), weight = r->weights[d];
        if (own == NULL) {
            *out = (struct dse_quality){0};
            return false;
        }
        if (r->how == DSE_JOIN_WORST)
            weight = own->mean == mean ? 1.0 : 0.0;
        squares[d] = weight * weight * error * error;
        weights[d] = weight;
        *out = (struct dse_quality){.name = own->name, .higher_is_better = true, .mean = mean, .n = own->n < out->n ? own->n : out->n};
    }
    double sum = dse_joint_sum(weights, r->sets);
    out->std = sum > 0.0 ? sqrt(dse_joint_sum(squares, r->sets)) / sum * sqrt((double)out->n) : 0.0;
    return true;
}

void dse_joint_rank(const struct dse_question *question, const struct dse_joint_ranking *ranking, const struct dse_answer *answer,
                    bool balanced_first, struct dse_quality *qualities, struct dse_corners *corners, size_t *order)
{
    size_t points = answer->front_count;
    int64_t limits[DSE_RESOURCE_COUNT];
    const struct dse_standard none = {NAN, NAN, INFINITY, -INFINITY}; /* every data set's own limit already holds */
    const struct dse_quality **each DSE_CLEANUP(dse_free_at) = dse_calloc(points + 1, sizeof *each);
    dse_board_limits(question->board, question->headroom, limits);
    for (size_t i = 0; i < points; i++)
        each[i] = combine_quality(ranking, i, answer->front[i].metrics[DSE_METRIC_QUALITY], &qualities[i]) ? &qualities[i] : NULL;
    dse_corners_among(question, limits, &none, answer->front, each, points, corners);
    size_t balanced = corners->at[DSE_CORNER_BALANCED];
    dse_front_balance(question, answer, order);
    for (size_t i = 0; i < points && balanced != DSE_CORNER_NONE && balanced_first; i++)
        if (order[i] == balanced) {
            memmove(&order[1], order, i * sizeof *order);
            order[0] = balanced;
        }
}

static void find_corners(struct dse_joint_exploration *e)
{
    size_t points = e->answer.front_count;
    const struct dse_quality **each DSE_CLEANUP(dse_free_at) = dse_calloc(points * e->sets + 1, sizeof *each);
    e->qualities = dse_calloc(points + 1, sizeof *e->qualities);
    for (size_t i = 0; i < points * e->sets; i++)
        each[i] = e->designs[i].quality;
    struct dse_joint_ranking ranking = {e->how, e->weights, e->sets, each};
    dse_joint_rank(&e->question, &ranking, &e->answer, !e->terms->one, e->qualities, &e->corners, e->order);
}

static enum dse_status evaluate(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t points = e->answer.front_count, count = points * e->sets;
    e->setups = dse_calloc(count + 1, sizeof *e->setups);
    e->estimates = dse_malloc((count + 1) * sizeof *e->estimates);
    e->designs = dse_calloc(count + 1, sizeof *e->designs);
    e->ids = dse_calloc(points + 1, sizeof *e->ids);
    e->order = dse_calloc(points + 1, sizeof *e->order);
    for (size_t place = 0; place < count; place++) {
        const struct dse_profile *profile = e->parts[place % e->sets].profile;
        struct dse_config config;
        dse_joint_config(e->joint, &e->answer.front[place / e->sets], place % e->sets, &config);
        DSE_TRY(dse_workbench_setup(e->bench, e->board, profile, &config, &e->setups[place], err));
        DSE_TRY(dse_estimate_built(&e->setups[place], &config, &e->estimates[place], err));
        e->designs[place] = (struct dse_design){&e->setups[place], profile->dataset, &e->estimates[place],
                                                dse_profile_quality_of(e->bench->space, profile, &config),
                                                &e->parts[place % e->sets].standard, 0, 0.0, &profile->facts, NULL, NULL};
    }
    if (e->study != NULL)
        DSE_TRY(dse_study_ids(e->study, e->board, &e->question, &e->answer, e->ids, err));
    find_corners(e);
    return DSE_OK;
}

static enum dse_status answer(struct dse_joint_exploration *e, struct dse_error *err)
{
    DSE_TRY(open_parts(e, err));
    if (e->ended.message[0] == '\0')
        DSE_TRY(dse_joint_settings(e, err));
    if (e->ended.message[0] != '\0')
        return DSE_OK;
    DSE_TRY(make_question(e, err));
    DSE_TRY(search(e, err));
    if (e->terms->resolution > 0.0)
        dse_front_cover(&e->question, e->terms->resolution, &e->answer);
    return evaluate(e, err);
}

static void clear(struct dse_joint_exploration *e)
{
    dse_joint_free(e->joint);
    dse_answer_free(&e->answer);
    for (size_t i = 0; i < e->sets; i++) {
        dse_exploration_free(&e->parts[i]);
        free((void *)(uintptr_t)e->joined[i].alternatives);
    }
    dse_why_free(e->why);
    void *const owned[] = {e->given, e->parts, e->presets, e->names, e->weights, e->joined, e->places, e->own,
                           e->setups, e->estimates, e->designs, e->ids, e->order, e->qualities};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

/* A common search measures nothing, so that the profiles must have --metric's figure. */
static enum dse_status check_judged(const struct dse_request *request, const struct dse_workbench *bench, struct dse_error *err)
{
    const char *metric = dse_request_word(request, "metric");
    for (size_t i = 0; metric != NULL && i < bench->profile_count; i++)
        if (strcmp(dse_profile_quality_name(bench->profiles[i]), dse_quality_gain(metric)) != 0)
            return dse_fail(err, DSE_BAD_USAGE, "--metric %s: with --combine, the profiles must have it; `nysx-dse datasets profile %s --metric %s -o FILE.xml` measures one for --dataset",
                            metric, bench->profiles[i]->dataset, metric);
    return DSE_OK;
}

enum dse_status dse_explore_joint(const struct dse_request *request, const struct dse_terms *terms, const char *command,
                                  dse_joint_visitor *visit, void *user, struct dse_joint_explored *out,
                                  struct dse_error *err)
{
    *out = (struct dse_joint_explored){0};
    DSE_TRY(dse_record_check(request, command, terms, err));
    DSE_TRY(dse_workbench_open(request, &out->bench, err));
    DSE_TRY(check_judged(request, &out->bench, err));
    out->each = dse_calloc(out->bench.board_count + 1, sizeof *out->each);
    for (size_t board = 0; board < out->bench.board_count; board++) {
        struct dse_joint_exploration *e = &out->each[out->count++];
        *e = (struct dse_joint_exploration){.request = request, .terms = terms, .bench = &out->bench, .board = board};
        DSE_TRY(start(e, err));
        if (board == 0)
            DSE_TRY(dse_record_begin(request, &out->bench, command, terms, &out->study, err));
        e->study = out->study;
        DSE_TRY(answer(e, err));
        if (e->remark[0] != '\0')
            dse_request_note(request, "%s", e->remark);
        out->answered += e->answer.front_count > 0;
        visit(user, e);
    }
    return DSE_OK;
}

void dse_joint_explored_free(struct dse_joint_explored *explored)
{
    for (size_t i = 0; i < explored->count; i++)
        clear(&explored->each[i]);
    free(explored->each);
    dse_study_close(explored->study);
    dse_workbench_close(&explored->bench);
}
