/* Profiles as tables, JSON (nysx-dse.datasets/1, nysx-dse.dataset/1) and CSV. */
#pragma once

#include "core/strbuf.h"
#include "datasets/profile.h"
#include "reports/format.h"

/* One line per profile: facts, and the preset's quality. */
void dse_profiles_list(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                       enum dse_format format, size_t width);

/* All facts, the preset, every measured setting with its quality, and a summary of each workload series. CSV has one
 * line per measured setting. Several profiles make one JSON object {"schema": "nysx-dse.datasets/1", "datasets": […]}. */
void dse_profiles_show(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                       enum dse_format format, size_t width);
