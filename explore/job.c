#include "explore/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/version.h"
#include "executor/algebra.h"

static enum dse_status do_here(const struct dse_job *job, struct dse_job_result *out, struct dse_error *err)
{
    struct dse_model *model DSE_CLEANUP(dse_model_free_at) = NULL;
    if (job->workload)
        return job->executor->profile(job->data, job->setting, &job->run, &out->workload, err);
    return dse_train(job->executor, job->data, job->setting, &job->run, &model, &out->training, err);
}

/* ---- messages: names with values, each NUL-terminated; a setting's names begin with '.' ---- */

static void put(struct dse_strbuf *letter, const char *name, const char *value)
{
    dse_strbuf_add_n(letter, name, strlen(name) + 1);
    dse_strbuf_add_n(letter, value, strlen(value) + 1);
}

static void put_whole(struct dse_strbuf *letter, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put(letter, name, text);
}

static void put_real(struct dse_strbuf *letter, const char *name, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%a", value);
    put(letter, name, text);
}

static enum dse_status read_letter(const struct dse_strbuf *letter, struct dse_setting *out, struct dse_error *err)
{
    const char *at = dse_strbuf_text(letter), *end = at + letter->length;
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (value >= end || value[-1] != '\0')
            return dse_fail(err, DSE_LIMIT, "a message of another process is unreadable");
        dse_setting_put(out, at, value);
        at = value + strlen(value) + 1;
    }
    return DSE_OK;
}

static const char *word_of(const struct dse_setting *letter, const char *name)
{
    const char *word = dse_setting_get(letter, name);
    return word != NULL ? word : "";
}

static uint64_t whole_of(const struct dse_setting *letter, const char *name)
{
    return strtoull(word_of(letter, name), NULL, 10);
}

static double real_of(const struct dse_setting *letter, const char *name)
{
    return strtod(word_of(letter, name), NULL);
}

/* ---- delegating to another process ---- */

static void write_request(const struct dse_job *job, struct dse_strbuf *letter)
{
    put(letter, "program", DSE_VERSION);
    put(letter, "family", job->executor->family);
    put(letter, "word", job->word);
    if (job->data_dir != NULL)
        put(letter, "data-dir", job->data_dir);
    put_whole(letter, "hash", job->data->hash);
    put_whole(letter, "unstratified", job->data->unstratified);
    put(letter, "kernel", dse_algebra_kernel());
    put_whole(letter, "workload", job->workload);
    put_whole(letter, "seed", job->run.seed);
    put_whole(letter, "validation", job->run.validation);
    put_whole(letter, "at-most", job->run.at_most);
    if (job->run.metric != NULL)
        put(letter, "metric", job->run.metric);
    for (size_t i = 0; i < job->setting->count; i++) {
        char name[128];
        snprintf(name, sizeof name, ".%s", job->setting->pairs[i].name);
        put(letter, name, job->setting->pairs[i].value);
    }
}

static enum dse_status read_result(const struct dse_job *job, const struct dse_setting *letter, struct dse_job_result *out,
                                   struct dse_error *err)
{
    const char *workload = dse_setting_get(letter, "xml");
    if (job->workload && workload != NULL)
        return dse_workload_parse(workload, strlen(workload), job->word, &out->workload, err);
    bool own = job->run.metric == NULL;
    out->training = (struct dse_training){.quality_name = own ? job->executor->quality_name : job->run.metric,
                                          .higher_is_better = own ? job->executor->higher_is_better : !dse_quality_is_cost(job->run.metric),
                                          .quality = real_of(letter, "quality"), .train_quality = real_of(letter, "train-quality"),
                                          .n_train = whole_of(letter, "n-train"), .n_test = whole_of(letter, "n-test"),
                                          .seconds = real_of(letter, "seconds")};
    return DSE_OK;
}

