/* `nysx-dse serve`: judges designs for other programs, with one line of JSON in each direction. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "dse/commands.h"
#include "dse/output.h"
#include "reports/serve.h"

enum dse_status dse_run_serve(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_oracle *oracle DSE_CLEANUP(dse_oracle_close) = NULL;
    char *line DSE_CLEANUP(dse_free_at) = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool closed = false;
    DSE_TRY(dse_oracle_open(dse_cli_request(cli), &oracle, err));
    while (!closed && (length = getline(&line, &capacity, stdin)) >= 0) {
        DSE_TEXT(answer);
        struct dse_error bad = {0};
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        if (length == 0)
            continue;
        enum dse_status status = dse_serve_line(oracle, line, (size_t)length, &answer, &closed, &bad);
        DSE_TRY(dse_cli_put(answer.text, err));
        if (status != DSE_OK)
            return dse_fail_cancelled(err);
    }
    return !closed && ferror(stdin) && errno != EINTR ? dse_fail_errno(err, DSE_LIMIT, "standard input", "read", errno) : DSE_OK;
}
