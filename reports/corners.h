/* Short answer of an exploration: its corners and the baseline. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "explore/exploration.h"

/* {"published": {"latency_s", "energy_j", "sources"}, "modelled": {"latency_s", "energy_j", "on"}}; null if not published.
 * Owned by the caller. */
json_t *dse_baseline_json(const struct dse_baseline *baseline, const struct dse_estimate *modelled);

/* {"balanced": estimate, "fastest": …, "paper": …}: those that exist, each with "ratio" ("latency", "energy"):
 * the baseline's value (published if available) over its own. Owned by the caller. */
json_t *dse_corners_json(const struct dse_front *front);

/* Names of the corners at a point of the front, as an array; and space-separated in 128 characters. */
json_t *dse_corners_names(const struct dse_corners *corners, size_t point);
const char *dse_corners_words(const struct dse_corners *corners, size_t point, char text[128]);

/* The search, the corners with their ratios to the baseline, their differences, the confidence, and the
 * next steps: at most 25 lines of 80 characters. Equal corners share a line. */
void dse_corners_write(const struct dse_exploration *exploration, struct dse_strbuf *out);

/* Why a front of one design, or one whose corners are all near balanced, trades nothing or little, as a sentence; false, and nothing added, where it trades. */
bool dse_corners_alone(const struct dse_exploration *exploration, struct dse_strbuf *out);

/* dse_caps_words() for the corners among a front's points. */
const char *dse_corners_cap(const struct dse_question *question, const struct dse_point *points, const struct dse_corners *corners, char text[80]);

/* The chosen design of the front, its gain, and its alternatives, in three lines. */
void dse_corners_tell(const struct dse_exploration *exploration, size_t chosen, struct dse_strbuf *out);
