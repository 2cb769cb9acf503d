/* Parsing of the command line by getopt_long, driven by the option tables. */
#include "dse/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/peers.h"
#include "core/rehearsal.h"
#include "core/utf8.h"
#include "core/version.h"
#include "datasets/profile.h"
#include "dse/experiment.h"
#include "explore/job.h"
#include "explore/point.h"
#include "explore/terms.h"
#include "reports/spread.h"
#include "reports/terminal.h"

#define VERSION_LINE "nysx-dse " DSE_VERSION "\n"
#define FIRST_LONG 1000 /* getopt's value for the option with index 0 */

struct dse_cli {
    const struct dse_command *command;
    struct dse_options options;
    struct dse_request request; /* the given options, in order */
    const char *family; /* found before options are parsed, because the known options depend on the family */
    char **operands;
    size_t operand_count;
    enum dse_format format;
    bool quiet;
    bool checks; /* checks words only; runs nothing */
    struct dse_progress *progress;
    struct dse_monitor monitor;
    struct dse_arena texts; /* memory of concatenated words */
};

/* Set by Ctrl-C; the only state that a signal handler must share with the program. */
static volatile sig_atomic_t interrupted;

static atomic_llong interrupted_at_ms;

static long long now_ms(void)
{
    return (long long)(1000 * dse_clock_s());
}

/* The first Ctrl-C asks for an orderly end; a later one ends the program at once. It must come later, because one Ctrl-C can arrive twice: `timeout
 * -s INT` signals the program and then its group. */
static void on_interrupt(int number)
{
    long long never = 0, now = now_ms();
    interrupted = number;
    if (!atomic_compare_exchange_strong(&interrupted_at_ms, &never, now) && now - never > 200) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* The signal that ended a survey. The command continues, and its exit code reports the signal. Another Ctrl-C ends the command. */
static volatile sig_atomic_t parted;

bool dse_cli_parted(void)
{
    return parted != 0;
}

static void go_on(void *user)
{
    (void)user;
    parted = interrupted;
    interrupted = 0;
    atomic_store(&interrupted_at_ms, 0);
}

static bool was_interrupted(void *user)
{
    (void)user;
    dse_rehearsal_ends();
    return interrupted != 0;
}

/* The width of --help: as for tables, but at most a readable line length; 100 without a terminal. */
static size_t help_columns(void)
{
    size_t width = dse_terminal_width();
    return width == 0 ? 100 : width < 60 ? 60 : width < 120 ? width : 120;
}

const struct dse_request *dse_cli_request(const struct dse_cli *cli)
{
    return &cli->request;
}

size_t dse_cli_operand_count(const struct dse_cli *cli)
{
    return cli->operand_count;
}

const char *dse_cli_operand(const struct dse_cli *cli, size_t index)
{
    return index < cli->operand_count ? cli->operands[index] : NULL;
}

static bool lists(const struct dse_verb *verb, const char *option)
{
    const char *const *own = verb->options;
    while (*own != NULL && strcmp(*own, option) != 0)
        own++;
    return *own != NULL;
}

/* Another verb's option would silently do nothing: it is rejected. */
static enum dse_status check_verb(const struct dse_cli *cli, const struct dse_verb *verbs, size_t count, const struct dse_verb *verb,
                                  struct dse_error *err)
{
    for (size_t i = 0; i < cli->request.word_count; i++) {
        const struct dse_option *option = dse_options_find(&cli->options, cli->request.words[i].name);
        const bool shared = option >= cli->command->shared && option < cli->command->shared + cli->command->shared_count;
        const struct dse_verb *of = NULL;
        for (size_t v = count; v-- > 0;)
            of = lists(&verbs[v], option->name) ? &verbs[v] : of;
        for (size_t v = 0; v < count && of == NULL && !shared; v++)
            of = lists(&verbs[v], "*") ? &verbs[v] : NULL;
        if (of != NULL && !lists(verb, option->name) && (shared || of != verb))
            return dse_fail(err, DSE_BAD_USAGE, "%s %s: --%s is an option of `%s %s`", cli->command->name, verb->name, option->name, cli->command->name, of->name);
    }
    return DSE_OK;
}

enum dse_status dse_cli_verb(const struct dse_cli *cli, const struct dse_verb *verbs, size_t count, const char *must_be, const struct dse_verb **out,
                             struct dse_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < count && *out == NULL; i++)
        if (cli->operand_count == 0 || strcmp(verbs[i].name, cli->operands[0]) == 0)
            *out = &verbs[i];
    if (*out == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s %.60s: must be %s", cli->command->name, cli->operands[0], must_be);
    return check_verb(cli, verbs, count, *out, err);
}

/* Whether the report is printed in addition to -o's file. */
static bool prints_report(const struct dse_cli *cli)
{
    return dse_cli_value(cli, "output") == NULL || cli->command->formless || cli->command->output_is_folder;
}

enum dse_status dse_cli_apart(const struct dse_cli *cli, const char *option, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, option);
    if (path != NULL && prints_report(cli) && dse_file_mixes(path, "/dev/stdout"))
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: the report also goes to standard output; name a file instead", option, path);
    if (path != NULL && strcmp(option, "output") == 0) /* compared with the others */
        return DSE_OK;
    for (size_t i = 0; i < cli->request.word_count && path != NULL; i++) {
        const struct dse_option *other = dse_options_find(&cli->options, cli->request.words[i].name);
        if (other->written && strcmp(other->name, option) != 0 && dse_file_mixes(cli->request.words[i].value, path))
            return dse_fail(err, DSE_BAD_USAGE, "--%s %s: is also the file of %s%s; one would overwrite the other", option, path,
                            other->letter == 'o' ? "-" : "--", other->letter == 'o' ? "o" : other->name);
    }
    return DSE_OK;
}