/* Sets `lost` if another process must be used: this one is gone or was told to end. */
static enum dse_status ask(struct dse_peers *peers, size_t rank, const struct dse_job *job, struct dse_job_result *out,
                           bool *lost, struct dse_error *err)
{
    struct dse_strbuf request DSE_CLEANUP(dse_strbuf_free) = {0}, reply DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_setting letter DSE_CLEANUP(dse_setting_free) = {0};
    write_request(job, &request);
    DSE_TRY(dse_peers_ask(peers, rank, request.text, request.length, job->run.monitor, &reply, lost, err));
    if (*lost)
        return DSE_OK;
    DSE_TRY(read_letter(&reply, &letter, err));
    enum dse_status theirs = (enum dse_status)whole_of(&letter, "status");
    *lost = theirs == DSE_CANCELLED;
    if (theirs == DSE_OK)
        return read_result(job, &letter, out, err);
    if (!*lost)
        return dse_fail(err, theirs, "rank %zu: %s", rank, word_of(&letter, "error"));
    dse_peers_drop(peers, rank);
    return DSE_OK;
}

struct dse_crew dse_request_crew(const struct dse_request *request)
{
    bool alone = request->peers == NULL || dse_request_flag(request, "jobs");
    return (struct dse_crew){alone ? request->jobs : 1, request->peers};
}

size_t dse_crew_size(const struct dse_crew *crew)
{
    return crew->jobs + dse_peers_others(crew->peers);
}

enum dse_status dse_crew_do(const struct dse_crew *crew, size_t thread, const struct dse_job *job, struct dse_job_result *out,
                            struct dse_error *err)
{
    size_t others = dse_peers_others(crew->peers);
    for (size_t i = 0; thread >= crew->jobs && i < others; i++) {
        bool lost = false;
        enum dse_status status = ask(crew->peers, 1 + (thread - crew->jobs + i) % others, job, out, &lost, err);
        if (!lost)
            return status;
    }
    return do_here(job, out, err);
}

/* ---- serving rank 0 ---- */

struct opened {
    char *word;
    struct dse_dataset *data;
};

struct server {
    struct dse_peers *peers;
    const struct dse_monitor *monitor;
    struct opened *opened; /* opened_count */
    size_t opened_count;
};

static bool is_off(void *user)
{
    const struct server *server = user;
    return dse_monitor_cancelled(server->monitor) || dse_peers_called_off(server->peers);
}

static enum dse_status open_once(struct server *server, const struct dse_setting *letter, const struct dse_dataset **out,
                                 struct dse_error *err)
{
    const char *word = word_of(letter, "word");
    bool unstratified = whole_of(letter, "unstratified") != 0;
    for (size_t i = 0; i < server->opened_count; i++)
        if (strcmp(server->opened[i].word, word) == 0 && server->opened[i].data->unstratified == unstratified) {
            *out = server->opened[i].data;
            return DSE_OK;
        }
    struct dse_dataset *data = NULL;
    DSE_TRY(dse_dataset_open(word, dse_setting_get(letter, "data-dir"), &data, err));
    data->unstratified = unstratified;
    *(struct opened *)dse_list_more(&server->opened, &server->opened_count, sizeof *server->opened) = (struct opened){dse_strdup(word), data};
    *out = data;
    return DSE_OK;
}

/* Program, data and arithmetic must be equal, so that results do not depend on the process. */
static enum dse_status check_alike(const struct dse_setting *letter, const struct dse_dataset *data, struct dse_error *err)
{
    const char *kernel = word_of(letter, "kernel");
    if (data->hash != whole_of(letter, "hash"))
        return dse_fail(err, DSE_BAD_INPUT, "%s: the data found has the hash %016" PRIx64 ", and rank 0's %016" PRIx64,
                        word_of(letter, "word"), data->hash, whole_of(letter, "hash"));
    if (*kernel != '\0')
        DSE_TRY(dse_algebra_open(err));
    if (*kernel != '\0' && strcmp(kernel, dse_algebra_kernel()) != 0)
        return dse_fail(err, DSE_LIMIT, "OpenBLAS uses the kernels of %s here, but %s on rank 0; set OPENBLAS_CORETYPE to one of them everywhere",
                        dse_algebra_kernel(), kernel);
    return DSE_OK;
}

