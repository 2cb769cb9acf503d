/* `nysx-dse run`: an experiment's commands, one after another. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/text.h"
#include "dse/commands.h"
#include "dse/experiment.h"
#include "dse/output.h"
#include "models/model.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "search/study.h"

static enum dse_status print_plan(const struct dse_cli *cli, const struct dse_experiment *experiment, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    json_t *steps = json_array();
    for (size_t i = 0; i < experiment->step_count; i++) {
        DSE_TEXT(line);
        dse_experiment_line(&experiment->steps[i], &line);
        json_array_append_new(steps, json_pack("{s:s, s:s}", "command", experiment->steps[i].command->name, "line", dse_strbuf_text(&line)));
        dse_strbuf_printf(&text, "%s\n", dse_strbuf_text(&line));
    }
    if (dse_cli_format(cli) != DSE_FORMAT_JSON) {
        json_decref(steps);
        return dse_output_text(cli, &text, err);
    }
    dse_strbuf_free(&text);
    dse_json_add(&text, json_pack("{s:s, s:s, s:o}", "schema", "nysx-dse.plan/1", "experiment", experiment->path, "results", steps));
    return dse_output_text(cli, &text, err);
}

/* ---- up-to-date results ---- */

static const char *word_of(const struct dse_experiment_step *step, const char *key)
{
    const char *value = NULL;
    for (size_t i = 0; i < step->word_count; i++)
        if (strcmp(step->words[i].key, key) == 0)
            value = step->words[i].value != NULL ? step->words[i].value : "";
    return value;
}

/* When a file was last written, in seconds since 1970; −∞ if it does not exist. */
static double written_at(const char *path)
{
    struct stat about;
    return path != NULL && stat(path, &about) == 0 ? (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec : -INFINITY;
}

/* The study of `from`; NULL: none. To be freed. */
static char *study_of(const struct dse_experiment_step *step)
{
    const char *from = word_of(step, "from");
    return from != NULL && strrchr(from, ':') != NULL ? dse_strndup(from, (size_t)(strrchr(from, ':') - from)) : NULL;
}

/* The latest time of the files that a step reads. These are the experiment's own, the study of `from`, operands, and files that other words name
 * (data, family, model, board, ...). Its output does not count, nor `study` of a command that writes it. */
static double inputs_at(const struct dse_experiment *experiment, const struct dse_experiment_step *step)
{
    double latest = written_at(experiment->path);
    char *study DSE_CLEANUP(dse_free_at) = study_of(step);
    latest = fmax(latest, written_at(study));
    for (size_t i = 0; i < step->word_count; i++)
        if (strcmp(step->words[i].key, "output") != 0 && (strcmp(step->words[i].key, "study") != 0 || !step->command->crewed))
            latest = fmax(latest, written_at(step->words[i].value));
    for (size_t i = 0; i < step->operand_count; i++)
        latest = fmax(latest, written_at(step->operands[i]));
    return latest;
}

/* Whether the step reads a file that it also writes, which its command rejects. */
static bool reads(const struct dse_experiment_step *step, const char *output)
{
    char *study DSE_CLEANUP(dse_free_at) = study_of(step);
    bool same = study != NULL && dse_file_same(study, output);
    for (size_t i = 0; i < step->operand_count; i++)
        same |= dse_file_same(step->operands[i], output);
    return same;
}

/* Whether a study is newer than the experiment and all its explorations are complete. */
static bool is_complete(const struct dse_experiment *experiment, const char *path)
{
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    struct dse_error ignored;
    if (written_at(path) < written_at(experiment->path) || dse_study_open(path, &study, &ignored) != DSE_OK)
        return false;
    bool complete = dse_study_exploration_count(study) > 0;
    for (size_t i = 0; i < dse_study_exploration_count(study); i++) {
        enum dse_study_state state = dse_study_exploration_at(study, i)->state;
        complete &= state == DSE_STUDY_DONE || state == DSE_STUDY_NOTHING;
    }
    return complete;
}

/* Whether a step is up to date: its study is complete, and its output is newer than all files that it reads. If the command line overrides
 * options, no existing output counts as theirs. `what` is the file to name. */
static bool is_up_to_date(const struct dse_experiment *experiment, const struct dse_experiment_step *step, const char **what)
{
    const char *output = word_of(step, "output"), *study = step->command->crewed ? word_of(step, "study") : NULL;
    *what = output != NULL ? output : study;
    if (*what == NULL || (output != NULL && experiment->overridden) || (study != NULL && !is_complete(experiment, study)))
        return false;
    return output == NULL || (!reads(step, output) && written_at(output) >= inputs_at(experiment, step) && written_at(output) >= written_at(study));
}

/* A study that is up to date is read by --resume, which has nothing to continue. Any other existing study needs the step's own `resume`. */
static void resume(struct dse_experiment_step *step, bool stood)
{
    if (stood && step->command->crewed && word_of(step, "study") != NULL && word_of(step, "resume") == NULL)
        *(struct dse_experiment_word *)dse_list_more(&step->words, &step->word_count, sizeof *step->words) = (struct dse_experiment_word){"resume", NULL, 0};
}

/* ---- before the first step ---- */

/* A file or folder that a step writes, and the place of its name. */
struct written {
    const struct dse_experiment_step *step;
    const char *key, *path;
    long line;
    bool there;
};

/* The files that all steps write, in order: studies too, and the folder of a generated data set, which is an operand. */
struct all_written {
    struct written *items; /* count, to be freed */
    size_t count;
    struct dse_arena paths; /* paths without slashes at the end */
};

static void add_written(struct all_written *all, const struct dse_experiment_step *step, const char *key, const char *name, long line)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        length--;
    char *path = dse_arena_strndup(&all->paths, name, length);
    struct written *room = dse_list_more(&all->items, &all->count, sizeof *room);
    *room = (struct written){step, key, path, line > 0 ? line : step->line, dse_file_exists(path)};
}

