#include "search/profiled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "models/model.h"

/* Writes the knobs in which a workload's setting differs from the profile's other workloads; from the requested setting if there is no other workload. */
static void write_difference(const struct dse_profile *profile, const struct dse_setting *asked, const struct dse_setting *setting, struct dse_strbuf *out)
{
    bool first = true;
    for (size_t p = 0; p < setting->count; p++) {
        bool differs = false;
        for (size_t i = 0; i < profile->workload_count && !differs; i++) {
            const struct dse_setting *beside = profile->workload_count > 1 ? &profile->workloads[i].setting : asked;
            const char *other = dse_setting_get(beside, setting->pairs[p].name);
            differs = other != NULL && strcmp(other, setting->pairs[p].value) != 0;
        }
        if (differs)
            dse_strbuf_printf(out, "%s%s=%s", first ? "" : " ", setting->pairs[p].name, setting->pairs[p].value);
        first = first && !differs;
    }
}

static struct dse_setting setting_of(const struct dse_space *space, const struct dse_config *config)
{
    struct dse_setting setting;
    dse_config_setting(space, config, dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC), &setting);
    return setting;
}

const struct dse_workload *dse_profile_find_work(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = setting_of(space, config);
    return dse_profile_workload(profile, &setting);
}

enum dse_status dse_profile_work(const struct dse_space *space, const struct dse_profile *profile, const struct dse_config *config,
                                 const struct dse_workload **out, struct dse_error *err)
{
    *out = dse_profile_find_work(space, profile, config);
    if (*out != NULL)
        return DSE_OK;
    struct dse_setting asked DSE_CLEANUP(dse_setting_free) = setting_of(space, config);
    struct dse_strbuf held DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < profile->workload_count && held.length < 300; i++) {
        dse_strbuf_add(&held, i > 0 ? "; " : "");
        write_difference(profile, &asked, &profile->workloads[i].setting, &held);
    }
    return dse_fail(err, DSE_BAD_USAGE,
                    "%s: the profile has no workload at this setting (it has %s); `nysx-dse datasets profile` measures others, and "
                    "--set with the data set's folder or zip measures this one",
                    profile->dataset, dse_strbuf_text(&held));
}

void dse_profile_complete(const struct dse_knobs *knobs, struct dse_profile *profile)
{
    dse_knobs_complete(knobs, &profile->preset);
    for (size_t i = 0; i < profile->quality_count; i++)
        dse_knobs_quality_key(knobs, &profile->qualities[i].setting);
}

const struct dse_quality *dse_profile_quality_of(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = setting_of(space, config);
    return dse_profile_quality(profile, &setting);
}

void dse_profile_reference(const struct dse_profile *profile, struct dse_setting *out)
{
    const struct dse_model_family *family = dse_model_find(profile->family);
    dse_setting_copy(&profile->preset, out);
    if (family != NULL)
        dse_knobs_over(family->knobs, DSE_REFERENCE, NULL, out);
}

const struct dse_quality *dse_profile_reference_quality(const struct dse_profile *profile)
{
    struct dse_setting reference DSE_CLEANUP(dse_setting_free) = {0};
    dse_profile_reference(profile, &reference);
    return dse_profile_quality(profile, &reference);
}

const char *dse_quality_training(const struct dse_knobs *knobs, const struct dse_quality *quality)
{
    static const char *const names[] = {DSE_REFERENCE, DSE_LITERAL};
    for (size_t i = 0; i < 2; i++) {
        struct dse_setting over DSE_CLEANUP(dse_setting_free) = {0};
        dse_knobs_over(knobs, names[i], names[1 - i], &over);
        size_t alike = 0;
        for (size_t k = 0; k < over.count; k++) {
            const char *value = dse_setting_get(&quality->setting, over.pairs[k].name);
            alike += value != NULL && strcmp(value, over.pairs[k].value) == 0;
        }
        if (over.count > 0 && alike == over.count)
            return names[i];
    }
    return NULL;
}

/* NaN: unknown. */
static double fact_of(const struct dse_profile *profile, const char *name)
{
    const char *text = dse_setting_get(&profile->facts, name);
    return text != NULL ? strtod(text, NULL) : NAN;
}

/* In the profile's metric; NaN if unknown. */
static double constant_answer(const struct dse_profile *profile)
{
    const struct dse_chance chance = {fact_of(profile, "majority"), fact_of(profile, "classes"), fact_of(profile, "target_max") - fact_of(profile, "target_min"),
                                      fact_of(profile, "target_std"), fact_of(profile, "target_mad"), fact_of(profile, "entities")};
    return dse_quality_constant(profile->quality_count > 0 ? profile->qualities[0].name : "", &chance);
}

double dse_drop_unit(const char *metric, double reference)
{
    double magnitude = fabs(reference);
    return dse_quality_is_negative(metric, NULL) ? magnitude : fmax(1.0, magnitude);
}

void dse_standard_make(const struct dse_profile *profile, double drop, struct dse_standard *out)
{
    const struct dse_quality *preset = dse_profile_reference_quality(profile);
    *out = (struct dse_standard){.majority = constant_answer(profile),
                                 .preset = preset != NULL ? preset->mean : NAN, .drop = drop, .floor = -INFINITY};
    if (isinf(drop) || preset == NULL)
        return;
    out->drop *= dse_drop_unit(preset->name, preset->mean);
    out->floor = preset->mean - out->drop;
    if (out->floor <= out->majority)
        out->floor = nextafter(out->majority, INFINITY);
}

bool dse_standard_beats_majority(const struct dse_standard *standard, double mean)
{
    return !(mean <= standard->majority);
}