enum dse_format dse_cli_format(const struct dse_cli *cli)
{
    return cli->format;
}

/* Destination of answers: standard output, or the stream of dse_cli_ask. A thread runs one program. */
static _Thread_local FILE *answers;

FILE *dse_cli_answers(void)
{
    return answers != NULL ? answers : stdout;
}

FILE *dse_cli_divert(FILE *stream)
{
    FILE *before = answers;
    answers = stream;
    return before;
}

bool dse_cli_junit(const struct dse_cli *cli)
{
    const char *format = dse_cli_value(cli, "format");
    return format != NULL && strcmp(format, "junit") == 0 && cli->command->reports_cases;
}

enum dse_status dse_cli_put(const char *text, struct dse_error *err)
{
    if (dse_rehearsing()) /* a failure may follow a report */
        return DSE_OK;
    if ((fputs(text, dse_cli_answers()) != EOF && fflush(dse_cli_answers()) == 0) || errno == EPIPE)
        return DSE_OK; /* the reader closed the pipe (`| head`): not a failure */
    return dse_fail_errno(err, DSE_LIMIT, "standard output", "write", errno);
}

/* Escapes a table. JSON, CSV and XML have escapes of their own. */
static enum dse_status print_table(const char *text, const char *path, struct dse_error *err)
{
    struct dse_strbuf shown DSE_CLEANUP(dse_strbuf_free) = {0}, painted DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_utf8_show(&shown, text, true);
    if (path != NULL)
        return dse_file_write(path, dse_strbuf_text(&shown), shown.length, err);
    dse_terminal_paint(dse_strbuf_text(&shown), dse_terminal_width(), dse_terminal_colour(), &painted);
    return dse_cli_put(dse_strbuf_text(&painted), err);
}

void dse_cli_clear(const struct dse_cli *cli)
{
    dse_progress_clear(cli->progress);
}

enum dse_status dse_cli_print(const struct dse_cli *cli, const char *text, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output");
    if (path == NULL)
        dse_progress_clear(cli->progress);
    if (cli->format == DSE_FORMAT_TABLE && *text != '<') /* a page or XML is not a table */
        return print_table(text, path, err);
    return path != NULL ? dse_file_write(path, text, strlen(text), err) : dse_cli_put(text, err);
}

static void note(void *user, const char *text)
{
    const struct dse_cli *cli = user;
    dse_progress_clear(cli->progress);
    dse_terminal_tell("nysx-dse: note: ", text);
}

