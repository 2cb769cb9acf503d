/* Profiles as people and programs read them: tables, JSON (nysx-dse.datasets/1, nysx-dse.dataset/1) and CSV. */
#pragma once

#include "core/strbuf.h"
#include "datasets/profile.h"
#include "reports/format.h"

/* A line a profile: facts, and the quality of the preset. */
void dse_profiles_list(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                       enum dse_format format, size_t width);

/* All facts, the preset, every measured setting with its quality, and each series of the workloads in short. CSV has a
 * line a measured setting. Several profiles make one JSON object {"schema": "nysx-dse.datasets/1", "datasets": […]}. */
void dse_profiles_show(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                       enum dse_format format, size_t width);
