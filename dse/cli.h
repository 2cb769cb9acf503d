/* The command line, parsed and checked by the tables of options (reports/usage/command.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "explore/request.h"
#include "reports/format.h"
#include "reports/usage/command.h"

/* Commands and shared options: commands.txt. */
const struct dse_program *dse_program(void);

/* The given options as a request (explore/request.h). Most parts that commands read have a short form. */
const struct dse_request *dse_cli_request(const struct dse_cli *cli);
#define dse_cli_value(cli, option) dse_request_word(dse_cli_request(cli), option)
#define dse_cli_flag(cli, option) dse_request_flag(dse_cli_request(cli), option)
#define dse_cli_count(cli, option) dse_request_count(dse_cli_request(cli), option)
#define dse_cli_value_at(cli, option, index) dse_request_word_at(dse_cli_request(cli), option, index)
#define dse_cli_integer(cli, ...) dse_request_integer(dse_cli_request(cli), __VA_ARGS__)
#define dse_cli_real(cli, ...) dse_request_real(dse_cli_request(cli), __VA_ARGS__)
#define dse_cli_assigned_once(cli, option, err) dse_request_assigned_once(dse_cli_request(cli), option, err)
#define dse_cli_family(cli) dse_request_family(dse_cli_request(cli))
#define dse_cli_seed(cli) (dse_cli_request(cli)->seed)
#define dse_cli_jobs(cli) (dse_cli_request(cli)->jobs)
#define dse_cli_monitor(cli) (dse_cli_request(cli)->monitor)
#define dse_cli_note(cli, ...) dse_request_note(dse_cli_request(cli), __VA_ARGS__) /* silenced by -q */

/* Words that are no options. */
size_t dse_cli_operand_count(const struct dse_cli *cli);
const char *dse_cli_operand(const struct dse_cli *cli, size_t index);

/* DSE_BAD_USAGE if `option` names the same file as another option's result: one would replace the other. */
/* Whether Ctrl-C has ended a survey and the command continued. */
bool dse_cli_parted(void);

enum dse_status dse_cli_apart(const struct dse_cli *cli, const char *option, struct dse_error *err);

/* Sets the shown spread by --spread se|sd. It is read before the command runs, unless the command gives the option another meaning. */
enum dse_status dse_cli_spread(const struct dse_cli *cli, struct dse_error *err);

/* DSE_BAD_USAGE if the ending of -o's file is none of these (".xml .json"), for a verb that writes fewer forms than its
 * command. */
enum dse_status dse_cli_ending(const struct dse_cli *cli, const char *endings, struct dse_error *err);

/* The first word after a command: `boards list`. A verb has the allowed endings of -o, and the options that it uses, NULL-ended: "*" stands for the
 * command's options that no verb lists. Every verb uses a shared option that no verb lists. */
struct dse_verb {
    const char *name;
    enum dse_status (*run)(const struct dse_cli *cli, struct dse_error *err);
    const char *endings;
    const char *options[12];
};

/* The named verb, or the first if none is named. DSE_BAD_USAGE for any other word (the message has `must_be`), and for an option that the
 * verb does not use. */
enum dse_status dse_cli_verb(const struct dse_cli *cli, const struct dse_verb *verbs, size_t count, const char *must_be, const struct dse_verb **out,
                             struct dse_error *err);

/* The shared options, checked before a command runs. */
enum dse_format dse_cli_format(const struct dse_cli *cli);

/* --format junit, for commands with that flag; the format is then a table's. */
bool dse_cli_junit(const struct dse_cli *cli);

/* Puts a finished result on standard output, or atomically into the file of -o. */
enum dse_status dse_cli_print(const struct dse_cli *cli, const char *text, struct dse_error *err);

/* Whether the option takes a value. */
bool dse_cli_takes_value(const struct dse_cli *cli, const char *option);

/* Runs one step of an experiment as a command line of its own; with `checks` only its words are checked. */
struct dse_experiment_step;
enum dse_status dse_cli_run(const struct dse_experiment_step *step, bool checks, struct dse_error *err);

/* Puts a text on standard output, independent of -o. A reader that closes early (`| head`) is no failure. */
enum dse_status dse_cli_put(const char *text, struct dse_error *err);

/* Removes the progress line from the terminal. */
void dse_cli_clear(const struct dse_cli *cli);

/* Where answers go: standard output, or the stream of dse_cli_ask. */
FILE *dse_cli_answers(void);

/* Sends the answers of this thread to `stream` (NULL: standard output) from now on; returns the former destination. */
FILE *dse_cli_divert(FILE *stream);

/* Runs a command like dse_cli_main, but without signal handlers: answers go to `out`, the error stays in `err`. Only one call runs at a time,
 * since getopt has only one state. dse_cli_cancel ends the call like Ctrl-C, from any thread. */
int dse_cli_ask(int argc, char **argv, FILE *out, struct dse_error *err);
void dse_cli_cancel(void);

/* Parses, runs, reports the error; returns the exit code. */
int dse_cli_main(int argc, char **argv);
