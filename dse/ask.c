#include "dse/ask.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/version.h"
#include "dse/cli.h"

/* One call, as dse_memory_guard takes it. */
struct question {
    const char *const *words;
    size_t word_count;
    char **out;
    size_t *size;
    char *message;
    int code;
};

static void answer(void *data)
{
    struct question *question = data;
    char name[] = "nysx-dse", **argv = dse_calloc(question->word_count + 2, sizeof *argv);
    struct dse_error err = {0};
    FILE *stream = open_memstream(question->out, question->size);
    if (stream == NULL)
        dse_memory_exhausted();
    argv[0] = name;
    for (size_t i = 0; i < question->word_count; i++)
        argv[i + 1] = (char *)question->words[i]; /* getopt reorders the pointers and leaves the words alone */
    question->code = dse_cli_ask((int)question->word_count + 1, argv, stream, &err);
    if (fclose(stream) != 0)
        dse_memory_exhausted();
    snprintf(question->message, DSE_ASK_MESSAGE, "%s", err.message);
    free(argv);
}

int dse_ask(const char *const *words, size_t word_count, char **out, size_t *size, char *message)
{
    struct question question = {words, word_count, out, size, message, DSE_OK};
    *out = NULL;
    *size = 0;
    message[0] = '\0';
    if (dse_memory_guard(answer, &question))
        return question.code;
    *out = NULL;
    *size = 0;
    snprintf(message, DSE_ASK_MESSAGE, "out of memory");
    return DSE_LIMIT;
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
