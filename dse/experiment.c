#include "dse/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "core/file.h"
#include "core/list.h"
#include "core/names.h"

#define BYTES_MAX (1u << 20)
#define DEPTH_MAX 8
#define MEMBERS_MAX 1024 /* of a list or map: each key is compared with those before it */
#define WORDS_MAX 65536  /* of all steps: each has those that all share */

/* ---- YAML as a tree ---- */

enum kind { SCALAR, LIST, MAP };

struct node {
    enum kind kind;
    const char *key;  /* of a map's member */
    const char *text; /* of a scalar */
    bool quoted;
    long line;
    struct node *children; /* count */
    size_t count;
};

struct reader {
    struct dse_experiment *out;
    yaml_parser_t parser;
    struct dse_error *err;
};

static enum dse_status refuse(const struct reader *r, long line, const char *what, const char *word)
{
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->out->path, line, "%s%s%s", word != NULL ? word : "", word != NULL ? ": " : "", what);
}

static enum dse_status next_event(struct reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event))
        return DSE_OK;
    if (r->parser.error == YAML_MEMORY_ERROR)
        return dse_fail_memory(r->err);
    return refuse(r, (long)r->parser.problem_mark.line + 1, r->parser.problem != NULL ? r->parser.problem : "no YAML", NULL);
}

/* What an event may not have: the subset has neither anchors nor tags. */
static bool is_plain(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor == NULL && event->data.scalar.tag == NULL;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor == NULL && event->data.sequence_start.tag == NULL;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor == NULL && event->data.mapping_start.tag == NULL;
    case YAML_ALIAS_EVENT: return false;
    default: return true;
    }
}

/* A scalar's text; what YAML can escape and no word of a command line can hold is refused. */
static enum dse_status take_text(struct reader *r, const yaml_event_t *event, const char **out)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length)
        return refuse(r, (long)event->start_mark.line + 1, "a NUL character", NULL);
    *out = dse_arena_strdup(&r->out->arena, text);
    return *out != NULL ? DSE_OK : dse_fail_memory(r->err);
}

static enum dse_status read_node(struct reader *r, yaml_event_t *event, struct node *node, int depth);

/* The members of a list or map up to its end. */
static enum dse_status read_members(struct reader *r, struct node *node, int depth)
{
    for (;;) {
        yaml_event_t event;
        const char *key = NULL;
        long line;
        DSE_TRY(next_event(r, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return DSE_OK;
        }
        line = (long)event.start_mark.line + 1;
        if (node->count == MEMBERS_MAX) {
            yaml_event_delete(&event);
            return refuse(r, line, "more than 1024 keys or values stand together", NULL);
        }
        if (node->kind == MAP) {
            bool scalar = event.type == YAML_SCALAR_EVENT && is_plain(&event);
            enum dse_status status = scalar ? take_text(r, &event, &key) : refuse(r, line, "a key must be a plain word", NULL);
            yaml_event_delete(&event);
            DSE_TRY(status);
            for (size_t i = 0; i < node->count; i++)
                if (strcmp(node->children[i].key, key) == 0)
                    return refuse(r, line, "this key stands twice", key);
            DSE_TRY(next_event(r, &event));
        }
        struct node *room = dse_list_more(&node->children, &node->count, sizeof *room);
        if (room == NULL) {
            yaml_event_delete(&event);
            return dse_fail_memory(r->err);
        }
        enum dse_status status = read_node(r, &event, room, depth + 1);
        room->key = key;
        if (status != DSE_OK)
            return status;
    }
}

/* Takes the event over. */
static enum dse_status read_node(struct reader *r, yaml_event_t *event, struct node *node, int depth)
{
    enum dse_status status = DSE_OK;
    *node = (struct node){.line = (long)event->start_mark.line + 1};
    if (!is_plain(event))
        status = refuse(r, node->line, "anchors, aliases and tags are not part of an experiment", NULL);
    else if (depth > DEPTH_MAX)
        status = refuse(r, node->line, "nested too deeply", NULL);
    node->kind = event->type == YAML_SEQUENCE_START_EVENT ? LIST : event->type == YAML_MAPPING_START_EVENT ? MAP : SCALAR;
    if (status == DSE_OK && event->type == YAML_SCALAR_EVENT) {
        status = take_text(r, event, &node->text);
        node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    }
    yaml_event_delete(event);
    return status == DSE_OK && node->kind != SCALAR ? read_members(r, node, depth) : status;
}

static void free_node(struct node *node)
{
    for (size_t i = 0; i < node->count; i++)
        free_node(&node->children[i]);
    free(node->children);
    *node = (struct node){0};
}

/* The one document's root, a map. */
static enum dse_status read_root(struct reader *r, struct node *root)
{
    yaml_event_t event;
    enum dse_status status = DSE_OK;
    bool done = false, read = false;
    while (!done) {
        DSE_TRY(next_event(r, &event));
        switch (event.type) {
        case YAML_STREAM_END_EVENT: done = true; yaml_event_delete(&event); break;
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_START_EVENT:
        case YAML_DOCUMENT_END_EVENT: yaml_event_delete(&event); break;
        default:
            if (read) {
                status = refuse(r, (long)event.start_mark.line + 1, "a second document", NULL);
                yaml_event_delete(&event);
                return status;
            }
            read = true;
            DSE_TRY(read_node(r, &event, root, 0));
        }
    }
    return read && root->kind == MAP ? DSE_OK : refuse(r, read ? root->line : 1, "must be a map of keys and values", NULL);
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
    struct dse_option_list more;
    const char *family;
};

static const struct dse_option *find_option(const struct draft *d, const char *name)
{
    const struct dse_command *command = d->step.command;
    for (size_t i = 0; i < command->option_count; i++)
        if (strcmp(command->options[i].name, name) == 0)
            return &command->options[i];
    for (size_t i = 0; i < d->more.count; i++)
        if (strcmp(d->more.items[i].name, name) == 0)
            return &d->more.items[i];
    for (size_t i = 0; i < dse_program.option_count; i++)
        if (strcmp(dse_program.options[i].name, name) == 0)
            return &dse_program.options[i];
    return NULL;
}

static enum dse_status unknown(const struct reader *r, const struct draft *d, const struct node *node)
{
    const char *names[256], *near;
    size_t count = 0;
    for (size_t i = 0; i < d->step.command->option_count && count < 200; i++)
        names[count++] = d->step.command->options[i].name;
    for (size_t i = 0; i < d->more.count && count < 230; i++)
        names[count++] = d->more.items[i].name;
    for (size_t i = 0; i < dse_program.option_count && count < 250; i++)
        names[count++] = dse_program.options[i].name;
    for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++)
        names[count++] = plurals[i][0];
    near = dse_names_nearest(node->key, names, count);
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->out->path, node->line, "%s: no such option of `%s`%s%s%s", node->key,
                       d->step.command->name, near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
}

