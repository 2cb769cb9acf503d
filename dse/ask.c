#include "dse/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/version.h"
#include "dse/cli.h"
#include "reports/serve.h"

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
        argv[i + 1] = (char *)question->words[i]; /* getopt reorders the pointers and does not change the words */
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

/* ---- an open search ---- */

struct dse_ask_evaluator {
    struct dse_request request;
    char **words; /* that the request points into */
    size_t word_count;
    struct dse_oracle *oracle;
};

/* One call to an evaluator, as dse_memory_guard takes it. */
struct call {
    struct dse_ask_evaluator *evaluator;
    const uint32_t *choices;
    size_t count;
    double *values, *violations;
    const char *line;
    struct dse_strbuf text;
    enum dse_status status;
    struct dse_error err;
};

static int guarded(void (*run)(void *), struct call *call, char *message)
{
    if (!dse_memory_guard(run, call)) {
        snprintf(message, DSE_ASK_MESSAGE, "out of memory");
        return DSE_LIMIT;
    }
    snprintf(message, DSE_ASK_MESSAGE, "%s", call->status != DSE_OK ? call->err.message : "");
    return (int)call->status;
}

static enum dse_status read_word(struct dse_request *request, char *word, struct dse_error *err)
{
    char *value = strchr(word, '=');
    if (strncmp(word, "--", 2) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "%s: must be --NAME=VALUE", word);
    if (value != NULL)
        *value++ = '\0';
    return dse_request_add(request, word + 2, value != NULL ? value : "", err);
}

static void open_evaluator(void *data)
{
    struct call *call = data;
    struct dse_ask_evaluator *evaluator = call->evaluator;
    dse_request_init(&evaluator->request);
    for (size_t i = 0; i < evaluator->word_count && call->status == DSE_OK; i++)
        call->status = read_word(&evaluator->request, evaluator->words[i], &call->err);
    if (call->status == DSE_OK)
        call->status = dse_oracle_open(&evaluator->request, &evaluator->oracle, &call->err);
}

int dse_ask_open(const char *const *words, size_t word_count, struct dse_ask_evaluator **out, size_t *variables, size_t *objectives, char *message)
{
    struct dse_ask_evaluator *evaluator = *out = calloc(1, sizeof *evaluator);
    snprintf(message, DSE_ASK_MESSAGE, "out of memory");
    if (evaluator == NULL || (evaluator->words = calloc(word_count + 1, sizeof *evaluator->words)) == NULL)
        return DSE_LIMIT;
    for (size_t i = 0; i < word_count; i++)
        if ((evaluator->words[evaluator->word_count++] = strdup(words[i])) == NULL)
            return DSE_LIMIT;
    struct call call = {.evaluator = evaluator};
    int code = guarded(open_evaluator, &call, message);
    *variables = code == DSE_OK ? evaluator->oracle->variable_count : 0;
    *objectives = code == DSE_OK ? evaluator->oracle->exploration.question.objective_count : 0;
    return code;
}

void dse_ask_close(struct dse_ask_evaluator *evaluator)
{
    if (evaluator == NULL)
        return;
    dse_oracle_close(&evaluator->oracle);
    dse_request_free(&evaluator->request);
    for (size_t i = 0; i < evaluator->word_count; i++)
        free(evaluator->words[i]);
    free(evaluator->words);
    free(evaluator);
}

static void judge(void *data)
{
    struct call *call = data;
    call->status = dse_oracle_values(call->evaluator->oracle, call->choices, call->count, call->values, call->violations, &call->err);
}

int dse_ask_evaluate(struct dse_ask_evaluator *evaluator, const uint32_t *choices, size_t count, double *values, double *violations, char *message)
{
    struct call call = {.evaluator = evaluator, .choices = choices, .count = count, .values = values, .violations = violations};
    return guarded(judge, &call, message);
}

static void read_line(void *data)
{
    struct call *call = data;
    bool closed = false;
    call->status = dse_serve_line(call->evaluator->oracle, call->line, strlen(call->line), &call->text, &closed, &call->err);
}

int dse_ask_line(struct dse_ask_evaluator *evaluator, const char *line, char **out, char *message)
{
    struct call call = {.evaluator = evaluator, .line = line};
    int code = guarded(read_line, &call, message);
    *out = call.text.text;
    return code;
}

void dse_ask_cancel(void)
{
    dse_cli_cancel();
}

const char *dse_ask_version(void)
{
    return DSE_VERSION;
}
