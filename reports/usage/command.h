/* Commands and their options as tables, from which parsing, checks, --help, manual pages and completions are generated. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"
#include "core/strbuf.h"

struct dse_option {
    const char *name;     /* without the dashes: "board" */
    char letter;          /* the short form, or 0 */
    const char *argument; /* name of its value in --help ("NAME|FILE.xml"); NULL for a flag */
    const char *help;     /* one sentence without a full stop */
    bool repeatable;      /* may be repeated; otherwise a second use is an error */
    bool written;         /* an output file: writability is checked before anything runs */
};

/* Whether a word is one of the space-separated `words`, case-insensitive; false for NULL. */
bool dse_option_among(const char *word, const char *words);

/* Options generated from another table; growable, owns generated texts. Empty when zeroed. */
struct dse_option_list {
    struct dse_option *items; /* count */
    size_t count;
    const char *family; /* family of the options, or NULL */
    const char *presets; /* its presets: "paper, literal"; NULL: none */
    struct dse_arena texts;
};

/* Adds an option; copies `argument` (may be NULL); its other texts must be static. */
void dse_option_list_add(struct dse_option_list *list, struct dse_option option);
void dse_option_list_free(struct dse_option_list *list);

/* Words of one run, parsed and checked against the tables (dse/cli.h). */
struct dse_cli;

struct dse_command {
    const char *name;     /* "sweep" */
    const char *summary;  /* one line, for the list of commands */
    const char *operands; /* "PATH", "REPORT …", or "" */
    const char *details;  /* paragraphs for --help and the manual page: description, examples */
    const struct dse_option *options; /* its own options, option_count */
    size_t option_count;
    const struct dse_option *shared; /* shared options that it uses, shared_count */
    size_t shared_count;
    const char *without; /* … and the names of those that it does not use (space-separated), or NULL */
    /* Adds options of a family (an executor's parameters), or NULL. */
    void (*more_options)(const char *family, struct dse_option_list *list);
    /* Whether it knows an option that the family lacks; if so, writes the reason to `err`. NULL: it knows none. */
    bool (*knows_option)(const char *family, const char *option, struct dse_error *err);
    bool output_is_folder; /* type of -o's argument */
    const char *endings;   /* additional extensions of -o's file besides formats: ".xml" (space-separated) … */
    bool crewed;           /* if started as one of several processes, only rank 0 runs it, and the others train for it */
    bool reports_cases;    /* supports --format junit */
    bool formless;         /* … and -o's extension does not select a format: -o is not the result of --format */
    enum dse_status (*run)(const struct dse_cli *cli, struct dse_error *err);
};

/* A program with several commands. */
struct dse_program {
    const char *name;    /* "nysx-dse" */
    const char *purpose; /* one line, in the indicative, for the manual's NAME */
    const char *summary; /* one sentence */
    const struct dse_command *const *commands; /* command_count, in the order of --help */
    size_t command_count;
    const struct dse_option *options; /* option_count: shared options */
    size_t option_count;
};

/* All options of a command: its own, the family's, and the shared ones. */
struct dse_options {
    const struct dse_option **items; /* count */
    size_t count;
    struct dse_option_list more; /* the family's; owned */
};
struct dse_options dse_options_of(const struct dse_command *command, const char *family);
void dse_options_free(struct dse_options *options);
const struct dse_option *dse_options_find(const struct dse_options *options, const char *name); /* NULL: not found */

/* The name nearest to a wrong one, including `also_count` further valid names; NULL: none is near. */
const char *dse_options_nearest(const struct dse_options *options, const char *name, const char *const *also, size_t also_count);

/* Finds a command by name, or NULL. */
const struct dse_command *dse_program_find(const struct dse_program *program, const char *name);

/* Names of the commands, for suggestions; the caller frees only the array. */
const char **dse_program_names(const struct dse_program *program);

/* Help for the program (`command` NULL) or one command, with its family's options, wrapped to `columns`. */
void dse_help_write(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command,
                    const struct dse_option_list *more, size_t columns);

/* The corresponding manual page, in troff's man macros. */
void dse_manual_write(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command,
                      const struct dse_option_list *more);

/* ---- completions for shells ---- */

enum dse_shell { DSE_SHELL_BASH, DSE_SHELL_ZSH, DSE_SHELL_FISH, DSE_SHELL_COUNT };
extern const char *const dse_shell_names[DSE_SHELL_COUNT]; /* "bash", … */

/* Adds the completion script. It completes commands, their options (including the default family's), words of option values,
 * shipped boards and profiles, knobs in assignments, and otherwise files. */
enum dse_status dse_completion_write(const struct dse_program *program, enum dse_shell shell, struct dse_strbuf *out,
                                     struct dse_error *err);