static void list_written(const struct dse_experiment_step *step, struct all_written *all)
{
    struct dse_options options = dse_options_of(step->command, dse_model_default()->name);
    for (size_t i = 0; i < step->word_count; i++) {
        const struct dse_experiment_word *word = &step->words[i];
        const struct dse_option *option = dse_options_find(&options, word->key);
        if (word->value != NULL && option != NULL && (option->written || (step->command->crewed && strcmp(word->key, "study") == 0)))
            add_written(all, step, word->key, word->value, word->line);
    }
    dse_options_free(&options);
    if (step->operand_count == 2 && strcmp(step->operands[0], "generate") == 0)
        add_written(all, step, "operands", step->operands[1], step->line);
}

/* A file or a folder, however it is spelt. */
static bool is_same(const char *a, const char *b)
{
    struct stat facts[2];
    return dse_file_same(a, b) || (stat(a, &facts[0]) == 0 && stat(b, &facts[1]) == 0 && S_ISDIR(facts[0].st_mode) &&
                                   facts[0].st_dev == facts[1].st_dev && facts[0].st_ino == facts[1].st_ino);
}

/* Checks that no file of a step is that of an earlier step, except a resumed study. */
static enum dse_status check_apart(const struct dse_experiment *experiment, const struct dse_experiment_step *step, const struct all_written *all,
                                   struct dse_error *err)
{
    for (const struct written *own = all->items; own < all->items + all->count; own++)
        for (const struct written *other = all->items; own->step == step && other < own; other++) {
            bool studies = strcmp(own->key, "study") == 0 && strcmp(other->key, "study") == 0;
            bool like = (own->there && other->there) || strcmp(dse_path_base(own->path), dse_path_base(other->path)) == 0;
            if (other->step != step && like && is_same(own->path, other->path) && !(studies && word_of(step, "resume") != NULL))
                return dse_fail_at(err, DSE_BAD_INPUT, experiment->path, own->line, "%s %s: `%s` on line %ld writes the same %s", own->key, own->path,
                                   other->step->command->name, other->line, studies ? "study; `resume: true` continues it" : "file, which would be lost");
        }
    return DSE_OK;
}

