#include "dse/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "dse/cli.h"

int dse_ask(const char *const *words, size_t word_count, char **out, size_t *size, char *message)
{
    char name[] = "nysx-dse", **argv = calloc(word_count + 2, sizeof *argv);
    struct dse_error err = {0};
    FILE *stream = argv != NULL ? open_memstream(out, size) : NULL;
    int code = DSE_LIMIT;
    message[0] = '\0';
    if (stream == NULL) {
        snprintf(message, DSE_ASK_MESSAGE, "out of memory");
        free(argv);
        *out = NULL;
        *size = 0;
        return code;
    }
    argv[0] = name;
    for (size_t i = 0; i < word_count; i++)
        argv[i + 1] = (char *)words[i]; /* getopt reorders the pointers and leaves the words alone */
    code = dse_cli_ask((int)word_count + 1, argv, stream, &err);
    if (fclose(stream) != 0 && code == 0) {
        code = DSE_LIMIT;
        snprintf(err.message, sizeof err.message, "out of memory");
    }
    snprintf(message, DSE_ASK_MESSAGE, "%s", err.message);
    free(argv);
    return code;
}

void dse_ask_free(char *out)
{
    free(out);
}

void dse_ask_cancel(void)
{
    dse_cli_cancel();
}

const char *dse_ask_version(void)
{
    return DSE_VERSION;
}
