#include "dse/combining.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "dse/studying.h"
#include "reports/combined.h"
#include "reports/sweep.h"
#include "search/combine.h"

#define VISITED_BY_DEFAULT 50000 /* designs that are visited without being asked: some seconds */
#define VISITED_MOST 5000000
#define JOINTS_MAX 4096
#define DIFFERING_MAX 12 /* knobs in which presets may differ */

/* Settings that belong together, one of each data set: places among their alternatives. */
struct joint {
    size_t place[DSE_KNOB_MAX];
};

struct combining {
    const struct dse_cli *cli;
    const struct dse_workbench *bench;
    const struct dse_combining_job *job;
    enum dse_combining how;
    size_t method; /* 0: heuristic, 1: exhaustive, 2: as the size is */
    size_t sets;
    struct dse_asking *askings;       /* [sets] */
    struct dse_config *presets;       /* [sets], canonical */
    const char **names;               /* [sets] */
    double *weights;                  /* [sets] */
    dse_knob_set differing;           /* algorithmic knobs in which the presets differ */
    struct joint *joints;             /* joint_count */
    dse_knob_set *own;                /* [joints] */
    size_t joint_count;
    struct dse_combined_set *combined; /* [sets], their alternatives in the order of the joints */
    struct dse_question question;
    struct dse_combination *combination;
    struct dse_answer answer;
    struct dse_setup *setups;         /* [front × sets] */
    struct dse_estimate *estimates;
    struct dse_reported *each;
    int64_t *ids;
    size_t *order;
};

static const char *const methods[] = {"heuristic", "exhaustive"};

/* ---- what is asked ---- */

static enum dse_status read_weights(struct combining *c, struct dse_error *err)
{
    for (size_t i = 0; i < c->sets; i++)
        c->weights[i] = 1.0;
    size_t given = dse_cli_count(c->cli, "weight");
    if (given > 0 && c->how != DSE_COMBINE_WEIGHTED)
        return dse_fail(err, DSE_BAD_USAGE, "--weight: goes with --combine weighted");
    for (size_t w = 0; w < given; w++) {
        const char *text = dse_cli_value_at(c->cli, "weight", w), *equals = strrchr(text, '=');
        double value = 0.0;
        bool read = equals != NULL && dse_number_real(equals + 1, &value) == DSE_NUMBER_READ;
        size_t set = 0, length = equals != NULL ? (size_t)(equals - text) : 0;
        while (set < c->sets && (strlen(c->names[set]) != length || strncmp(c->names[set], text, length) != 0))
            set++;
        if (!read || !(value > 0.0) || !(value <= 1e9))
            return dse_fail(err, DSE_BAD_USAGE, "--weight %s: must be DATASET=W, a number above 0 and up to 1e9", text);
        if (set == c->sets)
            return dse_fail(err, DSE_BAD_USAGE, "--weight %s: no data set of the question has this name", text);
        c->weights[set] = value;
    }
    return DSE_OK;
}

