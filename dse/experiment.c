#include "dse/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/yaml.h"
#include "models/model.h"

#define BYTES_MAX (1u << 20)
#define WORDS_MAX 65536  /* words of all steps: each has the shared ones */

struct reader {
    struct dse_experiment *out;
    struct dse_error *err;
};

static enum dse_status reject(const struct reader *r, long line, const char *what, const char *word)
{
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->out->path, line, "%s%s%s", word != NULL ? word : "", word != NULL ? ": " : "", what);
}

/* ---- from the tree to commands ---- */

/* Words that read better in a file. */
static const char *const plurals[][2] = {{"boards", "board"}, {"datasets", "dataset"}, {"limits", "where"}};

static const char *option_name(const char *key)
{
    for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++)
        if (strcmp(plurals[i][0], key) == 0)
            return plurals[i][1];
    return key;
}

/* A step while its options are known. */
struct draft {
    struct dse_experiment_step step;
    struct dse_options options;
};

static enum dse_status unknown(const struct reader *r, const struct draft *d, const struct dse_yaml *node)
{
    const char *also[sizeof plurals / sizeof *plurals];
    for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++)
        also[i] = plurals[i][0];
    const char *near = dse_options_nearest(&d->options, node->key, also, sizeof also / sizeof *also);
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->out->path, node->line, "%s: no such option of `%s`%s%s%s", node->key,
                       d->step.command->name, near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
}

static enum dse_status add_word(const struct reader *r, struct draft *d, const char *key, const char *value, long line)
{
    if (r->out->word_count++ == WORDS_MAX)
        return reject(r, line, "more than 65536 options in all steps together", key);
    struct dse_experiment_word *word = dse_list_more(&d->step.words, &d->step.word_count, sizeof *word);
    *word = (struct dse_experiment_word){key, value, line};
    return DSE_OK;
}

/* "KNOB=VALUE" of a map's member. */
static enum dse_status add_pair(const struct reader *r, struct draft *d, const char *option, const struct dse_yaml *member)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (member->kind != DSE_YAML_SCALAR)
        return reject(r, member->line, "must be one value", member->key);
    dse_strbuf_printf(&text, "%s=%s", member->key, member->text);
    return add_word(r, d, option, dse_arena_strdup(&r->out->arena, dse_strbuf_text(&text)), member->line);
}

/* Several values of an option that takes one, such as objectives: joined with commas. */
static enum dse_status add_joined(const struct reader *r, struct draft *d, const char *option, const struct dse_yaml *node)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i].kind != DSE_YAML_SCALAR)
            return reject(r, node->children[i].line, "must be a list of single values", node->key);
        dse_strbuf_printf(&text, "%s%s", i > 0 ? "," : "", node->children[i].text);
    }
    return add_word(r, d, option, dse_arena_strdup(&r->out->arena, dse_strbuf_text(&text)), node->line);
}

static enum dse_status add_flag(const struct reader *r, struct draft *d, const char *option, const struct dse_yaml *node)
{
    if (node->kind == DSE_YAML_SCALAR && strcmp(node->text, "true") == 0)
        return add_word(r, d, option, NULL, node->line);
    if (node->kind == DSE_YAML_SCALAR && strcmp(node->text, "false") == 0)
        return DSE_OK;
    return reject(r, node->line, "must be true or false", node->key);
}

static enum dse_status add_option(const struct reader *r, struct draft *d, const struct dse_option *option, const struct dse_yaml *node)
{
    /* dse_option_list owns its names only while the draft lives. */
    const char *name = dse_arena_strdup(&r->out->arena, option->name);
    if (option->argument == NULL)
        return add_flag(r, d, name, node);
    if (node->kind == DSE_YAML_SCALAR)
        return *node->text != '\0' || node->quoted ? add_word(r, d, name, node->text, node->line)
                                                   : reject(r, node->line, "needs a value", node->key);
    if (node->kind == DSE_YAML_LIST && !option->repeatable)
        return add_joined(r, d, name, node);
    if (node->kind == DSE_YAML_MAP && !option->repeatable)
        return reject(r, node->line, "must be one value", node->key);
    for (size_t i = 0; i < node->count; i++) {
        const struct dse_yaml *one = &node->children[i];
        if (node->kind == DSE_YAML_LIST && one->kind != DSE_YAML_SCALAR)
            return reject(r, one->line, "must be a list of single values", node->key);
        DSE_TRY(node->kind == DSE_YAML_MAP ? add_pair(r, d, name, one) : add_word(r, d, name, one->text, one->line));
    }
    return DSE_OK;
}

