/* What the families of the registry share: their spaces, and the account of a block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "models/model.h"

const struct dse_model_family *dse_model_find(const char *name)
{
    for (const struct dse_model_family *const *family = dse_model_registry; *family != NULL; family++)
        if (strcmp((*family)->name, name) == 0)
            return *family;
    return NULL;
}

const struct dse_model_family *const *dse_model_families(size_t *count)
{
    for (*count = 0; dse_model_registry[*count] != NULL; ++*count)
        ;
    return dse_model_registry;
}

/* How far beyond the shipped file's bounds a space may go: the models are formulas, and hold some way on. */
#define BOUND_FACTOR 16

static enum dse_status check_number(const char *file, const struct dse_knob *knob, const struct dse_knob *shipped,
                                    struct dse_error *err)
{
    char least[64], most[64];
    if (knob->type == DSE_KNOB_CHOICE)
        return DSE_OK;
    int64_t limit = shipped->maximum > INT64_MAX / BOUND_FACTOR ? INT64_MAX : BOUND_FACTOR * shipped->maximum;
    if (knob->minimum >= shipped->minimum && knob->maximum <= limit)
        return DSE_OK;
    bool below = knob->minimum < shipped->minimum;
    char has[64];
    return dse_fail(err, DSE_BAD_INPUT, "%s: <knob name=\"%s\" %s=\"%s\">: the models hold from %s to %s", file, knob->name,
                    below ? "min" : "max", dse_knob_format(knob, below ? knob->minimum : knob->maximum, has, sizeof has),
                    dse_knob_format(knob, shipped->minimum, least, sizeof least),
                    dse_knob_format(knob, limit, most, sizeof most));
}

/* Domains are the file's; what a knob is, and where the models hold, is not. */
static enum dse_status check_space(const struct dse_space *space, const struct dse_space *shipped, struct dse_error *err)
{
    static const char *const kinds[] = {"", "algorithmic", "hardware", "both"};
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        if (knob->kind != shipped->knobs[k].kind)
            return dse_fail(err, DSE_BAD_INPUT, "%s: <knob name=\"%s\" kind=\"%s\">: must be %s", space->file, knob->name,
                            kinds[knob->kind], kinds[shipped->knobs[k].kind]);
        DSE_TRY(check_number(space->file, knob, &shipped->knobs[k], err));
    }
    return DSE_OK;
}

static enum dse_status read_other(const struct dse_model_family *family, const char *path, struct dse_space **out,
                                  struct dse_error *err)
{
    struct dse_space *shipped = NULL;
    enum dse_status status = dse_space_read(path, family->name, family->knobs, family->knob_count, out, err);
    if (status != DSE_OK)
        return status;
    status = dse_model_space(family, NULL, &shipped, err);
    if (status == DSE_OK)
        status = check_space(*out, shipped, err);
    dse_space_free(shipped);
    if (status == DSE_OK)
        return DSE_OK;
    dse_space_free(*out);
    *out = NULL;
    return status;
}

enum dse_status dse_model_space(const struct dse_model_family *family, const char *path,
                                struct dse_space **out, struct dse_error *err)
{
    if (path != NULL)
        return read_other(family, path, out, err);
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
