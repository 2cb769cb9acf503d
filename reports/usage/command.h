/* Commands and their options, as tables: parsing, checks, --help, manual pages and completions are all made from them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"
#include "core/strbuf.h"

struct dse_option {
    const char *name;     /* without the dashes: "board" */
    char letter;          /* the short form, or 0 */
    const char *argument; /* what --help calls its value ("NAME|FILE.xml"); NULL for a flag */
    const char *help;     /* one sentence without a full stop */
    bool repeatable;      /* may stand several times; else a second one is an error */
    bool written;         /* its file is written at the end: that this is possible is checked before anything runs */
};

/* Whether a word is one of `words`, parted by spaces, in small letters or capitals; of NULL it is none. */
bool dse_option_among(const char *word, const char *words);

/* Options made from a table of another room; grows, and owns texts that were made for it. Empty when zeroed. */
struct dse_option_list {
    struct dse_option *items; /* count */
    size_t count;
    const char *family; /* whose they are, or NULL */
    struct dse_arena texts;
};

/* Adds an option; `argument` (which may be NULL) is copied, its other texts live as long as the program. */
void dse_option_list_add(struct dse_option_list *list, struct dse_option option);
void dse_option_list_free(struct dse_option_list *list);

/* The words of one run, parsed and checked against the tables (dse/cli.h). */
struct dse_cli;

struct dse_command {
    const char *name;     /* "sweep" */
    const char *summary;  /* one line, for the list of commands */
    const char *operands; /* "PATH", "REPORT …", or "" */
    const char *details;  /* a paragraph or more for --help and the man page: what it does, examples */
    const struct dse_option *options; /* its own, option_count */
    size_t option_count;
    const struct dse_option *shared; /* of the program's options those that it uses, shared_count */
    size_t shared_count;
    const char *without; /* … and the names of those that it does not (parted by spaces), or NULL */
    /* Further options, those of a family (an executor's parameters), or NULL. */
    void (*more_options)(const char *family, struct dse_option_list *list);
    /* Whether it knows an option that the family has not: then it has said in `err` what of it. NULL: it knows none. */
    bool (*knows_option)(const char *family, const char *option, struct dse_error *err);
    bool output_is_folder; /* what -o names */
    const char *endings;   /* what else than a form the ending of -o's file may say: ".xml" (parted by spaces) … */
    bool crewed;           /* started as one of several processes it is rank 0's alone, and the others train for it */
    bool reports_cases;    /* --format junit is one of its forms */
    bool formless;         /* … and the forms' endings are no forms of it: -o is not the result that --format is for */
    enum dse_status (*run)(const struct dse_cli *cli, struct dse_error *err);
};

/* A program of several commands. */
struct dse_program {
    const char *name;    /* "nysx-dse" */
    const char *purpose; /* a line, as an indicative for the manual's NAME */
    const char *summary; /* a sentence */
    const struct dse_command *const *commands; /* command_count, in the order of --help */
    size_t command_count;
    const struct dse_option *options; /* option_count: those that commands share */
    size_t option_count;
};

/* All options that hold for a command: its own, those of the family, the shared ones. */
struct dse_options {
    const struct dse_option **items; /* count */
    size_t count;
    struct dse_option_list more; /* those of the family, which it owns */
};
struct dse_options dse_options_of(const struct dse_command *command, const char *family);
void dse_options_free(struct dse_options *options);
const struct dse_option *dse_options_find(const struct dse_options *options, const char *name); /* NULL: not there */

/* The name that is nearest to a wrong one, with `also_count` others that would be understood; NULL: none is near. */
const char *dse_options_nearest(const struct dse_options *options, const char *name, const char *const *also, size_t also_count);

/* The command of that name, or NULL. */
const struct dse_command *dse_program_find(const struct dse_program *program, const char *name);

/* The names of its commands, for the nearest to a wrong one; the caller frees the array alone. */
const char **dse_program_names(const struct dse_program *program);

/* Help for the program (`command` NULL) or for one command, with the options that its family adds, wrapped to `columns`. */
void dse_help_write(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command,
                    const struct dse_option_list *more, size_t columns);

/* The manual page of the same, in troff's man macros. */
void dse_manual_write(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command,
                      const struct dse_option_list *more);

/* ---- completions for shells ---- */

enum dse_shell { DSE_SHELL_BASH, DSE_SHELL_ZSH, DSE_SHELL_FISH, DSE_SHELL_COUNT };
extern const char *const dse_shell_names[DSE_SHELL_COUNT]; /* "bash", … */

/* Adds the completion script. It completes commands, their options (including those of the default family), the words of an option's value,
 * shipped boards and profiles, knobs in assignments, and otherwise files. */
enum dse_status dse_completion_write(const struct dse_program *program, enum dse_shell shell, struct dse_strbuf *out,
                                     struct dse_error *err);