static enum dse_status add_operands(const struct reader *r, struct draft *d, const struct dse_yaml *node)
{
    const struct dse_yaml *list = node->kind == DSE_YAML_LIST ? node->children : node;
    for (size_t i = 0; i < (node->kind == DSE_YAML_LIST ? node->count : 1); i++) {
        const char **room = dse_list_more(&d->step.operands, &d->step.operand_count, sizeof *room);
        if (list[i].kind != DSE_YAML_SCALAR)
            return reject(r, list[i].line, "must be a word or a list of words", node->key);
        *room = list[i].text;
    }
    return DSE_OK;
}

/* Whether an option selects a design (explore/request.h), as opposed to an option that applies to any design. */
static bool asks(const char *name)
{
    static const char *const any[] = {"seed", "headroom", "space", "calibration", NULL};
    for (size_t i = 0; any[i] != NULL; i++)
        if (strcmp(any[i], name) == 0)
            return false;
    for (size_t i = 0; dse_request_questions[i] != NULL; i++)
        if (strcmp(dse_request_questions[i], name) == 0)
            return true;
    return false;
}

/* The keys of one step. Shared keys (`shared`) are skipped if the command does not know them, or has them itself. */
static enum dse_status add_keys(const struct reader *r, struct draft *d, const struct dse_yaml *map, bool shared, const struct dse_yaml *own,
                                bool *used)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct dse_yaml *node = &map->children[i];
        const char *name = option_name(node->key);
        bool said = false;
        if (strcmp(name, "steps") == 0 || strcmp(name, "command") == 0)
            continue;
        for (size_t k = 0; shared && own != NULL && k < own->count; k++)
            said |= own->kind == DSE_YAML_MAP && strcmp(option_name(own->children[k].key), name) == 0;
        if (strcmp(name, "operands") == 0 && !shared) {
            DSE_TRY(add_operands(r, d, node));
            continue;
        }
        const struct dse_option *option = dse_options_find(&d->options, name);
        said |= shared && own != NULL && dse_yaml_member(own, "from") != NULL && asks(name);
        if (option == NULL && !shared)
            return unknown(r, d, node);
        if (used != NULL && option != NULL)
            used[i] = true;
        if (option != NULL && !said)
            DSE_TRY(add_option(r, d, option, node));
    }
    return DSE_OK;
}

static const char *family_in(const struct dse_yaml *own, const struct dse_yaml *root)
{
    const struct dse_yaml *maps[] = {own, root};
    for (size_t m = 0; m < 2; m++) {
        const struct dse_yaml *family = maps[m] != NULL ? dse_yaml_member(maps[m], "family") : NULL;
        if (family != NULL && family->kind == DSE_YAML_SCALAR)
            return family->text;
    }
    return dse_model_default()->name;
}

/* One command with its own keys (NULL: the root's) and the shared ones. */
static enum dse_status add_step(struct reader *r, const struct dse_yaml *root, const char *name, const struct dse_yaml *own, long line, bool *used)
{
    struct draft d = {.step = {.command = dse_program_find(dse_program(), name), .line = line}};
    if (d.step.command == NULL || strcmp(name, "run") == 0)
        return reject(r, line, strchr(name, ' ') != NULL ? "not a command; words after a command's name are its operands: [WORD, …]"
                                                         : "not a command that an experiment can run", name);
    if (own != NULL && own->kind != DSE_YAML_MAP && !(own->kind == DSE_YAML_SCALAR && *own->text == '\0'))
        return reject(r, own->line, "must be a map of options", name);
    d.options = dse_options_of(d.step.command, family_in(own, root));
    enum dse_status status = DSE_OK;
    if (own != NULL)
        status = add_keys(r, &d, root, true, own, used);
    if (status == DSE_OK && (own == NULL || own->kind == DSE_YAML_MAP))
        status = add_keys(r, &d, own != NULL ? own : root, false, NULL, NULL);
    dse_options_free(&d.options);
    struct dse_experiment_step *room = dse_list_more(&r->out->steps, &r->out->step_count, sizeof *room);
    *room = d.step;
    return status;
}