static enum dse_status unknown_option(const struct dse_cli *cli, const char *word, struct dse_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s", word + strspn(word, "-"));
    name[strcspn(name, "=")] = '\0';
    if (cli->command->knows_option != NULL && cli->command->knows_option(cli->family, name, err))
        return DSE_BAD_USAGE;
    if (dse_option_among(name, cli->command->without))
        return dse_fail(err, DSE_BAD_USAGE, "--%s: `%s` does not use it", name, cli->command->name);
    const char *near = dse_options_nearest(&cli->options, name, NULL, 0);
    if (near != NULL && strcmp(near, name) == 0) /* "-board": read as letters */
        return dse_fail(err, DSE_BAD_USAGE, "%s: option names begin with two dashes: --%s", word, name);
    return dse_fail(err, DSE_BAD_USAGE, "%s: no such option of `%s`%s%s%s `nysx-dse %s --help`", word,
                    cli->command->name, near != NULL ? "; did you mean --" : "", near != NULL ? near : "",
                    near != NULL ? "? See" : "; see", cli->command->name);
}

static bool names_a_path(const char *argument)
{
    return strncmp(argument, "FILE", 4) == 0 || strncmp(argument, "DIR", 3) == 0;
}

static enum dse_status add_given(struct dse_cli *cli, const struct dse_option *option, const char *value,
                                 struct dse_error *err)
{
    if (!option->repeatable && option->argument != NULL && dse_cli_count(cli, option->name) > 0)
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: given twice, but it takes one value", option->name,
                        value);
    if (option->argument != NULL && names_a_path(option->argument) && *value == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "--%s: the name is empty", option->name);
    dse_request_take(&cli->request, option->name, value != NULL ? value : "");
    return DSE_OK;
}

static const struct dse_option *find_letter(const struct dse_cli *cli, int letter)
{
    for (size_t i = 0; i < cli->options.count; i++)
        if (cli->options.items[i]->letter == letter)
            return cli->options.items[i];
    return NULL;
}

static void build_tables(const struct dse_cli *cli, struct option *longs, char *shorts)
{
    char *s = shorts;
    *s++ = ':'; /* report a missing value apart from an unknown option */
    for (size_t i = 0; i < cli->options.count; i++) {
        const struct dse_option *option = cli->options.items[i];
        longs[i] = (struct option){option->name, option->argument != NULL ? required_argument : no_argument,
                                   NULL, FIRST_LONG + (int)i};
        if (option->letter != 0) {
            *s++ = option->letter;
            if (option->argument != NULL)
                *s++ = ':';
        }
    }
    *s = '\0';
    longs[cli->options.count] = (struct option){0};
}

/* The word that getopt rejected: the one at its position if getopt is inside a word of short options, else the one before. Operands may
 * stand between it and the last option. */
static const char *word_at(int argc, char *const *argv)
{
    const char *behind = argv[optind > 0 ? optind - 1 : 0];
    size_t length = strlen(behind);
    bool letter = optopt > 0 && optopt < FIRST_LONG, ended = length > 1 && behind[0] == '-' && behind[length - 1] == optopt;
    return letter && !ended && optind < argc ? argv[optind] : behind;
}

static enum dse_status read_words(struct dse_cli *cli, const struct option *longs, const char *shorts, int argc, char **argv,
                                  struct dse_error *err)
{
    opterr = 0;
    optind = 0; /* GNU getopt: restart, even if an earlier step was parsed */
    for (;;) {
        int found = getopt_long(argc, argv, shorts, longs, NULL);
        if (found == -1)
            break;
        const char *word = word_at(argc, argv);
        const struct dse_option *option = found >= FIRST_LONG ? cli->options.items[found - FIRST_LONG]
                                                              : find_letter(cli, found);
        if (found == ':')
            return dse_fail(err, DSE_BAD_USAGE, "%s: needs a value", word);
        if (option == NULL && optopt >= FIRST_LONG)
            return dse_fail(err, DSE_BAD_USAGE, "%s: takes no value", word);
        if (option == NULL)
            return unknown_option(cli, word, err);
        DSE_TRY(add_given(cli, option, optarg, err));
    }
    cli->operands = argv + optind;
    cli->operand_count = (size_t)(argc - optind);
    return DSE_OK;
}

/* A column's name as a part of a data set's word. */
static void add_column(struct dse_strbuf *out, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr("?&%,", name[i]) != NULL)
            dse_strbuf_printf(out, "%%%02X", (unsigned char)name[i]);
        else
            dse_strbuf_add_char(out, name[i], 1);
}

