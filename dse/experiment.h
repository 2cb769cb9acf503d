/* An experiment as one file: YAML without implicit types, anchors, tags or repeated keys. Each key is an option of a command, or a shared word with
 * many values in the plural:
 *
 *   boards: [zcu104, kv260]          # --board, once each
 *   datasets: MUTAG
 *   objectives: [latency, energy]    # joined by commas if the option takes one value
 *   limits: [latency<=0.5ms, lut<=50%]  # --where
 *   fix: {nee.form: direct}          # KNOB=VALUE
 *   study: mutag.db
 *   steps:
 *     - sweep: {budget: 30s}
 *     - report: {output: page.html}
 *
 * Keys beside `steps` hold for every step that knows the option, except those of the question for a step with `from`. Without `steps`, `command`
 * names the command to run (sweep). */
#pragma once

#include "core/arena.h"
#include "core/strbuf.h"
#include "dse/cli.h"

/* An option's value and its line. */
struct dse_experiment_word {
    const char *key;   /* key of the option: "board" */
    const char *value; /* NULL: a flag */
    long line;         /* 0: of the command line */
};

struct dse_experiment_step {
    const struct dse_command *command;
    long line;
    struct dse_experiment_word *words; /* word_count */
    size_t word_count;
    const char **operands; /* operand_count */
    size_t operand_count;
};

struct dse_experiment {
    const char *path;
    struct dse_experiment_step *steps; /* step_count */
    size_t step_count, word_count; /* words of all steps */
    bool overridden;               /* the command line changes steps */
    struct dse_arena arena;
};

/* Reads at most 1 MiB, 1024 members of a list or map, 65536 words of all steps. DSE_BAD_INPUT with file and line for: malformed YAML, a key that no
 * step knows, a repeated key or option, a missing or superfluous value. */
enum dse_status dse_experiment_read(const char *path, struct dse_experiment *out, struct dse_error *err);
void dse_experiment_free(struct dse_experiment *experiment);

/* The command line of `run` overrides the file, in every step. Borrows the request's words. */
enum dse_status dse_experiment_override(struct dse_experiment *experiment, const struct dse_request *request, struct dse_error *err);

/* The step's command line as a shell takes it. */
void dse_experiment_line(const struct dse_experiment_step *step, struct dse_strbuf *out);

/* Puts file and line in front of the message of a step's command: those of the word that it names, else of the step. An error of a command line
 * (DSE_BAD_USAGE) becomes one of a file. */
enum dse_status dse_experiment_explain(const struct dse_experiment *experiment, const struct dse_experiment_step *step,
                                       enum dse_status status, struct dse_error *err);

/* A command line as an experiment of one step. */
void dse_experiment_write(const struct dse_cli *cli, const struct dse_command *command, struct dse_strbuf *out);