static enum dse_status read_steps(struct reader *r, const struct dse_yaml *root, const struct dse_yaml *steps, bool *used)
{
    if (steps->kind != DSE_YAML_LIST || steps->count == 0)
        return reject(r, steps->line, "must be a list of commands, as in `- sweep: {budget: 30s}`", "steps");
    for (size_t i = 0; i < steps->count; i++) {
        const struct dse_yaml *one = &steps->children[i];
        bool bare = one->kind == DSE_YAML_SCALAR, map = one->kind == DSE_YAML_MAP && one->count == 1;
        static const struct dse_yaml nothing = {.kind = DSE_YAML_MAP};
        if (!bare && !map)
            return reject(r, one->line, "must be one command, as in `sweep: {budget: 30s}`", "steps");
        DSE_TRY(add_step(r, root, bare ? one->text : one->children[0].key, bare ? &nothing : &one->children[0],
                         one->line, used));
    }
    return DSE_OK;
}

static enum dse_status make_steps(struct reader *r, const struct dse_yaml *root)
{
    const struct dse_yaml *steps = dse_yaml_member(root, "steps"), *command = dse_yaml_member(root, "command");
    if (steps == NULL)
        return command != NULL && command->kind != DSE_YAML_SCALAR
                   ? reject(r, command->line, "must be one word", "command")
                   : add_step(r, root, command != NULL ? command->text : "sweep", NULL, command != NULL ? command->line : root->line, NULL);
    if (command != NULL)
        return reject(r, command->line, "cannot be combined with `steps`, which name their commands", "command");
    bool *used DSE_CLEANUP(dse_free_at) = dse_calloc(root->count + 1, sizeof *used);
    DSE_TRY(read_steps(r, root, steps, used));
    for (size_t i = 0; i < root->count; i++)
        if (!used[i] && &root->children[i] != steps)
            return reject(r, root->children[i].line, "no step has such an option", root->children[i].key);
    return DSE_OK;
}

enum dse_status dse_experiment_read(const char *path, struct dse_experiment *out, struct dse_error *err)
{
    *out = (struct dse_experiment){.path = path};
    struct reader r = {.out = out, .err = err};
    struct dse_yaml root;
    enum dse_status status = dse_yaml_read(path, BYTES_MAX, &root, &out->arena, err);
    if (status == DSE_OK)
        status = make_steps(&r, &root);
    dse_yaml_free(&root);
    if (status != DSE_OK)
        dse_experiment_free(out);
    return status;
}

void dse_experiment_free(struct dse_experiment *experiment)
{
    for (size_t i = 0; i < experiment->step_count; i++) {
        free(experiment->steps[i].words);
        free(experiment->steps[i].operands);
    }
    free(experiment->steps);
    dse_arena_free(&experiment->arena);
    *experiment = (struct dse_experiment){0};
}

static bool is_of_run(const struct dse_request *line, const char *name) /* not of its steps: -o is a plan's if one is shown */
{
    const char *format = dse_request_word(line, "format");
    bool junit = format != NULL && strcmp(format, "junit") == 0, own = junit || dse_request_flag(line, "dry-run");
    return strcmp(name, "dry-run") == 0 || strcmp(name, "save-experiment") == 0 || (strcmp(name, "output") == 0 && own) ||
           (strcmp(name, "format") == 0 && junit);
}

enum dse_status dse_experiment_override(struct dse_experiment *e, const struct dse_request *request, struct dse_error *err)
{
    if (e->step_count > 1 && dse_request_flag(request, "output") && !is_of_run(request, "output"))
        return dse_fail(err, DSE_BAD_USAGE, "-o %s: %s has %zu steps; set `output` in each step instead",
                        dse_request_word(request, "output"), e->path, e->step_count);
    for (struct dse_experiment_step *step = e->steps; step < e->steps + e->step_count; step++) {
        size_t kept = 0;
        for (size_t i = 0; i < step->word_count; i++)
            if (is_of_run(request, step->words[i].key) || !dse_request_flag(request, step->words[i].key))
                step->words[kept++] = step->words[i];
        step->word_count = kept;
        for (size_t i = 0; i < request->word_count; i++) {
            if (is_of_run(request, request->words[i].name))
                continue;
            struct dse_experiment_word *word = dse_list_more(&step->words, &step->word_count, sizeof *word);
            *word = (struct dse_experiment_word){request->words[i].name, *request->words[i].value != '\0' ? request->words[i].value : NULL, 0};
            e->overridden |= strcmp(word->key, "quiet") != 0 && strcmp(word->key, "jobs") != 0; /* these do not affect the answer */
        }
    }
    return DSE_OK;
}