/* --columns, --drop and --missing as the tail of a data set's word (datasets/dataset.h): "?columns=A,B&drop=C&missing=drop". */
static void add_choice(const struct dse_cli *cli, struct dse_strbuf *out)
{
    const char *columns = dse_cli_value(cli, "columns"), *missing = dse_cli_value(cli, "missing");
    for (const char *at = columns, *comma; at != NULL; at = comma != NULL ? comma + 1 : NULL) { /* the reader rejects an empty name */
        comma = strchr(at, ',');
        dse_strbuf_add(out, at == columns ? "?columns=" : ",");
        add_column(out, at, strcspn(at, ","));
    }
    for (size_t i = 0; i < dse_cli_count(cli, "drop"); i++) {
        dse_strbuf_add(out, i > 0 ? "," : out->length > 0 ? "&drop=" : "?drop=");
        add_column(out, dse_cli_value_at(cli, "drop", i), strlen(dse_cli_value_at(cli, "drop", i)));
    }
    if (missing != NULL)
        dse_strbuf_printf(out, "%smissing=%s", out->length > 0 ? "&" : "?", missing);
}

/* Adds the choice of a table's columns to each data set's word. The word alone then identifies the data in other processes and in a study. */
static enum dse_status choose_columns(struct dse_cli *cli, struct dse_error *err)
{
    struct dse_strbuf tail DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t kept = 0, sets = 0;
    add_choice(cli, &tail);
    if (tail.length == 0)
        return DSE_OK;
    for (size_t i = 0; i < cli->request.word_count; i++) {
        struct dse_word word = cli->request.words[i];
        if (strcmp(word.name, "columns") == 0 || strcmp(word.name, "drop") == 0 || strcmp(word.name, "missing") == 0)
            continue;
        if (strcmp(word.name, "dataset") == 0) {
            struct dse_strbuf whole DSE_CLEANUP(dse_strbuf_free) = {0};
            dse_strbuf_printf(&whole, "%s%s", word.value, tail.text);
            word.value = dse_arena_strdup(&cli->texts, whole.text);
            sets++;
        }
        cli->request.words[kept++] = word;
    }
    cli->request.word_count = kept;
    if (sets == 0 && cli->operand_count == 2 && strcmp(cli->command->name, "datasets") == 0) { /* show PATH, profile PATH */
        struct dse_strbuf whole DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&whole, "%s%s", cli->operands[1], tail.text);
        cli->operands[1] = dse_arena_strdup(&cli->texts, whole.text);
        sets++;
    }
    return sets > 0 ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--columns, --drop and --missing need --dataset with a table");
}

static enum dse_status parse_words(struct dse_cli *cli, int argc, char **argv, struct dse_error *err)
{
    struct option *longs DSE_CLEANUP(dse_free_at) = dse_calloc(cli->options.count + 1, sizeof *longs);
    char *shorts DSE_CLEANUP(dse_free_at) = dse_calloc(2 * cli->options.count + 2, 1);
    build_tables(cli, longs, shorts);
    DSE_TRY(read_words(cli, longs, shorts, argc, argv, err));
    return choose_columns(cli, err);
}

/* The formats that endings of -o's file select. */
static const struct {
    const char *ending;
    enum dse_format format;
} forms[] = {{".json", DSE_FORMAT_JSON}, {".csv", DSE_FORMAT_CSV}, {".txt", DSE_FORMAT_TABLE}};

/* The ending of -o's file; NULL if there is none, which selects nothing. */
static const char *output_ending(const struct dse_cli *cli)
{
    const char *path = dse_cli_value(cli, "output"), *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path, *ending = name != NULL ? strrchr(name, '.') : NULL;
    return ending != name ? ending : NULL;
}

enum dse_status dse_cli_ending(const struct dse_cli *cli, const char *endings, struct dse_error *err)
{
    const char *ending = output_ending(cli);
    if (ending == NULL || dse_option_among(ending, endings))
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "-o %s: must end in %s, or have no ending", dse_cli_value(cli, "output"), endings);
}

