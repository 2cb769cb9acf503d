#include "explore/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/timed.h"
#include "explore/record.h"

#define VISITED_BY_DEFAULT 400000 /* designs that are visited without being asked: some seconds */
#define VISITED_MOST 5000000 /* without a time to end it */
#define SETTINGS_MAX 4096
#define DIFFERING_MAX 12 /* knobs in which presets may differ */

/* ---- what is asked ---- */

static enum dse_status read_weights(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t given = dse_request_count(e->request, "weight");
    if (given > 0 && e->how != DSE_JOIN_WEIGHTED)
        return dse_fail(err, DSE_BAD_USAGE, "--weight: goes with --combine weighted");
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
            return dse_fail(err, DSE_BAD_USAGE, "--weight %s: no data set of the question has this name", text);
        e->weights[set] = value;
    }
    return DSE_OK;
}

static enum dse_status read_words(struct dse_joint_exploration *e, struct dse_error *err)
{
    const char *how = dse_request_word(e->request, "combine"), *method = dse_request_word(e->request, "method");
    while (dse_joining_names[e->how] != NULL && strcmp(how, dse_joining_names[e->how]) != 0)
        e->how++;
    if (dse_joining_names[e->how] == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--combine %s: must be mean, worst or weighted", how);
    if (e->sets < 2)
        return dse_fail(err, DSE_BAD_USAGE, "--combine: needs two data sets or more");
    if (e->sets > DSE_KNOB_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--combine: takes %d data sets at most", DSE_KNOB_MAX);
    if (e->terms->free_count > 0)
        return dse_fail(err, DSE_BAD_USAGE, "--free: does not go with --combine; profile the settings with `datasets profile`");
    if (method != NULL && e->terms->method == DSE_METHOD_ILP)
        return dse_fail(err, DSE_BAD_USAGE, "--method %s: looks at one data set at a time; with --combine it must be exact, exhaustive or "
                        "heuristic", method);
    return read_weights(e, err);
}

static enum dse_status start(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t sets = e->bench->profile_count;
    e->parts = calloc(sets + 1, sizeof *e->parts);
    e->presets = calloc(sets + 1, sizeof *e->presets);
    e->names = calloc(sets + 1, sizeof *e->names);
    e->weights = calloc(sets + 1, sizeof *e->weights);
    e->joined = calloc(sets + 1, sizeof *e->joined);
    if (e->parts == NULL || e->presets == NULL || e->names == NULL || e->weights == NULL || e->joined == NULL)
        return dse_fail_memory(err);
    e->sets = sets;
    for (size_t i = 0; i < sets; i++) {
        e->names[i] = e->bench->profiles[i]->dataset;
        e->weights[i] = 1.0;
    }
    return read_words(e, err);
}

/* ---- settings that belong together ---- */

static enum dse_status open_parts(struct dse_joint_exploration *e, struct dse_error *err)
{
    const struct dse_space *space = e->bench->space;
    for (size_t i = 0; i < e->sets; i++) {
        struct dse_exploration *part = &e->parts[i];
        DSE_TRY(dse_exploration_open(e->request, e->terms, e->bench, e->board * e->sets + i, NULL, part, err));
        e->ended = part->ended;
        if (e->ended.message[0] != '\0')
            return DSE_OK;
        dse_space_default(space, &e->presets[i]);
        DSE_TRY(dse_config_apply(space, &e->presets[i], &part->profile->preset, err));
        dse_config_canonical(space, &e->presets[i]);
    }
    dse_knob_set of_setting = dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC) & ~dse_space_of_kind(space, DSE_KNOB_HARDWARE);
    for (size_t k = 0; k < space->count; k++)
        for (size_t i = 1; i < e->sets; i++)
            if (of_setting >> k & 1 && e->presets[i].value[k] != e->presets[0].value[k])
                e->differing |= DSE_KNOB_BIT(k);
    return DSE_OK;
}

/* Whether a setting has the first one's values, and its own preset's where `own` says so. */
static bool belongs(const struct dse_joint_exploration *e, size_t set, const struct dse_config *first,
                    const struct dse_config *config, dse_knob_set own)
{
    dse_knob_set algorithmic = dse_space_of_kind(e->bench->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < e->bench->space->count; k++) {
        int64_t wanted = (own >> k & 1) != 0 ? e->presets[set].value[k] : first->value[k];
        if ((algorithmic >> k & 1) != 0 && config->value[k] != wanted)
            return false;
    }
    return true;
}

static enum dse_status add_setting(struct dse_joint_exploration *e, const size_t *places, dse_knob_set own,
                                   struct dse_error *err)
{
    size_t count = e->setting_count, bytes = e->sets * sizeof *places;
    for (size_t i = 0; i < count; i++)
        if (memcmp(&e->places[i * e->sets], places, bytes) == 0)
            return DSE_OK;
    if (count == SETTINGS_MAX)
        return dse_fail(err, DSE_LIMIT, "--combine: more than %d common settings; narrow them with --where or --fix", SETTINGS_MAX);
    size_t *grown = realloc(e->places, (count + 1) * bytes);
    if (grown != NULL)
        e->places = grown;
    dse_knob_set *owns = realloc(e->own, (count + 1) * sizeof *owns);
    if (owns != NULL)
        e->own = owns;
    if (grown == NULL || owns == NULL)
        return dse_fail_memory(err);
    memcpy(&grown[count * e->sets], places, bytes);
    owns[count] = own;
    e->setting_count++;
    return DSE_OK;
}

/* The settings of the other data sets that belong to one of the first, with these knobs at each one's preset. */
static enum dse_status try_setting(struct dse_joint_exploration *e, size_t place, dse_knob_set own, struct dse_error *err)
{
    size_t places[DSE_KNOB_MAX] = {place};
    const struct dse_config *first = &e->parts[0].alternatives[place].config;
    for (size_t set = 1; set < e->sets; set++) {
        const struct dse_exploration *part = &e->parts[set];
        size_t a = 0;
        while (a < part->question.alternative_count && !belongs(e, set, first, &part->alternatives[a].config, own))
            a++;
        if (a == part->question.alternative_count)
            return DSE_OK;
        places[set] = a;
    }
    return add_setting(e, places, own, err);
}

static enum dse_status find_settings(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t knobs[DIFFERING_MAX], count = 0;
    for (size_t k = 0; k < e->bench->space->count; k++)
        if ((e->differing >> k & 1) != 0 && count < DIFFERING_MAX)
            knobs[count++] = k;
    for (size_t a = 0; a < e->parts[0].question.alternative_count; a++)
        for (size_t choice = 0; choice < (size_t)1 << count; choice++) {
            const struct dse_config *config = &e->parts[0].alternatives[a].config;
            dse_knob_set own = 0;
            bool at_preset = true;
            for (size_t i = 0; i < count; i++)
                if ((choice >> i & 1) != 0) {
                    own |= DSE_KNOB_BIT(knobs[i]);
                    at_preset &= config->value[knobs[i]] == e->presets[0].value[knobs[i]];
                }
            if (at_preset)
                DSE_TRY(try_setting(e, a, own, err));
        }
    if (e->setting_count == 0)
        dse_fail(&e->ended, DSE_ANSWER_NO, "--combine: the data sets have no setting in common that was measured and is good "
                 "enough; widen --quality-drop, or profile the same settings of each with `datasets profile`");
    return DSE_OK;
}

/* The question of all: the first data set's, with the common settings. */
static enum dse_status make_question(struct dse_joint_exploration *e, struct dse_error *err)
{
    for (size_t set = 0; set < e->sets; set++) {
        struct dse_alternative *list = calloc(e->setting_count + 1, sizeof *list);
        if (list == NULL)
            return dse_fail_memory(err);
        e->joined[set] = (struct dse_joint_set){list, e->weights[set]};
        for (size_t s = 0; s < e->setting_count; s++)
            list[s] = e->parts[set].alternatives[e->places[s * e->sets + set]];
    }
    e->question = e->parts[0].question;
    e->question.alternatives = e->joined[0].alternatives;
    e->question.alternative_count = e->setting_count;
    e->question.own = e->own;
    return dse_joint_create(&e->question, e->how, e->joined, e->sets, &e->joint, err);
}

/* ---- the answer ---- */

/* Visits every design, or merges, as far as the budget's time goes. */
static enum dse_status prove_in_time(struct dse_joint_exploration *e, struct dse_error *err)
{
    struct dse_timed timed;
    dse_timed_begin(&timed, e->question.monitor, e->terms->effort.seconds);
    e->question.monitor = &timed.monitor;
    enum dse_status status = e->method == DSE_METHOD_EXACT
                                 ? dse_joint_exact(e->joint, &e->answer, err)
                                 : dse_joint_visit(e->joint, isfinite(e->terms->effort.seconds) ? UINT64_MAX : VISITED_MOST, &e->answer, err);
    e->question.monitor = timed.inner;
    if (status != DSE_CANCELLED || dse_monitor_cancelled(timed.inner))
        return status;
    e->answer.outcome = DSE_OUTCOME_BUDGET;
    return DSE_OK;
}

static enum dse_status search(struct dse_joint_exploration *e, struct dse_error *err)
{
    e->method = e->terms->method;
    if (!dse_request_flag(e->request, "method"))
        e->method = dse_joint_size(&e->question) <= VISITED_BY_DEFAULT ? DSE_METHOD_EXHAUSTIVE
                    : dse_joint_merges(e->joint)                       ? DSE_METHOD_EXACT
                                                                       : DSE_METHOD_HEURISTIC;
    if (e->method == DSE_METHOD_EXACT && !dse_joint_merges(e->joint))
        return dse_fail(err, DSE_BAD_USAGE, "--method exact: with --combine takes up to %d data sets, and no power; take --method heuristic",
                        DSE_SETS_MAX);
    if (e->study != NULL && dse_study_exploration_at(e->study, e->board)->state == DSE_STUDY_DONE)
        return dse_study_answer(e->study, e->board, &e->question, &e->answer, err);
    DSE_TRY(e->method != DSE_METHOD_HEURISTIC ? prove_in_time(e, err)
                                              : dse_joint_search(e->joint, &e->terms->effort, &e->answer, err));
    if (e->answer.outcome == DSE_OUTCOME_BUDGET && e->answer.front_count == 0) {
        dse_fail(&e->ended, DSE_LIMIT, "--budget ended before a feasible design was found, which proves nothing");
        return DSE_OK;
    }
    if (e->answer.outcome == DSE_OUTCOME_BUDGET)
        dse_request_note(e->request, "--budget ended before the search: this is the best so far, not proven");
    if (e->answer.outcome == DSE_OUTCOME_BUDGET) /* no study's answer: a search that is taken up visits all of it */
        return DSE_OK;
    bool found = e->answer.outcome == DSE_OUTCOME_FOUND;
    if (found && !e->answer.proven && dse_monitor_cancelled(e->request->monitor))
        return dse_fail_cancelled(err);
    if (!found)
        dse_answer_nothing(&e->answer, &e->ended);
    return e->study == NULL ? DSE_OK
                            : dse_study_finish(e->study, e->board, &e->question, &e->answer,
                                               found ? DSE_STUDY_DONE : DSE_STUDY_NOTHING, "", err);
}

/* The quality of a point: its combined mean, and a deviation that gives the standard error of the data sets' mean (each data set's
 * own is independent), or, of the worst, that of the data set that it is of. One that nobody measured has none. */
static bool combine_quality(const struct dse_joint_exploration *e, size_t point, struct dse_quality *out)
{
    double squares = 0.0, sum = 0.0, mean = e->answer.front[point].metrics[DSE_METRIC_QUALITY];
    for (size_t d = 0; d < e->sets; d++) {
        const struct dse_quality *own = e->designs[point * e->sets + d].quality;
        double error = dse_corner_standard_error(own), weight = e->how == DSE_JOIN_WEIGHTED ? e->weights[d] : 1.0;
        if (own == NULL)
            return false;
        if (e->how == DSE_JOIN_WORST)
            weight = own->mean == mean ? 1.0 : 0.0;
        squares += weight * weight * error * error;
        sum += weight;
        *out = (struct dse_quality){.name = own->name, .higher_is_better = true, .mean = mean, .n = own->n};
    }
    out->std = sum > 0.0 ? sqrt(squares) / sum * sqrt((double)out->n) : 0.0;
    return true;
}

static enum dse_status find_corners(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t points = e->answer.front_count, balanced;
    int64_t limits[DSE_RESOURCE_COUNT];
    const struct dse_standard none = {NAN, NAN, INFINITY, -INFINITY}; /* every data set's own rule held already */
    const struct dse_quality **each = calloc(points + 1, sizeof *each);
    e->qualities = calloc(points + 1, sizeof *e->qualities);
    DSE_TRY(each != NULL && e->qualities != NULL ? DSE_OK : dse_fail_memory(err));
    dse_board_limits(e->question.board, e->question.headroom, limits);
    for (size_t i = 0; i < points; i++)
        each[i] = combine_quality(e, i, &e->qualities[i]) ? &e->qualities[i] : NULL;
    dse_corners_among(limits, &none, e->answer.front, each, points, &e->corners);
    free(each);
    balanced = e->corners.at[DSE_CORNER_BALANCED];
    dse_front_balance(&e->question, &e->answer, e->order);
    for (size_t i = 0; i < points && balanced != DSE_CORNER_NONE && !e->terms->one; i++)
        if (e->order[i] == balanced) {
            memmove(&e->order[1], e->order, i * sizeof *e->order);
            e->order[0] = balanced;
        }
    return DSE_OK;
}

static enum dse_status evaluate(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t points = e->answer.front_count, count = points * e->sets;
    e->setups = calloc(count + 1, sizeof *e->setups);
    e->estimates = calloc(count + 1, sizeof *e->estimates);
    e->designs = calloc(count + 1, sizeof *e->designs);
    e->ids = calloc(points + 1, sizeof *e->ids);
    e->order = calloc(points + 1, sizeof *e->order);
    if (e->setups == NULL || e->estimates == NULL || e->designs == NULL || e->ids == NULL || e->order == NULL)
        return dse_fail_memory(err);
    for (size_t place = 0; place < count; place++) {
        const struct dse_profile *profile = e->parts[place % e->sets].profile;
        struct dse_config config;
        dse_joint_config(e->joint, &e->answer.front[place / e->sets], place % e->sets, &config);
        DSE_TRY(dse_workbench_setup(e->bench, e->board, profile, &config, &e->setups[place], err));
        DSE_TRY(dse_estimate_built(&e->setups[place], &config, &e->estimates[place], err));
        e->designs[place] = (struct dse_design){&e->setups[place], profile->dataset, &e->estimates[place],
                                                dse_profile_quality_of(e->bench->space, profile, &config),
                                                &e->parts[place % e->sets].standard, 0, 0.0};
    }
    if (e->study != NULL)
        DSE_TRY(dse_study_ids(e->study, e->board, &e->question, &e->answer, e->ids, err));
    return find_corners(e, err);
}

static enum dse_status answer(struct dse_joint_exploration *e, struct dse_error *err)
{
    DSE_TRY(open_parts(e, err));
    if (e->ended.message[0] == '\0')
        DSE_TRY(find_settings(e, err));
    if (e->ended.message[0] != '\0')
        return DSE_OK;
    DSE_TRY(make_question(e, err));
    DSE_TRY(search(e, err));
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
    void *const owned[] = {e->parts, e->presets, e->names, e->weights, e->joined, e->places, e->own,
                           e->setups, e->estimates, e->designs, e->ids, e->order, e->qualities};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

enum dse_status dse_explore_joint(const struct dse_request *request, const struct dse_terms *terms, const char *command,
                                  dse_joint_visitor *visit, void *user, struct dse_joint_explored *out,
                                  struct dse_error *err)
{
    *out = (struct dse_joint_explored){0};
    DSE_TRY(dse_workbench_open(request, &out->bench, err));
    out->each = calloc(out->bench.board_count + 1, sizeof *out->each);
    DSE_TRY(out->each != NULL ? DSE_OK : dse_fail_memory(err));
    for (size_t board = 0; board < out->bench.board_count; board++) {
        struct dse_joint_exploration *e = &out->each[out->count++];
        *e = (struct dse_joint_exploration){.request = request, .terms = terms, .bench = &out->bench, .board = board};
        DSE_TRY(start(e, err));
        if (board == 0)
            DSE_TRY(dse_record_begin(request, &out->bench, command, terms, &out->study, err));
        e->study = out->study;
        DSE_TRY(answer(e, err));
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