static bool names(const struct dse_experiment_step *step, const char *path)
{
    bool named = false;
    for (size_t i = 0; i < step->word_count && !named; i++)
        named = step->words[i].value != NULL && strstr(step->words[i].value, path) != NULL;
    for (size_t i = 0; i < step->operand_count && !named; i++)
        named = strstr(step->operands[i], path) != NULL;
    return named;
}

/* The file of an earlier step that a step names; NULL: none. */
static const struct written *needed(const struct dse_experiment_step *step, const struct all_written *all)
{
    const struct written *item = all->items, *end = all->items + all->count;
    while (item < end && item->step < step && !names(step, item->path))
        item++;
    return item < end && item->step < step ? item : NULL;
}

/* Runs a step in a process of its own, up to the point at which it would compute or write. "No" is an answer; other failures are reported. */
static enum dse_status rehearse(const struct dse_experiment_step *step, struct dse_error *err)
{
    int ends[2];
    if (pipe(ends) != 0)
        return dse_fail_errno(err, DSE_LIMIT, step->command->name, "check", errno);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDERR_FILENO);
        dse_rehearsal_begin();
        enum dse_status status = dse_cli_run(step, false, err);
        size_t length = status != DSE_OK ? strlen(err->message) : 0;
        _exit(write(ends[1], err->message, length) == (ssize_t)length ? (int)status : 0);
    }
    close(ends[1]);
    size_t used = 0;
    char said[sizeof err->message] = "";
    for (ssize_t got = 1; child > 0 && got > 0 && used < sizeof said - 1; used += got > 0 ? (size_t)got : 0)
        got = read(ends[0], said + used, sizeof said - 1 - used);
    close(ends[0]);
    int state = 0;
    if (child > 0)
        waitpid(child, &state, 0);
    enum dse_status status = WIFEXITED(state) ? (enum dse_status)WEXITSTATUS(state) : DSE_OK;
    if (status == DSE_OK || status == DSE_ANSWER_NO || used == 0)
        return DSE_OK;
    memcpy(err->message, said, sizeof said); /* is escaped already */
    return status;
}

/* Rejects everything that the step's command would reject, if it is known without the files that earlier steps write. */
static enum dse_status check_step(const struct dse_experiment *experiment, struct dse_experiment_step *step, const struct all_written *all,
                                  struct dse_error *err)
{
    const char *what = NULL;
    DSE_TRY(check_apart(experiment, step, all, err));
    size_t words = step->word_count;
    resume(step, is_up_to_date(experiment, step, &what));
    enum dse_status status = dse_cli_run(step, true, err);
    const struct written *made = needed(step, all);
    if (status == DSE_OK && (made == NULL || !made->there)) { /* a file that exists will be replaced by a step */
        status = rehearse(step, err);
        if (made != NULL && status != DSE_OK && strstr(err->message, made->path) != NULL) /* an earlier step will make the file */
            status = DSE_OK;
    }
    step->word_count = words;
    return status == DSE_OK ? DSE_OK : dse_experiment_explain(experiment, step, status, err);
}

static enum dse_status check_steps(const struct dse_experiment *experiment, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    struct all_written all = {0};
    size_t mark = dse_files_watch();
    for (size_t i = 0; i < experiment->step_count; i++)
        list_written(&experiment->steps[i], &all);
    for (size_t i = 0; i < experiment->step_count && status == DSE_OK; i++)
        status = check_step(experiment, &experiment->steps[i], &all, err);
    free(all.items);
    dse_arena_free(&all.paths);
    dse_files_forget(mark);
    return status;
}

/* ---- the steps ---- */