static enum dse_status read_ending(struct dse_cli *cli, bool asked, struct dse_error *err)
{
    const struct dse_command *command = cli->command;
    const char *ending = output_ending(cli);
    if (dse_cli_junit(cli))
        return dse_cli_ending(cli, ".xml", err);
    char endings[128];
    bool file = dse_option_among(ending, ".json .csv .txt .html .svg .pdf .png .xml .yaml .npz .db");
    if (ending == NULL || (command->output_is_folder && (!file || dse_file_is_folder(dse_cli_value(cli, "output")))))
        return DSE_OK;
    if (command->output_is_folder)
        return dse_fail(err, DSE_BAD_USAGE, "-o %s: `%s` writes a folder, but %s is the ending of a file", dse_cli_value(cli, "output"),
                        command->name, ending);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !command->formless; i++) {
        if (strcasecmp(ending, forms[i].ending) != 0)
            continue;
        if (asked && cli->format != forms[i].format)
            return dse_fail(err, DSE_BAD_USAGE, "-o %s: its ending contradicts --format %s", dse_cli_value(cli, "output"),
                            dse_cli_value(cli, "format"));
        cli->format = forms[i].format;
        return DSE_OK;
    }
    const char *own = command->endings != NULL ? command->endings : "";
    snprintf(endings, sizeof endings, "%s%s%s", command->formless ? "" : ".json .csv .txt", command->formless || *own == '\0' ? "" : " ", own);
    return dse_cli_ending(cli, endings, err);
}

static enum dse_status read_format(struct dse_cli *cli, struct dse_error *err)
{
    static const char *const formats[] = {"table", "json", "csv"};
    const char *text = dse_cli_value(cli, "format");
    bool known = text == NULL || dse_cli_junit(cli);
    cli->format = DSE_FORMAT_TABLE;
    for (int i = 0; i < 3 && text != NULL; i++)
        if (strcmp(text, formats[i]) == 0) {
            cli->format = (enum dse_format)i;
            known = true;
        }
    if (!known)
        return dse_fail(err, DSE_BAD_USAGE, "--format %s: must be table, json%s", text, cli->command->reports_cases ? ", csv or junit" : " or csv");
    return read_ending(cli, text != NULL, err);
}

enum dse_status dse_cli_spread(const struct dse_cli *cli, struct dse_error *err)
{
    const char *spread = dse_cli_value(cli, "spread");
    if (spread != NULL && strcmp(spread, "se") != 0 && strcmp(spread, "sd") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--spread %s: must be se (standard error of the mean) or sd (standard deviation)", spread);
    dse_spread_show(spread != NULL && strcmp(spread, "sd") == 0);
    return DSE_OK;
}

static enum dse_status read_shared(struct dse_cli *cli, struct dse_error *err)
{
    int64_t seed = 1, jobs = 1;
    DSE_TRY(read_format(cli, err));
    DSE_TRY(dse_cli_integer(cli, "seed", 0, INT64_MAX, 1, &seed, err));
    DSE_TRY(dse_cli_integer(cli, "jobs", 1, 256, (int64_t)dse_parallel_default_jobs(), &jobs, err));
    bool shown = false; /* a family's parameter of training may have this name */
    for (size_t i = 0; i < cli->options.count; i++)
        shown |= strcmp(cli->options.items[i]->name, "spread") == 0 && strcmp(cli->options.items[i]->argument, "se|sd") == 0;
    dse_spread_show(false);
    DSE_TRY(shown ? dse_cli_spread(cli, err) : DSE_OK);
    cli->quiet = dse_cli_flag(cli, "quiet");
    cli->monitor.cancelled = was_interrupted;
    if (isatty(STDERR_FILENO) && !cli->quiet && !dse_cli_flag(cli, "no-progress"))
        cli->monitor.progress = dse_progress_show;
    cli->monitor.user = cli->progress;
    cli->request.seed = (uint64_t)seed;
    cli->request.jobs = (size_t)jobs;
    cli->request.monitor = &cli->monitor;
    cli->request.note = cli->quiet ? NULL : note;
    cli->request.go_on = go_on;
    cli->request.user = cli;
    cli->request.tells_sizes = cli->format == DSE_FORMAT_TABLE;
    return DSE_OK;
}

/* Fails early if the result file cannot be written: before hours of computing. */
static enum dse_status check_written(const struct dse_cli *cli, struct dse_error *err)
{
    for (size_t i = 0; i < cli->options.count; i++) {
        const struct dse_option *option = cli->options.items[i];
        bool folder = option->letter == 'o' && cli->command->output_is_folder;
        const char *path = option->written ? dse_cli_value(cli, option->name) : NULL;
        if (path != NULL)
            DSE_TRY(dse_cli_apart(cli, option->name, err));
        if (path != NULL)
            DSE_TRY(folder ? dse_folder_check(path, err) : dse_file_check(path, err));
    }
    return DSE_OK;
}

static enum dse_status dispatch(int argc, char **argv, struct dse_error *err);

/* --help or --man, of a command or of the program (NULL). */
static enum dse_status print_about(const struct dse_command *command, const struct dse_option_list *more, bool manual,
                                   struct dse_error *err)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (manual)
        dse_manual_write(&text, dse_program(), command, more);
    else
        dse_help_write(&text, dse_program(), command, more, help_columns());
    return dse_cli_put(dse_strbuf_text(&text), err);
}

