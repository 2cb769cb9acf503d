#include "explore/request.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/text.h"
#include "models/model.h"
#include "search/profiled.h"

const char *const dse_request_inputs[] = {"family", "flow", "board", "dataset", "workload", "data-dir", NULL};
const char *const dse_request_questions[] = {
    "objectives", "minimize", "maximize", "where", "fix", "free", "seeds", "set", "from", "method", "budget", "seed",
    "quality-drop", "metric", "headroom", "host", "batch", "rate", "space", "calibration", "combine", "weight", NULL};
static const char *const others[] = {"across", "base", "measure", "resolution", "robust", "runs", "study", "resume", "write-lp", "cutoff", NULL};

void dse_request_init(struct dse_request *request)
{
    *request = (struct dse_request){.seed = 1, .jobs = dse_parallel_default_jobs()};
}

void dse_request_free(struct dse_request *request)
{
    free(request->words);
    *request = (struct dse_request){0};
}

void dse_request_take(struct dse_request *request, const char *name, const char *value)
{
    struct dse_word *word = dse_list_more(&request->words, &request->word_count, sizeof *word);
    *word = (struct dse_word){name, strcmp(name, "metric") == 0 ? dse_quality_word(value) : value};
}

enum dse_status dse_request_add(struct dse_request *request, const char *name, const char *value, struct dse_error *err)
{
    const char *const *const lists[] = {dse_request_inputs, dse_request_questions, others};
    const char *known[64];
    size_t count = 0;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; lists[l][i] != NULL; i++) {
            known[count++] = lists[l][i];
            if (strcmp(lists[l][i], name) == 0) {
                dse_request_take(request, name, value);
                return DSE_OK;
            }
        }
    const char *near = dse_names_nearest(name, known, count);
    return dse_fail(err, DSE_BAD_USAGE, "%s: not a key of a request%s%s%s", name, near != NULL ? "; did you mean " : "",
                    near != NULL ? near : "", near != NULL ? "?" : "");
}

const char *dse_request_word(const struct dse_request *request, const char *name)
{
    for (size_t i = request->word_count; i > 0; i--)
        if (strcmp(request->words[i - 1].name, name) == 0)
            return request->words[i - 1].value;
    return NULL;
}

enum dse_status dse_request_in_rtl(const struct dse_request *request, bool *in_rtl, struct dse_error *err)
{
    const char *flow = dse_request_word(request, "flow");
    *in_rtl = flow != NULL && strcmp(flow, "rtl") == 0;
    return flow == NULL || *in_rtl || strcmp(flow, "hls") == 0 ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--flow %s: must be hls or rtl", flow);
}

size_t dse_request_count(const struct dse_request *request, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < request->word_count; i++)
        count += strcmp(request->words[i].name, name) == 0;
    return count;
}

const char *dse_request_word_at(const struct dse_request *request, const char *name, size_t index)
{
    for (size_t i = 0; i < request->word_count; i++)
        if (strcmp(request->words[i].name, name) == 0 && index-- == 0)
            return request->words[i].value;
    return NULL;
}

bool dse_request_assigns(const struct dse_request *request, const char *name, const char *knob)
{
    for (size_t i = 0; i < request->word_count; i++)
        if (strcmp(request->words[i].name, name) == 0 && strcspn(request->words[i].value, "=") == strlen(knob) &&
            strncmp(request->words[i].value, knob, strlen(knob)) == 0)
            return true;
    return false;
}

bool dse_request_flag(const struct dse_request *request, const char *name)
{
    return dse_request_word(request, name) != NULL;
}

const char *dse_request_family(const struct dse_request *request)
{
    const char *name = dse_request_word(request, "family");
    if (name == NULL)
        name = request->family != NULL ? request->family : dse_request_family_of(dse_request_word(request, "dataset"));
    return name != NULL ? name : dse_model_default()->name;
}

