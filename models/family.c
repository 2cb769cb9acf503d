/* What the families of the registry share: their spaces, and the account of a block. */
#include <math.h>
#include <string.h>

#include "models/loops.h"

const struct dse_model_family *dse_model_find(const char *name)
{
    for (const struct dse_model_family *const *family = dse_model_registry; *family != NULL; family++)
        if (strcmp((*family)->name, name) == 0)
            return *family;
    return NULL;
}

const struct dse_model_family *dse_model_default(void)
{
    return dse_model_registry[0];
}

const struct dse_model_family *const *dse_model_families(size_t *count)
{
    for (*count = 0; dse_model_registry[*count] != NULL; ++*count)
        ;
    return dse_model_registry;
}

enum dse_status dse_model_check(const struct dse_model_family *family, struct dse_error *err)
{
    const struct {
        const char *what;
        size_t count, most;
    } numbers[] = {{"stages", family->stage_count, DSE_STAGE_MAX},
                   {"engines", family->engine_count, DSE_ENGINE_MAX},
                   {"blocks", family->block_count, DSE_BLOCK_MAX}};
    dse_knob_set shaping = dse_knobs_shaping(family->knobs);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].count > numbers[i].most)
            return dse_fail(err, DSE_LIMIT, "the family %s declares %zu %s: at most %zu", family->name, numbers[i].count,
                            numbers[i].what, numbers[i].most);
    for (size_t b = 0; b < family->block_count; b++) {
        dse_knob_set reads = family->blocks[b].reads & shaping;
        if (family->blocks[b].engine >= family->engine_count || (reads != 0 && reads != shaping))
            return dse_fail(err, DSE_LIMIT, "the family %s, block %s: of no engine, or it reads a part of the workload's knobs",
                            family->name, family->blocks[b].name);
    }
    return dse_knobs_check(family->knobs, err);
}

enum dse_status dse_model_space(const struct dse_model_family *family, const char *path,
                                struct dse_space **out, struct dse_error *err)
{
    *out = NULL;
    DSE_TRY(dse_model_check(family, err));
    return dse_space_make(family->knobs, path, out, err);
}

enum dse_status dse_refusal_verdict(const struct dse_refusal *refusal, struct dse_error *err)
{
    return refusal->refused ? dse_fail(err, DSE_ANSWER_NO, "%s", refusal->reason) : DSE_OK;
}

enum dse_status dse_block_account(const struct dse_model_family *family, size_t index,
                                  const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    const struct dse_block *block = &family->blocks[index];
    struct dse_context own = *context;
    memset(out, 0, sizeof *out);
    own.pace = dse_costs_pace(context->costs, family->name, family->engines[block->engine].name);
    if (family != family->in_rtl) /* whose engines open synthesis counted */
        own.pace.amounts = NULL;
    if (block->memory_port) /* a memory's words come as the memory has them */
        own.pace.interval = 1.0;
    if (own.loops != NULL)
        own.loops->stretch = own.pace.interval;
    DSE_TRY(block->account(&own, config, out, err));
    for (int c = 0; c < DSE_CASE_COUNT && own.pace.interval != 1.0; c++)
        for (size_t k = 0; k < family->stage_count; k++)
            out->busy_cycles[c][k] = llround((double)out->busy_cycles[c][k] * own.pace.interval);
    return DSE_OK;
}