/* Runs a step, or says that its result is up to date. An answer that goes only to standard output is printed again. */
static enum dse_status run_step(const struct dse_cli *cli, const struct dse_experiment *experiment, struct dse_experiment_step *step, bool *stood,
                                struct dse_error *err)
{
    const char *what = NULL;
    *stood = is_up_to_date(experiment, step, &what);
    if (*stood) {
        dse_cli_note(cli, "%s: up to date", what);
        dse_file_made(what);
    }
    if (*stood && word_of(step, "output") != NULL)
        return DSE_OK;
    struct stat about;
    bool keeps = *stood && stat(what, &about) == 0; /* the study does not change, so its modification time must not either: other steps compare with it */
    resume(step, *stood);
    enum dse_status status = dse_cli_run(step, false, err);
    if (keeps)
        utimensat(AT_FDCWD, what, (struct timespec[]){about.st_atim, about.st_mtim}, 0);
    return status == DSE_OK ? DSE_OK : dse_experiment_explain(experiment, step, status, err);
}

static enum dse_status run_steps(const struct dse_cli *cli, const struct dse_experiment *experiment, struct dse_error *err)
{
    bool all = true;
    for (size_t i = 0; i < experiment->step_count; i++) {
        bool stood;
        DSE_TRY(run_step(cli, experiment, &experiment->steps[i], &stood, err));
        all &= stood;
    }
    if (all)
        dse_cli_note(cli, "%s: up to date", experiment->path);
    return DSE_OK;
}

/* --format junit: the printed text of each step is part of its case. After the first failure, no step is run. */
static enum dse_status test_steps(const struct dse_cli *cli, const struct dse_experiment *experiment, struct dse_error *err)
{
    struct dse_junit_case *cases DSE_CLEANUP(dse_free_at) = dse_calloc(experiment->step_count + 1, sizeof *cases);
    struct dse_arena texts DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_error failed = {0};
    enum dse_status status = DSE_OK;
    DSE_TEXT(out);
    for (size_t i = 0; i < experiment->step_count; i++) {
        DSE_TEXT(line);
        char *printed DSE_CLEANUP(dse_free_at) = NULL;
        size_t size = 0;
        bool stood;
        double begin_s = dse_clock_s();
        dse_experiment_line(&experiment->steps[i], &line);
        cases[i] = (struct dse_junit_case){.name = dse_arena_strdup(&texts, dse_strbuf_text(&line)), .group = experiment->path, .seconds = NAN,
                                           .skipped = status != DSE_OK ? "an earlier step failed" : NULL};
        if (status != DSE_OK)
            continue;
        FILE *stream = open_memstream(&printed, &size), *before = stream != NULL ? dse_cli_divert(stream) : NULL;
        if (stream == NULL)
            dse_memory_exhausted();
        status = run_step(cli, experiment, &experiment->steps[i], &stood, &failed);
        dse_cli_divert(before);
        if (fclose(stream) != 0)
            dse_memory_exhausted();
        cases[i].seconds = dse_clock_s() - begin_s;
        cases[i].output = dse_arena_strdup(&texts, printed);
        cases[i].failure = status == DSE_OK ? NULL : failed.message[0] != '\0' ? dse_arena_strdup(&texts, failed.message) : "the answer is no";
    }
    dse_junit_write(experiment->path, cases, experiment->step_count, &out);
    DSE_TRY(dse_output_text(cli, &out, err));
    return status == DSE_OK ? DSE_OK : dse_fail(err, status, "%s", failed.message);
}

enum dse_status dse_run_run(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_experiment experiment DSE_CLEANUP(dse_experiment_free) = {0};
    if (dse_cli_operand_count(cli) != 1)
        return dse_fail(err, DSE_BAD_USAGE, "run: needs one experiment file");
    DSE_TRY(dse_experiment_read(dse_cli_operand(cli, 0), &experiment, err));
    DSE_TRY(dse_experiment_override(&experiment, dse_cli_request(cli), err));
    DSE_TRY(check_steps(&experiment, err));
    if (dse_cli_flag(cli, "dry-run"))
        return print_plan(cli, &experiment, err);
    return dse_cli_junit(cli) ? test_steps(cli, &experiment, err) : run_steps(cli, &experiment, err);
}
