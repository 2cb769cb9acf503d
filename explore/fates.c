#include "explore/fates.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void dse_fates_count(const struct dse_lazy *lazy, struct dse_fates *out)
{
    out->settings = lazy->candidate_count;
    for (size_t i = 0; i < lazy->candidate_count; i++)
        out->of[lazy->candidates[i].fate]++;
}

void dse_fates_write(const struct dse_fates *fates, char *text, size_t size)
{
    const size_t *of = fates->of, below = of[DSE_FATE_BELOW];
    if (fates->settings > 0)
        snprintf(text, size, "%zu settings that nobody had measured: %zu measured now, %zu of them below what was asked; %zu do not fit, "
                 "%zu are dominated whatever their quality; %zu left by --budget (%zu trainings)", fates->settings,
                 of[DSE_FATE_MEASURED] + below, below, of[DSE_FATE_INFEASIBLE], of[DSE_FATE_DOMINATED], of[DSE_FATE_OPEN],
                 fates->trainings);
    size_t length = strlen(text);
    if (fates->crossed > 0)
        snprintf(text + length, size - length, "; they are a sample by --seed of %" PRIu64 ", which proves nothing of the "
                                   "others", fates->crossed);
}
