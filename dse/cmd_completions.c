/* `nysx-dse completions`: scripts with which a shell completes command lines. */
#include <string.h>

#include "dse/commands.h"
#include "dse/output.h"

enum dse_status dse_run_completions(const struct dse_cli *cli, struct dse_error *err)
{
    const char *word = dse_cli_operand(cli, 0);
    struct dse_strbuf text = {0};
    if (dse_cli_operand_count(cli) != 1)
        return dse_fail(err, DSE_BAD_USAGE, "completions: needs one shell: bash, zsh or fish");
    for (int shell = 0; shell < DSE_SHELL_COUNT; shell++)
        if (strcmp(word, dse_shell_names[shell]) == 0)
            return dse_completion_write(dse_program(), (enum dse_shell)shell, &text, err) == DSE_OK ? dse_output_script(cli, word, &text, err) : err->status;
    return dse_fail(err, DSE_BAD_USAGE, "completions %.60s: must be bash, zsh or fish", word);
}