static enum dse_status read_request(struct server *server, const struct dse_setting *letter, struct dse_setting *setting,
                                    struct dse_job *out, struct dse_error *err)
{
    if (strcmp(word_of(letter, "program"), DSE_VERSION) != 0)
        return dse_fail(err, DSE_LIMIT, "is version " DSE_VERSION ", but rank 0 is %s", word_of(letter, "program"));
    *out = (struct dse_job){.executor = dse_executor_find(word_of(letter, "family")), .word = word_of(letter, "word"),
                               .setting = setting, .workload = whole_of(letter, "workload") != 0,
                               .run = {.seed = whole_of(letter, "seed"), .jobs = 1, .validation = whole_of(letter, "validation") != 0,
                                       .at_most = whole_of(letter, "at-most"), .metric = dse_setting_get(letter, "metric")}};
    if (out->executor == NULL)
        return dse_fail(err, DSE_LIMIT, "%s: the family is not known", word_of(letter, "family"));
    DSE_TRY(open_once(server, letter, &out->data, err));
    for (size_t i = 0; i < letter->count; i++)
        if (letter->pairs[i].name[0] == '.')
            dse_setting_put(setting, letter->pairs[i].name + 1, letter->pairs[i].value);
    return check_alike(letter, out->data, err);
}

static enum dse_status write_result(const struct dse_job *job, const struct dse_job_result *result, struct dse_strbuf *reply,
                                    struct dse_error *err)
{
    if (job->workload) {
        struct dse_strbuf xml DSE_CLEANUP(dse_strbuf_free) = {0};
        DSE_TRY(dse_workload_format(&result->workload, job->executor->family, job->data->hash, DSE_VERSION, "a job", &xml, err));
        put(reply, "xml", dse_strbuf_text(&xml));
        return DSE_OK;
    }
    put_real(reply, "quality", result->training.quality);
    put_real(reply, "train-quality", result->training.train_quality);
    put_whole(reply, "n-train", result->training.n_train);
    put_whole(reply, "n-test", result->training.n_test);
    put_real(reply, "seconds", result->training.seconds);
    return DSE_OK;
}

static void clear_result(struct dse_job_result *result)
{
    dse_workload_clear(&result->workload);
}

static enum dse_status serve(struct server *server, const struct dse_strbuf *request, struct dse_strbuf *reply, struct dse_error *err)
{
    struct dse_setting letter DSE_CLEANUP(dse_setting_free) = {0}, setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_job_result result DSE_CLEANUP(clear_result) = {0};
    struct dse_job job = {0};
    struct dse_monitor monitor = {.cancelled = is_off, .user = server};
    if (is_off(server))
        return dse_fail_cancelled(err);
    DSE_TRY(read_letter(request, &letter, err));
    DSE_TRY(read_request(server, &letter, &setting, &job, err));
    job.run.monitor = &monitor;
    DSE_TRY(do_here(&job, &result, err));
    return write_result(&job, &result, reply, err);
}

void dse_jobs_serve(struct dse_peers *peers, const struct dse_monitor *monitor)
{
    struct server server = {.peers = peers, .monitor = monitor};
    struct dse_strbuf request DSE_CLEANUP(dse_strbuf_free) = {0};
    while (dse_peers_next(peers, &request)) {
        struct dse_strbuf reply DSE_CLEANUP(dse_strbuf_free) = {0};
        struct dse_error failure = {0};
        enum dse_status one = serve(&server, &request, &reply, &failure);
        put_whole(&reply, "status", (uint64_t)one);
        if (one != DSE_OK)
            put(&reply, "error", failure.message);
        dse_peers_answer(peers, reply.text, reply.length);
        dse_strbuf_free(&request);
    }
    for (size_t i = 0; i < server.opened_count; i++) {
        dse_dataset_free(server.opened[i].data);
        free(server.opened[i].word);
    }
    free(server.opened);
}
