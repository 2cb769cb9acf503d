#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "datasets/profile.h"

static enum dse_status all_names(char ***names, size_t *count, struct dse_error *err)
{
    return dse_share_names("profiles", ".xml", names, count, err);
}

static enum dse_status unknown_name(const char *name, char *const *names, size_t count, struct dse_error *err)
{
    struct dse_strbuf list DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *nearest = dse_names_nearest(name, (const char *const *)names, count);
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    return dse_fail(err, DSE_BAD_USAGE, "no profile \"%s\"%s%s%s%s; shipped: %s; data of your own: a path such as ./graphs.zip, or --data-dir DIR", name, nearest != NULL ? " (did you mean " : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "?)" : "",
                    strchr(name, ',') != NULL ? "; give each data set its own --dataset" : "", count > 0 ? dse_strbuf_text(&list) : "none");
}

/* The path of the shipped profile called `name`, upper and lower case alike. */
static enum dse_status find_shipped(const char *name, char **path, struct dse_error *err)
{
    struct dse_strbuf relative DSE_CLEANUP(dse_strbuf_free) = {0};
    char **names;
    size_t count;
    DSE_TRY(all_names(&names, &count, err));
    for (size_t i = 0; i < count && relative.length == 0; i++)
        if (strcasecmp(names[i], name) == 0)
            dse_strbuf_printf(&relative, "profiles/%s.xml", names[i]);
    enum dse_status status = relative.length > 0 ? dse_share_find(relative.text, path, err) : unknown_name(name, names, count, err);
    dse_share_names_free(names, count);
    return status;
}

/* Whether `pattern`, with * and ?, covers the whole of `name`. Only the last * is ever retried. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == '?' || tolower((unsigned char)*pattern) == tolower((unsigned char)*name)) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

enum dse_status dse_profile_names(const char *pattern, char ***names, size_t *count, struct dse_error *err)
{
    DSE_TRY(all_names(names, count, err));
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (matches(pattern, (*names)[i]))
            (*names)[kept++] = (*names)[i];
        else
            free((*names)[i]);
    }
    *count = kept;
    if (kept > 0)
        return DSE_OK;
    dse_share_names_free(*names, 0);
    *names = NULL;
    if (strpbrk(pattern, "*?") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%.60s: matches no shipped profile", pattern);
    enum dse_status status = all_names(names, count, err);
    if (status == DSE_OK)
        status = unknown_name(pattern, *names, *count, err);
    dse_share_names_free(*names, *count);
    *names = NULL;
    *count = 0;
    return status;
}

enum dse_status dse_profile_open(const char *name, struct dse_profile **out, struct dse_error *err)
{
    *out = NULL;
    if (dse_is_xml_path(name))
        return dse_profile_read(name, out, err);
    char *path DSE_CLEANUP(dse_free_at) = NULL;
    DSE_TRY(find_shipped(name, &path, err));
    return dse_profile_read(path, out, err);
}

uint64_t dse_profile_hash_of(const char *name)
{
    struct dse_profile *profile = NULL;
    struct dse_error unheard;
    if (dse_profile_open(name, &profile, &unheard) != DSE_OK)
        return 0;
    uint64_t hash = profile->dataset_hash;
    dse_profile_free(profile);
    return hash;
}
