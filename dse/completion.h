/* Completions for shells, made from the tables of commands and options. */
#ifndef DSE_DSE_COMPLETION_H
#define DSE_DSE_COMPLETION_H

#include "core/strbuf.h"
#include "dse/cli.h"

enum dse_shell { DSE_SHELL_BASH, DSE_SHELL_ZSH, DSE_SHELL_FISH, DSE_SHELL_COUNT };
extern const char *const dse_shell_names[DSE_SHELL_COUNT]; /* "bash", … */

/* Adds the script: commands, the options of each (those of the default family too), the words that an option's value can be,
 * the shipped boards and profiles, knobs where one is assigned, files else. */
enum dse_status dse_completion_write(enum dse_shell shell, struct dse_strbuf *out, struct dse_error *err);

#endif