/* The value of the last option of a name, before options are read; NULL: not given. Also accepts a beginning of the name from `least` letters on,
 * which no other option has. */
static const char *value_among(int argc, char **argv, const char *name, size_t least)
{
    const char *value = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t length = strcspn(argv[i], "=");
        if (length < least || strncmp(argv[i], name, length) != 0)
            continue;
        if (argv[i][length] == '=')
            value = argv[i] + length + 1;
        else if (i + 1 < argc)
            value = argv[++i];
    }
    return value;
}

/* The family whose options apply: the named one, else that of the study that the command continues from, else that of the shipped profile. */
static const char *family_among(const struct dse_command *command, int argc, char **argv)
{
    const char *named = value_among(argc, argv, "--family", strlen("--fa")), *from = value_among(argc, argv, "--from", strlen("--fro"));
    if (from == NULL && !command->crewed) /* because opening would create the study */
        from = value_among(argc, argv, "--study", strlen("--stu"));
    const char *of = named != NULL ? named : from != NULL ? dse_point_family(from) : dse_request_family_of(value_among(argc, argv, "--dataset", strlen("--datas")));
    return of != NULL ? of : dse_model_default()->name;
}

/* Whether an input word names the path. A command that failed before reading it would otherwise replace it. */
static bool is_named(const struct dse_cli *cli, const char *path)
{
    bool named = false;
    for (size_t i = 0; i < cli->request.word_count; i++)
        named |= !dse_options_find(&cli->options, cli->request.words[i].name)->written && dse_file_same(cli->request.words[i].value, path);
    for (size_t i = 0; i < cli->operand_count; i++)
        named |= dse_file_same(cli->operands[i], path);
    return named;
}

/* Protects the files that input words name, since the command will read them; not the study that it writes. */
static void keep_named(const struct dse_cli *cli)
{
    for (size_t i = 0; i < cli->request.word_count; i++) {
        const struct dse_word *word = &cli->request.words[i];
        const char *behind = strcmp(word->name, "from") == 0 ? strrchr(word->value, ':') : strchr(word->value, '?'); /* a point, and how a table is read */
        char *path DSE_CLEANUP(dse_free_at) = dse_strndup(word->value, behind != NULL ? (size_t)(behind - word->value) : strlen(word->value));
        if (!dse_options_find(&cli->options, word->name)->written && !(cli->command->crewed && strcmp(word->name, "study") == 0))
            dse_file_keeps(path);
    }
    for (size_t i = 0; i < cli->operand_count; i++)
        dse_file_keeps(cli->operands[i]);
}

/* The file of --save-experiment is written even if the command fails, but after all inputs are read, since it may be one of them. It gets the time of
 * the command's begin, so that `run` finds the command's results up to date. */
static enum dse_status run_saved(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "save-experiment");
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_error second = {0};
    if (path != NULL && is_named(cli, path))
        return dse_file_keep(path, err);
    struct timespec begin; /* by the clock that stamps files */
    clock_gettime(CLOCK_REALTIME_COARSE, &begin);
    enum dse_status status = cli->command->run(cli, err);
    if (path == NULL)
        return status;
    dse_experiment_write(cli, cli->command, &text);
    enum dse_status saved = dse_file_write(path, text.text, text.length, &second);
    struct stat about;
    if (saved == DSE_OK && stat(path, &about) == 0 && S_ISREG(about.st_mode))
        utimensat(AT_FDCWD, path, (struct timespec[]){about.st_atim, begin}, 0);
    if (status == DSE_OK && saved != DSE_OK)
        *err = second;
    return status == DSE_OK ? saved : status;
}

