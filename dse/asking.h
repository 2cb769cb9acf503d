/* From the command line to a question of the search: what `sweep` and `optimize` have in common. */
#ifndef DSE_DSE_ASKING_H
#define DSE_DSE_ASKING_H

#include <jansson.h>

#include "explore/settings.h"
#include "explore/trainings.h"
#include "dse/workbench.h"
#include "search/heuristic.h"
#include "search/question.h"

/* What is asked, the same for every board and data set. Points into the command line. */
struct dse_asked {
    struct dse_expression where;
    const char *fixes[DSE_KNOB_MAX];
    struct dse_choice choice;
    const char *frees[DSE_KNOB_MAX];
    size_t free_count;
    struct dse_effort effort;
    bool counted;    /* --budget is a number of evaluations */
    double search_s; /* how long a method that proves may take, for a board and a data set; infinity: until it is done */
    int64_t seeds; /* 0: as many as the profile's */
};

/* A question with what it stands on. */
struct dse_asking {
    struct dse_space *space; /* narrowed; the question's */
    struct dse_question question;
    struct dse_alternative *alternatives;
    const struct dse_asked *asked;
    const struct dse_profile *profile; /* where settings are looked up: the workbench's, or its own copy */
    /* Of settings that may be measured; nothing without such. */
    struct dse_profile *own;
    struct dse_settings candidates;
    struct dse_setting *settings; /* the candidates', every parameter */
    bool *possible;               /* which of them the data can serve */
    struct dse_trainings trials;
    double least_quality;         /* of designs that count; −infinity without such a rule */
};

/* The options that go with it, for a command's table. */
#define DSE_ASKING_OPTIONS                                                                                   \
    {.name = "where", .argument = "EXPR", .repeatable = true,                                                \
     .help = "limits on metrics and knobs: 'latency<=0.5ms && bram18<=50% && nee.lanes>=16'; the quality is "     \
             "`accuracy`, and what it lacks to 1 `error`"},                                                      \
    {.name = "fix", .argument = "KNOB[=VALUE]", .repeatable = true,                                          \
     .help = "keep a knob at a value (without one: the paper's, or the preset's)"},                          \
    {.name = "free", .argument = "KNOB", .repeatable = true,                                                 \
     .help = "try every value of an algorithmic knob's domain, also settings that nobody has measured: those that may reach " \
             "the front are trained and measured"},                                                          \
    {.name = "seeds", .argument = "N",                                                                       \
     .help = "trainings for each setting that is measured (default: as many as the profile's, or 3)"},       \
    {.name = "quality-drop", .argument = "X",                                                                \
     .help = "how far the mean quality may fall below the preset's (default 0.01); a limit or objective on quality replaces it"}

/* Reads --where, --fix, --free, --seeds, --budget and --quality-drop. */
enum dse_status dse_asked_read(const struct dse_cli *cli, struct dse_asked *asked, struct dse_error *err);

/* One metric to have the least or the most of. */
#define DSE_OBJECTIVE_OPTIONS                                                                                \
    {.name = "minimize", .argument = "METRIC", .help = "what the best design has the least of: latency, energy, bram18, …"}, \
    {.name = "maximize", .argument = "METRIC", .help = "what it has the most of: throughput or quality"}
enum dse_status dse_objective_read(const struct dse_cli *cli, const char **objective, struct dse_error *err);

/* The question about the board and profile of an exploration (boards outermost) with these objectives ("latency,energy").
 * Where settings may have to be measured it may have no alternatives yet. `asked` stays where it is. Free it in any case. */
enum dse_status dse_ask(const struct dse_cli *cli, const struct dse_workbench *bench, size_t exploration,
                        const struct dse_asked *asked, const char *objectives, struct dse_study *study,
                        struct dse_asking *asking, struct dse_error *err);

/* Knobs that --set names keep the configuration's value. */
enum dse_status dse_restrict_to_set(const struct dse_cli *cli, const struct dse_config *config, struct dse_space *space,
                                    struct dse_error *err);

/* Says how large the space is, before it is searched: in a note, where the result is for people to read (a JSON result has
 * it as "space_size"). */
enum dse_status dse_asking_say_size(const struct dse_cli *cli, const struct dse_asking *asking, struct dse_error *err);

/* Looks the alternatives up again, after settings were measured. */
enum dse_status dse_asking_refresh(struct dse_asking *asking, struct dse_error *err);
void dse_asking_free(struct dse_asking *asking);

/* Where a search found nothing feasible: prints its error and then why on standard error, and with --format json makes it
 * an object in `why` (else NULL there; the caller's, unless `why` is NULL). Returns DSE_ANSWER_NO with an empty message, since all is said. */
enum dse_status dse_explain_nothing(const struct dse_cli *cli, const struct dse_workbench *bench,
                                    const struct dse_asking *asking, json_t **why, struct dse_error *err);

/* Says on standard error why one of several questions has the answer no, where that is not said yet; DSE_OK. */
enum dse_status dse_answered_no(struct dse_error *err);

/* --budget and --seed: a time, or for a heuristic a number of evaluations. */
#define DSE_BUDGET_OPTION                                                                                    \
    {.name = "budget", .argument = "TIME|N",                                                                 \
     .help = "what a search may take for each board and data set: a time as 10s or 5min, after which the best so far is the " \
             "answer, not proven; of the heuristic also a number of evaluations (default 200000). Where settings are "   \
             "measured: the time for measuring"}

/* A method that proves takes --budget as a time alone; DSE_BAD_USAGE, naming it, where that is a number of evaluations. */
enum dse_status dse_budget_in_time(struct dse_asked *asked, const char *method, struct dse_error *err);
enum dse_status dse_effort_read(const struct dse_cli *cli, struct dse_effort *effort, struct dse_error *err);

#endif
