/* Shared by the families of the registry: their spaces, and the cost of a block. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/units.h"
#include "models/loops.h"

static const struct dse_model_family *find_registered(const char *name)
{
    for (const struct dse_model_family *const *family = dse_model_registry; *family != NULL; family++)
        if (strcmp((*family)->name, name) == 0)
            return *family;
    return NULL;
}

bool dse_model_is_file(const char *name)
{
    const char *ending = strrchr(name, '.');
    return ending != NULL && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

enum dse_status dse_model_open(const char *name, const struct dse_model_family **out, struct dse_error *err)
{
    if (dse_model_is_file(name))
        return dse_model_files.open(name, out, err);
    *out = find_registered(name);
    if (*out != NULL)
        return DSE_OK;
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    for (const struct dse_model_family *const *family = dse_model_registry; *family != NULL; family++)
        dse_strbuf_printf(&names, "%s%s", family != dse_model_registry ? ", " : "", (*family)->name);
    return dse_fail(err, DSE_BAD_USAGE, "--family %s: not a family or a file that ends in .yaml; the families are %s", name, dse_strbuf_text(&names));
}

const struct dse_model_family *dse_model_find(const char *name)
{
    const struct dse_model_family *found = find_registered(name);
    struct dse_error ignored;
    if (found != NULL || !dse_model_is_file(name))
        return found;
    found = dse_model_files.latest(name);
    return found != NULL || dse_model_files.open(name, &found, &ignored) == DSE_OK ? found : NULL;
}

const char *dse_model_word(const struct dse_model_family *family)
{
    return family->file != NULL ? family->file : family->name;
}

const char *dse_model_profiles(const struct dse_model_family *family)
{
    return family->profiles != NULL ? family->profiles : family->name;
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
    } numbers[] = {{"stages", family->stage_count, family->file != NULL ? DSE_STAGE_MAX : DSE_STAGE_APART},
                   {"engines", family->engine_count, DSE_ENGINE_MAX},
                   {"blocks", family->block_count, DSE_BLOCK_MAX}};
    dse_knob_set shaping = dse_knobs_shaping(family->knobs);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].count > numbers[i].most)
            return dse_fail(err, DSE_LIMIT, "the family %s declares %zu %s: at most %zu", family->name, numbers[i].count,
                            numbers[i].what, numbers[i].most);
    for (size_t b = 0; b < family->block_count; b++) {
        dse_knob_set reads = dse_bits_and(family->blocks[b].reads, shaping);
        if (family->blocks[b].engine >= family->engine_count || (dse_bits_any(reads) && !dse_bits_equal(reads, shaping)))
            return dse_fail(err, DSE_LIMIT, "the family %s, block %s: has no engine, or reads only a part of the workload's knobs",
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

enum dse_status dse_model_published(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board,
                                    const struct dse_setting *preset, struct dse_config *out, struct dse_error *err)
{
    dse_space_default(space, out);
    DSE_TRY(dse_config_apply(space, out, preset, err));
    for (size_t i = 0; i < family->published_count; i++)
        for (const char *const *knob = family->published[i].knobs; strcmp(family->published[i].board, board->name) == 0 && *knob != NULL; knob++)
            DSE_TRY(dse_config_assign(space, out, *knob, err));
    return DSE_OK;
}

enum dse_status dse_rejection_verdict(const struct dse_rejection *rejection, struct dse_error *err)
{
    if (!rejection->rejected)
        return DSE_OK;
    dse_fail(err, DSE_ANSWER_NO, "%s", rejection->reason);
    if (err != NULL)
        memcpy(err->message, rejection->reason, sizeof rejection->reason); /* keep the lines of a formula and its caret */
    return DSE_ANSWER_NO;
}

static enum dse_status cost(const struct dse_model_family *family, size_t index, const struct dse_context *context,
                               const struct dse_config *config, struct dse_accumulators *out, struct dse_error *err)
{
    const struct dse_block *block = &family->blocks[index];
    struct dse_context own = *context;
    memset(out, 0, sizeof *out);
    own.family = family;
    own.block = block;
    own.pace = dse_costs_pace(context->costs, family->name, family->engines[block->engine].name);
    if (family != family->in_rtl) /* open synthesis counted those engines */
        own.pace.amounts = NULL;
    if (block->memory_port) /* the memory determines the transfer time */
        own.pace.interval = 1.0;
    if (own.loops != NULL)
        own.loops->stretch = own.pace.interval;
    DSE_TRY(block->cost(&own, config, out, err));
    for (int c = 0; c < DSE_CASE_COUNT && own.pace.interval != 1.0; c++)
        for (size_t k = 0; k < family->stage_count && k != DSE_STAGE_APART; k++) /* stages in which the block has time */
            out->busy_cycles[c][k] = llround((double)out->busy_cycles[c][k] * own.pace.interval);
    return DSE_OK;
}

/* Whether sums are far below any range on every board: at most 2^24 cycles or bytes per stage at 10 MHz or 10 MB/s. */
static bool is_small(const struct dse_accumulators *sums)
{
    const size_t counts = offsetof(struct dse_accumulators, resources) / sizeof(int64_t);
    const int64_t *components = (const int64_t *)sums;
    int64_t times_and_bytes = 0, others = 0;
    _Static_assert(offsetof(struct dse_accumulators, resources) % (4 * sizeof(int64_t)) == 0, "cycles and bytes come in fours");
    for (size_t i = 0; i < counts; i += 4) /* hot: runs for every cost */
        times_and_bytes |= components[i] | components[i + 1] | components[i + 2] | components[i + 3];
    for (size_t i = counts; i < sizeof *sums / sizeof *components; i++)
        others |= components[i];
    return times_and_bytes >> 24 == 0 && others >> 50 == 0;
}