static enum dse_status add_word(const struct reader *r, struct draft *d, const char *key, const char *value, long line)
{
    if (r->out->word_count++ == WORDS_MAX)
        return refuse(r, line, "more than 65536 options in all steps together", key);
    struct dse_experiment_word *word = dse_list_more(&d->step.words, &d->step.word_count, sizeof *word);
    if (word == NULL)
        return dse_fail_memory(r->err);
    *word = (struct dse_experiment_word){key, value, line};
    return DSE_OK;
}

/* "KNOB=VALUE" of a map's member. */
static enum dse_status add_pair(const struct reader *r, struct draft *d, const char *option, const struct node *member)
{
    struct dse_strbuf text = {0};
    if (member->kind != SCALAR)
        return refuse(r, member->line, "must be one value", member->key);
    dse_strbuf_printf(&text, "%s=%s", member->key, member->text);
    const char *pair = text.failed ? NULL : dse_arena_strdup(&r->out->arena, dse_strbuf_text(&text));
    dse_strbuf_free(&text);
    return pair != NULL ? add_word(r, d, option, pair, member->line) : dse_fail_memory(r->err);
}

/* Several values of an option that takes one, such as objectives: joined by commas. */
static enum dse_status add_joined(const struct reader *r, struct draft *d, const char *option, const struct node *node)
{
    struct dse_strbuf text = {0};
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i].kind != SCALAR) {
            dse_strbuf_free(&text);
            return refuse(r, node->children[i].line, "must be a list of single values", node->key);
        }
        dse_strbuf_printf(&text, "%s%s", i > 0 ? "," : "", node->children[i].text);
    }
    const char *all = text.failed ? NULL : dse_arena_strdup(&r->out->arena, dse_strbuf_text(&text));
    dse_strbuf_free(&text);
    return all != NULL ? add_word(r, d, option, all, node->line) : dse_fail_memory(r->err);
}

static enum dse_status add_flag(const struct reader *r, struct draft *d, const char *option, const struct node *node)
{
    if (node->kind == SCALAR && strcmp(node->text, "true") == 0)
        return add_word(r, d, option, NULL, node->line);
    if (node->kind == SCALAR && strcmp(node->text, "false") == 0)
        return DSE_OK;
    return refuse(r, node->line, "must be true or false", node->key);
}

