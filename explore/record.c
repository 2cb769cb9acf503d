#include "explore/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/version.h"
#include "explore/exploration.h"
#include "explore/survey.h"

#define INPUT_BYTES_MAX ((size_t)64 << 20)

/* A list of inputs with its texts. */
struct inputs {
    struct dse_study_input *list; /* count */
    size_t count;
    struct dse_arena arena;
};

static void free_inputs(struct inputs *inputs)
{
    dse_arena_free(&inputs->arena);
    free(inputs->list);
}

static enum dse_status add_input(struct inputs *inputs, const char *kind, const char *name, const char *source,
                                 const char *content, struct dse_error *err)
{
    uint64_t hash = XXH3_64bits(content, strlen(content));
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->list[i].kind, kind) == 0 && strcmp(inputs->list[i].name, name) == 0)
            return inputs->list[i].hash == hash
                       ? DSE_OK
                       : dse_fail(err, DSE_BAD_USAGE, "--study: two different inputs have the name %s %s", kind, name);
    struct dse_study_input *input = dse_list_more(&inputs->list, &inputs->count, sizeof *input);
    *input = (struct dse_study_input){dse_arena_strdup(&inputs->arena, kind), dse_arena_strdup(&inputs->arena, name),
                                      dse_arena_strdup(&inputs->arena, source), dse_arena_strdup(&inputs->arena, content),
                                      hash, false};
    return DSE_OK;
}

static enum dse_status add_file(struct inputs *inputs, const char *kind, const char *name, const char *path,
                                struct dse_error *err)
{
    char *content DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    DSE_TRY(dse_file_read(path, INPUT_BYTES_MAX, &content, &size, err));
    return add_input(inputs, kind, name, path, content, err);
}

/* Adds the files of the cost entries; a calibration is named after its board. */
static enum dse_status add_costs(struct inputs *inputs, const char *board, const struct dse_costs *costs, struct dse_error *err)
{
    const char *calibration = dse_costs_calibration(costs);
    DSE_TRY(calibration != NULL ? add_file(inputs, "calibration", board, calibration, err) : DSE_OK);
    const char *last = "";
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++) {
        const char *file = dse_costs_entry(costs, i)->file;
        if (file == NULL || strcmp(file, last) == 0 || (calibration != NULL && strcmp(file, calibration) == 0))
            continue;
        last = file;
        char *stem DSE_CLEANUP(dse_free_at) = dse_path_stem(file, ".xml");
        DSE_TRY(add_file(inputs, "costs", stem, file, err));
    }
    return DSE_OK;
}

static enum dse_status add_profile(struct inputs *inputs, const struct dse_profile *profile, struct dse_error *err)
{
    struct dse_strbuf xml DSE_CLEANUP(dse_strbuf_free) = {0};
    DSE_TRY(dse_profile_format(profile, &xml, err));
    DSE_TRY(add_input(inputs, "profile", profile->dataset, profile->command, dse_strbuf_text(&xml), err));
    struct dse_study_input *last = &inputs->list[inputs->count - 1];
    last->grows = strcmp(last->source, DSE_SURVEY_RACED) == 0 || strcmp(last->source, DSE_SURVEY_QUICK) == 0;
    return DSE_OK;
}

/* Adds the complete space, so that the study's request stays valid if a later program declares another space. */
static enum dse_status add_space(struct inputs *inputs, const struct dse_space *space, struct dse_error *err)
{
    struct dse_strbuf xml DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_space_format(space, &xml);
    return add_input(inputs, "space", space->family, space->file != NULL ? space->file : "", dse_strbuf_text(&xml), err);
}

static enum dse_status gather_inputs(const struct dse_workbench *bench, struct inputs *inputs, struct dse_error *err)
{
    DSE_TRY(add_space(inputs, bench->space, err));
    if (bench->family->content != NULL)
        DSE_TRY(add_input(inputs, "family", bench->family->name, bench->family->file, bench->family->content, err));
    for (size_t b = 0; b < bench->board_count; b++) {
        DSE_TRY(add_file(inputs, "board", bench->boards[b]->name, bench->boards[b]->file, err));
        DSE_TRY(add_costs(inputs, bench->boards[b]->name, bench->costs[b], err));
    }
    for (size_t p = 0; p < bench->profile_count; p++)
        DSE_TRY(add_profile(inputs, bench->profiles[p], err));
    return DSE_OK;
}

/* ---- question ---- */

#define BETWEEN " ; " /* separates the values of a word */

static void put_word(const struct dse_request *request, const char *name, struct dse_setting *question)
{
    struct dse_strbuf value DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t count = dse_request_count(request, name);
    const char *last = dse_request_word(request, name);
    if (last != NULL && strcmp(name, "budget") == 0 && last[strspn(last, "0123456789")] != '\0')
        return; /* a time limit is not part of the question */
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(&value, "%s%s", i > 0 ? BETWEEN : "", dse_request_word_at(request, name, i));
    if (count > 0)
        dse_setting_put(question, name, dse_strbuf_text(&value));
}

static void describe_question(const struct dse_request *request, const char *command,
                                         const struct dse_terms *terms, struct dse_setting *out)
{
    dse_setting_put(out, "command", command);
    for (const char *const *word = dse_request_questions; *word != NULL; word++)
        put_word(request, *word, out);
    dse_setting_put(out, "objectives", terms->objectives);
    if (!dse_request_flag(request, "combine"))
        dse_setting_put(out, "method", dse_method_names[terms->method]);
}

