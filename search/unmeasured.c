/* Alternatives of a profile without any measured quality: algorithmic settings cannot be judged, so
 * only those named by the question take part. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "search/question.h"

#define ALTERNATIVES_MAX 65536

/* Whether --fix names a value of the knob. */
static bool is_named(const struct dse_question *question, size_t knob)
{
    bool named = false;
    for (size_t i = 0; i < question->knob_limit_count; i++)
        named |= question->knob_limits[i].knob == knob && question->knob_limits[i].fixed;
    return named;
}

/* Lists, at their first values, the algorithmic knobs with a named value other than the base's and those that follow a hardware knob. Returns their
 * number, or DSE_KNOB_MAX + 1 if other limits exclude the base. */
static size_t named_knobs(const struct dse_question *question, size_t *knobs, struct dse_config *config)
{
    const struct dse_space *space = question->space;
    dse_knob_set algorithmic = dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC);
    size_t count = 0;
    for (size_t k = 0; k < space->count; k++) {
        bool follows = space->knobs[k].follows != 0, allowed = dse_question_allows_value(question, k, config->value[k]);
        if (!dse_bits_has(algorithmic, k) || (allowed && !follows) || !dse_knob_active(space, config, k))
            continue;
        if (space->knobs[k].domain_count == 0 || (!follows && !is_named(question, k)))
            return DSE_KNOB_MAX + 1;
        config->value[k] = space->knobs[k].domain[0];
        knobs[count++] = k;
    }
    return count;
}

enum dse_status dse_question_unmeasured(const struct dse_question *question, const struct dse_profile *profile,
                                        struct dse_alternative **out, size_t *count, struct dse_error *err)
{
    const struct dse_space *space = question->space;
    size_t knobs[DSE_KNOB_MAX], digits[DSE_KNOB_MAX] = {0}, total = 1;
    struct dse_config config = question->base;
    size_t named = named_knobs(question, knobs, &config);
    *count = 0;
    if (named > DSE_KNOB_MAX)
        return DSE_OK;
    for (size_t i = 0; i < named && total <= ALTERNATIVES_MAX; i++)
        total *= space->knobs[knobs[i]].domain_count;
    if (total > ALTERNATIVES_MAX)
        return dse_fail(err, DSE_LIMIT, "%s: more than %d algorithmic settings; narrow them with --where", profile->dataset,
                        ALTERNATIVES_MAX);
    *out = dse_calloc(total, sizeof **out);
    enum dse_status status = DSE_OK;
    do {
        struct dse_alternative *next = &(*out)[*count];
        next->config = config;
        next->quality = NAN;
        dse_config_canonical(space, &next->config);
        if (dse_question_allows(question, &next->config)) {
            ++*count;
            status = dse_profile_work(space, profile, &next->config, &next->workload, err);
        }
    } while (status == DSE_OK && dse_space_step(space, knobs, named, digits, &config));
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}