static enum dse_status add_option(const struct reader *r, struct draft *d, const struct dse_option *option, const struct node *node)
{
    /* dse_option_list owns its names only while the draft lives. */
    const char *name = dse_arena_strdup(&r->out->arena, option->name);
    if (name == NULL)
        return dse_fail_memory(r->err);
    if (option->argument == NULL)
        return add_flag(r, d, name, node);
    if (node->kind == SCALAR)
        return *node->text != '\0' || node->quoted ? add_word(r, d, name, node->text, node->line)
                                                   : refuse(r, node->line, "needs a value", node->key);
    if (node->kind == LIST && !option->repeatable)
        return add_joined(r, d, name, node);
    if (node->kind == MAP && !option->repeatable)
        return refuse(r, node->line, "must be one value", node->key);
    for (size_t i = 0; i < node->count; i++) {
        const struct node *one = &node->children[i];
        if (node->kind == LIST && one->kind != SCALAR)
            return refuse(r, one->line, "must be a list of single values", node->key);
        DSE_TRY(node->kind == MAP ? add_pair(r, d, name, one) : add_word(r, d, name, one->text, one->line));
    }
    return DSE_OK;
}

static enum dse_status add_operands(const struct reader *r, struct draft *d, const struct node *node)
{
    const struct node *list = node->kind == LIST ? node->children : node;
    for (size_t i = 0; i < (node->kind == LIST ? node->count : 1); i++) {
        const char **room = dse_list_more(&d->step.operands, &d->step.operand_count, sizeof *room);
        if (room == NULL)
            return dse_fail_memory(r->err);
        if (list[i].kind != SCALAR)
            return refuse(r, list[i].line, "must be a word or a list of words", node->key);
        *room = list[i].text;
    }
    return DSE_OK;
}

/* Whether a step names a design, so that it asks for none. */
static bool has_design(const struct node *own)
{
    for (size_t i = 0; own != NULL && own->kind == MAP && i < own->count; i++)
        if (strcmp(own->children[i].key, "from") == 0)
            return true;
    return false;
}

/* Whether an option is part of the question for a design (explore/request.h), not of what holds for any. */
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

/* The keys of one step; those that hold for all (`shared`) are passed over where the command does not know them, or says them itself. */
static enum dse_status add_keys(const struct reader *r, struct draft *d, const struct node *map, bool shared, const struct node *own,
                                bool *used)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct node *node = &map->children[i];
        const char *name = option_name(node->key);
        bool said = false;
        if (strcmp(name, "steps") == 0 || strcmp(name, "command") == 0)
            continue;
        for (size_t k = 0; shared && own != NULL && k < own->count; k++)
            said |= own->kind == MAP && strcmp(option_name(own->children[k].key), name) == 0;
        if (strcmp(name, "operands") == 0 && !shared) {
            DSE_TRY(add_operands(r, d, node));
            continue;
        }
        const struct dse_option *option = find_option(d, name);
        said |= shared && has_design(own) && asks(name);
        if (option == NULL && !shared)
            return unknown(r, d, node);
        if (used != NULL && option != NULL)
            used[i] = true;
        if (option != NULL && !said)
            DSE_TRY(add_option(r, d, option, node));
    }
    return DSE_OK;
}

static const char *family_in(const struct node *own, const struct node *root)
{
    const struct node *maps[] = {own, root};
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; maps[m] != NULL && maps[m]->kind == MAP && i < maps[m]->count; i++)
            if (strcmp(maps[m]->children[i].key, "family") == 0 && maps[m]->children[i].kind == SCALAR)
                return maps[m]->children[i].text;
    return "nysx";
}

/* One command with the keys of its own (NULL: the root's are) and those that all share. */
static enum dse_status add_step(struct reader *r, const struct node *root, const char *name, const struct node *own, long line, bool *used)
{
    struct draft d = {.step = {.command = dse_program_find(&dse_program, name), .line = line}, .family = family_in(own, root)};
    if (d.step.command == NULL || strcmp(name, "run") == 0)
        return refuse(r, line, "no command that an experiment can run", name);
    if (own != NULL && own->kind != MAP && !(own->kind == SCALAR && *own->text == '\0'))
        return refuse(r, own->line, "must be a map of options", name);
    if (d.step.command->more_options != NULL)
        d.step.command->more_options(d.family, &d.more);
    enum dse_status status = d.more.failed ? dse_fail_memory(r->err) : DSE_OK;
    if (status == DSE_OK && own != NULL)
        status = add_keys(r, &d, root, true, own, used);
    if (status == DSE_OK && (own == NULL || own->kind == MAP))
        status = add_keys(r, &d, own != NULL ? own : root, false, NULL, NULL);
    dse_option_list_free(&d.more);
    struct dse_experiment_step *room = dse_list_more(&r->out->steps, &r->out->step_count, sizeof *room);
    if (room == NULL) {
        free(d.step.words);
        free(d.step.operands);
        return dse_fail_memory(r->err);
    }
    *room = d.step;
    return status;
}