static enum dse_status read_words(struct combining *c, struct dse_error *err)
{
    const char *how = dse_cli_value(c->cli, "combine"), *method = c->job->method;
    while (dse_combining_names[c->how] != NULL && strcmp(how, dse_combining_names[c->how]) != 0)
        c->how++;
    if (dse_combining_names[c->how] == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--combine %s: must be mean, worst or weighted", how);
    if (c->sets < 2)
        return dse_fail(err, DSE_BAD_USAGE, "--combine: needs two data sets or more");
    if (c->sets > DSE_KNOB_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--combine: takes %d data sets at most", DSE_KNOB_MAX);
    if (c->job->asked->free_count > 0)
        return dse_fail(err, DSE_BAD_USAGE, "--free: does not go with --combine; profile the settings with `datasets profile`");
    c->method = method == NULL ? 2 : strcmp(method, methods[0]) == 0 ? 0 : strcmp(method, methods[1]) == 0 ? 1 : 3;
    if (c->method == 3)
        return dse_fail(err, DSE_BAD_USAGE, "--method %s: looks at one data set at a time; with --combine it must be heuristic or "
                        "exhaustive", method);
    return DSE_OK;
}

/* ---- settings that belong together ---- */

static enum dse_status ask_all(struct combining *c, size_t board, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < c->sets && status == DSE_OK; i++) {
        status = dse_ask(c->cli, c->bench, board * c->sets + i, c->job->asked, c->job->objectives, NULL, &c->askings[i], err);
        if (status != DSE_OK)
            break;
        dse_space_default(c->bench->space, &c->presets[i]);
        status = dse_config_apply(c->bench->space, &c->presets[i], &c->askings[i].profile->preset, err);
        dse_config_canonical(c->bench->space, &c->presets[i]);
    }
    dse_knob_set algorithmic = dse_space_of_kind(c->bench->space, DSE_KNOB_ALGORITHMIC);
    dse_knob_set hardware = dse_space_of_kind(c->bench->space, DSE_KNOB_HARDWARE);
    c->differing = 0;
    for (size_t k = 0; k < c->bench->space->count && status == DSE_OK; k++)
        for (size_t i = 1; i < c->sets; i++)
            if ((algorithmic & ~hardware) >> k & 1 && c->presets[i].value[k] != c->presets[0].value[k])
                c->differing |= DSE_KNOB_BIT(k);
    return status;
}

/* Whether a setting has the first one's values, and its own preset's where `own` says so. */
static bool belongs(const struct combining *c, size_t set, const struct dse_config *first, const struct dse_config *config,
                    dse_knob_set own)
{
    dse_knob_set algorithmic = dse_space_of_kind(c->bench->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < c->bench->space->count; k++) {
        if ((algorithmic >> k & 1) == 0)
            continue;
        int64_t wanted = (own >> k & 1) != 0 ? c->presets[set].value[k] : first->value[k];
        if (config->value[k] != wanted)
            return false;
    }
    return true;
}

static enum dse_status add_joint(struct combining *c, const struct joint *joint, dse_knob_set own, struct dse_error *err)
{
    for (size_t i = 0; i < c->joint_count; i++)
        if (memcmp(c->joints[i].place, joint->place, c->sets * sizeof *joint->place) == 0)
            return DSE_OK;
    if (c->joint_count == JOINTS_MAX)
        return dse_fail(err, DSE_LIMIT, "--combine: more than %d common settings; narrow them with --where or --fix", JOINTS_MAX);
    struct joint *joints = realloc(c->joints, (c->joint_count + 1) * sizeof *joints);
    if (joints != NULL)
        c->joints = joints;
    dse_knob_set *owns = realloc(c->own, (c->joint_count + 1) * sizeof *owns);
    if (owns != NULL)
        c->own = owns;
    if (joints == NULL || owns == NULL)
        return dse_fail_memory(err);
    c->own[c->joint_count] = own;
    c->joints[c->joint_count++] = *joint;
    return DSE_OK;
}

/* The settings of the other data sets that belong to one of the first, with these knobs at each one's preset. */
static enum dse_status try_joint(struct combining *c, size_t place, dse_knob_set own, struct dse_error *err)
{
    struct joint joint = {{place}};
    const struct dse_config *first = &c->askings[0].alternatives[place].config;
    for (size_t set = 1; set < c->sets; set++) {
        const struct dse_asking *asking = &c->askings[set];
        size_t a = 0;
        while (a < asking->question.alternative_count && !belongs(c, set, first, &asking->alternatives[a].config, own))
            a++;
        if (a == asking->question.alternative_count)
            return DSE_OK;
        joint.place[set] = a;
    }
    return add_joint(c, &joint, own, err);
}

static enum dse_status find_joints(struct combining *c, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    size_t knobs[DIFFERING_MAX], count = 0;
    for (size_t k = 0; k < c->bench->space->count; k++)
        if ((c->differing >> k & 1) != 0 && count < DIFFERING_MAX)
            knobs[count++] = k;
    for (size_t a = 0; a < c->askings[0].question.alternative_count; a++)
        for (size_t choice = 0; choice < (size_t)1 << count && status == DSE_OK; choice++) {
            const struct dse_config *config = &c->askings[0].alternatives[a].config;
            dse_knob_set own = 0;
            bool at_preset = true;
            for (size_t i = 0; i < count; i++)
                if ((choice >> i & 1) != 0) {
                    own |= DSE_KNOB_BIT(knobs[i]);
                    at_preset &= config->value[knobs[i]] == c->presets[0].value[knobs[i]];
                }
            if (at_preset)
                status = try_joint(c, a, own, err);
        }
    if (status == DSE_OK && c->joint_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "--combine: the data sets have no setting in common that was measured and is good "
                        "enough; widen --quality-drop, or profile the same settings of each with `datasets profile`");
    return status;
}

/* The question of all: the first data set's, with the common settings. */
static enum dse_status make_question(struct combining *c, struct dse_error *err)
{
    for (size_t set = 0; set < c->sets; set++) {
        struct dse_alternative *list = calloc(c->joint_count + 1, sizeof *list);
        if (list == NULL)
            return dse_fail_memory(err);
        c->combined[set] = (struct dse_combined_set){list, c->weights[set]};
        for (size_t j = 0; j < c->joint_count; j++)
            list[j] = c->askings[set].alternatives[c->joints[j].place[set]];
    }
    c->question = c->askings[0].question;
    c->question.alternatives = c->combined[0].alternatives;
    c->question.alternative_count = c->joint_count;
    c->question.own = c->own;
    return dse_combination_create(&c->question, c->how, c->combined, c->sets, &c->combination, err);
}

/* ---- the answer ---- */

static enum dse_status search(struct combining *c, struct dse_study *study, size_t board, struct dse_error *err)
{
    if (c->method == 2)
        c->method = dse_combined_size(&c->question) <= VISITED_BY_DEFAULT ? 1 : 0;
    if (study != NULL && dse_study_exploration_at(study, board)->state == DSE_STUDY_DONE)
        return dse_study_answer(study, board, &c->question, &c->answer, err);
    enum dse_status status = c->method == 1
                                 ? dse_visit_combined(c->combination, VISITED_MOST, &c->answer, err)
                                 : dse_search_combined(c->combination, &c->job->asked->effort, &c->answer, err);
    if (status == DSE_OK && !c->answer.proven && dse_monitor_cancelled(dse_cli_monitor(c->cli)))
        status = dse_fail(err, DSE_LIMIT, "interrupted");
    if (study == NULL || (status != DSE_OK && status != DSE_ANSWER_NO))
        return status;
    struct dse_error kept = {0};
    enum dse_status finished = dse_study_finish(study, board, &c->question, &c->answer,
                                                status == DSE_OK ? DSE_STUDY_DONE : DSE_STUDY_NOTHING, "", &kept);
    if (finished != DSE_OK)
        *err = kept;
    return finished == DSE_OK ? status : finished;
}

static enum dse_status allocate_report(struct combining *c, struct dse_error *err)
{
    size_t points = c->answer.front_count, count = points * c->sets;
    c->setups = calloc(count + 1, sizeof *c->setups);
    c->estimates = calloc(count + 1, sizeof *c->estimates);
    c->each = calloc(count + 1, sizeof *c->each);
    c->ids = calloc(points + 1, sizeof *c->ids);
    c->order = calloc(points + 1, sizeof *c->order);
    return c->setups != NULL && c->estimates != NULL && c->each != NULL && c->ids != NULL && c->order != NULL
               ? DSE_OK
               : dse_fail_memory(err);
}

static enum dse_status evaluate(struct combining *c, struct dse_study *study, size_t board, struct dse_error *err)
{
    DSE_TRY(allocate_report(c, err));
    for (size_t i = 0; i < c->answer.front_count; i++)
        for (size_t d = 0; d < c->sets; d++) {
            const struct dse_profile *profile = c->askings[d].profile;
            struct dse_config config;
            size_t place = i * c->sets + d;
            dse_combination_config(c->combination, &c->answer.front[i], d, &config);
            DSE_TRY(dse_workbench_setup(c->bench, board, profile, &config, &c->setups[place], err));
            DSE_TRY(dse_estimate_make(&c->setups[place], &config, &c->estimates[place], err));
            c->each[place] = (struct dse_reported){&c->setups[place], profile->dataset, &c->estimates[place],
                                                   dse_profile_quality_of(c->bench->space, profile, &config), 0};
        }
    if (study != NULL)
        DSE_TRY(dse_study_ids(study, board, &c->question, &c->answer, c->ids, err));
    dse_sweep_balance(&c->question, &c->answer, c->order);
    return DSE_OK;
}

static enum dse_status answer_board(struct combining *c, struct dse_study *study, size_t board, struct dse_error *err)
{
    DSE_TRY(ask_all(c, board, err));
    DSE_TRY(find_joints(c, err));
    DSE_TRY(make_question(c, err));
    DSE_TRY(search(c, study, board, err));
    return evaluate(c, study, board, err);
}

static struct dse_combined_report report_of(const struct combining *c)
{
    size_t best = c->job->best < c->answer.front_count ? c->job->best : c->answer.front_count;
    return (struct dse_combined_report){
        .question = &c->question, .answer = &c->answer, .how = dse_combining_names[c->how], .method = methods[c->method],
        .datasets = c->names, .weights = c->how == DSE_COMBINE_WEIGHTED ? c->weights : NULL, .dataset_count = c->sets,
        .each = c->each, .ids = c->ids, .order = c->order, .one = c->job->one, .best = c->job->one ? 1 : best,
        .shown = c->job->shown};
}

/* Adds one board's report to what is printed. */
static void write_board(const struct combining *c, json_t *results, struct dse_strbuf *text)
{
    struct dse_combined_report report = report_of(c);
    struct dse_strbuf part = {0};
    switch (dse_cli_format(c->cli)) {
    case DSE_FORMAT_JSON: json_array_append_new(results, dse_combined_json(&report)); break;
    case DSE_FORMAT_CSV: dse_combined_write_csv(&report, &part); break;
    case DSE_FORMAT_TABLE: dse_combined_write(&report, dse_terminal_width(), &part); break;
    }
    const char *rows = dse_strbuf_text(&part);
    bool csv = dse_cli_format(c->cli) == DSE_FORMAT_CSV;
    if (text->length > 0)
        rows += csv ? strcspn(rows, "\n") + 1 : 0;
    dse_strbuf_add(text, text->length > 0 && !csv ? "\n\n" : "");
    dse_strbuf_add(text, rows);
    text->failed |= part.failed;
    dse_strbuf_free(&part);
}

static void clear(struct combining *c)
{
    dse_combination_free(c->combination);
    dse_answer_free(&c->answer);
    for (size_t i = 0; i < c->sets; i++) {
        dse_asking_free(&c->askings[i]);
        free((void *)(uintptr_t)c->combined[i].alternatives);
    }
    free(c->askings);
    free(c->presets);
    free(c->names);
    free(c->weights);
    free(c->combined);
    free(c->joints);
    free(c->own);
    free(c->setups);
    free(c->estimates);
    free(c->each);
    free(c->ids);
    free(c->order);
}

static enum dse_status start(struct combining *c, struct dse_error *err)
{
    c->sets = c->bench->profile_count;
    c->askings = calloc(c->sets + 1, sizeof *c->askings);
    c->presets = calloc(c->sets + 1, sizeof *c->presets);
    c->names = calloc(c->sets + 1, sizeof *c->names);
    c->weights = calloc(c->sets + 1, sizeof *c->weights);
    c->combined = calloc(c->sets + 1, sizeof *c->combined);
    if (c->askings == NULL || c->presets == NULL || c->names == NULL || c->weights == NULL || c->combined == NULL) {
        c->sets = 0;
        return dse_fail_memory(err);
    }
    for (size_t i = 0; i < c->sets; i++)
        c->names[i] = c->bench->profiles[i]->dataset;
    DSE_TRY(read_words(c, err));
    return read_weights(c, err);
}

static enum dse_status open_study(const struct combining *c, struct dse_study **study, struct dse_error *err)
{
    struct dse_setting resolved = {0};
    enum dse_status status = dse_setting_put(&resolved, "objectives", c->job->objectives, err);
    if (status == DSE_OK)
        status = dse_studying_begin(c->cli, c->bench, c->job->command, &resolved, study, err);
    dse_setting_free(&resolved);
    return status;
}

static enum dse_status print(const struct dse_cli *cli, json_t *results, struct dse_strbuf *text, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    if (dse_cli_format(cli) == DSE_FORMAT_JSON && json_array_size(results) == 1) {
        status = dse_json_write(json_incref(json_array_get(results, 0)), text, err);
    } else if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        json_t *object = json_object();
        json_object_set_new(object, "schema", json_string("nysx-dse.combineds/1"));
        json_object_set(object, "results", results);
        status = dse_json_write(object, text, err);
    }
    if (status == DSE_OK)
        status = text->failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(text), err);
    return status;
}

