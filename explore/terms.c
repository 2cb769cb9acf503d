#include "explore/terms.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/number.h"
#include "core/text.h"
#include "core/units.h"
#include "devices/board.h"

const char *const dse_method_names[] = {
    [DSE_METHOD_EXACT] = "exact", [DSE_METHOD_ILP] = "ilp", [DSE_METHOD_EXHAUSTIVE] = "exhaustive",
    [DSE_METHOD_HEURISTIC] = "heuristic"};

const char *dse_proof_words(enum dse_method found_by, bool proven, char text[64])
{
    static const char *const words[] = {[DSE_METHOD_EXACT] = "exact search", [DSE_METHOD_ILP] = "integer programs",
                                        [DSE_METHOD_EXHAUSTIVE] = "exhaustive search", [DSE_METHOD_HEURISTIC] = "the heuristic"};
    snprintf(text, 64, "%s by %s%s", proven ? "proven" : "found", words[found_by], proven ? "" : ", not proven");
    return text;
}

#define LOAD "p99_load"

/* Reads the method. Writing an integer program requires the method that solves it. */
static enum dse_status read_method(const struct dse_request *request, struct dse_terms *terms, struct dse_error *err)
{
    const char *name = dse_request_word(request, "method");
    bool writes = dse_request_flag(request, "write-lp");
    if (name == NULL)
        name = dse_method_names[writes ? DSE_METHOD_ILP : DSE_METHOD_EXACT];
    for (int m = DSE_METHOD_EXACT; m <= DSE_METHOD_HEURISTIC; m++) {
        if (strcmp(name, dse_method_names[m]) != 0 || (m == DSE_METHOD_ILP && !terms->one))
            continue;
        terms->method = (enum dse_method)m;
        return m == DSE_METHOD_ILP || !writes
                   ? DSE_OK
                   : dse_fail(err, DSE_BAD_USAGE, "--write-lp: needs --method ilp, not %s", name);
    }
    return dse_fail(err, DSE_BAD_USAGE, "--method %s: must be %sexact, exhaustive or heuristic", name, terms->one ? "ilp, " : "");
}

/* A time with unit: "10s", "500ms", "10min", "2h"; in seconds. */
static bool parse_time(const char *text, double *seconds)
{
    const char *end = text, *unit = text + dse_number_length(text);
    bool percent = false;
    double number = unit != text ? strtod(text, NULL) : 0.0;
    if (unit != text && strcmp(unit, "min") == 0)
        *seconds = 60.0 * number;
    else if (unit != text && strcmp(unit, "h") == 0)
        *seconds = 3600.0 * number;
    else if (unit == text || *unit == '\0' ||
             !dse_quantity_parse(text, DSE_DIMENSION_TIME, seconds, &percent, &end) || *end != '\0' || percent)
        return false;
    return *seconds > 0.0 && isfinite(*seconds);
}

enum dse_status dse_terms_time(const struct dse_request *request, double *seconds, struct dse_error *err)
{
    const char *budget = dse_request_word(request, "budget");
    *seconds = INFINITY;
    return budget == NULL || parse_time(budget, seconds) ? DSE_OK
                                                         : dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be a time such as 10s or 5min", budget);
}

double dse_terms_seconds(const struct dse_request *request)
{
    const char *budget = dse_request_word(request, "budget");
    double value = 0.0;
    return budget != NULL && parse_time(budget, &value) ? value : INFINITY;
}

static enum dse_status read_effort(const struct dse_request *request, struct dse_effort *effort, struct dse_error *err)
{
    const char *budget = dse_request_word(request, "budget");
    *effort = (struct dse_effort){.seed = request->seed, .evaluations = 200000, .seconds = INFINITY};
    if (budget == NULL)
        return DSE_OK;
    double value = 0.0;
    if (budget[strspn(budget, "0123456789")] == '\0' && *budget != '\0') {
        errno = 0;
        effort->evaluations = strtoull(budget, NULL, 10);
        return effort->evaluations > 0 && errno == 0
                   ? DSE_OK
                   : dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be a number of evaluations from 1 to 2^64 - 1", budget);
    }
    if (!parse_time(budget, &value))
        return dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be a time such as 10s or 5min, or a number of evaluations", budget);
    effort->evaluations = UINT64_MAX;
    effort->seconds = value;
    return DSE_OK;
}

