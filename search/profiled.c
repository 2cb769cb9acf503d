#include "search/profiled.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/strbuf.h"

/* What of a workload's setting tells it from the profile's others. */
static void write_difference(const struct dse_profile *profile, const struct dse_setting *setting, struct dse_strbuf *out)
{
    bool first = true;
    for (size_t p = 0; p < setting->count; p++) {
        bool differs = false;
        for (size_t i = 0; i < profile->workload_count && !differs; i++) {
            const char *other = dse_setting_get(&profile->workloads[i].setting, setting->pairs[p].name);
            differs = other != NULL && strcmp(other, setting->pairs[p].value) != 0;
        }
        if (differs)
            dse_strbuf_printf(out, "%s%s=%s", first ? "" : " ", setting->pairs[p].name, setting->pairs[p].value);
        first = first && !differs;
    }
}

/* A configuration's algorithmic setting in a room of its own: asking what a profile holds of it fails for nothing, memory least. */
struct view {
    struct dse_setting setting;
    struct dse_setting_pair pairs[DSE_KNOB_MAX];
    char values[DSE_KNOB_MAX][64];
};

static const struct dse_setting *view_setting(const struct dse_space *space, const struct dse_config *config, struct view *view)
{
    dse_knob_set set = dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC);
    size_t count = 0;
    for (size_t k = 0; k < space->count; k++) {
        if ((set >> k & 1) == 0)
            continue;
        char *name = (char *)(uintptr_t)space->knobs[k].name;
        size_t place = count;
        for (; place > 0 && strcmp(view->pairs[place - 1].name, name) > 0; place--)
            view->pairs[place] = view->pairs[place - 1];
        dse_knob_format(&space->knobs[k], config->value[k], view->values[count], sizeof view->values[count]);
        view->pairs[place] = (struct dse_setting_pair){name, view->values[count]};
        count++;
    }
    view->setting = (struct dse_setting){view->pairs, count};
    return &view->setting;
}

const struct dse_workload *dse_profile_find_work(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config)
{
    struct view view;
    return dse_profile_workload(profile, view_setting(space, config, &view));
}

enum dse_status dse_profile_work(const struct dse_space *space, const struct dse_profile *profile, const struct dse_config *config,
                                 const struct dse_workload **out, struct dse_error *err)
{
    *out = dse_profile_find_work(space, profile, config);
    if (*out != NULL)
        return DSE_OK;
    struct dse_strbuf held DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < profile->workload_count && held.length < 300; i++) {
        dse_strbuf_add(&held, i > 0 ? "; " : "");
        write_difference(profile, &profile->workloads[i].setting, &held);
    }
    return dse_fail(err, DSE_BAD_USAGE,
                    "%s: the profile has no workload at this setting (it has %s); `nysx-dse datasets profile` measures others, and "
                    "--set on the data set's folder or zip measures its own",
                    profile->dataset, dse_strbuf_text(&held));
}

const struct dse_quality *dse_profile_quality_of(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config)
{
    struct view view;
    return dse_profile_quality(profile, view_setting(space, config, &view));
}

void dse_standard_make(const struct dse_profile *profile, double drop, struct dse_standard *out)
{
    const char *majority = dse_setting_get(&profile->facts, "majority");
    const struct dse_quality *preset = dse_profile_quality(profile, &profile->preset);
    *out = (struct dse_standard){.majority = majority != NULL ? strtod(majority, NULL) : NAN,
                                 .preset = preset != NULL ? preset->mean : NAN, .drop = drop, .floor = -INFINITY};
    if (isinf(drop) || preset == NULL)
        return;
    out->floor = preset->mean - drop;
    if (out->floor <= out->majority)
        out->floor = nextafter(out->majority, INFINITY);
}

bool dse_standard_beats_majority(const struct dse_standard *standard, double mean)
{
    return !(mean <= standard->majority);
}