static enum dse_status answer_boards(const struct dse_cli *cli, const struct dse_workbench *bench,
                                     const struct dse_combining_job *job, struct dse_error *err)
{
    json_t *results = json_array();
    struct dse_strbuf text = {0};
    struct dse_study *study = NULL;
    size_t answered = 0;
    enum dse_status status = DSE_OK;
    for (size_t board = 0; board < bench->board_count && status == DSE_OK; board++) {
        struct combining c = {.cli = cli, .bench = bench, .job = job};
        status = start(&c, err);
        if (status == DSE_OK && board == 0)
            status = open_study(&c, &study, err);
        if (status == DSE_OK)
            status = answer_board(&c, study, board, err);
        if (status == DSE_OK) {
            write_board(&c, results, &text);
            answered++;
        }
        if (status == DSE_ANSWER_NO && bench->board_count > 1)
            status = dse_answered_no(err);
        clear(&c);
    }
    if (status == DSE_OK && answered == 0)
        status = dse_fail(err, DSE_ANSWER_NO, "%s", "");
    if (status == DSE_OK)
        status = print(cli, results, &text, err);
    json_decref(results);
    dse_strbuf_free(&text);
    dse_study_close(study);
    return status;
}

enum dse_status dse_combining_run(const struct dse_cli *cli, const struct dse_combining_job *job,
                                  struct dse_error *err)
{
    struct dse_workbench bench;
    enum dse_status status = dse_workbench_open(cli, &bench, err);
    if (status != DSE_OK)
        return status;
    status = answer_boards(cli, &bench, job, err);
    dse_workbench_close(&bench);
    return status;
}
