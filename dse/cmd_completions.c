/* `nysx-dse completions`: what a shell completes command lines by. */
#include <string.h>

#include "dse/commands.h"
#include "dse/output.h"

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    const char *word = dse_cli_operand(cli, 0);
    struct dse_strbuf text = {0};
    if (dse_cli_operand_count(cli) != 1)
        return dse_fail(err, DSE_BAD_USAGE, "completions: needs one shell: bash, zsh or fish");
    for (int shell = 0; shell < DSE_SHELL_COUNT; shell++)
        if (strcmp(word, dse_shell_names[shell]) == 0)
            return dse_completion_write(&dse_program, (enum dse_shell)shell, &text, err) == DSE_OK ? dse_output_text(cli, &text, err) : err->status;
    return dse_fail(err, DSE_BAD_USAGE, "completions %.60s: must be bash, zsh or fish", word);
}

const struct dse_command dse_cmd_completions = {
    .name = "completions",
    .summary = "completion of command lines for bash, zsh and fish, made from the tables of options",
    .operands = "bash | zsh | fish",
    .details = "Packages install them. By hand: that of bash goes to ~/.local/share/bash-completion/completions/nysx-dse, that of zsh to "
               "a folder of $fpath as _nysx-dse, that of fish to ~/.config/fish/completions/nysx-dse.fish.\n\n"
               "    nysx-dse completions fish -o nysx-dse.fish\n",
    .run = run,
};
