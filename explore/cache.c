#include "explore/cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/version.h"

/* User's cache folder; a relative path in the environment is ignored, as the XDG base directory specification requires. */
static char *cache_folder(void)
{
    const char *own = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own != NULL && *own == '/')
        return dse_strdup(own);
    return home != NULL && *home == '/' ? dse_path_join(home, ".cache") : NULL;
}

char *dse_cache_path(const char *family, uint64_t hash, uint64_t seed)
{
    char name[256];
    snprintf(name, sizeof name, "nysx-dse/profiles/%s-%016" PRIx64 "-seed%" PRIu64 "-%s.xml", family, hash, seed, DSE_VERSION);
    char *folder = cache_folder(), *path = folder != NULL ? dse_path_join(folder, name) : NULL;
    free(folder);
    return path;
}

enum dse_status dse_cache_find(const char *path, const char *family, uint64_t hash, struct dse_profile **out, struct dse_error *err)
{
    *out = NULL;
    if (path == NULL || !dse_file_exists(path))
        return DSE_OK;
    enum dse_status status = dse_profile_read(path, out, err);
    if (status != DSE_OK)
        return status == DSE_LIMIT ? status : DSE_OK;
    if ((*out)->dataset_hash != hash || strcmp((*out)->family, family) != 0) {
        dse_profile_free(*out);
        *out = NULL;
    }
    return DSE_OK;
}

bool dse_cache_prepare(const char *path)
{
    struct dse_error ignored;
    char *folder DSE_CLEANUP(dse_free_at) = dse_strdup(path), *end = strrchr(folder, '/');
    if (end != NULL)
        *end = '\0';
    return end != NULL && dse_folder_create(folder, &ignored) == DSE_OK;
}

bool dse_cache_keep(const char *path, const struct dse_profile *profile)
{
    struct dse_error ignored;
    return path != NULL && dse_cache_prepare(path) && dse_profile_write(profile, path, &ignored) == DSE_OK;
}
