/* The families that have models. A new family is one line here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "models/model.h"
#include "models/hydraf/hydraf.h"
#include "models/nysx/nysx.h"

static const struct dse_model_family *const families[] = {
    &nysx_model_family,
    &hydraf_model_family,
};

const struct dse_model_family *dse_model_find(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return NULL;
}

const struct dse_model_family *const *dse_model_families(size_t *count)
{
    *count = sizeof families / sizeof *families;
    return families;
}

enum dse_status dse_model_space(const struct dse_model_family *family, const char *path,
                                struct dse_space **out, struct dse_error *err)
{
    if (path != NULL)
        return dse_space_read(path, family->name, family->knobs, family->knob_count, out, err);
    char relative[128];
    snprintf(relative, sizeof relative, "spaces/%s/space.xml", family->name);
    char *shipped = NULL;
    enum dse_status status = dse_share_find(relative, &shipped, err);
    if (status == DSE_OK)
        status = dse_space_read(shipped, family->name, family->knobs, family->knob_count, out, err);
    free(shipped);
    return status;
}

enum dse_status dse_block_account(const struct dse_model_family *family, size_t index,
                                  const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    memset(out, 0, sizeof *out);
    return family->blocks[index].account(context, config, out, err);
}