/* ---- words out ---- */

void dse_experiment_line(const struct dse_experiment_step *step, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "nysx-dse %s", step->command->name);
    for (size_t i = 0; i < step->operand_count; i++) {
        dse_strbuf_add(out, " ");
        dse_strbuf_add_shell(out, step->operands[i]);
    }
    for (size_t i = 0; i < step->word_count; i++) {
        dse_strbuf_printf(out, " --%s%s", step->words[i].key, step->words[i].value != NULL ? " " : "");
        if (step->words[i].value != NULL)
            dse_strbuf_add_shell(out, step->words[i].value);
    }
}

enum dse_status dse_experiment_explain(const struct dse_experiment *experiment, const struct dse_experiment_step *step,
                                       enum dse_status status, struct dse_error *err)
{
    char said[sizeof err->message];
    long line = step->line;
    size_t best = 0;
    memcpy(said, err->message, sizeof said);
    char first[64] = ""; /* first word after the option: "--fix nee.lanse: no such knob …" */
    sscanf(said, strncmp(said, "--", 2) == 0 ? "%*s %63[^: <>=]" : "%63[^: <>=]", first);
    for (size_t i = 0; i < step->word_count; i++) {
        const struct dse_experiment_word *word = &step->words[i];
        size_t length = word->value != NULL ? strlen(word->value) : 0;
        size_t named = strncmp(said, "--", 2) == 0 && strncmp(said + 2, word->key, strlen(word->key)) == 0 ? 1000 : 0;
        bool whole = length > 1 && strstr(said, word->value) != NULL, part = length > 0 && *first != '\0' && strstr(word->value, first) != NULL;
        size_t fits = named + (whole ? length : part ? strlen(first) : 0);
        if (fits > best) {
            best = fits;
            line = word->line;
        }
    }
    if (status == DSE_OK || said[0] == '\0' || line == 0)
        return status;
    status = dse_fail_at(err, status == DSE_BAD_USAGE ? DSE_BAD_INPUT : status, experiment->path, line, "%s", "");
    size_t used = strlen(err->message); /* the text is escaped already, and may have several lines: a formula's caret */
    snprintf(err->message + used, sizeof err->message - used, "%s", said);
    return status;
}

void dse_experiment_write(const struct dse_cli *cli, const struct dse_command *command, struct dse_strbuf *out)
{
    const struct dse_request *request = dse_cli_request(cli);
    dse_strbuf_printf(out, "# Run again: nysx-dse run FILE; show the commands only: nysx-dse run FILE --dry-run\ncommand: %s\n", command->name);
    for (size_t i = 0; i < request->word_count; i++) {
        const struct dse_word *word = &request->words[i];
        bool seen = strcmp(word->name, "save-experiment") == 0;
        for (size_t k = 0; k < i; k++)
            seen |= strcmp(request->words[k].name, word->name) == 0;
        if (seen)
            continue;
        size_t count = dse_request_count(request, word->name);
        dse_strbuf_printf(out, "%s: %s", word->name, count > 1 ? "[" : "");
        for (size_t k = 0; k < count; k++) {
            dse_strbuf_add(out, k > 0 ? ", " : "");
            if (dse_cli_takes_value(cli, word->name))
                dse_yaml_add_scalar(out, dse_request_word_at(request, word->name, k));
            else if (k == 0)
                dse_strbuf_add(out, "true");
        }
        dse_strbuf_add(out, count > 1 ? "]\n" : "\n");
    }
    for (size_t i = 0; i < dse_cli_operand_count(cli); i++) {
        dse_strbuf_add(out, i == 0 ? "operands: [" : ", ");
        dse_yaml_add_scalar(out, dse_cli_operand(cli, i));
    }
    dse_strbuf_add(out, dse_cli_operand_count(cli) > 0 ? "]\n" : "");
}
