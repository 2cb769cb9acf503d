/* The plain answer of an exploration: its corners beside the baseline. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "explore/exploration.h"

/* {"published": {"latency_s", "energy_j", "sources"}, "modelled": {"latency_s", "energy_j", "on"}}; null where nothing was published.
 * The caller's reference. */
json_t *dse_baseline_json(const struct dse_baseline *baseline, const struct dse_estimate *modelled);

/* {"balanced": estimate, "fastest": …, "paper": …}: those that there are, each with "ratio" to the baseline's latency and energy
 * ("latency", "energy": the baseline's, published where it is, over its own). The caller's reference. */
json_t *dse_corners_json(const struct dse_front *front);

/* The names of the corners that a point of the front is, as an array; and parted by spaces, in 128 characters. */
json_t *dse_corners_names(const struct dse_corners *corners, size_t point);
const char *dse_corners_words(const struct dse_corners *corners, size_t point, char text[128]);

/* The search, the corners with their ratios to the baseline, what tells them apart, how sure that is, and what
 * to do next: no more than 25 lines of 80 characters. Corners that are one design stand in one line. */
void dse_corners_write(const struct dse_exploration *exploration, struct dse_strbuf *out);

/* dse_caps_words() of the corners among a front's points. */
const char *dse_corners_cap(const struct dse_question *question, const struct dse_point *points, const struct dse_corners *corners, char text[80]);

/* Which design of the front was chosen, what it brings, and between what, in three lines. */
void dse_corners_tell(const struct dse_exploration *exploration, size_t chosen, struct dse_strbuf *out);
