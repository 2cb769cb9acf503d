/* From the command line to a question of the search: what `sweep` and `optimize` have in common. */
#ifndef DSE_DSE_ASKING_H
#define DSE_DSE_ASKING_H

#include "dse/workbench.h"
#include "search/heuristic.h"
#include "search/question.h"

/* What is asked, the same for every board and data set. Points into the command line. */
struct dse_asked {
    struct dse_expression where;
    const char *fixes[DSE_KNOB_MAX];
    struct dse_choice choice;
};

/* A question with what it stands on. */
struct dse_asking {
    struct dse_space *space; /* narrowed; the question's */
    struct dse_question question;
    struct dse_alternative *alternatives;
};

/* The options that go with it, for a command's table. */
#define DSE_ASKING_OPTIONS                                                                                   \
    {.name = "where", .argument = "EXPR", .repeatable = true,                                                \
     .help = "limits on metrics and knobs: 'latency<=0.5ms && bram18<=50% && nee.lanes>=16'"},               \
    {.name = "fix", .argument = "KNOB[=VALUE]", .repeatable = true,                                          \
     .help = "keep a knob at a value (without one: the paper's, or the preset's)"},                          \
    {.name = "quality-drop", .argument = "X",                                                                \
     .help = "how far the mean quality may fall below the preset's (default 0.01); a limit or objective on quality replaces it"}

/* Reads --where, --fix and --quality-drop. */
enum dse_status dse_asked_read(const struct dse_cli *cli, struct dse_asked *asked, struct dse_error *err);

/* The question about one board and profile with these objectives ("latency,energy"). Free it in any case. */
enum dse_status dse_ask(const struct dse_cli *cli, const struct dse_workbench *bench, size_t board,
                        const struct dse_profile *profile, const struct dse_asked *asked, const char *objectives,
                        struct dse_asking *asking, struct dse_error *err);
void dse_asking_free(struct dse_asking *asking);

/* Where a search found nothing feasible: prints its error and then why, on standard error and, with --format json, as an
 * object on standard output. Returns DSE_ANSWER_NO with an empty message, since all is said. */
enum dse_status dse_explain_nothing(const struct dse_cli *cli, const struct dse_workbench *bench,
                                    const struct dse_profile *profile, const struct dse_asking *asking,
                                    struct dse_error *err);

/* --budget and --seed for a heuristic: a time, or a number of evaluations. */
#define DSE_BUDGET_OPTION                                                                                    \
    {.name = "budget", .argument = "TIME|N",                                                                 \
     .help = "what the heuristic may take: a time as 10s, or evaluations (default 200000)"}
enum dse_status dse_effort_read(const struct dse_cli *cli, struct dse_effort *effort, struct dse_error *err);

#endif