const char *dse_request_family_of(const char *dataset)
{
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) = NULL;
    struct dse_error unknown;
    const bool profiled = dataset != NULL && (strchr(dataset, '/') == NULL || dse_ends_in(dataset, ".xml")); /* other paths are of data */
    const struct dse_model_family *family = profiled && dse_profile_open(dataset, &profile, &unknown) == DSE_OK ? dse_model_find(profile->family) : NULL;
    return family != NULL ? family->name : NULL;
}

enum dse_status dse_request_integer(const struct dse_request *request, const char *name, int64_t minimum, int64_t maximum,
                                    int64_t fallback, int64_t *out, struct dse_error *err)
{
    const char *text = dse_request_word(request, name);
    *out = fallback;
    if (text == NULL)
        return DSE_OK;
    int64_t value = 0;
    if (dse_number_whole(text, &value) != DSE_NUMBER_READ || value < minimum || value > maximum)
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: must be a whole number from %lld to %lld", name, text,
                        (long long)minimum, (long long)maximum);
    *out = value;
    return DSE_OK;
}

bool dse_request_share(const char *text, double *out)
{
    char number[64];
    size_t length = strlen(text);
    bool percent = length > 1 && length < sizeof number && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - percent), text);
    double value = 0.0;
    bool read = dse_number_real(percent ? number : text, &value) == DSE_NUMBER_READ;
    if (read)
        *out = percent ? value / 100.0 : value;
    return read;
}

enum dse_status dse_request_real(const struct dse_request *request, const char *name, double minimum, double maximum,
                                 double fallback, double *out, struct dse_error *err)
{
    const char *text = dse_request_word(request, name);
    *out = fallback;
    if (text == NULL)
        return DSE_OK;
    double value = 0.0;
    if (!dse_request_share(text, &value) || value < minimum || value > maximum)
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: must be a number from %.10g to %.10g", name, text, minimum, maximum);
    *out = value;
    return DSE_OK;
}

enum dse_status dse_request_quality_drop(const struct dse_request *request, double *out, struct dse_error *err)
{
    const char *word = dse_request_word(request, "quality-drop");
    *out = INFINITY;
    if (word != NULL && strcmp(word, "none") == 0)
        return DSE_OK;
    return dse_request_real(request, "quality-drop", 0.0, 1.0, DSE_QUALITY_DROP, out, err);
}

enum dse_status dse_request_pairs(const struct dse_request *request, const char *name, struct dse_error *err)
{
    for (size_t i = 0; i < dse_request_count(request, name); i++) {
        const char *text = dse_request_word_at(request, name, i), *equals = strchr(text, '=');
        if (equals == NULL || equals == text)
            return dse_fail(err, DSE_BAD_USAGE, "--%s %s: must be KNOB=VALUE", name, text);
    }
    return DSE_OK;
}

enum dse_status dse_request_assign(const struct dse_request *request, const char *name, size_t index, const struct dse_space *space, struct dse_config *config,
                                   struct dse_error *err)
{
    struct dse_error why = {0};
    enum dse_status status = dse_config_assign(space, config, dse_request_word_at(request, name, index), &why);
    return status == DSE_OK ? DSE_OK : dse_fail(err, status, "--%s %s", name, why.message);
}

enum dse_status dse_request_assigned_once(const struct dse_request *request, const char *name, struct dse_error *err)
{
    for (size_t i = 1; i < dse_request_count(request, name); i++) {
        const char *text = dse_request_word_at(request, name, i);
        size_t length = strcspn(text, "=");
        for (size_t k = 0; k < i; k++) {
            const char *other = dse_request_word_at(request, name, k);
            if (strcspn(other, "=") == length && strncmp(other, text, length) == 0)
                return dse_fail(err, DSE_BAD_USAGE, "--%s %s: contradicts --%s %s", name, text, name, other);
        }
    }
    return DSE_OK;
}

void dse_request_note(const struct dse_request *request, const char *format, ...)
{
    if (request->note == NULL)
        return;
    char text[DSE_ERROR_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    request->note(request->user, text);
}