static enum dse_status read_objective(const struct dse_request *request, const char **objective, struct dse_error *err)
{
    const char *least = dse_request_word(request, "minimize"), *most = dse_request_word(request, "maximize");
    *objective = least != NULL ? least : most;
    if ((least != NULL) == (most != NULL))
        return dse_fail(err, DSE_BAD_USAGE, "needs either --minimize METRIC or --maximize METRIC");
    if (strchr(*objective, ',') != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: takes one metric; `sweep --objectives` takes several", *objective);
    int metric = dse_metric_find(*objective);
    if (metric < 0)
        return dse_objective_unknown(most != NULL ? "maximize" : "minimize", *objective, *objective, err);
    bool higher = dse_metrics[metric].higher_is_better && !dse_metric_is_error(*objective);
    if (higher != (most != NULL))
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: more of it is %s; use --%s", most != NULL ? "maximize" : "minimize",
                        *objective, most != NULL ? "worse" : "better", most != NULL ? "minimize" : "maximize");
    return DSE_OK;
}

/* Reads the budget. An exact method accepts only a time. */
static enum dse_status read_budget(const struct dse_request *request, struct dse_terms *terms, struct dse_error *err)
{
    DSE_TRY(read_effort(request, &terms->effort, err));
    terms->search_s = INFINITY;
    terms->counted = dse_request_flag(request, "budget") && terms->effort.evaluations < UINT64_MAX;
    if (terms->method == DSE_METHOD_HEURISTIC || dse_request_flag(request, "combine"))
        return DSE_OK;
    terms->search_s = terms->effort.seconds;
    if (!terms->counted)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--budget %llu: a number of evaluations needs --method heuristic; %s takes a time "
                    "such as 10s or 5min", (unsigned long long)terms->effort.evaluations, dse_method_names[terms->method]);
}

