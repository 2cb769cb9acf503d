#define _GNU_SOURCE /* mkdtemp */
#include "explore/athand.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "datasets/part.h"
#include "emit/swap.h"
#include "search/study.h"

#define OPTIONS_MAX 32 /* options of a kind's generator */
#define WITHIN 0.9     /* fraction of the data's means: random variation around them then fits memories sized for the data */

/* The target, and the best match so far. */
struct looking {
    const struct dse_request *request;
    const struct dse_profile *profile;
    struct dse_dataset *found;
    struct dse_error why; /* reason for the first failed place */
};

static bool is_found(const struct looking *l)
{
    return l->found != NULL && l->found->hash == l->profile->dataset_hash;
}

static enum dse_status look(struct looking *l, const char *word, const char *data_dir)
{
    struct dse_dataset *data = NULL;
    struct dse_error err = {0};
    if (is_found(l) || dse_ends_in(word, ".xml")) /* a profile's file */
        return DSE_OK;
    enum dse_status status = dse_dataset_open(word, data_dir, &data, &err);
    if (status != DSE_OK && l->why.message[0] == '\0')
        l->why = err;
    if (status == DSE_OK && (l->found == NULL || data->hash == l->profile->dataset_hash)) {
        dse_dataset_free(l->found);
        l->found = data;
    } else {
        dse_dataset_free(data);
    }
    return status == DSE_LIMIT ? status : DSE_OK;
}

/* NAME-N, as --entities names such data: the N most connected entities of NAME, if these are the profile's data. */
static enum dse_status look_for_entities(struct looking *l, const char *data_dir)
{
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_error err = {0};
    if (is_found(l))
        return DSE_OK;
    enum dse_status status = dse_dataset_open_part(l->profile->dataset, data_dir, &data, &err);
    if (status != DSE_OK || data->hash != l->profile->dataset_hash)
        return status == DSE_LIMIT ? status : DSE_OK;
    dse_dataset_free(l->found);
    l->found = data;
    data = NULL;
    return DSE_OK;
}

/* ---- words in a study's command ---- */

/* Next word of a line written by dse_strbuf_add_shell; false at the end. */
static bool next_word(const char **line, struct dse_strbuf *word)
{
    const char *at = *line + strspn(*line, " ");
    bool quoted = false;
    dse_strbuf_free(word);
    if (*at == '\0')
        return false;
    for (; *at != '\0' && (quoted || *at != ' '); at++)
        if (*at == '\'')
            quoted = !quoted;
        else if (quoted || *at != '\\')
            dse_strbuf_add_char(word, *at, 1);
        else if (at[1] != '\0')
            dse_strbuf_add_char(word, *++at, 1);
    *line = at;
    return true;
}

/* Tries the word as it is, and relative to the study's folder. */
static enum dse_status look_beside(struct looking *l, const char *study, const char *word, const char *data_dir)
{
    const char *slash = strrchr(study, '/');
    char *folder DSE_CLEANUP(dse_free_at) = dse_strndup(study, slash != NULL ? (size_t)(slash - study) : 0);
    char *there DSE_CLEANUP(dse_free_at) = dse_path_join(folder, word);
    char *dir DSE_CLEANUP(dse_free_at) = data_dir != NULL ? dse_path_join(folder, data_dir) : NULL;
    const char *own = dse_request_word(l->request, "data-dir");
    DSE_TRY(look(l, word, own != NULL ? own : data_dir));
    if (slash == NULL)
        return DSE_OK;
    return dse_dataset_is_path(word) && *word != '/' ? look(l, there, NULL) : look(l, word, dir);
}

static enum dse_status look_as_studied(struct looking *l, const char *path)
{
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    struct dse_strbuf word DSE_CLEANUP(dse_strbuf_free) = {0}, dir DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_error ignored;
    if (dse_study_open(path, &study, &ignored) != DSE_OK)
        return DSE_OK; /* opening a point of the study reports the error */
    for (const char *line = dse_study_command(study); next_word(&line, &word);)
        if (strcmp(word.text, "--data-dir") == 0)
            next_word(&line, &dir);
    for (const char *line = dse_study_command(study); next_word(&line, &word);)
        if (strcmp(dse_strbuf_text(&word), "--dataset") == 0 && next_word(&line, &word))
            DSE_TRY(look_beside(l, path, dse_strbuf_text(&word), dir.text));
    return DSE_OK;
}

enum dse_status dse_data_find(const struct dse_request *request, const struct dse_profile *profile, struct dse_dataset **out, struct dse_error *err)
{
    struct looking l = {.request = request, .profile = profile};
    const char *from = dse_request_word(request, "from"), *dir = dse_request_word(request, "data-dir");
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < dse_request_count(request, "dataset"); i++)
        status = look(&l, dse_request_word_at(request, "dataset", i), dir);
    if (status == DSE_OK && from != NULL && strrchr(from, ':') != NULL) {
        char *path DSE_CLEANUP(dse_free_at) = dse_strndup(from, (size_t)(strrchr(from, ':') - from));
        status = look_as_studied(&l, path);
    }
    if (status == DSE_OK)
        status = look(&l, profile->dataset, dir);
    if (status == DSE_OK)
        status = look_for_entities(&l, dir);
    if (status == DSE_OK && l.found != NULL) {
        *out = l.found;
        return DSE_OK;
    }
    dse_dataset_free(l.found);
    *out = NULL;
    return dse_fail(err, l.why.status, "%s", l.why.message);
}

/* ---- generated data ---- */

static double fact_of(const struct dse_profile *profile, const char *name, double otherwise)
{
    const char *text = name != NULL ? dse_setting_get(&profile->facts, name) : NULL;
    return text != NULL ? strtod(text, NULL) : otherwise;
}

/* Value of the option for data like the profile's: the fact, within the generator's range. */
static double like(const struct dse_generate_option *option, const struct dse_profile *profile)
{
    double per = fact_of(profile, option->per, 1.0), value = fact_of(profile, option->fact, NAN) / (per > 0.0 ? per : 1.0);
    if (isnan(value))
        return option->initial;
    value = fmin(fmax(option->whole ? value : WITHIN * value, option->minimum), option->maximum);
    return option->whole ? floor(value) : value;
}

enum dse_status dse_data_imitate(const struct dse_kind *kind, const struct dse_profile *profile, uint64_t seed, struct dse_dataset **out,
                                 struct dse_error *err)
{
    const char *temporary = getenv("TMPDIR");
    double values[OPTIONS_MAX] = {0};
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0}, folder DSE_CLEANUP(dse_strbuf_free) = {0};
    *out = NULL;
    if (kind->generate == NULL || kind->option_count > OPTIONS_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "%s: no generated %s", profile->dataset, kind->title);
    for (size_t i = 0; i < kind->option_count; i++)
        values[i] = like(&kind->options[i], profile);
    dse_strbuf_printf(&name, "%s-made-up", profile->dataset);
    dse_strbuf_printf(&folder, "%s/nysx-dse.XXXXXX", temporary != NULL && *temporary != '\0' ? temporary : "/tmp");
    dse_rehearsal_ends();
    if (mkdtemp(folder.text) == NULL)
        return dse_fail_errno(err, DSE_LIMIT, folder.text, "create", errno);
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(folder.text, name.text);
    struct dse_generation what = {.name = name.text, .values = values, .seed = seed};
    enum dse_status status = kind->generate(&what, path, err);
    if (status == DSE_OK)
        status = dse_dataset_open(path, NULL, out, err);
    dse_swap_remove(folder.text);
    return status;
}