/* Largest share of its range that one component takes: at 1 or more, sums over all blocks could overflow. Checks each component, and jointly
 * those that become femtoseconds and femtojoules; resources and standby power are multiplied by the units. */
static double share_of_range(const struct dse_model_family *family, const struct dse_context *context, const struct dse_config *config,
                             const struct dse_accumulators *sums)
{
    if (is_small(sums) && context->times <= 1)
        return 0.0;
    struct dse_platform platform;
    double largest = 0.0, dram_fj = 0.0, units = 16.0 * (double)family->knobs->knobs[family->units_knob].maximum; /* limit of a space file */
    dse_platform_make(family, context->board, 0.0, config, DSE_BAND_HIGH, &platform);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double fs = 0.0;
        for (size_t s = 0; s < family->stage_count; s++) {
            fs += ((double)sums->busy_cycles[c][s] + (double)sums->fill_cycles[c][s]) * (double)platform.fs_per_cycle;
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                fs += (double)sums->bytes[c][s][m] * (double)(platform.fs_per_byte[m] + platform.host_fs_per_byte + 1);
                dram_fj += (double)sums->bytes[c][s][m] * (double)platform.dram_fj_per_byte[m];
            }
        }
        largest = fmax(largest, fs);
    }
    largest = fmax(largest, fmax(dram_fj, (double)sums->energy_fj));
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        largest = fmax(largest, (double)sums->operations[p]);
    largest = fmax(largest, (double)sums->on_chip_bytes) * fmax((double)context->times, 1.0);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        largest = fmax(largest, (double)sums->resources[r] * units);
    largest = fmax(largest, (double)sums->idle_nw * units);
    largest = fmax(largest, (double)sums->reruns * (double)platform.host_fs);
    return largest * fmax((double)family->block_count, 8.0) / 0x1p63; /* dse_count() saturates at 2^60 */
}

/* The knob of the same job whose default reduces the block's share most, or −1: then the data set is to blame. `share` receives
 * the reduced share. */
static enum dse_status find_blame(const struct dse_model_family *family, size_t index, const struct dse_context *context,
                                  const struct dse_config *config, double *share, int *blame, struct dse_error *err)
{
    *blame = -1;
    for (size_t k = 0; k < family->knobs->count; k++) {
        struct dse_rejection rejection = {0};
        struct dse_context own = *context;
        struct dse_config other = *config;
        struct dse_accumulators sums;
        own.rejection = &rejection;
        own.provenance = NULL;
        own.loops = NULL;
        other.value[k] = family->knobs->knobs[k].fallback;
        if (!dse_bits_has(family->blocks[index].reads, k) || other.value[k] == config->value[k] ||
            (family->parts != NULL && family->parts(family, &other) != family->parts(family, config))) /* a different job */
            continue;
        DSE_TRY(cost(family, index, &own, &other, &sums, err));
        double left = share_of_range(family, context, &other, &sums);
        if (!rejection.rejected && left < *share) {
            *share = left;
            *blame = (int)k;
        }
    }
    return DSE_OK;
}

enum dse_status dse_block_cost(const struct dse_model_family *family, size_t index,
                                  const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    DSE_TRY(cost(family, index, context, config, out, err));
    struct dse_rejection *rejection = context->rejection;
    double share = rejection->rejected ? 0.0 : share_of_range(family, context, config, out);
    if (share < 1.0)
        return DSE_OK;
    rejection->rejected = true;
    if (rejection->reason[0] != '\0')
        return DSE_OK;
    int blame;
    char text[96], times[32];
    double left = share;
    dse_ratio_format(times, sizeof times, 3, share);
    if (family->locate != NULL) {
        struct dse_rejection own = {0};
        struct dse_context alone = *context;
        struct dse_error at = {0};
        alone.block = &family->blocks[index];
        alone.family = family;
        alone.rejection = &own;
        alone.provenance = NULL;
        alone.loops = NULL;
        snprintf(text, sizeof text, "too much work to be counted, %s times the limit", times);
        family->locate(&alone, config, text, &at);
        memcpy(rejection->reason, at.message, sizeof rejection->reason - 1); /* the last byte stays 0 */
        return DSE_OK;
    }
    DSE_TRY(find_blame(family, index, context, config, &left, &blame, err));
    const struct dse_knob *knob = blame >= 0 ? &family->knobs->knobs[blame] : NULL;
    snprintf(rejection->reason, sizeof rejection->reason, "the block %s has too much work to count, %s times the limit%s%s%s%s",
             family->blocks[index].name, times, left < 1.0 || knob == NULL ? ": " : ", and still without ",
             knob != NULL ? knob->name : "the data set is too large", knob != NULL ? "=" : "",
             knob != NULL ? dse_knob_format(knob, config->value[blame], text, sizeof text) : "");
    return DSE_OK;
}

const char *dse_items_word(const struct dse_model_family *family, const struct dse_config *config)
{
    return family->items_word != NULL ? family->items_word(config) : "inferences";
}