static void add_words(const struct dse_request *request, const char *const *names, struct dse_strbuf *out)
{
    for (; *names != NULL; names++)
        for (size_t k = 0; k < dse_request_count(request, *names); k++) {
            const char *value = dse_request_word_at(request, *names, k);
            dse_strbuf_printf(out, " --%s%s", *names, *value != '\0' ? " " : "");
            if (*value != '\0') /* none: a flag */
                dse_strbuf_add_shell(out, value);
        }
}

void dse_record_command(const struct dse_request *request, const char *command, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "nysx-dse %s", command);
    static const char *const answers[] = {"across", "resolution", "robust", NULL};
    add_words(request, dse_request_inputs, out);
    add_words(request, dse_request_questions, out);
    add_words(request, answers, out);
}

static enum dse_status begin(const struct dse_request *request, const struct dse_workbench *bench,
                             const struct dse_study_description *described, struct dse_study **out, struct dse_error *err)
{
    struct dse_study_description description = *described;
    /* Combined data sets make one exploration per board, named by all of them. */
    bool combined = dse_request_word(request, "combine") != NULL;
    size_t each = combined ? 1 : bench->profile_count, count = bench->board_count * each;
    struct dse_study_exploration *explorations DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *explorations);
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < bench->profile_count; i++)
        dse_strbuf_printf(&names, "%s%s", i > 0 ? "," : "", bench->profiles[i]->dataset);
    for (size_t i = 0; i < count; i++) {
        explorations[i].board = bench->boards[i / each]->name;
        explorations[i].dataset = combined ? dse_strbuf_text(&names) : bench->profiles[i % each]->dataset;
    }
    description.explorations = explorations;
    description.exploration_count = count;
    DSE_TRY(dse_study_begin(dse_request_word(request, "study"), &description, dse_request_flag(request, "resume"), out, err));
    if (dse_study_grown(*out))
        dse_request_note(request, "%s: more settings are measured now: the study's designs are searched again", dse_study_path(*out));
    return DSE_OK;
}

enum dse_status dse_record_check(const struct dse_request *request, const char *command, const struct dse_terms *terms, struct dse_error *err)
{
    struct dse_setting question DSE_CLEANUP(dse_setting_free) = {0};
    if (dse_request_word(request, "study") == NULL)
        return dse_request_flag(request, "resume") ? dse_fail(err, DSE_BAD_USAGE, "--resume: needs --study FILE.db") : DSE_OK;
    describe_question(request, command, terms, &question);
    return dse_study_check(dse_request_word(request, "study"), DSE_VERSION, &question, dse_request_flag(request, "resume"), err);
}

enum dse_status dse_record_begin(const struct dse_request *request, const struct dse_workbench *bench, const char *command,
                                 const struct dse_terms *terms, struct dse_study **out, struct dse_error *err)
{
    *out = NULL;
    if (dse_request_word(request, "study") == NULL)
        return DSE_OK;
    struct inputs inputs DSE_CLEANUP(free_inputs) = {0};
    struct dse_setting question DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_record_command(request, command, &text);
    DSE_TRY(gather_inputs(bench, &inputs, err));
    describe_question(request, command, terms, &question);
    struct dse_study_description description = {.family = dse_model_word(bench->family), .program = DSE_VERSION,
                                                .command = dse_strbuf_text(&text), .question = &question,
                                                .inputs = inputs.list, .input_count = inputs.count};
    return begin(request, bench, &description, out, err);
}

/* Converts a stored word's values back to words of a request; cuts `text` in place. */
static void take_words(struct dse_request *request, const char *name, char *text)
{
    while (text != NULL) {
        char *next = strstr(text, BETWEEN);
        if (next != NULL)
            *next = '\0';
        dse_request_take(request, name, text);
        text = next != NULL ? next + strlen(BETWEEN) : NULL;
    }
}

enum dse_status dse_record_baseline(const struct dse_study *study, const struct dse_board *board, const struct dse_profile *profile,
                                    struct dse_config *out, struct dse_error *err)
{
    static const char *const words[] = {"set", "where", "fix", "rate"};
    const struct dse_setting *asked = dse_study_question(study);
    struct dse_question question = {.family = dse_model_find(dse_study_family(study)), .headroom = 1.0};
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL;
    struct dse_request request DSE_CLEANUP(dse_request_free) = {0};
    struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_terms terms;
    dse_request_init(&request);
    request.family = dse_study_family(study);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *value = dse_setting_get(asked, words[i]);
        take_words(&request, words[i], value != NULL ? dse_arena_strdup(&arena, value) : NULL);
    }
    DSE_TRY(dse_model_space(question.family, dse_setting_get(asked, "space"), &space, err));
    DSE_TRY(dse_question_baseline(question.family, space, board, &profile->preset, &question.base, NULL, err));
    for (size_t i = 0; i < dse_request_count(&request, "set"); i++)
        DSE_TRY(dse_request_assign(&request, "set", i, space, &question.base, err));
    dse_restrict_to_set(&request, &question.base, space);
    DSE_TRY(dse_terms_read(&request, false, "latency", &terms, err));
    DSE_TRY(dse_question_constrain(&question, space, &terms.where, &terms.choice, err));
    return dse_question_baseline(question.family, space, board, &profile->preset, out, NULL, err);
}
