/* The command line: one table of options drives parsing, checks, --help and the man pages. */
#ifndef DSE_DSE_CLI_H
#define DSE_DSE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/status.h"

struct dse_option {
    const char *name;     /* without the dashes: "board" */
    char letter;          /* the short form, or 0 */
    const char *argument; /* what --help calls its value ("NAME|FILE.xml"); NULL for a flag */
    const char *help;     /* one sentence without a full stop */
    bool repeatable;      /* may stand several times; else a second one is an error */
    bool written;         /* its file is written at the end: that this is possible is checked before anything runs */
};

enum dse_format { DSE_FORMAT_TABLE, DSE_FORMAT_JSON, DSE_FORMAT_CSV };

/* The words of one run, parsed and checked against the tables. */
struct dse_cli;

struct dse_command {
    const char *name;     /* "sweep" */
    const char *summary;  /* one line, for the list of commands */
    const char *operands; /* "PATH", "REPORT …", or "" */
    const char *details;  /* a paragraph or more for --help and the man page: what it does, examples */
    const struct dse_option *options; /* its own, option_count; the shared ones come on their own */
    size_t option_count;
    /* Further options made from a table of another room (an executor's parameters), or NULL: writes at most
     * `capacity` of them and returns how many. Their texts live as long as the program. */
    size_t (*more_options)(struct dse_option *room, size_t capacity);
    bool output_is_folder; /* what -o names */
    enum dse_status (*run)(const struct dse_cli *cli, struct dse_error *err);
};

/* The registry: main.c's table of commands, in the order of --help. */
extern const struct dse_command *const dse_commands[];
extern const size_t dse_command_count;

/* The last value given for an option, or NULL (a flag's value is ""). */
const char *dse_cli_value(const struct dse_cli *cli, const char *option);
bool dse_cli_flag(const struct dse_cli *cli, const char *option);

/* All values of a repeatable option, in order. */
size_t dse_cli_count(const struct dse_cli *cli, const char *option);
const char *dse_cli_value_at(const struct dse_cli *cli, const char *option, size_t index);

/* Words that are no options. */
size_t dse_cli_operand_count(const struct dse_cli *cli);
const char *dse_cli_operand(const struct dse_cli *cli, size_t index);

/* A whole number in [minimum, maximum], or `fallback` when the option is absent. DSE_BAD_USAGE names option, value
 * and range. */
enum dse_status dse_cli_integer(const struct dse_cli *cli, const char *option, int64_t minimum,
                                int64_t maximum, int64_t fallback, int64_t *out, struct dse_error *err);
enum dse_status dse_cli_real(const struct dse_cli *cli, const char *option, double minimum,
                             double maximum, double fallback, double *out, struct dse_error *err);

/* DSE_BAD_USAGE where two values NAME[=VALUE] of a repeatable option have one NAME: only one of them could hold. */
enum dse_status dse_cli_assigned_once(const struct dse_cli *cli, const char *option, struct dse_error *err);

/* DSE_BAD_USAGE where the file of `option` is the one of -o, so that one result would replace the other. */
enum dse_status dse_cli_apart(const struct dse_cli *cli, const char *option, struct dse_error *err);

/* The shared options, checked before a command runs. */
const char *dse_cli_family(const struct dse_cli *cli);
enum dse_format dse_cli_format(const struct dse_cli *cli);
uint64_t dse_cli_seed(const struct dse_cli *cli);
size_t dse_cli_jobs(const struct dse_cli *cli);
bool dse_cli_quiet(const struct dse_cli *cli);
bool dse_cli_verbose(const struct dse_cli *cli);
const struct dse_monitor *dse_cli_monitor(const struct dse_cli *cli); /* progress and Ctrl-C */

/* Puts a finished result on standard output, or atomically into the file of -o. */
enum dse_status dse_cli_print(const struct dse_cli *cli, const char *text, struct dse_error *err);

/* A remark on standard error ("nysx-dse: note: …"), silenced by -q. */
void dse_cli_note(const struct dse_cli *cli, const char *format, ...) DSE_PRINTF(2, 3);

/* Parses, runs, reports the error; returns the exit code. */
int dse_cli_main(int argc, char **argv);

#endif