static void leave(struct dse_peers **peers)
{
    dse_peers_leave(*peers);
}

/* Rank 0 runs the command; the other processes started with it train for it, and print nothing. */
static enum dse_status run_crewed(struct dse_cli *cli, struct dse_error *err)
{
    struct dse_peers *peers DSE_CLEANUP(leave) = NULL;
    DSE_TRY(dse_peers_join(&peers, err));
    if (dse_peers_rank(peers) > 0) {
        dse_jobs_serve(peers, &cli->monitor);
        return DSE_OK;
    }
    cli->request.peers = peers;
    return run_saved(cli, err);
}

/* DSE_BAD_USAGE: `word` follows no option. */
static enum dse_status reject_word(const struct dse_cli *cli, const char *word, struct dse_error *err)
{
    char **names = NULL;
    size_t count = 0;
    bool shipped = dse_profile_names(word, &names, &count, err) == DSE_OK;
    bool data = dse_options_find(&cli->options, "dataset") != NULL && (shipped || dse_file_exists(word));
    if (shipped)
        dse_share_names_free(names, count);
    return dse_fail(err, DSE_BAD_USAGE, "%s: unexpected word; `%s` takes only options%s%s%s", word, cli->command->name, data ? "; did you mean --dataset " : "",
                    data ? word : ", each with one value: --set KNOB=VALUE, --objectives A,B", data ? "?" : "");
}

static enum dse_status run_parsed(struct dse_cli *cli, struct dse_error *err)
{
    if (dse_cli_flag(cli, "help"))
        return print_about(cli->command, &cli->options.more, false, err);
    if (dse_cli_flag(cli, "man"))
        return print_about(cli->command, &cli->options.more, true, err);
    if (dse_cli_flag(cli, "version"))
        return dse_cli_put(VERSION_LINE, err);
    DSE_TRY(read_shared(cli, err));
    if (cli->operand_count > 0 && *cli->command->operands == '\0')
        return reject_word(cli, cli->operands[0], err);
    DSE_TRY(check_written(cli, err));
    if (cli->checks) {
        keep_named(cli);
        return dse_terms_check(&cli->request, err);
    }
    if (cli->command->crewed && !dse_rehearsing())
        return run_crewed(cli, err);
    return run_saved(cli, err);
}

/* A file that a step reads must not be overwritten by a later step. */
static enum dse_status run_command(const struct dse_command *command, int argc, char **argv, bool checks, bool step, struct dse_error *err)
{
    struct dse_progress progress;
    size_t mark = dse_files_watch();
    struct dse_cli cli = {.command = command, .progress = &progress, .family = family_among(command, argc, argv), .checks = checks};
    cli.request.family = cli.family;
    cli.options = dse_options_of(command, cli.family);
    dse_progress_begin(&progress);
    enum dse_status status = parse_words(&cli, argc, argv, err);
    if (status == DSE_OK)
        status = run_parsed(&cli, err);
    if (status != DSE_OK && command->crewed && dse_peers_is_other())
        err->message[0] = '\0';
    dse_progress_end(&progress);
    dse_options_free(&cli.options);
    dse_request_free(&cli.request);
    dse_arena_free(&cli.texts);
    (step ? dse_files_keep : dse_files_forget)(mark);
    return status;
}

bool dse_cli_takes_value(const struct dse_cli *cli, const char *option)
{
    const struct dse_option *found = dse_options_find(&cli->options, option);
    return found != NULL && found->argument != NULL;
}