/* Reads the values of a word that may repeat up to the number of knobs. */
static enum dse_status read_list(const struct dse_request *request, const char *name, const char **list, size_t *count,
                                 struct dse_error *err)
{
    size_t given = dse_request_count(request, name);
    if (given > DSE_KNOB_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--%s: given more than %d times", name, DSE_KNOB_MAX);
    for (*count = 0; *count < given; ++*count)
        list[*count] = dse_request_word_at(request, name, *count);
    return DSE_OK;
}

/* Removes `p99_load<=TIME` from the conditions: it is a property of a queue, not a metric of a design (explore/loaded.h). */
static enum dse_status take_load(const struct dse_request *request, struct dse_terms *terms, struct dse_error *err)
{
    size_t kept = 0;
    terms->rate = dse_request_word(request, "rate");
    for (size_t i = 0; i < terms->where.count; i++) {
        const struct dse_term *term = &terms->where.terms[i];
        bool percent = false;
        const char *end = NULL;
        double seconds = 0.0;
        if (strcmp(term->name, LOAD) != 0) {
            terms->where.terms[kept++] = *term;
            continue;
        }
        if (term->comparison != DSE_AT_MOST || !dse_quantity_parse(term->value, DSE_DIMENSION_TIME, &seconds, &percent, &end) || *end != '\0' || percent || !(seconds > 0.0))
            return dse_fail(err, DSE_BAD_USAGE, "--where %.*s: must be " LOAD "<=TIME, as " LOAD "<=50us", (int)term->length, term->text);
        if (terms->rate == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--where %.*s: needs a load: `sweep` and `optimize` with --rate", (int)term->length, term->text);
        terms->p99_load_s = terms->p99_load_s > 0.0 ? fmin(terms->p99_load_s, seconds) : seconds;
    }
    terms->where.count = kept;
    if (terms->p99_load_s > 0.0 && (dse_request_flag(request, "combine") || dse_request_flag(request, "robust")))
        return dse_fail(err, DSE_BAD_USAGE, "--where " LOAD "<=…: cannot be combined with --combine or --robust");
    return DSE_OK;
}

/* Reads limits and fixed knobs: "where" and "fix". */
static enum dse_status read_choice(const struct dse_request *request, struct dse_terms *terms, struct dse_error *err)
{
    for (size_t i = 0; i < dse_request_count(request, "where"); i++) {
        struct dse_expression more;
        DSE_TRY(dse_expression_parse(dse_request_word_at(request, "where", i), &more, err));
        DSE_TRY(dse_expression_append(&terms->where, &more, err));
    }
    DSE_TRY(take_load(request, terms, err));
    return read_list(request, "fix", terms->fixes, &terms->choice.fix_count, err);
}

static enum dse_status check_board(const char *name, struct dse_error *err)
{
    size_t count = 0;
    struct dse_board *board = NULL;
    char **names = NULL;
    if (dse_is_xml_path(name))
        return DSE_OK;
    DSE_TRY(dse_board_names(name, &names, &count, err));
    enum dse_status status = count > 0 ? dse_board_open(names[0], &board, err) : DSE_OK;
    dse_share_names_free(names, count);
    dse_board_free(board);
    return status;
}

/* Checks conditions, fixed, free and assigned knobs and objectives against the family's metrics and the knobs of its space. */
static enum dse_status check_question(const struct dse_request *request, struct dse_terms *terms, const struct dse_model_family *family, const char *space_file,
                                      const struct dse_board *board, struct dse_error *err)
{
    static const char *const assigning[] = {"set", "base"};
    struct dse_question question = {.family = family, .headroom = 1.0, .board = board};
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL;
    const char *objectives = dse_request_word(request, "objectives");
    int knob = -1;
    DSE_TRY(dse_model_space(family, space_file, &space, err));
    dse_space_default(space, &question.base);
    for (size_t w = 0; w < sizeof assigning / sizeof *assigning; w++) {
        DSE_TRY(dse_request_pairs(request, assigning[w], err));
        for (size_t i = 0; i < dse_request_count(request, assigning[w]); i++) {
            struct dse_config config = question.base;
            DSE_TRY(dse_request_assign(request, assigning[w], i, space, &config, err));
        }
    }
    for (size_t i = 0; i < dse_request_count(request, "free"); i++) {
        struct dse_error why = {0};
        if (dse_space_need(space, dse_request_word_at(request, "free", i), &knob, &why) != DSE_OK)
            return dse_fail(err, why.status, "--free %s", why.message);
    }
    enum dse_status status = dse_question_constrain(&question, space, &terms->where, &terms->choice, err);
    if (status != DSE_OK && status != DSE_ANSWER_NO) /* contradictory limits are an answer */
        return status;
    return objectives != NULL ? dse_question_objectives(&question, objectives, err) : DSE_OK;
}

enum dse_status dse_terms_asked(const struct dse_request *request, const struct dse_model_family *family, const char *space, const struct dse_board *board,
                                struct dse_error *err)
{
    struct dse_terms terms = {.choice.fix = terms.fixes};
    DSE_TRY(read_choice(request, &terms, err));
    return check_question(request, &terms, family, space, board, err);
}

bool dse_terms_fix(const struct dse_terms *terms, const char *knob)
{
    size_t length = strlen(knob);
    for (size_t i = 0; i < terms->choice.fix_count; i++)
        if (strncmp(terms->fixes[i], knob, length) == 0 && (terms->fixes[i][length] == '=' || terms->fixes[i][length] == '\0'))
            return true;
    return false;
}

bool dse_terms_free(const struct dse_terms *terms, const char *knob)
{
    for (size_t i = 0; i < terms->free_count; i++)
        if (strcmp(terms->frees[i], knob) == 0)
            return true;
    return false;
}

enum dse_status dse_terms_check(const struct dse_request *request, struct dse_error *err)
{
    struct dse_terms terms = {.choice.fix = terms.fixes};
    const struct dse_model_family *family = dse_model_find(dse_request_family(request));
    bool own_space = dse_request_flag(request, "space") || dse_request_flag(request, "from");
    for (size_t i = 0; i < dse_request_count(request, "board"); i++)
        DSE_TRY(check_board(dse_request_word_at(request, "board", i), err));
    DSE_TRY(read_choice(request, &terms, err));
    if (!own_space && family != NULL) {
        struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
        DSE_TRY(dse_board_open(family->board, &board, err));
        DSE_TRY(check_question(request, &terms, family, NULL, board, err));
    }
    if (!dse_request_flag(request, "budget"))
        return DSE_OK;
    DSE_TRY(read_method(request, &terms, err));
    return read_budget(request, &terms, err);
}

enum dse_status dse_terms_read(const struct dse_request *request, bool one, const char *objectives, struct dse_terms *terms,
                               struct dse_error *err)
{
    *terms = (struct dse_terms){.objectives = objectives, .one = one, .best = 1, .shown = one};
    terms->choice.fix = terms->fixes;
    if (dse_request_flag(request, "weight") && !dse_request_flag(request, "combine"))
        return dse_fail(err, DSE_BAD_USAGE, "--weight %s: goes with --combine weighted", dse_request_word(request, "weight"));
    if (one && (objectives == NULL || dse_request_flag(request, "minimize") || dse_request_flag(request, "maximize")))
        DSE_TRY(read_objective(request, &terms->objectives, err));
    else if (!one && dse_request_flag(request, "objectives"))
        terms->objectives = dse_request_word(request, "objectives");
    terms->by_default = !one && !dse_request_flag(request, "objectives");
    DSE_TRY(read_method(request, terms, err));
    DSE_TRY(read_choice(request, terms, err));
    DSE_TRY(read_list(request, "free", terms->frees, &terms->free_count, err));
    DSE_TRY(read_budget(request, terms, err));
    DSE_TRY(dse_request_real(request, "resolution", 0.0, 1.0, 0.0, &terms->resolution, err));
    terms->robust = dse_request_flag(request, "robust");
    DSE_TRY(dse_request_integer(request, "seeds", 1, 10000, 0, &terms->seeds, err));
    return dse_request_quality_drop(request, &terms->choice.quality_drop, err);
}
