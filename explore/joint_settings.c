/* Matching settings of several data sets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "explore/joint.h"

#define SETTINGS_MAX 4096
#define DIFFERING_MAX 12 /* maximum number of knobs in which presets differ */

/* Number of places of a data set: its alternatives, followed by the settings that may be measured. */
static size_t places_of(const struct dse_exploration *part)
{
    return part->question.alternative_count + part->settings.count;
}

static const struct dse_config *config_at(const struct dse_exploration *part, size_t place)
{
    size_t known = part->question.alternative_count;
    return place < known ? &part->alternatives[place].config : &part->settings.configs[place - known];
}

/* Whether the data allow the setting. */
static bool is_possible(const struct dse_exploration *part, size_t place)
{
    size_t known = part->question.alternative_count;
    return place < known || (part->settings.possible != NULL && part->settings.possible[place - known]);
}

/* Whether a setting has the first data set's values, and its own preset's for knobs in `own`. */
static bool belongs(const struct dse_joint_exploration *e, size_t set, const struct dse_config *first,
                    const struct dse_config *config, dse_knob_set own)
{
    dse_knob_set algorithmic = dse_space_of_kind(e->bench->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < e->bench->space->count; k++) {
        int64_t wanted = dse_bits_has(own, k) ? e->presets[set].value[k] : first->value[k];
        if (dse_bits_has(algorithmic, k) && config->value[k] != wanted)
            return false;
    }
    return true;
}

static enum dse_status add_setting(struct dse_joint_exploration *e, const size_t *places, dse_knob_set own,
                                   struct dse_error *err)
{
    size_t count = e->setting_count, bytes = e->sets * sizeof *places;
    for (size_t i = 0; i < count; i++)
        if (memcmp(&e->places[i * e->sets], places, bytes) == 0)
            return DSE_OK;
    if (count == SETTINGS_MAX)
        return dse_fail(err, DSE_LIMIT, "--combine: more than %d common settings; narrow them with --where or --fix", SETTINGS_MAX);
    e->places = dse_realloc(e->places, (count + 1) * bytes);
    e->own = dse_realloc(e->own, (count + 1) * sizeof *e->own);
    memcpy(&e->places[count * e->sets], places, bytes);
    e->own[e->setting_count++] = own;
    return DSE_OK;
}

/* Adds the matching settings of the other data sets for one of the first, with these knobs at each preset. `measured`: only settings measured for
 * every data set, or only the others. */
static enum dse_status try_setting(struct dse_joint_exploration *e, size_t place, dse_knob_set own, bool measured, struct dse_error *err)
{
    size_t places[DSE_KNOB_MAX] = {place};
    const struct dse_config *first = config_at(&e->parts[0], place);
    bool known = place < e->parts[0].question.alternative_count;
    for (size_t set = 1; set < e->sets; set++) {
        const struct dse_exploration *part = &e->parts[set];
        size_t a = 0, count = measured ? part->question.alternative_count : places_of(part);
        while (a < count && !(is_possible(part, a) && belongs(e, set, first, config_at(part, a), own)))
            a++;
        if (a == count)
            return DSE_OK;
        places[set] = a;
        known &= a < part->question.alternative_count;
    }
    return known == measured ? add_setting(e, places, own, err) : DSE_OK;
}

static enum dse_status try_all(struct dse_joint_exploration *e, bool measured, struct dse_error *err)
{
    size_t knobs[DIFFERING_MAX], count = 0, places = measured ? e->parts[0].question.alternative_count : places_of(&e->parts[0]);
    for (size_t k = 0; k < e->bench->space->count; k++)
        if (dse_bits_has(e->differing, k) && count < DIFFERING_MAX)
            knobs[count++] = k;
    for (size_t a = 0; a < places; a++)
        for (size_t choice = 0; choice < (size_t)1 << count && is_possible(&e->parts[0], a); choice++) {
            const struct dse_config *config = config_at(&e->parts[0], a);
            dse_knob_set own = {{0}};
            bool at_preset = true;
            for (size_t i = 0; i < count; i++)
                if ((choice >> i & 1) != 0) {
                    dse_bits_add(&own, knobs[i]);
                    at_preset &= config->value[knobs[i]] == e->presets[0].value[knobs[i]];
                }
            if (at_preset)
                DSE_TRY(try_setting(e, a, own, measured, err));
        }
    return DSE_OK;
}

enum dse_status dse_joint_settings(struct dse_joint_exploration *e, struct dse_error *err)
{
    size_t unmeasured = 0;
    for (size_t set = 0; set < e->sets; set++)
        unmeasured += e->parts[set].settings.count;
    DSE_TRY(try_all(e, true, err));
    e->measured = e->setting_count;
    if (unmeasured > 0)
        DSE_TRY(try_all(e, false, err));
    if (e->setting_count > 0)
        return DSE_OK;
    e->question = e->parts[0].question;
    e->answer = (struct dse_answer){.outcome = DSE_OUTCOME_NOTHING, .proven = true};
    e->why = dse_calloc(1, sizeof *e->why);
    dse_fail(&e->ended, DSE_ANSWER_NO, "--combine: the data sets have no common measured setting within "
             "--quality-drop; widen it, or profile the same settings of each with `datasets profile`");
    return DSE_OK;
}