enum dse_status dse_cli_run(const struct dse_experiment_step *step, bool checks, struct dse_error *err)
{
    size_t count = 0;
    char **argv DSE_CLEANUP(dse_free_at) = dse_calloc(1 + step->operand_count + step->word_count + 2, sizeof *argv);
    struct dse_arena texts DSE_CLEANUP(dse_arena_free) = {0};
    argv[count++] = dse_arena_strdup(&texts, step->command->name);
    for (size_t i = 0; i < step->word_count; i++) {
        struct dse_strbuf word DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&word, "--%s%s%s", step->words[i].key, step->words[i].value != NULL ? "=" : "",
                          step->words[i].value != NULL ? step->words[i].value : "");
        argv[count++] = dse_arena_strdup(&texts, dse_strbuf_text(&word));
    }
    argv[count++] = dse_arena_strdup(&texts, "--");
    for (size_t i = 0; i < step->operand_count; i++)
        argv[count++] = dse_arena_strdup(&texts, step->operands[i]);
    return run_command(step->command, (int)count, argv, checks, true, err);
}

/* Words end up in JSON and XML, which require valid UTF-8 without control characters. */
static enum dse_status check_utf8(int argc, char **argv, struct dse_error *err)
{
    for (int i = 1; i < argc; i++) {
        const unsigned char *word = (const unsigned char *)argv[i];
        for (size_t left = strlen(argv[i]), length; left > 0; word += length, left -= length)
            if ((length = dse_utf8_length(word, left)) == 0)
                return dse_fail(err, DSE_BAD_USAGE, "word %d of the command line is not UTF-8", i);
    }
    return DSE_OK;
}

/* `nysx-dse help`, and `nysx-dse help sweep`, which is `nysx-dse sweep --help`. */
static enum dse_status help(int argc, char **argv, struct dse_error *err)
{
    char ask[] = "--help";
    if (argc == 2 || argv[2][0] == '-')
        return print_about(NULL, NULL, false, err);
    argv[1] = argv[2];
    argv[2] = ask;
    return dispatch(argc, argv, err);
}

static enum dse_status dispatch(int argc, char **argv, struct dse_error *err)
{
    DSE_TRY(check_utf8(argc, argv, err));
    if (argc < 2)
        return dse_fail(err, DSE_BAD_USAGE, "needs a command; see `nysx-dse --help`");
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print_about(NULL, NULL, false, err);
    if (strcmp(word, "--man") == 0)
        return print_about(NULL, NULL, true, err);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return dse_cli_put(VERSION_LINE, err);
    if (strcmp(word, "help") == 0)
        return help(argc, argv, err);
    /* `nysx-dse --family hydraf sweep`: the family may stand in front of the command. */
    if (strcmp(word, "--family") == 0 && argc > 3) {
        char *moved[2] = {argv[1], argv[2]};
        argv[1] = argv[3];
        argv[2] = moved[0];
        argv[3] = moved[1];
        word = argv[1];
    }
    const struct dse_command *command = dse_program_find(dse_program(), word);
    if (command != NULL)
        return run_command(command, argc - 1, argv + 1, false, false, err);
    const char **names DSE_CLEANUP(dse_free_at) = dse_program_names(dse_program());
    const char *near = dse_names_nearest(word, names, dse_program()->command_count);
    return dse_fail(err, DSE_BAD_USAGE, "%s: no such command%s%s%s `nysx-dse --help`", word,
                    near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "? See" : "; see");
}

int dse_cli_main(int argc, char **argv)
{
    struct sigaction action = {0};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails with its own message */
    struct dse_error err = {0};
    int code = dse_cli_ask(argc, argv, NULL, &err);
    if (parted != 0 && code == DSE_OK)
        code = (int)dse_fail(&err, DSE_LIMIT, "interrupted: this is the best design so far; the same command continues the survey");
    if (code == DSE_LIMIT && (interrupted == SIGINT || parted == SIGINT))
        code = 128 + SIGINT;
    if (code != DSE_OK && err.message[0] != '\0') { /* dse_fail() has escaped everything except the line breaks around a formula's caret */
        dse_terminal_tell_lines("nysx-dse: ", err.message);
        dse_terminal_tell_lines("", "\n");
    }
    return code;
}

int dse_cli_ask(int argc, char **argv, FILE *out, struct dse_error *err)
{
    interrupted = parted = 0;
    answers = out;
    enum dse_status status = dispatch(argc, argv, err);
    answers = NULL; /* a message written while memory ran out does not replace the error */
    return status == DSE_CANCELLED ? DSE_LIMIT : (int)status;
}

void dse_cli_cancel(void)
{
    interrupted = 1;
}