static const struct node *member(const struct node *map, const char *key)
{
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->children[i].key, key) == 0)
            return &map->children[i];
    return NULL;
}

static enum dse_status read_steps(struct reader *r, const struct node *root, const struct node *steps, bool *used)
{
    if (steps->kind != LIST || steps->count == 0)
        return refuse(r, steps->line, "must be a list of commands, as in `- sweep: {budget: 30s}`", "steps");
    for (size_t i = 0; i < steps->count; i++) {
        const struct node *one = &steps->children[i];
        bool bare = one->kind == SCALAR, map = one->kind == MAP && one->count == 1;
        static const struct node nothing = {.kind = MAP};
        if (!bare && !map)
            return refuse(r, one->line, "must be one command, as in `sweep: {budget: 30s}`", "steps");
        DSE_TRY(add_step(r, root, bare ? one->text : one->children[0].key, bare ? &nothing : &one->children[0],
                         one->line, used));
    }
    return DSE_OK;
}

static enum dse_status make_steps(struct reader *r, const struct node *root)
{
    const struct node *steps = member(root, "steps"), *command = member(root, "command");
    if (steps == NULL)
        return command != NULL && command->kind != SCALAR
                   ? refuse(r, command->line, "must be one word", "command")
                   : add_step(r, root, command != NULL ? command->text : "sweep", NULL, command != NULL ? command->line : root->line, NULL);
    if (command != NULL)
        return refuse(r, command->line, "goes without `steps`, which name theirs", "command");
    bool *used = calloc(root->count + 1, sizeof *used);
    enum dse_status status = used != NULL ? read_steps(r, root, steps, used) : dse_fail_memory(r->err);
    for (size_t i = 0; i < root->count && status == DSE_OK; i++)
        if (!used[i] && &root->children[i] != steps)
            status = refuse(r, root->children[i].line, "no step has such an option", root->children[i].key);
    free(used);
    return status;
}

enum dse_status dse_experiment_read(const char *path, struct dse_experiment *out, struct dse_error *err)
{
    *out = (struct dse_experiment){.path = path};
    struct reader r = {.out = out, .err = err};
    struct node root = {0};
    char *text = NULL;
    size_t size = 0;
    DSE_TRY(dse_file_read(path, BYTES_MAX, &text, &size, err));
    if (!yaml_parser_initialize(&r.parser)) {
        free(text);
        return dse_fail_memory(err);
    }
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
    enum dse_status status = read_root(&r, &root);
    if (status == DSE_OK)
        status = make_steps(&r, &root);
    free_node(&root);
    yaml_parser_delete(&r.parser);
    free(text);
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
    char first[64] = ""; /* what the message begins with: "nee.lanse: no such knob …" */
    snprintf(first, sizeof first, "%.*s", (int)strcspn(said, ": <>="), said);
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
    return status == DSE_OK || said[0] == '\0'
               ? status
               : dse_fail_at(err, status == DSE_BAD_USAGE ? DSE_BAD_INPUT : status, experiment->path, line, "%s", said);
}

/* A scalar that reads back as the same text. */
static void add_scalar(struct dse_strbuf *out, const char *text)
{
    dse_strbuf_add(out, "\"");
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            dse_strbuf_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            dse_strbuf_printf(out, "\\x%02X", (unsigned)*text);
        else
            dse_strbuf_add_char(out, *text, 1);
    dse_strbuf_add(out, "\"");
}

void dse_experiment_write(const struct dse_cli *cli, const struct dse_command *command, struct dse_strbuf *out)
{
    const struct dse_request *request = dse_cli_request(cli);
    dse_strbuf_printf(out, "# Run again by: nysx-dse run FILE; what it would do: nysx-dse run FILE --dry-run\ncommand: %s\n", command->name);
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
                add_scalar(out, dse_request_word_at(request, word->name, k));
            else if (k == 0)
                dse_strbuf_add(out, "true");
        }
        dse_strbuf_add(out, count > 1 ? "]\n" : "\n");
    }
    for (size_t i = 0; i < dse_cli_operand_count(cli); i++) {
        dse_strbuf_add(out, i == 0 ? "operands: [" : ", ");
        add_scalar(out, dse_cli_operand(cli, i));
    }
    dse_strbuf_add(out, dse_cli_operand_count(cli) > 0 ? "]\n" : "");
}
